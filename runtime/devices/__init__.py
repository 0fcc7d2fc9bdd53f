"""Programs on many devices: how they reach each other."""
