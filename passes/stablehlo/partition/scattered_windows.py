"""`select_and_scatter`, such as the gradient of a pooling: batch and space.

A spatial dimension is split like the operand. A device collects the elements of all windows that reach into its part,
with the source elements of these windows, scatters, and keeps what is its own; windows on an edge of parts are treated
on both sides. That takes parts that windows begin at: parts of a multiple of the stride.

What is beyond the ends of the operand is never selected. Where windows reach there, a number goes with each element,
-1 for what is none, and the elements that windows select are scattered to by their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, prod
from typing import NamedTuple

from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute

from ....dialects import stablehlo
from ....dialects.shared_attributes import tensor_type
from ....dialects.stablehlo.attributes import ScatterDimensionNumbersAttr
from ....dialects.stablehlo.regions import single_op
from ....dialects.stablehlo.shapes import element_type_of, shape_of
from ....dialects.stablehlo.windows import padding_attr
from ....ir.tensor_builder import Tensor
from ..neutral_elements import neutral_of
from .devices import replicated
from .factors import Assignment, Choice, RuleWriter, partition
from .site import Handler, Site
from .windows import Window, collect, cost_of, plan_of


class _Reach(NamedTuple):
    """The windows that reach into a part of `local` elements, along a dimension."""

    local: int
    step: int
    """By how many windows the next device begins later."""
    first: int
    """The first window of the first device."""
    number: int
    begin: int
    """Where the first window begins, counted from the beginning of the own part."""
    length: int

    @property
    def windows(self) -> Window:
        """What a device needs of the source, per window that begins in its part."""
        return Window(self.first, 1, self.number - self.step + 1)

    @property
    def elements(self) -> Window:
        """What it needs of the operand, per own element."""
        return Window(self.begin, 1, self.length - self.local + 1)


def reach_of(size: int, parts: int, window: int, stride: int, low: int) -> _Reach | None:
    """The windows of each of `parts` parts of `size` elements; None if parts do not begin where windows do."""
    local = -(-size // parts)
    first = -((window - 1 - low) // stride)
    count = (local - 1 + low) // stride - first + 1
    if not local or local % stride or count <= 0:
        return None
    return _Reach(local, local // stride, first, count, first * stride - low, stride * (count - 1) + window)


def _select_and_scatter(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.SelectAndScatterOp)
    _Scattered(site, op).run()


class _Scattered:
    """One op, and the dimensions along which its windows move."""

    def __init__(self, site: Site, op: stablehlo.SelectAndScatterOp) -> None:
        self.site, self.op = site, op
        self.window = op.window
        self.operand, self.source = shape_of(op.operands[0]), shape_of(op.operands[1])
        sizes, strides, padding = self.window.sizes, self.window.strides, self.window.padding
        rank = len(self.operand)
        self.moving = [d for d in range(rank) if (sizes[d], strides[d], padding[d]) != (1, 1, (0, 0))]
        combiner = single_op(op.scatter)
        element = element_type_of(op.results[0])
        scalars = [x.type for region in op.regions for x in region.block.args]
        is_plain = all(type == tensor_type(element) for type in scalars) and element_type_of(op.operands[1]) == element
        neutral = None if combiner is None or not is_plain else neutral_of(type(combiner), element)
        self.neutral = neutral if all(self.operand) and all(self.source) else None

    def run(self) -> None:
        writer = RuleWriter()
        dims = writer.dimensions(self.operand, self.moving if self.neutral is None else ())
        of_source = tuple(
            (writer.new(self.source[d], whole=True),) if d in self.moving and self.neutral is None else own
            for d, own in enumerate(dims)
        )

        def exchange(assignment: Assignment) -> float:
            parts = {dim: self.site.devices.parts(assignment.get(dims[dim][0], ())) for dim in self.moving}
            return sum(self._cost(dim, parts[dim]) for dim in self.moving)

        partition(self.site, writer.rule([dims, of_source, ()], [dims], exchange=exchange), self._emit)

    def _cost(self, dim: int, parts: int) -> float:
        if parts == 1:
            return 0
        reach = self._reach(dim, parts)
        if reach is None:
            return inf
        operand, source = self.site.operands[:2]
        line, of_source = (x.bytes(replicated(x.rank)) / x.shape[dim] for x in (operand, source))
        elements = plan_of(self.operand[dim], reach.local * parts, parts, reach.elements)
        windows = plan_of(self.source[dim], reach.step * parts, parts, reach.windows)
        return cost_of(self.site, elements, line) + cost_of(self.site, windows, of_source)

    def _reach(self, dim: int, parts: int) -> _Reach | None:
        window = self.window
        return reach_of(self.operand[dim], parts, window.sizes[dim], window.strides[dim], window.padding[dim][0])

    def _emit(self, site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
        x, source, init = operands
        layout = choice.operands[0]
        split = [dim for dim in self.moving if layout.dimensions[dim]]
        if not split:
            return site.emit(operands, choice.results)
        assert self.neutral is not None
        reaches: dict[int, _Reach] = {}
        is_element: list[Tensor] = []
        for dim in split:
            digits = layout.dimensions[dim]
            parts = site.devices.parts(digits)
            reach = self._reach(dim, parts)
            assert reach is not None
            reaches[dim] = reach
            size, count = self.operand[dim], self.source[dim]
            source = collect(site, source, dim, count, digits, reach.step * parts, reach.windows, self.neutral)
            x = collect(site, x, dim, size, digits, reach.local * parts, reach.elements, 0)
        padding = [(0, 0) if dim in split else pair for dim, pair in enumerate(self.window.padding)]
        if all(self.window.padding[dim] == (0, 0) for dim in split):
            properties = {**self.op.properties, "padding": padding_attr(padding)}
            regions = [site.region(region) for region in self.op.regions]
            operands = [x, source, init]
            (result,) = site.builder.emit(stablehlo.SelectAndScatterOp, operands, [x.type], properties, regions)
        else:
            for dim, reach in reaches.items():
                places = site.builder.iota(i32, x.shape, dim)
                first = site.emitter.offset(layout.dimensions[dim], reach.local) + reach.begin
                places = places + Tensor(site.builder, first.value).broadcast(x.shape, ())
                is_element.append(places.at_least(0) & (places < self.operand[dim]))
            result = self._by_numbers(x, source, init, is_element, padding)
        return [self._own(result, init, reaches)]

    def _by_numbers(
        self, x: Tensor, source: Tensor, init: Tensor, is_element: Sequence[Tensor], padding: Sequence[tuple[int, int]]
    ) -> Tensor:
        """The result on all that was collected; what is no element is not selected."""
        builder, shape = self.site.builder, x.shape
        numbers = builder.iota(i32, (prod(shape),), 0).reshape(shape)
        for counts in is_element:
            numbers = counts.select(numbers, -1)
        select = self.site.region(self.op.select)
        scalars: list[Attribute] = [tensor_type(x.element_type), tensor_type(i32)]

        def choose(values: list[Tensor]) -> Sequence[Tensor]:
            best, chosen, value, number = values
            (is_kept,) = builder.inline(select, [best, value])
            keeps = number.less(0) | (chosen.at_least(0) & is_kept)
            return keeps.select(best, value), keeps.select(chosen, number)

        windows = {name: value for name, value in self.op.properties.items() if name.startswith("window_")}
        types = [tensor_type(each.element_type, *source.shape) for each in (x, numbers)]
        starts = [builder.splat(x.element_type, (), 0), builder.splat(i32, (), -1)]
        operands, region = [x, numbers, *starts], builder.region([*scalars, *scalars], choose)
        properties = {**windows, "padding": padding_attr(padding)}
        _, chosen = builder.emit(stablehlo.ReduceWindowOp, operands, types, properties, [region])
        return self._scattered(chosen, source, init, shape)

    def _scattered(self, chosen: Tensor, source: Tensor, init: Tensor, shape: Sequence[int]) -> Tensor:
        """`source` combined with `init` at the numbers `chosen`; -1 is nowhere."""
        count, body = prod(source.shape), self.site.region(self.op.scatter)
        line = init.broadcast((prod(shape),), ())
        numbers = ScatterDimensionNumbersAttr(((), (0,), (), (), (0,), 1))
        properties: dict[str, Attribute] = {"scatter_dimension_numbers": numbers}
        operands = [line, chosen.reshape((count, 1)), source.reshape((count,))]
        (result,) = self.site.builder.emit(stablehlo.ScatterOp, operands, [line.type], properties, [body])
        return result.reshape(shape)

    def _own(self, result: Tensor, init: Tensor, reaches: dict[int, _Reach]) -> Tensor:
        """The own part of what was collected."""
        low = {dim: reach.begin for dim, reach in reaches.items()}
        high = {dim: reach.local - reach.begin - reach.length for dim, reach in reaches.items()}
        return result.pad(high, low, value=init)


SCATTERED_WINDOWS: dict[type[stablehlo.SelectAndScatterOp], Handler] = {
    stablehlo.SelectAndScatterOp: _select_and_scatter
}
"""Op type to handler."""
