"""Ops that are not divided: every device has the whole of operands and results, and computes the same."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects import stablehlo
from ....ir.purity import is_pure
from .devices import replicated
from .site import Site


def whole(site: Site, reason: str = "every device runs it on whole operands") -> None:
    """The op on whole operands. A remark, or an error where the pass is strict, says so if something is split."""
    op = site.op
    if not is_without_effects(op):
        raise site.unsupported("an op with effects")
    read = [value.wanted or next(iter(value.layouts), None) for value in site.operands]
    results = [site.partitioner.wanted(result) for result in op.results]
    if any(layout.used for layout in (*read, *results) if layout is not None):
        site.not_divided(reason)
    operands = [site.read(index, replicated(value.rank)) for index, value in enumerate(site.operands)]
    layouts = [replicated(len(result.dimensions)) for result in results]
    for index, (tensor, layout) in enumerate(zip(site.emit(operands, layouts), layouts, strict=True)):
        site.define(index, layout, tensor)


def is_without_effects(op: Operation) -> bool:
    """Whether `op` may run anywhere and more than once; a call may that does not say that it has effects."""
    if isinstance(op, stablehlo.CustomCallOp):
        return not (op.has_side_effect and op.has_side_effect.value.data)
    return is_pure(op)
