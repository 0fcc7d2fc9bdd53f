"""Random programs of several processes: collectives over groups of them, also in loops.

All processes run the same ops in the same order: collectives stand in the entry and in loops of a constant number of
iterations, not where a value of one process decides whether it comes by.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, UnitAttr
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import stablehlo as hlo
from ...dialects.stablehlo.attributes import ChannelHandleAttr, ComparisonDirection
from ...dialects.stablehlo.ragged_calls import RAGGED_ALL_TO_ALL
from ...dialects.stablehlo.replica_groups import id_matrix
from .bodies import combined, combiner
from .control_flow import loop_over_integers
from .effects import hidden
from .elements import BOOL, ELEMENTS, FLOATS, I32, INTEGERS, SCALE, UNSIGNED
from .generator import Array, Generator, Value, append, region, tensor_of
from .known import INTEGER, Known, Unfit, joined

GRIDS = [(2, 1), (1, 2), (2, 2), (3, 1), (4, 1), (1, 4), (2, 3), (5, 1), (1, 6), (7, 1), (8, 1), (1, 8), (2, 4), (4, 2)]
"""Replicas and partitions."""

EXCHANGED = [element for element in ELEMENTS if element is not SCALE]
ZERO = Known(1.0, 0.0)
"""What a process gets that nobody sends to; any step divides it."""


class Groups(NamedTuple):
    """Which processes act together."""

    rows: list[list[int]]
    size: int
    """How many processes of the grid are in a group."""
    channel: bool
    flattened: bool


def _rows(g: Generator, count: int) -> list[list[int]]:
    """All numbers below `count`, in groups of one size."""
    size = g.random.choice([n for n in range(1, count + 1) if count % n == 0][::-1])
    ids = g.random.sample(range(count), count)
    return [ids[start : start + size] for start in range(0, count, size)]


def reducing_groups(g: Generator) -> Groups:
    """Of replicas, of replicas with all partitions, or of any processes."""
    replicas, partitions = g.grid
    kind = g.random.choice(["replicas", "both", "flattened"])
    rows = _rows(g, replicas * partitions if kind == "flattened" else replicas)
    size = len(rows[0]) * (partitions if kind == "both" else 1)
    return Groups(rows, size, kind != "replicas", kind == "flattened")


def moving_groups(g: Generator) -> Groups:
    """Of replicas or of partitions."""
    of_partitions = g.random.random() < 0.5
    rows = _rows(g, g.grid[of_partitions])
    return Groups(rows, len(rows[0]), of_partitions, False)


def _meet(g: Generator) -> None:
    """Raises Unfit where not all processes come by."""
    if not g.together:
        raise Unfit


def _with_channel(g: Generator, op: Operation, groups: Groups) -> Operation:
    if groups.channel:
        g.channels += 1
        op.properties["channel_handle"] = ChannelHandleAttr((g.channels, 1))
    if groups.flattened:
        op.properties["use_global_device_ids"] = UnitAttr()
    return op


def gather_or_permute(g: Generator) -> None:
    """What moves between processes."""
    _meet(g)
    x = g.any(EXCHANGED, least_rank=1)
    dim = g.random.randrange(len(x.shape))
    make = g.random.choice([_all_gather, _all_to_all, _broadcast, _permute, _started])
    make(g, x, dim)


def _all_gather(g: Generator, x: Value, dim: int) -> None:
    groups = reducing_groups(g)
    shape = _scaled(x.shape, dim, groups.size)
    op = hlo.AllGatherOp([x.ssa], dim, groups.rows, [tensor_of(x.element, shape)])
    g.keep(_with_channel(g, op, groups), x.element, shape, x.known)


def _scaled(shape: Sequence[int], dim: int, factor: int) -> tuple[int, ...]:
    return tuple(n * factor if d == dim else n for d, n in enumerate(shape))


def _divided(g: Generator, x: Value, dim: int, size: int) -> tuple[int, ...]:
    if x.shape[dim] % size:
        raise Unfit
    return tuple(n // size if d == dim else n for d, n in enumerate(x.shape))


def _divisible(g: Generator, size: int) -> tuple[Value, int]:
    """A value with a dimension that `size` divides."""
    x = g.any(EXCHANGED, least_rank=1)
    dims = [d for d, n in enumerate(x.shape) if n % size == 0]
    if dims:
        return x, g.random.choice(dims)
    dim = g.random.randrange(len(x.shape))
    return g.any([x.element], shape=_scaled(x.shape, dim, size)), dim


def _all_to_all(g: Generator, x: Value, dim: int) -> None:
    groups = moving_groups(g)
    x, split = _divisible(g, groups.size)
    concat = g.random.randrange(len(x.shape))
    shape = _scaled(_divided(g, x, split, groups.size), concat, groups.size)
    op = hlo.AllToAllOp([x.ssa], split, concat, groups.size, groups.rows)
    g.keep(_with_channel(g, op, groups), x.element, shape, x.known)


def _broadcast(g: Generator, x: Value, dim: int) -> None:
    """From the first process of each group; some processes may be in none and get zeros."""
    groups = moving_groups(g)
    rows = groups.rows[: g.random.randint(1, len(groups.rows))]
    op = hlo.CollectiveBroadcastOp(x.ssa, rows)
    g.keep(_with_channel(g, op, groups), x.element, x.shape, joined(x.known, ZERO))


def _pairs(g: Generator, count: int) -> list[list[int]]:
    """Sources and targets, each at most once."""
    sources, targets = (g.random.sample(range(count), count) for _ in range(2))
    return [list(pair) for pair in zip(sources, targets, strict=True)][: g.random.randint(1, count)]


def _permute(g: Generator, x: Value, dim: int) -> None:
    groups = moving_groups(g)
    op = hlo.CollectivePermuteOp(x.ssa, _pairs(g, g.grid[groups.channel]))
    g.keep(_with_channel(g, op, groups), x.element, x.shape, joined(x.known, ZERO))


def _started(g: Generator, x: Value, dim: int) -> None:
    """An all_gather that is awaited later."""
    groups = reducing_groups(g)
    shape = _scaled(x.shape, dim, groups.size)
    result = tensor_of(x.element, shape)

    def build(block: Block) -> list[SSAValue]:
        op = hlo.AllGatherOp([block.args[0]], dim, groups.rows, [result])
        return [append(block, _with_channel(g, op, groups))]

    future = hidden(g, hlo.AsyncStartOp([x.ssa], region([x.ssa.type], build), [result]))
    g.keep(hlo.AsyncDoneOp(future), x.element, shape, x.known)


def reduction(g: Generator) -> None:
    """Values of a group combined."""
    _meet(g)
    groups = reducing_groups(g)
    scatters = g.random.random() < 0.35
    if scatters:
        x, dim = _divisible(g, groups.size)
    else:
        x, dim = g.pick(EXCHANGED, least_rank=1, wild=True), 0
    combine, _, kind = combiner(g, x.element)
    known = combined(x.element, kind, [x.known], 0.0, groups.size)
    scalar = tensor_of(x.element, ())
    body = region([scalar, scalar], lambda block: [combine(block, block.args[0], block.args[1])])
    if scatters:
        shape = _divided(g, x, dim, groups.size)
        op = hlo.ReduceScatterOp(x.ssa, dim, groups.rows, body, tensor_of(x.element, shape))
        g.keep(_with_channel(g, op, groups), x.element, shape, known)
        return
    g.keep(_with_channel(g, hlo.AllReduceOp([x.ssa], groups.rows, body), groups), x.element, x.shape, known)


def collective_reduce(g: Generator) -> None:
    """The combination of a group's values, for its first member or for another one; zeros for the others."""
    _meet(g)
    groups = reducing_groups(g)
    x = g.pick(EXCHANGED, wild=True)
    combine, _, kind = combiner(g, x.element)
    known = joined(combined(x.element, kind, [x.known], 0.0, groups.size), ZERO)
    scalar = tensor_of(x.element, ())
    body = region([scalar, scalar], lambda block: [combine(block, block.args[0], block.args[1])])
    roots = None
    if g.random.random() < 0.5:
        roots = g.add(g.constant(I32, np.asarray([g.random.randrange(groups.size)], np.int32)), INTEGER)
    op = hlo.CollectiveReduceOp([x.ssa], groups.rows, body, roots)
    g.keep(_with_channel(g, op, groups), x.element, x.shape, known)


