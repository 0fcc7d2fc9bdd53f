"""`custom_call` as `xrt.call_target` with destinations.

Which targets there are is asked of the registry, `reference/custom_calls.py`. Targets that only mark values vanish.
Operands and results of a C function lie in memory as the layouts of the call say: they are transposed where those
are not row-major. Functions in Python see arrays, whose layout does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import DictionaryAttr, FunctionType, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stablehlo, xrt
from .attributes import element_of, projection, segments, shape_of, signless, unsupported
from .builder import Lowered, Lowering

OPTIONS = ("api_version", "backend_config", "has_side_effect", "mhlo.backend_config")
"""The attributes of a call that its target may want to know."""


def lower_custom_call(ctx: Lowering, op: stablehlo.CustomCallOp) -> Sequence[Lowered]:
    """The call; an error that lists the known targets if there is none of that name."""
    # Loads NumPy's part of the package, which few programs need.
    from ...reference import custom_calls, lapack

    del lapack  # only registers targets
    name = op.call_target_name.data
    target = custom_calls.TARGETS.get(name)
    if target is None:
        raise unsupported(op, f"unknown target @{name}; {custom_calls.known_targets()}")
    if target is custom_calls.annotation:
        return [ctx.lowered(value) for value in op.inputs]
    if op.called_computations.data:
        raise unsupported(op, f"target @{name} is called with computations")
    types: list[Any] = [signless(result.type) for result in op.results]
    orders: list[tuple[int, ...] | None] = [None] * (len(op.inputs) + len(types))
    if isinstance(target, custom_calls.NativeTarget):
        orders = [
            *custom_calls.physical_orders(op.operand_layouts, len(op.inputs)),
            *custom_calls.physical_orders(op.result_layouts, len(types)),
        ]
    in_orders, out_orders = orders[: len(op.inputs)], orders[len(op.inputs) :]
    inputs = [_permuted(ctx, ctx.tensor(v), order) for v, order in zip(op.inputs, in_orders, strict=True)]
    destinations = [
        ctx.empty(type if order is None else TensorType(type.element_type, [type.get_shape()[d] for d in order]))
        for type, order in zip(types, out_orders, strict=True)
    ]
    results = ctx.emit(
        xrt.CallTargetOp,
        (*inputs, *destinations),
        [destination.type for destination in destinations],
        {
            "target": op.call_target_name,
            "signature": FunctionType.from_lists(
                [value.type for value in op.inputs], [result.type for result in op.results]
            ),
            "options": _options(op),
            "operandSegmentSizes": segments(len(inputs), len(destinations)),
        },
    )
    return [
        _permuted(ctx, result, None if order is None else tuple(order.index(d) for d in range(len(order))))
        for result, order in zip(results, out_orders, strict=True)
    ]


def _options(op: stablehlo.CustomCallOp) -> DictionaryAttr:
    options: dict[str, Attribute] = {}
    for name in OPTIONS:
        value = op.properties.get(name, op.attributes.get(name))
        if value is not None:
            options[name] = value
    return DictionaryAttr(options)


def _permuted(ctx: Lowering, value: SSAValue, order: Sequence[int] | None) -> SSAValue:
    """`value` with dimension `order[i]` as dimension `i`."""
    if order is None:
        return value
    shape = shape_of(value)
    type = TensorType(element_of(value), [shape[dim] for dim in order])
    map = projection(len(order), tuple(order.index(dim) for dim in range(len(order))))
    return ctx.elementwise([(value, map)], type, lambda args: args[0])


CUSTOM_CALLS: dict[type[Operation], Any] = {stablehlo.CustomCallOp: lower_custom_call}
"""Op type to lowering."""
