"""Mutant number n of a set of seeds, always the same one."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from .byte_mutations import mutate_bytecode, mutate_export
from .readers import BYTECODE, READERS, Reader
from .seeds import Seed
from .text_mutations import mutate_text

USUAL_BYTES = 3000
"""Seeds of this size are drawn half as often as the smallest ones."""


class Mutant(NamedTuple):
    """A damaged program."""

    number: int
    reader: Reader
    seed: str
    """Name of what it was made of."""
    data: bytes


class Mutants:
    """The mutants of seeds, for some of the readers."""

    def __init__(self, seeds: Sequence[Seed], readers: Sequence[str] = tuple(READERS)) -> None:
        self.seeds = {name: [s for s in seeds if s.reader.name == name] for name in readers}
        self.seeds = {name: found for name, found in self.seeds.items() if found}
        self._shares = [READERS[name].share for name in self.seeds]
        self._weights = {
            name: [1 / (1 + len(s.data) / USUAL_BYTES) for s in found] for name, found in self.seeds.items()
        }

    def _draw(self, name: str, random: Random) -> Seed:
        return random.choices(self.seeds[name], self._weights[name])[0]

    def mutant(self, number: int) -> Mutant:
        random = Random(f"mutant {number}")
        name = random.choices(list(self.seeds), self._shares)[0]
        seed = self._draw(name, random)
        data = seed.data
        while True:
            donor = self._draw(name, random) if random.random() < 0.7 else seed
            data = _mutated(data, donor.data, READERS[name], random)
            if random.random() < 0.55:
                return Mutant(number, READERS[name], seed.name, data)


def _mutated(data: bytes, donor: bytes, reader: Reader, random: Random) -> bytes:
    if reader.is_text:
        return mutate_text(data, donor, random)
    return (mutate_bytecode if reader is BYTECODE else mutate_export)(data, donor, random)


def is_run(number: int, share: float) -> bool:
    """Whether mutant `number` is compiled and run if it is accepted."""
    return Random(f"run {number}").random() < share