def ragged_all_to_all(g: Generator) -> None:
    """Each replica sends some of its rows to each one of its group, in parts of all sizes."""
    _meet(g)
    replicas = g.grid[0]
    groups = _rows(g, replicas)
    size = len(groups[0])
    sent = np.asarray([[g.random.choice([0, 1, 1, 2, 3]) for _ in range(size)] for _ in range(size)], np.int32)
    rows, room = (int(sent.sum(axis).max()) + g.random.randint(1, 2) for axis in (1, 0))
    x = g.any(EXCHANGED, shape=(rows, *g.shape(g.random.randint(0, 2), limit=16)))
    output = g.any([x.element], shape=(room, *x.shape[1:]))
    before, ahead = (np.cumsum(sent, axis, np.int32) - sent for axis in (1, 0))
    lists = [_of_replica(g, groups, numbers) for numbers in (before, sent, ahead, sent.T)]
    config = DictionaryAttr({"replica_groups": id_matrix(groups)})
    op = hlo.CustomCallOp(RAGGED_ALL_TO_ALL, [x.ssa, output.ssa, *lists], [output.ssa.type], False, config, 4)
    g.keep(op, x.element, output.shape, joined(x.known, output.known))


def _of_replica(g: Generator, groups: Sequence[Sequence[int]], numbers: Array) -> SSAValue:
    """The row of a matrix that belongs to the place of the replica in its group."""
    places = np.zeros(g.grid[0], np.int64)
    for row in groups:
        places[list(row)] = range(len(row))
    table = g.add(g.constant(I32, numbers[places]), INTEGER)
    replica, zero = g.add(hlo.ReplicaIdOp(), INTEGER), g.scalar(UNSIGNED[2], 0)
    size = numbers.shape[1]
    row = g.add(hlo.DynamicSliceOp(table, [replica, zero], [1, size]), INTEGER)
    return g.add(hlo.ReshapeOp(row, tensor_of(I32, (size,))), INTEGER)


