"""Databases that hold a built graph."""
