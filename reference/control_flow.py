"""Control flow, tuples and calls (StableHLO specification, `while`, `if`, `case`, `tuple`, `composite`, ...)."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import SymbolRefAttr

from .arrays import Array
from .registry import Call, reference
from .values import Value


@reference("stablehlo.while")
def while_(call: Call, *operands: Value) -> tuple[Value, ...]:
    values = tuple(operands)
    while bool(call.run(0, *values)[0]):
        values = call.run(1, *values)
    return values


@reference("stablehlo.if")
def if_(call: Call, pred: Array) -> tuple[Value, ...]:
    return call.run(0 if bool(pred) else 1)


@reference("stablehlo.case")
def case(call: Call, index: Array) -> tuple[Value, ...]:
    """An index out of range runs the last branch."""
    branch = int(index)
    last = len(call.op.regions) - 1
    return call.run(branch if 0 <= branch <= last else last)


@reference(
    "stablehlo.optimization_barrier",
    "sdy.all_gather",
    "sdy.all_reduce",
    "sdy.all_slice",
    "sdy.all_to_all",
    "sdy.collective_permute",
    "sdy.data_flow_edge",
    "sdy.func_data_flow_edge",
    "sdy.propagation_barrier",
    "sdy.reduce_scatter",
    "sdy.replicated_to_unreduced",
    "sdy.reshard",
    "sdy.sharded_to_unreduced",
    "sdy.sharding_constraint",
)
def optimization_barrier(call: Call, *operands: Value) -> tuple[Value, ...]:
    return operands


@reference("sdy.sharding_group")
def sharding_group(call: Call, operand: Value) -> tuple[Value, ...]:
    return ()


@reference("sdy.named_computation")
def named_computation(call: Call, *operands: Value) -> tuple[Value, ...]:
    return call.run(0, *operands)


@reference("stablehlo.tuple")
def tuple_(call: Call, *operands: Value) -> tuple[Value, ...]:
    """One result, which is a tuple."""
    return (operands,)


@reference("stablehlo.get_tuple_element")
def get_tuple_element(call: Call, operand: tuple[Value, ...]) -> tuple[Value, ...]:
    return (operand[call.int("index")],)


@reference("stablehlo.composite")
def composite(call: Call, *operands: Value) -> tuple[Value, ...]:
    """What its decomposition computes."""
    decomposition: Any = call.get("decomposition")
    assert isinstance(decomposition, SymbolRefAttr)
    return call.interpreter.call(decomposition.string_value(), operands, call.op)
