"""`jax.experimental.buffer_callback`: Python functions that write their results into buffers that they are given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np


class CallbackBuffer:
    """An array as such a function sees it: `__array__` and DLPack give its memory."""

    def __init__(self, array: np.ndarray, *, writeable: bool) -> None:
        self._array = array.view()
        self._array.flags.writeable = writeable
        self.dtype, self.shape, self.ndim, self.writeable = array.dtype, array.shape, array.ndim, writeable

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self._array, dtype, copy=copy)

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()


class CallbackContext:
    """What such a function is told about the run."""

    @property
    def stage(self) -> Any:
        """It runs: nothing is prepared before."""
        return import_module("jax.experimental.buffer_callback").ExecutionStage.EXECUTE

    @property
    def stream(self) -> int:
        """Raises `JaxRuntimeError`: a CPU has none."""
        raise import_module("jax.errors").JaxRuntimeError("XLA FFI GPU context is not available")


Emit = Callable[..., Sequence[Any]]
"""Makes a custom call of a function of arrays: `(ctx, function, operands, has_side_effect)`; gives its results."""


def lowering_rule(emit: Emit) -> Callable[..., Sequence[Any]]:
    """How JAX is to lower such callbacks."""
    tree: Any = import_module("jax.tree_util")

    def lower(
        ctx: Any,
        *operands: Any,
        callback: Callable[..., object],
        in_tree: Any,
        out_tree: Any,
        has_side_effect: bool,
        input_output_aliases: Sequence[tuple[int, int]],
        **_: Any,
    ) -> Sequence[Any]:
        source = {result: operand for operand, result in input_output_aliases}
        types = [(each.shape, each.dtype) for each in ctx.avals_out]

        def call(*arrays: np.ndarray) -> Any:
            results = [
                np.array(arrays[source[number]]) if number in source else np.empty(*type)
                for number, type in enumerate(types)
            ]
            shared = {operand: results[number] for number, operand in source.items()}
            buffers = [
                CallbackBuffer(shared.get(number, array), writeable=False) for number, array in enumerate(arrays)
            ]
            positional, named = tree.tree_unflatten(in_tree, buffers)
            given = tree.tree_unflatten(out_tree, [CallbackBuffer(array, writeable=True) for array in results])
            if callback(CallbackContext(), given, *positional, **named) is not None:
                raise ValueError("buffer_callback callback must not return any values.")
            return results[0] if len(results) == 1 else tuple(results)

        return emit(ctx, call, operands, has_side_effect)

    return lower
