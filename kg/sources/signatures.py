"""What a file is that holds no text, so that the user is told more than "binary"."""

_SIGNATURES = (
    (
        b"%PDF",
        "a PDF",
        "kg reads abstracts and references, not pages: export them as text or BibTeX.",
    ),
    (b"\xd0\xcf\x11\xe0", "an old Office document", "Save it as text or CSV."),
    (b"{\\rtf", "an RTF document", "Save it as plain text."),
    (b"SQLite format 3\x00", "an SQLite database", "Export its papers as RIS, BibTeX or CSV."),
    (b"\x89PNG", "a PNG picture", "Name a file that holds text."),
    (b"\xff\xd8\xff", "a JPEG picture", "Name a file that holds text."),
    (b"GIF8", "a GIF picture", "Name a file that holds text."),
    (b"\x7fELF", "a program", "Name a file that holds text."),
    (b"MZ", "a program", "Name a file that holds text."),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "Unpack it, or pack it as zip."),
    (b"Rar!", "a RAR archive", "Unpack it, or pack it as zip."),
    (b"\x04\x22\x4d\x18", "an LZ4 file", "Unpack it, or pack it as gz or zst."),
    (b"ARROW1", "an Arrow file", "Save it as Parquet."),
)


def known(head: bytes) -> bool:
    """Whether the file is of a kind that holds no papers, though its bytes may look like text."""
    return head.startswith(tuple(magic for magic, _, _ in _SIGNATURES if magic != b"MZ"))


def explain(head: bytes) -> tuple[str, str]:
    """Return what the file is and what the user can do."""
    for magic, what, remedy in _SIGNATURES:
        if head.startswith(magic):
            return f"the file is {what}", remedy
    return "the file is binary, not text", "Name a file that holds text."
