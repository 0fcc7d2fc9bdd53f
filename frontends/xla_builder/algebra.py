"""Products, convolutions, normalisation, transforms, factorisations, and gathers.

Source: XLA's Operation Semantics, sections BatchNorm*, Cholesky, Conv*, Dot, DotGeneral, Fft, Gather, TriangularSolve;
RaggedDot and ScaledDot of the newer page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from ...dialects import chlo, stablehlo
from ...dialects.stablehlo.attributes import FftType, Precision, Transpose
from .arguments import AnyPadding, Array, Count, Integers, Pairs, Sizes
from .bounded_sizes import of_one_size, require_static, sized_as
from .configuration import (
    ConvolutionDimensionNumbers,
    DotDimensionNumbers,
    GatherDimensionNumbers,
    Padding,
    default_convolution_dimension_numbers,
    explicit_padding,
)
from .core import XlaOp, require, same_elements
from .elementwise import convert_element_type, expand_dimensions, mul
from .movement import reshape
from .operators import operation
from .shapes import ElementType, PrimitiveType, Shape


@operation("Dot")
def dot(
    lhs: Array,
    rhs: Array,
    precision_config: Sequence[Precision] | None = None,
    preferred_element_type: ElementType | None = None,
) -> XlaOp:
    """`Dot`: products of vectors and matrices, summed over the last dimension of `lhs` and the first of `rhs`."""
    for name, op in (("lhs", lhs), ("rhs", rhs)):
        require(op.shape.rank in (1, 2), name, f"expected a vector or a matrix, got {op.shape}")
    require(
        lhs.shape.dimensions[-1] == rhs.shape.dimensions[0],
        "rhs",
        f"its first dimension is summed over with the last one of lhs: {lhs.shape} and {rhs.shape}",
    )
    numbers = DotDimensionNumbers([lhs.shape.rank - 1], [0])
    return dot_general(lhs, rhs, numbers, precision_config, preferred_element_type)


def _products(name: str, lhs: XlaOp, rhs: XlaOp, preferred: PrimitiveType | None) -> None:
    """Require elements that can be multiplied: of one type, or floats if the type of the result is given."""
    floats = lhs.shape.element_type.is_floating_point and rhs.shape.element_type.is_floating_point
    if not floats or preferred is None:
        same_elements(name, rhs, "lhs", lhs)
    if preferred is None:
        return
    kinds = [_kind(lhs.shape.element_type), _kind(preferred)]
    message = f"expected a type like {lhs.shape.element_type.value}, got {preferred.value}"
    require(kinds[0] == kinds[1], "preferred_element_type", message)


def _kind(element_type: PrimitiveType) -> str:
    if element_type.is_complex:
        return "complex"
    return "float" if element_type.is_floating_point else "integer"


@operation("DotGeneral")
def dot_general(
    lhs: Array,
    rhs: Array,
    dimension_numbers: DotDimensionNumbers,
    precision_config: Sequence[Precision] | None = None,
    preferred_element_type: ElementType | None = None,
) -> XlaOp:
    """`DotGeneral`: sums of products over contracting dimensions, for each index of the batch dimensions.

    Dimensions of the result: batch, then those left of `lhs`, then those left of `rhs`. The result has the element type
    of the operands unless `preferred_element_type` names a wider one.
    """
    _products("rhs", lhs, rhs, preferred_element_type)
    attribute = dimension_numbers.attribute()
    lhs_batch, rhs_batch = attribute.lhs_batching_dimensions, attribute.rhs_batching_dimensions
    lhs_sum, rhs_sum = attribute.lhs_contracting_dimensions, attribute.rhs_contracting_dimensions
    for name, op, dimensions in (("lhs", lhs, (*lhs_batch, *lhs_sum)), ("rhs", rhs, (*rhs_batch, *rhs_sum))):
        require(
            all(0 <= d < op.shape.rank for d in dimensions),
            "dimension_numbers",
            f"{list(dimensions)} are no dimensions of {name}, {op.shape}",
        )
    for left, right in zip((*lhs_batch, *lhs_sum), (*rhs_batch, *rhs_sum), strict=False):
        require(
            lhs.shape.dimensions[left] == rhs.shape.dimensions[right],
            "dimension_numbers",
            f"dimension {left} of lhs, {lhs.shape}, and {right} of rhs, {rhs.shape}, differ",
        )
        lhs, rhs = sized_as(lhs, left, rhs, right), sized_as(rhs, right, lhs, left)
    element = (preferred_element_type or lhs.shape.element_type).element_type
    result = stablehlo.DotGeneralOp.infer_result_type(lhs.value, rhs.value, attribute, element)
    return lhs.builder.emit(stablehlo.DotGeneralOp(lhs.value, rhs.value, attribute, result, precision_config))


@operation("RaggedDot")
def ragged_dot(
    lhs: Array,
    rhs: Array,
    group_sizes: Array,
    dimension_numbers: DotDimensionNumbers,
    lhs_ragged_dimensions: Integers,
    rhs_group_dimensions: Integers,
) -> XlaOp:
    """`RaggedDot`: a product of each group of slices of `lhs` with a slice of `rhs`, as `chlo.ragged_dot`."""
    same_elements("rhs", rhs, "lhs", lhs)
    ragged = list(lhs_ragged_dimensions)
    require(len(ragged) == 1, "lhs_ragged_dimensions", f"expected one dimension, got {ragged}")
    attribute = chlo.RaggedDotDimensionNumbersAttr.of(
        lhs_batching_dimensions=list(dimension_numbers.lhs_batch_dimensions),
        rhs_batching_dimensions=list(dimension_numbers.rhs_batch_dimensions),
        lhs_contracting_dimensions=list(dimension_numbers.lhs_contracting_dimensions),
        rhs_contracting_dimensions=list(dimension_numbers.rhs_contracting_dimensions),
        lhs_ragged_dimensions=list(lhs_ragged_dimensions),
        rhs_group_dimensions=list(rhs_group_dimensions),
    )
    return lhs.builder.emit(chlo.RaggedDotOp(lhs.value, rhs.value, group_sizes.value, attribute))


@operation("ScaledDot")
def scaled_dot(
    lhs: Array,
    rhs: Array,
    lhs_scale: Array,
    rhs_scale: Array,
    dimension_numbers: DotDimensionNumbers,
    preferred_element_type: ElementType = PrimitiveType.BF16,
) -> XlaOp:
    """`ScaledDot`: a product of operands of which each block of elements has a factor, as `jax.nn.scaled_matmul`.

    A dimension of a scale divides that of its operand; each of its elements is the factor of as many elements as go
    into it. A scalar 1 of rank 0 is no scale.
    """
    for name, op in {"lhs": lhs, "rhs": rhs, "lhs_scale": lhs_scale, "rhs_scale": rhs_scale}.items():
        require(op.shape.element_type.is_floating_point, name, f"expected floats, got {op.shape}")
    scaled = [
        _scaled(name, operand, scale, preferred_element_type)
        for name, operand, scale in (("lhs_scale", lhs, lhs_scale), ("rhs_scale", rhs, rhs_scale))
    ]
    return dot_general(scaled[0], scaled[1], dimension_numbers, preferred_element_type=preferred_element_type)


def _scaled(name: str, operand: XlaOp, scale: XlaOp, element_type: PrimitiveType) -> XlaOp:
    sizes, factors = operand.shape.dimensions, scale.shape.dimensions
    operand = convert_element_type(operand, element_type)
    scale = convert_element_type(scale, element_type)
    if not factors:
        return mul(operand, scale)
    fits = len(factors) == len(sizes) and all(f and s % f == 0 for s, f in zip(sizes, factors, strict=True))
    require(fits, name, f"{scale.shape} does not divide {operand.shape}")
    split = [part for size, factor in zip(sizes, factors, strict=True) for part in (factor, size // factor)]
    repeated = expand_dimensions(scale, range(0, len(split), 2), split)
    return mul(operand, reshape(repeated, sizes))


def _require_static_groups(
    lhs: Array, rhs: Array, numbers: ConvolutionDimensionNumbers, of_features: bool, of_batches: bool
) -> None:
    """What is divided into groups has a known size."""
    why, outputs = "divided into groups", numbers.kernel_output_feature_dimension
    if of_features:
        require_static("lhs", lhs, [numbers.input_feature_dimension], why)
        require_static("rhs", rhs, [numbers.kernel_input_feature_dimension, outputs], why)
    if of_batches:
        require_static("lhs", lhs, [numbers.input_batch_dimension], why)
        require_static("rhs", rhs, [outputs], why)


@operation("ConvGeneralDilated")
def conv_general_dilated(
    lhs: Array,
    rhs: Array,
    window_strides: Integers | None,
    padding: AnyPadding,
    lhs_dilation: Integers | None = None,
    rhs_dilation: Integers | None = None,
    dimension_numbers: ConvolutionDimensionNumbers | None = None,
    feature_group_count: Count = 1,
    batch_group_count: Count = 1,
    precision_config: Sequence[Precision] | None = None,
    preferred_element_type: ElementType | None = None,
    window_reversal: Sequence[bool] | None = None,
) -> XlaOp:
    """`ConvGeneralDilated`: a convolution with any number of spatial dimensions, and everything there is to choose.

    Without dimension numbers: batch, feature, space; in the kernel output feature, input feature, space.
    """
    _products("rhs", lhs, rhs, preferred_element_type)
    spatial = lhs.shape.rank - 2
    require(spatial >= 0 and rhs.shape.rank == lhs.shape.rank, "rhs", f"{rhs.shape} for an input {lhs.shape}")
    numbers = dimension_numbers or default_convolution_dimension_numbers(spatial)
    ones = [1] * spatial
    strides, base, dilation = (list(v) if v else ones for v in (window_strides, lhs_dilation, rhs_dilation))
    for name, values in (("window_strides", strides), ("lhs_dilation", base), ("rhs_dilation", dilation)):
        require(
            len(values) == spatial and all(value > 0 for value in values),
            name,
            f"expected {spatial} positive numbers, got {values}",
        )
    sizes = [lhs.shape.dimensions[d] for d in numbers.input_spatial_dimensions]
    windows = [rhs.shape.dimensions[d] for d in numbers.kernel_spatial_dimensions]
    dilated = [(size - 1) * d + 1 if size else 0 for size, d in zip(sizes, base, strict=True)]
    widths = [(size - 1) * d + 1 if size else 0 for size, d in zip(windows, dilation, strict=True)]
    pairs = explicit_padding(padding, dilated, widths, strides)
    require(len(pairs) == spatial, "padding", f"expected {spatial} pairs, got {len(pairs)}")
    require_static("rhs", rhs, numbers.kernel_spatial_dimensions, "a window")
    features = numbers.input_feature_dimension, numbers.kernel_input_feature_dimension
    _require_static_groups(lhs, rhs, numbers, feature_group_count > 1, batch_group_count > 1)
    lhs, rhs = sized_as(lhs, features[0], rhs, features[1]), sized_as(rhs, features[1], lhs, features[0])
    return lhs.builder.emit(
        stablehlo.ConvolutionOp(
            lhs.value,
            rhs.value,
            numbers.attribute(),
            window_strides=strides,
            padding=pairs,
            lhs_dilation=base,
            rhs_dilation=dilation,
            window_reversal=window_reversal,
            feature_group_count=feature_group_count,
            batch_group_count=batch_group_count,
            precision=precision_config,
            element_type=None if preferred_element_type is None else preferred_element_type.element_type,
        )
    )


@operation("Conv")
def conv(
    lhs: Array,
    rhs: Array,
    window_strides: Integers | None,
    padding: Padding,
    feature_group_count: Count = 1,
    batch_group_count: Count = 1,
    precision_config: Sequence[Precision] | None = None,
) -> XlaOp:
    """`Conv`: a convolution with padding SAME or VALID and the default dimension numbers."""
    counts = feature_group_count, batch_group_count
    return conv_general_dilated(lhs, rhs, window_strides, padding, None, None, None, *counts, precision_config)


@operation("ConvWithGeneralPadding")
def conv_with_general_padding(
    lhs: Array,
    rhs: Array,
    window_strides: Integers | None,
    padding: Pairs,
    feature_group_count: Count = 1,
    batch_group_count: Count = 1,
    precision_config: Sequence[Precision] | None = None,
    *,
    lhs_dilation: Integers | None = None,
    rhs_dilation: Integers | None = None,
) -> XlaOp:
    """`ConvWithGeneralPadding`: a convolution with (low, high) padding and the default dimension numbers.

    The dilations, which documents have before the counts of groups and C++ has not, are given by name.
    """
    counts = feature_group_count, batch_group_count
    dilations = lhs_dilation, rhs_dilation
    return conv_general_dilated(lhs, rhs, window_strides, padding, *dilations, None, *counts, precision_config)


@operation("ConvWithGeneralDimensions")
def conv_with_general_dimensions(
    lhs: Array,
    rhs: Array,
    window_strides: Integers | None,
    padding: Padding,
    dimension_numbers: ConvolutionDimensionNumbers,
    feature_group_count: Count = 1,
    batch_group_count: Count = 1,
    precision_config: Sequence[Precision] | None = None,
) -> XlaOp:
    """`ConvWithGeneralDimensions`: a convolution with padding SAME or VALID and any dimension numbers."""
    return conv_general_dilated(
        lhs,
        rhs,
        window_strides,
        padding,
        dimension_numbers=dimension_numbers,
        feature_group_count=feature_group_count,
        batch_group_count=batch_group_count,
        precision_config=precision_config,
    )


@operation("ConvGeneral")
def conv_general(
    lhs: Array,
    rhs: Array,
    window_strides: Integers | None,
    padding: Pairs,
    dimension_numbers: ConvolutionDimensionNumbers,
    feature_group_count: Count = 1,
    batch_group_count: Count = 1,
    precision_config: Sequence[Precision] | None = None,
) -> XlaOp:
    """`ConvGeneral`: a convolution with (low, high) padding and any dimension numbers."""
    counts = feature_group_count, batch_group_count
    return conv_general_dilated(
        lhs, rhs, window_strides, padding, None, None, dimension_numbers, *counts, precision_config
    )


def _features(operand: XlaOp, feature_index: int, vectors: dict[str, XlaOp]) -> list[Any]:
    """The vectors, with as many elements as there are features."""
    require(0 <= feature_index < operand.shape.rank, "feature_index", f"{feature_index} of {operand.shape}")
    wanted = (operand.shape.dimensions[feature_index],)
    for name, vector in vectors.items():
        require(vector.shape.dimensions == wanted, name, f"expected {wanted[0]} elements, got {vector.shape}")
    return [sized_as(vector, 0, operand, feature_index).value for vector in vectors.values()]


@operation("BatchNormTraining")
def batch_norm_training(operand: Array, scale: Array, offset: Array, epsilon: float, feature_index: int) -> XlaOp:
    """`BatchNormTraining`: each feature normalised by its mean and variance over all else; (output, mean, variance)."""
    scales, offsets = _features(operand, feature_index, {"scale": scale, "offset": offset})
    return operand.builder.emit(stablehlo.BatchNormTrainingOp(operand.value, scales, offsets, epsilon, feature_index))


@operation("BatchNormInference")
def batch_norm_inference(
    operand: Array, scale: Array, offset: Array, mean: Array, variance: Array, epsilon: float, feature_index: int
) -> XlaOp:
    """`BatchNormInference`: each feature normalised by a given mean and variance."""
    named = {"scale": scale, "offset": offset, "mean": mean, "variance": variance}
    scales, offsets, means, variances = _features(operand, feature_index, named)
    return operand.builder.emit(
        stablehlo.BatchNormInferenceOp(operand.value, scales, offsets, means, variances, epsilon, feature_index)
    )


@operation("BatchNormGrad")
def batch_norm_grad(
    operand: Array,
    scale: Array,
    mean: Array,
    variance: Array,
    grad_output: Array,
    epsilon: float,
    feature_index: int,
) -> XlaOp:
    """`BatchNormGrad`: the gradients of `batch_norm_training` by (operand, scale, offset)."""
    fits = grad_output.shape.is_compatible(operand.shape)
    require(fits, "grad_output", f"{grad_output.shape}, operand is {operand.shape}")
    operand, grad_output = of_one_size([operand, grad_output])
    named = {"scale": scale, "mean": mean, "variance": variance}
    scales, means, variances = _features(operand, feature_index, named)
    return operand.builder.emit(
        stablehlo.BatchNormGradOp(operand.value, scales, means, variances, grad_output.value, epsilon, feature_index)
    )


@operation("Fft")
def fft(operand: Array, fft_type: FftType, fft_length: Sizes) -> XlaOp:
    """`Fft`: a Fourier transform of the last dimensions, one to three, whose lengths in time are `fft_length`."""
    rank = operand.shape.rank
    require(1 <= len(fft_length) <= min(3, rank), "fft_length", f"{list(fft_length)} for {operand.shape}")
    require_static("operand", operand, range(rank - len(fft_length), rank), "transformed")
    return operand.builder.emit(stablehlo.FftOp(operand.value, fft_type, list(fft_length)))


@operation("Cholesky")
def cholesky(a: Array, lower: bool = True) -> XlaOp:
    """`Cholesky`: the triangular factors of positive definite matrices, the last two dimensions of an array.

    Reads the triangle it gives, lower or upper; the other one of the result is not defined.
    """
    sizes = a.shape.dimensions
    require(len(sizes) >= 2 and sizes[-1] == sizes[-2], "a", f"expected square matrices, got {a.shape}")
    require_static("a", a, range(len(sizes) - 2, len(sizes)), "factorised")
    return a.builder.emit(stablehlo.CholeskyOp(a.value, lower))


@operation("TriangularSolve")
def triangular_solve(
    a: Array,
    b: Array,
    left_side: bool = True,
    lower: bool = True,
    unit_diagonal: bool = False,
    transpose_a: Transpose = Transpose.NO_TRANSPOSE,
) -> XlaOp:
    """`TriangularSolve`: x with op(a) x = b, or x op(a) = b, for batches of triangular matrices.

    Reads one triangle of `a`, without its diagonal if that is one. `transpose_a` is what op does: nothing, TRANSPOSE,
    or ADJOINT.
    """
    sizes = list(a.shape.dimensions)
    require(len(sizes) >= 2 and sizes[-1] == sizes[-2], "a", f"expected square matrices, got {a.shape}")
    side = -2 if left_side else -1
    require(
        b.shape.rank == len(sizes)
        and list(b.shape.dimensions[:-2]) == sizes[:-2]
        and b.shape.dimensions[side] == sizes[-1],
        "b",
        f"{b.shape} does not fit {a.shape}",
    )
    rank = len(sizes)
    require_static("a", a, range(rank - 2, rank), "solved for")
    require_static("b", b, [rank + side], "solved for")
    for dimension in range(rank - 2):
        a, b = sized_as(a, dimension, b, dimension), sized_as(b, dimension, a, dimension)
    return a.builder.emit(stablehlo.TriangularSolveOp(a.value, b.value, left_side, lower, unit_diagonal, transpose_a))


@overload
def gather(
    input: Array,
    start_indices: Array,
    dimension_numbers: GatherDimensionNumbers,
    slice_sizes: Sizes,
    indices_are_sorted: bool = False,
) -> XlaOp: ...
@overload
def gather(
    input: Array,
    start_indices: Array,
    offset_dims: Integers,
    collapsed_slice_dims: Integers,
    slice_sizes: Sizes,
    start_index_map: Integers,
    index_vector_dim: int | None = None,
    indices_are_sorted: bool = False,
    operand_batching_dims: Integers = (),
    start_indices_batching_dims: Integers = (),
) -> XlaOp: ...
@operation("Gather", names={"operand": "input"})
def gather(
    input: XlaOp,
    start_indices: XlaOp,
    slice_sizes: Sequence[int],
    dimension_numbers: Any = None,
    indices_are_sorted: bool = False,
    index_vector_dim: int | None = None,
    **fields: Any,
) -> XlaOp:
    """`Gather`: slices of an array that begin where `start_indices` say, moved so that they lie inside.

    The dimension numbers are one structure or its fields, `index_vector_dim` by default the last dimension of
    `start_indices`.
    """
    if dimension_numbers is None:
        last = start_indices.shape.rank - 1 if index_vector_dim is None else index_vector_dim
        dimension_numbers = GatherDimensionNumbers(index_vector_dim=last, **fields)
    require(
        len(slice_sizes) == input.shape.rank, "slice_sizes", f"expected {input.shape.rank}, got {list(slice_sizes)}"
    )
    _check_gather(start_indices.shape, dimension_numbers, slice_sizes)
    attribute = dimension_numbers.attribute()
    return input.builder.emit(
        stablehlo.GatherOp(input.value, start_indices.value, attribute, list(slice_sizes), indices_are_sorted)
    )


def _check_gather(indices: Shape, numbers: GatherDimensionNumbers, slice_sizes: Sequence[int]) -> None:
    """Require dimensions from which the shape of the result follows."""
    vector = numbers.index_vector_dim
    require(0 <= vector <= indices.rank, "index_vector_dim", f"{vector} of start_indices {indices}")
    dropped = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    kept = [dimension for dimension in range(len(slice_sizes)) if dimension not in dropped]
    rank = indices.rank - (vector < indices.rank) + len(kept)
    offsets = list(numbers.offset_dims)
    require(
        len(set(offsets)) == len(offsets) == len(kept) and all(0 <= d < rank for d in offsets),
        "offset_dims",
        f"expected {len(kept)} dimensions of a result of rank {rank} for slices {list(slice_sizes)}, got {offsets}",
    )
