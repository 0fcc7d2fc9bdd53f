"""Writes a loop over vectors in place of one over elements."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import affine, arith, func, scf, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, DictionaryAttr, IndexType, StringAttr, VectorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....dialects.editing import append, clone, erase, insert_before, new_op
from ....dialects.shared_attributes import index_attribute
from ....dialects.xrt import LanewiseOp
from .analysis import LOADS, STORES, Plan

_INDEX = IndexType()

_SCALAR_ONLY = (
    arith.CmpfOp,
    arith.CmpiOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.FPToSIOp,
    arith.FPToUIOp,
    arith.SelectOp,
    arith.SIToFPOp,
    arith.TruncIOp,
    arith.UIToFPOp,
)
"""Ops that xDSL has for scalars only."""


class Vectorizer:
    """Replaces loops of one function; constants go to its start."""

    def __init__(self, function: func.FuncOp) -> None:
        self.entry = function.body.block
        self.constants: dict[tuple[Attribute, Attribute], SSAValue] = {}

    def replace(self, plan: Plan) -> None:
        """The loop of `plan` becomes one over vectors."""
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


class _Loop:
    def __init__(self, vectorizer: Vectorizer, plan: Plan) -> None:
        self.vectorizer = vectorizer
        self.plan = plan
        self.old = plan.loop.body.block
        self.body = Block(arg_types=[_INDEX])
        self.scalars: dict[SSAValue, SSAValue] = {self.old.args[0]: self.body.args[0]}
        """Values of the old loop to those of the first lane."""
        self.vectors: dict[SSAValue, SSAValue] = {}

    def write(self) -> None:
        loop, lanes = self.plan.loop, self.plan.lanes
        self.body.args[0].name_hint = self.old.args[0].name_hint
        for op in self.old.ops:
            self._convert(op)
        operands, properties = list(loop.operands), dict(loop.properties)
        if isinstance(loop, scf.ForOp):
            operands[2] = self.vectorizer.constant(index_attribute(lanes), _INDEX)
        else:
            properties["step"] = index_attribute(lanes)
        new = new_op(
            loop.__class__,
            operands=operands,
            properties=properties,
            attributes=loop.attributes,
            regions=[Region(self.body)],
            location=loop.location,
        )
        insert_before(new, loop)
        erase(loop)

    def _type(self, element: Attribute) -> VectorType[Attribute]:
        return VectorType(element, [self.plan.lanes])

    def _add(self, op: Operation) -> SSAValue:
        append(self.body, op)
        return op.results[0]

    def _convert(self, op: Operation) -> None:
        varying = self.plan.varying
        if isinstance(op, STORES):
            value, memory, *indices = op.operands
            kind = affine.VectorStoreOp if isinstance(op, affine.StoreOp) else vector.StoreOp
            self._access(op, kind, [self._vector(value), self._scalar(memory), *map(self._scalar, indices)], [])
        elif not op.results or op.results[0] not in varying:
            append(self.body, clone(op, self.scalars))
        elif isinstance(op, LOADS):
            kind = affine.VectorLoadOp if isinstance(op, affine.LoadOp) else vector.LoadOp
            types = [self._type(op.results[0].type)]
            self._access(op, kind, [*map(self._scalar, op.operands)], types)
        elif isinstance(op, arith.IndexCastOp):
            self._lanes_of_index(op)
        else:
            types = [self._type(op.results[0].type)]
            operands = [self._vector(operand) for operand in op.operands]
            op_class, properties = op.__class__, dict(op.properties)
            if isinstance(op, _SCALAR_ONLY):
                op_class, properties = LanewiseOp, {"op": StringAttr(op.name), "options": DictionaryAttr(properties)}
            new = new_op(op_class, operands, types, properties, location=op.location)
            self.vectors[op.results[0]] = self._add(new)

    def _access(
        self, op: Operation, kind: type[Operation], operands: list[SSAValue], types: list[VectorType[Attribute]]
    ) -> None:
        properties = {"map": op.properties["map"]} if "map" in op.properties else {}
        new = new_op(kind, operands=operands, result_types=types, properties=properties, location=op.location)
        append(self.body, new)
        if types:
            self.vectors[op.results[0]] = new.results[0]

    def _scalar(self, value: SSAValue) -> SSAValue:
        return self.scalars.get(value, value)

    def _vector(self, value: SSAValue) -> SSAValue:
        """`value` in all lanes: what does not change in the loop becomes a vector in front of it."""
        found = self.vectors.get(value)
        if found is not None:
            return found
        type = self._type(value.type)
        if isinstance(owner := value.owner, arith.ConstantOp):
            splat = DenseIntOrFPElementsAttr.from_list(cast(Any, type), [cast(Any, owner.value).value.data])
            result = self.vectorizer.constant(splat, type)
        elif value in self.scalars:
            result = self._add(new_op(vector.BroadcastOp, operands=[self.scalars[value]], result_types=[type]))
        else:
            broadcast = new_op(vector.BroadcastOp, operands=[value], result_types=[type])
            insert_before(broadcast, self.plan.loop)
            result = broadcast.results[0]
        self.vectors[value] = result
        return result

    def _lanes_of_index(self, op: arith.IndexCastOp) -> None:
        """An index that increases by a number per iteration, as integers."""
        lanes, slope = self.plan.lanes, self.plan.slopes[op.operands[0]]
        type = self._type(op.results[0].type)
        first = self._add(clone(op, self.scalars))
        start = self._add(new_op(vector.BroadcastOp, operands=[first], result_types=[type]))
        steps = DenseIntOrFPElementsAttr.from_list(cast(Any, type), [lane * slope for lane in range(lanes)])
        operands = [start, self.vectorizer.constant(steps, type)]
        self.vectors[op.results[0]] = self._add(new_op(arith.AddiOp, operands=operands, result_types=[type]))
