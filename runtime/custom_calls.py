"""Functions that programs call by name, `stablehlo.custom_call`: `custom_call` registers one for both engines."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeVar, cast, overload

from xdsl.dialects.builtin import ArrayAttr, BytesAttr, StringAttr, SymbolRefAttr

from ..dialects.xrt import COMPUTATIONS
from ..dialects.xrt_names import PREFIX
from ..errors import ArgumentError
from ..reference.c_targets import NativeTarget
from ..reference.custom_calls import TARGETS, backend_options
from ..reference.registry import Call
from ..reference.values import Token
from .executable import Executable
from .function_addresses import function_address
from .options import refuse, text

_FUNCTION = cast(type, ctypes.CFUNCTYPE(None).__base__)
"""The type of the functions of ctypes, whatever they take and return."""

PythonTarget = TypeVar("PythonTarget", bound=Callable[..., Any])


@overload
def custom_call(name: str) -> Callable[[PythonTarget], PythonTarget]: ...
@overload
def custom_call(name: str, function: Any) -> None: ...
def custom_call(name: str, function: Any = None) -> Any:
    """Register the target `name` of `stablehlo.custom_call`, replacing an earlier one of that name.

    As a decorator, of a function that takes the operands as NumPy arrays and returns an array, or a tuple of them for
    several results. Shapes must be those of the results; element types are converted within their kind. The entries
    of a dictionary `backend_config` (or `mhlo.backend_config`) come as keyword arguments, a string as the keyword
    argument `backend_config` if it is not empty. The arrays are read-only views of the program's memory, valid until
    the function returns. What it raises, the call of the executable raises. A tuple comes, and is returned, as a tuple;
    tokens are left out. Functions that the call names as `called_computations` come as the keyword argument of this
    name, callables of arrays that return tuples of arrays.

    With `function`, the address of a C function as an int or `c_void_p`, or a `ctypes` function. Its parameters follow
    from the `api_version` of the call: 1 is `void target(void *out, void **in)`, 2 adds `XlaCustomCallStatus *status`,
    3 adds `const char *opaque, size_t opaque_len` before the status (`custom_call_status.h` beside this file declares
    it). `in` is an array of pointers to the operands. `out` is the one result, or an array of pointers to the results:
    if there are none or several, or one that is a tuple, even of one element. Tuples are taken apart, as XLA:CPU does
    it: the pointers are those to what is in them, nested ones too, in order; a token has a null pointer in its place.
    Elements lie as `operand_layouts` and `result_layouts` of the call say, row-major without them.

    A program finds its targets when it is compiled.

    >>> import numpy as np, xdsl_xla
    >>> @xdsl_xla.custom_call("cumulative_sum")
    ... def cumulative_sum(x, *, axis):
    ...     return np.cumsum(x, axis)
    >>> exe = xdsl_xla.compile('''
    ...   func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
    ...     %0 = stablehlo.custom_call @cumulative_sum(%x) {backend_config = {axis = 0 : i64}, api_version = 4 : i32}
    ...       : (tensor<3xf32>) -> tensor<3xf32>
    ...     return %0 : tensor<3xf32>
    ...   }''')
    >>> exe(np.ones(3, np.float32))
    (array([1., 2., 3.], dtype=float32),)
    """
    if text("name", name).startswith((PREFIX, "stablehlo.")):
        raise ArgumentError(f"custom call target '{name}': names with this prefix are taken")
    if function is None:

        def register(function: PythonTarget) -> PythonTarget:
            if not callable(function):
                refuse("function", "a function", function)
            TARGETS[name] = _with_options(function)
            return function

        return register
    TARGETS[name] = NativeTarget(_address(name, function), function)
    return None


def _address(name: str, function: Any) -> int:
    if isinstance(function, int) and not isinstance(function, bool):
        address = function
    elif isinstance(function, (ctypes.c_void_p, _FUNCTION)):
        address = function_address(function)
    else:
        raise ArgumentError(
            f"custom call target '{name}': expected an address or a function of ctypes, got {function!r}; "
            f"functions in Python are registered by the decorator custom_call({name!r})"
        )
    if not address:
        raise ArgumentError(f"custom call target '{name}' is a null pointer")
    if not 0 < address < 1 << 8 * ctypes.sizeof(ctypes.c_void_p):
        raise ArgumentError(f"custom call target '{name}': {address} is no address")
    return address


def _with_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` as the registry has it: called with the `Call` first."""

    def target(call: Call, *operands: Any) -> Any:
        options: dict[str, Any] = dict(backend_options(call))
        config = call.attribute("backend_config")
        if isinstance(config, StringAttr | BytesAttr) and config.data:
            options["backend_config"] = config.data
        if computations := _computations(call):
            options["called_computations"] = computations
        return function(*_without_tokens(operands), **options)

    return target


def _without_tokens(values: Sequence[Any]) -> list[Any]:
    return [
        tuple(_without_tokens(cast("tuple[Any, ...]", value))) if isinstance(value, tuple) else value
        for value in values
        if not isinstance(value, Token)
    ]


def _computations(call: Call) -> list[Callable[..., Any]]:
    """The functions that the call names: compiled where the caller is, otherwise interpreted."""
    names = cast("ArrayAttr[SymbolRefAttr] | None", call.attribute("called_computations"))
    source = call.attribute(COMPUTATIONS)

    def computation(name: str) -> Callable[..., Any]:
        if isinstance(source, StringAttr):
            return _Compiled(source.data, name)
        return partial(_interpreted, call, name)

    return [computation(name.string_value()) for name in names.data] if names is not None else []


def _interpreted(call: Call, name: str, *arrays: Any) -> Any:
    return call.interpreter.call(name, arrays, call.op)


class _Compiled(NamedTuple):
    """A function of a module, compiled when it is first called."""

    text: str
    name: str

    def __call__(self, *arrays: Any) -> tuple[Any, ...]:
        return _compiled(self.text, self.name)(*arrays)


@lru_cache(1 << 8)
def _compiled(text: str, entry: str) -> Executable:
    from .compiler import compile

    return compile(text.encode(), entry=entry, filename="<called computation>")
