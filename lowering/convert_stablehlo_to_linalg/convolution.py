"""`convolution`: a contraction over kernel positions and input features on the padded input.

Loops: the dimensions of the output in their order, then the kernel dimensions whose size is not 1, then input features.
With groups, the grouped dimension of each of the three tensors is split in two by a view, and the group is a parallel
loop that all three share; where groups are of one, as in depthwise convolutions, the dimension is the group.

Where the input is dilated, outputs whose distance is the dilation (or a divisor, with strides) see the same positions
of the kernel, and at the others only inserted zeros. Each such *phase* is a convolution of the input as it is with some
positions of the kernel; together they do one `dilation`th of the work per dimension. Phases that differ by constant
distances in all tensors are one more loop, around the column that is vectorised; the results of others are inserted
into the output with strides. Where there would be many, it is one contraction on the dilated input.

The contiguous dimension of the output is the one that is vectorised. Where it is a short row of places, as in small
images with their features in front, features become the contiguous dimension, and a transpose follows. Images with
their features in front are transposed on their way into the padded input, where there is enough work for each element:
what the steps of a reduction read is then neighbours.

The phases are those of polyphase filters (Bellanger et al., 1976).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from math import gcd, prod
from typing import Any, NamedTuple

from xdsl.dialects.builtin import TensorType, i32
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr

from ...dialects import stablehlo
from ...dialects.element_sizes import element_bytes
from ...dialects.stablehlo.shapes import shape_of
from ...dialects.stablehlo.windows import bool_values, padding_pairs
from .attributes import (
    AnyTensor,
    affine_map,
    constant_expression,
    dimension,
    element_of,
    result_type,
    scaled,
)
from .builder import Lowered, Lowering
from .contraction import contract, zero
from .data_movement import pad


def lower_convolution(ctx: Lowering, op: stablehlo.ConvolutionOp) -> Sequence[Lowered]:
    """See the module's documentation."""
    return (_Convolution(ctx, op).lower(),)


