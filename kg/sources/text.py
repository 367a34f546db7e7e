"""Text as a human reads it, from what files hold: tags, entities, ligatures, mojibake.

Readers give a field's raw string to `readable` (abstracts) or `one_line` (titles, names, venues).
"""

import html
import re

from kg.sources.boilerplate import without_frame
from kg.sources.latex import words_of_tex

# Names of tags that only markup uses. <unk>, <mask> and <s> are what papers write about.
_TAG_NAMES = (
    "a abbrev abbr abstract alternatives b bold br center citation cite code def disp-formula"
    " disp-quote div email em emphasis ext-link fn font formula h1 h2 h3 h4 h5 h6 hr i inf img"
    " inline-formula inline-graphic italic kwd label li list list-item math monospace"
    " named-content nlm ol overline p para roman sc scp sec section sec-title sectiontitle"
    " simple-para small span strike strong styled-content sub subscript sup super superscript"
    " table tbody td tex-math th title tr tt u ul underline uri xref"
).split()
_TAG = re.compile(
    r"<\s*(/?)\s*((?:jats|mml|m|ce|sb|xocs|xhtml|html|tp|oasis|xlink|w|nlm|ali|inline):[\w:-]+"
    rf"|{'|'.join(_TAG_NAMES)})"
    r"((?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'|[^\s\"'<>]+)|\s+no(?:wrap|shade))*)\s*/?\s*>",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"<!--.*?-->|<!\[CDATA\[|\]\]>|<\?[\w-]+ [^>]{0,200}\?>", re.DOTALL)
_BLOCK = frozenset(
    "abstract br div disp-formula disp-quote h1 h2 h3 h4 h5 h6 hr li list list-item ol p para sec"
    " section simple-para table td th title sec-title sectiontitle tr ul".split()
)
_LABEL_END = "\ue000"  # stands for the end of a section's title until tags are gone
_HEADS = frozenset("title sec-title sectiontitle h1 h2 h3 h4 h5 h6".split())
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_LIGATURES = {
    0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st",
    0xFB06: "st",
}  # fmt: skip
_INVISIBLE = dict.fromkeys(
    [*range(0x09), 0x0B, *range(0x0E, 0x20), 0x7F, 0x200B, *range(0x2060, 0x2065), 0xFEFF,
     *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)  # fmt: skip
_SPACES = dict.fromkeys([0x0C, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], " ")
# Half a character, as JSON's \ud800: no file could be written with it.
_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
_TRANSLATION = {
    **_SURROGATES,
    **_LIGATURES,
    **_INVISIBLE,
    **_SPACES,
    0x85: "\n",
    0x2028: "\n",
    0x2029: "\n\n",
}
_SOFT_HYPHEN = re.compile("\xad[ \t]*\n?[ \t]*(?=[^\\W\\d_])|\xad")
# ASCII but for controls and what opens a tag or an entity.
_PLAIN = bytes(sign for sign in range(0x20, 0x7F) if sign not in b"<&")
_ODD = re.compile(f"[{re.escape(''.join(map(chr, _TRANSLATION)))}]")
_MAY_BE_MOJIBAKE = re.compile("[ÂÃÎÏâåæçðÐÑï\x80-\x9f]")  # a set alone is searched for faster
# UTF-8 read as Latin-1 or Windows-1252 shows these before anything else.
_MOJIBAKE = re.compile(r"[ÂÃÎÏâåæçðÐÑ][\x80-\xBF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|ï¿½|[\x80-\x9f]")


def readable(raw: str) -> str:
    """Return an abstract as a human reads it; hard wraps go, paragraphs stay as line ends."""
    if _is_plain(raw):
        return without_frame(raw.strip(" ") if "  " not in raw else " ".join(raw.split()))
    text = _characters(raw)
    if "<" in text or "&" in text:
        text = _without_markup(text)
    if "\n" not in text:
        return without_frame(_single_spaced(text))
    paragraphs = (" ".join(p.split()) for p in re.split(r"\n[ \t]*\n\s*", text))
    return without_frame("\n".join(p for p in paragraphs if p))


def tex_abstract(raw: str) -> tuple[str, str]:
    """Return the text and the original of an abstract that holds LaTeX."""
    text = readable(words_of_tex(raw))
    return (text, "") if text == raw else (text, raw)


def abstract(raw: str) -> tuple[str, str]:
    """Return the text and the original for a Record: the original only where they differ."""
    text = readable(raw)
    return (text, "") if text == raw else (text, raw)


def one_line(raw: str) -> str:
    r"""Return a title, name or venue as a human reads it, on one line.

    >>> one_line("The <i>Caf&amp;eacute;</i>\n  paper")
    'The Café paper'
    """
    if _is_plain(raw):
        return raw.strip(" ") if "  " not in raw else " ".join(raw.split())
    text = _characters(raw)
    if "<" in text or "&" in text:
        text = _without_markup(text)
    return _single_spaced(text)


def _single_spaced(text: str) -> str:
    if "  " not in text and text.isprintable():  # the only blank that can be printed is the space
        return text.strip(" ")
    return " ".join(text.split())


def _is_plain(raw: str) -> bool:
    """Whether a text is one line of ASCII without markup, as most are."""
    return raw.isascii() and not raw.encode().translate(None, _PLAIN)


def _characters(text: str) -> str:
    """Undo mojibake, ligatures, soft hyphens, invisible signs and odd spaces."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii() and text.isprintable():
        return text
    if _MAY_BE_MOJIBAKE.search(text) and _MOJIBAKE.search(text):
        text = _fixed_encoding(text)
    if "\xad" in text:
        text = _SOFT_HYPHEN.sub("", text)
    return text.translate(_TRANSLATION) if _ODD.search(text) else text


def _fixed_encoding(text: str) -> str:
    from ftfy import TextFixerConfig, fix_encoding
    from ftfy.fixes import fix_c1_controls

    config = TextFixerConfig(replace_lossy_sequences=False, restore_byte_a0=True, explain=False)
    return str(fix_c1_controls(fix_encoding(text, config)))


def _without_markup(text: str) -> str:
    """Take out tags and resolve entities, which may be escaped more than once."""
    for _ in range(4):
        before = text
        if "<" in text:
            text = _TAG.sub(_tag, _COMMENT.sub("", text) if _has_comment(text) else text)
        if "&" in text:
            text = _ENTITY.sub(_entity, text)
        if text == before:
            break
    if _LABEL_END in text:
        text = re.sub(rf"{_LABEL_END}\s*", ": ", text)
    return text.translate(_TRANSLATION) if _ODD.search(text) else text


def _has_comment(text: str) -> bool:
    return "<!" in text or "<?" in text or "]]>" in text


def _entity(match: re.Match[str]) -> str:
    value = html.unescape(match.group())
    return "" if value == "\ufffd" else value  # a code point that is no character


def _tag(match: re.Match[str]) -> str:
    closing, name = match.group(1), match.group(2).lower()
    name = name.split(":")[-1] if not name.startswith(("mml:", "m:")) else "math"
    if name in _HEADS and closing:
        # A section's title reads as its label: "Methods: We ..."
        before = match.string[: match.start()].rstrip()
        return " " if before.endswith((":", ".", "?", "!", ">")) else _LABEL_END
    if name in _BLOCK:
        return "\n\n"
    if name in ("sup", "superscript", "super") and not closing:
        # 10<sup>5</sup> must not become 105.
        base = match.string[match.start() - 1 : match.start()]
        power = match.string[match.end() : match.end() + 1]
        return "^" if base.isdigit() and (power.isdigit() or power in "-−+") else ""
    return ""
