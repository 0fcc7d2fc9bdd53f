"""The state of one conversion and the building blocks every op family uses.

`Lowering` maps StableHLO values to their lowered form and appends ops to the current block.
Constants are not materialised until a tensor is needed: a splat stays a `Splat`, which elementwise
bodies read as a scalar constant. Affine maps and iterator lists repeat a lot, so they are cached.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias

from xdsl.dialects import arith, complex, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, ArrayAttr, DenseIntOrFPElementsAttr
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import FillOp, GenericOp, IndexOp, YieldOp
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue

from ...decisions.model import CostModel
from ...dialects.dense import Number, pack_element, splat_attribute
from ...dialects.editing import append, new_block, new_op
from ...dialects.shared_attributes import i32_array, i64_array, i64_attribute, tensor_type
from ...ir.conversions import Handlers
from .attributes import (
    INDEX,
    AnyTensor,
    ScalarAttribute,
    common_groups,
    default_properties,
    element_of,
    has_parts,
    identity,
    iterators,
    map_array,
    projection,
    reassociation,
    scalar_attribute,
    scalar_number,
    scalar_type,
    shape_of,
    signless,
)

Scalar: TypeAlias = SSAValue
"""A value of an element type, as opposed to a tensor."""
Index: TypeAlias = "SSAValue | int"
"""An index known now or at run time."""
Body: TypeAlias = Callable[[Sequence[SSAValue]], Sequence[SSAValue]]
"""Emits the body of a generic from its block arguments and returns what it yields."""


class Splat(NamedTuple):
    """A constant tensor of one value that is not in the IR yet. `type` is signless."""

    value: ScalarAttribute
    type: AnyTensor
    dense: DenseIntOrFPElementsAttr | None = None
    """The attribute the program spelled out, if it did."""


Lowered: TypeAlias = "SSAValue | Splat"


class Lowering:
    """The conversion of one function: values lowered so far and the block that receives new ops. Those of its ops that
    may call the runtime, and what they are in, are `calling`; `handlers` lower an op by its class; `model` decides."""

    def __init__(self, entry: Block, calling: Set[Operation], handlers: Handlers, model: CostModel):
        self.block = entry
        self.handlers = handlers
        self.model = model
        self.calling = calling
        self.location: Any = None
        self._values: dict[SSAValue, Lowered] = {}
        self._constants: dict[Any, Operation] = {}
        self._index_ops: dict[int, SSAValue] = {}

    # Values

    def bind(self, value: SSAValue, lowered: Lowered) -> None:
        """Record the lowered form of a StableHLO value."""
        self._values[value] = lowered

    def lowered(self, value: SSAValue) -> Lowered:
        """The lowered form of `value`; may be a constant that is not in the IR."""
        return self._values[value]

    def tensor(self, value: SSAValue) -> SSAValue:
        """The lowered form of `value` as a tensor in the IR."""
        return self.materialize(self._values[value])

    def materialize(self, lowered: Lowered) -> SSAValue:
        """`lowered` as a tensor: a spelled-out constant stays one, a derived splat is filled."""
        if isinstance(lowered, SSAValue):
            return lowered
        if lowered.dense is not None:
            return self.dense_constant(lowered.dense)
        if not lowered.type.shape.data:
            element = pack_element(lowered.type.element_type, scalar_number(lowered.value))
            return self.dense_constant(splat_attribute(lowered.type, element))
        return self.fill(self.attribute_constant(lowered.value), lowered.type)

    # Ops

    def emit(
        self,
        op_type: type[Operation],
        operands: Sequence[SSAValue] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] = {},
        regions: Sequence[Region] = (),
    ) -> Sequence[OpResult]:
        """Append an op to the current block; its results."""
        op = new_op(
            op_type,
            operands=operands,
            result_types=result_types,
            properties=properties,
            regions=regions,
            location=self.location,
        )
        append(self.block, op)
        return op.results

    def scalar(
        self,
        op_type: type[Operation],
        operands: Sequence[SSAValue],
        type: Attribute,
        properties: Mapping[str, Attribute] | None = None,
    ) -> OpResult:
        """Append an op of one result of type `type`; the result."""
        op = new_op(
            op_type,
            operands=operands,
            result_types=(type,),
            properties=default_properties(op_type) if properties is None else properties,
            location=self.location,
        )
        append(self.block, op)
        return op.results[0]

    @contextmanager
    def into(self, block: Block):
        """Emit into `block` for a while."""
        outer, self.block = self.block, block
        yield block
        self.block = outer

    # Constants, at the top of the function

    def _hoisted(self, key: Any, value: Attribute, type: Attribute) -> SSAValue:
        op = self._constants.get(key)
        if op is None:
            op_type = complex.ConstantOp if has_parts(type) else arith.ConstantOp
            op = new_op(op_type, result_types=(type,), properties={"value": value})
            self._constants[key] = op
        return op.results[0]

    def constant(self, type: Attribute, value: Number) -> SSAValue:
        """The scalar `value` of the (signless) type `type`."""
        key = (type, value, str(value) if isinstance(value, builtins.complex | float) else "")
        op = self._constants.get(key)
        if op is not None:
            return op.results[0]
        return self._hoisted(key, scalar_attribute(type, value), type)

    def index(self, value: int) -> SSAValue:
        """The index `value`."""
        return self.constant(INDEX, value)

    def attribute_constant(self, value: ScalarAttribute) -> SSAValue:
        """The scalar of an attribute."""
        return self.constant(scalar_type(value), scalar_number(value))

    def dense_constant(self, dense: DenseIntOrFPElementsAttr) -> SSAValue:
        """A constant tensor, signless."""
        type = signless(dense.type)
        if type is not dense.type:
            dense = DenseIntOrFPElementsAttr(type, dense.data)  # pyright: ignore
        return self._hoisted(id(dense), dense, type)

    def finish(self, entry: Block) -> None:
        """Put the constants in front of everything else."""
        constants = list(self._constants.values())
        first = entry.first_op
        if first is None:
            entry.add_ops(constants)
        else:
            entry.insert_ops_before(constants, first)

    # Destinations

    def empty(self, type: AnyTensor) -> SSAValue:
        """`tensor.empty`."""
        return self.scalar(tensor.EmptyOp, (), type)

    def fill(self, value: Scalar, type: AnyTensor) -> SSAValue:
        """A new tensor with all elements equal to the scalar `value`.

        Of complex elements that is a generic: xDSL does not read `linalg.fill` of them.
        """
        if has_parts(value.type):
            return self.elementwise((), type, lambda _: value)
        block = new_block((value.type, type.element_type))
        destination = self.empty(type)
        with self.into(block):
            self.emit(YieldOp, (block.args[0],))
        return self.emit(
            FillOp,
            (value, destination),
            (type,),
            {"operandSegmentSizes": i32_array(1, 1)},
            (Region(block),),
        )[0]

    def filled(self, value: Lowered, type: AnyTensor) -> SSAValue:
        """A new tensor of `type` with all elements equal to the rank-0 tensor `value`."""
        if isinstance(value, Splat):
            return self.fill(self.attribute_constant(value.value), type)
        rank = len(type.shape.data)
        return self.moved(value, projection(rank, ()), type)

    # Structured ops

    def generic(
        self,
        inputs: Sequence[tuple[SSAValue, AffineMapAttr]],
        outputs: Sequence[tuple[SSAValue, AffineMapAttr]],
        iterator_types: ArrayAttr[IteratorTypeAttr],
        body: Body,
    ) -> Sequence[OpResult]:
        """A `linalg.generic`. `body` gets one scalar per input, then one per output."""
        operands = [value for value, _ in (*inputs, *outputs)]
        maps = tuple(map for _, map in (*inputs, *outputs))
        block = new_block([element_of(value) for value in operands])
        with self.into(block):
            index_ops, self._index_ops = self._index_ops, {}
            self.emit(YieldOp, body(block.args))
            self._index_ops = index_ops
        return self.emit(
            GenericOp,
            operands,
            [value.type for value, _ in outputs],
            {
                "indexing_maps": map_array(maps),
                "iterator_types": iterator_types,
                "operandSegmentSizes": i32_array(len(inputs), len(outputs)),
            },
            (Region(block),),
        )

    def elementwise(
        self,
        operands: Sequence[tuple[Lowered, AffineMapAttr]],
        type: AnyTensor,
        body: Callable[[Sequence[Scalar]], Scalar],
    ) -> SSAValue:
        """An all-parallel generic over `type`. Splats become scalars; an operand read twice comes
        in once.
        """
        rank = len(type.shape.data)
        inputs: dict[tuple[SSAValue, AffineMapAttr], int] = {}
        sources: list[int | SSAValue] = []
        for operand, map in operands:
            if isinstance(operand, Splat):
                sources.append(self.attribute_constant(operand.value))
            else:
                sources.append(inputs.setdefault((operand, map), len(inputs)))

        def scalars(args: Sequence[SSAValue]) -> Sequence[SSAValue]:
            return (body([args[s] if isinstance(s, int) else s for s in sources]),)

        destination = self.empty(type)
        return self.generic(list(inputs), [(destination, identity(rank))], iterators(rank), scalars)[0]

    def moved(self, source: Lowered, map: AffineMapAttr, type: AnyTensor) -> SSAValue:
        """The tensor whose element at each index is that of `source` at the mapped index."""
        return self.elementwise([(source, map)], type, lambda args: args[0])

    def transposed(self, value: SSAValue, order: Sequence[int]) -> SSAValue:
        """`value` with its dimension `order[i]` as dimension `i`."""
        rank = len(order)
        if list(order) == list(range(rank)):
            return value
        shape = shape_of(value)
        type = tensor_type(element_of(value), *(shape[dim] for dim in order))
        return self.moved(value, projection(rank, tuple(order.index(dim) for dim in range(rank))), type)

    def loop_index(self, dim: int) -> SSAValue:
        """`linalg.index` of a loop dimension, once per body."""
        index = self._index_ops.get(dim)
        if index is None:
            index = self.scalar(IndexOp, (), INDEX, {"dim": i64_attribute(dim)})
            self._index_ops[dim] = index
        return index

    # Views and slices

    def reshape(self, value: SSAValue, type: AnyTensor) -> SSAValue:
        """`value` with the shape of `type`, as views; a single element of rank 0 is copied."""
        source, target = shape_of(value), type.get_shape()
        if source == target:
            return value
        if 0 in target:
            return self.empty(type)
        if not source:
            return self.filled(value, type)
        groups = common_groups(source, target)
        middle = tuple(math.prod(source[dim] for dim in group) for group, _ in groups)
        if middle != source:
            value = self.collapse(value, [group for group, _ in groups], middle)
        if middle != target:
            value = self.expand(value, [group for _, group in groups], target)
        return value

    def collapse(self, value: SSAValue, groups: Sequence[Sequence[int]], shape: Sequence[int]) -> SSAValue:
        """`tensor.collapse_shape`."""
        return self.scalar(
            tensor.CollapseShapeOp,
            (value,),
            tensor_type(element_of(value), *shape),
            {"reassociation": reassociation(groups)},
        )

    def expand(self, value: SSAValue, groups: Sequence[Sequence[int]], shape: Sequence[int]) -> SSAValue:
        """`tensor.expand_shape`."""
        return self.scalar(
            tensor.ExpandShapeOp,
            (value,),
            tensor_type(element_of(value), *shape),
            {
                "reassociation": reassociation(groups),
                "static_output_shape": i64_array(*shape),
            },
        )

    def insert_slice(
        self,
        source: SSAValue,
        destination: SSAValue,
        offsets: Sequence[Index],
        strides: Sequence[int] | None = None,
    ) -> SSAValue:
        """`destination` with `source` written at `offsets` with `strides`."""
        shape = shape_of(source)
        dynamic = [offset for offset in offsets if isinstance(offset, SSAValue)]
        static = tuple(o if isinstance(o, int) else DYNAMIC_INDEX for o in offsets)
        return self.scalar(
            tensor.InsertSliceOp,
            (source, destination, *dynamic),
            destination.type,
            {
                "static_offsets": i64_array(*static),
                "static_sizes": i64_array(*shape),
                "static_strides": i64_array(*(strides or (1,) * len(shape))),
                "operandSegmentSizes": i32_array(1, 1, len(dynamic), 0, 0),
            },
        )

    # Elements

    def extract(self, value: SSAValue, indices: Sequence[Index]) -> Scalar:
        """The element of `value` at `indices`."""
        return self.scalar(
            tensor.ExtractOp,
            (value, *(self.index(i) if isinstance(i, int) else i for i in indices)),
            element_of(value),
        )

    def insert(self, element: Scalar, value: SSAValue, indices: Sequence[Index]) -> SSAValue:
        """`value` with `element` at `indices`."""
        return self.scalar(
            tensor.InsertOp,
            (element, value, *(self.index(i) if isinstance(i, int) else i for i in indices)),
            value.type,
        )

    def extract_each(self, values: Sequence[SSAValue], indices: Sequence[Index]) -> list[Scalar]:
        """The element of each of `values` at `indices`."""
        return [self.extract(value, indices) for value in values]

    def insert_each(
        self, elements: Sequence[Scalar], values: Sequence[SSAValue], indices: Sequence[Index]
    ) -> list[SSAValue]:
        """Each of `values` with its element at `indices`."""
        return [self.insert(element, value, indices) for element, value in zip(elements, values, strict=True)]

    def rank0(self, value: SSAValue) -> Scalar:
        """The scalar in a lowered rank-0 StableHLO value, read at the current block."""
        return self.scalar_of(self._values[value])

    def scalar_of(self, lowered: Lowered) -> Scalar:
        """The scalar in a lowered rank-0 tensor, read at the current block."""
        if isinstance(lowered, Splat):
            return self.attribute_constant(lowered.value)
        return self.extract(lowered, ())

    # Index arithmetic that folds

    def add(self, lhs: Index, rhs: Index) -> Index:
        """`lhs + rhs`."""
        if isinstance(lhs, int) and isinstance(rhs, int):
            return lhs + rhs
        if lhs == 0:
            return rhs
        if rhs == 0:
            return lhs
        return self.scalar(arith.AddiOp, (self.as_index(lhs), self.as_index(rhs)), INDEX)

    def multiply(self, lhs: Index, rhs: int) -> Index:
        """`lhs * rhs`."""
        if isinstance(lhs, int):
            return lhs * rhs
        if rhs == 1:
            return lhs
        return self.scalar(arith.MuliOp, (lhs, self.index(rhs)), INDEX)

    def subtract(self, lhs: Index, rhs: Index) -> Index:
        """`lhs - rhs`."""
        if isinstance(lhs, int) and isinstance(rhs, int):
            return lhs - rhs
        if rhs == 0:
            return lhs
        return self.scalar(arith.SubiOp, (self.as_index(lhs), self.as_index(rhs)), INDEX)

    def maximum(self, lhs: Index, rhs: Index) -> Index:
        """The greater of two signed indices."""
        if isinstance(lhs, int) and isinstance(rhs, int):
            return max(lhs, rhs)
        return self.scalar(arith.MaxSIOp, (self.as_index(lhs), self.as_index(rhs)), INDEX)

    def minimum(self, lhs: Index, rhs: Index) -> Index:
        """The lesser of two signed indices."""
        if isinstance(lhs, int) and isinstance(rhs, int):
            return min(lhs, rhs)
        return self.scalar(arith.MinSIOp, (self.as_index(lhs), self.as_index(rhs)), INDEX)

    def as_index(self, value: Index) -> SSAValue:
        """`value` in the IR."""
        return self.index(value) if isinstance(value, int) else value

    # Loops

    def loop(
        self,
        lower: Index,
        upper: Index,
        state: Sequence[SSAValue],
        body: Callable[[SSAValue, Sequence[SSAValue]], Sequence[SSAValue]],
    ) -> Sequence[SSAValue]:
        """`scf.for` of step one that carries `state`; the state after it."""
        types = [value.type for value in state]
        block = new_block((INDEX, *types))
        with self.into(block):
            self.emit(scf.YieldOp, body(block.args[0], block.args[1:]))
        return self.emit(
            scf.ForOp,
            (self.as_index(lower), self.as_index(upper), self.index(1), *state),
            types,
            regions=(Region(block),),
        )

    def loops(
        self,
        bounds: Sequence[tuple[Index, Index]],
        state: Sequence[SSAValue],
        body: Callable[[Sequence[Index], Sequence[SSAValue]], Sequence[SSAValue]],
    ) -> Sequence[SSAValue]:
        """A nest of `loop`s; a loop known to run once is only its body."""

        def nest(indices: tuple[Index, ...], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
            if len(indices) == len(bounds):
                return body(indices, state)
            lower, upper = bounds[len(indices)]
            if isinstance(lower, int) and isinstance(upper, int) and upper - lower == 1:
                return nest((*indices, lower), state)
            return self.loop(lower, upper, state, lambda i, inner: nest((*indices, i), inner))

        return nest((), state)

    def kernel_loops(
        self,
        bounds: Sequence[tuple[int, int]],
        state: Sequence[SSAValue],
        body: Callable[[Sequence[Index], Sequence[SSAValue]], Sequence[SSAValue]],
    ) -> Sequence[SSAValue]:
        """`loops` with an `scf.for` around everything, even what runs once: only a loop becomes a kernel."""
        if all(upper - lower == 1 for lower, upper in bounds):
            only = [lower for lower, _ in bounds]
            return self.loop(0, 1, state, lambda _, inner: body(only, inner))
        return self.loops(bounds, state, body)

    def when(
        self,
        condition: Scalar,
        types: Sequence[Attribute],
        then: Callable[[], Sequence[SSAValue]],
        otherwise: Callable[[], Sequence[SSAValue]],
    ) -> Sequence[SSAValue]:
        """`scf.if` with results."""
        branches: list[Region] = []
        for branch in (then, otherwise):
            block = Block()
            with self.into(block):
                self.emit(scf.YieldOp, branch())
            branches.append(Region(block))
        return self.emit(scf.IfOp, (condition,), types, regions=branches)
