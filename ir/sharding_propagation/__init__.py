"""Finding the shardings that a program leaves open: from those that it states, along the factors of its ops.

`graph.py` makes cells (tensors) and steps (ops and edges) of a module, `propagation.py` takes the steps until nothing
changes, `strategies.py` is what one step does. `parts.py` and `projection.py` are the arithmetic underneath.
"""
