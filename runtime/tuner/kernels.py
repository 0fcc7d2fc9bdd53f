"""The kernels of a program on level 4, how often each is called, and each as a program of its own."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import prod
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import IndexType, MemRefType, ModuleOp, NoneAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ...decisions.model import CostModel
from ...dialects.element_sizes import element_bytes
from ...dialects.printing import ExactPrinter
from ...dialects.schedule import KernelAttr
from ...dialects.schedule.tree import Tree
from ...dialects.xrt_attributes import denormals_of
from ...dialects.xrt_names import DENORMALS, ENTRY, INTERFACE, KERNEL, NUM_INPUTS, NUM_OUTPUTS, SCHEDULE, SERIAL
from ...ir.loops import LOOPS, trip_counts
from ...ir.schedule_files import Key, digest_of
from ...lowering.contractions.hoisting import Hoisting
from ...lowering.schedulable import Schedulable, SingleOpKernel

UNKNOWN_TRIPS = 16
"""How often a loop is taken to run of which that is not known: more often than what stands beside it."""


@dataclass(frozen=True)
class Kernel:
    """A kernel that can have a schedule. Those of the same key are one."""

    names: tuple[str, ...]
    function: func.FuncOp
    schedulable: Schedulable
    key: Key
    calls: int
    """How often a run of the program calls it, as far as that is known."""

    @property
    def name(self) -> str:
        return self.names[0]

    @property
    def tree(self) -> Tree:
        """The schedule that it has."""
        found = self.function.attributes[SCHEDULE]
        assert isinstance(found, KernelAttr)
        return found.data

    @property
    def terms(self) -> int:
        """How many terms its sums have that may be added in any order, 0 if there is none."""
        counts = [
            prod(size for size, reduced in zip(nest.extents, nest.reduction, strict=True) if reduced)
            for nest in self.schedulable.ops.nests.values()
            if any(nest.reduction) and any(_may_be_reordered(op) for op in nest.body.ops)
        ]
        if isinstance(self.schedulable, SingleOpKernel):
            return self.schedulable.terms
        return prod(counts) if counts else 0

    @property
    def bytes(self) -> int:
        """Of its arguments."""
        return sum(prod(type.get_shape()) * element_bytes(type.element_type) for type in self.types)

    @property
    def types(self) -> list[MemRefType]:
        return [cast("MemRefType", type) for type in self.function.function_type.inputs]


def _may_be_reordered(op: Operation) -> bool:
    flags = getattr(op, "fastmath", None)
    return flags is not None and any(flag.value in ("reassoc", "fast") for flag in flags.data)


def kernels_of(module: ModuleOp, model: CostModel, cpu: str, threads: int) -> tuple[list[Kernel], dict[str, str]]:
    """The kernels that can have schedules, and the names of the others with the reason. Kernels of threads that run on
    one have a key for one.
    """
    functions = [op for op in module.body.block.ops if isinstance(op, func.FuncOp) and op.body.blocks]
    calls, hoisting = calls_of(functions), Hoisting.of(module)
    found: dict[Key, Kernel] = {}
    others: dict[str, str] = {}
    for function in functions:
        name = function.sym_name.data
        if KERNEL not in function.attributes:
            continue
        kernel = Schedulable.of(function, model, hoisting) if SCHEDULE in function.attributes else None
        reason = "is no group of ops that a schedule can name" if kernel is None else _obstacle(function)
        if reason is not None or kernel is None:
            others[name] = reason or ""
            continue
        key = Key(digest_of(function), cpu, 1 if SERIAL in function.attributes else threads)
        known = found.get(key)
        names, before = ((name,), 0) if known is None else ((*known.names, name), known.calls)
        found[key] = Kernel(names, function, kernel, key, before + calls.get(name, 0))
    return list(found.values()), others


def _obstacle(function: func.FuncOp) -> str | None:
    """Why a kernel cannot be a program of its own."""
    for type in function.function_type.inputs:
        buffer = cast("MemRefType", type) if isinstance(type, MemRefType) else None
        if buffer is None or not isinstance(buffer.layout, NoneAttr) or isinstance(buffer.element_type, IndexType):
            return f"takes {type}"
    return None


def calls_of(functions: list[func.FuncOp]) -> dict[str, int]:
    """How often each function is called in a run of the functions that nobody calls."""
    sites: dict[str, list[tuple[str, int]]] = {}
    for function in functions:
        for op in function.walk():
            if isinstance(op, func.CallOp):
                sites.setdefault(op.callee.string_value(), []).append((function.sym_name.data, _trips_around(op)))
    counts = {function.sym_name.data: 1 for function in functions if function.sym_name.data not in sites}
    for _ in functions:  # as deep as calls may nest
        for name, callers in sites.items():
            counts[name] = sum(counts.get(caller, 0) * trips for caller, trips in callers)
    return counts


def _trips_around(op: Operation) -> int:
    total, around = 1, op.parent_op()
    while around is not None:
        if type(around) in LOOPS:
            counts = trip_counts(around) or [None]
            total *= prod(UNKNOWN_TRIPS if count is None else count for count in counts)
        around = around.parent_op()
    return total


# A kernel by itself


def isolated(kernel: Kernel) -> str:
    """A module on level 4 whose entry calls the kernel alone: what it writes are results; what was in their memory
    before, if it matters, is another argument.
    """
    ins, outs, copies, passed = list[MemRefType](), list[MemRefType](), list[str](), list[str]()
    states = _uses(kernel)
    for argument, type in zip(kernel.function.body.block.args, kernel.types, strict=True):
        reads, writes = states.get(argument, (True, False))
        name = f"%y{len(outs)}" if writes else f"%x{len(ins)}"
        if writes and reads:
            copies.append(f'"memref.copy"(%x{len(ins)}, {name}) : ({type}, {type}) -> ()')
        if reads:
            ins.append(type)
        if writes:
            outs.append(type)
        passed.append(name)
    text = io.StringIO()
    types = [(f"%x{at}", type) for at, type in enumerate(ins)] + [(f"%y{at}", type) for at, type in enumerate(outs)]
    parameters = ", ".join(f"{name}: {type}" for name, type in types)
    arguments, results = (
        ", ".join(f'"{letter}{at}"' for at in range(len(side))) for letter, side in (("x", ins), ("y", outs))
    )
    interface = f"type = {_tensors(ins)} -> {_tensors(outs)}, arguments = [{arguments}], results = [{results}]"
    text.write(
        f"func.func public @main({parameters}) attributes {{{INTERFACE} = {{{interface}}}, {ENTRY},"
        f" {NUM_INPUTS} = {len(ins)} : i64, {NUM_OUTPUTS} = {len(outs)} : i64}} {{\n"
    )
    called = f"func.call @{kernel.name}({', '.join(passed)}) : ({', '.join(map(str, kernel.types))}) -> ()"
    text.write("\n".join([*copies, called, "func.return", "}", ""]))
    ExactPrinter(text).print_op(kernel.function)
    module = kernel.function.parent_op()
    mode = None if module is None else denormals_of(module)
    attributes = "" if mode is None else f' attributes {{{DENORMALS} = "{mode}"}}'
    return f"module{attributes} {{\n{text.getvalue()}\n}}\n"


def _tensors(types: list[MemRefType]) -> str:
    return f"({', '.join(str(type).replace('memref', 'tensor', 1) for type in types)})"


def _uses(kernel: Kernel) -> dict[SSAValue, tuple[bool, bool]]:
    """Of each argument whether what is in it is read, and whether it is written."""
    if isinstance(kernel.schedulable, SingleOpKernel):
        return dict.fromkeys(kernel.schedulable.outputs, (False, True))
    found: dict[SSAValue, tuple[bool, bool]] = {}
    for nest in kernel.schedulable.ops.nests.values():
        for root in nest.roots_read:
            found.setdefault(root, (True, False))
        for access in nest.outputs:
            whole = access.memref is access.root and _is_whole(access.root, nest.extents)
            reads, _ = found.get(access.root, (not whole, True))
            found[access.root] = reads, True
    return found


def _is_whole(root: SSAValue, extents: tuple[int, ...]) -> bool:
    """Whether loops of `extents` go to every element of a buffer, if each goes to one of its own."""
    return prod(cast("MemRefType[Attribute]", root.type).get_shape()) == prod(extents)


def functions_named(module: ModuleOp, names: Collection[str]) -> Iterator[func.FuncOp]:
    """Those of `module`."""
    for op in module.body.block.ops:
        if isinstance(op, func.FuncOp) and op.sym_name.data in names:
            yield op


def give(function: func.FuncOp, tree: Tree) -> None:
    """Gives a kernel this schedule."""
    function.attributes[SCHEDULE] = KernelAttr(tree)


def scheduled(module: ModuleOp) -> list[str]:
    """The kernels that have a schedule."""
    functions = [op for op in module.body.block.ops if isinstance(op, func.FuncOp)]
    return [function.sym_name.data for function in functions if SCHEDULE in function.attributes]
