"""What an argument may be, by the annotation of its parameter.

Classes, enumerations, `Sequence[T]`, `tuple[T, T]`, `Mapping[str, T]`, unions, and `Annotated[T, Check]` for what types
cannot say. A check gives the value to go on with: lists for sequences, Python's integers for NumPy's.
"""

from __future__ import annotations

import reprlib
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Union, cast, get_args, get_origin

import numpy as np

from ...interruptions import is_interruption


class RefusedError(Exception):
    """An argument is not what was expected."""

    def __init__(self, expected: str, got: str, place: tuple[int | str, ...] = ()) -> None:
        super().__init__(expected, got)
        self.expected, self.got, self.place = expected, got, place

    def inside(self, place: int | str) -> RefusedError:
        """The same of what stands at `place` in an argument."""
        return RefusedError(self.expected, self.got, (place, *self.place))

    def __str__(self) -> str:
        places = "".join(f"element {p}: " if isinstance(p, int) else f"{p}: " for p in self.place)
        return f"{places}expected {self.expected}, got {self.got}"


class Call:
    """What the arguments of a call have in common: the builder whose operations are among them."""

    __slots__ = ("builder",)

    def __init__(self, builder: Any = None) -> None:
        self.builder = builder


@dataclass(frozen=True)
class Check:
    """What an argument has to be: `accept` gives the value to go on with, or raises `RefusedError`."""

    expected: str
    accept: Callable[[Any, Call], Any]


CHECKS: dict[Any, Check] = {}
"""The checks of classes of which more is asked than `isinstance`."""

_shortened = reprlib.Repr()
_shortened.maxstring = _shortened.maxother = _shortened.maxlong = 100
_PLAIN = (bool, int, float, complex, str, bytes, list, tuple, dict, set, range, type(None), np.number, np.bool_)


def described(value: object) -> str:
    """A value in an error: its text, kept short, or its type where the text does not tell."""
    kind = type(value)
    try:
        text = str(value) if isinstance(value, Enum) else _shortened.repr(value)
    except Exception as error:
        if is_interruption(error):
            raise
        return f"a value of type {kind.__name__}"
    if isinstance(value, Enum):
        return f"{kind.__name__}.{value.name}"
    if isinstance(value, _PLAIN) or kind.__module__.startswith(f"{__package__}."):
        return text
    return f"a value of type {kind.__name__}"


def check_that(expected: str, accepts: Callable[[Any], bool]) -> Check:
    """The check that a condition holds."""

    def accept(value: Any, call: Call) -> Any:
        if not accepts(value):
            raise RefusedError(expected, described(value))
        return value

    return Check(expected, accept)


# Checks of annotations


def integer_check(low: int, high: int, expected: str) -> Check:
    """The check of an integer in a range, of Python or NumPy, and no bool."""

    def accept(value: Any, call: Call) -> int:
        number: Any = value
        if not isinstance(value, int | np.integer) or isinstance(value, bool) or not low <= number <= high:
            raise RefusedError(expected, described(number))
        return int(number)

    return Check(expected, accept)


def _float(value: Any, call: Call) -> float:
    number: Any = value
    if isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool):
        try:
            return float(number)
        except OverflowError:
            pass
    raise RefusedError("a number", described(number))


def _bool(value: Any, call: Call) -> bool:
    flag: Any = value
    if not isinstance(value, bool | np.bool_):
        raise RefusedError("True or False", described(value))
    return bool(flag)


def _str(value: Any, call: Call) -> str:
    try:
        if isinstance(value, str):
            value.encode()
            return value
    except UnicodeEncodeError:
        pass
    raise RefusedError("a text", described(value))


CHECKS[int] = integer_check(-(2**63), 2**63 - 1, "an integer of 64 bits")
CHECKS[float] = Check("a number", _float)
CHECKS[bool] = Check("True or False", _bool)
CHECKS[str] = Check("a text", _str)
CHECKS[Any] = Check("anything", lambda value, call: value)
CHECKS[type(None)] = check_that("None", lambda value: value is None)


