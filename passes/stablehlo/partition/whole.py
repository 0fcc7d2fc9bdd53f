"""Ops that are not divided: every device has the whole of operands and results, and computes the same."""

from __future__ import annotations

from ....dialects.stablehlo.shapes import is_tensor
from .devices import replicated
from .effects import is_without_effects, once
from .site import Site


def whole(site: Site, reason: str = "every device runs it on whole operands") -> None:
    """The op on whole operands. A remark, or an error where the pass is strict, says so if something is split."""
    op = site.op
    if not is_without_effects(op):
        once(site)
        return
    if not all(is_tensor(value.type) for value in (*op.operands, *op.results)):
        raise site.unsupported("what takes or gives other values than tensors")
    read = [value.wanted or next(iter(value.layouts), None) for value in site.operands]
    results = [site.partitioner.wanted(result) for result in op.results]
    if any(layout.used for layout in (*read, *results) if layout is not None):
        site.not_divided(reason)
    operands = [site.read(index, replicated(value.rank)) for index, value in enumerate(site.operands)]
    layouts = [replicated(len(result.dimensions)) for result in results]
    for index, (tensor, layout) in enumerate(zip(site.emit(operands, layouts), layouts, strict=True)):
        site.define(index, layout, tensor)