class _Window(NamedTuple):
    """One spatial dimension of a convolution. `low`: how far the window starts in front of the input."""

    size: int
    outputs: int
    stride: int
    dilation: int
    input_dilation: int
    low: int

    def phases(self) -> list[_Phase]:
        """Sets of outputs that see the same positions of the window, in order; one for an input without dilation."""
        output_step = self.input_dilation // gcd(self.stride, self.input_dilation)
        step = self.input_dilation // gcd(self.dilation, self.input_dilation)
        phases: list[_Phase] = []
        for output in range(max(1, min(output_step, self.outputs))):
            # Where the window's first position lies in the dilated input.
            start = output * self.stride - self.low
            seen = (k for k in range(step) if (start + k * self.dilation) % self.input_dilation == 0)
            first = next(seen, self.size)
            phases.append(
                _Phase(
                    output,
                    output_step,
                    -(-(self.outputs - output) // output_step),
                    first,
                    step,
                    len(range(first, self.size, step)),
                    (start + first * self.dilation) // self.input_dilation,
                    output_step * self.stride // self.input_dilation,
                    step * self.dilation // self.input_dilation,
                )
            )
        return phases


class _Phase(NamedTuple):
    """Outputs `output + i * output_step` for `outputs` values of `i`, which see positions `first + j * step` of the
    window for `taps` values of `j`, at `start + i * stride + j * dilation` of the input.

    `merged` phases one after the other: `first` and `start` are those of the first, `first_slope` and `start_slope`
    what the next ones add to them.
    """

    output: int
    output_step: int
    outputs: int
    first: int
    step: int
    taps: int
    start: int
    stride: int
    dilation: int
    merged: int = 1
    first_slope: int = 0
    start_slope: int = 0

    @property
    def begin(self) -> int:
        """The first element that is read of the input, which may lie in front of it."""
        return self.start + min(0, self.start_slope * (self.merged - 1))

    @property
    def end(self) -> int:
        """The end of what is read of the input."""
        start = self.start + max(0, self.start_slope * (self.merged - 1))
        return start + (self.outputs - 1) * self.stride + (self.taps - 1) * self.dilation + 1


def _merged(phases: list[_Phase]) -> list[_Phase]:
    """All phases of a window as one, where they differ by constant distances only."""
    first = phases[0]
    slopes = {(b.first - a.first, b.start - a.start) for a, b in pairwise(phases)}
    sizes = {(phase.outputs, phase.taps) for phase in phases}
    if len(phases) != first.output_step or len(slopes) != 1 or len(sizes) != 1 or not first.taps:
        return phases
    ((first_slope, start_slope),) = slopes
    return [first._replace(merged=len(phases), first_slope=first_slope, start_slope=start_slope)]


class _Convolution:
    """One convolution, with the attributes decoded."""

    def __init__(self, ctx: Lowering, op: stablehlo.ConvolutionOp):
        self.ctx, self.op, self.numbers = ctx, op, op.dimension_numbers.data
        self.spatial = spatial = len(self.numbers.input_spatial_dimensions)
        reversal = op.window_reversal
        self.reversed = (False,) * spatial if reversal is None else bool_values(reversal)
        self.feature_groups: int = op.feature_group_count.value.data
        self.batch_groups: int = op.batch_group_count.value.data
        self.groups = self.feature_groups * self.batch_groups
        window = op.window(padding_pairs(op.padding, spatial))
        self.edges, self.kernel_shape = window.padding, window.sizes
        self.result_type = result_type(op)
        sizes = self.result_type.get_shape()
        numbers = self.numbers
        self.windows = [
            _Window(*values)
            for values in zip(
                window.sizes,
                (sizes[dim] for dim in numbers.output_spatial_dimensions),
                window.strides,
                window.window_dilations,
                window.base_dilations,
                (low for low, _ in window.padding),
                strict=True,
            )
        ]
        self.input = ctx.tensor(op.operands[0])
        moved = self._worth_moving_input()
        self.order = self._loop_order(moved)
        """The dimensions of the result in the order in which the contraction has them."""
        if moved:
            self._move_input()
        self.type: AnyTensor = TensorType(self.result_type.element_type, [sizes[dim] for dim in self.order])
        self.batch_dim, self.feature_dim, *self.spatial_dims = (
            self.order.index(dim)
            for dim in (
                numbers.output_batch_dimension,
                numbers.output_feature_dimension,
                *numbers.output_spatial_dimensions,
            )
        )

    def _worth_moving_input(self) -> bool:
        """Whether the input is transposed so that its features are behind all others."""
        sizes, results, numbers = shape_of(self.input), self.result_type.get_shape(), self.numbers
        window = prod(self.kernel_shape)
        return (
            self.groups == 1
            and len(sizes) - 1 in numbers.input_spatial_dimensions
            and all(each.input_dilation == 1 for each in self.windows)
            and self.ctx.model.contractions.worth_moving_features(
                window,
                window * sizes[numbers.input_feature_dimension],
                results[-1],
                results[numbers.output_feature_dimension],
                element_bytes(self.result_type.element_type),
            )
        )

    def _move_input(self) -> None:
        numbers = self.numbers
        order = numbers.input_batch_dimension, *numbers.input_spatial_dimensions, numbers.input_feature_dimension
        self.input = self.ctx.transposed(self.input, order)
        self.numbers = numbers._replace(
            input_batch_dimension=0,
            input_spatial_dimensions=tuple(range(1, self.spatial + 1)),
            input_feature_dimension=self.spatial + 1,
        )

    def _loop_order(self, moved: bool) -> list[int]:
        """The dimensions of the result in their order, or with features behind all others, as in an input that is
        `moved`."""
        numbers, sizes = self.numbers, self.result_type.get_shape()
        dims, features = list(range(len(sizes))), numbers.output_feature_dimension
        window_of = dict(zip(numbers.output_spatial_dimensions, self.windows, strict=True))
        row = window_of[dims[-1]].phases()[0].outputs if dims[-1] in window_of else sizes[-1]
        if features != dims[-1] and (
            moved
            or self.ctx.model.contractions.worth_features_last(
                row, sizes[features] // self.groups, element_bytes(self.result_type.element_type)
            )
        ):
            dims.append(dims.pop(features))
        return dims

    def lower(self) -> SSAValue:
        """The result, in its own order of dimensions."""
        places = sorted(range(len(self.order)), key=self.order.__getitem__)
        return self.ctx.transposed(self._lower(), places)

    def _lower(self) -> SSAValue:
        ctx = self.ctx
        input, kernel = self.input, ctx.tensor(self.op.operands[1])
        innermost = len(self.type.get_shape()) - 1
        parts = [window.phases() for window in self.windows]
        # The contiguous dimension of the output is vectorised, so it stays one loop.
        merged = [p if dim == innermost else _merged(p) for dim, p in zip(self.spatial_dims, parts, strict=True)]
        phases = list(product(*merged))
        dilated = any(window.input_dilation > 1 for window in self.windows)
        if not dilated or not self.ctx.model.contractions.worth_separate_phases(len(phases)):
            input = self._padded(input, self.edges, [window.input_dilation - 1 for window in self.windows])
            plain = (window._replace(input_dilation=1, low=0) for window in self.windows)
            return self._contraction(input, kernel, [phase for window in plain for phase in window.phases()])
        return self._in_phases(input, kernel, phases)

    def _in_phases(self, input: SSAValue, kernel: SSAValue, phases: Sequence[tuple[_Phase, ...]]) -> SSAValue:
        """Every phase inserted into the output; what sees no element of the input is zero."""
        ctx, dims = self.ctx, self.spatial_dims
        seen = [phase for phase in phases if all(part.taps for part in phase)]
        if not seen:
            return ctx.filled(zero(self.type.element_type), self.type)
        sizes = [shape_of(input)[dim] for dim in self.numbers.input_spatial_dimensions]
        edges = [
            (max(0, *(-part.begin for part in parts)), max(0, *(part.end - size for part in parts)))
            for size, parts in zip(sizes, zip(*seen, strict=True), strict=True)
        ]
        input = self._padded(input, edges, [0] * self.spatial)
        seen = [
            [part._replace(start=part.start + low) for part, (low, _) in zip(phase, edges, strict=True)]
            for phase in seen
        ]
        complete = len(seen) == len(phases)
        if complete and len(seen) == 1:
            return self._contraction(input, kernel, seen[0])
        result = ctx.empty(self.type) if complete else ctx.filled(zero(self.type.element_type), self.type)
        for phase in seen:
            offsets, steps = [0] * len(self.type.get_shape()), [1] * len(self.type.get_shape())
            for dim, part in zip(dims, phase, strict=True):
                offsets[dim], steps[dim] = part.output, 1 if part.merged > 1 else part.output_step
            part = self._contraction(input, kernel, phase)
            result = ctx.insert_slice(part, result, offsets, steps)
        return result

    def _padded(self, input: SSAValue, edges: Sequence[tuple[int, int]], interior: Sequence[int]) -> SSAValue:
        """`input` with zeros around and between its elements."""
        padding = [(0, 0, 0)] * (self.spatial + 2)
        for dim, (low, high), between in zip(self.numbers.input_spatial_dimensions, edges, interior, strict=True):
            padding[dim] = (low, high, between)
        return pad(self.ctx, input, zero(element_of(input)), padding)

    def _contraction(self, input: SSAValue, kernel: SSAValue, phase: Sequence[_Phase]) -> SSAValue:
        """The outputs of one phase in each dimension, dense. Loops have names; of spatial dimensions, their numbers."""
        ctx, shape, extents = self.ctx, list(self.type.get_shape()), dict[Any, int]()
        for dim, size in enumerate(shape):
            if dim == self.batch_dim:
                extents["batch"] = size
            elif dim == self.feature_dim:
                if self.groups > 1:
                    extents["group"] = self.groups
                if self.groups == 1 or size != self.groups:
                    extents["feature"] = size // self.groups
            else:
                i = self.spatial_dims.index(dim)
                shape[dim] = phase[i].outputs * phase[i].merged
                extents[i] = phase[i].outputs
                if phase[i].merged > 1:
                    extents["phase", i] = phase[i].merged
        positions = [("window", i) for i, part in enumerate(phase) if part.taps != 1]
        at = {name: dimension(loop) for loop, name in enumerate([*extents, *positions, "input"])}
        kernel = self._split(kernel, self.numbers.kernel_output_feature_dimension)
        input = self._split(input, self._grouped_input_dimension())
        operands = [
            (input, affine_map(len(at), self._input_expressions(at, phase, shape_of(input)))),
            (kernel, affine_map(len(at), self._kernel_expressions(at, phase))),
        ]
        partial = [i for i, part in enumerate(phase) if part.taps > 1 and part.step > 1]
        if partial:  # an operand of shape only, for loops over some positions of the kernel
            bounds = ctx.empty(TensorType(i32, [phase[i].taps for i in partial]))
            operands.append((bounds, affine_map(len(at), [at["window", i] for i in partial])))
        split_type: AnyTensor = TensorType(self.type.element_type, [*extents.values()])
        return ctx.reshape(contract(ctx, self.op, operands, split_type, len(at) - len(extents)), shape)

    def _input_expressions(
        self, at: Mapping[Any, AffineExpr], phase: Sequence[_Phase], shape: Sequence[int]
    ) -> list[AffineExpr]:
        numbers = self.numbers
        expressions: list[Any] = [None] * (self.spatial + 2)
        expressions[numbers.input_batch_dimension] = at["batch"]
        expressions[numbers.input_feature_dimension] = at["input"]
        for i, (dim, part) in enumerate(zip(numbers.input_spatial_dimensions, phase, strict=True)):
            expressions[dim] = scaled(at[i], part.stride)
            position = at.get(("window", i))
            if position is not None and self.reversed[i]:
                expressions[dim] += scaled(position, -part.dilation, part.start + (part.taps - 1) * part.dilation)
            elif position is not None:
                expressions[dim] += scaled(position, part.dilation, part.start)
            elif part.start:
                expressions[dim] += part.start
            if part.start_slope:
                expressions[dim] += scaled(at["phase", i], part.start_slope)
        split = self._grouped_input_dimension()
        is_split = len(shape) > len(expressions)
        if self.groups > 1:
            expressions[split : split + (not is_split)] = [at["group"]]
        for i, dim in enumerate(numbers.input_spatial_dimensions):
            place = dim + (is_split and dim >= split)
            # A plain dimension is read as a whole.
            if isinstance(expressions[place], AffineDimExpr) and shape[place] != phase[i].outputs:
                expressions[place] %= shape[place]
        return expressions

    def _kernel_expressions(self, at: Mapping[Any, AffineExpr], phase: Sequence[_Phase]) -> list[AffineExpr]:
        numbers = self.numbers
        expressions: list[Any] = [None] * (self.spatial + 2)
        expressions[numbers.kernel_output_feature_dimension] = at["feature" if "feature" in at else "group"]
        expressions[numbers.kernel_input_feature_dimension] = at["input"]
        for i, (dim, part) in enumerate(zip(numbers.kernel_spatial_dimensions, phase, strict=True)):
            position = at.get(("window", i))
            # A reversed window is walked from its end: forwards through the kernel.
            last = part.first + (part.taps - 1) * part.step
            first = self.kernel_shape[i] - 1 - last if self.reversed[i] else part.first
            expressions[dim] = constant_expression(first) if position is None else scaled(position, part.step, first)
            if part.first_slope:
                slope = -part.first_slope if self.reversed[i] else part.first_slope
                expressions[dim] += scaled(at["phase", i], slope)
        if "group" in at and "feature" in at:
            expressions.insert(numbers.kernel_output_feature_dimension, at["group"])
        return expressions

    def _grouped_input_dimension(self) -> int:
        numbers = self.numbers
        return numbers.input_feature_dimension if self.feature_groups > 1 else numbers.input_batch_dimension

    def _split(self, value: SSAValue, dim: int) -> SSAValue:
        """A view of `value` with `dim` as group and position in the group, where there are several of both."""
        shape = shape_of(value)
        if self.groups in (1, shape[dim]):
            return value
        groups = [[i + (i > dim)] for i in range(len(shape))]
        groups[dim].append(dim + 1)
        split = (self.groups, shape[dim] // self.groups)
        return self.ctx.expand(value, groups, (*shape[:dim], *split, *shape[dim + 1 :]))
