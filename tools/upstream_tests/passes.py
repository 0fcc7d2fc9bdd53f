"""The passes that MLIR's tests of its pass manager register for themselves, as far as they are about the driver.

They are written here after what those tests expect of them; `opt.py` adds them to `xla-opt`, which has none of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.passes import ModulePass

from ...diagnostics import remark
from ...errors import XlaError
from ...ir.statistics import count
from .ir_walks import TestPrintDefUsePass, TestPrintNestingPass


def _functions(module: ModuleOp) -> Iterator[FuncOp]:
    """Those with a body: a pass on one function sees others as declarations."""
    for op in module.body.block.ops:
        if isinstance(op, FuncOp) and op.body.blocks:
            yield op


@dataclass(frozen=True)
class TestModulePass(ModulePass):
    """`test-module-pass`: nothing."""

    name = "test-module-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pass


@dataclass(frozen=True)
class TestFunctionPass(ModulePass):
    """`test-function-pass`: nothing."""

    name = "test-function-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pass


@dataclass(frozen=True)
class TestInterfacePass(ModulePass):
    """`test-interface-pass`: a remark on each function."""

    name = "test-interface-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in _functions(op):
            remark(function, "Executing interface pass on operation")


@dataclass(frozen=True)
class TestFailurePass(ModulePass):
    """`test-pass-failure{gen-diagnostics}`: fails."""

    name = "test-pass-failure"

    gen_diagnostics: bool | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise XlaError("illegal operation", next(_functions(op), op))


@dataclass(frozen=True)
class TestCreateInvalidIRPass(ModulePass):
    """`test-pass-create-invalid-ir{emit-invalid-ir=true signal-pass-failure=false}`: calls a function that there is
    not; fails, if asked to.
    """

    name = "test-pass-create-invalid-ir"

    signal_pass_failure: bool = False
    emit_invalid_ir: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.emit_invalid_ir:
            for function in _functions(op):
                first = function.body.block.first_op
                assert first is not None
                function.body.block.insert_op_before(CallOp("some_unknown_func", [], []), first)
        if self.signal_pass_failure:
            raise XlaError("the pass was asked to fail", op)


@dataclass(frozen=True)
class TestStatisticPass(ModulePass):
    """`test-stats-pass`: counts the ops, twice."""

    name = "test-stats-pass"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in _functions(op):
            for _ in function.walk():
                count("num-ops", "Number of operations counted")
                count("num-ops2", "Number of operations counted one more time")


PASSES: dict[str, type[ModulePass]] = {
    each.name: each
    for each in (
        TestModulePass,
        TestFunctionPass,
        TestInterfacePass,
        TestFailurePass,
        TestCreateInvalidIRPass,
        TestStatisticPass,
        TestPrintNestingPass,
        TestPrintDefUsePass,
    )
}
"""By name."""
