"""Quantised programs as arithmetic on the integers stored: the work of `stablehlo-legalize-quant-to-math`."""

from __future__ import annotations

from typing import Any, cast

from numpy.typing import NDArray
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FunctionType,
    ModuleOp,
    f64,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import IsTerminator

from ...dialects import stablehlo
from ...dialects.editing import erase, replace_uses, walk
from ...dialects.quant import MOST_STORAGE_BITS, UniformQuantizedType
from ...dialects.stablehlo.shapes import is_tensor, with_element_type
from ...errors import UnsupportedError
from ...ir.tensor_builder import Tensor, TensorBuilder
from ...reference.quantization import is_quantized, parameters, quantized_type
from .stablehlo_legalize_quant_to_math import storage_type

CONTRACTIONS: frozenset[type[Operation]] = frozenset(
    {
        stablehlo.ConvolutionOp,
        stablehlo.DotGeneralOp,
        stablehlo.DotOp,
        stablehlo.DynamicConvOp,
        stablehlo.EinsumOp,
        stablehlo.UnaryEinsumOp,
    }
)
"""Ops that compute sums of products."""


CONVERSIONS: frozenset[type[Operation]] = frozenset({stablehlo.UniformDequantizeOp, stablehlo.UniformQuantizeOp})
"""Ops that only say what else is done here: the operand is dequantised, or the result is quantised, or both."""


def legalize(module: ModuleOp) -> None:
    """Replace the ops of `module` that compute with what quantised elements stand for, and then all quantised types."""
    computing = [op for op in walk(module) if _computes(op)]
    for op in reversed(computing):  # uses first: the operands of an op show their types as long as it is there
        on_real_values(op, TensorBuilder(op))
    for op in list(walk(module)):
        _store(op)


def _computes(op: Operation) -> bool:
    """Whether `op` has a meaning for real numbers that it is replaced by."""
    if type(op) in CONVERSIONS:
        return True
    return not isinstance(op, func.CallOp) and not op.has_trait(IsTerminator) and is_quantized(op)


def _store(op: Operation) -> None:
    """Give what is left of an op the types of stored integers."""
    for value in (*op.results, *(arg for region in op.regions for block in region.blocks for arg in block.args)):
        if (stored := storage_type(value.type)) is not None:
            Rewriter.replace_value_with_new_type(value, stored)
    if isinstance(op, func.FuncOp):
        types = op.function_type
        inputs, outputs = ([storage_type(t) or t for t in side.data] for side in (types.inputs, types.outputs))
        op.function_type = FunctionType.from_lists(inputs, outputs)
    elif isinstance(op, stablehlo.ConstantOp) and op.value.type != op.output.type:
        op.value = DenseIntOrFPElementsAttr(cast(Any, op.output.type), op.value.data)
    elif isinstance(op, stablehlo.BitcastConvertOp) and op.operand.type == op.result.type:
        replace_uses(op.result, op.operand)
        erase(op)


def _integer_type(type: UniformQuantizedType) -> Attribute:
    """The type of stored integers minus zero points."""
    return i32 if type.storage_type.width.data < MOST_STORAGE_BITS else i64


def _require_static(op: Operation, value: SSAValue) -> None:
    if is_tensor(value.type) and not value.type.has_static_shape():
        raise UnsupportedError(
            f"'{op.name}' op: arithmetic on quantised elements of dynamic shape, {value.type};"
            " the pass stablehlo-refine-shapes makes shapes static",
            op,
        )


