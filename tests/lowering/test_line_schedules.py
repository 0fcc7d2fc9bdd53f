"""Schedules of scans and sorts: decided, changed by hand and at random, illegal, and read from a text."""

from __future__ import annotations

import random
import re
from functools import cache

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from numpy.typing import NDArray
from xdsl.dialects import func
from xdsl_xla.decisions.model import cost_model_of
from xdsl_xla.dialects.schedule import KernelAttr
from xdsl_xla.dialects.xrt_names import SCHEDULE
from xdsl_xla.ir.schedule_errors import ScheduleError
from xdsl_xla.lowering.contractions.hoisting import Hoisting
from xdsl_xla.lowering.kernels_draw_schedules import draw, kinds_of
from xdsl_xla.lowering.kernels_schedule import KernelsSchedulePass
from xdsl_xla.lowering.neighbours import neighbours
from xdsl_xla.lowering.schedulable import Schedulable
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes, run_passes
from xdsl_xla.runtime.program_context import new_context

from .edited_schedules import PLACE, STEPS, edited, passed, printed

LOWERINGS = "linalg-lower-scans,linalg-lower-sorts"


def scan(shape: tuple[int, ...], element: str, dim: int, op: str = "add", reverse: bool = False) -> str:
    """Running sums, or what `op` does, along `dim`."""
    size, rank = shape[dim], len(shape)
    window = ", ".join(str(size if d == dim else 1) for d in range(rank))
    edge = f"0, {size - 1}" if reverse else f"{size - 1}, 0"
    padding = ", ".join(f"[{edge}]" if d == dim else "[0, 0]" for d in range(rank))
    type, scalar = f"tensor<{'x'.join(map(str, shape))}x{element}>", f"tensor<{element}>"
    init = {"add": "0.0" if element[0] in "bf" else "0", "maximum": "0xFF800000"}[op]
    return f"""
func.func @main(%x: {type}) -> {type} {{
  %init = stablehlo.constant dense<{init}> : {scalar}
  %y = "stablehlo.reduce_window"(%x, %init) <{{
    window_dimensions = array<i64: {window}>, padding = dense<[{padding}]> : tensor<{rank}x2xi64>
  }}> ({{
  ^bb0(%a: {scalar}, %b: {scalar}):
    %0 = stablehlo.{op} %a, %b : {scalar}
    stablehlo.return %0 : {scalar}
  }}) : ({type}, {scalar}) -> {type}
  return %y : {type}
}}"""


def sort(shape: tuple[int, ...], element: str, dim: int, *, first: int = 0, twice: bool = False) -> str:
    """A sort of two operands, of which the `first` elements with their places are wanted if that is not 0; `twice`: by
    a comparator that compares both operands."""
    sizes = "x".join(map(str, shape))
    types, scalars = (f"tensor<{sizes}x{element}>", f"tensor<{sizes}xi32>"), (f"tensor<{element}>", "tensor<i32>")
    kind = "TOTALORDER" if element[0] in "bf" else "SIGNED"
    body = f"%less = stablehlo.compare LT, %a, %b, {kind} : ({scalars[0]}, {scalars[0]}) -> tensor<i1>"
    if twice:
        body = f"""%s = stablehlo.compare LT, %a, %b, {kind} : ({scalars[0]}, {scalars[0]}) -> tensor<i1>
    %e = stablehlo.compare EQ, %a, %b, {kind} : ({scalars[0]}, {scalars[0]}) -> tensor<i1>
    %l = stablehlo.compare GT, %c, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %t = stablehlo.and %e, %l : tensor<i1>
    %less = stablehlo.or %s, %t : tensor<i1>"""
    ends = [first if first and d == dim else size for d, size in enumerate(shape)]
    wanted = ["x".join(map(str, ends)) + "x" + each for each in (element, "i32")]
    limits = ", ".join(f"0:{end}" for end in ends)
    slices = "".join(
        f"%o{n} = stablehlo.slice %r#{n} [{limits}] : ({types[n]}) -> tensor<{wanted[n]}>\n  " for n in range(2)
    )
    return f"""
func.func @main(%x: {types[0]}, %y: {types[1]}) -> (tensor<{wanted[0]}>, tensor<{wanted[1]}>) {{
  %at = stablehlo.iota dim = {dim} : {types[1]}
  %r:2 = "stablehlo.sort"(%x, {"%at" if first else "%y"}) <{{dimension = {dim} : i64, is_stable = true}}> ({{
  ^bb0(%a: {scalars[0]}, %b: {scalars[0]}, %c: tensor<i32>, %d: tensor<i32>):
    {body}
    stablehlo.return %less : tensor<i1>
  }}) : ({", ".join(types)}) -> ({", ".join(types)})
  {slices}return %o0, %o1 : tensor<{wanted[0]}>, tensor<{wanted[1]}>
}}"""


