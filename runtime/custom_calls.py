"""Functions that programs call by name: `stablehlo.custom_call`.

`custom_call` registers one for both engines. Here too is how compiled programs reach them: a table of pointers that
belongs to the context of an executable, in which a function in Python is a C callback around it.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, TypeVar, cast, overload

import numpy as np
from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Attribute, Block

from ..dialects.stablehlo import CustomCallOp
from ..errors import ArgumentError, UnsupportedError
from ..lowering.to_llvm.context_layout import CallTarget
from ..reference.arrays import shape_and_dtype
from ..reference.custom_calls import TARGETS, NativeTarget, backend_options, known_targets
from ..reference.interpreter import Interpreter
from ..reference.registry import Call
from .lapack import accelerated

PythonTarget = TypeVar("PythonTarget", bound=Callable[..., Any])

_TARGET_TYPE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))


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
    the function returns. What it raises, the call of the executable raises.

    With `function`, the address of a C function or a `ctypes` function: `void target(void *out, void **in)`, where
    `in` points to the operands and `out` is the result, or an array of pointers to the results if there are none or
    several. Elements lie as `operand_layouts` and `result_layouts` of the call say, row-major without them.

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
    if function is None:

        def register(function: PythonTarget) -> PythonTarget:
            TARGETS[name] = _with_options(function)
            return function

        return register
    address = function if isinstance(function, int) else ctypes.cast(function, ctypes.c_void_p).value
    if not address:
        raise ArgumentError(f"custom call target '{name}' is a null pointer")
    TARGETS[name] = NativeTarget(address)
    return None


def _with_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` as the registry has it: called with the `Call` first."""

    def target(call: Call, *operands: Any) -> Any:
        options = backend_options(call)
        config = call.attribute("backend_config")
        text = getattr(config, "data", "")
        if isinstance(text, str) and text:
            options["backend_config"] = text
        return function(*operands, **options)

    return target


class CallTargetTable:
    """The pointers to the call targets of one program. `address` is valid as long as this object lives."""

    address: int

    def __init__(self, targets: Sequence[CallTarget]) -> None:
        """Raises `UnsupportedError` for a target that is not registered."""
        self._failures: dict[int, BaseException] = {}
        self._callbacks: list[Any] = []
        pointers = [self._pointer(target) for target in targets]
        self._table = (ctypes.c_void_p * len(pointers))(*pointers)
        self.address = ctypes.addressof(self._table)

    def _pointer(self, target: CallTarget) -> int | None:
        function = TARGETS.get(target.name)
        if function is None:
            raise UnsupportedError(f"unknown custom call target @{target.name}; {known_targets()}")
        if isinstance(function, NativeTarget):
            return function.address
        callback = _TARGET_TYPE(_Callback(target, function, self._failures))
        self._callbacks.append(callback)
        return ctypes.cast(callback, ctypes.c_void_p).value

    def raise_failure(self) -> None:
        """Raise what a target has raised in this thread since the last time."""
        if self._failures and (failure := self._failures.pop(threading.get_ident(), None)) is not None:
            raise failure


class _Callback:
    """What generated code calls for a target in Python."""

    def __init__(self, target: CallTarget, function: Callable[..., Any], failures: dict[int, BaseException]) -> None:
        self._name = target.name
        self._function = accelerated(function)
        self._failures = failures
        self._inputs = [_Memory(type) for type in target.signature.inputs]
        self._outputs = [_Memory(type) for type in target.signature.outputs]
        self._call = Call(_call_op(target), Interpreter())

    def __call__(self, out: int, operands: Any) -> None:
        """Fill the outputs; with zeros after a failure, so that the rest of the program has defined values."""
        addresses = [out] if len(self._outputs) == 1 else ctypes.cast(out, ctypes.POINTER(ctypes.c_void_p))
        outputs = [memory.array(addresses[i] or 0) for i, memory in enumerate(self._outputs)]
        thread = threading.get_ident()
        try:
            if thread not in self._failures:
                inputs = [memory.array(operands[i], writeable=False) for i, memory in enumerate(self._inputs)]
                self._store(self._function(self._call, *inputs), outputs)
                return
        except BaseException as error:  # an exception cannot pass through generated code
            error.add_note(f"in custom call target @{self._name}")
            self._failures[thread] = error
        for output in outputs:
            output[...] = 0

    def _store(self, results: Any, outputs: Sequence[np.ndarray]) -> None:
        if not isinstance(results, tuple | list):
            results = () if results is None else (results,)
        values = [np.asarray(value) for value in cast(Sequence[Any], results)]
        if len(values) != len(outputs):
            raise ArgumentError(f"custom call target @{self._name} returned {len(values)} values, not {len(outputs)}")
        for index, (value, output) in enumerate(zip(values, outputs, strict=True)):
            if value.shape != output.shape or not np.can_cast(value.dtype, output.dtype, "same_kind"):
                raise ArgumentError(
                    f"result {index} of custom call target @{self._name} is a {value.dtype.name} array of shape "
                    f"{list(value.shape)}, expected {output.dtype.name} and {list(output.shape)}"
                )
            output[...] = value


class _Memory:
    """Arrays of one type at addresses that generated code passes."""

    def __init__(self, type: Attribute) -> None:
        self._shape, self._dtype = shape_and_dtype(type)
        self._size = prod(self._shape) * self._dtype.itemsize
        self._bytes = ctypes.c_char * self._size

    def array(self, address: int, writeable: bool = True) -> np.ndarray:
        if not self._size:
            return np.empty(self._shape, self._dtype)
        array = np.ndarray(self._shape, self._dtype, cast(Any, self._bytes.from_address(address)))
        array.flags.writeable = writeable
        return array


def _call_op(target: CallTarget) -> CustomCallOp:
    """An op like that of the program, by itself."""
    signature: FunctionType = target.signature
    operands = Block(arg_types=signature.inputs.data).args
    op = CustomCallOp(target.name, operands, signature.outputs.data)
    for name, value in target.options.data.items():
        attributes = op.attributes if "." in name else op.properties
        attributes[name] = value
    return op
