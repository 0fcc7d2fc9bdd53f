"""What the steps of a route are in StableHLO: collectives among the partitions of a module, slices, padding.

Groups are of partitions of one replica, given as ids of devices, each collective with a channel of its own.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, UnitAttr, i32, i64
from xdsl.ir import Attribute, Operation

from ....dialects import stablehlo
from ....dialects.shared_attributes import i64_attribute, tensor_type
from ....dialects.stablehlo.attributes import ChannelHandleAttr
from ....dialects.stablehlo.replica_groups import id_matrix, pair_matrix
from ....ir.tensor_builder import Tensor, TensorBuilder
from ..neutral_elements import neutral_of
from .chosen import exchange_bits
from .devices import Devices, Digits, Layout
from .routes import Combine, Cut, Embed, Gather, Move, Permute, Scatter, Spread, Step

DEVICE_TO_DEVICE = 1
"""The type of a channel."""


class Emitter:
    """Emits steps, and what a device has to know of its own place."""

    def __init__(self, devices: Devices, entry: TensorBuilder, channels: count[int], replicas: int = 1) -> None:
        self.devices = devices
        self._replicas = replicas
        self.entry = entry
        self.manual: Digits = ()
        """The digits over which the program is local already: devices that differ in them have other values."""
        self._channels = channels
        self._places: dict[Digits, Tensor] = {}

    @contextmanager
    def in_order(self, order: tuple[int, ...]) -> Generator[None]:
        """The numbers of the devices are those of another order meanwhile."""
        outer = self.devices, self._places
        self.devices, self._places = replace(self.devices, order=order), {}
        yield
        self.devices, self._places = outer

    def step(
        self, step: Step, x: Tensor, shape: Sequence[int], before: Layout, after: Layout, combiner: type[Operation]
    ) -> Tensor:
        """`x`, a part by `before` of a tensor of `shape`, as a part by `after`."""
        match step:
            case Cut(dim, digits):
                return self.part(self._padded(x, dim, after, shape), dim, digits)
            case Gather(dim, digits):
                return self._trimmed(self.all_gather(x, dim, digits), dim, after, shape)
            case Move(source, target, digits):
                moved = self.all_to_all(self._padded(x, target, after, shape), target, source, digits)
                return self._trimmed(moved, source, after, shape)
            case Permute():
                return self._permute(x, before, after)
            case Combine(digits):
                return exchange_bits(x, combiner, lambda bits: self._all_reduce(bits, digits, combiner))
            case Scatter(dim, digits):
                padded = self._padded(x, dim, after, shape)
                return exchange_bits(padded, combiner, lambda bits: self._reduce_scatter(bits, dim, digits, combiner))
            case Spread(digits):
                return self._spread(x, digits, combiner)
            case Embed(dim, digits):
                return self._trimmed(self._embedded(x, dim, digits), dim, after, shape)

    # The place of a device

    def place(self, digits: Digits) -> Tensor:
        """Which of the parts that `digits` make is this device's: a scalar of i32."""
        found = self._places.get(digits)
        if found is None:
            found = self._places[digits] = self._emit_place(digits)
        return found

    def _emit_place(self, digits: Digits) -> Tensor:
        if not digits:
            return self.entry.splat(i32, (), 0)
        number = self._number()
        if digits == tuple(range(digits[0], digits[-1] + 1)):
            stride, parts = self.devices.stride(digits[-1]), self.devices.parts(digits)
            shifted = number / stride if stride > 1 else number
            return shifted % parts if digits[0] else shifted
        table = np.array(self.devices.coordinates(digits))
        return self._looked_up(table, number)

    def _number(self) -> Tensor:
        """The number of this device."""
        digits = tuple(range(len(self.devices.sizes)))
        if digits not in self._places:
            (id,) = self.entry.emit(stablehlo.PartitionIdOp, (), (tensor_type(stablehlo.collectives.ui32),))
            number, order = id.convert(i32), self.devices.order
            if order != tuple(range(len(order))):
                number = self._looked_up(np.argsort(order), number)
            self._places[digits] = number
        return self._places[digits]

    def _looked_up(self, table: np.ndarray[tuple[int, ...], np.dtype[np.int64]], index: Tensor) -> Tensor:
        constant = self.entry.constant(table, i32)
        return constant.dynamic_slice({0: index}, {0: 1}).reshape(())

    # Local steps

    def _padded(self, x: Tensor, dim: int, after: Layout, shape: Sequence[int]) -> Tensor:
        """With zeros behind a whole dimension that is going to be split, for parts of one size."""
        digits = after.dimensions[dim]
        local = self.devices.local_size(shape[dim], digits)
        total = local * self.devices.parts(digits)
        return x.pad({dim: total - shape[dim]}) if x.shape[dim] == shape[dim] else x

    def _trimmed(self, x: Tensor, dim: int, after: Layout, shape: Sequence[int]) -> Tensor:
        """Without the padding behind a dimension that is whole now."""
        return x if after.dimensions[dim] else x.slice({dim: (0, shape[dim])})

    def part(self, x: Tensor, dim: int, digits: Digits) -> Tensor:
        """This device's part of a dimension, among parts of one size by `digits`."""
        size = x.shape[dim] // self.devices.parts(digits)
        return x.dynamic_slice({dim: self.offset(digits, size)}, {dim: size}) if size else x.slice({dim: (0, 0)})

    def offset(self, digits: Digits, size: int) -> Tensor:
        """Where the part of this device begins, parts by `digits` being of `size`: a scalar of i32."""
        place = self.place(digits)
        return place if size == 1 else place * size

    def _spread(self, x: Tensor, digits: Digits, combiner: type[Operation]) -> Tensor:
        is_first = Tensor(x.builder, self.place(digits).equals(0).value).broadcast(x.shape, ())
        return is_first.select(x, neutral_number(combiner, x))

    def _embedded(self, x: Tensor, dim: int, digits: Digits) -> Tensor:
        """`x` as the part of this device, by `digits`, of zeros."""
        zeros = x.builder.splat(x.element_type, _scaled(x.shape, dim, self.devices.parts(digits)), 0)
        return zeros.updated(x, {dim: self.offset(digits, x.shape[dim])})

    # Collectives

    def _channel(self) -> Attribute:
        return ChannelHandleAttr((next(self._channels), DEVICE_TO_DEVICE))

    def _collective(
        self,
        op_type: type[Operation],
        x: Tensor,
        shape: Sequence[int],
        digits: Digits,
        properties: dict[str, Attribute],
        combiner: type[Operation] | None = None,
    ) -> Tensor:
        """A collective of all groups that differ in `digits`."""
        regions = () if combiner is None else [x.combination(combiner)]
        groups: dict[str, Attribute] = {
            "replica_groups": id_matrix(self._groups(digits, op_type is not stablehlo.AllToAllOp)),
            "channel_handle": self._channel(),
        }
        types = (tensor_type(x.element_type, *shape),)
        return x.builder.emit(op_type, (x,), types, {**properties, **groups}, regions)[0]

    def _groups(self, digits: Digits, of_devices: bool) -> list[list[int]]:
        """The groups of partitions, or of the devices that they are in each replica."""
        groups, replicas = self.devices.groups(digits), range(self._replicas if of_devices else 1)
        return [[replica * self.devices.count + id for id in group] for replica in replicas for group in groups]

    def all_gather(self, x: Tensor, dim: int, digits: Digits) -> Tensor:
        """`x` of all devices that differ in `digits`, one after the other along `dim`."""
        shape = _scaled(x.shape, dim, self.devices.parts(digits))
        properties: dict[str, Attribute] = {"all_gather_dim": i64_attribute(dim), "use_global_device_ids": UnitAttr()}
        return self._collective(stablehlo.AllGatherOp, x, shape, digits, properties)

    def stacked(self, x: Tensor, digits: Digits) -> Tensor:
        """`x` of all devices that differ in `digits`, along a new first dimension."""
        return self.all_gather(x.reshape((1, *x.shape)), 0, digits)

    def from_root(self, x: Tensor, digits: Digits, root: int) -> Tensor:
        """`x` of the device whose place by `digits` is `root`, for all that differ in `digits`."""
        groups = [[group[root], *group[:root], *group[root + 1 :]] for group in self.devices.groups(digits)]
        properties = {"replica_groups": id_matrix(groups), "channel_handle": self._channel()}
        return x.builder.emit(stablehlo.CollectiveBroadcastOp, (x,), (x.type,), properties)[0]

    def all_to_all(self, x: Tensor, split: int, concat: int, digits: Digits) -> Tensor:
        """A piece of `x` along `split` for each device that differs in `digits`; what comes is put along `concat`."""
        parts = self.devices.parts(digits)
        shape = list(_scaled(x.shape, concat, parts))
        shape[split] //= parts
        dims = {"split_dimension": split, "concat_dimension": concat, "split_count": parts}
        properties: dict[str, Attribute] = {name: IntegerAttr(value, i64) for name, value in dims.items()}
        return self._collective(stablehlo.AllToAllOp, x, shape, digits, properties)

    def _all_reduce(self, x: Tensor, digits: Digits, combiner: type[Operation]) -> Tensor:
        properties: dict[str, Attribute] = {"use_global_device_ids": UnitAttr()}
        return self._collective(stablehlo.AllReduceOp, x, x.shape, digits, properties, combiner)

    def _reduce_scatter(self, x: Tensor, dim: int, digits: Digits, combiner: type[Operation]) -> Tensor:
        shape = list(x.shape)
        shape[dim] //= self.devices.parts(digits)
        properties: dict[str, Attribute] = {
            "scatter_dimension": i64_attribute(dim),
            "use_global_device_ids": UnitAttr(),
        }
        return self._collective(stablehlo.ReduceScatterOp, x, shape, digits, properties, combiner)

    def _permute(self, x: Tensor, before: Layout, after: Layout) -> Tensor:
        """From who has a part to who is to have it, each device being sender and receiver once."""
        pairs = self.permutation(before, after)
        return self.permuted(x, pairs)

    def moved(self, x: Tensor, sources: Sequence[int], targets: Sequence[int]) -> Tensor:
        """What each of the devices `sources` has, on those of `targets`."""
        return self.permuted(x, [list(pair) for pair in zip(sources, targets, strict=True)])

    def permuted(self, x: Tensor, pairs: Sequence[Sequence[int]]) -> Tensor:
        """What the source of each device (source, target) has; zeros for who is no target."""
        properties = {"source_target_pairs": pair_matrix(pairs), "channel_handle": self._channel()}
        return x.builder.emit(stablehlo.CollectivePermuteOp, (x,), (x.type,), properties)[0]

    def permutation(self, before: Layout, after: Layout) -> list[list[int]]:
        """Pairs of partitions; who has what it is to have keeps it."""
        has, wants = (self._parts_by_device(layout) for layout in (before, after))
        sources: dict[tuple[int, ...], list[int]] = {}
        pairs: list[list[int]] = []
        for number, (part, wanted) in enumerate(zip(has, wants, strict=True)):
            if part == wanted:
                pairs.append([self.devices.order[number]] * 2)
            else:
                sources.setdefault(part, []).append(number)
        for number, (part, wanted) in enumerate(zip(has, wants, strict=True)):
            if part != wanted:
                pairs.append([self.devices.order[sources[wanted].pop(0)], self.devices.order[number]])
        return pairs

    def _parts_by_device(self, layout: Layout) -> list[tuple[int, ...]]:
        places = [self.devices.coordinates(digits) for digits in (*layout.dimensions, self.manual)]
        return list(zip(*places, strict=True))


def neutral_number(combiner: type[Operation], x: Tensor) -> Tensor:
    """The element that changes nothing, in the shape and type of `x`."""
    value = neutral_of(combiner, x.element_type)
    assert value is not None
    return x.number(value)


def _scaled(shape: Sequence[int], dim: int, factor: int) -> tuple[int, ...]:
    return (*shape[:dim], shape[dim] * factor, *shape[dim + 1 :])
