"""VHLO's attributes and types in MLIR bytecode, decoded as those of StableHLO and the builtin dialect.

VHLO is the versioned form of StableHLO that its portable artifacts consist of.

Source: openxla/stablehlo, stablehlo/dialect/VhloBytecode.cpp for the numbers, VhloEnums.td for those of enumerations.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BFloat16Type,
    ComplexType,
    DictionaryAttr,
    Float4E2M1FNType,
    Float6E2M3FNType,
    Float6E3M2FNType,
    Float8E3M4Type,
    Float8E4M3B11FNUZType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E4M3Type,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    FloatData,
    FloatTF32Type,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    NoneAttr,
    NoneType,
    Signedness,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    TupleType,
    i1,
    i32,
)
from xdsl.dialects.utils.enum_attribute import EnumAttribute
from xdsl.ir import Attribute

from ...dialects.dense import integer_type
from ...dialects.quant import UniformQuantizedType
from ...dialects.stablehlo.attributes import (
    ComparisonDirection,
    ComparisonDirectionAttr,
    ComparisonType,
    ComparisonTypeAttr,
    FftType,
    FftTypeAttr,
    FutureType,
    OutputOperandAliasAttr,
    Precision,
    PrecisionAttr,
    ResultAccuracyAttr,
    ResultAccuracyMode,
    ResultAccuracyModeAttr,
    RngAlgorithm,
    RngAlgorithmAttr,
    RngDistribution,
    RngDistributionAttr,
    TokenType,
    Transpose,
    TransposeAttr,
    TypeExtensionsAttr,
)
from ...dialects.stablehlo.mesh_attributes import (
    AxisRefAttr,
    MeshAttr,
    MeshAxisAttr,
    ReplicaGroupMeshAxesAttr,
    SubAxisInfoAttr,
)
from .builtin_encodings import (
    Encoding,
    attributes,
    buffer_type,
    decode,
    function_type,
    shape,
    string_attribute,
    tensor_type,
    types,
    unsupported,
)
from .container import Container, UndecodedAttr
from .numbers import dense_elements, integer_attribute, read_double, read_float

if TYPE_CHECKING:
    from .stream import Stream

NO_TYPE = NoneType()
"""Where an op of StableHLO leaves out a type that it may have."""


def enumeration(attribute: type[EnumAttribute[Any]], *cases: Enum) -> Encoding:
    def read(container: Container, stream: Stream) -> Attribute:
        number = stream.varint()
        if number >= len(cases):
            raise stream.error(f"{attribute.name} number {number}; there are {len(cases)}")
        return attribute(cases[number])

    return read


def _boolean(container: Container, stream: Stream) -> Attribute:
    value = stream.varint()
    if value > 1:
        raise stream.error(f"{value} is not a truth value")
    return IntegerAttr(value, i1)


def _api_version(container: Container, stream: Stream) -> Attribute:
    return IntegerAttr(stream.varint(), i32)


def _dictionary(container: Container, stream: Stream) -> Attribute:
    entries: dict[str, Attribute] = {}
    for _ in range(stream.count()):
        key = container.attribute(stream)
        if not isinstance(key, StringAttr):
            raise stream.error(f"expected a string as a key, got {key}")
        value = container.attribute(stream)
        if not isinstance(value, UndecodedAttr):
            entries[key.data] = value
    return DictionaryAttr(entries)


def _float(container: Container, stream: Stream) -> Attribute:
    type = container.type(stream)
    return FloatAttr(read_float(stream, type), cast(Any, type))


def _integer(container: Container, stream: Stream) -> Attribute:
    return integer_attribute(stream, container.type(stream))


def output_alias(container: Container, stream: Stream) -> Attribute:
    output = tuple(stream.list(stream.signed_varint))
    operand = stream.signed_varint()
    return OutputOperandAliasAttr((output, operand, tuple(stream.list(stream.signed_varint))))


def _tensor_constant(container: Container, stream: Stream) -> Attribute:
    return dense_elements(stream, container.type(stream), stream.bytes(stream.varint()))


def _result_accuracy(container: Container, stream: Stream) -> Attribute:
    absolute, relative = read_double(stream), read_double(stream)
    ulps = stream.signed_varint()
    return ResultAccuracyAttr((absolute, relative, ulps, container.attribute(stream)))


def _sub_axis(container: Container, stream: Stream) -> Attribute:
    return SubAxisInfoAttr(IntAttr(stream.signed_varint()), IntAttr(stream.signed_varint()))


def _axis(container: Container, stream: Stream) -> Attribute:
    name = string_attribute(container, stream)
    return AxisRefAttr(name, container.attribute(stream) if stream.varint() else NoneAttr())


def _replica_groups(container: Container, stream: Stream) -> Attribute:
    """Groups by axes of a mesh, which is an attribute or the name of one."""
    mesh = container.attribute(stream)
    axes = container.attribute(stream)
    if not isinstance(axes, ArrayAttr):
        raise stream.error(f"expected the axes of replica groups, got {axes}")
    return ReplicaGroupMeshAxesAttr(SymbolRefAttr(mesh) if isinstance(mesh, StringAttr) else mesh, cast(Any, axes))


def _mesh_axis(container: Container, stream: Stream) -> Attribute:
    name = string_attribute(container, stream)
    return MeshAxisAttr(name, IntAttr(stream.signed_varint()))


def _mesh(container: Container, stream: Stream) -> Attribute:
    axes = container.attribute(stream)
    index, has_devices = stream.flagged_varint()
    devices = container.attribute_at(stream, index) if has_devices else NoneAttr()
    return MeshAttr(cast(Any, axes), devices)


ATTRIBUTES: dict[int, Encoding] = {
    1: lambda container, stream: ArrayAttr(attributes(container, stream)),
    2: _boolean,
    3: enumeration(
        ComparisonDirectionAttr,
        ComparisonDirection.EQ,
        ComparisonDirection.NE,
        ComparisonDirection.GE,
        ComparisonDirection.GT,
        ComparisonDirection.LE,
        ComparisonDirection.LT,
    ),
    4: enumeration(
        ComparisonTypeAttr,
        ComparisonType.NOTYPE,
        ComparisonType.FLOAT,
        ComparisonType.TOTALORDER,
        ComparisonType.SIGNED,
        ComparisonType.UNSIGNED,
        ComparisonType.WEAKORDER,
    ),
    5: _api_version,
    6: _dictionary,
    7: enumeration(FftTypeAttr, FftType.FFT, FftType.IFFT, FftType.RFFT, FftType.IRFFT),
    8: _float,
    9: _integer,
    10: output_alias,
    11: enumeration(PrecisionAttr, Precision.DEFAULT, Precision.HIGH, Precision.HIGHEST),
    12: enumeration(RngAlgorithmAttr, RngAlgorithm.DEFAULT, RngAlgorithm.THREE_FRY, RngAlgorithm.PHILOX),
    13: enumeration(RngDistributionAttr, RngDistribution.UNIFORM, RngDistribution.UNIFORM, RngDistribution.NORMAL),
    14: lambda container, stream: container.string_attribute(stream),
    15: _tensor_constant,
    16: enumeration(
        TransposeAttr,
        Transpose.TRANSPOSE_INVALID,
        Transpose.NO_TRANSPOSE,
        Transpose.TRANSPOSE,
        Transpose.ADJOINT,
    ),
    17: lambda container, stream: container.type(stream),
    18: lambda container, stream: TypeExtensionsAttr(tuple(stream.list(stream.signed_varint))),
    19: enumeration(
        ResultAccuracyModeAttr, ResultAccuracyMode.DEFAULT, ResultAccuracyMode.HIGHEST, ResultAccuracyMode.TOLERANCE
    ),
    20: _result_accuracy,
    21: _sub_axis,
    22: _axis,
    23: _replica_groups,
    24: _mesh_axis,
    25: _mesh,
}


def _fixed(type: Attribute) -> Encoding:
    return lambda container, stream: type


def _unsigned(width: int) -> Encoding:
    return _fixed(IntegerType(width, Signedness.UNSIGNED))


def _bounded_tensor(container: Container, stream: Stream) -> Attribute:
    encoding = container.attribute(stream)
    sizes = shape(stream)
    if isinstance(encoding, TypeExtensionsAttr) and len(encoding.bounds) != len(sizes):
        raise stream.error(f"{len(encoding.bounds)} bounds for {len(sizes)} dimensions")
    return TensorType(container.type(stream), sizes, encoding)


SIGNED_STORAGE = 1
"""Of the flags of a quantised type."""


def _storage_type(container: Container, stream: Stream, flags: int) -> IntegerType:
    type = integer_type(container.type(stream))
    if type is None:
        raise stream.error("no integer as the storage of a quantised type")
    signedness = Signedness.SIGNLESS if flags & SIGNED_STORAGE else Signedness.UNSIGNED
    return IntegerType(type.width.data, signedness)


def quantized(container: Container, stream: Stream) -> Attribute:
    storage = _storage_type(container, stream, stream.varint())
    expressed = container.type(stream)
    scale = read_double(stream)
    zero_point, low, high = (stream.signed_varint() for _ in range(3))
    return UniformQuantizedType(
        storage,
        expressed,
        IntAttr(low),
        IntAttr(high),
        NoneAttr(),
        ArrayAttr([FloatData(scale)]),
        ArrayAttr([IntAttr(zero_point)]),
    )


def quantized_per_axis(container: Container, stream: Stream) -> Attribute:
    storage = _storage_type(container, stream, stream.varint())
    expressed = container.type(stream)
    axis = stream.varint()
    low, high = stream.signed_varint(), stream.signed_varint()
    scales = stream.list(lambda: FloatData(read_double(stream)))
    zero_points = stream.list(lambda: IntAttr(stream.signed_varint()))
    return UniformQuantizedType(
        storage, expressed, IntAttr(low), IntAttr(high), IntAttr(axis), ArrayAttr(scales), ArrayAttr(zero_points)
    )


TYPES: dict[int, Encoding] = {
    0: _fixed(i1),
    1: lambda container, stream: ComplexType(cast(Any, container.type(stream))),
    2: _fixed(BFloat16Type()),
    3: _fixed(Float16Type()),
    4: _fixed(Float32Type()),
    5: _fixed(Float64Type()),
    6: _fixed(Float8E4M3FNType()),
    7: _fixed(Float8E5M2Type()),
    8: function_type,
    9: _fixed(IndexType()),
    10: _fixed(IntegerType(4)),
    11: _fixed(IntegerType(8)),
    12: _fixed(IntegerType(16)),
    13: _fixed(IntegerType(32)),
    14: _fixed(IntegerType(64)),
    15: _unsigned(4),
    16: _unsigned(8),
    17: _unsigned(16),
    18: _unsigned(32),
    19: _unsigned(64),
    20: tensor_type,
    21: _bounded_tensor,
    22: _fixed(TokenType()),
    23: lambda container, stream: TupleType(ArrayAttr(cast(Any, types(container, stream)))),
    24: quantized,
    25: unsupported("a tensor without rank"),
    26: unsupported("a shape witness"),
    27: _fixed(Float8E4M3FNUZType()),
    28: _fixed(Float8E5M2FNUZType()),
    29: _fixed(Float8E4M3B11FNUZType()),
    30: quantized_per_axis,
    31: _fixed(IntegerType(2)),
    32: _unsigned(2),
    33: _fixed(NO_TYPE),
    34: _fixed(FloatTF32Type()),
    35: _fixed(Float8E4M3Type()),
    36: _fixed(Float8E3M4Type()),
    37: _fixed(Float4E2M1FNType()),
    38: _fixed(Float6E2M3FNType()),
    39: _fixed(Float6E3M2FNType()),
    40: _fixed(Float8E8M0FNUType()),
    41: buffer_type,
    42: lambda container, stream: FutureType(ArrayAttr(types(container, stream))),
}

decode_attribute = decode(ATTRIBUTES, "VHLO's attributes")
decode_type = decode(TYPES, "VHLO's types")
