"""`vector` of one dimension to `llvm`."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from xdsl.dialects import arith, llvm, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import llvm_extras
from ...dialects.shared_attributes import i32_array
from ...errors import UnsupportedError
from .arith import Handler
from .builder import FAST_MATH, PREDICATES, WRAPS, FunctionLowering
from .floats import is_bfloat, truncate, widened
from .memref import load_element, store_element
from .types import Storage, is_integer, is_vector, mangled, storage, value_type


def _access(f: FunctionLowering, base: SSAValue, indices: list[SSAValue], type: Attribute) -> tuple[SSAValue, Storage]:
    """The pointer to the elements of `base` from `indices` on and how a vector of `type` lies there."""
    layout = f.layout(base.type)
    if layout.strides and layout.strides[-1] != 1:
        raise UnsupportedError(f"convert-to-llvm: vector access to {base.type} in @{f.name}: elements are not adjacent")
    return f.pointer_to(base, indices, layout), storage(type)


def load(op: vector.LoadOp, f: FunctionLowering) -> None:
    base, *indices = op._operands
    result = op.results[0]
    pointer, at = _access(f, base, indices, result.type)
    f.values[result] = load_element(f, pointer, value_type(result.type), at)


def store(op: vector.StoreOp, f: FunctionLowering) -> None:
    value, base, *indices = op._operands
    pointer, at = _access(f, base, indices, value.type)
    store_element(f, f.values[value], pointer, at)


def masked_load(op: vector.MaskedLoadOp, f: FunctionLowering) -> None:
    base, *indices, mask, pass_through = op._operands
    result = op.results[0]
    type = value_type(result.type)
    pointer, at = _access(f, base, indices, type)
    default = f.values[pass_through]
    if at.narrow:
        default = f.emit(llvm.ZExtOp, (default,), at.type, {})
    value = f.intrinsic(
        f"llvm.masked.load.{mangled(at.type)}.p0",
        (pointer, f.values[mask], default),
        at.type,
    )
    assert value is not None
    f.values[result] = f.emit(llvm.TruncOp, (value,), type, {}) if at.narrow else value


def _only_lane(mask: SSAValue) -> int | None:
    """The lane that is set in `mask`, if it is a constant with one."""
    owner = mask.owner
    if isinstance(owner, vector.CreateMaskOp):
        (count,) = owner._operands
        size = count.owner
        if isinstance(size, arith.ConstantOp) and isinstance(size.value, IntegerAttr) and size.value.value.data == 1:
            return 0
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, DenseIntOrFPElementsAttr):
        lanes = [lane for lane, is_set in enumerate(owner.value.get_values()) if is_set]
        return lanes[0] if len(lanes) == 1 else None
    return None


def masked_store(op: vector.MaskedStoreOp, f: FunctionLowering) -> None:
    base, *indices, mask, value = op._operands
    pointer, at = _access(f, base, indices, value.type)
    stored = f.values[value]
    if at.narrow:
        stored = f.emit(llvm.ZExtOp, (stored,), at.type, {})
    lane = _only_lane(mask)
    if lane is not None and is_vector(at.type):
        # Not a masked store: where the vector has been truncated, LLVM 22 on x86 stores the lane as it was before.
        element = at.type.element_type
        value = f.emit(llvm_extras.ExtractElementOp, (stored, f.integer(lane)), element, {})
        f.store(value, f.element_pointer(pointer, f.integer(lane), element), at.alignment)
        return
    name = f"llvm.masked.store.{mangled(at.type)}.p0"
    f.intrinsic(name, (stored, pointer, f.values[mask]), None)


def broadcast(op: vector.BroadcastOp, f: FunctionLowering) -> None:
    source = f.values[op.source]
    type = cast("VectorType[Attribute]", value_type(op.vector.type))
    if source.type == type:
        f.values[op.vector] = source
        return
    poison = f.poison(type)
    if not is_vector(source.type):
        first = f.integer(0)
        source = f.emit(llvm.InsertElementOp, (poison, source, first), type, {})
    zeros = i32_array(*([0] * type.shape.data[0].data))
    filler = poison if source.type == type else f.poison(source.type)
    f.values[op.vector] = f.emit(llvm.ShuffleVectorOp, (source, filler), type, {"mask": zeros})


def multiply_add(op: vector.FMAOp, f: FunctionLowering) -> None:
    result = op.results[0]
    operands = [widened(f, f.values[operand]) for operand in op._operands]
    value = f.emit(llvm.FMAOp, operands, operands[0].type, FAST_MATH)
    f.values[result] = truncate(f, value, result.type) if is_bfloat(result.type) else value


def _position(op: vector.ExtractOp | vector.InsertOp, f: FunctionLowering) -> SSAValue | None:
    """The position of a scalar in a 1-D vector; None where the op takes the whole vector."""
    static = op.static_position.get_values()
    if not static:
        return None
    if op.dynamic_position:
        return f.values[op.dynamic_position[0]]
    return f.integer(static[0])


def extract(op: vector.ExtractOp, f: FunctionLowering) -> None:
    source = f.values[op.vector]
    position = _position(op, f)
    if position is None:
        f.values[op.result] = source
        return
    type = value_type(op.result.type)
    f.values[op.result] = f.emit(llvm_extras.ExtractElementOp, (source, position), type, {})


def insert(op: vector.InsertOp, f: FunctionLowering) -> None:
    source, target = f.values[op.source], f.values[op.dest]
    position = _position(op, f)
    f.values[op.result] = (
        source if position is None else f.emit(llvm.InsertElementOp, (target, source, position), target.type, {})
    )


def shuffle(op: vector.ShuffleOp, f: FunctionLowering) -> None:
    first, second = f.values[op.v1], f.values[op.v2]
    lengths = [cast("VectorType[Any]", v.type).shape.data[0].data for v in (first, second)]
    mask = [int(position) for position in op.mask.get_values()]
    if lengths[0] != lengths[1]:
        first, second, mask = _equal_lengths(f, [first, second], lengths, mask)
    f.values[op.result] = f.emit(
        llvm.ShuffleVectorOp,
        (first, second),
        value_type(op.result.type),
        {"mask": i32_array(*mask)},
    )


def _equal_lengths(
    f: FunctionLowering, values: list[SSAValue], lengths: list[int], mask: list[int]
) -> tuple[SSAValue, SSAValue, list[int]]:
    """LLVM shuffles two vectors of one type: pads the shorter one and moves the mask."""
    length = max(lengths)
    padded: list[SSAValue] = []
    for value, own in zip(values, lengths, strict=True):
        if own < length:
            type = cast("VectorType[Any]", value.type)
            padding = i32_array(*range(own), *[-1] * (length - own))
            value = f.emit(
                llvm.ShuffleVectorOp,
                (value, f.poison(type)),
                VectorType(type.element_type, [length]),
                {"mask": padding},
            )
        padded.append(value)
    moved = [p + length - lengths[0] if p >= lengths[0] else p for p in mask]
    return padded[0], padded[1], moved


def create_mask(op: vector.CreateMaskOp, f: FunctionLowering) -> None:
    (count,) = op._operands
    result = op.results[0]
    mask_type = cast("VectorType[Any]", value_type(result.type))
    lanes = mask_type.shape.data[0].data
    if (known := f.integers.get(count)) is not None:
        bits = [int(lane < known) for lane in range(lanes)]
        value = DenseIntOrFPElementsAttr.from_list(mask_type, bits)
        f.values[result] = f.constant(value, mask_type, value)
        return
    wide = VectorType(i64, [lanes])
    steps = DenseIntOrFPElementsAttr.from_list(wide, list(range(lanes)))
    poison = f.poison(wide)
    first = f.emit(llvm.InsertElementOp, (poison, f.values[count], f.integer(0)), wide, {})
    zeros = i32_array(*([0] * lanes))
    counts = f.emit(llvm.ShuffleVectorOp, (first, poison), wide, {"mask": zeros})
    lane_numbers = f.constant(steps, wide, ("steps", lanes))
    f.values[result] = f.emit(llvm.ICmpOp, (lane_numbers, counts), mask_type, PREDICATES["slt"])


def bitcast(op: vector.BitcastOp, f: FunctionLowering) -> None:
    type = value_type(op.result.type)
    f.values[op.result] = f.emit(llvm.BitcastOp, (f.values[op.source],), type, {})


_INTEGER_REDUCTIONS: dict[str, tuple[str, type[Operation], Mapping[str, Attribute]]] = {
    "add": ("add", llvm.AddOp, WRAPS),
    "mul": ("mul", llvm.MulOp, WRAPS),
    "and": ("and", llvm.AndOp, {}),
    "or": ("or", llvm.OrOp, {}),
    "xor": ("xor", llvm.XOrOp, {}),
}
"""The reduction intrinsic of a combining kind, and the op that adds the accumulator."""

_INTEGER_EXTREMA = {
    "minsi": ("smin", "llvm.smin"),
    "maxsi": ("smax", "llvm.smax"),
    "minui": ("umin", "llvm.umin"),
    "maxui": ("umax", "llvm.umax"),
}
"""The same where an intrinsic takes in the accumulator."""

_FLOAT_REDUCTIONS = {
    "minnumf": ("fmin", "llvm.minnum"),
    "maxnumf": ("fmax", "llvm.maxnum"),
    "minimumf": ("fminimum", "llvm.minimum"),
    "maximumf": ("fmaximum", "llvm.maximum"),
}

_ORDERED_REDUCTIONS = {"add": ("fadd", -0.0), "mul": ("fmul", 1.0)}
"""Float reductions that start from a value: the intrinsic and its neutral element."""


def reduce(op: vector.ReductionOp, f: FunctionLowering) -> None:
    kind = str(op.kind.data)
    type = op.dest.type
    source = widened(f, f.values[op.vector])
    start = None if op.acc is None else widened(f, f.values[op.acc])
    flags = f.fast_math(op)
    scalar = cast("VectorType[Attribute]", source.type).element_type

    def reduced(name: str, *operands: SSAValue) -> SSAValue:
        full_name = f"llvm.vector.reduce.{name}.{mangled(source.type)}"
        value = f.intrinsic(full_name, operands, scalar, flags)
        assert value is not None
        return value

    if not is_integer(scalar) and kind in _ORDERED_REDUCTIONS:
        name, neutral = _ORDERED_REDUCTIONS[kind]
        value = reduced(name, start or f.floating(neutral, scalar), source)
    elif kind in _INTEGER_REDUCTIONS:
        name, combiner, properties = _INTEGER_REDUCTIONS[kind]
        value = reduced(name, source)
        if start is not None:
            value = f.emit(combiner, (start, value), scalar, properties)
    else:
        name, stem = (_INTEGER_EXTREMA if is_integer(scalar) else _FLOAT_REDUCTIONS)[kind]
        value = reduced(name, source)
        if start is not None:
            value = f.value_intrinsic(stem, (start, value), scalar, flags)

    f.values[op.dest] = truncate(f, value, type) if is_bfloat(type) else value


HANDLERS: dict[type[Operation], Handler] = {
    vector.LoadOp: load,
    vector.StoreOp: store,
    vector.MaskedLoadOp: masked_load,
    vector.MaskedStoreOp: masked_store,
    vector.BroadcastOp: broadcast,
    vector.FMAOp: multiply_add,
    vector.ExtractOp: extract,
    vector.InsertOp: insert,
    vector.ShuffleOp: shuffle,
    vector.CreateMaskOp: create_mask,
    vector.BitcastOp: bitcast,
    vector.ReductionOp: reduce,
}
