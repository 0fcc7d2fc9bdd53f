"""From a view to its buffer and back to the uses, through every op whose result is memory of its operand."""

from __future__ import annotations

from xdsl.dialects import func, memref
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl_xla.dialects import xrt
from xdsl_xla.ir.views import RESHAPES, VIEWS, buffer_of, uses_of_buffer, whole_buffer_of
from xdsl_xla.runtime.mlir_text import parse_module

PROGRAM = """
func.func @f(%buffer: memref<8x6xf32>, %arena: memref<4096xi8>, %at: index) {
  %flat = memref.collapse_shape %buffer [[0, 1]] : memref<8x6xf32> into memref<48xf32>
  %cube = memref.expand_shape %flat [[0, 1, 2]] output_shape [2, 4, 6] : memref<48xf32> into memref<2x4x6xf32>
  %part = memref.subview %cube[1, 0, 0] [1, 4, 6] [1, 1, 1]
    : memref<2x4x6xf32> to memref<1x4x6xf32, strided<[24, 6, 1], offset: 24>>
  %open = "memref.cast"(%buffer) : (memref<8x6xf32>) -> memref<?x6xf32>
  %row = xrt.part %flat[%at] : memref<48xf32> -> memref<6xf32>
  %other = memref.reinterpret_cast %row to offset: [0], sizes: [3, 2], strides: [2, 1]
    : memref<6xf32> to memref<3x2xf32>
  %space = "memref.memory_space_cast"(%other) : (memref<3x2xf32>) -> memref<3x2xf32, 1>
  %slice = memref.view %arena[%at][] : memref<4096xi8> to memref<6xf32>
  %x = memref.load %row[%at] : memref<6xf32>
  memref.store %x, %flat[%at] : memref<48xf32>
  memref.store %x, %slice[%at] : memref<6xf32>
  func.return
}
"""


def values() -> dict[str, SSAValue]:
    (function,) = parse_module(PROGRAM).ops
    assert isinstance(function, func.FuncOp)
    block = function.body.block
    results = [*block.args, *(result for op in block.ops for result in op.results)]
    return {value.name_hint: value for value in results if value.name_hint}


def test_every_view_leads_to_its_buffer() -> None:
    known = values()
    for name in ("buffer", "flat", "cube", "part", "open", "row", "other", "space"):
        assert buffer_of(known[name]) is known["buffer"], name


def test_a_piece_of_the_arena_is_a_buffer() -> None:
    known = values()
    assert buffer_of(known["slice"]) is known["slice"]


def test_reshapes_show_everything() -> None:
    known = values()
    assert whole_buffer_of(known["cube"]) is known["buffer"]
    assert whole_buffer_of(known["part"]) is known["part"]
    assert whole_buffer_of(known["open"]) is known["open"]


def test_uses_are_those_of_views_too() -> None:
    known = values()
    uses = {(use.operation.name, use.index) for use in uses_of_buffer(known["buffer"])}
    assert uses == {("memref.load", 0), ("memref.store", 1)}
    through_reshapes = {use.operation.name for use in uses_of_buffer(known["buffer"], RESHAPES)}
    assert through_reshapes == {"memref.subview", "memref.cast", "xrt.part", "memref.store"}


def takes_and_gives_a_memref(op: type[Operation]) -> bool:
    if not issubclass(op, IRDLOperation):
        return False
    definition = op.get_irdl_definition()
    sides = [definition.operands[:1], definition.results]
    return all(len(side) == 1 and "MemRefType" in str(side[0][1].constr) for side in sides)


def test_no_view_of_the_dialects_is_missing() -> None:
    """An op with a memref for its first operand and its only result is a view, but for what makes a buffer."""
    found = {op for op in (*memref.MemRef.operations, *xrt.XRT.operations) if takes_and_gives_a_memref(op)}
    assert found == VIEWS | {memref.ViewOp}