def check_of(annotation: Any) -> Check:
    """The check of an annotation."""
    if (known := CHECKS.get(annotation)) is not None:
        return known
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _all_of([check_of(arguments[0]), *(extra for extra in arguments[1:] if isinstance(extra, Check))])
    if origin in (Union, types.UnionType):
        return _any_of([check_of(argument) for argument in arguments])
    if origin is tuple and arguments[-1] is Ellipsis:
        listed = _sequence_check(check_of(arguments[0]))
        return Check(listed.expected, lambda value, call: tuple(listed.accept(value, call)))
    if origin is tuple:
        return _tuple_check([check_of(argument) for argument in arguments])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping_check(check_of(arguments[1]))
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return _sequence_check(check_of(arguments[0]))
    return _class_check(annotation)


def _class_check(kind: type) -> Check:
    expected = with_article(kind.__name__)
    if issubclass(kind, Enum):
        members = ", ".join(kind.__members__) if len(kind) <= 6 else ""
        expected += f" ({members})" if members else ""
    return check_that(expected, lambda value: isinstance(value, kind))


def with_article(name: str) -> str:
    return f"{'an' if name[0] in 'AEIOUX' else 'a'} {name}"


def _all_of(checks: Sequence[Check]) -> Check:
    """Each in turn, of which the last names what is expected."""
    expected = checks[-1].expected

    def accept(value: Any, call: Call) -> Any:
        for check in checks:
            try:
                value = check.accept(value, call)
            except RefusedError as refused:
                if refused.place or refused.expected != check.expected:
                    raise
                raise RefusedError(expected, refused.got) from None
        return value

    return Check(expected, accept)


def _any_of(checks: Sequence[Check]) -> Check:
    """The first that accepts; where none does, the error of one that looked into the argument if there is one."""
    expected = " or ".join(check.expected for check in checks)

    def accept(value: Any, call: Call) -> Any:
        closest: RefusedError | None = None
        for check in checks:
            try:
                return check.accept(value, call)
            except RefusedError as refused:
                if refused.place or refused.expected != check.expected:
                    closest = closest or refused
        raise closest or RefusedError(expected, described(value))

    return Check(expected, accept)


def is_sequence(value: Any) -> bool:
    """Whether it is a list of values: no text, no array without dimensions."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray | memoryview)


def _sequence_check(element: Check) -> Check:
    expected = f"a list, each {element.expected}"

    def accept(value: Any, call: Call) -> list[Any]:
        if not is_sequence(value):
            raise RefusedError(expected, described(value))
        return [element_of(element, part, call, place) for place, part in enumerate(cast("Sequence[Any]", value))]

    return Check(expected, accept)


def _tuple_check(elements: Sequence[Check]) -> Check:
    expected = (
        f"a pair ({', '.join(e.expected for e in elements)})" if len(elements) == 2 else f"{len(elements)} values"
    )

    def accept(value: Any, call: Call) -> tuple[Any, ...]:
        if not is_sequence(value) or len(value) != len(elements):
            raise RefusedError(expected, described(value))
        return tuple(element_of(*pair, call, place) for place, pair in enumerate(zip(elements, value, strict=True)))

    return Check(expected, accept)


def _mapping_check(element: Check) -> Check:
    expected = f"a dictionary from names to {element.expected}"

    def accept(value: Any, call: Call) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise RefusedError(expected, described(value))
        pairs = cast("Mapping[Any, Any]", value).items()
        return {_str(key, call): element_of(element, part, call, str(key)) for key, part in pairs}

    return Check(expected, accept)


def element_of(check: Check, value: Any, call: Call, place: int | str) -> Any:
    try:
        return check.accept(value, call)
    except RefusedError as refused:
        raise refused.inside(place) from None
