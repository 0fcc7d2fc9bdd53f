"""Products, convolutions and other linear algebra: padding that is summed over is zero on both sides."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from xdsl.ir import Operation

from ....dialects import chlo, stablehlo
from ....dialects.stablehlo.windows import padding_pairs
from ....ir.tensors import ints
from .reductions import window_count
from .values import Bounded, Rule, Site

Names = Sequence[Hashable]


def _dot_general(site: Site, op: stablehlo.DotGeneralOp) -> Sequence[Bounded]:
    numbers, (lhs, rhs) = op.dot_dimension_numbers, site.operands()
    pairs = (
        *zip(numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions, strict=True),
        *zip(numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions, strict=True),
    )
    names: tuple[list[Hashable], list[Hashable]] = [None] * lhs.rank, [None] * rhs.rank
    for name, (left, right) in enumerate(pairs):
        names[0][left] = names[1][right] = name
    return _product(site, names, range(len(numbers.lhs_batching_dimensions), len(pairs)))


def _dot(site: Site, op: stablehlo.DotOp) -> Sequence[Bounded]:
    lhs, rhs = site.operands()
    return _product(site, ([None] * (lhs.rank - 1) + [0], [0] + [None] * (rhs.rank - 1)), (0,))


def _einsum(site: Site, op: stablehlo.EinsumOp | stablehlo.UnaryEinsumOp) -> Sequence[Bounded]:
    names = op.equation.operands
    return _product(site, names, {name for each in names for name in each} - set(op.equation.result))


def _product(site: Site, names: Sequence[Names], summed: Sequence[int] | set[str]) -> Sequence[Bounded]:
    """An op whose operands have these names of dimensions, of which it sums over some."""
    operands = site.aligned(site.operands(), names)
    return site.emit(
        [
            site.masked(x, [dim for dim, name in enumerate(each) if name in summed], site.zero)
            for x, each in zip(operands, names, strict=True)
        ]
    )


def convolution(site: Site, op: stablehlo.ConvolutionOp) -> Sequence[Bounded]:
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
    names = [
        ["feature" if groups == 1 and d == dim else None for d in range(lhs.rank)] for dim in (feature, in_feature)
    ]
    lhs, rhs = site.aligned((lhs, rhs), names)
    (result,) = site.emit(
        (site.masked(lhs, (feature, *spatial), site.zero), site.masked(rhs, (in_feature,), site.zero))
    )
    window = op.window(padding_pairs(op.padding, len(spatial)))
    sizes = dict(result.sizes)
    if batch in lhs.sizes:
        sizes[numbers.output_batch_dimension] = lhs.sizes[batch]
    for index, dim in enumerate(spatial):
        if dim in lhs.sizes:
            place = numbers.output_spatial_dimensions[index]
            sizes[place] = window_count(site, lhs.sizes[dim], window, index)
    return [Bounded(result.tensor, sizes)]


def _batched(core: Callable[[Operation], int]) -> Rule:
    """Ops on each of a batch of arrays, which are the last `core(op)` dimensions."""

    def rule(site: Site, op: Operation) -> Sequence[Bounded]:
        operands = site.operands()
        batch = operands[0].rank - core(op)
        if any(dim >= batch for x in operands for dim in x.sizes):
            raise site.unsupported("only dimensions of the batch may be of bounded size")
        names = [[dim if dim < batch else None for dim in range(x.rank)] for x in operands]
        return site.emit(site.aligned(operands, names))

    return rule


CONTRACTIONS: dict[type[Operation], Rule] = {
    stablehlo.CholeskyOp: _batched(lambda _: 2),
    stablehlo.ConvolutionOp: convolution,
    stablehlo.DotGeneralOp: _dot_general,
    stablehlo.DotOp: _dot,
    stablehlo.EinsumOp: _einsum,
    stablehlo.FftOp: _batched(lambda op: len(ints(op, "fft_length"))),
    stablehlo.TriangularSolveOp: _batched(lambda _: 2),
    stablehlo.UnaryEinsumOp: _einsum,
    chlo.TopKOp: _batched(lambda _: 1),
}
"""Op type to rule."""
