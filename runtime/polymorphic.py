"""Programs whose sizes the arguments of a call say: functions that JAX exports for symbolic shapes, models with a batch
of any size.

    model = polymorphic("model.mlirbc")  # func.func @main(%x: tensor<?x784xf32>) -> tensor<?x10xf32>
    (y,) = model(x)

Each combination of sizes is a program of its own, compiled when it first comes.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.ir import Attribute

from ..dialects.stablehlo.shapes import is_tensor
from ..errors import ArgumentError, UnsupportedError
from ..nesting import with_deep_stack
from ..passes.stablehlo.shape_refinement import refine
from .compilation import load_program
from .compiler import compile
from .entry import bounded_shape, select_entry
from .options import text_or_none
from .program_context import new_context
from .sources import Source, contents_of
from .verifying import verify_module

if TYPE_CHECKING:
    from xdsl.dialects.func import FuncOp

    from .executable import Executable

Shapes = tuple[tuple[int, ...], ...]


class PolymorphicProgram:
    """A program with dynamic sizes, and the executables made of it.

    Calls may come from several threads; one that needs another executable waits for those that compile.
    """

    def __init__(self, module: ModuleOp, entry: str | None, options: dict[str, Any]) -> None:
        self._module = module
        self._entry = entry
        self._options = options
        self._lock = threading.Lock()
        self.executables: dict[Shapes, Executable] = {}
        """Those that have been compiled, by the shapes of their arguments."""
        self._types = _argument_types(select_entry(module, entry))

    def __call__(self, *arguments: Any) -> tuple[Any, ...]:
        """The results for these arguments, which are those of an `Executable`."""
        return cast(Any, self.executable(*map(np.shape, arguments)))(*arguments)

    def executable(self, *shapes: tuple[int, ...]) -> Executable:
        """The executable for arguments of these shapes.

        Raises `ArgumentError` for shapes that the program does not take, and what `compile` raises.
        """
        found = self.executables.get(shapes)
        if found is None:
            self._check(shapes)
            with self._lock:
                found = self.executables.get(shapes)
                if found is None:
                    found = self.executables[shapes] = self._compiled(shapes)
        return found

    def _check(self, shapes: Shapes) -> None:
        if len(shapes) != len(self._types):
            raise ArgumentError(f"the program takes {len(self._types)} arguments, got {len(shapes)}")
        for index, (type, shape) in enumerate(zip(self._types, shapes, strict=True)):
            declared = type.get_shape()
            fits = len(declared) == len(shape) and all(
                wanted in (DYNAMIC_INDEX, size) for wanted, size in zip(declared, shape, strict=True)
            )
            limits = bounded_shape(type)
            if not fits or any(
                limit != DYNAMIC_INDEX and size > limit for limit, size in zip(limits, shape, strict=True)
            ):
                raise ArgumentError(f"argument {index}: an array of shape {list(shape)} does not fit {type}")

    def _compiled(self, shapes: Shapes) -> Executable:
        types = [TensorType(type.element_type, shape) for type, shape in zip(self._types, shapes, strict=True)]

        def refined() -> ModuleOp:
            module = self._module.clone()
            refine(module, select_entry(module, self._entry), types)
            return module

        return cast("Executable", compile(with_deep_stack(refined), entry=self._entry, **self._options))

    def __repr__(self) -> str:
        return f"<PolymorphicProgram ({', '.join(map(str, self._types))}), {len(self.executables)} executables>"


def _argument_types(entry: FuncOp) -> list[TensorType[Attribute]]:
    types = [type for type in entry.function_type.inputs if is_tensor(type)]
    if len(types) != len(entry.function_type.inputs):
        raise UnsupportedError(f"'@{entry.sym_name.data}' takes something else than tensors", entry)
    return types


def polymorphic(
    source: Source, *, entry: str | None = None, filename: str | None = None, **options: Any
) -> PolymorphicProgram:
    """A program whose arguments say its sizes: it is called as an executable is, and compiled for each combination of
    shapes that comes.

    source, entry, filename, options: as for `compile`, but for `devices`

    Raises `InvalidProgramError` for a program that does not parse or verify, `UnsupportedError` for one that takes
    something else than tensors, such as tokens.

    >>> add = polymorphic("func.func @main(%x: tensor<?xi32>) -> tensor<?xi32> {"
    ...                   " %0 = stablehlo.add %x, %x : tensor<?xi32> return %0 : tensor<?xi32> }")
    >>> add([1, 2]), add([3])
    ((array([2, 4], dtype=int32),), (array([6], dtype=int32),))
    """
    if "devices" in options:
        raise ArgumentError("argument devices: a program with dynamic sizes runs on one device")
    contents, name = contents_of(source, text_or_none("filename", filename))
    module = load_program(contents, name, new_context())
    verify_module(module)
    return PolymorphicProgram(module, text_or_none("entry", entry), options)
