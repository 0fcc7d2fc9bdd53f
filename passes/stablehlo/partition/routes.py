"""From one layout of a tensor to another: the cheapest sequence of collectives, by a search over layouts.

A step changes one thing, and says which devices act together:

    Cut        a dimension is split further; no communication
    Gather     the minor digits of a dimension go
    Move       the minor digits of a dimension become those of another one (all_to_all)
    Permute    the parts are as many in each dimension, on other devices (collective_permute)
    Combine    the parts of a sum are summed (all_reduce)
    Scatter    they are summed, and a dimension is split by their digits (reduce_scatter)
    Spread     a value becomes a sum: the value on the devices whose digits are 0, zeros on the others
    Embed      the minor digits of a dimension become those of a sum: a part in its place among zeros; no communication

Parts of a dimension have ceil(size / parts) elements, and the last ones padding. Cutting twice gives other parts than
cutting once where the sizes do not divide; such steps are not taken, so that the way leads through a whole dimension.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from math import prod
from typing import NamedTuple

from ....decisions.communication import Communication
from .devices import Devices, Digits, Layout, replicated


class Cut(NamedTuple):
    """Each device keeps its part of what it has."""

    dim: int
    digits: Digits


class Gather(NamedTuple):
    """The minor `digits` of a dimension go."""

    dim: int
    digits: Digits


class Move(NamedTuple):
    """The minor `digits` of dimension `source` become the minor ones of `target`."""

    source: int
    target: int
    digits: Digits


class Permute(NamedTuple):
    """Devices exchange their parts as they are."""

    dimensions: tuple[Digits, ...]


class Combine(NamedTuple):
    """Values of devices that differ in `digits` are combined, for all of them."""

    digits: Digits


class Scatter(NamedTuple):
    """Values of devices that differ in `digits` are combined, a part along `dim` for each."""

    dim: int
    digits: Digits


class Spread(NamedTuple):
    """Only the first of the devices that differ in `digits` keeps the value."""

    digits: Digits


class Embed(NamedTuple):
    """Each device has its part by the minor `digits` of a dimension, and zeros for the parts of the others."""

    dim: int
    digits: Digits


Step = Cut | Gather | Move | Permute | Combine | Scatter | Spread | Embed


class Route(NamedTuple):
    """Steps, each with the layout that it leaves."""

    cost: float
    steps: tuple[tuple[Step, Layout], ...]


@dataclass(frozen=True)
class Tensors:
    """A shape, the bytes of an element, and where the tensor may be."""

    devices: Devices
    shape: tuple[int, ...]
    element_bytes: float
    costs: Communication

    def bytes(self, layout: Layout) -> float:
        """What each device has."""
        return prod(self.devices.local_shape(self.shape, layout)) * self.element_bytes

    def nests(self, dim: int, outer: Digits, inner: Digits) -> bool:
        """Whether the parts by `outer` and `inner` of a dimension are the parts by `outer` cut into equal pieces."""
        size, parts = self.shape[dim], self.devices.parts(inner)
        small = self.devices.local_size(size, outer + inner)
        return not outer or small * parts == self.devices.local_size(size, outer)


def route(tensors: Tensors, source: Layout, target: Layout) -> Route:
    """The cheapest way from `source` to `target`.

    Digits that stay beside each other, such as those of an axis, go as one; those that neither names do not matter.
    """
    if source == target:
        return Route(0, ())
    blocks = _blocks(source, target)
    sizes = tuple(map(tensors.devices.parts, blocks))
    number = {block: place for place, block in enumerate(blocks)}
    short = (Layout(*_in_blocks(layout, number)) for layout in (source, target))
    cost, steps = _found(sizes, tensors.shape, tensors.element_bytes, tensors.costs, *short)
    return Route(cost, tuple((_step_in_digits(step, blocks), _in_digits(layout, blocks)) for step, layout in steps))


def _blocks(source: Layout, target: Layout) -> list[Digits]:
    """The digits of two layouts, those together that stand one behind the other in both or are in neither."""
    places: list[dict[int, tuple[int, int]]] = []
    for dimensions, partial in (source, target):
        runs = (*dimensions, partial)
        places.append({digit: (run, place) for run, digits in enumerate(runs) for place, digit in enumerate(digits)})
    found: list[list[int]] = []
    order = [digit for layout in (source, target) for run in (*layout.dimensions, layout.partial) for digit in run]
    for digit in dict.fromkeys(order):
        before = found[-1][-1] if found else None
        if before is not None and all(_follows(where.get(before), where.get(digit)) for where in places):
            found[-1].append(digit)
        else:
            found.append([digit])
    return [tuple(digits) for digits in found]


def _follows(before: tuple[int, int] | None, place: tuple[int, int] | None) -> bool:
    if before is None or place is None:
        return before is place
    return (before[0], before[1] + 1) == place


def _in_blocks(layout: Layout, number: dict[Digits, int]) -> tuple[tuple[Digits, ...], Digits]:
    """Dimensions and partial digits of a layout as numbers of blocks."""
    first = {block[0]: place for block, place in number.items()}

    def short(digits: Digits) -> Digits:
        return tuple(first[digit] for digit in digits if digit in first)

    return tuple(map(short, layout.dimensions)), tuple(sorted(short(layout.partial)))


def _all_of(numbers: Digits, blocks: Sequence[Digits]) -> Digits:
    return tuple(digit for number in numbers for digit in blocks[number])


def _in_digits(layout: Layout, blocks: Sequence[Digits]) -> Layout:
    dimensions = tuple(_all_of(digits, blocks) for digits in layout.dimensions)
    return Layout(dimensions, tuple(sorted(_all_of(layout.partial, blocks))))


def _step_in_digits(step: Step, blocks: Sequence[Digits]) -> Step:
    if isinstance(step, Permute):
        return Permute(tuple(_all_of(digits, blocks) for digits in step.dimensions))
    return step._replace(digits=_all_of(step.digits, blocks))


@lru_cache(1 << 14)
def _found(
    sizes: tuple[int, ...],
    shape: tuple[int, ...],
    element_bytes: float,
    costs: Communication,
    source: Layout,
    target: Layout,
) -> Route:
    """Dijkstra's algorithm over layouts by digits of these sizes."""
    tensors = Tensors(Devices(sizes, (), {}), shape, element_bytes, costs)
    order = count()
    best: dict[Layout, float] = {source: 0}
    came: dict[Layout, tuple[Layout, Step]] = {}
    queue: list[tuple[float, int, Layout]] = [(0, next(order), source)]
    done: set[Layout] = set()
    while queue and len(done) < tensors.costs.most_routes:
        cost, _, layout = heapq.heappop(queue)
        if layout in done:
            continue
        done.add(layout)
        if layout == target:
            return Route(cost, _steps(came, source, target))
        for step, following, price in _neighbours(tensors, layout, target):
            total = cost + price
            if following not in done and total < best.get(following, float("inf")):
                best[following], came[following] = total, (layout, step)
                heapq.heappush(queue, (total, next(order), following))
    return _through_everything(tensors, source, target)


