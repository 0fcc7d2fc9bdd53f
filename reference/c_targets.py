"""C functions as targets of custom calls: how operands and results lie in memory, and how failures come back."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, DenseIntOrFPElementsAttr, StringAttr, TupleType
from xdsl.ir import Attribute

from ..dialects.stablehlo.attributes import OutputOperandAliasAttr, TokenType
from ..dialects.stablehlo.tuples import is_result_table, is_tuple_result, result_elements
from ..errors import UnsupportedError, XlaError
from .arrays import Array, dense_array, shape_and_dtype
from .registry import Call
from .values import TOKEN, Token, Value

ORIGINAL, STATUS_RETURNING, STATUS_RETURNING_UNIFIED = 1, 2, 3
"""The values of `api_version` that a C function can have."""

Path = tuple[int, ...]
"""An operand or result, and indices into the tuples that it is."""

Order = tuple[int, ...] | None
"""Dimensions from the slowest to the fastest in memory; None if that is their order."""


class Status(ctypes.Structure):
    """How a C function reports a failure: `void (*set_failure)(status, const char *message, size_t)`, and takes it
    back: `void (*set_success)(status)`.

    A message ends at a null character or after its length. `runtime/custom_call_status.h` has the functions of XLA's
    interface for it.
    """

    SET_FAILURE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
    SET_SUCCESS = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

    _fields_ = (("set_failure", SET_FAILURE), ("set_success", SET_SUCCESS))

    def __init__(self) -> None:
        self.message: str | None = None
        super().__init__(self.SET_FAILURE(self._fail), self.SET_SUCCESS(self._succeed))

    def _fail(self, _: int | None, message: int | None, length: int) -> None:
        self.message = _text(message, length).decode("utf-8", "replace") if message else ""

    def _succeed(self, _: int | None) -> None:
        self.message = None


def _text(address: int, length: int) -> bytes:
    """The characters at `address` up to a null character, at most `length`. What follows is not read."""
    return (ctypes.c_char * min(length, sys.maxsize)).from_address(address).value


def not_callable(name: str, version: int) -> str:
    """An error about the `api_version` of a call."""
    return f"custom call target @{name} is a C function, which api_version {version} does not call; 1 to 3 do"


class NativeTarget:
    """A target that is a C function; its parameters follow from the `api_version` of the call.

    - 1: `void target(void *out, void **in)`;
    - 2: `void target(void *out, void **in, status)`, the last one a pointer to a `Status`;
    - 3: `void target(void *out, void **in, const char *opaque, size_t length, status)`, where `opaque` is the string
      `backend_config`.

    `in` is an array of pointers to the operands. `out` is the one result, or an array of pointers to the results: if
    there are none or several, or one that is a tuple, of one element too. Tuples in both are taken apart: the pointers
    are those to what is in them, nested ones too, in order. A token has a place among them, with a null pointer.
    Elements lie as the layouts of the call say, row-major where it has none. A result that `output_operand_aliases`
    names lies where its operand does. So XLA:CPU calls functions (`CustomCallThunk`, `GetCustomCallOpBuffers`).
    """

    def __init__(self, address: int, function: Any = None) -> None:
        """`function` is what must stay alive for `address` to be one, such as a callback of `ctypes`."""
        self.address = address
        self._function = function

    def __call__(self, call: Call, *operands: Value) -> tuple[Value, ...]:
        """Raises `XlaError` where the function reports a failure."""
        memory = _Memory(call, operands)
        out_orders, in_orders = _result_orders(call), physical_orders(call.attribute("operand_layouts"), len(operands))
        results = memory.results(call.op.result_types, out_orders)
        inputs = [
            pointer
            for i, (operand, order) in enumerate(zip(operands, in_orders, strict=True))
            for pointer in memory.operand(operand, order, (i,))
        ]
        out = memory.table(results) if is_result_table(call.op.result_types) else results[0]
        self._run(call, out, memory.table(inputs))
        return tuple(memory.value(result.type, (i,)) for i, result in enumerate(call.op.results))

    def _run(self, call: Call, out: int | None, inputs: int | None) -> None:
        version = call.int("api_version", ORIGINAL)
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        if version == ORIGINAL:
            ctypes.CFUNCTYPE(None, pointer, pointer)(self.address)(out, inputs)
            return
        status = Status()
        if version == STATUS_RETURNING:
            ctypes.CFUNCTYPE(None, pointer, pointer, pointer)(self.address)(out, inputs, ctypes.addressof(status))
        elif version == STATUS_RETURNING_UNIFIED:
            config = call.attribute("backend_config")
            opaque = config.data.encode() if isinstance(config, StringAttr) else b""
            function = ctypes.CFUNCTYPE(None, pointer, pointer, ctypes.c_char_p, size, pointer)(self.address)
            function(out, inputs, opaque, len(opaque), ctypes.addressof(status))
        else:
            raise UnsupportedError(not_callable(call.string("call_target_name"), version), call.op)
        if status.message is not None:
            raise XlaError(f"custom call target @{call.string('call_target_name')} failed: {status.message}", call.op)


class _Memory:
    """The buffers of one call."""

    def __init__(self, call: Call, operands: Sequence[Value]) -> None:
        self._tables: list[Any] = []
        self._buffers: dict[Path, tuple[Array, Order]] = {}
        self._inputs: list[Array] = []
        self._operands = operands
        self._shared: dict[Path, Path] = {}
        """Operands that lie where a result does."""
        aliases = cast("ArrayAttr[OutputOperandAliasAttr] | None", call.attribute("output_operand_aliases"))
        types = call.op.result_types
        for alias in aliases.data if aliases is not None else ():
            indices = alias.output_tuple_indices if is_result_table(types) else ()
            self._shared[(alias.operand_index, *alias.operand_tuple_indices)] = (*_path_of_results(types), *indices)

    def table(self, pointers: Sequence[int | None]) -> int:
        """The address of an array of pointers."""
        table = (ctypes.c_void_p * max(1, len(pointers)))(*pointers)
        self._tables.append(table)
        return ctypes.addressof(table)

    def results(self, types: Sequence[Attribute], orders: Sequence[Order]) -> list[int | None]:
        """The addresses of new buffers for results of `types`, whose elements lie in `orders`."""
        outer = (0,) if is_tuple_result(types) else ()
        return [
            pointer
            for i, (type, order) in enumerate(zip(result_elements(types), orders, strict=True))
            for pointer in self._result(type, order, (*outer, i))
        ]

    def _result(self, type: Attribute, order: Order, path: Path) -> Iterator[int | None]:
        if isinstance(type, TokenType):
            yield None
        elif isinstance(type, TupleType):
            for i, inner in enumerate(type.types.data):
                yield from self._result(inner, None, (*path, i))
        else:
            shape, dtype = shape_and_dtype(type)
            buffer = np.empty(shape if order is None else [shape[dim] for dim in order], dtype)
            self._buffers[path] = buffer, order
            yield buffer.ctypes.data

    def operand(self, value: Value, order: Order, path: Path) -> Iterator[int | None]:
        """The addresses of what is in `value`."""
        if isinstance(value, Token):
            yield None
        elif isinstance(value, tuple):
            for i, inner in enumerate(value):
                yield from self.operand(inner, None, (*path, i))
        else:
            yield self._address(cast(Array, value), order, path)

    def _address(self, value: Array, order: Order, path: Path) -> int:
        physical = np.ascontiguousarray(value if order is None else value.transpose(order))
        shared = self._buffers.get(self._shared.get(path, ()))
        if shared is not None:
            buffer, _ = shared
            buffer.reshape(-1).view(np.uint8)[:] = physical.reshape(-1).view(np.uint8)
            return buffer.ctypes.data
        self._inputs.append(physical)
        return physical.ctypes.data

    def value(self, type: Attribute, path: Path) -> Value:
        """What lies in the buffers of a result."""
        if isinstance(type, TokenType):
            return TOKEN
        if isinstance(type, TupleType):
            return tuple(self.value(inner, (*path, i)) for i, inner in enumerate(type.types.data))
        buffer, order = self._buffers[path]
        return buffer if order is None else buffer.transpose(np.argsort(order))


def _path_of_results(types: Sequence[Attribute]) -> Path:
    """Where the indices of what a function gives begin: in the one result, or at the results."""
    return (0,) if len(types) == 1 else ()


def _result_orders(call: Call) -> list[Order]:
    """Those of the results, or of the elements of the one tuple that is the result."""
    return physical_orders(call.attribute("result_layouts"), len(result_elements(call.op.result_types)))


def physical_orders(layouts: Attribute | None, count: int) -> list[Order]:
    """For each of `count` tensors its dimensions from the slowest to the fastest in memory; None for row-major ones.

    `layouts` is the attribute `operand_layouts` or `result_layouts` of a call, which lists them the other way round.
    """
    if layouts is None:
        return [None] * count
    orders: list[Order] = []
    for layout in cast("ArrayAttr[DenseIntOrFPElementsAttr]", layouts):
        order = tuple(int(dim) for dim in dense_array(layout)[::-1])
        orders.append(None if order == tuple(range(len(order))) else order)
    return orders
