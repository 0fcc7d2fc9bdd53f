"""`loops-prefetch-next-rows`: kernels that go through a row several times ask for the next one meanwhile.

A softmax or a normalisation reads a row from memory once, and then from the cache. While it computes with what is in
the cache nothing comes from memory: the hardware looks ahead of reads to neighbours, up to the end of a page. So the
second loop through a row asks for the same places of the row behind it:

    affine.for %i = 0 to 4096 {
      %sum = affine.for %j = 0 to 1024 step 64 iter_args(...) {
        %x = affine.vector_load %in[%i, %j] : memref<4096x1024xf32>, vector<64xf32>
        ...
      affine.for %k = 0 to 1024 step 64 iter_args(...) {
        %y = affine.vector_load %in[%i, %k] : memref<4096x1024xf32>, vector<64xf32>
        ...

becomes

      affine.for %k = 0 to 1024 step 64 iter_args(...) {
        %p = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        xrt.prefetch %in[%p, %k] lines 4 : memref<4096x1024xf32>
        ...

That loop is the second one with the bounds of the first, unless it stores to an argument: what it fetches would
compete with that. Which rows are worth it is `Copies.worth_fetching_next_row`. Needs level 5, behind `loops-vectorize`.
After Mowry, Lam and Gupta, "Design and evaluation of a compiler algorithm for prefetching" (1992).

Not a pattern pass: what is asked for follows from several loops.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import affine, func
from xdsl.dialects.builtin import AffineMapAttr, MemRefType, ModuleOp, NoneAttr, VectorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.passes import ModulePass

from ...decisions.model import CostModel, cost_model_of
from ...dialects.editing import insert_before, new_op, ops_of, walk
from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import INDEX, i64_attribute
from ...dialects.xrt import PrefetchOp
from ...dialects.xrt_names import KERNEL
from ...ir.affine import NotLinear, linearize, sums_of
from ...ir.loops import range_of, ranges_of


def _row_loops(function: func.FuncOp) -> Iterator[tuple[Operation, list[affine.ForOp]]]:
    """Loops with several loops through a row in them."""
    for op in walk(function.body):
        if isinstance(op, affine.ForOp | affine.ParallelOp):
            inner = [each for each in ops_of(op.regions[0].block) if isinstance(each, affine.ForOp)]
            if len(inner) > 1:
                yield op, inner


def _second_loop(inner: list[affine.ForOp]) -> affine.ForOp | None:
    """The first one behind the first of `inner` that goes through the same places and stores to no argument."""
    places = range_of(inner[0])
    if not places:
        return None
    return next((loop for loop in inner[1:] if range_of(loop) == places and not _stores_to_arguments(loop)), None)


def _stores_to_arguments(loop: Operation) -> bool:
    return any(isinstance(op, affine.VectorStoreOp) and isinstance(op.operands[1], BlockArgument) for op in walk(loop))


def _prefetch(rows: Operation, first: affine.ForOp, second: affine.ForOp, model: CostModel) -> None:
    """Asks in `second` for what `first` will load in the next trip of the loop `rows`."""
    counter, start = first.body.block.args[0], second.body.block.first_op
    places, writes = range_of(first), _stores_to_arguments(rows)
    assert places and start is not None
    known = set[object]()
    for load in ops_of(first.body.block):
        if not isinstance(load, affine.VectorLoadOp):
            continue
        memory, *indices = load.operands
        ahead = _ahead(load, rows, counter)
        size = prod(cast("MemRefType[Attribute]", memory.type).get_shape())
        vector = cast("VectorType[Attribute]", load.results[0].type)
        line = vector.element_count() * element_bytes(vector.element_type)
        row_bytes, size = line * len(places), size * element_bytes(vector.element_type)
        target = model.target
        if ahead is None or not model.copies.worth_fetching_next_row(
            row_bytes, size, writes, target.l2_bytes, target.l3_bytes
        ):
            continue
        operands = [second.body.block.args[0] if index is counter else index for index in indices]
        key = (memory, ahead, *operands)
        if key not in known:
            known.add(key)
            maps = [AffineMap(ahead.num_dims, ahead.num_symbols, (expr,)) for expr in ahead.results]
            applied = [new_op(affine.ApplyOp, operands, [INDEX], {"map": AffineMapAttr(map)}) for map in maps]
            lines = {"lines": i64_attribute(model.copies.prefetched_lines(line))}
            for op in (*applied, new_op(PrefetchOp, [memory, *(op.results[0] for op in applied)], (), lines)):
                insert_before(op, start)


def _ahead(load: affine.VectorLoadOp, rows: Operation, counter: SSAValue) -> AffineMap | None:
    """The map of a load for the next trip of the loop `rows`; None unless that is another row, of an argument of the
    function, through which `counter` goes from end to end.
    """
    memory, *indices = load.operands
    type = cast("MemRefType[Attribute]", memory.type)
    is_argument = isinstance(memory.owner, Block) and isinstance(memory.owner.parent_op(), func.FuncOp)
    if not is_argument or not isinstance(type.layout, NoneAttr):
        return None
    map = cast(AffineMapAttr, load.properties["map"]).data
    row = cast("Any", rows).regions[0].block.args[-1]
    counted = ranges_of(rows)[-1]
    if counted is None or row not in indices or counter not in indices or map.num_symbols:
        return None
    try:
        place = linearize(sums_of(map), type.get_shape())
    except NotLinear:
        return None
    if place.stride(indices.index(counter)) != 1 or not place.stride(indices.index(row)):
        return None
    dims = [AffineExpr.dimension(dim) for dim in range(map.num_dims)]
    later = [dim + counted.step if index is row else dim for dim, index in zip(dims, indices, strict=True)]
    return map.replace_dims_and_symbols(later, [], map.num_dims, 0)


@dataclass(frozen=True)
class LoopsPrefetchNextRowsPass(ModulePass):
    """See the module docstring. `vector_bits` 0 is the host's."""

    name = "loops-prefetch-next-rows"

    vector_bits: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx, self.vector_bits)
        for function in op.ops:
            if isinstance(function, func.FuncOp) and KERNEL in function.attributes:
                for rows, inner in list(_row_loops(function)):
                    if (second := _second_loop(inner)) is not None:
                        _prefetch(rows, inner[0], second, model)
