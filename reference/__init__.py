"""What every StableHLO op means, as NumPy functions: the oracle of the tests and the engine of constant folding."""
