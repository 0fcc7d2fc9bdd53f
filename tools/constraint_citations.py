"""What the verifier of an op cites, read from its source: numbered constraints of the specification, words for others.

`violation(op, "C3", ...)` cites C3. Followed are the functions of the dialects that a verifier calls, the tuples of
names it passes on, the verifier it extends and those of the op's traits.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple, cast

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation

from ..dialects import stablehlo
from ..dialects.stablehlo.shapes import violation

OWN_DIALECTS = f"{stablehlo.__name__.rpartition('.')[0]}."
"""Where the modules of the dialects are, as a prefix of their names."""

NUMBER = re.compile(r"[CI]\d+")


def cited_numbers(op_type: type[Operation]) -> list[str]:
    """The numbers of the constraints that the verifier of `op_type` cites, in order."""
    numbers = {label for label in cited_labels(op_type) if NUMBER.fullmatch(label)}
    return sorted(numbers, key=lambda name: (name[0], int(name[1:])))


def cited_labels(op_type: type[Operation]) -> set[str]:
    """All that the verifier of `op_type` names in its errors, numbers and words."""
    found: set[str] = set()
    seen: set[FunctionType] = set()
    for name in dir(op_type):
        member = inspect.getattr_static(op_type, name, None)
        function = getattr(member, "__func__", member)
        if isinstance(function, FunctionType) and name != "verify_":
            _collect(function, found, seen)
    for function in _verifiers(op_type):
        _collect(function, found, seen)
    if issubclass(op_type, IRDLOperation):
        for trait in op_type.traits.traits:
            _collect(cast(FunctionType, type(trait).verify), found, seen)
    return found


def _verifiers(op_type: type[Operation]) -> list[FunctionType]:
    """The method `verify_` and those it extends; xDSL wraps it as it is written in the class of an op."""
    found: list[FunctionType] = []
    for base in op_type.__mro__:
        method = vars(base).get("verify_")
        if not isinstance(method, FunctionType):
            continue
        function = inspect.getclosurevars(method).nonlocals.get("custom_verify", method)
        if not isinstance(function, FunctionType) or not function.__module__.startswith(OWN_DIALECTS):
            continue
        found.append(function)
        if "super" not in _mentions(function).names:
            break
    return found


def _collect(function: FunctionType, found: set[str], seen: set[FunctionType]) -> None:
    if function in seen or function is violation or not function.__module__.startswith(OWN_DIALECTS):
        return
    seen.add(function)
    mentions = _mentions(function)
    found |= mentions.labels
    for name in mentions.names:
        value: Any = function.__globals__.get(name)
        if isinstance(value, FunctionType):
            _collect(value, found, seen)
        elif isinstance(value, tuple):
            found |= {item for item in cast(tuple[Any, ...], value) if isinstance(item, str) and NUMBER.fullmatch(item)}


class Mentions(NamedTuple):
    """What the body of a function names."""

    labels: frozenset[str]
    names: frozenset[str]


@cache
def _mentions(function: FunctionType) -> Mentions:
    labels: set[str] = set()
    names: set[str] = set()
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        match node:
            case ast.Call(func=ast.Name(id="violation"), args=[_, ast.Constant(value=str(label)), *_]):
                labels.add(label)
            case ast.Constant(value=str(text)) if NUMBER.fullmatch(text):
                labels.add(text)
            case ast.Name(id=name):
                names.add(name)
            case _:
                pass
    return Mentions(frozenset(labels), frozenset(names))
