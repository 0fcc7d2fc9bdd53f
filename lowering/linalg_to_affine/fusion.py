"""Fusion of nests that run over the same points.

Inside a row, `e = exp(x - m)` and `s += e` are one pass: the second nest takes the value the first one has just
computed instead of loading it. What nobody loads any more is not stored either. `m = max(m, x)` and `t += x` are one
pass as well, which loads `x` once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from xdsl.ir import SSAValue

from ...decisions.model import CostModel
from ...dialects.records import changed
from .nest import Access, Nest


def fuse_nests(
    nests: Iterable[Nest],
    private: set[SSAValue],
    model: CostModel,
    are_better_apart: Callable[[Nest, Nest], bool] = lambda first, second: False,
) -> list[Nest]:
    """The nests with those fused that can be and that not `are_better_apart`, without stores to `private` buffers that
    are not loaded.

    A nest is fused with the first of those before it that reads something it reads too and that it could as well follow
    at once; without such a one, with the last.
    """
    result: list[Nest] = []
    for nest in nests:
        place = _place(result, nest, model)
        if place is None or are_better_apart(result[place], nest):
            result.append(nest)
        else:
            result[place] = fused(result[place], nest)
    loaded = {root for nest in result for root in nest.roots_read}
    return [without_dead_outputs(nest, private - loaded) for nest in result]


def _place(nests: Sequence[Nest], nest: Nest, model: CostModel) -> int | None:
    """Which of `nests` to fuse `nest`, which runs behind all of them, with."""
    found: int | None = None
    read = nest.roots_read
    written = {access.root for access in nest.outputs}
    for place in reversed(range(len(nests))):
        other = nests[place]
        other_read = other.roots_read
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
    if overwritten & produced.keys() or overwritten & first.roots_read:
        return False
    if any(root in produced for root in second.body.gathered_roots):
        return False
    for access in second.inputs:
        if isinstance(access, Access) and (index := produced.get(access.root)) is not None:
            if first.accumulation[index] or access.flat != first.outputs[index].flat:
                return False
    return True


def fused(first: Nest, second: Nest) -> Nest:
    """Both nests, which `can_fuse`, as one. What both read is read once."""
    produced = {access.root: index for index, access in enumerate(first.outputs)}
    loaded = {
        (access.root, access.flat): argument
        for access, argument in zip(first.inputs, first.body.args, strict=False)
        if isinstance(access, Access) and argument.first_use is not None
    }
    same: dict[SSAValue, SSAValue] = {}
    kept: list[int] = []
    for position, (access, argument) in enumerate(zip(second.inputs, second.body.args, strict=False)):
        if not isinstance(access, Access):
            kept.append(position)
        elif (index := produced.get(access.root)) is not None:
            same[argument] = first.body.yielded[index]
        elif (known := loaded.get((access.root, access.flat))) is not None:
            same[argument] = known
        else:
            kept.append(position)
    return changed(
        first,
        reduction=tuple(a or b for a, b in zip(first.reduction, second.reduction, strict=True)),
        inputs=(*first.inputs, *(second.inputs[position] for position in kept)),
        outputs=(*first.outputs, *second.outputs),
        inits=(*first.inits, *second.inits),
        body=first.body.followed_by(second.body, kept, same),
        ops=first.ops + second.ops,
        forms=first.forms + second.forms,
    )


def without_dead_outputs(nest: Nest, dead: set[SSAValue]) -> Nest:
    """The nest without the outputs in `dead`, but with one at least."""
    kept = [index for index, access in enumerate(nest.outputs) if access.root not in dead]
    if not kept or len(kept) == len(nest.outputs):
        return nest
    body, inputs = nest.body, len(nest.inputs)
    return changed(
        nest,
        outputs=tuple(nest.outputs[index] for index in kept),
        inits=tuple(nest.inits[index] for index in kept),
        body=changed(
            body,
            args=(*body.args[:inputs], *(body.args[inputs + index] for index in kept)),
            yielded=tuple(body.yielded[index] for index in kept),
            reads_output=tuple(body.reads_output[index] for index in kept),
            combiners=tuple(body.combiners[index] for index in kept),
        ),
    )
