"""`CostModel`: every choice of the compiler that weighs one cost against another, as one object.

Passes get it from the context they run in (`cost_model_of`). A model of one's own is one with other numbers,

    replace(DEFAULT, sorting=replace(DEFAULT.sorting, sorted_list=64))

or one whose parts are subclasses with other methods.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import cast

from .communication import Communication
from .contractions import Contractions, Matrix
from .copies import Copies
from .factorizations import Factorizations
from .folding import Folding
from .fourier import Fourier
from .fusion import Fusion
from .kernels import Kernels
from .layers import Layers
from .llvm import LlvmTiers
from .loops import Loops
from .memory import Memory
from .operations import Operations
from .parallelism import Parallelism
from .register_tiles import RegisterTiles
from .safepoints import Safepoints
from .sorting import Sorting
from .sums import Sums
from .target import Target, host, with_dot_products, with_vector_bits
from .tuning import Tuning
from .vectors import Vectors


@dataclass(frozen=True)
class CostModel:
    """Facts about one machine, and the choices made for it, by area."""

    target: Target = field(default_factory=host)
    operations: Operations = field(default_factory=Operations)
    folding: Folding = field(default_factory=Folding)
    layers: Layers = field(default_factory=Layers)
    factorizations: Factorizations = field(default_factory=Factorizations)
    fourier: Fourier = field(default_factory=Fourier)
    sorting: Sorting = field(default_factory=Sorting)
    fusion: Fusion = field(default_factory=Fusion)
    kernels: Kernels = field(default_factory=Kernels)
    memory: Memory = field(default_factory=Memory)
    parallelism: Parallelism = field(default_factory=Parallelism)
    contractions: Contractions = field(default_factory=Contractions)
    tiles: RegisterTiles = field(default_factory=RegisterTiles)
    loops: Loops = field(default_factory=Loops)
    sums: Sums = field(default_factory=Sums)
    communication: Communication = field(default_factory=Communication)
    copies: Copies = field(default_factory=Copies)
    vectors: Vectors = field(default_factory=Vectors)
    safepoints: Safepoints = field(default_factory=Safepoints)
    tuning: Tuning = field(default_factory=Tuning)
    llvm: LlvmTiers = field(default_factory=LlvmTiers)

    def matrix(self, elements: int, bits: int) -> Matrix:
        """A matrix of so many `elements` of `bits` bits, on this machine."""
        return Matrix(elements * bits // 8, bits // 8, self.target.lanes(bits), self.target.l1_bytes)


@cache
def host_model() -> CostModel:
    """The compiler's own choices for the CPU this process runs on."""
    return CostModel()


def cost_model_of(context: object, vector_bits: int = 0, dot_products: str = "") -> CostModel:
    """The model that the driver has put into the `Context` of xDSL, otherwise the host's. `vector_bits`: an option of
    passes; where it is not 0 the choices are the same, for a generic CPU with vectors of that width. `dot_products`:
    another one, the instructions of that kind that the CPU has, as `with_dot_products` takes them.
    """
    model: CostModel = getattr(context, "cost_model", None) or host_model()
    if vector_bits:
        model = replace(model, target=with_vector_bits(vector_bits))
    return replace(model, target=with_dot_products(model.target, dot_products)) if dot_products else model


def fingerprint(model: CostModel) -> str | None:
    """What tells `model` from any other, in this process and in later ones; None where nothing does.

    That is the qualified names of its classes and all its numbers. Of a class from outside of this package, what it
    decides is known by the file it stands in; one that stands in none has no fingerprint, and neither has a model with
    fields that are not numbers, texts or tables of these.
    """
    parts: list[str] = []
    if not _describe(model, parts):
        return None
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()


def _describe(value: object, parts: list[str]) -> bool:
    """Append what `value` is; False where that cannot be said."""
    if value is None or isinstance(value, bool | int | float | str):
        parts.append(repr(value))
        return True
    if isinstance(value, tuple | Mapping):
        table = isinstance(value, Mapping)
        items = list(cast("Mapping[object, object]", value).items() if table else cast("tuple[object, ...]", value))
        parts.append(f"{'table' if table else 'tuple'} of {len(items)}")
        return all(_describe(item, parts) for item in items)
    if isinstance(value, type) or not is_dataclass(value) or not _describe_class(type(value), parts):
        return False
    return all(_describe(item, parts) for item in vars(value).items())


def _describe_class(cls: type, parts: list[str]) -> bool:
    """Append the names of `cls` and its bases, and the text of those that are not this package's."""
    package = __name__.rpartition(".")[0]
    for base in cls.__mro__[:-1]:
        parts.append(f"{base.__module__}.{base.__qualname__}")
        if base.__module__.rpartition(".")[0] == package:
            continue
        file = getattr(sys.modules.get(base.__module__), "__file__", None)
        if file is None:
            return False
        try:
            parts.append(hashlib.blake2b(Path(file).read_bytes()).hexdigest())
        except OSError:
            return False
    return True
