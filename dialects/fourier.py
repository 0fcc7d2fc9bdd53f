"""The `fourier` dialect: discrete Fourier transforms along one axis, on tensors or buffers.

One op, between `convert-stablehlo-to-linalg`, which says how the length is taken apart, and `linalg-tile-fourier`,
which writes the loops. Like structured ops it writes into a destination. It is printed in generic form, which the tools
upstream read, and read in both.

```mlir
%y = fourier.transform %x, %roots outs(%e) axis 1 stages [8, 2]
  : tensor<4x16xf32>, tensor<14x2xf32>, tensor<4x9xcomplex<f32>> -> tensor<4x9xcomplex<f32>>
```
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import (
    ComplexType,
    DenseArrayBase,
    Float32Type,
    Float64Type,
    IntegerAttr,
    MemRefType,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from .registration import printed_generically

Shaped = TensorType[Attribute] | MemRefType[Attribute]


def _shaped(value: SSAValue) -> Shaped:
    type: Attribute = value.type
    if not isinstance(type, TensorType | MemRefType):
        raise VerifyException(f"expected a tensor or a memref, got {type}")
    return cast(Shaped, type)


@irdl_op_definition
class TransformOp(IRDLOperation):
    """Transforms of length `n`, the product of `stages`, of all lines of `input` along `axis`, into `output`.

    For `k` below the size of `output` along the axis: the sum over `j` of `exp(-2 pi i j k / n) * input[j]`, with
    `inverse` of `exp(2 pi i j k / n) * input[j] / n`. Elements are f32 or f64 or complex numbers of them; real inputs
    have imaginary parts of 0, and of a real output only real parts are wanted. With `hermitian` the input holds the
    first `n / 2 + 1` elements, and the others are their conjugates, from the end on.

    `roots`, of shape (count, 2), holds what the stages of a transform that is not inverse multiply with
    (`fourier_plan.stage_roots`); an inverse one has the same. On tensors
    the output is the destination of the result; on memrefs there is no result, and it overlaps no input. Sizes of other
    axes are the same. The semantics are those of `stablehlo.fft`.
    """

    name = "fourier.transform"

    input = operand_def()
    roots = operand_def()
    output = operand_def()
    axis = prop_def(IntegerAttr.constr(i64))
    stages = prop_def(DenseArrayBase.constr(i64))
    inverse = opt_prop_def(UnitAttr)
    hermitian = opt_prop_def(UnitAttr)
    updated = var_result_def()

    assembly_format = (
        "$input `,` $roots `outs` `(` $output `)` `axis` $axis `stages` $stages (`inverse` $inverse^)? "
        "(`hermitian` $hermitian^)? attr-dict `:` type($input) `,` type($roots) `,` type($output) "
        "(`->` type($updated)^)?"
    )

    def __init__(
        self,
        input: SSAValue,
        roots: SSAValue,
        output: SSAValue,
        axis: int,
        stages: Sequence[int],
        *,
        inverse: bool = False,
        hermitian: bool = False,
    ):
        type: Attribute = output.type
        types: list[Attribute] = [type] if isinstance(type, TensorType) else []
        super().__init__(
            operands=[input, roots, output],
            result_types=[types],
            properties={
                "axis": IntegerAttr(axis, i64),
                "stages": DenseArrayBase.from_list(i64, list(stages)),
                "inverse": UnitAttr() if inverse else None,
                "hermitian": UnitAttr() if hermitian else None,
            },
        )

    @property
    def factors(self) -> tuple[int, ...]:
        """Those of `stages`, as numbers."""
        return self.stages.get_values()

    @property
    def length(self) -> int:
        """Of one transform."""
        return prod(self.factors)

    def verify_(self) -> None:
        source, target = _shaped(self.input), _shaped(self.output)
        if list(self.result_types) != ([target] if isinstance(target, TensorType) else []):
            raise VerifyException("an output that is a tensor has a result of its type")
        parts = {part_type(source.element_type), part_type(target.element_type), _shaped(self.roots).element_type}
        if len(parts) > 1 or not isinstance(part_type(source.element_type), Float32Type | Float64Type):
            raise VerifyException("input, roots and output have parts of one type, f32 or f64")
        axis = self.axis.value.data
        before, after = list(source.get_shape()), list(target.get_shape())
        if len(before) != len(after) or not 0 <= axis < len(before):
            raise VerifyException(f"axis {axis} is not one of {source} and {target}")
        given, wanted, length = before.pop(axis), after.pop(axis), self.length
        if before != after:
            raise VerifyException(f"{source} and {target} differ beyond axis {axis}")
        expected = length // 2 + 1 if self.hermitian else length
        if given != expected:
            raise VerifyException(f"the input has {given} elements along axis {axis}, expected {expected}")
        if wanted > length:
            raise VerifyException(f"the output has {wanted} elements along axis {axis}, a transform {length}")


def part_type(type: Attribute) -> Attribute:
    """The type of the parts of complex numbers; that of real ones as it is."""
    return cast("ComplexType[Any]", type).element_type if isinstance(type, ComplexType) else type


FOURIER = Dialect("fourier", printed_generically([TransformOp]), [])
