"""`arith` and `math` to `llvm`.

Most ops of a program pass here, and most become one op with the same operands: a row of the table. Transcendental
functions become intrinsics that LLVM turns into calls of libm; `math-expand-elementary` is there to leave none. What
has no intrinsic (`erf`, `log1p`, ...) is unsupported.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from xdsl.dialects import arith, llvm, math, memref, vector
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, VectorType, i1
from xdsl.dialects.utils import BitEnumAttribute
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import llvm_extras
from ...dialects.dense import dense_attribute
from ...dialects.vector_arith import ON_VECTORS
from .builder import (
    FAST_MATH,
    NO_FAST_MATH,
    NO_PROPERTIES,
    NO_SIGNED_WRAP,
    PREDICATES,
    WRAPS,
    FunctionLowering,
    integer_attr,
    intrinsic_properties,
)
from .floats import change_sign_bit, extend, integer_to_bfloat, is_bfloat, truncate, widened
from .types import element_type, is_integer, mangled, value_type, with_element_type

Handler = Callable[[Any, FunctionLowering], None]

_OVERFLOW: dict[frozenset[str], Mapping[str, Attribute]] = {
    frozenset(): WRAPS,
    frozenset({"nsw"}): NO_SIGNED_WRAP,
    frozenset({"nuw"}): {"overflowFlags": IntegerAttr(2, 32)},
    frozenset({"nsw", "nuw"}): {"overflowFlags": IntegerAttr(3, 32)},
}


# Ops that become one op


def to(op_class: type[Operation], properties: Mapping[str, Attribute] = NO_PROPERTIES) -> Handler:
    """An op with the same operands, and successors if it has some."""
    return lambda op, f: f.become(op, op_class, properties)


def keeping(op_class: type[Operation], name: str) -> Handler:
    """An op with the same operands and property `name`."""
    return lambda op, f: f.become(op, op_class, {name: op.properties[name]})


def _integer(op_class: type[Operation]) -> Handler:
    """Arithmetic with overflow flags."""

    def convert(op: Operation, f: FunctionLowering) -> None:
        flags = cast("BitEnumAttribute[Any] | None", op.properties.get("overflowFlags"))
        f.become(op, op_class, WRAPS if flags is None else _OVERFLOW[flags.data])

    return convert


def floating(op_class: type[Operation], stem: str = "") -> Handler:
    """Arithmetic on floats, with fast-math flags, or the intrinsic `stem`; `bf16` is computed in `f32` and rounded."""

    def convert(op: Operation, f: FunctionLowering) -> None:
        (result,) = op.results
        flags = f.fast_math(op)
        operands = _widened_operands(op, f)
        type = result.type if operands is None else operands[0].type
        if stem:
            properties = intrinsic_properties(f"{stem}.{mangled(type)}", len(op._operands), flags)
        else:
            properties = FAST_MATH if flags is NO_FAST_MATH else {"fastmathFlags": flags}
        if operands is None:
            f.become(op, op_class, properties)
        else:
            f.replace(op, truncate(f, f.emit(op_class, operands, type, properties), result.type))

    return convert


def float_intrinsic(stem: str) -> Handler:
    return floating(llvm.CallIntrinsicOp, stem)


def integer_intrinsic(stem: str, is_flagged: bool = False) -> Handler:
    """An intrinsic on integers. The last argument of some says whether an extreme operand gives poison; it does not."""

    def convert(op: Operation, f: FunctionLowering) -> None:
        operands = (*op._operands, f.integer(0, i1)) if is_flagged else op._operands
        name = f"{stem}.{mangled(value_type(op.results[0].type))}"
        f.become(op, llvm.CallIntrinsicOp, intrinsic_properties(name, len(operands)), operands)

    return convert


def _sign(handler: Handler, op_class: type[Operation], mask: int) -> Handler:
    """An op on signs: of `bf16` on its bits, by `op_class` and `mask`, of other floats by `handler`."""
    on_bits = change_sign_bit(op_class, mask)

    def convert(op: Operation, f: FunctionLowering) -> None:
        if not on_bits(op, f):
            handler(op, f)

    return convert


def _widened_operands(op: Operation, f: FunctionLowering) -> list[SSAValue] | None:
    """The operands of an op on floats in `f32` instead of `bf16`; None if they stay."""
    operands = op._operands
    return [widened(f, operand) for operand in operands] if is_bfloat(operands[0].type) else None


def _compare_floats(op: arith.CmpfOp, f: FunctionLowering) -> None:
    properties = {"predicate": op.properties["predicate"], "fastmathFlags": f.fast_math(op)}
    f.become(op, llvm_extras.FCmpOp, properties, _widened_operands(op, f))


def _float_to_integer(op_class: type[Operation]) -> Handler:
    return lambda op, f: f.become(op, op_class, NO_PROPERTIES, _widened_operands(op, f))


def _integer_to_float(op_class: type[Operation], *, signed: bool) -> Handler:
    def convert(op: Operation, f: FunctionLowering) -> None:
        type = op.results[0].type
        if is_bfloat(type):
            f.replace(op, integer_to_bfloat(f, op_class, op._operands[0], type, signed=signed))
        else:
            f.become(op, op_class)

    return convert


# Ops that vanish or become several


def _constant(op: arith.ConstantOp, f: FunctionLowering) -> None:
    value: Any = op.properties["value"]
    (result,) = op.results
    type = value_type(result.type)
    if value.__class__ is IntegerAttr:
        value = integer_attr(value.value.data, cast(IntegerType, type).width.data)
    elif type is not result.type:
        value = dense_attribute(cast("VectorType[Any]", type), value.data.data)
    constant = f.constant(value, type, given=op)
    if constant is not result:
        f.replace(op, constant)


_add = _integer(llvm.AddOp)


def _add_index(op: arith.AddiOp, f: FunctionLowering) -> None:
    """`x + constant` of an index is remembered: addresses that differ by a constant share their computation."""
    (result,) = op.results
    if result.type.__class__ is not IndexType or not _record_sum(op, f) or not _only_addresses(result):
        _add(op, f)


def _record_sum(op: arith.AddiOp, f: FunctionLowering) -> bool:
    """Notes `op` in `f.sums` if it adds a constant."""
    lhs, rhs = op._operands
    addend = f.integers.get(rhs)
    if addend is None:
        lhs, addend = rhs, f.integers.get(lhs)
    if addend is None or lhs in f.integers:
        return False
    base, offset = f.sums.get(lhs, (lhs, 0))
    f.sums[op.results[0]] = (base, offset + addend)
    return True


def _only_addresses(index: SSAValue) -> bool:
    """Whether loads and stores alone use `index`, to say where."""
    return all(use.operation.__class__ in _ACCESSES and use.index > 0 for use in index.uses)


_ACCESSES = {memref.LoadOp, memref.StoreOp, vector.LoadOp, vector.StoreOp}
"""Ops whose operands of type `index`, but for a value stored, are indices."""


def bitcast(op: Operation, f: FunctionLowering) -> None:
    (source,) = op._operands
    if source.type == value_type(op.results[0].type):
        f.replace(op, source)
    else:
        f.become(op, llvm.BitcastOp)


def _resize_index(op: Operation, f: FunctionLowering) -> None:
    """`index` is `i64`."""
    (source,) = op._operands
    type = value_type(op.results[0].type)
    if (known := f.integers.get(source)) is not None and is_integer(type):
        f.replace(op, f.integer(IntegerAttr(known, type, truncate_bits=True).value.data, type))
        return
    before = cast(IntegerType, element_type(source.type)).width.data
    after = cast(IntegerType, element_type(type)).width.data
    if before == after:
        f.replace(op, source)
    else:
        f.become(op, llvm.SExtOp if before < after else llvm.TruncOp)


def _resize_float(resize: Callable[[FunctionLowering, SSAValue, Attribute], SSAValue]) -> Handler:
    return lambda op, f: f.replace(op, resize(f, op._operands[0], op.results[0].type))


def _divide_rounding(division: type[Operation], towards_positive: bool) -> Handler:
    """Division that rounds down or up: the truncated quotient, corrected where there is a remainder."""
    signed = division is llvm.SDivOp

    def convert(op: Operation, f: FunctionLowering) -> None:
        lhs, rhs = op._operands
        type = lhs.type
        truth = with_element_type(type, i1)
        zero = f.integer(0, type)
        quotient = f.emit(division, (lhs, rhs), type, {})
        product = f.emit(llvm.MulOp, (quotient, rhs), type)
        remainder = f.emit(llvm.SubOp, (lhs, product), type)
        inexact = f.emit(llvm.ICmpOp, (remainder, zero), truth, PREDICATES["ne"])
        if signed:
            signs = f.emit(llvm.XOrOp, (remainder, rhs), type, {})
            predicate = PREDICATES["sge" if towards_positive else "slt"]
            wrong_side = f.emit(llvm.ICmpOp, (signs, zero), truth, predicate)
            inexact = f.emit(llvm.AndOp, (inexact, wrong_side), truth, {})
        step = f.emit(llvm.ZExtOp, (inexact,), type, {})
        f.become(op, llvm.AddOp if towards_positive else llvm.SubOp, WRAPS, (quotient, step))

    return convert


def _add_extended(op: arith.AddUIExtendedOp, f: FunctionLowering) -> None:
    lhs, rhs = op._operands
    sum = f.emit(llvm.AddOp, (lhs, rhs), lhs.type)
    overflow = f.emit(llvm.ICmpOp, (sum, lhs), with_element_type(lhs.type, i1), PREDICATES["ult"])
    f.replace(op, sum, overflow)


def _multiply_extended(extension: type[Operation]) -> Handler:
    """The low and the high half of a product, from a product of twice the width."""

    def convert(op: Operation, f: FunctionLowering) -> None:
        type = op._operands[0].type
        width = cast(IntegerType, element_type(type)).width.data
        wide = with_element_type(type, IntegerType(2 * width))
        factors = [f.emit(extension, (factor,), wide, {}) for factor in op._operands]
        product = f.emit(llvm.MulOp, factors, wide)
        upper = f.emit(llvm.LShrOp, (product, f.integer(width, wide)), wide, {})
        f.replace(op, *(f.emit(llvm.TruncOp, (half,), type, {}) for half in (product, upper)))

    return convert


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

_SCALARS: dict[type[Operation], Handler] = {
    arith.ConstantOp: _constant,
    # integers
    arith.AddiOp: _add_index,
    arith.SubiOp: _integer(llvm.SubOp),
    arith.MuliOp: _integer(llvm.MulOp),
    arith.ShLIOp: _integer(llvm.ShlOp),
    arith.DivUIOp: to(llvm.UDivOp),
    arith.DivSIOp: to(llvm.SDivOp),
    arith.RemUIOp: to(llvm.URemOp),
    arith.RemSIOp: to(llvm.SRemOp),
    arith.AndIOp: to(llvm.AndOp),
    arith.OrIOp: to(llvm.OrOp),
    arith.XOrIOp: to(llvm.XOrOp),
    arith.ShRUIOp: to(llvm.LShrOp),
    arith.ShRSIOp: to(llvm.AShrOp),
    arith.MinUIOp: integer_intrinsic("llvm.umin"),
    arith.MaxUIOp: integer_intrinsic("llvm.umax"),
    arith.MinSIOp: integer_intrinsic("llvm.smin"),
    arith.MaxSIOp: integer_intrinsic("llvm.smax"),
    arith.FloorDivSIOp: _divide_rounding(llvm.SDivOp, towards_positive=False),
    arith.CeilDivSIOp: _divide_rounding(llvm.SDivOp, towards_positive=True),
    arith.CeilDivUIOp: _divide_rounding(llvm.UDivOp, towards_positive=True),
    arith.AddUIExtendedOp: _add_extended,
    arith.MulUIExtendedOp: _multiply_extended(llvm.ZExtOp),
    arith.MulSIExtendedOp: _multiply_extended(llvm.SExtOp),
    arith.CmpiOp: keeping(llvm.ICmpOp, "predicate"),
    # floats
    arith.AddfOp: floating(llvm.FAddOp),
    arith.SubfOp: floating(llvm.FSubOp),
    arith.MulfOp: floating(llvm.FMulOp),
    arith.DivfOp: floating(llvm.FDivOp),
    arith.NegfOp: _sign(floating(llvm.FNegOp), llvm.XOrOp, -0x8000),
    arith.MaximumfOp: float_intrinsic("llvm.maximum"),
    arith.MinimumfOp: float_intrinsic("llvm.minimum"),
    arith.MaxnumfOp: float_intrinsic("llvm.maxnum"),
    arith.MinnumfOp: float_intrinsic("llvm.minnum"),
    arith.CmpfOp: _compare_floats,
    # conversions
    arith.SelectOp: to(llvm_extras.SelectOp, FAST_MATH),
    arith.BitcastOp: bitcast,
    arith.IndexCastOp: _resize_index,
    arith.ExtUIOp: to(llvm.ZExtOp),
    arith.ExtSIOp: to(llvm.SExtOp),
    arith.TruncIOp: to(llvm.TruncOp),
    arith.SIToFPOp: _integer_to_float(llvm.SIToFPOp, signed=True),
    arith.UIToFPOp: _integer_to_float(llvm_extras.UIToFPOp, signed=False),
    arith.FPToSIOp: _float_to_integer(llvm_extras.FPToSIOp),
    arith.FPToUIOp: _float_to_integer(llvm_extras.FPToUIOp),
    arith.ExtFOp: _resize_float(extend),
    arith.TruncFOp: _resize_float(truncate),
    # elementary functions
    math.AbsIOp: integer_intrinsic("llvm.abs", is_flagged=True),
    math.CountLeadingZerosOp: integer_intrinsic("llvm.ctlz", is_flagged=True),
    math.CountTrailingZerosOp: integer_intrinsic("llvm.cttz", is_flagged=True),
    math.CtPopOp: integer_intrinsic("llvm.ctpop"),
    math.RsqrtOp: _reciprocal_square_root,
    math.FPowIOp: _power_of_integer,
    math.AbsFOp: _sign(float_intrinsic("llvm.fabs"), llvm.AndOp, 0x7FFF),
    math.PowFOp: float_intrinsic("llvm.pow"),
    **{op_class: float_intrinsic(op_class.name.replace("math", "llvm", 1)) for op_class in _FLOAT_INTRINSICS},
}

HANDLERS: dict[type[Operation], Handler] = {
    **_SCALARS,
    **{on_vectors: _SCALARS[on_scalars] for on_scalars, on_vectors in ON_VECTORS.items()},
}
