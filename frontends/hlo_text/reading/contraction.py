"""Products of tensors, convolutions, transforms and linear algebra."""

from __future__ import annotations

import re

from xdsl.dialects.builtin import (
    ArrayAttr,
    BFloat16Type,
    Float8E4M3FNType,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatTF32Type,
    IntegerAttr,
    i64,
)
from xdsl.ir import Attribute

from ....dialects import chlo, stablehlo
from ....dialects.chlo.attributes import PrecisionAttr as ChloPrecisionAttr
from ....dialects.chlo.attributes import RaggedDotDimensionNumbersAttr
from ....dialects.stablehlo.attributes import (
    ConvDimensionNumbersAttr,
    DotAlgorithmAttr,
    DotDimensionNumbersAttr,
    FftType,
    FftTypeAttr,
    Precision,
    PrecisionAttr,
    Transpose,
    TransposeAttr,
)
from ....dialects.stablehlo.syntax import bool_attr, i64_array
from ....dialects.stablehlo.windows import bool_array, padding_attr
from .. import attribute_values
from .scaled_dot import scaled_operands
from .site import HANDLERS, HloValue, Site

_ALGORITHM = re.compile(r"dot_([a-z0-9]+)_([a-z0-9]+)_([a-z0-9]+?)(?:_x([369]))?")
_ALGORITHM_TYPES: dict[str, Attribute] = {
    "bf16": BFloat16Type(),
    "f16": Float16Type(),
    "f32": Float32Type(),
    "f64": Float64Type(),
    "tf32": FloatTF32Type(),
}


def precisions(site: Site) -> list[Precision]:
    """`operand_precision={highest,default}`"""
    words = site.read("operand_precision", attribute_values.words, [])
    return [site.member(Precision, word.upper()) for word in words]


def _precision_config(site: Site) -> Attribute | None:
    config = precisions(site)
    return ArrayAttr([PrecisionAttr(precision) for precision in config]) if config else None


def _dimension_numbers(site: Site) -> dict[str, tuple[int, ...]]:
    return {
        "lhs_batching_dimensions": site.integers("lhs_batch_dims", ()),
        "rhs_batching_dimensions": site.integers("rhs_batch_dims", ()),
        "lhs_contracting_dimensions": site.integers("lhs_contracting_dims", ()),
        "rhs_contracting_dimensions": site.integers("rhs_contracting_dims", ()),
    }


def _algorithm(site: Site) -> Attribute | None:
    """`dot_bf16_bf16_f32_x3`: types of the operands and of the sum, and how many products."""
    name = site.word("algorithm", "dot_unset")
    if name == "dot_unset":
        return None
    if name in ("dot_any_f8_any_f8_f32", "dot_any_f8_any_f8_f32_fast_accum"):
        operands: list[Attribute] = []
        for index in range(2):
            type = site.array_shape(index).element_type
            operands.append(type if type.name.startswith("f8") else Float8E4M3FNType())
        return DotAlgorithmAttr((*operands, Float32Type(), 1, 1, 1, name.endswith("accum")))
    match = _ALGORITHM.fullmatch(name)
    if match is None or any(part not in _ALGORITHM_TYPES for part in match.groups()[:3]):
        site.unsupported(f"unknown algorithm '{name}'")
    lhs, rhs, accumulation = (_ALGORITHM_TYPES[part] for part in match.groups()[:3])
    return DotAlgorithmAttr((lhs, rhs, accumulation, 1, 1, int(match[4] or 1), False))


def _dot(site: Site) -> HloValue:
    if site.has("sparsity"):
        site.unsupported("sparse operands have no counterpart in StableHLO")
    properties = {
        "dot_dimension_numbers": DotDimensionNumbersAttr.of(**_dimension_numbers(site)),
        "precision_config": _precision_config(site),
        "algorithm": _algorithm(site),
    }
    return site.emit(stablehlo.DotGeneralOp, site.tensors(2), properties)


def _ragged_dot(site: Site) -> HloValue:
    dims = RaggedDotDimensionNumbersAttr.of(
        **_dimension_numbers(site),
        lhs_ragged_dimensions=site.integers("lhs_ragged_dims", ()),
        rhs_group_dimensions=site.integers("rhs_group_dims", ()),
    )
    config = precisions(site)
    properties = {
        "ragged_dot_dimension_numbers": dims,
        "precision_config": ArrayAttr([ChloPrecisionAttr(precision) for precision in config]) if config else None,
    }
    return site.emit(chlo.RaggedDotOp, site.tensors(3), properties)


def _scaled_dot(site: Site) -> HloValue:
    properties = {
        "dot_dimension_numbers": DotDimensionNumbersAttr.of(**_dimension_numbers(site)),
        "precision_config": _precision_config(site),
    }
    return site.emit(stablehlo.DotGeneralOp, scaled_operands(site), properties)


def _convolution(site: Site) -> HloValue:
    window = site.read("window", attribute_values.window, attribute_values.WindowValue(()))
    dims = site.read("dim_labels", attribute_values.dim_labels)
    kernel = site.array_shape(1).dims
    sizes = tuple(kernel[dim] for dim in dims.kernel_spatial_dimensions if dim < len(kernel))
    if window.size != sizes:
        site.error(f"a window of size {list(window.size)} for a kernel of size {list(sizes)}")
    properties = {
        "window_strides": None if window.stride is None else i64_array(window.stride),
        "padding": None if window.pad is None else padding_attr(window.pad),
        "lhs_dilation": None if window.lhs_dilate is None else i64_array(window.lhs_dilate),
        "rhs_dilation": None if window.rhs_dilate is None else i64_array(window.rhs_dilate),
        "window_reversal": None if window.rhs_reversal is None else bool_array(window.rhs_reversal),
        "dimension_numbers": ConvDimensionNumbersAttr(dims),
        "feature_group_count": IntegerAttr(site.integer("feature_group_count", 1), i64),
        "batch_group_count": IntegerAttr(site.integer("batch_group_count", 1), i64),
        "precision_config": _precision_config(site),
    }
    return site.emit(stablehlo.ConvolutionOp, site.tensors(2), properties)


def _fft(site: Site) -> HloValue:
    kind = site.member(FftType, site.word("fft_type"))
    properties = {"fft_type": FftTypeAttr(kind), "fft_length": i64_array(site.integers("fft_length"))}
    return site.emit(stablehlo.FftOp, site.tensors(1), properties)


def _cholesky(site: Site) -> HloValue:
    return site.emit(stablehlo.CholeskyOp, site.tensors(1), {"lower": bool_attr(site.flag("lower"))})


def _triangular_solve(site: Site) -> HloValue:
    transpose = site.member(Transpose, site.word("transpose_a", "NO_TRANSPOSE"))
    properties: dict[str, Attribute] = {
        name: bool_attr(site.flag(name)) for name in ("left_side", "lower", "unit_diagonal")
    }
    properties["transpose_a"] = TransposeAttr(transpose)
    return site.emit(stablehlo.TriangularSolveOp, site.tensors(2), properties)


HANDLERS.update(
    {
        "cholesky": _cholesky,
        "convolution": _convolution,
        "dot": _dot,
        "fft": _fft,
        "ragged-dot": _ragged_dot,
        "scaled-dot": _scaled_dot,
        "triangular-solve": _triangular_solve,
    }
)
