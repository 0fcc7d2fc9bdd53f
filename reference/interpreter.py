"""Runs a StableHLO module with NumPy, op by op.

`run` executes a function, `evaluate_op` a single op. The meaning of each op stands in the family files of this package.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Region, SSAValue
from xdsl.traits import IsTerminator, SymbolTable

from ..errors import ArgumentError, UnsupportedError
from . import (  # noqa: F401  (each import registers a family)
    chlo,
    contraction,
    control_flow,
    data_movement,
    elementwise,
    indexing,
    reduction,
    windows,
)
from .arrays import Array, shape_and_dtype
from .elementwise import ELEMENTWISE
from .registry import REFERENCE, Call

Environment = dict[SSAValue, Array]


class Interpreter:
    """Evaluates ops in an environment of values; regions see the values around them."""

    def __init__(self, module: Operation | None = None):
        self.module = module
        self.environment: Environment = {}

    def call(self, name: str, arguments: Sequence[Array]) -> tuple[Array, ...]:
        """The results of the function `name`."""
        function = None if self.module is None else SymbolTable.lookup_symbol(self.module, name)
        if not isinstance(function, func.FuncOp):
            raise UnsupportedError(f"call of unknown function @{name}")
        outer, self.environment = self.environment, {}
        try:
            return self.run_region(function.body, arguments)
        finally:
            self.environment = outer

    def run_region(self, region: Region, arguments: Sequence[Array]) -> tuple[Array, ...]:
        """Runs the only block of `region`; returns the operands of its terminator."""
        block = region.block
        for argument, value in zip(block.args, arguments, strict=True):
            self.environment[argument] = value
        for op in block.ops:
            operands = [self.environment[operand] for operand in op.operands]
            if op.has_trait(IsTerminator):
                return tuple(operands)
            for result, value in zip(op.results, self.evaluate(op, operands), strict=True):
                self.environment[result] = value
        return ()

    def evaluate(self, op: Operation, operands: Sequence[Array]) -> tuple[Array, ...]:
        """The results of `op` for `operands`, in the dtypes of its result types."""
        if isinstance(op, func.CallOp):
            return self.call(op.callee.string_value(), operands)
        function = REFERENCE.get(op.name)
        if function is None:
            raise UnsupportedError(f"{op.name} has no reference implementation")
        with np.errstate(all="ignore"):
            value = function(Call(op, self), *operands)
        values = value if isinstance(value, tuple) else (value,)
        return tuple(self._checked(op, i, np.asarray(v)) for i, v in enumerate(values))

    @staticmethod
    def _checked(op: Operation, index: int, value: Array) -> Array:
        shape, dtype = shape_and_dtype(op.results[index].type)
        if value.shape != shape:
            raise AssertionError(f"{op.name}: reference gave shape {value.shape}, the type says {shape}")
        return value.astype(dtype, copy=False)

    def run_elementwise(self, region: Region, arguments: Sequence[Array]) -> tuple[Array, ...]:
        """`region`, a function of rank-0 tensors, for every element of equally shaped `arguments`.

        Elementwise bodies run once on whole arrays; any other body runs once an element.
        """
        shape = arguments[0].shape
        ops = list(region.block.ops)
        if all(op.name in ELEMENTWISE or op.has_trait(IsTerminator) for op in ops):
            local: Environment = dict(zip(region.block.args, arguments, strict=True))
            for op in ops:
                operands = [local[o] if o in local else self.environment[o] for o in op.operands]
                if op.has_trait(IsTerminator):
                    return tuple(np.broadcast_to(o, shape) for o in operands)
                with np.errstate(all="ignore"):
                    value = REFERENCE[op.name](Call(op, self), *operands)
                _, dtype = shape_and_dtype(op.results[0].type)
                local[op.results[0]] = np.asarray(value).astype(dtype, copy=False)
        results: list[Array] | None = None
        for index in np.ndindex(shape):
            values = self.run_region(region, [np.asarray(a[index]) for a in arguments])
            if results is None:
                results = [np.empty(shape, v.dtype) for v in values]
            for result, value in zip(results, values, strict=True):
                result[index] = value
        if results is None:
            types = [o.type for o in region.block.last_op.operands] if region.block.last_op else []
            results = [np.empty(shape, shape_and_dtype(t)[1]) for t in types]
        return tuple(results)


def evaluate_op(op: Operation, operands: Sequence[Array]) -> tuple[Array, ...]:
    """The results of the single op `op` for `operands`.

    Raises UnsupportedError where the op has no reference implementation or needs values around it.
    """
    return Interpreter(op.get_toplevel_object() if op.parent else None).evaluate(op, operands)


def run(module: ModuleOp, entry: str, arguments: Sequence[Array]) -> tuple[Array, ...]:
    """The results of the function `entry` of `module`.

    Raises ArgumentError where `arguments` do not have the types of the function's parameters.
    """
    function = SymbolTable.lookup_symbol(module, entry)
    if not isinstance(function, func.FuncOp):
        raise ArgumentError(f"the module has no function @{entry}")
    types = function.function_type.inputs.data
    if len(types) != len(arguments):
        raise ArgumentError(f"@{entry} takes {len(types)} arguments, got {len(arguments)}")
    values: list[Array] = []
    for i, (type, argument) in enumerate(zip(types, arguments, strict=True)):
        shape, dtype = shape_and_dtype(type)
        value = np.asarray(argument)
        if value.shape != shape or value.dtype != dtype:
            raise ArgumentError(
                f"argument {i} of @{entry}: expected {dtype.name}{list(shape)}, got {value.dtype.name}{list(value.shape)}"
            )
        values.append(value)
    return Interpreter(module).call(entry, values)
