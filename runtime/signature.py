"""What a program takes and returns. `runtime/entry.py` reads it off the entry function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np

from ..reference.values import TOKEN
from .element_types import dtype_name, type_name

Structure: TypeAlias = "str | tuple[Structure, ...]"
"""The type of an argument or result, as MLIR writes it; of a tuple, those of its elements."""

TOKEN_TYPE = "!stablehlo.token"


class TensorSpec(NamedTuple):
    """One argument or result: its name in the program, shape and NumPy data type."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype
    bounded: tuple[int, ...] = ()
    """The dimensions whose size may be less than that of `shape`, from call to call."""

    @property
    def byte_size(self) -> int:
        """Bytes of the dense tensor."""
        return prod(self.shape) * self.dtype.itemsize

    def __str__(self) -> str:
        if not self.bounded:
            return type_name(self.shape, self.dtype)
        sizes = [f"<={size}" if dim in self.bounded else str(size) for dim, size in enumerate(self.shape)]
        return f"tensor<{'x'.join(sizes)}x{dtype_name(self.dtype)}>"

    def parts(self) -> tuple[TensorSpec, ...]:
        """What native code takes or gives: the padded tensor, then the size of each bounded dimension."""
        if not self.bounded:
            return (self,)
        sizes = [TensorSpec(f"{self.name}_size{dim}", (), np.dtype(np.int32)) for dim in self.bounded]
        return (TensorSpec(self.name, self.shape, self.dtype), *sizes)


class Signature(NamedTuple):
    """The entry function's name, arguments and results.

    `inputs` and `outputs` are the tensors: of tuples their elements, of tokens nothing.
    """

    entry: str
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    argument_types: tuple[Structure, ...] | None = None
    result_types: tuple[Structure, ...] | None = None
    """The types of arguments and results, if there are tuples or tokens among them."""

    @property
    def is_plain(self) -> bool:
        """Whether all arguments and results are tensors."""
        return self.argument_types is None

    def arguments(self, tensors: Sequence[Any]) -> tuple[Any, ...]:
        """The arguments whose tensors are `tensors`, in order."""
        return tuple(tensors) if self.argument_types is None else _structured(self.argument_types, tensors)

    def results(self, tensors: Sequence[Any]) -> tuple[Any, ...]:
        """The results whose tensors are `tensors`, in order."""
        return tuple(tensors) if self.result_types is None else _structured(self.result_types, tensors)

    @property
    def is_bounded(self) -> bool:
        """Whether the size of some dimension may differ from call to call."""
        return any(spec.bounded for spec in (*self.inputs, *self.outputs))

    def parts(self) -> Signature:
        """That of native code, where sizes of bounded dimensions are tensors of their own."""
        inputs, outputs = (
            tuple(part for spec in side for part in spec.parts()) for side in (self.inputs, self.outputs)
        )
        return Signature(self.entry, inputs, outputs)


def type_text(type: Structure) -> str:
    """The type as MLIR writes it."""
    return type if isinstance(type, str) else f"tuple<{', '.join(map(type_text, type))}>"


def _structured(types: Sequence[Structure], tensors: Sequence[Any]) -> tuple[Any, ...]:
    rest = iter(tensors)

    def value(type: Structure) -> Any:
        if isinstance(type, tuple):
            return tuple(value(inner) for inner in type)
        return TOKEN if type == TOKEN_TYPE else next(rest)

    return tuple(value(type) for type in types)


def tensors_of(values: Sequence[Any]) -> Iterator[Any]:
    """The tensors in `values`, which may be tuples and tokens too."""
    for value in values:
        if isinstance(value, tuple):
            yield from tensors_of(cast("tuple[Any, ...]", value))
        elif value is not TOKEN:
            yield value
