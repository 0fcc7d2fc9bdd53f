"""What is too large for any program: nesting, ranks, sizes, types and attributes. Nothing below level 0 meets more.

A dimension has a size of 64 bits, an array at most 2^63 - 1 bytes, counted as if no dimension were empty: strides are
products of sizes. NumPy, which the reference computes with, has 64 dimensions. An attribute that contains another one
twice is twice as large, however few names its text has: one of more than `MOST_PARTS` would take for ever to print.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ShapedType,
    StringAttr,
    TensorType,
    UnitAttr,
    VectorType,
)
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.ir.affine import AffineBinaryOpExpr, AffineExpr, AffineMap

from ..errors import InvalidProgramError
from .editing import ops_of
from .element_sizes import element_bytes

MOST_NESTED = 256
"""Of regions in regions, and of attributes and types in one another."""

MOST_DIMENSIONS = 64
"""Of an array: NumPy's limit."""

LARGEST_SIZE = 2**63 - 1
"""Of a dimension, and of an array in bytes."""

LARGEST_STEP = 2**48
"""Of padding, strides and dilations. No address that they are multiplied into is beyond 64 bits then."""

MOST_PROCESSES = 1 << 16
"""Of a grid: each is a thread, and groups list them."""

MOST_PARTS = 1_000_000
"""Of a type or an attribute, each counted as often as it is printed."""


def checked_depth(module: Operation) -> int:
    """How deep regions, or attributes, of `module` nest. Raises `InvalidProgramError` for the first op beyond the
    limits. Linear, and without recursion.
    """
    check = _Extents()
    deepest = 0
    for op, depth in _with_depth(module):
        if depth > MOST_NESTED:
            raise InvalidProgramError(f"'{op.name}' op: stands in more than {MOST_NESTED} regions in one another", op)
        try:
            deepest = max(deepest, depth, check.depth_of(op))
        except _TooLargeError as error:
            raise InvalidProgramError(f"'{op.name}' op: {error}", op) from None
    return deepest


class _TooLargeError(Exception):
    """Says what is too large, and what the limit is; or that there is not a bound for each dimension."""


class _Extent(NamedTuple):
    """Of an attribute."""

    parts: int
    depth: int


_FLAT = frozenset((UnitAttr, StringAttr, IntegerType, IndexType, IntegerAttr, FloatAttr, DenseArrayBase))
"""Attributes of one level and no size."""


class _Extents:
    """Those of attributes, types included, by identity: each object is looked at once."""

    def __init__(self) -> None:
        self._known: dict[int, _Extent] = {}

    def depth_of(self, op: Operation) -> int:
        """The greatest depth of a type or an attribute of `op` that no op before has. Raises `_TooLargeError`."""
        known = self._known
        deepest = 0
        for attribute in _attributes_of(op):
            if id(attribute) not in known and attribute.__class__ not in _FLAT:
                deepest = max(deepest, self._look_into(attribute).depth)
        return deepest

    def _look_into(self, attribute: Attribute) -> _Extent:
        stack = [(attribute, iter(_children(attribute)))]
        while True:
            current, rest = stack[-1]
            child = next((child for child in rest if id(child) not in self._known), None)
            if child is not None:
                stack.append((child, iter(_children(child))))
                continue
            extent = self._known[id(current)] = self._extent(current)
            stack.pop()
            if not stack:
                return extent

    def _extent(self, attribute: Attribute) -> _Extent:
        """That of `attribute`, whose parts are known."""
        children = [self._known[id(child)] for child in _children(attribute)]
        parts = 1 + sum(child.parts for child in children)
        depth = 1 + max((child.depth for child in children), default=0)
        if isinstance(attribute, AffineMapAttr | AffineSetAttr):
            depth += _depth_of_expressions(attribute)
        if parts > MOST_PARTS:
            raise _TooLargeError(f"{_kind(attribute)} of {parts} parts; at most {MOST_PARTS} are taken")
        if depth > MOST_NESTED:
            raise _TooLargeError(f"{_kind(attribute)} nests deeper than {MOST_NESTED}")
        if isinstance(attribute, ShapedType):
            _check_array(attribute)
        return _Extent(parts, depth)