PROGRAMS = {
    "sums": scan((12, 50), "f32", 1),
    "columns": scan((50, 24), "f32", 0),
    "middle": scan((4, 40, 6), "f64", 1, reverse=True),
    "greatest": scan((12, 50), "f32", 1, "maximum", reverse=True),
    "whole": scan((12, 50), "i32", 0),
    "half": scan((6, 20), "bf16", 1),
    "line": scan((100,), "f32", 0),
    "sort": sort((6, 100), "f32", 1),
    "short": sort((9, 32), "f32", 0),
    "doubles": sort((12, 3), "f64", 0),
    "pairs": sort((5, 37), "i32", 1, twice=True),
    "top": sort((6, 300), "f32", 1, first=4),
}
DECIDED = {
    "sums": "for i = 0 to 12 { for k = 0 to 50 by 16 { chain k1 = k to min(k + 16, 50) { compute scan at (i, k1) } } }",
    "columns": """for k = 0 to 50 by 32 { chain k1 = k to min(k + 32, 50) {
      for j = 0 to 24 { compute scan at (k1, j) } } }""",
    "greatest": "for i = 0 to 12 { for k = 0 to 50 { compute scan at (i, k) } }",
    "whole": "for k = 0 to 12 { for j = 0 to 50 { compute scan at (k, j) } }",
    "sort": "for i = 0 to 6 { compute sort at (i) by radix bits 8 }",
    "short": "for i = 0 to 32 { compute sort at (i) by network }",
    "pairs": "for i = 0 to 5 { compute sort at (i) by merge runs 2 }",
    "top": "for i = 0 to 6 { compute sort at (i) by list block 64 }",
}


@pytest.mark.parametrize("name", DECIDED)
def test_decided(name: str) -> None:
    (found,) = re.findall(r"#schedule\.kernel<\{(.*?)\}>", printed(PROGRAMS[name]), flags=re.DOTALL)
    assert found.split() == DECIDED[name].split()


THREADS = {
    "lines": (scan((64, 4096), "f32", 1), "parallel i = 0 to 64 { for k = 0 to 4096 by 16"),
    "blocks": (scan((4, 64, 2048), "f32", 2), "parallel i = 0 to 4, i1 = 0 to 64 {"),
    "rows": (scan((40, 1000, 64), "i32", 1), "parallel i = 0 to 40 { for k = 0 to 1000 { for j = 0 to 64"),
    "one line": (scan((1_000_000,), "f32", 0), "for k = 0 to 1000000 by 16 { chain"),
    "small": (scan((4, 1000, 64), "i32", 1), "for i = 0 to 4 {"),
    "sort": (sort((64, 1000), "f32", 1), "parallel i = 0 to 64 { compute sort at (i) by radix bits 8"),
    "small sort": (sort((8, 100), "f32", 1), "for i = 0 to 8 {"),
}
"""For two threads: lines where they take long enough."""


@pytest.mark.parametrize("name", THREADS)
def test_decided_for_threads(name: str) -> None:
    program, start = THREADS[name]
    text = passed(program, "xla-cpu-to-schedules{threads=2}")
    (found,) = re.findall(r"#schedule\.kernel<\{(.*?)\}>", text, flags=re.DOTALL)
    assert " ".join(found.split()).startswith(start)


