"""Ops with a computation along dimensions: what lies in the padding must not take part.

A combiner that has a neutral element sees that in the padding. Any other computation gets one more operand, which says
whether an element counts: `f'((a, p), (b, q))` is `f(a, b)` where both count and the one that does otherwise, so that
the padding is neutral whatever `f` is. The init value always counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....dialects import stablehlo
from ....dialects.dense import Number, integer_type, is_unsigned
from ....dialects.editing import append, clone, new_op
from ....dialects.quant import UniformQuantizedType
from ....dialects.shared_attributes import i64_attribute
from ....dialects.stablehlo.attributes import ComparisonDirection
from ....dialects.stablehlo.shapes import is_complex
from ....ir.tensor_builder import Tensor
from .movement import spread
from .values import BOOLEAN, Bounded, Rule, Site


def single_op(region: Region) -> Operation | None:
    """The op of a computation `(a, b) -> op(a, b)` on two arguments in any order."""
    block = region.block
    first = block.first_op
    if first is None or len(block.args) != 2 or len(first.operands) != 2:
        return None
    last = first.next_op
    if not isinstance(last, stablehlo.ReturnOp) or tuple(last.operands) != tuple(first.results):
        return None
    return first if set(first.operands) == set(block.args) else None


def neutral_element(combiner: Operation | None, element_type: Attribute) -> Number | None:
    """What changes nothing when combined with any element; None if there is none that is known."""
    if combiner is None:
        return None
    if (integer := integer_type(element_type)) is not None:
        return _neutral_integer(combiner, integer)
    if is_complex(element_type):
        return complex(-0.0, -0.0) if isinstance(combiner, stablehlo.AddOp) else None
    if isinstance(element_type, Float16Type | BFloat16Type | Float32Type | Float64Type):
        floats: dict[type[Operation], float] = {
            stablehlo.AddOp: -0.0,
            stablehlo.MulOp: 1.0,
            stablehlo.MaxOp: float("-inf"),
            stablehlo.MinOp: float("inf"),
        }
        return floats.get(type(combiner))
    return None


def _neutral_integer(combiner: Operation, integer: IntegerType) -> int | None:
    width = integer.width.data
    ones = (1 << width) - 1
    unsigned = is_unsigned(integer) or width == 1
    integers: dict[type[Operation], int] = {
        stablehlo.AddOp: 0,
        stablehlo.MulOp: 1,
        stablehlo.MaxOp: 0 if unsigned else -(1 << (width - 1)),
        stablehlo.MinOp: ones if unsigned else ones >> 1,
        stablehlo.AndOp: ones if unsigned else -1,
        stablehlo.OrOp: 0,
        stablehlo.XorOp: 0,
    }
    return integers.get(type(combiner))


def _body_types(region: Region) -> list[TensorType[Attribute]]:
    """The types of the accumulators of a computation."""
    arguments = region.block.args
    return [cast(TensorType[Attribute], argument.type) for argument in arguments[: len(arguments) // 2]]


def _promoted(tensor: Tensor, type: TensorType[Attribute]) -> Tensor:
    """In the element type a computation works in, which may be wider; quantised elements stay what they are."""
    element = type.element_type
    if isinstance(element, UniformQuantizedType) or isinstance(tensor.element_type, UniformQuantizedType):
        return tensor
    return tensor.convert(element)


def _reduce(site: Site, op: stablehlo.ReduceOp) -> Sequence[Bounded]:
    operands = site.operands()
    count = len(operands) // 2
    inputs, inits = operands[:count], [x.tensor for x in operands[count:]]
    reduced = op.dimensions.get_values()
    sizes = site.common_sizes(inputs)
    shape = site.common_shape(inputs)
    inputs = [Bounded(site.fitted(x.tensor, shape), sizes) for x in inputs]
    kept = [dim for dim in range(len(shape)) if dim not in reduced]
    result_sizes = {place: sizes[dim] for place, dim in enumerate(kept) if dim in sizes}
    body = op.detach_region(op.body)
    results = _reduced(site, op, inputs, inits, body)
    return [Bounded(result, result_sizes) for result in results]


def _reduced(
    site: Site, op: stablehlo.ReduceOp, inputs: list[Bounded], inits: list[Tensor], body: Region
) -> Sequence[Tensor]:
    reduced = op.dimensions.get_values()
    counts = site.in_bounds(inputs[0], reduced)
    tensors = [x.tensor for x in inputs]
    if counts is None:
        return site.emit([*tensors, *inits], regions=(body,))
    types = _body_types(body)
    neutral = neutral_element(single_op(body), types[0].element_type) if len(inputs) == 1 else None
    if neutral is not None:
        tensor, init = (_promoted(x, types[0]) for x in (*tensors, *inits))
        masked = counts.select(tensor, site.fill(tensor.type, neutral))
        return site.emit([masked, init], regions=(body,))
    shape = op.infer_shape(inputs[0].shape, reduced)
    result_types = [*(TensorType(type.element_type, shape) for type in types), TensorType(i1, shape)]
    true = site.builder.splat(i1, (), 1)
    return site.builder.emit(
        stablehlo.ReduceOp,
        [*tensors, counts, *inits, true],
        result_types,
        op.properties,
        (guarded(body, types),),
    )[:-1]


def guarded(body: Region, types: Sequence[TensorType[Attribute]]) -> Region:
    """`body` on pairs of elements and whether they count."""
    count = len(types)
    block = Block(arg_types=(*types, BOOLEAN, *types, BOOLEAN))
    left, left_counts = block.args[:count], block.args[count]
    right, right_counts = block.args[count + 1 : -1], block.args[-1]
    combined = _inlined(body, block, (*left, *right))

    def emit(op_type: type[Operation], operands: Sequence[SSAValue], type: Attribute) -> SSAValue:
        op = new_op(op_type, operands=operands, result_types=(type,))
        append(block, op)
        return op.results[0]

    both = emit(stablehlo.AndOp, (left_counts, right_counts), BOOLEAN)
    results: list[SSAValue] = []
    for a, b, value, type in zip(left, right, combined, types, strict=True):
        one = emit(stablehlo.SelectOp, (right_counts, b, a), type)
        results.append(emit(stablehlo.SelectOp, (both, value, one), type))
    either = emit(stablehlo.OrOp, (left_counts, right_counts), BOOLEAN)
    append(block, new_op(stablehlo.ReturnOp, operands=(*results, either)))
    return Region(block)


def _inlined(body: Region, block: Block, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """Copy the ops of a computation into `block`; what it returns."""
    values: dict[SSAValue, SSAValue] = dict(zip(body.block.args, arguments, strict=True))
    for op in body.block.ops:
        if isinstance(op, stablehlo.ReturnOp):
            return [values.get(operand, operand) for operand in op.operands]
        append(block, clone(op, values))
    raise AssertionError("a computation ends with a return")


def _reduce_window(site: Site, op: stablehlo.ReduceWindowOp) -> Sequence[Bounded]:
    """What is behind the last element is padding of the op, which holds the init value."""
    operands = site.operands()
    count = len(operands) // 2
    inputs, inits = operands[:count], [x.tensor for x in operands[count:]]
    sizes, shape = site.common_sizes(inputs), site.common_shape(inputs)
    types = _body_types(op.body)
    inits = [_promoted(init, type) for init, type in zip(inits, types, strict=True)]
    tensors: list[Tensor] = []
    for x, init, type in zip(inputs, inits, types, strict=True):
        fitted = Bounded(_promoted(site.fitted(x.tensor, shape), type), sizes)
        counts = site.in_bounds(fitted, _covered(op.window, sizes))
        tensors.append(fitted.tensor if counts is None else counts.select(fitted.tensor, init.broadcast(shape, ())))
    results = site.emit([*tensors, *inits], regions=(op.detach_region(op.body),))
    window = op.window
    result_sizes = {
        dim: window_count(
            site,
            size,
            (window.sizes[dim], window.strides[dim], window.base_dilations[dim], window.window_dilations[dim]),
            window.padding[dim],
        )
        for dim, size in sizes.items()
    }
    return [Bounded(result, result_sizes) for result in results]


def _covered(window: Any, dims: Any) -> list[int]:
    """The dimensions along which a window may reach beyond the last element."""
    return [dim for dim in dims if window.sizes[dim] != 1 or window.padding[dim] != (0, 0)]


def window_count(site: Site, size: Tensor, window: tuple[int, int, int, int], padding: tuple[int, int]) -> Tensor:
    """In how many places a window (size, stride, base dilation, dilation) fits into `size` elements and padding."""
    extent, stride, base, dilation = window
    if extent == 0:
        raise site.unsupported("a window without elements over a dimension of bounded size")
    room = spread(site, size, base) + (sum(padding) - ((extent - 1) * dilation + 1))
    return site.maximum(site.number(0), (room + stride) / stride if stride > 1 else room + 1)


def _sort(site: Site, op: stablehlo.SortOp) -> Sequence[Bounded]:
    """Elements that do not count come after all that do."""
    operands = site.operands()
    sizes, shape = site.common_sizes(operands), site.common_shape(operands)
    tensors = [site.fitted(x.tensor, shape) for x in operands]
    dim = op.dimension.value.data % len(shape)
    comparator = op.detach_region(op.comparator)
    counts = site.in_bounds(Bounded(tensors[0], sizes), (dim,))
    properties = {**op.properties, "dimension": i64_attribute(dim)}
    types = [tensor.type for tensor in tensors]
    if counts is None:
        results = site.builder.emit(stablehlo.SortOp, tensors, types, properties, (comparator,))
        return [Bounded(result, sizes) for result in results]
    block = Block(arg_types=(*(argument.type for argument in comparator.block.args), BOOLEAN, BOOLEAN))
    *arguments, left_counts, right_counts = block.args
    (less,) = _inlined(comparator, block, arguments)
    # An element that counts is before one that does not.
    inverted = new_op(stablehlo.NotOp, operands=(right_counts,), result_types=(BOOLEAN,))
    either = new_op(stablehlo.OrOp, operands=(less, inverted.results[0]), result_types=(BOOLEAN,))
    before = new_op(stablehlo.AndOp, operands=(left_counts, either.results[0]), result_types=(BOOLEAN,))
    block.add_ops((inverted, either, before, new_op(stablehlo.ReturnOp, operands=before.results)))
    results = site.builder.emit(
        stablehlo.SortOp, [*tensors, counts], [*types, counts.type], properties, (Region(block),)
    )
    return [Bounded(result, sizes) for result in results[:-1]]


# select_and_scatter

_KEEPS_GREATER = (ComparisonDirection.GE, ComparisonDirection.GT)
_KEEPS_LESS = (ComparisonDirection.LE, ComparisonDirection.LT)


def _select_and_scatter(site: Site, op: stablehlo.SelectAndScatterOp) -> Sequence[Bounded]:
    """Padding of the operand is never selected as it compares as the worst; that of the source adds nothing."""
    operand, source, init = site.operands()
    window = op.window
    moving = [
        dim
        for dim in {**operand.sizes, **source.sizes}
        if (window.sizes[dim], window.strides[dim], *window.padding[dim]) != (1, 1, 0, 0)
    ]
    selected, added = operand.tensor, source.tensor
    if moving:
        worst = _worst(op.select, operand.tensor.element_type)
        neutral = neutral_element(single_op(op.scatter), source.tensor.element_type)
        if worst is None or neutral is None:
            raise site.unsupported(
                "windows over a dimension of bounded size need a select that compares its two arguments and a scatter"
                " of one op with a neutral element"
            )
        selected = site.masked(operand, moving, lambda type: site.fill(type, worst))
        added = site.masked(source, moving, lambda type: site.fill(type, neutral))
    regions = [op.detach_region(region) for region in list(op.regions)]
    result = site.emit((selected, added, init.tensor), regions=regions)[0]
    return [Bounded(result, operand.sizes)]


def _worst(select: Region, element_type: Attribute) -> Number | None:
    """The value that a comparison of old and new prefers nothing to."""
    comparison = single_op(select)
    if not isinstance(comparison, stablehlo.CompareOp) or tuple(comparison.operands) != tuple(select.block.args):
        return None
    direction = comparison.comparison_direction.data
    if direction in _KEEPS_GREATER:
        return neutral_element(new_op(stablehlo.MaxOp), element_type)
    if direction in _KEEPS_LESS:
        return neutral_element(new_op(stablehlo.MinOp), element_type)
    return None


REDUCTIONS: dict[type[Operation], Rule] = {
    stablehlo.ReduceOp: _reduce,
    stablehlo.ReduceWindowOp: _reduce_window,
    stablehlo.SelectAndScatterOp: _select_and_scatter,
    stablehlo.SortOp: _sort,
}
"""Op type to rule."""