def _steps(came: dict[Layout, tuple[Layout, Step]], source: Layout, target: Layout) -> tuple[tuple[Step, Layout], ...]:
    steps: list[tuple[Step, Layout]] = []
    while target != source:
        before, step = came[target]
        steps.append((step, target))
        target = before
    return tuple(reversed(steps))


def _through_everything(tensors: Tensors, source: Layout, target: Layout) -> Route:
    """Everything to all devices, of which each keeps what it is to have."""
    steps: list[tuple[Step, Layout]] = []
    cost, layout, costs = 0.0, source, tensors.costs

    def step(step: Step, following: Layout, price: float) -> None:
        nonlocal cost, layout
        cost, layout = cost + price, following
        steps.append((step, following))

    if layout.partial:
        step(Combine(layout.partial), layout.whole(), costs.step(2 * tensors.bytes(layout)))
    for dim, digits in enumerate(layout.dimensions):
        if digits:
            whole = layout.with_dimension(dim, ())
            step(Gather(dim, digits), whole, costs.step(tensors.bytes(whole)))
    assert layout == replicated(len(tensors.shape))
    for dim, digits in enumerate(target.dimensions):
        if digits:
            cut = layout.with_dimension(dim, digits)
            step(Cut(dim, digits), cut, costs.copy(tensors.bytes(cut)))
    if target.partial:
        step(Spread(target.partial), target, costs.copy(tensors.bytes(target)))
    return Route(cost, tuple(steps))


def _neighbours(tensors: Tensors, layout: Layout, target: Layout) -> Iterator[tuple[Step, Layout, float]]:
    """The steps that may lead to `target`, the layouts they leave and what they cost."""
    costs = tensors.costs
    for step, following in _local_steps(tensors, layout, target):
        yield step, following, costs.copy(tensors.bytes(following))
    local = tensors.bytes(layout)
    for step, following in (*_gathers(tensors, layout, target), *_moves(tensors, layout, target)):
        share = 1 - 1 / tensors.devices.parts(step.digits)
        yield step, following, costs.step(share * max(local, tensors.bytes(following)))
    if layout.partial:
        for step, following in _combinations(tensors, layout, target):
            share = 1 - 1 / tensors.devices.parts(step.digits)
            yield step, following, costs.step(share * local * (1 if isinstance(step, Scatter) else 2))
    else:
        permuted = _permuted(tensors.devices, layout, target)
        if permuted != layout.dimensions:
            yield Permute(permuted), Layout(permuted), costs.step(local)


