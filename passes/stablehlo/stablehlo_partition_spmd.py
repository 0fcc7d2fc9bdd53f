"""`stablehlo-partition-spmd`: a program on global shapes, spread over a mesh, becomes the program of one device of it.

Every device runs the same program on its part of each tensor. A dimension that the `sdy.sharding` of a value splits in
p parts has ceil(n / p) elements on each device; those behind the n-th are padding, whose values mean nothing. Where ops
need elements of other devices, collectives exchange them, with the partitions of `mhlo.num_partitions` as members:

    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, ...) -> ... {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> ...

becomes

    func.func @main(%x: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, ...) -> ...
        attributes {xrt.global_type = (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>} {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x2xf32>, tensor<2x6xf32>) -> ...
      %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : ..., channel_handle = ...}> ...

Arguments and results of public functions keep their shardings, and `xrt.global_type` says their global types: part i
of a dimension of n elements is those from i c below min(n, (i + 1) c), c = ceil(n / p), i counting the axes of the
sharding major to minor. Values of devices over which a sharding is replicated are the same, `unreduced` ones are to be
combined.

What a value is declared to be decides what its op computes where; what is exchanged follows from what reads it
(`partition/`, whose documentation says how ops are added). An op that cannot be divided runs on every device on whole
operands, with a remark that says so, which with `strict=true` is an error. An op with effects runs on one device, which
tells the others its results. Values without sharding come as they come,
arguments and results of functions without one are whole on every device. A mesh whose devices have an order that does
not go with those of the others is taken as one in their order; arguments and results that are split over it are
exchanged where the program begins and ends.

Needs: static shapes, no tuples (`stablehlo-flatten-tuples`), meshes of one size; shardings as `sdy-propagate` leaves
them are best. Leaves: no ops of `sdy` but meshes, local shapes, `mhlo.num_partitions`. A program without
shardings over more than one device is left alone: all of it is whole on every device, unless it has a mesh, and ops
with effects, which then happen once.

Sources: Y. Xu et al., "GSPMD: General and Scalable Parallelization for ML Computation Graphs" (2021), for partial
results, padding and masks; the search for a sequence of collectives is Dijkstra's algorithm over shardings.

Not a pattern pass: types of all values change at once, and each op is written anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp, TupleType, i32
from xdsl.ir import Operation, Region, SSAValue
from xdsl.passes import ModulePass

from ...decisions.model import CostModel, cost_model_of
from ...dialects.editing import clone_region, walk
from ...dialects.sdy.sharding_attributes import TensorShardingPerValueAttr
from ...dialects.sdy.shardings import Sharding
from ...dialects.sdy.values import IN_SHARDINGS, OUT_SHARDINGS, meshes_of, resolve, result_shardings, sharding_of
from ...dialects.stablehlo.composite import CompositeOp
from ...dialects.stablehlo.shapes import is_tensor
from ...dialects.xrt_names import GLOBAL_TYPE
from ...errors import InvalidProgramError, UnsupportedError
from ...ir.device_programs import between_partitions
from .partition.devices import Devices, Layout, devices_of
from .partition.effects import happens_once
from .partition.families import handler_of
from .partition.partitioner import Partitioner

PARTITIONS, REPLICAS = "mhlo.num_partitions", "mhlo.num_replicas"


@dataclass(frozen=True)
class StablehloPartitionSpmdPass(ModulePass):
    """Partition every function. See the module's documentation."""

    name = "stablehlo-partition-spmd"

    strict: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        module = _Module(op)
        shardings = list(module.shardings()) or list(module.whole())
        partitions = max((sharding.mesh.size for sharding in shardings), default=1)
        declared = module.count(PARTITIONS)
        if shardings and declared not in (1, partitions):
            raise InvalidProgramError(f"a program for {declared} partitions with meshes of {partitions} devices", op)
        if partitions > 1:
            _refuse_other_values(op)
            devices = devices_of(shardings, partitions)
            module.partition(devices, self.strict, cost_model_of(ctx))


def _refuse_other_values(module: ModuleOp) -> None:
    """Raises `UnsupportedError` for values whose parts have no type: tuples, and tensors whose elements are quantised
    differently along a dimension.
    """
    for op in walk(module):
        arguments = [argument for region in op.regions for block in region.blocks for argument in block.args]
        for value in (*op.results, *arguments):
            if isinstance(value.type, TupleType):
                raise UnsupportedError(
                    f"a value of {value.type} has no parts; `stablehlo-flatten-tuples` makes values of its elements", op
                )
            if is_tensor(value.type) and getattr(value.type.element_type, "axis", None) is not None:
                raise UnsupportedError(f"a value of {value.type}, quantised along a dimension, has no parts", op)


