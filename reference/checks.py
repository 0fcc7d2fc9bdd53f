"""The ops of the `check` dialect, and the custom calls of the same names.

A check that does not hold is an error with the place of the check in the file, how many elements differ, and of the
first ones index, values and difference.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import XlaError
from .arrays import Array, bit_width, dense_array, is_complex, is_float, shape_and_dtype
from .complex_functions import parts
from .conversion import total_order_key
from .custom_calls import custom_call_target
from .registry import Call, reference

DEFAULT_TOLERANCE = 1e-4
CUSTOM_CALL_TOLERANCE = 1e-3
CUSTOM_CALL_ULPS = 3
"""What upstream's custom calls allow, which have no attributes for it."""

SHOWN_MISMATCHES = 5

INDEX_FILE = "index.csv"
"""Lists the files `interpreter.probe` wrote: probe, type, file."""


class CheckError(XlaError):
    """A check of a test that does not hold."""


def ulp_difference(lhs: Array, rhs: Array) -> Array:
    """How many floats lie between elements, as float64; infinite between NaN or infinity and anything else.

    Zeros of both signs are equal, NaN equals NaN; for complex numbers it is that of the part that is further off.
    """
    if is_complex(lhs.dtype):
        return np.maximum(*map(ulp_difference, parts(lhs), parts(rhs)))
    same = (lhs == rhs) | (np.isnan(lhs) & np.isnan(rhs))
    finite = np.isfinite(lhs) & np.isfinite(rhs)
    keys = [total_order_key(x) for x in (lhs, rhs)]
    # The keys of negative numbers end at -1 for -0, those of others begin with 0.
    steps = [np.where(key < 0, key.astype(np.float64) + 1, key.astype(np.float64)) for key in keys]
    exact = np.where((keys[0] < 0) == (keys[1] < 0), _distance(keys[0], keys[1]), np.abs(steps[0] - steps[1]))
    return np.where(same, 0.0, np.where(finite, exact, np.inf))


def _distance(lhs: Array, rhs: Array) -> Array:
    """The difference of integers of equal sign, which does not overflow."""
    return np.abs(lhs.astype(np.int64) - rhs.astype(np.int64)).astype(np.float64)


def absolute_difference(lhs: Array, rhs: Array) -> Array:
    """|lhs - rhs|, 0 between equal infinities and between NaNs; of the worse part for complex numbers."""
    if is_complex(lhs.dtype):
        return np.maximum(*map(absolute_difference, parts(lhs), parts(rhs)))
    wide = [x.astype(np.float64) for x in (lhs, rhs)]
    same = (wide[0] == wide[1]) | (np.isnan(wide[0]) & np.isnan(wide[1]))
    return np.where(same, 0.0, np.where(np.isnan(wide[0]) | np.isnan(wide[1]), np.inf, np.abs(wide[0] - wide[1])))


def _equal(lhs: Array, rhs: Array) -> Array:
    return (lhs == rhs) | ((lhs != lhs) & (rhs != rhs))


def expect(call: Call, name: str, actual: Array, expected: Array, holds: Array, rule: str) -> None:
    """Raises CheckError where not all of `holds`."""
    if bool(np.all(holds)):
        return
    failures = np.argwhere(~holds)
    lines = [
        f"  [{', '.join(map(str, index))}]: got {actual[tuple(index)]}, expected {expected[tuple(index)]}"
        f"{_difference_text(actual[tuple(index)], expected[tuple(index)])}"
        for index in failures[:SHOWN_MISMATCHES]
    ]
    if len(failures) > SHOWN_MISMATCHES:
        lines.append("  ...")
    count = f"{len(failures)} of {holds.size} elements {rule}"
    raise CheckError("\n".join([f"'{name}': {count}", *lines]), call.op)


def _difference_text(actual: Any, expected: Any) -> str:
    dtype = np.asarray(actual).dtype
    if not is_complex(dtype) and not is_float(dtype):
        return ""
    values = np.asarray(actual), np.asarray(expected)
    ulps = f", {float(ulp_difference(*values)):.0f} ulp" if bit_width(dtype) >= 8 else ""
    return f" (difference {float(absolute_difference(*values)):.3g}{ulps})"


def expect_eq(call: Call, actual: Array, expected: Array, name: str = "check.expect_eq") -> tuple[()]:
    """Equal elements; -0 equals +0, NaN equals NaN."""
    expect(call, name, actual, expected, np.asarray(_equal(actual, expected)), "differ")
    return ()


