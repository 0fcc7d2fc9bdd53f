"""Factorisations, triangular systems and Fourier transforms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ComplexType,
    IntegerAttr,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from .attributes import FftType, FftTypeAttr, Transpose, TransposeAttr
from .bounds import inferred_type
from .element_types import FloatOrComplexTensor, PlainFloatOrComplexTensor
from .property_types import BoolProperty, I64ArrayProperty
from .shapes import (
    Shape,
    compatible_dims,
    compatible_element_types,
    compatible_shapes,
    compatible_types,
    element_type_of,
    real_type,
    shape_of,
    show,
    show_shape,
    violation,
)
from .syntax import Bool, Enum, FunctionalTypes, I64Array, SameTypes, bool_attr, i64_array

Value = SSAValue | Operation


@irdl_op_definition
class CholeskyOp(SameTypes):
    """The Cholesky factor of each matrix of a batch: lower if `lower`, else upper.

    `a`, `result`: one type; square matrices in the last two dimensions; float, complex or quantised elements.
    Specification: `cholesky`.
    """

    name = "stablehlo.cholesky"

    a = operand_def(FloatOrComplexTensor)
    result = result_def(FloatOrComplexTensor)
    lower = opt_prop_def(BoolProperty, default_value=IntegerAttr(0, i1))

    traits = traits_def(Pure())

    FIELDS: ClassVar = (Bool("lower", "lower", optional=True),)

    def __init__(self, a: Value, lower: bool = False):
        a = SSAValue.get(a)
        super().__init__(operands=[a], result_types=[a.type], properties={"lower": bool_attr(lower)})

    def verify_(self) -> None:
        if not compatible_types(self.a.type, self.result.type):
            violation(self, "C1", f"expected result type {self.a.type}, got {self.result.type}")
        shape = shape_of(self.a)
        if len(shape) < 2:
            violation(self, "C2", f"expected at least two dimensions, got {self.a.type}")
        if not compatible_dims(shape[-2], shape[-1]):
            violation(self, "C3", f"expected square matrices, got {self.a.type}")


@irdl_op_definition
class TriangularSolveOp(IRDLOperation):
    """Solves `op(a) x = b`, or `x op(a) = b` unless `left_side`, for each matrix of a batch; `transpose_a` says what
    `op` is. One triangle of `a` is read, its diagonal unless `unit_diagonal`.

    `a`: square matrices; `b`, `result`: one type, matrices that fit; one batch shape; float, complex or quantised
    elements. Specification: `triangular_solve`.
    """

    name = "stablehlo.triangular_solve"

    a = operand_def(FloatOrComplexTensor)
    b = operand_def(FloatOrComplexTensor)
    result = result_def(FloatOrComplexTensor)
    left_side = prop_def(BoolProperty)
    lower = prop_def(BoolProperty)
    unit_diagonal = prop_def(BoolProperty)
    transpose_a = prop_def(TransposeAttr)

    traits = traits_def(Pure())

    def __init__(
        self,
        a: Value,
        b: Value,
        left_side: bool,
        lower: bool,
        unit_diagonal: bool,
        transpose_a: Transpose,
    ):
        b = SSAValue.get(b)
        super().__init__(
            operands=[a, b],
            result_types=[b.type],
            properties={
                "left_side": bool_attr(left_side),
                "lower": bool_attr(lower),
                "unit_diagonal": bool_attr(unit_diagonal),
                "transpose_a": TransposeAttr(transpose_a),
            },
        )

    def verify_(self) -> None:
        if not compatible_element_types(element_type_of(self.a), element_type_of(self.b)):
            violation(self, "C1", f"expected one element type, got {show(self.operand_types)}")
        a, b = shape_of(self.a), shape_of(self.b)
        if len(a) < 2 or len(a) != len(b):
            violation(self, "C2", f"expected equal ranks of at least two, got {show(self.operand_types)}")
        rows = b[-2] if self.left_side.value.data else b[-1]
        if (
            not compatible_shapes(a[:-2], b[:-2])
            or not compatible_dims(a[-2], a[-1])
            or not compatible_dims(a[-1], rows)
        ):
            violation(self, "C3", f"coefficients {show_shape(a)} do not fit {show_shape(b)}")
        if not compatible_types(self.b.type, self.result.type):
            violation(self, "C4", f"expected result type {self.b.type}, got {self.result.type}")
        if self.transpose_a.data == Transpose.TRANSPOSE_INVALID:
            violation(self, "I6", "transpose_a must not be TRANSPOSE_INVALID")


@irdl_op_definition
class FftOp(FunctionalTypes):
    """Fourier transforms over the last one to three dimensions, of complex numbers (FFT, IFFT), of real ones (RFFT) and
    to real ones (IRFFT); inverse ones divide by the length.

    `operand`, `result`: the last dimension of what RFFT gives and IRFFT takes is half as long, plus 1; that of the real
    tensor is `fft_length`. Float and complex elements of one precision. Specification: `fft`.
    """

    name = "stablehlo.fft"

    operand = operand_def(PlainFloatOrComplexTensor)
    result = result_def(PlainFloatOrComplexTensor)
    fft_type = prop_def(FftTypeAttr)
    fft_length = prop_def(I64ArrayProperty)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (Enum("type", "fft_type", FftTypeAttr), I64Array("length", "fft_length"))

    def __init__(self, operand: Value, fft_type: FftType, fft_length: Sequence[int]):
        operand = SSAValue.get(operand)
        super().__init__(
            operands=[operand],
            result_types=[self.infer_result_type(operand, fft_type, fft_length)],
            properties={"fft_type": FftTypeAttr(fft_type), "fft_length": i64_array(fft_length)},
        )

    @staticmethod
    def infer_result_type(operand: SSAValue, fft_type: FftType, length: Sequence[int]) -> TensorType[Attribute]:
        element_type = element_type_of(operand)
        if fft_type == FftType.RFFT:
            element_type = ComplexType(element_type)  # pyright: ignore[reportArgumentType]
        elif fft_type == FftType.IRFFT:
            element_type = real_type(element_type)

        def shape(operand: Shape) -> Shape:
            last = operand[-1]
            if fft_type == FftType.RFFT and last not in (0, DYNAMIC_INDEX):
                last = length[-1] // 2 + 1
            elif fft_type == FftType.IRFFT and last != 0:
                last = length[-1]
            return (*operand[:-1], last)

        return inferred_type(element_type, shape, operand)

    @property
    def lengths(self) -> Sequence[int]:
        """How long the transforms are, by dimension. Those between complex tensors are as long as the operand: no
        constraint says that `fft_length` is."""
        length = self.fft_length.get_values()
        if self.fft_type.data in (FftType.FFT, FftType.IFFT):
            return shape_of(self.operand)[-len(length) :]
        return length

    def verify_(self) -> None:
        shape, length = shape_of(self.operand), self.fft_length.get_values()
        if not 1 <= len(length) <= 3:
            violation(self, "C3", f"expected one to three fft_length, got {list(length)}")
        if len(length) > len(shape):
            violation(self, "C1", f"{len(length)} fft_length for an operand of rank {len(shape)}")
        kind = self.fft_type.data
        is_complex = isinstance(element_type_of(self.operand), ComplexType)
        if is_complex == (kind == FftType.RFFT):
            violation(self, "C2", f"{kind} of an operand of type {self.operand.type}")
        expected = self.infer_result_type(self.operand, kind, length)
        if element_type_of(self.result) != expected.element_type:
            violation(self, "C2", f"expected result elements {expected.element_type}, got {self.result.type}")
        real = {FftType.RFFT: shape, FftType.IRFFT: shape_of(self.result)}.get(kind)
        if real is not None and not compatible_shapes(real[-len(length) :], length):
            violation(self, "C4", f"{kind} of length {list(length)} with a real tensor of shape {show_shape(real)}")
        if kind == FftType.IRFFT and not compatible_dims(shape[-1], length[-1] // 2 + 1 if length[-1] else 0):
            violation(self, "C5", f"{kind} of length {list(length)} of an operand of shape {show_shape(shape)}")
        if not compatible_shapes(expected.get_shape(), shape_of(self.result)):
            violation(self, "C5", f"expected result type {expected}, got {self.result.type}")
