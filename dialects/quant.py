"""The type of quantised elements, `!quant.uniform<i8:f32, 0.5:-20>`.

Text-compatible with the type of that name in MLIR's `quant` dialect: `storage<min:max>:expressed, scale:zero_point`
for a whole tensor, `storage:expressed:axis, {scale:zero_point, ...}` for one pair per index of a dimension. Bounds and
zero points are left out where they are the default.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, FloatData, IntAttr, IntegerType, NoneAttr, Signedness
from xdsl.ir import Attribute, Dialect, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException


@irdl_attr_definition
class UniformQuantizedType(ParametrizedAttribute, TypeAttribute):
    """Integers `i` of `storage_type` that stand for `(i - zero_point) * scale` in `expressed_type`.

    StableHLO specification, section "Types", quantized element types, constraints C1 to C12.
    """

    name = "quant.uniform"

    storage_type: IntegerType
    expressed_type: Attribute
    storage_min: IntAttr
    storage_max: IntAttr
    quantization_dimension: IntAttr | NoneAttr
    scales: ArrayAttr[FloatData]
    zero_points: ArrayAttr[IntAttr]

    @property
    def axis(self) -> int | None:
        """The dimension along which scales and zero points change; None if one pair is for all."""
        dimension = self.quantization_dimension
        return dimension.data if isinstance(dimension, IntAttr) else None

    @staticmethod
    def storage_range(storage_type: IntegerType) -> tuple[int, int]:
        """The least and greatest value of the storage type."""
        width = storage_type.width.data
        if storage_type.signedness.data is Signedness.UNSIGNED:
            return 0, 2**width - 1
        return -(2 ** (width - 1)), 2 ** (width - 1) - 1

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            storage_type = _parse_storage_type(parser)
            low, high = cls.storage_range(storage_type)
            if parser.parse_optional_punctuation("<") is not None:
                low = parser.parse_integer()
                parser.parse_punctuation(":")
                high = parser.parse_integer()
                parser.parse_punctuation(">")
            parser.parse_punctuation(":")
            expressed_type = parser.parse_type()
            dimension: Attribute = NoneAttr()
            if parser.parse_optional_punctuation(":") is not None:
                dimension = IntAttr(parser.parse_integer())
            parser.parse_punctuation(",")
            if isinstance(dimension, NoneAttr):
                pairs = [_parse_pair(parser)]
            else:
                pairs = parser.parse_comma_separated_list(parser.Delimiter.BRACES, lambda: _parse_pair(parser))
        return (
            storage_type,
            expressed_type,
            IntAttr(low),
            IntAttr(high),
            dimension,
            ArrayAttr(FloatData(scale) for scale, _ in pairs),
            ArrayAttr(IntAttr(zero_point) for _, zero_point in pairs),
        )

    def print_parameters(self, printer: Printer) -> None:
        prefix = "u" if self.storage_type.signedness.data is Signedness.UNSIGNED else "i"
        with printer.in_angle_brackets():
            printer.print_string(f"{prefix}{self.storage_type.width.data}")
            low, high = self.storage_min.data, self.storage_max.data
            if (low, high) != self.storage_range(self.storage_type):
                printer.print_string(f"<{low}:{high}>")
            printer.print_string(":")
            printer.print_attribute(self.expressed_type)
            pairs = [
                repr(scale.data) + (f":{zero_point.data}" if zero_point.data else "")
                for scale, zero_point in zip(self.scales.data, self.zero_points.data, strict=True)
            ]
            if self.axis is None:
                printer.print_string(f", {pairs[0]}")
            else:
                printer.print_string(f":{self.axis}, {{{', '.join(pairs)}}}")

    def verify(self) -> None:
        low, high = self.storage_range(self.storage_type)
        if not low <= self.storage_min.data < self.storage_max.data <= high:
            bounds = f"<{self.storage_min.data}:{self.storage_max.data}>"
            raise VerifyException(f"{self.name} (C4): bounds {bounds} of storage type {self.storage_type}")
        if len(self.scales) != len(self.zero_points):
            raise VerifyException(f"{self.name} (C10): {len(self.scales)} scales, {len(self.zero_points)} zero points")
        if any(not 0 < scale.data < float("inf") for scale in self.scales):
            raise VerifyException(f"{self.name} (C6, C7): scales must be positive and finite, got {self.scales}")
        if any(not self.storage_min.data <= z.data <= self.storage_max.data for z in self.zero_points):
            raise VerifyException(f"{self.name} (C8): a zero point lies outside of the storage range")


def _parse_storage_type(parser: AttrParser) -> IntegerType:
    """`i8` is signed, `u8` unsigned, as MLIR's `quant` dialect writes them."""
    text = parser.parse_identifier(" of a storage type")
    if text[:1] not in ("i", "u") or not text[1:].isdigit():
        parser.raise_error(f"expected a storage type such as i8 or u8, got {text}")
    return IntegerType(int(text[1:]), Signedness.UNSIGNED if text[0] == "u" else Signedness.SIGNLESS)


def _parse_pair(parser: AttrParser) -> tuple[float, int]:
    scale = float(parser.parse_number())
    return scale, parser.parse_integer() if parser.parse_optional_punctuation(":") is not None else 0


QUANT = Dialect("quant", [], [UniformQuantizedType])
