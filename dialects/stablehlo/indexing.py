"""Reading and writing one part of a tensor at a computed place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

from .bounds import bounded_type, inferred_type, whole_sizes
from .element_types import IntegerTensor, ScalarIntegerTensor, Tensor
from .interfaces import FoldableOp
from .property_types import I64ArrayProperty, I64Property
from .shapes import (
    Shape,
    compatible_shapes,
    compatible_types,
    element_type_of,
    shape_of,
    show,
    show_shape,
    violation,
)
from .syntax import FunctionalTypes, I64Array, i64_array
from .traits import MovesElements

Value = SSAValue | Operation


@irdl_op_definition
class DynamicSliceOp(FunctionalTypes, FoldableOp):
    """A part of `slice_sizes` at computed start indices, which are clamped so that it lies inside.

    `operand`: any shape and elements. `start_indices`: one integer of rank 0 per dimension, all of one type. `result`:
    `slice_sizes`, the same elements. Specification: `dynamic_slice`.
    """

    name = "stablehlo.dynamic_slice"

    operand = operand_def(Tensor)
    start_indices = var_operand_def(ScalarIntegerTensor)
    result = result_def(Tensor)
    slice_sizes = prop_def(I64ArrayProperty)

    traits = traits_def(Pure(), MovesElements())

    FIELDS: ClassVar = (I64Array("sizes", "slice_sizes"),)

    def __init__(self, operand: Value, start_indices: Sequence[Value], slice_sizes: Sequence[int]):
        operand = SSAValue.get(operand)
        super().__init__(
            operands=[operand, start_indices],
            result_types=[bounded_type(element_type_of(operand), whole_sizes(operand, slice_sizes), slice_sizes)],
            properties={"slice_sizes": i64_array(slice_sizes)},
        )

    def verify_(self) -> None:
        if element_type_of(self.operand) != element_type_of(self.result):
            violation(
                self,
                "C1",
                f"operand of type {self.operand.type}, result of type {self.result.type}",
            )
        shape, sizes = shape_of(self.operand), self.slice_sizes.get_values()
        if not len(self.start_indices) == len(sizes) == len(shape):
            violation(
                self,
                "C2",
                f"{len(self.start_indices)} start_indices and {len(sizes)} slice_sizes "
                f"for an operand of rank {len(shape)}",
            )
        if any(value.type != self.start_indices[0].type for value in self.start_indices):
            violation(
                self,
                "C3",
                f"start_indices differ in type: {show(v.type for v in self.start_indices)}",
            )
        for size, slice_size in zip(shape, sizes, strict=True):
            if slice_size < 0 or (size != DYNAMIC_INDEX and slice_size > size):
                violation(
                    self,
                    "C4",
                    f"slice_sizes {list(sizes)} do not fit operand shape {show_shape(shape)}",
                )
        if not compatible_shapes(sizes, shape_of(self.result)):
            violation(
                self,
                "C5",
                f"expected result shape {list(sizes)}, got {show_shape(shape_of(self.result))}",
            )


@irdl_op_definition
class DynamicUpdateSliceOp(FunctionalTypes, FoldableOp):
    """`operand` with `update` written at computed start indices, which are clamped so that it lies inside.

    `operand`, `result`: one type; any shape and elements. `update`: the same rank and elements, no larger.
    `start_indices`: one integer of rank 0 per dimension, all of one type. Specification: `dynamic_update_slice`.
    """

    name = "stablehlo.dynamic_update_slice"

    operand = operand_def(Tensor)
    update = operand_def(Tensor)
    start_indices = var_operand_def(ScalarIntegerTensor)
    result = result_def(Tensor)

    traits = traits_def(Pure())

    def __init__(self, operand: Value, update: Value, start_indices: Sequence[Value]):
        operand = SSAValue.get(operand)
        super().__init__(operands=[operand, update, start_indices], result_types=[operand.type])

    def verify_(self) -> None:
        if not compatible_types(self.operand.type, self.result.type):
            violation(self, "C1", f"expected result type {self.operand.type}, got {self.result.type}")
        if element_type_of(self.update) != element_type_of(self.operand):
            violation(
                self,
                "C2",
                f"update of type {self.update.type} for operand of type {self.operand.type}",
            )
        shape, update = shape_of(self.operand), shape_of(self.update)
        if len(update) != len(shape):
            violation(self, "C3", f"update of rank {len(update)} for an operand of rank {len(shape)}")
        if len(self.start_indices) != len(shape):
            violation(
                self,
                "C4",
                f"{len(self.start_indices)} start_indices for an operand of rank {len(shape)}",
            )
        if any(value.type != self.start_indices[0].type for value in self.start_indices):
            violation(
                self,
                "C5",
                f"start_indices differ in type: {show(v.type for v in self.start_indices)}",
            )
        for size, update_size in zip(shape, update, strict=True):
            if DYNAMIC_INDEX not in (size, update_size) and update_size > size:
                violation(
                    self,
                    "C6",
                    f"update shape {show_shape(update)} exceeds operand shape {show_shape(shape)}",
                )


@irdl_op_definition
class TorchIndexSelectOp(IRDLOperation):
    """The slices of `operand` along `dim` that `index` names, for each index of the first `batch_dims` dimensions.
    Deprecated: `gather`.

    `operand`: any shape and elements; `index`: integers of any shape. `result`: the dimensions of the index beyond the
    batch in place of `dim`. Not in the specification; upstream's definition of the op (StablehloOps.td).
    """

    name = "stablehlo.torch_index_select"

    operand = operand_def(Tensor)
    index = operand_def(IntegerTensor)
    result = result_def(Tensor)
    dim = prop_def(I64Property)
    batch_dims = prop_def(I64Property)

    traits = traits_def(Pure())

    def __init__(
        self, operand: Value, index: Value, dim: int, batch_dims: int = 0, result_type: Attribute | None = None
    ):
        operand, index = SSAValue.get(operand), SSAValue.get(index)
        if result_type is None:
            result_type = inferred_type(
                element_type_of(operand),
                lambda operand, index: self.infer_shape(operand, index, dim, batch_dims),
                operand,
                index,
            )
        super().__init__(
            operands=[operand, index],
            result_types=[result_type],
            properties={"dim": IntegerAttr(dim, i64), "batch_dims": IntegerAttr(batch_dims, i64)},
        )

    @staticmethod
    def infer_shape(operand: Shape, index: Shape, dim: int, batch_dims: int) -> Shape:
        """Dimension `dim` gives way to the dimensions of the index beyond the batch."""
        return (*operand[:dim], *index[batch_dims:], *operand[dim + 1 :])

    def verify_(self) -> None:
        operand, index = shape_of(self.operand), shape_of(self.index)
        dim, batch_dims = self.dim.value.data, self.batch_dims.value.data
        if not 0 <= dim < len(operand):
            violation(self, "dim", f"dim {dim} is outside the {len(operand)} dimensions of the operand")
        if not 0 <= batch_dims <= min(dim, len(index)):
            violation(self, "batch_dims", f"{batch_dims} batch_dims for dim {dim} and an index of rank {len(index)}")
        if not compatible_shapes(operand[:batch_dims], index[:batch_dims]):
            violation(
                self,
                "batch_dims",
                f"shapes {show_shape(operand)} and {show_shape(index)} differ in the first {batch_dims}",
            )
        if element_type_of(self.operand) != element_type_of(self.result):
            violation(self, "result", f"operand of type {self.operand.type}, result of type {self.result.type}")
        expected = self.infer_shape(operand, index, dim, batch_dims)
        if not compatible_shapes(expected, shape_of(self.result)):
            violation(self, "result", f"expected shape {show_shape(expected)}, got {show_shape(shape_of(self.result))}")
