"""Ops that move elements without computing: constants, broadcast, reshape, transpose, slice, pad,
concatenate, iota.

Whatever is an affine function of the result index is a generic with that input map. `reshape` is a
view. `pad` and `concatenate` write slices into a new tensor.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr, IntegerType, TensorType, f32, f64, i32, i64
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.element_sizes import element_bits, element_bytes
from ...dialects.stablehlo.shapes import is_complex, shape_of
from ...ir.structured import is_contraction
from .arithmetic import Number, complex_of
from .attributes import (
    AnyTensor,
    affine_map,
    constant_expression,
    dimension,
    element_of,
    identity,
    is_float,
    is_integer,
    is_number,
    leading,
    projection,
    result_type,
    scaled,
    slice_map,
    splat_number,
    unsupported,
)
from .builder import Access, Lowered, Lowering, Scalars, Splat
from .conversions import converted
from .indices import joins_index_vectors

Padding: TypeAlias = tuple[int, int, int]
"""Elements before, after and between the elements of a dimension; the first two may be negative."""


def _moved(ctx: Lowering, op: Operation, map: AffineMapAttr) -> Sequence[Lowered]:
    """The result whose element at each index is that of the operand at the mapped index."""
    source, type = ctx.lowered(op.operands[0]), result_type(op)
    if isinstance(source, Splat):
        return (Splat(source.number, type),)
    return (ctx.moved(source, map, type),)


def lower_constant(ctx: Lowering, op: stablehlo.ConstantOp) -> Sequence[Lowered]:
    """Splats wait for their use; other constants become `arith.constant`."""
    dense: Any = op.value
    number = splat_number(dense)
    if number is None:
        if not is_number(element_of(op.results[0])):
            raise unsupported(op, "no lowering for constants of this element type")
        return (ctx.dense_constant(dense),)
    return (Splat(number, result_type(op), dense),)


def lower_broadcast(ctx: Lowering, op: stablehlo.BroadcastInDimOp) -> Sequence[Lowered]:
    """A projecting map; an expanded dimension of size 1 is read at 0."""
    source, target, dims = shape_of(op.operands[0]), shape_of(op.results[0]), op.broadcast_dimensions.get_values()
    expressions = [
        constant_expression(0) if size == 1 != target[dim] else dimension(dim)
        for dim, size in zip(dims, source, strict=True)
    ]
    return _moved(ctx, op, affine_map(len(target), expressions))


def lower_reshape(ctx: Lowering, op: stablehlo.ReshapeOp) -> Sequence[Lowered]:
    """Views."""
    source, type = ctx.lowered(op.operands[0]), result_type(op)
    if isinstance(source, Splat):
        return (Splat(source.number, type),)
    return (ctx.reshape(source, type.get_shape()),)


def lower_transpose(ctx: Lowering, op: stablehlo.TransposeOp) -> Sequence[Lowered]:
    """A permuted map: result dimension `i` is operand dimension `permutation[i]`."""
    permutation = op.permutation.get_values()
    position = {dim: i for i, dim in enumerate(permutation)}
    dims = tuple(position[dim] for dim in range(len(permutation)))
    return _moved(ctx, op, projection(len(permutation), dims))


def lower_slice(ctx: Lowering, op: stablehlo.SliceOp) -> Sequence[Lowered]:
    """Read at `d * stride + start`; where nothing is read, `start` may be past the last element and is left out.

    Of an operand that has been computed as far as slices read it, the lowered form is smaller.
    """
    operand, target = ctx.lowered(op.operands[0]), shape_of(op.results[0])
    source = shape_of(operand if isinstance(operand, SSAValue) else op.operands[0])
    if source == target:
        return (operand,)
    starts = tuple(start if size else 0 for start, size in zip(op.start_indices.get_values(), target, strict=True))
    strides = op.strides.get_values()
    return _moved(ctx, op, slice_map(source, starts, strides, target))


def lower_reverse(ctx: Lowering, op: stablehlo.ReverseOp) -> Sequence[Lowered]:
    """Reversed dimensions are read at `size - 1 - d`."""
    shape, reversed_dims = shape_of(op.operands[0]), op.dimensions.get_values()
    expressions = [
        scaled(dimension(dim), -1, size - 1) if dim in reversed_dims and size > 1 else dimension(dim)
        for dim, size in enumerate(shape)
    ]
    return _moved(ctx, op, affine_map(len(shape), expressions))


def lower_iota(ctx: Lowering, op: stablehlo.IotaOp) -> Sequence[Lowered]:
    """`linalg.index` of the dimension, cast to the element type."""
    type = result_type(op)
    dim: int = op.iota_dimension.value.data
    element = type.element_type
    if not is_number(element):
        raise unsupported(op, "no lowering for this element type")

    def body(_: Scalars) -> Number:
        index = ctx.loop_index(dim)
        if is_integer(element):
            return index.apply(arith.IndexCastOp, to=element)
        integer = i32 if type.get_shape()[dim] < 1 << 31 else i64
        return converted(index.apply(arith.IndexCastOp, to=integer), element)

    return (ctx.elementwise((), type, body),)


def lower_concatenate(ctx: Lowering, op: stablehlo.ConcatenateOp) -> Sequence[Lowered]:
    """A chain of `tensor.insert_slice` into a new tensor."""
    type, axis = result_type(op), op.dimension.value.data
    rank = len(type.shape.data)
    parts = [operand for operand in op.operands if 0 not in shape_of(operand)]
    if len(parts) == 1:
        return (ctx.lowered(parts[0]),)
    result, offset = ctx.empty(type), 0
    if joins_index_vectors(op):
        return (result,)
    if axis == rank - 1 and (interleaved := _interleaved(ctx, parts, type)) is not None:
        return (interleaved,)
    for part in parts:
        offsets = [offset if dim == axis else 0 for dim in range(rank)]
        result = ctx.insert_slice(ctx.tensor(part), result, offsets)
        offset += shape_of(part)[axis]
    return (result,)


def _interleaved(ctx: Lowering, parts: Sequence[SSAValue], type: AnyTensor) -> SSAValue | None:
    """A concatenation of few elements along the last dimension, such as coordinates of points, as one generic that
    selects the part. Its loop over that dimension is unrolled, which decides the selections and leaves whole rows to be
    stored.

    None where that is not so, or a part would be read at `d mod extent` in whole periods, for which loops are split.
    """
    rank, total = len(type.shape.data), type.get_shape()[-1]
    rows = prod(type.get_shape()[:-1])
    if total > ctx.model.loops.interleaved_run or rows < ctx.model.loops.short_rows or is_complex(type.element_type):
        return None
    offsets = list[int]()
    operands: list[Access] = []
    leading, offset = [dimension(dim) for dim in range(rank - 1)], 0
    for part in parts:
        extent = shape_of(part)[-1]
        if extent > 1 and total % extent == 0 and offset % extent == 0:
            return None
        last = constant_expression(0) if extent == 1 else (dimension(rank - 1) + -offset % extent) % extent
        operands.append((ctx.lowered(part), affine_map(rank, [*leading, last])))
        offset += extent
        offsets.append(offset)

    def body(args: Scalars) -> Number:
        *others, value = args
        for arg, end in reversed(list(zip(others, offsets, strict=False))):
            value = ctx.loop_index(rank - 1).compare("slt", end).select(arg, value)
        return value

    return ctx.elementwise(operands, type, body)


def lower_pad(ctx: Lowering, op: stablehlo.PadOp) -> Sequence[Lowered]:
    """The operand written into a tensor filled with the padding value."""
    parts = (op.edge_padding_low, op.edge_padding_high, op.interior_padding)
    padding = list(zip(*(part.get_values() for part in parts), strict=True))
    source, value = ctx.lowered(op.operands[0]), ctx.lowered(op.operands[1])
    if isinstance(source, Splat) and isinstance(value, Splat) and repr(source.number) == repr(value.number):
        return (Splat(value.number, result_type(op)),)
    return (pad(ctx, ctx.materialize(source), value, padding),)


def pad(ctx: Lowering, source: SSAValue, value: Lowered, padding: Sequence[Padding]) -> SSAValue:
    """`source` with `padding` of the rank-0 `value` in each dimension; `source` itself if there is
    none.

    What negative padding cuts off is left out of the slice that is written, so no element is moved
    twice.
    """
    if not any(map(any, padding)):
        return source
    element = element_of(source)
    shape, offsets, starts, counts = list[int](), list[int](), list[int](), list[int]()
    for size, (low, high, interior) in zip(shape_of(source), padding, strict=True):
        step = interior + 1
        padded = low + high + (size - 1) * step + 1 if size else low + high
        start = -(low // step) if low < 0 else 0
        offset = low + start * step
        stop = min(size, -((low - padded) // step))  # first element at or after the end
        shape.append(padded)
        starts.append(start)
        offsets.append(offset)
        counts.append(max(0, stop - start))
    type: AnyTensor = TensorType(element, shape)
    steps = [interior + 1 for _, _, interior in padding]
    if 0 in counts:
        return ctx.filled(value, type)
    if tuple(counts) != shape_of(source):
        part = slice_map(shape_of(source), starts, (1,) * len(starts), counts)
        source = ctx.moved(source, part, TensorType(element, counts))
    if counts == shape:
        return source
    written_by_tiles = isinstance(source.owner, GenericOp) and is_contraction(source.owner)
    if (
        not written_by_tiles
        or any(interior for _, _, interior in padding)
        or not ctx.model.memory.worth_padding_edges(shape, element_bytes(element))
    ):
        # Of this fill only what the insertion leaves is written (`linalg_to_affine/borders.py`).
        return ctx.insert_slice(source, ctx.filled(value, type), offsets, steps)
    result = ctx.insert_slice(source, ctx.empty(type), offsets)
    for dim, (offset, count, size) in enumerate(zip(offsets, counts, shape, strict=True)):
        for start, stop in ((0, offset), (offset + count, size)):
            if start < stop:
                # As wide as the source in the dimensions before, as the result in those behind.
                edge = [*counts[:dim], stop - start, *shape[dim + 1 :]]
                at = [*offsets[:dim], start, *(0 for _ in shape[dim + 1 :])]
                result = ctx.insert_slice(ctx.filled(value, TensorType(element, edge)), result, at)
    return result


def lower_bitcast_convert(ctx: Lowering, op: stablehlo.BitcastConvertOp) -> Sequence[Lowered]:
    """Between elements of one width a bitcast; else the last dimension holds the parts, least
    significant first.
    """
    type = result_type(op)
    source = ctx.tensor(op.operands[0])
    from_type, to_type = element_of(source), type.element_type
    if from_type == to_type:
        return (source,)
    rank = len(type.shape.data)
    from_width, to_width = element_bits(from_type), element_bits(to_type)
    if is_complex(from_type) and is_complex(to_type):
        return ((_split_complex if from_width > to_width else _join_complex)(ctx, source, type),)
    for element in (from_type, to_type):
        if not (is_integer(element) or is_float(element)):
            raise unsupported(op, "no lowering for this element type")
    if from_width == to_width:
        return (ctx.elementwise([(source, identity(rank))], type, lambda args: args[0].bitcast(to_type)),)
    return ((_split_bits if from_width > to_width else _join_bits)(ctx, source, type),)


def _split_bits(ctx: Lowering, source: SSAValue, type: AnyTensor) -> SSAValue:
    rank = len(type.shape.data)
    wide, narrow = IntegerType(element_bits(element_of(source))), IntegerType(element_bits(type.element_type))

    def part(args: Scalars) -> Number:
        image = args[0].bitcast(wide)
        position = ctx.loop_index(rank - 1).apply(arith.IndexCastOp, to=wide)
        return (image >> position * narrow.bitwidth).apply(arith.TruncIOp, to=narrow).bitcast(type.element_type)

    return ctx.elementwise([(source, leading(rank, rank - 1))], type, part)


def _join_bits(ctx: Lowering, source: SSAValue, type: AnyTensor) -> SSAValue:
    rank = len(type.shape.data)
    narrow, wide = IntegerType(element_bits(element_of(source))), IntegerType(element_bits(type.element_type))
    zero = ctx.fill(0, TensorType(wide, type.get_shape()))

    def join(args: Scalars) -> Scalars:
        image = args[0].bitcast(narrow).apply(arith.ExtUIOp, to=wide)
        position = ctx.loop_index(rank).apply(arith.IndexCastOp, to=wide)
        return (args[1] | (image << position * narrow.bitwidth),)

    (joined,) = ctx.generic([(source, identity(rank + 1))], [zero], leading(rank + 1, rank), join)
    if wide == type.element_type:
        return joined
    return ctx.elementwise([(joined, identity(rank))], type, lambda args: args[0].bitcast(type.element_type))


def _split_complex(ctx: Lowering, source: SSAValue, type: AnyTensor) -> SSAValue:
    """The two halves of the real part of a `complex<f64>`, then those of the imaginary part, as `complex<f32>`."""
    rank = len(type.shape.data)

    def halves(args: Scalars) -> Number:
        real, imaginary = args[0].parts()
        image = ctx.loop_index(rank - 1).compare("eq", 0).select(real, imaginary).bitcast(i64)
        lower, upper = (half.apply(arith.TruncIOp, to=i32) for half in (image, image >> 32))
        return complex_of(lower.bitcast(f32), upper.bitcast(f32))

    return ctx.elementwise([(source, leading(rank, rank - 1))], type, halves)


def _join_complex(ctx: Lowering, source: SSAValue, type: AnyTensor) -> SSAValue:
    """The inverse of `_split_complex`."""
    rank = len(type.shape.data)

    def whole(value: Number) -> Number:
        lower, upper = (part.bitcast(i32).apply(arith.ExtUIOp, to=i64) for part in value.parts())
        return (lower | (upper << 32)).bitcast(f64)

    dims = [dimension(dim) for dim in range(rank)]
    halves = [(source, affine_map(rank, [*dims, constant_expression(part)])) for part in range(2)]
    return ctx.elementwise(halves, type, lambda args: complex_of(*map(whole, args)))


def lower_nothing(ctx: Lowering, op: Operation) -> Sequence[Lowered]:
    """Ops that only pass their operands on."""
    return [ctx.lowered(operand) for operand in op.operands]
