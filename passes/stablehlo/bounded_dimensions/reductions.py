"""Ops with a computation along dimensions: what lies in the padding must not take part (`neutral_elements.py`).

The init value always counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Attribute, Operation, Region

from ....dialects import stablehlo
from ....dialects.quant import UniformQuantizedType
from ....dialects.shared_attributes import i64_attribute
from ....dialects.stablehlo.attributes import ComparisonDirection
from ....dialects.stablehlo.regions import single_op
from ....dialects.stablehlo.windows import Window
from ....ir.tensor_builder import Tensor
from ..neutral_elements import neutral_of, reduce_counted
from .movement import spread
from .values import BOOLEAN, Bounded, Rule, Site


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


def _inputs_and_inits(site: Site) -> tuple[list[Bounded], list[Tensor]]:
    operands = site.operands()
    count = len(operands) // 2
    inputs = site.aligned(operands[:count], [range(x.rank) for x in operands[:count]])
    return inputs, [x.tensor for x in operands[count:]]


def _reduce(site: Site, op: stablehlo.ReduceOp) -> Sequence[Bounded]:
    inputs, inits = _inputs_and_inits(site)
    reduced = op.dimensions.get_values()
    counts = site.in_bounds(inputs[0], reduced)
    if counts is None:
        return site.emit([*inputs, *map(Bounded, inits)])
    types = _body_types(op.body)
    combiner = single_op(op.body) if len(inputs) == 1 else None
    neutral = None if combiner is None else neutral_of(type(combiner), types[0].element_type)
    if neutral is not None:
        tensor, init = (_promoted(x, types[0]) for x in (inputs[0].tensor, *inits))
        masked = counts.select(tensor, tensor.number(neutral))
        return site.emit([Bounded(masked, inputs[0].sizes), Bounded(init)])
    extents = op.infer_shape(inputs[0].extents, reduced)
    true = site.builder.splat(i1, (), 1)
    counted = [*(x.tensor for x in inputs), counts]
    *results, _ = reduce_counted(site.builder, op.body, counted, [*inits, true], reduced)
    return [Bounded.of(result, extents) for result in results]


def _reduce_window(site: Site, op: stablehlo.ReduceWindowOp) -> Sequence[Bounded]:
    """What is behind the last element is padding of the op, which holds the init value."""
    inputs, inits = _inputs_and_inits(site)
    types, window, sizes = _body_types(op.body), op.window, inputs[0].sizes
    inits = [_promoted(init, type) for init, type in zip(inits, types, strict=True)]
    covered = [dim for dim in sizes if window.sizes[dim] != 1 or window.padding[dim] != (0, 0)]
    masked = [
        site.masked(
            Bounded(_promoted(x.tensor, type), sizes),
            covered,
            lambda type, init=init: init.broadcast(type.get_shape(), ()),
        )
        for x, init, type in zip(inputs, inits, types, strict=True)
    ]
    results = site.emit([*masked, *map(Bounded, inits)])
    counts = {dim: window_count(site, size, window, dim) for dim, size in sizes.items()}
    return [Bounded(result.tensor, counts) for result in results]


def window_count(site: Site, size: Tensor, window: Window, dim: int) -> Tensor:
    """In how many places a window fits into `size` elements along a dimension, and padding."""
    if window.sizes[dim] == 0:
        raise site.unsupported("a window without elements over a dimension of bounded size")
    stride, extent = window.strides[dim], (window.sizes[dim] - 1) * window.window_dilations[dim] + 1
    room = spread(site, size, window.base_dilations[dim]) + (sum(window.padding[dim]) - extent)
    return site.number(0).maximum((room + stride) / stride if stride > 1 else room + 1)


def _sort(site: Site, op: stablehlo.SortOp) -> Sequence[Bounded]:
    """Elements that do not count come after all that do."""
    operands = site.operands()
    operands = site.aligned(operands, [range(x.rank) for x in operands])
    dim = op.dimension.value.data % operands[0].rank
    counts = site.in_bounds(operands[0], (dim,))
    properties = {**op.properties, "dimension": i64_attribute(dim)}
    if counts is None:
        return site.emit(operands, properties)

    def before(values: list[Tensor]) -> Sequence[Tensor]:
        """An element that counts is before one that does not."""
        *arguments, left_counts, right_counts = values
        (less,) = site.builder.inline(op.comparator, arguments)
        return [left_counts & (less | right_counts.apply(stablehlo.NotOp))]

    body = site.builder.region((*(argument.type for argument in op.comparator.block.args), BOOLEAN, BOOLEAN), before)
    tensors = [*(x.tensor for x in operands), counts]
    types = [tensor.type for tensor in tensors]
    results = site.builder.emit(stablehlo.SortOp, tensors, types, properties, (body,))
    return [Bounded(result, x.sizes) for result, x in zip(results, operands, strict=False)]


# select_and_scatter

_WORST: dict[ComparisonDirection, type[Operation]] = {
    ComparisonDirection.GE: stablehlo.MaxOp,
    ComparisonDirection.GT: stablehlo.MaxOp,
    ComparisonDirection.LE: stablehlo.MinOp,
    ComparisonDirection.LT: stablehlo.MinOp,
}
"""The op whose neutral element a comparison of old and new prefers nothing to."""


def _select_and_scatter(site: Site, op: stablehlo.SelectAndScatterOp) -> Sequence[Bounded]:
    """Padding of the operand is never selected as it compares as the worst; that of the source adds nothing."""
    operand, source, init = site.operands()
    window = op.window
    moving = [
        dim
        for dim in {**operand.sizes, **source.sizes}
        if (window.sizes[dim], window.strides[dim], *window.padding[dim]) != (1, 1, 0, 0)
    ]
    if moving:
        worst = _worst(op.select, operand.tensor.element_type)
        combiner = single_op(op.scatter)
        neutral = None if combiner is None else neutral_of(type(combiner), source.tensor.element_type)
        if worst is None or neutral is None:
            raise site.unsupported(
                "windows over a dimension of bounded size need a select that compares its two arguments and a scatter"
                " of one op with a neutral element"
            )
        operand, source = site.masked(operand, moving, worst), site.masked(source, moving, neutral)
    return site.emit((operand, source, init))


def _worst(select: Region, element_type: Attribute) -> bytes | None:
    """The value that a comparison of old and new prefers nothing to."""
    comparison = single_op(select)
    if not isinstance(comparison, stablehlo.CompareOp) or tuple(comparison.operands) != tuple(select.block.args):
        return None
    direction = comparison.comparison_direction.data
    return neutral_of(_WORST[direction], element_type) if direction in _WORST else None


REDUCTIONS: dict[type[Operation], Rule] = {
    stablehlo.ReduceOp: _reduce,
    stablehlo.ReduceWindowOp: _reduce_window,
    stablehlo.SelectAndScatterOp: _select_and_scatter,
    stablehlo.SortOp: _sort,
}
"""Op type to rule."""
