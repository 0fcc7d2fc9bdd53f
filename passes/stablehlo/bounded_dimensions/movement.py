"""Ops that move elements: those that count stay in front of the padding."""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, i32, i64
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from ....dialects import stablehlo
from ....dialects.stablehlo import shape_rules
from ....dialects.stablehlo.bounds import bounds_of, greatest_shape, reshaped_dims
from ....dialects.stablehlo.shape_rules import PADDING, RANGES
from ....dialects.stablehlo.shapes import Shape, shape_of
from ....ir.tensor_builder import Tensor
from ....ir.tensors import ints
from ..run_time_checks import Checks
from .values import Bounded, Rule, Site


def _moved(site: Site, op: Operation) -> Sequence[Bounded]:
    """Dimensions of the result are dimensions of the operand, or new ones."""
    return site.emit(site.operands())


def _broadcast_in_dim(site: Site, op: stablehlo.BroadcastInDimOp) -> Sequence[Bounded]:
    (operand,) = site.operands()
    dims = op.broadcast_dimensions.get_values()
    bounds = bounds_of(op.result.type)
    shape = list(shape_of(op.result))
    sizes: dict[int, Tensor] = {}
    for source, dim in enumerate(dims):
        if shape[dim] == DYNAMIC_INDEX:
            shape[dim] = min(bounds.get(dim, operand.shape[source]), operand.shape[source])
            if source in operand.sizes:
                sizes[dim] = operand.sizes[source]
    if DYNAMIC_INDEX in shape:
        raise site.unsupported("the size of a new dimension is not known")
    fixed = [source for source in operand.sizes if dims[source] not in sizes]
    if fixed:
        checks = Checks(site.builder, op)
        origin = [site.size(operand, source).convert(i64) for source in range(operand.rank)]
        fits = checks.all([origin[d].equals(1) | origin[d].equals(shape[dims[d]]) for d in fixed])
        values = ([checks.number(n) for n in numbers] for numbers in (shape, dims))
        checks.require(fits, shape_rules.BROADCAST_IN_DIM, origin, *values)
    return [Bounded(broadcast(site, operand, dims, shape), sizes)]


def broadcast(site: Site, operand: Bounded, dims: Sequence[int], shape: Sequence[int]) -> Tensor:
    """To a padded shape. A dimension of bounded size may turn out to be of size 1, which is repeated then."""
    tensor = operand.tensor
    for source, dim in enumerate(dims):
        if source not in operand.sizes or tensor.shape[source] == shape[dim]:
            continue
        target = [shape[dim] if d == source else n for d, n in enumerate(tensor.shape)]
        fitted = site.fitted(tensor, target)
        if shape[dim] > 1 and tensor.shape[source]:
            first = tensor.slice({source: (0, 1)})
            repeated = first.broadcast(target, range(tensor.rank))
            fitted = operand.sizes[source].equals(1).select(repeated, fitted)
        tensor = fitted
    return tensor.broadcast(shape, dims)


def _concatenate(site: Site, op: stablehlo.ConcatenateOp) -> Sequence[Bounded]:
    """Each operand is written where those before it end, over their padding."""
    operands, dim = site.operands(), op.dimension.value.data
    operands = site.aligned(operands, [[d if d != dim else None for d in range(x.rank)] for x in operands])
    if not any(dim in x.sizes for x in operands):
        return site.emit(operands)
    first, *others = operands
    result, end = first.tensor.pad({dim: sum(x.shape[dim] for x in others)}), site.size(first, dim)
    for x in others:
        result = result.updated(x.tensor, {dim: end})
        end = end + site.size(x, dim)
    return [Bounded(result, {**first.sizes, dim: end})]


def _pad(site: Site, op: stablehlo.PadOp) -> Sequence[Bounded]:
    """The padding of bounded dimensions holds the padding value, so that it continues that of the op."""
    operand, value = site.operands()
    low, high, interior = (ints(op, name) for name in PADDING)
    masked = site.masked(operand, operand.sizes, lambda type: value.tensor.broadcast(type.get_shape(), ()))
    (result,) = site.emit((masked, value))
    sizes = {
        dim: site.number(0).maximum(spread(site, size, interior[dim] + 1) + (low[dim] + high[dim]))
        for dim, size in operand.sizes.items()
    }
    return [Bounded(result.tensor, sizes)]


