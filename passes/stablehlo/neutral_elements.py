"""Reductions of which some elements do not count: they are neutral, or go with a truth that says so.

A combiner that has a neutral element sees that in place of what does not count. Any other computation gets one more
operand, which says whether an element counts: `f'((a, p), (b, q))` is `f(a, b)` where both count and the one that does
otherwise, so that the others are neutral whatever `f` is.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, Operation, Region

from ...dialects import stablehlo
from ...dialects.dense import pack_element
from ...dialects.shared_attributes import tensor_type
from ...dialects.stablehlo.fold_elementwise import neutral_on_both_sides
from ...dialects.stablehlo.shapes import element_type_of, is_complex
from ...ir.tensor_builder import Tensor, TensorBuilder
from ...ir.tensors import int_array


def neutral_of(op_type: type[Operation], element_type: Attribute) -> bytes | None:
    """The bytes of what changes nothing when combined with any element; None if there is none that is known."""
    if is_complex(element_type):
        return pack_element(element_type, complex(-0.0, -0.0)) if op_type is stablehlo.AddOp else None
    return neutral_on_both_sides(op_type, element_type)


def reduce_counted(
    builder: TensorBuilder, body: Region, inputs: Sequence[Tensor], inits: Sequence[Tensor], dims: Sequence[int]
) -> list[Tensor]:
    """`reduce` by `body` of all `inputs` but the last, which says what counts of them, as the last init value and the
    last result do.
    """
    count = len(inputs) - 1
    types = [*(tensor_type(element_type_of(x)) for x in body.block.args[:count]), tensor_type(i1)]

    def combine(values: list[Tensor]) -> Sequence[Tensor]:
        *left, is_left = values[: count + 1]
        *right, is_right = values[count + 1 :]
        combined = builder.inline(body, [*left, *right])
        both = is_left & is_right
        results = [both.select(value, is_right.select(b, a)) for a, b, value in zip(left, right, combined, strict=True)]
        return [*results, is_left | is_right]

    shape = stablehlo.ReduceOp.infer_shape(inputs[0].shape, dims)
    results = [tensor_type(type.element_type, *shape) for type in types]
    region = builder.region([*types, *types], combine)
    return builder.emit(stablehlo.ReduceOp, [*inputs, *inits], results, {"dimensions": int_array(dims)}, [region])
