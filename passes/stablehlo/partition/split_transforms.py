"""The Fourier transform of a line of which p devices have a part each: the four-step algorithm.

The line, element n c + m on device n of p, is a matrix of p rows and c columns. Columns are transformed, elements
multiplied by the roots of unity exp(-2 pi i k m / (p c)), rows transformed; element (k, q) of the result belongs to
place q p + k. Each device has c / p columns, then a row, then its part of the result: three all_to_all, each of as many
elements as a device has.

Source: D. Bailey, "FFTs in External or Hierarchical Memory" (1990).
"""

from __future__ import annotations

from math import pi

from xdsl.dialects.builtin import f64, i64
from xdsl.ir import Attribute

from ....dialects import stablehlo
from ....dialects.stablehlo.attributes import FftType, FftTypeAttr
from ....ir.tensor_builder import Tensor
from ....ir.tensors import int_array
from .devices import Digits
from .site import Site


def transformed_in_parts(site: Site, x: Tensor, digits: Digits, kind: FftType) -> Tensor:
    """The part of this device of the complex transform along the last dimension, of which `x` is its part."""
    *batch, length = x.shape
    row, column = len(batch), len(batch) + 1
    parts, emitter = site.devices.parts(digits), site.emitter
    columns = emitter.all_to_all(x.reshape((*batch, 1, length)), column, row, digits)
    columns = transformed_along(columns, row, parts, kind) * _roots(site, columns, digits, kind)
    line = emitter.all_to_all(columns, row, column, digits)
    line = transformed_along(line, column, length, kind)
    mixed = emitter.all_to_all(line, column, row, digits)
    return mixed.transpose([*range(row), column, row]).reshape((*batch, length))


def _roots(site: Site, columns: Tensor, digits: Digits, kind: FftType) -> Tensor:
    """Those of the own columns, by row and column, computed in f64."""
    *_, parts, width = columns.shape
    shape, builder = (parts, width), site.builder
    begin = Tensor(builder, site.emitter.offset(digits, width).value)
    numbers = builder.iota(i64, shape, 1) + begin.convert(i64).broadcast(shape, ())
    sign = 2 * pi if kind == FftType.IFFT else -2 * pi
    angles = (numbers * builder.iota(i64, shape, 0)).convert(f64) * (sign / (parts * parts * width))
    part = columns.real().element_type
    real, imaginary = (angles.apply(op_type).convert(part) for op_type in (stablehlo.CosineOp, stablehlo.SineOp))
    last = columns.rank - 1
    return real.with_imaginary(imaginary).broadcast(columns.shape, (last - 1, last))


def transformed_along(x: Tensor, dim: int, length: int, kind: FftType) -> Tensor:
    """`x` transformed along one dimension."""
    order = [*(d for d in range(x.rank) if d != dim), dim]
    moved = x.transpose(order)
    type = stablehlo.FftOp.infer_result_type(moved.value, kind, [length])
    properties: dict[str, Attribute] = {"fft_type": FftTypeAttr(kind), "fft_length": int_array([length])}
    (result,) = x.builder.emit(stablehlo.FftOp, [moved], [type], properties)
    return result.transpose([order.index(d) for d in range(x.rank)])