class _Module:
    """What is looked up in a module once."""

    def __init__(self, module: ModuleOp) -> None:
        self.module = module
        self.meshes = meshes_of(module)
        self.functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
        self.results = {name: result_shardings(op, self.meshes) for name, op in self.functions.items()}

    def sharding_of(self, value: SSAValue) -> Sharding | None:
        """What the program says of a value."""
        return sharding_of(value, self.meshes)

    def shardings(self) -> Iterator[Sharding]:
        """All shardings of the program, first those of computations that are local already."""
        for op in walk(self.module):
            for name in (IN_SHARDINGS, OUT_SHARDINGS):
                if isinstance(attribute := op.properties.get(name), TensorShardingPerValueAttr):
                    yield from (resolve(sharding, op, self.meshes) for sharding in attribute.data)
        yield from (sharding for shardings in self.results.values() for sharding in shardings if sharding is not None)
        for op in walk(self.module):
            for region in op.regions:
                for block in region.blocks:
                    yield from (found for x in block.args if (found := self.sharding_of(x)) is not None)
            yield from (found for x in op.results if (found := self.sharding_of(x)) is not None)

    def whole(self) -> Iterator[Sharding]:
        """Of a program that splits nothing, the meshes over which ops with effects are to happen once."""
        meshes = [mesh for mesh in self.meshes.values() if mesh.size > 1]
        if any(map(happens_once, walk(self.module))) and not any(between_partitions(self.module)):
            yield from (Sharding(mesh, ()) for mesh in meshes)

    def partition(self, devices: Devices, strict: bool, model: CostModel) -> None:
        """Makes the module the local program of `devices`."""
        bodies = self._decompositions()
        partitioner = Partitioner(
            devices,
            self.sharding_of,
            handler_of,
            model.communication,
            count(1),
            lambda call: self._signature(devices, call),
            lambda op: bodies[op.decomposition.string_value()],
            self.count(REPLICAS),
            strict,
        )
        functions = [function for function in self.functions.values() if not function.is_declaration]
        types = [function.function_type for function in functions]
        for function, type in zip(functions, types, strict=True):
            is_entry = function.sym_visibility is None or function.sym_visibility.data != "private"
            partitioner.function(function, self.results[function.sym_name.data], is_entry=is_entry)
            if is_entry:
                function.attributes[GLOBAL_TYPE] = type
        self.module.attributes[PARTITIONS] = IntegerAttr(devices.count, i32)

    def count(self, name: str) -> int:
        """The number that the module has as an attribute; 1 where it says none."""
        count = self.module.attributes.get(name)
        return cast("IntegerAttr[IntegerType]", count).value.data if isinstance(count, IntegerAttr) else 1

    def _decompositions(self) -> dict[str, Region]:
        """The bodies of functions that composites stand for, as they are before anything is partitioned."""
        composites = [op for op in walk(self.module) if isinstance(op, CompositeOp)]
        users = {op.decomposition.string_value(): op for op in composites}
        return {name: clone_region(self._function(name, user).body, {}) for name, user in users.items()}

    def _function(self, name: str, user: Operation) -> func.FuncOp:
        """The function `name`, of which the program has the body."""
        function = self.functions.get(name)
        if function is None or function.is_declaration:
            raise UnsupportedError(f"'{user.name}' op: @{name} has no body to partition", user)
        return function

    def _signature(self, devices: Devices, call: func.CallOp) -> tuple[list[Layout | None], list[Layout | None]]:
        """The layouts of arguments and results of the function that is called."""
        name = call.callee.string_value()
        function = self._function(name, call)
        arguments = [self.sharding_of(argument) for argument in function.args]
        return (
            [_layout(devices, x, value) for x, value in zip(arguments, call.operands, strict=True)],
            [_layout(devices, x, value) for x, value in zip(self.results[name], call.results, strict=True)],
        )


def _layout(devices: Devices, sharding: Sharding | None, value: SSAValue) -> Layout | None:
    if not is_tensor(value.type):
        return None
    return devices.layout(sharding, len(value.type.shape.data))
