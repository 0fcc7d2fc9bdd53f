"""Two passes of MLIR's tests that print what they walk over: `test-print-nesting` and `test-print-defuse`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..driver.op_stats import name_of


@dataclass(frozen=True)
class TestPrintNestingPass(ModulePass):
    """`test-print-nesting`: ops, regions and blocks, indented by how deep they are."""

    name = "test-print-nesting"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        print("\n".join(_nesting(op, 0)))


def _nesting(op: Operation, depth: int) -> Iterator[str]:
    indent = "  " * depth
    yield f"{indent}visiting op: '{name_of(op)}' with {len(op.operands)} operands and {len(op.results)} results"
    attributes = {name: value for name, value in op.attributes.items() if name != "op_name__"}
    if attributes:
        yield f"{indent}{len(attributes)} attributes:"
        yield from (f"{indent} - '{name}' : '{value}'" for name, value in attributes.items())
    yield f"{indent} {len(op.regions)} nested regions:"
    for region in op.regions:
        yield f"{indent}  Region with {len(region.blocks)} blocks:"
        for block in region.blocks:
            successors = len(block.last_op.successors) if block.last_op is not None else 0
            yield (
                f"{indent}    Block with {len(block.args)} arguments, {successors} successors, and"
                f" {len(block.ops)} operations"
            )
            for inner in block.ops:
                yield from _nesting(inner, depth + 3)


@dataclass(frozen=True)
class TestPrintDefUsePass(ModulePass):
    """`test-print-defuse`: where the operands of each op come from, and where its results go; inner ops first."""

    name = "test-print-defuse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        print("\n".join(line for each in _innermost_first(op) for line in _uses(each)))


def _innermost_first(op: Operation) -> Iterator[Operation]:
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                yield from _innermost_first(inner)
    yield op


def _uses(op: Operation) -> Iterator[str]:
    yield f"Visiting op '{name_of(op)}' with {len(op.operands)} operands:"
    for operand in op.operands:
        if isinstance(operand.owner, Operation):
            yield f"  - Operand produced by operation '{name_of(operand.owner)}'"
        else:
            yield f"  - Operand produced by Block argument, number {operand.owner.args.index(operand)}"
    yield f"Has {len(op.results)} results:"
    for number, result in enumerate(op.results):
        users = [name_of(use.operation) for use in result.uses]
        match users:
            case []:
                yield f"  - Result {number} has no uses"
            case [user]:
                yield f"  - Result {number} has a single use:     - {user}"
            case _:
                yield f"  - Result {number} has {len(users)} uses:"
                yield from (f"    - {user}" for user in users)
