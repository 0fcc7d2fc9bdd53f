"""Ops that shift elements without looking at them: slices, padding, concatenations.

Dimensions that an op takes as they are stay split; a dimension of which it takes a part, or to which it adds something,
is whole on each device.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from ....dialects import stablehlo
from ....dialects.stablehlo.shapes import shape_of
from ....ir.tensor_builder import Tensor
from ....ir.tensors import int_array, ints
from .devices import replicated
from .factors import Assignment, Choice, RuleWriter, partition
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


MOVEMENT: dict[type[Operation], Handler] = {
    stablehlo.BroadcastOp: _broadcast,
    stablehlo.ConcatenateOp: _concatenate,
    stablehlo.PadOp: _pad,
    stablehlo.ReverseOp: _reverse,
    stablehlo.SliceOp: _slice,
}
"""Op type to handler."""
