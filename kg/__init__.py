"""A pile of paper abstracts becomes a knowledge graph; start at kg.api."""

__version__ = "0.1.0"
