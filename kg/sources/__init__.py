"""Files to records: one reader per format."""
