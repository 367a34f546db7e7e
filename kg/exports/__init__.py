"""A graph as a file for other tools."""
