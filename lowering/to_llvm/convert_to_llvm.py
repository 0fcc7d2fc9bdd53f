"""`convert-to-llvm`: everything to the `llvm` dialect, in one walk over each function.

Needs: functions whose bodies are in `arith`, `math`, `memref`, `vector`, `cf`, `func`, `ub` and
`xrt`; memrefs of static shape; vectors of one dimension; at least one function with the attribute
`xrt.entry`, whose arguments are `xrt.num_inputs` inputs, `xrt.num_outputs` outputs and perhaps the
arena.

Leaves: `llvm` only. A memref is its pointer, `index` is `i64`, an `i1` in memory a byte. Each entry
function becomes a public `@name(inputs, outputs, arena, context)`; everything else is internal.
Nothing is looked up by symbol: see `context_layout` for what the context holds. The module's attribute
`xrt.call_targets` lists the functions that the runtime has to provide. An entry function keeps what the runtime has to
know (`xrt.interface`, `xrt.donated`, `xrt.threads`, `xrt.thread_scratch_bytes`) and says how large its arena is
(`xrt.arena_bytes`); kernels stay marked.

```mlir
func.func private @scale(%x: memref<8xf32>, %out: memref<8xf32>) {
  ...
  %v = memref.load %x[%i] : memref<8xf32>
  %w = arith.addf %v, %v : f32
  memref.store %w, %out[%i] : memref<8xf32>
```
becomes
```mlir
llvm.func internal @scale(%x: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}) {
  ...
  %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> f32
  %w = llvm.fadd %v, %v : f32
  %q = llvm.getelementptr inbounds %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %w, %q {alignment = 4 : i64} : f32, !llvm.ptr
```

A file for each one or two source dialects contributes a table from op types to functions. Bare pointers for
memrefs follow MLIR's "bare pointer calling convention", carried through to all values.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import affine, func, llvm, memref, scf
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...decisions.model import CostModel, cost_model_of
from ...dialects import xrt as xrt_dialect
from ...dialects.editing import discard, new_op, walk
from ...dialects.shared_attributes import i64_attribute
from ...dialects.xrt_names import BODY, CALL_TARGET_TABLE, CONSTANT_INDEX, ENTRY, PROFILE, SAFEPOINTS, TASK
from ...errors import UnsupportedError
from ...ir.conversions import ConversionPass, Handlers
from ...ir.function_passes import Function, InTurn, groups
from ...ir.views import buffer_of
from . import arith, dots, extrema, vector, xrt
from . import context_layout as slots
from . import func as func_lowering
from . import memref as memref_lowering
from .denormals import Denormals
from .module_tables import CallTarget, constant_bytes
from .profiling import Sites
from .types import VOID, element_type, layout

HANDLERS: Handlers = {
    **arith.HANDLERS,
    **memref_lowering.HANDLERS,
    **vector.HANDLERS,
    **func_lowering.HANDLERS,
    **xrt.HANDLERS,
    **dots.HANDLERS,
    **extrema.HANDLERS,
}

_ASKING = {xrt_dialect.CallTargetOp, xrt_dialect.HasFailedOp, xrt_dialect.SafepointOp}
"""Ops that need the context, besides parallel loops."""

_NOTED = {
    *(func.CallOp, memref.GetGlobalOp, xrt_dialect.ParallelOp, *_ASKING),
    *(affine.ForOp, affine.ParallelOp, scf.ForOp, scf.ParallelOp, scf.WhileOp),
}
"""Ops that tell what a function calls and needs, and loops."""


class ModuleLowering:
    """What the functions of a module must know of each other, and the functions added to it.

    What their callers say of functions is known from the start, also where passes before have not come to them yet, and
    what they are made of when they come.
    """

    def __init__(self, module: ModuleOp, handlers: Handlers, model: CostModel, profile: bool = False):
        self.block = module.body.block
        self.handlers = handlers
        self.model = model
        self.denormals = Denormals.of(module, model.target.architecture)
        self.functions: dict[str, func.FuncOp] = {}
        self.globals: dict[str, memref.GlobalOp] = {}
        self.entries: set[str] = set()
        self.large_constants: dict[str, int] = {}
        """Index in the table of constants by symbol."""
        self.needs_context: set[str] = set()
        self.call_targets: dict[CallTarget, int] = {}
        """Index in the table of call targets."""
        self.has_safepoints = False
        self.parallel_bodies: set[str] = set()
        self.called_in_parallel: set[str] = set()
        """Functions that a parallel loop calls, directly or not, other than its body."""
        self.repeated: set[str] = set()
        """Functions that those with a loop call, directly or not."""
        self.aliasing_parameters: dict[str, set[int]] = {}
        """Parameters that share their buffer with another one in some call."""
        self.tasks: dict[tuple[str, int], llvm.FuncOp] = {}
        """The functions made for parallel loops so far, by body and trip count."""
        self._calls: dict[str, set[str]] = {}
        self._callers: dict[str, set[str]] = {}
        self._support: set[str] = set()
        self._loops: set[str] = set()
        """Functions with a loop."""

        for op in module.body.block.ops:
            if isinstance(op, func.FuncOp):
                self.functions[op.sym_name.data] = op
                if ENTRY in op.attributes:
                    self.entries.add(op.sym_name.data)
            elif isinstance(op, memref.GlobalOp):
                self._register_global(op)
            else:
                raise UnsupportedError(f"convert-to-llvm: no conversion for {op.name} in a module", op)
        self.sites = {name: Sites(self.functions[name]) for name in self.entries} if profile else {}
        """By entry function what is measured in it."""
        self.look_at(self.functions.values())

    def look_at(self, functions: Iterable[func.FuncOp]) -> None:
        """At functions as they are now."""
        for function in functions:
            name = function.sym_name.data
            calls = self._calls[name] = set[str]()
            self._loops.discard(name)
            if self._scan(function, calls) or name in self.sites or not calls.isdisjoint(self.needs_context):
                _reach([name], self._callers, self.needs_context)
            if name in self._loops or name in self.repeated:
                _reach(calls, self._calls, self.repeated)
            if name in self.parallel_bodies or name in self.called_in_parallel:
                _reach(calls, self._calls, self.called_in_parallel)

    def body_name(self, name: str) -> str:
        """The symbol of the converted function: an entry's own name belongs to its wrapper."""
        return f"{name}{BODY}" if name in self.entries else name

    def converted(self, function: func.FuncOp) -> Iterator[llvm.FuncOp]:
        """What a function becomes, each as it is put into the module: an entry function its body and a wrapper."""
        declared = func_lowering.declared(function, self)
        self.block.add_op(declared)
        func_lowering.convert_function(function, declared, self)
        yield declared
        if function.sym_name.data in self.entries:
            wrapper = func_lowering.declared_wrapper(function)
            self.block.add_op(wrapper)
            func_lowering.fill_wrapper(function, wrapper, self)
            yield wrapper

    def task(self, body: str, trip_count: int, frame_type: llvm.LLVMStructType) -> str:
        """The symbol of the task that runs `body` over `[0, trip_count)`, made on first use."""
        if (task := self.tasks.get((body, trip_count))) is None:
            name = f"{body}{TASK}{trip_count}"
            task = self.tasks[body, trip_count] = xrt.task_function(self, name, body, trip_count, frame_type)
            self.block.add_op(task)
        return task.sym_name.data

    def declarations(self) -> list[llvm.FuncOp]:
        """Of the functions that all programs share and converted functions call."""
        return [
            func_lowering.function(name, *xrt.support_types(name), Region(), internal=False)
            for name in sorted(self._support)
        ]

    def support(self, name: str) -> list[Attribute]:
        """The result types of a function that all programs share, which is now declared."""
        self._support.add(name)
        _, result = xrt.support_types(name)
        return [] if result == VOID else [result]

    def _register_global(self, op: memref.GlobalOp) -> None:
        name = op.sym_name.data
        if not isinstance(op.initial_value, DenseIntOrFPElementsAttr) or op.constant is None:
            raise UnsupportedError(f"convert-to-llvm: @{name} is not a constant; generated code has no state")
        self.globals[name] = op
        if layout(op.type).size > self.model.memory.inline_constant_bytes:
            self.large_constants[name] = len(self.large_constants)

    def _scan(self, function: func.FuncOp, calls: set[str]) -> bool:
        """Notes in `calls` what a function calls; whether it reads the context itself."""
        name, asks = function.sym_name.data, False
        jumping = set[Block | None]()
        """Blocks that end so far: a jump to one of them makes a loop."""
        for op in walk(function.body):
            cls = op.__class__
            if op._successors:
                jumping.add(op.parent)
                if not jumping.isdisjoint(op._successors):
                    self._loops.add(name)
            if cls not in _NOTED:
                continue
            if cls is func.CallOp or cls is xrt_dialect.ParallelOp:
                callee = cast(SymbolRefAttr, op.properties["callee"]).string_value()
                calls.add(callee)
                self._callers.setdefault(callee, set()).add(name)
                self._note_aliasing(callee, op)
                if cls is xrt_dialect.ParallelOp:
                    self.parallel_bodies.add(callee)
                    _reach(self._calls.get(callee, ()), self._calls, self.called_in_parallel)
                    asks = True
            elif cls in _ASKING:
                self.has_safepoints |= cls is xrt_dialect.SafepointOp
                asks = True
                if "callee" in op.properties:  # an exchange calls it in a loop
                    calls.add(cast(SymbolRefAttr, op.properties["callee"]).string_value())
                    self._loops.add(name)
            elif cls is memref.GetGlobalOp:
                asks = asks or cast(SymbolRefAttr, op.properties["name"]).string_value() in self.large_constants
            else:
                self._loops.add(name)
        return asks

    def _note_aliasing(self, callee: str, op: Operation) -> None:
        seen: dict[object, int] = {}
        for index, operand in enumerate(op._operands):
            if operand.type.__class__ is MemRefType:
                first = seen.setdefault(_buffer(operand), index)
                if first != index:
                    self.aliasing_parameters.setdefault(callee, set()).update((first, index))


