"""What each device needs of a split dimension around its own part: slices, shifts, padding, windows.

Element j of a result reads `extent` elements of the operand from `start + step j` on. Both are split by the same
digits, the operand in parts of c elements, the result in parts of d: device i needs the elements from
`start + step d i` on. They lie in the parts of a few devices i + delta, the same deltas for all i, from each of which a
`collective_permute` brings what anybody needs of it.

The idea of exchanging halos is GSPMD's (Y. Xu et al., 2021, section 4.3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple

from xdsl.dialects.builtin import i32

from ....ir.tensor_builder import Tensor
from .devices import Devices, Digits, replicated
from .factors import Assignment, Choice
from .site import Site


class Window(NamedTuple):
    """The elements of an operand that an element of the result reads."""

    start: int = 0
    step: int = 1
    extent: int = 1


class Piece(NamedTuple):
    """What comes from the device whose place is greater by `delta`: its elements from `first` below `limit`."""

    delta: int
    first: int
    limit: int


class Plan(NamedTuple):
    """What every device collects along a dimension, and where in it its own elements begin."""

    pieces: tuple[Piece, ...]
    length: int
    """Elements that a device needs."""
    origin: int
    """Where what is collected begins, counted from the beginning of the own part."""
    local: int
    """The size of a part of the operand."""
    advance: int
    """By how much further the elements of the next device begin, counted from the beginning of its part."""


def plan_of(size: int, result_size: int, parts: int, window: Window) -> Plan | None:
    """The plan for a dimension of `size`; None if nobody needs anything, or has anything."""
    local, produced = -(-size // parts), -(-result_size // parts)
    length = window.step * (produced - 1) + window.extent
    if local == 0 or length <= 0:
        return None
    needs: dict[int, tuple[int, int]] = {}
    for place in range(parts):
        first = window.start + window.step * produced * place
        last = min(first + length, window.start + window.step * (result_size - 1) + window.extent, size)
        for owner in range(max(first, 0) // local, -(-last // local)):
            low, high = max(first - owner * local, 0), min(last - owner * local, local)
            if low < high:
                known = needs.get(owner - place, (low, high))
                needs[owner - place] = min(known[0], low), max(known[1], high)
    if not needs:
        return None
    deltas = range(min(needs), max(needs) + 1)
    pieces = [
        Piece(
            delta,
            needs[delta][0] if delta == deltas[0] else 0,
            needs[delta][1] if delta == deltas[-1] else local,
        )
        for delta in deltas
    ]
    origin = pieces[0].delta * local + pieces[0].first
    return Plan(tuple(pieces), length, origin, local, window.step * produced - local)


def cost_of(site: Site, plan: Plan | None, bytes_of_an_element: float) -> float:
    """The cost of the exchange, where an element along the dimension stands for so many bytes of a device."""
    if plan is None:
        return 0
    costs = site.partitioner.costs
    remote = [piece for piece in plan.pieces if piece.delta]
    moved = sum(costs.step((piece.limit - piece.first) * bytes_of_an_element) for piece in remote)
    return moved + costs.copy(plan.length * bytes_of_an_element)


def collect(
    site: Site,
    x: Tensor,
    dim: int,
    size: int,
    digits: Digits,
    result_size: int,
    window: Window,
    fill: Tensor | bytes | int,
) -> Tensor:
    """The elements that this device needs along `dim` of `x`, a part by `digits` of a dimension of `size`.

    As many as all devices need at most, from the first one on; `fill` where there is no element of that index.
    """
    devices, builder = site.devices, x.builder
    parts = devices.parts(digits)
    plan = plan_of(size, result_size, parts, window)
    produced = devices.local_size(result_size, digits)
    length = max(window.step * (produced - 1) + window.extent, 0) if produced else 0
    if plan is None:
        shape = [length if d == dim else n for d, n in enumerate(x.shape)]
        other = fill.broadcast(shape, ()) if isinstance(fill, Tensor) else builder.splat(x.element_type, shape, fill)
        return other
    pieces = [_received(site, x, dim, digits, piece) for piece in plan.pieces]
    joined = pieces[0] if len(pieces) == 1 else builder.concatenate(pieces, dim)
    begins = [window.start - plan.origin + plan.advance * place for place in range(parts)]
    before, behind = max(0, -min(begins)), max(0, max(begins) + length - joined.shape[dim])
    joined = joined.pad({dim: behind}, {dim: before})
    if plan.advance:
        start = site.emitter.place(digits) * plan.advance + (begins[0] + before)
        taken = joined.dynamic_slice({dim: start}, {dim: length})
    else:
        taken = joined.slice({dim: (begins[0] + before, begins[0] + before + length)})
    return _filled(site, taken, dim, size, digits, window.start, window.step * produced, fill)


def _received(site: Site, x: Tensor, dim: int, digits: Digits, piece: Piece) -> Tensor:
    part = x.slice({dim: (piece.first, piece.limit)})
    if piece.delta == 0:
        return part
    return site.emitter.permuted(part, shift(site.devices, digits, piece.delta))


def shift(devices: Devices, digits: Digits, delta: int) -> list[list[int]]:
    """Pairs that bring to each device what the one has whose place by `digits` is greater by `delta`."""
    return [
        [group[place + delta], target]
        for group in devices.groups(digits)
        for place, target in enumerate(group)
        if 0 <= place + delta < len(group)
    ]


def mirrored(devices: Devices, digits: Digits) -> list[list[int]]:
    """Pairs that bring to each device what the one in the opposite place by `digits` has."""
    return [
        [source, target]
        for group in devices.groups(digits)
        for source, target in zip(group, reversed(group), strict=True)
    ]


def _filled(
    site: Site, x: Tensor, dim: int, size: int, digits: Digits, start: int, advance: int, fill: Tensor | bytes | int
) -> Tensor:
    """With `fill` where the operand has no element: x begins at `start + advance * place`."""
    parts, length = site.devices.parts(digits), x.shape[dim]
    if start >= 0 and start + advance * (parts - 1) + length <= size:
        return x
    shape = x.shape
    indices = site.builder.iota(i32, shape, dim)
    first = site.emitter.place(digits) * advance + start
    indices = indices + first.broadcast(shape, ())
    counts = (indices < size) & (indices.at_least(0)) if start < 0 else indices < size
    other = fill.broadcast(shape, ()) if isinstance(fill, Tensor) else x.number(fill)
    return counts.select(x, other)


def _with_holes(x: Tensor, dim: int, holes: int, fill: Tensor | bytes | int) -> Tensor:
    """With as many elements `fill` behind each one."""
    if not x.shape[dim]:
        return x
    value = fill if isinstance(fill, Tensor) else x.builder.splat(x.element_type, (), fill)
    return x.pad({dim: holes}, interior={dim: holes}, value=value)


class Shift(NamedTuple):
    """A dimension of an operand that the same digits split as one of a result, of which each element reads a window."""

    operand: int
    dim: int
    result_size: int
    factor: int
    window: Window
    holes: int = 0
    """Between two elements of the operand, filled like what is beyond its ends."""
    dilation: int = 1
    """How far apart the elements of the operand stand in what the window moves over, where the op puts them there."""

    def size_in(self, site: Site, parts: int) -> int:
        """The size of the dimension; with holes, of all parts together, which each have as many behind an element."""
        size = site.operands[self.operand].shape[self.dim]
        return (self.holes + 1) * -(-size // parts) * parts if self.holes else size

    def reads(self, parts: int) -> tuple[int, Window] | None:
        """Of so many elements of the result each reads this window of the operand; None where parts do not begin
        where elements stand.
        """
        produced = -(-self.result_size // parts)
        start, step, extent = self.window
        if self.dilation == 1:
            return self.result_size, self.window
        if produced * step % self.dilation:
            return None
        first = -(-start // self.dilation)
        count = (start + step * (produced - 1) + extent - 1) // self.dilation - first + 1
        advance = produced * step // self.dilation
        return (advance * parts, Window(first, 1, count - advance + 1)) if count > 0 and advance else None

    def padding(self, parts: int, count: int) -> tuple[int, int]:
        """What is left to pad around `count` collected elements."""
        if self.dilation == 1:
            return (0, 0)
        start, step, extent = self.window
        low = -(-start // self.dilation) * self.dilation - start
        length = step * (-(-self.result_size // parts) - 1) + extent
        return low, length - low - (count - 1) * self.dilation - 1


def exchange_of(site: Site, shifts: Sequence[Shift]) -> Callable[[Assignment], float]:
    """What the shifts of an op cost."""

    def exchange(assignment: Assignment) -> float:
        total = 0.0
        for shift in shifts:
            if digits := assignment.get(shift.factor, ()):
                value, parts = site.operands[shift.operand], site.devices.parts(digits)
                size = shift.size_in(site, parts)
                whole = value.bytes(replicated(value.rank)) / max(value.shape[shift.dim], 1)
                found = shift.reads(parts)
                if found is None:
                    return inf
                total += cost_of(site, plan_of(size, found[0], parts, found[1]), whole)
        return total

    return exchange


def collected(
    site: Site, x: Tensor, index: int, shifts: Sequence[Shift], choice: Choice, fill: Tensor | bytes | int
) -> Tensor:
    """Operand `index` with all that its shifts read; those that are not split are left alone."""
    for shift in shifts:
        digits = choice.assignment.get(shift.factor, ())
        if shift.operand == index and digits:
            if shift.holes:
                x = site.masked(x, site.operands[index].shape, choice.operands[index], [shift.dim], fill)
                x = _with_holes(x, shift.dim, shift.holes, fill)
            parts = site.devices.parts(digits)
            found = shift.reads(parts)
            assert found is not None
            x = collect(site, x, shift.dim, shift.size_in(site, parts), digits, *found, fill)
    return x
