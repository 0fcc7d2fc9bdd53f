"""The Fourier transform of a line of which p devices have a part each: the four-step algorithm.

The line, element n c + m on device n of p, is a matrix of p rows and c columns. Columns are transformed, elements
multiplied by the roots of unity exp(-2 pi i k m / (p c)), rows transformed; element (k, q) of the result belongs to
place q p + k. Each device has c / p columns, then a row, then its part of the result: three all_to_all, each of as many
elements as a device has. Columns are padded to a multiple of p.

Source: D. Bailey, "FFTs in External or Hierarchical Memory" (1990).
"""

from __future__ import annotations

from math import pi
from typing import NamedTuple

from xdsl.dialects.builtin import f64, i64
from xdsl.ir import Attribute

from ....dialects import stablehlo
from ....dialects.stablehlo.attributes import FftType, FftTypeAttr
from ....ir.tensor_builder import Tensor
from ....ir.tensors import int_array
from .devices import Digits
from .site import Site


class Chunks(NamedTuple):
    """The places q p + k of the parts of devices, of a row k each: those from `begins` on, `length` of them."""

    begins: list[int]
    length: int


def chunks_of(size: int, parts: int) -> Chunks:
    """Those of parts of `size` elements; a device's first place is the (`size` times its number mod p)-th of them."""
    begins = [part * size // parts for part in range(parts)]
    ends = [((part + 1) * size - 1) // parts + 1 for part in range(parts)]
    return Chunks(begins, max(end - begin for begin, end in zip(begins, ends, strict=True)))


def transformed_in_parts(site: Site, x: Tensor, digits: Digits, kind: FftType, kept: int | None = None) -> Tensor:
    """The part of this device of the complex transform along the last dimension, of which `x` is its part; with `kept`,
    of its first elements only.
    """
    length, parts = x.shape[-1], site.devices.parts(digits)
    columns = to_columns(site, x, digits)
    row = columns.rank - 2
    width = columns.shape[-1]
    numbers = site.builder.iota(i64, (parts, width), 1) + _offset(site, digits, width).broadcast((parts, width), ())
    columns = transformed_along(columns, row, parts, kind)
    columns = columns * roots(columns, numbers * site.builder.iota(i64, (parts, width), 0), parts * length, kind)
    line = transformed_along(from_columns(site, columns, digits, length), row, length, kind)
    return _in_order(site, line, digits, -(-(kept or length * parts) // parts))


def to_columns(site: Site, x: Tensor, digits: Digits) -> Tensor:
    """Some columns of the matrix of which `x` is a row."""
    *batch, length = x.shape
    parts, row = site.devices.parts(digits), len(batch)
    padded = x.reshape((*batch, 1, length)).pad({row + 1: -length % parts})
    return site.emitter.all_to_all(padded, row + 1, row, digits)


def from_columns(site: Site, columns: Tensor, digits: Digits, length: int) -> Tensor:
    """The row of this device, of `length`."""
    row = columns.rank - 2
    line = site.emitter.all_to_all(columns, row, row + 1, digits)
    return line.slice({row + 1: (0, length)}).reshape((*line.shape[:row], length))


def _in_order(site: Site, line: Tensor, digits: Digits, size: int) -> Tensor:
    """The part of this device, of `size`, of elements q p + k, of which it has row k."""
    *batch, length = line.shape
    parts, row = site.devices.parts(digits), len(batch)
    begins, count = chunks_of(size, parts)
    if length == parts * count and begins == list(range(0, length, count)):
        pieces = line.reshape((*batch, parts, count))
    else:
        room = line.pad({row: max(0, begins[-1] + count - length)})
        taken = [room.slice({row: (begin, begin + count)}).reshape((*batch, 1, count)) for begin in begins]
        pieces = site.builder.concatenate(taken, row)
    mixed = site.emitter.all_to_all(pieces, row, row + 1, digits)
    places = (
        mixed.reshape((*batch, parts, count)).transpose([*range(row), row + 1, row]).reshape((*batch, parts * count))
    )
    if size % parts == 0:
        return places
    return places.dynamic_slice({row: site.emitter.place(digits) * size % parts}, {row: size})


def _offset(site: Site, digits: Digits, width: int) -> Tensor:
    return Tensor(site.builder, site.emitter.offset(digits, width).value).convert(i64)


def roots(like: Tensor, numbers: Tensor, length: int, kind: FftType) -> Tensor:
    """The roots of unity of `numbers`, by the last dimensions of a tensor of the shape of `like`, computed in f64."""
    sign = 2 * pi if kind in (FftType.IFFT, FftType.IRFFT) else -2 * pi
    angles = numbers.convert(f64) * (sign / length)
    part = like.real().element_type
    real, imaginary = (angles.apply(op_type).convert(part) for op_type in (stablehlo.CosineOp, stablehlo.SineOp))
    return real.with_imaginary(imaginary).broadcast(like.shape, range(like.rank - numbers.rank, like.rank))


def transformed_along(x: Tensor, dim: int, length: int, kind: FftType) -> Tensor:
    """`x` transformed along one dimension."""
    order = [*(d for d in range(x.rank) if d != dim), dim]
    moved = x.transpose(order)
    type = stablehlo.FftOp.infer_result_type(moved.value, kind, [length])
    properties: dict[str, Attribute] = {"fft_type": FftTypeAttr(kind), "fft_length": int_array([length])}
    (result,) = x.builder.emit(stablehlo.FftOp, [moved], [type], properties)
    return result.transpose([order.index(d) for d in range(x.rank)])
