"""Maxima and minima of vectors by the instruction of AVX-512 that orders zeros (`vrangeps`).

LLVM makes `llvm.maximum` of six instructions that wait for each other: an operand with its sign bit set comes first, as
`vmaxps` returns the second one of two zeros, and of two operands one of which is NaN. `vrangeps` orders zeros, and
takes the number where the other operand is NaN; then the sum of both is NaN. So here a maximum is three instructions:

    %m = call <16 x float> @llvm.x86.avx512.mask.range.ps.512(%a, %b, 5, %a, -1, 4)
    %n = fcmp uno <16 x float> %a, %b
    %s = fadd <16 x float> %a, %b
    %r = select <16 x i1> %n, <16 x float> %s, <16 x float> %m

Vectors of several registers are taken apart. So are scalars stored to a place that has been loaded, as by a scatter:
LLVM makes no vectors of these. Other scalars and vectors, and operands that are constants, of which LLVM knows more,
are left to `llvm.maximum` and `llvm.minimum`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, cast

from xdsl.dialects import arith, llvm, memref
from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType, VectorType, i1, i32
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import llvm_extras
from ...dialects.shared_attributes import i32_array, vector_type
from .arith import Handler, float_intrinsic
from .builder import FAST_MATH, FLOAT_PREDICATES, FunctionLowering, intrinsic_properties
from .types import is_vector

MINIMUM, MAXIMUM = 4, 5
"""What `vrangeps` is told: the sign is that of the result of the comparison (bit 2), of two the larger one (bit 0)."""
_CURRENT_ROUNDING = 4
_REGISTERS = (512, 256, 128)
_NUMBERS = {"maximum": MAXIMUM, "minimum": MINIMUM}


def _by_range(kind: str) -> Handler:
    number, whole = _NUMBERS[kind], float_intrinsic(f"llvm.{kind}")

    def convert(op: Operation, f: FunctionLowering) -> None:
        a, b = op.operands
        if _is_alone(op, f):
            f.replace(op, _of_scalars(number, a, b, f))
            return
        lanes = _lanes_of_register(a.type, f)
        if not lanes or isinstance(a.owner, llvm.ConstantOp) or isinstance(b.owner, llvm.ConstantOp):
            whole(op, f)
            return
        type = cast("VectorType[Attribute]", a.type)
        part_type = vector_type(type.element_type, lanes)
        count = type.element_count() // lanes
        pairs = zip(_parts(f, a, part_type, count), _parts(f, b, part_type, count), strict=True)
        f.replace(op, _joined(f, [_extremum(number, *pair, f) for pair in pairs]))

    return convert


def _lanes_of_register(type: Attribute, f: FunctionLowering) -> int:
    """How many elements the widest register holds of a vector of `type`, or the vector itself; 0 if there is no such
    instruction for it.
    """
    target = f.module.model.target
    if not target.orders_zeros or not is_vector(type) or not isinstance(type.element_type, Float32Type | Float64Type):
        return 0
    element, lanes = type.element_type.bitwidth, type.element_count()
    bits = min(lanes * element, target.vector_bits)
    registers, rest = divmod(lanes * element, bits)
    return bits // element if bits in _REGISTERS and not rest and registers.bit_count() == 1 else 0


def _is_alone(op: Operation, f: FunctionLowering) -> bool:
    """Whether `op`, on scalars, is stored to a place that has been loaded."""
    (result,) = op.results
    if not f.module.model.target.orders_zeros or not isinstance(result.type, Float32Type | Float64Type):
        return False
    users = [use.operation for use in result.uses]
    return len(users) == 1 and isinstance(users[0], memref.StoreOp) and any(map(_is_loaded, users[0].indices))


def _is_loaded(value: SSAValue) -> bool:
    """Whether `value` is what has been loaded, as an integer of any type."""
    while isinstance(value.owner, llvm.SExtOp | llvm.ZExtOp | llvm.TruncOp | arith.IndexCastOp):
        value = value.owner.operands[0]
    return isinstance(value.owner, llvm.LoadOp | memref.LoadOp)


def _of_scalars(number: int, a: SSAValue, b: SSAValue, f: FunctionLowering) -> SSAValue:
    """The extremum of the first lanes of two vectors."""
    element = cast("Float32Type | Float64Type", a.type)
    type = vector_type(element, _REGISTERS[-1] // element.bitwidth)
    first = f.integer(0)
    vectors = [f.emit(llvm.InsertElementOp, (f.poison(type), value, first), type, {}) for value in (a, b)]
    larger = _extremum(number, vectors[0], vectors[1], f)
    return f.emit(llvm_extras.ExtractElementOp, (larger, first), element, {})


_integer_type = cache(IntegerType)


def _extremum(number: int, a: SSAValue, b: SSAValue, f: FunctionLowering) -> SSAValue:
    type = cast("VectorType[Any]", a.type)
    lanes = type.element_count()
    element = "ps" if isinstance(type.element_type, Float32Type) else "pd"
    bits = lanes * type.element_type.bitwidth
    mask = f.integer(-1, _integer_type(max(8, lanes)))
    operands = [a, b, f.integer(number, i32), a, mask]
    if bits == 512:
        operands.append(f.integer(_CURRENT_ROUNDING, i32))
    name = f"llvm.x86.avx512.mask.range.{element}.{bits}"
    larger = f.emit(llvm.CallIntrinsicOp, operands, type, intrinsic_properties(name, len(operands)))
    is_nan = f.emit(llvm_extras.FCmpOp, (a, b), vector_type(i1, lanes), FLOAT_PREDICATES["uno"])
    nan = f.emit(llvm.FAddOp, (a, b), type, FAST_MATH)
    return f.emit(llvm_extras.SelectOp, (is_nan, nan, larger), type, FAST_MATH)


def reduced(kind: str, source: SSAValue, f: FunctionLowering) -> SSAValue | None:
    """The extremum, `maximum` or `minimum`, of all lanes of `source`, from halves; None where there is no instruction
    for it.
    """
    number = _NUMBERS.get(kind)
    lanes = 0 if number is None else _lanes_of_register(source.type, f)
    if number is None or not lanes:
        return None
    type = cast("VectorType[Any]", source.type)
    count = type.element_count() // lanes
    parts = _parts(f, source, vector_type(type.element_type, lanes), count)
    while len(parts) > 1:
        parts = [_extremum(number, parts[at], parts[at + 1], f) for at in range(0, len(parts), 2)]
    (value,) = parts
    fewest = _REGISTERS[-1] // type.element_type.bitwidth
    while lanes > 1:
        lanes //= 2
        half = vector_type(type.element_type, max(lanes, fewest))
        value = _extremum(number, _lanes_from(f, value, half, 0), _lanes_from(f, value, half, lanes), f)
    return f.emit(llvm_extras.ExtractElementOp, (value, f.integer(0)), type.element_type, {})


def _lanes_from(f: FunctionLowering, value: SSAValue, type: VectorType[Attribute], first: int) -> SSAValue:
    """The lanes of `value` from `first` on; what lies past the end is of no account."""
    lanes, all_lanes = type.element_count(), cast("VectorType[Attribute]", value.type).element_count()
    if first == 0 and lanes == all_lanes:
        return value
    mask = i32_array(*(lane if lane < all_lanes else -1 for lane in range(first, first + lanes)))
    return f.emit(llvm.ShuffleVectorOp, (value, f.poison(value.type)), type, {"mask": mask})


def _parts(f: FunctionLowering, value: SSAValue, type: VectorType[Attribute], count: int) -> Sequence[SSAValue]:
    """The `count` vectors of `type` that `value` consists of."""
    if count == 1:
        return [value]
    block, known = f.registers.get(value, (None, ()))
    if len(known) == count and block in (None, f.block):
        return known
    lanes = type.element_count()
    parts = [_lanes_from(f, value, type, index * lanes) for index in range(count)]
    f.registers[value] = f.block, parts
    return parts


def _joined(f: FunctionLowering, parts: Sequence[SSAValue]) -> SSAValue:
    """The parts, whose number is a power of two, behind each other: what takes the result apart again uses them."""
    halves = parts
    while len(halves) > 1:
        halves = [_concatenated(f, halves[at], halves[at + 1]) for at in range(0, len(halves), 2)]
    (whole,) = halves
    if len(parts) > 1:
        f.registers[whole] = None, parts
    return whole


def _concatenated(f: FunctionLowering, a: SSAValue, b: SSAValue) -> SSAValue:
    type = cast("VectorType[Attribute]", a.type)
    lanes = 2 * type.element_count()
    properties = {"mask": i32_array(*range(lanes))}
    whole = f.emit(llvm.ShuffleVectorOp, (a, b), vector_type(type.element_type, lanes), properties)
    f.perhaps_unused.append(cast(Operation, whole.owner))
    return whole


HANDLERS: dict[type[Operation], Handler] = {
    arith.MaximumfOp: _by_range("maximum"),
    arith.MinimumfOp: _by_range("minimum"),
}
