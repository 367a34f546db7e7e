"""What a command says while it works: on stderr, and progress only where somebody watches."""

import re
import sys
import time

import click

_EVERY_S = 0.2
# Texts of papers are kept as they were read, escape sequences of their files too.
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def tell(line: str) -> None:
    """Say something that a person should know, once."""
    Progress.clear()
    click.echo(line, err=True)


class Progress:
    """A line on a terminal that counts texts; silent where stderr is a file or a pipe.

    Of a stream nobody knows how many there are: 0 of all is not shown.
    """

    _shown = False

    def __init__(self, verb: str) -> None:
        self._verb = verb
        self._watched = sys.stderr.isatty()
        self._start = self._last = time.monotonic()

    def __call__(self, done: int, total: int = 0) -> None:
        """Show how far it is, a few times a second."""
        now = time.monotonic()
        if not self._watched or (done != total and now - self._last < _EVERY_S):
            return
        self._last = now
        rate = done / max(now - self._start, 1e-9)
        left = f", {(total - done) / rate:.0f} s left" if done and done < total else ""
        of_all = f" of {total:,}" if total else ""
        click.echo(f"\r\x1b[K{self._verb} {done:,}{of_all} texts{left}", err=True, nl=False)
        Progress._shown = True
        if total and done >= total:
            self.clear()

    @classmethod
    def clear(cls) -> None:
        """Take the line away."""
        if cls._shown:
            click.echo("\r\x1b[K", err=True, nl=False)
            cls._shown = False


def plural(count: int, noun: str) -> str:
    """Return 1 paper, 2 papers, 3 entities."""
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun[:-1]}ies" if noun.endswith("y") else f"{count:,} {noun}s"


def without_abstracts(bare: int, papers: int) -> str:
    """Return what it means that some of the papers have no abstract."""
    if bare == papers:
        return (
            f"No abstract in {plural(papers, 'paper')}: nothing was read out of them, and only what"
            " their records say is known. kg formats says which formats give abstracts."
        )
    return (
        f"{bare:,} of {plural(papers, 'paper')} have no abstract, so nothing was read out of them."
    )


def place(file: str, line: int, ordinal: int) -> str:
    """Return where a block stands: its line, or its number where its format has no lines."""
    return name(f"{file}:{line}" if line else f"{file}#{ordinal}")


def name(file: str) -> str:
    """Return a file's name on one line, whatever it holds."""
    return shown(file.translate({0x09: "\ufffd", 0x0A: "\ufffd"}))


def shown(text: str) -> str:
    """Return the text as a terminal may have it: what would steer it becomes U+FFFD."""
    return _STEERING.sub("\ufffd", text)
