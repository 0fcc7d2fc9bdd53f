"""`affine-vectorize-copies`: loops that copy or fill rows move vectors.

Looks at functions whose innermost loops all are vector code already or copy and fill contiguous elements; these become
vector code too, so that LLVM's vectoriser and its search for memcpy and memset, several times the work of generating
the code, have nothing left to do in the function. Functions with other loops stay as they are, and so do rows that are
long enough for memcpy and memset to write past the cache.

    affine.for %j = 0 to 50 {
      %0 = affine.load %x[%i * 50 + %j] : memref<400xf32>
      affine.store %0, %y[%i * 64 + %j + 7] : memref<512xf32>
    }

to, for vectors of 16 elements,

    %0 = affine.vector_load %x[%i * 50] : memref<400xf32>, vector<32xf32>
    affine.vector_store %0, %y[%i * 64 + 7] : memref<512xf32>, vector<32xf32>
    %1 = affine.vector_load %x[%i * 50 + 32] : memref<400xf32>, vector<16xf32>
    affine.vector_store %1, %y[%i * 64 + 39] : memref<512xf32>, vector<16xf32>
    %2 = affine.vector_load %x[%i * 50 + 34] : memref<400xf32>, vector<16xf32>
    affine.vector_store %2, %y[%i * 64 + 41] : memref<512xf32>, vector<16xf32>

Neighbouring vectors are one of a power of two of them, which LLVM splits. Rows from a place that was computed, by
`memref.load`, become `vector.load`s. A loop of a few vectors a step remains where there are more of them. The last
vector overlaps the one before: what is read is not written, so nothing comes of storing it twice.

Not a pattern pass: it applies to functions that do nothing but move elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from xdsl.context import Context
from xdsl.dialects import affine, arith, func, memref, vector
from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    NoneAttr,
    VectorType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.passes import ModulePass

from ...decisions.divisors import vector_groups
from ...decisions.model import CostModel, cost_model_of
from ...dialects.editing import append, erase, insert_before, new_op, ops_of
from ...dialects.shared_attributes import INDEX, i32_array, index_attribute, vector_type
from ...dialects.xrt_names import KERNEL
from ...ir.loops import LOOPS, extent_of
from ...ir.vectors import is_vector_code, vector_element_bits
from ...ir.views import buffer_of


class _Place(NamedTuple):
    """Elements of a memref next to each other: `terms + offset` is the last index of the one for 0, `dim` the operand
    of the access that counts them.
    """

    memref: SSAValue
    operands: Sequence[SSAValue]
    outer: Sequence[AffineExpr]
    dim: int
    terms: AffineExpr
    offset: int

    def at(self, counter: SSAValue | None, step: int, position: int) -> tuple[list[SSAValue], AffineMapAttr]:
        """The operands and the map of an access at `counter * step + position`; without a counter, at `position`."""
        operands = list(self.operands)
        count = len(operands)
        if counter is not None:
            operands[self.dim] = counter
            last = self.terms + AffineExpr.dimension(self.dim) * step + (self.offset + position)
            return operands, AffineMapAttr(AffineMap(count, 0, (*self.outer, last)))
        del operands[self.dim]
        dims = [AffineExpr.dimension(d - (d > self.dim)) for d in range(count)]
        exprs = (*self.outer, self.terms + (self.offset + position))
        return operands, AffineMapAttr(
            AffineMap(count - 1, 0, tuple([expr.replace_dims_and_symbols(dims, []) for expr in exprs]))
        )


class _ComputedPlace(NamedTuple):
    """Elements of a memref next to each other in a row that is found by indices of any kind."""

    memref: SSAValue
    indices: Sequence[SSAValue]


@dataclass
class _Copy:
    """A loop over `extent` elements with the contiguous loads and stores in it."""

    loop: affine.ForOp
    extent: int
    loads: dict[SSAValue, _Place | _ComputedPlace]
    stores: list[tuple[SSAValue, _Place]]
    element_bits: int


def _copy_of(loop: affine.ForOp, model: CostModel) -> _Copy | None:
    """What `loop` copies, or None if it does anything else."""
    extent = extent_of(loop)
    if loop.inits or extent is None:
        return None
    counter = loop.body.block.args[0]
    copy = _Copy(loop, extent, {}, [], 0)
    written: set[SSAValue] = set()
    read: set[SSAValue] = set()
    for op in loop.body.block.ops:
        if isinstance(op, affine.LoadOp):
            read.add(buffer_of(op.memref))
            place = _place(op.map.data, op.operands[0], op.operands[1:], counter)
            if place is None:
                return None
            copy.loads[op.result] = place
            element = op.result.type
        elif isinstance(op, memref.LoadOp):
            read.add(buffer_of(op.memref))
            *row, last = op.indices
            layout = cast("MemRefType[Attribute]", op.memref.type).layout
            if last is not counter or counter in row or not isinstance(layout, NoneAttr):
                return None
            copy.loads[op.res] = _ComputedPlace(op.memref, row)
            element = op.res.type
        elif isinstance(op, affine.StoreOp):
            written.add(buffer_of(op.memref))
            place = _place(op.map.data, op.operands[1], op.operands[2:], counter)
            if place is None or op.value is counter:
                return None
            copy.stores.append((op.value, place))
            element = op.value.type
        elif isinstance(op, affine.YieldOp | arith.ConstantOp):
            continue
        else:
            return None
        if (bits := vector_element_bits(element)) is None:
            return None
        copy.element_bits = max(copy.element_bits, bits)
    if not copy.stores or read & written:
        return None
    return copy if model.copies.worth_copying_by_vectors(extent, copy.element_bits // 8) else None


def _place(map: AffineMap, source: SSAValue, operands: Sequence[SSAValue], counter: SSAValue) -> _Place | None:
    """Where an access through `map` finds what it moves, if it is neighbouring elements in neighbouring iterations."""
    dims = [index for index, operand in enumerate(operands) if operand is counter]
    type = cast("MemRefType[Attribute]", source.type)
    if len(dims) != 1 or not isinstance(type.layout, NoneAttr):
        return None
    (dim,) = dims
    as_dims = [AffineExpr.dimension(position) for position in range(len(operands))]
    *outer, last = [
        expr.replace_dims_and_symbols(as_dims[: map.num_dims], as_dims[map.num_dims :]) for expr in map.results
    ]
    if any(dim in expr.used_dims() for expr in outer):
        return None
    own = 0
    offset = 0
    terms: AffineExpr = AffineExpr.constant(0)
    for term in _summands(last):
        if isinstance(term, AffineConstantExpr):
            offset += term.value
        elif isinstance(term, AffineDimExpr) and term.position == dim:
            own += 1
        elif dim in term.used_dims():
            return None
        else:
            terms = terms + term
    return _Place(source, operands, outer, dim, terms, offset) if own == 1 else None


def _summands(expr: AffineExpr) -> list[AffineExpr]:
    if isinstance(expr, AffineBinaryOpExpr) and expr.kind is AffineBinaryOpKind.Add:
        return [*_summands(expr.lhs), *_summands(expr.rhs)]
    return [expr]


class _Writer:
    """Writes what a copy becomes in front of its loop."""

    def __init__(self, copy: _Copy, model: CostModel) -> None:
        self.model = model
        self.copy = copy
        lanes = model.target.lanes(copy.element_bits)
        while lanes > copy.extent:
            lanes //= 2
        self.lanes = lanes
        self.fills: dict[tuple[SSAValue, int], SSAValue] = {}

    def write(self) -> None:
        copy, lanes = self.copy, self.lanes
        vectors = copy.extent // lanes
        step = min(self.model.copies.copied_vectors_per_step, vectors)
        steps = vectors // step
        done = steps * step if steps > 1 else 0
        if done:
            body = Block(arg_types=[copy.loop.body.block.args[0].type])
            for first, count in vector_groups(step):
                self._move(body, body.args[0], step * lanes, first * lanes, count * lanes)
            append(body, new_op(affine.YieldOp))
            insert_before(_for_loop(steps, body), copy.loop)
        for first, count in vector_groups(vectors - done):
            self._move(None, None, 0, (done + first) * lanes, count * lanes)
        if copy.extent % lanes:
            self._move(None, None, 0, copy.extent - lanes, lanes)
        erase(copy.loop)

    def _move(self, block: Block | None, counter: SSAValue | None, step: int, position: int, lanes: int) -> None:
        """The loads and stores of one vector of each."""
        values: dict[SSAValue, SSAValue] = {}
        for value, place in self.copy.loads.items():
            type = vector_type(value.type, lanes)
            if isinstance(place, _ComputedPlace):
                last = self._position(block, counter, step, position)
                load = new_op(vector.LoadOp, [place.memref, *place.indices, last], [type])
            else:
                operands, map = place.at(counter, step, position)
                load = new_op(affine.VectorLoadOp, [place.memref, *operands], [type], {"map": map})
            self._add(block, load)
            values[value] = load.results[0]
        for value, place in self.copy.stores:
            operands, map = place.at(counter, step, position)
            moved = values[value] if value in values else self._fill(value, lanes)
            self._add(
                block, new_op(affine.VectorStoreOp, operands=[moved, place.memref, *operands], properties={"map": map})
            )

    def _position(self, block: Block | None, counter: SSAValue | None, step: int, position: int) -> SSAValue:
        """The index `counter * step + position`; without a counter, `position`."""
        place = AffineExpr.constant(position)
        if counter is not None:
            place = AffineExpr.dimension(0) * step + position
        map = AffineMapAttr(AffineMap(0 if counter is None else 1, 0, (place,)))
        operands = [] if counter is None else [counter]
        op = new_op(affine.ApplyOp, operands, [INDEX], {"map": map})
        self._add(block, op)
        return op.results[0]

    def _add(self, block: Block | None, op: Operation) -> None:
        if block is None:
            insert_before(op, self.copy.loop)
        else:
            append(block, op)

    def _fill(self, value: SSAValue, lanes: int) -> SSAValue:
        """The vector of `lanes` copies of `value`."""
        if (found := self.fills.get((value, lanes))) is not None:
            return found
        type = vector_type(value.type, lanes)
        if isinstance(value.owner, arith.ConstantOp):
            constant = cast("FloatAttr | IntegerAttr", value.owner.value)
            splat = DenseIntOrFPElementsAttr.from_list(cast("VectorType[Any]", type), [constant.value.data])
            op = new_op(arith.ConstantOp, result_types=[type], properties={"value": splat})
        else:
            op = new_op(vector.BroadcastOp, operands=[value], result_types=[type])
        insert_before(op, self.copy.loop)
        self.fills[value, lanes] = op.results[0]
        return op.results[0]


def _for_loop(extent: int, body: Block) -> affine.ForOp:
    return new_op(
        affine.ForOp,
        properties={
            "lowerBoundMap": AffineMapAttr(AffineMap.constant_map(0)),
            "upperBoundMap": AffineMapAttr(AffineMap.constant_map(extent)),
            "step": index_attribute(1),
            "operandSegmentSizes": i32_array(0, 0, 0),
        },
        regions=[Region(body)],
    )


def _copies(function: func.FuncOp, model: CostModel) -> list[_Copy]:
    """The copies of a function whose innermost loops are copies and vector code; nothing of any other function."""
    copies: list[_Copy] = []
    for op in _innermost(function.body.block, []):
        if is_vector_code(_directly_in(op)):
            continue
        copy = _copy_of(op, model) if isinstance(op, affine.ForOp) else None
        if copy is None:
            return []
        copies.append(copy)
    return copies


def _innermost(block: Block, found: list[Operation]) -> list[Operation]:
    """Adds the loops without loops in them, and the calls, in `block` to `found`, and returns it."""
    for op in ops_of(block):
        if op.__class__ is func.CallOp:
            found.append(op)
        elif op.regions:
            before = len(found)
            for region in op.regions:
                for inner in region.blocks:
                    _innermost(inner, found)
            if len(found) == before and op.__class__ in LOOPS:
                found.append(op)
    return found


def _directly_in(op: Operation) -> Iterator[Operation]:
    return (inside for region in op.regions for block in region.blocks for inside in ops_of(block))


@dataclass(frozen=True)
class AffineVectorizeCopiesPass(ModulePass):
    """See the module docstring. `vector_bits` 0 is the host's."""

    name = "affine-vectorize-copies"

    vector_bits: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx, self.vector_bits)
        for function in op.ops:
            if isinstance(function, func.FuncOp) and KERNEL in function.attributes:
                for copy in _copies(function, model):
                    _Writer(copy, model).write()
