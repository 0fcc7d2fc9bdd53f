"""`sdy-inline-manual-computations`: a program that is written for one device of a mesh already becomes that program.

What stands in `sdy.manual_computation` is local. Where nothing outside of such ops touches a tensor that is split, the
program of a device is what they contain, on the parts of the arguments: no op is to be divided. Computations that are
manual over some axes only are local too, if their regions use no other axes: the devices along those do the same.

Needs: no calls of functions (`func-inline-calls`). An op on a split tensor, and a tensor that is split in one way where
it comes from and in another where it is used, raise `UnsupportedError`: `stablehlo-partition-spmd` divides those.
Leaves: no `manual_computation`, `named_computation`, `sharding_constraint`, `reshard` or other op of the dialect but
`mesh`; arguments and results of local types with `sdy.sharding` saying how they are split; `mhlo.num_partitions`.

    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"}
          (%a: tensor<4xf32>) {
        %1 = stablehlo.negate %a : tensor<4xf32>
        sdy.return %1 : tensor<4xf32>
      } : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }

becomes

    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
        -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
      %1 = stablehlo.negate %x : tensor<4xf32>
      return %1 : tensor<4xf32>
    }

Not a pattern pass: whether it may do anything is known when all of the program has been looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, TensorType, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ...dialects.editing import erase, replace_uses, walk
from ...dialects.sdy import forwarded
from ...dialects.sdy.annotations import MeshOp, ShardingOp
from ...dialects.sdy.regions import ManualComputationOp, NamedComputationOp
from ...dialects.sdy.shardings import AxisRef, DimensionSharding, Sharding, merged
from ...dialects.sdy.values import (
    Meshes,
    meshes_of,
    resolve,
    result_shardings,
    set_result_sharding,
    set_sharding,
    sharding_of,
)
from ...dialects.stablehlo.shapes import show
from ...errors import UnsupportedError
from ...ir.sdy_regions import inline_region

PARTITIONS = "mhlo.num_partitions"


class SdyInlineManualComputationsPass(ModulePass):
    """Makes the program of a device of the regions of `sdy.manual_computation`."""

    name = "sdy-inline-manual-computations"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not any(isinstance(nested, ManualComputationOp) for nested in walk(op)):
            return
        for nested in list(walk(op)):
            if isinstance(nested, NamedComputationOp):
                inline_region(nested)
        program = _Program(op)
        for function in op.body.block.ops:
            if isinstance(function, func.FuncOp) and not function.is_declaration:
                program.look_at(function)
        program.rewrite()


class _Program:
    """The functions of a module, and how each value that is split is split."""

    def __init__(self, module: ModuleOp) -> None:
        self.module = module
        self.meshes: Meshes = meshes_of(module)
        self.devices = max((mesh.size for mesh in self.meshes.values()), default=1)
        self.functions: list[func.FuncOp] = []
        self.splits: dict[SSAValue, Sharding] = {}
        """By value, the sharding of the tensor outside of the region where it is; without manual axes inside of one."""
        self.undecided: set[SSAValue] = set()
        """Arguments that are split as their first use wants them."""
        self.results: dict[func.FuncOp, list[Sharding]] = {}

    def look_at(self, function: func.FuncOp) -> None:
        """Find out how the values of a function are split."""
        self.functions.append(function)
        for argument in function.body.block.args:
            sharding = sharding_of(argument, self.meshes)
            if sharding is None:
                self.undecided.add(argument)
            else:
                self._split(argument, sharding, function)
        block = function.body.block
        self._look_at(block)
        returned = block.last_op
        assert returned is not None
        for value, wanted in zip(returned.operands, result_shardings(function, self.meshes), strict=True):
            if wanted is not None:
                self._require(value, wanted, returned)

    def _split(self, value: SSAValue, sharding: Sharding, op: Operation) -> None:
        mesh = sharding.mesh
        if sharding.unreduced:
            raise UnsupportedError(
                f"'{op.name}' op: a tensor that is still to be reduced is no part of a local program", op
            )
        if mesh.is_maximal:
            raise UnsupportedError(f"'{op.name}' op: a tensor that is on one device only", op)
        self.devices = max(self.devices, mesh.size)
        self.splits[value] = sharding

    def _axes(self, sharding: Sharding | None) -> tuple[tuple[AxisRef, ...], ...]:
        """By dimension the axes that split it; nothing for a tensor that is whole."""
        if sharding is None:
            return ()
        axes = tuple(merged(dimension.axes, sharding.mesh) for dimension in sharding.dimensions)
        return axes if any(sharding.parts(dimension) > 1 for dimension in range(len(axes))) else ()

    def _require(self, value: SSAValue, wanted: Sharding | None, op: Operation) -> None:
        """`op` uses `value` split in this way."""
        if value in self.undecided:
            self.undecided.discard(value)
            if wanted is not None:
                self._split(value, wanted, op)
            return
        if self._axes(self.splits.get(value)) != self._axes(wanted):
            raise UnsupportedError(
                f"'{op.name}' op: a tensor that is split in one way where it comes from and in another here; "
                "stablehlo-partition-spmd moves its parts",
                op,
            )

    def _look_at(self, block: Block) -> None:
        for op in block.ops:
            if isinstance(op, ManualComputationOp):
                self._look_at_manual(op)
            elif isinstance(op, ShardingOp):
                wanted = resolve(op.sharding, op, self.meshes)
                self._require(op.tensor, wanted, op)
                self._split(op.result, wanted, op)
            elif (values := forwarded(op)) is not None:  # pyright: ignore[reportArgumentType]
                for value, result in zip(values, op.results, strict=False):
                    if (sharding := self.splits.get(value)) is not None:
                        self.splits[result] = sharding
            elif op.next_op is not None:
                self._look_at_other(op)

    def _look_at_manual(self, op: ManualComputationOp) -> None:
        manual = op.manual_axes.data
        block = op.body.block
        for operand, argument, attribute in zip(op.operands, block.args, op.in_shardings.data, strict=True):
            sharding = resolve(attribute, op, self.meshes)
            self._require(operand, sharding, op)
            self._split(argument, sharding.inside(manual), op)
        self._look_at(block)
        returned = block.last_op
        assert returned is not None
        for value, result, attribute in zip(returned.operands, op.results, op.out_shardings.data, strict=True):
            sharding = resolve(attribute, op, self.meshes)
            self._require(value, sharding.inside(manual), returned)
            self._split(result, sharding, op)

    def _look_at_other(self, op: Operation) -> None:
        """An op outside of manual computations computes with whole tensors only."""
        for nested in walk(op):
            if isinstance(nested, ManualComputationOp):
                raise UnsupportedError(
                    "'sdy.manual_computation' op: inside of the control flow of a global program", nested
                )
            for operand in nested.operands:
                self._require_whole(operand, op)

    def _require_whole(self, value: SSAValue, op: Operation) -> None:
        if value in self.undecided:
            self.undecided.discard(value)
        elif self._axes(self.splits.get(value)):
            raise UnsupportedError(
                f"'{op.name}' op: is outside of the manual computations and has a split tensor of type "
                f"{show([value.type])}; stablehlo-partition-spmd divides such ops",
                op,
            )

    def rewrite(self) -> None:
        """Put the regions in place."""
        for function in self.functions:
            arguments = [self.splits.get(argument) for argument in function.body.block.args]
            returned = function.body.block.last_op
            assert returned is not None
            results = [self.splits.get(value) for value in returned.operands]
            for op in list(walk(function)):
                if isinstance(op, ManualComputationOp):
                    inline_region(op)
            _forward(function)
            for argument, sharding in zip(function.body.block.args, arguments, strict=True):
                argument._type = _part(argument.type, sharding)  # pyright: ignore[reportPrivateUsage]
                set_sharding(argument, None if sharding is None else _closed(sharding))
            function.update_function_type()
            for index, sharding in enumerate(results):
                set_result_sharding(function, index, None if sharding is None else _closed(sharding))
        self.module.attributes[PARTITIONS] = IntegerAttr(self.devices, i32)


def _forward(function: func.FuncOp) -> None:
    """What only says how values are split goes."""
    for op in list(walk(function)):
        values = None if isinstance(op, MeshOp) else forwarded(op)  # pyright: ignore[reportArgumentType]
        if values is not None:
            for value, result in zip(values, op.results, strict=False):
                replace_uses(result, value)
            erase(op)


def _closed(sharding: Sharding) -> Sharding:
    """How a tensor is split in the end."""
    dimensions = tuple(DimensionSharding(dimension.axes) for dimension in sharding.dimensions)
    return sharding._replace(dimensions=dimensions, replicated=())


def _part(type: Attribute, sharding: Sharding | None) -> Attribute:
    """The type of the part of a tensor that a device has."""
    if sharding is None or not isinstance(type, TensorType):
        return type
    tensor = cast("TensorType[Attribute]", type)
    return TensorType(tensor.element_type, _part_shape(tensor.get_shape(), sharding), tensor.encoding)


def _part_shape(shape: Sequence[int], sharding: Sharding) -> list[int]:
    return [
        -(-size // prod(map(sharding.mesh.axis_size, dimension.axes)))
        for size, dimension in zip(shape, sharding.dimensions, strict=True)
    ]