LEGAL: dict[str, list[tuple[str, str]]] = {
    "sums": [
        # Longer blocks; four lines side by side; lines on threads; one chain; no blocks in the order of the columns.
        (
            "for i = 0 to 12 { for k = 0 to 50 by 25 { chain k1 = 0 to 25 { compute scan at (i, k + k1) } } }",
            "constant 25 : index",
        ),
        (
            """for i = 0 to 12 by 4 { for k = 0 to 50 by 10 { chain k1 = 0 to 10 {
              unroll l = 0 to 4 { compute scan at (i + l, k + k1) } } } }""",
            "-> (f32, f32, f32, f32)",
        ),
        ("parallel i = 0 to 12 { for k = 0 to 50 { compute scan at (i, k) } }", "affine.parallel"),
        (
            "for i = 0 to 12 by 5 { for l = i to min(i + 5, 12) { chain k = 0 to 50 { compute scan at (l, k) } } }",
            "constant 5 : index",
        ),
        ("for k = 0 to 50 { for i = 0 to 12 { compute scan at (i, k) } }", "memref<12xf32>"),
        (
            "for k = 0 to 50 by 4 { for l = k to min(k + 4, 50) { parallel i = 0 to 12 { compute scan at (i, l) } } }",
            "par",
        ),
        (
            "for i = 0 to 12 { for k = 0 to 50 by 5 { unroll l = 0 to 5 { compute scan at (i, k + l) } } }",
            "constant 4 : index",
        ),
    ],
    "columns": [
        # Vectors of lines in blocks; every column by itself; columns on threads; two at once.
        (
            """for j = 0 to 24 by 8 { for k = 0 to 50 by 10 { chain k1 = 0 to 10 {
              vector 8 l = 0 to 8 { compute scan at (k + k1, j + l) } } } }""",
            "xrt.lanes = 8",
        ),
        ("for j = 0 to 24 { for k = 0 to 50 { compute scan at (k, j) } }", "iter_args"),
        (
            "parallel j = 0 to 24 by 8 { for k = 0 to 50 { for l = 0 to 8 { compute scan at (k, j + l) } } }",
            "par",
        ),
        (
            "for j = 0 to 24 by 2 { for k = 0 to 50 { unroll l = 0 to 2 { compute scan at (k, j + l) } } }",
            "-> (f32, f32)",
        ),
    ],
    "middle": [
        ("parallel i = 0 to 4, j = 0 to 6 { chain k = 0 to 40 { compute scan at (i, k, j) } }", "affine.parallel"),
        ("for k = 0 to 40 { for i = 0 to 4 { for j = 0 to 6 { compute scan at (i, k, j) } } }", "memref<4x6xf64>"),
        (
            "for l = 0 to 24 { for k = 0 to 40 { compute scan at (l floordiv 6, k, l mod 6) } }",
            "arith.divui",
        ),
    ],
    "greatest": [
        (
            "for i = 0 to 12 by 3 { for k = 0 to 50 { unroll l = 0 to 3 { compute scan at (i + l, k) } } }",
            "(f32, f32, f32)",
        )
    ],
    "whole": [("for j = 0 to 50 { for k = 0 to 12 { compute scan at (k, j) } }", "iter_args")],
    "half": [
        ("for i = 0 to 6 by 2 { for k = 0 to 20 { unroll l = 0 to 2 { compute scan at (i + l, k) } } }", "f32, f32")
    ],
    "line": [("for k = 0 to 100 by 20 { chain l = 0 to 20 { compute scan at (k + l) } }", "constant 20 : index")],
    "sort": [
        ("for i = 0 to 6 { compute sort at (i) by radix bits 11 }", "memref<3x2048xi32>"),
        ("for i = 0 to 6 { compute sort at (i) by merge runs 1 }", "memref<2x101xf32>"),
        ("for i = 0 to 6 { compute sort at (i) by merge runs 4 }", "-> (index, index, index, index)"),
        ("parallel i = 0 to 6 by 3 { for l = 0 to 3 { compute sort at (i + l) by merge runs 8 } }", "affine.parallel"),
    ],
    "short": [
        ("for i = 0 to 32 by 8 { vector 8 l = 0 to 8 { compute sort at (i + l) by network } }", "xrt.lanes = 8"),
        ("parallel i = 0 to 32 { compute sort at (i) by radix bits 16 }", "memref<2x65536xi32>"),
        (
            "for i = 0 to 32 by 12 { for l = i to min(i + 12, 32) { compute sort at (l) by merge runs 1 } }",
            "constant 12 : index",
        ),
    ],
    "doubles": [
        ("unroll i = 0 to 3 { compute sort at (i) by network }", "arith.select"),
        ("for i = 0 to 3 { compute sort at (i) by radix bits 5 }", "memref<13x32xi32>"),
    ],
    "pairs": [("for i = 0 to 5 { compute sort at (i) by merge runs 4 }", "memref<2x41xi32>")],
    "top": [
        ("for i = 0 to 6 { compute sort at (i) by heap block 100 }", "constant 100 : index"),
        ("for i = 0 to 6 { compute sort at (i) by list block 7 }", "constant 7 : index"),
        ("for i = 0 to 6 { compute sort at (i) by radix bits 8 }", "memref<4x256xi32>"),
        ("parallel i = 0 to 6 { compute sort at (i) by merge runs 2 }", "affine.parallel"),
    ],
}