def chain(g: Generator) -> None:
    """The maximum of what has been combined already, as of what is exchanged at once."""
    _meet(g)
    x = g.pick([*INTEGERS, BOOL, *FLOATS], exact=True)
    scalar = tensor_of(x.element, ())
    ssa = x.ssa
    for _ in range(g.random.randint(2, 4)):
        groups = reducing_groups(g)
        body = region([scalar, scalar], lambda block: [append(block, hlo.MaxOp(block.args[0], block.args[1]))])
        ssa = g.add(_with_channel(g, hlo.AllReduceOp([ssa], groups.rows, body), groups), x.known.computed)
    g.keep(hlo.MaxOp(ssa, x.ssa), x.element, x.shape, x.known.computed)


def loop(g: Generator) -> None:
    """A loop over integers and truth values with any ops and collectives in its body."""
    _meet(g)
    loop_over_integers(g, 1, 5, together=True, first=partial(_shifted, g))


def _shifted(g: Generator, x: Value) -> None:
    """A value from another process, so that at least one collective stands in the loop."""
    groups = moving_groups(g)
    op = hlo.CollectivePermuteOp(x.ssa, _pairs(g, g.grid[groups.channel]))
    g.keep(_with_channel(g, op, groups), x.element, x.shape, x.known)


def moving_loop(g: Generator) -> None:
    """A loop that sends a value of any type around, and keeps what comes."""
    _meet(g)
    x = g.any(EXCHANGED)
    counter = g.scalar(I32, 0)
    limit = g.scalar(I32, g.random.randint(1, 6))
    types = [counter.type, x.ssa.type]

    def body(block: Block) -> list[SSAValue]:
        one = append(block, g.constant(I32, np.asarray(1, np.int32)))
        value: SSAValue = block.args[1]
        for _ in range(g.random.randint(1, 2)):
            groups = moving_groups(g)
            moved: Operation = hlo.CollectivePermuteOp(value, _pairs(g, g.grid[groups.channel]))
            if g.random.random() < 0.3:
                moved = hlo.CollectiveBroadcastOp(value, groups.rows)
            value = append(block, _with_channel(g, moved, groups))
        return [append(block, hlo.AddOp(block.args[0], one)), value]

    cond = region(types, lambda b: [append(b, hlo.CompareOp(b.args[0], limit, ComparisonDirection.LT))])
    op = hlo.WhileOp([counter, x.ssa], cond, region(types, body))
    g.keep_all(op, [(I32, (), INTEGER), (x.element, x.shape, joined(x.known, ZERO))])


EMITTERS = [
    (gather_or_permute, 12), (reduction, 8), (collective_reduce, 3), (ragged_all_to_all, 3), (chain, 2), (loop, 5),
    (moving_loop, 3),
]  # fmt: skip
