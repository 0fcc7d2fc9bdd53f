"""Groups of devices named by the axes of a mesh."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

import numpy as np
from xdsl.dialects.builtin import NoneAttr

from ..dialects.stablehlo.mesh_attributes import (
    AxisRefAttr,
    MeshAttr,
    ReplicaGroupMeshAxesAttr,
    SubAxisInfoAttr,
)
from ..errors import UnsupportedError
from .arrays import Array, dense_array


def groups_of_mesh(groups: ReplicaGroupMeshAxesAttr) -> list[list[int]]:
    """The ids of devices that differ along the named axes only; a part of an axis counts as an axis."""
    mesh = groups.mesh
    if not isinstance(mesh, MeshAttr):
        raise UnsupportedError(f"replica groups of the mesh {mesh}, which the attribute only names")
    sizes = {axis.axis_name.data: axis.size.data for axis in mesh.axes.data}
    parts = {name: (1, 1) for name in sizes}
    references = cast(Sequence[AxisRefAttr], groups.axes.data)
    for reference in references:
        name, info = reference.axis_name.data, reference.sub_axis_info
        if parts[name] != (1, 1):
            raise UnsupportedError(f"replica groups of two parts of the mesh axis {name}")
        parts[name] = (info.pre_size.data, info.size.data) if isinstance(info, SubAxisInfoAttr) else (1, sizes[name])
    # Each axis becomes three: before the part, the part itself, after it.
    split = [n for name, (before, size) in parts.items() for n in (before, size, sizes[name] // (before * size))]
    chosen = [3 * list(sizes).index(reference.axis_name.data) + 1 for reference in references]
    kept = [d for d in range(len(split)) if d not in chosen]
    ids = _device_ids(mesh, prod(sizes.values())).reshape(split).transpose([*kept, *chosen])
    return [[int(id) for id in row] for row in ids.reshape(-1, prod(split[d] for d in chosen))]


def _device_ids(mesh: MeshAttr, count: int) -> Array:
    if isinstance(mesh.device_ids, NoneAttr):
        return np.arange(count, dtype=np.int64)
    return dense_array(mesh.device_ids).reshape(-1)
