"""Nodes and edges as Arrow tables: assembly, the folder on disk, differences."""
