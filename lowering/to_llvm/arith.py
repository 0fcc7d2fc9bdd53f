"""`arith` to `llvm`.

`op._operands` is what the view `op.operands` is of; most ops of a program pass here.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from xdsl.dialects import arith, llvm, memref, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    i1,
)
from xdsl.dialects.utils import BitEnumAttribute
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import llvm_extras
from .builder import FAST_MATH, NO_FAST_MATH, NO_PROPERTIES, NO_SIGNED_WRAP, PREDICATES, WRAPS, FunctionLowering
from .floats import extend, integer_to_bfloat, is_bfloat, truncate, widened
from .types import element_type, is_integer, value_type, with_element_type

Handler = Callable[[Any, FunctionLowering], None]

_OVERFLOW: dict[frozenset[str], Mapping[str, Attribute]] = {
    frozenset(): WRAPS,
    frozenset({"nsw"}): NO_SIGNED_WRAP,
    frozenset({"nuw"}): {"overflowFlags": IntegerAttr(2, 32)},
    frozenset({"nsw", "nuw"}): {"overflowFlags": IntegerAttr(3, 32)},
}


def constant(op: arith.ConstantOp, f: FunctionLowering) -> None:
    value: Attribute = op.properties["value"]
    (result,) = op.results
    type = value_type(result.type)
    if isinstance(value, IntegerAttr):
        number = cast("IntegerAttr[Any]", value).value.data
        f.integers[result] = number
        f.values[result] = f.integer(number, type)
        return
    if type is not result.type:
        data = cast("DenseIntOrFPElementsAttr[Any]", value).data
        value = DenseIntOrFPElementsAttr(cast("VectorType[Any]", type), data)
    f.values[result] = f.constant(value, type, value)


def integer_binary(op_class: type[Operation], properties: Mapping[str, Attribute]) -> Handler:
    def convert(op: Operation, f: FunctionLowering) -> None:
        lhs, rhs = op._operands
        result = op.results[0]
        operands = (f.values[lhs], f.values[rhs])
        f.values[result] = f.emit(op_class, operands, operands[0].type, properties)

    return convert


def integer_binary_with_overflow(op_class: type[Operation]) -> Handler:
    def convert(op: Operation, f: FunctionLowering) -> None:
        lhs, rhs = op._operands
        result = op.results[0]
        operands = (f.values[lhs], f.values[rhs])
        flags = cast("BitEnumAttribute[Any] | None", op.properties.get("overflowFlags"))
        properties = WRAPS if flags is None else _OVERFLOW[flags.data]
        f.values[result] = f.emit(op_class, operands, operands[0].type, properties)

    return convert


_add = integer_binary_with_overflow(llvm.AddOp)


def add(op: arith.AddiOp, f: FunctionLowering) -> None:
    """`x + constant` of an index is remembered: addresses that differ by a constant share their computation."""
    result = op.results[0]
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


def float_binary(op_class: type[Operation]) -> Handler:
    def convert(op: Operation, f: FunctionLowering) -> None:
        lhs, rhs = op._operands
        result = op.results[0]
        type = result.type
        flags = f.fast_math(op)
        properties = FAST_MATH if flags is NO_FAST_MATH else {"fastmathFlags": flags}
        operands = (f.values[lhs], f.values[rhs])
        if is_bfloat(type):
            operands = (widened(f, operands[0]), widened(f, operands[1]))
            value = f.emit(op_class, operands, operands[0].type, properties)
            f.values[result] = truncate(f, value, type)
        else:
            f.values[result] = f.emit(op_class, operands, type, properties)

    return convert


def float_intrinsic(stem: str) -> Handler:
    """An intrinsic with operands and result of one float type; `bf16` goes by way of `f32`."""

    def convert(op: Operation, f: FunctionLowering) -> None:
        result = op.results[0]
        type = result.type
        operands = [f.values[operand] for operand in op._operands]
        if is_bfloat(type):
            operands = [widened(f, operand) for operand in operands]
            value = f.value_intrinsic(stem, operands, operands[0].type, f.fast_math(op))
            f.values[result] = truncate(f, value, type)
        else:
            f.values[result] = f.value_intrinsic(stem, operands, type, f.fast_math(op))

    return convert


def integer_intrinsic(stem: str) -> Handler:
    def convert(op: Operation, f: FunctionLowering) -> None:
        operands = [f.values[operand] for operand in op._operands]
        f.values[op.results[0]] = f.value_intrinsic(stem, operands, operands[0].type)

    return convert


def negate(op: arith.NegfOp, f: FunctionLowering) -> None:
    type = op.result.type
    value = widened(f, f.values[op.operand])
    value = f.emit(llvm.FNegOp, (value,), value.type, {"fastmathFlags": f.fast_math(op)})
    f.values[op.result] = truncate(f, value, type) if is_bfloat(type) else value


def compare_integers(op: arith.CmpiOp, f: FunctionLowering) -> None:
    lhs, rhs = op._operands
    (result,) = op.results
    f.values[result] = f.emit(
        llvm.ICmpOp,
        (f.values[lhs], f.values[rhs]),
        value_type(result.type),
        {"predicate": op.properties["predicate"]},
    )


def compare_floats(op: arith.CmpfOp, f: FunctionLowering) -> None:
    lhs, rhs = op._operands
    (result,) = op.results
    f.values[result] = f.emit(
        llvm_extras.FCmpOp,
        (widened(f, f.values[lhs]), widened(f, f.values[rhs])),
        value_type(result.type),
        {"predicate": op.properties["predicate"], "fastmathFlags": f.fast_math(op)},
    )


def select(op: arith.SelectOp, f: FunctionLowering) -> None:
    cond, lhs, rhs = (f.values[operand] for operand in op._operands)
    f.values[op.results[0]] = f.emit(llvm_extras.SelectOp, (cond, lhs, rhs), lhs.type, FAST_MATH)


def cast_value(op_class: type[Operation], properties: Mapping[str, Attribute] = NO_PROPERTIES) -> Handler:
    def convert(op: Operation, f: FunctionLowering) -> None:
        (source,) = op._operands
        result = op.results[0]
        f.values[result] = f.emit(op_class, (f.values[source],), value_type(result.type), properties)

    return convert


def bitcast(op: Operation, f: FunctionLowering) -> None:
    source = f.values[op._operands[0]]
    result = op.results[0]
    type = value_type(result.type)
    f.values[result] = source if source.type == type else f.emit(llvm.BitcastOp, (source,), type, {})


def resize_index(extension: type[Operation]) -> Handler:
    """`arith.index_cast`: `index` is `i64`."""

    def convert(op: Operation, f: FunctionLowering) -> None:
        source = op._operands[0]
        result = op.results[0]
        value = f.values[source]
        type = value_type(result.type)
        if (known := f.integers.get(source)) is not None and is_integer(type):
            number = IntegerAttr(known, type, truncate_bits=True).value.data
            f.integers[result] = number
            f.values[result] = f.integer(number, type)
            return
        before = cast(IntegerType, element_type(value.type)).width.data
        after = cast(IntegerType, element_type(type)).width.data
        if before < after:
            value = f.emit(extension, (value,), type, {})
        elif before > after:
            value = f.emit(llvm.TruncOp, (value,), type, {})
        f.values[result] = value

    return convert


def float_to_integer(op_class: type[Operation]) -> Handler:
    def convert(op: Operation, f: FunctionLowering) -> None:
        result = op.results[0]
        source = widened(f, f.values[op._operands[0]])
        f.values[result] = f.emit(op_class, (source,), value_type(result.type), {})

    return convert


def integer_to_float(op_class: type[Operation]) -> Handler:
    def convert(op: Operation, f: FunctionLowering) -> None:
        result = op.results[0]
        source = f.values[op._operands[0]]
        type = result.type
        if is_bfloat(type):
            signed = op_class is llvm.SIToFPOp
            f.values[result] = integer_to_bfloat(f, op_class, source, type, signed=signed)
        else:
            f.values[result] = f.emit(op_class, (source,), type, {})

    return convert


def extend_float(op: arith.ExtFOp, f: FunctionLowering) -> None:
    f.values[op.result] = extend(f, f.values[op.input], op.result.type)


def truncate_float(op: arith.TruncFOp, f: FunctionLowering) -> None:
    f.values[op.result] = truncate(f, f.values[op.input], op.result.type)


def _truth(type: Attribute) -> Attribute:
    return with_element_type(type, i1)


def divide_rounding(division: type[Operation], towards_positive: bool) -> Handler:
    """Division that rounds down or up: the truncated quotient, corrected where there is a remainder."""
    signed = division is llvm.SDivOp

    def convert(op: Operation, f: FunctionLowering) -> None:
        lhs, rhs = (f.values[operand] for operand in op._operands)
        type = lhs.type
        zero = f.integer(0, type)
        quotient = f.emit(division, (lhs, rhs), type, {})
        product = f.emit(llvm.MulOp, (quotient, rhs), type)
        remainder = f.emit(llvm.SubOp, (lhs, product), type)
        inexact = f.emit(llvm.ICmpOp, (remainder, zero), _truth(type), PREDICATES["ne"])
        if signed:
            signs = f.emit(llvm.XOrOp, (remainder, rhs), type, {})
            predicate = PREDICATES["sge" if towards_positive else "slt"]
            wrong_side = f.emit(llvm.ICmpOp, (signs, zero), _truth(type), predicate)
            inexact = f.emit(llvm.AndOp, (inexact, wrong_side), _truth(type), {})
        step = f.emit(llvm.ZExtOp, (inexact,), type, {})
        correction = llvm.AddOp if towards_positive else llvm.SubOp
        f.values[op.results[0]] = f.emit(correction, (quotient, step), type)

    return convert


def add_extended(op: arith.AddUIExtendedOp, f: FunctionLowering) -> None:
    lhs, rhs = f.values[op.lhs], f.values[op.rhs]
    sum = f.emit(llvm.AddOp, (lhs, rhs), lhs.type)
    f.values[op.sum] = sum
    f.values[op.overflow] = f.emit(llvm.ICmpOp, (sum, lhs), _truth(lhs.type), PREDICATES["ult"])


def multiply_extended(extension: type[Operation]) -> Handler:
    """The low and the high half of a product, from a product of twice the width."""

    def convert(op: Operation, f: FunctionLowering) -> None:
        lhs, rhs = (f.values[operand] for operand in op._operands)
        type = lhs.type
        width = cast(IntegerType, element_type(type)).width.data
        wide = with_element_type(type, IntegerType(2 * width))
        factors = [f.emit(extension, (factor,), wide, {}) for factor in (lhs, rhs)]
        product = f.emit(llvm.MulOp, factors, wide)
        upper = f.emit(llvm.LShrOp, (product, f.integer(width, wide)), wide, {})
        low, high = op.results
        f.values[low] = f.emit(llvm.TruncOp, (product,), type, {})
        f.values[high] = f.emit(llvm.TruncOp, (upper,), type, {})

    return convert


HANDLERS: dict[type[Operation], Handler] = {
    arith.ConstantOp: constant,
    # integers
    arith.AddiOp: add,
    arith.SubiOp: integer_binary_with_overflow(llvm.SubOp),
    arith.MuliOp: integer_binary_with_overflow(llvm.MulOp),
    arith.ShLIOp: integer_binary_with_overflow(llvm.ShlOp),
    arith.DivUIOp: integer_binary(llvm.UDivOp, {}),
    arith.DivSIOp: integer_binary(llvm.SDivOp, {}),
    arith.RemUIOp: integer_binary(llvm.URemOp, {}),
    arith.RemSIOp: integer_binary(llvm.SRemOp, {}),
    arith.AndIOp: integer_binary(llvm.AndOp, {}),
    arith.OrIOp: integer_binary(llvm.OrOp, {}),
    arith.XOrIOp: integer_binary(llvm.XOrOp, {}),
    arith.ShRUIOp: integer_binary(llvm.LShrOp, {}),
    arith.ShRSIOp: integer_binary(llvm.AShrOp, {}),
    arith.MinUIOp: integer_intrinsic("llvm.umin"),
    arith.MaxUIOp: integer_intrinsic("llvm.umax"),
    arith.MinSIOp: integer_intrinsic("llvm.smin"),
    arith.MaxSIOp: integer_intrinsic("llvm.smax"),
    arith.FloorDivSIOp: divide_rounding(llvm.SDivOp, towards_positive=False),
    arith.CeilDivSIOp: divide_rounding(llvm.SDivOp, towards_positive=True),
    arith.CeilDivUIOp: divide_rounding(llvm.UDivOp, towards_positive=True),
    arith.AddUIExtendedOp: add_extended,
    arith.MulUIExtendedOp: multiply_extended(llvm.ZExtOp),
    arith.MulSIExtendedOp: multiply_extended(llvm.SExtOp),
    arith.CmpiOp: compare_integers,
    # floats
    arith.AddfOp: float_binary(llvm.FAddOp),
    arith.SubfOp: float_binary(llvm.FSubOp),
    arith.MulfOp: float_binary(llvm.FMulOp),
    arith.DivfOp: float_binary(llvm.FDivOp),
    arith.NegfOp: negate,
    arith.MaximumfOp: float_intrinsic("llvm.maximum"),
    arith.MinimumfOp: float_intrinsic("llvm.minimum"),
    arith.MaxnumfOp: float_intrinsic("llvm.maxnum"),
    arith.MinnumfOp: float_intrinsic("llvm.minnum"),
    arith.CmpfOp: compare_floats,
    # conversions
    arith.SelectOp: select,
    arith.BitcastOp: bitcast,
    arith.IndexCastOp: resize_index(llvm.SExtOp),
    arith.ExtUIOp: cast_value(llvm.ZExtOp),
    arith.ExtSIOp: cast_value(llvm.SExtOp),
    arith.TruncIOp: cast_value(llvm.TruncOp),
    arith.SIToFPOp: integer_to_float(llvm.SIToFPOp),
    arith.UIToFPOp: integer_to_float(llvm_extras.UIToFPOp),
    arith.FPToSIOp: float_to_integer(llvm_extras.FPToSIOp),
    arith.FPToUIOp: float_to_integer(llvm_extras.FPToUIOp),
    arith.ExtFOp: extend_float,
    arith.TruncFOp: truncate_float,
}
