"""The way to the tile of a contraction in a schedule, and how the loops on it move the operands."""

from __future__ import annotations

from dataclasses import dataclass

from ...dialects.schedule import tree
from ...dialects.schedule.tree import CHAIN, DOT, FOR, PARALLEL, TILE, Compute, Index, Node, Range, Start, Tree
from ...ir.affine import AffineSum
from ...ir.schedule_errors import refuse
from ...ir.schedule_order import leaf_of, sum_of
from ...ir.structured import loop_extents
from ...properties import cached_property
from .analysis import LHS, OUT, RHS, Contraction, LoopDim


@dataclass(frozen=True)
class Path:
    """What is around the tile of an op, from the outside in: loops, and what stands in front of them. `behind`: what
    stands behind the innermost node that has something behind it, which is `before_behind`.
    """

    nodes: tuple[Node, ...]
    behind: tuple[Node, ...]
    before_behind: Node | None

    @staticmethod
    def to(schedule: Tree, name: str) -> Path:
        """The way to what the op called `name` computes, which is in a tile."""
        found = [(node, loops) for node, loops in schedule.walk() if isinstance(node, Compute) and node.op == name]
        if not found or any(not loops or loops[-1].kind != TILE for _, loops in found):
            refuse(found[0][0] if found else None, f"'{name}' is not computed in a tile of registers")
        if len(found) > 1:
            refuse(found[1][0], f"the tiles of '{name}' are computed in several places")
        ((compute, loops),) = found
        before = schedule.nodes[: next(place for place, node in enumerate(schedule.nodes) if node is loops[0])]
        starts = [node for node in schedule.nodes if isinstance(node, Start)]
        nodes: list[Node] = [*starts, *(node for node in before if not isinstance(node, tree.Loop | Start))]
        behind: tuple[Node, ...] = ()
        last: Node | None = None
        for loop, inner in zip(loops, (*loops[1:], compute), strict=True):
            nodes.append(loop)
            place = next(number for number, node in enumerate(loop.body) if node is inner)
            nodes += loop.body[:place]
            if loop.body[place + 1 :]:
                behind, last = loop.body[place + 1 :], inner
        return Path((*nodes, compute), behind, last)

    @cached_property
    def loops(self) -> tuple[tree.Loop, ...]:
        return tuple(node for node in self.nodes if isinstance(node, tree.Loop))

    @property
    def tile(self) -> tree.Loop:
        return self.loops[-1]

    @property
    def compute(self) -> Compute:
        compute = self.nodes[-1]
        assert isinstance(compute, Compute)
        return compute

    @property
    def finish(self) -> str | None:
        """The op that is applied to the tile."""
        found = [node.op for node, _ in Tree(self.behind).walk() if isinstance(node, Compute)]
        return found[0] if found else None


@dataclass(frozen=True, eq=False)
class Step:
    """One range of the loops around the tile, at this place of the path, and how far its variable moves each operand:
    nowhere if there is one trip."""

    place: int
    node: tree.Loop
    range: Range
    strides: tuple[int, ...]
    trips: int
    reduces: bool
    """Whether it goes through the reduction."""

    @property
    def dim(self) -> LoopDim:
        """Its trips as steps of a dimension."""
        return LoopDim(self.trips, tuple(stride * self.range.step for stride in self.strides))


def steps_on(path: Path, name: str, contraction: Contraction) -> list[Step]:
    """The ranges of the loops on the way to the tile of the op called `name`. Raises `ScheduleError`."""
    _check(path, name, contraction)
    compute = path.compute
    leaf = leaf_of(compute, path.loops, 0, tuple(loop_extents(contraction.op)))
    moved = _strides_of_dims(contraction)
    totals: list[AffineSum] = []
    for operand in range(len(contraction.operands)):
        # Quotients and remainders of one number are that number again before they become terms of their own.
        whole = Index()
        for dim, index in enumerate(compute.at):
            if dim in moved and moved[dim][operand]:
                whole = whole + index * moved[dim][operand]
        totals.append(sum_of(whole.joined(), leaf.counters, leaf.counts))
    if any(total.divisions() for total in totals):
        refuse(compute, "the loops around it do not move through its operands in equal steps")
    shown = {loop for dim, index in enumerate(compute.at) if dim in moved and moved[dim][OUT] for loop in index.loops()}
    found: list[Step] = []
    for place, loop in enumerate(path.nodes):
        if not isinstance(loop, tree.Loop):
            continue
        for each in loop.ranges:
            number, by = len(found), 1 if loop is path.tile else each.step
            strides = tuple(total.terms.get(number, 0) // by for total in totals)
            reduces = each.name not in shown
            step = Step(place, loop, each, strides, leaf.counts[number], reduces)
            found.append(step)
            if step.reduces and each.overlapping:
                refuse(loop, "parts of a sum overlap")
            if (loop.kind in (CHAIN, DOT) and not step.reduces) or (loop.kind == PARALLEL and step.reduces):
                refuse(loop, f"'{each.name}' is {'' if step.reduces else 'not '}of the reduction")
    return found


def _check(path: Path, name: str, contraction: Contraction) -> None:
    for loop in path.loops:
        if loop.kind == DOT and (loop is not path.loops[-2] or len(loop.ranges) > 1):
            refuse(loop, "the factors of a word are one loop, next to the tile")
        if (loop.kind == TILE) != (loop is path.tile) or loop.kind not in (FOR, PARALLEL, CHAIN, DOT, TILE):
            refuse(loop, f"no such loop is around the tile of '{name}'")
        for range in loop.ranges:
            if range.start.digits or range.start.constant or range.trips is None:
                refuse(loop, "the loops around a tile go from 0 to a number")
    inputs = sorted(contraction.inputs[side] for side in (LHS, RHS))
    for node in path.nodes:
        if isinstance(node, tree.Pack | tree.Fetch | tree.Hold) and node.op != name:
            refuse(node, f"it is around the tile of '{name}'")
        if isinstance(node, tree.Pack | tree.Fetch) and node.input not in inputs:
            refuse(node, f"'{name}' multiplies its inputs {' and '.join(map(str, inputs))}")


def _strides_of_dims(contraction: Contraction) -> dict[int, tuple[int, ...]]:
    """How far each dimension of the op moves the operands."""
    found: dict[int, tuple[int, ...]] = {}
    for dim in (*contraction.batch, *contraction.rows, *contraction.columns, *contraction.reduction):
        factor = 1
        for number, size in reversed(dim.digits):
            found[number] = tuple(stride * factor for stride in dim.strides)
            factor *= size
    return found
