"""The shardings that HLO text writes at parameters: `{devices=[2,1,4]<=[8] last_tile_dim_replicate}`."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_TILES = re.compile(r"devices=\[([\d,]+)\](?:<=\[([\d,]+)\](?:T\(([\d,]+)\))?|([\d,]+))( last_tile_dim_replicate)?")


class HloSharding(NamedTuple):
    """Device `devices[i, ..., k]` holds tile `(i, ...)`; devices that differ in `k` hold the same one."""

    devices: NDArray[np.int64]

    def tile_of(self, device: int) -> tuple[int, ...]:
        """Which tile a device holds."""
        (place,) = np.argwhere(self.devices == device)
        return tuple(place[:-1].tolist())


def read_sharding(text: str, rank: int, count: int) -> HloSharding:
    """The sharding of an array of that rank on `count` devices."""
    if text == "{replicated}":
        return HloSharding(np.arange(count).reshape(*[1] * rank, count))
    match = _TILES.fullmatch(text[1:-1])
    assert match, text
    sizes, iota, order, listed, is_replicated = match.groups()
    shape = _numbers(sizes)
    if listed:
        devices = np.array(_numbers(listed)).reshape(shape)
    else:
        devices = np.arange(count).reshape(_numbers(iota))
        devices = devices.transpose(_numbers(order) if order else range(devices.ndim)).reshape(shape)
    return HloSharding(devices if is_replicated else devices[..., None])


def part(array: NDArray[Any], sharding: HloSharding, device: int) -> NDArray[Any]:
    """What a device holds of an array; less than others where the parts are uneven."""
    sizes = [-(-size // parts) for size, parts in zip(array.shape, sharding.devices.shape, strict=False)]
    places = zip(sharding.tile_of(device), sizes, strict=True)
    return array[tuple(slice(place * size, (place + 1) * size) for place, size in places)]


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]
