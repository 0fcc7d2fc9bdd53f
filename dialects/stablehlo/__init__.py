"""The StableHLO dialect: types, attributes, operations, verifiers and text forms.

Written from the specification (openxla/stablehlo, docs/spec.md), text-compatible with upstream's parser and printer. One file per
family of operations; `OPS` and `ATTRIBUTES` list everything.
"""

from __future__ import annotations

from types import ModuleType

from xdsl.ir import Dialect, Operation

from . import (
    constant,
    contraction,
    control_flow,
    data_movement,
    elementwise,
    extensibility,
    indexing,
    linear_algebra,
    random,
    reduction,
)
from .attributes import *
from .attributes import ATTRIBUTES
from .constant import *
from .contraction import *
from .control_flow import *
from .data_movement import *
from .elementwise import *
from .extensibility import *
from .indexing import *
from .linear_algebra import *
from .random import *
from .reduction import *
from .windows import Window

FAMILIES: tuple[ModuleType, ...] = (
    constant,
    elementwise,
    data_movement,
    contraction,
    reduction,
    indexing,
    control_flow,
    random,
    linear_algebra,
    extensibility,
)


def _ops_of(module: ModuleType) -> list[type[Operation]]:
    """The operations a module defines, in order."""
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Operation)
        and value.__module__ == module.__name__
        and "name" in vars(value)
    ]


OPS: list[type[Operation]] = [op for module in FAMILIES for op in _ops_of(module)]

StableHLO = Dialect("stablehlo", OPS, ATTRIBUTES)
