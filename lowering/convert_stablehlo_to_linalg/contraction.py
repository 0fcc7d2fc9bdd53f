"""Contractions: `dot_general` and `convolution` as one generic of products summed over reduction
loops.

Sums are kept in the result's element type, in f32 for 16-bit floats (rounded by a generic of its
own at the end). Operands are converted to it inside the body. Products and sums of floats may be
reassociated. Of booleans the product is `and`, the sum `or`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from xdsl.dialects import arith, complex
from xdsl.dialects.builtin import AffineMapAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineExpr

from ...dialects import stablehlo
from .attributes import (
    AnyTensor,
    affine_map,
    constant_expression,
    dimension,
    element_of,
    identity,
    ints,
    is_complex,
    is_integer,
    is_number,
    iterators,
    projection,
    scalar_attribute,
    scaled,
    shape_of,
    signless,
    unsupported,
    values_or,
)
from .builder import Lowered, Lowering, Splat
from .complex_numbers import convert_number
from .data_movement import pad, result_type
from .scalars import REASSOCIATE, accumulator

_REASSOCIATE: Mapping[str, Attribute] = {"fastmath": REASSOCIATE}


def zero(type: Attribute) -> Splat:
    """The rank-0 zero of a signless element type."""
    value = 0 if is_integer(type) else 0.0
    return Splat(scalar_attribute(type, value), TensorType(type, ()))


def contract(
    ctx: Lowering,
    op: Operation,
    operands: Sequence[tuple[SSAValue, AffineMapAttr]],
    type: AnyTensor,
    reduction_loops: int,
) -> SSAValue:
    """Sum over the innermost `reduction_loops` of products of two lowered operands; the other loops
    are `type`'s.
    """
    sources = [element_of(operand) for operand in op.operands[:2]]
    target = element_of(op.results[0])
    sum_type = accumulator(signless(target))
    for element in (*sources, target):
        if not is_number(element):
            raise unsupported(op, f"no products of elements of type {element}")
    rank = len(type.shape.data)
    loops = rank + reduction_loops
    sum_tensor: AnyTensor = TensorType(sum_type, type.get_shape())

    def product(args: Sequence[SSAValue]) -> SSAValue:
        factors = [
            convert_number(ctx, arg, source, _signed_as(target, sum_type))
            for arg, source in zip(args, sources, strict=False)
        ]
        return _combine(ctx, _PRODUCT, factors, sum_type)

    def accumulate(args: Sequence[SSAValue]) -> Sequence[SSAValue]:
        terms = (args[2], product(args))
        return (_combine(ctx, _SUM, terms, sum_type),)

    if reduction_loops:
        start = ctx.fill(ctx.attribute_constant(zero(sum_type).value), sum_tensor)
        output = (start, projection(loops, tuple(range(rank))))
        (result,) = ctx.generic(operands, [output], iterators(rank, reduction_loops), accumulate)
    else:
        result = ctx.elementwise(operands, sum_tensor, product)
    return truncated(ctx, result, type)


def _signed_as(target: Attribute, sum_type: Attribute) -> Attribute:
    """The accumulator with the sign of the result."""
    return sum_type if signless(target) != sum_type else target


class _Combination(NamedTuple):
    """The op for each kind of element."""

    float: type[Operation]
    integer: type[Operation]
    boolean: type[Operation]
    complex: type[Operation]


_PRODUCT = _Combination(arith.MulfOp, arith.MuliOp, arith.AndIOp, complex.MulOp)
_SUM = _Combination(arith.AddfOp, arith.AddiOp, arith.OrIOp, complex.AddOp)


def _combine(ctx: Lowering, combination: _Combination, args: Any, type: Attribute) -> SSAValue:
    if is_complex(type):
        return ctx.scalar(combination.complex, args, type, _REASSOCIATE)
    if not is_integer(type):
        return ctx.scalar(combination.float, args, type, _REASSOCIATE)
    return ctx.scalar(combination.boolean if type.bitwidth == 1 else combination.integer, args, type)


def truncated(ctx: Lowering, value: SSAValue, type: AnyTensor) -> SSAValue:
    """`value`, a tensor of accumulators, rounded to the element type of `type`."""
    target = type.element_type
    if element_of(value) == target:
        return value
    return ctx.elementwise(
        [(value, identity(len(type.shape.data)))],
        type,
        lambda args: ctx.scalar(arith.TruncFOp, args, target),
    )


def lower_dot_general(ctx: Lowering, op: stablehlo.DotGeneralOp) -> Sequence[Lowered]:
    """Loops: batch, left free and right free dimensions in the order of the result, then the
    contracted ones.
    """
    numbers = op.dot_dimension_numbers
    lhs_batch, lhs_contract = (
        numbers.lhs_batching_dimensions,
        numbers.lhs_contracting_dimensions,
    )
    rhs_batch, rhs_contract = (
        numbers.rhs_batching_dimensions,
        numbers.rhs_contracting_dimensions,
    )
    return _dot(ctx, op, (lhs_batch, rhs_batch), (lhs_contract, rhs_contract))


def lower_dot(ctx: Lowering, op: stablehlo.DotOp) -> Sequence[Lowered]:
    """The last dimension of the left operand with the first of the right."""
    lhs_rank = len(shape_of(op.operands[0]))
    return _dot(ctx, op, ((), ()), ((lhs_rank - 1,), (0,)))


def _dot(
    ctx: Lowering,
    op: Operation,
    batch: tuple[Sequence[int], Sequence[int]],
    contracting: tuple[Sequence[int], Sequence[int]],
) -> Sequence[Lowered]:
    type = result_type(op)
    rank, reduction_loops = len(type.shape.data), len(contracting[0])
    loops = rank + reduction_loops
    operands: list[tuple[SSAValue, AffineMapAttr]] = []
    free_loop = len(batch[0])
    for side in (0, 1):
        loop_of = {dim: i for i, dim in enumerate(batch[side])}
        loop_of |= {dim: rank + i for i, dim in enumerate(contracting[side])}
        operand = ctx.tensor(op.operands[side])
        for dim in range(len(shape_of(operand))):
            if dim not in loop_of:
                loop_of[dim] = free_loop
                free_loop += 1
        dims = tuple(loop_of[dim] for dim in range(len(loop_of)))
        operands.append((operand, projection(loops, dims)))
    return (contract(ctx, op, operands, type, reduction_loops),)


def lower_convolution(ctx: Lowering, op: stablehlo.ConvolutionOp) -> Sequence[Lowered]:
    """A contraction over kernel positions and input features on the padded input.

    Loops: the dimensions of the output in their order, then the kernel dimensions whose size is not
    1, then input features. With groups, the grouped dimension of each of the three tensors is split
    in two by a view, and the group is a parallel loop that all three share.
    """
    return (_Convolution(ctx, op).lower(),)


class _Convolution:
    """One convolution, with the attributes decoded."""

    def __init__(self, ctx: Lowering, op: stablehlo.ConvolutionOp):
        self.ctx, self.op, self.numbers = ctx, op, op.dimension_numbers
        self.spatial = len(self.numbers.input_spatial_dimensions)
        self.strides = values_or(op.window_strides, 1, self.spatial)
        self.kernel_dilation = values_or(op.rhs_dilation, 1, self.spatial)
        self.reversed = values_or(op.window_reversal, 0, self.spatial)
        self.feature_groups: int = op.feature_group_count.value.data
        self.batch_groups: int = op.batch_group_count.value.data
        self.groups = self.feature_groups * self.batch_groups

    def lower(self) -> SSAValue:
        ctx, op, numbers = self.ctx, self.op, self.numbers
        type = result_type(op)
        feature_out = numbers.output_feature_dimension
        shape = list(type.get_shape())
        grouped = self.groups > 1
        if grouped:
            shape[feature_out : feature_out + 1] = [self.groups, shape[feature_out] // self.groups]
        loop_of = self._output_loops(grouped)
        grouped_type: AnyTensor = TensorType(type.element_type, shape)
        input, kernel = self._input(), ctx.tensor(op.operands[1])
        window = [shape_of(kernel)[dim] for dim in numbers.kernel_spatial_dimensions]
        loop_of |= self._reduction_loops(window, len(shape))
        loops = loop_of["input"] + 1
        input_map = self._input_expressions(loop_of, window)
        kernel_map = self._kernel_expressions(loop_of)
        if grouped:
            kernel = self._split(kernel, numbers.kernel_output_feature_dimension)
            if self.feature_groups > 1:
                input = self._split(input, numbers.input_feature_dimension)
            else:
                input = self._split(input, numbers.input_batch_dimension)
        operands = [
            (input, affine_map(loops, input_map)),
            (kernel, affine_map(loops, kernel_map)),
        ]
        result = contract(ctx, op, operands, grouped_type, loops - len(shape))
        return ctx.reshape(result, type)

    def _output_loops(self, grouped: bool) -> dict[Any, int]:
        """Loop of each dimension of the output; spatial dimensions go by number."""
        numbers = self.numbers
        names: list[Any] = [None] * (self.spatial + 2)
        names[numbers.output_batch_dimension] = "batch"
        names[numbers.output_feature_dimension] = "feature"
        for i, dim in enumerate(numbers.output_spatial_dimensions):
            names[dim] = i
        if grouped:
            names.insert(numbers.output_feature_dimension, "group")
        return {name: loop for loop, name in enumerate(names)}

    def _reduction_loops(self, window: Sequence[int], first: int) -> dict[Any, int]:
        """Loop of each kernel position that varies and of the input features."""
        varying = [("window", i) for i, size in enumerate(window) if size != 1]
        return {name: first + loop for loop, name in enumerate([*varying, "input"])}

    def _input(self) -> SSAValue:
        """The input padded and dilated with zeros."""
        op, numbers, spatial = self.op, self.numbers, self.spatial
        edges = [0] * (2 * spatial) if op.padding is None else list(ints(op.padding))
        dilation = values_or(op.lhs_dilation, 1, spatial)
        input = self.ctx.tensor(op.operands[0])
        padding = [(0, 0, 0)] * (spatial + 2)
        for i, dim in enumerate(numbers.input_spatial_dimensions):
            padding[dim] = (edges[2 * i], edges[2 * i + 1], dilation[i] - 1)
        return pad(self.ctx, input, zero(element_of(input)), padding)

    def _input_expressions(self, loop_of: Mapping[Any, int], window: Sequence[int]) -> list[AffineExpr]:
        numbers = self.numbers
        expressions: list[Any] = [None] * (self.spatial + 2)
        expressions[numbers.input_batch_dimension] = dimension(loop_of["batch"])
        expressions[numbers.input_feature_dimension] = dimension(loop_of["input"])
        for i, dim in enumerate(numbers.input_spatial_dimensions):
            expressions[dim] = scaled(loop_of[i], self.strides[i])
            position, step = loop_of.get(("window", i)), self.kernel_dilation[i]
            if position is not None and self.reversed[i]:
                expressions[dim] += scaled(position, -step, (window[i] - 1) * step)
            elif position is not None:
                expressions[dim] += scaled(position, step)
        if self.groups > 1:
            split = numbers.input_feature_dimension if self.feature_groups > 1 else numbers.input_batch_dimension
            expressions.insert(split, dimension(loop_of["group"]))
        return expressions

    def _kernel_expressions(self, loop_of: Mapping[Any, int]) -> list[AffineExpr]:
        numbers = self.numbers
        expressions: list[Any] = [None] * (self.spatial + 2)
        expressions[numbers.kernel_output_feature_dimension] = dimension(loop_of["feature"])
        expressions[numbers.kernel_input_feature_dimension] = dimension(loop_of["input"])
        for i, dim in enumerate(numbers.kernel_spatial_dimensions):
            position = loop_of.get(("window", i))
            expressions[dim] = constant_expression(0) if position is None else dimension(position)
        if self.groups > 1:
            split = numbers.kernel_output_feature_dimension
            expressions.insert(split, dimension(loop_of["group"]))
        return expressions

    def _split(self, value: SSAValue, dim: int) -> SSAValue:
        """A view of `value` with `dim` as group and position in the group."""
        shape = shape_of(value)
        rank = len(shape)
        groups = [[i] for i in range(dim)] + [[dim, dim + 1]]
        groups += [[i + 1] for i in range(dim + 1, rank)]
        split = (self.groups, shape[dim] // self.groups)
        return self.ctx.expand(value, groups, (*shape[:dim], *split, *shape[dim + 1 :]))


CONTRACTION: dict[type[Operation], Any] = {
    stablehlo.ConvolutionOp: lower_convolution,
    stablehlo.DotGeneralOp: lower_dot_general,
    stablehlo.DotOp: lower_dot,
}
"""Op type to lowering for the contractions."""
