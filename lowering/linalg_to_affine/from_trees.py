"""The nests of a kernel, from its schedule: what `trees.py` does, backwards, for any schedule.

A `compute` inside of loops is the nest of its op over the dimensions of these loops. What stands side by side in the
innermost loop is one nest where values can be handed on in registers. Loops around several nests are those of the last
one where all are parts of one op, so that what does not differ between trips is loaded outside; else they are loops of
their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import prod
from typing import NamedTuple, cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from ...decisions.model import CostModel
from ...dialects.element_sizes import element_bytes
from ...dialects.records import changed
from ...dialects.schedule.tree import (
    FOR,
    PARALLEL,
    TRANSPOSE,
    UNROLL,
    VECTOR,
    Compute,
    Fetch,
    Index,
    Keep,
    Loop,
    Node,
    Stage,
    Start,
    Tree,
)
from ...dialects.shared_attributes import memref_type
from ...ir.affine import AffineSum, Atom, Division, dimension
from ...ir.affine_builder import scratch_buffer
from ...ir.schedule_errors import refuse
from ...ir.schedule_order import sum_of, value_at
from ...ir.schedule_points import Box, boxes_of, image, overlap
from ...ir.schedules import kept_by
from .fusion import can_fuse, fused, without_dead_outputs
from .kernel_ops import KernelOps
from .nest import Access, Block, Nest, dense_access, fill_nest, scratch_kind
from .pieces import specialised
from .scalar_body import NO_BODY, copy_body
from .transposed_copy import in_blocks, is_single_copy


@dataclass(frozen=True)
class Scope:
    """What is around a node: the variables of loops in terms of dimensions, and these."""

    variables: Mapping[str, AffineSum] = field(default_factory=dict[str, AffineSum])
    extents: tuple[int, ...] = ()
    blocks: tuple[Block, ...] = ()
    loops: tuple[Loop, ...] = ()

    def inside(self, loop: Loop) -> Scope:
        """The place inside of a loop."""
        variables, extents, blocks = dict(self.variables), list(self.extents), list(self.blocks)
        for range in loop.ranges:
            if range.trips is not None:
                variables[range.name] = AffineSum({len(extents): range.step}, range.start.constant)
                extents.append(range.trips)
                continue
            (around,) = range.start.loops()
            block = variables[around]
            ((counter, size),) = block.terms.items()
            ends = [stop.constant - block.const for stop in range.stop if not stop.digits]
            blocks += [Block(len(extents), cast(int, counter), end) for end in ends if end % size]
            variables[range.name] = block + dimension(len(extents))
            extents.append(size)
        return Scope(variables, tuple(extents), tuple(blocks), (*self.loops, loop))

    def sum_of(self, index: Index) -> AffineSum:
        """An index in terms of dimensions."""
        return sum_of(index, self.variables, self.extents)

    def value(self, value: AffineSum, at: Sequence[Index]) -> AffineSum:
        """What is `value` in terms of the dimensions of an op, where these are `at`."""
        return value_at(value, at, self.variables, self.extents)

    def access(self, access: Access, at: Sequence[Index]) -> Access:
        """An access in terms of the dimensions of an op, where these are `at`."""
        indices = None if access.indices is None else tuple(self.value(index, at) for index in access.indices)
        return Access(access.memref, access.root, indices, self.value(access.flat, at))


class Nests:
    """The nests that a schedule makes of the ops of a kernel, those that it derives among them; `constant` gives a
    value. Raises `ScheduleError`.

    `nests` is the result; `allocations` are what they need ahead of all, `virtual` buffers of one element that are
    handed on in registers.
    """

    def __init__(
        self, tree: Tree, kernel: KernelOps, model: CostModel, constant: Callable[[Attribute, Attribute], SSAValue]
    ) -> None:
        self.kernel, self.model, self.constant = kernel, model, constant
        self.starts: dict[str, list[Nest]] = {}
        self.kept: dict[SSAValue, tuple[Node, int]] = {}
        private = {**kernel.private, **kernel.derived}
        for node, loops in tree.walk():
            if isinstance(node, Start):
                self.starts.setdefault(node.op, []).append(kernel.nests[node.fill])
            for name in kept_by(node):
                if name in private and not isinstance(node, Stage):
                    self.kept[private[name]] = node, sum(len(loop.ranges) for loop in loops)
        self.keeps_rows = any(isinstance(node, Keep) for node, _ in self.kept.values())
        self.staged: dict[SSAValue, SSAValue] = {}
        """The buffers of copied operands, and those that hold what is used in the loops at hand."""
        self.pending: list[Nest] = []
        self.done: dict[SSAValue, list[Box]] = {}
        self.virtual: set[SSAValue] = set()
        nests = self._body(tree.nodes, Scope())
        loaded = {root for nest in nests for part in nest.walk() for root in part.roots_read}
        dead = set(kernel.private.values()) - loaded
        nests = [nest.everywhere(lambda part: without_dead_outputs(part, dead)) for nest in nests]
        small = {root: self._small(root, nests) for root in self.kept}
        kept = _allocated(small, model)
        self.allocations = [op for each in kept.values() if (op := each.allocation) is not None and not each.depth]
        self.nests = [_allocating(nest.everywhere(lambda part: _rebased(part, kept)), kept) for nest in nests]

    def _body(self, nodes: Sequence[Node], scope: Scope) -> list[Nest]:
        """The nests, with the dimensions of `place` as rows, of what stands side by side."""
        outside = dict(self.staged)
        for node in (node for node in nodes if isinstance(node, Stage)):
            whole = self.kernel.derived[node.operand]
            self.staged[whole] = here = scratch_buffer(cast(MemRefType, whole.type)).results[0]
            self.kept[here] = node, len(scope.extents)
        found: list[Nest] = []
        for is_point, run in groupby(nodes, lambda node: isinstance(node, Compute | Fetch)):
            if is_point:
                found += self._fetching([node for node in run if isinstance(node, Compute | Fetch)], scope)
            else:
                found += [nest for node in run if isinstance(node, Loop) for nest in self._loop(node, scope)]
        self.staged = outside
        return found

    def _loop(self, loop: Loop, scope: Scope) -> list[Nest]:
        """The nests of a loop, which is the first of a nest."""
        parallel = 0
        rows, inside, nodes = len(scope.extents), scope, (loop,)
        chain: list[Loop] = []
        while len(nodes) == 1 and isinstance(node := nodes[0], Loop) and node.kind in (FOR, PARALLEL, VECTOR):
            if node.kind == PARALLEL and any(range.trips != 1 for range in node.ranges):
                if chain:
                    break
                parallel = len(node.ranges)
            inside, nodes = inside.inside(node), node.body
            chain.append(node)
        if not chain:
            copies = self._copies(loop, scope)
            ahead = [fill for fill in self.pending if fill.rows >= rows]
            self.pending = [fill for fill in self.pending if fill.rows < rows]
            return [*ahead, *copies]
        keeps = [node for node in nodes if kept_by(node)]
        fetches = [node for node in nodes if isinstance(node, Fetch)]
        others = [node for node in nodes if not kept_by(node) and not isinstance(node, Fetch)]
        if len(others) == 1 and isinstance(last := others[0], Loop) and last.kind in (UNROLL, TRANSPOSE) and not keeps:
            fetched = tuple(self._fetched(node, inside) for node in fetches)
            parts = [changed(part, fetched=fetched) for part in self._copies(last, inside)]
        else:
            parts = self._body(nodes, inside)
        if chain[-1].kind == VECTOR:
            if len(parts) > 1:
                refuse(chain[-1], "its ops cannot share a loop")
            parts = [changed(part, lanes=chain[-1].side, place=chain[-1].place) for part in parts]
        found = self._around(parts, inside, rows)
        fills = [fill for fill in self.pending if fill.rows >= rows]
        self.pending = [fill for fill in self.pending if fill.rows < rows]
        ahead = [fill for fill in fills if fill.rows == rows]
        around = tuple(fill for fill in fills if fill.rows > rows)
        return [*ahead, changed(found, parallel=parallel or found.parallel, before=(*around, *found.before))]

    def _around(self, parts: list[Nest], inside: Scope, rows: int) -> Nest:
        """The loops of `inside` but for the first `rows`, around the nests that they have as rows."""
        *others, last = parts
        if not others and not last.parallel:
            return changed(last, rows=rows)
        same = all(last.ops == part.ops or self._are_ahead(part, last) for part in others)
        if (
            not self.keeps_rows
            and same
            and last.outputs
            and not any(last.reduction[rows:])
            and not self._are_fills(last)
        ):
            return changed(last, rows=rows, before=(*others, *last.before))
        count = len(inside.extents)
        parts = [part.everywhere(self._filled_outside) for part in parts]
        return Nest(
            inside.extents,
            (False,) * count,
            (),
            (),
            (),
            NO_BODY,
            (),
            rows=rows,
            before=tuple(parts),
            blocks=inside.blocks,
        )

    def _are_fills(self, nest: Nest) -> bool:
        return bool(nest.ops) and self.kernel.fills >= set(nest.ops)

    def _are_ahead(self, nest: Nest, last: Nest) -> bool:
        """Whether all in `nest` only fills, or copies operands of `last`."""
        copies = {copy for name in last.ops for copy in self.kernel.copies_of(name)}
        return all(not each.outputs or self._are_fills(each) or copies >= set(each.ops) for each in nest.walk())

    def _copies(self, loop: Loop, scope: Scope) -> list[Nest]:
        """The nest of an unrolled loop, or of one in square blocks."""
        inside = scope.inside(loop)
        computes = [node for node in loop.body if isinstance(node, Compute)]
        nests = self._points(computes, inside)
        if len(nests) != 1:
            refuse(loop, "its ops cannot share a loop")
        (nest,) = nests
        count = len(loop.ranges)
        if loop.kind == UNROLL:
            if (points := prod(inside.extents[-count:])) > (most := self.model.loops.most_copies):
                refuse(loop, f"{points} copies of the body, more than {most}")
            return [changed(nest, rows=len(scope.extents), unrolled=count)]
        nest = changed(nest, rows=len(scope.extents))
        blocks = in_blocks(nest, self.model) if count == 2 and is_single_copy(nest) else None
        if blocks is None or blocks.transposed != loop.side:
            refuse(loop, "it copies nothing that can be transposed in such blocks")
        return [blocks]

    def _fetching(self, nodes: Sequence[Compute | Fetch], scope: Scope) -> list[Nest]:
        """The nests of points, the first of which asks for what is fetched beside them."""
        first, *others = self._points([node for node in nodes if isinstance(node, Compute)], scope)
        fetched = tuple(self._fetched(node, scope) for node in nodes if isinstance(node, Fetch))
        return [changed(first, fetched=fetched), *others]

    def _fetched(self, node: Fetch, scope: Scope) -> Access:
        op = self.kernel.nests[node.op]
        access = op.inputs[node.input]
        assert isinstance(access, Access)
        return scope.access(access, node.at)

    def _points(self, computes: Sequence[Compute], scope: Scope) -> list[Nest]:
        """The nests of points that are computed one after the other."""
        found: list[Nest] = []
        at: tuple[Index, ...] | None = None
        copied: dict[tuple[SSAValue, AffineSum], Access] = {}
        alone = False
        for node in computes:
            before = alone
            nest, alone = self._point(node, scope)
            copied = self._copied(node, scope, copied if node.at == at else {})
            inputs = tuple(copied.get((a.root, a.flat), a) if isinstance(a, Access) else a for a in nest.inputs)
            nest = changed(nest, inputs=inputs)
            if node.at == at and not (before or alone) and can_fuse(found[-1], nest, self.model):
                found[-1] = fused(found[-1], nest)
            elif found and found[-1].ops == nest.ops and self._are_fills(nest):
                body = copy_body(nest.body.args[0].type, 1 + len(found[-1].outputs))
                outputs = (*found[-1].outputs, *nest.outputs)
                found[-1] = changed(found[-1], outputs=outputs, inits=(None,) * len(outputs), body=body)
            else:
                found.append(nest)
            at = node.at
        return [specialised(nest, self.model) for nest in found]

    def _point(self, node: Compute, scope: Scope) -> tuple[Nest, bool]:
        """The nest of a point, and whether its trips share elements."""
        op, extents = self.kernel.nests[node.op], scope.extents
        if node.after:
            refuse(node, "only what is applied to tiles of held sums is computed in a last trip")
        values = dict(enumerate(map(scope.sum_of, node.at)))
        reduced = {dim for old, value in values.items() if op.reduction[old] for dim in value.dims()}
        nest = op.with_accesses(
            lambda access: scope.access(access, node.at),
            extents=extents,
            reduction=tuple(dim in reduced for dim in range(len(extents))),
            index=tuple(scope.value(index, node.at) for index in op.index),
        )
        if (here := self.staged.get(nest.outputs[0].root)) is not None:
            nest = changed(nest, outputs=(changed(nest.outputs[0], memref=here, root=here),))
        fills = {fill.outputs[0].root: fill.inputs[0] for fill in self.starts.get(self.kernel.op_of(node.op), ())}
        inits: list[SSAValue | Attribute | None] = []
        boxes = boxes_of(node, scope.loops, op.extents) if any(op.body.reads_output) else []
        nest = changed(nest, rows=len(extents), blocks=scope.blocks)
        shares = _shares_elements(nest)
        for number, (init, reads, output) in enumerate(zip(op.inits, op.body.reads_output, op.outputs, strict=True)):
            init = cast(SSAValue, fills.get(output.root)) or init
            init = init if reads and self._is_first(output, boxes) else None
            target = nest.outputs[number]
            if init is not None and shares:
                _, depth = self.kept.get(output.root, (None, 0))
                self.pending.append(fill_nest(nest, [(target, self._scalar(init, target))], depth))
                init = None
            inits.append(init)
        # Where elements are shared, each point adds to what is in memory.
        reduction = (False,) * len(extents) if shares else nest.reduction
        return changed(nest, inits=tuple(inits), reduction=reduction), shares

    def _scalar(self, init: SSAValue | Attribute, output: Access) -> SSAValue:
        return init if isinstance(init, SSAValue) else self.constant(init, output.type.element_type)

    def _is_first(self, output: Access, boxes: Sequence[Box]) -> bool:
        """Whether nothing before this adds to the same elements."""
        whole = tuple((0, size) for size in output.type.get_shape())
        mine = [image(output.indices or (), box) or whole for box in boxes]
        known = self.done.setdefault(output.root, [])
        apart = not any(overlap(one, other) for one in mine for other in known)
        known += mine
        return apart

    def _copied(
        self, node: Compute, scope: Scope, known: Mapping[tuple[SSAValue, AffineSum], Access]
    ) -> dict[tuple[SSAValue, AffineSum], Access]:
        """What is read at a point where there are copies of it in small buffers, and these."""
        found = dict(known)
        for each in self.kernel.staged.get(node.op, ()):
            source, access = scope.access(each.source, node.at), scope.access(each.access, node.at)
            if (here := self.staged.get(access.root)) is not None:
                found[source.root, source.flat] = changed(access, memref=here, root=here)
        return found

    def _filled_outside(self, nest: Nest) -> Nest:
        """The nest, which is in its final loops, with a fill ahead of those around it over which it reduces."""
        inits = list(nest.inits)
        fills: dict[tuple[int, frozenset[int]], list[tuple[Access, SSAValue]]] = {}
        """By how many loops are around it and by the dimensions that it is over."""
        for number, (init, output) in enumerate(zip(inits, nest.outputs, strict=True)):
            around = [d for d in range(nest.rows) if nest.reduction[d] and nest.extents[d] > 1 and d not in output.dims]
            if init is not None and nest.body.reads_output[number] and around:
                fill = output, self._scalar(init, output)
                fills.setdefault((around[0], frozenset(output.dims)), []).append(fill)
                inits[number] = None
        self.pending += [fill_nest(nest, together, depth) for (depth, _), together in fills.items()]
        return changed(nest, inits=tuple(inits))

    # What is kept

    def _small(self, root: SSAValue, nests: Sequence[Nest]) -> _Small:
        """The part of a kept buffer that one trip of the loops around needs."""
        node, depth = self.kept[root]
        corner: tuple[AffineSum, ...] | None = None
        shape = cast(MemRefType, root.type).get_shape()
        ends: list[tuple[int, int] | None] = [None] * len(shape)
        handed_on = True
        for nest in (part for whole in nests for part in whole.walk()):
            for access in (access for access in nest.accesses if access.root is root):
                if access.memref is not root or access.indices is None:
                    refuse(node, "an op sees it in another shape")
                parted = [_parted(index, depth) for index in access.indices]
                around = tuple(outside for outside, _ in parted)
                corner = around if corner is None else corner
                if around != corner:
                    refuse(node, "the ops in the loops around it use different parts of it")
                for dim, (_, index) in enumerate(parted):
                    bounds, known = index.bounds(nest.extents), ends[dim]
                    if bounds is None:
                        refuse(node, "which part of it is used is not known")
                    ends[dim] = bounds if known is None else (min(known[0], bounds[0]), max(known[1], bounds[1]))
                handed_on = handed_on and nest.rows == depth
        sizes = [1 if each is None else each[1] - each[0] + 1 for each in ends]
        starts = [0 if each is None else each[0] for each in ends]
        dims = tuple(dim for dim, size in enumerate(sizes) if size != 1)
        if not dims and handed_on:
            self.virtual.add(root)
            return _Small(depth, ())
        if not shape or (not depth and isinstance(node, Keep)):
            return _Small(0, ())
        dims = dims or (0,)
        return _Small(depth, dims, tuple(sizes[dim] for dim in dims), tuple(starts[dim] for dim in dims))


def _shares_elements(nest: Nest) -> bool:
    """Whether trips of loops over which a nest adds up go to the same element and to different ones, by quotients of
    their variables."""
    reduced = {dim for dim, reduces in enumerate(nest.reduction) if reduces}
    sums = [output for reads, output in zip(nest.body.reads_output, nest.outputs, strict=True) if reads]
    return any(division.lhs.dims() & reduced for output in sums for division in output.flat.divisions())


class _Small(NamedTuple):
    """What of a buffer is kept inside of `depth` loops: dimensions, sizes and where they start; the small buffer."""

    depth: int
    dims: tuple[int, ...]
    sizes: tuple[int, ...] = ()
    starts: tuple[int, ...] = ()
    allocation: Operation | None = None


def _parted(index: AffineSum, depth: int) -> tuple[AffineSum, AffineSum]:
    """What of an index the first `depth` dimensions say, and the rest, with the constant."""
    around, inner = dict[Atom, int](), dict[Atom, int]()
    for atom, factor in index.terms.items():
        dims = atom.lhs.dims() if isinstance(atom, Division) else {atom}
        outside = all(isinstance(dim, int) and dim < depth for dim in dims)
        (around if outside else inner)[atom] = factor
    return AffineSum(around), AffineSum(inner, index.const)


def _allocated(small: Mapping[SSAValue, _Small], model: CostModel) -> dict[SSAValue, _Small]:
    """Those that need memory, with it; the smallest ones on the stack."""
    found: dict[SSAValue, _Small] = {}
    held = 0
    sized = [(root, each, cast(MemRefType, root.type).element_type) for root, each in small.items() if each.dims]
    bytes = {root: prod(each.sizes) * element_bytes(type) for root, each, type in sized if each.dims}
    for root, each, type in sorted(sized, key=lambda each: bytes.get(each[0], 0)):
        if each.dims:
            held += bytes[root]
            kind = scratch_kind(held, model)
            found[root] = each._replace(allocation=scratch_buffer(memref_type(type, *each.sizes), kind))
    return found


def _rebased(nest: Nest, kept: Mapping[SSAValue, _Small]) -> Nest:
    """The nest on the small buffers."""

    def moved(access: Access) -> Access:
        each = kept.get(access.root)
        if each is None or each.allocation is None or access.indices is None:
            return access
        buffer = each.allocation.results[0]
        corner = zip(each.dims, each.starts, strict=True)
        inner = [_parted(access.indices[dim], each.depth)[1] + -start for dim, start in corner]
        return dense_access(buffer, buffer, tuple(inner))

    return nest.with_accesses(moved)


def _allocating(nest: Nest, kept: Mapping[SSAValue, _Small], outermost: bool = True) -> Nest:
    """The nest with the allocations of the small buffers that it uses: for each thread where its loops are parallel."""
    before = tuple(_allocating(part, kept, False) for part in nest.before)
    nest = changed(nest, before=before)
    if not outermost and not nest.parallel:
        return nest
    used = {access.memref for part in nest.walk() for access in part.accesses}
    inside = {op for part in before for each in part.walk() for op in each.scratch}
    allocations = [each.allocation for each in kept.values() if each.allocation is not None and each.depth > nest.rows]
    return changed(nest, scratch=tuple(op for op in allocations if op.results[0] in used and op not in inside))
