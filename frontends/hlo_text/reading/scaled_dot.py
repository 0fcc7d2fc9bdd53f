"""`scaled-dot`: a product of operands of which each block of elements has a factor.

StableHLO has no such op: the operands are multiplied by their factors, and their product is a `dot_general`. Types are
those of openxla/xla's `ScaledDotRewriter`: what is multiplied is in the widest type of the two, `bf16` at least.
"""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, BFloat16Type, TensorType
from xdsl.ir import SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.shapes import element_type_of, shape_of
from ....dialects.stablehlo.syntax import i64_array
from .mixed_precision import converted, widest
from .site import Site


def scaled_operands(site: Site) -> list[SSAValue]:
    """The operands of the product, in one type."""
    left, right, left_factors, right_factors = site.tensors(4)
    pairs = ((left, left_factors), (right, right_factors))
    operands = [_scaled(site, side, *pair) for side, pair in zip(("left", "right"), pairs, strict=True)]
    return _in_one_type(site, *operands)


def _scaled(site: Site, side: str, operand: SSAValue, factors: SSAValue) -> SSAValue:
    """`operand` times its factors; a scalar is no factor."""
    sizes, counts = shape_of(operand), shape_of(factors)
    if not counts:
        return operand
    if len(sizes) != len(counts) or any(not count or size % count for size, count in zip(sizes, counts, strict=True)):
        site.error(f"factors of shape {list(counts)} for a {side} operand of shape {list(sizes)}")
    operand, factors = _in_one_type(site, operand, factors)
    element = element_type_of(factors)
    blocks = [part for size, count in zip(sizes, counts, strict=True) for part in (count, size // count)]
    dims = {"broadcast_dimensions": i64_array(range(0, len(blocks), 2))}
    (repeated,) = site.create(stablehlo.BroadcastInDimOp, [factors], [TensorType(element, blocks)], dims).results
    repeated = site.new(stablehlo.ReshapeOp(repeated, sizes))
    return site.create(stablehlo.MulOp, [operand, repeated], [operand.type]).results[0]


def _in_one_type(site: Site, *values: SSAValue) -> list[SSAValue]:
    elements = [element_type_of(value) for value in values]
    floats = [element for element in elements if isinstance(element, AnyFloat)]
    if len(floats) < len(elements):
        site.error("expected floats")
    wide = [each for each in floats if each.bitwidth >= BFloat16Type().bitwidth] or [BFloat16Type()]
    return converted(site, values, widest({*wide}))
