"""Which ops of a block become one kernel.

A *node* is an op that computes a tensor, together with the ops that only prepare its destination; an insertion into a
new tensor also with the elementwise op whose result it inserts, which writes it in place. Elementwise and reduction
nodes join into a *row group* when the reader touches, in each row, only what the same row produced: for a group with
`p` row dimensions the first `p` indices of every access between members are the shared row loops. A softmax, a layer
norm, or a value with two elementwise readers are row groups. So are these with reductions over the rows (`over_rows`),
whose results only others read. A reader that could join several joins them. An
elementwise op that alone reads the result of a contraction and works on vectors joins that contraction. A node that
only reads the same large tensor as a member of a group, in the same order, joins that group if their rows are the same,
if neither has any, or if one of them reduces over the rows of the other (`siblings`). Everything else is a group of its
own.

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

from ....decisions.model import CostModel
from ....decisions.search import READING_GROUPS
from ....ir import structured
from ....ir.epilogues import product_operand
from . import siblings
from .group import Group
from .nodes import NestedOps, is_compute, is_scalar, operations_of, outside_values
from .rows import leading_dims, matching, output_dims, row_bytes, row_order


class Grouping:
    """Groups of one block, in an order in which they can run."""

    def __init__(self, block: Block, nested: NestedOps, model: CostModel):
        self.model = model
        self.block = block
        self.nested = nested
        self.last_call: Group | None = None
        self.groups: dict[Group, None] = {}
        self.producer: dict[SSAValue, Group] = {}
        self.readers: dict[SSAValue, dict[Group, GenericOp]] = {}
        """The groups that read a tensor from end to end, and a member that does."""
        self.spans: list[tuple[int, int]] = []
        """From where to where groups of several members reach in the block, overlapping ones merged, in order."""

    def run(self) -> list[Group]:
        for place, op in enumerate(self.block.ops):
            needs = dict.fromkeys(self.nested.outside_values(op))
            if not self._join(op, needs, place):
                self._start(op, needs, place)
        return self._ordered()

    def _start(self, op: Operation, needs: dict[SSAValue, None], place: int) -> None:
        group = Group([op], self.model, needs=needs, compute=is_compute(op), first=place, last=place)
        if group.compute and isinstance(op, GenericOp) and not structured.is_contraction(op):
            group.fusible = True
            group.row_dims = leading_dims(op)
            group.row_extents = structured.shape_of(structured.outputs(op)[0])[: group.row_dims]
            if group.row_dims == len(op.iterator_types.data):
                group.points = group.row_extents
            group.scalar = is_scalar(op)
            group.operations = operations_of(op, self.model)
            self._note_reads(group, op)
        if self.nested.calls_runtime(op):
            group.after, self.last_call = self.last_call, group
        self.groups[group] = None
        for result in op.results:
            self.producer[result] = group

    def _join(self, op: Operation, needs: dict[SSAValue, None], place: int) -> bool:
        """Adds `op` to the group of one of the tensors it reads, where that is legal and pays."""
        if not isinstance(op, GenericOp) or not is_compute(op) or structured.is_contraction(op):
            return False
        if self._finish_product(op, needs, place):
            return True
        tried: set[Group] = set()
        operations = operations_of(op, self.model)
        for operand in reversed(structured.inputs(op)):
            group = self.producer.get(operand)
            if group is None or not group.fusible or group in tried:
                continue
            tried.add(group)
            if not group.has_room(operations):
                continue
            rows, order = self._rows_of_reader(group, op)
            if rows is None or not self._independent(group, needs):
                continue
            for other in dict.fromkeys(self.producer.get(value) for value in needs):
                if other is not None and self._can_merge(group, other, op, needs, rows, order):
                    self._merge(group, other)
            self._extend(group, op, needs, place, rows, order)
            self._absorb_siblings(group, op)
            return True
        return self._join_sibling(op, needs, place)

    def _can_merge(
        self,
        group: Group,
        other: Group,
        op: GenericOp,
        needs: dict[SSAValue, None],
        rows: int,
        order: list[int] | None,
    ) -> bool:
        """Whether `op`, which joins `group` by `rows` dimensions, could as well join `other`, which then joins too."""
        if other is group or not other.fusible or group.scalar or self._rows_of_reader(other, op) != (rows, order):
            return False
        if not group.has_room(other.operations + operations_of(op, self.model), len(other.members) + 1):
            return False
        if other.row_extents[:rows] != group.row_extents[:rows]:
            return False
        held = group.held(rows) + other.held(rows) + row_bytes(op, rows)
        same = group.row_dims == other.row_dims == rows
        if not self.model.kernels.worth_sharing_rows(prod(group.row_extents[:rows]), held, same):
            return False
        return self._independent(other, needs) and self._are_separate(group, other)

    def _are_separate(self, group: Group, other: Group) -> bool:
        """Whether no path leads from one of the groups to the other."""
        if any(self.producer.get(value) is other for value in group.needs):
            return False
        if any(self.producer.get(value) is group for value in other.needs):
            return False
        return self._independent(other, group.needs) and self._independent(group, other.needs)

    def _merge(self, group: Group, other: Group) -> None:
        """Moves the members of `other` to `group`; neither reads what the other computes."""
        group.merge(other)
        del self.groups[other]
        for member in other.members:
            for result in member.results:
                self.producer[result] = group
            if isinstance(member, GenericOp):
                for _, operand in siblings.streams(member):
                    self.readers[operand].pop(other, None)
                self._note_reads(group, member)

    def _join_sibling(self, op: GenericOp, needs: dict[SSAValue, None], place: int) -> bool:
        """Adds `op` to a group that reads the same tensor, where that is legal and pays."""
        if is_scalar(op):
            return False
        operations = operations_of(op, self.model)
        for _, operand in siblings.streams(op):
            for group, reader in islice(reversed(self.readers.get(operand, {}).items()), READING_GROUPS):
                if not group.has_room(operations):
                    continue
                if not siblings.worth_one_pass(reader, op, operand, place - group.last, self.model):
                    continue
                if any(self.producer.get(value) is group for value in needs) or not self._independent(group, needs):
                    continue
                rows, order = self._rows_of_sibling(group, reader, op, operand)
                if rows is None:
                    continue
                self._extend(group, op, needs, place, rows, order)
                return True
        return False

    def _rows_of_sibling(
        self, group: Group, reader: GenericOp, op: GenericOp, operand: SSAValue
    ) -> tuple[int | None, list[int] | None]:
        """How many rows `op` shares with `group`, whose member `reader` reads the same `operand`, and its loops if it
        reduces over them; None where joining is no gain. Members that reduce columns may have to reduce over rows.
        """
        rows = self._common_rows(group, op)
        known = siblings.walks(reader, operand, group.order_of(reader))
        if rows is not None and not known.isdisjoint(siblings.walks(op, operand, row_order(op, rows))):
            return rows, None
        if any(walk[: group.row_dims] == tuple(range(group.row_dims)) for walk in known):
            return group.rows_under(op, siblings.accesses_of(op, operand)[:1]) or (None, None)
        rows = matching(siblings.accesses_of(op, operand)[0], output_dims(op))
        if not self._turn(group, operand, rows, row_bytes(op, rows)):
            return None, None
        return rows, None

    def _turn(self, group: Group, operand: SSAValue, rows: int, others: int) -> bool:
        """Makes the members of `group`, reductions of `operand`, work by its first `rows` dimensions, if that pays with
        others that write so many bytes per row.
        """
        extents = structured.shape_of(operand)[:rows]
        orders = group.orders_over(operand, rows) if rows and not group.over_rows else None
        if orders is None or not self.model.kernels.worth_sharing_rows(prod(extents), group.held(0) + others, False):
            return False
        group.turn(orders, extents)
        return True

    def _absorb_siblings(self, group: Group, op: GenericOp) -> None:
        """Merges groups that reduce over the rows of a tensor that `op`, a member of `group`, reads."""
        for _, operand in siblings.streams(op):
            known = siblings.walks(op, operand, group.order_of(op))
            if not any(walk[: group.row_dims] == tuple(range(group.row_dims)) for walk in known):
                continue
            for other, reader in [*islice(reversed(self.readers[operand].items()), READING_GROUPS)][::-1]:
                if other is group or not group.has_room(other.operations, len(other.members)):
                    continue
                if not siblings.worth_one_pass(reader, op, operand, group.last - other.last, self.model):
                    continue
                if self._are_separate(group, other) and self._turn(
                    other, operand, group.row_dims, group.held(group.row_dims)
                ):
                    self._merge(group, other)

    def _common_rows(self, group: Group, op: GenericOp) -> int | None:
        """How many leading dimensions `op` and `group` have in common, all or none; None where joining is no gain."""
        own = leading_dims(op)
        rows = min(group.row_dims, own)
        if rows == 0:
            return 0 if group.row_dims == own else None
        if structured.shape_of(structured.outputs(op)[0])[:rows] != group.row_extents[:rows]:
            return None
        if rows < group.row_dims:
            if not self.model.kernels.worth_sharing_rows(prod(group.row_extents[:rows]), group.held(rows), False):
                return None
        return rows

    def _extend(
        self,
        group: Group,
        op: GenericOp,
        needs: dict[SSAValue, None],
        place: int,
        rows: int,
        order: list[int] | None = None,
    ) -> None:
        """Adds `op` to `group`, which works by its first `rows` dimensions from now on; `order`: see `Group.extend`."""
        group.extend(op, needs, place, rows, order)
        self._note_span(group)
        self._note_reads(group, op)
        for result in op.results:
            self.producer[result] = group

    def _note_reads(self, group: Group, op: GenericOp) -> None:
        for _, operand in siblings.streams(op):
            self.readers.setdefault(operand, {}).setdefault(group, op)

    def _finish_product(self, op: GenericOp, needs: dict[SSAValue, None], place: int) -> bool:
        """Adds `op` to the group of a contraction whose result it alone reads, as what is stored instead."""
        index = product_operand(op, self.model.contractions)
        group = None if index is None else self.producer.get(op.operands[index])
        if group is None or len(group.members) > 1 or not self._independent(group, needs):
            return False
        group.add(op, needs, place)
        self._note_span(group)
        self.producer[op.results[0]] = group
        return True

    def _rows_of_reader(self, group: Group, op: GenericOp) -> tuple[int | None, list[int] | None]:
        """How many rows `op`, which reads what `group` computes, shares with it, and its loops if it reduces over them;
        None where joining is no gain.
        """
        read = [value for value in outside_values(op) if self.producer.get(value) is group]
        if any(value.owner in group.over_rows for value in read):
            return None, None
        rows = self._shared_rows(group, op)
        inputs = structured.inputs(op)
        if rows is not None or any(value not in inputs for value in read):
            return rows, None
        accesses = [attr.data for value, attr in zip(inputs, op.indexing_maps.data, strict=False) if value in read]
        return group.rows_under(op, accesses) or (None, None)

    def _shared_rows(self, group: Group, op: GenericOp) -> int | None:
        """How many leading dimensions `op` could share with `group`, None where joining is no gain."""
        if group.scalar or is_scalar(op):
            return 0 if group.scalar and is_scalar(op) else None
        rows = min(group.row_dims, leading_dims(op))
        out_dims = output_dims(op)
        shape = structured.shape_of(structured.outputs(op)[0])
        single = {dim for dim, size in zip(out_dims, shape, strict=False) if size == 1}
        for operand, attr in zip(structured.inputs(op), op.indexing_maps.data, strict=False):
            if self.producer.get(operand) is group:
                rows = min(rows, matching(attr.data, out_dims, single))
        for captured in outside_values(op):
            if self.producer.get(captured) is group and captured not in structured.inputs(op):
                return None
        if rows == 0 or structured.shape_of(structured.outputs(op)[0])[:rows] != group.row_extents[:rows]:
            return None
        held = group.held(rows) + row_bytes(op, rows)
        if self.model.kernels.worth_sharing_rows(prod(group.row_extents[:rows]), held, rows == group.row_dims):
            return rows
        return rows if group.runs_with(op, row_order(op, rows)) else None

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
