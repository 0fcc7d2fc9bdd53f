"""StableHLO's own attributes and types in MLIR bytecode, as MLIR's bindings write them. They occur too where a portable
artifact has regions of Shardy's dialect: VHLO stands for StableHLO in functions and its own ops, not in those of
other dialects.

Source: openxla/stablehlo, stablehlo/dialect/StablehloBytecode.cpp, whose lists give each encoding its number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import ArrayAttr, IntAttr, NoneAttr, StringAttr
from xdsl.ir import Attribute

from ...dialects.stablehlo import FutureType, TokenType
from ...dialects.stablehlo.attributes import (
    ChannelHandleAttr,
    ConvDimensionNumbersAttr,
    DotAlgorithmAttr,
    DotDimensionNumbersAttr,
    GatherDimensionNumbersAttr,
    ScatterDimensionNumbersAttr,
    TypeExtensionsAttr,
)
from ...dialects.stablehlo.conv_dimensions import ConvDimensions
from ...dialects.stablehlo.mesh_attributes import (
    AxisRefAttr,
    MeshAttr,
    MeshAxisAttr,
    ReplicaGroupMeshAxesAttr,
    SubAxisInfoAttr,
)
from ...dialects.stablehlo.struct_attribute import StructAttr
from .builtin_encodings import Encoding, attributes, decode, types
from .vhlo_encodings import ATTRIBUTES as VHLO
from .vhlo_encodings import output_alias

if TYPE_CHECKING:
    from .container import Container
    from .stream import Stream


def _dims(stream: Stream) -> tuple[int, ...]:
    return tuple(stream.list(stream.signed_varint))


def _dimension_numbers(kind: type[StructAttr], count: int, has_vector: bool) -> Encoding:
    """Lists of dimensions, and the dimension of index vectors."""

    def read(container: Container, stream: Stream) -> Attribute:
        lists = [_dims(stream) for _ in range(count)]
        return kind((*lists, stream.signed_varint()) if has_vector else tuple(lists))

    return read


def _channel(container: Container, stream: Stream) -> Attribute:
    return ChannelHandleAttr((stream.signed_varint(), stream.signed_varint()))


def _convolution(container: Container, stream: Stream) -> Attribute:
    def tensor() -> tuple[int, int, tuple[int, ...]]:
        return stream.signed_varint(), stream.signed_varint(), _dims(stream)

    return ConvDimensionNumbersAttr(ConvDimensions(*tensor(), *tensor(), *tensor()))


def _algorithm(container: Container, stream: Stream) -> Attribute:
    precisions = [container.type(stream) for _ in range(3)]
    counts = [stream.signed_varint() for _ in range(3)]
    return DotAlgorithmAttr((*precisions, *counts, bool(stream.byte())))


def _axis(container: Container, stream: Stream) -> Attribute:
    name = StringAttr(container.string(stream))
    return AxisRefAttr(name, container.attribute(stream) if stream.byte() else NoneAttr())


def _replica_groups(container: Container, stream: Stream) -> Attribute:
    mesh = container.attribute(stream)
    return ReplicaGroupMeshAxesAttr(mesh, ArrayAttr(cast(Any, attributes(container, stream))))


def _mesh_axis(container: Container, stream: Stream) -> Attribute:
    return MeshAxisAttr(StringAttr(container.string(stream)), IntAttr(stream.signed_varint()))


def _mesh(container: Container, stream: Stream) -> Attribute:
    axes = container.attribute(stream)
    return MeshAttr(cast(Any, axes), container.attribute(stream) if stream.byte() else NoneAttr())


ATTRIBUTES: dict[int, Encoding] = {
    1: _channel,
    2: VHLO[3],
    3: VHLO[4],
    4: _convolution,
    5: _dimension_numbers(DotDimensionNumbersAttr, 4, False),
    6: VHLO[7],
    7: _dimension_numbers(GatherDimensionNumbersAttr, 5, True),
    8: VHLO[11],
    9: VHLO[12],
    10: VHLO[13],
    11: _dimension_numbers(ScatterDimensionNumbersAttr, 5, True),
    12: VHLO[16],
    13: lambda container, stream: TypeExtensionsAttr(_dims(stream)),
    14: output_alias,
    15: _algorithm,
    16: VHLO[19],
    17: VHLO[20],
    18: _replica_groups,
    19: lambda container, stream: SubAxisInfoAttr(IntAttr(stream.signed_varint()), IntAttr(stream.signed_varint())),
    20: _axis,
    21: _mesh_axis,
    22: _mesh,
}
"""Enumerations and accuracies are encoded as in VHLO."""

TYPES: dict[int, Encoding] = {
    0: lambda container, stream: TokenType(),
    1: lambda container, stream: FutureType(ArrayAttr(types(container, stream))),
}

decode_attribute = decode(ATTRIBUTES, "StableHLO's attributes")
decode_type = decode(TYPES, "StableHLO's types")
