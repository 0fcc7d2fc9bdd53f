"""How arguments and results are split, as an `xla.OpSharding` says it: the devices of each tile, in order."""

from __future__ import annotations

from math import prod

from ...runtime.sharding.splitting import Splitting
from .messages import number_field, packed_field

_TYPE, _DIMS, _DEVICES, _IS_REPLICATED_ON_LAST = 1, 3, 4, 6
_REPLICATED, _OTHER = 0, 3


def sharding_bytes(splitting: Splitting) -> bytes:
    """The sharding of a tensor; of one that each device has all of, and of terms still to be added, replicated."""
    sharding = splitting.sharding
    rank = len(splitting.shape)
    counts = [1] * rank if sharding is None else [sharding.parts(dim) for dim in range(rank)]
    if prod(counts) == 1:
        return number_field(_TYPE, _REPLICATED)
    tiles: dict[tuple[int, ...], list[int]] = {}
    for device, place in enumerate(splitting.places):
        tiles.setdefault(place.parts, []).append(device)
    devices = [device for parts in sorted(tiles) for device in tiles[parts]]
    copies = len(devices) // prod(counts)
    dims = [*counts, copies] if copies > 1 else counts
    last = number_field(_IS_REPLICATED_ON_LAST, 1) if copies > 1 else b""
    return number_field(_TYPE, _OTHER) + packed_field(_DIMS, dims) + packed_field(_DEVICES, devices) + last