def expect_almost_eq(
    call: Call, actual: Array, expected: Array, tolerance: float, name: str = "check.expect_almost_eq"
) -> tuple[()]:
    """An absolute difference of at most `tolerance`."""
    holds = absolute_difference(actual, expected) <= tolerance
    expect(call, name, actual, expected, np.asarray(holds), f"differ by more than {tolerance:g}")
    return ()


def expect_close(call: Call, actual: Array, expected: Array, least: int, most: int) -> tuple[()]:
    """A difference of at least `least` and at most `most` floats."""
    ulps = ulp_difference(actual, expected)
    rule = f"are not {least} to {most} ulp apart" if least else f"differ by more than {most} ulp"
    expect(call, "check.expect_close", actual, expected, np.asarray((least <= ulps) & (ulps <= most)), rule)
    return ()


@reference("check.expect_eq")
def _expect_eq(call: Call, lhs: Array, rhs: Array) -> tuple[()]:
    return expect_eq(call, lhs, rhs)


@reference("check.expect_eq_const")
def _expect_eq_const(call: Call, lhs: Array) -> tuple[()]:
    return expect_eq(call, lhs, dense_array(call.get("value")), call.op.name)


@reference("check.expect_almost_eq")
def _expect_almost_eq(call: Call, lhs: Array, rhs: Array) -> tuple[()]:
    return expect_almost_eq(call, lhs, rhs, call.float("tolerance", DEFAULT_TOLERANCE))


@reference("check.expect_almost_eq_const")
def _expect_almost_eq_const(call: Call, lhs: Array) -> tuple[()]:
    tolerance = call.float("tolerance", DEFAULT_TOLERANCE)
    return expect_almost_eq(call, lhs, dense_array(call.get("value")), tolerance, call.op.name)


@reference("check.expect_close")
def _expect_close(call: Call, actual: Array, expected: Array) -> tuple[()]:
    return expect_close(call, actual, expected, call.int("min_ulp_difference", 0), call.int("max_ulp_difference"))


@reference("check.expect_serialized_eq")
def _expect_serialized_eq(call: Call, expected: Array) -> tuple[()]:
    """The value and type that a probe wrote."""
    directory = call.interpreter.environment.host.probe_directory
    probe, iteration = call.string("probe_id"), call.int("iteration", 0)
    entries = [] if directory is None else read_index(directory, probe)
    if iteration >= len(entries):
        raise CheckError(f"'{call.op.name}': probe '{probe}' ran {len(entries)} times, not {iteration + 1}", call.op)
    type, file = entries[iteration]
    wanted = str(call.op.operand_types[0])
    if type != wanted:
        raise CheckError(f"'{call.op.name}': probe '{probe}' has type {type}, expected {wanted}", call.op)
    stored = np.load(file).view(shape_and_dtype(call.op.operand_types[0])[1])
    return expect_eq(call, stored, expected, call.op.name)


def read_index(directory: Path, probe: str) -> list[tuple[str, Path]]:
    """Type and file of each time `probe` ran, in order."""
    index = directory / INDEX_FILE
    if not index.exists():
        return []
    with index.open(newline="") as file:
        return [(type, directory / name) for id, type, name in csv.reader(file) if id == probe]


def _passed(call: Call) -> tuple[Array, ...]:
    """The results of a custom call whose check holds: before `check.expect_eq`, `check.eq` had one, which is true."""
    return tuple(np.ones(*call.result(index)) for index in range(len(call.op.results)))


@custom_call_target("check.expect_eq", "check.eq")
def _custom_expect_eq(call: Call, actual: Array, expected: Array) -> tuple[Array, ...]:
    expect_eq(call, actual, expected)
    return _passed(call)


@custom_call_target("check.expect_almost_eq", "check.almost_eq")
def _custom_expect_almost_eq(call: Call, actual: Array, expected: Array) -> tuple[Array, ...]:
    expect_almost_eq(call, actual, expected, CUSTOM_CALL_TOLERANCE)
    return _passed(call)


@custom_call_target("check.expect_close")
def _custom_expect_close(call: Call, actual: Array, expected: Array) -> tuple[Array, ...]:
    expect_close(call, actual, expected, 0, CUSTOM_CALL_ULPS)
    return _passed(call)
