"""Random control flow and calls."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.dialects.func import ReturnOp as FuncReturnOp
from xdsl.ir import Block, Region, SSAValue

from ...dialects import stablehlo as hlo
from ...dialects.stablehlo.attributes import (
    ComparisonDirection,
)
from .values import (
    BOOL,
    FLOATS,
    I32,
    INTEGERS,
    Generator,
    Unfit,
    Value,
    append,
    joined,
    region,
    rounded,
)


def while_(g: Generator) -> None:
    """A loop that writes slices one after the other, or mixes its value with another one."""
    x = g.exact([*INTEGERS, *FLOATS], 1)
    if x.shape[0] == 0 or x.known.step * 2**-4 < 2**-14:
        raise Unfit
    y = g.like(x, exact=True)
    counter = g.scalar(I32, 0)
    limit = g.scalar(I32, g.random.randint(0, 4))
    half = g.scalar(x.element, 0.5 if x.element.is_float else 3)
    writes = g.random.random() < 0.5

    def body(block: Block) -> list[SSAValue]:
        one = append(block, g.constant(I32, np.asarray(1)))
        if writes:
            zero = append(block, g.constant(I32, np.asarray(0)))
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
    if not writes and x.element.is_float:
        known = rounded(x.element, known.step / 16, x.known.bound + 2 * y.known.bound, 0, 4)
    op = hlo.WhileOp([counter, x.ssa], cond, region(types, body))
    g.add(op, 0.0, known.error)
    g.values.append(Value(op.results[1], x.element, x.shape, known))


def _branch(g: Generator, x: Value, y: Value) -> Region:
    choices: list[Callable[[Block], SSAValue]] = [lambda b: x.ssa, lambda b: y.ssa]
    if x.shape:
        choices.append(lambda b: append(b, hlo.ReverseOp(x.ssa, [0])))
    if x.element is not BOOL:
        choices.append(lambda b: append(b, hlo.MaxOp(x.ssa, y.ssa)))
    choice = g.random.choice(choices)
    return region([], lambda block: [choice(block)])


def if_(g: Generator) -> None:
    x = g.pick()
    y, pred = g.like(x), g.pick([BOOL], shape=())
    op = hlo.IfOp(pred.ssa, _branch(g, x, y), _branch(g, x, y))
    g.keep(op, x.element, x.shape, joined(x.known, y.known))


def case(g: Generator) -> None:
    x = g.pick()
    y, index = g.like(x), g.argument(I32, (), -1)
    op = hlo.CaseOp(index.ssa, [_branch(g, x, y) for _ in range(g.random.randint(1, 4))])
    g.keep(op, x.element, x.shape, joined(x.known, y.known))


def call(g: Generator) -> None:
    x = g.pick()
    y = g.like(x)
    type = x.ssa.type
    block = Block(arg_types=[type, type])
    lhs, rhs = block.args
    result = append(block, hlo.OrOp(lhs, rhs) if x.element is BOOL else hlo.MinOp(lhs, rhs))
    block.add_op(FuncReturnOp(result))
    function = FuncOp(f"helper{len(g.helpers)}", ([type, type], [type]), Region(block), visibility="private")
    g.helpers.append(function)
    g.keep(CallOp(function.sym_name.data, [x.ssa, y.ssa], [type]), x.element, x.shape, joined(x.known, y.known))
