"""Which ops of a block become one kernel.

A *node* is an op that computes a tensor, together with the ops that only prepare its destination; an insertion into a
new tensor also with the elementwise op whose result it inserts, which writes it in place. Elementwise and reduction
nodes join into a *row group* when the reader touches, in each row, only what the same row produced: for a
group with `p` row dimensions the first `p` indices of every access between members are the shared row loops. A softmax,
a layer norm, or a value with two elementwise readers are row groups. An elementwise op that alone reads the result of a
contraction and works on vectors joins that contraction. A node that only reads the same large tensor as a member of a
group, in the same order, joins that group if their rows are the same or neither has any (`siblings`). Everything else
is a group of its own.

A reader may join a group only if the merged group could still run at one point of the program: no path may lead from
the group to the reader through an op outside.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from math import prod
from typing import cast

from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.dialects.linalg.ops import FillOp, GenericOp
from xdsl.ir import Block, Operation, SSAValue

from .... import cost_model
from ....dialects import fourier, structured, xrt
from ....dialects.editing import walk
from ....dialects.epilogues import product_operand
from . import siblings
from .rows import leading_dims, matching, output_dims, row_bytes

CONTROL_FLOW = (scf.WhileOp, scf.IfOp, scf.IndexSwitchOp, scf.ForOp, scf.ExecuteRegionOp)
"""Ops whose regions hold program ops, unlike the scalar bodies of structured ops."""


_STRUCTURED = {GenericOp, FillOp, tensor.InsertSliceOp}

MOST_INSERTIONS = 64
"""Insertions into one tensor, one after the other, that are looked through."""

MOST_READERS = 8
"""Groups that read a tensor, the last ones, that another op that reads it is compared with."""


def is_destination_use(op: Operation, index: int) -> bool:
    """Whether operand `index` of `op` is a destination that `op` overwrites or updates."""
    if type(op) is GenericOp or type(op) is FillOp:
        return index >= structured.number_of_inputs(op)
    if type(op) is tensor.InsertSliceOp:
        return index == 1
    if type(op) is fourier.TransformOp:
        return index == 2
    return type(op) is scf.ForOp and index >= 3


def prepares_destination(op: Operation) -> bool:
    """`tensor.empty`, fills and partial insertions whose value is only ever a destination in the same block."""
    if type(op) is tensor.EmptyOp:
        return True
    if type(op) is not FillOp and type(op) is not tensor.InsertSliceOp:
        return False
    uses = list(op.results[0].uses)
    if type(op) is tensor.InsertSliceOp and (len(uses) != 1 or not isinstance(uses[0].operation, tensor.InsertSliceOp)):
        return False
    return bool(uses) and all(
        use.operation.parent is op.parent and is_destination_use(use.operation, use.index) for use in uses
    )


def prepares_source(op: Operation) -> bool:
    """A fill, an elementwise op or a contraction whose only reader inserts it into a new tensor: it writes there, in
    that kernel.

    An elementwise op that reads the result of another one in the block is left to the row group of that. A contraction
    needs rows without gaps.
    """
    is_product = False
    if isinstance(op, GenericOp):
        is_product = structured.is_contraction(op)
        if len(op.results) != 1 or not (is_product or structured.is_elementwise(op)):
            return False
        if is_product:
            if not isinstance(start := structured.outputs(op)[0].owner, FillOp) or not prepares_destination(start):
                return False
        elif any(isinstance(v.owner, GenericOp) and not structured.is_contraction(v.owner) for v in op.inputs):
            return False
    elif not isinstance(op, FillOp):
        return False
    uses = list(op.results[0].uses)
    if len(uses) != 1:
        return False
    insertion = uses[0].operation
    if not isinstance(insertion, tensor.InsertSliceOp) or uses[0].index or insertion.parent is not op.parent:
        return False
    if is_product and not _has_dense_rows(insertion):
        return False
    destination = insertion.dest
    for _ in range(MOST_INSERTIONS):
        if not isinstance(destination.owner, tensor.InsertSliceOp) or not prepares_destination(destination.owner):
            return isinstance(destination.owner, Operation) and prepares_destination(destination.owner)
        destination = destination.owner.dest
    return False


def _has_dense_rows(insertion: tensor.InsertSliceOp) -> bool:
    """Whether `insertion` writes to a known place, neighbours of the last dimension as neighbours."""
    return (
        DYNAMIC_INDEX not in insertion.static_offsets.get_values()
        and insertion.static_strides.get_values()[-1] == 1
        and len(structured.shape_of(insertion.source)) == len(structured.shape_of(insertion.dest))
    )


def is_compute(op: Operation) -> bool:
    """Whether `op` becomes (the root of) a kernel."""
    if type(op) in _STRUCTURED:
        return not prepares_destination(op) and not prepares_source(op)
    if type(op) is fourier.TransformOp:
        return True
    return type(op) is scf.ForOp and any(isinstance(r.type, TensorType) for r in op.results)


def outside_values(op: Operation) -> Iterator[SSAValue]:
    """The operands of `op` and the values its regions capture."""
    yield from op.operands
    if op.regions:
        inside: set[Block] = set()
        for inner in walk(op):
            for region in inner.regions:
                inside.update(region.blocks)
        for inner in walk(op):
            if inner is not op:
                for operand in inner.operands:
                    owner = operand.owner
                    block = owner if type(owner) is Block else cast(Operation, owner).parent
                    if block not in inside:
                        yield operand


@dataclass(eq=False)
class Group:
    """Ops that become one kernel (or one op that stays in the program)."""

    members: list[Operation]
    compute: bool = False
    row_dims: int = 0
    row_extents: tuple[int, ...] = ()
    row_bytes: int = 0
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

    def add(self, op: Operation, needs: dict[SSAValue, None], place: int) -> None:
        self.members.append(op)
        self.needs.update(needs)
        self.last = place


def calls_runtime(op: Operation) -> bool:
    """Whether `op` or an op in it calls a target, or asks how the calls went: such ops stay in order."""
    if not op.regions:
        return isinstance(op, xrt.CallTargetOp | xrt.HasFailedOp)
    return isinstance(op, CONTROL_FLOW) and any(
        isinstance(inner, xrt.CallTargetOp | xrt.HasFailedOp) for inner in walk(op)
    )


class Grouping:
    """Groups of one block, in an order in which they can run."""

    def __init__(self, block: Block):
        self.block = block
        self.last_call: Group | None = None
        self.groups: list[Group] = []
        self.producer: dict[SSAValue, Group] = {}
        self.readers: dict[SSAValue, dict[Group, GenericOp]] = {}
        """The groups that read a tensor from end to end, and a member that does."""
        self.spans: list[tuple[int, int]] = []
        """From where to where groups of several members reach in the block, overlapping ones merged, in order."""

    def run(self) -> list[Group]:
        for place, op in enumerate(self.block.ops):
            needs = dict.fromkeys(outside_values(op))
            if not self._join(op, needs, place):
                self._start(op, needs, place)
        return self._ordered()

    def _start(self, op: Operation, needs: dict[SSAValue, None], place: int) -> None:
        group = Group([op], needs=needs, compute=is_compute(op), first=place, last=place)
        if group.compute and isinstance(op, GenericOp) and not structured.is_contraction(op):
            group.fusible = True
            group.row_dims = leading_dims(op)
            group.row_extents = structured.shape_of(structured.outputs(op)[0])[: group.row_dims]
            group.row_bytes = row_bytes(op, group.row_dims)
            group.scalar = _is_scalar(op)
            group.operations = _operations(op)
            self._note_reads(group, op)
        if calls_runtime(op):
            group.after, self.last_call = self.last_call, group
        self.groups.append(group)
        for result in op.results:
            self.producer[result] = group

    def _join(self, op: Operation, needs: dict[SSAValue, None], place: int) -> bool:
        """Adds `op` to the group of one of the tensors it reads, where that is legal and pays."""
        if not isinstance(op, GenericOp) or not is_compute(op) or structured.is_contraction(op):
            return False
        if self._finish_product(op, needs, place):
            return True
        tried: set[Group] = set()
        operations = _operations(op)
        for operand in reversed(structured.inputs(op)):
            group = self.producer.get(operand)
            if group is None or not group.fusible or group in tried:
                continue
            tried.add(group)
            if group.operations + operations > cost_model.KERNEL_OPERATIONS:
                continue
            rows = self._shared_rows(group, op)
            if rows is None or not self._independent(group, needs):
                continue
            self._extend(group, op, needs, place, rows)
            return True
        return self._join_sibling(op, needs, place)

    def _join_sibling(self, op: GenericOp, needs: dict[SSAValue, None], place: int) -> bool:
        """Adds `op` to a group that reads the same tensor, where that is legal and pays."""
        if _is_scalar(op):
            return False
        operations = _operations(op)
        for _, operand in siblings.streams(op):
            for group, reader in islice(reversed(self.readers.get(operand, {}).items()), MOST_READERS):
                if group.operations + operations > cost_model.KERNEL_OPERATIONS:
                    continue
                if not siblings.worth_one_pass(reader, op, operand, place - group.last):
                    continue
                rows = self._common_rows(group, op)
                if rows is None or not siblings.read_in_same_order(reader, op, operand, rows):
                    continue
                if any(self.producer.get(value) is group for value in needs) or not self._independent(group, needs):
                    continue
                self._extend(group, op, needs, place, rows)
                return True
        return False

    def _common_rows(self, group: Group, op: GenericOp) -> int | None:
        """How many leading dimensions `op` and `group` have in common, all or none; None where joining is no gain."""
        own = leading_dims(op)
        rows = min(group.row_dims, own)
        if rows == 0:
            return 0 if group.row_dims == own else None
        if structured.shape_of(structured.outputs(op)[0])[:rows] != group.row_extents[:rows]:
            return None
        if rows < group.row_dims:
            held = sum(row_bytes(m, rows) for m in group.members if isinstance(m, GenericOp))
            if not cost_model.worth_sharing_rows(prod(group.row_extents[:rows]), held, False):
                return None
        return rows

    def _extend(self, group: Group, op: GenericOp, needs: dict[SSAValue, None], place: int, rows: int) -> None:
        """Adds `op` to `group`, which works by its first `rows` dimensions from now on."""
        group.row_dims = rows
        group.row_extents = group.row_extents[:rows]
        group.row_bytes = sum(row_bytes(m, rows) for m in [*group.members, op] if isinstance(m, GenericOp))
        group.operations += _operations(op)
        group.add(op, needs, place)
        self._note_span(group)
        self._note_reads(group, op)
        for result in op.results:
            self.producer[result] = group

    def _note_reads(self, group: Group, op: GenericOp) -> None:
        for _, operand in siblings.streams(op):
            self.readers.setdefault(operand, {}).setdefault(group, op)

    def _finish_product(self, op: GenericOp, needs: dict[SSAValue, None], place: int) -> bool:
        """Adds `op` to the group of a contraction whose result it alone reads, as what is stored instead."""
        index = product_operand(op)
        group = None if index is None else self.producer.get(op.operands[index])
        if group is None or len(group.members) > 1 or not self._independent(group, needs):
            return False
        group.add(op, needs, place)
        self._note_span(group)
        self.producer[op.results[0]] = group
        return True

    def _shared_rows(self, group: Group, op: GenericOp) -> int | None:
        """How many leading dimensions `op` could share with `group`, None where joining is no gain."""
        if group.scalar or _is_scalar(op):
            return 0 if group.scalar and _is_scalar(op) else None
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
        count = 1
        for extent in group.row_extents[:rows]:
            count *= extent
        members = [m for m in [*group.members, op] if isinstance(m, GenericOp)]
        held = sum(row_bytes(m, rows) for m in members)
        return rows if cost_model.worth_sharing_rows(count, held, rows == group.row_dims) else None

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


def _operations(op: GenericOp) -> int:
    return sum(cost_model.scalar_cost(inner.name) for inner in op.body.block.ops)


def _is_scalar(op: GenericOp) -> bool:
    return all(size == 1 for size in structured.loop_extents(op))
