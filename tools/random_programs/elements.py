"""The element types of random programs."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, cast

import ml_dtypes
import numpy as np
from xdsl.dialects import builtin
from xdsl.dialects.builtin import ComplexType, IntegerType, Signedness
from xdsl.ir import Attribute


class Element(NamedTuple):
    """An element type; of a complex one, `significand` and what follows are about its parts."""

    attribute: Attribute
    dtype: np.dtype[Any]
    kind: str
    """`b` for i1, `i`, `u`, `f`, `c` as NumPy's kinds."""
    weight: float
    """How often it is drawn, relative to others."""
    significand: int = 0
    """Bits, 0 for integers."""
    limit: float = 0.0
    """Magnitude up to which rounded values are computed with."""
    largest: float = 0.0
    least: float = 0.0
    """The least positive value."""
    grid: float = 1.0
    """Arguments are multiples of this."""
    span: int = 0
    """By how many at most."""

    @property
    def is_float(self) -> bool:
        return self.kind == "f"

    @property
    def is_complex(self) -> bool:
        return self.kind == "c"

    @property
    def rounds(self) -> bool:
        """Whether its values are floats or pairs of them."""
        return self.significand > 0

    @property
    def is_narrow(self) -> bool:
        """Whether it is a float of a byte or less."""
        return self.is_float and self.dtype.itemsize == 1

    @property
    def bits(self) -> int:
        """The width of an element."""
        if self.kind == "b":
            return 1
        return 8 * self.dtype.itemsize if self.is_complex else cast(Any, self.attribute).bitwidth

    @property
    def eps(self) -> float:
        return 2.0**-self.significand

    def __str__(self) -> str:
        return str(self.attribute)


def _float(attribute: Attribute, dtype: Any, weight: float, limit: float | None = None) -> Element:
    numpy: np.dtype[Any] = np.dtype(dtype)
    extensions: Any = ml_dtypes
    info: Any = extensions.finfo(numpy)
    largest, bits = float(info.max), int(info.nmant) + 1
    wide = bits >= 8
    grid, span = (0.125, 32) if wide else (0.5, 4)
    least = float(info.smallest_subnormal)
    return Element(attribute, numpy, "f", weight, bits, limit or largest / 2, largest, least, grid, span)


def _complex(part: Element, dtype: type[np.generic], weight: float) -> Element:
    return part._replace(
        attribute=ComplexType(cast(Any, part.attribute)), dtype=np.dtype(dtype), kind="c", weight=weight
    )


def _integer(bits: int, dtype: Any, weight: float, unsigned: bool = False) -> Element:
    signedness = Signedness.UNSIGNED if unsigned else Signedness.SIGNLESS
    return Element(IntegerType(bits, signedness), np.dtype(dtype), "u" if unsigned else "i", weight)


F32 = _float(builtin.f32, np.float32, 6, 1e6)
F64 = _float(builtin.f64, np.float64, 3, 1e6)
F16 = _float(builtin.f16, np.float16, 2, 1e4)
BF16 = _float(builtin.bf16, ml_dtypes.bfloat16, 2, 1e6)
FLOATS = [F32, F64, F16, BF16]
NARROW = [
    _float(attribute, getattr(ml_dtypes, name), 0.4)
    for attribute, name in (
        (builtin.Float8E3M4Type(), "float8_e3m4"),
        (builtin.Float8E4M3Type(), "float8_e4m3"),
        (builtin.Float8E4M3B11FNUZType(), "float8_e4m3b11fnuz"),
        (builtin.Float8E4M3FNType(), "float8_e4m3fn"),
        (builtin.Float8E4M3FNUZType(), "float8_e4m3fnuz"),
        (builtin.Float8E5M2Type(), "float8_e5m2"),
        (builtin.Float8E5M2FNUZType(), "float8_e5m2fnuz"),
        (builtin.Float6E2M3FNType(), "float6_e2m3fn"),
        (builtin.Float6E3M2FNType(), "float6_e3m2fn"),
        (builtin.Float4E2M1FNType(), "float4_e2m1fn"),
    )
]
"""Floats of a byte or less that have a sign and a zero."""

SCALE = _float(builtin.Float8E8M0FNUType(), ml_dtypes.float8_e8m0fnu, 0.3)
"""Powers of two: neither sign nor zero."""

COMPLEX = [_complex(F32, np.complex64, 2.5), _complex(F64, np.complex128, 1.5)]
PART = {COMPLEX[0]: F32, COMPLEX[1]: F64}

SIGNED = [_integer(n, f"int{n}", weight) for n, weight in ((8, 1), (16, 1), (32, 3), (64, 1.5))]
UNSIGNED = [_integer(n, f"uint{n}", 1, True) for n in (8, 16, 32, 64)]
NARROW_SIGNED = [_integer(n, getattr(ml_dtypes, f"int{n}"), 0.5) for n in (2, 4)]
NARROW_UNSIGNED = [_integer(n, getattr(ml_dtypes, f"uint{n}"), 0.5, True) for n in (2, 4)]
BOOL = Element(IntegerType(1), np.dtype(np.bool_), "b", 2)
I8, I16, I32, I64 = SIGNED
U64 = UNSIGNED[3]

WIDE_INTEGERS = SIGNED + UNSIGNED
INTEGERS = WIDE_INTEGERS + NARROW_SIGNED + NARROW_UNSIGNED
REALS = FLOATS + NARROW
"""Floats with arithmetic."""
ROUNDING = REALS + COMPLEX
NUMBERS = INTEGERS + ROUNDING
ELEMENTS = [BOOL, *NUMBERS, SCALE]

assert all(math.isfinite(element.largest) for element in ELEMENTS)
