"""Text to entities, claims and relations with offsets: spaCy components."""
