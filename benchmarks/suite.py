"""The programs of the yardstick and their inputs.

`programs/NAME.mlir` is the program, `programs/specs.json` gives each input as shape, NumPy type, low and high.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ArgumentError

PROGRAMS = Path(__file__).parent / "programs"


@dataclass(frozen=True)
class Draw:
    """An input: uniformly distributed from `low` to `high` (integers: below it)."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    low: float
    high: float

    def array(self, generator: np.random.Generator) -> NDArray[Any]:
        """The next such array of the generator."""
        if np.issubdtype(self.dtype, np.integer):
            return generator.integers(int(self.low), int(self.high), self.shape, dtype=np.int64).astype(self.dtype)
        return generator.uniform(self.low, self.high, self.shape).astype(self.dtype)


@dataclass(frozen=True)
class Program:
    """One program: its StableHLO text and its inputs."""

    name: str
    text: str
    inputs: tuple[NDArray[Any], ...]


def names() -> list[str]:
    """All program names, in the order of `specs.json`."""
    return list(json.loads((PROGRAMS / "specs.json").read_text()))


def load(name: str, seed: int = 0) -> Program:
    """The program `name` with inputs drawn from `seed`.

    Raises ArgumentError for a name that is not there.
    """
    specs = json.loads((PROGRAMS / "specs.json").read_text())
    if name not in specs:
        raise ArgumentError(f"no benchmark program '{name}'; there are {', '.join(specs)}")
    generator = np.random.default_rng(seed)
    draws = [Draw(tuple(shape), np.dtype(dtype), low, high) for shape, dtype, low, high in specs[name]]
    inputs = tuple(draw.array(generator) for draw in draws)
    return Program(name, (PROGRAMS / f"{name}.mlir").read_text(), inputs)
