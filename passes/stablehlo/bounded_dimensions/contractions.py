"""Products, convolutions and other linear algebra: padding that is summed over is zero on both sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Operation

from ....dialects import chlo, stablehlo
from ....dialects.stablehlo.attributes import DotDimensionNumbersAttr
from ....dialects.stablehlo.windows import padding_pairs
from ....ir.tensor_builder import Tensor
from ....ir.tensors import ints
from .reductions import window_count
from .values import Bounded, Rule, Site


def _dot_general(site: Site, op: stablehlo.DotGeneralOp) -> Sequence[Bounded]:
    return _product(site, op.dot_dimension_numbers)


def _dot(site: Site, op: stablehlo.DotOp) -> Sequence[Bounded]:
    lhs, _ = site.operands()
    return _product(site, DotDimensionNumbersAttr(((), (), (lhs.rank - 1,), (0,))))


def _product(site: Site, numbers: DotDimensionNumbersAttr) -> Sequence[Bounded]:
    lhs, rhs = site.operands()
    batching = list(zip(numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions, strict=True))
    contracting = list(zip(numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions, strict=True))
    left_shape, right_shape = list(lhs.shape), list(rhs.shape)
    left_sizes, right_sizes = dict(lhs.sizes), dict(rhs.sizes)
    for left, right in (*batching, *contracting):
        left_shape[left] = right_shape[right] = min(left_shape[left], right_shape[right])
        if left in left_sizes or right in right_sizes:
            size = left_sizes[left] if left in left_sizes else right_sizes[right]
            left_sizes[left] = right_sizes[right] = size
    lhs = Bounded(site.fitted(lhs.tensor, left_shape), left_sizes)
    rhs = Bounded(site.fitted(rhs.tensor, right_shape), right_sizes)
    (result,) = site.emit(
        (
            site.masked(lhs, numbers.lhs_contracting_dimensions, site.zero),
            site.masked(rhs, numbers.rhs_contracting_dimensions, site.zero),
        )
    )
    origins = [left_sizes.get(dim) for dim, _ in batching]
    for x, sizes, side in ((lhs, left_sizes, 0), (rhs, right_sizes, 1)):
        used = {pair[side] for pair in (*batching, *contracting)}
        origins += [sizes.get(dim) for dim in range(x.rank) if dim not in used]
    return [Bounded(result, {dim: size for dim, size in enumerate(origins) if size is not None})]


def _einsum(site: Site, op: stablehlo.EinsumOp | stablehlo.UnaryEinsumOp) -> Sequence[Bounded]:
    operands, equation = site.operands(), op.equation
    sizes: dict[str, Tensor] = {}
    bounds: dict[str, int] = {}
    for labels, x in zip(equation.operands, operands, strict=True):
        for dim, label in enumerate(labels):
            bounds[label] = min(bounds.get(label, x.shape[dim]), x.shape[dim])
            if dim in x.sizes:
                sizes.setdefault(label, x.sizes[dim])
    tensors: list[Tensor] = []
    for labels, x in zip(equation.operands, operands, strict=True):
        shape = [bounds[label] if label in sizes else x.shape[dim] for dim, label in enumerate(labels)]
        known = {dim: sizes[label] for dim, label in enumerate(labels) if label in sizes}
        summed = [dim for dim, label in enumerate(labels) if label not in equation.result]
        tensors.append(site.masked(Bounded(site.fitted(x.tensor, shape), known), summed, site.zero))
    (result,) = site.emit(tensors)
    return [Bounded(result, {dim: sizes[label] for dim, label in enumerate(equation.result) if label in sizes})]


def _convolution(site: Site, op: stablehlo.ConvolutionOp) -> Sequence[Bounded]:
    """Padding of the input is the zeros that the op pads with."""
    lhs, rhs = site.operands()
    numbers = op.dimension_numbers
    groups, batch_groups = op.feature_group_count.value.data, op.batch_group_count.value.data
    batch, feature, spatial = (
        numbers.input_batch_dimension,
        numbers.input_feature_dimension,
        numbers.input_spatial_dimensions,
    )
    in_feature, out_feature = numbers.kernel_input_feature_dimension, numbers.kernel_output_feature_dimension
    if any(dim in rhs.sizes for dim in numbers.kernel_spatial_dimensions):
        raise site.unsupported("a kernel of bounded size")
    if (groups > 1 and {feature, in_feature, out_feature} & {*lhs.sizes, *rhs.sizes}) or (
        batch_groups > 1 and (batch in lhs.sizes or out_feature in rhs.sizes)
    ):
        raise site.unsupported("groups of a dimension of bounded size")
    if feature in lhs.sizes or in_feature in rhs.sizes:
        size = lhs.sizes[feature] if feature in lhs.sizes else rhs.sizes[in_feature]
        count = min(lhs.shape[feature], rhs.shape[in_feature])
        lhs = _with_size(site, lhs, feature, count, size)
        rhs = _with_size(site, rhs, in_feature, count, size)
    (result,) = site.emit(
        (site.masked(lhs, (feature, *spatial), site.zero), site.masked(rhs, (in_feature,), site.zero))
    )
    window = op.window(padding_pairs(op.padding, len(spatial)))
    sizes: dict[int, Tensor] = {}
    if batch in lhs.sizes:
        sizes[numbers.output_batch_dimension] = lhs.sizes[batch]
    if out_feature in rhs.sizes:
        sizes[numbers.output_feature_dimension] = rhs.sizes[out_feature]
    for index, dim in enumerate(spatial):
        if dim in lhs.sizes:
            sizes[numbers.output_spatial_dimensions[index]] = window_count(
                site,
                lhs.sizes[dim],
                (
                    rhs.shape[numbers.kernel_spatial_dimensions[index]],
                    window.strides[index],
                    window.base_dilations[index],
                    window.window_dilations[index],
                ),
                window.padding[index],
            )
    return [Bounded(result, sizes)]


def _with_size(site: Site, x: Bounded, dim: int, bound: int, size: Tensor) -> Bounded:
    shape = [bound if d == dim else n for d, n in enumerate(x.shape)]
    return Bounded(site.fitted(x.tensor, shape), {**x.sizes, dim: size})


def _batched(core: Callable[[Operation], int]) -> Rule:
    """Ops on each of a batch of arrays, which are the last `core(op)` dimensions."""

    def rule(site: Site, op: Operation) -> Sequence[Bounded]:
        operands = site.operands()
        sizes = site.common_sizes(operands)
        batch = operands[0].rank - core(op)
        if any(dim >= batch for dim in sizes):
            raise site.unsupported("only dimensions of the batch may be of bounded size")
        least = [min(x.shape[dim] for x in operands) for dim in range(batch)]
        tensors = [site.fitted(x.tensor, (*least, *x.shape[batch:])) for x in operands]
        return [Bounded(result, sizes) for result in site.emit(tensors)]

    return rule


def _fft_rank(op: Operation) -> int:
    return len(ints(op, "fft_length"))


CONTRACTIONS: dict[type[Operation], Rule] = {
    stablehlo.CholeskyOp: _batched(lambda _: 2),
    stablehlo.ConvolutionOp: _convolution,
    stablehlo.DotGeneralOp: _dot_general,
    stablehlo.DotOp: _dot,
    stablehlo.EinsumOp: _einsum,
    stablehlo.FftOp: _batched(_fft_rank),
    stablehlo.TriangularSolveOp: _batched(lambda _: 2),
    stablehlo.UnaryEinsumOp: _einsum,
    chlo.TopKOp: _batched(lambda _: 1),
}
"""Op type to rule."""