class _Quantization:
    """The parameters of a quantised type as constants for a tensor."""

    def __init__(self, builder: TensorBuilder, type: UniformQuantizedType, rank: int) -> None:
        self._builder = builder
        self._axis = type.axis
        self.low, self.high = type.storage_min.data, type.storage_max.data
        self.scales, self.zero_points = parameters(type, rank)

    def like(self, tensor: Tensor, numbers: NDArray[Any]) -> Tensor:
        """`numbers`, one for all elements or one for each index of the axis, in the type and shape of `tensor`."""
        if not numbers.size:
            return tensor.number(0)
        if self._axis is None or (numbers == numbers.flat[0]).all():
            return tensor.number(numbers.flat[0].item())
        flat = self._builder.constant(numbers.reshape(-1), tensor.element_type)
        return flat.broadcast(tensor.shape, [self._axis])

    def bound(self, tensor: Tensor, numbers: NDArray[Any]) -> Tensor:
        """As an operand of `clamp`, which may be one number for all elements."""
        if self._axis is None and tensor.rank:
            return self._builder.splat(tensor.element_type, (), numbers.flat[0].item())
        return self.like(tensor, numbers)


def dequantize(builder: TensorBuilder, value: SSAValue, type: UniformQuantizedType, op: Operation) -> Tensor:
    """The real numbers, in the expressed type, that the elements of `value` stand for."""
    _require_static(op, value)
    (stored,) = builder.wrap(value)
    parameters_of = _Quantization(builder, type, stored.rank)
    integers = stored.apply(stablehlo.ConvertOp, _integer_type(type))
    if parameters_of.zero_points.any():
        integers = integers - parameters_of.like(integers, parameters_of.zero_points)
    real = integers.convert(type.expressed_type)
    return real * parameters_of.like(real, parameters_of.scales)


def quantize(builder: TensorBuilder, real: Tensor, type: UniformQuantizedType, op: Operation) -> Tensor:
    """The integers nearest to `real`, halfway cases to even, within the storage range; NaN gives the zero point."""
    _require_static(op, real.value)
    integer_type = _integer_type(type)
    parameters_of = _Quantization(builder, type, real.rank)
    real = real.convert(type.expressed_type)
    steps = (real / parameters_of.like(real, parameters_of.scales)).apply(stablehlo.RoundNearestEvenOp)
    integers = steps.convert(integer_type)
    zero_points = parameters_of.zero_points
    low, high = (parameters_of.bound(integers, end - zero_points) for end in (parameters_of.low, parameters_of.high))
    integers = builder.emit(stablehlo.ClampOp, (low, integers, high), (integers.type,))[0]
    if zero_points.any():
        integers = integers + parameters_of.like(integers, zero_points)
    return integers.convert(type.storage_type)


def on_real_values(op: Operation, builder: TensorBuilder) -> None:
    """Replace `op` by one with dequantised operands, and its results by the quantised results of that."""
    types = [quantized_type(result.type) for result in op.results]
    wide = type(op) in CONTRACTIONS and any(result is not None for result in types)

    def real(value: SSAValue) -> Tensor:
        quantized = quantized_type(value.type)
        operand = builder.wrap(value)[0] if quantized is None else dequantize(builder, value, quantized, op)
        return operand.convert(f64) if wide else operand

    def real_type(result: SSAValue, quantized: UniformQuantizedType | None) -> Attribute:
        if quantized is None:
            return result.type
        return with_element_type(result.type, f64 if wide else quantized.expressed_type)

    operands = [real(operand) for operand in op.operands]
    properties = dict(op.properties)
    if isinstance(op, stablehlo.CompareOp) and op.compare_type not in (None, TOTAL_ORDER):
        properties["compare_type"] = stablehlo.ComparisonTypeAttr(stablehlo.ComparisonType.FLOAT)
    if wide:
        properties.pop("algorithm", None)
    result_types = [real_type(result, quantized) for result, quantized in zip(op.results, types, strict=True)]
    regions = [op.detach_region(region) for region in list(op.regions)]
    results = (
        operands if type(op) in CONVERSIONS else builder.emit(type(op), operands, result_types, properties, regions)
    )
    for old, new, quantized in zip(op.results, results, types, strict=True):
        replace_uses(old, (new if quantized is None else quantize(builder, new, quantized, op)).value)
    erase(op)


TOTAL_ORDER = stablehlo.ComparisonTypeAttr(stablehlo.ComparisonType.TOTALORDER)
