"""Custom calls, by target name.

A target is a function like that of an op; `custom_call_target` adds one. Here are those that only mark values; those of
LAPACK are in `lapack.py`, those of tests in `checks.py`. Compiled programs call the same functions.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute

from ..errors import UnsupportedError
from .arrays import Array, dense_array
from .reduction import sort_by
from .registry import Call, Function, reference
from .values import Value

TARGETS: dict[str, Function] = {}
"""Name of a custom call to the function that executes it."""


def custom_call_target(*names: str) -> Callable[[Function], Function]:
    """Registers the decorated function, of the call and its operands, as the meaning of the custom calls `names`."""

    def register(function: Function) -> Function:
        for name in names:
            TARGETS[name] = function
        return function

    return register


@reference("stablehlo.custom_call")
def custom_call(call: Call, *operands: Value) -> Any:
    """What its target does; an error for a target nobody registered."""
    name = call.string("call_target_name")
    target = TARGETS.get(name)
    if target is None:
        raise UnsupportedError(f"custom call of unknown target @{name}; {known_targets()}", call.op)
    return target(call, *operands)


def known_targets() -> str:
    """For an error about another name: which names there are."""
    return f"registered are {', '.join(sorted(TARGETS))}"


class NativeTarget:
    """A target that is a C function `void target(void *out, void **in)`.

    `in` points to the operands; `out` is the result, or an array of pointers to the results if there are none or
    several. Elements lie as the layouts of the call say, row-major where it has none.
    """

    def __init__(self, address: int) -> None:
        self.address = address
        self._function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(address)

    def __call__(self, call: Call, *operands: Array) -> tuple[Array, ...]:
        count = len(call.op.results)
        in_orders = physical_orders(call.attribute("operand_layouts"), len(operands))
        out_orders = physical_orders(call.attribute("result_layouts"), count)
        inputs = [
            np.ascontiguousarray(x if order is None else x.transpose(order))
            for x, order in zip(operands, in_orders, strict=True)
        ]
        results: list[Array] = []
        outputs: list[Array] = []
        for index, order in enumerate(out_orders):
            shape, dtype = call.result(index)
            output = np.empty(shape if order is None else [shape[dim] for dim in order], dtype)
            outputs.append(output)
            results.append(output if order is None else output.transpose(np.argsort(order)))
        out = outputs[0].ctypes.data if count == 1 else _pointers(outputs)
        self._function(out, _pointers(inputs))
        return tuple(results)


def _pointers(arrays: list[Array]) -> Any:
    return (ctypes.c_void_p * max(1, len(arrays)))(*(array.ctypes.data for array in arrays))


def physical_orders(layouts: Attribute | None, count: int) -> list[tuple[int, ...] | None]:
    """For each of `count` tensors its dimensions from the slowest to the fastest in memory; None for row-major ones.

    `layouts` is the attribute `operand_layouts` or `result_layouts` of a call, which lists them the other way round.
    """
    if layouts is None:
        return [None] * count
    orders: list[tuple[int, ...] | None] = []
    for layout in cast("ArrayAttr[DenseIntOrFPElementsAttr]", layouts):
        order = tuple(int(dim) for dim in dense_array(layout)[::-1])
        orders.append(None if order == tuple(range(len(order))) else order)
    return orders


def backend_options(call: Call) -> dict[str, int | float | str]:
    """The options of the call: the dictionary `mhlo.backend_config`, or `backend_config` if that is one."""
    for name in ("mhlo.backend_config", "backend_config"):
        config = call.attribute(name)
        if isinstance(config, DictionaryAttr):
            return {key: _python_value(value) for key, value in config.data.items()}
    return {}


def _python_value(value: Attribute) -> Any:
    if isinstance(value, IntegerAttr | FloatAttr):
        return cast(Any, value).value.data
    return value.data if isinstance(value, StringAttr) else value


@custom_call_target(
    "Sharding",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "LayoutConstraint",
    "annotate_device_placement",
    "xla.sdy.FuncResultSharding",
)
def annotation(call: Call, *operands: Value) -> tuple[Value, ...]:
    """Marks its operands for a partitioner; on one device the values are what they were."""
    return operands


@custom_call_target("ApproxTopK")
def approximate_top_k(call: Call, *operands: Array) -> tuple[Array, ...]:
    """The first `top_k` of the inputs sorted by the comparator, exactly; the initial values are not needed."""
    options = backend_options(call)
    inputs = operands[: len(operands) // 2]
    dimension, count = int(options["reduction_dim"]), int(options["top_k"])
    (comparator,) = cast(ArrayAttr[SymbolRefAttr], call.get("called_computations")).data
    body = call.interpreter.function(comparator.string_value(), call.op).body

    def less(*pairs: Array) -> Array:
        return call.interpreter.run_elementwise(body, pairs)[0]

    ordered = sort_by(less, dimension, inputs)
    return tuple(np.take(o, range(count), dimension) for o in ordered)
