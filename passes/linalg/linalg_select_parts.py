"""`linalg-select-parts`: concatenations and paddings that elementwise ops and reductions read become selections.

A chain of `tensor.insert_slice` into a new tensor, all of whose readers are elementwise ops or reductions, becomes one
elementwise `linalg.generic` that selects, by its indices, the part to read. `linalg-fuse-elementwise` moves it into its
readers like any other op, so nothing is stored in between; `convert-linalg-to-affine` cuts the loops where the
selection changes, so that none is left inside them.

    %0 = tensor.insert_slice %x into %empty[0, 0] [8, 3] [1, 1] : tensor<8x3xf32> into tensor<8x10xf32>
    %1 = tensor.insert_slice %y into %0[0, 3] [8, 7] [1, 1] : tensor<8x7xf32> into tensor<8x10xf32>
to
    %1 = linalg.generic {indexing_maps = [(i, j) -> (i, j mod 3), (i, j) -> (i, (j + 4) mod 7), id], ...} ins(%x, %y) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %j = linalg.index 1
      %is_second = arith.cmpi sge, %j, %c3 : index
      %selected = arith.select %is_second, %b, %a : f32
      linalg.yield %selected : f32
    }

Every operand is read in bounds at every index, `mod` its size: what is read outside of its part is not selected. Parts
that are slices of a tensor read that tensor, so the two halves of a roll are one access, `(i + shift) mod size`.

Needs level 2 before fusion. Leaves chains with strides or dynamic offsets, chains with other readers (contractions,
which pack what they read, and windows, whose indices are sums of loops), and what `decisions/fusion.py` turns down. A
chain that is a result selects as well where parts of it come from other chains: one pass over memory instead of two.

XLA's fused loops select the same way, at every element.

Not a pattern pass: whether a chain of insertions goes depends on all of its readers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, i1
from xdsl.dialects.linalg.ops import FillOp, GenericOp, YieldOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.passes import ModulePass

from ...decisions.fusion import Parts
from ...decisions.model import CostModel, cost_model_of
from ...dialects.editing import append, erase, ops_of
from ...dialects.shared_attributes import index_attribute
from ...ir import structured
from ...ir.affine import AffineSum, Division, dimension, sums_of
from .generic_builder import GenericBuilder, empty_like, parallel_loops


@dataclass(frozen=True)
class Part:
    """`source`, inserted at `offsets`."""

    source: SSAValue
    offsets: tuple[int, ...]


@dataclass(frozen=True)
class Joined:
    """A chain of insertions: parts, those inserted last first, and what is around them; None if it is undefined."""

    result: SSAValue
    parts: list[Part]
    around: SSAValue | None

    def tensors(self) -> int:
        """How many tensors the parts are of, or slices of."""
        rank = len(structured.shape_of(self.result))
        stored = [part for part in self.parts if not isinstance(part.source.owner, FillOp)]
        return len({_behind_slice(part, rank)[0] for part in stored})

    def parts_are_joined(self) -> bool:
        """Whether a part is, or moves elements of, such a tensor itself, which would be stored in between."""
        for part in self.parts:
            value = part.source
            while isinstance(op := value.owner, GenericOp) and structured.only_moves(op):
                if structured.number_of_inputs(op) != 1:
                    break
                value = op.operands[0]
            if isinstance(value.owner, tensor.InsertSliceOp):
                return True
        return False

    def cut_dims(self) -> set[int]:
        """The dimensions in which parts differ."""
        shape = structured.shape_of(self.result)
        return {
            dim
            for part in self.parts
            for dim, (size, extent) in enumerate(zip(structured.shape_of(part.source), shape, strict=True))
            if size != extent
        }


def joined(last: tensor.InsertSliceOp, model: CostModel) -> Joined | None:
    """The chain that ends with `last`."""
    parts: list[Part] = []
    value: SSAValue = last.result
    while isinstance(insertion := value.owner, tensor.InsertSliceOp):
        offsets = insertion.static_offsets.get_values()
        is_box = DYNAMIC_INDEX not in offsets and set(insertion.static_strides.get_values()) <= {1}
        same_rank = len(offsets) == len(structured.shape_of(insertion.source))
        if not is_box or not same_rank or len(parts) == model.fusion.selected_parts or _is_product(insertion.source):
            return None
        parts.append(Part(insertion.source, offsets))
        value = insertion.dest
    if isinstance(value.owner, tensor.EmptyOp):
        return Joined(last.result, parts, None)
    if isinstance(value.owner, FillOp):
        return Joined(last.result, parts, value.owner.inputs[0])
    if isinstance(value.owner, GenericOp) and structured.is_elementwise(value.owner):
        if not any(structured.shape_of(operand) for operand in structured.inputs(value.owner)):
            return Joined(last.result, parts, value)
    return None


def _is_product(value: SSAValue) -> bool:
    """Whether a contraction computes `value` for one reader: it writes where that inserts it."""
    return isinstance(value.owner, GenericOp) and value.has_one_use() and structured.is_contraction(value.owner)


# Readers


def _may_select(value: SSAValue, dims: set[int], block: Block, readers: set[Operation]) -> bool:
    """Whether every reader of `value` is an elementwise op or a reduction that goes through `dims` each with one loop;
    so are the readers of those that only move elements. Adds to `readers` those that compute.
    """
    for use in value.uses:
        op = use.operation
        if op.parent is not block:
            return False
        if isinstance(op, tensor.ExpandShapeOp | tensor.CollapseShapeOp):
            if not structured.is_unit_reshape(op):
                return False
            dims_behind = tuple(map(AffineDimExpr, range(len(structured.shape_of(op.results[0])))))
            exprs = structured.indices_before(op, dims_behind)
            kept = {expr.position for dim in dims if isinstance(expr := exprs[dim], AffineDimExpr)}
            if not _may_select(op.results[0], kept, block, readers):
                return False
            continue
        if not isinstance(op, GenericOp) or use.index >= structured.number_of_inputs(op):
            return False
        if structured.is_contraction(op):
            return False
        access = sums_of(op.indexing_maps.data[use.index].data)
        loops = {dim: _loop_of(access[dim]) for dim in dims}
        if None in loops.values():
            return False
        if structured.only_moves(op):
            out = op.indexing_maps.data[-1].data.results
            moved = {d for d, e in enumerate(out) if isinstance(e, AffineDimExpr) and e.position in loops.values()}
            if _may_select(op.results[0], moved, block, readers):
                continue
            return False
        readers.add(op)
    return True


def _loop_of(index: AffineSum) -> int | None:
    """The loop of which `index`, or what it is the remainder of, is a linear function, -1 for a constant; None of
    others.
    """
    if len(index.terms) > 1:
        return None
    atom = next(iter(index.terms), -1)
    if isinstance(atom, Division) and atom.remainder:
        loops = atom.lhs.dims()
        return loops.pop() if any(atom.lhs == dimension(loop) for loop in loops) else None
    return atom if isinstance(atom, int) else None


# The selection


class _Selection(GenericBuilder):
    """Builds the generic that replaces a chain."""

    def __init__(self, chain: Joined):
        self.chain = chain
        self.shape = structured.shape_of(chain.result)
        super().__init__(len(self.shape))
        self.bounds = [[0, size] for size in self.shape]
        """The indices that are left when the parts before have not been selected."""

    def build(self) -> None:
        """Puts it in the place of the chain."""
        chain = self.chain
        parts = chain.parts if chain.around is not None else chain.parts[:-1]
        conditions: list[tuple[SSAValue | None, SSAValue]] = []
        for part in parts:
            value = self._element_of(part)
            conditions.append((self._is_inside(part), value))
        if chain.around is None:
            selected = self._element_of(chain.parts[-1])
        elif isinstance(chain.around.owner, GenericOp):
            selected = self._read(chain.around, (0,) * self.rank, (0,) * self.rank)
        else:
            selected = chain.around
        for condition, value in reversed(conditions):
            if condition is None:
                selected = value
            elif selected is not value:
                selected = self.add(arith.SelectOp(condition, value, selected))
        self.block.insert_arg(structured.element_type(chain.result), len(self.block.args))
        append(self.block, YieldOp(selected))
        last = cast(Operation, chain.result.owner)
        destination = empty_like(chain.result, self.shape, last)
        self.finish(last, [destination], [AffineMap.identity(self.rank)], parallel_loops(self.rank))

    def _element_of(self, part: Part) -> SSAValue:
        if isinstance(part.source.owner, FillOp):
            return part.source.owner.inputs[0]
        return self._read(*_behind_slice(part, self.rank), part.offsets)

    def _read(self, source: SSAValue, starts: Sequence[int], offsets: Sequence[int]) -> SSAValue:
        """The element of `source`, whose `starts` are at `offsets` of the result."""
        exprs: list[AffineExpr] = []
        for dim, (size, start, offset) in enumerate(zip(structured.shape_of(source), starts, offsets, strict=True)):
            shift = (start - offset) % size
            if size == 1:
                exprs.append(AffineConstantExpr(0))
            elif size == self.shape[dim] and not shift:
                exprs.append(AffineDimExpr(dim))
            else:
                exprs.append((AffineDimExpr(dim) + shift if shift else AffineDimExpr(dim)) % size)
        return self.element(source, tuple(exprs), structured.element_type(source))

    def _is_inside(self, part: Part) -> SSAValue | None:
        """Whether the index is in `part`; None if it is in any case, as far as the parts before leave indices."""
        tests: list[tuple[int, str, int]] = []
        for dim, (offset, size) in enumerate(zip(part.offsets, structured.shape_of(part.source), strict=True)):
            low, high = self.bounds[dim]
            if offset > low:
                tests.append((dim, "sge", offset))
            if offset + size < high:
                tests.append((dim, "slt", offset + size))
        if len(tests) == 1:
            ((dim, predicate, bound),) = tests
            self.bounds[dim][predicate == "sge"] = bound
        condition: SSAValue | None = None
        for dim, predicate, bound in tests:
            limit = self.add(arith.ConstantOp(index_attribute(bound)))
            test = self.add(arith.CmpiOp(self.index(AffineDimExpr(dim)), limit, predicate))
            condition = test if condition is None else self.add(arith.AndIOp(condition, test, i1))
        return condition


def _behind_slice(part: Part, rank: int) -> tuple[SSAValue, tuple[int, ...]]:
    """The tensor that `part` is a slice of, and where the slice starts; the source itself if it is none."""
    whole = part.source, (0,) * rank
    op = part.source.owner
    if not isinstance(op, GenericOp) or not structured.only_moves(op) or structured.number_of_inputs(op) != 1:
        return whole
    access, out = structured.indexing_maps(op)
    if len(access.results) != rank or out != AffineMap.identity(rank):
        return whole
    starts: list[int] = []
    sizes = zip(structured.shape_of(op.operands[0]), structured.shape_of(part.source), strict=True)
    for dim, (index, (size, taken)) in enumerate(zip(sums_of(access), sizes, strict=True)):
        is_loop = index + -index.const == dimension(dim) or index.terms == {Division(dimension(dim), size, True): 1}
        if not is_loop and (index.terms or taken != 1):
            return whole
        starts.append(index.const)
    return op.operands[0], tuple(starts)


def _pays(chain: Joined, block: Block, model: CostModel) -> bool:
    if not any(isinstance(use.operation, GenericOp) for use in chain.result.uses):
        return chain.parts_are_joined()
    readers: set[Operation] = set()
    dims = chain.cut_dims()
    if not _may_select(chain.result, dims, block, readers):
        return False
    in_last = dims == {len(structured.shape_of(chain.result)) - 1}
    return model.fusion.fuse(Parts(chain.result.owner, list(readers), chain.tensors(), in_last))


def _select_parts(block: Block, model: CostModel) -> None:
    for op in reversed(list(ops_of(block))):
        if not isinstance(op, tensor.InsertSliceOp) or op.parent is None or op.result.first_use is None:
            continue
        chain = joined(op, model)
        if chain is None or not _pays(chain, block, model):
            continue
        _Selection(chain).build()
        dead: Operation | None = op
        while isinstance(dead, tensor.InsertSliceOp) and dead.result.first_use is None:
            following = dead.dest.owner
            erase(dead)
            dead = following if isinstance(following, Operation) else None


@dataclass(frozen=True)
class LinalgSelectPartsPass(ModulePass):
    """See the module's docstring."""

    name = "linalg-select-parts"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx)
        for block in structured.program_blocks(op):
            _select_parts(block, model)
