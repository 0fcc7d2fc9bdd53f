"""The yardstick: programs timed against XLA:CPU, in alternation, in one process. `python -m xdsl_xla.benchmarks`."""
