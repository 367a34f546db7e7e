"""Cypher as text: tokens, the guard against writing, and the embedded store's dialect."""
