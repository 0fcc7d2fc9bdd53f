"""The state of one conversion and the building blocks every op family uses.

`Lowering` maps StableHLO values to their lowered form and appends ops to the current block.
Constants are not materialised until a tensor is needed: a splat stays a `Splat`, which elementwise
bodies read as a scalar constant. Affine maps and iterator lists repeat a lot, so they are cached.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias

from xdsl.dialects import arith, complex, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, ArrayAttr, DenseIntOrFPElementsAttr
from xdsl.dialects.linalg.ops import FillOp, GenericOp, IndexOp, YieldOp
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue

from ...decisions.model import CostModel
from ...dialects.dense import pack_element, splat_attribute
from ...dialects.editing import append, new_block, new_op, new_region
from ...dialects.shared_attributes import INDEX, i32_array, i64_array, i64_attribute, tensor_type
from ...dialects.stablehlo.shapes import is_complex, shape_of
from ...ir.conversions import Handlers
from .arithmetic import Index, Number
from .attributes import (
    AnyTensor,
    common_groups,
    element_of,
    identity,
    iterators,
    projection,
    reassociation,
    scalar_attribute,
    signless,
)
from .loops import Array

Scalars: TypeAlias = Sequence[Number]
Body: TypeAlias = Callable[[Scalars], Scalars]
"""Emits the body of a generic from its block arguments and returns what it yields."""


class Splat(NamedTuple):
    """A constant tensor of one value that is not in the IR yet. `type` is signless."""

    number: builtins.complex
    type: AnyTensor
    dense: DenseIntOrFPElementsAttr | None = None
    """The attribute the program spelled out, if it did."""


Lowered: TypeAlias = "SSAValue | Splat"
Access: TypeAlias = tuple[Lowered, AffineMapAttr]
"""A tensor, and the map from loop dimensions to its elements."""


class Lowering:
    """The conversion of one function: values lowered so far, its constants, and the block that receives new ops.

    `handlers` lower an op by its class; `model` decides.
    """

    def __init__(self, entry: Block, handlers: Handlers, model: CostModel):
        self.block = entry
        self.location: Any = None
        self._constants: dict[Any, OpResult] = {}
        self.handlers = handlers
        self.model = model
        self.calling: set[Operation] | None = None
        """In a loop: of the ops in it and around it, those that may call the runtime."""
        self._values: dict[SSAValue, Lowered] = {}
        self._loop_indices: dict[int, Number] = {}
        self._map_arrays: dict[tuple[int, ...], ArrayAttr[AffineMapAttr]] = {}

    # Ops and constants

    def emit(
        self,
        op_type: type[Operation],
        operands: Sequence[SSAValue] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] = {},
        regions: Sequence[Region] = (),
    ) -> Sequence[OpResult]:
        """Append an op to the current block; its results."""
        op = new_op(op_type, operands, result_types, properties, regions=regions, location=self.location)
        append(self.block, op)
        return op.results

    def result(
        self,
        op_type: type[Operation],
        operands: Sequence[SSAValue],
        type: Attribute,
        properties: Mapping[str, Attribute] = {},
    ) -> OpResult:
        """Append an op of one result of type `type`; the result."""
        op = new_op(op_type, operands, (type,), properties, location=self.location)
        append(self.block, op)
        return op.results[0]

    @contextmanager
    def into(self, block: Block) -> Generator[Block]:
        """Emit into `block` for a while."""
        outer, self.block = self.block, block
        yield block
        self.block = outer

    def constant(self, type: Attribute, value: builtins.complex) -> SSAValue:
        """The scalar `value` of the (signless) type `type`."""
        key = (type, value, str(value) if isinstance(value, builtins.complex | float) else "")
        return self._constants.get(key) or self._hoisted(key, scalar_attribute(type, value), type)

    def dense_constant(self, dense: DenseIntOrFPElementsAttr) -> SSAValue:
        """A constant tensor, signless."""
        type = signless(dense.type)
        if type is not dense.type:
            dense = DenseIntOrFPElementsAttr(type, dense.data)  # pyright: ignore
        return self._constants.get(id(dense)) or self._hoisted(id(dense), dense, type)

    def _hoisted(self, key: Any, value: Attribute, type: Attribute) -> SSAValue:
        op_type = complex.ConstantOp if is_complex(type) else arith.ConstantOp
        self._constants[key] = new_op(op_type, (), (type,), {"value": value}).results[0]
        return self._constants[key]

    def finish(self, entry: Block) -> None:
        """Put the constants in front of everything else."""
        constants = [result.op for result in self._constants.values()]
        first = entry.first_op
        if first is None:
            entry.add_ops(constants)
        else:
            entry.insert_ops_before(constants, first)

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

    def array(self, value: SSAValue) -> Array:
        """`value` with its elements to be read and written."""
        return Array(self, self.tensor(value), element_of(value))

    def materialize(self, lowered: Lowered) -> SSAValue:
        """`lowered` as a tensor: a spelled-out constant stays one, a derived splat is filled."""
        if not isinstance(lowered, Splat):
            return lowered
        if lowered.dense is not None:
            return self.dense_constant(lowered.dense)
        if not lowered.type.shape.data:
            element = pack_element(lowered.type.element_type, lowered.number)
            return self.dense_constant(splat_attribute(lowered.type, element))
        return self.filled(lowered, lowered.type)

    def number(self, value: SSAValue) -> Number:
        """The scalar in a StableHLO value of one element, read at the current block."""
        return self.scalar_of(self._values[value]).read_as(element_of(value))

    def scalar_of(self, lowered: Lowered) -> Number:
        """The scalar in a lowered tensor of one element, read at the current block."""
        if isinstance(lowered, Splat):
            return Number(self, self.constant(lowered.type.element_type, lowered.number))
        return Array(self, lowered)[(0,) * len(shape_of(lowered))]

    # Destinations

    def empty(self, type: AnyTensor) -> SSAValue:
        """`tensor.empty`."""
        return self.result(tensor.EmptyOp, (), type)

    def fill(self, number: builtins.complex, type: AnyTensor) -> SSAValue:
        """A new tensor with all elements equal to `number`.

        Of complex elements that is a generic: xDSL does not read `linalg.fill` of them.
        """
        element = type.element_type
        value = self.constant(element, number)
        if is_complex(element):
            return self.elementwise((), type, lambda _: Number(self, value))
        block = new_block((element, element))
        destination = self.empty(type)
        with self.into(block):
            self.emit(YieldOp, (block.args[0],))
        sizes = {"operandSegmentSizes": i32_array(1, 1)}
        return self.emit(FillOp, (value, destination), (type,), sizes, (new_region(block),))[0]

    def filled(self, value: Lowered, type: AnyTensor) -> SSAValue:
        """A new tensor of `type` with all elements equal to the rank-0 tensor `value`."""
        if isinstance(value, Splat):
            return self.fill(value.number, type)
        return self.moved(value, projection(len(type.shape.data), ()), type)

    # Structured ops

    def generic(
        self,
        inputs: Sequence[tuple[SSAValue, AffineMapAttr]],
        destinations: Sequence[SSAValue],
        output_map: AffineMapAttr,
        body: Body,
    ) -> Sequence[OpResult]:
        """A `linalg.generic`. `body` gets one scalar per input, then one per output."""
        operands = [*(value for value, _ in inputs), *destinations]
        maps = [*(map for _, map in inputs), *[output_map] * len(destinations)]
        # Found again by their identities, which costs less than hashing them.
        known = tuple(map(id, maps))
        if known not in self._map_arrays:
            self._map_arrays[known] = ArrayAttr(maps)
        outer, outer_indices = self.block, self._loop_indices
        self.block = block = new_block([element_of(value) for value in operands])
        self._loop_indices = {}
        self.emit(YieldOp, [number.value for number in body([Number(self, arg) for arg in block.args])])
        self.block, self._loop_indices = outer, outer_indices
        return self.emit(
            GenericOp,
            operands,
            [value.type for value in destinations],
            {
                "indexing_maps": self._map_arrays[known],
                "iterator_types": iterators(output_map),
                "operandSegmentSizes": i32_array(len(inputs), len(destinations)),
            },
            (new_region(block),),
        )

    def elementwise(self, operands: Sequence[Access], type: AnyTensor, body: Callable[[Scalars], Number]) -> SSAValue:
        """An all-parallel generic over `type`. Splats become scalars; an operand read twice comes
        in once.
        """
        rank = len(type.shape.data)
        inputs: list[tuple[SSAValue, AffineMapAttr]] = []
        sources: list[int | Number] = []
        for operand, map in operands:
            if isinstance(operand, Splat):
                sources.append(self.scalar_of(operand))
                continue
            known = (i for i, (value, other) in enumerate(inputs) if value is operand and other == map)
            sources.append(next(known, len(inputs)))
            if sources[-1] == len(inputs):
                inputs.append((operand, map))

        def scalars(args: Scalars) -> Scalars:
            return (body([args[s] if s.__class__ is int else s for s in sources]),)  # pyright: ignore

        return self.generic(inputs, [self.empty(type)], identity(rank), scalars)[0]

    def moved(self, source: Lowered, map: AffineMapAttr, type: AnyTensor) -> SSAValue:
        """The tensor whose element at each index is that of `source` at the mapped index."""
        return self.elementwise([(source, map)], type, lambda args: args[0])

    def transposed(self, value: SSAValue, order: Sequence[int] | None) -> SSAValue:
        """`value` with its dimension `order[i]` as dimension `i`, by default as it is."""
        if order is None or list(order) == list(range(len(order))):
            return value
        rank = len(order)
        shape = shape_of(value)
        type = tensor_type(element_of(value), *(shape[dim] for dim in order))
        return self.moved(value, projection(rank, tuple(order.index(dim) for dim in range(rank))), type)

    def loop_index(self, dim: int) -> Number:
        """`linalg.index` of a loop dimension, once per body."""
        index = self._loop_indices.get(dim)
        if index is None:
            index = Number(self, self.result(IndexOp, (), INDEX, {"dim": i64_attribute(dim)}))
            self._loop_indices[dim] = index
        return index

    # Views and slices

    def reshape(self, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        """`value` with another shape, as views; a single element of rank 0 is copied."""
        source, target = shape_of(value), tuple(shape)
        if source == target:
            return value
        type = tensor_type(element_of(value), *target)
        if 0 in target:
            return self.empty(type)
        if not source:
            return self.filled(value, type)
        groups = common_groups(source, target)
        middle = tuple(math.prod(source[dim] for dim in group) for group, _ in groups)
        if middle != source:
            properties = {"reassociation": reassociation([group for group, _ in groups])}
            collapsed = tensor_type(type.element_type, *middle)
            value = self.result(tensor.CollapseShapeOp, (value,), collapsed, properties)
        return value if middle == target else self.expand(value, [group for _, group in groups], target)

    def expand(self, value: SSAValue, groups: Sequence[Sequence[int]], shape: Sequence[int]) -> SSAValue:
        """`tensor.expand_shape`."""
        properties = {"reassociation": reassociation(groups), "static_output_shape": i64_array(*shape)}
        return self.result(tensor.ExpandShapeOp, (value,), tensor_type(element_of(value), *shape), properties)

    def insert_slice(
        self,
        source: SSAValue,
        destination: SSAValue,
        offsets: Sequence[Index],
        strides: Sequence[int] | None = None,
    ) -> SSAValue:
        """`destination` with `source` written at `offsets` with `strides`."""
        shape = shape_of(source)
        dynamic = [offset.value for offset in offsets if isinstance(offset, Number)]
        static = tuple(DYNAMIC_INDEX if isinstance(offset, Number) else offset for offset in offsets)
        return self.result(
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
