"""Rounding to 16-bit floats, and arithmetic on `bf16`.

LLVM converts `f32` to `bf16`, and `f64` to `f16` or `bf16`, by calls of compiler-rt where the CPU
has no instruction for it, and generated code must not look up symbols. So these conversions are
spelled out in integer operations, which vectorise; but where subnormal numbers are flushed, and the
result of arithmetic is rounded to `bf16`, the instruction of a CPU that has one is as good. Arithmetic
on `bf16` is done in `f32` and rounded: for addition, subtraction, multiplication, division and square
root this is correctly rounded, since `f32` has more than twice the digits plus two (Figueroa, "When is
double rounding innocuous?", 1995).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    StringAttr,
    VectorType,
    f32,
    f64,
    i1,
    i16,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ...decisions.denormals import FLUSH
from ...dialects import llvm_extras
from .builder import FAST_MATH, FLOAT_PREDICATES, PREDICATES, FunctionLowering
from .types import element_type, with_element_type


def is_bfloat(type: Attribute) -> bool:
    """Whether `type` is `bf16` or a vector of it."""
    cls = type.__class__
    return cls is BFloat16Type or (cls is VectorType and element_type(type).__class__ is BFloat16Type)


def extend(f: FunctionLowering, value: SSAValue, type: Attribute) -> SSAValue:
    """`value` in the wider float type `type`, exactly.

    `bf16` is widened by its bits: LLVM narrows operations on an `fpext` to `bf16`, where x86 flushes
    subnormals (`vcvtneps2bf16`).
    """
    if is_bfloat(value.type):
        integer = with_element_type(type, i32)
        bits = f.emit(llvm.BitcastOp, (value,), with_element_type(type, i16), {})
        wide_bits = f.emit(llvm.ZExtOp, (bits,), integer, {})
        upper = f.emit(llvm.ShlOp, (wide_bits, f.integer(16, integer)), integer)
        value = f.emit(llvm.BitcastOp, (upper,), with_element_type(type, f32), {})
        if element_type(type) == f32:
            return value
    return f.emit(llvm.FPExtOp, (value,), type, {})


def widened(f: FunctionLowering, value: SSAValue) -> SSAValue:
    """A `bf16` value as `f32`; other values as they are."""
    if is_bfloat(value.type):
        return extend(f, value, with_element_type(value.type, f32))
    return value


def truncate(f: FunctionLowering, value: SSAValue, type: Attribute) -> SSAValue:
    """`value` rounded to the narrower float type `type`, to nearest even."""
    source = element_type(value.type).__class__
    target = element_type(type).__class__
    if source is Float64Type and target in (Float16Type, BFloat16Type):
        value = _round_to_odd(f, value)
    rounds = f.module.model.target.rounds_to_bfloat and f.module.denormals.mode == FLUSH
    if target is BFloat16Type and source in (Float64Type, Float32Type) and not (rounds and _is_flushed(value)):
        return _round_to_bfloat(f, value)
    return f.emit(llvm.FPTruncOp, (value,), type, {})


_ARITHMETIC = (llvm.FAddOp, llvm.FSubOp, llvm.FMulOp, llvm.FDivOp, llvm.SIToFPOp, llvm_extras.UIToFPOp)
_INTRINSICS = ("llvm.fma.", "llvm.sqrt.")


def _is_flushed(value: SSAValue) -> bool:
    """Whether `value` is the result of arithmetic, or one of two: never subnormal where these are flushed."""
    op = value.owner
    if isinstance(op, llvm.CallIntrinsicOp):
        return cast(StringAttr, op.properties["intrin"]).data.startswith(_INTRINSICS)
    if isinstance(op, llvm_extras.SelectOp):
        return all(isinstance(each.owner, _ARITHMETIC) for each in op.operands[1:])
    return isinstance(op, _ARITHMETIC)


def change_sign_bit(op_class: type[Operation], mask: int) -> Callable[[Operation, FunctionLowering], bool]:
    """Writes an op on the sign of `bf16`, of its bits and a `mask`; False for other types."""

    def convert(op: Operation, f: FunctionLowering) -> bool:
        (operand,) = op.operands
        if not is_bfloat(operand.type):
            return False
        integer = with_element_type(operand.type, i16)
        bits = f.emit(llvm.BitcastOp, (operand,), integer, {})
        changed = f.emit(op_class, (bits, f.integer(mask, integer)), integer, {})
        f.replace(op, f.emit(llvm.BitcastOp, (changed,), operand.type, {}))
        return True

    return convert


def integer_to_bfloat(
    f: FunctionLowering, conversion: type[Operation], value: SSAValue, type: Attribute, *, signed: bool
) -> SSAValue:
    """An integer as `bf16`, rounded once: by way of a float that holds all its digits, or all that matter."""
    integer = value.type
    width = cast("IntegerType", element_type(integer)).width.data
    if width <= 16:
        return truncate(f, f.emit(conversion, (value,), with_element_type(type, f32), {}), type)
    if width > 32:
        # Numbers of more than 53 digits: the last eleven are collected in one.
        truth = with_element_type(integer, i1)
        low = f.emit(llvm.AndOp, (value, f.integer(0x7FF, integer)), integer, {})
        high = f.emit(llvm.XOrOp, (value, low), integer, {})
        odd = f.emit(llvm.OrOp, (high, f.integer(0x800, integer)), integer, {})
        whole = f.emit(llvm.ICmpOp, (low, f.integer(0, integer)), truth, PREDICATES["eq"])
        rounded = f.emit(llvm_extras.SelectOp, (whole, high, odd), integer, FAST_MATH)
        shifted = f.emit(llvm.AddOp, (value, f.integer((1 << 52) if signed else 0, integer)), integer)
        exact = f.emit(llvm.ICmpOp, (shifted, f.integer(1 << 53, integer)), truth, PREDICATES["ult"])
        value = f.emit(llvm_extras.SelectOp, (exact, value, rounded), integer, FAST_MATH)
    return truncate(f, f.emit(conversion, (value,), with_element_type(type, f64), {}), type)


def _round_to_odd(f: FunctionLowering, value: SSAValue) -> SSAValue:
    """`f64` to `f32`: the neighbour with an odd last digit unless exact, so that a second rounding is harmless.

    Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using
    rounding to odd", 2008.
    """
    wide = value.type
    single = with_element_type(wide, f32)
    integer = with_element_type(wide, i32)
    truth = with_element_type(wide, i1)

    nearest = f.emit(llvm.FPTruncOp, (value,), single, {})
    back = f.emit(llvm.FPExtOp, (nearest,), with_element_type(wide, f64), {})
    bits = f.emit(llvm.BitcastOp, (nearest,), integer, {})
    inexact = f.emit(llvm_extras.FCmpOp, (back, value), truth, FLOAT_PREDICATES["one"])
    one = f.integer(1, integer)
    last = f.emit(llvm.TruncOp, (f.emit(llvm.AndOp, (bits, one), integer, {}),), truth, {})
    even = f.emit(llvm.XOrOp, (last, f.integer(1, truth)), truth, {})
    wrong = f.emit(llvm.AndOp, (inexact, even), truth, {})

    magnitudes = [f.value_intrinsic("llvm.fabs", (v,), wide) for v in (back, value)]
    too_large = f.emit(llvm_extras.FCmpOp, magnitudes, truth, FLOAT_PREDICATES["ogt"])
    step = f.emit(llvm_extras.SelectOp, (too_large, f.integer(-1, integer), one), integer, FAST_MATH)
    correction = f.emit(llvm_extras.SelectOp, (wrong, step, f.integer(0, integer)), integer, FAST_MATH)
    odd = f.emit(llvm.AddOp, (bits, correction), integer)
    return f.emit(llvm.BitcastOp, (odd,), single, {})


def _round_to_bfloat(f: FunctionLowering, value: SSAValue) -> SSAValue:
    """`f32` to `bf16`: the upper half of the bits after adding just under half of the last digit kept."""
    single = value.type
    integer = with_element_type(single, i32)
    half = with_element_type(single, i16)
    truth = with_element_type(single, i1)

    bits = f.emit(llvm.BitcastOp, (value,), integer, {})
    upper = f.emit(llvm.LShrOp, (bits, f.integer(16, integer)), integer, {})
    last = f.emit(llvm.AndOp, (upper, f.integer(1, integer)), integer, {})
    bias = f.emit(llvm.AddOp, (last, f.integer(0x7FFF, integer)), integer)
    biased = f.emit(llvm.AddOp, (bits, bias), integer)
    rounded = f.emit(llvm.LShrOp, (biased, f.integer(16, integer)), integer, {})
    quiet_nan = f.emit(llvm.OrOp, (upper, f.integer(0x40, integer)), integer, {})
    is_nan = f.emit(llvm_extras.FCmpOp, (value, value), truth, FLOAT_PREDICATES["uno"])
    result = f.emit(llvm_extras.SelectOp, (is_nan, quiet_nan, rounded), integer, FAST_MATH)
    stored = f.emit(llvm.TruncOp, (result,), half, {})
    return f.emit(llvm.BitcastOp, (stored,), with_element_type(single, BFloat16Type()), {})
