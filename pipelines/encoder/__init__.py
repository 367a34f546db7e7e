"""Train, judge and export the encoder that reads abstracts (see README.md)."""
