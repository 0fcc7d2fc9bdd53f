"""Sorts and the greatest elements.

Source: XLA's Operation Semantics, section Sort, of all editions; TopK.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload

from ...dialects import chlo, stablehlo
from .arguments import Array, Operands, Size
from .bounded_sizes import of_one_size
from .computation import XlaComputation
from .core import XlaBuilder, XlaOp, builder_of, require
from .elementwise import gt_total_order, lt_total_order
from .movement import iota, slice_in_dim
from .movement import tuple as tuple_
from .operators import operation
from .reductions import listed, same_sizes, scalar_region
from .shapes import PrimitiveType, Shape


def _comparator(order: Callable[..., XlaOp], arrays: Sequence[XlaOp]) -> XlaComputation:
    """Compares the first of pairs of scalars by an order of their type."""
    builder = XlaBuilder("comparator")
    scalars = [Shape(array.shape.element_type) for array in arrays for _ in range(2)]
    parameters = [builder.parameter(number, scalar) for number, scalar in enumerate(scalars)]
    return builder.build(order(parameters[0], parameters[1]))


@overload
def sort(
    operands: Operands, comparator: XlaComputation | None = None, dimension: int = -1, is_stable: bool = False
) -> XlaOp: ...
@overload
def sort(operand: Operands, dimension: int = -1) -> XlaOp: ...
@overload
def sort(keys: Array, values: Operands, dimension: int = -1, is_stable: bool = False) -> XlaOp: ...
@operation("Sort", names={"key": "keys", "value": "values"})
def sort(
    operands: Any = None,
    comparator: XlaComputation | None = None,
    dimension: int = -1,
    is_stable: bool = False,
    operand: Any = None,
    keys: Any = None,
    values: Any = (),
) -> XlaOp:
    """`Sort(operands, comparator, dimension, is_stable)`: arrays of one shape sorted together along a dimension.

    The comparator gets elements in pairs, 2k and 2k+1 from array k, and says whether the first ones come before the
    second ones. Without one (`Sort(operand, dimension)`, and `Sort(keys, values, dimension)`, whose values follow the
    keys) order is ascending. Negative dimensions count from the last. One array gives an array, several a tuple.
    """
    first = next(given for given in (operands, operand, keys) if given is not None)
    arrays = [*listed(first), *listed(values)]
    arrays = same_sizes("operands" if keys is None else "values", arrays)
    builder = builder_of(arrays)
    rank = arrays[0].shape.rank
    require(-rank <= dimension < rank, "dimension", f"{dimension} of arrays of rank {rank}")
    if comparator is None:
        comparator = _comparator(lt_total_order, arrays)
    pairs = [array.shape.element_type for array in arrays for _ in range(2)]
    region = scalar_region(builder, "comparator", comparator, pairs, 1)
    require(
        comparator.program_shape.result == Shape(PrimitiveType.PRED),
        "comparator",
        f"expected a result pred[], got {comparator.program_shape.result}",
    )
    return builder.emit(stablehlo.SortOp([a.value for a in arrays], region, dimension % rank, is_stable))


@operation("TopK")
def top_k(operand: Array, k: Size) -> XlaOp:
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
