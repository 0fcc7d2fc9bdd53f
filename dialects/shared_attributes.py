"""Attributes and types that occur again and again, made and verified once.

Attributes do not change, so that ops can share them. xDSL verifies an attribute each time it is made, which costs as
much as several ops.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute

INDEX = IndexType()
UNIT = UnitAttr()

_MOST = 1 << 14
"""How many attributes of a kind are kept while a program is compiled."""

_MOST_BETWEEN = 1 << 9
"""How many of the types that programs had are kept between compilations."""

_by_identity: list[dict[int, Any]] = []
"""What functions gave for types."""

_by_value: list[Any] = []
"""The functions below."""

ParametersT = ParamSpec("ParametersT")
ResultT = TypeVar("ResultT")


def cached_by_identity(function: Callable[[Attribute], ResultT]) -> Callable[[Attribute], ResultT]:
    """Remembers what `function` gives for a type: finding the same one again costs less than hashing what is equal."""
    results: dict[int, tuple[Attribute, ResultT]] = {}
    _by_identity.append(results)

    @wraps(function)
    def cached(type: Attribute) -> ResultT:
        known = results.get(id(type))
        if known is None:
            if len(results) >= _MOST:
                results.clear()
            known = results[id(type)] = (type, function(type))
        return known[1]

    return cached


def forget_attributes() -> None:
    """Let go of what programs that are compiled have brought, where it has become much: each brings its own."""
    for results in _by_identity:
        if len(results) > _MOST_BETWEEN:
            results.clear()
    for shared in _by_value:
        if shared.cache_info().currsize > _MOST_BETWEEN:
            shared.cache_clear()


def _shared(function: Callable[ParametersT, ResultT]) -> Callable[ParametersT, ResultT]:
    """Remembers what `function` makes of its arguments."""
    cached: Any = lru_cache(_MOST)(function)
    _by_value.append(cached)
    return cached


@_shared
def index_attribute(value: int) -> IntegerAttr[IndexType]:
    """`value : index`."""
    return IntegerAttr(value, INDEX)


@_shared
def i64_attribute(value: int) -> IntegerAttr[IntegerType]:
    """`value : i64`."""
    return IntegerAttr(value, i64)


@_shared
def i32_array(*values: int) -> DenseArrayBase[IntegerType]:
    """`array<i32: values>`."""
    return DenseArrayBase.from_list(i32, values)


@_shared
def i64_array(*values: int) -> DenseArrayBase[IntegerType]:
    """`array<i64: values>`."""
    return DenseArrayBase.from_list(i64, values)


@_shared
def symbol(name: str) -> SymbolRefAttr:
    """`@name`."""
    return SymbolRefAttr(name)


@_shared
def tensor_type(element_type: Attribute, *shape: int) -> TensorType[Attribute]:
    """A tensor type without an encoding."""
    return TensorType(element_type, shape)


@_shared
def memref_type(element_type: Attribute, *shape: int) -> MemRefType[Attribute]:
    """The type of a dense row-major memref."""
    return MemRefType(element_type, shape)


@_shared
def vector_type(element_type: Attribute, *shape: int) -> VectorType[Attribute]:
    """The type of a vector of fixed length."""
    return VectorType(element_type, shape)


@_shared
def function_type(inputs: tuple[Attribute, ...], outputs: tuple[Attribute, ...] = ()) -> FunctionType:
    """`inputs -> outputs`."""
    return FunctionType.from_lists(inputs, outputs)
