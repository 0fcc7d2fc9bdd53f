"""Random ops that talk to other processes, of which there are none, tokens, tuples and numbers of `rng`."""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects import stablehlo as hlo
from ...dialects.stablehlo.attributes import RngDistribution
from .bodies import combiner
from .elements import ELEMENTS, FLOATS, I32, I64, SCALE, UNSIGNED
from .generator import Generator, append, region, tensor_of
from .known import ANY_NUMBER, INTEGER, Known

ALONE = [[0]]
"""The group of processes that is all of them."""

U32 = UNSIGNED[2]


def hidden(g: Generator, op: Operation) -> SSAValue:
    """Append an op whose results are no tensors; its first one."""
    return g.add(op, *(Known() for _ in op.results))


def tokens(g: Generator) -> None:
    """Tokens, and a value that stays as it is."""
    x = g.any()
    made = [hidden(g, hlo.CreateTokenOp()) for _ in range(g.random.randint(0, 2))]
    hidden(g, hlo.AfterAllOp(*made))
    g.keep(hlo.OptimizationBarrierOp(x.ssa), x.element, x.shape, x.known)


def tuples(g: Generator) -> None:
    """Values that go into a tuple, perhaps one of tuples, and come out of it."""
    values = [g.any() for _ in range(g.random.randint(1, 3))]
    packed = hidden(g, hlo.TupleOp(*(v.ssa for v in values)))
    if g.random.random() < 0.3:
        outer = hidden(g, hlo.TupleOp(packed, values[0].ssa))
        packed = hidden(g, hlo.GetTupleElementOp(outer, 0))
    for index, v in enumerate(values):
        if index == 0 or g.random.random() < 0.5:
            g.keep(hlo.GetTupleElementOp(packed, index), v.element, v.shape, v.known)


def process_ids(g: Generator) -> None:
    g.keep(g.random.choice([hlo.ReplicaIdOp, hlo.PartitionIdOp])(), U32, (), INTEGER)


def collective(g: Generator) -> None:
    """What a process alone exchanges is its own, or zeros for what nobody sends it."""
    x = g.any([e for e in ELEMENTS if e is not SCALE], least_rank=1)
    dim = g.random.randrange(len(x.shape))
    make = g.random.choice(["all_gather", "all_to_all", "broadcast", "permute", "async"])
    if make == "all_gather":
        op: Operation = hlo.AllGatherOp([x.ssa], dim, ALONE, [x.ssa.type])
    elif make == "all_to_all":
        op = hlo.AllToAllOp([x.ssa], dim, g.random.randrange(len(x.shape)), 1, ALONE)
    elif make == "broadcast":
        op = hlo.CollectiveBroadcastOp(x.ssa, ALONE)
    elif make == "permute":
        op = hlo.CollectivePermuteOp(x.ssa, [[0, 0]])
    else:
        body = region([x.ssa.type], lambda b: [append(b, hlo.AllGatherOp([b.args[0]], dim, ALONE, [x.ssa.type]))])
        op = hlo.AsyncDoneOp(hidden(g, hlo.AsyncStartOp([x.ssa], body, [x.ssa.type])))
    g.keep(op, x.element, x.shape, x.known)


def collective_reduction(g: Generator) -> None:
    x = g.any([e for e in ELEMENTS if e is not SCALE], least_rank=1)
    scalar = tensor_of(x.element, ())
    combine = combiner(g, x.element)[0]
    body = region([scalar, scalar], lambda b: [combine(b, b.args[0], b.args[1])])
    dim = g.random.randrange(len(x.shape))
    op = g.random.choice(
        [
            lambda: hlo.AllReduceOp([x.ssa], ALONE, body),
            lambda: hlo.ReduceScatterOp(x.ssa, dim, ALONE, body, x.ssa.type),
        ]
    )()
    if g.random.random() < 0.2:
        op = hlo.CrossReplicaSumOp(x.ssa, ALONE)
    g.keep(op, x.element, x.shape, x.known)


def random_numbers(g: Generator) -> None:
    """`rng`: both engines make the numbers of one seed."""
    normal = g.random.random() < 0.5
    element = g.choice(FLOATS if normal else [*FLOATS, I32, I64, U32])
    shape = g.shape(limit=256)
    low, high = (g.given(element, np.asarray(n).astype(element.dtype), INTEGER) for n in (1, 5))
    sizes = g.add(g.constant(I64, np.asarray(shape, np.int64)), INTEGER)
    distribution = RngDistribution.NORMAL if normal else RngDistribution.UNIFORM
    op = hlo.RngOp(low.ssa, high.ssa, sizes, distribution, tensor_of(element, shape))
    g.keep(op, element, shape, ANY_NUMBER if element.rounds else INTEGER)
