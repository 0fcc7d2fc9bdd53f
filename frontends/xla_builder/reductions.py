"""Reductions, windows, scans and maps: operations with a computation on scalars.

Source: XLA's Operation Semantics, sections Map, Reduce, ReduceWindow, Scatter, SelectAndScatter; Scan.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast, overload

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Region

from ...dialects import chlo, stablehlo
from ...dialects.stablehlo.windows import Window
from .arguments import AnyPadding, Array, Arrays, Integers, Operands, Pairs, Value
from .bounded_sizes import dimension_size, first_elements, of_one_size, require_static
from .computation import XlaComputation
from .configuration import Padding, ScatterDimensionNumbers, explicit_padding
from .core import XlaBuilder, XlaOp, builder_of, require, same_elements
from .elementwise import add, div, expand_dimensions
from .elementwise import max as max_
from .movement import check_dimensions
from .operators import operation
from .shapes import PrimitiveType, Shape

InitValues = Value | Arrays | Sequence[Value]


def listed(operands: Operands) -> list[XlaOp]:
    """One operand or several as a list; a tuple is its elements."""
    if isinstance(operands, XlaOp):
        return list(operands.elements) if operands.is_tuple else [operands]
    return list(operands)


def scalar_region(
    builder: XlaBuilder,
    argument: str,
    computation: XlaComputation,
    elements: Sequence[PrimitiveType],
    results: int | None = None,
) -> Region:
    """A computation of scalars with these element types, floats of any precision for floats, as a region."""
    shapes = [leaf for shape in computation.program_shape.parameters for leaf in shape.leaves]
    outputs = computation.program_shape.result.leaves
    require(
        len(shapes) == len(elements) and (results is None or len(outputs) == results),
        argument,
        f"expected a computation of {len(elements)} scalars{'' if results is None else f' to {results}'}, "
        f"got {computation.program_shape}",
    )
    require(
        all(shape.is_array and shape.rank == 0 for shape in (*shapes, *outputs)),
        argument,
        f"expected a computation of scalars, got {computation.program_shape}",
    )
    wanted = ", ".join(element.value for element in elements)
    require(
        all(_is_like(shape.element_type, element) for shape, element in zip(shapes, elements, strict=True)),
        argument,
        f"expected a computation of scalars {wanted}, got {computation.program_shape}",
    )
    return builder.region(computation)


def _is_like(one: PrimitiveType, other: PrimitiveType) -> bool:
    """Whether elements have one type but for the precision of floats, in which computations may run."""
    return one is other or (one.is_floating_point and other.is_floating_point)


def _twice(arrays: Sequence[XlaOp]) -> list[PrimitiveType]:
    """The element types of running values and elements."""
    return [array.shape.element_type for array in (*arrays, *arrays)]


def _scalars(builder: XlaBuilder, argument: str, values: Any, operands: Sequence[XlaOp]) -> list[XlaOp]:
    """One scalar for each operand, of an element type like its."""
    given = _each_value(values)
    require(len(given) == len(operands), argument, f"{len(given)} for {len(operands)} operands")
    scalars = [builder.wrap(value, operand, argument) for value, operand in zip(given, operands, strict=True)]
    for scalar, operand in zip(scalars, operands, strict=True):
        require(scalar.shape.rank == 0 and scalar.shape.is_array, argument, f"expected scalars, got {scalar.shape}")
        wanted = operand.shape.element_type
        require(_is_like(scalar.shape.element_type, wanted), argument, f"expected {Shape(wanted)}, got {scalar.shape}")
    return scalars


def _each_value(values: Any) -> list[Any]:
    if isinstance(values, XlaOp):
        return listed(values)
    return list(cast(Sequence[Any], values)) if isinstance(values, list | tuple) else [values]


def same_sizes(argument: str, operands: Sequence[XlaOp]) -> list[XlaOp]:
    """Arrays of one shape, of bounded sizes where one of them is."""
    require(len(operands) > 0, argument, "expected at least one array")
    for operand in operands:
        require(
            operand.shape.dimensions == operands[0].shape.dimensions,
            argument,
            f"arrays of different shapes, {operand.shape} and {operands[0].shape}",
        )
    return of_one_size(operands)


@operation("Reduce", names={"operand": "operands", "init_value": "init_values", "dimensions": "dimensions_to_reduce"})
def reduce(
    operands: Operands, init_values: InitValues, computation: XlaComputation, dimensions_to_reduce: Integers
) -> XlaOp:
    """`Reduce`: arrays of one shape reduced along dimensions by a computation of running values and elements.

    For several operands the result is a tuple, and the computation has one.
    """
    arrays = listed(operands)
    arrays = same_sizes("operands", arrays)
    check_dimensions("dimensions_to_reduce", dimensions_to_reduce, arrays[0].shape.rank)
    return _reduced(arrays, "init_values", init_values, computation, dimensions_to_reduce)


def _reduced(
    arrays: Sequence[XlaOp], argument: str, init_values: Any, computation: XlaComputation, dimensions: Sequence[int]
) -> XlaOp:
    builder = builder_of(arrays)
    initial = _scalars(builder, argument, init_values, arrays)
    region = scalar_region(builder, "computation", computation, _twice(arrays), len(arrays))
    return builder.emit(
        stablehlo.ReduceOp([a.value for a in arrays], [i.value for i in initial], sorted(dimensions), region)
    )


@operation("ReduceAll", names={"operands": "operand", "init_values": "init_value"})
def reduce_all(operand: Operands, init_value: InitValues, computation: XlaComputation) -> XlaOp:
    """`ReduceAll`: a reduction along all dimensions."""
    arrays = same_sizes("operand", listed(operand))
    return _reduced(arrays, "init_value", init_value, computation, range(arrays[0].shape.rank))


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


@operation("ReduceWindow", names={"operand": "operands", "init_value": "init_values"})
def reduce_window(
    operands: Operands,
    init_values: InitValues,
    computation: XlaComputation,
    window_dimensions: Integers,
    window_strides: Integers | None = None,
    padding: AnyPadding = Padding.VALID,
    base_dilations: Integers | None = None,
    window_dilations: Integers | None = None,
) -> XlaOp:
    """`ReduceWindow`: a reduction of each place of a window that slides over arrays of one shape."""
    arrays = listed(operands)
    arrays = same_sizes("operands", arrays)
    builder = builder_of(arrays)
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
    region = scalar_region(builder, "computation", computation, _twice(arrays), len(arrays))
    return builder.emit(stablehlo.ReduceWindowOp([a.value for a in arrays], [i.value for i in initial], window, region))


@operation("ReduceWindowWithGeneralPadding", names={"operand": "operands", "init_value": "init_values"})
def reduce_window_with_general_padding(
    operands: Operands,
    init_values: InitValues,
    computation: XlaComputation,
    window_dimensions: Integers,
    window_strides: Integers,
    base_dilations: Integers,
    window_dilations: Integers,
    padding: Pairs,
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
    operand: Array,
    select: XlaComputation,
    window_dimensions: Integers,
    window_strides: Integers | None,
    padding: AnyPadding,
    source: Array,
    init_value: Value,
    scatter: XlaComputation,
) -> XlaOp:
    """`SelectAndScatter`: each element of `source` goes to where `select` finds the element of a window.

    What meets in one place, `init_value` first, `scatter` combines.
    """
    builder = operand.builder
    window = window_of("window_dimensions", operand.shape, window_dimensions, window_strides, padding)
    (initial,) = _scalars(builder, "init_value", init_value, [operand])
    same_elements("source", source, "operand", operand)
    source = _one_per_window(operand, window, source)
    chooser = scalar_region(builder, "select", select, _twice([operand]), 1)
    combiner = scalar_region(builder, "scatter", scatter, _twice([operand]), 1)
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
    operand: Array,
    select: XlaComputation,
    window_dimensions: Integers,
    window_strides: Integers,
    padding: Pairs,
    source: Array,
    init_value: Value,
    scatter: XlaComputation,
) -> XlaOp:
    """`SelectAndScatterWithGeneralPadding`: `select_and_scatter` with (low, high) padding."""
    return select_and_scatter(operand, select, window_dimensions, window_strides, padding, source, init_value, scatter)


@overload
def scatter(
    input: Operands,
    scatter_indices: Array,
    updates: Operands,
    update_computation: XlaComputation,
    dimension_numbers: ScatterDimensionNumbers,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
) -> XlaOp: ...
@overload
def scatter(
    input: Operands,
    scatter_indices: Array,
    updates: Operands,
    update_computation: XlaComputation,
    index_vector_dim: int,
    update_window_dims: Integers,
    inserted_window_dims: Integers,
    scatter_dims_to_operand_dims: Integers,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    input_batching_dims: Integers = (),
    scatter_indices_batching_dims: Integers = (),
) -> XlaOp: ...
@operation("Scatter", names={"operand": "input", "operands": "input"})
def scatter(
    input: Any,
    scatter_indices: XlaOp,
    updates: Any,
    update_computation: XlaComputation,
    dimension_numbers: Any = None,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    **fields: Any,
) -> XlaOp:
    """`Scatter`: updates of slices of arrays, combined with what is there; those outside are dropped.

    The dimension numbers are one structure or its fields.
    """
    dimension_numbers = dimension_numbers or ScatterDimensionNumbers(**fields)
    arrays, changes = listed(input), listed(updates)
    arrays, changes = same_sizes("input", arrays), same_sizes("updates", changes)
    builder = builder_of(arrays)
    require(len(arrays) == len(changes), "updates", f"{len(changes)} for {len(arrays)} arrays")
    for array, change in zip(arrays, changes, strict=True):
        same_elements("updates", change, "input", array)
    region = scalar_region(builder, "update_computation", update_computation, _twice(arrays), len(arrays))
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


@overload
def map(
    builder: XlaBuilder,
    operands: Operands,
    computation: XlaComputation,
    dimensions: Integers | None = None,
    static_operands: Sequence[Value] = (),
) -> XlaOp: ...
@overload
def map(builder: XlaBuilder, *arguments: XlaComputation | Value) -> XlaOp: ...
@operation("Map", takes_builder=True)
def map(
    builder: XlaBuilder,
    operands: Any = (),
    computation: Any = None,
    dimensions: Any = None,
    static_operands: Any = (),
    arguments: Sequence[Any] = (),
) -> XlaOp:
    """`Map`: a computation of scalars applied to elements at the same place in arrays of one shape.

    `static_operands` are scalars, further arguments of the computation in every place. `dimensions` are all of them.
    `Map(op1, op2, computation, par1)` has operands, computation and static operands one after another.
    """
    if arguments:
        place = _place_of_computation(arguments)
        operands, computation, static_operands = arguments[:place], arguments[place], arguments[place + 1 :]
    arrays = same_sizes("operands", listed(operands))
    shape = arrays[0].shape
    every = list(range(shape.rank))
    require(dimensions is None or list(dimensions) == every, "dimensions", f"expected {every}, got {dimensions}")
    for value in static_operands:
        scalar = builder.wrap(value, argument="static_operands")
        require(scalar.shape.rank == 0, "static_operands", f"expected scalars, got {scalar.shape}")
        arrays.append(of_one_size([expand_dimensions(scalar, (), shape.dimensions), arrays[0]])[0])
    elements = [array.shape.element_type for array in arrays]
    region = scalar_region(builder, "computation", computation, elements, 1)
    result = shape.with_element_type(computation.program_shape.result.element_type)
    return builder.emit(stablehlo.MapOp([array.value for array in arrays], region, result.type))


def _place_of_computation(arguments: Sequence[Any]) -> int:
    places = [place for place, value in enumerate(arguments) if isinstance(value, XlaComputation)]
    require(len(places) == 1, "computation", f"expected one XlaComputation among the arguments, got {len(places)}")
    require(
        all(isinstance(value, XlaOp) for value in arguments[: places[0]]), "operands", "expected XlaOps, got numbers"
    )
    return places[0]


@operation("Scan")
def scan(
    operands: Operands,
    init_values: InitValues,
    computation: XlaComputation,
    scan_dimension: int,
    is_reverse: bool = False,
) -> XlaOp:
    """`Scan`: a computation of running values and slices along a dimension, as `chlo.scan`.

    The computation takes a slice of each operand, then the running values; its result is a tuple of outputs, one for
    each operand, then of new running values. The result is the stacked outputs, then the last running values.
    """
    arrays = listed(operands)
    arrays = same_sizes("operands", arrays)
    builder = builder_of(arrays)
    check_dimensions("scan_dimension", [scan_dimension], arrays[0].shape.rank)
    initial = [builder.wrap(value, argument="init_values") for value in _each_value(init_values)]
    for value in initial:
        require(value.shape.is_array, "init_values", f"expected arrays, got {value.shape}")
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
