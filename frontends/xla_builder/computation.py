"""What a builder builds: a computation, which other programs call and which runs as a program of its own."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

from ...errors import ArgumentError, similar_names
from ...runtime.arguments import convert_argument
from ...runtime.compiler import compile
from ...runtime.executable import Executable
from ...runtime.signature import TensorSpec
from .checks import described
from .location import position
from .shapes import Shape


@dataclass(frozen=True)
class ProgramShape:
    """The shapes of the parameters and of the result of a computation."""

    parameters: tuple[Shape, ...]
    result: Shape
    parameter_names: tuple[str, ...]

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.parameters))}) -> {self.result}"


class XlaComputation:
    """A built computation: an argument of `reduce`, `while_` and others, or a program of its own."""

    def __init__(self, function: FuncOp, functions: dict[str, FuncOp], program_shape: ProgramShape) -> None:
        self.function = function
        self.functions = functions
        self.program_shape = program_shape
        self._executables: dict[str, Executable] = {}

    @property
    def name(self) -> str:
        """The name of its function, which no other computation has."""
        return self.function.sym_name.data

    @property
    def module(self) -> ModuleOp:
        """The StableHLO program with this computation as its public function `main`."""
        main = self.function.clone()
        main.properties["sym_name"] = StringAttr("main")
        main.properties["sym_visibility"] = StringAttr("public")
        for old, new in zip(self.function.walk(), main.walk(), strict=True):
            new.location = old.location
        return ModuleOp([main, *(function.clone() for function in self.functions.values())])

    def compile(self, **options: Any) -> Executable:
        """Native code, as `xdsl_xla.compile` makes it; takes and gives the arrays in tuples one by one.

        Raises `ArgumentError` for options that it does not have.
        """
        known = inspect.signature(compile).parameters.keys() - {"source"}
        for name in options.keys() - known:
            message = f"compile: {name}: expected an option of xdsl_xla.compile{similar_names(name, known)}"
            raise ArgumentError(message, location=position())
        return cast(Executable, compile(self.module, **options))

    def __call__(self, *arguments: Any, pipeline: str = "xla-cpu") -> Any:
        """Run the program (compiled the first time) on arrays and tuples of them; the result as an array or tuple.

        Arrays have the element types of the parameters; numbers of Python and lists of them have to fit these.
        """
        arrays = self._flatten(arguments)
        if pipeline not in self._executables:
            self._executables[pipeline] = self.compile(pipeline=pipeline)
        return _nest(self.program_shape.result, iter(self._executables[pipeline](*arrays)))

    def interpret(self, *arguments: Any) -> Any:
        """As a call, by the reference interpreter."""
        from ...reference import interpreter

        return _nest(self.program_shape.result, iter(interpreter.run(self.module, "main", self._flatten(arguments))))

    def _flatten(self, arguments: Sequence[Any]) -> list[np.ndarray]:
        shapes, names = self.program_shape.parameters, self.program_shape.parameter_names
        try:
            if len(arguments) != len(shapes):
                raise ArgumentError(f"arguments: expected {len(shapes)} for {self.program_shape}, got {len(arguments)}")
            found: list[np.ndarray] = []
            for number, (shape, name, argument) in enumerate(zip(shapes, names, arguments, strict=True)):
                _flatten_into(found, shape, argument, number, name)
            return found
        except ArgumentError as error:
            raise ArgumentError(f"{self.name}: {error.message}", location=position()) from None


def _flatten_into(found: list[np.ndarray], shape: Shape, argument: Any, number: int, name: str) -> None:
    if shape.is_array:
        found.append(_array(argument, shape, number, name))
    elif shape.is_token:
        found.append(argument)
    else:
        parts, elements = shape.tuple_shapes, cast("Sequence[Any]", argument)
        if not isinstance(argument, tuple | list) or len(elements) != len(parts):
            raise ArgumentError(f"argument {number} ('{name}'): expected a tuple {shape}, got {described(elements)}")
        for place, (part, element) in enumerate(zip(parts, elements, strict=True)):
            _flatten_into(found, part, element, number, f"{name}[{place}]")


def _array(argument: Any, shape: Shape, number: int, name: str) -> np.ndarray:
    """The argument as a dense array of the shape, of which a bounded dimension may be smaller."""
    sizes, dtype = shape.dimensions, shape.element_type.dtype
    array: Any = argument
    if isinstance(argument, np.ndarray) and array.shape == sizes and array.dtype == dtype:
        return array
    if not shape.is_static:
        sizes = _sizes_within(shape, array)
    return convert_argument(array, TensorSpec(name, sizes, dtype), number)


def _sizes_within(bound: Shape, array: Any) -> tuple[int, ...]:
    """The sizes an array has to have: in bounded dimensions those that it has, up to the bound."""
    try:
        given = np.shape(array)
    except ValueError:
        return bound.dimensions
    if len(given) != bound.rank:
        return bound.dimensions
    sizes = zip(given, bound.dimensions, bound.dynamic, strict=True)
    return tuple(min(size, most) if is_dynamic else most for size, most, is_dynamic in sizes)


def _nest(shape: Shape, arrays: Iterator[np.ndarray]) -> Any:
    if not shape.is_tuple:
        return next(arrays)
    return tuple(_nest(part, arrays) for part in shape.tuple_shapes)
