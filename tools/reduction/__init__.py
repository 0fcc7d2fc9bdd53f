"""The least part of an MLIR module that still is what somebody looks for (delta debugging).

`engine.reduce_module` takes a module and a predicate. `edits` says which changes it tries. Three use it: `xla-opt
--reduce` (`command.py`), `xla-run --check-passes` and the fuzzer.

Source: Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input (IEEE TSE 28, 2002); the changes are those
of MLIR's `mlir-reduce` and LLVM's `llvm-reduce`, and some of tensors.
"""
