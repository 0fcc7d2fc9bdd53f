"""The same program where the order in which reductions combine elements may be another one.

A reduction is defined up to the order in which its computation is applied (StableHLO specification, `reduce`); damaged
ones often depend on it.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.editing import insert_before

BODIES: dict[type[Operation], int] = {
    stablehlo.AllReduceOp: 0,
    stablehlo.CollectiveReduceOp: 0,
    stablehlo.ReduceOp: 0,
    stablehlo.ReduceScatterOp: 0,
    stablehlo.ReduceWindowOp: 0,
    stablehlo.SelectAndScatterOp: 1,
}
"""Op type to the region that combines two elements, or two of each of several kinds."""


def reordered(module: ModuleOp) -> ModuleOp | None:
    """A copy in which each reduction combines its elements from the end to the beginning; None if it has none."""
    module = module.clone()
    found = [op for op in module.walk() if type(op) in BODIES]
    for op in found:
        block = op.regions[BODIES[type(op)]].block
        _swap(block)
        if isinstance(op, stablehlo.ReduceOp):
            op.operands = [*(_reversed(op, value) for value in op.inputs), *op.init_values]
    return module if found else None


def _reversed(op: stablehlo.ReduceOp, value: SSAValue) -> SSAValue:
    reverse = stablehlo.ReverseOp(value, op.dimensions.get_values())
    insert_before(reverse, op)
    return reverse.results[0]


def _swap(block: Block) -> None:
    """Let each argument of the first half stand for the one of the second half, and the other way round."""
    half = len(block.args) // 2
    for first, second in zip(block.args[:half], block.args[half:], strict=True):
        if first.type == second.type:
            uses = [list(value.uses) for value in (first, second)]
            for value, changed in zip((second, first), uses, strict=True):
                for use in changed:
                    use.operation.operands[use.index] = value
