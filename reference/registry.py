"""How reference functions are found: by op name, each beside its section of the specification.

A function takes a `Call` (attributes, regions, result types) and the operands as values (arrays, for most ops), and
returns a value or a tuple of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    TensorType,
)
from xdsl.ir import Attribute, Operation

from ..dialects.stablehlo import shape_rules
from ..errors import InvalidProgramError
from .arrays import Array, dense_array, fits, shape_and_dtype
from .values import Value

if TYPE_CHECKING:
    from .interpreter import Interpreter
    from .processes import Process

Function = Callable[..., Any]

REFERENCE: dict[str, Function] = {}
"""Op name to reference function."""


def reference(*names: str) -> Callable[[Function], Function]:
    """Registers the decorated function as the meaning of the ops `names`."""

    def register(function: Function) -> Function:
        for name in names:
            REFERENCE[name] = function
        return function

    return register


def require_shape(op: Operation, index: int, shape: tuple[int, ...]) -> None:
    """Raises InvalidProgramError if the type of a result of `op` excludes the shape it has."""
    type = cast(TensorType[Attribute], op.results[index].type)
    if not fits(shape, type):
        raise InvalidProgramError(shape_rules.broken(op.name, shape_rules.result_rule(index, type), shape), op)


class Call:
    """One op being evaluated: its attributes as Python values, its result types, and its regions as functions."""

    def __init__(self, op: Operation, interpreter: Interpreter):
        self.op = op
        self.interpreter = interpreter

    @property
    def process(self) -> Process:
        """The process that evaluates the op."""
        return self.interpreter.environment.process

    def attribute(self, name: str) -> Attribute | None:
        value = self.op.properties.get(name)
        return self.op.attributes.get(name) if value is None else value

    def _lacks(self, name: str) -> InvalidProgramError:
        return InvalidProgramError(f"{self.op.name} has no attribute {name}", self.op)

    def get(self, name: str) -> Any:
        """A structured attribute such as dimension numbers; raises InvalidProgramError where it is missing."""
        value = self.attribute(name)
        if value is None:
            raise self._lacks(name)
        return value

    def ints(self, name: str, default: Sequence[int] | None = None) -> tuple[int, ...]:
        """An array of integers."""
        value = self.attribute(name)
        if value is None:
            if default is None:
                raise self._lacks(name)
            return tuple(default)
        if isinstance(value, DenseArrayBase):
            return tuple(int(v) for v in cast(Sequence[int], value.get_values()))
        return tuple(int(v) for v in self.array(name).reshape(-1))

    def array(self, name: str, default: Array | None = None) -> Array:
        """A dense elements attribute."""
        value = self.attribute(name)
        if value is None and default is not None:
            return default
        return dense_array(cast(DenseIntOrFPElementsAttr, value))

    def int(self, name: str, default: int | None = None) -> int:
        value = self.attribute(name)
        if value is None:
            if default is None:
                raise self._lacks(name)
            return default
        return cast(IntegerAttr, value).value.data

    def float(self, name: str, default: float | None = None) -> float:
        value = self.attribute(name)
        if value is None:
            if default is None:
                raise self._lacks(name)
            return default
        return cast(FloatAttr, value).value.data

    def string(self, name: str) -> str:
        return cast(StringAttr, self.get(name)).data

    def enum(self, name: str) -> str | None:
        """The spelling of an enumeration attribute, None where it is missing."""
        value = self.attribute(name)
        return None if value is None else str(cast(Any, value).data.value)

    def result(self, index: int = 0) -> tuple[tuple[int, ...], np.dtype[Any]]:
        """Shape and dtype of a result; unknown sizes are `DYNAMIC_INDEX`."""
        return shape_and_dtype(self.op.results[index].type)

    def require_shape(self, shape: tuple[int, ...], index: int = 0) -> None:
        """Raises InvalidProgramError if the type of a result excludes the shape it has."""
        require_shape(self.op, index, shape)

    def promoted(self, *operands: Array) -> list[Array]:
        """`operands`, one or more for each result in turn, in the dtypes of the results: those bodies compute in."""
        dtypes = [self.result(i)[1] for i in range(len(self.op.results))]
        return [o.astype(dtypes[i % len(dtypes)], copy=False) for i, o in enumerate(operands)]

    def run(self, index: int, *arguments: Value) -> tuple[Any, ...]:
        """The values returned by region `index` for `arguments`."""
        return self.interpreter.run_region(self.op.regions[index], arguments)

    def run_batched(self, index: int, *arguments: Array) -> tuple[Array, ...]:
        """Region `index`, a function of scalars, applied to every element of equally shaped `arguments`."""
        return self.interpreter.run_elementwise(self.op.regions[index], arguments)
