"""A kernel that is one Fourier transform, and its schedule: loops over vectors of lines, and over what is around them.

parallel i = 0 to 32, j = 0 to 60 by 16 overlapping {
  tile l = 0 to 16 by 16 {
    compute transform at (i, j + l)
  }
}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast

from xdsl.dialects.builtin import AnyFloat, MemRefType
from xdsl.ir import Attribute

from ...decisions.model import CostModel
from ...dialects.fourier import TransformOp, part_type
from ...dialects.schedule.tree import FOR, PARALLEL, TILE, Compute, Loop, Node, Range, Tree, pieces, variable
from ...ir.schedule_errors import refuse
from ...ir.schedule_order import Facts
from ...ir.schedules import check
from .lines import Lines, lines_along

NAME = "transform"
"""What schedules call the op."""


def lines_of(op: TransformOp, model: CostModel) -> Lines:
    """The lines of the input, as many at once as a vector of the target has lanes."""
    shape = cast("MemRefType[Attribute]", op.input.type).get_shape()
    return lines_along(shape, op.axis.value.data, model.target.lanes(_part(op).bitwidth))


def terms_of_transform(op: TransformOp) -> int:
    """How many terms its sums have."""
    return op.length


def _part(op: TransformOp) -> AnyFloat:
    return cast(AnyFloat, part_type(cast("MemRefType[Attribute]", op.input.type).element_type))


@dataclass(frozen=True)
class Walk:
    """The loops from the outside in, each with what it walks, "others" or "vectors", and whether it is parallel; how
    many lines are in a vector."""

    loops: tuple[tuple[str, bool], ...]
    lanes: int

    def counts(self, lines: Lines) -> Mapping[str, int]:
        """The trips of the loops."""
        lines = replace(lines, lanes=self.lanes)
        return {"others": lines.others, "vectors": lines.vectors}


def decide_walk(op: TransformOp, model: CostModel, threads: int) -> Walk:
    """The loops that are chosen for a transform."""
    lines = lines_of(op, model)
    bits = _part(op).bitwidth
    numbers = lines.others * lines.vectors * 2 * op.length * lines.lanes
    traffic, operations = 2 * numbers * bits // 8, numbers * sum(op.factors)
    parallel = model.parallelism.worth_a_parallel_region(traffic, operations, threads)
    return Walk((("others", parallel), ("vectors", parallel)), lines.lanes)


def tree_of_walk(op: TransformOp, walk: Walk, model: CostModel) -> Tree:
    """The schedule of a transform."""
    lines = lines_of(op, model)
    sizes = {"others": (lines.others, 1, "i"), "vectors": (lines.count, walk.lanes, "j")}
    at = {"others": variable("i") * (lines.others > 1), "vectors": variable("l")}
    if lines.count > walk.lanes:
        at["vectors"] = variable("j") + at["vectors"]
    tile = Loop(TILE, (pieces("l", walk.lanes, walk.lanes),), (Compute(NAME, (at["others"], at["vectors"])),))
    node: Node = tile
    parallel: tuple[Range, ...] = ()
    for what, is_parallel in reversed(walk.loops):
        size, step, name = sizes[what]
        if size <= step:
            continue
        if is_parallel:
            parallel = (pieces(name, size, step), *parallel)
        else:
            node = Loop(FOR, (pieces(name, size, step),), (node,))
    return Tree((Loop(PARALLEL, parallel, (node,)) if parallel else node,), checked=True)


def decide_transform(op: TransformOp, model: CostModel, threads: int) -> Tree:
    """The schedule that is chosen for a transform."""
    return tree_of_walk(op, decide_walk(op, model, threads), model)


def transforms_beside(tree: Tree, op: TransformOp, model: CostModel, threads: int) -> Iterator[tuple[str, Tree]]:
    """Loops with other vectors, or in the other order, with what is different."""
    walk = walk_of(tree, op, model)
    for lanes in (walk.lanes // 2, walk.lanes * 2):
        if 2 <= lanes <= lines_of(op, model).count:
            yield f"vectors of {lanes}", tree_of_walk(op, replace(walk, lanes=lanes), model)
    yield "interchange", tree_of_walk(op, replace(walk, loops=walk.loops[::-1]), model)


def walk_of(tree: Tree, op: TransformOp, model: CostModel) -> Walk:
    """What a schedule says. Raises `ScheduleError`."""
    lines = lines_of(op, model)
    if not tree.checked:
        check(tree, [Facts(NAME, (lines.others, lines.count), (False, False), ())], {})
    ((compute, loops),) = [(node, loops) for node, loops in tree.walk() if isinstance(node, Compute)]
    assert isinstance(compute, Compute)
    around, tile = loops[:-1], loops[-1] if loops else None
    if tile is None or tile.kind != TILE:
        refuse(compute, "lines are transformed in a tile, a vector of lines at a time")
    lanes, *others = tile.ranges
    if others or lanes.end != lanes.step or lanes.step & (lanes.step - 1) or lanes.step > lines.count:
        refuse(tile, "a tile of lines is one vector, of a power of two of lines")
    found: list[tuple[str, bool]] = []
    for loop in around:
        if loop.kind not in (FOR, PARALLEL):
            refuse(loop, "no such loop is around lines")
        for each in loop.ranges:
            what = "vectors" if each.name in compute.at[1].loops() else "others"
            if what in dict(found) or each.step != (lanes.step if what == "vectors" else 1):
                refuse(loop, "one loop walks vectors of lines, and one single lines around these")
            found.append((what, loop.kind == PARALLEL))
    missing = [(what, False) for what in ("others", "vectors") if what not in dict(found)]
    return Walk((*missing, *found), lanes.step)
