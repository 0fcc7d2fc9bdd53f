"""`arith-expand-narrow-floats`: floats of a byte and less become their bits.

Does: a value of one of the types in `narrow_formats` becomes an `i8` that holds its bits, a memref of such values a
memref of `i8`; `arith.extf` to `f32` (of `f8E8M0FNU` to `f64`, too) and `arith.truncf` from `f32` or `f64` become
integer arithmetic, exact and rounded once to nearest even; constants, bitcasts and selections follow. Needs: level 5;
no other arithmetic on these types, which `convert-stablehlo-to-linalg` does in `f32`. Leaves: none of these types.

    %x = memref.load %m[%i] : memref<8xf8E4M3FN>
    %y = arith.extf %x : f8E4M3FN to f32

becomes

    %x = memref.load %m[%i] : memref<8xi8>
    %bits = arith.extui %x : i8 to i32
    ...
    %y = arith.bitcast %value : i32 to f32
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, Float64Type, FloatAttr, IntegerType, ModuleOp, i8, i32, i64
from xdsl.ir import Attribute, SSAValue

from ...errors import UnsupportedError
from ...ir.conversions import ConversionPass, Handlers
from .element_expansion import Expansion
from .elementary.arithmetic import DOUBLE, SINGLE, Float, Integer
from .elementary.ir_arithmetic import IRArithmetic
from .narrow_formats import FORMATS, PowerFormat


class _NarrowFloatExpansion(Expansion):
    pass_name = "arith-expand-narrow-floats"

    def parts_of(self, type: Attribute) -> Sequence[Attribute] | None:
        return (i8,) if type.__class__ in FORMATS else None

    def extend(self, op: arith.ExtFOp) -> Sequence[SSAValue] | None:
        format = FORMATS.get(op.input.type.__class__)
        if format is None:
            return None
        wide_type: Attribute = op.result.type
        if isinstance(wide_type, Float64Type) and isinstance(format, PowerFormat):
            (bits,) = self.parts[op.input]
            wide = self.emission.insert(arith.ExtUIOp, (bits,), i64)
            return (format.decode_double(Integer(IRArithmetic(self.emission, DOUBLE, False), wide)).handle,)
        if not isinstance(wide_type, Float32Type):
            raise UnsupportedError(f"{self.pass_name}: arith.extf of {op.input.type} to {op.result.type}", op)
        (bits,) = self.parts[op.input]
        wide = self.emission.insert(arith.ExtUIOp, (bits,), i32)
        return (format.decode(Integer(IRArithmetic(self.emission, SINGLE, False), wide)).handle,)

    def truncate(self, op: arith.TruncFOp) -> Sequence[SSAValue] | None:
        format = FORMATS.get(op.result.type.__class__)
        if format is None:
            return None
        source: Attribute = op.input.type
        if not isinstance(source, Float32Type | Float64Type):
            raise UnsupportedError(f"{self.pass_name}: arith.truncf of {source} to {op.result.type}", op)
        precision = DOUBLE if isinstance(source, Float64Type) else SINGLE
        value = Float(IRArithmetic(self.emission, precision, False), op.input)
        if isinstance(format, PowerFormat) and precision is SINGLE:
            value = value.to_double()
        return (self.emission.insert(arith.TruncIOp, (format.encode(value).handle,), i8),)

    def number(self, op: arith.ConstantOp) -> Sequence[SSAValue] | None:
        type: Any = op.result.type
        if type.__class__ not in FORMATS:
            return None
        (bits,) = type.pack((cast("FloatAttr[Any]", op.value).value.data,))
        return (self.emission.number(bits, i8),)

    def bitcast(self, op: arith.BitcastOp) -> Sequence[SSAValue] | None:
        """The byte holds bits of less than a byte at its low end."""
        source: Any = op.input.type
        target: Any = op.result.type
        if source.__class__ in FORMATS:
            (bits,) = self.parts[op.input]
            if target.__class__ in FORMATS or target.bitwidth == 8:
                return (bits,)
            return (self.emission.insert(arith.TruncIOp, (bits,), IntegerType(target.bitwidth)),)
        if target.__class__ not in FORMATS:
            return None
        if source.bitwidth == 8:
            return (op.input,)
        return (self.emission.insert(arith.ExtUIOp, (op.input,), i8),)


@dataclass(frozen=True)
class ArithExpandNarrowFloatsPass(ConversionPass):
    """See the module docstring."""

    name = "arith-expand-narrow-floats"

    HANDLERS: ClassVar[Handlers] = {
        arith.BitcastOp: _NarrowFloatExpansion.bitcast,
        arith.ConstantOp: _NarrowFloatExpansion.number,
        arith.ExtFOp: _NarrowFloatExpansion.extend,
        arith.SelectOp: Expansion.select,
        arith.TruncFOp: _NarrowFloatExpansion.truncate,
    }
    ALWAYS_APPLY = False

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        _NarrowFloatExpansion(self.handlers()).run(op)
