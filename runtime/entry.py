"""The function of a module, on any level, that a program starts with, and the signature it has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple, TypeVar, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp, StringAttr, TensorType, TupleType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.llvm import FuncOp as LLVMFuncOp
from xdsl.ir import Attribute

from ..dialects.element_sizes import element_bytes
from ..dialects.stablehlo.attributes import TokenType, TypeExtensionsAttr
from ..dialects.stablehlo.shapes import is_tensor
from ..dialects.xrt_attributes import number_of
from ..dialects.xrt_names import INTERFACE, NUM_INPUTS, NUM_OUTPUTS
from ..errors import InvalidProgramError, UnsupportedError, XlaError
from ..ir.interface import Interface, interface_of, noted_interface
from .marks import Marks, marks_of
from .mlir_types import numpy_dtype
from .signature import Signature, Structure, TensorSpec
from .symbols import linkable

FunctionT = TypeVar("FunctionT", FuncOp, LLVMFuncOp)


def is_private(function: FuncOp) -> bool:
    """Whether only this module may call `function`."""
    return function.sym_visibility is not None and function.sym_visibility.data != "public"


def select_entry(module: ModuleOp, name: str | None = None) -> FuncOp:
    """The function to execute: `name`, else `main`, else the only public function.

    Raises `XlaError` that lists the candidates where this does not single one out.
    """
    functions = [op for op in module.body.ops if isinstance(op, FuncOp) and not op.is_declaration]
    return _select(module, functions, [function for function in functions if not is_private(function)], name)


def _select(
    module: ModuleOp, functions: Sequence[FunctionT], public: Sequence[FunctionT], name: str | None
) -> FunctionT:
    candidates = ", ".join(f"@{function.sym_name.data}" for function in public) or "none"
    if name is not None:
        for function in functions:
            if function.sym_name.data == name:
                return function
        raise XlaError(f"no function '@{name}' to execute; public functions: {candidates}")
    for function in public:
        if function.sym_name.data == "main":
            return function
    if not public:
        raise InvalidProgramError("the program has no function that can be called: none is public", module)
    if len(public) != 1:
        raise InvalidProgramError(
            f"the program has {len(public)} public functions and none is called 'main'; name one as"
            f" entry: {candidates}",
            module,
        )
    return public[0]


class Opened(NamedTuple):
    """The entry function of a program that has yet to be lowered."""

    name: str
    signature: Signature | None
    """None where sizes of results follow from the program: `final_signature` reads it when they are known."""
    donates: bool
    """Whether results may take the memory of arguments: all are tensors of one size."""
    marks: Marks = Marks()
    """What its attributes say of arguments and results, on level 0."""


def open_entry(module: ModuleOp, name: str | None = None) -> Opened:
    """What the function to execute, on any level, is called with; it is the only public one from here on.

    Raises what `select_entry` and `read_signature` do, and `InvalidProgramError` for a function on a lower level whose
    arguments are not what its attribute `xrt.interface` says.
    """
    lowered = [op for op in module.body.ops if isinstance(op, LLVMFuncOp) and INTERFACE in op.attributes]
    entry = _select(module, lowered, lowered, name) if lowered else select_entry(module, name)
    if not entry.sym_name.data:
        raise InvalidProgramError("the function to execute has no name", entry)
    marks = marks_of(entry) if isinstance(entry, FuncOp) else Marks()
    if isinstance(entry, FuncOp):
        isolate_entry(module, entry)
        if has_open_results(entry):
            return Opened(entry.sym_name.data, None, donates=True, marks=marks)
    signature = read_signature(entry)
    if isinstance(entry, FuncOp) and INTERFACE in entry.attributes:
        check_buffers(entry, signature)
    return Opened(signature.entry, signature, signature.is_plain and not signature.is_bounded, marks)


def has_open_results(entry: FuncOp) -> bool:
    """Whether results have sizes without a bound although those of all arguments are known."""
    type = (noted_interface(entry) or interface_of(entry)).type
    results_are_open = any(is_tensor(result) and DYNAMIC_INDEX in bounded_shape(result) for result in type.outputs)
    return results_are_open and all(is_tensor(argument) and argument.has_static_shape() for argument in type.inputs)


def final_signature(entry: LLVMFuncOp) -> Signature:
    """That of a lowered function, as its attribute `xrt.interface` says.

    Raises `InvalidProgramError` for a function without it, and what `read_signature` does for sizes still open.
    """
    if INTERFACE not in entry.attributes:
        raise InvalidProgramError(f"'@{entry.sym_name.data}' has no '{INTERFACE}': its results are not known", entry)
    return read_signature(entry)


def check_buffers(entry: FuncOp, signature: Signature) -> None:
    """Raises `InvalidProgramError` unless the buffers that `entry` takes are as large as those of `signature`."""
    attributes, types = entry.attributes, entry.function_type
    if NUM_INPUTS in attributes:
        inputs, outputs = (number_of(entry, name) or 0 for name in (NUM_INPUTS, NUM_OUTPUTS))
        taken = [buffer_bytes(type) for type in types.inputs.data[: inputs + outputs]]
        split = inputs
    else:
        own = as_it_stands(entry).parts()
        taken = [spec.byte_size for spec in (*own.inputs, *own.outputs)]
        split = len(own.inputs)
    parts = signature.parts()
    for role, got, specs in (("arguments", taken[:split], parts.inputs), ("results", taken[split:], parts.outputs)):
        expected = [spec.byte_size for spec in specs]
        if got != expected:
            raise InvalidProgramError(
                f"'@{entry.sym_name.data}': {role} of {got} bytes, but '{INTERFACE}' says {expected}", entry
            )


def buffer_bytes(type: Attribute) -> int:
    """The size of a dense buffer."""
    buffer = cast("MemRefType[Attribute]", type)
    return prod(buffer.get_shape()) * element_bytes(buffer.element_type)


def isolate_entry(module: ModuleOp, entry: FuncOp) -> None:
    """Make `entry` the only public function."""
    for op in module.body.ops:
        if isinstance(op, FuncOp):
            op.sym_visibility = StringAttr("public" if op is entry else "private")


def rename_for_linker(module: ModuleOp, name: str) -> str:
    """Give the entry function `name`, which nothing calls, a name that the linker can tell from others; that name."""
    functions = {op.sym_name.data: op for op in module.body.ops if isinstance(op, FuncOp)}
    if name not in functions or (symbol := linkable(name, functions)) == name:
        return name
    functions[name].sym_name = StringAttr(symbol)
    return symbol


def read_signature(entry: FuncOp | LLVMFuncOp) -> Signature:
    """The signature of `entry`: as its attribute `xrt.interface` says, else as it stands.

    Raises `UnsupportedError` for types other than tensors of static or bounded shape, tuples of them, and tokens.
    """
    interface = noted_interface(entry)
    return as_it_stands(cast(FuncOp, entry)) if interface is None else _signature(entry, interface)


def as_it_stands(entry: FuncOp) -> Signature:
    """The signature of `entry` as its type says."""
    return _signature(entry, interface_of(entry))


def _signature(entry: FuncOp | LLVMFuncOp, interface: Interface) -> Signature:
    types = interface.type
    sides = (("argument", types.inputs.data, interface.arguments), ("result", types.outputs.data, interface.results))
    inputs, outputs = (
        tuple(
            spec
            for index, (type, name) in enumerate(zip(side, names, strict=True))
            for spec in _specs(entry, name, type, role, index)
        )
        for role, side, names in sides
    )
    name = entry.sym_name.data
    if all(isinstance(type, TensorType) for type in (*types.inputs, *types.outputs)):
        return Signature(name, inputs, outputs)
    return Signature(name, inputs, outputs, *(tuple(map(_structure, side)) for _, side, _ in sides))


def _structure(type: Attribute) -> Structure:
    return tuple(map(_structure, type.types.data)) if isinstance(type, TupleType) else str(type)


def _specs(entry: FuncOp | LLVMFuncOp, name: str, type: Attribute, role: str, index: int) -> Iterator[TensorSpec]:
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


def bounded_shape(type: TensorType[Attribute]) -> tuple[int, ...]:
    """The shape of `type` with the bounds of its encoding where it has them in place of dynamic sizes."""
    shape = type.get_shape()
    if not isinstance(type.encoding, TypeExtensionsAttr):
        return shape
    return tuple(
        bound if size == DYNAMIC_INDEX else size for size, bound in zip(shape, type.encoding.bounds, strict=True)
    )


def _spec(entry: FuncOp | LLVMFuncOp, name: str, type: TensorType[Attribute], role: str, index: int) -> TensorSpec:
    place = f"{role} {index} of '@{entry.sym_name.data}'"
    shape = type.get_shape()
    bounded: tuple[int, ...] = ()
    if DYNAMIC_INDEX in shape:
        bounded = tuple(dim for dim, size in enumerate(shape) if size == DYNAMIC_INDEX)
        shape = bounded_shape(type)
    if DYNAMIC_INDEX in shape:
        raise UnsupportedError(
            f"{place} is {type}; shapes must be static, as the pass refine-shapes makes them, or have bounds;"
            " xdsl_xla.polymorphic compiles a program for the shapes of each call",
            entry,
        )
    try:
        return TensorSpec(name, tuple(shape), numpy_dtype(type.get_element_type()), bounded)
    except UnsupportedError as error:
        raise UnsupportedError(f"{place} is {type}: {error.message}", entry) from None
