"""Checks of shapes that are values, where these are known only when the program runs.

A check is scalar arithmetic of the program, and an `if` whose other branch calls the target `shape_violation`, which
raises the error that the reference interpreter raises:

    "stablehlo.if"(%holds) ({
      stablehlo.return
    }, {
      stablehlo.custom_call @shape_violation(%shape) {backend_config = {rule = "...", ...}} : (tensor<2xi64>) -> ()
      stablehlo.return
    }) : (tensor<i1>) -> ()
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation

from ...dialects import stablehlo
from ...dialects.limits import LARGEST_STEP
from ...dialects.stablehlo import shape_rules
from ...dialects.stablehlo.bounds import bounds_of
from ...dialects.stablehlo.shapes import shape_of
from ...errors import describe_location
from ...ir.tensor_builder import Tensor, TensorBuilder

VIOLATED = "shape_violation"
Sizes = Sequence[Tensor]
"""Scalars of i64."""


class Checks:
    """Inserts checks of one op."""

    def __init__(self, builder: TensorBuilder, op: Operation) -> None:
        self.builder, self.op = builder, op

    def number(self, number: int) -> Tensor:
        return self.builder.splat(i64, (), number)

    def elements(self, vector: Tensor) -> Sizes:
        """Those of a vector of integers; what i64 does not hold is as wrong as its greatest number."""
        wide = vector.wide()
        return [wide.at(index) for index in range(wide.shape[0])]

    def all(self, conditions: Sequence[Tensor]) -> Tensor:
        return reduce(lambda a, b: a & b, conditions) if conditions else self.builder.splat(i1, (), 1)

    def at_least(self, sizes: Sizes, least: int) -> Tensor:
        return self.all([size.greater(least - 1) for size in sizes])

    def require(self, holds: Tensor, rule: str, *values: Sizes) -> None:
        """Let the program fail by `rule`, of these values, where `holds` is false."""
        builder = self.builder

        def violated(_: list[Tensor]) -> Sequence[Tensor]:
            vectors = [builder.vector(each) for each in values if each]
            lengths = [len(each) for each in values]
            options: dict[str, Attribute] = {
                "op": StringAttr(self.op.name),
                "rule": StringAttr(rule),
                "lengths": StringAttr(",".join(map(str, lengths))),
            }
            if (place := describe_location(self.op.location)) is not None:
                options["location"] = StringAttr(place)
            properties = {
                "call_target_name": StringAttr(VIOLATED),
                "has_side_effect": IntegerAttr(1, i1),
                "backend_config": DictionaryAttr(options),
                "api_version": IntegerAttr(4, i32),
            }
            builder.emit(stablehlo.CustomCallOp, vectors, (), properties)
            return ()

        regions = builder.region((), lambda _: ()), builder.region((), violated)
        builder.emit(stablehlo.IfOp, (holds,), (), {}, regions)

    def require_result(self, index: int, sizes: Sizes) -> None:
        """Require that the type of a result allows the shape it has."""
        result = self.op.results[index]
        bounds = bounds_of(result.type)
        conditions = [
            size.compare(stablehlo.ComparisonDirection.EQ, declared)
            if declared != DYNAMIC_INDEX
            else size.compare(stablehlo.ComparisonDirection.LE, bounds[dim])
            for dim, (size, declared) in enumerate(zip(sizes, shape_of(result), strict=True))
            if declared != DYNAMIC_INDEX or dim in bounds
        ]
        if conditions:
            self.require(self.all(conditions), shape_rules.result_rule(index, result.type), sizes)


def _product(checks: Checks, sizes: Sizes) -> Tensor:
    return reduce(lambda a, b: a * b, sizes) if sizes else checks.number(1)


def _broadcast(checks: Checks, op: stablehlo.DynamicBroadcastInDimOp, operand: Sizes, shape: Sizes) -> Sizes:
    dims = op.broadcast_dimensions.get_values()
    fits = [size.equals(1) | size.equals(shape[dim]) for size, dim in zip(operand, dims, strict=True)]
    places = [checks.number(dim) for dim in dims]
    checks.require(checks.all([*fits, checks.at_least(shape, 0)]), shape_rules.BROADCAST, operand, shape, places)
    return shape


def _not_negative(rule: str) -> Callable[[Checks, Operation, Sizes], Sizes]:
    """The check of ops whose shape is an operand, whatever it is."""

    def check(checks: Checks, op: Operation, shape: Sizes) -> Sizes:
        checks.require(checks.at_least(shape, 0), rule, shape)
        return shape

    return check


def _pad(checks: Checks, op: stablehlo.DynamicPadOp, operand: Sizes, low: Sizes, high: Sizes, interior: Sizes) -> Sizes:
    checks.require(checks.at_least(interior, 0), shape_rules.PAD, interior)
    for name, amounts in zip(shape_rules.PADDING, (low, high, interior), strict=True):
        small = [n.greater(-LARGEST_STEP - 1) & n.less(LARGEST_STEP + 1) for n in amounts]
        checks.require(checks.all(small), shape_rules.largest_step(name), amounts)
    padded = zip(operand, low, high, interior, strict=True)
    return [(n + (n - 1).maximum(0) * inner + before + behind).maximum(0) for n, before, behind, inner in padded]


def _reshape(checks: Checks, op: stablehlo.DynamicReshapeOp, operand: Sizes, shape: Sizes) -> Sizes:
    count = _product(checks, operand)
    fills = _product(checks, shape).equals(count)
    checks.require(checks.at_least(shape, 0) & fills, shape_rules.RESHAPE, [count], shape)
    return shape


def _slice(
    checks: Checks, op: stablehlo.RealDynamicSliceOp, operand: Sizes, starts: Sizes, limits: Sizes, strides: Sizes
) -> Sizes:
    at_most = stablehlo.ComparisonDirection.LE
    inside = [
        start.greater(-1) & start.compare(at_most, limit) & limit.compare(at_most, size) & stride.greater(0)
        for start, limit, stride, size in zip(starts, limits, strides, operand, strict=True)
    ]
    checks.require(checks.all(inside), shape_rules.SLICE, starts, limits, strides, operand)
    ranges = zip(starts, limits, strides, operand, strict=True)
    return [steps_between(*each) for each in ranges]


def steps_between(start: Tensor, limit: Tensor, stride: Tensor, size: Tensor | int) -> Tensor:
    """How many indices `start`, `start + stride`, ... are below `limit`, which is at most `size`."""
    step = stride.minimum(size).maximum(1)
    return (limit - start + step - 1) / step


RULES: dict[type[Operation], Callable[..., Sizes]] = {
    stablehlo.DynamicBroadcastInDimOp: _broadcast,
    stablehlo.DynamicIotaOp: _not_negative(shape_rules.IOTA),
    stablehlo.DynamicPadOp: _pad,
    stablehlo.DynamicReshapeOp: _reshape,
    stablehlo.RealDynamicSliceOp: _slice,
    stablehlo.RngOp: _not_negative(shape_rules.RNG),
}
"""Op type to its checks, of the sizes of the operand, if there is one, and of shape operands; gives the result's."""


def check_shapes(builder: TensorBuilder, op: Any, operands: Sequence[Sizes], vectors: Sequence[Tensor]) -> None:
    """Insert the checks of an op: the sizes of its operand, if it has one, and its shape operands."""
    checks = Checks(builder, op)
    checks.require_result(0, RULES[type(op)](checks, op, *operands, *map(checks.elements, vectors)))
