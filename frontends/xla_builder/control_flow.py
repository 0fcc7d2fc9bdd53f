"""Calls, branches, loops, and random numbers.

Source: XLA's Operation Semantics, sections Call, Conditional, CustomCall, While, Rng*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, overload

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, StringAttr, SymbolRefAttr
from xdsl.dialects.func import CallOp
from xdsl.ir import Attribute

from ...dialects import stablehlo
from ...dialects.stablehlo.attributes import RngAlgorithm, RngDistribution
from ...dialects.stablehlo.control_flow import tuple_type
from ...dialects.stablehlo.layouts import layout_attribute
from .arguments import AnyValue, Array, Scalar, Value
from .bounded_sizes import first_elements
from .computation import XlaComputation
from .core import XlaBuilder, XlaOp, builder_of, require
from .elementwise import convert_element_type, lt
from .operators import operation
from .shapes import ArrayShape, PrimitiveType, Shape


def _check_arguments(argument: str, computation: XlaComputation, operands: Sequence[XlaOp]) -> None:
    shapes = [operand.shape for operand in operands]
    wanted = list(computation.program_shape.parameters)
    require(
        shapes == wanted,
        argument,
        f"a computation {computation.program_shape} for operands ({', '.join(map(str, shapes))})",
    )


def _as_parameters(computation: XlaComputation, operands: Sequence[XlaOp]) -> list[XlaOp]:
    """Arrays of static size are the whole of a parameter of bounded size."""
    wanted = computation.program_shape.parameters
    if len(wanted) != len(operands):
        return list(operands)
    return [_as_parameter(shape, operand) for shape, operand in zip(wanted, operands, strict=True)]


def _as_parameter(shape: Shape, operand: XlaOp) -> XlaOp:
    if not shape.is_compatible(operand.shape):
        return operand
    if shape.is_tuple:
        parts = zip(shape.tuple_shapes, operand.elements, strict=True)
        return XlaOp(operand.builder, None, [_as_parameter(*part) for part in parts])
    for dimension, (is_bound, own) in enumerate(zip(shape.dynamic, operand.shape.dynamic, strict=True)):
        if is_bound and not own:
            size = operand.builder.constant_literal(shape.dimensions[dimension], PrimitiveType.S32)
            operand = first_elements(operand, dimension, size)
    return operand


def _either(a: Shape, b: Shape) -> Shape:
    """The shape of a value of one shape or the other: sizes are bounds where they are in either."""
    parts = [_either(*pair) for pair in zip(a.tuple_shapes, b.tuple_shapes, strict=True)]
    dynamic = tuple(x or y for x, y in zip(a.dynamic, b.dynamic, strict=True))
    return Shape(a.element_type, a.dimensions, dynamic, tuple(parts))


def _values(builder: XlaBuilder, computation: XlaComputation, operands: Sequence[Any]) -> list[XlaOp]:
    """The operands of a computation; numbers have the element type of its parameter."""
    values = [
        builder.wrap(operand, _parameter(computation, number), "operands") for number, operand in enumerate(operands)
    ]
    return _as_parameters(computation, values)


def _parameter(computation: XlaComputation, number: int) -> Shape | None:
    """The shape of a parameter, if it is an array, for numbers given for it."""
    shapes = computation.program_shape.parameters
    return shapes[number] if number < len(shapes) and shapes[number].is_array else None


def _result(builder: XlaBuilder, op: Any, shape: Shape) -> XlaOp:
    """The results of an op as a value of `shape`."""
    result = builder.emit(op)
    if not shape.is_tuple:
        return result
    return builder.assemble(shape, iter(result.leaves))


@overload
def call(builder: XlaBuilder, computation: XlaComputation, operands: Sequence[AnyValue] = ()) -> XlaOp: ...
@overload
def call(builder: XlaBuilder, computation: XlaComputation, *args: AnyValue) -> XlaOp: ...
@overload
def call(computation: XlaComputation, *args: AnyValue) -> XlaOp: ...
@operation("Call", takes_builder=True)
def call(builder: XlaBuilder, computation: XlaComputation, operands: Any = (), args: Any = ()) -> XlaOp:
    """`Call(computation, operands)`, `Call(computation, args...)`: the result of a computation for these operands."""
    values = _values(builder, computation, [*operands, *args])
    _check_arguments("computation", computation, values)
    leaves = [leaf for value in values for leaf in value.leaves]
    shape = computation.program_shape.result
    return _result(
        builder, CallOp(builder.call_target(computation), leaves, [leaf.type for leaf in shape.leaves]), shape
    )


@operation("CompositeCall", takes_builder=True)
def composite_call(
    builder: XlaBuilder,
    computation: XlaComputation,
    operands: Sequence[AnyValue],
    name: str,
    attributes: Mapping[str, Attribute] | None = None,
    version: int = 0,
) -> XlaOp:
    """`CompositeCall`: a call whose computation says what the operation `name` means, for compilers that lack it."""
    require(0 <= version < 2**31, "version", f"expected 0 or more, got {version}")
    values = _values(builder, computation, operands)
    _check_arguments("computation", computation, values)
    leaves = [leaf for value in values for leaf in value.leaves]
    shape = computation.program_shape.result
    target = builder.call_target(computation)
    types = [leaf.type for leaf in shape.leaves]
    return _result(builder, stablehlo.CompositeOp(name, leaves, target, types, attributes, version), shape)


@overload
def conditional(
    pred: Scalar,
    true_operand: AnyValue,
    true_computation: XlaComputation,
    false_operand: AnyValue,
    false_computation: XlaComputation,
) -> XlaOp: ...
@overload
def conditional(
    branch_index: Scalar, branch_computations: Sequence[XlaComputation], branch_operands: Sequence[AnyValue]
) -> XlaOp: ...
@operation("Conditional", names={"predicate": "pred"})
def conditional(
    pred: Any = None,
    true_operand: Any = None,
    true_computation: Any = None,
    false_operand: Any = None,
    false_computation: Any = None,
    branch_index: Any = None,
    branch_computations: Sequence[XlaComputation] = (),
    branch_operands: Sequence[Any] = (),
) -> XlaOp:
    """`Conditional(pred, true_operand, true_computation, false_operand, false_computation)`, or
    `Conditional(branch_index, branch_computations, branch_operands)`: the result of one of several computations.

    A predicate is PRED, an index S32; one outside of the branches takes the last. Each computation has one parameter,
    its operand, and all give the same shape. Only the one that is taken runs.
    """
    if pred is not None:
        _require_scalar("pred", pred, PrimitiveType.PRED)
        computations, operands = [true_computation, false_computation], [true_operand, false_operand]
        names = [("true_computation", "true_operand"), ("false_computation", "false_operand")]
    else:
        _require_scalar("branch_index", branch_index, PrimitiveType.S32)
        computations, operands = branch_computations, branch_operands
        count = len(computations)
        require(count > 0, "branch_computations", "expected at least one")
        require(count == len(operands), "branch_operands", f"{len(operands)} for {count} computations")
        names = [("branch_computations", "branch_operands")] * count
    selector = branch_index if pred is None else pred
    builder = selector.builder
    shape = computations[0].program_shape.result
    regions: list[Any] = []
    for (name, operand_name), computation, operand in zip(names, computations, operands, strict=True):
        value = builder.wrap(operand, _parameter(computation, 0), operand_name)
        (value,) = _as_parameters(computation, [value])
        _check_arguments(name, computation, [value])
        result = computation.program_shape.result
        require(result.is_compatible(shape), name, f"a result {result}, that of the first one is {shape}")
        shape = _either(shape, result)
        regions.append(builder.region(computation, value.leaves))
    types = [leaf.type for leaf in shape.leaves]
    if pred is not None:
        return _result(builder, stablehlo.IfOp(pred.value, regions[0], regions[1], types), shape)
    return _result(builder, stablehlo.CaseOp(branch_index.value, regions, types), shape)


def _require_scalar(argument: str, op: XlaOp, element_type: PrimitiveType) -> None:
    wanted = Shape(element_type)
    require(op.shape == wanted, argument, f"expected {wanted}, got {op.shape}")


@operation("While")
def while_(condition: XlaComputation, body: XlaComputation, init: XlaOp) -> XlaOp:
    """`While`: `body` applied to a value, `init` at first, as long as `condition` of it holds.

    `init` is an array or a tuple; `body` gives a value of its shape, `condition` PRED.
    """
    builder = init.builder
    (init,) = _as_parameters(body, [init])
    _check_arguments("condition", condition, [init])
    _check_arguments("body", body, [init])
    result = condition.program_shape.result
    require(result == Shape(PrimitiveType.PRED), "condition", f"expected a result pred[], got {result}")
    require(body.program_shape.result == init.shape, "body", f"{body.program_shape} is not {init.shape} to itself")
    op = stablehlo.WhileOp(init.leaves, builder.region(condition), builder.region(body))
    return _result(builder, op, init.shape)


@operation("CustomCall", takes_builder=True, names={"args": "operands", "call_target_name": "target_name"})
def custom_call(
    builder: XlaBuilder,
    target_name: str,
    operands: Sequence[AnyValue],
    shape: Shape,
    opaque: str = "",
    has_side_effect: bool = False,
    api_version: int = 1,
    operand_layouts: Sequence[Sequence[int]] | None = None,
    result_layouts: Sequence[Sequence[int]] | None = None,
    called_computations: Sequence[XlaComputation] = (),
) -> XlaOp:
    """`CustomCall`: the result, of this shape, of a function registered by name (`xdsl_xla.custom_call`).

    A tuple shape is what a function with several results gives, or with a table of one. Layouts list dimensions, minor
    ones first, for each array among operands and results.
    """
    values = [leaf for operand in operands for leaf in builder.wrap(operand, argument="operands").leaves]
    types = [leaf.type for leaf in shape.leaves]
    is_one_in_a_tuple = shape.is_tuple and len(types) == 1
    require(0 <= api_version <= 4, "api_version", f"expected 0 to 4, got {api_version}")
    op = stablehlo.CustomCallOp(
        target_name,
        values,
        [tuple_type(types)] if is_one_in_a_tuple else types,
        has_side_effect,
        StringAttr(opaque),
        api_version,
    )
    for name, layouts in (("operand_layouts", operand_layouts), ("result_layouts", result_layouts)):
        if layouts is not None:
            op.properties[name] = ArrayAttr(map(layout_attribute, layouts))
    if called_computations:
        names = (SymbolRefAttr(builder.call_target(computation)) for computation in called_computations)
        op.properties["called_computations"] = ArrayAttr(names)
    if is_one_in_a_tuple:
        return _result(builder, stablehlo.GetTupleElementOp(builder.emit(op).value, 0), shape)
    return _result(builder, op, shape)


# Random numbers


def _rng(distribution: RngDistribution, names: tuple[str, str], a: Any, b: Any, shape: Shape) -> XlaOp:
    builder = builder_of(a, b, argument=names[0])
    scalars: list[XlaOp] = []
    for name, value in zip(names, (a, b), strict=True):
        scalar = builder.wrap(value, Shape(shape.element_type), name)
        require(
            scalar.shape == Shape(shape.element_type), name, f"expected {Shape(shape.element_type)}, got {scalar.shape}"
        )
        scalars.append(scalar)
    require(shape.is_static, "shape", f"expected static sizes, got {shape}")
    sizes = builder.constant_literal(np.array(shape.dimensions, np.int64))
    op = stablehlo.RngOp(scalars[0].value, scalars[1].value, sizes.value, distribution, shape.type)
    return builder.emit(op)


@operation("RngUniform")
def rng_uniform(a: Value, b: Value, shape: ArrayShape) -> XlaOp:
    """`RngUniform`: numbers of [a, b), all equally likely: floats, integers or PRED."""
    return _rng(RngDistribution.UNIFORM, ("a", "b"), a, b, shape)


@operation("RngNormal", names={"mean": "mu"})
def rng_normal(mu: Value, sigma: Value, shape: ArrayShape) -> XlaOp:
    """`RngNormal`: floats of the normal distribution with mean `mu` and standard deviation `sigma`."""
    require(shape.element_type.is_floating_point, "shape", f"expected floats, got {shape}")
    return _rng(RngDistribution.NORMAL, ("mu", "sigma"), mu, sigma, shape)


@operation("RngBernoulli")
def rng_bernoulli(mean: Scalar, shape: ArrayShape) -> XlaOp:
    """`RngBernoulli`: U32 numbers that are 1 with probability `mean` (a scalar float), else 0."""
    require(shape.element_type is PrimitiveType.U32, "shape", f"expected elements u32, got {shape}")
    element = mean.shape.element_type
    require(element.is_floating_point, "mean", f"expected a scalar float, got {mean.shape}")
    zero, one = (mean.builder.constant_literal(value, element) for value in (0, 1))
    return convert_element_type(lt(rng_uniform(zero, one, shape.with_element_type(element)), mean), PrimitiveType.U32)


@operation("RngBitGenerator", names={"key": "initial_state"})
def rng_bit_generator(algorithm: RngAlgorithm, initial_state: Array, shape: ArrayShape) -> XlaOp:
    """`RngBitGenerator`: random bits in elements of `shape`, and the next state: (state, bits).

    The state is u64[2] for THREE_FRY, u64[2] or u64[3] for PHILOX and DEFAULT.
    """
    require(
        initial_state.shape.element_type is PrimitiveType.U64,
        "initial_state",
        f"expected elements u64, got {initial_state.shape}",
    )
    require(shape.is_static, "shape", f"expected static sizes, got {shape}")
    return initial_state.builder.emit(stablehlo.RngBitGeneratorOp(initial_state.value, algorithm, shape.type))
