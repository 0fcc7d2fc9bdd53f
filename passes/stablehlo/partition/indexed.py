"""Gather and scatter: slices at computed places, of operands that are split where an index points.

An operand may be split along a dimension in which an index points at one element: each device looks for indices that
fall into its part. What a gather finds elsewhere are zeros, and the results of all are put together; a scatter skips
it, as elements beyond the ends. Batches of indices are split like the results or updates that they belong to; where a
scatter combines by one associative op, what devices have scattered from their own updates is combined, then with the
operand where anything was scattered: elsewhere its bits stay, of subnormal numbers too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import AnyFloat, IntegerType, i32
from xdsl.ir import Attribute, Operation

from ....dialects import stablehlo
from ....dialects.dense import integer_type, is_unsigned, splat_bytes
from ....dialects.element_sizes import element_bits
from ....dialects.stablehlo.indexed_dimensions import IndexedDimensions
from ....dialects.stablehlo.regions import single_op
from ....dialects.stablehlo.shapes import element_type_of, shape_of
from ....ir.tensor_builder import Tensor
from ....ir.tensors import int_array, ints
from ..neutral_elements import neutral_of
from .chosen import chooser_of
from .devices import Layout
from .factors import Choice, Dimensions, RuleWriter, choose, partition
from .monoids import constant_of
from .site import Handler, Site


class _Factors(NamedTuple):
    """The factors of the dimensions of a gather or scatter, and the dimensions whose owner an index finds."""

    operand: Dimensions
    indices: Dimensions
    windows: Dimensions
    owned: tuple[int, ...]


def _factors(
    writer: RuleWriter,
    dims: IndexedDimensions,
    shapes: tuple[Sequence[int], Sequence[int], Sequence[int]],
    kind_of: Callable[[int, int], str],
    splits_batch: bool,
) -> _Factors:
    """Factors for operand, indices and windows of these shapes.

    `kind_of` says of a dimension of the operand and the size of a window there: "along" if all of it is in the window,
    "owned" if devices may look for what is theirs, else "whole".
    """
    operand, indices, windows = shapes
    own: list[tuple[int, ...]] = [()] * len(operand)
    of_indices = [(writer.new(n, whole=dim == dims.vector_dim or not splits_batch),) for dim, n in enumerate(indices)]
    for dim, index_dim in zip(dims.batching, dims.indices_batching, strict=True):
        writer.whole.discard(of_indices[index_dim][0])
        own[dim] = of_indices[index_dim]
    of_windows: list[tuple[int, ...]] = [()] * len(windows)
    batch = iter(dim for dim in range(len(indices)) if dim != dims.vector_dim)
    kept = iter(dim for dim in range(len(operand)) if dim not in (*dims.dropped, *dims.batching))
    owned: list[int] = []
    for place in range(len(windows)):
        if place not in dims.window:
            of_windows[place] = of_indices[next(batch)]
            continue
        dim = next(kept)
        kind = kind_of(dim, windows[place])
        own[dim] = (writer.new(operand[dim], whole=kind == "whole"),)
        of_windows[place] = own[dim] if kind == "along" else (writer.new(windows[place], whole=True),)
        owned += [dim] if kind == "owned" else []
    for dim in dims.dropped:
        is_owned = kind_of(dim, 1) == "owned"
        own[dim] = (writer.new(operand[dim], whole=not is_owned),)
        owned += [dim] if is_owned else []
    return _Factors(tuple(own), tuple(of_indices), tuple(of_windows), tuple(sorted(owned)))


def _gather(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.GatherOp)
    dims, writer = IndexedDimensions(*op.dimension_numbers.data), RuleWriter()
    shapes = shape_of(op.operand), shape_of(op.start_indices), shape_of(op.result)
    element = element_type_of(op.result)
    combiner, neutral = chooser_of(element)

    def kind_of(dim: int, size: int) -> str:
        if size == shapes[0][dim]:
            return "along" if dim not in dims.dropped else "whole"
        return "owned" if size == 1 and dim in dims.index_map and neutral is not None else "whole"

    factors = _factors(writer, dims, shapes, kind_of, splits_batch=True)

    def emit(site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
        x, indices = operands
        split = [dim for dim in factors.owned if choice.operands[0].dimensions[dim]]
        sizes = ints(op, "slice_sizes")
        local = [x.shape[dim] if size == shapes[0][dim] else size for dim, size in enumerate(sizes)]
        properties: dict[str, Attribute] = {"slice_sizes": int_array(local)}
        if not split:
            return site.emit(operands, choice.results, properties)
        places = _Places(site, dims, indices, shapes[0], choice)
        own = places.own(split, clamps=True)
        (found,) = site.emit([x, own], choice.results, properties)
        batch = [dim for dim in range(found.rank) if dim not in dims.window]
        is_here = places.are_inside(own, split, x.shape).broadcast(found.shape, batch)
        assert neutral is not None
        return [is_here.select(found, found.number(neutral))]

    partition(site, writer.rule([factors.operand, factors.indices], [factors.windows]), emit, combiner)


def _scatter(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.ScatterOp)
    count = len(op.results)
    dims, writer = IndexedDimensions(*op.scatter_dimension_numbers.data), RuleWriter()
    shapes = shape_of(op.inputs[0]), shape_of(op.scatter_indices), shape_of(op.updates[0])
    combiner = single_op(op.update_computation) if count == 1 else None
    element = element_type_of(op.results[0])
    neutral = None if combiner is None else neutral_of(type(combiner), element)
    if element_type_of(op.inputs[0]) != element:
        neutral = None

    def kind_of(dim: int, size: int) -> str:
        if dim in dims.index_map:
            return "owned" if size == 1 else "whole"
        return "along" if size == shapes[0][dim] and dim not in dims.dropped else "whole"

    factors = _factors(writer, dims, shapes, kind_of, splits_batch=neutral is not None)
    has_bits = _has_bits_to_keep(op)

    def emit(site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
        inputs, indices, updates = operands[:count], operands[count], operands[count + 1 :]
        if partial := choice.results[0].partial:
            assert neutral is not None
            x = inputs[0]
            is_first = Tensor(site.builder, site.emitter.place(partial).equals(0).value)
            inputs = [x.number(neutral) if has_bits else is_first.broadcast(x.shape, ()).select(x, x.number(neutral))]
            batch = [dim for dim in range(len(shapes[2])) if dim not in dims.window]
            updates = [site.masked(y, shapes[2], choice.operands[-1], batch, neutral) for y in updates]
        if split := [dim for dim in factors.owned if choice.operands[0].dimensions[dim]]:
            indices = _Places(site, dims, indices, shapes[0], choice).own(split, clamps=False)
        return site.emit([*inputs, indices, *updates], choice.results)

    operands = [factors.operand] * count + [factors.indices] + [factors.windows] * count
    rule = writer.rule(operands, [factors.operand] * count)
    choice = choose(site, rule)
    if combiner is not None and neutral is not None and has_bits and choice.results[0].partial:
        rest = [site.read(index, layout) for index, layout in enumerate(choice.operands) if index]
        read = [site.builder.splat(element, site.local_shape(shapes[0], choice.operands[0]), neutral), *rest]
        _combine_touched(site, choice.results[0], emit(site, read, choice)[0], type(combiner), neutral)
    else:
        partition(site, rule, emit, stablehlo.AddOp if combiner is None else type(combiner))


def _has_bits_to_keep(op: stablehlo.ScatterOp) -> bool:
    """Whether the operand may hold elements that arithmetic changes: subnormal floats."""
    element = element_type_of(op.inputs[0])
    if not isinstance(element, AnyFloat) or element_bits(element) not in (16, 32, 64):
        return False
    constant = constant_of(op.inputs[0])
    return constant is None or splat_bytes(constant.properties["value"]) is None


def _combine_touched(site: Site, layout: Layout, parts: Tensor, combiner: type[Operation], neutral: bytes) -> None:
    """The result, of what all devices have scattered into neutral elements; what nobody has changed keeps its bits."""
    wanted = site.partitioner.declared(site.op.results[0])
    there = layout.whole() if wanted is None else wanted.whole()
    total = site.value(0, layout, parts, combiner).in_layout(there)
    bits = IntegerType(element_bits(total.element_type))
    is_changed = total.bitcast(bits).differs(total.number(neutral).bitcast(bits))
    x = site.read(0, there)
    (combined,) = site.builder.emit(combiner, (x, total), (x.type,))
    site.define(0, there, is_changed.select(combined, x))


class _Places:
    """Indices into an operand that is split, as indices into the part of a device."""

    def __init__(
        self, site: Site, dims: IndexedDimensions, indices: Tensor, shape: Sequence[int], choice: Choice
    ) -> None:
        self.site, self.dims, self.shape = site, dims, shape
        self.digits = choice.operands[0].dimensions
        self.indices = _signed(indices)

    def own(self, split: Sequence[int], clamps: bool) -> Tensor:
        """Indices counted from where the own part begins along the dimensions `split`; `clamps` them to the whole."""
        begins: list[Tensor] = []
        limits: list[Tensor] = []
        for dim in self.dims.index_map:
            local = self.site.devices.local_size(self.shape[dim], self.digits[dim])
            is_split = dim in split
            begins.append(self.site.emitter.offset(self.digits[dim], local) if is_split else self._scalar(0))
            limits.append(self._scalar(self.shape[dim] - 1 if is_split else _GREATEST))
        indices = self.indices
        if clamps:
            lowest = [self._scalar(0 if dim in split else -_GREATEST) for dim in self.dims.index_map]
            indices = indices.maximum(self._vector(lowest)).minimum(self._vector(limits))
        return indices - self._vector(begins)

    def are_inside(self, own: Tensor, split: Sequence[int], local: Sequence[int]) -> Tensor:
        """Of each index, whether it points into the own part."""
        inside: list[Tensor] = []
        for component, dim in enumerate(self.dims.index_map):
            if dim in split:
                place = self._component(own, component)
                inside += [place.at_least(0), place < local[dim]]
        result = inside[0]
        for other in inside[1:]:
            result = result & other
        return result

    def _component(self, indices: Tensor, number: int) -> Tensor:
        vector = self.dims.vector_dim
        if vector == indices.rank:
            return indices
        shape = [size for dim, size in enumerate(indices.shape) if dim != vector]
        return indices.slice({vector: (number, number + 1)}).reshape(shape)

    def _scalar(self, number: int) -> Tensor:
        return self.site.builder.splat(i32, (), number)

    def _vector(self, scalars: Sequence[Tensor]) -> Tensor:
        """One number for each component, in the shape of the indices."""
        shape, vector = self.indices.shape, self.dims.vector_dim
        if vector == len(shape):
            return Tensor(self.site.builder, scalars[0].value).convert(self.indices.element_type).broadcast(shape, ())
        parts = [Tensor(self.site.builder, scalar.value) for scalar in scalars]
        return self.site.builder.vector(parts).convert(self.indices.element_type).broadcast(shape, (vector,))


_GREATEST = (1 << 31) - 1
"""An i32 that no index into a dimension reaches that is not split."""


def _signed(indices: Tensor) -> Tensor:
    """Indices of a signed type in which they can be counted from any part."""
    type = integer_type(indices.element_type)
    assert type is not None
    bits = type.width.data + is_unsigned(type)
    return indices.convert(i32) if bits <= 32 else indices.wide()


INDEXED: dict[type[Operation], Handler] = {stablehlo.GatherOp: _gather, stablehlo.ScatterOp: _scatter}
"""Op type to handler."""
