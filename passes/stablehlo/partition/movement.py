"""Ops that move elements without looking at them: transposes, broadcasts, reshapes, slices, padding.

Dimensions that an op takes as they are stay split; a dimension of which it takes a part, or to which it adds something,
is whole on each device.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd

from xdsl.ir import Operation

from ....dialects import stablehlo
from ....dialects.stablehlo.shapes import shape_of
from ....ir.tensor_builder import Tensor
from ....ir.tensors import int_array, ints
from .devices import replicated
from .factors import Assignment, Choice, Dimensions, RuleWriter, partition
from .site import Handler, Site, integer
from .windows import Shift, Window, collect, collected, exchange_of, mirrored


def _broadcast(site: Site) -> None:
    """New dimensions in front."""
    writer, (operand,) = RuleWriter(), site.op.operands
    dims = writer.dimensions(shape_of(site.op.results[0]))
    added = len(dims) - len(shape_of(operand))

    def emit(site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
        local = site.local_shape(shape_of(site.op.results[0]), choice.results[0])
        return site.emit(operands, choice.results, {"broadcast_sizes": int_array(local[:added])})

    partition(site, writer.rule([dims[added:]], [dims]), emit)


def _broadcast_in_dim(site: Site) -> None:
    """Dimensions of size 1 that become longer belong to no factor."""
    writer, (operand,), (result,) = RuleWriter(), site.op.operands, site.op.results
    dims, places = writer.dimensions(shape_of(result)), ints(site.op, "broadcast_dimensions")
    pairs = zip(shape_of(operand), places, strict=True)
    partition(site, writer.rule([tuple(dims[d] if n == shape_of(result)[d] else () for n, d in pairs)], [dims]))


def _transpose(site: Site) -> None:
    writer, (operand,) = RuleWriter(), site.op.operands
    dims = writer.dimensions(shape_of(operand))
    partition(site, writer.rule([dims], [tuple(dims[dim] for dim in ints(site.op, "permutation"))]))


def _reshape(site: Site) -> None:
    writer = RuleWriter()
    operand, result = reshape_factors(writer, shape_of(site.op.operands[0]), shape_of(site.op.results[0]))
    partition(site, writer.rule([operand], [result]))


def reshape_factors(writer: RuleWriter, before: Sequence[int], after: Sequence[int]) -> tuple[Dimensions, Dimensions]:
    """The factors of the dimensions of two shapes of as many elements.

    From major to minor, dimensions that start together share the greatest common divisor of what is left of them. Where
    there is none, what is left up to the next border of both is whole.
    """
    if 0 in before:
        return _separate(writer, before), _separate(writer, after)
    sides: tuple[list[list[int]], list[list[int]]] = ([[] for _ in before], [[] for _ in after])
    rest = list(before), list(after)
    for group in _groups(before, after):
        _share(writer, group, rest, sides)
    first, second = (tuple(tuple(factors) for factors in side) for side in sides)
    return first, second


Group = tuple[list[int], list[int]]
"""Dimensions of two shapes that have as many elements."""


def _groups(before: Sequence[int], after: Sequence[int]) -> Iterator[Group]:
    """The least groups, without dimensions of size 1."""
    shapes, ends = (before, after), [0, 0]
    while True:
        group: Group = ([], [])
        products = [1, 1]
        while not all(group) or products[0] != products[1]:
            side = 0 if products[0] < products[1] or (products[0] == products[1] and not group[0]) else 1
            while ends[side] < len(shapes[side]) and shapes[side][ends[side]] == 1:
                ends[side] += 1
            if ends[side] == len(shapes[side]):
                return
            group[side].append(ends[side])
            products[side] *= shapes[side][ends[side]]
            ends[side] += 1
        yield group


def _share(
    writer: RuleWriter, group: Group, rest: tuple[list[int], list[int]], sides: tuple[list[list[int]], list[list[int]]]
) -> None:
    """The factors of a group, major to minor."""
    places = [0, 0]
    while all(place < len(dims) for place, dims in zip(places, group, strict=True)):
        left, right = (group[side][places[side]] for side in (0, 1))
        common = gcd(rest[0][left], rest[1][right])
        if common == 1:
            break
        factor = writer.new(common)
        for side, dim in ((0, left), (1, right)):
            sides[side][dim].append(factor)
            rest[side][dim] //= common
            places[side] += rest[side][dim] == 1
    for side in (0, 1):
        for dim in group[side]:
            if rest[side][dim] != 1:
                sides[side][dim].append(writer.new(rest[side][dim], whole=True))


def _separate(writer: RuleWriter, shape: Sequence[int]) -> Dimensions:
    """Dimensions that are all whole."""
    return writer.dimensions(shape, range(len(shape)))


def _reverse(site: Site) -> None:
    """Parts go to the mirrored devices; padding, which comes first then, is shifted out."""
    (operand,), writer = site.op.operands, RuleWriter()
    shape, reversed_dims = shape_of(operand), ints(site.op, "dimensions")
    dims = writer.dimensions(shape)

    def exchange(assignment: Assignment) -> float:
        split = [dim for dim in reversed_dims if assignment.get(dims[dim][0])]
        return sum(2 * site.partitioner.costs.step(site.operands[0].bytes(replicated(len(shape)))) for _ in split)

    def emit(site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
        x = operands[0].reverse(reversed_dims)
        for dim in reversed_dims:
            if digits := choice.operands[0].dimensions[dim]:
                x = site.emitter.permuted(x, mirrored(site.devices, digits))
                total = x.shape[dim] * site.devices.parts(digits)
                x = collect(site, x, dim, total, digits, shape[dim], Window(total - shape[dim]), 0)
        return [x]

    partition(site, writer.rule([dims], [dims], exchange=exchange), emit)


def _slice(site: Site) -> None:
    """A dimension that is cut stays split where its parts are shifted at less cost than they are gathered."""
    (operand,), (result,), writer = site.op.operands, site.op.results, RuleWriter()
    starts, strides = (ints(site.op, name) for name in ("start_indices", "strides"))
    source, target = shape_of(operand), shape_of(result)
    dims = writer.dimensions(source)
    cut = [dim for dim, size in enumerate(source) if (target[dim], strides[dim]) != (size, 1)]
    shifts = [Shift(0, dim, target[dim], dims[dim][0], Window(starts[dim], strides[dim])) for dim in cut]

    def emit(site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
        sizes = site.local_shape(target, choice.results[0])
        split = [dim for dim in cut if choice.operands[0].dimensions[dim]]
        begins = [0 if dim in split else start for dim, start in enumerate(starts)]
        return [collected(site, operands[0], 0, shifts, choice, 0).window(begins, sizes, strides)]

    partition(site, writer.rule([dims], [dims], exchange=exchange_of(site, shifts)), emit)


def _pad(site: Site) -> None:
    """Padding at the edges and between elements shifts the parts."""
    (operand, _), (result,), writer = site.op.operands, site.op.results, RuleWriter()
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    low, high, interior = (ints(site.op, name) for name in names)
    target = shape_of(result)
    dims = writer.dimensions(shape_of(operand))
    padded = [dim for dim in range(len(dims)) if low[dim] or high[dim] or interior[dim]]
    shifts = [Shift(0, dim, target[dim], dims[dim][0], Window(-low[dim]), interior[dim]) for dim in padded]

    def emit(site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
        x, value = operands
        split = [dim for dim in padded if choice.operands[0].dimensions[dim]]
        x = collected(site, x, 0, shifts, choice, value)
        left = {name: int_array([0 if d in split else n for d, n in enumerate(ints(site.op, name))]) for name in names}
        return site.emit([x, value], choice.results, left)

    partition(site, writer.rule([dims, ()], [dims], exchange=exchange_of(site, shifts)), emit)


def _concatenate(site: Site) -> None:
    """Split along the dimension, each operand is shifted to where it begins, and elements are chosen by their index."""
    writer, (result,) = RuleWriter(), site.op.results
    along, target = integer(site.op, "dimension"), shape_of(result)
    dims = writer.dimensions(target)
    sizes = [shape_of(operand)[along] for operand in site.op.operands]
    begins = [sum(sizes[:index]) for index in range(len(sizes))]
    shifts = [Shift(i, along, target[along], dims[along][0], Window(-begin)) for i, begin in enumerate(begins)]

    def emit(site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
        digits = choice.results[0].dimensions[along]
        if not digits:
            return site.emit(operands, choice.results)
        parts = [collected(site, x, index, shifts, choice, 0) for index, x in enumerate(operands)]
        indices = site.indices(parts[0].shape, along, digits)
        joined = parts[-1]
        for part, end in zip(reversed(parts[:-1]), reversed(begins[1:]), strict=True):
            joined = (indices < end).select(part, joined)
        return [joined]

    partition(site, writer.rule([dims] * len(sizes), [dims], exchange=exchange_of(site, shifts)), emit)


def _bitcast_convert(site: Site) -> None:
    """A last dimension that holds the parts of an element is whole."""
    (operand,), (result,), writer = site.op.operands, site.op.results, RuleWriter()
    shapes = shape_of(operand), shape_of(result)
    shared = min(map(len, shapes))
    dims = writer.dimensions(shapes[0][:shared])
    own = [(*dims, *writer.dimensions(shape[shared:], range(len(shape) - shared))) for shape in shapes]
    partition(site, writer.rule(own[:1], own[1:]))


MOVEMENT: dict[type[Operation], Handler] = {
    stablehlo.BitcastConvertOp: _bitcast_convert,
    stablehlo.BroadcastInDimOp: _broadcast_in_dim,
    stablehlo.BroadcastOp: _broadcast,
    stablehlo.ConcatenateOp: _concatenate,
    stablehlo.PadOp: _pad,
    stablehlo.ReshapeOp: _reshape,
    stablehlo.ReverseOp: _reverse,
    stablehlo.SliceOp: _slice,
    stablehlo.TransposeOp: _transpose,
}
"""Op type to handler."""
