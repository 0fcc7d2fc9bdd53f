"""What a program takes and returns, read off its entry function before anything is lowered."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, StringAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from ..errors import InvalidProgramError, UnsupportedError, XlaError
from .element_types import numpy_dtype, type_name


class TensorSpec(NamedTuple):
    """One argument or result: its name in the program, shape and NumPy data type."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype

    @property
    def byte_size(self) -> int:
        """Bytes of the dense tensor."""
        return prod(self.shape) * self.dtype.itemsize

    def __str__(self) -> str:
        return type_name(self.shape, self.dtype)


class Signature(NamedTuple):
    """The entry function's name, arguments and results."""

    entry: str
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]


def is_private(function: FuncOp) -> bool:
    """Whether only this module may call `function`."""
    return function.sym_visibility is not None and function.sym_visibility.data != "public"


def select_entry(module: ModuleOp, name: str | None = None) -> FuncOp:
    """The function to execute: `name`, else `main`, else the only public function.

    Raises `XlaError` that lists the candidates where this does not single one out.
    """
    functions = {op.sym_name.data: op for op in module.body.ops if isinstance(op, FuncOp) and not op.is_declaration}
    public = [function for function in functions.values() if not is_private(function)]
    candidates = ", ".join(f"@{function.sym_name.data}" for function in public) or "none"
    if name is not None:
        if name not in functions:
            raise XlaError(f"no function '@{name}' to execute; public functions: {candidates}")
        return functions[name]
    if "main" in functions and not is_private(functions["main"]):
        return functions["main"]
    if len(public) != 1:
        raise InvalidProgramError(
            f"the program has {len(public)} public functions and none is called 'main'; name one as"
            f" entry: {candidates}",
            module,
        )
    return public[0]


def isolate_entry(module: ModuleOp, entry: FuncOp) -> None:
    """Make `entry` the only public function."""
    for op in module.body.ops:
        if isinstance(op, FuncOp):
            op.sym_visibility = StringAttr("public" if op is entry else "private")


def read_signature(entry: FuncOp) -> Signature:
    """The signature of `entry`. Raises `UnsupportedError` for types other than tensors of static
    shape.
    """
    inputs = tuple(
        _spec(entry, arg.name_hint or f"arg{index}", arg.type, "argument", index)
        for index, arg in enumerate(entry.args)
    )
    outputs = tuple(
        _spec(entry, _result_name(entry, index), result, "result", index)
        for index, result in enumerate(entry.function_type.outputs.data)
    )
    return Signature(entry.sym_name.data, inputs, outputs)


def _result_name(entry: FuncOp, index: int) -> str:
    """`result3`, or the name JAX has left in the attributes of the result."""
    if entry.res_attrs is not None:
        info = entry.res_attrs.data[index].data.get("jax.result_info")
        if isinstance(info, StringAttr) and info.data:
            return info.data
    return f"result{index}"


def _spec(entry: FuncOp, name: str, type: Attribute, role: str, index: int) -> TensorSpec:
    place = f"{role} {index} of '@{entry.sym_name.data}'"
    if not isa(type, TensorType):
        raise UnsupportedError(f"{place} is {type}; only tensors can be passed", entry)
    shape = type.get_shape()
    if DYNAMIC_INDEX in shape:
        raise UnsupportedError(f"{place} is {type}; shapes must be static, as the pass refine-shapes makes them", entry)
    try:
        return TensorSpec(name, tuple(shape), numpy_dtype(type.get_element_type()))
    except UnsupportedError as error:
        raise UnsupportedError(f"{place} is {type}: {error.message}", entry) from None
