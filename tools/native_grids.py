"""`interpreter.run_parallel` on compiled code, for executable test files.

The function around it is interpreted: it holds constants, the call of the grid, and checks. The programs of the grid,
and the functions that give the infeed, are compiled and run side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolTable

from ..dialects.interpreter import RunParallelOp
from ..errors import UnsupportedError
from ..reference.environment import Batch, Environment, Host
from ..reference.values import Value
from ..runtime.executable import Executable
from ..runtime.grid import run_grid
from .executable_tests import CheckingInterpreter

Compile = Callable[..., Executable]
"""Compiles a module, given the name of the entry and the size of the grid."""


class GridInterpreter(CheckingInterpreter):
    """Runs grids of processes as compiled programs, everything else as the reference does."""

    def __init__(self, module: Operation | None, environment: Environment | None, compile: Compile):
        super().__init__(module, environment)
        self._compile = compile
        self._programs: dict[tuple[str, int, int], Executable] = {}

    def evaluate(self, op: Operation, operands: Sequence[Value]) -> tuple[Value, ...]:
        return self._run_parallel(op, operands) if isinstance(op, RunParallelOp) else super().evaluate(op, operands)

    def _run_parallel(self, op: RunParallelOp, operands: Sequence[Value]) -> tuple[Value, ...]:
        rows = op.program_names()
        size = len(rows), len(rows[0])
        outer = self.environment
        host = Host(probe_directory=outer.host.probe_directory, output=outer.host.output)
        host.infeed.extend(self._deferred(op, name) for name in op.infeed_names())
        rest = iter(operands)
        functions = [[_function(op, name) for name in row] for row in rows]
        arguments = [[[next(rest) for _ in f.function_type.inputs.data] for f in row] for row in functions]
        programs = [[self._program(f, *size) for f in row] for row in functions]
        results = run_grid(programs, arguments, Environment(seed=outer.seed, host=host))
        return tuple(value for row in results for values in row for value in values)

    def _deferred(self, op: RunParallelOp, name: Attribute) -> Callable[[], Batch]:
        return lambda: self._program(_function(op, name), 1, 1)()

    def _program(self, function: FuncOp, replicas: int, partitions: int) -> Executable:
        key = (function.sym_name.data, replicas, partitions)
        if key not in self._programs:
            module: Any = self.module
            self._programs[key] = self._compile(
                cast(ModuleOp, module), entry=key[0], replicas=replicas, partitions=partitions
            )
        return self._programs[key]


def _function(op: RunParallelOp, name: Attribute) -> FuncOp:
    function = SymbolTable.lookup_symbol(op, cast(SymbolRefAttr, name))
    if not isinstance(function, FuncOp):
        raise UnsupportedError(f"{op.name}: there is no function {name}", op)
    return function
