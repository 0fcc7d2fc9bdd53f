"""`reduce_window` whose windows are all prefixes, or all suffixes, of one dimension: a cumulative sum and its like.

Each result is the one before it combined with one more element: linear work, where windows repeat everything. It
becomes a `linalg_ext.scan`. Sums and products of 16-bit floats are carried with the digits they are accumulated in, and
rounded where they are stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from xdsl.dialects.builtin import TensorType, UnitAttr
from xdsl.ir import Attribute, SSAValue

from ...dialects import linalg_ext, stablehlo
from ...dialects.dense import pack_element
from ...dialects.editing import new_block, new_region
from ...dialects.shared_attributes import i64_attribute
from ...dialects.stablehlo.fold_elementwise import is_neutral
from ...dialects.stablehlo.regions import single_op
from ...dialects.stablehlo.shapes import shape_of
from ...errors import UnsupportedError
from .arithmetic import ADD, MULTIPLY, Number
from .attributes import (
    accumulator,
    element_of,
    is_float,
    scalar_attribute,
    signless,
)
from .builder import Lowered, Lowering, Splat
from .reduction import widened_combiner
from .regions import inline


class Scan(NamedTuple):
    """A running combination along dimension `dim`, from the last element on if `reverse`."""

    dim: int
    reverse: bool


def scan_of(ctx: Lowering, op: Any) -> Scan | None:
    """How the `reduce_window` `op` is a scan, None if it is none.

    The padding then holds init values and every window all elements on one side, so the init value has to be neutral.
    """
    shape = shape_of(op.inputs[0])
    window, *steps, padding = op.window
    varying = [dim for dim, size in enumerate(window) if size != 1]
    if len(op.inputs) != 1 or len(varying) != 1 or 0 in shape:
        return None
    if any(step != 1 for values in steps for step in values):
        return None
    (dim,) = varying
    edges = padding[dim]
    overhang = window[dim] - 1
    if any(any(edge) for other, edge in enumerate(padding) if other != dim):
        return None
    if window[dim] < shape[dim] or edges not in ((overhang, 0), (0, overhang)):
        return None
    init = ctx.lowered(op.init_values[0])
    if isinstance(init, SSAValue) or isinstance(init.number, complex):
        return None
    element = element_of(op.inputs[0])
    if element != element_of(op.results[0]):
        return None
    combiner = single_op(op.body)
    if combiner is None:
        starts_from_nothing = _seems_neutral(op)
    else:
        starts_from_nothing = is_neutral(type(combiner), element, pack_element(element, init.number))
    return Scan(dim, edges[0] == 0) if starts_from_nothing else None


NUMBERS = (0.0, 1.0, -1.0, 0.75, -2.5, 20.0, -20.0)
"""What is combined with an init value to see whether it is neutral."""


def _seems_neutral(op: Any) -> bool:
    """Whether combining with the init value changes none of some numbers, and not that value, on either side.

    A reduction gives the same on all implementations only where its init value is neutral and its body associative;
    what is looked for here are bodies of which the reference computes something else.
    """
    constant = op.init_values[0].owner
    if not isinstance(constant, stablehlo.ConstantOp) or not is_float(element_of(op.inputs[0])):
        return False
    inside = {*op.body.block.args, *(result for nested in op.body.walk() for result in nested.results)}
    if any(operand not in inside for nested in op.body.block.ops for operand in nested.operands):
        return False
    from ...reference.arrays import dense_array
    from ...reference.interpreter import Interpreter

    init = dense_array(constant.value)
    numbers = [init, *(np.full_like(init, number) for number in NUMBERS)]
    pairs = [pair for number in numbers for pair in ((init, number), (number, init))]
    try:
        results = [Interpreter().run_region(op.body, pair)[0] for pair in pairs]
    except UnsupportedError:
        return False
    return all(np.array_equal(cast(Any, result), numbers[k // 2]) for k, result in enumerate(results))


def lower_scan(ctx: Lowering, op: Any, scan: Scan) -> Sequence[Lowered]:
    """A `linalg_ext.scan`."""
    element, init = element_of(op.results[0]), ctx.lowered(op.init_values[0])
    assert isinstance(init, Splat)
    widened = widened_combiner(op)
    widened = widened if widened in (ADD, MULTIPLY) else None
    wide = element if widened is None else accumulator(element)
    combiner = new_block((signless(wide), signless(element)))
    with ctx.into(combiner):
        total, number = Number(ctx, combiner.args[0], wide), Number(ctx, combiner.args[1], element)
        if widened is None:
            (total,) = inline(ctx, op.body, (total, number))
        else:
            total = total.combine(widened, number.resized(wide))
        ctx.emit(linalg_ext.YieldOp, (total.value,))
    operand = ctx.tensor(op.inputs[0])
    properties: dict[str, Attribute] = {
        "dimension": i64_attribute(scan.dim),
        "init": scalar_attribute(signless(wide), init.number),
    }
    if scan.reverse:
        properties["reverse"] = UnitAttr()
    type = cast("TensorType[Attribute]", operand.type)
    return ctx.emit(linalg_ext.ScanOp, (operand, ctx.empty(type)), (type,), properties, (new_region(combiner),))
