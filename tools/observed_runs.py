"""Programs on the reference, watched: within a time, with the values of every op, with roundings that are a little off.

`run_observed` is `reference.interpreter.run` with these. Random roundings are Monte Carlo arithmetic (Parker: Monte
Carlo Arithmetic, 1997; Denis et al.: Verificarlo, 2016): each result that was rounded may be another one nearby. How
far the outputs of some such runs are apart says how well the program determines them (`conditioning.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, cast

import ml_dtypes
import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ..errors import XlaError
from ..nesting import in_deep_thread
from ..reference.arrays import Array, is_complex, is_float
from ..reference.complex_functions import parts
from ..reference.environment import Environment
from ..reference.interpreter import Interpreter, checked_arguments, find_function
from ..reference.values import Value

BASIC = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide}
"""Ops of which a wider type shows whether they have been rounded."""

FUNCTIONS = frozenset(
    "atan2 cbrt cosine exponential exponential_minus_one log log_plus_one logistic power rsqrt sine sqrt tan tanh"
    " complex abs".split()
)
"""Elementary functions, which may be off by `FUNCTION_ULPS`; `abs` only of complex numbers."""

MANY_STEPS = frozenset(
    "batch_norm_grad batch_norm_inference batch_norm_training cholesky convolution dot dot_general einsum fft reduce"
    " reduce_window scatter select_and_scatter triangular_solve unary_einsum ragged_dot scan".split()
)
"""Ops that round on the way, in an order that is theirs to choose; and so do calls of LAPACK."""

COLLECTIVES = frozenset(("all_reduce", "collective_reduce", "reduce_scatter"))
"""Sums over processes, which take part once."""

FUNCTION_ULPS = 4.0
ROUNDING_ULPS = 1.0

SPECIAL = (0.0, 1.0, -1.0)
"""Results of functions that are exact."""

GRID = 2.0**10
"""Sums and products of multiples of 1 / GRID that are small enough are exact."""


class OutOfTimeError(XlaError):
    """A program that does not end on the reference within the time it was given."""


class Recording(dict[SSAValue, Any]):
    """The value that each op of a program gave when it was run first."""


class ObservedInterpreter(Interpreter):
    """The reference with a watch on it."""

    end: float | None = None
    recording: Recording | None = None
    noise: np.random.Generator | None = None

    def fork(self) -> Interpreter:
        other = self._like_this(ObservedInterpreter(self.module, self.environment))
        other.scope = dict(self.scope)
        return other

    def with_environment(self, environment: Environment) -> Interpreter:
        return self._like_this(ObservedInterpreter(self.module, environment))

    def _like_this(self, other: ObservedInterpreter) -> ObservedInterpreter:
        other.end, other.recording, other.noise = self.end, self.recording, self.noise
        return other

    def _check_time(self) -> None:
        if self.end is not None and time.monotonic() > self.end:
            raise OutOfTimeError("the reference takes too long")

    def run_region(self, region: Any, arguments: Sequence[Value]) -> tuple[Value, ...]:
        self._check_time()  # a loop may be empty
        if self.recording is not None:
            for argument, value in zip(region.block.args, arguments, strict=True):
                self.recording.setdefault(argument, value)
        return super().run_region(region, arguments)

    def evaluate(self, op: Operation, operands: Sequence[Value]) -> tuple[Value, ...]:
        self._check_time()
        results = super().evaluate(op, operands)
        if self.noise is not None:
            results = self._perturbed(op, operands, results)
        if self.recording is not None:
            for result, value in zip(op.results, results, strict=True):
                self.recording.setdefault(result, value)
        return results

    def _perturbed(self, op: Operation, operands: Sequence[Value], results: tuple[Value, ...]) -> tuple[Value, ...]:
        assert self.noise is not None
        name = op.name.partition(".")[2]
        if (name in MANY_STEPS or _is_lapack(op)) and _rounds(op) and not _is_small_grid(operands):
            shaken = [_shaken(operand, ROUNDING_ULPS, self.noise) for operand in operands]
            results = super().evaluate(op, shaken)
            return tuple(_shaken(value, ROUNDING_ULPS, self.noise) for value in results)
        if name in COLLECTIVES and _rounds(op):
            return tuple(_shaken(value, ROUNDING_ULPS, self.noise) for value in results)
        if name in BASIC:
            mask = _is_rounded(BASIC[name], operands, results[0])
            return (_shaken(results[0], ROUNDING_ULPS, self.noise, mask),)
        if name in FUNCTIONS or op.name.startswith("chlo."):
            return tuple(_shaken(value, FUNCTION_ULPS, self.noise, _is_not_special(value)) for value in results)
        return results


def _is_lapack(op: Operation) -> bool:
    return op.name == "stablehlo.custom_call" and "lapack" in str(op.properties.get("call_target_name"))


def _rounds(op: Operation) -> bool:
    """Whether an op with a region computes anything in it that is rounded."""
    bodies = [inner.name.partition(".")[2] for region in op.regions for inner in region.walk()]
    return not bodies or any(name in BASIC or name in FUNCTIONS for name in bodies)


def _is_small_grid(operands: Sequence[Value]) -> bool:
    """Whether any sum or product of these is exact, as far as one can say in short."""
    for operand in operands:
        array = np.asarray(operand) if isinstance(operand, np.ndarray | np.generic) else None
        if array is None or not (is_float(array.dtype) or is_complex(array.dtype)) or not array.size:
            continue
        if is_complex(array.dtype) or array.dtype.itemsize < 4:
            return False
        scaled = array.astype(np.float64) * GRID
        with np.errstate(invalid="ignore"):
            if not np.all(np.isfinite(scaled)) or np.any(scaled != np.rint(scaled)):
                return False
        if float(np.sum(np.abs(scaled))) > 2.0**11 * GRID:
            return False
    return True


def _is_rounded(function: Callable[..., Any], operands: Sequence[Value], result: Any) -> np.ndarray[Any, Any] | bool:
    dtype = np.asarray(result).dtype
    if is_complex(dtype):
        return True
    if not is_float(dtype):
        return False
    wide: Any = np.longdouble if dtype == np.float64 else np.float64
    with np.errstate(all="ignore"):
        exact = function(*(np.asarray(operand).astype(wide) for operand in operands))
        return np.asarray(exact != np.asarray(result).astype(wide))


def _is_not_special(value: Any) -> np.ndarray[Any, Any] | bool:
    array = np.asarray(value)
    if is_complex(array.dtype):
        return True
    return ~np.isin(array.astype(np.float64), SPECIAL) if is_float(array.dtype) else False


def _shaken(value: Any, ulps: float, noise: np.random.Generator, mask: Any = True) -> Any:
    """A float array off by up to so many units in the last place where `mask` says so; others as they are."""
    return (
        _moved(np.asarray(cast(Any, value)), ulps, noise, mask) if isinstance(value, np.ndarray | np.generic) else value
    )


def _moved(array: Array, ulps: float, noise: np.random.Generator, mask: Any) -> Array:
    if is_complex(array.dtype):
        whole = np.empty_like(array)
        whole.real, whole.imag = (_moved(part, ulps, noise, True) for part in parts(array))
        return whole
    if not is_float(array.dtype) or not array.size:
        return array
    info: Any = cast(Any, ml_dtypes).finfo(array.dtype)
    wide = np.dtype(np.longdouble if array.dtype == np.float64 else np.float64)
    factor = 1 + noise.uniform(-ulps, ulps, array.size).reshape(array.shape) * float(info.eps)
    with np.errstate(all="ignore"):
        moved = (array.astype(wide) * factor).astype(array.dtype)
    finite = np.isfinite(array.astype(np.float64))
    return np.where(np.logical_and(mask, finite), moved, array).astype(array.dtype)


def run_observed(
    module: ModuleOp,
    entry: str,
    arguments: Sequence[Any],
    environment: Environment | None = None,
    *,
    seconds: float | None = None,
    recording: Recording | None = None,
    noise: np.random.Generator | None = None,
) -> tuple[Any, ...]:
    """As `reference.interpreter.run`. Raises `OutOfTimeError` where that takes longer than `seconds`.

    `recording` receives what each op gives; with `noise` results are off as far as rounding may bring them.
    """
    values = checked_arguments(find_function(module, entry), arguments)
    interpreter = ObservedInterpreter(module, environment)
    interpreter.end = None if seconds is None else time.monotonic() + seconds
    interpreter.recording, interpreter.noise = recording, noise
    try:
        return interpreter.call(entry, values)
    except RecursionError:
        pass
    interpreter.scope = {}
    return in_deep_thread(lambda: interpreter.call(entry, values))
