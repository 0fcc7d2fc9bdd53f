"""`cf` and `ub` to `llvm`. Block arguments stay; the text emitter makes phis of them."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import cf, llvm, ub
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, VectorType
from xdsl.ir import Block, Operation

from ...dialects import llvm_extras
from ...dialects.shared_attributes import i32_array
from .arith import Handler
from .builder import FunctionLowering
from .types import value_type


def branch(op: cf.BranchOp, f: FunctionLowering) -> None:
    operands = [f.values[operand] for operand in op.operands]
    f.append(llvm.BrOp, operands, successors=[f.blocks[op.successor]])


def conditional_branch(op: cf.ConditionalBranchOp, f: FunctionLowering) -> None:
    f.append(
        llvm.CondBrOp,
        [f.values[operand] for operand in op.operands],
        {"operandSegmentSizes": op.properties["operandSegmentSizes"]},
        [f.blocks[block] for block in op.successors],
    )


def switch(op: cf.SwitchOp, f: FunctionLowering) -> None:
    properties = {
        "case_operand_segments": op.case_operand_segments,
        "operandSegmentSizes": op.properties["operandSegmentSizes"],
    }
    if op.case_values is not None:
        values = op.case_values.get_values()
        type = VectorType(cast(Any, value_type(op.flag.type)), [len(values)])
        properties["case_values"] = DenseIntOrFPElementsAttr.from_list(type, values)
    f.append(
        llvm_extras.SwitchOp,
        [f.values[operand] for operand in op.operands],
        properties,
        [f.blocks[block] for block in op.successors],
    )


def assert_(op: cf.AssertOp, f: FunctionLowering) -> None:
    """Traps where the condition does not hold."""
    region = f.block.parent
    assert region is not None
    failed, holds = Block(), Block()
    region.insert_block_after([holds, failed], f.block)
    f.append(
        llvm.CondBrOp,
        [f.values[op.arg]],
        {"operandSegmentSizes": i32_array(1, 0, 0)},
        [holds, failed],
    )
    f.start_block(failed)
    f.intrinsic("llvm.trap", (), None)
    f.append(llvm.UnreachableOp)
    f.start_block(holds)


def poison(op: ub.PoisonOp, f: FunctionLowering) -> None:
    f.values[op.result] = f.poison(value_type(op.result.type))


def unreachable(op: ub.UnreachableOp, f: FunctionLowering) -> None:
    f.append(llvm.UnreachableOp)


HANDLERS: dict[type[Operation], Handler] = {
    cf.BranchOp: branch,
    cf.ConditionalBranchOp: conditional_branch,
    cf.SwitchOp: switch,
    cf.AssertOp: assert_,
    ub.PoisonOp: poison,
    ub.UnreachableOp: unreachable,
}
