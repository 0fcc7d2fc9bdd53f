"""Whether a schedule does what its kernel says: every point once, no value before it is there.

The rules are sufficient, not necessary, and stated on the accesses of the ops (affine in their dimensions):

* *Points.* The loops around a `compute` are used by its indices, each once, and the places of an op that are computed
  are boxes that do not overlap and leave nothing out; of a fill, what another op overwrites may be left out.
* *Order.* An op that touches what another one writes stands behind it, and inside the loops that both have in common
  both touch the same elements in the same trip: some index of the buffer tells the trip.
* *Threads.* In a `parallel` loop no two trips write the same element, and there is none in another one.
* *Sequence.* What may not be reduced in another order is reduced in that of its dimensions.
* *Memory.* What is kept per trip is written in the trip in which it is read, and nobody else uses it.

The second rule is the one of loop fusion (Wolfe, "High Performance Compilers for Parallel Computing", 1996, chapter 9)
without distances: only dependences within a trip are allowed.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import product
from math import prod

from ..dialects.schedule.tree import (
    CHAIN,
    PARALLEL,
    TILE,
    TRANSPOSE,
    UNROLL,
    VECTOR,
    Compute,
    Digit,
    Fetch,
    Hold,
    Keep,
    Loop,
    Node,
    Pack,
    Parts,
    Stage,
    Start,
    Tree,
)
from .affine import ZERO, AffineSum, Division, divide
from .schedule_errors import refuse
from .schedule_order import Facts, Leaf, Touch, are_apart, common_loops, leaf_of, pinned, reduced_places
from .schedule_points import Box, common, image, overlap, union_volume, volume


def check(tree: Tree, ops: Sequence[Facts], private: Mapping[str, Hashable]) -> None:
    """Raises `ScheduleError` unless `tree` does what `ops` say, in their order. `private` are the buffers that nobody
    but `ops` uses, by the name of the op that writes them.
    """
    _check_nesting(tree, any(op.in_chains for op in ops))
    _check_fetches(tree, ops, private)
    leaves, folded = _leaves(tree, ops)
    _check_points(tree, ops, leaves, folded)
    for op in ops:
        if op.in_order:
            _check_sequence(op, leaves[op.name])
    for number, first in enumerate(ops):
        for second in ops[number:]:
            for mine, theirs in product(first.touches, second.touches):
                if mine.buffer == theirs.buffer and (mine.writes or theirs.writes):
                    _check_pair(leaves[first.name], mine, leaves[second.name], theirs, first is second)
    _check_memory(tree, ops, leaves, private)


def _check_nesting(tree: Tree, in_chains: bool) -> None:
    for node, loops in tree.walk():
        if isinstance(node, Start) and loops:
            refuse(node, "it stands outside of all loops")
        if isinstance(node, Loop) and not Tree((node,)).is_tiled:
            if (node.kind == CHAIN and not in_chains) or any(range.overlapping for range in node.ranges):
                refuse(node, "chains and overlapping steps are for loops around a tile")
        elif isinstance(node, Loop) and node.kind == CHAIN and any(range.trips is None for range in node.ranges):
            refuse(node, "the ends of a chain around a tile are numbers")
        if isinstance(node, Loop) and node.kind == PARALLEL and any(loop.kind == PARALLEL for loop in loops):
            refuse(node, "there is a parallel loop around it")
        if isinstance(node, Loop) and not node.body:
            refuse(node, "nothing is in it")
        beside = isinstance(node, Compute) or (isinstance(node, Fetch) and loops and loops[-1].kind == VECTOR)
        if loops and loops[-1].kind in (UNROLL, TRANSPOSE, VECTOR, TILE) and not beside:
            refuse(node, f"only ops may stand in a loop of the kind '{loops[-1].kind}'")
        if isinstance(node, Loop) and node.kind == VECTOR:
            if len(node.ranges) > 1 or node.side < 2 or node.side & (node.side - 1):
                refuse(node, "a vector has a power of two of elements of one loop, two at least")


def _check_fetches(tree: Tree, ops: Sequence[Facts], private: Mapping[str, Hashable]) -> None:
    """Whether what is fetched at some point is an input from outside, asked for beside an op."""
    kept = set(private.values())
    for node, loops in tree.walk():
        if not isinstance(node, Pack | Fetch | Hold):
            continue
        if not isinstance(node, Fetch) or not node.at:
            if not tree.is_tiled:
                refuse(node, "it is for the operands and sums of a tile")
            continue
        op = next((op for op in ops if op.name == node.op), None)
        if op is None:
            refuse(node, f"the kernel has no op '{node.op}'; it has {', '.join(op.name for op in ops)}")
        buffer = op.inputs.get(node.input)
        if buffer is None:
            inputs = ", ".join(f"{op.name}.in{number}" for number in op.inputs)
            refuse(node, f"'{op.name}' has no such input in memory" + (f"; it has {inputs}" if inputs else ""))
        if buffer in kept:
            refuse(node, "only what comes from outside of the kernel is fetched")
        if len(node.at) != len(op.extents):
            refuse(node, f"expected {len(op.extents)} indices, got {len(node.at)}")
        names = {range.name for loop in loops for range in loop.ranges}
        if unknown := sorted({name for index in node.at for name in index.loops()} - names):
            refuse(node, f"there is no loop '{unknown[0]}' around it")
        if not loops or not any(map(_computes, loops[-1].body)):
            refuse(node, "there is no op beside it")


def _computes(node: Node) -> bool:
    """Whether `node` is an op, or copies of ops."""
    return isinstance(node, Compute) or (isinstance(node, Loop) and node.kind == UNROLL)


def _leaves(tree: Tree, ops: Sequence[Facts]) -> tuple[dict[str, list[Leaf]], dict[str, str]]:
    leaves: dict[str, list[Leaf]] = {op.name: [] for op in ops}
    extents = {op.name: op.extents for op in ops}
    folded: dict[str, str] = {}
    methods = {op.name for op in ops if op.has_methods}
    for order, (node, loops) in enumerate(tree.walk()):
        name = node.op if isinstance(node, Compute | Start) else None
        if name is not None and name not in leaves:
            refuse(node, f"the kernel has no op '{name}'; it has {', '.join(leaves)}")
        if isinstance(node, Compute):
            if node.by is not None and node.op not in methods:
                refuse(node, f"'{node.op}' is computed in one way only")
            leaves[node.op].append(leaf_of(node, loops, order, extents[node.op]))
        elif isinstance(node, Start):
            if node.fill not in leaves or not next(op.is_fill for op in ops if op.name == node.fill):
                refuse(node, f"'{node.fill}' is no fill of the kernel")
            _check_start(node, ops)
            folded[node.fill] = node.op
    return leaves, folded


def _check_start(node: Start, ops: Sequence[Facts]) -> None:
    """Whether an op adds to every element of what a fill writes, before any other op touches it."""
    names = [op.name for op in ops]
    fill, op = ops[names.index(node.fill)], ops[names.index(node.op)]
    (target,) = (touch for touch in fill.touches if touch.writes)
    mine = [touch for touch in op.touches if touch.buffer == target.buffer]
    if len(mine) != 2 or {touch.writes for touch in mine} != {True, False} or mine[0].flat != mine[1].flat:
        refuse(node, f"'{node.op}' adds nothing to what '{node.fill}' writes")
    between = ops[names.index(node.fill) + 1 : names.index(node.op)]
    if names.index(node.fill) > names.index(node.op) or any(
        touch.buffer == target.buffer for other in between for touch in other.touches
    ):
        refuse(node, f"'{node.op}' is not the first that uses what '{node.fill}' writes")
    size = 1
    for dim, stride in sorted(mine[0].flat.terms.items(), key=lambda term: term[1]):
        if not isinstance(dim, int) or stride != size:
            break
        size *= op.extents[dim]
    if size != prod(fill.extents) or mine[0].flat.const:
        refuse(node, f"'{node.op}' does not add to all that '{node.fill}' writes")


def _check_points(
    tree: Tree, ops: Sequence[Facts], leaves: Mapping[str, Sequence[Leaf]], folded: Mapping[str, str]
) -> None:
    copies = {node.operand for node, _ in tree.walk() if isinstance(node, Stage)}
    for op in ops:
        if op.name in folded:
            if leaves[op.name]:
                refuse(leaves[op.name][0].node, f"'{folded[op.name]}' starts from it")
            continue
        if op.part_of:
            _check_parts(op, leaves[op.name])
            continue
        parts = [other.name for other in ops if other.part_of == op.name]
        boxes = [(leaf, box) for name in (op.name, *parts) for leaf in leaves[name] for box in leaf.boxes]
        for number, (leaf, box) in enumerate(boxes):
            if any(overlap(box, other) for _, other in boxes[:number]):
                refuse(leaf.node, "computes points that another line computes")
        missing = prod(op.extents) - sum(volume(box) for _, box in boxes)
        if (
            missing
            and op.name not in copies
            and not (op.is_fill and _is_overwritten(op, [box for _, box in boxes], ops, leaves))
        ):
            where = leaves[op.name][0].node if leaves[op.name] else None
            refuse(where, f"{missing} of the {prod(op.extents)} points of '{op.name}' are not computed")


def _is_overwritten(fill: Facts, boxes: list[Box], ops: Sequence[Facts], leaves: Mapping[str, Sequence[Leaf]]) -> bool:
    """Whether what `boxes` leave of a fill is overwritten by an op that does not read it."""
    (target,) = (touch for touch in fill.touches if touch.writes)
    for op in ops:
        mine = [touch for touch in op.touches if touch.buffer == target.buffer]
        if op is fill or not mine or not all(touch.writes for touch in mine):
            continue
        for touch in mine:
            boxes = [*boxes, *_images(touch, leaves[op.name])]
        break
    return union_volume(boxes) == prod(fill.extents)


def _check_parts(op: Facts, leaves: Sequence[Leaf]) -> None:
    """Whether the partial sums of `op` lie in their buffers, and fill them."""
    for touch in op.touches:
        if touch.writes and touch.shape and touch.indices:
            boxes = _images(touch, leaves)
            sizes = " x ".join(map(str, touch.shape))
            ends = [(end, size) for box in boxes for (_, end), size in zip(box, touch.shape, strict=True)]
            if any(end > size for end, size in ends):
                refuse(leaves[0].node, f"there are only {sizes} partial sums")
            if union_volume(boxes) != prod(touch.shape):
                refuse(leaves[0].node if leaves else None, f"not all {sizes} partial sums of '{op.name}' are used")


def _images(touch: Touch, leaves: Sequence[Leaf]) -> list[Box]:
    """The boxes of a buffer that `leaves` go to all elements of, where these are known."""
    found = [image(touch.indices, box) for leaf in leaves for box in leaf.boxes] if touch.indices else []
    return [each for each in found if each is not None]


def _check_sequence(op: Facts, leaves: Sequence[Leaf]) -> None:
    """Whether what `op` reduces for an element is reduced in order."""
    kept = [dim for dim, reduced in enumerate(op.reduction) if not reduced]
    before: list[tuple[Leaf, int]] = []
    for leaf in sorted(leaves, key=lambda leaf: leaf.order):
        places = reduced_places(leaf, op)
        boxes = [tuple(box[dim] for dim in kept) for box in leaf.boxes]
        for other, last in before:
            same = any(overlap(box, tuple(each[dim] for dim in kept)) for box in boxes for each in other.boxes)
            if same and places is not None and last >= places[0]:
                places = None
        if places is None:
            refuse(leaf.node, f"'{op.name}' may not be done in another order than that of its dimensions")
        before.append((leaf, places[1]))


def _check_pair(before: Sequence[Leaf], mine: Touch, behind: Sequence[Leaf], theirs: Touch, same: bool) -> None:
    """Whether what `before` touches is complete where `behind` touches it."""
    for left, right in product(before, behind):
        if are_apart(left, mine, right, theirs):
            continue
        common = common_loops(left, right)
        ranges = sum(len(loop.ranges) for loop in common)
        if same:
            if left is right:
                _check_threads(left, mine, theirs)
            continue
        if left.order > right.order:
            refuse(right.node, f"needs what '{left.node.op}' does, and stands before it")
        told = pinned(left, mine, right, theirs, ranges)
        for number in range(ranges):
            if left.counts[number] > 1 and number not in told and left.names[number] != right.node.after:
                refuse(
                    right.node,
                    f"the loop '{left.names[number]}' is around it and '{left.node.op}', which touch the same elements"
                    " in different trips",
                )


def _check_threads(leaf: Leaf, mine: Touch, theirs: Touch) -> None:
    if not (mine.writes or theirs.writes):
        return
    ranges = sum(len(loop.ranges) for loop in leaf.loops)
    told: set[int] | None = None
    number = 0
    for loop in leaf.loops:
        for range in loop.ranges:
            if loop.kind == PARALLEL and leaf.counts[number] > 1:
                told = pinned(leaf, mine, leaf, theirs, ranges) if told is None else told
                if number not in told:
                    refuse(loop, f"'{leaf.node.op}' writes the same elements in several trips of '{range.name}'")
            number += 1


def _check_memory(
    tree: Tree, ops: Sequence[Facts], leaves: Mapping[str, Sequence[Leaf]], private: Mapping[str, Hashable]
) -> None:
    kept: set[Hashable] = set()
    stages: dict[str, list[tuple[Stage, tuple[Loop, ...]]]] = {}
    for order, (node, loops) in enumerate(tree.walk()):
        _check_in_front(node, loops, order, ops, leaves, private)
        if isinstance(node, Stage):
            stages.setdefault(node.operand, []).append((node, loops))
            continue
        for name in kept_by(node):
            if name not in private:
                if isinstance(node, Keep):
                    refuse(node, f"'{name}' writes no buffer that only this kernel uses")
                continue
            if private[name] in kept:
                refuse(node, "it is kept already")
            kept.add(private[name])
            for op in ops:
                touches = [touch for touch in op.touches if touch.buffer == private[name]]
                for leaf in leaves[op.name] if touches else ():
                    if leaf.loops[: len(loops)] != loops:
                        refuse(leaf.node, f"'{name}' is kept in loops that it is not in")
    for name, places in stages.items():
        if name not in private:
            refuse(places[0][0], f"what '{name.rpartition('.')[0]}' reads is used where it is, and not copied")
        _check_stages(places, private[name], ops, leaves)


def _check_in_front(
    node: Node,
    loops: tuple[Loop, ...],
    order: int,
    ops: Sequence[Facts],
    leaves: Mapping[str, Sequence[Leaf]],
    private: Mapping[str, Hashable],
) -> None:
    """Whether what says where a value is held, at `order` in the walk, is before all in its loops that uses it."""
    buffers = {private[name] for name in kept_by(node) if name in private}
    for op in ops if buffers else ():
        for leaf in leaves[op.name] if any(touch.buffer in buffers for touch in op.touches) else ():
            if leaf.order < order and leaf.loops[: len(loops)] == loops:
                refuse(node, f"it stands behind '{leaf.node.op}', for which it is meant")


def kept_by(node: Node) -> tuple[str, ...]:
    """The ops that write to what a node keeps."""
    if isinstance(node, Keep):
        return (node.buffer,)
    if isinstance(node, Parts):
        return f"{node.sum}.parts", f"{node.sum}.errors"
    return (node.operand,) if isinstance(node, Stage) else ()


def _without_place(leaf: Leaf, dim: int, digits: Sequence[Digit]) -> AffineSum:
    """What of the index of `leaf` along `dim` is not in `digits` of the indices of a buffer: 0, a quotient, or all."""
    of = [digit for digit in digits if f"d{dim}" in digit.loops()]
    if not of:
        return leaf.at[dim]
    modulus = min(digit.modulus for digit in of)
    return divide(leaf.at[dim], Division(leaf.at[dim], modulus, False), leaf.counts) if modulus else ZERO


def _check_stages(
    places: Sequence[tuple[Stage, tuple[Loop, ...]]],
    buffer: Hashable,
    ops: Sequence[Facts],
    leaves: Mapping[str, Sequence[Leaf]],
) -> None:
    """Whether what is read in the loops of small buffers is copied there, no two elements of a trip to one place."""
    (node, _), *others = places
    digits = [digit for index in node.at for digit in index.digits]
    (read,) = (touch for op in ops if op.name == node.operand for touch in op.touches if not touch.writes)
    for other, around in others:
        if other.at != node.at or any(around[: len(each)] == each for _, each in places if each is not around):
            refuse(other, "it is staged already")
    used = [(touch, leaf) for op in ops for touch in op.touches if touch.buffer == buffer for leaf in leaves[op.name]]
    for touch, leaf in used:
        found = [each for _, each in places if leaf.loops[: len(each)] == each]
        if not found and touch.writes:
            refuse(leaf.node, f"'{node.operand}' is staged in loops that it is not in")
        for loops in found:
            around = sum(len(loop.ranges) for loop in loops)
            for dim in read.flat.dims():
                if any(counter >= around for counter in _without_place(leaf, dim, digits).dims()):
                    refuse(leaf.node, f"'{node.operand}' has no place for the elements along dimension {dim}")
            copies = [each for other, each in used if other.writes and each.loops[: len(loops)] == loops]
            both = [common(one, two) for each in copies for one, two in product(leaf.boxes, each.boxes)]
            if sum(map(volume, both)) != sum(map(volume, leaf.boxes)):
                refuse(leaf.node, f"not all of what it reads is copied by '{node.operand}' in these loops")
