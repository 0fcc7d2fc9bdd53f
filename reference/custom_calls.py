"""Custom calls, by target name.

A target is a function like that of an op; `custom_call_target` adds one. Here are those that only mark values; those of
LAPACK are in `lapack.py`, those of tests in `checks.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.builtin import DictionaryAttr, FloatAttr, IntegerAttr, StringAttr
from xdsl.ir import Attribute

from ..errors import UnsupportedError
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
        raise UnsupportedError(f"custom call of unknown target @{name}", call.op)
    return target(call, *operands)


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
