"""How arguments and results are split, as an `xla.OpSharding` says it: the devices of each tile, in order."""

from __future__ import annotations

from collections import Counter
from math import prod
from typing import TYPE_CHECKING

from .messages import number_field, packed_field

if TYPE_CHECKING:
    from ...runtime.sharding.splitting import Place, Splitting

_TYPE, _DIMS, _DEVICES, _IS_REPLICATED_ON_LAST, _LAST_TYPES = 1, 3, 4, 6, 8
_REPLICATED, _OTHER, _UNREDUCED = 0, 3, 6
REPLICATED = number_field(_TYPE, _REPLICATED)


def sharding_bytes(splitting: Splitting) -> bytes:
    """The sharding of a tensor; replicated for one that each device has all of."""
    sharding = splitting.sharding
    rank = len(splitting.shape)
    counts = [1] * rank if sharding is None else [sharding.parts(dim) for dim in range(rank)]
    terms = len({place.term for place in splitting.places})
    if prod(counts) * terms == 1:
        return REPLICATED
    devices = _in_order_of_tiles(splitting)
    copies = len(devices) // (prod(counts) * terms)
    last = [(copies, _REPLICATED)] * (copies > 1) + [(terms, _UNREDUCED)] * (terms > 1)
    dims = [*counts, *(size for size, _ in last)]
    message = number_field(_TYPE, _OTHER) + packed_field(_DIMS, dims) + packed_field(_DEVICES, devices)
    if terms > 1:
        return message + packed_field(_LAST_TYPES, [kind for _, kind in last])
    return message + (number_field(_IS_REPLICATED_ON_LAST, 1) if copies > 1 else b"")


def _in_order_of_tiles(splitting: Splitting) -> list[int]:
    """The devices tile by tile: of a tile one copy after the other, of a copy one term after the other."""
    seen: Counter[Place] = Counter()
    keys: list[tuple[tuple[int, ...], int, int]] = []
    for place in splitting.places:
        keys.append((place.parts, seen[place], place.term))
        seen[place] += 1
    return sorted(range(len(keys)), key=keys.__getitem__)
