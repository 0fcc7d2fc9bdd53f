"""`vector` of one dimension to `llvm`."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import llvm, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, UnitAttr, VectorType, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import llvm_extras
from ...dialects.shared_attributes import i32_array
from ...dialects.xrt_names import STREAM
from ...errors import UnsupportedError
from . import extrema
from .arith import Handler, floating, to
from .builder import PREDICATES, WRAPS, FunctionLowering, access_properties, intrinsic_properties
from .floats import is_bfloat, truncate, widened
from .memref import become_load, become_store
from .types import BUFFER_ALIGNMENT, Storage, is_integer, is_vector, mangled, storage, value_type


def _access(
    f: FunctionLowering, base: SSAValue, indices: Sequence[SSAValue], type: Attribute
) -> tuple[SSAValue, Storage]:
    """The pointer to the elements of `base` from `indices` on and how a vector of `type` lies there."""
    layout = f.layout(base)
    if layout.strides and layout.strides[-1] != 1:
        raise UnsupportedError(
            f"convert-to-llvm: vector access to {f.types[base]} in @{f.name}: elements are not adjacent"
        )
    return f.pointer_to(base, indices, layout), storage(type)


def _load(op: vector.LoadOp, f: FunctionLowering) -> None:
    base, *indices = op._operands
    become_load(f, op, *_access(f, base, indices, op.results[0].type))


def _store(op: vector.StoreOp, f: FunctionLowering) -> None:
    value, base, *indices = op._operands
    pointer, at = _access(f, base, indices, value.type)
    if STREAM not in op.attributes or at.narrow:
        become_store(f, op, value, pointer, at)
        return
    f.streams = True
    f.become(op, llvm.StoreOp, {**access_properties(BUFFER_ALIGNMENT), "nontemporal": UnitAttr()}, (value, pointer))


def _masked_load(op: vector.MaskedLoadOp, f: FunctionLowering) -> None:
    base, *indices, mask, default = op._operands
    pointer, at = _access(f, base, indices, value_type(op.results[0].type))
    if at.narrow:
        default = f.emit(llvm.ZExtOp, (default,), at.type, {})
    operands = (pointer, mask, default)
    properties = intrinsic_properties(f"llvm.masked.load.{mangled(at.type)}.p0", 3)
    if at.narrow:
        f.become(op, llvm.TruncOp, {}, (f.emit(llvm.CallIntrinsicOp, operands, at.type, properties),))
    else:
        f.become(op, llvm.CallIntrinsicOp, properties, operands)


def _only_lane(mask: SSAValue) -> int | None:
    """The lane that is set in `mask`, if it is a constant with one."""
    owner = mask.owner
    if isinstance(owner, llvm.ConstantOp) and isinstance(owner.value, DenseIntOrFPElementsAttr):
        lanes = [lane for lane, is_set in enumerate(owner.value.get_values()) if is_set]
        return lanes[0] if len(lanes) == 1 else None
    return None


def _masked_store(op: vector.MaskedStoreOp, f: FunctionLowering) -> None:
    base, *indices, mask, stored = op._operands
    pointer, at = _access(f, base, indices, stored.type)
    if at.narrow:
        stored = f.emit(llvm.ZExtOp, (stored,), at.type, {})
    lane = _only_lane(mask)
    if lane is not None and is_vector(at.type):
        # Not a masked store: where the vector has been truncated, LLVM 22 on x86 stores the lane as it was before.
        element = at.type.element_type
        value = f.emit(llvm_extras.ExtractElementOp, (stored, f.integer(lane)), element, {})
        f.store(value, f.element_pointer(pointer, f.integer(lane), element), at.alignment)
        return
    f.intrinsic(f"llvm.masked.store.{mangled(at.type)}.p0", (stored, pointer, mask))


def _splat(f: FunctionLowering, scalar: SSAValue, type: VectorType[Any]) -> tuple[SSAValue, SSAValue]:
    """The operands of a shuffle all of whose lanes are the first one."""
    poison = f.poison(type)
    return f.emit(llvm.InsertElementOp, (poison, scalar, f.integer(0)), type, {}), poison


def _all_first(type: VectorType[Any]) -> dict[str, Attribute]:
    return {"mask": i32_array(*([0] * type.shape.data[0].data))}


def _broadcast(op: vector.BroadcastOp, f: FunctionLowering) -> None:
    (source,) = op._operands
    type = cast("VectorType[Any]", value_type(op.vector.type))
    if source.type == type:
        f.replace(op, source)
        return
    operands = (source, f.poison(source.type)) if is_vector(source.type) else _splat(f, source, type)
    f.become(op, llvm.ShuffleVectorOp, _all_first(type), operands)


def _position(op: vector.ExtractOp | vector.InsertOp, f: FunctionLowering) -> SSAValue | None:
    """The position of a scalar in a 1-D vector; None where the op takes the whole vector."""
    static = op.static_position.get_values()
    if not static:
        return None
    return op.dynamic_position[0] if op.dynamic_position else f.integer(static[0])


def _extract(op: vector.ExtractOp, f: FunctionLowering) -> None:
    position = _position(op, f)
    if position is None:
        f.replace(op, op.vector)
    else:
        f.become(op, llvm_extras.ExtractElementOp, {}, (op.vector, position))


def _insert(op: vector.InsertOp, f: FunctionLowering) -> None:
    position = _position(op, f)
    if position is None:
        f.replace(op, op.source)
    else:
        f.become(op, llvm.InsertElementOp, {}, (op.dest, op.source, position))


def _shuffle(op: vector.ShuffleOp, f: FunctionLowering) -> None:
    values: list[SSAValue] = [op.v1, op.v2]
    lengths = [cast("VectorType[Any]", value.type).shape.data[0].data for value in values]
    mask = [int(position) for position in op.mask.get_values()]
    if lengths[0] != lengths[1]:
        values, mask = _equal_lengths(f, values, lengths, mask)
    f.become(op, llvm.ShuffleVectorOp, {"mask": i32_array(*mask)}, values)


def _equal_lengths(
    f: FunctionLowering, values: list[SSAValue], lengths: list[int], mask: list[int]
) -> tuple[list[SSAValue], list[int]]:
    """LLVM shuffles two vectors of one type: pads the shorter one and moves the mask."""
    length = max(lengths)
    padded: list[SSAValue] = []
    for value, own in zip(values, lengths, strict=True):
        if own < length:
            type = cast("VectorType[Any]", value.type)
            padding = {"mask": i32_array(*range(own), *[-1] * (length - own))}
            wide = VectorType(type.element_type, [length])
            value = f.emit(llvm.ShuffleVectorOp, (value, f.poison(type)), wide, padding)
        padded.append(value)
    return padded, [p + length - lengths[0] if p >= lengths[0] else p for p in mask]


def _create_mask(op: vector.CreateMaskOp, f: FunctionLowering) -> None:
    (count,) = op._operands
    mask_type = cast("VectorType[Any]", value_type(op.results[0].type))
    lanes = mask_type.shape.data[0].data
    if (known := f.integers.get(count)) is not None:
        bits = [int(lane < known) for lane in range(lanes)]
        f.replace(op, f.constant(DenseIntOrFPElementsAttr.from_list(mask_type, bits), mask_type))
        return
    wide = VectorType(i64, [lanes])
    counts = f.emit(llvm.ShuffleVectorOp, _splat(f, count, wide), wide, _all_first(wide))
    lane_numbers = f.constant(DenseIntOrFPElementsAttr.from_list(wide, list(range(lanes))), wide, ("steps", lanes))
    f.become(op, llvm.ICmpOp, PREDICATES["slt"], (lane_numbers, counts))


_INTEGER_REDUCTIONS: dict[str, type[Operation]] = {
    "add": llvm.AddOp,
    "mul": llvm.MulOp,
    "and": llvm.AndOp,
    "or": llvm.OrOp,
    "xor": llvm.XOrOp,
}
"""The op that adds the accumulator, by combining kind, which is the name of the intrinsic too."""

_EXTREMA = {
    **{f"{kind}{sign}i": f"{sign}{kind}" for kind in ("min", "max") for sign in ("s", "u")},
    **{f"{kind}{ending}f": f"{kind}{ending}" for kind in ("min", "max") for ending in ("num", "imum")},
}
"""The intrinsic that takes in the accumulator, by combining kind."""

_ORDERED_REDUCTIONS = {"add": ("fadd", -0.0), "mul": ("fmul", 1.0)}
"""Float reductions that start from a value: the intrinsic and its neutral element."""


def _reduce(op: vector.ReductionOp, f: FunctionLowering) -> None:
    kind = str(op.kind.data)
    type = op.dest.type
    source = widened(f, op.vector)
    start = None if op.acc is None else widened(f, op.acc)
    flags = f.fast_math(op)
    scalar = cast("VectorType[Attribute]", source.type).element_type

    def reduced(name: str, *operands: SSAValue) -> SSAValue:
        full_name = f"llvm.vector.reduce.{name}.{mangled(source.type)}"
        return f.emit(llvm.CallIntrinsicOp, operands, scalar, intrinsic_properties(full_name, len(operands), flags))

    if not is_integer(scalar) and kind in _ORDERED_REDUCTIONS:
        name, neutral = _ORDERED_REDUCTIONS[kind]
        value = reduced(name, start or f.floating(neutral, scalar), source)
    elif kind in _INTEGER_REDUCTIONS:
        value = reduced(kind, source)
        if start is not None:
            value = f.emit(_INTEGER_REDUCTIONS[kind], (start, value), scalar, WRAPS if kind in ("add", "mul") else {})
    else:
        name = _EXTREMA[kind]
        value = None if is_integer(scalar) else extrema.reduced(name, source, f)
        if value is None:
            value = reduced(name if is_integer(scalar) else f"f{name.removesuffix('num')}", source)
        if start is not None:
            value = f.value_intrinsic(f"llvm.{name}", (start, value), scalar, flags)
    f.replace(op, truncate(f, value, type) if is_bfloat(type) else value)


HANDLERS: dict[type[Operation], Handler] = {
    vector.LoadOp: _load,
    vector.StoreOp: _store,
    vector.MaskedLoadOp: _masked_load,
    vector.MaskedStoreOp: _masked_store,
    vector.BroadcastOp: _broadcast,
    vector.FMAOp: floating(llvm.FMAOp),
    vector.ExtractOp: _extract,
    vector.InsertOp: _insert,
    vector.ShuffleOp: _shuffle,
    vector.CreateMaskOp: _create_mask,
    vector.BitcastOp: to(llvm.BitcastOp),
    vector.ReductionOp: _reduce,
}
