"""The schedules that are one change away from one of a kernel: what a search draws from.

Another kind of change is another function in `CHANGES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import prod
from typing import TypeAlias

from xdsl.ir import BlockArgument

from ..dialects.schedule.tree import (
    FOR,
    PARALLEL,
    UNROLL,
    VECTOR,
    Compute,
    Fetch,
    Keep,
    Loop,
    Node,
    Range,
    Stream,
    Tree,
    counted,
    variable,
)
from ..ir.schedule_changes import changes_of, split
from ..ir.schedule_errors import ScheduleError
from .schedulable import Schedulable
from .streams import outputs_of

Named: TypeAlias = tuple[str, Tree]


def neighbours(tree: Tree, kernel: Schedulable, threads: int) -> Iterator[Named]:
    """The trees that are one change away, legal or not, each with the name of the change. The first word of a name is
    the kind of the change. What the check lets pass is never refused later.
    """
    for changes in CHANGES:
        yield from changes(tree, kernel)
    yield from kernel.variants(tree, threads)


def all_neighbours(tree: Tree, kernel: Schedulable, threads: int) -> Iterator[Named]:
    """The same, and vectors, which `loops-vectorize` may refuse."""
    yield from neighbours(tree, kernel, threads)
    yield from vectors(tree, kernel)


def is_legal(tree: Tree, kernel: Schedulable, threads: int) -> bool:
    """Whether a schedule does what the kernel says, on so many threads, in code of a reasonable size."""
    most = kernel.model.tuning.most_copies
    for node, loops in tree.walk():
        if isinstance(node, Loop) and node.kind == PARALLEL and threads == 1:
            return False
        trips = [range.trips or most for loop in loops if loop.kind == UNROLL for range in loop.ranges]
        if isinstance(node, Compute) and prod(trips) > most:
            return False
    try:
        kernel.check(tree)
    except ScheduleError:
        return False
    return True


# The changes


def simple_changes(tree: Tree, kernel: Schedulable) -> Iterator[Named]:
    """Those of `ir/schedule_changes.py`, with sizes that divide what there is; if there are few, all divisors."""
    known = kernel.model.tuning.tile_sizes
    trips = {range.trips for loop in _loops(tree) for range in loop.ranges if range.trips}
    sizes = {size for size in known if any(each % size == 0 for each in trips)}
    for each in trips:
        if sum(each % size == 0 for size in known) < len(kernel.model.tuning.jammed):
            sizes.update(size for size in range(2, min(each, known[-1])) if each % size == 0)
    yield from changes_of(tree, sorted(sizes))


def keeps(tree: Tree, kernel: Schedulable) -> Iterator[Named]:
    """A buffer that only the kernel uses, kept in a loop."""
    kept = {node.buffer for node, _ in tree.walk() if isinstance(node, Keep)}
    for name in kernel.ops.private.keys() - kept:
        for loop in _loops(tree):
            if loop.kind in (FOR, PARALLEL):
                inside = replace(loop, body=(Keep(name), *loop.body))
                yield f"keep {name} in {loop.ranges[-1].name}", tree.replaced(loop, (inside,))


def jams(tree: Tree, kernel: Schedulable) -> Iterator[Named]:
    """Some trips of a loop side by side in the loops inside of it: unroll and jam (Allen and Cocke, "A catalogue of
    optimizing transformations", 1971).
    """
    for loop in _loops(tree):
        for size in kernel.model.tuning.jammed if any(isinstance(node, Loop) for node in loop.body) else ():
            tiled = None if (loop.ranges[0].trips or 1) % size else split(tree, loop, size)
            outer = None if tiled is None else _new_loop(tree, tiled)
            if tiled is None or outer is None or not isinstance(inner := outer.body[0], Loop):
                continue
            body = tuple(_jammed(inner.body, inner.ranges))
            yield f"jam {loop.ranges[0].name} by {size}", tiled.replaced(outer, (replace(outer, body=body),))


def vectors(tree: Tree, kernel: Schedulable) -> Iterator[Named]:
    """Other vectors of the innermost loops: of one register, of several side by side, or as the next passes choose."""
    for loop in _loops(tree):
        range, *others = loop.ranges
        if loop.kind not in (FOR, VECTOR) or others or any(isinstance(node, Loop) for node in loop.body):
            continue
        for lanes in kernel.model.tuning.lanes:
            if lanes <= (range.trips or 0) and lanes != loop.side:
                yield f"vector {lanes} {range.name}", tree.replaced(loop, (replace(loop, kind=VECTOR, side=lanes),))
        if loop.kind == VECTOR:
            yield f"vector as chosen {range.name}", tree.replaced(loop, (replace(loop, kind=FOR, side=0),))


def hints(tree: Tree, kernel: Schedulable) -> Iterator[Named]:
    """The next trip of a loop not fetched ahead; results stored past the caches, or not."""
    for node, _ in tree.walk():
        if isinstance(node, Fetch) and node.at:
            yield f"wait {node.op}.in{node.input}", tree.replaced(node, ())
    streamed = {node.output: node for node in tree.streams}
    for name, buffer in outputs_of(kernel.function).items():
        if isinstance(buffer, BlockArgument):
            others = tuple(node for each, node in streamed.items() if each != name)
            verb, streams = ("cache", others) if name in streamed else ("stream", (*others, Stream(name)))
            yield f"{verb} {name}", tree.streaming(streams)


def plain(tree: Tree, kernel: Schedulable) -> Iterator[Named]:
    """Loops over the dimensions of each op, one op after the other: another place to start from."""
    nodes: list[Node] = []
    for op, nest in kernel.ops.nests.items():
        names = [f"i{dim}" for dim in range(len(nest.extents))]
        node: Node = Compute(op, tuple(map(variable, names)))
        for name, extent in zip(reversed(names), reversed(nest.extents), strict=True):
            node = Loop(FOR, (counted(name, extent),), (node,))
        nodes.append(node)
    if nodes:
        yield "plain loops", Tree(tuple(nodes))


Changes: TypeAlias = Callable[[Tree, Schedulable], Iterator[Named]]
CHANGES: tuple[Changes, ...] = (simple_changes, keeps, jams, hints, plain)


def _loops(tree: Tree) -> list[Loop]:
    return [node for node, _ in tree.walk() if isinstance(node, Loop)]


def _new_loop(before: Tree, after: Tree) -> Loop | None:
    """The outer one of the two loops that one has been split into."""
    known = {range.name for loop in _loops(before) for range in loop.ranges}
    for node, loops in after.walk():
        if isinstance(node, Loop) and node.ranges[0].name not in known:
            return loops[-1]
    return None


def _jammed(body: tuple[Node, ...], ranges: tuple[Range, ...]) -> Iterator[Node]:
    """`body` with the loop over `ranges` innermost."""
    points: list[Node] = []
    for node in body:
        if isinstance(node, Compute):
            points.append(node)
            continue
        if isinstance(node, Fetch):  # of a trip that is one of these now
            continue
        if points:
            yield Loop(UNROLL, ranges, tuple(points))
            points = []
        if isinstance(node, Loop) and node.kind == UNROLL:
            yield replace(node, ranges=(*node.ranges, *ranges))
        elif isinstance(node, Loop):
            yield replace(node, body=tuple(_jammed(node.body, ranges)))
        else:
            yield node
    if points:
        yield Loop(UNROLL, ranges, tuple(points))
