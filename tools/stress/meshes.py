"""A program that leaves the partitioning to the compiler, on more or fewer devices than it was written for."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import IntegerAttr, ModuleOp

from ...dialects.editing import walk
from ...dialects.sdy.annotations import MeshOp
from ...dialects.sdy.mesh_attributes import MeshAttr
from ...dialects.sdy.regions import ManualComputationOp
from ...dialects.sdy.shardings import Mesh
from ...dialects.sdy.values import meshes_of
from ...runtime.sharding.program import PARTITIONS


def devices_of(module: ModuleOp) -> int:
    """For how many devices the meshes of a program are, or older annotations, which say their number in the module."""
    written = module.attributes.get(PARTITIONS)
    partitions = written.value.data if isinstance(written, IntegerAttr) else 1
    return max((mesh.size for mesh in meshes_of(module).values()), default=partitions)


def can_be_resized(module: ModuleOp) -> bool:
    """Whether no part of the program depends on the sizes of its only mesh."""
    meshes = list(meshes_of(module).values())
    return (
        len(meshes) == 1
        and meshes[0].device_ids is None
        and not any(isinstance(op, ManualComputationOp) for op in walk(module))
    )


def resize(module: ModuleOp, devices: int) -> None:
    """Give the axes of the mesh other sizes, whose product is `devices`, as far as possible like the old ones."""
    for op in module.ops:
        if isinstance(op, MeshOp):
            op.mesh = MeshAttr(Mesh(_resized(op.mesh.data.axes, devices)))
            op.attributes.pop("stablehlo.mesh", None)
    module.attributes.pop(PARTITIONS, None)


def _resized(axes: tuple[tuple[str, int], ...], devices: int) -> tuple[tuple[str, int], ...]:
    """Halves the largest axis or doubles the smallest one; what is left then is a factor of the first."""
    sizes = [size for _, size in axes]
    while prod(sizes) > devices and max(sizes) > 1:
        largest = sizes.index(max(sizes))
        sizes[largest] //= 2
    while prod(sizes) * 2 <= devices:
        smallest = sizes.index(min(sizes))
        sizes[smallest] *= 2
    if prod(sizes) != devices:
        sizes = [devices] + [1] * (len(sizes) - 1)
    return tuple((name, size) for (name, _), size in zip(axes, sizes, strict=True))
