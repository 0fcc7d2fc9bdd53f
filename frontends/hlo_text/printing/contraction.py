"""Products of tensors, convolutions, transforms and linear algebra."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute

from ....dialects import stablehlo
from ....dialects.stablehlo.attributes import DotAlgorithmAttr, DotDimensionNumbersAttr, Precision, PrecisionAttr
from ....dialects.stablehlo.shapes import shape_of
from ....dialects.stablehlo.windows import bool_values, padding_pairs, values_or
from .computation import PRINTERS, Site
from .values import braces, dim_labels, flag, window


def _precision(config: Attribute | None) -> list[str]:
    entries: Sequence[Attribute] = getattr(config, "data", ())
    words = [entry.data for entry in entries if isinstance(entry, PrecisionAttr)]
    if all(word is Precision.DEFAULT for word in words):
        return []
    return [f"operand_precision={{{','.join(word.value.lower() for word in words)}}}"]


def _dimensions(
    lhs_batch: Sequence[int], rhs_batch: Sequence[int], lhs: Sequence[int], rhs: Sequence[int]
) -> list[str]:
    batch = [braces("lhs_batch_dims", lhs_batch), braces("rhs_batch_dims", rhs_batch)] if lhs_batch else []
    return [*batch, braces("lhs_contracting_dims", lhs), braces("rhs_contracting_dims", rhs)]


def _dot_dimensions(dims: DotDimensionNumbersAttr) -> list[str]:
    return _dimensions(
        dims.lhs_batching_dimensions,
        dims.rhs_batching_dimensions,
        dims.lhs_contracting_dimensions,
        dims.rhs_contracting_dimensions,
    )


def _algorithm(algorithm: DotAlgorithmAttr | None) -> list[str]:
    if algorithm is None:
        return []
    lhs, rhs, accumulation = (
        type.name for type in (algorithm.lhs_precision_type, algorithm.rhs_precision_type, algorithm.accumulation_type)
    )
    if lhs.startswith("f8"):
        suffix = "_fast_accum" if algorithm.allow_imprecise_accumulation else ""
        return [f"algorithm=dot_any_f8_any_f8_f32{suffix}"]
    products = algorithm.num_primitive_operations
    suffix = f"_x{products}" if products > 1 else ""
    return [f"algorithm=dot_{lhs}_{rhs}_{accumulation}{suffix}"]


def _dot_general(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.DotGeneralOp)
    attributes = _dot_dimensions(op.dot_dimension_numbers)
    site.finish("dot", None, [*attributes, *_precision(op.precision_config), *_algorithm(op.algorithm)])


def _dot(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.DotOp)
    attributes = _dimensions((), (), (len(shape_of(op.lhs)) - 1,), (0,))
    site.finish("dot", None, [*attributes, *_precision(op.precision_config)])


def _convolution(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.ConvolutionOp)
    dims = op.dimension_numbers.data
    kernel = shape_of(op.rhs)
    size = [kernel[dim] for dim in dims.kernel_spatial_dimensions]
    rank = len(size)
    attributes = window(
        size,
        values_or(op.window_strides, 1, rank),
        padding_pairs(op.padding, rank),
        values_or(op.lhs_dilation, 1, rank),
        values_or(op.rhs_dilation, 1, rank),
        () if op.window_reversal is None else bool_values(op.window_reversal),
    )
    attributes.append(dim_labels(dims))
    for name, count in (
        ("feature_group_count", op.feature_group_count.value.data),
        ("batch_group_count", op.batch_group_count.value.data),
    ):
        if count != 1:
            attributes.append(f"{name}={count}")
    site.finish("convolution", None, [*attributes, *_precision(op.precision_config)])


def _fft(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.FftOp)
    length = braces("fft_length", op.fft_length.get_values())
    site.finish("fft", None, [f"fft_type={op.fft_type.data.value}", length])


def _cholesky(site: Site) -> None:
    assert isinstance(site.op, stablehlo.CholeskyOp)
    site.finish("cholesky", None, flag("lower", site.op.lower))


def _triangular_solve(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.TriangularSolveOp)
    flags = [
        *flag("left_side", op.left_side),
        *flag("lower", op.lower),
        *flag("unit_diagonal", op.unit_diagonal),
    ]
    site.finish("triangular-solve", None, [*flags, f"transpose_a={op.transpose_a.data.value}"])


PRINTERS.update(
    {
        stablehlo.CholeskyOp: _cholesky,
        stablehlo.ConvolutionOp: _convolution,
        stablehlo.DotGeneralOp: _dot_general,
        stablehlo.DotOp: _dot,
        stablehlo.FftOp: _fft,
        stablehlo.TriangularSolveOp: _triangular_solve,
    }
)
