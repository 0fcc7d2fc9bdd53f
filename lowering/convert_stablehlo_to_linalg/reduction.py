"""`reduce` and `map`: a region applied at every point, for `reduce` along reduction loops.

The destination is filled with the init values and the region is inlined on the scalars
`(accumulators..., elements...)`. Float additions and multiplications that combine accumulator and
element may be reassociated. A sum, product, maximum or minimum of floats of 16 bits or less is formed in f32, which
vectors hold; of the last two that is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import AffineMapAttr, TensorType
from xdsl.ir import Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.stablehlo.regions import single_op
from ...dialects.stablehlo.shapes import shape_of
from .arg_reduction import lower_arg_reduction
from .arithmetic import ADD, MAXIMUM, MINIMUM, MULTIPLY, REASSOCIATE, Row
from .attributes import (
    AnyTensor,
    accumulator,
    element_of,
    identity,
    is_number,
    projection,
    result_type,
    signless,
    unsupported,
)
from .builder import Lowered, Lowering, Scalars, Splat
from .contraction import truncated
from .conversions import converted
from .elementwise import apply
from .regions import inline


def lower_reduce(ctx: Lowering, op: stablehlo.ReduceOp) -> Sequence[Lowered]:
    """Loops are the operand's dimensions; those reduced are missing from the output map."""
    if (results := lower_arg_reduction(ctx, op)) is not None:
        return results
    reduced, rank = op.dimensions.get_values(), len(shape_of(op.inputs[0]))
    kept = tuple(dim for dim in range(rank) if dim not in reduced)
    inputs = [(ctx.tensor(operand), identity(rank)) for operand in op.inputs]
    return reduce_along(ctx, op, inputs, projection(rank, kept))


def reduce_along(
    ctx: Lowering,
    op: Any,
    inputs: Sequence[tuple[SSAValue, AffineMapAttr]],
    output_map: AffineMapAttr,
    shape_operands: Sequence[tuple[SSAValue, AffineMapAttr]] = (),
) -> Sequence[Lowered]:
    """The generic of a reduction. `shape_operands` are read only for the bounds of loops."""
    types: list[Any] = [signless(result.type) for result in op.results]
    for type in types:
        if not is_number(type.element_type):
            raise unsupported(op, f"no reduction of elements of type {type.element_type}")
    count = len(types)
    widened = widened_combiner(op)
    sums = [TensorType(accumulator(t.element_type), t.get_shape()) if widened else t for t in types]

    def body(args: Scalars) -> Scalars:
        elements, accumulators = args[:count], args[len(args) - count :]
        if widened is not None:
            total = accumulators[0]
            return (total.combine(widened, elements[0].resized(total.type), REASSOCIATE),)
        # The type that the body computes in may be wider than that of the operand.
        triples = zip(elements, op.inputs, op.results, strict=True)
        promoted = [converted(x.read_as(element_of(i)), element_of(r)) for x, i, r in triples]
        return inline(ctx, op.body, (*accumulators, *promoted), reassociate=True)

    destinations = [initial(ctx, value, type) for value, type in zip(op.init_values, sums, strict=True)]
    results = ctx.generic((*inputs, *shape_operands), destinations, output_map, body)
    return [truncated(ctx, r, type) for r, type in zip(results, types, strict=True)]


def widened_combiner(op: Any) -> Row | None:
    """What the region of a reduction of floats of 16 bits or less combines them by, if that is done in f32."""
    element = element_of(op.results[0])
    if accumulator(element) == element:
        return None
    return _WIDENED.get(type(single_op(op.body)))


_WIDENED: dict[type[Operation | None], Row] = {
    stablehlo.AddOp: ADD,
    stablehlo.MulOp: MULTIPLY,
    stablehlo.MaxOp: MAXIMUM,
    stablehlo.MinOp: MINIMUM,
}


def promoted(ctx: Lowering, operand: SSAValue, result: SSAValue) -> SSAValue:
    """`operand` in the element type of `result`, which is that of the body."""
    target = element_of(result)
    if element_of(operand) == target:
        return ctx.tensor(operand)
    type: AnyTensor = TensorType(signless(target), shape_of(operand))
    return apply(ctx, (operand,), type, lambda args: converted(args[0], target))


def initial(ctx: Lowering, value: SSAValue, type: AnyTensor) -> SSAValue:
    """A destination of accumulators filled with the rank-0 `value`."""
    lowered, target = ctx.lowered(value), type.element_type
    if isinstance(lowered, Splat):
        return ctx.fill(lowered.number, type)
    if element_of(lowered) == target:
        return ctx.filled(lowered, type)
    return apply(ctx, (value,), type, lambda args: converted(args[0], target))


def lower_map(ctx: Lowering, op: stablehlo.MapOp) -> Sequence[Lowered]:
    """The region at every point."""
    return (apply(ctx, op.inputs, result_type(op), lambda args: inline(ctx, op.computation, args)[0]),)