ILLEGAL = [
    ("sums", "parallel k = 0 to 50 { for i = 0 to 12 { compute scan at (i, k) } }", "in several trips of 'k'"),
    ("sums", "for i = 0 to 12 { vector 2 k = 0 to 50 { compute scan at (i, k) } }", "are of several lines"),
    ("sums", "for k = 0 to 50 { vector 4 i = 0 to 12 { compute scan at (i, k) } }", "neighbours in memory"),
    (
        "sums",
        "for i = 0 to 12 { for k = 0 to 49 { compute scan at (i, k) } }",
        "12 of the 600 points of 'scan' are not",
    ),
    (
        "sums",
        "for i = 0 to 12 { for k = 0 to 5 { for l = 0 to 50 by 5 { compute scan at (i, k + l) } } }",
        "may not be done in another order",
    ),
    ("sums", "for k = 0 to 50 { chain i = 0 to 12 { compute scan at (i, k) } }", "a loop along lines"),
    ("sums", "for i = 0 to 12 { chain k = 0 to 50 in f64 { compute scan at (i, k) } }", "in their own type"),
    ("greatest", "for i = 0 to 12 { chain k = 0 to 50 { compute scan at (i, k) } }", "sums"),
    ("sums", "for i = 0 to 12 { keep scan for k = 0 to 50 { compute scan at (i, k) } }", "writes no buffer"),
    ("sums", "for i = 0 to 12 { tile k = 0 to 50 by 50 { compute scan at (i, k) } }", "no such loop around a scan"),
    ("sums", "for i = 0 to 12 { for k = 0 to 50 { compute scan at (i, k) by radix bits 8 } }", "in one way only"),
    (
        "sums",
        "for i = 0 to 6 { for k = 0 to 50 { compute scan at (i, k) } } "
        "for i = 6 to 12 { for k = 0 to 50 { compute scan at (i, k) } }",
        "in one place",
    ),
    (
        "sort",
        "stage sort.in0 at (d1, d0) for i = 0 to 6 { compute sort at (i) by merge runs 2 }",
        "what 'sort' reads is used where it is, and not copied",
    ),
    ("sort", "for i = 0 to 6 { compute sort at (i) }", "does not say how lines are sorted"),
    ("sort", "for i = 0 to 6 { compute sort at (i) by radix bits 17 }", "16 bits at most"),
    ("sort", "for i = 0 to 6 { compute sort at (i) by merge runs 3 }", "a power of two"),
    ("sort", "for i = 0 to 6 { compute sort at (i) by network }", "32 elements at most, not 100"),
    ("sort", "for i = 0 to 6 { compute sort at (i) by heap block 64 }", "all are wanted"),
    ("sort", "for i = 0 to 5 { compute sort at (i) by merge runs 2 }", "1 of the 6 points of 'sort' are not"),
    ("sort", "unroll i = 0 to 6 { compute sort at (i) by merge runs 2 }", "no such loops around lines"),
    ("pairs", "for i = 0 to 5 { compute sort at (i) by radix bits 8 }", "that compare one integer key"),
    ("doubles", "for i = 0 to 3 { compute sort at (i) by merge runs 8 }", "each has elements of the 12"),
]


