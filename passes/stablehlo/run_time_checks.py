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
    IntegerType,
    Signedness,
    StringAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation

from ...dialects import stablehlo
from ...dialects.limits import LARGEST_SIZE, LARGEST_STEP
from ...dialects.stablehlo import shape_rules
from ...dialects.stablehlo.bounds import bounds_of
from ...dialects.stablehlo.shapes import shape_of
from ...errors import describe_location
from ...ir.tensor_builder import Tensor, TensorBuilder

UI64 = IntegerType(64, Signedness.UNSIGNED)
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
        wide = (vector.minimum(LARGEST_SIZE) if vector.element_type == UI64 else vector).convert(i64)
        return [wide.slice({0: (i, i + 1)}).reshape(()) for i in range(wide.shape[0])]

    def all(self, conditions: Sequence[Tensor]) -> Tensor:
        return reduce(lambda a, b: a & b, conditions) if conditions else self.builder.splat(i1, (), 1)

    def at_least(self, sizes: Sizes, least: int) -> Tensor:
        return self.all([size.greater(least - 1) for size in sizes])

    def _vector(self, scalars: Sizes) -> Tensor:
        parts = [scalar.reshape((1,)) for scalar in scalars]
        return parts[0] if len(parts) == 1 else self.builder.concatenate(parts, 0)

    def require(self, holds: Tensor, rule: str, *values: Sizes) -> None:
        """Let the program fail by `rule`, of these values, where `holds` is false."""
        builder = self.builder

        def violated(_: list[Tensor]) -> Sequence[Tensor]:
            vectors = [self._vector(each) for each in values if each]
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


def _iota(checks: Checks, op: stablehlo.DynamicIotaOp, shape: Sizes) -> Sizes:
    checks.require(checks.at_least(shape, 0), shape_rules.IOTA, shape)
    return shape


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


def _rng(checks: Checks, op: stablehlo.RngOp, shape: Sizes) -> Sizes:
    checks.require(checks.at_least(shape, 0), shape_rules.RNG, shape)
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
    stablehlo.DynamicIotaOp: _iota,
    stablehlo.DynamicPadOp: _pad,
    stablehlo.DynamicReshapeOp: _reshape,
    stablehlo.RealDynamicSliceOp: _slice,
    stablehlo.RngOp: _rng,
}
"""Op type to its checks, of the sizes of the operand, if there is one, and of shape operands; gives the result's."""

SHAPES_FROM: dict[type[Operation], int] = {stablehlo.DynamicIotaOp: 0, stablehlo.DynamicPadOp: 2}
"""The first operand that is part of a shape, if not number 1."""


def check_shapes(builder: TensorBuilder, op: Any, operand: Sizes | None, vectors: Sequence[Tensor]) -> None:
    """Insert the checks of an op: the sizes of its operand, None if it has none, and its shape operands."""
    checks = Checks(builder, op)
    values = [checks.elements(vector) for vector in vectors]
    sizes = RULES[type(op)](checks, op, *([] if operand is None else [operand]), *values)
    checks.require_result(0, sizes)
