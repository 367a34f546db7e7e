"""A graph, or a part of it, as a file or folder for other tools."""

from kg.exports.registry import FORMATS, Format, write

__all__ = ["FORMATS", "Format", "write"]
