"""`math` to `llvm`: the ops that LLVM has an intrinsic for.

Transcendental functions become intrinsics that LLVM turns into calls of libm;
`math-expand-elementary` is there to leave none. What has no intrinsic (`erf`, `log1p`, ...) is
unsupported.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import llvm, math
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from .arith import Handler, float_intrinsic
from .builder import FunctionLowering
from .floats import is_bfloat, truncate, widened
from .types import element_type, mangled


def flagged_integer_intrinsic(stem: str) -> Handler:
    """An intrinsic whose last argument says whether an extreme operand gives poison; it does not."""

    def convert(op: Operation, f: FunctionLowering) -> None:
        operand = f.values[op.operands[0]]
        operands = (operand, f.integer(0, IntegerType(1)))
        f.values[op.results[0]] = f.value_intrinsic(stem, operands, operand.type)

    return convert


def count_ones(op: math.CtPopOp, f: FunctionLowering) -> None:
    operand = f.values[op.operand]
    f.values[op.result] = f.value_intrinsic("llvm.ctpop", (operand,), operand.type)


def reciprocal_square_root(op: math.RsqrtOp, f: FunctionLowering) -> None:
    type = op.result.type
    operand = widened(f, f.values[op.operand])
    flags = f.fast_math(op)
    root = f.value_intrinsic("llvm.sqrt", (operand,), operand.type, flags)
    one = f.floating(1.0, operand.type)
    value = f.emit(llvm.FDivOp, (one, root), operand.type, {"fastmathFlags": flags})
    f.values[op.result] = truncate(f, value, type) if is_bfloat(type) else value


def power_of_integer(op: math.FPowIOp, f: FunctionLowering) -> None:
    type = op.result.type
    base, exponent = widened(f, f.values[op.lhs]), f.values[op.rhs]
    width = cast(IntegerType, element_type(exponent.type)).width.data
    if width != 32 or exponent.type is not element_type(exponent.type):
        raise f.unsupported(op, "LLVM raises to scalar powers of type i32 only")
    name = f"llvm.powi.{mangled(base.type)}.i32"
    value = f.intrinsic(name, (base, exponent), base.type, f.fast_math(op))
    assert value is not None
    f.values[op.result] = truncate(f, value, type) if is_bfloat(type) else value


HANDLERS: dict[type[Operation], Handler] = {
    math.AbsIOp: flagged_integer_intrinsic("llvm.abs"),
    math.CountLeadingZerosOp: flagged_integer_intrinsic("llvm.ctlz"),
    math.CountTrailingZerosOp: flagged_integer_intrinsic("llvm.cttz"),
    math.CtPopOp: count_ones,
    math.RsqrtOp: reciprocal_square_root,
    math.FPowIOp: power_of_integer,
    math.AbsFOp: float_intrinsic("llvm.fabs"),
    math.SqrtOp: float_intrinsic("llvm.sqrt"),
    math.FloorOp: float_intrinsic("llvm.floor"),
    math.CeilOp: float_intrinsic("llvm.ceil"),
    math.RoundOp: float_intrinsic("llvm.round"),
    math.RoundEvenOp: float_intrinsic("llvm.roundeven"),
    math.TruncOp: float_intrinsic("llvm.trunc"),
    math.CopySignOp: float_intrinsic("llvm.copysign"),
    math.FmaOp: float_intrinsic("llvm.fma"),
    math.ExpOp: float_intrinsic("llvm.exp"),
    math.Exp2Op: float_intrinsic("llvm.exp2"),
    math.LogOp: float_intrinsic("llvm.log"),
    math.Log2Op: float_intrinsic("llvm.log2"),
    math.Log10Op: float_intrinsic("llvm.log10"),
    math.PowFOp: float_intrinsic("llvm.pow"),
    math.SinOp: float_intrinsic("llvm.sin"),
    math.CosOp: float_intrinsic("llvm.cos"),
    math.TanOp: float_intrinsic("llvm.tan"),
    math.AsinOp: float_intrinsic("llvm.asin"),
    math.AcosOp: float_intrinsic("llvm.acos"),
    math.AtanOp: float_intrinsic("llvm.atan"),
    math.Atan2Op: float_intrinsic("llvm.atan2"),
    math.SinhOp: float_intrinsic("llvm.sinh"),
    math.CoshOp: float_intrinsic("llvm.cosh"),
    math.TanhOp: float_intrinsic("llvm.tanh"),
}
