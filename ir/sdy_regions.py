"""Ops of the `sdy` dialect that have a region, replaced by what is in it."""

from __future__ import annotations

from xdsl.ir import Operation

from ..dialects.editing import erase, insert_before, ops_of, replace_all_uses


def inline_region(op: Operation) -> None:
    """Puts the ops of the region of `op` where it stands; operands take the place of arguments, and what the region
    returns that of results. Types are those of the region afterwards.
    """
    block = op.regions[0].block
    returned = block.last_op
    assert returned is not None
    for argument in block.args:
        argument.name_hint = None
    replace_all_uses(dict(zip(block.args, op.operands, strict=True)))
    values = tuple(returned.operands)
    erase(returned)
    for inner in ops_of(block):
        inner.detach()
        insert_before(inner, op)
    replace_all_uses(dict(zip(op.results, values, strict=True)))
    erase(op)
