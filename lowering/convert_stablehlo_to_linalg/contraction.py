"""Contractions: `dot_general` as one generic of products summed over reduction loops, and what `convolution.py` shares
with it.

Sums are kept in the result's element type, in f32 for 16-bit floats (rounded by a generic of its
own at the end). Operands are converted to it inside the body. Products and sums of floats may be
reassociated. Of booleans the product is `and`, the sum `or`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.shared_attributes import tensor_type
from ...dialects.stablehlo.shapes import is_complex, shape_of
from .arithmetic import ADD, MULTIPLY, REASSOCIATE, Number
from .attributes import (
    AnyTensor,
    accumulator,
    element_of,
    identity,
    is_integer,
    is_number,
    leading,
    projection,
    result_type,
    signless,
    unsupported,
)
from .builder import Lowered, Lowering, Scalars, Splat
from .conversions import converted


def zero(type: Attribute) -> Splat:
    """The rank-0 zero of a signless element type."""
    return Splat(0 if is_integer(type) else 0j if is_complex(type) else 0.0, tensor_type(type))


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
    for element in (*sources, target):
        if not is_number(element):
            raise unsupported(op, f"no products of elements of type {element}")
    wide = accumulator(target)
    rank = len(type.shape.data)
    sums: AnyTensor = tensor_type(signless(wide), *type.get_shape())

    def product(args: Scalars) -> Number:
        lhs, rhs = (converted(arg.read_as(s), wide) for arg, s in zip(args, sources, strict=False))
        return lhs.combine(MULTIPLY, rhs, REASSOCIATE)

    def accumulate(args: Scalars) -> Scalars:
        return (args[-1].combine(ADD, product(args), REASSOCIATE),)

    if reduction_loops:
        start = ctx.filled(zero(sums.element_type), sums)
        (result,) = ctx.generic(operands, [start], leading(rank + reduction_loops, rank), accumulate)
    else:
        result = ctx.elementwise(operands, sums, product)
    return truncated(ctx, result, type)


def truncated(ctx: Lowering, value: SSAValue, type: AnyTensor) -> SSAValue:
    """`value`, a tensor of accumulators, rounded to the element type of `type`."""
    if element_of(value) == type.element_type:
        return value
    same = identity(len(type.shape.data))
    return ctx.elementwise([(value, same)], type, lambda args: args[0].resized(type.element_type))


def lower_dot(ctx: Lowering, op: stablehlo.DotGeneralOp) -> Sequence[Lowered]:
    """Loops: batch, left free and right free dimensions in the order of the result, then the contracted ones."""
    *batch, lhs_contracting, rhs_contracting = op.dot_dimension_numbers.data
    contracting = (lhs_contracting, rhs_contracting)
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
