"""The program that a device runs, and what it costs."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation

from ...decisions.model import host_model
from ...dialects.editing import walk
from ...dialects.stablehlo import AsyncStartOp, CaseOp, IfOp, WhileOp
from ...frontends.mlir_bytecode.writer import write_bytecode
from ...passes.stablehlo.stablehlo_erase_sharding import StablehloEraseShardingPass
from ...passes.stablehlo.stablehlo_expand_collectives import inline_asynchronous
from ...runtime.compiler import Request
from ...runtime.entry import select_entry
from ...runtime.formats import read_program
from ...runtime.sharding.executable import ShardedExecutable
from ...runtime.sharding.program import program_of_device
from ...runtime.work import FUNCTIONS, elements_of, work_of
from .client import Named
from .executables import Program

SHARDY, ASYNCHRONOUS = b"sdy", b"async_start"

REQUEST = Request(1, "xla-cpu", None, None, 2, None, None, donate=False)
"""How a program is partitioned: as it is compiled, whatever the options of code are."""


def local_module(program: Program) -> ModuleOp:
    """The program of one device, in StableHLO; without asynchronous ops, which clients cannot print."""
    executable = program.executable
    if not isinstance(executable, ShardedExecutable):
        module = read_program(program.source, "<jax>")
    else:
        module = program_of_device(program.source, "<jax>", executable.devices, REQUEST).module
    StablehloEraseShardingPass().apply(Context(), module)
    for op in [op for op in walk(module) if isinstance(op, AsyncStartOp)]:
        inline_asynchronous(op)
    return module


def local_code(program: Program) -> bytes:
    """The same as bytecode; as it came where no device has a part of it."""
    if not any(word in program.source for word in (SHARDY, ASYNCHRONOUS)):
        return program.source
    return write_bytecode(local_module(program))


Cost = tuple[float, float, float]
"""Operations of arithmetic, elementary functions, bytes."""


def costs(program: Program) -> list[Named]:
    """What a device does in one run, as XLA names it; of a loop one iteration, of branches the one that does most."""
    module = local_module(program)
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}
    flops, functions_called, moved = _of_all(select_entry(module).body.block.ops, functions)
    return [("flops", flops), ("transcendentals", functions_called), ("bytes accessed", moved)]


def _of_all(ops: Iterable[Operation], functions: dict[str, FuncOp]) -> Cost:
    each = [_of_op(op, functions) for op in ops]
    return sum(cost[0] for cost in each), sum(cost[1] for cost in each), sum(cost[2] for cost in each)


def _of_op(op: Operation, functions: dict[str, FuncOp]) -> Cost:
    if isinstance(op, CallOp):
        return _of_all(functions[op.callee.string_value()].body.block.ops, functions)
    if isinstance(op, WhileOp):
        return _of_all((inner for region in op.regions for inner in region.block.ops), functions)
    if isinstance(op, IfOp | CaseOp):
        return max((_of_all(region.block.ops, functions) for region in op.regions), default=(0.0, 0.0, 0.0))
    work = work_of(op, host_model())
    if op.name in FUNCTIONS or op.name.startswith("chlo."):
        return 0.0, float(elements_of(op.results[0])), float(work.bytes)
    return float(work.operations), 0.0, float(work.bytes)
