"""The yardstick: programs timed against XLA:CPU and NumPy, in alternation. `python -m xdsl_xla.benchmarks`."""
