"""Floating-point formats of a byte and less, and their conversion by integer arithmetic.

Decoding shifts exponent and fraction into their place in `f32` and adds the difference of the biases; subnormal numbers
become normal ones, and then lose the implicit one that they have got. Encoding rounds to nearest even: normal numbers
by adding to the bits, subnormal ones by adding the power of two whose last place is theirs (Goldberg, "What every
computer scientist should know about floating-point arithmetic"). What is out of range becomes what `ml_dtypes` makes of
it (github.com/jax-ml/ml_dtypes).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from xdsl.dialects import builtin
from xdsl.ir import Attribute

from .elementary.arithmetic import Float, Integer, Mask


class Specials(Enum):
    """Which values of a format are not finite numbers."""

    IEEE = auto()
    """Infinities and NaN as in IEEE 754."""
    NAN_ONLY = auto()
    """No infinities; NaN has all bits of exponent and fraction set (`FN`)."""
    NAN_AS_MINUS_ZERO = auto()
    """No infinities, no negative zero; its bits are the only NaN (`FNUZ`)."""
    NONE = auto()
    """Finite numbers only; what is too large becomes the largest."""


@dataclass(frozen=True)
class NarrowFormat:
    """A sign, `exponent_bits` and `fraction_bits`."""

    exponent_bits: int
    fraction_bits: int
    bias: int
    specials: Specials

    @property
    def sign(self) -> int:
        """The sign bit."""
        return 1 << (self.exponent_bits + self.fraction_bits)

    @property
    def infinity(self) -> int:
        """The bits after those of the largest finite number, without specials."""
        return ((1 << self.exponent_bits) - 1) << self.fraction_bits

    def decode(self, bits: Integer) -> Float:
        """The `f32` with the value of `bits`, a number of this format in an integer of 32 bits."""
        magnitude = bits & (self.sign - 1)
        shifted = magnitude << (23 - self.fraction_bits)
        normal = shifted + ((127 - self.bias) << 23)
        # Without the implicit one, above that of the least normal number.
        least = 2.0 ** (1 - self.bias)
        above = shifted + ((128 - self.bias) << 23)
        subnormal = (above.as_float() - least).bits()
        value = (magnitude & self.infinity).equals(0).select_integer(subnormal, normal)
        match self.specials:
            case Specials.IEEE:
                exponent = magnitude & self.infinity
                value = exponent.equals(self.infinity).select_integer(shifted | 0x7F800000, value)
            case Specials.NAN_ONLY:
                value = magnitude.equals(self.sign - 1).select_integer(_NAN, value)
            case Specials.NAN_AS_MINUS_ZERO:
                octet = bits & (2 * self.sign - 1)
                value = octet.equals(self.sign).select_integer(_NAN, value)
            case Specials.NONE:
                pass
        sign = (bits & self.sign) << (31 - self.exponent_bits - self.fraction_bits)
        return (value | sign).as_float()

    def encode(self, value: Float) -> Integer:
        """The bits of `value` in this format, in an integer as wide as `value`."""
        arithmetic, format = value.arithmetic, value.arithmetic.format
        bits = value.bits()
        is_nan = value.is_nan()
        magnitude = bits & ~format.sign_bit
        sign = bits.logical_shift_right(format.bits - 1 - self.exponent_bits - self.fraction_bits) & self.sign
        shift = format.fraction_bits - self.fraction_bits
        last = magnitude.logical_shift_right(shift) & 1
        rounded = (magnitude + last + ((1 << (shift - 1)) - 1)).logical_shift_right(shift)
        normal = rounded - ((format.bias - self.bias) << self.fraction_bits)
        unit = arithmetic.constant(2.0 ** (format.fraction_bits + 1 - self.bias - self.fraction_bits))
        subnormal = (abs(value) + unit).bits() - unit.bits()
        code = (abs(value) < 2.0 ** (1 - self.bias)).select_integer(subnormal, normal)
        finite = self._is_finite(abs(value))
        match self.specials:
            case Specials.IEEE:
                code = finite.select_integer(code, self.infinity)
                code = is_nan.select_integer(self.infinity | (1 << (self.fraction_bits - 1)), code)
            case Specials.NAN_ONLY:
                code = finite.select_integer(code, self.sign - 1)
            case Specials.NAN_AS_MINUS_ZERO:
                sign = code.equals(0).select_integer(0, sign)
                return finite.select_integer(code | sign, self.sign)
            case Specials.NONE:
                code = finite.select_integer(code, self.sign - 1)
                sign = is_nan.select_integer(sign ^ self.sign, sign)
                code = is_nan.select_integer(0, code)
        return code | sign

    def _is_finite(self, magnitude: Float) -> Mask:
        """Whether a magnitude rounds to a finite number."""
        largest = self.sign - 1
        match self.specials:
            case Specials.IEEE:
                largest = self.infinity - 1
            case Specials.NAN_ONLY:
                largest -= 1
            case Specials.NAN_AS_MINUS_ZERO | Specials.NONE:
                pass
        exponent, fraction = divmod(largest, 1 << self.fraction_bits)
        unit = 2.0 ** (exponent - self.bias - self.fraction_bits)
        halfway = ((1 << self.fraction_bits) + fraction + 0.5) * unit
        # A tie goes to the even neighbour: up from an odd largest number.
        return magnitude < halfway if largest % 2 else magnitude <= halfway


class PowerFormat:
    """Powers of two from 2**-127 to 2**127 and NaN, without sign or zero (`f8E8M0FNU`).

    Ties round up; positive numbers below the least become the least; all else that has no value here is NaN.
    """

    def decode(self, bits: Integer) -> Float:
        octet = bits & 0xFF
        value = octet.equals(0).select_integer(0x00400000, octet << 23)
        return octet.equals(0xFF).select_integer(_NAN, value).as_float()

    def decode_double(self, bits: Integer) -> Float:
        """The `f64` with the value of `bits`, in an integer of 64 bits."""
        octet = bits & 0xFF
        format = bits.arithmetic.format
        value = (octet + (format.bias - 127)) << format.fraction_bits
        return octet.equals(0xFF).select_integer(0x7FF8 << 48, value).as_float()

    def encode(self, value: Float) -> Integer:
        """`value` is a double."""
        format = value.arithmetic.format
        rounded = (value.bits() + (1 << (format.fraction_bits - 1))) >> format.fraction_bits
        code = rounded - (format.bias - 127)
        code = (value < 2.0**-127).select_integer(0, code)
        return ((value > 0.0) & (value < 1.5 * 2.0**127)).select_integer(code, 0xFF)


_NAN = 0x7FC00000


FORMATS: dict[type[Attribute], NarrowFormat | PowerFormat] = {
    builtin.Float8E3M4Type: NarrowFormat(3, 4, 3, Specials.IEEE),
    builtin.Float8E4M3Type: NarrowFormat(4, 3, 7, Specials.IEEE),
    builtin.Float8E4M3B11FNUZType: NarrowFormat(4, 3, 11, Specials.NAN_AS_MINUS_ZERO),
    builtin.Float8E4M3FNType: NarrowFormat(4, 3, 7, Specials.NAN_ONLY),
    builtin.Float8E4M3FNUZType: NarrowFormat(4, 3, 8, Specials.NAN_AS_MINUS_ZERO),
    builtin.Float8E5M2Type: NarrowFormat(5, 2, 15, Specials.IEEE),
    builtin.Float8E5M2FNUZType: NarrowFormat(5, 2, 16, Specials.NAN_AS_MINUS_ZERO),
    builtin.Float8E8M0FNUType: PowerFormat(),
    builtin.Float6E2M3FNType: NarrowFormat(2, 3, 1, Specials.NONE),
    builtin.Float6E3M2FNType: NarrowFormat(3, 2, 3, Specials.NONE),
    builtin.Float4E2M1FNType: NarrowFormat(2, 1, 1, Specials.NONE),
}
"""The formats by type."""
