"""Passes that take the functions of a module one after the other.

Passes in a row that do so may run for the first function before any of them sees the second one: code is generated for
what is through while the others are still lowered (`runtime/compilation.py`). So such a pass is a generator: it is
given the functions that the pass before is through with, and gives each when it is through itself. What it has to know
of the module it learns before the first function. The module that comes out is the same as pass by pass.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from enum import IntEnum, auto
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.ir import Block
from xdsl.passes import ModulePass

from ..decisions.model import CostModel, cost_model_of
from ..dialects import xrt
from ..dialects.editing import walk
from ..dialects.xrt_names import BODY, ENTRY, TASK

Function = func.FuncOp | llvm.FuncOp

_CALLS = {func.CallOp, llvm.CallOp, xrt.CallTargetOp, xrt.ParallelOp}
"""Ops that name what they call, if it is in the module."""


def functions_of(module: ModuleOp) -> list[Function]:
    """The functions of `module` in the order in which they are lowered: each behind those that it calls, otherwise
    declarations, kernels, the last one first, and what is no kernel. So code is generated for a kernel while its
    callers are lowered, and for that at the end, which prepares nothing and takes long, from the start. Tasks, which
    `convert-to-llvm` adds when all else is converted, come last.
    """
    turns: dict[_Turn, list[Function]] = {}
    for function in _functions_in(module):
        turns.setdefault(_turn(function), []).append(function)
    turns.get(_Turn.KERNEL, []).reverse()
    functions = {each.sym_name.data: each for turn in sorted(turns) for each in turns[turn]}
    ordered: dict[str, Function] = {}
    for name in functions:
        pending = [name]
        while pending:
            last = pending[-1]
            called = [] if last in ordered else [each for each in _callees(functions[last]) if each in functions]
            behind = [each for each in dict.fromkeys(called) if each not in ordered and each not in pending]
            pending += reversed(behind)
            if not behind:
                ordered.setdefault(pending.pop(), functions[last])
    return [*ordered.values()]


def names_of(module: ModuleOp) -> set[str]:
    """The names of its functions."""
    return {function.sym_name.data for function in _functions_in(module)}


def _functions_in(module: ModuleOp) -> Iterator[Function]:
    return (op for op in module.ops if isinstance(op, func.FuncOp | llvm.FuncOp))


def _callees(function: Function) -> Iterator[str]:
    for op in walk(function):
        if op.__class__ in _CALLS and (callee := op.properties.get("callee")) is not None:
            yield cast(SymbolRefAttr, callee).root_reference.data
        elif op.__class__ is llvm.AddressOfOp:
            yield cast(SymbolRefAttr, op.properties["global_name"]).root_reference.data.split(TASK)[0]


class _Turn(IntEnum):
    """What is lowered one after the other."""

    DECLARATION = auto()
    KERNEL = auto()
    PROGRAM = auto()
    TASK = auto()


def _turn(function: Function) -> _Turn:
    if function.body.first_block is None:
        return _Turn.DECLARATION
    if isinstance(function, func.FuncOp):
        return _Turn.PROGRAM if ENTRY in function.attributes else _Turn.KERNEL
    if TASK in function.sym_name.data:
        return _Turn.TASK
    is_kernel = function.linkage.linkage.data == "internal" and not function.sym_name.data.endswith(BODY)
    return _Turn.KERNEL if is_kernel else _Turn.PROGRAM


def groups(known: AbstractSet[str], functions: Iterable[Function]) -> Iterator[list[Function]]:
    """`functions`, those that passes have made of one that is `known` together with it: they come in front of it."""
    group: list[Function] = []
    for function in functions:
        group.append(function)
        if function.sym_name.data in known:
            yield group
            group = []
    if group:
        yield group


class InTurn(ABC):
    """A pass that looks at one function of a module at a time."""

    @abstractmethod
    def through(self, ctx: Context, module: ModuleOp, functions: Iterable[Function]) -> Iterator[Function]:
        """`functions`, each after the pass, and those that it adds, in front of the one that they are from. To be taken
        to the end. What the pass has to know of the module it looks at when it is called.
        """

    def needs_all(self, module: ModuleOp) -> bool:
        """Whether the pass has to be through with all functions of this `module` before any other one goes on."""
        return False

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        """`through` for the functions that the module has."""
        for _ in self.through(ctx, op, functions_of(op)):
            pass


class Bodies(InTurn):
    """A pass over the body of one `func.func` after the other, which adds no functions."""

    @abstractmethod
    def of_body(self, ctx: Context, module: ModuleOp) -> Callable[[func.FuncOp], None]:
        """What is done to each function of `module` that has a body."""

    def through(self, ctx: Context, module: ModuleOp, functions: Iterable[Function]) -> Iterator[Function]:
        return map(_rewritten(self.of_body(ctx, module)), functions)


def _rewritten(rewrite: Callable[[func.FuncOp], None]) -> Callable[[Function], Function]:
    """`rewrite` for any function, which it gives back."""

    def rewritten(function: Function) -> Function:
        if isinstance(function, func.FuncOp) and function.body.first_block is not None:
            rewrite(function)
        return function

    return rewritten


class FunctionPass(ModulePass, InTurn):
    """A pass that is nothing else."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.rewrite(ctx, op)


class BlocksPass(FunctionPass):
    """A pass over the control flow of one `llvm.func` after the other."""

    @abstractmethod
    def rewrite_blocks(self, function: llvm.FuncOp, blocks: Sequence[Block], model: CostModel) -> None:
        """What the pass does to a function with these blocks, one at least."""

    def model(self, ctx: Context) -> CostModel:
        """What decides."""
        return cost_model_of(ctx)

    def through(self, ctx: Context, module: ModuleOp, functions: Iterable[Function]) -> Iterator[Function]:
        model = self.model(ctx)
        for function in functions:
            if isinstance(function, llvm.FuncOp) and function.body.first_block is not None:
                self.rewrite_blocks(function, list(function.body.blocks), model)
            yield function
