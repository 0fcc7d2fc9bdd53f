"""Random control flow, calls and composites."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.dialects.func import ReturnOp as FuncReturnOp
from xdsl.ir import Block, Region, SSAValue

from ...dialects import stablehlo as hlo
from ...dialects.stablehlo.attributes import ComparisonDirection
from .elements import BOOL, FLOATS, I32, INTEGERS
from .generator import Generator, Value, append, region, tensor_of
from .known import INTEGER, Known, Unfit, joined, rounded


def while_slices(g: Generator) -> None:
    """A loop that writes slices one after the other, or mixes its value with another one."""
    x = g.pick([*INTEGERS, *FLOATS], exact=True, least_rank=1)
    if x.shape[0] == 0:
        raise Unfit
    y = g.like(x, exact=True)
    counter = g.scalar(I32, 0)
    limit = g.scalar(I32, g.random.randint(0, 4))
    half = g.scalar(x.element, 0.5 if x.element.is_float else 1)
    writes = g.random.random() < 0.5

    def body(block: Block) -> list[SSAValue]:
        one = append(block, g.constant(I32, np.asarray(1, np.int32)))
        if writes:
            zero = append(block, g.constant(I32, np.asarray(0, np.int32)))
            starts = [block.args[0], *[zero] * (len(x.shape) - 1)]
            row = append(block, hlo.DynamicSliceOp(y.ssa, starts, (1, *x.shape[1:])))
            row = append(block, hlo.ReverseOp(row, [len(x.shape) - 1]))
            new = append(block, hlo.DynamicUpdateSliceOp(block.args[1], row, starts))
        else:
            factor = append(block, hlo.BroadcastInDimOp(half, [], x.ssa.type))
            new = append(block, hlo.AddOp(append(block, hlo.MulOp(block.args[1], factor)), y.ssa))
        return [append(block, hlo.AddOp(block.args[0], one)), new]

    types = [counter.type, x.ssa.type]
    cond = region(types, lambda b: [append(b, hlo.CompareOp(b.args[0], limit, ComparisonDirection.LT))])
    known = joined(x.known, y.known)
    if not writes and x.element.rounds:
        known = rounded(x.element, x.known.bound + 2 * y.known.bound, 0, 4)
    op = hlo.WhileOp([counter, x.ssa], cond, region(types, body))
    g.keep_all(op, [(I32, (), INTEGER), (x.element, x.shape, known)])


def while_integers(g: Generator) -> None:
    """A loop over integers and truth values with any ops in its body; all but the counter may end it as well."""
    loop_over_integers(g, 0, 3, may_end_early=True)


def loop_over_integers(
    g: Generator,
    fewest: int,
    most: int,
    *,
    may_end_early: bool = False,
    together: bool = False,
    first: Callable[[Value], None] = lambda _: None,
) -> None:
    """A loop of `fewest` to `most` iterations over integers and truth values with any ops in its body.

    `first` adds ops at the start of the body, given the first of the values.
    """
    carried = [g.pick([*INTEGERS, BOOL]) for _ in range(g.random.randint(1, 3))]
    counter = g.scalar(I32, 0)
    limit = g.random.randint(fewest, most)
    types = [counter.type, *(v.ssa.type for v in carried)]
    before = Block(arg_types=types)
    bound = append(before, g.constant(I32, np.asarray(limit, np.int32)))
    go_on = append(before, hlo.CompareOp(before.args[0], bound, ComparisonDirection.LT))
    for argument, value in zip(before.args[1:], carried, strict=True):
        if may_end_early and value.element is BOOL and not value.shape and g.random.random() < 0.5:
            go_on = append(before, hlo.AndOp(go_on, argument))
    before.add_op(hlo.ReturnOp(go_on))
    after = Block(arg_types=types)
    arguments = [Value(a, v.element, v.shape, INTEGER) for a, v in zip(after.args[1:], carried, strict=True)]
    one = append(after, g.constant(I32, np.asarray(1, np.int32)))
    following = append(after, hlo.AddOp(after.args[0], one))
    with g.inside(after, [Value(after.args[0], I32, (), INTEGER), *arguments], together=together):
        first(arguments[0])
        g.emit(g.random.randint(1, 3))
        new = [g.pick([v.element], shape=v.shape) for v in carried]
    after.add_op(hlo.ReturnOp(following, *(v.ssa for v in new)))
    op = hlo.WhileOp([counter, *(v.ssa for v in carried)], Region(before), Region(after))
    g.keep_all(op, [(I32, (), INTEGER), *((v.element, v.shape, INTEGER) for v in carried)])


def _branches(g: Generator, like: Sequence[Value], count: int) -> tuple[list[Region], list[Known]]:
    """Regions that compute values of the types of `like`."""
    regions: list[Region] = []
    found: list[list[Known]] = []
    for _ in range(count):
        block = Block()
        with g.inside(block):
            g.emit(g.random.randint(0, 2))
            results = [g.any([v.element], shape=v.shape) for v in like]
        block.add_op(hlo.ReturnOp(*(v.ssa for v in results)))
        regions.append(Region(block))
        found.append([v.known for v in results])
    return regions, [joined(*known) for known in zip(*found, strict=True)]


def if_(g: Generator) -> None:
    like = [g.any() for _ in range(g.random.randint(1, 2))]
    pred = g.pick([BOOL], shape=())
    regions, known = _branches(g, like, 2)
    op = hlo.IfOp(pred.ssa, regions[0], regions[1])
    g.keep_all(op, [(v.element, v.shape, k) for v, k in zip(like, known, strict=True)])


def case(g: Generator) -> None:
    like = [g.any() for _ in range(g.random.randint(1, 2))]
    count = g.random.randint(1, 4)
    index = g.indices(I32, (), -1, 4)
    regions, known = _branches(g, like, count)
    op = hlo.CaseOp(index.ssa, regions)
    g.keep_all(op, [(v.element, v.shape, k) for v, k in zip(like, known, strict=True)])


def call(g: Generator) -> None:
    """A function or the decomposition of a composite op."""
    given = [g.any() for _ in range(g.random.randint(1, 3))]
    block = Block(arg_types=[v.ssa.type for v in given])
    arguments = [Value(a, v.element, v.shape, v.known) for a, v in zip(block.args, given, strict=True)]
    with g.inside(block, arguments, closed=True):
        g.emit(g.random.randint(1, 3))
        results = g.random.sample(g.values, g.random.randint(1, min(3, len(g.values))))
    block.add_op(FuncReturnOp(*(v.ssa for v in results)))
    types = [tensor_of(v.element, v.shape) for v in results]
    name = f"helper{len(g.helpers)}"
    g.helpers.append(FuncOp(name, ([a.type for a in block.args], types), Region(block), visibility="private"))
    operands = [v.ssa for v in given]
    if g.random.random() < 0.3:
        op = hlo.CompositeOp(f"fuzz.{name}", operands, name, types)
    else:
        op = CallOp(name, operands, types)
    g.keep_all(op, [(v.element, v.shape, v.known) for v in results])
