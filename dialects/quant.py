"""The type of quantised elements, `!quant.uniform<i8:f32, 0.5:-20>`.

Text-compatible with the type of that name in MLIR's `quant` dialect: `storage<min:max>:expressed, scale:zero_point`
for a whole tensor, `storage:expressed:axis, {scale:zero_point, ...}` for one pair per index of a dimension. Bounds and
zero points are left out where they are the default.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import inf

from xdsl.dialects.builtin import AnyFloat, ArrayAttr, FloatData, IntAttr, IntegerType, NoneAttr, Signedness
from xdsl.ir import Attribute, Dialect, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

SCALE_RANGES: Mapping[str, tuple[float, float]] = {
    "f16": (2.0**-24, 65504.0),
    "bf16": (2.0**-133, float.fromhex("0x1.fep127")),
    "f32": (2.0**-149, float.fromhex("0x1.fffffep127")),
}
"""The least and greatest positive finite number of expressed types narrower than a Python float."""


MOST_STORAGE_BITS = 32
"""As in MLIR."""


@irdl_attr_definition
class UniformQuantizedType(ParametrizedAttribute, TypeAttribute):
    """Integers `i` of `storage_type` that stand for `(i - zero_point) * scale` in `expressed_type`.

    StableHLO specification, section "Types", quantized element types, constraints C1 to C11 (the syntax
    alone ensures C1, C2, C8 and C10; C12 and C13 are about tensors). Scales are numbers of the expressed type.
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

    def with_axis(self, axis: int) -> UniformQuantizedType:
        """The type whose parameters belong to another dimension."""
        low, high, scales, zero_points = self.storage_min, self.storage_max, self.scales, self.zero_points
        return UniformQuantizedType(
            self.storage_type, self.expressed_type, low, high, IntAttr(axis), scales, zero_points
        )

    @property
    def baseline(self) -> tuple[Attribute, ...]:
        """All parameters but scales and zero points."""
        return self.parameters[:-2]

    @staticmethod
    def storage_range(storage_type: IntegerType) -> tuple[int, int]:
        """The least and greatest value of the storage type. Raises VerifyException for one that is too wide."""
        width = storage_type.width.data
        if width > MOST_STORAGE_BITS:
            raise VerifyException(
                f"{UniformQuantizedType.name} (storage_type): {width} bits, at most {MOST_STORAGE_BITS}"
            )
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
            raise VerifyException(f"{self.name} (C3): bounds {bounds} of storage type {self.storage_type}")
        if len(self.scales) != len(self.zero_points):
            raise VerifyException(f"{self.name} (C9): {len(self.scales)} scales, {len(self.zero_points)} zero points")
        if not isinstance(self.expressed_type, AnyFloat):
            raise VerifyException(f"{self.name} (expressed_type): expected a float, got {self.expressed_type}")
        least, greatest = SCALE_RANGES.get(self.expressed_type.name, (0.0, inf))
        for scale in [scale.data for scale in self.scales]:
            if not scale > 0:
                raise VerifyException(f"{self.name} (C5): scales must be positive, got {scale}")
            if scale == inf:
                raise VerifyException(f"{self.name} (C6): scales must be finite, got {scale}")
            if not least <= scale <= greatest:
                raise VerifyException(f"{self.name} (C4): {scale} is out of the range of {self.expressed_type}")
        if any(not self.storage_min.data <= z.data <= self.storage_max.data for z in self.zero_points):
            raise VerifyException(f"{self.name} (C7): a zero point lies outside of the storage range")
        if self.axis is not None and self.axis < 0:
            raise VerifyException(f"{self.name} (C11): negative dimension {self.axis}")


def _parse_storage_type(parser: AttrParser) -> IntegerType:
    """`i8` is signed, `u8` unsigned, as MLIR's `quant` dialect writes them; `si8` and `ui8` are read too."""
    text = parser.parse_identifier(" of a storage type")
    match = re.fullmatch(r"(i|u|si|ui)(\d+)", text)
    if match is None:
        parser.raise_error(f"expected a storage type such as i8 or u8, got {text}")
    return IntegerType(int(match[2]), Signedness.UNSIGNED if match[1][0] == "u" else Signedness.SIGNLESS)


def _parse_pair(parser: AttrParser) -> tuple[float, int]:
    scale = float(parser.parse_number())
    return scale, parser.parse_integer() if parser.parse_optional_punctuation(":") is not None else 0


QUANT = Dialect("quant", [], [UniformQuantizedType])
