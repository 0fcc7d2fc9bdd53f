"""`loops-stream-results`: results that a schedule streams are stored past the caches.

Of the arguments in `xrt.streamed`, which `stream` in a schedule names, stores of vectors are marked, unless the kernel
uses the argument otherwise:

    func.func private @rows_0(%x: memref<4096x1024xf32>, %out: memref<4096x1024xf32>)
        attributes {xrt.kernel, xrt.streamed = array<i64: 1>} {
      ...
      affine.vector_store %y, %out[%i, %j] : memref<4096x1024xf32>, vector<64xf32>

becomes

      vector.store %y, %out[%i, %j] {xrt.stream} : memref<4096x1024xf32>, vector<64xf32>

That is for vectors that fill cache lines and begin at multiples of 16 bytes, as results do: lines are written at once.
Needs level 5, behind `loops-vectorize`. Leaves other stores as they are.

Not a pattern pass: whether a store is marked depends on the other uses of its buffer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import gcd
from typing import cast

from xdsl.context import Context
from xdsl.dialects import affine, func, vector
from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseArrayBase,
    IntegerType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    UnitAttr,
    VectorType,
)
from xdsl.ir import Attribute, Block, BlockArgument, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from ...decisions.copies import STREAMED_BYTES
from ...decisions.target import CACHE_LINE_BYTES
from ...dialects.editing import become, insert_before, new_op
from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import INDEX
from ...dialects.xrt_names import STREAM, STREAMED
from ...ir.affine import NotLinear, linearize, sums_of
from ...ir.function_passes import Bodies, FunctionPass
from ...ir.loops import ranges_of
from ...ir.structured import constant_index
from ...ir.views import RESHAPES, uses_of_buffer


def _stores_to(argument: BlockArgument) -> list[affine.VectorStoreOp]:
    """The stores of vectors by which alone a kernel uses `argument`, which is dense."""
    type = argument.type
    if not isinstance(type, MemRefType) or not isinstance(cast("MemRefType[Attribute]", type).layout, NoneAttr):
        return []
    stores: list[affine.VectorStoreOp] = []
    for use in uses_of_buffer(argument, RESHAPES):
        if not isinstance(use.operation, affine.VectorStoreOp) or use.index != 1:
            return []
        stores.append(use.operation)
    return stores


def _fills_lines(store: affine.VectorStoreOp) -> bool:
    """Whether a vector is as long as cache lines, and begins where streamed ones may."""
    value, memory, *indices = store.operands
    type, stored = cast("MemRefType[Attribute]", memory.type), cast("VectorType[Attribute]", value.type)
    bytes_per_element = element_bytes(type.element_type)
    if stored.element_type != type.element_type or stored.element_count() * bytes_per_element % CACHE_LINE_BYTES:
        return False
    try:
        place = linearize(sums_of(cast(AffineMapAttr, store.properties["map"]).data), type.get_shape())
        return place.divisor([_divisor(index) for index in indices]) * bytes_per_element % STREAMED_BYTES == 0
    except NotLinear:
        return False


def _divisor(index: SSAValue) -> int:
    """A number that divides an index: of the counter of a loop with constant bounds what all its values have in common,
    of a constant itself, otherwise 1. Raises `NotLinear`.
    """
    if (number := constant_index(index)) is not None:
        return number
    if isinstance(op := index.owner, affine.ApplyOp):
        (place,) = sums_of(op.map.data)
        return place.divisor([_divisor(operand) for operand in op.operands])
    loop = index.owner.parent_op() if isinstance(index.owner, Block) else None
    ranges = () if loop is None else ranges_of(loop)
    counted = ranges[index.index] if isinstance(index, BlockArgument) and index.index < len(ranges) else None
    return gcd(counted.start, counted.step) if counted else 1


def _stream(store: affine.VectorStoreOp) -> None:
    """Marks a store, which has to be one of `vector` for that: as text that of `affine` has no attributes."""
    value, memory, *operands = store.operands
    map = cast(AffineMapAttr, store.properties["map"]).data
    indices: list[SSAValue] = []
    for expr in map.results:
        if isinstance(expr, AffineDimExpr):
            indices.append(operands[expr.position])
            continue
        properties = {"map": AffineMapAttr(AffineMap(map.num_dims, map.num_symbols, (expr,)))}
        index = new_op(affine.ApplyOp, operands, [INDEX], properties, location=store.location)
        insert_before(index, store)
        indices.append(index.results[0])
    become(store, vector.StoreOp, {}, [value, memory, *indices], {STREAM: UnitAttr()})


@dataclass(frozen=True)
class LoopsStreamResultsPass(Bodies, FunctionPass):
    """See the module docstring."""

    name = "loops-stream-results"

    def of_body(self, ctx: Context, module: ModuleOp) -> Callable[[func.FuncOp], None]:
        return _stream_results


def _stream_results(kernel: func.FuncOp) -> None:
    numbers = kernel.attributes.pop(STREAMED, None)
    if isinstance(numbers, DenseArrayBase):
        for number in cast("DenseArrayBase[IntegerType]", numbers).get_values():
            for store in _stores_to(kernel.body.block.args[number]):
                if _fills_lines(store):
                    _stream(store)