def spread(site: Site, size: Tensor, step: int) -> Tensor:
    """The extent of `size` elements that are `step` apart."""
    return size if step == 1 else site.number(0).maximum((size - 1) * step + 1)


def _reverse(site: Site, op: stablehlo.ReverseOp) -> Sequence[Bounded]:
    """Reversed padding comes first, and is moved out."""
    (operand,) = site.operands()
    result = site.emit((operand,))[0].tensor
    for dim in op.dimensions.get_values():
        if dim in operand.sizes:
            count = operand.shape[dim]
            start = site.number(count) - operand.sizes[dim]
            result = result.pad({dim: count}).dynamic_slice({dim: start}, {dim: count})
    return [Bounded(result, operand.sizes)]


def _slice(site: Site, op: stablehlo.SliceOp) -> Sequence[Bounded]:
    (operand,) = site.operands()
    starts, limits, strides = (ints(op, name) for name in RANGES)
    needed = [max(n, limit) for n, limit in zip(operand.shape, limits, strict=True)]
    (result,) = site.emit((Bounded(site.fitted(operand.tensor, needed)),))
    sizes: dict[int, Tensor] = {}
    for dim, size in operand.sizes.items():
        left, most = size - starts[dim], site.number(limits[dim] - starts[dim])
        count, step = site.number(0).maximum(left.minimum(most)), strides[dim]
        sizes[dim] = count if step == 1 else (count + (step - 1)) / step
    return [Bounded(result.tensor, sizes)]


# Reshape


def _reshape(site: Site, op: stablehlo.ReshapeOp) -> Sequence[Bounded]:
    """One dimension may be left open: its size follows from the others, those that are bounded too keep theirs."""
    (operand,) = site.operands()
    if (followed := _followed(site, op, operand)) is not None:
        return [followed]
    declared, bounds = shape_of(op.result), bounds_of(op.result.type)
    open_dims = [dim for dim, size in enumerate(declared) if size == DYNAMIC_INDEX]
    kept = _kept_dims(operand, declared, bounds)
    sizes = {dim: operand.sizes[source] for source, dim in kept.items()}
    derived = [dim for dim in open_dims if dim not in sizes]
    if len(derived) > 1:
        raise site.unsupported(f"the sizes of dimensions {derived} of the result do not follow from the operand's")
    count = prod(operand.shape)
    shape = [bounds.get(dim, size) for dim, size in enumerate(declared)]
    for source, dim in kept.items():
        shape[dim] = operand.shape[source]
    for dim in derived:
        rest = prod(size for d, size in enumerate(shape) if d != dim)
        shape[dim] = count // rest if rest else 0
        sizes[dim] = _derived_size(site, operand, declared, {d: s for d, s in sizes.items() if d != dim})
    return [Bounded(reshaped(site, operand, shape, sizes), sizes)]


