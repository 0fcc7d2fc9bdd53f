"""Python functions that generated code calls, none of whose exceptions is lost.

What a callback of `ctypes` raises is printed and forgotten. `try` in the function does not help against everything: the
handler of a signal that came while native code ran is called before the first statement of the next Python function,
which is the callback. So the function is called by machine code, and what it raises is handed to another one.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from .buffers import data_address
from .function_addresses import function_address
from .native_call import HEADER, FunctionMaker, load, word
from .support_code import support_code

_FUNCTIONS = (
    "PyObject_CallFunctionObjArgs",
    "PyErr_Fetch",
    "PyErr_NormalizeException",
    "PyException_SetTraceback",
    "PyErr_Clear",
    "Py_IncRef",
    "Py_DecRef",
)
"""What the code calls of Python, in the order of a table."""


def _function(name: str, symbol: str) -> str:
    return word("ptr", name, "%functions", _FUNCTIONS.index(symbol))


_CODE = f"""
define ptr @guarded(ptr %self, ptr %arguments, i64 %count) {{
entry:
  %type = alloca ptr
  %value = alloca ptr
  %traceback = alloca ptr
  {load("ptr", "%words", "%self", HEADER)}
  {word("ptr", "%function", "%words", 0)}
  {word("ptr", "%handler", "%words", 1)}
  {word("ptr", "%functions", "%words", 2)}
  {word("ptr", "%none", "%words", 3)}
  {_function("%call", "PyObject_CallFunctionObjArgs")}
  {word("ptr", "%first", "%arguments", 0)}
  {word("ptr", "%second", "%arguments", 1)}
  %result = call ptr (ptr, ...) %call(ptr %function, ptr %first, ptr %second, ptr null)
  %has_raised = icmp eq ptr %result, null
  br i1 %has_raised, label %fetch, label %return
fetch:
  {_function("%fetch_error", "PyErr_Fetch")}
  {_function("%normalize", "PyErr_NormalizeException")}
  {_function("%set_traceback", "PyException_SetTraceback")}
  {_function("%clear", "PyErr_Clear")}
  {_function("%incref", "Py_IncRef")}
  {_function("%decref", "Py_DecRef")}
  call void %fetch_error(ptr %type, ptr %value, ptr %traceback)
  call void %normalize(ptr %type, ptr %value, ptr %traceback)
  %error = load ptr, ptr %value
  %error.type = load ptr, ptr %type
  %trace = load ptr, ptr %traceback
  %has_trace = icmp ne ptr %trace, null
  br i1 %has_trace, label %attach, label %tell
attach:
  %attached = call i32 %set_traceback(ptr %error, ptr %trace)
  br label %tell
tell:  ; again if another signal comes at this very time
  %told = call ptr (ptr, ...) %call(ptr %handler, ptr %error, ptr %first, ptr %second, ptr null)
  %is_told = icmp ne ptr %told, null
  br i1 %is_told, label %release, label %once_more
once_more:
  call void %clear()
  br label %tell
release:
  call void %decref(ptr %told)
  call void %decref(ptr %error)
  call void %decref(ptr %error.type)
  call void %decref(ptr %trace)
  call void %incref(ptr %none)
  ret ptr %none
return:
  ret ptr %result
}}
"""


@cache
def _maker() -> FunctionMaker:
    return FunctionMaker(support_code(_CODE, ("guarded",)), "guarded")


@cache
def _functions() -> np.ndarray:
    python = ctypes.pythonapi
    return np.array([function_address(getattr(python, name)) for name in _FUNCTIONS], np.uintp)


def guarded(function: Callable[[Any, Any], None], handler: Callable[[BaseException, Any, Any], None]) -> Any:
    """`function`, but what it raises goes to `handler` with its two arguments; `handler` is called until it returns."""
    if not FunctionMaker.is_possible():
        return _guarded_in_python(function, handler)
    words = [id(function), id(handler), data_address(_functions()), id(None)]
    return _maker().function(np.array(words, np.uintp), (function, handler))


def _guarded_in_python(
    function: Callable[[Any, Any], None], handler: Callable[[BaseException, Any, Any], None]
) -> Callable[[Any, Any], None]:
    def call(first: Any, second: Any) -> None:
        try:
            function(first, second)
        except BaseException as error:
            handler(error, first, second)

    return call
