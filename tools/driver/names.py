"""What passes are called in reports: as mlir-opt calls its own, else by their class."""

from __future__ import annotations

from xdsl.passes import ModulePass

UPSTREAM = {
    "canonicalize": "Canonicalizer",
    "convert-scf-to-cf": "SCFToControlFlowPass",
    "cse": "CSE",
    "lower-affine": "LowerAffinePass",
    "reconcile-unrealized-casts": "ReconcileUnrealizedCastsPass",
    "scf-for-loop-range-folding": "SCFForLoopRangeFolding",
    "scf-parallel-loop-tiling": "SCFParallelLoopTiling",
    "transform-interpreter": "InterpreterPass",
}
"""Of the passes of xDSL and of this package that have a namesake in LLVM 22, the name that is printed there."""


def display_name(module_pass: ModulePass) -> str:
    """`CSE` for `cse`, `StablehloSimplifyPass` for `stablehlo-simplify`."""
    return UPSTREAM.get(module_pass.name, type(module_pass).__name__)
