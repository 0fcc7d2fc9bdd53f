"""Ops that become one kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap

from ....decisions.model import CostModel
from ....ir import structured
from .nodes import operations_of, outside_values
from .over_rows import extents_in, loops_over_rows, order_behind
from .rows import dims_of, row_bytes, row_order
from .siblings import accesses_of, streams


@dataclass(eq=False)
class Group:
    """Ops that become one kernel (or one op that stays in the program)."""

    members: list[Operation]
    model: CostModel
    compute: bool = False
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
    fusible: bool = False
    needs: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    """The values read by the members, in order."""
    after: Group | None = None
    """Of a group that calls the runtime, the one that did so before."""
    first: int = 0
    last: int = 0
    """The places of its first and last member in the block."""

    def has_room(self, operations: int, members: int = 1) -> bool:
        """Whether so many more `members`, which do `operations` together, are not too many for one kernel."""
        return (
            self.operations + operations <= self.model.kernels.kernel_operations
            and len(self.members) + members <= self.model.kernels.kernel_members
        )

    def add(self, op: Operation, needs: dict[SSAValue, None], place: int) -> None:
        self.members.append(op)
        self.needs.update(needs)
        self.last = place

    def extend(
        self, op: GenericOp, needs: dict[SSAValue, None], place: int, rows: int, order: list[int] | None
    ) -> None:
        """Adds `op`; the members work by their first `rows` dimensions from now on. `order`: the loops of `op` if it
        reduces over them.
        """
        if not self.runs_with(op, order or row_order(op, rows)):
            self.points = None
        if order is not None:
            self.over_rows[op] = order
        self.row_dims = rows
        self.row_extents = self.row_extents[:rows]
        self.operations += operations_of(op, self.model)
        self.add(op, needs, place)

    def merge(self, other: Group) -> None:
        """Takes the members of `other`, which works by the same rows; neither reads what the other computes."""
        self.members += other.members
        self.needs.update(other.needs)
        self.over_rows.update(other.over_rows)
        if other.points != self.points:
            self.points = None
        self.operations += other.operations
        self.first = min(self.first, other.first)
        self.last = max(self.last, other.last)

    def turn(self, orders: dict[Operation, list[int]], extents: tuple[int, ...]) -> None:
        """From now on all members reduce over rows of `extents`, their loops being `orders`."""
        self.over_rows = orders
        self.row_dims, self.row_extents = len(extents), extents
        points = {extents_in(op, order) for op, order in orders.items() if isinstance(op, GenericOp)}
        self.points = points.pop() if len(points) == 1 else None

    def produces(self, value: SSAValue) -> bool:
        """Whether a member computes `value`."""
        return value.owner in self.members

    def held(self, rows: int) -> int:
        """Bytes that the members write for one row of `rows` dimensions, and of what they reduce over the rows."""
        return sum(
            row_bytes(member, 0 if member in self.over_rows else rows)
            for member in self.members
            if isinstance(member, GenericOp)
        )

    def order_of(self, member: GenericOp) -> list[int]:
        """The loops of `member`, those over the rows in front."""
        return self.over_rows.get(member) or row_order(member, self.row_dims)

    def rows_under(self, op: GenericOp, accesses: Sequence[AffineMap]) -> tuple[int, list[int]] | None:
        """Over how many of the leading row dimensions `op` reduces, which reads by `accesses` what the members read or
        compute in the order of the rows, and the order of its loops; None where a pass for all is no gain.
        """
        leading = [] if self.scalar else loops_over_rows(op, accesses)[: self.row_dims]
        rows = len(leading)
        if not rows or extents_in(op, leading) != self.row_extents[:rows]:
            return None
        order = order_behind(op, leading)
        if self.runs_with(op, order):
            return rows, order
        if len(order) == rows and not self.walks_over_rows(rows):
            return None
        held = self.held(rows) + row_bytes(op, 0)
        if self.model.kernels.worth_sharing_rows(prod(self.row_extents[:rows]), held, rows == self.row_dims):
            return rows, order
        return None

    def walks_over_rows(self, rows: int) -> bool:
        """Whether members with loops inside those over the rows run through a tensor in them; windows do not."""
        return all(
            isinstance(member, GenericOp) and (len(member.iterator_types.data) == rows or any(streams(member)))
            for member in self.members
        )

    def orders_over(self, operand: SSAValue, rows: int) -> dict[Operation, list[int]] | None:
        """The loops of all members if these are reductions over the first `rows` dimensions of `operand`."""
        orders: dict[Operation, list[int]] = {}
        for member in self.members:
            if not isinstance(member, GenericOp) or any(map(self.produces, outside_values(member))):
                return None
            leading = loops_over_rows(member, accesses_of(member, operand)[:1])[:rows]
            if not leading or len(leading) < rows:
                return None
            orders[member] = order_behind(member, leading)
        return orders

    def runs_with(self, op: GenericOp, order: list[int]) -> bool:
        """Whether `op`, its loops in `order`, runs over the same points as all members, and reads of these what they
        compute at its own point.
        """
        if self.points is None or extents_in(op, order) != self.points:
            return False
        return all(
            dims_of(attr.data) == order
            for operand, attr in zip(structured.inputs(op), op.indexing_maps.data, strict=False)
            if self.produces(operand)
        )
