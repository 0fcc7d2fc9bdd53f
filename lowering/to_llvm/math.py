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

from .arith import Handler, float_intrinsic, integer_intrinsic
from .builder import FunctionLowering, intrinsic_properties
from .floats import is_bfloat, truncate, widened
from .types import element_type, mangled


def _reciprocal_square_root(op: math.RsqrtOp, f: FunctionLowering) -> None:
    type = op.result.type
    operand = widened(f, op.operand)
    flags = f.fast_math(op)
    root = f.value_intrinsic("llvm.sqrt", (operand,), operand.type, flags)
    one = f.floating(1.0, operand.type)
    value = f.emit(llvm.FDivOp, (one, root), operand.type, {"fastmathFlags": flags})
    f.replace(op, truncate(f, value, type) if is_bfloat(type) else value)


def _power_of_integer(op: math.FPowIOp, f: FunctionLowering) -> None:
    type = op.result.type
    base, exponent = widened(f, op.lhs), op.rhs
    width = cast(IntegerType, element_type(exponent.type)).width.data
    if width != 32 or exponent.type is not element_type(exponent.type):
        raise f.unsupported(op, "LLVM raises to scalar powers of type i32 only")
    name = f"llvm.powi.{mangled(base.type)}.i32"
    properties = intrinsic_properties(name, 2, f.fast_math(op))
    value = f.emit(llvm.CallIntrinsicOp, (base, exponent), base.type, properties)
    f.replace(op, truncate(f, value, type) if is_bfloat(type) else value)


_FLOAT_INTRINSICS = (
    *(math.SqrtOp, math.FloorOp, math.CeilOp, math.RoundOp, math.RoundEvenOp, math.TruncOp, math.CopySignOp),
    *(math.FmaOp, math.ExpOp, math.Exp2Op, math.LogOp, math.Log2Op, math.Log10Op, math.SinOp, math.CosOp, math.TanOp),
    *(math.AsinOp, math.AcosOp, math.AtanOp, math.Atan2Op, math.SinhOp, math.CoshOp, math.TanhOp),
)
"""Ops that are called as LLVM calls them."""

HANDLERS: dict[type[Operation], Handler] = {
    math.AbsIOp: integer_intrinsic("llvm.abs", is_flagged=True),
    math.CountLeadingZerosOp: integer_intrinsic("llvm.ctlz", is_flagged=True),
    math.CountTrailingZerosOp: integer_intrinsic("llvm.cttz", is_flagged=True),
    math.CtPopOp: integer_intrinsic("llvm.ctpop"),
    math.RsqrtOp: _reciprocal_square_root,
    math.FPowIOp: _power_of_integer,
    math.AbsFOp: float_intrinsic("llvm.fabs"),
    math.PowFOp: float_intrinsic("llvm.pow"),
    **{op_class: float_intrinsic(op_class.name.replace("math", "llvm", 1)) for op_class in _FLOAT_INTRINSICS},
}
