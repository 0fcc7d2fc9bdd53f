"""Writes what a loop over elements becomes: a loop over vectors, or vectors alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import affine, arith, scf, vector
from xdsl.dialects.builtin import AffineMapAttr, DenseIntOrFPElementsAttr, MemRefType, VectorType, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from ....dialects import locating
from ....dialects.editing import append, clone, erase, insert_before, new_block, new_op, replace_uses
from ....dialects.element_sizes import element_bytes
from ....dialects.shared_attributes import (
    INDEX,
    i32_array,
    i64_array,
    i64_attribute,
    index_attribute,
    vector_type,
)
from ....dialects.xrt_names import LANES
from ....ir.vectors import on_vectors
from ..accesses import STORES, indices_of
from ..emission import Emission
from .analysis import Plan
from .pieces import Piece
from .slopes import Access


def vectorize(plan: Plan, emission: Emission) -> None:
    """The loop of `plan` becomes vector code; constants go to the start of its function."""
    _Loop(plan, emission).write()


class _Loop:
    """Writes the pieces of one loop in front of it."""

    def __init__(self, plan: Plan, emission: Emission) -> None:
        self.plan = plan
        self.loop = plan.loop
        self.emission = emission
        self.old = plan.loop.body.block
        self.first = 0 if plan.counted is None else plan.counted.start
        self.inits = self.loop.operands[len(self.loop.operands) - len(plan.reductions) :]
        self.outside: dict[SSAValue, SSAValue] = {}
        """What ops of the loop that run in front of it have become."""
        self.splats: dict[tuple[SSAValue, int], SSAValue] = {}

    def write(self) -> None:
        for op in self.plan.invariant:
            insert_before(clone(op, self.outside), self.loop)
        pieces = self.plan.pieces()
        carried = self._starts(pieces[0].lanes)
        for piece in pieces:
            carried = self._narrowed(carried, piece.lanes)
            if piece.trips > 1 or self.plan.counted is None:
                carried = self._write_loop(piece, carried)
            else:
                carried = _Body(self, piece, self.index(self.first + piece.start), None).write(carried)
        for result, value in zip(self.loop.results, self._results(carried), strict=True):
            replace_uses(result, value)
        erase(self.loop)

    def add(self, op: Operation) -> SSAValue:
        """Puts `op` in front of the loop."""
        insert_before(op, self.loop)
        return op.results[0]

    def index(self, number: int) -> SSAValue:
        return self.emission.constant(index_attribute(number), INDEX)

    def lanes(self, values: Sequence[int], element: Attribute) -> SSAValue:
        """A vector of these integers; of one number in all lanes if there is only one."""
        type = vector_type(element, len(values))
        return self.emission.constant(DenseIntOrFPElementsAttr.from_list(cast("VectorType[Any]", type), values), type)

    def splat(self, value: SSAValue, lanes: int) -> SSAValue:
        """A value from outside in all lanes."""
        value = self.outside.get(value, value)
        found = self.splats.get((value, lanes))
        if found is None:
            type = vector_type(value.type, lanes)
            if isinstance(owner := value.owner, arith.ConstantOp):
                found = self.emission.number(cast(Any, owner.value).value.data, type)
            else:
                found = self.add(new_op(vector.BroadcastOp, [value], [type]))
            self.splats[value, lanes] = found
        return found

    def _write_loop(self, piece: Piece, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
        loop = self.loop
        types = [value.type for value in carried]
        block = new_block([INDEX, *types])
        block.args[0].name_hint = self.old.args[0].name_hint
        yielded = _Body(self, piece, block.args[0], block).write(block.args[1:])
        end = self.first + piece.trips * piece.lanes
        properties = dict(loop.properties)
        operands = carried
        if isinstance(loop, scf.ForOp):
            upper = loop.ub if self.plan.counted is None else self.index(end)
            operands = [loop.lb, upper, self.index(piece.lanes), *carried]
        else:
            properties["upperBoundMap"] = AffineMapAttr(AffineMap.constant_map(end))
            properties["step"] = index_attribute(piece.lanes)
            properties["operandSegmentSizes"] = i32_array(0, 0, len(carried))
        append(block, new_op(self.plan.ops[-1].__class__, yielded))
        regions = [Region(block)]
        attributes = {name: value for name, value in loop.attributes.items() if name != LANES}
        new = new_op(loop.__class__, operands, types, properties, attributes, regions=regions, location=loop.location)
        insert_before(new, loop)
        return new.results

    def _starts(self, lanes: int) -> list[SSAValue]:
        """What the lanes of carried values start from."""
        starts: list[SSAValue] = []
        for reduction, init in zip(self.plan.reductions, self.inits, strict=True):
            neutral = reduction.starts_from(init)
            if neutral is None:
                starts.append(self.splat(init, lanes))
            else:
                starts.append(self.emission.number(neutral, vector_type(init.type, lanes)))
        return starts

    def _combine(self, combiner: Operation, operands: Sequence[SSAValue]) -> SSAValue:
        types = [operands[0].type]
        return self.add(new_op(combiner.__class__, operands, types, combiner.properties, location=combiner.location))

    def _narrowed(self, carried: Sequence[SSAValue], lanes: int) -> Sequence[SSAValue]:
        """Carried vectors with their lanes combined until there are `lanes`."""
        narrowed: list[SSAValue] = []
        for reduction, value in zip(self.plan.reductions, carried, strict=True):
            width = cast("VectorType[Attribute]", value.type).get_shape()[0]
            while width > lanes:
                width //= 2
                type = vector_type(reduction.argument.type, width)
                halves = [range(first, first + width) for first in (0, width)]
                value = self._combine(reduction.combiner, [self.add(_shuffle(value, value, type, h)) for h in halves])
            narrowed.append(value)
        return narrowed

    def _results(self, carried: Sequence[SSAValue]) -> list[SSAValue]:
        """The results of the loop from the last vectors."""
        results: list[SSAValue] = []
        for reduction, init, value in zip(self.plan.reductions, self.inits, carried, strict=True):
            combiner = reduction.combiner
            properties: dict[str, Attribute] = {"kind": reduction.kind}
            if "fastmath" in combiner.properties:
                properties["fastmath"] = combiner.properties["fastmath"]
            reduced = self.add(new_op(vector.ReductionOp, [value], [init.type], properties))
            if reduction.starts_from(init) is not None:
                reduced = self._combine(combiner, [init, reduced])
            results.append(reduced)
        return results


class _Body:
    """Writes the vectors of one piece, at the end of `block` or in front of the loop; equal ones once."""

    def __init__(self, loop: _Loop, piece: Piece, counter: SSAValue, block: Block | None) -> None:
        self.loop = loop
        self.plan = loop.plan
        self.piece = piece
        self.lanes = piece.lanes
        self.block = block
        self.scalars: dict[SSAValue, SSAValue] = {loop.old.args[0]: counter, **loop.outside}
        """Values of the old loop to those of the first lane."""
        self.vectors: dict[SSAValue, SSAValue] = {}
        self.types: dict[int, VectorType[Attribute]] = {}
        """Vectors by the identity of their element type."""
        self.known: dict[tuple[object, ...], SSAValue] = {}
        """Values by what computes them: classes, properties, and the identities of types and operands."""
        self.stores: dict[SSAValue, int] = defaultdict(int)
        """How often each buffer has been written."""
        self.half_stored: dict[object, SSAValue] = {}
        """One part of pairs of which the other is still to come, by the place of the pairs."""

    def write(self, carried: Sequence[SSAValue]) -> list[SSAValue]:
        """The values of the carried vectors behind the piece, which has `carried` in front of it."""
        self.vectors.update(zip(self.loop.old.args[1:], carried, strict=True))
        *ops, terminator = self.plan.ops
        for op in ops:
            if op not in self.plan.invariant:
                self._convert(op)
        yielded = [self._vector(value) for value in terminator.operands]
        if self.piece.is_whole or not yielded:
            return yielded
        mask = self._mask()
        return [self._select(mask, new, old) for new, old in zip(yielded, carried, strict=True)]

    def _put(self, op: Operation) -> Operation:
        if self.block is None:
            insert_before(op, self.loop.loop)
        else:
            append(self.block, op)
        return op

    def _add(self, op: Operation) -> SSAValue:
        return self._put(op).results[0]

    def _convert(self, op: Operation) -> None:
        if locating.is_on:
            locating.at(op)
        access = self.plan.accesses.get(op)
        if access is not None and op.__class__ in STORES:
            self._store(access)
        elif op in self.plan.fetched:
            self._fetch(op)
        elif op.results[0] not in self.plan.varying:
            self._put(clone(op, self.scalars))
        elif access is not None:
            self._load(access)
        elif op.__class__ is arith.IndexCastOp:
            self._lanes_of_index(op)
        else:
            self._compute(op)

    def _compute(self, op: Operation) -> None:
        (result,) = op.results
        element = result.type
        type = self.types.get(id(element))
        if type is None:
            type = self.types[id(element)] = vector_type(element, self.lanes)
        operands = [self._vector(operand) for operand in op.operands]
        key = (op.__class__, id(type), *map(id, operands), *op.properties.values())
        found = self.known.get(key)
        if found is None:
            op_class = on_vectors(op.__class__)
            found = self.known[key] = self._add(new_op(op_class, operands, [type], op.properties, location=op.location))
        self.vectors[result] = found

    def _load(self, access: Access) -> None:
        """A vector; of pairs, and of places in reverse, the elements out of a vector of all that lie there."""
        (result,) = access.op.results
        stride = abs(access.stride)
        key = (access.place, access.stride, self.stores[access.buffer])
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._add(self._move(access, (), [vector_type(result.type, stride * self.lanes)]))
        if access.stride != 1:
            key = (id(found), access.part)
            if (vector := self.known.get(key)) is None:
                order = range(self.lanes) if access.stride > 0 else range(self.lanes - 1, -1, -1)
                places = [stride * lane + access.part for lane in order]
                type = vector_type(result.type, self.lanes)
                vector = self.known[key] = self._add(_shuffle(found, found, type, places))
            found = vector
        self.vectors[result] = found

    def _store(self, access: Access) -> None:
        """A vector; of pairs both parts, when the second one is stored."""
        value = self._vector(access.op.operands[0])
        if access.stride == 2:
            other = self.half_stored.pop(access.place, None)
            if other is None:
                self.half_stored[access.place] = value
                return
            first, second = (other, value) if access.part else (value, other)
            type = vector_type(cast("VectorType[Attribute]", value.type).element_type, 2 * self.lanes)
            places = [part for lane in range(self.lanes) for part in (lane, self.lanes + lane)]
            value = self._add(_shuffle(first, second, type, places))
        self.stores[access.buffer] += 1
        self._put(self._move(access, [value], ()))

    def _fetch(self, op: Operation) -> None:
        """Asks for the lines of a vector."""
        memory, *indices = op.operands
        size = element_bytes(cast("MemRefType[Attribute]", memory.type).element_type) * self.lanes
        lines = {"lines": i64_attribute(self.plan.model.copies.prefetched_lines(size))}
        operands = [memory, *(self.scalars.get(index, index) for index in indices)]
        self._put(new_op(op.__class__, operands, (), lines, location=op.location))

    def _move(self, access: Access, stored: Sequence[SSAValue], types: Sequence[VectorType[Attribute]]) -> Operation:
        """A load that gives a vector, or a store of one."""
        masked, affine_access, plain = _ACCESSES[access.op.__class__ in STORES]
        memory, *indices = (self.scalars.get(value, value) for value in access.op.operands[len(stored) :])
        map = access.map if access.stride > 0 else self._map_at_last_lane(access)
        properties: Mapping[str, Attribute] = {}
        if self.piece.is_masked:
            places = [memory, *self._places(map, indices), self._mask()]
            op_class, operands = masked, [*places, *(stored or [self.loop.emission.number(0, types[0])])]
        elif map is None:
            op_class, operands = plain, [*stored, memory, *indices]
        else:
            op_class, operands, properties = affine_access, [*stored, memory, *indices], {"map": map}
        return new_op(op_class, operands, types, properties, location=access.op.location)

    def _map_at_last_lane(self, access: Access) -> AffineMapAttr:
        """What gives the place for the counter of the last lane."""
        assert access.map is not None
        map, counter = access.map.data, self.loop.old.args[0]
        dims = [AffineExpr.dimension(dim) for dim in range(map.num_dims)]
        symbols = [AffineExpr.symbol(symbol) for symbol in range(map.num_symbols)]
        moved = [
            expr + (self.lanes - 1) if operand is counter else expr
            for operand, expr in zip(indices_of(access.op), (*dims, *symbols), strict=True)
        ]
        count = map.num_dims
        return AffineMapAttr(map.replace_dims_and_symbols(moved[:count], moved[count:], count, map.num_symbols))

    def _places(self, map: AffineMapAttr | None, operands: list[SSAValue]) -> list[SSAValue]:
        """The indices of an access as values."""
        if map is None:
            return operands
        maps = [AffineMap(map.data.num_dims, map.data.num_symbols, (expr,)) for expr in map.data.results]
        return [self._add(new_op(affine.ApplyOp, operands, [INDEX], {"map": AffineMapAttr(one)})) for one in maps]

    def _mask(self) -> SSAValue:
        """Which lanes count."""
        first, end = self.piece.counted
        return self.loop.lanes([int(first <= lane < end) for lane in range(self.lanes)], i1)

    def _select(self, mask: SSAValue, new: SSAValue, old: SSAValue) -> SSAValue:
        return self._add(new_op(on_vectors(arith.SelectOp), [mask, new, old], [new.type]))

    def _vector(self, value: SSAValue) -> SSAValue:
        """`value` in all lanes: what does not change in the loop becomes a vector in front of it."""
        found = self.vectors.get(value)
        if found is None:
            if value in self.scalars and value not in self.loop.outside:
                type = vector_type(value.type, self.lanes)
                found = self._add(new_op(vector.BroadcastOp, [self.scalars[value]], [type]))
            else:
                found = self.loop.splat(value, self.lanes)
            self.vectors[value] = found
        return found

    def _lanes_of_index(self, op: Operation) -> None:
        """An index that increases by a number per iteration, as integers."""
        slope = self.plan.slopes.slopes[op.operands[0]]
        element = op.results[0].type
        type = vector_type(element, self.lanes)
        first = self._add(clone(op, self.scalars))
        start = self._add(new_op(vector.BroadcastOp, [first], [type]))
        steps = self.loop.lanes([lane * slope for lane in range(self.lanes)], element)
        self.vectors[op.results[0]] = self._add(new_op(arith.AddiOp, [start, steps], [type]))


_ACCESSES: tuple[tuple[type[Operation], ...], tuple[type[Operation], ...]] = (
    (vector.MaskedLoadOp, affine.VectorLoadOp, vector.LoadOp),
    (vector.MaskedStoreOp, affine.VectorStoreOp, vector.StoreOp),
)
"""Of loads and of stores the ops that do so by vectors: of some lanes, by an affine map, by indices."""


def _shuffle(a: SSAValue, b: SSAValue, type: VectorType[Attribute], places: Sequence[int]) -> Operation:
    return new_op(vector.ShuffleOp, [a, b], [type], {"mask": i64_array(*places)})
