"""Sorted parts of lines: how many elements of each are among the first so many of all.

An element is among the first t if fewer than t elements come before it: a search in each part, of several places at
once. How many of another part come before an element is found by bisection. Of elements that are equal those of the
parts in front come first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import i1, i32
from xdsl.ir import Attribute, Region

from ....decisions.communication import Communication
from ....dialects import stablehlo
from ....dialects.shared_attributes import tensor_type
from ....ir.tensor_builder import Tensor
from ....ir.tensors import int_array
from .lines import elements_of_lines
from .site import Site


def steps_of(length: int, parts: int, lines: int, costs: Communication) -> int:
    """How many steps the search takes in parts of `length`."""
    return _steps(length, costs.search_ways(parts, lines)) * _steps(length, 2)


def _steps(size: int, ways: int) -> int:
    """After how many a range of `size` is empty, each of whose steps leaves one of so many ranges."""
    count = 0
    while size:
        size, count = size // ways, count + 1
    return count


class SortedParts:
    """Parts of one length one after the other in each line, sorted by `comparator`."""

    def __init__(self, site: Site, comparator: Region, lines: Sequence[Tensor], counts: Sequence[int]) -> None:
        """`lines`: by line and place; `counts`: how many elements of each part count, which come first in it."""
        self.site, self.builder, self.lines = site, site.builder, lines
        self.comparator, self.counts, self.parts = comparator, counts, len(counts)
        self.length = lines[0].shape[1] // self.parts
        self.ways = site.partitioner.costs.search_ways(self.parts, lines[0].shape[0])

    def of_first(self, limits: Tensor) -> Tensor:
        """By line, limit and part: how many elements of the part are among the first `limits` of the line."""
        (requests,), lines = limits.shape, self.lines[0].shape[0]
        shape, count = (lines, requests, self.parts), self.ways - 1
        tried, kept = (lines, requests, count, self.parts), (0, 1, 3)

        def narrow(_: Tensor, bounds: list[Tensor]) -> Sequence[Tensor]:
            low, high = bounds
            each, rest = (high - low) / self.ways, (high - low) % self.ways
            number = self.builder.iota(i32, tried, 2) + 1
            each, rest, begin, end = (x.broadcast(tried, kept) for x in (each, rest, low, high))
            places = begin + each * number + rest * number / self.ways
            is_among = self._number_before(places) < limits.broadcast(tried, (1,))
            is_among = is_among & (begin < end)
            above = is_among.select(places + 1, begin).reduce(stablehlo.MaxOp, 0, (2,))
            return [above, is_among.select(end, places.minimum(end)).reduce(stablehlo.MinOp, self.length, (2,))]

        low, _ = self.builder.loop(_steps(max(self.counts), self.ways), self._whole_range(shape), narrow)
        return low

    def _whole_range(self, shape: Sequence[int]) -> list[Tensor]:
        """Bounds of places in the part that the last dimension says."""
        counts = self._constant(self.counts).broadcast(shape, (len(shape) - 1,))
        return [counts.number(0), counts]

    def _constant(self, numbers: Sequence[int]) -> Tensor:
        return self.builder.constant(np.array(numbers, np.int32), i32)

    def _number_before(self, places: Tensor) -> Tensor:
        """How many elements of all parts come before the one at each of `places` in its part."""
        shape, outer, last = (*places.shape, self.parts), tuple(range(places.rank)), places.rank
        own, other = self.builder.iota(i32, shape, last - 1), self.builder.iota(i32, shape, last)
        is_in_front = other < own
        elements = [x.broadcast(shape, outer) for x in self._at(places)]

        def halve(_: Tensor, bounds: list[Tensor]) -> Sequence[Tensor]:
            low, high = bounds
            middle = (low + high) / 2
            others = self._at(middle)
            firsts = [is_in_front.select(x, y) for x, y in zip(elements, others, strict=True)]
            seconds = [is_in_front.select(y, x) for x, y in zip(elements, others, strict=True)]
            is_above = self._comes_first(firsts, seconds) ^ is_in_front
            return [((low < high) & is_above).select(middle + 1, low), is_above.select(high, middle)]

        low, _ = self.builder.loop(_steps(max(self.counts), 2), self._whole_range(shape), halve)
        before = own.equals(other).select(places.broadcast(shape, outer), low)
        return before.sum((last,))

    def _at(self, places: Tensor) -> list[Tensor]:
        """The elements at places in the parts that the last dimension says; of operands that nobody compares, zeros."""
        (lines, *_), size = places.shape, self.length
        begins = self._constant(range(0, self.parts * size, size)).broadcast(places.shape, (places.rank - 1,))
        flat = (places.minimum(size - 1) + begins).reshape((lines, -1))
        arguments = self.comparator.block.args
        return [
            elements_of_lines(x, flat).reshape(places.shape)
            if arguments[2 * index].first_use or arguments[2 * index + 1].first_use
            else self.builder.splat(x.element_type, places.shape, 0)
            for index, x in enumerate(self.lines)
        ]

    def _comes_first(self, firsts: Sequence[Tensor], seconds: Sequence[Tensor]) -> Tensor:
        """Whether the comparator says so, element by element."""
        operands = [x for pair in zip(firsts, seconds, strict=True) for x in pair]
        properties: dict[str, Attribute] = {"dimensions": int_array(range(firsts[0].rank))}
        regions = [self.site.region(self.comparator)]
        types = (tensor_type(i1, *firsts[0].shape),)
        return self.builder.emit(stablehlo.MapOp, operands, types, properties, regions)[0]
