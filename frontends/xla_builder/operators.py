"""The table of operations, and how they are called: by position, by name, with the builder or as its methods."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any, ParamSpec, TypeVar, cast

from xdsl.utils.exceptions import VerifyException

from ...errors import ArgumentError, InvalidProgramError, XlaError
from ...interruptions import is_interruption
from .checks import described, is_sequence
from .door import Door
from .location import PACKAGE, position

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Operator:
    """A function that adds an operation to a program."""

    name: str
    cpp_name: str
    takes_builder: bool
    """Whether its first argument is the builder, as in C++ where no operand could tell it."""
    implementation: Callable[..., Any]
    door: Door
    function: Callable[..., Any]
    """What users call."""

    def call(self, args: Sequence[Any], kwargs: Mapping[str, Any], builder: Any = None) -> Any:
        """Check the arguments and add the operation, to `builder` if it is given. Raises `XlaError`, located."""
        bound: dict[str, Any] = {}
        try:
            if builder is not None:
                builder.check_open("builder")
            elif self.takes_builder:
                builder, args, kwargs = _with_builder(self.door, args, kwargs)
            bound = self.door.bind(args, kwargs, builder)
            return self.implementation(builder, **bound) if self.takes_builder else self.implementation(**bound)
        except XlaError as error:
            if error.location is not None or _is_nested():
                raise
            raise type(error)(f"{self.name}: {_shortened(error.message)}", location=position()) from None
        except Exception as error:
            # Ops infer and verify types as they are made; arguments that fit each alone may not fit together.
            if _is_nested() or is_interruption(error):
                raise
            kind, message = _reason(error, bound)
            raise kind(f"{self.name}: {message}", location=position()) from error


OPERATORS: dict[str, Operator] = {}
"""All of them, by the name they have in Python."""


def operation(
    cpp_name: str, *, takes_builder: bool = False, names: Mapping[str, str] | None = None
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Registers a function that adds an operation, called `cpp_name` in C++.

    Its arguments are checked by their annotations (`door.py`); `names` gives parameters further names. A function with
    overloads is called with the arguments of the overload that fits, by name. Where it takes the builder, the call may
    leave it to an operand to tell. What is wrong is raised as an `XlaError` with the location of the call, the
    function's name and the argument's.
    """

    def register(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        name = function.__name__
        door = Door(function, ("builder",) if takes_builder else (), names)

        @functools.wraps(function)
        def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
            return cast(Result, operator.call(args, kwargs))

        operator = Operator(name, cpp_name, takes_builder, function, door, call)
        OPERATORS[name] = operator
        return call

    return register


def apply(name: str, *args: Any) -> Any:
    """Call the operation of that name."""
    return OPERATORS[name].function(*args)


def method(builder: Any, operator: Operator) -> Callable[..., Any]:
    """The operation as a method of a builder, to which all its operands have to belong."""

    @functools.wraps(operator.function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return operator.call(args, kwargs, builder)

    return call


_CALL: CodeType = Operator.call.__code__


def _is_nested() -> bool:
    """Whether the operation that failed is part of another one, which the error will name."""
    frame = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        if frame.f_code is _CALL:
            return True
        frame = frame.f_back
    return False


_OPERAND = re.compile(r"operand '(\w+)' at position \d+ does not verify: (.*)")


def _reason(error: Exception, bound: Mapping[str, Any]) -> tuple[type[XlaError], str]:
    """What is wrong with an op that could not be made of the arguments `bound`."""
    text = " ".join(str(error).split())
    if isinstance(error, VerifyException) and (match := _OPERAND.fullmatch(text)):
        names = [name for name in bound if name == match[1] or len(bound) == 1]
        if names:
            return ArgumentError, f"{names[0]}: {match[2]}"
    listed = ", ".join(f"{name}: {described(value)}" for name, value in bound.items())
    if not isinstance(error, VerifyException):
        text = f"the arguments do not fit together: {type(error).__name__}: {text}"
    return InvalidProgramError, f"{_shortened(text)} ({_shortened(listed)})"


def _shortened(text: str, length: int = 600) -> str:
    return text if len(text) <= length else f"{text[: length - 100]} ... {text[-80:]}"


# The builder of a call


def _with_builder(
    door: Door, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[Any, Sequence[Any], Mapping[str, Any]]:
    """The builder of a call, and its other arguments."""
    from .core import XlaBuilder

    if "builder" in kwargs:
        kwargs = dict(kwargs)
        builder = kwargs.pop("builder")
    elif args and (isinstance(args[0], XlaBuilder) or not _may_be_without(door, args, kwargs)):
        builder, args = args[0], args[1:]
    else:
        builder = next(_builders((*args, *kwargs.values())), None)
    if not isinstance(builder, XlaBuilder):
        raise ArgumentError(
            f"builder: expected an XlaBuilder, or an XlaOp among the operands, got {described(builder)}"
        )
    builder.check_open("builder")
    return builder, args, kwargs


def _may_be_without(door: Door, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether a form takes all these arguments, so that none of them has to be the builder."""
    return any(form.variadic or len(args) + len(kwargs) <= len(form.parameters) for form in door.forms)


def _builders(values: Sequence[Any]) -> Iterator[Any]:
    """The builders of the operands among `values`."""
    from .core import XlaOp

    for value in values:
        if isinstance(value, XlaOp):
            yield value.builder
        elif is_sequence(value) and isinstance(value, list | tuple):
            yield from _builders(cast("Sequence[Any]", value))
