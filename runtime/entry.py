"""The function of a module that a program starts with, and the signature it has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, StringAttr, TensorType, TupleType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ..dialects.stablehlo.attributes import TokenType, TypeExtensionsAttr
from ..dialects.stablehlo.shapes import is_tensor
from ..errors import InvalidProgramError, UnsupportedError, XlaError
from .mlir_types import numpy_dtype
from .signature import Signature, Structure, TensorSpec


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


def resolve_entry(module: ModuleOp, name: str | None = None) -> FuncOp:
    """The function that `select_entry` finds, with results of known shape if those follow from its static arguments.

    Raises what the pass `stablehlo-refine-shapes` does where they depend on data. Other functions become private then.
    """
    entry = select_entry(module, name)
    types = entry.function_type
    if not any(is_tensor(type) and DYNAMIC_INDEX in bounded_shape(type) for type in types.outputs):
        return entry
    if not all(is_tensor(type) and type.has_static_shape() for type in types.inputs):
        return entry
    from ..passes.stablehlo.shape_refinement import refine

    isolate_entry(module, entry)
    refine(module, entry, tuple(types.inputs))
    return select_entry(module, entry.sym_name.data)


def isolate_entry(module: ModuleOp, entry: FuncOp) -> None:
    """Make `entry` the only public function."""
    for op in module.body.ops:
        if isinstance(op, FuncOp):
            op.sym_visibility = StringAttr("public" if op is entry else "private")


def read_signature(entry: FuncOp) -> Signature:
    """The signature of `entry`. Raises `UnsupportedError` for types other than tensors of static
    or bounded shape, tuples of them, and tokens.
    """
    types = entry.function_type
    plain = all(isinstance(type, TensorType) for type in (*types.inputs, *types.outputs))
    inputs = tuple(
        spec
        for index, arg in enumerate(entry.args)
        for spec in _specs(entry, arg.name_hint or f"arg{index}", arg.type, "argument", index)
    )
    outputs = tuple(
        spec
        for index, result in enumerate(types.outputs.data)
        for spec in _specs(entry, _result_name(entry, index), result, "result", index)
    )
    name = entry.sym_name.data
    return (
        Signature(name, inputs, outputs)
        if plain
        else Signature(name, inputs, outputs, *(tuple(map(_structure, side)) for side in (types.inputs, types.outputs)))
    )


def _structure(type: Attribute) -> Structure:
    return tuple(map(_structure, type.types.data)) if isinstance(type, TupleType) else str(type)


def _specs(entry: FuncOp, name: str, type: Attribute, role: str, index: int) -> Iterator[TensorSpec]:
    """The tensors in one argument or result."""
    if isinstance(type, TensorType):
        yield _spec(entry, name, cast("TensorType[Attribute]", type), role, index)
        return
    if isinstance(type, TupleType):
        for number, inner in enumerate(type.types.data):
            yield from _specs(entry, f"{name}[{number}]", inner, role, index)
    elif not isinstance(type, TokenType):
        raise UnsupportedError(
            f"{role} {index} of '@{entry.sym_name.data}' is {type}; tensors, tuples and tokens can be passed", entry
        )


def _result_name(entry: FuncOp, index: int) -> str:
    """`result3`, or the name JAX has left in the attributes of the result."""
    if entry.res_attrs is not None:
        info = entry.res_attrs.data[index].data.get("jax.result_info")
        if isinstance(info, StringAttr) and info.data:
            return info.data
    return f"result{index}"


def bounded_shape(type: TensorType[Attribute]) -> tuple[int, ...]:
    """The shape of `type` with the bounds of its encoding where it has them in place of dynamic sizes."""
    shape = type.get_shape()
    if not isinstance(type.encoding, TypeExtensionsAttr):
        return shape
    return tuple(
        bound if size == DYNAMIC_INDEX else size for size, bound in zip(shape, type.encoding.bounds, strict=True)
    )


def _spec(entry: FuncOp, name: str, type: TensorType[Attribute], role: str, index: int) -> TensorSpec:
    place = f"{role} {index} of '@{entry.sym_name.data}'"
    shape = type.get_shape()
    bounded: tuple[int, ...] = ()
    if DYNAMIC_INDEX in shape:
        bounded = tuple(dim for dim, size in enumerate(shape) if size == DYNAMIC_INDEX)
        shape = bounded_shape(type)
    if DYNAMIC_INDEX in shape:
        raise UnsupportedError(
            f"{place} is {type}; shapes must be static, as the pass refine-shapes makes them, or have bounds", entry
        )
    try:
        return TensorSpec(name, tuple(shape), numpy_dtype(type.get_element_type()), bounded)
    except UnsupportedError as error:
        raise UnsupportedError(f"{place} is {type}: {error.message}", entry) from None
