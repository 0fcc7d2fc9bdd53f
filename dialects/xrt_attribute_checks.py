"""Attributes of a module against the table of `xrt_attributes`: their places, their forms, and who writes them.

`verify_xrt_attributes` checks a module of any level, `AttributeSteps` what each pass of a pipeline writes and leaves.
Both run where the verifier runs: in `xla-opt` and under debug flags, not when a program is compiled.
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import FunctionType, IntegerAttr, MemRefType, i8
from xdsl.ir import Attribute, Operation

from ..errors import InvalidProgramError
from .editing import walk
from .xrt_attributes import ATTRIBUTES, pairs_of
from .xrt_names import DONATED, ENTRY, INTERFACE, KERNEL, NUM_INPUTS, NUM_OUTPUTS, PREFIX


def verify_xrt_attributes(module: Operation) -> None:
    """Raises `InvalidProgramError` for an attribute that is not declared, at another op or of another form than
    declared, and for an entry function whose attributes do not agree with each other and with its arguments.
    """
    for op in walk(module):
        if op.attributes and not op.attributes.keys().isdisjoint(ATTRIBUTES):
            for name, value in op.attributes.items():
                if name.startswith(PREFIX):
                    _verify(op, name, value)
            _verify_entry(op)
        elif op.attributes:
            for name in op.attributes:
                if name.startswith(PREFIX):
                    raise _error(op, f"there is no attribute '{name}'")


class AttributeSteps:
    """What passes write and leave, compared with what the table says, from one pass to the next."""

    def __init__(self, module: Operation) -> None:
        self._present = _carriers(module)

    def check(self, pass_name: str, module: Operation, *, declared: bool) -> None:
        """Raises `InvalidProgramError` for an attribute that is new after the pass, which is no writer of it, and for
        one that must be gone after it. A pass that no table names (not `declared`) may write any.
        """
        before, self._present = self._present, _carriers(module)
        for name, op in self._present.items():
            contract = ATTRIBUTES[name]
            if declared and name not in before and pass_name not in contract.writers:
                raise _error(op, f"attribute '{name}' is written by {' and '.join(contract.writers)} only")
            if contract.gone_after == pass_name:
                raise _error(op, f"attribute '{name}' must be gone after this pass")


def _carriers(module: Operation) -> dict[str, Operation]:
    """By declared attribute, the first op of `module` that has it."""
    found: dict[str, Operation] = {}
    for op in walk(module):
        if op.attributes:
            for name in op.attributes.keys() & ATTRIBUTES.keys():
                found.setdefault(name, op)
    return found


def _error(op: Operation, message: str) -> InvalidProgramError:
    return InvalidProgramError(f"'{op.name}' op: {message}", op)


def _verify(op: Operation, name: str, value: Attribute) -> None:
    declared = ATTRIBUTES.get(name)
    if declared is None:
        raise _error(op, f"there is no attribute '{name}'")
    if op.name not in declared.on:
        raise _error(op, f"attribute '{name}' stands on {' and '.join(declared.on)} only")
    if not declared.form.fits(value):
        raise _error(op, f"attribute '{name}' is {declared.form.text}, got {value}")


def _verify_entry(op: Operation) -> None:
    attributes = op.attributes
    if KERNEL in attributes and (role := next((name for name in (ENTRY, INTERFACE) if name in attributes), None)):
        raise _error(op, f"a function with '{role}' is no kernel: '{KERNEL}' does not stand beside it")
    counts = [attributes.get(name) for name in (NUM_INPUTS, NUM_OUTPUTS)]
    if counts == [None, None]:
        if DONATED in attributes and op.name == "func.func":
            raise _error(op, f"attribute '{DONATED}' stands beside '{NUM_INPUTS}' and '{NUM_OUTPUTS}'")
        return
    if None in counts or ENTRY not in attributes:
        raise _error(op, f"attributes '{NUM_INPUTS}' and '{NUM_OUTPUTS}' stand beside each other and '{ENTRY}'")
    inputs, outputs = (cast("IntegerAttr[Any]", count).value.data for count in counts)
    type = op.properties.get("function_type")
    types = type.inputs.data if isinstance(type, FunctionType) else ()
    arena = types[inputs + outputs :]
    if len(types) < inputs + outputs or len(arena) > 1 or not all(map(_is_bytes, arena)):
        raise _error(op, f"expected {inputs} inputs, {outputs} outputs and perhaps an arena of bytes, got {type}")
    _verify_donated(op, types[:inputs], types[inputs : inputs + outputs])


def _verify_donated(op: Operation, inputs: tuple[Attribute, ...], outputs: tuple[Attribute, ...]) -> None:
    pairs = pairs_of(op, DONATED)
    for argument, result in pairs:
        if argument >= len(inputs) or result >= len(outputs) or inputs[argument] != outputs[result]:
            raise _error(op, f"attribute '{DONATED}': result {result} does not fit into argument {argument}")
    for side in zip(*pairs, strict=True):
        if len(set(side)) != len(side):
            raise _error(op, f"attribute '{DONATED}' names an argument or result twice")


def _is_bytes(type: Attribute) -> bool:
    return isinstance(type, MemRefType) and cast("MemRefType[Attribute]", type).element_type == i8
