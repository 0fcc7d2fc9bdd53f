"""Custom calls, by target name.

A target is a function like that of an op; `custom_call_target` adds one. Here are those that only mark values; those of
LAPACK are in `lapack.py` and `xla_factorizations.py`, those of tests in `checks.py`, C functions in `c_targets.py`.
Compiled programs call the same functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    TupleType,
)
from xdsl.ir import Attribute, Operation

from ..dialects.chlo.calls import OPS_BY_TARGET, op_of_call, takes_smallest
from ..dialects.stablehlo import CustomCallOp
from ..dialects.stablehlo.attributes import TokenType
from ..dialects.stablehlo.tuples import flat
from ..dialects.stablehlo.xla_calls import ANNOTATIONS
from ..dialects.xrt_names import PREFIX
from ..errors import ArgumentError, InvalidProgramError, UnsupportedError, similar_names
from .arrays import Array, fits, is_float, shape_and_dtype
from .c_targets import NativeTarget
from .registry import REFERENCE, Call, Function, reference
from .sorting import sort_by
from .values import TOKEN, Token, Value

TARGETS: dict[str, Function] = {}
"""Name of a custom call to the function that executes it."""


def custom_call_target(*names: str) -> Callable[[Function], Function]:
    """Registers the decorated function, of the call and its operands, as the meaning of the custom calls `names`."""

    def register(function: Function) -> Function:
        for name in names:
            TARGETS[name] = function
        return function

    return register


@reference("stablehlo.custom_call")
def custom_call(call: Call, *operands: Value) -> Any:
    """What its target does; an error for a target nobody registered."""
    name = call.string("call_target_name")
    target = TARGETS.get(name)
    if target is None:
        raise UnsupportedError(f"custom call of unknown target @{name}{like_target(name)}", call.op)
    if isinstance(target, NativeTarget):
        return target(call, *operands)
    return _as_results(call, target(call, *map(_read_only, operands)))


def _read_only(value: Value) -> Value:
    """`value` as a target in Python sees it: a view that it cannot write."""
    if isinstance(value, tuple):
        return tuple(map(_read_only, value))
    if not isinstance(value, np.ndarray):
        return value
    view = value.view()
    view.flags.writeable = False
    return view


def _as_results(call: Call, value: Any) -> tuple[Value, ...]:
    """What a target has returned, as the results of the call; a target may leave out tokens and take tuples apart."""
    types = call.op.result_types
    leaves = list(_leaves(value))
    require_results(call.op, len(leaves), len(flat(types)))
    rest = enumerate(leaves)
    return tuple(_of_type(call, type, rest) for type in types)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple | list):
        for inner in cast("Sequence[Any]", value):
            yield from _leaves(inner)
    elif value is not None and not isinstance(value, Token):
        yield value


def _of_type(call: Call, type: Attribute, leaves: Iterator[tuple[int, Any]]) -> Value:
    """A value of `type` of the next leaves, copied: a target may write later on what it has returned."""
    if isinstance(type, TokenType):
        return TOKEN
    if isinstance(type, TupleType):
        return tuple(_of_type(call, inner, leaves) for inner in type.types.data)
    index, value = next(leaves)
    if not isinstance(type, TensorType):
        return value
    array, tensor_type = np.asarray(value), cast("TensorType[Attribute]", type)
    shape, dtype = shape_and_dtype(tensor_type)
    require_result(call.op, index, array, array.shape if fits(array.shape, tensor_type) else shape, dtype)
    return array.astype(dtype)


def require_results(op: Operation, count: int, expected: int) -> None:
    """Raises ArgumentError if the target of the call `op` has returned another number of values than expected."""
    if count != expected:
        raise ArgumentError(f"{_target_name(op)} returned {count} values, not {expected}", op)


def _target_name(op: Operation) -> str:
    return f"custom call target @{op.call_target_name.data}" if isinstance(op, CustomCallOp) else op.name


def require_result(op: Operation, index: int, value: Array, shape: Sequence[int], dtype: np.dtype[Any]) -> None:
    """Raises ArgumentError if `value`, which the target of the call `op` has returned, has another shape than `shape`
    or elements of another kind than `dtype`."""
    is_same_kind = value.dtype is dtype or np.can_cast(value.dtype, dtype, "same_kind")
    if value.shape != tuple(shape) or not is_same_kind:
        raise ArgumentError(
            f"result {index} of {_target_name(op)} is a {value.dtype.name} array of shape {list(value.shape)}, "
            f"expected {dtype.name} and {list(shape)}",
            op,
        )


def like_target(name: str) -> str:
    """For an error about a name that no target has: which names are like it, or else how a target gets one."""
    known = sorted(known for known in TARGETS if not known.startswith(PREFIX))
    return similar_names(name, known) or "; xdsl_xla.custom_call registers a function of yours"


def backend_options(call: Call) -> dict[str, int | float | str]:
    """The options of the call: the dictionary `mhlo.backend_config`, or `backend_config` if that is one."""
    for name in ("mhlo.backend_config", "backend_config"):
        config = call.attribute(name)
        if isinstance(config, DictionaryAttr):
            return {key: _python_value(value) for key, value in config.data.items()}
    return {}


def backend_letter(call: Call, name: str, default: str = "") -> str:
    """An option that is a letter, which the call gives as its character code."""
    value = backend_options(call).get(name)
    return default if value is None else chr(int(value))


def _python_value(value: Attribute) -> Any:
    if isinstance(value, IntegerAttr | FloatAttr):
        return cast(Any, value).value.data
    return value.data if isinstance(value, StringAttr) else value


@custom_call_target(*ANNOTATIONS)
def annotation(call: Call, *operands: Value) -> tuple[Value, ...]:
    """Marks its operands; on one device the values are what they were."""
    return operands[: len(call.op.results)]


@custom_call_target(*OPS_BY_TARGET)
def function_of_chlo(call: Call, *operands: Value) -> Any:
    """What the op of chlo does for which the call stands."""
    custom_call = cast(CustomCallOp, call.op)
    op = op_of_call(custom_call)
    if op is None:
        raise UnsupportedError(
            f"custom call of @{call.string('call_target_name')} with other attributes than known", call.op
        )
    is_reversed = takes_smallest(custom_call)
    try:
        results = REFERENCE[op.name](Call(op, call.interpreter), *map(_reversed, operands) if is_reversed else operands)
    finally:
        op.drop_all_references()
    return (_reversed(results[0]), *results[1:]) if is_reversed else results


def _reversed(x: Any) -> Any:
    """An involution that turns the order of the elements round, the total order of floats included."""
    return -x if is_float(x.dtype) else np.invert(x).astype(x.dtype)


@custom_call_target("AllocateBuffer")
def allocate_buffer(call: Call) -> Array:
    """Memory that the program will write: zeros here."""
    return np.zeros(*call.result())


@custom_call_target("ApproxTopK")
def approximate_top_k(call: Call, *operands: Array) -> tuple[Array, ...]:
    """The first `top_k` of the inputs sorted by the comparator, exactly; the initial values are not needed.

    Without `aggregate_to_topk` as many as the result has, among which those are.
    """
    options = backend_options(call)
    missing = {"reduction_dim", "top_k"} - options.keys()
    if missing:
        raise InvalidProgramError(f"the backend_config of @ApproxTopK has no {', '.join(sorted(missing))}", call.op)
    inputs = operands[: len(operands) // 2]
    dimension, count = int(options["reduction_dim"]), int(options["top_k"])
    if not options.get("aggregate_to_topk", True):
        count = min(call.result()[0][dimension], inputs[0].shape[dimension])
    (comparator,) = cast(ArrayAttr[SymbolRefAttr], call.get("called_computations")).data
    body = call.interpreter.function(comparator.string_value(), call.op).body

    def less(*pairs: Array) -> Array:
        return call.interpreter.run_elementwise(body, pairs)[0]

    ordered = sort_by(less, dimension, inputs)
    return tuple(np.take(o, range(count), dimension) for o in ordered)
