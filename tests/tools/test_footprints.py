"""Footprints of loop nests against numbers counted by hand, or one by one."""

from __future__ import annotations

from itertools import product

import pytest
from xdsl.dialects import func, scf
from xdsl.ir import Operation
from xdsl_xla.ir.loops import LOOPS
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.tools.schedule_costs import Costs, Figures, figures


def nest(body: str, arguments: str) -> tuple[Figures, list[Figures]]:
    """The figures of a function with this body, and of its loops in their order."""
    module = parse_module(f"func.func @f({arguments}) {{\n{body}\n  func.return\n}}")
    costs = Costs(module)
    function = next(op for op in module.walk() if isinstance(op, func.FuncOp))
    loops: list[Operation] = [op for op in module.walk() if op.__class__ in LOOPS]
    return figures(costs.of(function), function), [figures(costs.of(loop), loop) for loop in loops]


def reads(index: str, sizes: dict[str, int], buffer: str) -> list[int]:
    """The bytes that nested loops read with `load %x[index]`, the outermost loop first."""
    text = "".join(f"affine.for %{name} = 0 to {size} {{\n" for name, size in sizes.items())
    text += f"%v = affine.load %x[{index}] : {buffer}\n" + "}\n" * len(sizes)
    return [loop.reads for loop in nest(text, f"%x: {buffer}")[1]]


@pytest.mark.parametrize(
    ("index", "sizes", "buffer", "expected"),
    [
        # rows and columns of a matrix
        ("%i, %j", {"i": 10, "j": 20}, "memref<64x64xf32>", [10 * 20 * 4, 20 * 4]),
        # one element in all trips of the inner loop
        ("%i, 3", {"i": 10, "j": 20}, "memref<64x64xf64>", [10 * 8, 8]),
        # a window: 10 + 3 - 1 places
        ("%i + %k", {"i": 10, "k": 3}, "memref<64xf32>", [12 * 4, 3 * 4]),
        # with a stride of 2 and 3 taps every place from 0 to 20
        ("%i * 2 + %k", {"i": 10, "k": 3}, "memref<64xf32>", [21 * 4, 3 * 4]),
        # every fourth place only
        ("%i * 4 + %k * 8", {"i": 10, "k": 3}, "memref<64xf32>", [14 * 4, 3 * 4]),
        # a tile of a matrix whose rows have 64 places, as one dimension
        ("%i * 64 + %j", {"i": 8, "j": 16}, "memref<4096xf32>", [8 * 16 * 4, 16 * 4]),
        # no more than the buffer has
        ("%i * 64 + %j", {"i": 8, "j": 16}, "memref<100xf32>", [100 * 4, 16 * 4]),
        # backwards
        ("%i * -1 + 9", {"i": 10}, "memref<64xf32>", [10 * 4]),
        # 24 elements in rows of 4: 6 rows, and 4 columns
        ("%i floordiv 4, %i mod 4", {"i": 24}, "memref<8x4xf32>", [24 * 4]),
        ("%i floordiv 4", {"i": 24}, "memref<64xf32>", [6 * 4]),
        ("%i mod 4", {"i": 24}, "memref<64xf32>", [4 * 4]),
        # the last block begins earlier: 4 * 66 - 8 places
        ("%i * 66 + %j - (%i floordiv 3) * 8", {"i": 4, "j": 66}, "memref<512xf32>", [256 * 4, 66 * 4]),
    ],
)
def test_bytes_read(index: str, sizes: dict[str, int], buffer: str, expected: list[int]) -> None:
    assert reads(index, sizes, buffer) == expected


@pytest.mark.parametrize("coefficients", list(product((1, 2, 3, 8), (1, 4, 9))))
def test_no_less_than_what_is_touched(coefficients: tuple[int, int]) -> None:
    """A sum of two counters, against all its values; exact where one coefficient is a multiple of the other."""
    first, second = coefficients
    touched = {first * i + second * j for i in range(7) for j in range(5)}
    found = reads(f"%i * {first} + %j * {second}", {"i": 7, "j": 5}, "memref<1000xi8>")[0]
    assert len(touched) <= found <= min(35, max(touched) + 1)
    if first % second == 0 or second % first == 0:
        assert found == len(touched)


