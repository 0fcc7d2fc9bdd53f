"""Real Fourier transforms of a line of n elements, of which p devices have a part each, by complex ones.

The transform to the n / 2 + 1 coefficients is the complex one, whose last exchange brings each device its part of these
only. The transform from them is the four steps backwards: device k gets the coefficients q p + k, makes the others of
these places, which are the conjugates of those that device p - k has, transforms its row, and columns with others.
"""

from __future__ import annotations

from xdsl.dialects.builtin import i32, i64

from ....dialects.stablehlo.attributes import FftType
from ....ir.tensor_builder import Tensor
from .devices import Digits
from .site import Site
from .split_transforms import chunks_of, from_columns, roots, to_columns, transformed_along, transformed_in_parts


def coefficients_in_parts(site: Site, x: Tensor, digits: Digits) -> Tensor:
    """The part of this device of the coefficients of a real line, of which `x` is its part."""
    length = x.shape[-1] * site.devices.parts(digits)
    return transformed_in_parts(site, x.with_imaginary(x.number(0)), digits, FftType.FFT, length // 2 + 1)


def line_in_parts(site: Site, x: Tensor, digits: Digits, length: int) -> Tensor:
    """The part of this device of the real line of `length`, even, of whose coefficients `x` is its part."""
    parts, last = site.devices.parts(digits), x.rank - 1
    width = length // parts
    row = transformed_along(_row(site, x, digits, length), last, width, FftType.IFFT)
    place = Tensor(site.builder, site.emitter.place(digits).value).convert(i64).broadcast((width,), ())
    row = row * roots(row, site.builder.iota(i64, (width,), 0) * place, length, FftType.IFFT)
    columns = transformed_along(to_columns(site, row, digits), last, parts, FftType.IFFT)
    return from_columns(site, columns, digits, width).real()


def _row(site: Site, x: Tensor, digits: Digits, length: int) -> Tensor:
    """Coefficients q p + k, for all q, on device k."""
    parts, last, half = site.devices.parts(digits), x.rank - 1, length // 2
    width, place = length // parts, Tensor(site.builder, site.emitter.place(digits).value)
    first = _first_half(site, x, digits, half)
    pairs = [[group[-k % parts], group[k]] for group in site.devices.groups(digits) for k in range(parts)]
    others = site.emitter.permuted(first, pairs).pad({last: width + 1 - first.shape[last]}).reverse([last])
    begin = place.minimum(1)
    mirrored = others.dynamic_slice({last: begin}, {last: width})
    conjugates = mirrored.real().with_imaginary(-mirrored.imaginary())
    first = first.pad({last: width - first.shape[last]})
    places = site.builder.iota(i32, first.shape, last) * parts + place.broadcast(first.shape, ())
    return (places <= half).select(first, conjugates)


def _first_half(site: Site, x: Tensor, digits: Digits, half: int) -> Tensor:
    """Coefficients q p + k up to `half` on device k, of parts."""
    *batch, size = x.shape
    parts, last = site.devices.parts(digits), len(batch)
    begins, count = chunks_of(size, parts)
    x = (site.indices(x.shape, last, digits) <= half).select(x, 0) if size * parts > half + 1 else x
    if size % parts:
        room = site.builder.splat(x.element_type, (*batch, parts * count), 0)
        x = room.updated(x, {last: site.emitter.place(digits) * size % parts})
    rows = x.reshape((*batch, count, parts)).transpose([*range(last), last + 1, last])
    line = site.emitter.all_to_all(rows, last, last + 1, digits).reshape((*batch, parts * count))
    pieces = [line.slice({last: (part * count, (part + 1) * count)}) for part in range(parts)]
    return _joined(pieces, begins, last, half // parts + 1)


def _joined(pieces: list[Tensor], begins: list[int], dim: int, size: int) -> Tensor:
    """Pieces from these places on; the last element of one and the first of the next may be terms of one element."""
    joined: list[Tensor] = []
    for piece, begin, before in zip(pieces, begins, (None, *begins), strict=False):
        if before is not None:
            shared = begin - before
            previous = pieces[len(joined) - 1]
            if shared < previous.shape[dim]:
                head = piece.slice({dim: (0, 1)}) + previous.slice({dim: (shared, shared + 1)})
                piece = piece.builder.concatenate([head, piece.slice({dim: (1, piece.shape[dim])})], dim)
            joined[-1] = joined[-1].slice({dim: (0, shared)})
        joined.append(piece)
    line = pieces[0].builder.concatenate(joined, dim)
    return line.slice({dim: (0, size)}) if line.shape[dim] > size else line.pad({dim: size - line.shape[dim]})
