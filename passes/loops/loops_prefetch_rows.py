"""`loops-prefetch-rows`: loops over rows in computed places ask for them some rows ahead.

A gather of rows, an embedding say, waits for memory at every row: the hardware finds the next line of a row by itself,
but not the next row. Its place can be computed, though, from indices that are known long before. Looks for loads and
stores in loops over a row whose place comes from what a loop around them has loaded. That loop gets ops that prefetch
the row of a later iteration (of the last one, near the end), and the rows of results that this iteration will write.

    affine.for %i = 0 to 16384 {
      %r = affine.load %rows[%i] : memref<16384xindex>
      affine.for %j = 0 to 128 {
        %x = memref.load %table[%r, %j] : memref<50000x128xf32>
        affine.store %x, %out[%i, %j] : memref<16384x128xf32>

becomes

    affine.for %i = 0 to 16384 {
      %later = affine.min affine_map<(d0) -> (d0 + 4, 16383)> (%i)
      %s = affine.load %rows[%later] : memref<16384xindex>
      xrt.prefetch %table[%s, %c0] lines 8 : memref<50000x128xf32>
      xrt.prefetch %out[%later, %c0] lines 8 write : memref<16384x128xf32>
      ...

Where the loop is short, iterations are counted across the loop around it too. Needs level 5 with memrefs of real
numbers. `Copies.prefetch_distance` says which rows are worth it, and how far ahead. After Mowry, Lam and Gupta,
"Design and evaluation of a compiler algorithm for prefetching" (1992), with the addresses of indirect accesses as
Ainsworth and Jones compute them, "Software prefetching for indirect memory accesses" (2017).

Not a pattern pass: what is asked for ahead follows from an analysis of a nest of loops.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import prod
from typing import NamedTuple, cast

from xdsl.context import Context
from xdsl.dialects import affine, arith, func, memref, scf
from xdsl.dialects.builtin import AffineMapAttr, MemRefType, ModuleOp, NoneAttr, UnitAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap, AffineSymExpr

from ...decisions.model import CostModel, cost_model_of
from ...dialects.editing import clone, erase, insert_before, new_op, walk
from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import INDEX, i64_attribute, index_attribute
from ...dialects.xrt import PrefetchOp
from ...dialects.xrt_names import KERNEL
from ...ir.affine import NotLinear, dimension, from_expr, linearize
from ...ir.function_passes import Bodies, FunctionPass
from ...ir.loops import ranges_of
from .accesses import DIVISIONS, LOADS, STORES, buffer_of, indices_of, memory_of

_INDIRECT = (memref.LoadOp, memref.StoreOp)
_NONE: Mapping[str, Attribute] = {}
_BRANCHES = (scf.IfOp, affine.IfOp)


class _NotARow(Exception):
    """An access is not to a row in a computed place."""


class _Counter(NamedTuple):
    """A loop of `extent` iterations with the numbers from 0 on; of several counters of a loop the last one."""

    loop: Operation
    value: SSAValue
    extent: int


def _counter(loop: Operation) -> _Counter | None:
    """The counter of a loop with constant bounds; None of any other op."""
    ranges = ranges_of(loop)
    counted = ranges[-1] if ranges else None
    if not counted or counted.start != 0 or counted.step != 1 or isinstance(loop, scf.ParallelOp):
        return None
    return _Counter(loop, loop.regions[0].block.args[len(ranges) - 1], counted.stop)


class _Row(NamedTuple):
    """What an access moves in one iteration of the loop `counter`: `bytes` next to each other, from where the loops
    inside begin. `moves`: whether the next iteration moves another one.
    """

    access: Operation
    counter: _Counter
    bytes: int
    moves: bool


def _row(access: Operation, loops: Collection[Operation]) -> _Row:
    """The row that `access` moves in the innermost one of `loops` that is around it."""
    inner: list[_Counter] = []
    op = access.parent_op()
    while op is not None:
        counter = _counter(op)
        if counter is not None and op in loops:
            return _row_of(access, counter, inner)
        if counter is not None and not isinstance(op, affine.ParallelOp):
            inner.append(counter)
        elif not isinstance(op, _BRANCHES):
            break
        op = op.parent_op()
    raise _NotARow


def _row_of(access: Operation, counter: _Counter, inner: Sequence[_Counter]) -> _Row:
    """The row that the loops `inner` run over, innermost first."""
    type = cast("MemRefType[Attribute]", memory_of(access).type)
    if not isinstance(type.layout, NoneAttr):
        raise _NotARow
    indices = [dimension(index) for index in indices_of(access)]
    if "map" in access.properties:
        map = cast(AffineMapAttr, access.properties["map"]).data
        dims, symbols = indices[: map.num_dims], indices[map.num_dims :]
        indices = [from_expr(expr, dims, (), symbols) for expr in map.results]
    place = linearize(indices, type.get_shape())
    elements = 1
    for each in inner:
        if place.stride(each.value) == elements:
            elements *= each.extent
    if elements == 1:
        raise _NotARow
    return _Row(access, counter, elements * element_bytes(type.element_type), bool(place.stride(counter.value)))


def _loop_of(value: SSAValue) -> Operation | None:
    """The innermost loop in whose body `value` is computed, under a condition or not."""
    owner = value.owner
    op = owner.parent_op()
    while isinstance(op, _BRANCHES):
        op = op.parent_op()
    return op if isinstance(owner, Operation) else None


class _Ahead:
    """Computes values of an iteration `distance` iterations later, for the start of a loop's body."""

    def __init__(self, counter: _Counter, distance: int, model: CostModel) -> None:
        self.model = model
        self.loop = counter.loop
        self.body = counter.loop.regions[0].block
        assert self.body.first_op is not None
        self.anchor = self.body.first_op
        self.values: dict[SSAValue, SSAValue] = {}
        self.ops: list[Operation] = []
        self.known: dict[object, Operation] = {}
        self.rows: dict[tuple[SSAValue, ...], Operation] = {}
        self.has_loaded = False
        self.written = {buffer_of(op) for op in walk(self.loop) if op.__class__ in STORES}
        self._count(counter, distance)

    def _count(self, counter: _Counter, distance: int) -> None:
        d0, d1 = AffineExpr.dimension(0), AffineExpr.dimension(1)
        outer, extent = self._around(counter), counter.extent
        if outer is not None and extent < self.model.copies.short_loop * distance:
            bounds = (d0 * extent + d1 + distance, AffineExpr.constant(extent * outer.extent - 1))
            number = self._affine(affine.MinOp, AffineMap(2, 0, bounds), outer.value, counter.value)
            self.values[outer.value] = self._affine(affine.ApplyOp, AffineMap(1, 0, (d0 // extent,)), number)
            self.values[counter.value] = self._affine(affine.ApplyOp, AffineMap(1, 0, (d0 % extent,)), number)
        elif isinstance(self.loop, scf.ForOp):
            later = self._add(arith.AddiOp, [counter.value, self._number(distance)])
            self.values[counter.value] = self._add(arith.MinSIOp, [later, self._number(extent - 1)])
        else:
            bounds = (d0 + distance, AffineExpr.constant(extent - 1))
            self.values[counter.value] = self._affine(affine.MinOp, AffineMap(1, 0, bounds), counter.value)

    @staticmethod
    def _around(counter: _Counter) -> _Counter | None:
        """The loop around an affine loop, if it is one too."""
        outer = counter.loop.parent_op()
        if outer is None or isinstance(outer, scf.ForOp) or not isinstance(counter.loop, affine.ForOp):
            return None
        return _counter(outer)

    def _affine(self, op_class: type[Operation], map: AffineMap, *operands: SSAValue) -> SSAValue:
        return self._add(op_class, operands, {"map": AffineMapAttr(map)})

    def _number(self, value: int) -> SSAValue:
        return self._add(arith.ConstantOp, [], {"value": index_attribute(value)})

    def _add(
        self, op_class: type[Operation], operands: Sequence[SSAValue], properties: Mapping[str, Attribute] = _NONE
    ) -> SSAValue:
        return self._insert(new_op(op_class, operands, [INDEX], properties)).results[0]

    def _insert(self, op: Operation) -> Operation:
        """`op`, or an equal one before it."""
        key = (op.__class__, *op.operands, *op.properties.items())
        found = self.known.get(key)
        if found is not None:
            erase(op)
            return found
        self.known[key] = op
        self.ops.append(op)
        return op

    def value(self, value: SSAValue) -> SSAValue:
        """What `value` will be; the counters of inner loops are where they begin."""
        found = self.values.get(value)
        if found is not None:
            return found
        if not self.body.is_ancestor(value.owner):
            return value
        op = value.owner
        if isinstance(op, Block):
            loop = op.parent_op()
            counter = None if loop is None or op is self.body else _counter(loop)
            if counter is None or counter.value is not value:
                raise _NotARow
            result = self._number(0)
        else:
            self._check(op)
            for operand in op.operands:
                self.values[operand] = self.value(operand)
            result = self._insert(clone(op, dict(self.values))).results[0]
        self.values[value] = result
        return result

    def _check(self, op: Operation) -> None:
        """Only what may be computed at any time is computed again."""
        if op.__class__ in LOADS:
            if op.parent is not self.body or buffer_of(op) in self.written:
                raise _NotARow
            self.has_loaded = True
        elif op.regions or not (op.name.startswith("arith.") or isinstance(op, affine.ApplyOp | affine.MinOp)):
            raise _NotARow
        elif op.__class__ in DIVISIONS and op.parent is not self.body:
            raise _NotARow  # the divisor may be zero where nobody divides

    def prefetch(self, row: _Row) -> None:
        """Asks for the row that an access will move."""
        indices = [self.value(index) for index in indices_of(row.access)]
        if "map" in row.access.properties:
            map = cast(AffineMapAttr, row.access.properties["map"]).data
            indices = [self._evaluate(expr, map, indices) for expr in map.results]
        if (place := (memory_of(row.access), *indices)) in self.rows:
            return
        properties: dict[str, Attribute] = {"lines": i64_attribute(self.model.copies.prefetched_lines(row.bytes))}
        if row.access.__class__ in STORES:
            properties["write"] = UnitAttr()
        self.rows[place] = new_op(PrefetchOp, place, (), properties)

    def _evaluate(self, expr: AffineExpr, map: AffineMap, operands: Sequence[SSAValue]) -> SSAValue:
        if isinstance(expr, AffineDimExpr | AffineSymExpr):
            return operands[expr.position + (map.num_dims if isinstance(expr, AffineSymExpr) else 0)]
        return self._affine(affine.ApplyOp, AffineMap(map.num_dims, map.num_symbols, (expr,)), *operands)

    def finish(self) -> None:
        """Puts what has been computed at the start of the body; nothing if no index of a row comes from memory."""
        ops = [*self.ops, *self.rows.values()]
        if self.has_loaded:
            for op in ops:
                insert_before(op, self.anchor)
        else:
            for op in reversed(ops):
                erase(op)


def _prefetched_loops(function: func.FuncOp) -> dict[Operation, list[_Row]]:
    """The loops over rows in places that they compute, each with these rows."""
    loops: dict[Operation, list[_Row]] = defaultdict(list)
    for argument in function.body.block.args:
        for use in argument.uses:
            access = use.operation
            if type(access) in _INDIRECT and memory_of(access) is argument:
                with suppress(_NotARow, NotLinear):
                    row = _row(access, {loop for index in indices_of(access) if (loop := _loop_of(index)) is not None})
                    loops[row.counter.loop].append(row)
    return loops


def _results(loop: Operation) -> Iterator[_Row]:
    """The rows that iterations of a loop write one after the other."""
    for op in walk(loop):
        if isinstance(op, affine.StoreOp):
            with suppress(_NotARow, NotLinear):
                row = _row(op, [loop])
                if row.moves:
                    yield row


def _prefetch(rows: list[_Row], model: CostModel) -> None:
    """Prefetches `rows`, and what is written beside them, at the start of a loop's body."""
    counter = rows[0].counter
    rows = [*rows, *_results(counter.loop)]
    types = [cast("MemRefType[Attribute]", memory.type) for memory in {memory_of(row.access) for row in rows}]
    touched = sum(prod(type.get_shape()) * element_bytes(type.element_type) for type in types)
    distance = model.copies.prefetch_distance(max(row.bytes for row in rows), touched, model.target.l2_bytes)
    if not distance:
        return
    ahead = _Ahead(counter, distance, model)
    for row in sorted(rows, key=lambda row: row.access.__class__ in LOADS):  # what is read and written: for writing
        with suppress(_NotARow):
            ahead.prefetch(row)
    ahead.finish()


@dataclass(frozen=True)
class LoopsPrefetchRowsPass(Bodies, FunctionPass):
    """See the module docstring."""

    name = "loops-prefetch-rows"

    def of_body(self, ctx: Context, module: ModuleOp) -> Callable[[func.FuncOp], None]:
        model = cost_model_of(ctx)

        def rewrite(function: func.FuncOp) -> None:
            if KERNEL in function.attributes:
                for rows in _prefetched_loops(function).values():
                    _prefetch(rows, model)

        return rewrite
