"""The static forms of custom calls that speak about shapes, as JAX writes them for symbolic shapes.

`STATIC_CALLS` has a function per target, of the same kind as those of `static_forms.py`; `custom_call` is for all other
targets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    StringAttr,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute, SSAValue

from ...dialects import chlo, stablehlo
from ...dialects.shared_attributes import i64_attribute
from ...dialects.stablehlo.dynamic_calls import WINDOW_OPERANDS
from ...dialects.stablehlo.lapack_calls import SHAPE_OPERANDS
from ...dialects.stablehlo.shapes import element_type_of
from ...errors import InvalidProgramError, UnsupportedError
from ...reference.arrays import dense_array
from .static_forms import StaticForm, ints_of, properties_of, unknown_size, with_shape

if TYPE_CHECKING:
    from .refined_function import RefinedFunction

_PLACEHOLDER = re.compile(r"\{(\d++)(?:[,:][^{}]*+)?\}")
"""`{0}` in the message of an assertion: operand 1 of the call."""


def custom_call(op: stablehlo.CustomCallOp, builder: RefinedFunction) -> Sequence[SSAValue]:
    """The call without the operands that `indices_of_shape_operands` says are the shapes of its results."""
    operands, types, attributes = _with_static_results(op, builder)
    return builder.emit(stablehlo.CustomCallOp, operands, types, op.properties, attributes)


def _with_static_results(
    op: stablehlo.CustomCallOp, builder: RefinedFunction
) -> tuple[Sequence[SSAValue], list[Attribute], dict[str, Attribute]]:
    """The operands that are no shapes, the types that these say the results have, and the other attributes."""
    attributes = dict(op.attributes)
    indices = attributes.pop(SHAPE_OPERANDS, None)
    operands, types = op.operands, list(op.result_types)
    if indices is not None:
        places = _places(op, indices)
        for number, place in enumerate(places):
            shape = builder.constant(operands[place])
            if shape is None:
                raise unknown_size(op, 0, f"operand {place}, the shape of result {number},")
            types[number] = with_shape(op, types[number], [int(v) for v in shape])
        operands = [operand for number, operand in enumerate(operands) if number not in places]
    return operands, types, attributes


def _places(op: stablehlo.CustomCallOp, indices: Attribute) -> list[int]:
    """Which operands of `op` are the shapes of its results: one for each of the first of them."""
    if isinstance(indices, DenseIntOrFPElementsAttr):
        places = [int(v) for v in dense_array(cast(Attribute, indices)).reshape(-1)]
        if len(places) <= len(op.results) and all(0 <= place < len(op.inputs) for place in places):
            return places
    raise InvalidProgramError(
        f"'{op.name}' op: attribute '{SHAPE_OPERANDS}' gives for each result the number of one of the"
        f" {len(op.inputs)} operands, got {indices}",
        op,
    )


def _shape_assertion(op: stablehlo.CustomCallOp, builder: RefinedFunction) -> Sequence[SSAValue]:
    """Checked now; a program whose assertion fails is not one for these argument types."""
    values = [builder.constant(operand) for operand in op.operands]
    if not values or values[0] is None:
        raise UnsupportedError(f"{op.name} @{op.call_target_name.data}: the condition depends on more than shapes", op)
    if values[0].all():
        return ()
    message = op.attributes.get("error_message")
    text = message.data if isinstance(message, StringAttr) else "a shape assertion fails"

    def argument(match: re.Match[str]) -> str:
        number = int(match[1]) + 1
        return str(values[number]) if number < len(values) else match[0]

    raise InvalidProgramError(_PLACEHOLDER.sub(argument, text), op)


def _reduce_window(op: stablehlo.CustomCallOp, builder: RefinedFunction) -> Sequence[SSAValue]:
    """The operands are inputs, their initial values, then five tensors that describe the window."""
    shapes = zip(WINDOW_OPERANDS, op.operands[-5:], strict=True)
    properties = properties_of({name: ints_of(op, name, value, builder) for name, value in shapes})
    called = cast(ArrayAttr[SymbolRefAttr], op.called_computations).data
    body = builder.region_of(called[0].string_value()) if called else None
    if body is None:
        raise InvalidProgramError(f"{op.name} @{op.call_target_name.data} names no function to reduce by", op)
    return builder.emit(stablehlo.ReduceWindowOp, op.operands[:-5], op.result_types, properties, {}, (body,))


def _rng_bit_generator(op: stablehlo.CustomCallOp, builder: RefinedFunction) -> Sequence[SSAValue]:
    state, shape = op.operands
    sizes = ints_of(op, "output_shape", shape, builder)
    types = (state.type, TensorType(element_type_of(op.results[1]), sizes))
    properties = {"rng_algorithm": op.attributes["rng_algorithm"]}
    return builder.emit(stablehlo.RngBitGeneratorOp, (state,), types, properties)


def _top_k(op: stablehlo.CustomCallOp, builder: RefinedFunction) -> Sequence[SSAValue]:
    (k,) = ints_of(op, "k", op.operands[1], builder)
    return builder.emit(chlo.TopKOp, op.operands[:1], op.result_types, {"k": i64_attribute(k)})


def _approximate_top_k(op: stablehlo.CustomCallOp, builder: RefinedFunction) -> Sequence[SSAValue]:
    """`ApproxTopK`, which has as an option the number that is the last operand here but for shapes."""
    (*operands, count), types, attributes = _with_static_results(op, builder)
    (k,) = ints_of(op, "k", count, builder)
    options = attributes.get("mhlo.backend_config")
    given: Mapping[str, Attribute] = options.data if isinstance(options, DictionaryAttr) else {}
    attributes["mhlo.backend_config"] = DictionaryAttr({**given, "top_k": i64_attribute(k)})
    properties = {**op.properties, "call_target_name": StringAttr("ApproxTopK")}
    return builder.emit(stablehlo.CustomCallOp, operands, types, properties, attributes)


STATIC_CALLS: dict[str, StaticForm] = {
    "shape_assertion": _shape_assertion,
    "stablehlo.dynamic_approx_top_k": _approximate_top_k,
    "stablehlo.dynamic_reduce_window": _reduce_window,
    "stablehlo.dynamic_rng_bit_generator": _rng_bit_generator,
    "stablehlo.dynamic_top_k": _top_k,
    "stablehlo.shape_refinement_operand_wrapper": lambda op, _: op.operands[:1],  # its type says its shape now
}
"""Target to static form."""
