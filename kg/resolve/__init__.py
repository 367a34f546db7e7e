"""Which is which: surface forms to entities, records to papers, references to papers."""
