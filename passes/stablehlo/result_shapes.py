"""Shapes of results from the shapes of operands, op by op, as the dialects define them.

`result_shapes` covers the ops of StableHLO and chlo whose result shapes follow from operand types and attributes alone.
Those it does not know have the result types they were written with, or need values: the `dynamic_*` ops, `rng`, `scan`,
calls and control flow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Operation

from ...dialects import chlo, stablehlo
from ...dialects.chlo.broadcasting import BroadcastBinaryOp, broadcast_shape
from ...dialects.element_sizes import element_bits
from ...dialects.stablehlo.convolution import infer_convolution_shape
from ...dialects.stablehlo.gather_scatter import infer_gather_shape
from ...dialects.stablehlo.shape_rules import PADDING, RANGES
from ...dialects.stablehlo.shapes import Shape, element_type_of, is_tensor, shape_of
from ...dialects.stablehlo.slicing import padded_shape
from ...dialects.stablehlo.traits import Elementwise, ops_with
from ...dialects.stablehlo.windows import padding_pairs
from ...ir.tensors import ints

Rule = Callable[[Any, Sequence[Shape]], Sequence[Shape]]
"""The shapes of the results of an op, from it and the static shapes of its operands."""


def result_shapes(op: Operation, operands: Sequence[Shape] | None = None) -> Sequence[Shape] | None:
    """The shapes of the results of `op`, whose operands have static shapes; None if they do not follow from those.

    `operands` are the shapes of the operands if these are not those of their types. A size that is a size of the result
    too is handed on as the object that it is.
    """
    rule = _same_as(0) if op.name == "tensor.cast" else RULES.get(type(op))
    if rule is None:
        return None
    if operands is None:
        operands = [shape_of(value) if is_tensor(value.type) else () for value in op.operands]
    return rule(op, operands)


def _ints(op: Operation, names: Sequence[str]) -> list[tuple[int, ...]]:
    return [ints(op, name) for name in names]


def _same_as(index: int) -> Rule:
    """Every result has the shape of operand `index`."""
    return lambda op, shapes: [shapes[index]] * len(op.results)


def _elementwise(op: Operation, shapes: Sequence[Shape]) -> Sequence[Shape]:
    """Scalars beside other operands are for all of their elements."""
    return [max(shapes, key=len)] * len(op.results)


def _each(op: Operation, shapes: Sequence[Shape]) -> Sequence[Shape]:
    """Result i has the shape of operand i; a token has none."""
    return shapes[: len(op.results)]


def _reshape(op: stablehlo.ReshapeOp, shapes: Sequence[Shape]) -> Sequence[Shape]:
    """One dimension of the result may be left open."""
    shape, (operand,) = list(shape_of(op.result)), shapes
    if shape.count(DYNAMIC_INDEX) == 1:
        rest = prod(size for size in shape if size != DYNAMIC_INDEX)
        shape[shape.index(DYNAMIC_INDEX)] = prod(operand) // rest if rest else 0
    return [tuple(shape)]


def _bitcast_convert(op: stablehlo.BitcastConvertOp, shapes: Sequence[Shape]) -> Sequence[Shape]:
    (operand,) = shapes
    source, target = element_bits(element_type_of(op.operand)), element_bits(element_type_of(op.result))
    if source == target:
        return [operand]
    return [(*operand, source // target)] if source > target else [operand[:-1]]


def _convolution(op: stablehlo.ConvolutionOp, shapes: Sequence[Shape]) -> Sequence[Shape]:
    dims, groups = op.dimension_numbers.data, op.batch_group_count.value.data
    window = op.window(padding_pairs(op.padding, len(dims.input_spatial_dimensions)))
    return [infer_convolution_shape(shapes[0], shapes[1], dims, window, groups)]


def _fft(op: stablehlo.FftOp, shapes: Sequence[Shape]) -> Sequence[Shape]:
    type = op.infer_result_type(op.operand, op.fft_type.data, op.fft_length.get_values())
    return [(*shapes[0][:-1], type.get_shape()[-1])]


def _batch_norm(op: Operation, shapes: Sequence[Shape]) -> Sequence[Shape]:
    """The operand normalised, or its gradient, and values per feature."""
    return [shapes[0]] + [shapes[1]] * (len(op.results) - 1)


def _all_gather(op: stablehlo.AllGatherOp, shapes: Sequence[Shape]) -> Sequence[Shape]:
    """A group whose size the op alone does not tell gives results of the size that they have."""
    return _scaled(op, op.all_gather_dim.value.data, shapes, lambda size, count: size * count)


def _reduce_scatter(op: stablehlo.ReduceScatterOp, shapes: Sequence[Shape]) -> Sequence[Shape]:
    return _scaled(op, op.scatter_dimension.value.data, shapes, lambda size, count: size // count)


def _scaled(
    op: stablehlo.AllGatherOp | stablehlo.ReduceScatterOp,
    dim: int,
    shapes: Sequence[Shape],
    scale: Callable[[int, int], int],
) -> Sequence[Shape]:
    count = op.process_group_size(op.use_global_device_ids)
    sizes = (
        shape_of(result)[dim] if DYNAMIC_INDEX in (count, shape[dim]) else scale(shape[dim], count)
        for shape, result in zip(shapes, op.results, strict=True)
    )
    return [(*shape[:dim], size, *shape[dim + 1 :]) for shape, size in zip(shapes, sizes, strict=True)]


def _all_to_all(op: stablehlo.AllToAllOp, shapes: Sequence[Shape]) -> Sequence[Shape]:
    split, concat = op.split_dimension.value.data, op.concat_dimension.value.data
    types = [op.infer_result_type(value, split, concat, op.split_count.value.data) for value in op.operands_]
    return [cast(TensorType[Attribute], type).get_shape() for type in types]


def _broadcast_binary(op: BroadcastBinaryOp, shapes: Sequence[Shape]) -> Sequence[Shape]:
    places = op.broadcast_dimensions
    return [op.common_shape(shapes[0], shapes[1], None if places is None else places.get_values())]


RULES: dict[type[Operation], Rule] = {
    **dict.fromkeys(ops_with(Elementwise, (*stablehlo.OPS, *chlo.OPS)), _elementwise),
    **{op: _broadcast_binary for op in chlo.OPS if issubclass(op, BroadcastBinaryOp)},
    **dict.fromkeys(
        (
            stablehlo.CholeskyOp,
            stablehlo.CollectivePermuteOp,
            stablehlo.CrossReplicaSumOp,
            stablehlo.DynamicUpdateSliceOp,
            stablehlo.ReverseOp,
            stablehlo.SelectAndScatterOp,
        ),
        _same_as(0),
    ),
    stablehlo.TriangularSolveOp: _same_as(1),
    **dict.fromkeys(
        (
            stablehlo.AllReduceOp,
            stablehlo.CollectiveBroadcastOp,
            stablehlo.CollectiveReduceOp,
            stablehlo.OptimizationBarrierOp,
            stablehlo.ScatterOp,
            stablehlo.SortOp,
        ),
        _each,
    ),
    **dict.fromkeys(
        (stablehlo.BatchNormGradOp, stablehlo.BatchNormInferenceOp, stablehlo.BatchNormTrainingOp), _batch_norm
    ),
    stablehlo.AllGatherOp: _all_gather,
    stablehlo.AllToAllOp: _all_to_all,
    stablehlo.BitcastConvertOp: _bitcast_convert,
    stablehlo.BroadcastOp: lambda op, shapes: [(*op.broadcast_sizes.get_values(), *shapes[0])],
    stablehlo.ConcatenateOp: lambda op, shapes: [op.infer_shape(shapes, op.dimension.value.data)],
    stablehlo.ConvolutionOp: _convolution,
    stablehlo.DotGeneralOp: lambda op, shapes: [op.infer_shape(*shapes, op.dot_dimension_numbers)],
    stablehlo.DotOp: lambda op, shapes: [shapes[0][:-1] + shapes[1][1:]],
    stablehlo.DynamicSliceOp: lambda op, shapes: [op.slice_sizes.get_values()],
    stablehlo.EinsumOp: lambda op, shapes: [op.equation.result_shape(shapes)],
    stablehlo.FftOp: _fft,
    stablehlo.GatherOp: lambda op, shapes: [
        infer_gather_shape(shapes[1], op.dimension_numbers, op.slice_sizes.get_values())
    ],
    stablehlo.PadOp: lambda op, shapes: [padded_shape(shapes[0], *_ints(op, PADDING))],
    stablehlo.ReduceOp: lambda op, shapes: [op.infer_shape(shapes[0], op.dimensions.get_values())] * len(op.results),
    stablehlo.ReduceScatterOp: _reduce_scatter,
    stablehlo.ReduceWindowOp: lambda op, shapes: [op.window.counts(shapes[0])] * len(op.results),
    stablehlo.ReshapeOp: _reshape,
    stablehlo.RngBitGeneratorOp: lambda op, shapes: [shapes[0], shape_of(op.output)],
    stablehlo.SliceOp: lambda op, shapes: [op.infer_shape(shapes[0], *_ints(op, RANGES))],
    stablehlo.TorchIndexSelectOp: lambda op, shapes: [
        op.infer_shape(*shapes, op.dim.value.data, op.batch_dims.value.data)
    ],
    stablehlo.TransposeOp: lambda op, shapes: [tuple(shapes[0][dim] for dim in ints(op, "permutation"))],
    stablehlo.UnaryEinsumOp: lambda op, shapes: [op.equation.result_shape(shapes)],
    chlo.BroadcastSelectOp: lambda op, shapes: [broadcast_shape(op, *shapes)],
    chlo.TopKOp: lambda op, shapes: [(*shapes[0][:-1], op.k.value.data)] * 2,
}
