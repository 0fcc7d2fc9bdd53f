"""Ops that are not divided: every device has the whole of operands and results, and computes the same."""

from __future__ import annotations

from xdsl.ir import Operation

from ....diagnostics import remark
from ....dialects import stablehlo
from ....errors import UnsupportedError
from ....ir.purity import is_pure
from .devices import replicated
from .site import Site


def whole(site: Site, reason: str = "its operands are gathered") -> None:
    """The op on whole operands. A remark, or an error where the pass is strict, says so if something is split."""
    op = site.op
    if not is_pure(op) and not _is_pure_call(op):
        raise site.unsupported("an op with effects")
    read = [value.wanted or next(iter(value.layouts), None) for value in site.operands]
    results = [site.partitioner.wanted(result) for result in op.results]
    if any(layout.used for layout in (*read, *results) if layout is not None):
        message = f"'{op.name}' op is not divided among devices: {reason}"
        if site.partitioner.strict:
            raise UnsupportedError(message, op)
        remark(op, message)
    operands = [site.read(index, replicated(value.rank)) for index, value in enumerate(site.operands)]
    layouts = [replicated(len(result.dimensions)) for result in results]
    for index, (tensor, layout) in enumerate(zip(site.emit(operands, layouts), layouts, strict=True)):
        site.define(index, layout, tensor)


def _is_pure_call(op: Operation) -> bool:
    """Whether it is a call of something that does not say that it has effects."""
    return isinstance(op, stablehlo.CustomCallOp) and not (op.has_side_effect and op.has_side_effect.value.data)