def arguments(name: str) -> list[NDArray[np.generic]]:
    """Numbers with ties, infinities and NaN where a sort compares by a total order; whole ones for sums."""
    types = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "bf16": ml_dtypes.bfloat16}
    random_numbers = np.random.default_rng(1)
    found: list[NDArray[np.generic]] = []
    for sizes, element in re.findall(r"%[xy]: tensor<([0-9x]+)x([a-z]+[0-9]+)>", PROGRAMS[name].split("->")[0]):
        array = random_numbers.integers(-20, 21, tuple(map(int, sizes.split("x")))).astype(types[element])
        if "sort" in PROGRAMS[name] and element[0] == "f":
            flat = array.reshape(-1)
            flat[::17], flat[5::31], flat[7::29] = np.inf, np.nan, -0.0
        found.append(array)
    return found


def results_of(text: str, steps: list[str], name: str) -> list[NDArray[np.generic]]:
    """What a program computes."""
    found = xdsl_xla.compile(text, pipeline=",".join(steps), threads=2, cache=False)(*arguments(name))
    return [np.asarray(each) for each in found]


@cache
def expected_of(name: str) -> list[NDArray[np.generic]]:
    """What it computes by the decided schedule."""
    return results_of(PROGRAMS[name], STEPS, name)


@pytest.mark.parametrize(("name", "schedule", "effect"), [(n, *each) for n, cases in LEGAL.items() for each in cases])
def test_changed_by_hand(name: str, schedule: str, effect: str) -> None:
    text = edited(PROGRAMS[name], schedule)
    below = passed(text, LOWERINGS)
    assert effect in below and below != passed(printed(PROGRAMS[name]), LOWERINGS)
    expected, found = expected_of(name), results_of(text, STEPS[PLACE:], name)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(("name", "schedule", "message"), ILLEGAL)
def test_an_illegal_schedule_is_an_error(name: str, schedule: str, message: str) -> None:
    module = parse_module(edited(PROGRAMS[name], schedule))
    with pytest.raises(ScheduleError, match=re.escape(message)) as error:
        KernelsSchedulePass(vector_bits=256).apply(new_context(), module)
    assert error.value.location is not None or "points of" in message


@pytest.mark.sample(16)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("seed", range(4))
def test_random_schedules(name: str, seed: int) -> None:
    """Some legal changes, one after the other: the values are the same, and the text says it all."""
    module = parse_module(printed(PROGRAMS[name]))
    rnd = random.Random(f"{seed} {name}")
    model, hoisting = cost_model_of(new_context(), 256), Hoisting.of(module)
    drawn: list[str] = []
    for function in module.body.block.ops:
        known = function.attributes.get(SCHEDULE)
        if isinstance(function, func.FuncOp) and isinstance(known, KernelAttr):
            kernel = Schedulable.of(function, model, hoisting)
            assert kernel is not None
            tree = known.data
            for _ in range(rnd.randint(1, 4)):
                found = draw(kinds_of(neighbours(tree, kernel, 2)), kernel, 2, rnd)
                drawn += [] if found is None else [found[0]]
                tree = tree if found is None else found[1]
            function.attributes[SCHEDULE] = KernelAttr(tree)
    assert drawn
    text = str(module)
    expected, found = expected_of(name), results_of(text, STEPS[PLACE:], name)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_lowering_without_a_schedule_writes_the_decided_loops() -> None:
    """Also of an op between others, and in a control flow that is no kernel."""
    for name in ("sums", "columns", "sort", "top"):
        without = re.sub(r", xrt\.schedule = #schedule\.kernel<\{.*?\}>", "", printed(PROGRAMS[name]), flags=re.DOTALL)
        assert passed(without, LOWERINGS) == passed(printed(PROGRAMS[name]), LOWERINGS)


def test_parallel_lines_have_scratch_of_their_own() -> None:
    text = edited(PROGRAMS["sort"], "parallel i = 0 to 6 { compute sort at (i) by radix bits 8 }")
    ahead, body = passed(text, LOWERINGS).split("affine.parallel")
    assert "memref.alloc" not in ahead and body.count("memref.alloc") == 3


def test_passes_are_parsed() -> None:
    module = parse_module(printed(PROGRAMS["sums"]))
    run_passes(new_context(), module, parse_passes(LOWERINGS))
    assert "linalg_ext" not in str(module)
