"""What callers of an entry function pass and get: types and names, as a value and as the attribute `xrt.interface`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from ..dialects.xrt_names import INTERFACE


class Interface(NamedTuple):
    """Types on level 0, and names for messages."""

    type: FunctionType
    arguments: tuple[str, ...]
    results: tuple[str, ...]


def interface_of(function: FuncOp) -> Interface:
    """That of a function on level 0: as it stands."""
    type = function.function_type
    arguments = tuple(arg.name_hint or f"arg{index}" for index, arg in enumerate(function.args))
    return Interface(type, arguments, tuple(_result_name(function, index) for index in range(len(type.outputs))))


def _result_name(function: FuncOp, index: int) -> str:
    """`result3`, or the name JAX has left in the attributes of the result."""
    if function.res_attrs is not None:
        info = function.res_attrs.data[index].data.get("jax.result_info")
        if isinstance(info, StringAttr) and info.data:
            return info.data
    return f"result{index}"


def note_interface(function: FuncOp) -> None:
    """Write down what `function` is called with, while it still says so itself."""
    function.attributes[INTERFACE] = _attribute(interface_of(function))


def _attribute(interface: Interface) -> DictionaryAttr:
    names = (ArrayAttr(map(StringAttr, texts)) for texts in (interface.arguments, interface.results))
    return DictionaryAttr(dict(zip(("type", "arguments", "results"), (interface.type, *names), strict=True)))


def refined_interface(function: FuncOp, refined: FunctionType) -> dict[str, Attribute]:
    """The attributes of `function` when its type becomes `refined`: what its callers know becomes as static."""
    interface, declared = noted_interface(function), function.function_type
    if interface is None or declared == refined:
        return function.attributes
    sides = [
        _refined(noted.data, old.data, new.data)
        for noted, old, new in (
            (interface.type.inputs, declared.inputs, refined.inputs),
            (interface.type.outputs, declared.outputs, refined.outputs),
        )
    ]
    noted = interface._replace(type=FunctionType.from_lists(*sides))
    return {**function.attributes, INTERFACE: _attribute(noted)}


def _refined(noted: Sequence[Attribute], old: Sequence[Attribute], new: Sequence[Attribute]) -> Sequence[Attribute]:
    if not len(noted) == len(old) == len(new):
        return noted
    return [after if known == before else known for known, before, after in zip(noted, old, new, strict=True)]


def noted_interface(function: Operation) -> Interface | None:
    """What `note_interface` has written, on any level; the attribute is verified."""
    attribute = function.attributes.get(INTERFACE)
    if attribute is None:
        return None
    data = cast(DictionaryAttr, attribute).data
    names = (cast("ArrayAttr[StringAttr]", data[key]) for key in ("arguments", "results"))
    return Interface(cast(FunctionType, data["type"]), *(tuple(text.data for text in texts) for texts in names))
