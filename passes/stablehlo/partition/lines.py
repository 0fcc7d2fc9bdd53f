"""Elements of lines at computed places."""

from __future__ import annotations

from xdsl.ir import Attribute

from ....dialects import stablehlo
from ....dialects.shared_attributes import tensor_type
from ....dialects.stablehlo.attributes import GatherDimensionNumbersAttr
from ....ir.tensor_builder import Tensor
from ....ir.tensors import int_array


def elements_of_lines(x: Tensor, places: Tensor) -> Tensor:
    """The elements of each line of `x`, along its last dimension, at the places that `places` has for the line."""
    batch = tuple(range(x.rank - 1))
    numbers = GatherDimensionNumbersAttr(((), (x.rank - 1,), batch, batch, (x.rank - 1,), x.rank))
    properties: dict[str, Attribute] = {"dimension_numbers": numbers, "slice_sizes": int_array([1] * x.rank)}
    types = (tensor_type(x.element_type, *places.shape),)
    return x.builder.emit(stablehlo.GatherOp, (x, places.reshape((*places.shape, 1))), types, properties)[0]