def _reach(start: Iterable[str], edges: Mapping[str, Iterable[str]], reached: set[str]) -> None:
    """Adds `start` and all that can be reached from it along `edges` to `reached`, which has what its own lead to."""
    stack = list(start)
    while stack:
        if (name := stack.pop()) not in reached:
            reached.add(name)
            stack += edges.get(name, ())


def _buffer(value: SSAValue) -> object:
    """A key that is equal for values that are views of the same memory."""
    value = buffer_of(value)
    op: Any = value.owner
    if op.__class__ is memref.ViewOp:
        source, shift, *_ = op._operands
        offset = shift.owner
        constant = None if isinstance(offset, Block) else offset.properties.get("value")
        return _buffer(source), shift if constant is None else constant
    return op.name_.string_value() if op.__class__ is memref.GetGlobalOp else value


def _convert_global(op: memref.GlobalOp, index: int | None) -> llvm.GlobalOp:
    value = cast("DenseIntOrFPElementsAttr[Any]", op.initial_value)
    at = layout(op.type)
    length = at.elements
    stored: Attribute = at.storage.type
    data = value.data
    if at.storage.narrow:
        data = type(data)(constant_bytes(value))
    flat = DenseIntOrFPElementsAttr(TensorType(cast(Any, element_type(stored)), [length]), data)
    properties: dict[str, Attribute] = {
        "global_type": llvm.LLVMArrayType(length, stored),
        "sym_name": op.sym_name,
        "linkage": llvm.LinkageAttr("internal"),
        "constant": UnitAttr(),
        "value": flat,
        "addr_space": IntegerAttr(0, 32),
        "alignment": i64_attribute(slots.CONSTANT_ALIGNMENT),
    }
    attributes = {} if index is None else {CONSTANT_INDEX: i64_attribute(index)}
    return new_op(llvm.GlobalOp, properties=properties, attributes=attributes, regions=[Region()])


