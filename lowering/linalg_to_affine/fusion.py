"""Fusion of nests that run over the same points.

Inside a row, `e = exp(x - m)` and `s += e` are one pass: the second nest takes the value the first one has just
computed instead of loading it. What nobody loads any more is not stored either. `m = max(m, x)` and `t += x` are one
pass as well, which loads `x` once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Block, SSAValue

from ...decisions.model import CostModel
from ...dialects.editing import append, new_op
from .nest import Access, Nest
from .scalar_body import JoinedBody, analyze, copy_op


def fuse_nests(nests: Iterable[Nest], private: set[SSAValue], model: CostModel) -> list[Nest]:
    """The nests with those fused that can be, without stores to `private` buffers that are not loaded.

    A nest is fused with the first of those before it that reads something it reads too and that it could as well follow
    at once; without such a one, with the last.
    """
    result: list[Nest] = []
    for nest in nests:
        place = _place(result, nest, model)
        if place is None:
            result.append(nest)
        else:
            result[place] = fused(result[place], nest)
    loaded = {root for nest in result for root in _read(nest)}
    return [_without_dead_outputs(nest, private - loaded, model) for nest in result]


def _place(nests: Sequence[Nest], nest: Nest, model: CostModel) -> int | None:
    """Which of `nests` to fuse `nest`, which runs behind all of them, with."""
    found: int | None = None
    read = _read(nest)
    written = {access.root for access in nest.outputs}
    for place in reversed(range(len(nests))):
        other = nests[place]
        other_read = _read(other)
        if (place == len(nests) - 1 or other_read & read) and can_fuse(other, nest, model):
            found = place
        other_written = {access.root for access in other.outputs}
        if other_written & (read | written) or other_read & written:
            break
    return found


def can_fuse(first: Nest, second: Nest, model: CostModel) -> bool:
    """Whether both nests can be one: they must run over the same points, and what one writes and the other accesses
    must be the same element at the same point, complete by then. Reductions take part only if they may be reordered, so
    that they do not keep the rest from being vectorised, and as many as registers can hold.
    """
    if first.extents != second.extents:
        return False
    sums = 0
    for nest in (first, second):
        for combiner, dims in zip(nest.body.combiners, nest.accumulation, strict=True):
            sums += bool(dims)
            if combiner is None and dims:
                return False
    if sums > model.loops.fused_reductions:
        return False
    produced = {access.root: index for index, access in enumerate(first.outputs)}
    overwritten = {access.root for access in second.outputs}
    if overwritten & produced.keys() or overwritten & _read(first):
        return False
    if any(root in produced for root in second.body.gathered_roots):
        return False
    for access in second.inputs:
        if isinstance(access, Access) and (index := produced.get(access.root)) is not None:
            if first.accumulation[index] or access.flat != first.outputs[index].flat:
                return False
    return True


def fused(first: Nest, second: Nest) -> Nest:
    """Both nests, which `can_fuse`, as one. What both read is read once. `first` must not be used any more."""
    produced = {access.root: index for index, access in enumerate(first.outputs)}
    loaded = {(a.root, a.flat): position for position, a in enumerate(first.inputs) if isinstance(a, Access)}
    forwarded: dict[int, int] = {}
    again: dict[int, int] = {}
    for position, access in enumerate(second.inputs):
        if not isinstance(access, Access):
            continue
        if access.root in produced:
            forwarded[position] = produced[access.root]
        elif (known := loaded.get((access.root, access.flat))) is not None:
            again[position] = known
    kept = [position for position in range(len(second.inputs)) if position not in forwarded and position not in again]
    reduced = zip(first.reduction, second.reduction, strict=True)
    return replace(
        first,
        reduction=tuple(a or b for a, b in reduced),
        inputs=(*first.inputs, *(second.inputs[position] for position in kept)),
        outputs=(*first.outputs, *second.outputs),
        inits=(*first.inits, *second.inits),
        body=_joined(first).followed_by(second.body, kept, again, forwarded),
    )


def _read(nest: Nest) -> set[SSAValue]:
    """The buffers whose contents the nest uses."""
    read = {access.root for access in nest.reads}
    for reads_output, access in zip(nest.body.reads_output, nest.outputs, strict=True):
        if reads_output:
            read.add(access.root)
    return read | nest.body.gathered_roots


def _joined(nest: Nest) -> JoinedBody:
    """The body of `nest` as one that may grow."""
    body = nest.body
    if isinstance(body, JoinedBody):
        return body
    return JoinedBody.empty().followed_by(body, range(len(nest.inputs)), {}, {})


def _without_dead_outputs(nest: Nest, dead: set[SSAValue], model: CostModel) -> Nest:
    """The nest without the outputs in `dead`, but with one at least."""
    kept = [index for index, access in enumerate(nest.outputs) if access.root not in dead]
    if not kept or len(kept) == len(nest.outputs):
        return nest
    body = nest.body
    inputs = body.block.args[: len(nest.inputs)]
    outputs = body.block.args[len(nest.inputs) :]
    args = [*inputs, *(outputs[index] for index in kept)]
    block = Block(arg_types=[arg.type for arg in args])
    values: dict[SSAValue, SSAValue] = dict(zip(args, block.args, strict=True))
    block.add_ops([copy_op(op, values) for op in body.ops])
    append(block, new_op(YieldOp, [values.get(v, v) for v in (body.yielded[i] for i in kept)]))
    return replace(
        nest,
        outputs=tuple(nest.outputs[index] for index in kept),
        inits=tuple(nest.inits[index] for index in kept),
        body=analyze(block, model),
    )
