"""The tensors of a program whose shardings propagation finds: a cell for each, or for all that an edge makes alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.sdy.shardings import AxisRef, DimensionSharding, Mesh, Sharding
from .parts import Part, Parts, axis_of, part_of
from .projection import TensorSharding


class Cell:
    """A sharding that one or several values have."""

    __slots__ = ("affected", "given", "mesh", "mesh_name", "result_of", "shape", "sharding", "values")

    def __init__(
        self, shape: tuple[int, ...], values: Iterable[SSAValue] = (), result_of: tuple[FuncOp, int] | None = None
    ):
        self.shape = shape
        self.values = list(values)
        self.result_of = result_of
        """The function and the number of its result, if the cell is one."""
        self.given: Sharding | None = None
        """What the program says."""
        self.mesh: Mesh | None = None
        self.mesh_name: str | None = None
        self.sharding: TensorSharding | None = None
        self.affected: list[int] = []
        """The steps to be taken again when the sharding changes, the first one last."""

    def give(self, sharding: Sharding) -> None:
        """Takes over what the program says. A mesh without axes is any mesh."""
        self.given = sharding
        if sharding.mesh.axes or sharding.mesh.is_maximal:
            self.mesh, self.mesh_name = sharding.mesh, sharding.mesh_name
        self.sharding = TensorSharding(
            tuple(parts_of(dimension.axes, sharding.mesh) for dimension in sharding.dimensions),
            tuple(dimension.is_closed for dimension in sharding.dimensions),
            parts_of(sharding.replicated, sharding.mesh),
            parts_of(sharding.unreduced, sharding.mesh),
        )

    def found(self) -> Sharding | None:
        """The sharding as a program states it, all dimensions closed; None where nothing is known.

        On a mesh of one device, or of none, it is what the program says.
        """
        if self.sharding is None or self.mesh is None or self.mesh.is_maximal:
            return self.given
        mesh = self.mesh

        def axes(parts: Parts) -> tuple[AxisRef, ...]:
            return tuple(axis_of(part, mesh) for part in parts)

        dimensions = tuple(DimensionSharding(axes(parts)) for parts in self.sharding.dims)
        reduction = "sum" if self.given is None else self.given.reduction
        return Sharding(
            mesh,
            dimensions,
            axes(self.sharding.replicated),
            axes(self.sharding.unreduced),
            self.mesh_name,
            reduction,
        )


def parts_of(axes: Iterable[AxisRef], mesh: Mesh) -> Parts:
    """The axes with their numbers; those of size 1 split nothing and are left out."""
    return tuple(part for axis in axes if (part := part_of(axis, mesh)).size > 1)


class ManualView:
    """How a cell looks from the other side of a manual computation, where its manual axes are named or are not."""

    def __init__(self, stated: Sharding, manual_axes: Iterable[str], is_cell_inside: bool):
        self._names = frozenset(manual_axes)
        self._is_cell_inside = is_cell_inside
        sizes: Mapping[str, int] = dict(stated.mesh.axes)
        dims = [parts_of(dimension.axes, stated.mesh) for dimension in stated.dimensions]
        self._dims = tuple(tuple(part for part in parts if part.name in self._names) for parts in dims)
        self._unreduced = parts_of(stated.unreduced, stated.mesh)
        used = {part.name for parts in (*self._dims, self._unreduced) for part in parts}
        whole = [Part(name, 1, sizes[name]) for name in sizes if name in self._names and sizes[name] > 1]
        self._replicated = tuple(part for part in whole if part.name not in used)

    def seen(self, sharding: TensorSharding | None) -> TensorSharding | None:
        """The sharding of the cell as the step sees it."""
        return self._outside(sharding) if self._is_cell_inside else self._inside(sharding)

    def kept(self, sharding: TensorSharding | None) -> TensorSharding | None:
        """The sharding of the cell for what the step found."""
        return self._inside(sharding) if self._is_cell_inside else self._outside(sharding)

    def outside(self, sharding: TensorSharding | None) -> TensorSharding | None:
        """What the op itself states: manual axes first."""
        return self._outside(sharding) if self._is_cell_inside else sharding

    def _inside(self, sharding: TensorSharding | None) -> TensorSharding | None:
        if sharding is None:
            return None

        def free(parts: Parts) -> Parts:
            return tuple(part for part in parts if part.name not in self._names)

        return TensorSharding(
            tuple(map(free, sharding.dims)),
            sharding.are_closed,
            free(sharding.replicated),
            free(sharding.unreduced),
        )

    def _outside(self, sharding: TensorSharding | None) -> TensorSharding | None:
        if sharding is None:
            return None
        free = self._inside(sharding)
        assert free is not None
        dims = tuple((*manual, *parts) for manual, parts in zip(self._dims, free.dims, strict=True))
        return free._replace(dims=dims, replicated=(*free.replicated, *self._replicated), unreduced=self._unreduced)
