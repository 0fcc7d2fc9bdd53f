"""Which ops of a block become one kernel.

A *node* is an op that computes a tensor, together with the ops that only prepare its destination; an insertion into a
new tensor also with the elementwise op whose result it inserts, which writes it in place. Elementwise and reduction
nodes join into a *row group* when the reader touches, in each row, only what the same row produced: for a group with
`p` row dimensions the first `p` indices of every access between members are the shared row loops. A softmax, a layer
norm, or a value with two elementwise readers are row groups. So are these with reductions over the rows, whose results
only others read. A reader that could join several joins them. An elementwise op that alone reads the result of a
contraction and works on vectors joins that contraction. A node that only reads the same large tensor as a member of a
group, in the same order, a sibling, joins that group if their rows are the same, if neither has any, or if one of them
reduces over the rows of the other. Everything else is a group of its own.

A reader may join a group only if the merged group could still run at one point of the program: no path may lead from
the group to the reader through an op outside.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from math import prod

from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Block, Operation, SSAValue

from ....decisions.fusion import Finish, OnePass, Rows
from ....decisions.model import CostModel
from ....decisions.search import READING_GROUPS
from ....dialects.element_sizes import element_bytes
from ....ir import structured
from ....ir.epilogues import product_operand
from .group import Group, Join
from .nodes import NestedOps, is_compute
from .rows import Walk


class Grouping:
    """Groups of one block, in an order in which they can run."""

    def __init__(self, block: Block, nested: NestedOps, model: CostModel):
        self.model = model
        self.block = block
        self.nested = nested
        self.last_call: Group | None = None
        self.groups: dict[Group, None] = {}
        self.producer: dict[SSAValue, Group] = {}
        self.readers: dict[SSAValue, dict[Group, Walk]] = {}
        """The groups that read a tensor from end to end, and a member that does."""
        self.spans: list[tuple[int, int]] = []
        """From where to where groups of several members reach in the block, overlapping ones merged, in order."""

    def run(self) -> list[Group]:
        for place, op in enumerate(self.block.ops):
            self._place(op, place)
        return self._ordered()

    def _place(self, op: Operation, place: int) -> None:
        """Adds `op` to the group of one of the tensors it reads, where that is legal and pays, or begins a group."""
        needs = dict.fromkeys(self.nested.values_read(op))
        compute = is_compute(op)
        walk, group = None, None
        if compute and isinstance(op, GenericOp) and not structured.is_contraction(op):
            walk = Walk(op, self.model)
            group = self._finish_product(op, needs) or self._join_producer(walk, needs)
        reads_members = group is not None
        if group is None and walk is not None:
            group = self._join_sibling(walk, needs, place)
        if group is not None:
            group.add(op, needs, place)
            self._note_span(group)
        else:
            group = Group([op], needs, self.model, place, place, compute)
            self.groups[group] = None
            if walk is not None:
                group.start(walk)
            if self.nested.calls_runtime(op):
                group.after, self.last_call = self.last_call, group
        self._note_members(group, op)
        if reads_members and walk is not None and group.walks:
            self._absorb_siblings(group, walk)

    def _note_members(self, group: Group, *members: Operation) -> None:
        for member in members:
            for result in member.results:
                self.producer[result] = group
            if member in group.walks:
                for operand in group.walks[member].streams:
                    self.readers.setdefault(operand, {}).setdefault(group, group.walks[member])

    # Ways to join. Each returns the group, which then works by the rows that the op shares with it.

    def _finish_product(self, op: GenericOp, needs: dict[SSAValue, None]) -> Group | None:
        """The group of a contraction whose result `op` alone reads, as what is stored instead."""
        index = product_operand(op, self.model.contractions)
        group = None if index is None else self.producer.get(op.operands[index])
        if group is None or len(group.members) != 1 or not self._independent(group, needs):
            return None
        return group if self.model.fusion.fuse(Finish(op, group.members[0])) else None

    def _join_producer(self, walk: Walk, needs: dict[SSAValue, None]) -> Group | None:
        """The group of one of the tensors that an op reads, and others merged with it that it could as well join."""
        for group in dict.fromkeys(self.producer.get(operand) for operand in reversed(walk.inputs)):
            if group is None or not group.walks or not group.has_room(walk.operations):
                continue
            join = self._join_reader(group, walk, needs)
            if join is None or not self._independent(group, needs):
                continue
            for other in dict.fromkeys(self.producer.get(value) for value in needs):
                if other is not None and self._can_merge(group, other, walk, needs, join):
                    self._merge(group, other)
            group.extend(walk, join)
            return group
        return None

    def _join_reader(self, group: Group, walk: Walk, needs: dict[SSAValue, None]) -> Join | None:
        return group.join_reader(walk, [value for value in needs if self.producer.get(value) is group])

    def _join_sibling(self, walk: Walk, needs: dict[SSAValue, None], place: int) -> Group | None:
        """A group that reads the same tensor."""
        for operand in () if walk.is_scalar else walk.streams:
            for group, reader in islice(reversed(self.readers.get(operand, {}).items()), READING_GROUPS):
                if not group.has_room(walk.operations):
                    continue
                if not self._worth_one_pass(reader, walk, operand, place - group.last):
                    continue
                if any(self.producer.get(value) is group for value in needs) or not self._independent(group, needs):
                    continue
                join = group.join_sibling(walk, reader, operand)
                if join is not None:
                    group.extend(walk, join)
                    return group
        return None

    def _absorb_siblings(self, group: Group, walk: Walk) -> None:
        """Merges groups that reduce over the rows of a tensor that an op, a member of `group`, reads."""
        for operand in walk.streams:
            if not group.has_rows_in(walk.places(operand, group.order_of(walk.op))):
                continue
            for other, reader in [*islice(reversed(self.readers[operand].items()), READING_GROUPS)][::-1]:
                if other is group or not group.has_room(other.operations, len(other.members)):
                    continue
                if not self._worth_one_pass(reader, walk, operand, group.last - other.last):
                    continue
                held = group.held(group.row_dims)
                if self._are_separate(group, other) and other.turn(operand, group.row_dims, held, walk.op):
                    self._merge(group, other)

    def _worth_one_pass(self, first: Walk, second: Walk, operand: SSAValue, distance: int) -> bool:
        """Whether reading `operand` once instead of twice pays for both ops, which are `distance` ops apart."""
        size = element_bytes(structured.element_type(operand)) * prod(structured.shape_of(operand))
        reductions_only = first.reduces and second.reduces
        return self.model.fusion.fuse(OnePass(second.op, first.op, size, reductions_only, distance))

    def _can_merge(self, group: Group, other: Group, walk: Walk, needs: dict[SSAValue, None], join: Join) -> bool:
        """Whether an op that joins `group` could as well join `other`, which then joins too."""
        if other is group or not other.walks or group.scalar or self._join_reader(other, walk, needs) != join:
            return False
        if not group.has_room(other.operations + walk.operations, len(other.members) + 1):
            return False
        rows, extents = join[0], group.row_extents[: join[0]]
        if other.row_extents[:rows] != extents:
            return False
        held = group.held(rows) + other.held(rows) + walk.row_bytes(rows)
        same_rows = group.row_dims == other.row_dims == rows
        members = [*group.members, *other.members]
        if not self.model.fusion.fuse(Rows(walk.op, members, prod(extents), held, same_rows)):
            return False
        return self._independent(other, needs) and self._are_separate(group, other)

    def _merge(self, group: Group, other: Group) -> None:
        """Moves the members of `other` to `group`; neither reads what the other computes."""
        group.merge(other)
        del self.groups[other]
        for walk in other.walks.values():
            for operand in walk.streams:
                self.readers[operand].pop(other, None)
        self._note_members(group, *other.members)

    # Order

    def _are_separate(self, group: Group, other: Group) -> bool:
        """Whether no path leads from one of the groups to the other."""
        return all(
            self._independent(first, second.needs) and not any(self.producer.get(v) is first for v in second.needs)
            for first, second in ((other, group), (group, other))
        )

    def _independent(self, group: Group, needs: dict[SSAValue, None]) -> bool:
        """No value in `needs` comes from `group` through another group.

        The search ends at groups that lie in front of `group` and of all groups that reach to where it begins: they can
        only need others of that kind. So it looks at the surroundings of `group`, however long the block is.
        """
        start = self._start_of_span(group)
        stack = [g for v in needs if (g := self.producer.get(v)) is not None and g is not group]
        seen: set[Group] = set()
        while stack:
            current = stack.pop()
            if current is group:
                return False
            if current not in seen and current.last >= start:
                seen.add(current)
                stack.extend(self._before(current))
        return True

    def _note_span(self, group: Group) -> None:
        start = group.first
        while self.spans and self.spans[-1][1] >= start:
            start = min(start, self.spans.pop()[0])
        self.spans.append((start, group.last))

    def _start_of_span(self, group: Group) -> int:
        """A place that no group reaches across, at or in front of the first member of `group`."""
        index = bisect_left(self.spans, group.first, key=lambda span: span[1])
        return min(group.first, self.spans[index][0]) if index < len(self.spans) else group.first

    def _before(self, group: Group) -> Iterator[Group]:
        """The groups that must run before `group`."""
        if group.after is not None:
            yield group.after
        for value in group.needs:
            if (producer := self.producer.get(value)) is not None:
                yield producer

    def _ordered(self) -> list[Group]:
        """Topological order, as near to the program's order as the merged groups allow."""
        ordered: list[Group] = []
        done: set[Group] = set()

        def visit(root: Group) -> None:
            stack = [(root, self._before(root))]
            done.add(root)
            while stack:
                group, earlier = stack[-1]
                for before in earlier:
                    if before not in done:
                        done.add(before)
                        stack.append((before, self._before(before)))
                        break
                else:
                    stack.pop()
                    ordered.append(group)

        position = {op: i for i, op in enumerate(self.block.ops)}
        for group in sorted(self.groups, key=lambda g: position[g.members[-1]]):
            if group not in done:
                visit(group)
        return ordered
