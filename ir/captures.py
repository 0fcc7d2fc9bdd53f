"""What ops with regions read of the values around them."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Block, Operation, Region, SSAValue

from ..dialects.editing import walk


def captured(regions: Sequence[Region]) -> Iterator[SSAValue]:
    """The values from outside of all `regions` that ops in them read, each as often as they do."""
    ops = [op for region in regions for op in walk(region)]
    blocks = {block for region in regions for block in region.blocks}
    for op in ops:
        for region in op.regions:
            blocks.update(region.blocks)
    for op in ops:
        own = op.parent
        for operand in op._operands:
            owner = operand.owner
            block = owner if type(owner) is Block else owner.parent
            if block is not own and block not in blocks:
                yield operand


def are_closed(regions: Sequence[Region]) -> bool:
    """Whether they read nothing from outside."""
    return next(captured(regions), None) is None


def values_read(op: Operation) -> Iterator[SSAValue]:
    """The operands of `op`, and what its regions capture."""
    yield from op._operands
    if op.regions:
        yield from captured(op.regions)
