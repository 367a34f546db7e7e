"""Certificates for the tests of encrypted connections, made by openssl."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.neo4j.server import MissingError

_KEY = ("-newkey", "rsa:2048", "-nodes", "-days", "2")


@dataclass(frozen=True, slots=True)
class Certificates:
    """A certificate of a server and the authority that signed it."""

    folder: Path  # holds private.key and public.crt
    authority: Path  # PEM


def make(folder: Path, name: str = "localhost") -> Certificates:
    """Make an authority and a certificate for a server of this name."""
    openssl = shutil.which("openssl")
    if openssl is None:
        raise MissingError("Certificates for the tests are made by openssl: install openssl")
    folder.mkdir(parents=True)
    authority, request = folder / "authority.pem", folder / "server.csr"

    def run(*arguments: str | Path) -> None:
        subprocess.run([openssl, *arguments], check=True, capture_output=True, cwd=folder)

    run("req", "-x509", *_KEY, "-keyout", "authority.key", "-out", authority,
        "-subj", "/CN=An authority of one's own",
        "-addext", "basicConstraints=critical,CA:TRUE",
        "-addext", "keyUsage=critical,keyCertSign")  # fmt: skip
    run("req", *_KEY, "-keyout", "private.key", "-out", request, "-subj", f"/CN={name}")
    names = folder / "names.ext"
    names.write_text(f"subjectAltName=DNS:{name}\n", encoding="utf-8")
    run("x509", "-req", "-in", request, "-CA", authority, "-CAkey", "authority.key",
        "-CAcreateserial", "-days", "2", "-extfile", names, "-out", "public.crt")  # fmt: skip
    return Certificates(folder, authority)
