"""Shapes of results from the shapes of operands, op by op, as the dialects define them.

`result_shapes` covers the ops of StableHLO and chlo whose result shapes follow from operand types and attributes alone.
Those it does not know have the result types they were written with, or need values: the `dynamic_*` ops, `rng`, `scan`,
calls and control flow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, TensorType
from xdsl.ir import Attribute, Operation

from ...dialects import chlo, stablehlo
from ...dialects.chlo.broadcasting import BroadcastBinaryOp, broadcast_shape
from ...dialects.element_sizes import element_bits
from ...dialects.stablehlo.convolution import infer_convolution_shape
from ...dialects.stablehlo.gather_scatter import infer_gather_shape
from ...dialects.stablehlo.shapes import Shape, element_type_of, shape_of
from ...dialects.stablehlo.slicing import padded_shape
from ...dialects.stablehlo.traits import Elementwise, ops_with
from ...dialects.stablehlo.windows import padding_pairs

Rule = Callable[[Any], Sequence[Shape]]
"""The shapes of the results of an op whose operands have static shapes."""


def result_shapes(op: Operation) -> Sequence[Shape] | None:
    """The shapes of the results of `op`, whose operands have static shapes; None if they do not follow from those."""
    rule = _same_as(0) if op.name == "tensor.cast" else RULES.get(type(op))
    return None if rule is None else rule(op)


def _same_as(index: int) -> Rule:
    """Every result has the shape of operand `index`."""

    def rule(op: Operation) -> Sequence[Shape]:
        return [shape_of(op.operands[index])] * len(op.results)

    return rule


def _elementwise(op: Operation) -> Sequence[Shape]:
    """Scalars beside other operands are for all of their elements."""
    return [max(map(shape_of, op.operands), key=len)] * len(op.results)


def _each(op: Operation) -> Sequence[Shape]:
    """Result i has the shape of operand i; a token has none."""
    values = op.operands[: len(op.results)]
    return [shape_of(value) if isinstance(value.type, TensorType) else () for value in values]


def _reshape(op: stablehlo.ReshapeOp) -> Sequence[Shape]:
    """One dimension of the result may be left open."""
    shape, count = list(shape_of(op.result)), prod(shape_of(op.operand))
    if shape.count(DYNAMIC_INDEX) == 1:
        rest = prod(size for size in shape if size != DYNAMIC_INDEX)
        shape[shape.index(DYNAMIC_INDEX)] = count // rest if rest else 0
    return [tuple(shape)]


def _bitcast_convert(op: stablehlo.BitcastConvertOp) -> Sequence[Shape]:
    shape = shape_of(op.operand)
    source, target = element_bits(element_type_of(op.operand)), element_bits(element_type_of(op.result))
    if source == target:
        return [shape]
    return [(*shape, source // target)] if source > target else [shape[:-1]]


def _slice(op: stablehlo.SliceOp) -> Sequence[Shape]:
    starts, limits, strides = (value.get_values() for value in (op.start_indices, op.limit_indices, op.strides))
    return [op.infer_shape(shape_of(op.operand), starts, limits, strides)]


def _pad(op: stablehlo.PadOp) -> Sequence[Shape]:
    low, high = op.edge_padding_low.get_values(), op.edge_padding_high.get_values()
    return [padded_shape(shape_of(op.operand), low, high, op.interior_padding.get_values())]


def _transpose(op: stablehlo.TransposeOp) -> Sequence[Shape]:
    shape = shape_of(op.operand)
    return [tuple(shape[dim] for dim in op.permutation.get_values())]


def _concatenate(op: stablehlo.ConcatenateOp) -> Sequence[Shape]:
    return [op.infer_shape([shape_of(value) for value in op.inputs], op.dimension.value.data)]


def _gather(op: stablehlo.GatherOp) -> Sequence[Shape]:
    return [infer_gather_shape(shape_of(op.start_indices), op.dimension_numbers, op.slice_sizes.get_values())]


def _torch_index_select(op: stablehlo.TorchIndexSelectOp) -> Sequence[Shape]:
    operand, index = shape_of(op.operand), shape_of(op.index)
    dim, batch = op.dim.value.data, op.batch_dims.value.data
    return [operand[:dim] + index[batch:] + operand[dim + 1 :]]


def _reduce(op: stablehlo.ReduceOp) -> Sequence[Shape]:
    shape = op.infer_shape(shape_of(op.inputs[0]), op.dimensions.get_values())
    return [shape] * len(op.results)


def _reduce_window(op: stablehlo.ReduceWindowOp) -> Sequence[Shape]:
    return [op.window.counts(shape_of(op.inputs[0]))] * len(op.results)


def _dot_general(op: stablehlo.DotGeneralOp) -> Sequence[Shape]:
    return [op.infer_shape(shape_of(op.lhs), shape_of(op.rhs), op.dot_dimension_numbers)]


def _convolution(op: stablehlo.ConvolutionOp) -> Sequence[Shape]:
    dims, groups = op.dimension_numbers.data, op.batch_group_count.value.data
    window = op.window(padding_pairs(op.padding, len(dims.input_spatial_dimensions)))
    return [infer_convolution_shape(shape_of(op.lhs), shape_of(op.rhs), dims, window, groups)]


def _einsum(op: stablehlo.EinsumOp | stablehlo.UnaryEinsumOp) -> Sequence[Shape]:
    equation = op.equation
    return [equation.result_shape([shape_of(value) for value in op.operands])]


def _fft(op: stablehlo.FftOp) -> Sequence[Shape]:
    return [op.infer_result_type(op.operand, op.fft_type.data, op.fft_length.get_values()).get_shape()]


def _batch_norm(op: Operation) -> Sequence[Shape]:
    """The operand normalised, or its gradient, and values per feature."""
    return [shape_of(op.operands[0])] + [shape_of(op.operands[1])] * (len(op.results) - 1)


def _all_gather(op: stablehlo.AllGatherOp) -> Sequence[Shape]:
    """A group whose size the op alone does not tell gives results of the size that they have."""
    dim, size = op.all_gather_dim.value.data, op.process_group_size(op.use_global_device_ids)
    shapes = [list(shape_of(value)) for value in op.operands_]
    for shape, result in zip(shapes, op.result, strict=True):
        shape[dim] = shape_of(result)[dim] if DYNAMIC_INDEX in (size, shape[dim]) else shape[dim] * size
    return [tuple(shape) for shape in shapes]


def _all_to_all(op: stablehlo.AllToAllOp) -> Sequence[Shape]:
    split, concat = op.split_dimension.value.data, op.concat_dimension.value.data
    types = [op.infer_result_type(value, split, concat, op.split_count.value.data) for value in op.operands_]
    return [cast(TensorType[Attribute], type).get_shape() for type in types]


def _reduce_scatter(op: stablehlo.ReduceScatterOp) -> Sequence[Shape]:
    dim, size = op.scatter_dimension.value.data, op.process_group_size(op.use_global_device_ids)
    shape = list(shape_of(op.operand))
    shape[dim] = shape_of(op.result)[dim] if DYNAMIC_INDEX in (size, shape[dim]) else shape[dim] // size
    return [tuple(shape)]


def _broadcast_binary(op: Operation) -> Sequence[Shape]:
    small, large = sorted(map(shape_of, op.operands), key=len)
    places = op.properties.get("broadcast_dimensions")
    if places is not None and len(small) < len(large):
        aligned = [1] * len(large)
        for place, size in zip(cast(DenseArrayBase[Any], places).get_values(), small, strict=True):
            aligned[place] = size
        small = tuple(aligned)
    return [broadcast_shape(op, small, large)]


def _broadcast_select(op: chlo.BroadcastSelectOp) -> Sequence[Shape]:
    return [broadcast_shape(op, *map(shape_of, op.operands))]


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
    stablehlo.BroadcastOp: lambda op: [(*op.broadcast_sizes.get_values(), *shape_of(op.operand))],
    stablehlo.ConcatenateOp: _concatenate,
    stablehlo.ConvolutionOp: _convolution,
    stablehlo.DotGeneralOp: _dot_general,
    stablehlo.DotOp: lambda op: [shape_of(op.lhs)[:-1] + shape_of(op.rhs)[1:]],
    stablehlo.DynamicSliceOp: lambda op: [op.slice_sizes.get_values()],
    stablehlo.EinsumOp: _einsum,
    stablehlo.FftOp: _fft,
    stablehlo.GatherOp: _gather,
    stablehlo.PadOp: _pad,
    stablehlo.ReduceOp: _reduce,
    stablehlo.ReduceScatterOp: _reduce_scatter,
    stablehlo.ReduceWindowOp: _reduce_window,
    stablehlo.ReshapeOp: _reshape,
    stablehlo.RngBitGeneratorOp: lambda op: [shape_of(op.initial_state), shape_of(op.output)],
    stablehlo.SliceOp: _slice,
    stablehlo.TorchIndexSelectOp: _torch_index_select,
    stablehlo.TransposeOp: _transpose,
    stablehlo.UnaryEinsumOp: _einsum,
    chlo.BroadcastSelectOp: _broadcast_select,
    chlo.TopKOp: lambda op: [(*shape_of(op.operand)[:-1], op.k.value.data)] * 2,
}
