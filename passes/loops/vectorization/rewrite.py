"""Writes what a loop over elements becomes: a loop over vectors, or vectors alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import affine, arith, func, scf, vector
from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    StringAttr,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from ....dialects.dense import pack_element, splat_attribute
from ....dialects.editing import append, clone, erase, insert_before, new_op, replace_uses
from ....dialects.shared_attributes import INDEX, i32_array, i64_array, index_attribute, vector_type
from ....dialects.xrt import LanewiseOp
from ....ir.structured import constant_index
from ..accesses import LOADS, STORES, buffer_of, indices_of
from .analysis import Plan
from .pieces import Piece
from .slopes import is_index

_SCALAR_ONLY: dict[type[Operation], StringAttr] = {
    op_class: StringAttr(op_class.name)
    for op_class in (
        arith.CmpfOp,
        arith.CmpiOp,
        arith.ExtFOp,
        arith.ExtSIOp,
        arith.ExtUIOp,
        arith.FPToSIOp,
        arith.FPToUIOp,
        arith.SelectOp,
        arith.SIToFPOp,
        arith.TruncFOp,
        arith.TruncIOp,
        arith.UIToFPOp,
    )
}
"""Ops that xDSL has for scalars only, with their names."""
_NO_OPTIONS = DictionaryAttr({})


class Vectorizer:
    """Replaces loops of one function; constants go to its start."""

    def __init__(self, function: func.FuncOp) -> None:
        self.entry = function.body.block
        self.constants: dict[tuple[Attribute, Attribute], SSAValue] = {}

    def replace(self, plan: Plan) -> None:
        """The loop of `plan` becomes vector code."""
        _Loop(self, plan).write()

    def constant(self, value: Attribute, type: Attribute) -> SSAValue:
        """A constant at the start of the function."""
        found = self.constants.get((value, type))
        if found is None:
            op = new_op(arith.ConstantOp, result_types=[type], properties={"value": value})
            first = self.entry.first_op
            assert first is not None
            insert_before(op, first)
            found = self.constants[value, type] = op.result
        return found

    def lanes(self, values: Sequence[int], element: Attribute) -> SSAValue:
        """A vector of these integers; of one number in all lanes if there is only one."""
        type = vector_type(element, len(values))
        return self.constant(DenseIntOrFPElementsAttr.from_list(cast("VectorType[Any]", type), values), type)

    def splat(self, value: Attribute, type: VectorType[Attribute]) -> SSAValue:
        """A vector with the number `value` in all lanes."""
        element = pack_element(type.element_type, cast(Any, value).value.data)
        return self.constant(splat_attribute(type, element), type)


class _Loop:
    """Writes the pieces of one loop in front of it."""

    def __init__(self, vectorizer: Vectorizer, plan: Plan) -> None:
        self.vectorizer = vectorizer
        self.plan = plan
        self.old = plan.loop.body.block
        self.outside: dict[SSAValue, SSAValue] = {}
        """What ops of the loop that run in front of it have become."""
        self.splats: dict[tuple[SSAValue, int], SSAValue] = {}

    def write(self) -> None:
        loop, plan = self.plan.loop, self.plan
        for op in plan.invariant:
            insert_before(clone(op, self.outside), loop)
        pieces = plan.pieces()
        carried = self._starts(pieces[0].lanes)
        for piece in pieces:
            carried = self._narrowed(carried, piece.lanes)
            if piece.trips > 1 or plan.extent is None:
                carried = self._write_loop(piece, carried)
            else:
                start = self.vectorizer.constant(index_attribute(self._first() + piece.start), INDEX)
                carried = _Body(self, piece, start, None).write(carried)
        for result, value in zip(loop.results, self._results(carried), strict=True):
            replace_uses(result, value)
        erase(loop)

    def add(self, op: Operation) -> SSAValue:
        """Puts `op` in front of the loop."""
        insert_before(op, self.plan.loop)
        return op.results[0]

    def splat(self, value: SSAValue, lanes: int) -> SSAValue:
        """A value from outside in all lanes."""
        value = self.outside.get(value, value)
        type = vector_type(value.type, lanes)
        if isinstance(owner := value.owner, arith.ConstantOp):
            return self.vectorizer.splat(owner.value, type)
        found = self.splats.get((value, lanes))
        if found is None:
            found = self.add(new_op(vector.BroadcastOp, operands=[value], result_types=[type]))
            self.splats[value, lanes] = found
        return found

    def _first(self) -> int:
        """The counter of the first iteration, a constant."""
        loop = self.plan.loop
        if isinstance(loop, scf.ForOp):
            first = constant_index(loop.lb)
            assert first is not None
            return first
        return cast(Any, loop.lowerBoundMap.data.results[0]).value

    def _inits(self) -> Sequence[SSAValue]:
        loop = self.plan.loop
        return loop.iter_args if isinstance(loop, scf.ForOp) else loop.inits

    def _write_loop(self, piece: Piece, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
        loop = self.plan.loop
        block = Block(arg_types=[INDEX, *[value.type for value in carried]])
        block.args[0].name_hint = self.old.args[0].name_hint
        yielded = _Body(self, piece, block.args[0], block).write(block.args[1:])
        properties = dict(loop.properties)
        if isinstance(loop, scf.ForOp):
            upper = loop.ub
            if self.plan.extent is not None:
                upper = self.vectorizer.constant(index_attribute(self._first() + piece.trips * piece.lanes), INDEX)
            step = self.vectorizer.constant(index_attribute(piece.lanes), INDEX)
            operands = [loop.lb, upper, step, *carried]
            append(block, new_op(scf.YieldOp, operands=yielded))
        else:
            operands = carried
            upper = AffineMap.constant_map(self._first() + piece.trips * piece.lanes)
            properties["upperBoundMap"] = AffineMapAttr(upper)
            properties["step"] = index_attribute(piece.lanes)
            properties["operandSegmentSizes"] = i32_array(0, 0, len(carried))
            append(block, new_op(affine.YieldOp, operands=yielded))
        new = new_op(
            loop.__class__,
            operands=operands,
            result_types=[value.type for value in carried],
            properties=properties,
            attributes=loop.attributes,
            regions=[Region(block)],
            location=loop.location,
        )
        insert_before(new, loop)
        return new.results

    def _starts(self, lanes: int) -> list[SSAValue]:
        """What the lanes of carried values start from."""
        starts: list[SSAValue] = []
        for reduction, init in zip(self.plan.reductions, self._inits(), strict=True):
            neutral = reduction.starts_from(init)
            if neutral is None:
                starts.append(self.splat(init, lanes))
            else:
                starts.append(self.vectorizer.splat(neutral, vector_type(init.type, lanes)))
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
                types = [vector_type(reduction.argument.type, width)]
                halves = [
                    self.add(
                        new_op(
                            vector.ShuffleOp,
                            [value, value],
                            types,
                            {"mask": i64_array(*range(first, first + width))},
                        )
                    )
                    for first in (0, width)
                ]
                value = self._combine(reduction.combiner, halves)
            narrowed.append(value)
        return narrowed

    def _results(self, carried: Sequence[SSAValue]) -> list[SSAValue]:
        """The results of the loop from the last vectors."""
        plan = self.plan
        results: list[SSAValue] = []
        for reduction, init, value in zip(plan.reductions, self._inits(), carried, strict=True):
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
        self.vectorizer = loop.vectorizer
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
        self.stores: dict[SSAValue, int] = {}
        """How often each buffer has been written."""
        self.half_stored: dict[tuple[object, ...], SSAValue] = {}
        """One part of pairs of which the other is still to come, by the place of the pairs."""

    def write(self, carried: Sequence[SSAValue]) -> list[SSAValue]:
        """The values of the carried vectors behind the piece, which has `carried` in front of it."""
        arguments = self.loop.old.args[1:]
        for argument, value in zip(arguments, carried, strict=True):
            self.vectors[argument] = value
        done = set(self.plan.invariant)
        for op in self.loop.old.ops:
            if op not in done:
                self._convert(op)
        terminator = self.loop.old.last_op
        assert terminator is not None
        yielded = [self._vector(value) for value in terminator.operands]
        if self.piece.is_whole or not yielded:
            return yielded
        mask = self._mask()
        return [self._select(mask, new, old) for new, old in zip(yielded, carried, strict=True)]

    def _type(self, element: Attribute) -> VectorType[Attribute]:
        found = self.types.get(id(element))
        if found is None:
            found = self.types[id(element)] = vector_type(element, self.lanes)
        return found

    def _add(self, op: Operation) -> SSAValue:
        if self.block is None:
            return self.loop.add(op)
        append(self.block, op)
        return op.results[0]

    def _convert(self, op: Operation) -> None:
        if op.__class__ in STORES:
            self._store(op)
        elif not op.results:
            return
        elif op.results[0] not in self.plan.varying:
            copy = clone(op, self.scalars)
            self._add(copy)
        elif op.__class__ in LOADS:
            self._load(op)
        elif op.__class__ is arith.IndexCastOp:
            self._lanes_of_index(op)
        else:
            self._compute(op)

    def _compute(self, op: Operation) -> None:
        type = self._type(op.results[0].type)
        operands = [self._vector(operand) for operand in op.operands]
        key = (op.__class__, id(type), *map(id, operands), *op.properties.values())
        found = self.known.get(key)
        if found is None:
            op_class, properties = op.__class__, op.properties
            if (name := _SCALAR_ONLY.get(op_class)) is not None:
                options = DictionaryAttr(properties) if properties else _NO_OPTIONS
                op_class, properties = LanewiseOp, {"op": name, "options": options}
            found = self.known[key] = self._add(new_op(op_class, operands, [type], properties, location=op.location))
        self.vectors[op.results[0]] = found

    def _load(self, op: Operation) -> None:
        memory, *indices = (self._scalar(operand) for operand in op.operands)
        type = self._type(op.results[0].type)
        if op in self.plan.neighbours:
            self.vectors[op.results[0]] = self._load_in_order(op, memory, indices, type)
            return
        key = (id(memory), self.stores.get(buffer_of(op), 0), op.properties.get("map"), *map(id, indices))
        found = self.known.get(key)
        if found is None:
            if self.piece.is_masked:
                places = self._places(op, indices)
                operands = [memory, *places, self._mask(), self._zeros(type)]
                load = new_op(vector.MaskedLoadOp, operands, [type], location=op.location)
            elif isinstance(op, affine.LoadOp):
                load = new_op(affine.VectorLoadOp, [memory, *indices], [type], op.properties, location=op.location)
            else:
                load = new_op(vector.LoadOp, [memory, *indices], [type], location=op.location)
            found = self.known[key] = self._add(load)
        self.vectors[op.results[0]] = found

    def _load_in_order(
        self, op: Operation, memory: SSAValue, indices: Sequence[SSAValue], type: VectorType[Attribute]
    ) -> SSAValue:
        """The elements of pairs, or of places in reverse, out of a vector of all that lie there."""
        found, lanes = self.plan.neighbours[op], self.lanes
        stride = 1 if found.base is None else 2
        places = cast(AffineMapAttr, op.properties["map"]).data if found.base is None else found.base
        if found.is_reversed:
            places = self._at_last_lane(places, op)
        version, place = self.stores.get(buffer_of(op), 0), (id(memory), places, *map(id, indices))
        wide = self.known.get(("all", version, *place))
        if wide is None:
            properties = {"map": AffineMapAttr(places)}
            types = [vector_type(type.element_type, stride * lanes)]
            load = new_op(affine.VectorLoadOp, [memory, *indices], types, properties, location=op.location)
            wide = self.known["all", version, *place] = self._add(load)
        key = ("in order", found.part, found.is_reversed, id(wide))
        vector = self.known.get(key)
        if vector is None:
            order = range(lanes - 1, -1, -1) if found.is_reversed else range(lanes)
            vector = self.known[key] = self._shuffle(wide, wide, type, [stride * lane + found.part for lane in order])
        return vector

    def _at_last_lane(self, places: AffineMap, access: Operation) -> AffineMap:
        """`places` for the counter of the last lane."""
        counter, ahead = self.loop.old.args[0], self.lanes - 1
        dims = [AffineExpr.dimension(dim) for dim in range(places.num_dims)]
        symbols = [AffineExpr.symbol(symbol) for symbol in range(places.num_symbols)]
        moved = [
            expr + ahead if operand is counter else expr
            for operand, expr in zip(indices_of(access), (*dims, *symbols), strict=True)
        ]
        count = places.num_dims
        return places.replace_dims_and_symbols(moved[:count], moved[count:], count, places.num_symbols)

    def _shuffle(self, a: SSAValue, b: SSAValue, type: VectorType[Attribute], places: Sequence[int]) -> SSAValue:
        return self._add(new_op(vector.ShuffleOp, [a, b], [type], {"mask": i64_array(*places)}))

    def _store(self, op: Operation) -> None:
        value = self._vector(op.operands[0])
        if op in self.plan.neighbours:
            self._store_pair(op, value)
            return
        memory, *indices = (self._scalar(operand) for operand in op.operands[1:])
        buffer = buffer_of(op)
        self.stores[buffer] = self.stores.get(buffer, 0) + 1
        if self.piece.is_masked:
            operands = [memory, *self._places(op, indices), self._mask(), value]
            store = new_op(vector.MaskedStoreOp, operands, location=op.location)
        elif isinstance(op, affine.StoreOp):
            store = new_op(affine.VectorStoreOp, [value, memory, *indices], (), op.properties, location=op.location)
        else:
            store = new_op(vector.StoreOp, [value, memory, *indices], location=op.location)
        self._put(store)

    def _store_pair(self, op: Operation, value: SSAValue) -> None:
        """Both parts of pairs, when the second one is stored."""
        found = self.plan.neighbours[op]
        memory, *indices = (self._scalar(operand) for operand in op.operands[1:])
        key = (id(memory), found.base, *map(id, indices))
        other = self.half_stored.pop(key, None)
        if other is None:
            self.half_stored[key] = value
            return
        assert found.base is not None
        parts = (other, value) if found.part else (value, other)
        type = vector_type(cast("VectorType[Attribute]", value.type).element_type, 2 * self.lanes)
        both = self._shuffle(*parts, type, [part for lane in range(self.lanes) for part in (lane, self.lanes + lane)])
        buffer = buffer_of(op)
        self.stores[buffer] = self.stores.get(buffer, 0) + 1
        properties = {"map": AffineMapAttr(found.base)}
        operands = [both, memory, *indices]
        self._put(new_op(affine.VectorStoreOp, operands, (), properties, location=op.location))

    def _put(self, store: Operation) -> None:
        if self.block is None:
            insert_before(store, self.plan.loop)
        else:
            append(self.block, store)

    def _places(self, access: Operation, operands: list[SSAValue]) -> list[SSAValue]:
        """The indices of an access as values."""
        if "map" not in access.properties:
            return operands
        map = cast(AffineMapAttr, access.properties["map"]).data
        places: list[SSAValue] = []
        for expr in map.results:
            properties = {"map": AffineMapAttr(AffineMap(map.num_dims, map.num_symbols, (expr,)))}
            places.append(self._add(new_op(affine.ApplyOp, operands, [INDEX], properties)))
        return places

    def _mask(self) -> SSAValue:
        """Which lanes count."""
        first, end = self.piece.counted
        return self.vectorizer.lanes([int(first <= lane < end) for lane in range(self.lanes)], i1)

    def _zeros(self, type: VectorType[Attribute]) -> SSAValue:
        return self.vectorizer.constant(splat_attribute(type, pack_element(type.element_type, 0)), type)

    def _select(self, mask: SSAValue, new: SSAValue, old: SSAValue) -> SSAValue:
        properties = {"op": _SCALAR_ONLY[arith.SelectOp], "options": _NO_OPTIONS}
        return self._add(new_op(LanewiseOp, [mask, new, old], [new.type], properties))

    def _scalar(self, value: SSAValue) -> SSAValue:
        return self.scalars.get(value, value)

    def _vector(self, value: SSAValue) -> SSAValue:
        """`value` in all lanes: what does not change in the loop becomes a vector in front of it."""
        found = self.vectors.get(value)
        if found is None:
            if value in self.scalars and value not in self.loop.outside:
                type = vector_type(value.type, self.lanes)
                found = self._add(new_op(vector.BroadcastOp, operands=[self.scalars[value]], result_types=[type]))
            else:
                found = self.loop.splat(value, self.lanes)
            self.vectors[value] = found
        return found

    def _lanes_of_index(self, op: Operation) -> None:
        """An index that increases by a number per iteration, as integers."""
        slope = self.plan.slopes.of(op.operands[0])
        element = op.results[0].type
        type = vector_type(element, self.lanes)
        assert not is_index(op.results[0])
        first = self._add(clone(op, self.scalars))
        start = self._add(new_op(vector.BroadcastOp, operands=[first], result_types=[type]))
        steps = self.vectorizer.lanes([lane * slope for lane in range(self.lanes)], element)
        sum = new_op(arith.AddiOp, operands=[start, steps], result_types=[type])
        self.vectors[op.results[0]] = self._add(sum)
