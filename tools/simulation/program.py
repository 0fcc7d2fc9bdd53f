"""The program of one device, and what it is of."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Operation

from ...dialects.stablehlo.traits import AcrossProcesses
from ...dialects.xrt_attributes import number_of
from ...dialects.xrt_names import ARENA_BYTES
from ...errors import ArgumentError, UnsupportedError
from ...nesting import at_depth
from ...reference.processes import ProcessGrid
from ...runtime.compilation import load_program, prepare
from ...runtime.compiler import Request
from ...runtime.entry import select_entry
from ...runtime.extensions.definitions import NOTHING
from ...runtime.pass_manager import run_passes
from ...runtime.program_context import new_context
from ...runtime.program_facts import lowered_entry
from ...runtime.sharding.program import program_of_device
from ...runtime.work import type_bytes


class LocalProgram(NamedTuple):
    """What each device runs."""

    module: ModuleOp
    entry: str
    grid: ProcessGrid


class Memory(NamedTuple):
    """Of one device, in bytes."""

    arguments: int
    results: int
    arena: int

    @property
    def total(self) -> int:
        return self.arguments + self.results + self.arena


def local_program(contents: bytes | ModuleOp, filename: str, devices: int, request: Request) -> LocalProgram:
    """The program of one of so many devices. Raises `ArgumentError` for a program that is for another number."""
    module = load_program(contents, filename, new_context(definitions=request.definitions or NOTHING))
    replicas, partitions = (_count(module, f"mhlo.num_{name}") for name in ("replicas", "partitions"))
    if replicas * partitions not in (1, devices):
        raise ArgumentError(
            f"devices={devices}: the program is for {replicas} replicas times {partitions} partitions,"
            f" {replicas * partitions} devices"
        )
    if replicas > 1 and partitions > 1:
        entry = select_entry(module, request.entry).sym_name.data
        return LocalProgram(module, entry, ProcessGrid(replicas, partitions))
    program = program_of_device(module, filename, devices, request, takes_partitioned=True)
    collectives = [op for op in program.module.walk() if op.has_trait(AcrossProcesses)]
    is_by_replica = replicas > 1 or (partitions == 1 and bool(collectives) and all(map(_is_by_replica, collectives)))
    if (
        devices > 1
        and not collectives
        and replicas * partitions == 1
        and not any((*program.spread.inputs, *program.spread.outputs))
    ):
        raise ArgumentError(f"devices={devices}: nothing in the program says how it is spread over devices")
    grid = ProcessGrid(devices, 1) if is_by_replica else ProcessGrid(1, devices)
    return LocalProgram(program.module, program.entry, grid)


def _is_by_replica(op: Operation) -> bool:
    """Whether groups without a channel name replicas."""
    return op.properties.get("channel_handle") is None


def _count(module: ModuleOp, name: str) -> int:
    value = module.attributes.get(name)
    return value.value.data if isinstance(value, IntegerAttr) else 1


def memory_of(program: LocalProgram, filename: str, request: Request) -> Memory:
    """What a device needs at once, as the passes lay it out; no code is generated."""
    grid = program.grid
    request = request._replace(entry=program.entry, replicas=grid.replicas, partitions=grid.partitions)
    entry = select_entry(program.module, program.entry)
    sides = entry.function_type.inputs, entry.function_type.outputs
    arguments, results = (sum(map(type_bytes, side)) for side in sides)
    prepared = prepare(program.module, filename, request)
    at_depth(prepared.depth, lambda: run_passes(prepared.context, prepared.module, prepared.passes))
    arena = number_of(lowered_entry(prepared.module, prepared.symbol), ARENA_BYTES)
    if arena is None:
        raise UnsupportedError(f"'@{program.entry}': the pipeline does not lay out its memory")
    return Memory(arguments, results, arena)
