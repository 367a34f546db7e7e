"""A real Neo4j for the tests: one that is given, or one started from Neo4j's own libraries."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import neo4j

HERE = Path(__file__).parent
VERSIONS = {"5": ("5.26.30", 17), "2026": ("2026.08.1", 21)}
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kg" / "neo4j"
_OPENED = ("java.base/java.nio=ALL-UNNAMED", "java.base/sun.nio.ch=ALL-UNNAMED")


class MissingError(Exception):
    """What has to be installed, in one line."""


def java_at_least(version: int) -> Path:
    """Return a java of this version or later: from JAVA_HOME, the PATH, or /usr/lib/jvm."""
    homes = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    found = [home / "bin" / "java" for home in homes]
    if on_path := shutil.which("java"):
        found.append(Path(on_path))
    found += sorted(Path("/usr/lib/jvm").glob("*/bin/java"))
    for java in found:
        if java.exists() and _version(java) >= version:
            return java
    raise MissingError(
        f"Neo4j needs Java {version} or later: install openjdk-{version}-jre-headless"
    )


def _version(java: Path) -> int:
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    number = re.search(r'version "(\d+)', said)
    return int(number.group(1)) if number else 0


def libraries(version: str) -> Path:
    """Return the folder of Neo4j's jars, fetched by Maven when they are not there yet."""
    folder = CACHE / version / "lib"
    if (folder.parent / "complete").exists():
        return folder
    maven = shutil.which("mvn")
    if maven is None:
        raise MissingError("Neo4j's libraries are fetched by Maven: install maven")
    folder.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [
            maven, "-q", "-B", "-f", HERE / "pom.xml", f"-Dneo4j.version={version}",
            "dependency:copy-dependencies", f"-DoutputDirectory={folder}",
        ],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise MissingError(f"Maven could not fetch Neo4j {version}: {done.stdout[-300:]}")
    (folder.parent / "complete").touch()
    return folder


@dataclass
class Server:
    """A Neo4j in a process of its own."""

    version: str  # 5 or 2026
    home: Path
    password: str | None = None
    port: int = 0
    _process: subprocess.Popen[str] | None = field(default=None, repr=False)

    @property
    def uri(self) -> str:
        """Where it answers."""
        return f"bolt://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        release, java_version = VERSIONS[self.version]
        jars = libraries(release)
        java = java_at_least(java_version)
        self.port = self.port or _free_port()
        self.home.mkdir(parents=True, exist_ok=True)
        arguments = [str(self.home), str(self.port), *(["auth"] if self.password else [])]
        with (self.home / "output.log").open("w", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [java, *_options(java), "-cp", f"{jars}/*", HERE / "ServeNeo4j.java", *arguments],
                stdout=log, stderr=subprocess.STDOUT, text=True, start_new_session=True,
            )  # fmt: skip
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + 180
        log = self.home / "output.log"
        while time.monotonic() < deadline:
            if "ready" in log.read_text(encoding="utf-8", errors="replace") and self._answers():
                break
            if self._process is None or self._process.poll() is not None:
                raise RuntimeError(f"Neo4j did not start: {log.read_text(encoding='utf-8')}")
            time.sleep(0.2)
        if self.password:
            self._choose_password()

    def _answers(self) -> bool:
        # After a crash the port opens some time after the databases are there.
        with socket.socket() as probe:
            probe.settimeout(5)
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def _choose_password(self) -> None:
        first = neo4j.GraphDatabase.driver(self.uri, auth=("neo4j", "neo4j"))
        with (
            first,
            first.session(database="system") as session,
            contextlib.suppress(neo4j.exceptions.AuthError),
        ):
            # On a later start it has been chosen already, and this is refused.
            session.run(
                "ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $new", new=self.password
            ).consume()

    def stop(self, *, kill: bool = False) -> None:
        """Stop it, or kill it as a power failure would."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
            self._process.wait(60)
            self._process = None

    def admin(self, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
        """Run neo4j-admin on the stopped database."""
        release, java_version = VERSIONS[self.version]
        java = java_at_least(java_version)
        for part in ("conf", "data"):
            (self.home / part).mkdir(parents=True, exist_ok=True)
        return subprocess.run(
            [
                java, *_options(java), "-cp", f"{libraries(release)}/*",
                "org.neo4j.cli.AdminTool", *arguments,
            ],
            env={**os.environ, "NEO4J_HOME": str(self.home), "NEO4J_CONF": str(self.home / "conf")},
            cwd=self.home,  # the importer leaves its report where it runs
            capture_output=True, text=True, check=False,
        )  # fmt: skip


def _options(java: Path) -> list[str]:
    options = ["-Xmx700m", *(f"--add-opens={name}" for name in _OPENED)]
    if _version(java) >= 21:
        options += [
            "--enable-native-access=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow" if _version(java) >= 24 else "-showversion",
        ]
    return options


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


if __name__ == "__main__":
    server = Server(sys.argv[1], Path(sys.argv[2]))
    server.start()
    print(server.uri, flush=True)
    signal.pause()
