"""Fusion of nests that run over the same points, one after the other.

Inside a row, `e = exp(x - m)` and `s += e` are one pass: the second nest takes the value the first
one has just computed instead of loading it. What nobody loads any more is not stored either.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Block, SSAValue

from ...dialects.editing import append
from .nest import Access, Nest
from .scalar_body import ScalarBody, analyze, copy_op


def fuse_adjacent(nests: Iterable[Nest], private: set[SSAValue]) -> list[Nest]:
    """The nests with neighbours fused where `fused` can, without stores to `private` buffers that are
    not loaded.
    """
    result: list[Nest] = []
    for nest in nests:
        both = fused(result[-1], nest) if result else None
        if both is None:
            result.append(nest)
        else:
            result[-1] = both
    loaded = {root for nest in result for root in _read(nest)}
    return [_without_dead_outputs(nest, private - loaded) for nest in result]


def fused(first: Nest, second: Nest) -> Nest | None:
    """Both nests as one, or None: they must run over the same points, and what one writes and the other
    accesses must be the same element at the same point, complete by then. Reductions take part only
    if they may be reordered, so that they do not keep the rest from being vectorised.
    """
    if first.extents != second.extents:
        return None
    for nest in (first, second):
        for index, combiner in enumerate(nest.body.combiners):
            if combiner is None and nest.accumulation[index]:
                return None
    produced = {access.root: index for index, access in enumerate(first.outputs)}
    overwritten = {access.root for access in second.outputs}
    if overwritten & produced.keys() or overwritten & _read(first):
        return None
    if any(root in produced for root in second.body.gathered_roots):
        return None
    forwarded: dict[int, int] = {}
    for position, access in enumerate(second.inputs):
        if not isinstance(access, Access) or access.root not in produced:
            continue
        index = produced[access.root]
        if first.accumulation[index] or access.flat != first.outputs[index].flat:
            return None
        forwarded[position] = index
    kept = [position for position in range(len(second.inputs)) if position not in forwarded]
    reduced = zip(first.reduction, second.reduction, strict=True)
    return replace(
        first,
        reduction=tuple(a or b for a, b in reduced),
        inputs=(*first.inputs, *(second.inputs[position] for position in kept)),
        outputs=(*first.outputs, *second.outputs),
        inits=(*first.inits, *second.inits),
        body=_joined(first.body, second.body, kept, forwarded),
    )


def _read(nest: Nest) -> set[SSAValue]:
    """The buffers whose contents the nest uses."""
    read = {access.root for access in nest.inputs if isinstance(access, Access)}
    for reads_output, access in zip(nest.body.reads_output, nest.outputs, strict=True):
        if reads_output:
            read.add(access.root)
    return read | nest.body.gathered_roots


def _joined(first: ScalarBody, second: ScalarBody, kept: list[int], forwarded: dict[int, int]) -> ScalarBody:
    """The bodies one after the other; input `position` of the second is what the first yields as output
    `forwarded[position]`.
    """
    count, second_count = len(first.yielded), len(second.yielded)
    first_args, second_args = first.block.args, second.block.args
    inputs = len(first_args) - count
    args = [
        *first_args[:inputs],
        *(second_args[position] for position in kept),
        *first_args[inputs:],
        *second_args[len(second_args) - second_count :],
    ]
    block = Block(arg_types=[arg.type for arg in args])
    values: dict[SSAValue, SSAValue] = dict(zip(args, block.args, strict=True))
    block.add_ops([copy_op(op, values) for op in first.ops])
    yielded = [values.get(value, value) for value in first.yielded]
    for position, index in forwarded.items():
        values[second_args[position]] = yielded[index]
    block.add_ops([copy_op(op, values) for op in second.ops])
    yielded += [values.get(value, value) for value in second.yielded]
    append(block, YieldOp(*yielded))
    return analyze(block)


def _without_dead_outputs(nest: Nest, dead: set[SSAValue]) -> Nest:
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
    append(block, YieldOp(*(values.get(v, v) for v in (body.yielded[i] for i in kept))))
    return replace(
        nest,
        outputs=tuple(nest.outputs[index] for index in kept),
        inits=tuple(nest.inits[index] for index in kept),
        body=analyze(block),
    )
