"""The words for it all: records, extractions, evidence, the schema, ids."""
