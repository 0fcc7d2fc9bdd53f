"""Passes that take the functions of a module one after the other.

Passes in a row that do so may run for the first function before any of them sees the second one: code is generated for
what is through while the others are still lowered (`runtime/compilation.py`). So such a pass is a generator: it is
given the functions that the pass before is through with, and gives each when it is through itself. What it has to know
of the module it learns before the first function. The module that comes out is the same as pass by pass.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence

from xdsl.context import Context
from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from ..decisions.llvm import FEW_FUNCTIONS
from ..decisions.model import CostModel, cost_model_of
from ..dialects.xrt_names import BODY, ENTRY, TASK

Function = func.FuncOp | llvm.FuncOp


def functions_of(module: ModuleOp) -> list[Function]:
    """The functions of `module` in the order in which they are lowered: that of the module, but in a small program
    kernels come first, the last one of them in front, as it is called by those before it. So code is generated for a
    kernel while its callers are lowered. Tasks, which `convert-to-llvm` adds when all else is converted, come last.
    """
    functions = [op for op in module.ops if isinstance(op, func.FuncOp | llvm.FuncOp)]
    tasks = [function for function in functions if TASK in function.sym_name.data]
    if tasks:
        functions = [function for function in functions if TASK not in function.sym_name.data]
    kernels = [function for function in functions if _is_kernel(function)]
    if len(kernels) <= FEW_FUNCTIONS:
        functions = [*reversed(kernels), *(function for function in functions if not _is_kernel(function))]
    return [*functions, *tasks]


def _is_kernel(function: Function) -> bool:
    """Whether `function` has a body and is no entry function, nor what that becomes."""
    if function.body.first_block is None or ENTRY in function.attributes:
        return False
    return isinstance(function, func.FuncOp) or (
        function.linkage.linkage.data == "internal" and not function.sym_name.data.endswith(BODY)
    )


class InTurn(ABC):
    """A pass that looks at one function of a module at a time."""

    @abstractmethod
    def through(self, ctx: Context, module: ModuleOp, functions: Iterable[Function]) -> Iterator[Function]:
        """`functions`, each after the pass, and those that it adds. To be taken to the end."""

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        """`through` for the functions that the module has."""
        for _ in self.through(ctx, op, functions_of(op)):
            pass


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
