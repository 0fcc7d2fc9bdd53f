"""`cf` and `ub` to `llvm`. Block arguments stay; the text emitter makes phis of them."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import cf, llvm, ub
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, VectorType
from xdsl.ir import Block, Operation

from ...dialects import llvm_extras
from .arith import Handler, keeping, to
from .builder import ONE_OPERAND, FunctionLowering
from .types import value_type


def _switch(op: cf.SwitchOp, f: FunctionLowering) -> None:
    properties = {name: op.properties[name] for name in ("case_operand_segments", "operandSegmentSizes")}
    if op.case_values is not None:
        values = op.case_values.get_values()
        type = VectorType(cast(Any, op.flag.type), [len(values)])
        properties["case_values"] = DenseIntOrFPElementsAttr.from_list(type, values)
    f.become(op, llvm_extras.SwitchOp, properties)


def _assert(op: cf.AssertOp, f: FunctionLowering) -> None:
    """Traps where the condition does not hold."""
    failed, holds = Block(), Block()
    f.append(llvm.CondBrOp, [op.arg], ONE_OPERAND, [holds, failed])
    f.insert_blocks(holds, failed)
    f.start_block(failed)
    f.intrinsic("llvm.trap", ())
    f.append(llvm.UnreachableOp)
    f.start_block(holds)


def _poison(op: ub.PoisonOp, f: FunctionLowering) -> None:
    f.replace(op, f.poison(value_type(op.result.type)))


HANDLERS: dict[type[Operation], Handler] = {
    cf.BranchOp: to(llvm.BrOp),
    cf.ConditionalBranchOp: keeping(llvm.CondBrOp, "operandSegmentSizes"),
    cf.SwitchOp: _switch,
    cf.AssertOp: _assert,
    ub.PoisonOp: _poison,
    ub.UnreachableOp: to(llvm.UnreachableOp),
}
