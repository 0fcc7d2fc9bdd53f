"""Contractions: `dot_general` as one generic of products summed over reduction loops, and what `convolution.py` shares
with it.

Sums are kept in the result's element type, in f32 for 16-bit floats (rounded by a generic of its
own at the end). Operands are converted to it inside the body. Products and sums of floats may be
reassociated. Of booleans the product is `and`, the sum `or`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from xdsl.dialects import arith, complex
from xdsl.dialects.builtin import AffineMapAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stablehlo
from .attributes import (
    AnyTensor,
    element_of,
    identity,
    is_complex,
    is_integer,
    is_number,
    iterators,
    projection,
    scalar_attribute,
    shape_of,
    signless,
    unsupported,
)
from .builder import Lowered, Lowering, Splat
from .complex_numbers import convert_number
from .data_movement import result_type
from .scalars import REASSOCIATE, accumulator

_REASSOCIATE: Mapping[str, Attribute] = {"fastmath": REASSOCIATE}


def zero(type: Attribute) -> Splat:
    """The rank-0 zero of a signless element type."""
    value = 0 if is_integer(type) else 0.0
    return Splat(scalar_attribute(type, value), TensorType(type, ()))


def contract(
    ctx: Lowering,
    op: Operation,
    operands: Sequence[tuple[SSAValue, AffineMapAttr]],
    type: AnyTensor,
    reduction_loops: int,
) -> SSAValue:
    """Sum over the innermost `reduction_loops` of products of the first two lowered operands; the other
    loops are `type`'s. Further operands only give loops their bounds.
    """
    sources = [element_of(operand) for operand in op.operands[:2]]
    target = element_of(op.results[0])
    sum_type = accumulator(signless(target))
    for element in (*sources, target):
        if not is_number(element):
            raise unsupported(op, f"no products of elements of type {element}")
    rank = len(type.shape.data)
    loops = rank + reduction_loops
    sum_tensor: AnyTensor = TensorType(sum_type, type.get_shape())

    def product(args: Sequence[SSAValue]) -> SSAValue:
        factors = [
            convert_number(ctx, arg, source, _signed_as(target, sum_type))
            for arg, source in zip(args, sources, strict=False)
        ]
        return _combine(ctx, _PRODUCT, factors, sum_type)

    def accumulate(args: Sequence[SSAValue]) -> Sequence[SSAValue]:
        terms = (args[-1], product(args))
        return (_combine(ctx, _SUM, terms, sum_type),)

    if reduction_loops:
        start = ctx.fill(ctx.attribute_constant(zero(sum_type).value), sum_tensor)
        output = (start, projection(loops, tuple(range(rank))))
        (result,) = ctx.generic(operands, [output], iterators(rank, reduction_loops), accumulate)
    else:
        result = ctx.elementwise(operands, sum_tensor, product)
    return truncated(ctx, result, type)


def _signed_as(target: Attribute, sum_type: Attribute) -> Attribute:
    """The accumulator with the sign of the result."""
    return sum_type if signless(target) != sum_type else target


class _Combination(NamedTuple):
    """The op for each kind of element."""

    float: type[Operation]
    integer: type[Operation]
    boolean: type[Operation]
    complex: type[Operation]


_PRODUCT = _Combination(arith.MulfOp, arith.MuliOp, arith.AndIOp, complex.MulOp)
_SUM = _Combination(arith.AddfOp, arith.AddiOp, arith.OrIOp, complex.AddOp)


def _combine(ctx: Lowering, combination: _Combination, args: Any, type: Attribute) -> SSAValue:
    if is_complex(type):
        return ctx.scalar(combination.complex, args, type, _REASSOCIATE)
    if not is_integer(type):
        return ctx.scalar(combination.float, args, type, _REASSOCIATE)
    return ctx.scalar(combination.boolean if type.bitwidth == 1 else combination.integer, args, type)


def truncated(ctx: Lowering, value: SSAValue, type: AnyTensor) -> SSAValue:
    """`value`, a tensor of accumulators, rounded to the element type of `type`."""
    target = type.element_type
    if element_of(value) == target:
        return value
    return ctx.elementwise(
        [(value, identity(len(type.shape.data)))],
        type,
        lambda args: ctx.scalar(arith.TruncFOp, args, target),
    )


def lower_dot_general(ctx: Lowering, op: stablehlo.DotGeneralOp) -> Sequence[Lowered]:
    """Loops: batch, left free and right free dimensions in the order of the result, then the
    contracted ones.
    """
    numbers = op.dot_dimension_numbers
    lhs_batch, lhs_contract = (
        numbers.lhs_batching_dimensions,
        numbers.lhs_contracting_dimensions,
    )
    rhs_batch, rhs_contract = (
        numbers.rhs_batching_dimensions,
        numbers.rhs_contracting_dimensions,
    )
    return _dot(ctx, op, (lhs_batch, rhs_batch), (lhs_contract, rhs_contract))


def lower_dot(ctx: Lowering, op: stablehlo.DotOp) -> Sequence[Lowered]:
    """The last dimension of the left operand with the first of the right."""
    lhs_rank = len(shape_of(op.operands[0]))
    return _dot(ctx, op, ((), ()), ((lhs_rank - 1,), (0,)))


def _dot(
    ctx: Lowering,
    op: Operation,
    batch: tuple[Sequence[int], Sequence[int]],
    contracting: tuple[Sequence[int], Sequence[int]],
) -> Sequence[Lowered]:
    type = result_type(op)
    rank, reduction_loops = len(type.shape.data), len(contracting[0])
    loops = rank + reduction_loops
    operands: list[tuple[SSAValue, AffineMapAttr]] = []
    free_loop = len(batch[0])
    for side in (0, 1):
        loop_of = {dim: i for i, dim in enumerate(batch[side])}
        loop_of |= {dim: rank + i for i, dim in enumerate(contracting[side])}
        operand = ctx.tensor(op.operands[side])
        for dim in range(len(shape_of(operand))):
            if dim not in loop_of:
                loop_of[dim] = free_loop
                free_loop += 1
        dims = tuple(loop_of[dim] for dim in range(len(loop_of)))
        operands.append((operand, projection(loops, dims)))
    return (contract(ctx, op, operands, type, reduction_loops),)


CONTRACTION: dict[type[Operation], Any] = {
    stablehlo.DotGeneralOp: lower_dot_general,
    stablehlo.DotOp: lower_dot,
}
"""Op type to lowering for the contractions."""
