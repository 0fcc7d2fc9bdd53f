"""The counters of loops and the values they take."""

from __future__ import annotations

import pytest
from xdsl.dialects import func, scf
from xdsl.ir import Operation
from xdsl_xla.ir.loops import LOOPS, most_trips, range_of, ranges_of, trip_counts
from xdsl_xla.runtime.mlir_text import parse_module

PROGRAM = """
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %cm = arith.constant -3 : index
  LOOP
  func.return
}
"""


def loop(text: str) -> Operation:
    (function,) = parse_module(PROGRAM.replace("LOOP", text)).ops
    assert isinstance(function, func.FuncOp)
    return next(op for op in function.body.block.ops if type(op) in LOOPS)


CASES = [
    ("affine.for %i = 0 to 7 { }", [range(0, 7)]),
    ("affine.for %i = 2 to 9 step 2 { }", [range(2, 9, 2)]),
    ("affine.for %i = 0 to %n { }", [None]),
    ("affine.for %i = 0 to min affine_map<() -> (4, 5)> () { }", [None]),
    ("scf.for %i = %c0 to %c7 step %c1 { }", [range(0, 7)]),
    ("scf.for %i = %cm to %c7 step %c2 { }", [range(-3, 7, 2)]),
    ("scf.for %i = %c0 to %n step %c1 { }", [None]),
    ("scf.for %i = %c0 to %c7 step %c0 { }", [None]),
    ("scf.for %i = %c7 to %c2 step %c1 { }", [range(7, 2)]),
    (
        '"scf.parallel"(%c0, %c0, %c7, %n, %c2, %c1) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({'
        "^bb0(%i: index, %j: index): scf.reduce }) : (index, index, index, index, index, index) -> ()",
        [range(0, 7, 2), None],
    ),
]


@pytest.mark.parametrize(("text", "ranges"), CASES)
def test_ranges(text: str, ranges: list[range | None]) -> None:
    op = loop(text)
    assert ranges_of(op) == ranges
    assert trip_counts(op) == [None if values is None else len(values) for values in ranges]
    assert range_of(op) == (ranges[0] if len(ranges) == 1 else None)


AT_MOST = [
    ("%n to %window", 3),
    ("%n to %block", 3),
    ("%n to %tail", 2),
    ("%window to %n", 0),
    ("%c2 to %block", 5),
    ("%n to %c7", None),
    ("%c0 to %n", None),
]


@pytest.mark.parametrize(("bounds", "trips"), AT_MOST)
def test_trips_at_most(bounds: str, trips: int | None) -> None:
    """Of windows and of blocks, the last of which may be smaller."""
    op = loop(f"""
      %window = arith.addi %n, %c3 : index
      %block = arith.minsi %window, %c7 : index
      %back = arith.addi %n, %c2 : index
      %tail = arith.minsi %block, %back : index
      scf.for %i = {bounds} step %c1 {{ }}""")
    assert isinstance(op, scf.ForOp)
    assert trip_counts(op) == [None]
    assert most_trips(op) == trips


def test_other_ops_have_no_counters() -> None:
    op = loop("affine.for %i = 0 to 7 { }")
    assert op.parent is not None and op.parent.last_op is not None
    assert ranges_of(op.parent.last_op) == []