@dataclass(frozen=True)
class ConvertToLlvmPass(InTurn, ConversionPass):
    """Converts level 5 after `convert-scf-to-cf` to the `llvm` dialect."""

    name = "convert-to-llvm"

    HANDLERS = HANDLERS

    profile: bool = False
    """Whether calls of the program tier are measured (`profiling.py`)."""

    vector_bits: int = 0
    """0 for this machine's instructions, or those of any CPU with vectors of so many bits."""

    def through(self, ctx: Context, module: ModuleOp, functions: Iterable[Function]) -> Iterator[Function]:
        """A function is in the module before those that call it; in the end all are in the order that they had."""
        lowering = ModuleLowering(module, self.handlers(), cost_model_of(ctx, self.vector_bits), self.profile)
        return _converted(module, lowering, groups(set(lowering.functions), functions))


def _converted(
    module: ModuleOp, lowering: ModuleLowering, functions: Iterable[list[Function]]
) -> Iterator[llvm.FuncOp]:
    block = module.body.block
    replaced: list[Operation] = [*lowering.globals.values()]
    for name, constant in lowering.globals.items():
        constant.detach()
        block.add_op(_convert_global(constant, lowering.large_constants.get(name)))
    converted: dict[str, list[llvm.FuncOp]] = {name: [] for name in lowering.functions}
    for group in functions:
        added = [function for function in group if isinstance(function, func.FuncOp)]
        lowering.look_at(added)
        for function in added:
            function.detach()
            replaced.append(function)
            for each in lowering.converted(function):
                converted[added[-1].sym_name.data].append(each)
                yield each
    yield from lowering.tasks.values()
    for op in [*chain(*converted.values()), *lowering.tasks.values()]:
        block.detach_op(op)
        block.add_op(op)
    block.add_ops(lowering.declarations())
    for sites in lowering.sites.values():
        module.attributes[PROFILE] = sites.attribute()
    if lowering.has_safepoints:
        module.attributes[SAFEPOINTS] = UnitAttr()
    if lowering.call_targets:
        targets = [target.attribute() for target in lowering.call_targets]
        module.attributes[CALL_TARGET_TABLE] = ArrayAttr(targets)
    for op in replaced:
        discard(op)
