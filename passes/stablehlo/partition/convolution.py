"""Convolutions and reductions over windows: batch, features, groups, and space with halos.

A spatial dimension of the input is split like that of the result, with the elements that windows read beyond the own
part (`windows.py`), of a dilated input where parts begin where its elements stand. Where the window is the larger one,
as in gradients of kernels, it is split instead, and results are sums of parts.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Operation

from ....dialects import stablehlo
from ....dialects.shared_attributes import i64_attribute
from ....dialects.stablehlo.shapes import shape_of
from ....dialects.stablehlo.windows import padding_attr, padding_pairs
from ....ir.tensor_builder import Tensor
from .factors import Choice, Dimensions, RuleWriter, partition
from .scans import partition_scan, scan_of
from .site import Handler, Site
from .windows import Shift, Window, collected, exchange_of


def _convolution(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.ConvolutionOp)
    _Convolution(site, op).run()


class _Convolution:
    """The factors of one convolution."""

    def __init__(self, site: Site, op: stablehlo.ConvolutionOp) -> None:
        self.site, self.op = site, op
        self.lhs, self.rhs = (shape_of(operand) for operand in op.operands)
        self.result = shape_of(op.result)
        self.numbers = op.dimension_numbers.data
        self.window = op.window(padding_pairs(op.padding, len(self.numbers.input_spatial_dimensions)))
        self.writer = RuleWriter()
        self.shifts: list[Shift] = []
        self.split_windows: list[int] = []
        """Spatial dimensions, by their index, that are split by the places in the window."""
        self.dims: tuple[list[tuple[int, ...]], ...] = tuple([()] * len(self.lhs) for _ in range(3))
        self.feature_group = self.batch_group = self.inputs = -1

    def run(self) -> None:
        self._features_and_batch()
        for index in range(len(self.numbers.input_spatial_dimensions)):
            self._spatial(index)
        lhs, rhs, result = (tuple(dims) for dims in self.dims)
        rule = self.writer.rule([lhs, rhs], [result], products=1, exchange=exchange_of(self.site, self.shifts))
        partition(self.site, rule, self._emit)

    def _features_and_batch(self) -> None:
        """Groups are the major factor of features, or of the batch; factors of one element are left out."""
        numbers, new = self.numbers, self.writer.new
        feature_groups, batch_groups = self.op.feature_group_count.value.data, self.op.batch_group_count.value.data
        batch = new(self.result[numbers.output_batch_dimension])
        self.inputs = new(self.rhs[numbers.kernel_input_feature_dimension])
        outputs = new(self.rhs[numbers.kernel_output_feature_dimension] // (feature_groups * batch_groups))
        own_batch: tuple[int, ...] = (batch,)
        own_inputs: tuple[int, ...] = (self.inputs,)
        own_outputs: tuple[int, ...] = (outputs,)
        if feature_groups > 1:
            self.feature_group = new(feature_groups)
            own_inputs, own_outputs = (self.feature_group, *own_inputs), (self.feature_group, *own_outputs)
        if batch_groups > 1:
            self.batch_group = new(batch_groups)
            own_batch, own_outputs = (self.batch_group, *own_batch), (self.batch_group, *own_outputs)
        lhs, rhs, result = self.dims
        lhs[numbers.input_batch_dimension], result[numbers.output_batch_dimension] = own_batch, (batch,)
        lhs[numbers.input_feature_dimension] = own_inputs
        rhs[numbers.kernel_input_feature_dimension] = (self.inputs,)
        rhs[numbers.kernel_output_feature_dimension] = own_outputs
        result[numbers.output_feature_dimension] = own_outputs

    def _spatial(self, index: int) -> None:
        numbers, window = self.numbers, self.window
        lhs, rhs, result = (
            dims[index]
            for dims in (
                numbers.input_spatial_dimensions,
                numbers.kernel_spatial_dimensions,
                numbers.output_spatial_dimensions,
            )
        )
        places, taps = self.result[result], self.rhs[rhs]
        stride, dilation, low = window.strides[index], window.window_dilations[index], window.padding[index][0]
        spread = window.base_dilations[index]
        splits_window = taps > places
        is_reversed = self.op.window_reversal is not None and bool(self.op.window_reversal.get_values()[index])
        whole = not (taps and places and self.lhs[lhs]) or (splits_window and (is_reversed or spread != 1))
        shared = self.writer.new(self.lhs[lhs], whole=whole)
        other = self.writer.new(places if splits_window else taps, whole=True)
        self.dims[0][lhs] = (shared,)
        self.dims[1][rhs] = (shared,) if splits_window else (other,)
        self.dims[2][result] = (other,) if splits_window else (shared,)
        if splits_window:
            self.split_windows.append(index)
            reads = Window(-low, dilation, stride * (places - 1) + 1)
            self.shifts.append(Shift(0, lhs, taps, shared, reads))
        else:
            reads = Window(-low, stride, (taps - 1) * dilation + 1)
            self.shifts.append(Shift(0, lhs, places, shared, reads, dilation=spread))

    def _emit(self, site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
        """Padding of what is summed over is 0 on both sides; edges that come from others are no padding any more."""
        numbers = self.numbers
        kernel = numbers.kernel_input_feature_dimension
        summed = [kernel, *(numbers.kernel_spatial_dimensions[index] for index in self.split_windows)]
        rhs = site.masked(operands[1], self.rhs, choice.operands[1], summed, 0)
        lhs = site.masked(operands[0], self.lhs, choice.operands[0], [numbers.input_feature_dimension], 0)
        lhs = collected(site, lhs, 0, self.shifts, choice, 0)
        padding = list(self.window.padding)
        for index, dim in enumerate(numbers.input_spatial_dimensions):
            if digits := choice.operands[0].dimensions[dim]:
                shift = next(shift for shift in self.shifts if shift.dim == dim)
                padding[index] = shift.padding(site.devices.parts(digits), lhs.shape[dim])
        properties: dict[str, Attribute] = {
            "padding": padding_attr(padding),
            "feature_group_count": self._groups(choice, self.feature_group, "feature_group_count"),
            "batch_group_count": self._groups(choice, self.batch_group, "batch_group_count"),
        }
        return site.emit([lhs, rhs], choice.results, properties, is_wide=True)

    def _groups(self, choice: Choice, factor: int, name: str) -> Attribute:
        count = 1 if factor < 0 else self.writer.sizes[factor]
        return i64_attribute(count // self.site.devices.parts(choice.assignment.get(factor, ())))


def _reduce_window(site: Site) -> None:
    """What is beyond the ends of a dimension is the init value."""
    op = site.op
    assert isinstance(op, stablehlo.ReduceWindowOp)
    if (scan := scan_of(op)) is not None:
        partition_scan(site, op, scan)
        return
    count, window, result = len(op.results), op.window, shape_of(op.results[0])
    shape, writer = shape_of(op.operands[0]), RuleWriter()
    whole = [dim for dim in range(len(shape)) if window.base_dilations[dim] != 1 or 0 in (shape[dim], result[dim])]
    dims = writer.dimensions(shape, whole)
    shifts = [
        Shift(index, dim, result[dim], dims[dim][0], reads)
        for dim in range(len(shape))
        if (reads := _reads(op, dim)) != Window() or shape[dim] != result[dim]
        for index in range(count)
    ]

    def emit(site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
        inputs = [
            collected(site, x, index, shifts, choice, operands[count + index])
            for index, x in enumerate(operands[:count])
        ]
        split = {shift.dim for shift in shifts if choice.operands[0].dimensions[shift.dim]}
        padding = [(0, 0) if dim in split else pair for dim, pair in enumerate(window.padding)]
        return site.emit([*inputs, *operands[count:]], choice.results, {"padding": padding_attr(padding)})

    operands: list[Dimensions] = [dims] * count + [()] * count
    partition(site, writer.rule(operands, [dims] * count, exchange=exchange_of(site, shifts)), emit)


def _reads(op: stablehlo.ReduceWindowOp, dim: int) -> Window:
    window = op.window
    extent = (window.sizes[dim] - 1) * window.window_dilations[dim] + 1
    return Window(-window.padding[dim][0], window.strides[dim], extent)


CONVOLUTIONS: dict[type[Operation], Handler] = {
    stablehlo.ConvolutionOp: _convolution,
    stablehlo.ReduceWindowOp: _reduce_window,
}
"""Op type to handler."""
