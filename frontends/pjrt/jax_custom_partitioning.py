"""`jax.experimental.custom_partitioning`: what functions of a program say of a call that they partition.

JAX has them in a table by a key, which is the configuration of the call; the functions of JAX that are called here are
those that it gives XLA for its partitioner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from .calls import Code, PjrtError


class Spread(NamedTuple):
    """A tensor and how it is spread over devices."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    sharding: bytes
    """An `xla.OpSharding`."""


class LocalProgram(NamedTuple):
    """What each device computes in the place of a call."""

    text: str
    """MLIR, of a function of the parts of the operands."""
    operands: tuple[str, ...]
    """How the operands are to be split, as texts of HLO."""
    results: tuple[str, ...]


class Functions:
    """Those of one call."""

    def __init__(self, key: bytes) -> None:
        """Raises `PjrtError` for a key that is not one of this process."""
        self._key = key
        self._module: Any = import_module("jax._src.custom_partitioning")
        if key not in self._module._sharding_callbacks:
            problem = "a call of custom_partitioning whose functions are not in this process"
            raise PjrtError(Code.UNIMPLEMENTED, problem)

    @property
    def infers(self) -> bool:
        """Whether a function, and no rule in the program, says how results are spread."""
        return self._module._sharding_callbacks[self._key].infer_sharding_from_operands is not None

    def inferred(self, operands: Sequence[Spread], results: Sequence[Spread]) -> tuple[str, ...]:
        """How results are spread where operands are as they are, as texts of HLO. Raises `PjrtError`."""
        infer = self._module._custom_partitioning_infer_sharding_from_operands
        shapes, shardings = _shapes(operands), _shardings(operands)
        return _texts(_called(lambda: infer(shapes, shardings, _joined(_shapes(results)), self._key)), len(results))

    def partition(self, operands: Sequence[Spread], results: Sequence[Spread]) -> LocalProgram:
        """The program of a device. Raises `PjrtError` for what the function raises, or gives that does not fit."""
        shape, sharding = _joined(_shapes(results)), _shardings(results)
        whole = sharding[0] if len(results) == 1 else _hlo_sharding().tuple_sharding(shape, sharding)
        arguments = _shapes(operands), _shardings(operands), shape, whole, self._key
        code, wanted, given = _called(lambda: self._module._custom_partitioning_partition(*arguments))
        return LocalProgram(_text(code), tuple(map(str, wanted)), _texts(given, len(results)))


def _called(function: Callable[[], Any]) -> Any:
    try:
        return function()
    except Exception as error:
        raise PjrtError(Code.INVALID_ARGUMENT, f"custom_partitioning: {type(error).__name__}: {error}") from error


def _hlo_sharding() -> Any:
    return import_module("jaxlib.xla_client").HloSharding


def _shapes(values: Sequence[Spread]) -> list[Any]:
    shape = import_module("jaxlib.xla_client").Shape
    return [shape.array_shape(value.dtype, value.shape) for value in values]


def _joined(shapes: Sequence[Any]) -> Any:
    """The shape of the results of a call, a tuple of several."""
    return shapes[0] if len(shapes) == 1 else import_module("jaxlib.xla_client").Shape.tuple_shape(shapes)


def _shardings(values: Sequence[Spread]) -> list[Any]:
    client: Any = import_module("jaxlib.xla_client")
    found: list[Any] = []
    for value in values:
        message = client.OpSharding()
        message.ParseFromString(value.sharding)
        found.append(client.HloSharding.from_proto(message))
    return found


def _texts(sharding: Any, count: int) -> tuple[str, ...]:
    return (str(sharding),) if count == 1 else tuple(map(str, sharding.tuple_elements()))


def _text(code: bytes) -> str:
    """The text of a program in MLIR's bytecode."""
    mlir, ir = import_module("jax._src.interpreters.mlir"), import_module("jax._src.lib.mlir").ir
    with mlir.make_ir_context():
        return ir.Module.parse(code).operation.get_asm(enable_debug_info=True)