def _followed(site: Site, op: stablehlo.ReshapeOp, operand: Bounded) -> Bounded | None:
    """Each open dimension is what `reshaped_dims` says; None where the type declares others."""
    declared, source, shape = shape_of(op.result), greatest_shape(op.operand), greatest_shape(op.result)
    if DYNAMIC_INDEX in (*source, *shape) or prod(source) != prod(shape):
        return None
    try:
        dims = reshaped_dims(source, operand.sizes, shape)
    except VerifyException:
        return None
    if not dims or set(dims) != {dim for dim, size in enumerate(declared) if size == DYNAMIC_INDEX}:
        return None
    sizes: dict[int, Tensor] = {}
    for dim, origins in dims.items():
        size = site.number(shape[dim] // prod(source[origin] for origin in origins))
        for origin in origins:
            size = operand.sizes[origin] * size
        sizes[dim] = size
    return Bounded(reshaped(site, operand, shape, sizes), sizes)


def _kept_dims(operand: Bounded, declared: Shape, bounds: dict[int, int]) -> dict[int, int]:
    """Bounded dimensions of the operand that are dimensions of the result too: with as many static elements around."""
    kept: dict[int, int] = {}
    for source in operand.sizes:
        before = _static_before(operand.shape, operand.sizes, source)
        for dim, size in enumerate(declared):
            open_dims = {d for d, n in enumerate(declared) if n == DYNAMIC_INDEX}
            if (
                size == DYNAMIC_INDEX
                and bounds.get(dim, operand.shape[source]) == operand.shape[source]
                and _static_before(declared, open_dims, dim) == before
                and dim not in kept.values()
            ):
                kept[source] = dim
                break
    return kept


def _static_before(shape: Shape, open_dims: Container[int], dim: int) -> tuple[int, int]:
    """How many dynamic dimensions and static elements are in front of a dimension."""
    dynamic = [d for d in range(dim) if d in open_dims]
    return len(dynamic), prod(n for d, n in enumerate(shape[:dim]) if d not in dynamic)


def _derived_size(site: Site, operand: Bounded, declared: Shape, known: dict[int, Tensor]) -> Tensor:
    """Elements of the operand that count, by those of the known dimensions."""
    count = site.number(1)
    for dim in range(operand.rank):
        count = count * site.size(operand, dim)
    rest = site.number(prod(size for size in declared if size != DYNAMIC_INDEX))
    for size in known.values():
        rest = rest * size
    return count / rest.maximum(site.number(1))


def reshaped(site: Site, operand: Bounded, shape: Sequence[int], sizes: dict[int, Tensor]) -> Tensor:
    """In the padded shape `shape`, of which `sizes` count; as many elements as of the operand.

    Where the elements that count lie in one piece, or one bounded dimension stays what it is, this is a view; otherwise
    each element is found by its position among those that count.
    """
    tensor = operand.tensor
    if set(operand.sizes) <= {0} and set(sizes) <= {0}:
        flat = tensor.reshape((prod(tensor.shape),))
        return site.fitted(flat, (prod(shape),)).reshape(shape)
    if len(operand.sizes) == 1 == len(sizes):
        ((source, _),), ((dim, _),) = operand.sizes.items(), sizes.items()
        same = operand.shape[source] == shape[dim] and prod(operand.shape[:source]) == prod(shape[:dim])
        if same and prod(operand.shape) == prod(shape):
            return tensor.reshape(shape)
    if 0 in tensor.shape or 0 in shape:
        return site.builder.splat(tensor.element_type, shape, 0)
    position = _padded_position(site, operand, _position(site, shape, sizes))
    return tensor.reshape((prod(tensor.shape),)).take(position, 0)


def _position(site: Site, shape: Sequence[int], sizes: dict[int, Tensor]) -> Tensor:
    """The position of each element among those that count, in row-major order."""
    position = site.builder.splat(i32, shape, 0)
    stride = site.number(1)
    for dim in reversed(range(len(shape))):
        position = position + site.builder.iota(i32, shape, dim) * stride.broadcast(shape, ())
        stride = stride * (sizes[dim] if dim in sizes else shape[dim])
    return position


def _padded_position(site: Site, operand: Bounded, position: Tensor) -> Tensor:
    """Where the element at a position among those that count lies in the padded tensor."""
    padded = position.number(0)
    stride = 1
    for dim in reversed(range(operand.rank)):
        size = site.size(operand, dim).maximum(site.number(1)).broadcast(position.shape, ())
        padded = padded + position % size * stride
        position = position / size
        stride *= operand.shape[dim]
    return padded


MOVEMENT: dict[type[Operation], Rule] = {
    stablehlo.BroadcastOp: _moved,
    stablehlo.BroadcastInDimOp: _broadcast_in_dim,
    stablehlo.ConcatenateOp: _concatenate,
    stablehlo.PadOp: _pad,
    stablehlo.ReshapeOp: _reshape,
    stablehlo.ReverseOp: _reverse,
    stablehlo.SliceOp: _slice,
    stablehlo.TransposeOp: _moved,
}
"""Op type to rule."""
