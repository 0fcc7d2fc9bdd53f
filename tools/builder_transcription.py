"""A StableHLO program said again with `XlaBuilder`: the same ops by the builder's functions, regions as computations.

What branches and loops take from outside goes in as operands and carried values. An op that the table lacks, or whose
region takes values from outside where computations can't, is appended as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp, TupleType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ..dialects import stablehlo as hlo
from ..dialects.quant import UniformQuantizedType
from ..dialects.stablehlo.attributes import ComparisonType
from ..dialects.stablehlo.bounds import greatest_shape
from ..dialects.stablehlo.element_types import ElementKind, element_kind
from ..dialects.stablehlo.shapes import element_type_of, is_tensor
from ..errors import InternalError
from ..frontends import xla_builder as xb
from ..frontends.xla_builder.elementwise import PLAIN
from ..reference.arrays import dense_array

Values = dict[SSAValue, xb.XlaOp]
Say = Callable[["Transcriber", Any, list[xb.XlaOp]], xb.XlaOp]


class _TakesFromOutside(Exception):
    """A region that uses values from outside of it."""


def transcribed(module: ModuleOp, entry: str) -> ModuleOp:
    """The function `entry`, which calls no other one, as the builder builds it; its name is `main` then.

    Raises InternalError where the builder gives an op another type, and what the builder raises.
    """
    function = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == entry)
    built = _computation(entry, list(function.body.block.args), function.body.block).module
    if function.arg_attrs is not None:
        main = next(op for op in built.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
        main.properties["arg_attrs"] = function.arg_attrs
    return built


def is_transcribable(module: ModuleOp) -> bool:
    """Whether no function calls another one, and XLA has all element types."""
    functions = [op for op in module.walk() if isinstance(op, FuncOp)]
    types = (value.type for op in module.walk() for value in op.results)
    quantized = any(is_tensor(type) and isinstance(type.element_type, UniformQuantizedType) for type in types)
    return len(functions) == 1 and not quantized


def _computation(name: str, parameters: Sequence[SSAValue], block: Block) -> xb.XlaComputation:
    """The computation of a block whose arguments, and nothing else, are `parameters`."""
    builder = xb.XlaBuilder(name)
    values: Values = {
        value: builder.parameter(number, xb.Shape.from_type(value.type)) for number, value in enumerate(parameters)
    }
    return Transcriber(builder, values).finish(block)


def _computation_of_tuple(name: str, parameters: Sequence[SSAValue], block: Block, kept: int = 0) -> xb.XlaComputation:
    """The computation of a block with one parameter, a tuple of values; it gives the last `kept` of them as well."""
    builder = xb.XlaBuilder(name)
    shape = xb.Shape.tuple_of([xb.Shape.from_type(value.type) for value in parameters])
    elements = builder.parameter(0, shape).elements
    values: Values = dict(zip(parameters, elements, strict=True))
    return Transcriber(builder, values).finish(block, elements[len(elements) - kept :])


def _taken_from_outside(regions: Iterable[Region]) -> list[SSAValue]:
    """The values that regions use and do not define."""
    found: dict[SSAValue, None] = {}
    for region in regions:
        inside: set[SSAValue] = {value for op in region.walk() for value in op.results}
        inside.update(a for op in region.walk() for r in op.regions for b in r.blocks for a in b.args)
        inside.update(region.block.args)
        found.update((value, None) for op in region.walk() for value in op.operands if value not in inside)
    return list(found)


class Transcriber:
    """Appends ops to a builder."""

    def __init__(self, builder: xb.XlaBuilder, values: Values) -> None:
        self.builder = builder
        self.values = values

    def finish(self, block: Block, more: Sequence[xb.XlaOp] = ()) -> xb.XlaComputation:
        """The computation of `block`, which gives what its terminator returns and `more`."""
        for op in block.ops:
            if isinstance(op, ReturnOp | hlo.ReturnOp):
                results = [*(self.value(operand) for operand in op.operands), *more]
                single = len(results) == 1 and not more
                return self.builder.build(results[0] if single else xb.tuple(self.builder, results))
            self.append(op)
        raise InternalError("a block without a terminator")

    def value(self, ssa: SSAValue) -> xb.XlaOp:
        if ssa not in self.values:
            raise _TakesFromOutside
        return self.values[ssa]

    def append(self, op: Operation) -> None:
        operands = [self.value(operand) for operand in op.operands]
        try:
            said = SAYINGS[op.name](self, op, operands) if op.name in SAYINGS else self.as_it_is(op)
        except _TakesFromOutside:
            said = self.as_it_is(op)
        is_one = len(op.results) == 1 and (not said.is_tuple or isinstance(op.results[0].type, TupleType))
        leaves = [said] if is_one else list(said.elements)
        for result, leaf in zip(op.results, leaves, strict=True):
            if not leaf.is_tuple and leaf.value.type != result.type:
                raise InternalError(f"the builder gives {op.name} the type {leaf.value.type}, not {result.type}")
            self.values[result] = leaf

    def as_it_is(self, op: Operation) -> xb.XlaOp:
        """A copy of the op."""
        outside = [*op.operands, *_taken_from_outside(op.regions)]
        mapping: dict[SSAValue, SSAValue] = {value: self.value(value).value for value in outside}
        return self.builder.emit(op.clone(mapping))

    def computation(self, region: Region) -> xb.XlaComputation:
        return _computation("computation", list(region.block.args), region.block)


# -- ops -------------------------------------------------------------------------------------------------------------


def _plain(function: Callable[..., xb.XlaOp]) -> Say:
    """A function of the builder that takes the operands alone."""
    return lambda t, op, operands: function(*operands)


def _compare(t: Transcriber, op: hlo.CompareOp, operands: list[xb.XlaOp]) -> xb.XlaOp:
    direction = op.comparison_direction.data.name
    is_real = element_kind(element_type_of(op.lhs)) in ElementKind.FLOAT
    if is_real and op.compare_type is not None and op.compare_type.data is ComparisonType.TOTALORDER:
        return getattr(xb, f"{direction.lower()}_total_order")(*operands)
    return xb.compare(operands[0], operands[1], xb.ComparisonDirection[direction])


def _element(op: Operation) -> xb.PrimitiveType:
    return xb.Shape.from_type(op.results[0].type).element_type


def _sizes(op: Operation) -> tuple[int, ...]:
    return greatest_shape(op.results[0])


def _numbers(attribute: Any) -> list[int]:
    return [int(number) for number in attribute.get_values()]


def _constant(t: Transcriber, op: hlo.ConstantOp, operands: list[xb.XlaOp]) -> xb.XlaOp:
    return t.builder.constant_literal(dense_array(op.value), _element(op))


def _pad(t: Transcriber, op: hlo.PadOp, operands: list[xb.XlaOp]) -> xb.XlaOp:
    parts = (op.edge_padding_low, op.edge_padding_high, op.interior_padding)
    dimensions = [xb.PaddingConfigDimension(*row) for row in zip(*map(_numbers, parts), strict=True)]
    return xb.pad(operands[0], operands[1], xb.PaddingConfig(dimensions))


def _dynamic_update_slice(t: Transcriber, op: Operation, operands: list[xb.XlaOp]) -> xb.XlaOp:
    return xb.dynamic_update_slice(operands[0], operands[1], operands[2:])


def _dot_general(t: Transcriber, op: hlo.DotGeneralOp, operands: list[xb.XlaOp]) -> xb.XlaOp:
    if op.algorithm is not None or op.precision_config is not None:
        return t.as_it_is(op)
    numbers = op.dot_dimension_numbers
    dimensions = xb.DotDimensionNumbers(
        numbers.lhs_contracting_dimensions,
        numbers.rhs_contracting_dimensions,
        numbers.lhs_batching_dimensions,
        numbers.rhs_batching_dimensions,
    )
    lhs, rhs = operands
    return xb.dot_general(lhs, rhs, dimensions, preferred_element_type=_element(op))


def _halves(operands: list[xb.XlaOp]) -> tuple[list[xb.XlaOp], list[xb.XlaOp]]:
    return operands[: len(operands) // 2], operands[len(operands) // 2 :]


def _reduce(t: Transcriber, op: hlo.ReduceOp, operands: list[xb.XlaOp]) -> xb.XlaOp:
    arrays, starts = _halves(operands)
    return xb.reduce(arrays, starts, t.computation(op.body), _numbers(op.dimensions))


def _sort(t: Transcriber, op: hlo.SortOp, operands: list[xb.XlaOp]) -> xb.XlaOp:
    dimension = op.dimension.value.data
    return xb.sort(operands, t.computation(op.comparator), dimension, bool(op.is_stable.value.data))


def _map(t: Transcriber, op: hlo.MapOp, operands: list[xb.XlaOp]) -> xb.XlaOp:
    return xb.map(t.builder, operands, t.computation(op.computation), _numbers(op.dimensions))


def _gather(t: Transcriber, op: hlo.GatherOp, operands: list[xb.XlaOp]) -> xb.XlaOp:
    numbers = op.dimension_numbers
    dimensions = xb.GatherDimensionNumbers(
        numbers.offset_dims,
        numbers.collapsed_slice_dims,
        numbers.start_index_map,
        numbers.index_vector_dim,
        numbers.operand_batching_dims,
        numbers.start_indices_batching_dims,
    )
    return xb.gather(operands[0], operands[1], dimensions, _numbers(op.slice_sizes))


def _scatter(t: Transcriber, op: hlo.ScatterOp, operands: list[xb.XlaOp]) -> xb.XlaOp:
    numbers = op.scatter_dimension_numbers
    count = len(operands) // 2
    dimensions = xb.ScatterDimensionNumbers(
        numbers.update_window_dims,
        numbers.inserted_window_dims,
        numbers.scatter_dims_to_operand_dims,
        numbers.index_vector_dim,
        numbers.input_batching_dims,
        numbers.scatter_indices_batching_dims,
    )
    computation = t.computation(op.update_computation)
    return xb.scatter(operands[:count], operands[count], operands[count + 1 :], computation, dimensions)


def _while(t: Transcriber, op: hlo.WhileOp, operands: list[xb.XlaOp]) -> xb.XlaOp:
    """What the loop takes from outside is carried along."""
    outside = _taken_from_outside(op.regions)
    init = xb.tuple(t.builder, [*operands, *map(t.value, outside)])
    cond, body = op.cond.block, op.body.block
    condition = _computation_of_tuple("condition", [*cond.args, *outside], cond)
    step = _computation_of_tuple("body", [*body.args, *outside], body, len(outside)) if outside else None
    if step is None:
        step = _computation_with_tuple_result(body)
    final = xb.while_(condition, step, init)
    return xb.tuple(t.builder, final.elements[: len(operands)])


def _computation_with_tuple_result(block: Block) -> xb.XlaComputation:
    """The body of a loop that carries one value or more and takes nothing from outside."""
    builder = xb.XlaBuilder("body")
    shape = xb.Shape.tuple_of([xb.Shape.from_type(value.type) for value in block.args])
    elements = builder.parameter(0, shape).elements
    transcriber = Transcriber(builder, dict(zip(block.args, elements, strict=True)))
    *ops, terminator = block.ops
    for op in ops:
        transcriber.append(op)
    return builder.build(xb.tuple(builder, [transcriber.value(value) for value in terminator.operands]))


def _branches(t: Transcriber, op: Operation) -> tuple[list[xb.XlaComputation], list[xb.XlaOp]]:
    """The regions as computations, and their operands: tuples of what they take from outside."""
    computations: list[xb.XlaComputation] = []
    operands: list[xb.XlaOp] = []
    for region in op.regions:
        outside = _taken_from_outside([region])
        operands.append(xb.tuple(t.builder, [t.value(value) for value in outside]))
        computations.append(_computation_of_tuple("branch", outside, region.block))
    return computations, operands


def _if(t: Transcriber, op: hlo.IfOp, operands: list[xb.XlaOp]) -> xb.XlaOp:
    (first, second), (a, b) = _branches(t, op)
    return xb.conditional(operands[0], a, first, b, second)


def _case(t: Transcriber, op: hlo.CaseOp, operands: list[xb.XlaOp]) -> xb.XlaOp:
    return xb.conditional(operands[0], *_branches(t, op))


SAYINGS: dict[str, Say] = {
    **{
        op.name: _plain(function)
        for op, function in (
            *PLAIN.items(),
            *((hlo.ClampOp, xb.clamp), (hlo.ImagOp, xb.imag), (hlo.RealOp, xb.real), (hlo.SelectOp, xb.select)),
        )
    },
    "stablehlo.compare": _compare,
    "stablehlo.constant": _constant,
    "stablehlo.convert": lambda t, op, operands: xb.convert_element_type(operands[0], _element(op)),
    "stablehlo.broadcast_in_dim": lambda t, op, operands: xb.broadcast_in_dim(
        operands[0], _sizes(op), _numbers(op.broadcast_dimensions)
    ),
    "stablehlo.broadcast": lambda t, op, operands: xb.broadcast(operands[0], _numbers(op.broadcast_sizes)),
    "stablehlo.reshape": lambda t, op, operands: xb.reshape(operands[0], _sizes(op)),
    "stablehlo.transpose": lambda t, op, operands: xb.transpose(operands[0], _numbers(op.permutation)),
    "stablehlo.reverse": lambda t, op, operands: xb.rev(operands[0], _numbers(op.dimensions)),
    "stablehlo.slice": lambda t, op, operands: xb.slice(
        operands[0], _numbers(op.start_indices), _numbers(op.limit_indices), _numbers(op.strides)
    ),
    "stablehlo.pad": _pad,
    "stablehlo.concatenate": lambda t, op, operands: xb.concat_in_dim(t.builder, operands, op.dimension.value.data),
    "stablehlo.iota": lambda t, op, operands: xb.iota(
        t.builder, xb.Shape.from_type(op.results[0].type), op.iota_dimension.value.data
    ),
    "stablehlo.dynamic_slice": lambda t, op, operands: xb.dynamic_slice(
        operands[0], operands[1:], _numbers(op.slice_sizes)
    ),
    "stablehlo.dynamic_update_slice": _dynamic_update_slice,
    "stablehlo.dot_general": _dot_general,
    "stablehlo.reduce": _reduce,
    "stablehlo.sort": _sort,
    "stablehlo.map": _map,
    "stablehlo.gather": _gather,
    "stablehlo.scatter": _scatter,
    "stablehlo.while": _while,
    "stablehlo.if": _if,
    "stablehlo.case": _case,
    "stablehlo.cholesky": lambda t, op, operands: xb.cholesky(operands[0], bool(op.lower.value.data)),
    "stablehlo.tuple": lambda t, op, operands: xb.tuple(t.builder, operands),
    "stablehlo.get_tuple_element": lambda t, op, operands: xb.get_tuple_element(operands[0], op.index.value.data),
}  # fmt: skip
"""How an op is said with the builder, by its name."""