def _depth_of_expressions(attribute: AffineMapAttr | AffineSetAttr) -> int:
    data = attribute.data
    level: list[AffineExpr] = []
    if isinstance(data, AffineMap):
        level += data.results
    else:
        level += [side for constraint in data.constraints for side in (constraint.lhs, constraint.rhs)]
    depth = 0
    while level and depth <= MOST_NESTED:
        level = [side for inner in level if isinstance(inner, AffineBinaryOpExpr) for side in (inner.lhs, inner.rhs)]
        depth += 1
    return depth


def _check_array(type: ShapedType) -> None:
    """Check rank and sizes of a tensor, vector or memref, dynamic ones by their bounds, one each."""
    shape = type.get_shape()
    bounds = getattr(type.encoding, "bounds", ()) if isinstance(type, TensorType) else ()
    if bounds and len(bounds) != len(shape):
        raise _TooLargeError(f"{type}: {len(bounds)} bounds for {len(shape)} dimensions")
    if len(shape) > MOST_DIMENSIONS:
        raise _TooLargeError(f"an array of {len(shape)} dimensions; there are at most {MOST_DIMENSIONS}")
    sizes = [size for size in (*shape, *cast("tuple[int, ...]", bounds)) if size > 1]
    if max(sizes, default=0) > LARGEST_SIZE:
        raise _TooLargeError(f"a dimension of size {max(sizes)}; sizes have 64 bits, the largest is {LARGEST_SIZE}")
    count = prod(sizes) * element_bytes(cast(Any, type).get_element_type())
    if count > LARGEST_SIZE:
        raise _TooLargeError(f"{type} takes {count} bytes; an array has at most {LARGEST_SIZE}")


def _kind(attribute: Attribute) -> str:
    return f"a {attribute.name}" if isinstance(attribute, ParametrizedAttribute) else "an attribute"


def _with_depth(root: Operation) -> Iterator[tuple[Operation, int]]:
    """The ops of `root`, itself included, outer ones first, and how many regions each stands in."""
    pending = [(root, 0)]
    while pending:
        op, depth = pending.pop()
        yield op, depth
        if op.regions:
            inner = [(child, depth + 1) for region in op.regions for block in region.blocks for child in ops_of(block)]
            pending.extend(reversed(inner))


def _attributes_of(op: Operation) -> list[Attribute]:
    found: list[Attribute] = [result._type for result in op.results]
    found += op.properties.values()
    found += op.attributes.values()
    for region in op.regions:
        for block in region.blocks:
            found += [argument._type for argument in block._args]
    return found


_ARRAYS = frozenset((TensorType, VectorType, MemRefType))


def _children(attribute: Attribute) -> tuple[Attribute, ...]:
    """What an attribute consists of, as far as it can be large."""
    if attribute.__class__ in _ARRAYS:
        return ()
    if isinstance(attribute, ArrayAttr):
        return cast("ArrayAttr[Attribute]", attribute).data
    if isinstance(attribute, DictionaryAttr):
        return tuple(attribute.data.values())
    if isinstance(attribute, DenseIntOrFPElementsAttr):
        return (cast(Any, attribute).type,)
    if not isinstance(attribute, ParametrizedAttribute):
        return ()
    children: list[Attribute] = []
    for parameter in attribute.parameters:
        if isinstance(parameter, ArrayAttr):  # a list of parameters is no level of its own
            children.extend(cast("ArrayAttr[Attribute]", parameter).data)
        else:
            children.append(parameter)
    return tuple(children)


DEEPEST_SCHEDULE = 64
"""Loops in each other, or parentheses, in the schedule of a kernel."""
