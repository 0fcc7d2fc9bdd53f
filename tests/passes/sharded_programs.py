"""Programs on global shapes with random shardings of all values, partitioned and run on a grid of the reference.

The answer is that of one device. Padding that devices are called with is NaN, or a number that shows: whoever lets it
into a result is found.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl_xla.dialects.editing import walk
from xdsl_xla.dialects.sdy.shardings import AxisRef, DimensionSharding, Mesh, Sharding
from xdsl_xla.dialects.sdy.values import result_shardings, set_result_sharding, set_sharding, sharding_of
from xdsl_xla.dialects.stablehlo.shapes import element_type_of, is_tensor, shape_of
from xdsl_xla.dialects.xrt_names import GLOBAL_TYPE
from xdsl_xla.passes.stablehlo.partition.devices import Devices, Layout, devices_of
from xdsl_xla.passes.stablehlo.stablehlo_partition_spmd import StablehloPartitionSpmdPass
from xdsl_xla.reference.arrays import dtype_of
from xdsl_xla.reference.interpreter import run, run_grid
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.runtime.verifying import verify_module

Array = np.ndarray[Any, np.dtype[Any]]

MESHES = (
    Mesh((("x", 2),)),
    Mesh((("x", 2), ("y", 2))),
    Mesh((("x", 2), ("y", 3))),
    Mesh((("x", 4), ("y", 2))),
    Mesh((("x", 2), ("y", 2)), (2, 0, 3, 1)),
    Mesh((("x", 2), ("y", 2)), (0, 2, 1, 3)),
)


def random_sharding(rng: random.Random, mesh: Mesh, rank: int, share: float) -> Sharding:
    """About `share` of the axes, parts of axes too, on random dimensions in random order."""
    axes: list[AxisRef] = []
    for name, size in mesh.axes:
        whole = size != 4 or rng.random() < 0.5
        axes += [AxisRef(name)] if whole else [AxisRef(name, 1, 2), AxisRef(name, 2, 2)]
    rng.shuffle(axes)
    dimensions: list[list[AxisRef]] = [[] for _ in range(rank)]
    for axis in axes:
        if rank and rng.random() < share:
            dimensions[rng.randrange(rank)].append(axis)
    return Sharding(mesh, tuple(DimensionSharding(tuple(_merged(dim))) for dim in dimensions))


def _merged(axes: Sequence[AxisRef]) -> list[AxisRef]:
    """The two halves of an axis in order are the axis."""
    merged: list[AxisRef] = []
    for axis in axes:
        if merged and merged[-1] == AxisRef(axis.name, 1, 2) and axis.pre_size == 2:
            merged[-1] = AxisRef(axis.name)
        else:
            merged.append(axis)
    return merged


def shard(module: ModuleOp, mesh: Mesh, seed: int, share: float = 0.7) -> None:
    """Gives all tensors of `module` random shardings; the same ones to what a loop carries."""
    rng = random.Random(seed)

    def set_random(value: SSAValue) -> None:
        if is_tensor(value.type):
            set_sharding(value, random_sharding(rng, mesh, len(shape_of(value)), share))

    for op in walk(module):
        if isinstance(op, FuncOp):
            for argument in op.args:
                set_random(argument)
            for index, type in enumerate(op.function_type.outputs):
                set_result_sharding(op, index, random_sharding(rng, mesh, len(cast(Any, type).get_shape()), share))
        for result in op.results:
            set_random(result)


def part_of(array: Array, layout: Layout, devices: Devices, number: int) -> Array:
    """The part of a device, padded."""
    for dim, digits in enumerate(layout.dimensions):
        size, place = devices.local_size(array.shape[dim], digits), devices.coordinates(digits)[number]
        array = np.take(
            array, range(min(place * size, array.shape[dim]), min((place + 1) * size, array.shape[dim])), dim
        )
        padding = [(0, size - array.shape[d] if d == dim else 0) for d in range(array.ndim)]
        array = np.pad(array, padding, constant_values=np.nan if array.dtype.kind in "fc" else 77)
    return array


def joined(parts: Sequence[Array], layout: Layout, devices: Devices, shape: Sequence[int]) -> Array:
    """The tensor of which devices have `parts`, in the order of their numbers; copies must agree."""
    whole, is_known = np.zeros(shape, parts[0].dtype), np.zeros(shape, bool)
    for number, part in enumerate(parts):
        places: list[slice] = []
        for dim, digits in enumerate(layout.dimensions):
            size, place = devices.local_size(shape[dim], digits), devices.coordinates(digits)[number]
            places.append(slice(min(place * size, shape[dim]), min((place + 1) * size, shape[dim])))
        own = part[tuple(slice(0, place.stop - place.start) for place in places)]
        known = is_known[tuple(places)]
        np.testing.assert_allclose(own[known], whole[tuple(places)][known], rtol=1e-5, atol=1e-6)
        whole[tuple(places)], is_known[tuple(places)] = own, True
    assert is_known.all()
    return whole


def partitioned(module: ModuleOp) -> tuple[Devices, list[Layout], list[Layout]]:
    """Partitions `module` in place; the devices, and the layouts of arguments and results of its function `main`."""
    main = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
    shardings = [*map(sharding_of, main.args)], result_shardings(main)
    values = [x for op in walk(module) for x in op.results] + list(main.args)
    meshes = [x for x in (*map(sharding_of, values), *shardings[1]) if x is not None]
    StablehloPartitionSpmdPass().apply(new_context(), module)
    verify_module(module)
    devices = devices_of(meshes, meshes[0].mesh.size)
    type = cast(Any, main.attributes[GLOBAL_TYPE])
    arguments, results = (
        [devices.layout(x, len(t.get_shape())) for x, t in zip(found, types, strict=True)]
        for found, types in zip(shardings, (type.inputs, type.outputs), strict=True)
    )
    return devices, arguments, results


def run_partitioned(module: ModuleOp, inputs: Sequence[Array]) -> list[Array]:
    """The global results of `module` partitioned, on global inputs."""
    main = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
    shapes = [cast(Any, type).get_shape() for type in main.function_type.outputs]
    devices, arguments, results = partitioned(module)
    numbers = [devices.order.index(partition) for partition in range(devices.count)]
    rows = [[part_of(x, layout, devices, n) for x, layout in zip(inputs, arguments, strict=True)] for n in numbers]
    (found,) = run_grid(module, [["main"] * devices.count], [rows])
    return [
        joined([found[partition][index] for partition in devices.order], layout, devices, shape)
        for index, (layout, shape) in enumerate(zip(results, shapes, strict=True))
    ]


def check(text: str, seed: int, inputs: Sequence[Array] | None = None, share: float = 0.7) -> ModuleOp:
    """Partitions a program with random shardings, compares it with one device, and returns what it became."""
    module = parse_module(text, "program.mlir")
    values = random_inputs(module, seed) if inputs is None else list(inputs)
    expected = run(module, "main", values)
    shard(module, MESHES[seed % len(MESHES)], seed, share)
    for found, answer in zip(run_partitioned(module, values), expected, strict=True):
        if answer.dtype.kind in "fc":
            np.testing.assert_allclose(found, answer, rtol=1e-5, atol=1e-5, err_msg=f"seed {seed}")
        else:
            np.testing.assert_array_equal(found, answer, err_msg=f"seed {seed}")
    return module


def random_inputs(module: ModuleOp, seed: int) -> list[Array]:
    """Arrays for the arguments of `main`: numbers near 0, small integers."""
    rng = np.random.default_rng(seed)
    main = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
    arrays: list[Array] = []
    for argument in main.args:
        shape, dtype = shape_of(argument), dtype_of(element_type_of(argument))
        numbers = (
            rng.standard_normal(shape) if dtype.kind in "fc" else rng.integers(0, 2 if dtype.kind == "b" else 4, shape)
        )
        arrays.append(np.asarray(numbers).astype(dtype))
    return arrays
