"""The ops of the chlo dialect that have a meaning of their own, without being decomposed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import FloatAttr, IntegerAttr

from ..dialects.chlo import RaggedDotDimensionNumbersAttr, ScanOp
from ..errors import UnsupportedError
from . import special_functions
from .arithmetic import multiply
from .arrays import Array, bit_width, is_complex, is_float, narrow
from .complex_functions import as_wide, from_parts, in_double
from .contraction import contract
from .conversion import total_order_key
from .data_movement import broadcast_to
from .elementwise import elementwise, elementwise_call, exact
from .registry import REFERENCE, Call, reference


def _register_real_functions() -> None:
    functions = ("erf", "erfc", "erf_inv", "lgamma", "digamma", "bessel_i1e", "zeta", "polygamma")
    for name in functions:
        elementwise(f"chlo.{name}", double=True)(getattr(special_functions, name))


def _register_library_functions() -> None:
    functions: dict[str, Any] = {
        "acos": np.arccos,
        "acosh": np.arccosh,
        "asin": np.arcsin,
        "asinh": np.arcsinh,
        "atan": np.arctan,
        "atanh": np.arctanh,
        "cosh": np.cosh,
        "sinh": np.sinh,
        "tan": np.tan,
    }
    for name, function in functions.items():
        elementwise(f"chlo.{name}", double=True)(_for_real_and_complex(function))


def _for_real_and_complex(function: Callable[..., Any]) -> Callable[..., Any]:
    wide = in_double(function)

    def either(operand: Array) -> Array:
        return wide(operand) if is_complex(operand.dtype) else function(operand)

    return either


_register_real_functions()
_register_library_functions()


@elementwise("chlo.square")
def square(operand: Array) -> Array:
    return multiply(operand, operand)


@elementwise("chlo._asin_acos_kernel")
def asin_acos_kernel(operand: Array) -> Array:
    """w such that asin(x + iy) is atan2(x, Re w) + i sign(y) Im w, and acos atan2(Re w, x) - i sign(y) Im w."""
    z = as_wide(operand)
    cosine = np.sqrt(1 - z) * np.sqrt(1 + z)
    return from_parts(np.abs(np.real(cosine)), np.abs(np.imag(np.arcsin(z)))).astype(operand.dtype)


@exact("chlo.conj")
def conj(operand: Array) -> Array:
    return np.conj(operand) if is_complex(operand.dtype) else operand


@exact("chlo.is_inf")
def is_inf(operand: Array) -> Array:
    return np.isinf(operand)


@exact("chlo.is_pos_inf")
def is_pos_inf(operand: Array) -> Array:
    return np.isinf(operand) & (operand > 0)


@exact("chlo.is_neg_inf")
def is_neg_inf(operand: Array) -> Array:
    return np.isinf(operand) & (operand < 0)


@exact("chlo.next_after")
def next_after(x: Array, y: Array) -> Array:
    """`y` where both are equal, as zeros are."""
    return np.where(x == y, y, np.nextafter(x, y))


@exact("chlo.mulhi")
def mulhi(lhs: Array, rhs: Array) -> Array:
    """The upper half of the product of twice the width."""
    product = lhs.astype(object) * rhs.astype(object)
    high = np.asarray(product >> bit_width(lhs.dtype))
    return high.astype(np.int64 if lhs.dtype.kind != "u" else np.uint64).astype(lhs.dtype)


@reference("chlo.constant")
def constant(call: Call) -> Array:
    return REFERENCE["stablehlo.constant"](call)


@elementwise_call("chlo.constant_like")
def constant_like(call: Call, operand: Array) -> Array:
    """A number in the shape of the operand."""
    number = cast(IntegerAttr | FloatAttr, call.get("value")).value.data
    return np.full(operand.shape, narrow(np.asarray(number), call.result()[1]))


@reference("chlo.top_k")
def top_k(call: Call, operand: Array) -> tuple[Array, Array]:
    """The greatest first, equal ones in order; floats in total order, so NaN is greatest."""
    keys = total_order_key(operand) if is_float(operand.dtype) else operand
    # Bits flipped, the ascending stable sort gives the greatest first.
    order = np.argsort(~keys, axis=-1, kind="stable")[..., : call.int("k")]
    return np.take_along_axis(operand, order, -1), order.astype(np.int32)


@reference("chlo.ragged_dot")
def ragged_dot(call: Call, lhs: Array, rhs: Array, group_sizes: Array) -> Array:
    """`dot_general` group by group; the groups are ranges of one dimension of `lhs`.

    Where that dimension is free, each group has its own `rhs`; where it is contracted, its own result; where it is a
    batch, the groups change nothing.
    """
    numbers = cast(RaggedDotDimensionNumbersAttr, call.get("ragged_dot_dimension_numbers"))
    if group_sizes.ndim != 1:
        raise UnsupportedError(f"{call.op.name} with group_sizes of rank {group_sizes.ndim}", call.op)
    batching = numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions
    contracting = numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions
    (ragged,) = numbers.lhs_ragged_dimensions
    dtype = call.result()[1]
    if ragged in batching[0]:
        return contract(lhs, rhs, batching, contracting, dtype)
    masked = [np.where(mask, lhs, np.zeros_like(lhs)) for mask in _group_masks(lhs, ragged, group_sizes)]
    if ragged in contracting[0]:
        return np.stack([contract(part, rhs, batching, contracting, dtype) for part in masked])
    (group_dim,) = numbers.rhs_group_dimensions
    batching, contracting = ((dims[0], tuple(d - (d > group_dim) for d in dims[1])) for dims in (batching, contracting))
    parts = [
        contract(part, np.take(rhs, i, group_dim), batching, contracting, dtype).astype(np.float64)
        for i, part in enumerate(masked)
    ]
    return narrow(np.sum(parts, 0), dtype)


def _group_masks(lhs: Array, dimension: int, group_sizes: Array) -> list[Array]:
    ends = np.cumsum(group_sizes.astype(np.int64))
    position = np.arange(lhs.shape[dimension], dtype=np.int64).reshape(
        [-1 if d == dimension else 1 for d in range(lhs.ndim)]
    )
    return [(end - size <= position) & (position < end) for end, size in zip(ends, group_sizes, strict=True)]


@reference("chlo.scan")
def scan(call: Call, *operands: Array) -> tuple[Array, ...]:
    """Runs the body for each index along `dimension`; outputs are collected, carries go on to the next."""
    op = call.op
    assert isinstance(op, ScanOp)
    dimension, count = call.int("dimension"), len(op.inputs)
    inputs, carries = operands[:count], operands[count:]
    sizes = [x.shape[dimension] for x in inputs] or [call.result()[0][dimension]]
    order = range(sizes[0])
    collected: list[tuple[Array, ...]] = []
    for i in reversed(order) if call.int("is_reverse", 0) else order:
        values = call.run(0, *(np.take(x, i, dimension) for x in inputs), *carries)
        collected.append(values[: len(op.outputs)])
        carries = values[len(op.outputs) :]
    if call.int("is_reverse", 0):
        collected.reverse()
    if not collected:
        return (*(np.zeros(*call.result(i)) for i in range(len(op.outputs))), *carries)
    return (*(np.stack(values, dimension) for values in zip(*collected, strict=True)), *carries)


# -- ops on operands of different shapes -------------------------------------------------------------------------


def aligned(call: Call, *operands: Array) -> list[Array]:
    """The operands in one shape; dimensions are aligned at the end unless `broadcast_dimensions` places them."""
    rank = max(o.ndim for o in operands)
    places = call.attribute("broadcast_dimensions")
    spread: list[Array] = []
    for operand in operands:
        dims = tuple(range(rank - operand.ndim, rank))
        if places is not None and operand.ndim < rank:
            dims = call.ints("broadcast_dimensions")
        shape = [1] * rank
        for dim, size in zip(dims, operand.shape, strict=True):
            shape[dim] = size
        spread.append(broadcast_to(operand, dims, tuple(shape)))
    return [np.broadcast_to(o, np.broadcast_shapes(*(s.shape for s in spread))) for o in spread]


def _register_broadcasting() -> None:
    names = (
        *("add", "and", "atan2", "compare", "complex", "divide", "maximum", "minimum", "multiply", "or", "power"),
        *("remainder", "select", "shift_left", "shift_right_arithmetic", "shift_right_logical", "subtract", "xor"),
    )
    for name in names:
        _register_broadcast(name, f"stablehlo.{name}")
    for name in ("next_after", "polygamma", "zeta"):
        _register_broadcast(name, f"chlo.{name}")


def _register_broadcast(name: str, target: str) -> None:
    @reference(f"chlo.broadcast_{name}")
    def broadcast(call: Call, *operands: Array) -> Any:
        return REFERENCE[target](call, *aligned(call, *operands))

    del broadcast


_register_broadcasting()
