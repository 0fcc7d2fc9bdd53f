"""Changes of schedules: each takes a loop of a tree and gives another tree, which `schedules.check` may refuse.

They are those of every loop optimiser (Wolfe, "High Performance Compilers for Parallel Computing", 1996): strip mining,
interchange, distribution, fusion, unrolling, and threads for what is independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from ..dialects.schedule.tree import (
    FOR,
    PARALLEL,
    UNROLL,
    Compute,
    Fetch,
    Index,
    Keep,
    Loop,
    Node,
    Parts,
    Range,
    Stage,
    Tree,
    counted,
    variable,
)


def split(tree: Tree, loop: Loop, size: int) -> Tree | None:
    """The loop in tiles of `size` trips; where these do not divide it, in blocks with a shorter last one."""
    (range, *others) = loop.ranges
    trips = range.trips
    if others or trips is None or size < 2 or size >= trips or loop.kind not in (FOR, PARALLEL):
        return None
    inner_name = fresh_name(tree)
    if trips % size:
        if range.step != 1:
            return None
        start = variable(inner_name)
        block = replace(range, start=start, stop=(start + Index((), size), *range.stop))
        outer = replace(range, name=inner_name, step=size)
        return tree.replaced(loop, (replace(loop, ranges=(outer,), body=(Loop(FOR, (block,), loop.body),)),))
    outer = replace(range, step=range.step * size)
    inner = counted(inner_name, range.step * size, range.step)
    body = tuple(_with_sum(node, range.name, inner_name) for node in loop.body)
    keeps = tuple(node for node in body if isinstance(node, Keep))
    rest = tuple(node for node in body if not isinstance(node, Keep))
    tiles = replace(loop, ranges=(outer,), body=(Loop(FOR, (inner,), (*keeps, *rest)),))
    return tree.replaced(loop, (tiles,))


def interchange(tree: Tree, loop: Loop) -> Tree | None:
    """The loop with the one that is all of its body: the inner one outside."""
    if len(loop.body) != 1 or not isinstance(inner := loop.body[0], Loop) or {loop.kind, inner.kind} != {FOR}:
        return None
    return tree.replaced(loop, (replace(inner, body=(replace(loop, body=inner.body),)),))


def parallel(tree: Tree, loop: Loop) -> Tree | None:
    """The trips of the loop on several threads; of a parallel loop, one after the other."""
    if loop.kind not in (FOR, PARALLEL):
        return None
    return tree.replaced(loop, (replace(loop, kind=PARALLEL if loop.kind == FOR else FOR),))


def unroll(tree: Tree, loop: Loop) -> Tree | None:
    """Copies of the body in place of the loop."""
    if loop.kind != FOR or not all(isinstance(node, Compute) for node in loop.body):
        return None
    return tree.replaced(loop, (replace(loop, kind=UNROLL),))


def distribute(tree: Tree, loop: Loop) -> Tree | None:
    """A loop for each part of the body; what is fetched for a later trip is not."""
    parts = [node for node in loop.body if not isinstance(node, Fetch)]
    if (
        len(parts) < 2
        or any(isinstance(node, Keep | Parts | Stage) for node in parts)
        or loop.kind not in (FOR, PARALLEL)
    ):
        return None
    return tree.replaced(loop, tuple(replace(loop, body=(node,)) for node in parts))


def fuse(tree: Tree, loop: Loop) -> Tree | None:
    """The loop and the next one beside it as one, where both have the same trips."""
    for siblings in _bodies(tree):
        for first, second in pairwise(siblings):
            if first is loop and isinstance(second, Loop) and _same_trips(loop, second):
                renamed = dict(zip((r.name for r in second.ranges), (r.name for r in loop.ranges), strict=True))
                body = tuple(_renamed(node, renamed) for node in second.body)
                return tree.replaced(second, ()).replaced(loop, (replace(loop, body=(*loop.body, *body)),))
    return None


def store(tree: Tree, keep: Keep) -> Tree:
    """The buffer whole in memory."""
    return tree.replaced(keep, ())


CHANGES: dict[str, Callable[[Tree, Loop], Tree | None]] = {
    "interchange": interchange,
    "parallel": parallel,
    "unroll": unroll,
    "distribute": distribute,
    "fuse": fuse,
}
"""Those without a size, by name."""


def changes_of(tree: Tree, sizes: Sequence[int]) -> Iterator[tuple[str, Tree]]:
    """Every tree that is one change away, with the name of the change; `sizes` of tiles are tried."""
    for node, _ in tree.walk():
        if isinstance(node, Keep):
            yield f"store {node.buffer}", store(tree, node)
        elif isinstance(node, Loop):
            names = ", ".join(range.name for range in node.ranges)
            for name, change in CHANGES.items():
                if (found := change(tree, node)) is not None:
                    yield f"{name} {names}", found
            for size in sizes:
                if (found := split(tree, node, size)) is not None:
                    yield f"split {names} by {size}", found


def fresh_name(tree: Tree) -> str:
    """The name of a loop that the tree has not."""
    taken = {range.name for node, _ in tree.walk() if isinstance(node, Loop) for range in node.ranges}
    number = 0
    while f"t{number}" in taken:
        number += 1
    return f"t{number}"


def _bodies(tree: Tree) -> Iterator[tuple[Node, ...]]:
    yield tree.nodes
    for node, _ in tree.walk():
        if isinstance(node, Loop):
            yield node.body


def _same_trips(first: Loop, second: Loop) -> bool:
    def trips(loop: Loop) -> list[Range]:
        return [replace(range, name="") for range in loop.ranges]

    return first.kind == second.kind and first.kind in (FOR, PARALLEL) and trips(first) == trips(second)


# Variables


def _with_sum(node: Node, old: str, added: str) -> Node:
    """The node with `old + added` in the place of the variable `old`."""
    return _mapped(node, lambda name: variable(old) + variable(added) if name == old else variable(name))


def _renamed(node: Node, names: dict[str, str]) -> Node:
    return _mapped(node, lambda name: variable(names.get(name, name)))


def _mapped(node: Node, value: Callable[[str], Index]) -> Node:
    if isinstance(node, Compute):
        after = "".join(value(node.after).loops()) if node.after else ""
        return replace(node, at=tuple(index.replaced(value) for index in node.at), after=after)
    if isinstance(node, Fetch):
        return replace(node, at=tuple(index.replaced(value) for index in node.at))
    if isinstance(node, Loop):
        return replace(node, body=tuple(_mapped(inner, value) for inner in node.body))
    return node