def test_copies_side_by_side_are_one_box() -> None:
    loads = "".join(f"%v{n} = affine.load %x[%i * 4 + {n}] : memref<40xf32>\n" for n in range(4))
    function, _ = nest(f"affine.for %i = 0 to 10 {{\n{loads}}}", "%x: memref<40xf32>")
    assert function.reads == 40 * 4
    stencil = "".join(f"%v{n} = affine.load %x[%i + {n}] : memref<40xf32>\n" for n in range(3))
    function, _ = nest(f"affine.for %i = 0 to 10 {{\n{stencil}}}", "%x: memref<40xf32>")
    assert function.reads == 12 * 4


def test_vectors_have_lanes_and_scratch_is_told_apart() -> None:
    text = """
      %t = memref.alloca() : memref<64xf32>
      affine.for %i = 0 to 64 step 16 {
        %v = affine.vector_load %x[%i] : memref<64xf32>, vector<16xf32>
        %w = vector.fma %v, %v, %v : vector<16xf32>
        affine.vector_store %w, %t[%i] : memref<64xf32>, vector<16xf32>
      }"""
    function, [loop] = nest(text, "%x: memref<64xf32>")
    assert function == loop == Figures(256, 0, 256, 4 * 16 * 2, False)


def test_bounds_that_depend_on_other_counters() -> None:
    """A block of 8 from `8 * i` on."""
    text = """
      affine.for %i = 0 to 8 {
        affine.for %j = affine_map<(d0) -> (d0 * 8)>(%i) to affine_map<(d0) -> (d0 * 8 + 8)>(%i) {
          %v = affine.load %x[%j] : memref<64xf32>
          %w = arith.addf %v, %v : f32
        }
      }"""
    _, [outer, inner] = nest(text, "%x: memref<64xf32>")
    assert (outer.reads, inner.reads) == (64 * 4, 8 * 4)
    assert (outer.operations, inner.operations) == (64, 8)


def test_trips_that_nobody_knows() -> None:
    """The buffer is taken whole; arithmetic counts once."""
    text = """
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      scf.for %i = %zero to %n step %one {
        %v = memref.load %x[%i] : memref<64xf32>
        %w = arith.mulf %v, %v : f32
        memref.store %w, %x[%i] : memref<64xf32>
      }"""
    _, [loop] = nest(text, "%x: memref<64xf32>, %n: index")
    assert loop == Figures(256, 256, 0, 1, True)


def test_computed_rows_are_as_many_as_trips() -> None:
    """A gather of 5 rows of 8 out of 1000."""
    text = """
      affine.for %i = 0 to 5 {
        %v = affine.load %index[%i] : memref<5xi64>
        %row = arith.index_cast %v : i64 to index
        affine.for %j = 0 to 8 {
          %w = memref.load %x[%row, %j] : memref<1000x8xf32>
          memref.store %w, %y[%i, %j] : memref<5x8xf32>
        }
      }"""
    _, [outer, inner] = nest(text, "%x: memref<1000x8xf32>, %index: memref<5xi64>, %y: memref<5x8xf32>")
    assert (outer.reads, outer.writes) == (5 * 8 * 4 + 5 * 8, 5 * 8 * 4)
    assert (inner.reads, inner.writes) == (8 * 4, 8 * 4)


def test_branches_and_calls() -> None:
    text = """
      func.func private @g(%x: memref<8xf32>, %y: memref<8xf32>) {
        affine.for %i = 0 to 4 {
          %v = affine.load %x[%i] : memref<8xf32>
          %w = arith.addf %v, %v : f32
          affine.store %w, %y[%i] : memref<8xf32>
        }
        func.return
      }
      func.func @f(%c: i1, %x: memref<8xf32>, %y: memref<8xf32>) {
        scf.if %c {
          func.call @g(%x, %y) : (memref<8xf32>, memref<8xf32>) -> ()
          func.call @g(%x, %y) : (memref<8xf32>, memref<8xf32>) -> ()
        }
        func.return
      }"""
    module = parse_module(text)
    costs = Costs(module)
    calls, branch = costs.functions["f"], next(op for op in module.walk() if isinstance(op, scf.IfOp))
    assert figures(costs.of(calls), calls) == figures(costs.of(branch), branch) == Figures(16, 16, 0, 8, False)
