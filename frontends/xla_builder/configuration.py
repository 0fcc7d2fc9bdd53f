"""The arguments of operations that are structures: paddings, dimension numbers, groups of replicas, channels.

Names and fields are those of `xla_data.proto` and `xla/client/padding.h`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from ...dialects.stablehlo.attributes import (
    ChannelHandleAttr,
    ComparisonDirection,
    ConvDimensionNumbersAttr,
    DotDimensionNumbersAttr,
    FftType,
    GatherDimensionNumbersAttr,
    Precision,
    ScatterDimensionNumbersAttr,
    Transpose,
)
from ...dialects.stablehlo.attributes import (
    RngAlgorithm as RandomAlgorithm,
)
from ...dialects.stablehlo.conv_dimensions import ConvDimensions
from ...errors import ArgumentError

__all__ = [
    "ChannelHandle",
    "ChannelType",
    "ComparisonDirection",
    "ConvolutionDimensionNumbers",
    "DotDimensionNumbers",
    "FftType",
    "GatherDimensionNumbers",
    "Padding",
    "PaddingConfig",
    "PaddingConfigDimension",
    "Precision",
    "RandomAlgorithm",
    "ReplicaGroup",
    "ScatterDimensionNumbers",
    "Transpose",
    "default_convolution_dimension_numbers",
    "explicit_padding",
]


class Padding(Enum):
    """How windows at the edges are treated."""

    SAME = "same"
    """As many places as the operand has elements, at a stride of 1."""
    VALID = "valid"
    """No padding: windows lie inside of the operand."""


@dataclass(frozen=True)
class PaddingConfigDimension:
    """Padding of one dimension: at its ends (negative amounts cut off), and between its elements."""

    edge_padding_low: int = 0
    edge_padding_high: int = 0
    interior_padding: int = 0


@dataclass(frozen=True)
class PaddingConfig:
    """Padding of every dimension."""

    dimensions: Sequence[PaddingConfigDimension]

    @staticmethod
    def of(dimensions: Sequence[Sequence[int]]) -> PaddingConfig:
        """From `(low, high)` or `(low, high, interior)` for each dimension."""
        return PaddingConfig([PaddingConfigDimension(*amounts) for amounts in dimensions])


@dataclass
class DotDimensionNumbers:
    """Which dimensions of the operands of `dot_general` are summed over and which are batches."""

    lhs_contracting_dimensions: Sequence[int] = ()
    rhs_contracting_dimensions: Sequence[int] = ()
    lhs_batch_dimensions: Sequence[int] = ()
    rhs_batch_dimensions: Sequence[int] = ()

    def attribute(self) -> DotDimensionNumbersAttr:
        return DotDimensionNumbersAttr(
            (
                tuple(self.lhs_batch_dimensions),
                tuple(self.rhs_batch_dimensions),
                tuple(self.lhs_contracting_dimensions),
                tuple(self.rhs_contracting_dimensions),
            )
        )


@dataclass
class ConvolutionDimensionNumbers:
    """Which dimensions of input, kernel and output of a convolution are what."""

    input_batch_dimension: int
    input_feature_dimension: int
    input_spatial_dimensions: Sequence[int]
    kernel_input_feature_dimension: int
    kernel_output_feature_dimension: int
    kernel_spatial_dimensions: Sequence[int]
    output_batch_dimension: int
    output_feature_dimension: int
    output_spatial_dimensions: Sequence[int]

    def attribute(self) -> ConvDimensionNumbersAttr:
        return ConvDimensionNumbersAttr(
            ConvDimensions(
                self.input_batch_dimension,
                self.input_feature_dimension,
                tuple(self.input_spatial_dimensions),
                self.kernel_input_feature_dimension,
                self.kernel_output_feature_dimension,
                tuple(self.kernel_spatial_dimensions),
                self.output_batch_dimension,
                self.output_feature_dimension,
                tuple(self.output_spatial_dimensions),
            )
        )


def default_convolution_dimension_numbers(spatial_dimensions: int = 2) -> ConvolutionDimensionNumbers:
    """Batch, feature, then space; in the kernel output feature, input feature, then space."""
    spatial = range(2, spatial_dimensions + 2)
    return ConvolutionDimensionNumbers(0, 1, spatial, 1, 0, spatial, 0, 1, spatial)


@dataclass
class GatherDimensionNumbers:
    """How `gather` reads its indices and lays out what it gathers."""

    offset_dims: Sequence[int] = ()
    collapsed_slice_dims: Sequence[int] = ()
    start_index_map: Sequence[int] = ()
    index_vector_dim: int = 0
    operand_batching_dims: Sequence[int] = ()
    start_indices_batching_dims: Sequence[int] = ()

    def attribute(self) -> GatherDimensionNumbersAttr:
        return GatherDimensionNumbersAttr(
            (
                tuple(self.offset_dims),
                tuple(self.collapsed_slice_dims),
                tuple(self.operand_batching_dims),
                tuple(self.start_indices_batching_dims),
                tuple(self.start_index_map),
                self.index_vector_dim,
            )
        )


@dataclass
class ScatterDimensionNumbers:
    """How `scatter` reads its indices and updates."""

    update_window_dims: Sequence[int] = ()
    inserted_window_dims: Sequence[int] = ()
    scatter_dims_to_operand_dims: Sequence[int] = ()
    index_vector_dim: int = 0
    input_batching_dims: Sequence[int] = ()
    scatter_indices_batching_dims: Sequence[int] = ()

    def attribute(self) -> ScatterDimensionNumbersAttr:
        return ScatterDimensionNumbersAttr(
            (
                tuple(self.update_window_dims),
                tuple(self.inserted_window_dims),
                tuple(self.input_batching_dims),
                tuple(self.scatter_indices_batching_dims),
                tuple(self.scatter_dims_to_operand_dims),
                self.index_vector_dim,
            )
        )


@dataclass
class ReplicaGroup:
    """Replicas that take part in a collective operation together, in order."""

    replica_ids: Sequence[int] = field(default_factory=list[int])


class ChannelType(Enum):
    """What a channel connects."""

    DEVICE_TO_DEVICE = 1
    DEVICE_TO_HOST = 2
    HOST_TO_DEVICE = 3


@dataclass(frozen=True)
class ChannelHandle:
    """Names what belongs together: a `send` and a `recv`, or collective operations of several programs."""

    handle: int
    type: ChannelType = ChannelType.DEVICE_TO_DEVICE

    def attribute(self) -> ChannelHandleAttr:
        return ChannelHandleAttr((self.handle, self.type.value))


def explicit_padding(
    padding: Padding | Sequence[Sequence[int]],
    sizes: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
) -> list[tuple[int, int]]:
    """`padding` as (low, high) for each dimension; `window` are the sizes of a window with its dilation.

    SAME pads so that there are ceil(size / stride) places, the odd element at the high end (xla/client/padding.cc).
    """
    if padding is Padding.VALID:
        return [(0, 0)] * len(sizes)
    if padding is Padding.SAME:
        pairs: list[tuple[int, int]] = []
        for size, width, stride in zip(sizes, window, strides, strict=True):
            total = max((-(-size // stride) - 1) * stride + width - size, 0)
            pairs.append((total // 2, total - total // 2))
        return pairs
    if isinstance(padding, Padding) or any(len(pair) != 2 for pair in padding):
        raise ArgumentError(f"padding: expected Padding.SAME, Padding.VALID or (low, high) pairs, got {padding}")
    return [(low, high) for low, high in padding]
