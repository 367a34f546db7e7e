"""A real Neo4j for the tests: one that is given, or one started from Neo4j's own libraries."""

import contextlib
import os
import random
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import neo4j
from filelock import FileLock

HERE = Path(__file__).parent
VERSIONS = {"5": ("5.26.30", 17), "2026": ("2026.08.1", 21)}
SHELL = "5"  # of which the shell is, for servers of every version
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


def libraries(version: str, part: str = "server") -> Path:
    """Return the folder of the jars of Neo4j's server or shell; Maven fetches what is not there yet."""
    folder = CACHE / version / ("lib" if part == "server" else part)
    complete = folder.with_name(f"{folder.name}.complete")
    if complete.exists():
        return folder
    maven = shutil.which("mvn")
    if maven is None:
        raise MissingError("Neo4j's libraries are fetched by Maven: install maven")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(CACHE / "lock"):  # tests run in several processes
        if not complete.exists():
            _fetch(maven, version, part, folder)
            complete.touch()
    return folder


def _fetch(maven: str, version: str, part: str, folder: Path) -> None:
    done = subprocess.run(
        [
            maven, "-q", "-B", "-f", HERE / f"{part}.xml", f"-Dneo4j.version={version}",
            "dependency:copy-dependencies", f"-DoutputDirectory={folder}",
        ],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise MissingError(f"Maven could not fetch Neo4j {version}: {done.stdout[-300:]}")


@dataclass
class Server:
    """A Neo4j in a process of its own."""

    version: str  # 5 or 2026
    home: Path
    password: str | None = None
    port: int = 0
    settings: Mapping[str, str] = field(default_factory=dict)  # as in neo4j.conf
    authority: Path | None = None  # PEM of who signed its certificate, where it has one
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
        settings = {
            "server.bolt.enabled": "true",
            "server.bolt.listen_address": f"127.0.0.1:{self.port}",
            "server.memory.pagecache.size": "128m",
            "dbms.security.auth_enabled": "true" if self.password else "false",
            **self.settings,
        }
        file = self.home / "kg-tests.conf"
        lines = "".join(f"{name}={value}\n" for name, value in settings.items())
        file.write_text(lines, encoding="utf-8")
        with (self.home / "output.log").open("w", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [java, *_options(java), "-cp", f"{jars}/*", HERE / "ServeNeo4j.java", self.home, file],
                stdout=log, stderr=subprocess.STDOUT, text=True, start_new_session=True,
            )  # fmt: skip
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + 900  # a busy machine takes minutes
        log = self.home / "output.log"
        while time.monotonic() < deadline:
            lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
            if "ready" in lines and self._answers():
                break
            if self._process is None or self._process.poll() is not None:
                raise RuntimeError(f"Neo4j did not start: {log.read_text(encoding='utf-8')}")
            time.sleep(0.2)
        else:
            raise RuntimeError(f"Neo4j does not answer: {log.read_text(encoding='utf-8')}")
        if self.password:
            self._choose_password()

    def _answers(self) -> bool:
        # After a crash the port opens some time after the databases are there.
        with socket.socket() as probe:
            probe.settimeout(5)
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def _choose_password(self) -> None:
        tls: dict[str, Any] = {}
        if self.authority:
            trusted = neo4j.TrustCustomCAs(str(self.authority))
            tls = {"encrypted": True, "trusted_certificates": trusted}
        uri = f"bolt://localhost:{self.port}"
        first = neo4j.GraphDatabase.driver(uri, auth=("neo4j", "neo4j"), **tls)
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

    def admin(self) -> Path:
        """Return a neo4j-admin for the stopped database, as a program to run."""
        release, java_version = VERSIONS[self.version]
        java = java_at_least(java_version)
        for part in ("conf", "data"):
            (self.home / part).mkdir(parents=True, exist_ok=True)
        program: list[str | Path] = [
            java, *_options(java), "-cp", f"{libraries(release)}/*", "org.neo4j.cli.AdminTool",
        ]  # fmt: skip
        settings = {"NEO4J_HOME": self.home, "NEO4J_CONF": self.home / "conf"}
        return _script(self.home / "neo4j-admin", program, settings)

    def shell(self) -> Path:
        """Return a cypher-shell for the running server, as a program to run."""
        release, java_version = VERSIONS[SHELL]
        java = java_at_least(java_version)
        self.home.mkdir(parents=True, exist_ok=True)
        program: list[str | Path] = [
            java, "-cp", f"{libraries(release, 'shell')}/*", "org.neo4j.shell.Main",
            "-a", self.uri, "-u", "neo4j", "-p", self.password or "",
        ]  # fmt: skip
        return _script(self.home / "cypher-shell", program, {})


def _script(path: Path, program: Sequence[str | Path], settings: Mapping[str, Path]) -> Path:
    names = "".join(f"export {k}={shlex.quote(str(v))}\n" for k, v in settings.items())
    words = " ".join(shlex.quote(str(word)) for word in program)
    path.write_text(f'#!/bin/sh\n{names}exec {words} "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


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
    # Not from the range that the system gives to others' connections: the start takes a while.
    while True:
        port = random.randrange(20000, 32000)  # noqa: S311 - no secret
        with socket.socket() as free, contextlib.suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


if __name__ == "__main__":
    server = Server(sys.argv[1], Path(sys.argv[2]))
    server.start()
    print(server.uri, flush=True)
    signal.pause()
