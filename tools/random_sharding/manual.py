"""Random `sdy.manual_computation` ops that change no value: parts of a tensor pass through a barrier, or are gathered.

They bring what `shard_map` of JAX brings, regions of local shapes and collectives, and a program with them still has to
give what it gives without.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from random import Random

import numpy as np
from xdsl.dialects.builtin import ModuleOp, TensorType, UnitAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects import stablehlo as hlo
from ...dialects.editing import erase, new_op, walk
from ...dialects.sdy.axis_attributes import ManualAxesAttr
from ...dialects.sdy.regions import ManualComputationOp, ReturnOp
from ...dialects.sdy.sharding_attributes import TensorShardingPerValueAttr
from ...dialects.sdy.shardings import AxisRef, DimensionSharding, Mesh, Sharding
from ...dialects.stablehlo.attributes import ChannelHandleAttr
from ...dialects.stablehlo.shapes import is_tensor

DEVICE_TO_DEVICE = 1


def manual_identity(value: SSAValue, sharding: Sharding, random: Random) -> Operation | None:
    """A manual computation over axes of `sharding`, all or the first ones of each dimension, whose result is `value`;
    None where the parts of these would be uneven, or parts of axes are used.
    """
    assert is_tensor(value.type)
    shape, mesh = value.type.get_shape(), sharding.mesh
    if any(axis.size is not None for dimension in sharding.dimensions for axis in dimension.axes):
        return None
    is_whole = random.random() < 0.5
    own = [
        dimension.axes if is_whole else dimension.axes[: random.randint(0, len(dimension.axes))]
        for dimension in sharding.dimensions
    ]
    parts = [prod(mesh.axis_size(axis) for axis in axes) for axes in own]
    if any(n % p for n, p in zip(shape, parts, strict=True)):
        return None
    dimensions = [
        DimensionSharding(dimension.axes, is_closed=is_whole or random.random() < 0.5)
        for dimension in sharding.dimensions
    ]
    stated = sharding._replace(dimensions=tuple(dimensions), replicated=())
    local = TensorType(value.type.element_type, [n // p for n, p in zip(shape, parts, strict=True)])
    block = Block(arg_types=[local])
    result, out = _body(block, stated, own, random)
    block.add_op(new_op(ReturnOp, operands=[result]))
    names = {axis.name for axes in own for axis in axes}
    return new_op(
        ManualComputationOp,
        operands=[value],
        result_types=[value.type],
        properties={
            "in_shardings": TensorShardingPerValueAttr.of([stated]),
            "out_shardings": TensorShardingPerValueAttr.of([out]),
            "manual_axes": ManualAxesAttr(tuple(name for name, _ in mesh.axes if name in names)),
        },
        regions=[Region(block)],
    )


def _body(
    block: Block, sharding: Sharding, own: Sequence[Sequence[AxisRef]], random: Random
) -> tuple[SSAValue, Sharding]:
    """The ops of the region, whose manual axes of each dimension are `own`; what it returns, and how that is spread."""
    split = [index for index, axes in enumerate(own) if axes]
    argument = block.args[0]
    if not split or sharding.mesh.device_ids is not None or random.random() < 0.5:
        barrier = hlo.OptimizationBarrierOp(argument)
        block.add_op(barrier)
        return barrier.results[0], sharding
    index = random.choice(split)
    assert is_tensor(argument.type)
    shape = list(argument.type.get_shape())
    names = [axis.name for axis in own[index]]
    shape[index] *= prod(map(sharding.mesh.axis_size, own[index]))
    gathered = TensorType(argument.type.element_type, shape)
    op = hlo.AllGatherOp([argument], index, groups_along(sharding.mesh, names), [gathered])
    op.properties["channel_handle"] = ChannelHandleAttr((1, DEVICE_TO_DEVICE))
    op.properties["use_global_device_ids"] = UnitAttr()
    block.add_op(op)
    dimensions = list(sharding.dimensions)
    dimensions[index] = DimensionSharding()
    return op.results[0], sharding._replace(dimensions=tuple(dimensions))


def groups_along(mesh: Mesh, names: list[str]) -> list[list[int]]:
    """The devices that differ along these axes only, numbered by them, major to minor."""
    places = [[name for name, _ in mesh.axes].index(name) for name in names]
    rest = [place for place in range(len(mesh.axes)) if place not in places]
    devices = np.arange(mesh.size).reshape([size for _, size in mesh.axes])
    return devices.transpose(rest + places).reshape(-1, int(np.prod([devices.shape[p] for p in places]))).tolist()


def has_manual(module: ModuleOp) -> bool:
    """Whether a module has manual computations."""
    return any(isinstance(op, ManualComputationOp) for op in walk(module))


def without_manual(module: ModuleOp) -> ModuleOp:
    """A copy of a random program in which the operands of manual computations are used in their place."""
    copy = module.clone()
    for op in [op for op in walk(copy) if isinstance(op, ManualComputationOp)]:
        for result, operand in zip(op.results, op.operands, strict=True):
            result.replace_all_uses_with(operand)
        erase(op)
    return copy
