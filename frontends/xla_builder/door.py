"""The door of a public function: the arguments of a call, bound to its parameters and checked.

    @checked
    def parameter(self, parameter_number: int, shape: Shape, name: str = "") -> XlaOp: ...

A `Form` binds arguments to the parameters of a function, by position and by name, and checks each by its annotation
(`checks.py`). A function with overloads has a form for each, and is called with the arguments of the one that fits, all
by name. Whatever does not fit is an `ArgumentError`: the function, the argument, what was expected, what came.

Annotations are read at the first call.
"""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from ...errors import ArgumentError, similar_names
from ...properties import cached_property
from .checks import CHECKS, Call, Check, RefusedError, check_of, described, element_of, with_article
from .location import position

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Class = TypeVar("Class", bound=type)


@dataclass(frozen=True)
class Parameter:
    """A parameter of a form."""

    name: str
    check: Check
    required: bool
    is_variadic: bool


class Form:
    """The parameters of a function, or of one of its overloads, but those in `given`."""

    def __init__(self, function: Callable[..., Any], given: Iterable[str] = ()) -> None:
        hints = typing.get_type_hints(function, include_extras=True)
        self.positional: list[Parameter] = []
        self.parameters: dict[str, Parameter] = {}
        self.variadic: Parameter | None = None
        for name, parameter in inspect.signature(function).parameters.items():
            if name in given:
                continue
            is_variadic = parameter.kind is parameter.VAR_POSITIONAL
            required = parameter.default is parameter.empty and not is_variadic
            mine = Parameter(name, check_of(hints.get(name, Any)), required, is_variadic)
            if is_variadic:
                self.variadic = mine
                continue
            self.parameters[name] = mine
            if parameter.kind is not parameter.KEYWORD_ONLY:
                self.positional.append(mine)

    def __str__(self) -> str:
        names = [p.name for p in self.positional]
        if self.variadic:
            names.append(f"*{self.variadic.name}")
        return f"({', '.join([*names, *(f'{name}=' for name in self.parameters if name not in names)])})"

    def bind(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], call: Call, names: Mapping[str, str]
    ) -> dict[str, Any]:
        """The arguments by name, checked; `names` are further names of parameters. Raises `MisfitError`."""
        found = self._named(args, kwargs, names)
        bound: dict[str, Any] = {}
        for name, parameter in self.parameters.items():
            if name in found:
                bound[name] = _argument(parameter, found[name], call, len(bound))
        if self.variadic:
            rest = args[len(self.positional) :]
            bound[self.variadic.name] = [_argument(self.variadic, value, call, len(bound)) for value in rest]
        return bound

    def _named(self, args: Sequence[Any], kwargs: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
        if len(args) > len(self.positional) and self.variadic is None:
            rest = [name for name in self.parameters if all(name != p.name for p in self.positional)]
            only = f"; {', '.join(rest)}: by name only" if rest else ""
            raise MisfitError(f"takes at most {len(self.positional)} arguments {self}, got {len(args)}{only}")
        found = {parameter.name: value for parameter, value in zip(self.positional, args, strict=False)}
        for given, value in kwargs.items():
            name = given if given in self.parameters else names.get(given, given)
            if name not in self.parameters:
                close = similar_names(given, [*self.parameters, *names])
                raise MisfitError(f"{given}: expected one of the arguments {self}{close}")
            if name in found:
                raise MisfitError(f"{given}: given twice")
            found[name] = value
        for name, parameter in self.parameters.items():
            if parameter.required and name not in found:
                raise MisfitError(f"{name}: expected {parameter.check.expected}, got nothing")
        return found


class MisfitError(Exception):
    """A call that a form does not fit; of several, the one that got furthest tells what is wrong."""

    def __init__(self, message: str, accepted: int = -1) -> None:
        super().__init__(message)
        self.message, self.accepted = message, accepted


def _argument(parameter: Parameter, value: Any, call: Call, accepted: int) -> Any:
    try:
        return parameter.check.accept(value, call)
    except RefusedError as refused:
        raise MisfitError(f"{parameter.name}: {refused}", accepted) from None


class Door:
    """The forms of a function's calls."""

    def __init__(
        self, function: Callable[..., Any], given: Iterable[str] = (), names: Mapping[str, str] | None = None
    ) -> None:
        self._function, self._given = function, tuple(given)
        self.names = names or {}

    @cached_property
    def forms(self) -> list[Form]:
        overloads = typing.get_overloads(self._function)
        return [Form(function, self._given) for function in overloads or [self._function]]

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any], builder: Any = None) -> dict[str, Any]:
        """The arguments of the first form that fits. Raises `ArgumentError`."""
        closest: MisfitError | None = None
        for form in self.forms:
            try:
                return form.bind(args, kwargs, Call(builder), self.names)
            except MisfitError as misfit:
                if closest is None or misfit.accepted > closest.accepted:
                    closest = misfit
        assert closest is not None
        several = "".join(f" or {form}" for form in self.forms)[4:] if len(self.forms) > 1 else ""
        raise ArgumentError(f"{closest.message}{f'; takes {several}' if several else ''}")


def checked(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """A function or method whose arguments are checked; what is wrong is an error with the location of the call."""
    is_method = next(iter(inspect.signature(function).parameters), "") == "self"
    door = Door(function, given=("self",) if is_method else ())
    owner, _, name = function.__qualname__.rpartition(".")
    label = owner if name == "__init__" else name

    @functools.wraps(function)
    def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        try:
            itself, rest = (args[:1], args[1:]) if is_method else ((), args)
            return function(*itself, **door.bind(rest, kwargs))  # pyright: ignore[reportCallIssue]
        except ArgumentError as error:
            if error.location is not None:
                raise
            raise type(error)(f"{label}: {error.message}", location=position()) from None

    return call


def checked_fields(kind: Class) -> Class:
    """A dataclass whose fields are checked by their annotations: when it is made, and when an operation takes it."""
    constructor: Any = kind.__init__
    kind.__init__ = checked(constructor)  # pyright: ignore[reportAttributeAccessIssue]
    expected = with_article(kind.__name__)

    @functools.cache
    def fields() -> dict[str, Check]:
        return {p.name: p.check for p in Form(constructor, ("self",)).positional}

    def accept(value: Any, call: Call) -> Any:
        if not isinstance(value, kind):
            raise RefusedError(expected, described(value))
        for name, check in fields().items():
            element_of(check, getattr(value, name), call, name)
        return value

    CHECKS[kind] = Check(expected, accept)
    return kind
