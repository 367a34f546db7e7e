"""A graph as an HTML page."""
