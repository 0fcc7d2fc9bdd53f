"""Ops that become one kernel."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias

from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap

from ....decisions.fusion import Rows, SamePoints
from ....decisions.model import CostModel
from ....ir import structured
from .rows import Walk, dims_of, matching

Join: TypeAlias = tuple[int, list[int] | None]
"""How many rows an op shares with a group that it joins, and the order of its loops if it reduces over them."""


@dataclass(eq=False)
class Group:
    """Ops that become one kernel (or one op that stays in the program)."""

    members: list[Operation]
    needs: dict[SSAValue, None]
    """The values read by the members, in order."""
    model: CostModel
    first: int
    last: int
    """The places of its first and last member in the block."""
    compute: bool = False
    walks: dict[Operation, Walk] = field(default_factory=dict[Operation, Walk])
    """The members, if others can join them."""
    row_dims: int = 0
    row_extents: tuple[int, ...] = ()
    over_rows: dict[Operation, list[int]] = field(default_factory=dict[Operation, list[int]])
    """The members that reduce over the rows, and their loops, those over the rows in front."""
    points: tuple[int, ...] | None = None
    """The extents of the loops of all members, where these run over the same points: they can be one nest."""
    operations: int = 0
    """What one element of every member costs together."""
    scalar: bool = False
    """Every member computes a single element."""
    after: Group | None = None
    """Of a group that calls the runtime, the one that did so before."""

    def start(self, walk: Walk) -> None:
        """Makes this the group of one op that others can join."""
        self.walks[walk.op] = walk
        self.row_dims = walk.rows
        self.row_extents = walk.shape[: walk.rows]
        if walk.rows == len(walk.extents):
            self.points = self.row_extents
        self.scalar, self.operations = walk.is_scalar, walk.operations

    def has_room(self, operations: int, members: int = 1) -> bool:
        """Whether so many more `members`, which do `operations` together, are not too many for one kernel."""
        return self.model.fusion.has_room(self.operations + operations, len(self.members) + members)

    def add(self, op: Operation, needs: dict[SSAValue, None], place: int) -> None:
        self.members.append(op)
        self.needs.update(needs)
        self.last = place

    def extend(self, walk: Walk, join: Join) -> None:
        """Lets an op join, which has been added; the members work by fewer rows from now on."""
        rows, order = join
        if not self.runs_with(walk, order or walk.row_order(rows)):
            self.points = None
        if order is not None:
            self.over_rows[walk.op] = order
        self.walks[walk.op] = walk
        self.row_dims, self.row_extents = rows, self.row_extents[:rows]
        self.operations += walk.operations

    def merge(self, other: Group) -> None:
        """Takes the members of `other`, which works by the same rows; neither reads what the other computes."""
        self.members += other.members
        self.walks.update(other.walks)
        self.needs.update(other.needs)
        self.over_rows.update(other.over_rows)
        if other.points != self.points:
            self.points = None
        self.operations += other.operations
        self.first = min(self.first, other.first)
        self.last = max(self.last, other.last)

    def held(self, rows: int) -> int:
        """Bytes that the members write for one row of `rows` dimensions, and of what they reduce over the rows."""
        return sum(walk.row_bytes(0 if op in self.over_rows else rows) for op, walk in self.walks.items())

    def order_of(self, member: GenericOp) -> list[int]:
        """The loops of `member`, those over the rows in front."""
        return self.over_rows.get(member) or self.walks[member].row_order(self.row_dims)

    def runs_with(self, walk: Walk, order: list[int]) -> bool:
        """Whether an op, its loops in `order`, runs over the same points as all members, and reads of these what they
        compute at its own point.
        """
        if self.points is None or walk.extents_in(order) != self.points:
            return False
        return all(
            dims_of(access) == order
            for operand, access in zip(walk.inputs, walk.accesses, strict=True)
            if operand.owner in self.walks
        )

    # How others may join: None where that is no gain.

    def join_reader(self, walk: Walk, read: Collection[SSAValue]) -> Join | None:
        """How an op joins that reads what members compute, `read`."""
        if self.scalar:
            return (0, None) if walk.is_scalar and self._runs_well_with(walk) else None
        if any(value.owner in self.over_rows or value not in walk.inputs for value in read):
            return None
        accesses = [access for value, access in zip(walk.inputs, walk.accesses, strict=True) if value in read]
        rows = min(self.row_dims, walk.rows, *(matching(access, walk.dims, walk.shape) for access in accesses))
        if not walk.is_scalar and self._has_rows(walk, rows):
            held = self.held(rows) + walk.row_bytes(rows)
            if self._shares_well(walk, rows, held):
                return rows, None
            if self.runs_with(walk, walk.row_order(rows)) and self._runs_well_with(walk):
                return rows, None
        return self._join_over_rows(walk, accesses)

    def join_sibling(self, walk: Walk, reader: Walk, operand: SSAValue) -> Join | None:
        """How an op joins that reads the same `operand` as the member `reader`. Members that reduce columns may have to
        reduce over rows.
        """
        rows = min(self.row_dims, walk.rows)
        if rows:
            can_join = self._has_rows(walk, rows)
            can_join = can_join and (rows == self.row_dims or self._shares_well(walk, rows, self.held(rows)))
        else:
            can_join = self.row_dims == walk.rows
        known = reader.places(operand, self.order_of(reader.op))
        if can_join and not known.isdisjoint(walk.places(operand, walk.row_order(rows))):
            return rows, None
        if self.has_rows_in(known):
            return self._join_over_rows(walk, walk.streams[operand][:1])
        rows = matching(walk.streams[operand][0], walk.dims)
        return (rows, None) if self.turn(operand, rows, walk.row_bytes(rows), walk.op) else None

    def has_rows_in(self, places: set[tuple[int, ...]]) -> bool:
        """Whether the rows are the leading dimensions of a tensor, of which `places` are the loops."""
        return any(place[: self.row_dims] == tuple(range(self.row_dims)) for place in places)

    def _has_rows(self, walk: Walk, rows: int) -> bool:
        return rows > 0 and walk.shape[:rows] == self.row_extents[:rows]

    def _shares_well(self, walk: Walk, rows: int, held: int) -> bool:
        count, same = prod(self.row_extents[:rows]), rows == self.row_dims
        return self.model.fusion.fuse(Rows(walk.op, self.members, count, held, same))

    def _runs_well_with(self, walk: Walk) -> bool:
        return self.model.fusion.fuse(SamePoints(walk.op, self.members))

    def _join_over_rows(self, walk: Walk, accesses: Sequence[AffineMap]) -> Join | None:
        """How an op joins that reduces over rows, and reads by `accesses` what the members read or compute in the order
        of these.
        """
        leading = [] if self.scalar else walk.loops_over_rows(accesses)[: self.row_dims]
        rows = len(leading)
        if not rows or walk.extents_in(leading) != self.row_extents[:rows]:
            return None
        order = walk.order_behind(leading)
        if self.runs_with(walk, order):
            return (rows, order) if self._runs_well_with(walk) else None
        # Members with loops inside those over the rows run through a tensor in them; windows do not.
        if len(order) == rows and not all(len(each.extents) == rows or each.streams for each in self.walks.values()):
            return None
        return (rows, order) if self._shares_well(walk, rows, self.held(rows) + walk.row_bytes(0)) else None

    def turn(self, operand: SSAValue, rows: int, others: int, op: Operation) -> bool:
        """Makes the members, reductions of `operand`, work by its first `rows` dimensions, if that pays with `op` and
        others, which write so many bytes per row.
        """
        if not rows or self.over_rows or any(value.owner in self.walks for value in self.needs):
            return False
        orders: dict[Operation, list[int]] = {}
        for op, walk in self.walks.items():
            leading = walk.loops_over_rows(walk.streams.get(operand, ())[:1])[:rows]
            if len(leading) < rows:
                return False
            orders[op] = walk.order_behind(leading)
        extents = structured.shape_of(operand)[:rows]
        if not self.model.fusion.fuse(Rows(op, self.members, prod(extents), self.held(0) + others, False)):
            return False
        self.over_rows, self.row_dims, self.row_extents = orders, rows, extents
        points = {walk.extents_in(orders[op]) for op, walk in self.walks.items()}
        self.points = points.pop() if len(points) == 1 else None
        return True
