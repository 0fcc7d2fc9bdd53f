"""Quantised tensors: integers that stand for `(integer - zero_point) * scale`.

StableHLO specification, sections `uniform_quantize`, `uniform_dequantize` and "Quantization computations": any other op
dequantises its operands, computes on real values and quantises its results, unless it only moves elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation

from ..dialects.quant import UniformQuantizedType
from .arrays import Array, dtype_of, narrow
from .registry import Call, Function, reference

STORAGE_OPS = {
    f"stablehlo.{name}"
    for name in (
        *("uniform_quantize", "uniform_dequantize", "constant", "bitcast_convert", "broadcast_in_dim", "reshape"),
        *("transpose", "reverse", "slice", "concatenate", "pad", "gather", "dynamic_gather", "dynamic_slice"),
        *("dynamic_update_slice", "dynamic_broadcast_in_dim", "dynamic_reshape", "dynamic_pad", "real_dynamic_slice"),
        *("select", "while", "if", "case", "optimization_barrier", "tuple", "get_tuple_element", "composite"),
        *("collective_permute", "collective_broadcast", "all_gather", "all_to_all", "get_dimension_size"),
        *("set_dimension_size", "custom_call", "send", "recv", "infeed", "outfeed"),
        *("reduce", "reduce_window", "select_and_scatter", "scatter", "map", "sort", "all_reduce", "reduce_scatter"),
    )
}
"""Ops on quantised tensors that move elements, or whose functions or regions know about quantisation."""


def quantized_type(type: Attribute) -> UniformQuantizedType | None:
    """The quantised element type of a tensor type, if it has one."""
    element = cast(TensorType[Attribute], type).element_type if isinstance(type, TensorType) else None
    return element if isinstance(element, UniformQuantizedType) else None


def is_quantized(op: Operation) -> bool:
    """Whether `op` computes with the values that quantised elements stand for."""
    types = (*op.operand_types, *op.result_types)
    return any(quantized_type(type) is not None for type in types) and op.name not in STORAGE_OPS


def parameters(type: UniformQuantizedType, rank: int) -> tuple[Array, Array]:
    """Scales and zero points, shaped to be broadcast over a tensor of `rank`."""
    shape = [1] * rank
    if type.axis is not None:
        shape[type.axis] = len(type.scales)
    scales = np.array([scale.data for scale in type.scales], np.float64).astype(dtype_of(type.expressed_type))
    zero_points = np.array([zero_point.data for zero_point in type.zero_points], np.int64)
    return scales.reshape(shape), zero_points.reshape(shape)


def dequantize(value: Array, type: UniformQuantizedType) -> Array:
    """The real values, computed in the expressed type."""
    scales, zero_points = parameters(type, value.ndim)
    return narrow(value.astype(np.int64) - zero_points, scales.dtype) * scales


def quantize(value: Array, type: UniformQuantizedType) -> Array:
    """The nearest integers, halfway cases to even, within the storage range; NaN gives the zero point."""
    scales, zero_points = parameters(type, value.ndim)
    steps = np.rint((value.astype(scales.dtype) / scales).astype(np.float64))
    low, high = type.storage_min.data, type.storage_max.data
    integers = np.clip(np.where(np.isnan(steps), 0.0, steps) + zero_points, low, high)
    return narrow(integers.astype(np.int64), dtype_of(type.storage_type))


class RealValuedCall(Call):
    """A call whose results have the expressed types."""

    def result(self, index: int = 0) -> tuple[tuple[int, ...], np.dtype[Any]]:
        shape, dtype = super().result(index)
        type = quantized_type(self.op.results[index].type)
        return shape, dtype if type is None else dtype_of(type.expressed_type)


def on_real_values(call: Call, function: Function, operands: Sequence[Array]) -> tuple[Array, ...]:
    """`dequantize_op_quantize` of the specification: `function` on real values."""
    types = [quantized_type(type) for type in call.op.operand_types]
    real = [o if t is None else dequantize(o, t) for o, t in zip(operands, types, strict=True)]
    value = function(RealValuedCall(call.op, call.interpreter), *real)
    values = cast(tuple[Array, ...], value if isinstance(value, tuple) else (value,))
    results = [quantized_type(type) for type in call.op.result_types]
    return tuple(v if t is None else quantize(np.asarray(v), t) for v, t in zip(values, results, strict=True))


@reference("stablehlo.uniform_quantize")
def uniform_quantize(call: Call, operand: Array) -> Array:
    """From real values, or from quantised ones with other parameters."""
    source, target = quantized_type(call.op.operand_types[0]), quantized_type(call.op.result_types[0])
    assert target is not None
    return quantize(operand if source is None else dequantize(operand, source), target)


@reference("stablehlo.uniform_dequantize")
def uniform_dequantize(call: Call, operand: Array) -> Array:
    source = quantized_type(call.op.operand_types[0])
    assert source is not None
    return dequantize(operand, source)
