"""The compiler as a list.

`PASSES` maps every pass name to the module that defines it (class name = pass name in CamelCase + `Pass`); modules are
imported when a pass is used. `PIPELINES` are the named pipelines, each step with one line on why it stands there.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

PASSES: dict[str, str] = {
    # any level
    "apply-patterns": "passes",
    # level 0
    "stablehlo-import-shardings": "passes.stablehlo",
    "stablehlo-lay-out-interface": "passes.stablehlo",
    # level 1
    "stablehlo-refuse-internals": "passes.stablehlo",
    "sdy-apply-constraints": "passes.sdy",
    "sdy-split-constants": "passes.sdy",
    "sdy-propagate": "passes.sdy",
    "func-note-interface": "passes.func",
    "func-inline-calls": "passes.func",
    "stablehlo-adopt-constants": "passes.stablehlo",
    "stablehlo-align-shapes": "passes.stablehlo",
    "stablehlo-partition-spmd": "passes.stablehlo",
    "stablehlo-combine-collectives": "passes.stablehlo",
    "stablehlo-erase-sharding": "passes.stablehlo",
    "stablehlo-expand-bounded-dynamism": "passes.stablehlo",
    "stablehlo-refine-shapes": "passes.stablehlo",
    "stablehlo-legalize-quant-to-math": "passes.stablehlo",
    "stablehlo-simplify": "passes.stablehlo",
    "stablehlo-fold-constants": "passes.stablehlo",
    "stablehlo-flatten-tuples": "passes.stablehlo",
    "stablehlo-canonicalize-dot-general": "passes.stablehlo",
    "stablehlo-call-lapack": "passes.stablehlo",
    "stablehlo-expand-batch-norm": "passes.stablehlo",
    "stablehlo-expand-collectives": "passes.stablehlo",
    "stablehlo-expand-computations": "passes.stablehlo",
    "stablehlo-expand-deprecated": "passes.stablehlo",
    "stablehlo-expand-fft": "passes.stablehlo",
    "stablehlo-expand-rng": "passes.stablehlo",
    "stablehlo-expand-rng-bit-generator": "passes.stablehlo",
    "stablehlo-expand-sparse": "passes.stablehlo",
    "stablehlo-join-groups": "passes.stablehlo",
    "stablehlo-outline-layers": "passes.stablehlo",
    "stablehlo-unroll-loops": "passes.stablehlo",
    "chlo-legalize-to-stablehlo": "lowering",
    # level 1 to 2
    "convert-stablehlo-to-linalg": "lowering.convert_stablehlo_to_linalg",
    # levels 2 and 3
    "linalg-select-parts": "passes.linalg",
    "linalg-fuse-elementwise": "passes.linalg",
    "linalg-join-short-rows": "passes.linalg",
    "linalg-transpose-narrow-factors": "passes.linalg",
    "linalg-outline-kernels": "passes.linalg",
    "func-inline-layers": "passes.func",
    "linalg-hoist-invariants": "passes.linalg",
    # level 4
    "convert-tensor-to-memref": "lowering",
    "linalg-block-row-chains": "passes.linalg",
    "linalg-join-padding": "passes.linalg",
    "kernels-schedule": "lowering",
    "kernels-draw-schedules": "lowering",
    "linalg-tile-contractions": "lowering",
    "linalg-tile-fourier": "lowering",
    "linalg-lower-scans": "lowering",
    "linalg-lower-sorts": "lowering",
    # level 5
    "convert-linalg-to-affine": "lowering",
    "complex-expand-arithmetic": "passes.loops",
    "func-inline-scalar-kernels": "passes.func",
    "arith-expand-narrow-floats": "passes.loops",
    "loops-prefetch-rows": "passes.loops",
    "memref-assign-arena": "passes.loops",
    "math-expand-elementary": "passes.loops",
    "loops-vectorize": "passes.loops",
    "loops-stream-results": "passes.loops",
    "convert-affine-to-scf": "lowering",
    "loops-outline-parallel": "passes.loops",
    "loops-insert-safepoints": "passes.loops",
    # level 6
    "convert-scf-to-cf": "lowering",
    "convert-to-llvm": "lowering.to_llvm",
    "llvm-hide-counters": "passes.llvm",
    "llvm-mark-short-loops": "passes.llvm",
    "llvm-choose-tiers": "passes.llvm",
}
"""Pass name to the package it lives in; the module is the pass name with underscores."""

SUBJECTS: dict[str, tuple[str, ...]] = {
    "stablehlo-adopt-constants": (
        "arith.constant",
        "tensor.cast",
        "tensor.collapse_shape",
        "tensor.empty",
        "tensor.expand_shape",
    ),
    "chlo-legalize-to-stablehlo": ("chlo.", "stablehlo.custom_call"),
    "stablehlo-expand-deprecated": (
        "stablehlo.broadcast",
        "stablehlo.create_token",
        "stablehlo.dot",
        "stablehlo.einsum",
        "stablehlo.torch_index_select",
        "stablehlo.unary_einsum",
    ),
    "stablehlo-expand-computations": (
        "stablehlo.map",
        "stablehlo.reduce",
        "stablehlo.reduce_window",
        "stablehlo.scatter",
        "stablehlo.select_and_scatter",
        "stablehlo.sort",
    ),
    "stablehlo-expand-batch-norm": (
        "stablehlo.batch_norm_grad",
        "stablehlo.batch_norm_inference",
        "stablehlo.batch_norm_training",
    ),
    "stablehlo-expand-fft": ("stablehlo.fft",),
    "stablehlo-expand-rng": ("stablehlo.rng",),
    "stablehlo-expand-rng-bit-generator": ("stablehlo.rng_bit_generator",),
    "stablehlo-call-lapack": ("stablehlo.cholesky", "stablehlo.custom_call", "stablehlo.triangular_solve"),
    "stablehlo-expand-sparse": ("stablehlo.custom_call",),
    "stablehlo-unroll-loops": ("stablehlo.while",),
    "linalg-select-parts": ("tensor.insert_slice",),
    "linalg-tile-fourier": ("fourier.transform",),
    "linalg-lower-scans": ("linalg_ext.scan",),
    "linalg-lower-sorts": ("linalg_ext.sort",),
    "complex-expand-arithmetic": ("complex", "complex."),
    "arith-expand-narrow-floats": (
        "f4E2M1FN",
        "f6E2M3FN",
        "f6E3M2FN",
        "f8E3M4",
        "f8E4M3",
        "f8E4M3B11FNUZ",
        "f8E4M3FN",
        "f8E4M3FNUZ",
        "f8E5M2",
        "f8E5M2FNUZ",
        "f8E8M0FNU",
    ),
}
"""Of some passes the names of the ops and types that they rewrite; one with a dot at the end is all of a dialect. A
program without any of them goes through as it is: `compile` does not import the pass.
"""


class Step(NamedTuple):
    """One pass of a pipeline, in `-p` syntax, and why it stands there."""

    spec: str
    reason: str
    required: bool = True
    """Whether the next level cannot be reached without it."""


SPMD: list[Step] = [
    Step("func-inline-calls", "shardings go through calls as through any op"),
    Step("stablehlo-expand-bounded-dynamism", "parts are of padded tensors, whose sizes are values beside them"),
    Step("stablehlo-refine-shapes", "a part has a size where the whole has one"),
    Step("stablehlo-import-shardings", "older programs say in texts of HLO how values are spread"),
    Step("sdy-split-constants", "how one reader of a constant is split decides nothing for the others"),
    Step("sdy-apply-constraints", "a constraint on a value says how it is made"),
    Step("sdy-propagate", "what a program says of some values says something of all others"),
    Step("stablehlo-partition-spmd", "what each device computes, and what they exchange"),
    Step("stablehlo-combine-collectives", "devices wait for each other once for all that is ready", required=False),
]
"""From a program on whole arrays to that of a device, in front of `XLA_CPU`."""

XLA_CPU: list[Step] = [
    Step("stablehlo-refuse-internals", "a program from outside says what to compute; how is decided below"),
    Step("func-note-interface", "arguments and results as callers know them, for the last level"),
    Step("stablehlo-erase-sharding", "on one device a value is where it is"),
    Step("stablehlo-adopt-constants", "what other compilers write between ops of StableHLO"),
    Step("func-inline-calls", "one function to look at; JAX outlines helpers that only hide fusion"),
    Step("stablehlo-flatten-tuples", "values are tensors from here on; effects happen in the order of the ops"),
    Step("stablehlo-expand-bounded-dynamism", "sizes with a bound become values beside padded tensors"),
    Step("stablehlo-refine-shapes", "shapes computed from constants alone are static"),
    Step("stablehlo-legalize-quant-to-math", "quantised elements are integers, and arithmetic on them"),
    Step("chlo-legalize-to-stablehlo", "erf, square and the like become ops that have a lowering"),
    Step("stablehlo-expand-deprecated", "einsum and the like are products and gathers in disguise"),
    Step("stablehlo-expand-collectives", "processes exchange values; what they do with them is ordinary ops"),
    Step(
        "stablehlo-expand-computations",
        "a loop's body is scalar; what computes with tensors inside one is a loop itself",
    ),
    Step("stablehlo-expand-batch-norm", "its sums and products fuse with what is around them"),
    Step("stablehlo-expand-fft", "a Fourier transform of awkward length is matrix products"),
    Step("stablehlo-expand-rng", "numbers of a distribution are random bits and arithmetic"),
    Step("stablehlo-expand-rng-bit-generator", "random bits are integer arithmetic on a counter"),
    Step("stablehlo-call-lapack", "factorisations by a library's routines, which take addresses only"),
    Step("stablehlo-expand-sparse", "rows of a sparse matrix are gathers and sums, without Python", required=False),
    Step("stablehlo-unroll-loops", "the rounds of random numbers fuse; a loop stores its tensors", required=False),
    Step("stablehlo-outline-layers", "layers that are equal are worked through once", required=False),
    Step("stablehlo-simplify", "removes the broadcasts and reshapes of one that JAX writes", required=False),
    Step("stablehlo-fold-constants", "masks, scalar arithmetic on constants", required=False),
    Step("stablehlo-join-groups", "groups of a few channels are loops shorter than a vector", required=False),
    Step("stablehlo-canonicalize-dot-general", "a matrix product has few forms from here on", required=False),
    Step("stablehlo-align-shapes", "a reshape between elementwise ops would be a pass over memory", required=False),
    Step("stablehlo-simplify", "cleans up the reshapes and transposes the last steps left", required=False),
    Step("convert-stablehlo-to-linalg", "loops become explicit as indexing maps"),
    Step("linalg-select-parts", "what reads a concatenation reads its parts; nothing is stored", required=False),
    Step("linalg-fuse-elementwise", "one pass over memory for chains of elementwise ops", required=False),
    Step("linalg-join-short-rows", "three colours are no vector, those of some pixels are", required=False),
    Step("linalg-transpose-narrow-factors", "products by a few columns are dot products", required=False),
    Step("linalg-outline-kernels", "what runs as one loop nest becomes one function"),
    Step("func-inline-layers", "buffers are given out for the program as a whole"),
    Step("linalg-hoist-invariants", "what a loop does not change is computed once", required=False),
    Step("convert-tensor-to-memref", "values get buffers"),
    Step("linalg-block-row-chains", "the scores of attention stay in cache, a block of rows at a time", required=False),
    Step("linalg-join-padding", "padded images stay in cache, one at a time", required=False),
    Step(
        "kernels-schedule",
        "loops, threads and what stays in cache: all that decides speed, on one page",
        required=False,
    ),
    Step("linalg-tile-contractions", "matrix products and convolutions at the speed of the FMA units", required=False),
    Step("linalg-tile-fourier", "Fourier transforms of as many lines at once as a vector has lanes"),
    Step("linalg-lower-scans", "running sums and their like as loops along lines"),
    Step("linalg-lower-sorts", "sorts as loops over lines, and over the passes of an algorithm"),
    Step("convert-linalg-to-affine", "everything else as plain loops"),
    Step("complex-expand-arithmetic", "complex numbers become pairs; everything below is about real ones"),
    Step("arith-expand-narrow-floats", "floats of a byte are computed with as f32, stored as bits"),
    Step("func-inline-scalar-kernels", "the scalars of a loop live in registers", required=False),
    Step("loops-prefetch-rows", "the hardware does not find rows in computed places", required=False),
    Step("memref-assign-arena", "one arena, no allocation in generated code"),
    Step("math-expand-elementary", "polynomials vectorise, calls do not"),
    Step("loops-vectorize", "LLVM's vectoriser takes more time than all else in a small function", required=False),
    Step("loops-stream-results", "a result as large as the cache is not found there later", required=False),
    Step("convert-affine-to-scf", "index arithmetic becomes explicit"),
    Step("loops-outline-parallel", "parallel loops become functions the OpenMP runtime can call"),
    Step("loops-insert-safepoints", "what takes long can be stopped, by Ctrl-C or when its time is over"),
    Step("convert-scf-to-cf", "structured control flow becomes branches"),
    Step("convert-to-llvm", "the last level of IR"),
    Step(
        "llvm-hide-counters",
        "loops of vector code need nothing of the part of LLVM's code generator that takes the most time",
        required=False,
    ),
    Step("llvm-mark-short-loops", "rows of three colours are vectors side by side only", required=False),
    Step("llvm-choose-tiers", "LLVM works where it pays, and not on nests that it cannot take"),
]


def class_name(pass_name: str) -> str:
    """`linalg-fuse-elementwise` -> `LinalgFuseElementwisePass`."""
    return "".join(part.capitalize() for part in pass_name.split("-")) + "Pass"


def load_pass(name: str) -> type[ModulePass]:
    """The class of the pass `name` in `PASSES`, imported on demand."""
    module = importlib.import_module(f"xdsl_xla.{PASSES[name]}.{name.replace('-', '_')}")
    return getattr(module, class_name(name))


def pass_factories() -> dict[str, Callable[[], type[ModulePass]]]:
    """Pass names to factories, as `xDSLOptMain.register_pass` takes them; importing nothing."""
    return {name: (lambda name=name: load_pass(name)) for name in PASSES}


def expand(steps: Sequence[Step]) -> str:
    """The pipeline as text for `-p`."""
    return ",".join(step.spec for step in steps)


ASYNCHRONOUS: list[Step] = XLA_CPU[1:]
"""For the body of an asynchronous op: a part of a program that has come through the first steps already."""

XLA_CPU_O0: list[Step] = [step for step in XLA_CPU if step.required]
"""The shortest way down: the same conversions, nothing for speed. What it computes is what `XLA_CPU` computes."""


def _steps_through(last: str) -> int:
    """How many steps of `XLA_CPU` there are up to the end of the step `last`."""
    return next(number for number, step in enumerate(XLA_CPU, 1) if step.spec == last)


_KERNELS = _steps_through("linalg-hoist-invariants")
_SCHEDULES = _steps_through("kernels-schedule")
_LOOPS = _steps_through("convert-linalg-to-affine")

PIPELINES: dict[str, list[Step]] = {
    "spmd": SPMD,
    "xla-cpu": XLA_CPU,
    "xla-cpu-O0": XLA_CPU_O0,
    # `xla-cpu` in two parts: level 3 can be printed, edited and continued
    "xla-cpu-to-kernels": XLA_CPU[:_KERNELS],
    "xla-cpu-from-kernels": XLA_CPU[_KERNELS:],
    # in two other parts, of which the second keeps the schedules that are there (docs/schedule.md)
    "xla-cpu-to-schedules": XLA_CPU[:_SCHEDULES],
    "xla-cpu-from-schedules": XLA_CPU[_SCHEDULES - 1 :],
    # with random legal schedules, for tests: takes a `seed`
    "xla-cpu-drawn": [
        *XLA_CPU[:_SCHEDULES],
        Step("kernels-draw-schedules", "any legal schedule computes the same"),
        *XLA_CPU[_SCHEDULES:],
    ],
    # to level 5, what `xla-opt --print-schedule` shows
    "xla-cpu-to-loops": XLA_CPU[:_LOOPS],
    "refine-shapes": [Step("stablehlo-refine-shapes", "the short name; takes the same options")],
}

PIPELINE_SUMMARIES: dict[str, str] = {
    "spmd": "a program on whole arrays becomes that of one device of its mesh",
    "xla-cpu": "the whole compiler, from StableHLO to the llvm dialect",
    "xla-cpu-O0": "the shortest way down: the same conversions, nothing for speed",
    "xla-cpu-to-kernels": "the first part of xla-cpu, up to kernels on tensors",
    "xla-cpu-from-kernels": "the rest, from kernels that may have been changed by hand",
    "xla-cpu-to-schedules": "the first part of xla-cpu, up to kernels with their schedules",
    "xla-cpu-from-schedules": "the rest, which keeps the schedules that are there",
    "xla-cpu-drawn": "xla-cpu with random legal schedules, for tests (seed=N)",
    "xla-cpu-to-loops": "up to loops over buffers, for --print-schedule",
    "refine-shapes": "short for stablehlo-refine-shapes",
}
"""A line on each of `PIPELINES`."""
