"""Halves of characters, which some programs write and no encoding holds."""

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def without_surrogates(text: str) -> str:
    r"""Return the text with U+FFFD for each lone surrogate; as long as it was.

    >>> without_surrogates("a\ud800b") == "a\ufffdb"
    True
    """
    return _SURROGATE.sub("\ufffd", text)
