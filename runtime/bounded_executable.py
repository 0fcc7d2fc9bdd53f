"""A compiled program with arguments or results of bounded size.

Native code takes a tensor padded to its bound and the size of each bounded dimension, and gives the same; the caller
sees arrays of the sizes they have.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ArgumentError
from ..tracebacks import short_tracebacks
from .arguments import convert_argument
from .compiled_program import CompiledProgram
from .engine import NativeCode
from .executable import Executable, StructuredExecutable
from .signature import TensorSpec


class BoundedExecutable(Executable):
    """`outputs = executable(*inputs)` as of `Executable`; sizes of bounded dimensions are those of the arrays."""

    def __init__(self, code: NativeCode, program: CompiledProgram, **details: Any) -> None:
        """The signature of `program` is that on level 0; `details` are those of `Executable`."""
        super().__init__(code, program._replace(signature=program.signature.parts()), **details)
        self.signature = program.signature
        self._program = program._replace(constants=())

    @short_tracebacks
    def __call__(self, *arrays: Any, timeout: float | None = None) -> tuple[np.ndarray, ...]:
        """Run the program. Raises `ArgumentError` also for an array that is larger than the bound."""
        specs = self.signature.inputs
        if len(arrays) != len(specs):
            types = ", ".join(f"{spec.name}: {spec}" for spec in specs)
            raise ArgumentError(f"'@{self.signature.entry}' takes {len(specs)} arguments ({types}), got {len(arrays)}")
        inputs: list[Any] = []
        for index, (array, spec) in enumerate(zip(arrays, specs, strict=True)):
            inputs += padded(array, spec, index) if spec.bounded else (array,)
        results = iter(super().__call__(*inputs, timeout=timeout))
        return tuple(
            _sliced(next(results), [int(next(results)) for _ in spec.bounded], spec) for spec in self.signature.outputs
        )


class StructuredBoundedExecutable(StructuredExecutable, BoundedExecutable):
    """With tuples or tokens around tensors of bounded size."""


def padded(array: Any, spec: TensorSpec, index: int) -> list[Any]:
    """Argument `index` in the shape of its bound, and its sizes."""
    shape = _shape_of(array)
    fits = len(shape) == len(spec.shape) and all(
        size <= bound if dim in spec.bounded else size == bound
        for dim, (size, bound) in enumerate(zip(shape, spec.shape, strict=True))
    )
    if not fits:
        raise ArgumentError(f"argument {index} ('{spec.name}'): expected {spec}, got one of shape {list(shape)}")
    dense = convert_argument(array, TensorSpec(spec.name, shape, spec.dtype), index)
    sizes = [np.array(shape[dim], np.int32) for dim in spec.bounded]
    if shape == spec.shape:
        return [dense, *sizes]
    whole = np.zeros(spec.shape, spec.dtype)
    whole[tuple(map(slice, shape))] = dense
    return [whole, *sizes]


def _shape_of(array: Any) -> tuple[int, ...]:
    """The sizes of whatever may be an argument; none of lists that are no array, which is refused later."""
    try:
        return np.shape(array)
    except ValueError:
        return ()


def _sliced(array: np.ndarray, sizes: list[int], spec: TensorSpec) -> np.ndarray:
    """The first `sizes` elements along the bounded dimensions, dense."""
    if not sizes:
        return array
    ends = dict(zip(spec.bounded, sizes, strict=True))
    return np.ascontiguousarray(array[tuple(slice(ends.get(dim)) for dim in range(array.ndim))])
