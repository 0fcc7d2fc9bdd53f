"""One function in one format: what is measured and how."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from ...reference.denormals import flushed
from . import arguments, complex_functions, engines
from .complex_functions import ComplexFunction
from .exact import evaluate
from .formats import Array, Exact, Format, differs, errors, is_flushed, is_representable, unit_of
from .real_functions import Function


class Measurement(NamedTuple):
    """The result of one measurement.

    `worst`: the greatest error in units of the last place, in each of the components that are told apart; `at`: the
    arguments of the first of them. `exact` results were compared exactly; `wrong` are some of those that came out
    otherwise, as text, `wrong_count` is how many.
    """

    worst: tuple[float, ...]
    at: str
    samples: int
    exact: int
    wrong_count: int
    wrong: tuple[str, ...]


SHOWN = 4
"""How many wrong results a measurement lists."""


def show(value: Any) -> str:
    """A number that can be typed in again, and read."""
    value = float(value)
    if not np.isfinite(value) or (value == int(value) and abs(value) < 1e6):
        return f"{value:g}"
    if len(repr(value)) <= 8:
        return repr(value)
    mantissa, exponent = value.hex().split("p")
    return f"{mantissa.rstrip('0').rstrip('.')}p{exponent} ({value:.4g})"


def exact_results(function: Function, format: Format, operands: Sequence[Array]) -> Exact:
    """What `function` should give for `operands`."""
    if function.in_format is None:
        return evaluate(function.exact, operands)
    with np.errstate(all="ignore"):
        value = function.in_format(*operands).astype(np.float64)
    return Exact(value, np.zeros(len(value)))


def _taken(operands: Sequence[Array], op: str, engine: str) -> Sequence[Array]:
    """What the op takes `operands` for: the one on bits takes them as they are."""
    if engine != engines.FLUSHING or op == "chlo.next_after":
        return operands
    return [cast(Array, flushed(operand)) for operand in operands]


def measure(function: Function, format: Format, count: int, seed: int, engine: str = "native") -> Measurement:
    """Measures on about `count` samples. Raises `UnsupportedError` if the engine does not have the function."""
    samples = arguments.draw(function, format, count, seed)
    special = arguments.special(function, format)
    operands = [np.concatenate(pair) for pair in zip(special, samples, strict=True)]
    got = engines.run(engine, function.op, format.name, operands)
    exact = exact_results(function, format, _taken(operands, function.op, engine))
    with np.errstate(all="ignore"):
        size = function.size(operands[0].astype(np.float64)) if function.size else None
    distance = errors(got, exact, format, size)
    compared = is_representable(exact, format)
    explained = is_flushed(got, exact, format) & (engine == engines.FLUSHING)
    distance = np.where(explained, 0.0, distance)
    compared[: len(special[0])] |= ~np.isfinite(operands[0][: len(special[0])].astype(np.float64))
    wrong = np.flatnonzero(compared & ~explained & differs(got, exact, format))
    # Where zeros, infinities or NaN are wrong the error has no size.
    counted = np.where(np.isfinite(distance), distance, 0.0)
    unbounded = np.flatnonzero(~np.isfinite(distance))
    wrong = np.union1d(wrong, unbounded)
    worst = int(np.argmax(counted))

    def call(at: int) -> str:
        return f"{', '.join(show(operand[at]) for operand in operands)}"

    def mistake(at: int) -> str:
        return f"f({call(at)}) = {show(got[at])}, not {show(format.of(exact.value[at]))}"

    return Measurement(
        (float(counted[worst]),),
        call(worst),
        len(got),
        int(compared.sum()),
        len(wrong),
        tuple(mistake(int(at)) for at in wrong[:SHOWN]),
    )


def measure_complex(function: ComplexFunction, type: str, count: int, seed: int, engine: str = "native") -> Measurement:
    """The same for complex numbers of `type`: the error in units of the whole result and of each part.

    The first counts units in the last place of the absolute value, the second those of the part itself. Of results that
    are not finite only the kind is compared where Annex G leaves signs open.
    """
    element, format = complex_functions.FORMATS[type]
    special = complex_functions.special(function, format)
    samples = complex_functions.draw(function, format, count, seed)
    operands = [np.concatenate(pair) for pair in zip(special, samples, strict=True)]
    got = engines.run(engine, function.op, element, operands, format.name if function.real_result else None)
    parts = [got] if function.real_result else [np.real(got), np.imag(got)]
    exact = complex_functions.evaluate(function, _taken(operands, function.op, engine))
    unit = np.max([unit_of(part.value, format) for part in exact], axis=0)
    flushes = engine == engines.FLUSHING
    explained = [is_flushed(g, e, format) & flushes for g, e in zip(parts, exact, strict=True)]
    separate = [np.where(known, 0.0, errors(g, e, format)) for g, e, known in zip(parts, exact, explained, strict=True)]
    finite = np.all([np.isfinite(e.value) for e in exact], axis=0)
    for operand in operands:
        finite &= np.isfinite(operand)
    whole = np.max([d * (unit_of(e.value, format) / unit) for d, e in zip(separate, exact, strict=True)], axis=0)
    whole, *separate = (np.where(finite & np.isfinite(values), values, 0.0) for values in (whole, *separate))
    checked = np.arange(len(got)) < (len(special[0]) if function.annex_g else 0)
    wrong_parts = [
        _is_wrong(g, e, operands[0], format) & ~known for g, e, known in zip(parts, exact, explained, strict=True)
    ]
    wrong = np.flatnonzero(checked & np.any(wrong_parts, axis=0))
    worst = int(np.argmax(whole))

    def call(at: int) -> str:
        return ", ".join(_show_complex(operand[at]) for operand in operands)

    def mistake(at: int) -> str:
        wanted = [format.of(part.value[at]) for part in exact]
        return f"f({call(at)}) = {_show_parts([p[at] for p in parts])}, not {_show_parts(wanted)}"

    return Measurement(
        (float(whole[worst]), *(float(values.max()) for values in separate)),
        call(worst),
        len(got),
        int(checked.sum()),
        len(wrong),
        tuple(mistake(int(at)) for at in wrong[:SHOWN]),
    )


def _is_wrong(got: Array, exact: Exact, operand: Array, format: Format) -> Array:
    """Where a part is of another kind than it should be, has the wrong sign or is more than a unit off."""
    value = exact.value
    kind = (np.isnan(got) != np.isnan(value)) | (np.isinf(got) != np.isinf(format.of(value)))
    sign = np.isfinite(operand) & ~np.isnan(value) & (np.signbit(got) != np.signbit(value))
    return kind | sign | (np.isfinite(value) & np.isfinite(operand) & (errors(got, exact, format) > SPECIAL_UNITS))


SPECIAL_UNITS = 64.0
"""How far a part of a result at a special argument may be off to be taken for the right one."""


def _show_complex(value: Any) -> str:
    return _show_parts([value.real, value.imag])


def _show_parts(parts: Sequence[Any]) -> str:
    """A number, or real and imaginary part in parentheses."""
    return show(parts[0]) if len(parts) == 1 else f"({', '.join(map(show, parts))})"