def _local_steps(tensors: Tensors, layout: Layout, target: Layout) -> Iterator[tuple[Step, Layout]]:
    """Cuts by digits that nothing uses yet, spreads and embeddings."""
    used = layout.used
    wanted = tuple(digit for digit in target.partial if digit not in layout.partial)
    if wanted and not used & set(wanted):
        yield Spread(wanted), layout._replace(partial=tuple(sorted((*layout.partial, *wanted))))
    if wanted:
        yield from _embeddings(tensors, layout, wanted)
    for dim, (digits, goal) in enumerate(zip(layout.dimensions, target.dimensions, strict=True)):
        free = tuple(digit for digit in goal if digit not in used)
        runs = {free[start:end] for start in range(len(free)) for end in range(start + 1, len(free) + 1)}
        for run in sorted(runs):
            if tensors.nests(dim, digits, run):
                yield Cut(dim, run), layout.with_dimension(dim, digits + run)


def _embeddings(tensors: Tensors, layout: Layout, wanted: Digits) -> Iterator[tuple[Embed, Layout]]:
    """The minor digits of dimensions that are to be those of a sum."""
    for dim, digits in enumerate(layout.dimensions):
        for keep in range(len(digits)):
            outer, inner = digits[:keep], digits[keep:]
            if set(inner) <= set(wanted) and tensors.nests(dim, outer, inner):
                partial = tuple(sorted((*layout.partial, *inner)))
                yield Embed(dim, inner), layout._replace(partial=partial).with_dimension(dim, outer)


def _gathers(tensors: Tensors, layout: Layout, target: Layout) -> Iterator[tuple[Gather, Layout]]:
    for dim, digits in enumerate(layout.dimensions):
        for keep in range(len(digits)):
            outer, inner = digits[:keep], digits[keep:]
            if digits != target.dimensions[dim] and tensors.nests(dim, outer, inner):
                yield Gather(dim, inner), layout.with_dimension(dim, outer)


def _moves(tensors: Tensors, layout: Layout, target: Layout) -> Iterator[tuple[Move, Layout]]:
    for source, digits in enumerate(layout.dimensions):
        for keep in range(len(digits)):
            outer, inner = digits[:keep], digits[keep:]
            if not tensors.nests(source, outer, inner):
                continue
            for goal, there in enumerate(layout.dimensions):
                wanted = not set(inner).isdisjoint(target.dimensions[goal])
                if goal != source and wanted and tensors.nests(goal, there, inner):
                    moved = layout.with_dimension(source, outer).with_dimension(goal, there + inner)
                    yield Move(source, goal, inner), moved


def _combinations(tensors: Tensors, layout: Layout, target: Layout) -> Iterator[tuple[Combine | Scatter, Layout]]:
    """What is left to combine at once, or the parts of it by which a dimension of the target is split."""
    pending = tuple(digit for digit in layout.partial if digit not in target.partial)
    if pending:
        yield Combine(pending), layout._replace(partial=_without(layout.partial, pending))
    for dim, (digits, goal) in enumerate(zip(layout.dimensions, target.dimensions, strict=True)):
        rest = goal[len(digits) :] if goal[: len(digits)] == digits else goal
        for end in range(1, len(rest) + 1):
            run = rest[:end]
            if not set(run) <= set(pending):
                break
            if tensors.nests(dim, digits, run):
                scattered = layout._replace(partial=_without(layout.partial, run))
                yield Scatter(dim, run), scattered.with_dimension(dim, digits + run)


def _without(digits: Digits, others: Digits) -> Digits:
    return tuple(digit for digit in digits if digit not in others)


def _permuted(devices: Devices, layout: Layout, target: Layout) -> tuple[Digits, ...]:
    """As many parts in each dimension as in `layout`, by the digits of `target` as far as these fit."""
    needs = [Counter(devices.sizes[digit] for digit in digits) for digits in layout.dimensions]
    found: list[list[int]] = []
    for need, goal in zip(needs, target.dimensions, strict=True):
        taken: list[int] = []
        for digit in goal:
            if not need[devices.sizes[digit]]:
                break
            need[devices.sizes[digit]] -= 1
            taken.append(digit)
        found.append(taken)
    used = {digit for taken in found for digit in taken}
    for need, taken, digits in zip(needs, found, layout.dimensions, strict=True):
        for digit in (*digits, *sorted(layout.used)):
            if digit not in used and need[devices.sizes[digit]]:
                need[devices.sizes[digit]] -= 1
                used.add(digit)
                taken.append(digit)
    return tuple(map(tuple, found))
