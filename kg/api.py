"""The public functions, on one screen; wires the layers together."""
