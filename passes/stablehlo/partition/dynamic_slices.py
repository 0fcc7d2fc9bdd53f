"""Slices at places that are computed: along a split dimension, each device does what concerns its own part.

A slice is put together from what devices have: each gives its own elements, and zeros for the others. An update is
written where it overlaps the own part. Both touch as many elements as the slice has, not all of the part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import i1, i32
from xdsl.ir import Operation

from ....dialects import stablehlo
from ....dialects.dense import integer_type
from ....dialects.stablehlo.shapes import element_type_of, shape_of
from ....ir.tensor_builder import Tensor
from .chosen import chooser_of
from .factors import Choice, Dimensions, RuleWriter, partition
from .site import Handler, Site


def _dynamic_slice(site: Site) -> None:
    """Dimensions that are taken from one end to the other stay split; along others a slice is put together."""
    (operand, *starts), (result,), writer = site.op.operands, site.op.results, RuleWriter()
    source, target = shape_of(operand), shape_of(result)
    element = element_type_of(result)
    combiner, neutral = chooser_of(element)
    cut = [dim for dim, size in enumerate(source) if target[dim] != size]
    before = writer.dimensions(source, cut if neutral is None else ())
    after = _whole_in(writer, before, target, cut)

    def emit(site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
        x, *begins = operands
        split = [dim for dim in cut if choice.operands[0].dimensions[dim]]
        windows = {dim: _Window(site, choice, dim, source[dim], target[dim], begins[dim]) for dim in split}
        if windows:
            begins = _begins(begins, windows, source, target)
        local = list(site.local_shape(target, choice.results[0]))
        for dim, window in windows.items():
            local[dim] = window.size
        x = x.dynamic_slice(dict(enumerate(begins)), dict(enumerate(local)))
        for window in windows.values():
            assert neutral is not None
            x = window.placed(x, neutral)
        return [x]

    partition(site, writer.rule([before, *(() for _ in starts)], [after]), emit, combiner)


def _dynamic_update_slice(site: Site) -> None:
    """Dimensions that are replaced from one end to the other stay split in both tensors, others in the operand."""
    (operand, update, *starts), writer = site.op.operands, RuleWriter()
    source, target = shape_of(operand), shape_of(update)
    cut = [dim for dim, size in enumerate(source) if target[dim] != size]
    before = writer.dimensions(source)
    after = _whole_in(writer, before, target, cut)

    def emit(site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
        x, new, *begins = operands
        split = [dim for dim in cut if choice.operands[0].dimensions[dim]]
        if not split:
            return site.emit(operands, choice.results)
        windows = {dim: _Window(site, choice, dim, source[dim], target[dim], begins[dim]) for dim in split}
        own = dict(enumerate(_begins(begins, windows, source, target)))
        sizes = {dim: windows[dim].size if dim in windows else size for dim, size in enumerate(new.shape)}
        present = x.dynamic_slice(own, sizes)
        is_new = site.builder.splat(i1, present.shape, 1)
        for window in windows.values():
            new = window.taken(new)
            is_new = is_new & window.is_inside(present.shape)
        return [x.updated(is_new.select(new, present), own)]

    partition(site, writer.rule([before, after, *(() for _ in starts)], [before]), emit)


def _whole_in(writer: RuleWriter, dims: Dimensions, shape: Sequence[int], whole: Sequence[int]) -> Dimensions:
    """The same factors, but for dimensions of a tensor of `shape` that are whole."""
    return tuple((writer.new(shape[d], whole=True),) if d in whole else own for d, own in enumerate(dims))


def _begins(
    starts: Sequence[Tensor], windows: Mapping[int, _Window], source: Sequence[int], target: Sequence[int]
) -> list[Tensor]:
    """Where slices begin in the own part; all starts have one type."""
    return [
        windows[dim].begin if dim in windows else _inside(start, source[dim] - target[dim])
        for dim, start in enumerate(starts)
    ]


def _inside(start: Tensor, most: int) -> Tensor:
    """`start` as an i32 between 0 and `most`."""
    type = integer_type(start.element_type)
    assert type is not None
    if type.width.data >= I32_BITS:
        start = start.maximum(0).minimum(most)
    return start.convert(i32).maximum(0).minimum(most)


I32_BITS = 32
"""Integers as wide may be too large for an i32, narrower ones too small for a size."""


class _Window:
    """A slice of `extent` elements of a split dimension of `total`, and the elements of the own part around it.

    These are `size` elements from `begin` on, element r of them being element r + `shift` of the slice.
    """

    def __init__(self, site: Site, choice: Choice, dim: int, total: int, extent: int, start: Tensor) -> None:
        digits = choice.operands[0].dimensions[dim]
        local = site.devices.local_size(total, digits)
        self._site, self._dim, self._extent = site, dim, extent
        self.size = min(extent, local)
        start = _inside(start, total - extent)
        offset = Tensor(site.builder, site.emitter.offset(digits, local).value)
        self.begin = (start - offset).maximum(0).minimum(local - self.size)
        self._shift = offset + self.begin - start

    def placed(self, x: Tensor, neutral: bytes) -> Tensor:
        """The slice, of which `x` are the own elements; `neutral` for those of others."""
        room = self._with_room(x, self._extent)
        places = self._limited(self._extent - self._shift, self._extent + self.size)
        moved = room.dynamic_slice({self._dim: places}, {self._dim: self._extent})
        rows = self._site.builder.iota(i32, moved.shape, self._dim) - self._shift.broadcast(moved.shape, ())
        is_own = rows.at_least(0) & (rows < self.size)
        return is_own.select(moved, moved.number(neutral))

    def taken(self, x: Tensor) -> Tensor:
        """The elements of the slice `x` that go where the own ones are."""
        room = self._with_room(x, self.size)
        places = self._limited(self._shift + self.size, self._extent + self.size)
        return room.dynamic_slice({self._dim: places}, {self._dim: self.size})

    def is_inside(self, shape: Sequence[int]) -> Tensor:
        """Of each own element, whether it is in the slice."""
        rows = self._site.builder.iota(i32, shape, self._dim) + self._shift.broadcast(shape, ())
        return rows.at_least(0) & (rows < self._extent)

    def _limited(self, place: Tensor, most: int) -> Tensor:
        return place.maximum(0).minimum(most)

    def _with_room(self, x: Tensor, room: int) -> Tensor:
        """With `room` more elements on both sides."""
        shape = [room if dim == self._dim else size for dim, size in enumerate(x.shape)]
        sides = x.builder.splat(x.element_type, shape, 0)
        return x.builder.concatenate([sides, x, sides], self._dim)


DYNAMIC_SLICES: dict[type[Operation], Handler] = {
    stablehlo.DynamicSliceOp: _dynamic_slice,
    stablehlo.DynamicUpdateSliceOp: _dynamic_update_slice,
}
"""Op type to handler."""
