"""`loops-stream-results`: large results of a program are stored past the caches.

A store to a line that is in no cache reads the line from memory first, and puts another one out of the cache. Where a
result is about as large as the last cache, nothing of it would be found there anyway. So stores of vectors to large
results are marked, if the program has no other use for these, and the kernel does not read them:

    func.func @main(%x: memref<4096x1024xf32>, %out: memref<4096x1024xf32>) attributes {xrt.entry} {
      func.call @rows_0(%x, %out)
    }
    func.func private @rows_0(%x: memref<4096x1024xf32>, %out: memref<4096x1024xf32>) attributes {xrt.kernel} {
      ...
      affine.vector_store %y, %out[%i, %j] : memref<4096x1024xf32>, vector<64xf32>

becomes

      vector.store %y, %out[%i, %j] {xrt.stream} : memref<4096x1024xf32>, vector<64xf32>

That is for vectors that fill cache lines and begin at multiples of 16 bytes, as results do: lines are written at once.
Which results are worth it is `Copies.worth_streaming`. Needs level 5, behind `loops-vectorize`.

Not a pattern pass: whether a store is marked depends on the calls of its function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd, prod
from typing import cast

from xdsl.context import Context
from xdsl.dialects import affine, func, vector
from xdsl.dialects.builtin import AffineMapAttr, MemRefType, ModuleOp, NoneAttr, UnitAttr, VectorType
from xdsl.ir import Attribute, Block, BlockArgument, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.passes import ModulePass

from ...decisions.copies import STREAMED_BYTES
from ...decisions.model import CostModel, cost_model_of
from ...decisions.target import CACHE_LINE_BYTES
from ...dialects.editing import become, insert_before, new_op, ops_of, walk
from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import INDEX
from ...dialects.xrt_attributes import number_of
from ...dialects.xrt_names import ENTRY, KERNEL, NUM_INPUTS, NUM_OUTPUTS, STREAM
from ...ir.affine import NotLinear, linearize, sums_of
from ...ir.loops import ranges_of


def _calls(functions: Sequence[func.FuncOp]) -> dict[str, list[func.CallOp]]:
    """The calls of each function, by its symbol."""
    calls: dict[str, list[func.CallOp]] = {}
    for function in functions:
        if KERNEL not in function.attributes:
            for op in walk(function.body):
                if isinstance(op, func.CallOp):
                    calls.setdefault(op.callee.string_value(), []).append(op)
    return calls


def _is_large_result(value: SSAValue, model: CostModel) -> bool:
    """Whether `value` is a large result of the program that one op uses."""
    if not isinstance(value, BlockArgument) or not isinstance(entry := value.block.parent_op(), func.FuncOp):
        return False
    is_private = entry.sym_visibility is not None and entry.sym_visibility.data == "private"
    if ENTRY not in entry.attributes or is_private or not value.has_one_use():
        return False
    inputs, outputs = (number_of(entry, name) or 0 for name in (NUM_INPUTS, NUM_OUTPUTS))
    type = cast("MemRefType[Attribute]", value.type)
    size = prod(type.get_shape()) * element_bytes(type.element_type)
    return inputs <= value.index < inputs + outputs and model.copies.worth_streaming(size, model.target.l3_bytes)


def _stores_to(argument: BlockArgument) -> list[affine.VectorStoreOp]:
    """The stores of vectors by which alone a kernel uses `argument`."""
    type = argument.type
    if not isinstance(type, MemRefType) or not isinstance(cast("MemRefType[Attribute]", type).layout, NoneAttr):
        return []
    stores: list[affine.VectorStoreOp] = []
    for use in argument.uses:
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
    except NotLinear:
        return False
    return place.divisor([_divisor(index) for index in indices]) * bytes_per_element % STREAMED_BYTES == 0


def _divisor(index: SSAValue) -> int:
    """A number that divides an index: of the counter of a loop with constant bounds what all its values have in common,
    otherwise 1.
    """
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
class LoopsStreamResultsPass(ModulePass):
    """See the module docstring. `vector_bits` 0 is the host's."""

    name = "loops-stream-results"

    vector_bits: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx, self.vector_bits)
        functions = [function for function in ops_of(op.body.block) if isinstance(function, func.FuncOp)]
        calls = _calls(functions)
        for kernel in functions:
            if KERNEL not in kernel.attributes or not kernel.body.blocks:
                continue
            for argument in kernel.body.block.args:
                passed = [call.operands[argument.index] for call in calls.get(kernel.sym_name.data, ())]
                if passed and all(_is_large_result(value, model) for value in passed):
                    for store in _stores_to(argument):
                        if _fills_lines(store):
                            _stream(store)
