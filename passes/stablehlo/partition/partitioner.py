"""The walk over a global program that writes the local one: functions, blocks, ops by their families."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....decisions.communication import Communication
from ....dialects import locating, stablehlo
from ....dialects.editing import append, new_op
from ....dialects.sdy.shardings import Sharding
from ....dialects.shared_attributes import function_type, tensor_type
from ....dialects.stablehlo.shapes import is_tensor
from ....ir.tensor_builder import Tensor, TensorBuilder
from .collectives import Emitter
from .devices import Devices, Layout, replicated
from .site import Handler, Site
from .values import Value

ShardingOf = Callable[[SSAValue], "Sharding | None"]
"""The sharding of a value; None where it says none."""


@dataclass
class Partitioner:
    """Writes the local program of functions, one at a time."""

    devices: Devices
    sharding_of: ShardingOf
    handler_of: Callable[[Operation], Handler]
    costs: Communication
    channels: count[int]
    signature: Callable[[func.CallOp], tuple[list[Layout | None], list[Layout | None]]]
    """The layouts of arguments and results of the function that is called."""
    body_of: Callable[[stablehlo.CompositeOp], Region]
    """The global program of a decomposition."""
    replicas: int = 1
    strict: bool = False
    """Whether it is an error that an op is not divided."""

    def __post_init__(self) -> None:
        self._values: dict[SSAValue, Value] = {}
        self._others: dict[SSAValue, SSAValue] = {}
        """What is no tensor, such as tokens."""
        self._copies: list[Region] = []

    def function(self, function: func.FuncOp, results: Sequence[Sharding | None], *, is_entry: bool) -> None:
        """Makes `function` its local program; `results` are the shardings of what it returns. That of an entry is
        called from outside.
        """
        old = function.body.block
        types = [self._local(argument) for argument in old.args]
        block = Block(arg_types=types)
        builder = TensorBuilder(function, block)
        self.emitter = Emitter(self.devices, builder, self.channels, self.replicas)
        for argument, new in zip(old.args, block.args, strict=True):
            new.name_hint, new.location = argument.name_hint, argument.location
            there = self._elsewhere(argument, self.sharding_of(argument)) if is_entry else None
            moved = new if there is None else self.emitter.moved(Tensor(builder, new), there, self.devices.order).value
            self._bind(argument, moved, builder)
        returned = self._ops(old, builder)
        layouts = [self.layout(sharding, value) for sharding, value in zip(results, returned, strict=True)]
        values = self.in_layouts(returned, layouts)
        for number, sharding in enumerate(results if is_entry else ()):
            if (there := self._elsewhere(returned[number], sharding)) is not None:
                moved = self.emitter.moved(Tensor(builder, values[number]), self.devices.order, there)
                values[number] = moved.value
        append(block, new_op(func.ReturnOp, values, location=cast(Operation, old.last_op).location))
        function.properties["function_type"] = function_type(tuple(types), tuple(value.type for value in values))
        function.body.detach_block(old)
        function.body.add_block(block)
        for dead in (old, *(region.block for region in self._copies)):
            for op in dead.ops:
                op.drop_all_references()
        self._values, self._others, self._copies = {}, {}, []

    def _elsewhere(self, value: SSAValue, sharding: Sharding | None) -> Sequence[int] | None:
        """The partitions that have `value` outside, by number; None where they are those of the numbers."""
        layout = self.layout(sharding, value)
        if sharding is None or layout is None or not layout.used:
            return None
        return self.devices.strangers.get(sharding.mesh)

    def region(
        self, op: Operation, region: Region, arguments: Sequence[Layout | None], results: Sequence[Layout | None]
    ) -> Region:
        """The local program of a region of `op`, with these layouts of its arguments and of what it returns."""
        old = region.block
        block = Block(arg_types=[self.type_in(x, y) for x, y in zip(old.args, arguments, strict=True)])
        builder = TensorBuilder(op, block)
        for argument, new, layout in zip(old.args, block.args, arguments, strict=True):
            self._bind(argument, new, builder, layout)
        returned = self.in_layouts(self._ops(old, builder), results)
        append(block, new_op(stablehlo.ReturnOp, returned, location=op.location))
        return Region(block)

    def in_layouts(self, values: Sequence[SSAValue], layouts: Sequence[Layout | None]) -> list[SSAValue]:
        """Global values as local ones; None for what is no tensor."""
        return [
            self.other(value) if layout is None else self.value(value).in_layout(layout).value
            for value, layout in zip(values, layouts, strict=True)
        ]

    def ops(self, block: Block, builder: TensorBuilder) -> Sequence[SSAValue]:
        """Partitions the ops of a block into another one; returns the operands of its terminator."""
        return self._ops(block, builder)

    def _ops(self, block: Block, builder: TensorBuilder) -> Sequence[SSAValue]:
        outer = builder.anchor
        for op in block.ops:
            if op is block.last_op:
                builder.anchor = outer
                return tuple(op.operands)
            builder.anchor = op
            self.partition(op, builder)
        return ()

    def partition(self, op: Operation, builder: TensorBuilder) -> None:
        """Writes the local program of one op."""
        if locating.is_on:
            locating.at(op)
        self.handler_of(op)(Site(self, op, builder))

    # Values

    def layout(self, sharding: Sharding | None, value: SSAValue) -> Layout | None:
        """The layout that a sharding of `value` describes; None if it is no tensor."""
        if not is_tensor(value.type):
            return None
        return self.devices.layout(sharding, len(value.type.shape.data))

    def declared(self, value: SSAValue) -> Layout | None:
        """The layout that the program says a tensor has, if it says one."""
        known = self._values.get(value)
        if known is not None:
            return known.wanted
        sharding = self.sharding_of(value)
        return None if sharding is None else self.layout(sharding, value)

    def wanted(self, value: SSAValue) -> Layout:
        """The same; where it says none, every device has all of the tensor."""
        return self.declared(value) or replicated(len(cast("TensorType[Attribute]", value.type).shape.data))

    def value(self, value: SSAValue) -> Value:
        """What is known of a tensor of the global program."""
        return self._values[value]

    def other(self, value: SSAValue) -> SSAValue:
        """What stands for a value that is no tensor."""
        return self._others[value]

    def define(self, value: SSAValue) -> Value:
        """The tensor `value`, made where it was not known."""
        if value not in self._values:
            type = cast("TensorType[Attribute]", value.type)
            self._values[value] = Value(self.emitter, type, self.declared(value), self.costs)
        return self._values[value]

    def pass_on(self, value: SSAValue, known: SSAValue) -> None:
        """`value` is what `known` is, declared in another layout perhaps."""
        if is_tensor(value.type):
            self._values[value] = self.value(known).alias(self.declared(value))
        else:
            self._others[value] = self.other(known)

    def keep(self, region: Region) -> None:
        """A copied region, whose values are known, until the function is done."""
        self._copies.append(region)

    def define_other(self, value: SSAValue, new: SSAValue) -> None:
        """`new` stands for `value`, which is no tensor."""
        self._others[value] = new

    def bind(self, value: SSAValue, tensor: Tensor, layout: Layout) -> None:
        """An argument of a region is `tensor`, declared and present in `layout`."""
        type = cast("TensorType[Attribute]", value.type)
        known = self._values[value] = Value(self.emitter, type, layout, self.costs)
        known.add(layout, tensor)

    def _bind(self, old: SSAValue, new: SSAValue, builder: TensorBuilder, layout: Layout | None = None) -> None:
        if is_tensor(old.type):
            self.bind(old, Tensor(builder, new), layout or self.wanted(old))
        else:
            self.define_other(old, new)

    def _local(self, value: SSAValue) -> Attribute:
        return self.type_in(value, self.layout(self.sharding_of(value), value))

    def type_in(self, value: SSAValue, layout: Layout | None) -> Attribute:
        """The type of each device's part of `value`; its own if it is no tensor."""
        if layout is None:
            return value.type
        type = cast("TensorType[Attribute]", value.type)
        return tensor_type(type.element_type, *self.devices.local_shape(type.get_shape(), layout))
