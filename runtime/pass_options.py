"""What is wrong with the options of a pass, in words."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType
from xdsl.utils.hints import isa

from ..errors import similar_names

WORDS: Mapping[Any, str] = {int: "an integer", float: "a number", bool: "true or false", str: "a text"}


def option_names(pass_type: type[ModulePass]) -> list[str]:
    """The options of a pass, as its fields are named, in their order."""
    return [field.name for field in dataclasses.fields(pass_type) if field.init and field.name != "name"]


def option_problem(pass_type: type[ModulePass], given: Mapping[str, ParameterListType]) -> str | None:
    """What is wrong with `given`; None if each is an option of the pass and of its type, and none is missing."""
    names = option_names(pass_type)
    values = ArgSpec(pass_type.name, dict(given)).normalize_parameter_names().parameters
    for name in values:
        if name not in names:
            known = [_spelt(each) for each in names]
            has = f"it has {', '.join(known)}" if known else "it has none"
            return f"no option '{_spelt(name)}'{similar_names(_spelt(name), known) or f'; {has}'}"
    for name in pass_type.required_fields():
        if name in names and name not in values:
            return f"option '{_spelt(name)}' is missing"
    types = get_type_hints(pass_type)
    for name, value in values.items():
        if not _fits(value, types[name]):
            text = ",".join(map(str, value)) or "nothing"
            return f"option '{_spelt(name)}': expected {in_words(types[name])}, got {text}"
    return None


def _fits(value: ParameterListType, hint: Any) -> bool:
    """Whether xDSL takes `value` for an option of this type."""
    if not value and get_origin(hint) in (Union, UnionType):
        return NoneType in get_args(hint)
    return (len(value) == 1 and isa(value[0], hint)) or isa(value, hint)


def in_words(hint: Any) -> str:
    """A type of an option: `an integer`, `integers with commas between them`."""
    arguments = get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(in_words(each) for each in arguments if each is not NoneType)
    if get_origin(hint) is Literal:
        return " or ".join(map(str, arguments))
    if get_origin(hint) is tuple and arguments[1:] == (...,):
        return f"{in_words(arguments[0])}, or several with commas between them"
    return WORDS.get(hint) or f"a value of the type {getattr(hint, '__name__', hint)}"


def _spelt(name: str) -> str:
    return name.replace("_", "-")
