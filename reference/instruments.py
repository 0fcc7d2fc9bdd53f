"""The ops of the `interpreter` dialect: grids of processes inside a program, probes and printing."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.traits import SymbolTable

from ..dialects.interpreter import RunParallelOp
from ..errors import InvalidProgramError, UnsupportedError
from .arrays import Array, is_complex, is_float
from .checks import INDEX_FILE
from .environment import Batch, Environment, Host
from .processes import Process, ProcessGrid, ProcessId
from .registry import Call, reference
from .values import Value


@reference("interpreter.run_parallel")
def run_parallel(call: Call, *inputs: Value) -> tuple[Value, ...]:
    """Results of all processes, one after the other."""
    op = call.op
    assert isinstance(op, RunParallelOp)
    rows = op.program_names()
    grid = ProcessGrid(len(rows), len(rows[0]))
    outer = call.interpreter.environment
    host = Host(probe_directory=outer.host.probe_directory, output=outer.host.output)
    host.infeed.extend(_deferred(call, cast(SymbolRefAttr, name)) for name in op.infeed_names())
    environment = Environment(seed=outer.seed, host=host)
    rest = iter(inputs)
    functions = {
        (i, j): _program(call, cast(SymbolRefAttr, name), environment, rest)
        for i, row in enumerate(rows)
        for j, name in enumerate(row)
    }
    results: dict[ProcessId, tuple[Value, ...]] = grid.run(functions)
    return tuple(value for id in functions for value in results[id])


def _program(
    call: Call, symbol: SymbolRefAttr, environment: Environment, inputs: Iterator[Value]
) -> Callable[[Process], tuple[Value, ...]]:
    """The function `symbol`, called with the next of `inputs`."""
    function = SymbolTable.lookup_symbol(call.op, symbol)
    if not isinstance(function, FuncOp):
        raise UnsupportedError(f"{call.op.name}: there is no function {symbol}", call.op)
    arguments = [next(inputs) for _ in function.function_type.inputs.data]

    def run(process: Process) -> tuple[Value, ...]:
        interpreter = call.interpreter.with_environment(environment.of_process(process))
        return interpreter.call(symbol.string_value(), arguments, call.op)

    return run


def _deferred(call: Call, symbol: SymbolRefAttr) -> Callable[[], Batch]:
    return lambda: cast(Batch, call.interpreter.call(symbol.string_value(), [], call.op))


@reference("interpreter.probe")
def probe(call: Call, operand: Array) -> Array:
    """Writes `probe<number>.npy` and a line of the index; types that NumPy files lack are stored as their bits."""
    directory = call.interpreter.environment.host.probe_directory
    if directory is None:
        raise InvalidProgramError(f"'{call.op.name}' op: no directory for probes is given", call.op)
    directory.mkdir(parents=True, exist_ok=True)
    index = directory / INDEX_FILE
    count = len(index.read_text().splitlines()) if index.exists() else 0
    name = f"probe{count + 1}.npy"
    stored = operand.view(f"u{operand.dtype.itemsize}") if operand.dtype.num >= 256 else operand
    np.save(directory / name, stored)
    with index.open("a", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow([call.string("probe_id"), call.op.operand_types[0], name])
    return operand


@reference("interpreter.print")
def print_(call: Call, operand: Array) -> tuple[()]:
    """`%name = tensor<2xi32> {` and the elements, one innermost list a line."""
    name = call.op.operands[0].name_hint
    text = describe(operand, str(call.op.operand_types[0]))
    call.interpreter.environment.host.print(f"%{name} = {text}" if name else text)
    return ()


def describe(value: Array, type: str) -> str:
    """A tensor the way upstream's interpreter prints it."""
    if value.ndim == 0:
        return f"{type} {{{_element(value[()])}}}"
    return f"{type} {{\n{_rows(value, 2)}\n}}"


def _rows(value: Array, indent: int) -> str:
    margin = " " * indent
    if value.ndim == 1:
        return f"{margin}[{', '.join(_element(x) for x in value)}]"
    rows = ",\n".join(_rows(row, indent + 2) for row in value)
    return f"{margin}[\n{rows}\n{margin}]" if rows else f"{margin}[]"


def _element(value: Any) -> str:
    dtype = np.asarray(value).dtype
    if dtype == np.bool_:
        return "true" if value else "false"
    if is_complex(dtype):
        return f"[{_element(value.real)}, {_element(value.imag)}]"
    return f"{float(value):.6e}" if is_float(dtype) else str(int(value))
