"""`stablehlo-expand-sparse`: products of sparse matrices, which JAX writes for CPUs as custom calls, become ops.

`cpu_csr_sparse_dense_ffi` is a matrix in compressed rows times a dense matrix or vector. The row of an element is the
number of rows that end before it: ones are added where rows end, and summed up. Each element times a row of the dense
operand is added to a row of the result. Elements behind the last row, which are padding, have the number of a row that
is not there; `scatter` drops them.

Needs: static shapes. Leaves: other custom calls as they are.

    %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%elements, %ends, %columns, %dense)
        : (tensor<5xf32>, tensor<4xi32>, tensor<5xi32>, tensor<6x2xf32>) -> tensor<3x2xf32>

becomes

    %counts = "stablehlo.scatter"(%zeros, %ends_of_rows, %ones) ({add})
        : (tensor<5xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<5xi32>
    %rows = "stablehlo.reduce_window"(%counts, %zero) <{padding = [[4, 0]], window_dimensions = [5]}> ({add})
    %read = "stablehlo.gather"(%dense, %columns) <{slice_sizes = [1, 2]}>
    %products = stablehlo.multiply %elements_in_each_column, %read : tensor<5x2xf32>
    %0 = "stablehlo.scatter"(%zeros, %rows, %products) ({add})
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Attribute

from ...dialects import stablehlo
from ...dialects.stablehlo.attributes import ScatterDimensionNumbersAttr
from ...dialects.stablehlo.sparse_calls import CSR_TIMES_DENSE, verify_sparse_product
from ...ir.expansion import ExpansionPass
from ...ir.tensor_builder import Tensor, TensorBuilder


def csr_times_dense(op: stablehlo.CustomCallOp, builder: TensorBuilder) -> list[Tensor] | None:
    """See the module's documentation."""
    if op.call_target_name.data != CSR_TIMES_DENSE:
        return None
    verify_sparse_product(op)
    elements, ends, columns, dense = builder.wrap(*op.inputs)
    (result,) = builder.wrap(*op.results)
    zeros = builder.splat(result.element_type, result.shape, 0)
    if not elements.shape[0]:
        return [zeros]
    read = dense.take(columns, 0)
    products = elements.broadcast(read.shape, [0]) * read
    return [_added(zeros, _row_numbers(ends, elements.shape[0]), products)]


def _row_numbers(ends: Tensor, count: int) -> Tensor:
    """Of each of `count` elements the number of its row."""
    builder, rows = ends.builder, ends.shape[0] - 1
    ones = builder.splat(ends.element_type, (rows,), 1)
    zeros = builder.splat(ends.element_type, (count,), 0)
    counts = _added(zeros, ends.slice({0: (1, rows + 1)}), ones)
    return counts.scan(stablehlo.AddOp, 0, 0)


def _added(target: Tensor, numbers: Tensor, rows: Tensor) -> Tensor:
    """`target` with `rows` added to those of these numbers, which are sorted."""
    window = tuple(range(1, target.rank))
    properties: dict[str, Attribute] = {
        "scatter_dimension_numbers": ScatterDimensionNumbersAttr((window, (0,), (), (), (0,), 1)),
        "indices_are_sorted": IntegerAttr(1, i1),
    }
    operands, body = (target, numbers, rows), target.combination(stablehlo.AddOp)
    return target.builder.emit(stablehlo.ScatterOp, operands, (target.type,), properties, (body,))[0]


class StablehloExpandSparsePass(ExpansionPass):
    """Replace products of sparse matrices. See the module's documentation."""

    name = "stablehlo-expand-sparse"

    EXPANDED: ClassVar = {stablehlo.CustomCallOp: csr_times_dense}
