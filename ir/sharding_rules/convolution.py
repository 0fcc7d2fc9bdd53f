"""Convolutions: batch, features, groups, and the spatial dimensions."""

from __future__ import annotations

from ...dialects import stablehlo
from ...dialects.stablehlo.convolution import ConvolutionBase
from ...dialects.stablehlo.shapes import shape_of
from .builder import Dim, RuleBuilder, sharding_rule
from .rule import FactorKind


@sharding_rule(stablehlo.ConvolutionOp, stablehlo.DynamicConvOp)
def convolution(op: ConvolutionBase, rule: RuleBuilder) -> None:
    """Groups are the major factor of the features (or of the batch), which lhs, rhs and result have in common."""
    dims = op.dimension_numbers.data
    kernel, result = shape_of(op.operands[1]), shape_of(op.results[0])
    batch_groups, feature_groups = op.batch_group_count.value.data, op.feature_group_count.value.data
    others: list[Dim] = [None] * (len(op.operands) - 2)
    if batch_groups > 1:
        lhs_and_rhs = [dims.input_batch_dimension, dims.kernel_output_feature_dimension]
        rule.add(batch_groups, [*lhs_and_rhs, *others], [dims.output_feature_dimension])
    batch = result[dims.output_batch_dimension]
    rule.add(batch, [dims.input_batch_dimension, None, *others], [dims.output_batch_dimension])
    _add_spatial(op, rule, others)
    if feature_groups > 1:
        lhs_and_rhs = [dims.input_feature_dimension, dims.kernel_output_feature_dimension]
        rule.add(feature_groups, [*lhs_and_rhs, *others], [dims.output_feature_dimension])
    features = [dims.input_feature_dimension, dims.kernel_input_feature_dimension]
    rule.add_sum(kernel[dims.kernel_input_feature_dimension], [*features, *others])
    output_features = result[dims.output_feature_dimension] // (batch_groups * feature_groups)
    if output_features > 1:
        rhs = [None, dims.kernel_output_feature_dimension]
        rule.add(output_features, [*rhs, *others], [dims.output_feature_dimension])


def _add_spatial(op: ConvolutionBase, rule: RuleBuilder, others: list[Dim]) -> None:
    """A spatial dimension of the input is split by the places of the window or by the window, the larger one first:
    places need the edges of neighbours, parts of a window a sum.
    """
    dims = op.dimension_numbers.data
    lhs, rhs, result = (shape_of(value) for value in (*op.operands[:2], op.results[0]))
    for lhs_dim, rhs_dim, result_dim in zip(
        dims.input_spatial_dimensions, dims.kernel_spatial_dimensions, dims.output_spatial_dimensions, strict=True
    ):
        places, window, rest = result[result_dim], rhs[rhs_dim], lhs[lhs_dim]
        for is_window in (False, True) if places >= window else (True, False):
            size = min(rest, window if is_window else places)
            if size <= 1:
                continue
            if is_window:
                rule.add_sum(size, [lhs_dim, rhs_dim, *others])
            else:
                rule.add(size, [lhs_dim, None, *others], [result_dim], FactorKind.PERMUTATION)
            rest //= size
