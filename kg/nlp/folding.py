"""Texts and names without case and kinds of white space, for looking up."""

from typing import Final

_SPACES: Final = {ord(sign): " " for sign in "\t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u2028\u2029"}
_SPACES.update(dict.fromkeys((5760, *range(8192, 8203), 8239, 8287, 12288), " "))


def folded(text: str) -> str:
    r"""Return the text in lower case, every white space one space; as long as it was.

    >>> folded("BERT\nWins")
    'bert wins'
    """
    lower = text.lower()
    if len(lower) != len(text):  # a letter whose lower case is two characters
        lower = "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)
    return lower.translate(_SPACES)


def single_spaced(name: str) -> str:
    """Return the name with runs of spaces made one."""
    return " ".join(name.split()) if "  " in name else name
