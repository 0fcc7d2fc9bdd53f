"""MLIR's own FileCheck tests, run with `xla-opt` in place of `mlir-opt` (docs/xla_opt.md)."""
