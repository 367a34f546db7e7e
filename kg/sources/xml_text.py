"""What an XML element says, as a human reads it."""

import re

from lxml import etree

from kg.sources.boilerplate import without_frame
from kg.sources.latex import words_of_tex
from kg.sources.text import one_line

_BLOCKS = frozenset(
    "p sec abstract title AbstractText disp-formula list list-item para simple-para section div li br".split()
)
_SKIPPED = frozenset(
    {"xref-group", "object-id", "label", "copyright", "CopyrightInformation", "graphic", "media"}
    | {"contrib-group"}
)
_MARKS = frozenset({"fn", "table-fn", "aff", "corresp", "author-notes"})
_SUPERSCRIPTS = frozenset({"sup", "superscript", "msup"})
_ATTACHED = frozenset({"sub", "subscript", "inf", *_SUPERSCRIPTS})
_APART = frozenset({"issn", "pub-id"})  # nothing stands before them in many a reference
_INDENT = re.compile(r"\n\s*$")
_LINE_END = re.compile(r"\s*\n\s*")
_LINE_END_AT_BRACKET = re.compile(r"(?<=[(\[])\s*\n\s*|\s*\n\s*(?=[)\].,;:])")


def element_line(element: etree._Element | None) -> str:
    """Return a title, name or venue on one line."""
    return one_line(_read(element)) if element is not None else ""


def element_abstract(*elements: etree._Element) -> tuple[str, str]:
    """Return the text of an abstract's elements, and the XML they came from.

    Sections stand on lines of their own behind their headings. The original is empty where the
    element held plain text only.
    """
    paragraphs: list[str] = []
    for element in elements:
        label = element.get("Label") or element.get("label") or ""
        pieces = [" ".join(piece.split()) for piece in re.split(r"\n{2,}", _read(element))]
        pieces = [piece for piece in pieces if piece]
        if label and label.upper() != "UNLABELLED" and pieces:
            pieces[0] = f"{label.strip(' :')}: {pieces[0]}"
        paragraphs.extend(pieces)
    text = without_frame(one_line_paragraphs(paragraphs))
    original = "\n".join(_inner_xml(element) for element in elements)
    return (text, "") if original == text else (text, original if text else "")


def one_line_paragraphs(paragraphs: list[str]) -> str:
    """Join paragraphs by line ends; each is cleaned as a line is."""
    return "\n".join(line for paragraph in paragraphs if (line := one_line(paragraph)))


def child_line(element: etree._Element, path: str) -> str:
    """Return what the first element at a path says, on one line; empty where there is none."""
    return element_line(element.find(path))


def _read(element: etree._Element) -> str:
    if element.tag == "alternatives":
        # The same formula twice: as TeX and as MathML or a picture.
        chosen = element.find("tex-math")
        chosen = element[0] if chosen is None and len(element) else chosen
        return _child(chosen, "") if chosen is not None else ""
    parts = [_text(element.text)]
    before = element.text
    for child in element:
        if child.tag in _ATTACHED and before and _INDENT.search(before):
            parts[-1] = parts[-1].rstrip()  # programs that indent XML part CO from its 2
        before = child.tail
        if isinstance(child.tag, str) and child.tag not in _SKIPPED and not _is_mark(child):
            parts.append(_child(child, "".join(parts)))
        elif child.tag is etree.Entity:
            parts.append(_text(child.text))
        parts.append(_text(child.tail))
    return "".join(parts)


def _is_mark(child: etree._Element) -> bool:
    """Whether an element is a star or number that points to a note."""
    return child.tag == "xref" and child.get("ref-type") in _MARKS


def _child(child: etree._Element, before: str) -> str:
    inner = _read(child)
    if child.tag in ("title", "sec-title") and inner.strip():
        return f"\n\n{inner.strip().rstrip(':.')}: "
    if child.tag in _BLOCKS:
        # A heading and the paragraph behind it are one line.
        return inner + "\n\n" if re.search(r"\n\n[^\n]{1,80}: \s*$", before) else f"\n\n{inner}\n\n"
    if child.tag in _APART or (child.tag == "year" and before[-1:].isalnum()):
        return f" {inner}"
    if child.tag in _SUPERSCRIPTS and before[-1:].isdigit() and re.match(r"[-−+]?\d", inner):
        return f"^{inner}"
    if child.tag == "tex-math":
        # Springer puts a whole LaTeX document around each formula.
        document = re.search(r"\\begin\{document\}(.*?)\\end\{document\}", inner, re.DOTALL)
        formula = (document.group(1) if document else inner).strip().strip("$").strip()
        return words_of_tex(f"${formula}$") if formula else ""
    return inner


def _text(text: str | None) -> str:
    # Line ends inside an element are the file's, not the author's.
    if not text or "\n" not in text:
        return text or ""
    return _LINE_END.sub(" ", _LINE_END_AT_BRACKET.sub("", text))


def _inner_xml(element: etree._Element) -> str:
    inner = element.text or ""
    for child in element:
        inner += etree.tostring(child, encoding="unicode")
    return inner.strip()
