"""`reduce` and `map`: a region applied at every point, for `reduce` along reduction loops.

The destination is filled with the init values and the region is inlined on the scalars
`(accumulators..., elements...)`. Float additions and multiplications that combine accumulator and
element may be reassociated. A sum, product, maximum or minimum of floats of 16 bits or less is formed in f32, which
vectors hold; of the last two that is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, TensorType
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stablehlo
from .arg_reduction import lower_arg_reduction
from .attributes import (
    AnyTensor,
    element_of,
    identity,
    ints,
    is_number,
    iterators_reducing,
    projection,
    scalar_number,
    shape_of,
    signless,
    unsupported,
)
from .builder import Lowered, Lowering, Splat
from .contraction import truncated
from .elementwise import apply
from .regions import inline, only_op
from .scalars import REASSOCIATE, accumulator, convert_scalar


def lower_reduce(ctx: Lowering, op: stablehlo.ReduceOp) -> Sequence[Lowered]:
    """Loops are the operand's dimensions; those reduced are missing from the output map."""
    if (results := lower_arg_reduction(ctx, op)) is not None:
        return results
    reduced = frozenset(ints(op.dimensions))
    rank = len(shape_of(op.inputs[0]))
    kept = tuple(dim for dim in range(rank) if dim not in reduced)
    return reduce_along(
        ctx,
        op,
        [(ctx.tensor(operand), identity(rank)) for operand in op.inputs],
        projection(rank, kept),
        iterators_reducing(rank, reduced),
    )


def reduce_along(
    ctx: Lowering,
    op: Any,
    inputs: Sequence[tuple[SSAValue, AffineMapAttr]],
    output_map: AffineMapAttr,
    iterator_types: ArrayAttr[IteratorTypeAttr],
    shape_operands: Sequence[tuple[SSAValue, AffineMapAttr]] = (),
) -> Sequence[Lowered]:
    """The generic of a reduction. `shape_operands` are read only for the bounds of loops."""
    types: list[Any] = [signless(result.type) for result in op.results]
    for type in types:
        if not is_number(type.element_type):
            raise unsupported(op, f"no reduction of elements of type {type.element_type}")
    count = len(types)
    widened = _widened_combiner(op)
    sum_types: list[AnyTensor] = [
        TensorType(accumulator(type.element_type), type.get_shape()) if widened else type for type in types
    ]

    def body(args: Sequence[SSAValue]) -> Sequence[SSAValue]:
        elements, accumulators = args[:count], args[len(args) - count :]
        if widened is None:
            pairs = zip(elements, op.inputs, op.results, strict=True)
            promoted = [_promoted(ctx, value, element_of(i), element_of(r)) for value, i, r in pairs]
            return inline(ctx, op.body, (*accumulators, *promoted), reassociate=True)
        type = accumulators[0].type
        element = ctx.scalar(arith.ExtFOp, elements, type)
        terms = (accumulators[0], element)
        return (ctx.scalar(widened, terms, type, {"fastmath": REASSOCIATE}),)

    destinations = [
        (initial(ctx, value, type), output_map) for value, type in zip(op.init_values, sum_types, strict=True)
    ]
    results = ctx.generic((*inputs, *shape_operands), destinations, iterator_types, body)
    return [truncated(ctx, r, type) for r, type in zip(results, types, strict=True)]


def _widened_combiner(op: Any) -> type[Operation] | None:
    """The op on f32 if the region is such a combiner of floats of 16 bits or less."""
    element = element_of(op.results[0])
    if accumulator(element) == element:
        return None
    combiner = only_op(op.body)
    return None if combiner is None else _WIDENED.get(type(combiner))


_WIDENED: dict[type[Operation], type[Operation]] = {
    stablehlo.AddOp: arith.AddfOp,
    stablehlo.MulOp: arith.MulfOp,
    stablehlo.MaxOp: arith.MaximumfOp,
    stablehlo.MinOp: arith.MinimumfOp,
}


def _promoted(ctx: Lowering, value: SSAValue, source: Attribute, target: Attribute) -> SSAValue:
    """`value` in the type that the body computes in, which may be wider than that of the operand."""
    converted = value if source == target else convert_scalar(ctx, value, source, target)
    assert converted is not None
    return converted


def promoted(ctx: Lowering, operand: SSAValue, result: SSAValue) -> SSAValue:
    """`operand` in the element type of `result`, which is that of the body."""
    source, target = element_of(operand), element_of(result)
    if source == target:
        return ctx.tensor(operand)
    type: AnyTensor = TensorType(signless(target), shape_of(operand))
    return apply(ctx, (operand,), type, lambda args: _promoted(ctx, args[0], source, target))


def initial(ctx: Lowering, value: SSAValue, type: AnyTensor) -> SSAValue:
    """A destination of accumulators filled with the rank-0 `value`."""
    lowered = ctx.lowered(value)
    target = type.element_type
    if isinstance(lowered, Splat):
        return ctx.fill(ctx.constant(target, scalar_number(lowered.value)), type)
    if element_of(lowered) == target:
        return ctx.filled(lowered, type)
    everywhere = projection(len(type.shape.data), ())
    source = element_of(value)
    return ctx.elementwise([(lowered, everywhere)], type, lambda args: _promoted(ctx, args[0], source, target))


def lower_map(ctx: Lowering, op: stablehlo.MapOp) -> Sequence[Lowered]:
    """The region at every point."""
    type: Any = signless(op.results[0].type)
    return (apply(ctx, op.inputs, type, lambda args: inline(ctx, op.computation, args)[0]),)


REDUCTION: dict[type[Operation], Any] = {
    stablehlo.MapOp: lower_map,
    stablehlo.ReduceOp: lower_reduce,
}
"""Op type to lowering for the ops that apply a region along loops."""
