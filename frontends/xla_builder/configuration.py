"""The arguments of operations that are structures: paddings, dimension numbers, groups of replicas, channels.

Names and fields are those of `xla_data.proto` and `xla/client/padding.h`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any

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
from ...errors import ArgumentError, similar_names
from .checks import CHECKS, Call, RefusedError, described, integer_check, is_sequence
from .door import checked, checked_fields
from .location import position

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


class Message:
    """A structure of `xla_data.proto`, whose fields are also set as in C++.

    `numbers.add_offset_dims(1)` appends to a list, `numbers.set_index_vector_dim(1)` sets a number.
    """

    def __getattr__(self, name: str) -> Callable[[Any], None]:
        action, _, field_name = name.partition("_")
        fields = getattr(type(self), "__dataclass_fields__", {})
        is_list = field_name in fields and is_sequence(self.__dict__.get(field_name))
        if field_name not in fields or action != ("add" if is_list else "set"):
            raise UnknownFieldError(
                f"{type(self).__name__} has no field or method {name!r}{similar_names(name, fields)}"
            )
        return functools.partial(_set_field, self, name, field_name, is_list)


class UnknownFieldError(ArgumentError, AttributeError):
    """A structure has no field of that name."""


def _set_field(message: Message, name: str, field_name: str, is_list: bool, value: Any) -> None:
    old = getattr(message, field_name)
    setattr(message, field_name, [*old, value] if is_list else value)
    try:
        CHECKS[type(message)].accept(message, Call())
    except RefusedError as refused:
        setattr(message, field_name, old)
        raise ArgumentError(f"{name}: {refused}", location=position()) from None


class Padding(Enum):
    """How windows at the edges are treated."""

    SAME = "same"
    """As many places as the operand has elements, at a stride of 1."""
    VALID = "valid"
    """No padding: windows lie inside of the operand."""


@checked_fields
@dataclass
class PaddingConfigDimension(Message):
    """Padding of one dimension: at its ends (negative amounts cut off), and between its elements."""

    edge_padding_low: int = 0
    edge_padding_high: int = 0
    interior_padding: int = 0


@checked_fields
@dataclass
class PaddingConfig(Message):
    """Padding of every dimension."""

    dimensions: Sequence[PaddingConfigDimension] = ()

    @staticmethod
    @checked
    def of(dimensions: Sequence[Sequence[int]]) -> PaddingConfig:
        """From `(low, high)` or `(low, high, interior)` for each dimension."""
        if not all(len(amounts) in (2, 3) for amounts in dimensions):
            expected = "(low, high) or (low, high, interior) for each dimension"
            raise ArgumentError(f"dimensions: expected {expected}, got {described(dimensions)}")
        return PaddingConfig([PaddingConfigDimension(*amounts) for amounts in dimensions])

    def add_dimensions(self) -> PaddingConfigDimension:
        """One more dimension, whose amounts are 0 until they are set."""
        dimension = PaddingConfigDimension()
        self.dimensions = [*self.dimensions, dimension]
        return dimension


@checked_fields
@dataclass
class DotDimensionNumbers(Message):
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


@checked_fields
@dataclass
class ConvolutionDimensionNumbers(Message):
    """Which dimensions of input, kernel and output of a convolution are what."""

    input_batch_dimension: int = 0
    input_feature_dimension: int = 0
    input_spatial_dimensions: Sequence[int] = ()
    kernel_input_feature_dimension: int = 0
    kernel_output_feature_dimension: int = 0
    kernel_spatial_dimensions: Sequence[int] = ()
    output_batch_dimension: int = 0
    output_feature_dimension: int = 0
    output_spatial_dimensions: Sequence[int] = ()

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


@checked
def default_convolution_dimension_numbers(spatial_dimensions: int = 2) -> ConvolutionDimensionNumbers:
    """Batch, feature, then space; in the kernel output feature, input feature, then space."""
    if not 0 <= spatial_dimensions <= 64:
        raise ArgumentError(f"spatial_dimensions: expected 0 to 64, got {spatial_dimensions}")
    spatial = range(2, spatial_dimensions + 2)
    return ConvolutionDimensionNumbers(0, 1, spatial, 1, 0, spatial, 0, 1, spatial)


@checked_fields
@dataclass
class GatherDimensionNumbers(Message):
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


@checked_fields
@dataclass
class ScatterDimensionNumbers(Message):
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


@checked_fields
@dataclass
class ReplicaGroup(Message):
    """Replicas that take part in a collective operation together, in order."""

    replica_ids: Sequence[int] = field(default_factory=list[int])


class ChannelType(Enum):
    """What a channel connects."""

    DEVICE_TO_DEVICE = 1
    DEVICE_TO_HOST = 2
    HOST_TO_DEVICE = 3


@checked_fields
@dataclass(frozen=True)
class ChannelHandle:
    """Names what belongs together: a `send` and a `recv`, or collective operations of several programs."""

    handle: Annotated[int, integer_check(0, 2**63 - 1, "a channel's number, 0 or more")]
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
