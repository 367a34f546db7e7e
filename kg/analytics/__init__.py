"""Numbers computed from a graph or an evaluation."""
