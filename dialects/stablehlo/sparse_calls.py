"""The custom call that JAX writes on CPUs for a sparse matrix, in compressed rows, times a dense one."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType

from .custom_call import CustomCallOp
from .shapes import element_type_of, is_tensor, shape_of, show, violation

CSR_TIMES_DENSE = "cpu_csr_sparse_dense_ffi"


def verify_sparse_product(op: CustomCallOp) -> None:
    """`(elements, ends, columns, dense) -> product`: z elements, where each of m rows begins and the last one ends, z
    columns, and k x n or k numbers, for m x n or m. Does nothing for calls of other targets.

    Source: jaxlib's `sparse_kernels`.
    """
    if op.call_target_name.data != CSR_TIMES_DENSE:
        return
    types = (*op.operand_types, *op.result_types)
    if len(op.operands) != 4 or len(op.results) != 1 or not all(map(is_tensor, types)):
        got = f"{show(op.operand_types)} -> {show(op.result_types)}"
        violation(op, CSR_TIMES_DENSE, f"expected 4 tensors and 1 result, got {got}")
    elements, ends, columns, dense = op.operands
    (product,) = op.results
    if any(DYNAMIC_INDEX in shape_of(value) for value in (*op.operands, product)):
        return
    if not element_type_of(elements) == element_type_of(dense) == element_type_of(product):
        violation(op, CSR_TIMES_DENSE, f"expected numbers of one type, got {show(types)}")
    if not isinstance(element_type_of(ends), IntegerType) or element_type_of(ends) != element_type_of(columns):
        violation(op, CSR_TIMES_DENSE, f"expected ends and columns of integers, got {show(op.operand_types)}")
    is_vector = len(shape_of(elements)) == 1 and shape_of(elements) == shape_of(columns) and len(shape_of(ends)) == 1
    if not is_vector or shape_of(ends) == (0,) or len(shape_of(dense)) not in (1, 2):
        violation(op, CSR_TIMES_DENSE, f"expected a matrix of compressed rows, got {show(op.operand_types)}")
    shape = (shape_of(ends)[0] - 1, *shape_of(dense)[1:])
    if shape_of(product) != shape:
        violation(op, CSR_TIMES_DENSE, f"expected a result of shape {shape}, got {product.type}")
