"""The ops of the chlo dialect that have a meaning of their own, without being decomposed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import FloatAttr, IntegerAttr

from ..dialects.chlo import RaggedDotDimensionNumbersAttr, ScanOp
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
    cosine = np.abs(np.real(np.sqrt(1 - z) * np.sqrt(1 + z)))
    cosine = np.where(np.isinf(z), np.abs(np.imag(z)), cosine)
    return from_parts(cosine, np.abs(np.imag(np.arcsin(z)))).astype(operand.dtype)


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
    """As in C: `y` where both are equal, also zeros."""
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
    batching = numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions
    contracting = numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions
    (ragged,) = numbers.lhs_ragged_dimensions
    dtype = call.result()[1]
    if ragged in batching[0]:
        return contract(lhs, rhs, batching, contracting, dtype)
    masks = _group_masks(lhs.shape[ragged], group_sizes)
    if ragged in contracting[0]:
        position = contracting[0].index(ragged)
        sides = ((lhs, batching[0], contracting[0]), (rhs, batching[1], contracting[1]))
        products: list[Array] = []
        for mask in masks:
            left, right = (_masked(x, mask, (*batch, *terms[: position + 1])) for x, batch, terms in sides)
            products.append(contract(left, right, batching, contracting, dtype))
        return np.stack(products) if products else np.zeros(*call.result())
    (group_dim,) = numbers.rhs_group_dimensions
    batching, contracting = ((dims[0], tuple(d - (d > group_dim) for d in dims[1])) for dims in (batching, contracting))
    free = [d for d in range(lhs.ndim) if d not in (*batching[0], *contracting[0])]
    row = len(batching[0]) + free.index(ragged)
    result = np.zeros(*call.result())
    for i, mask in enumerate(masks):
        product = contract(lhs, np.take(rhs, i, group_dim), batching, contracting, dtype)
        result = np.where(_spread(mask, range(row + 1), result.ndim), product, result)
    return result


def _group_masks(places: int, group_sizes: Array) -> list[Array]:
    """For each group which of the places are in it; `group_sizes` may have dimensions in front of that of groups."""
    sizes = group_sizes.astype(np.int64)[..., None]
    ends = np.cumsum(sizes, -2)
    position = np.arange(places)
    masks = (ends - sizes <= position) & (position < ends)
    return [masks[..., i, :] for i in range(masks.shape[-2])]


def _masked(value: Array, mask: Array, dims: Sequence[int]) -> Array:
    """`value` where `mask`, whose dimensions are the last of `dims`, holds, else 0."""
    return np.where(_spread(mask, dims, value.ndim), value, np.zeros_like(value))


def _spread(mask: Array, dims: Sequence[int], rank: int) -> Array:
    """`mask`, whose dimensions are the last of `dims`, with ones for the other dimensions."""
    own = list(dims)[-mask.ndim :]
    shape = [1] * rank
    for dim, size in zip(own, mask.shape, strict=True):
        shape[dim] = size
    return mask.transpose(np.argsort(own)).reshape(shape)


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
