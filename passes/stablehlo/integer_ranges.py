"""Bounds on the elements of integer tensors: what an index computed from `iota` can be.

`range_of` looks at a few ops behind a value; what it does not know may be anything its type holds. A result that does
not fit its type wraps around, and then may be anything, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, cast

from xdsl.ir import Operation, SSAValue

from ...decisions.search import LISTED_ELEMENTS, RANGE_DEPTH
from ...dialects import stablehlo
from ...dialects.dense import integer_type
from ...dialects.stablehlo.fold_elementwise import extremes
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...dialects.stablehlo.traits import MovesElements

Range: TypeAlias = "tuple[int, int]"
"""The least and the greatest element."""


def range_of(value: SSAValue, depth: int = RANGE_DEPTH) -> Range | None:
    """Bounds on the elements of `value`; None if it does not hold integers."""
    type = integer_type(element_type_of(value))
    if type is None or type.width.data == 1:
        return (0, 1) if type is not None else None
    anything = extremes(type)
    owner = value.owner
    if not depth or not isinstance(owner, Operation):
        return anything
    known = _known(owner, depth - 1)
    return known if known is not None and anything[0] <= known[0] <= known[1] <= anything[1] else anything


def _known(op: Operation, depth: int) -> Range | None:
    if isinstance(op, stablehlo.IotaOp):
        return 0, max(shape_of(op.results[0])[op.iota_dimension.value.data] - 1, 0)
    if isinstance(op, stablehlo.ConstantOp):
        return _of_constant(op)
    if isinstance(op, stablehlo.ConvertOp) or op.has_trait(MovesElements, value_if_unregistered=False):
        return range_of(op.operands[0], depth)
    rule = _RULES.get(type(op))
    if rule is None:
        return None
    ranges: list[Range] = []
    for operand in op.operands:
        if (known := range_of(operand, depth)) is None:
            return None
        ranges.append(known)
    return rule(ranges)


def _of_constant(op: stablehlo.ConstantOp) -> Range | None:
    constant = op.value
    if len(constant.data.data) > 8 * LISTED_ELEMENTS:
        return None
    elements = cast("Sequence[int]", constant.get_values())
    return (min(elements), max(elements)) if elements else None


def _corners(function: Callable[[int, int], int]) -> Callable[[Sequence[Range]], Range]:
    """The range of a function that is monotonic in each argument."""

    def rule(ranges: Sequence[Range]) -> Range:
        (left, right) = ranges
        results = [function(a, b) for a in left for b in right]
        return min(results), max(results)

    return rule


def _either(ranges: Sequence[Range]) -> Range:
    return min(low for low, _ in ranges), max(high for _, high in ranges)


def _clamped(ranges: Sequence[Range]) -> Range:
    least, value, most = ranges
    low, high = (min(max(a, b), c) for a, b, c in zip(least, value, most, strict=True))
    return low, high


def _quotient(ranges: Sequence[Range]) -> Range | None:
    (low, high), (least, most) = ranges
    return (low // most, high // least) if low >= 0 and least > 0 else None


def _remainder(ranges: Sequence[Range]) -> Range | None:
    (low, high), (least, most) = ranges
    return (0, min(high, most - 1)) if low >= 0 and least > 0 else None


def _common_bits(ranges: Sequence[Range]) -> Range | None:
    nonnegative = [high for low, high in ranges if low >= 0]
    return (0, min(nonnegative)) if nonnegative else None


_RULES: dict[type[Operation], Callable[[Sequence[Range]], Range | None]] = {
    stablehlo.AddOp: _corners(int.__add__),
    stablehlo.SubtractOp: _corners(int.__sub__),
    stablehlo.MulOp: _corners(int.__mul__),
    stablehlo.MaxOp: _corners(max),
    stablehlo.MinOp: _corners(min),
    stablehlo.DivOp: _quotient,
    stablehlo.RemOp: _remainder,
    stablehlo.AndOp: _common_bits,
    stablehlo.ClampOp: _clamped,
    stablehlo.ConcatenateOp: _either,
    stablehlo.SelectOp: lambda ranges: _either(ranges[1:]),
}


def compare(direction: str, left: Range, right: Range) -> bool | None:
    """What all comparisons of elements within two ranges give, None where they may differ."""
    if direction in ("GT", "LE"):
        left, right = right, left
    if direction in ("EQ", "NE"):
        if left[1] < right[0] or right[1] < left[0]:
            return direction == "NE"
        return direction == "EQ" if left[0] == left[1] == right[0] == right[1] else None
    if left[1] < right[0]:
        return direction in ("LT", "GT")
    return direction not in ("LT", "GT") if left[0] >= right[1] else None
