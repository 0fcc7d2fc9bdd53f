"""Types with bounds: `tensor<?x4xf32, #stablehlo.bounds<5, ?>>` has at most 5 rows.

A rule that infers the shape of a result from those of operands says what becomes of bounds too: what is dynamic follows
from the shapes with `?`, and how large it may get from the shapes with the bounds in place of `?`.

Source: StableHLO, "Bounded dynamism" (rfcs/20230704-dynamism-101.md); XLA, shape_inference.cc.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import NamedTuple, overload

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from .attributes import TypeExtensionsAttr
from .shapes import Shape, element_type_of, is_tensor, shape_of, show_shape


def bounds_of(type: Attribute) -> dict[int, int]:
    """The dynamic dimensions of a tensor type that have a bound, each with it."""
    if not is_tensor(type) or not isinstance(type.encoding, TypeExtensionsAttr):
        return {}
    pairs = enumerate(zip(type.get_shape(), type.encoding.bounds, strict=True))
    return {dim: bound for dim, (size, bound) in pairs if size == DYNAMIC_INDEX != bound}


def bounded_type(element_type: Attribute, shape: Sequence[int], bounds: Sequence[int]) -> TensorType[Attribute]:
    """A tensor type whose dynamic dimensions have these bounds, of which those of static dimensions do not matter."""
    known = tuple(bound if n == DYNAMIC_INDEX else DYNAMIC_INDEX for n, bound in zip(shape, bounds, strict=True))
    if all(bound == DYNAMIC_INDEX for bound in known):
        return TensorType(element_type, shape)
    return TensorType(element_type, shape, TypeExtensionsAttr(known))


def greatest_shape(value: SSAValue) -> Shape:
    """The shape with bounds in place of dynamic sizes that have one."""
    bounds = bounds_of(value.type)
    return tuple(bounds.get(dim, size) for dim, size in enumerate(shape_of(value)))


@overload
def inferred_type(
    element_type: Attribute, infer: Callable[[Shape], Sequence[int]], operand: SSAValue, /
) -> TensorType[Attribute]: ...
@overload
def inferred_type(
    element_type: Attribute, infer: Callable[[Shape, Shape], Sequence[int]], lhs: SSAValue, rhs: SSAValue, /
) -> TensorType[Attribute]: ...
@overload
def inferred_type(
    element_type: Attribute,
    infer: Callable[[Shape, Shape, Shape], Sequence[int]],
    first: SSAValue,
    second: SSAValue,
    third: SSAValue,
    /,
) -> TensorType[Attribute]: ...
@overload
def inferred_type(
    element_type: Attribute, infer: Callable[[*tuple[Shape, ...]], Sequence[int]], *operands: SSAValue
) -> TensorType[Attribute]: ...
def inferred_type(
    element_type: Attribute, infer: Callable[..., Sequence[int]], *operands: SSAValue
) -> TensorType[Attribute]:
    """The type of a result whose shape is `infer` of the shapes of `operands`."""
    shape = tuple(infer(*map(shape_of, operands)))
    if DYNAMIC_INDEX not in shape:
        return TensorType(element_type, shape)
    return bounded_type(element_type, shape, infer(*map(greatest_shape, operands)))


def whole_sizes(operand: SSAValue, sizes: Sequence[int]) -> Shape:
    """The sizes of slices of an operand: all of a bounded dimension is as much as there is, so it is dynamic.

    One element is one element.
    """
    bounds = bounds_of(operand.type)
    return tuple(DYNAMIC_INDEX if bounds.get(dim) == size != 1 else size for dim, size in enumerate(sizes))


def broadcast_type(operand: SSAValue, sizes: Sequence[int], dims: Sequence[int]) -> TensorType[Attribute]:
    """The type of an operand broadcast to `sizes`: dimensions of bounded size stay as they are."""
    bounds = bounds_of(operand.type)
    kept = {place for dim, place in enumerate(dims) if dim in bounds}
    shape = [DYNAMIC_INDEX if dim in kept else size for dim, size in enumerate(sizes)]
    return bounded_type(element_type_of(operand), shape, sizes)


# Reshape


class Group(NamedTuple):
    """Consecutive dimensions of two shapes that hold the same elements."""

    source: range
    target: range


def reshape_groups(source: Shape, target: Shape) -> list[Group]:
    """The smallest groups of dimensions of two shapes of as many elements, at least one, in order.

    Dimensions of size 1 belong to the group in front of them, if there is one.
    """
    groups: list[Group] = []
    i = j = 0
    while i < len(source) or j < len(target):
        begin, left, right = (i, j), 1, 1
        if i < len(source):
            left, i = source[i], i + 1
        while left != right:
            if left < right:
                left, i = left * source[i], i + 1
            else:
                right, j = right * target[j], j + 1
        while i < len(source) and source[i] == 1:
            i += 1
        while j < len(target) and target[j] == 1:
            j += 1
        groups.append(Group(range(begin[0], i), range(begin[1], j)))
    return groups


def reshaped_dims(source: Shape, bounded: Iterable[int], target: Shape) -> dict[int, list[int]]:
    """Where the `bounded` dimensions of `source` go in a reshape: the dimensions of `target` made of each other's.

    Shapes are those of the bounds. A dimension of bounded size stays what it is, or is combined with its neighbours; it
    is not split. One of bound 1 must be the first or the last; in a result without dimensions it is taken to be there.
    Raises VerifyException where the result does not have one dimension for it, as XLA does.
    """
    found: dict[int, list[int]] = {}
    if not target or 0 in source:
        return found
    groups = reshape_groups(source, target)
    for dim in bounded:
        place = _edge(source, target, dim) if source[dim] == 1 else _combined(source, target, dim, groups)
        if place is None:
            raise VerifyException(
                f"stablehlo.reshape: dimension {dim}, of bounded size, of {show_shape(source)} becomes no one "
                f"dimension of {show_shape(target)}"
            )
        found.setdefault(place, []).append(dim)
    return found


def _edge(source: Shape, target: Shape, dim: int) -> int | None:
    """A dimension of bound 1 stays the first or the last one."""
    if dim == 0:
        return 0
    return len(target) - 1 if dim == len(source) - 1 else None


def _combined(source: Shape, target: Shape, dim: int, groups: Sequence[Group]) -> int | None:
    """The only dimension that a bounded one and its neighbours become."""
    group = next(group for group in groups if dim in group.source)
    places = [place for place in group.target if target[place] != 1]
    return places[0] if len(places) == 1 else None


def reshaped_type(operand: SSAValue, sizes: Sequence[int]) -> TensorType[Attribute]:
    """The type of an operand with these sizes, those of dimensions made of bounded ones being bounds."""
    bounds, source, target = bounds_of(operand.type), greatest_shape(operand), tuple(sizes)
    if not bounds or DYNAMIC_INDEX in (*source, *target):
        return TensorType(element_type_of(operand), target)
    if prod(source) != prod(target):
        raise VerifyException(
            f"stablehlo.reshape (C2): {operand.type} has up to {prod(source)} elements, "
            f"{show_shape(target)} has {prod(target)}"
        )
    dims = reshaped_dims(source, bounds, target)
    shape = [DYNAMIC_INDEX if dim in dims else size for dim, size in enumerate(target)]
    return bounded_type(element_type_of(operand), shape, target)
