"""Reductions, windows, sorts and maps: operations with a computation on scalars.

Source: XLA's Operation Semantics, sections Map, Reduce, ReduceWindow, Scatter, SelectAndScatter, Sort; TopK.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Region

from ...dialects import chlo, stablehlo
from ...dialects.stablehlo.windows import Window
from .bounded_sizes import dimension_size, first_elements, of_one_size, require_static
from .configuration import Padding, ScatterDimensionNumbers, explicit_padding
from .core import XlaBuilder, XlaComputation, XlaOp, builder_of, operation, require
from .elementwise import add, div, expand_dimensions, gt_total_order, lt_total_order
from .elementwise import max as max_
from .movement import check_dimensions, iota, slice_in_dim
from .movement import tuple as tuple_
from .shapes import PrimitiveType, Shape

Operands = XlaOp | Sequence[XlaOp]


def listed(operands: Operands) -> list[XlaOp]:
    """One operand or several as a list; a tuple is its elements."""
    if isinstance(operands, XlaOp):
        return list(operands.elements) if operands.is_tuple else [operands]
    return list(operands)


def scalar_region(
    builder: XlaBuilder, argument: str, computation: XlaComputation, count: int, results: int | None = None
) -> Region:
    """A computation of `count` scalars as a region."""
    shapes = [leaf for shape in computation.program_shape.parameters for leaf in shape.leaves]
    outputs = computation.program_shape.result.leaves
    require(
        len(shapes) == count and (results is None or len(outputs) == results),
        argument,
        f"expected a computation of {count} scalars{'' if results is None else f' to {results}'}, "
        f"got {computation.program_shape}",
    )
    require(
        all(shape.is_array and shape.rank == 0 for shape in (*shapes, *outputs)),
        argument,
        f"expected a computation of scalars, got {computation.program_shape}",
    )
    return builder.region(computation)


def _scalars(builder: XlaBuilder, argument: str, values: Any, operands: Sequence[XlaOp]) -> list[XlaOp]:
    """One scalar for each operand."""
    given = (
        listed(cast(Operands, values))
        if isinstance(values, XlaOp)
        else list(cast(Sequence[Any], values))
        if isinstance(values, list | tuple)
        else [values]
    )
    require(len(given) == len(operands), argument, f"{len(given)} for {len(operands)} operands")
    scalars = [builder.wrap(value, operand) for value, operand in zip(given, operands, strict=True)]
    for scalar in scalars:
        require(scalar.shape.rank == 0 and scalar.shape.is_array, argument, f"expected scalars, got {scalar.shape}")
    return scalars


def _same_sizes(argument: str, operands: Sequence[XlaOp]) -> list[XlaOp]:
    """Arrays of one shape, of bounded sizes where one of them is."""
    require(len(operands) > 0, argument, "expected at least one array")
    for operand in operands:
        require(
            operand.shape.dimensions == operands[0].shape.dimensions,
            argument,
            f"arrays of different shapes, {operand.shape} and {operands[0].shape}",
        )
    return of_one_size(operands)


@operation("Reduce")
def reduce(
    operands: Operands, init_values: Any, computation: XlaComputation, dimensions_to_reduce: Sequence[int]
) -> XlaOp:
    """`Reduce`: arrays of one shape reduced along dimensions by a computation of running values and elements.

    For several operands the result is a tuple, and the computation has one.
    """
    arrays = listed(operands)
    builder = builder_of(arrays)
    arrays = _same_sizes("operands", arrays)
    check_dimensions("dimensions_to_reduce", dimensions_to_reduce, arrays[0].shape.rank)
    initial = _scalars(builder, "init_values", init_values, arrays)
    region = scalar_region(builder, "computation", computation, 2 * len(arrays), len(arrays))
    return builder.emit(
        stablehlo.ReduceOp([a.value for a in arrays], [i.value for i in initial], sorted(dimensions_to_reduce), region)
    )


@operation("ReduceAll")
def reduce_all(operand: Operands, init_value: Any, computation: XlaComputation) -> XlaOp:
    """`ReduceAll`: a reduction along all dimensions."""
    return reduce(operand, init_value, computation, range(listed(operand)[0].shape.rank))


def window_of(
    argument: str,
    shape: Shape,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None,
    padding: Padding | Sequence[Sequence[int]],
    base_dilations: Sequence[int] | None = None,
    window_dilations: Sequence[int] | None = None,
) -> Window:
    """The window in every dimension, padding written out."""
    rank = shape.rank
    ones = (1,) * rank
    strides, base, dilation = (
        tuple(values) if values else ones for values in (window_strides, base_dilations, window_dilations)
    )
    named = (
        (argument, window_dimensions),
        ("window_strides", strides),
        ("base_dilations", base),
        ("window_dilations", dilation),
    )
    for name, values in named:
        require(
            len(values) == rank and all(value > 0 for value in values),
            name,
            f"expected {rank} positive numbers, got {list(values)}",
        )
    sizes = [(size - 1) * d + 1 if size else 0 for size, d in zip(shape.dimensions, base, strict=True)]
    widths = [(size - 1) * d + 1 for size, d in zip(window_dimensions, dilation, strict=True)]
    pairs = explicit_padding(padding, sizes, widths, strides)
    require(len(pairs) == rank, "padding", f"expected {rank} pairs, got {len(pairs)}")
    return Window(tuple(window_dimensions), strides, base, dilation, tuple(pairs))


@operation("ReduceWindow")
def reduce_window(
    operands: Operands,
    init_values: Any,
    computation: XlaComputation,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None = None,
    padding: Padding | Sequence[Sequence[int]] = Padding.VALID,
    base_dilations: Sequence[int] | None = None,
    window_dilations: Sequence[int] | None = None,
) -> XlaOp:
    """`ReduceWindow`: a reduction of each place of a window that slides over arrays of one shape."""
    arrays = listed(operands)
    builder = builder_of(arrays)
    arrays = _same_sizes("operands", arrays)
    initial = _scalars(builder, "init_values", init_values, arrays)
    window = window_of(
        "window_dimensions",
        arrays[0].shape,
        window_dimensions,
        window_strides,
        padding,
        base_dilations,
        window_dilations,
    )
    region = scalar_region(builder, "computation", computation, 2 * len(arrays), len(arrays))
    return builder.emit(stablehlo.ReduceWindowOp([a.value for a in arrays], [i.value for i in initial], window, region))


@operation("ReduceWindowWithGeneralPadding")
def reduce_window_with_general_padding(
    operands: Operands,
    init_values: Any,
    computation: XlaComputation,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int],
    base_dilations: Sequence[int],
    window_dilations: Sequence[int],
    padding: Sequence[Sequence[int]],
) -> XlaOp:
    """`ReduceWindowWithGeneralPadding`: `reduce_window` with (low, high) padding and dilations."""
    return reduce_window(
        operands,
        init_values,
        computation,
        window_dimensions,
        window_strides,
        padding,
        base_dilations,
        window_dilations,
    )


@operation("SelectAndScatter")
def select_and_scatter(
    operand: XlaOp,
    select: XlaComputation,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None,
    padding: Padding | Sequence[Sequence[int]],
    source: XlaOp,
    init_value: Any,
    scatter: XlaComputation,
) -> XlaOp:
    """`SelectAndScatter`: each element of `source` goes to where `select` finds the element of a window.

    What meets in one place, `init_value` first, `scatter` combines.
    """
    builder = operand.builder
    window = window_of("window_dimensions", operand.shape, window_dimensions, window_strides, padding)
    (initial,) = _scalars(builder, "init_value", init_value, [operand])
    source = _one_per_window(operand, window, source)
    chooser = scalar_region(builder, "select", select, 2, 1)
    combiner = scalar_region(builder, "scatter", scatter, 2, 1)
    return builder.emit(
        stablehlo.SelectAndScatterOp(operand.value, source.value, initial.value, window, chooser, combiner)
    )


def _one_per_window(operand: XlaOp, window: Window, source: XlaOp) -> XlaOp:
    """As many elements of `source` as windows fit into dimensions of bounded size."""
    builder = operand.builder
    for dimension, is_bound in enumerate(operand.shape.dynamic):
        if not is_bound or source.shape.rank != operand.shape.rank or source.shape.dynamic[dimension]:
            continue
        low, high = window.padding[dimension]
        stride = window.strides[dimension]
        added, one = (
            builder.constant_literal(number, PrimitiveType.S32)
            for number in (low + high - window.sizes[dimension] + stride, stride)
        )
        room = max_(add(dimension_size(operand, dimension), added), builder.constant_literal(0, PrimitiveType.S32))
        source = first_elements(source, dimension, div(room, one))
    return source


@operation("SelectAndScatterWithGeneralPadding")
def select_and_scatter_with_general_padding(
    operand: XlaOp,
    select: XlaComputation,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int],
    padding: Sequence[Sequence[int]],
    source: XlaOp,
    init_value: Any,
    scatter: XlaComputation,
) -> XlaOp:
    """`SelectAndScatterWithGeneralPadding`: `select_and_scatter` with (low, high) padding."""
    return select_and_scatter(operand, select, window_dimensions, window_strides, padding, source, init_value, scatter)


@operation("Scatter")
def scatter(
    input: Operands,
    scatter_indices: XlaOp,
    updates: Operands,
    update_computation: XlaComputation,
    dimension_numbers: ScatterDimensionNumbers,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
) -> XlaOp:
    """`Scatter`: updates of slices of arrays, combined with what is there; those outside are dropped."""
    arrays, changes = listed(input), listed(updates)
    builder = builder_of(arrays)
    arrays, changes = _same_sizes("input", arrays), _same_sizes("updates", changes)
    require(len(arrays) == len(changes), "updates", f"{len(changes)} for {len(arrays)} arrays")
    region = scalar_region(builder, "update_computation", update_computation, 2 * len(arrays), len(arrays))
    return builder.emit(
        stablehlo.ScatterOp(
            [a.value for a in arrays],
            scatter_indices.value,
            [c.value for c in changes],
            dimension_numbers.attribute(),
            region,
            indices_are_sorted,
            unique_indices,
        )
    )


@operation("Map", takes_builder=True)
def map(
    builder: XlaBuilder,
    operands: Sequence[XlaOp],
    computation: XlaComputation,
    dimensions: Sequence[int] | None = None,
    static_operands: Sequence[Any] = (),
) -> XlaOp:
    """`Map`: a computation of scalars applied to elements at the same place in arrays of one shape.

    `static_operands` are scalars, further arguments of the computation in every place. `dimensions` are all of them.
    """
    arrays = _same_sizes("operands", operands)
    shape = arrays[0].shape
    every = list(range(shape.rank))
    require(dimensions is None or list(dimensions) == every, "dimensions", f"expected {every}, got {dimensions}")
    for value in static_operands:
        scalar = builder.wrap(value)
        require(scalar.shape.rank == 0, "static_operands", f"expected scalars, got {scalar.shape}")
        arrays.append(of_one_size([expand_dimensions(scalar, (), shape.dimensions), arrays[0]])[0])
    region = scalar_region(builder, "computation", computation, len(arrays), 1)
    result = shape.with_element_type(computation.program_shape.result.element_type)
    return builder.emit(stablehlo.MapOp([array.value for array in arrays], region, result.type))


def _comparator(order: Callable[..., XlaOp], arrays: Sequence[XlaOp]) -> XlaComputation:
    """Compares the first of pairs of scalars by an order of their type."""
    builder = XlaBuilder("comparator")
    scalars = [Shape(array.shape.element_type) for array in arrays for _ in range(2)]
    parameters = [builder.parameter(number, scalar) for number, scalar in enumerate(scalars)]
    return builder.build(order(parameters[0], parameters[1]))


@operation("Sort")
def sort(
    operands: Operands,
    comparator: XlaComputation | Sequence[XlaOp] | XlaOp | None = None,
    dimension: int = -1,
    is_stable: bool = False,
) -> XlaOp:
    """`Sort(operands, comparator, dimension, is_stable)`: arrays of one shape sorted together along a dimension.

    The comparator gets elements in pairs, 2k and 2k+1 from array k, and says whether the first ones come before the
    second ones. Without one (`Sort(operand)`, and `Sort(keys, values, dimension)`, whose values follow the keys) order
    is ascending. Negative dimensions count from the last. One array gives an array, several a tuple.
    """
    arrays = listed(operands)
    if comparator is not None and not isinstance(comparator, XlaComputation):
        arrays += listed(comparator)
        comparator = None
    builder = builder_of(arrays)
    arrays = _same_sizes("operands", arrays)
    rank = arrays[0].shape.rank
    require(-rank <= dimension < rank, "dimension", f"{dimension} of arrays of rank {rank}")
    if comparator is None:
        comparator = _comparator(lt_total_order, arrays)
    region = scalar_region(builder, "comparator", comparator, 2 * len(arrays), 1)
    require(
        comparator.program_shape.result == Shape(PrimitiveType.PRED),
        "comparator",
        f"expected a result pred[], got {comparator.program_shape.result}",
    )
    return builder.emit(stablehlo.SortOp([a.value for a in arrays], region, dimension % rank, is_stable))


@operation("TopK")
def top_k(operand: XlaOp, k: int) -> XlaOp:
    """`TopK`: the k greatest elements along the last dimension, and their indices (S32), as a tuple.

    If the last dimension has a bounded size, there are at most k, and not more than there are elements.
    """
    require(operand.shape.rank > 0, "operand", "expected an array, got a scalar")
    require(0 <= k <= operand.shape.dimensions[-1], "k", f"{k} of {operand.shape}")
    if not operand.shape.dynamic[-1]:
        return operand.builder.emit(chlo.TopKOp(operand.value, k))
    builder, last = operand.builder, operand.shape.rank - 1
    places = iota(builder, Shape(PrimitiveType.S32, operand.shape.dimensions), last)
    arrays = of_one_size([operand, places])
    ordered = sort(arrays, _comparator(gt_total_order, arrays), last, True)
    return tuple_(builder, [slice_in_dim(array, 0, k, 1, last) for array in ordered.elements])


@operation("Scan")
def scan(
    operands: Operands,
    init_values: Any,
    computation: XlaComputation,
    scan_dimension: int,
    is_reverse: bool = False,
) -> XlaOp:
    """`Scan`: a computation of running values and slices along a dimension, as `chlo.scan`.

    The computation takes a slice of each operand, then the running values; its result is a tuple of outputs, one for
    each operand, then of new running values. The result is the stacked outputs, then the last running values.
    """
    arrays = listed(operands)
    builder = builder_of(arrays)
    check_dimensions("scan_dimension", [scan_dimension], arrays[0].shape.rank)
    initial = [builder.wrap(value) for value in listed(init_values)]
    region = builder.region(computation)
    results = computation.program_shape.result.leaves
    count = len(results) - len(initial)
    require(count >= 0, "computation", f"expected at least {len(initial)} results, got {computation.program_shape}")
    for array in (*arrays, *initial):
        require_static("operands", array, range(array.shape.rank), "scanned")
    length = arrays[0].shape.dimensions[scan_dimension]
    outputs: list[Any] = []
    for shape in results[:count]:
        sizes = list(shape.dimensions)
        sizes.insert(scan_dimension, length)
        outputs.append(TensorType(shape.element_type.element_type, sizes))
    return builder.emit(
        chlo.ScanOp(
            [a.value for a in arrays],
            [i.value for i in initial],
            scan_dimension,
            region,
            outputs,
            is_reverse,
        )
    )
