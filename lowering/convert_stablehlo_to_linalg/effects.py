"""Ops that act on what surrounds the program, as `xrt.call_target` with destinations.

Infeed, outfeed, transfers and collectives are left to the runtime: the target is the name of the op, the options are
its attributes, tokens are gone. The order of the calls is that of the ops. The body of an asynchronous op runs beside
the program, as a program of its own: its text is the option `body`, and a future is the number the runtime gives it.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import DictionaryAttr, FunctionType, ModuleOp, StringAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import interpreter, stablehlo, xrt
from ...dialects.editing import append, clone
from ...dialects.printing import ExactPrinter
from ...dialects.shared_attributes import i32_array
from ...dialects.stablehlo.attributes import TokenType
from ...errors import describe_location
from ...ir.captures import captured
from .attributes import AnyTensor, signless
from .builder import Lowered, Lowering

Order: TypeAlias = "tuple[int, ...] | None"
"""The dimensions of a tensor from the slowest to the fastest in memory; None for a row-major one."""


def values_of(values: Sequence[SSAValue]) -> list[SSAValue]:
    """`values` without tokens."""
    return [value for value in values if value.type.__class__ is not TokenType]


def call_target(
    ctx: Lowering,
    op: Operation,
    operands: Sequence[SSAValue],
    options: dict[str, Attribute],
    target: str | None = None,
    signature: Attribute | None = None,
    orders: Sequence[Order] = (),
    callee: Attribute | None = None,
) -> Sequence[Lowered]:
    """The results of the function registered as `target`, by default the op itself.

    `orders`: those in which the dimensions of operands and results lie in memory, where they are not row-major.
    `callee`: the function of the module that the target calls.
    """
    results = values_of(op.results)
    orders = orders or (None,) * (len(operands) + len(results))
    inputs = [ctx.transposed(ctx.tensor(v), order) for v, order in zip(operands, orders, strict=False)]
    orders = orders[len(operands) :]
    types = [_ordered(result, order) for result, order in zip(results, orders, strict=True)]
    destinations = [ctx.empty(type) for type in types]
    if signature is None:
        signature = FunctionType.from_lists([v.type for v in operands], [result.type for result in results])
    properties = {
        "target": StringAttr(target or op.name),
        "signature": signature,
        "options": DictionaryAttr(options),
        "operandSegmentSizes": i32_array(len(inputs), len(destinations)),
        **({} if callee is None else {"callee": callee}),
    }
    outputs = ctx.emit(xrt.CallTargetOp, (*inputs, *destinations), types, properties)
    backwards = (order and tuple(order.index(dim) for dim in range(len(order))) for order in orders)
    return [ctx.transposed(output, order) for output, order in zip(outputs, backwards, strict=True)]


def _ordered(value: SSAValue, order: Order) -> AnyTensor:
    type = cast(AnyTensor, signless(value.type))
    return type if order is None else TensorType(type.element_type, [type.get_shape()[dim] for dim in order])


def lower_effect(ctx: Lowering, op: Operation) -> Sequence[Lowered]:
    """A call of the op itself, which knows its place in the file for errors."""
    return call_target(ctx, op, values_of(op.operands), {**op.attributes, **op.properties, **location_option(op)})


def location_option(op: Operation) -> dict[str, Attribute]:
    """The place of `op` in the file, for errors."""
    place = describe_location(op.location)
    return {} if place is None else {"location": StringAttr(place)}


def lower_instrument(ctx: Lowering, op: interpreter.PrintOp | interpreter.ProbeOp) -> Sequence[Lowered]:
    """A call that also knows how the program names the value."""
    if op.operand.name_hint:
        op.attributes["name"] = StringAttr(op.operand.name_hint)
    return lower_effect(ctx, op)


def lower_async_start(ctx: Lowering, op: stablehlo.AsyncStartOp) -> Sequence[Lowered]:
    """A call with the text of the body; what that captures is passed to it."""
    outside = list(dict.fromkeys(captured(op.regions)))
    options = {"body": StringAttr(text_of_region(op.body, outside)), **location_option(op)}
    return call_target(ctx, op, [*op.operands, *outside], options)


def text_of_region(region: Region, captured: Sequence[SSAValue]) -> str:
    """A module whose `main` is `region`, a function of its arguments and of the values it captures."""
    source = region.block
    block = Block(arg_types=[value.type for value in (*source.args, *captured)])
    mapping: dict[SSAValue, SSAValue] = dict(zip((*source.args, *captured), block.args, strict=True))
    for op in source.ops:
        if isinstance(op, stablehlo.ReturnOp):
            append(block, func.ReturnOp(*(mapping.get(value, value) for value in op.operands)))
        else:
            append(block, clone(op, mapping))
    assert block.last_op is not None
    types = FunctionType.from_lists(block.arg_types, block.last_op.operand_types)
    return text_of_module(ModuleOp([func.FuncOp("main", types, Region(block))]))


def text_of_module(module: ModuleOp) -> str:
    """Text that parses as `module`, with the places of its ops."""
    output = io.StringIO()
    ExactPrinter(output, print_debuginfo=True).print_op(module)
    return output.getvalue()


def nothing(ctx: Lowering, op: Operation) -> Sequence[Lowered]:
    """Tokens have no lowered form."""
    return ()


EFFECTS: dict[type[Operation], Any] = {
    **dict.fromkeys((stablehlo.AfterAllOp, stablehlo.CreateTokenOp), nothing),
    **dict.fromkeys((interpreter.PrintOp, interpreter.ProbeOp), lower_instrument),
    **dict.fromkeys(
        (
            stablehlo.AsyncDoneOp,
            stablehlo.CollectiveBroadcastOp,
            stablehlo.CollectivePermuteOp,
            stablehlo.InfeedOp,
            stablehlo.OutfeedOp,
            stablehlo.PartitionIdOp,
            stablehlo.RecvOp,
            stablehlo.ReplicaIdOp,
            stablehlo.SendOp,
        ),
        lower_effect,
    ),
    stablehlo.AsyncStartOp: lower_async_start,
}
"""Op type to lowering."""
