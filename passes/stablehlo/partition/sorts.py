"""Sorts. Lines are whole, or each device makes a part of a sorted line, where that costs less.

Each device sorts its part, and gets the sorted parts of all. Of the result it makes the elements from t below t + c: it
looks how many of each part are among the first t, and sorts again those that are its own. Elements that are equal stay
in the order of the parts, so that the result is that of a stable sort.

How many of a part are among the first t is searched for (`sorted_parts.py`).

Padding is as great as the greatest element of its part. Of the last parts of the result, which have padding, whole ones
are made, and shifted.

Source: P. Varman, S. Scheufler, B. Iyer, G. Ricard, "Merging Multiple Lists on Hierarchical-Memory Multiprocessors"
(1991), for sorted parts that are divided exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import i1, i32
from xdsl.ir import Attribute, Operation

from ....dialects import stablehlo
from ....dialects.element_sizes import element_bits
from ....dialects.shared_attributes import i64_attribute, tensor_type
from ....dialects.stablehlo.shapes import element_type_of, shape_of
from ....dialects.stablehlo.syntax import bool_attr
from ....ir.tensor_builder import Tensor
from ..neutral_elements import reduce_counted
from .devices import Digits
from .factors import Assignment, Choice, Rule, RuleWriter, choose, cost_of_choice, partition, rule_for
from .lines import elements_of_lines
from .site import Handler, Site
from .sorted_parts import SortedParts, steps_of


def _sort(site: Site) -> None:
    """Digits of the sorted dimension go to another one, the result is made in parts, or all is gathered."""
    if not sort_in_parts(site):
        partition(site, _with_whole_lines(site))


def sort_in_parts(site: Site) -> bool:
    """Partitions a sort of lines that are split, where making parts of the result pays; False otherwise."""
    op = site.op
    assert isinstance(op, stablehlo.SortOp) and op.dimension is not None
    shape = shape_of(op.operands[0])
    if not shape or 0 in shape:
        return False
    dim = op.dimension.value.data % len(shape)
    if (choice := _choice_of_parts(site, op, dim, _with_whole_lines(site))) is None:
        return False
    operands = [site.read(index, layout) for index, layout in enumerate(choice.operands)]
    for index, tensor in enumerate(_Parts(site, op, dim, choice).sorted(operands)):
        site.define(index, choice.results[index], tensor)
    return True


def _with_whole_lines(site: Site) -> Rule:
    """The rule of a sort of which nobody has a part of a line."""
    op, shape = site.op, shape_of(site.op.operands[0])
    assert isinstance(op, stablehlo.SortOp) and op.dimension is not None
    if not shape or 0 in shape:
        return rule_for(op)
    return rule_for(op, products=site.partitioner.costs.sorting(shape[op.dimension.value.data % len(shape)]))


def _choice_of_parts(site: Site, op: stablehlo.SortOp, dim: int, whole: Rule) -> Choice | None:
    """How parts of sorted lines are made; None where that does not pay."""
    writer, shape, count = RuleWriter(), shape_of(op.operands[0]), len(op.operands)
    dims = writer.dimensions(shape)

    def exchange(assignment: Assignment) -> float:
        return _cost_of_parts(site, op, dim, assignment) if assignment.get(dim) else 0

    rule = writer.rule([dims] * count, [dims] * count, whole.products, exchange)
    choice = choose(site, rule)
    if not choice.assignment.get(dim):
        return None
    pays = cost_of_choice(site, rule, choice) < cost_of_choice(site, whole, choose(site, whole))
    return choice if pays else None


def _cost_of_parts(site: Site, op: stablehlo.SortOp, dim: int, assignment: Assignment) -> float:
    """What it takes besides sorting the own part: sorted parts of all, looking for what is taken, sorting that."""
    shape, costs, parts = shape_of(op.operands[0]), site.partitioner.costs, site.devices.parts(assignment[dim])
    local = [site.devices.local_size(size, assignment.get(factor, ())) for factor, size in enumerate(shape)]
    elements, length = prod(local), local[dim]
    own = sum(elements * element_bits(element_type_of(operand)) / 8 for operand in op.operands)
    exchanged = len(op.operands) * costs.step(0) + own * (parts - 1) + costs.copy(2 * own)
    searched = costs.search_bytes * steps_of(length, parts, elements // length, costs)
    return exchanged + costs.work(elements * costs.sorting(length)) + searched


class _Parts:
    """A sort along a dimension that is split, of lines that have elements."""

    def __init__(self, site: Site, op: stablehlo.SortOp, dim: int, choice: Choice) -> None:
        self.site, self.op, self.dim, self.builder = site, op, dim, site.builder
        self.layout = choice.operands[0]
        self.digits: Digits = self.layout.dimensions[dim]
        self.size, self.parts = shape_of(op.operands[0])[dim], site.devices.parts(self.digits)
        self.length = site.devices.local_size(self.size, self.digits)
        self.place = Tensor(self.builder, site.emitter.place(self.digits).value)
        """Of this device along the sorted dimension."""
        self.counts = [min(self.length, max(0, self.size - part * self.length)) for part in range(self.parts)]
        """How many elements each part has."""

    def sorted(self, operands: list[Tensor]) -> list[Tensor]:
        """The parts of the results."""
        order = [*(d for d in range(operands[0].rank) if d != self.dim), self.dim]
        moved = [x.transpose(order) for x in operands]
        lines = prod(moved[0].shape[:-1])
        own = self._locally(self._filled([x.reshape((lines, self.length)) for x in moved]))
        everything = [self.site.emitter.all_gather(x, 1, self.digits) for x in own]
        begin = (self.place * self.length).minimum(self.size - self.length)
        taken = self._locally(self._taken(everything, begin))
        if self.size % self.parts:
            taken = [self._shifted(x, self.place * self.length - begin) for x in taken]
        back = [order.index(d) for d in range(len(order))]
        return [x.reshape(y.shape).transpose(back) for x, y in zip(taken, moved, strict=True)]

    def _locally(self, lines: Sequence[Tensor]) -> list[Tensor]:
        properties: dict[str, Attribute] = {"dimension": i64_attribute(1), "is_stable": bool_attr(True)}
        regions = [self.site.region(self.op.comparator)]
        return self.builder.emit(stablehlo.SortOp, lines, [x.type for x in lines], properties, regions)

    def _shifted(self, x: Tensor, count: Tensor) -> Tensor:
        return x.pad({1: self.length}).dynamic_slice({1: count}, {1: self.length})

    def _filled(self, lines: list[Tensor]) -> list[Tensor]:
        """With the greatest element of each line in its padding."""
        if self.size % self.parts == 0:
            return lines
        builder, shape, count = self.builder, lines[0].shape, len(lines)
        scalars: list[Attribute] = [tensor_type(x.element_type) for x in (*lines, *lines)]
        comparator = self.site.region(self.op.comparator)

        def greater(values: list[Tensor]) -> Sequence[Tensor]:
            pairs = list(zip(values[:count], values[count:], strict=True))
            (is_second,) = builder.inline(comparator, [x for pair in pairs for x in pair])
            return [is_second.select(second, first) for first, second in pairs]

        is_element = self.site.indices(shape, 1, self.digits) < self.size
        inits = [builder.splat(x.element_type, (), 0) for x in lines]
        body, nothing = builder.region(scalars, greater), builder.splat(i1, (), 0)
        *greatest, _ = reduce_counted(builder, body, [*lines, is_element], [*inits, nothing], (1,))
        return [is_element.select(x, y.broadcast(shape, (0,))) for x, y in zip(lines, greatest, strict=True)]

    def _taken(self, everything: Sequence[Tensor], begin: Tensor) -> list[Tensor]:
        """The elements that are from `begin` on in sorted lines, those of a part behind those of the parts before."""
        site, (lines, _), length = self.site, everything[0].shape, self.length
        parts = SortedParts(site, self.op.comparator, everything, self.counts)
        bounds = parts.of_first(self.builder.vector([begin, begin + length]))
        first, last = (bounds.slice({1: (n, n + 1)}).reshape((lines, self.parts)) for n in range(2))
        numbers = places = self.builder.iota(i32, (lines, length), 1)
        filled = shift = self.builder.splat(i32, (lines, 1), 0)
        for part in range(self.parts):
            begins, ends = (x.slice({1: (part, part + 1)}) for x in (first, last))
            before, shift = shift, begins + part * length - filled
            is_behind = numbers.at_least(filled.broadcast(numbers.shape, (0, 1)))
            places = places + is_behind.select((shift - before).broadcast(numbers.shape, (0, 1)), 0)
            filled = filled + ends - begins
        return [elements_of_lines(x, places) for x in everything]


SORTS: dict[type[Operation], Handler] = {stablehlo.SortOp: _sort}
"""Op type to handler."""
