"""The text of a sharding in HLO: which device has which tile of a tensor.

    {replicated}   {manual}   {maximal device=3}   {{replicated}, {manual}}
    {devices=[2,1,4]<=[8] last_tile_dim_replicate}
    {devices=[4,2]<=[2,4]T(1,0) last_tile_dims={manual}}
    {devices=[2,2]0,2,1,3 metadata={op_name="x"}}

`devices=[tiles]<=[dims]T(order)` are the numbers from 0 on as an array of shape `dims`, transposed, as an array of
shape `tiles`: a dimension for each of the tensor, and behind them one for each kind of group whose devices have the
same tile.

Source: openxla/xla, xla/hlo/parser/hlo_parser.cc and xla/hlo/ir/hlo_sharding.cc.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ....dialects.limits import MOST_DIMENSIONS, MOST_PROCESSES
from ....errors import InvalidProgramError

TOKEN = re.compile(r'\s*(<=|[{}\[\](),=]|"(?:[^"\\]|\\.)*"|[A-Za-z_][\w.]*|-?\d+)')

GROUP_KINDS = ("replicated", "manual", "unreduced")
NUMBER = re.compile(r"\d{1,18}", re.ASCII)
"""As many digits as any number of 64 bits may have."""


class TileSharding(NamedTuple):
    """How a tensor is divided into tiles, and which devices have each of them."""

    devices: np.ndarray[Any, np.dtype[np.int64]]
    """By tile along each dimension of the tensor, and by place in each group."""
    groups: tuple[str, ...] = ()
    """The kind of each group, by the last dimensions of `devices`: `replicated`, `manual` or `unreduced`."""

    @property
    def rank(self) -> int:
        """Of the tensor."""
        return self.devices.ndim - len(self.groups)


class UniformSharding(NamedTuple):
    """The same for all devices, however many there are: `replicated`, `manual`, `unreduced` or `unknown`."""

    kind: str


class MaximalSharding(NamedTuple):
    """One device has the tensor."""

    device: int


HloSharding = TileSharding | UniformSharding | MaximalSharding


def parse_shardings(text: str) -> tuple[HloSharding, ...]:
    """The shardings of a tuple, or the one of a tensor. Raises `InvalidProgramError`."""
    return _Reader(text).read()


class _Reader:
    """The tokens of a text, from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = []
        position = 0
        while position < len(text.rstrip()):
            found = TOKEN.match(text, position)
            if found is None:
                self._fail()
            self.tokens.append(found[1])
            position = found.end()
        self.tokens.append("")
        self.next = 0

    def _fail(self) -> NoReturn:
        raise InvalidProgramError(f"not a sharding of HLO: {self.text!r:.200}")

    def read(self) -> tuple[HloSharding, ...]:
        shardings: list[HloSharding] = []
        if self.tokens[:2] == ["{", "{"]:
            self._take("{")
            shardings.append(self._sharding())
            while self._optional(","):
                shardings.append(self._sharding())
            self._take("}")
        elif self.tokens[:2] == ["{", "}"]:
            self.next += 2
        else:
            shardings.append(self._sharding())
        if self.tokens[self.next]:
            self._fail()
        return tuple(shardings)

    def _optional(self, token: str) -> bool:
        if self.tokens[self.next] != token:
            return False
        self.next += 1
        return True

    def _take(self, token: str) -> None:
        if not self._optional(token):
            self._fail()

    def _number(self) -> int:
        token = self.tokens[self.next]
        self.next += 1
        if not NUMBER.fullmatch(token):
            self._fail()
        return int(token)

    def _numbers(self) -> list[int]:
        numbers = [self._number()]
        while self._optional(","):
            numbers.append(self._number())
        return numbers

    def _bracketed(self) -> list[int]:
        self._take("[")
        numbers = self._numbers()
        self._take("]")
        return numbers

    def _sharding(self) -> HloSharding:
        self._take("{")
        found: HloSharding | None = None
        groups: tuple[str, ...] = ()
        while not self._optional("}"):
            word = self.tokens[self.next]
            self.next += 1
            if word in ("replicated", "manual", "unreduced", "unknown"):
                found = UniformSharding(word)
            elif word == "maximal":
                self._take("device")
                self._take("=")
                found = MaximalSharding(self._number())
            elif word == "devices":
                self._take("=")
                found = TileSharding(self._devices())
            elif word == "last_tile_dim_replicate":
                groups = ("replicated",)
            elif word == "last_tile_dims":
                self._take("=")
                groups = self._groups()
            elif word == "metadata":
                self._take("=")
                self._skip_braces()
            elif word in ("shard_as", "shard_like"):
                self._number()
            elif word != ",":
                self._fail()
        if found is None:
            self._fail()
        return self._with_groups(found, groups)

    def _with_groups(self, sharding: HloSharding, groups: tuple[str, ...]) -> HloSharding:
        if not isinstance(sharding, TileSharding):
            return sharding
        if len(groups) > sharding.devices.ndim:
            self._fail()
        return sharding._replace(groups=groups)

    def _sizes(self) -> list[int]:
        """Of an array of devices."""
        sizes = self._bracketed()
        if len(sizes) > MOST_DIMENSIONS or not 1 <= prod(sizes) <= MOST_PROCESSES:
            self._fail()
        return sizes

    def _devices(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        tiles = self._sizes()
        if self._optional("<="):
            sizes = self._sizes()
            order: Sequence[int] = range(len(sizes))
            if self._optional("T"):
                self._take("(")
                order = self._numbers()
                self._take(")")
            if sorted(order) != list(range(len(sizes))) or prod(sizes) != prod(tiles):
                self._fail()
            return np.arange(prod(sizes), dtype=np.int64).reshape(sizes).transpose(order).reshape(tiles)
        devices = self._numbers()
        if sorted(devices) != list(range(prod(tiles))):
            self._fail()
        return np.array(devices, np.int64).reshape(tiles)

    def _groups(self) -> tuple[str, ...]:
        self._take("{")
        groups: list[str] = []
        while not self._optional("}"):
            word = self.tokens[self.next]
            self.next += 1
            if word in GROUP_KINDS:
                groups.append(word)
            elif word != ",":
                self._fail()
        return tuple(groups)

    def _skip_braces(self) -> None:
        self._take("{")
        depth = 1
        while depth:
            token = self.tokens[self.next]
            self.next += 1
            depth += (token == "{") - (token == "}")
            if not token:
                self._fail()
