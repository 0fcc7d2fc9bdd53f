"""The CHLO dialect: what front ends of StableHLO write beyond it.

Special functions, operations with implicit broadcasting and a few library calls. Text-compatible with
upstream's dialect of that name. `chlo-legalize-to-stablehlo` decomposes them.
"""

# ruff: noqa: F403 (each family exports all it defines)

from __future__ import annotations

from types import ModuleType

from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation

from ..registration import ops_of
from ..stablehlo.custom_call import CALL_CHECKS
from . import broadcasting, library, special_functions
from .attributes import *
from .attributes import ATTRIBUTES
from .broadcasting import *
from .calls import verify_call_of_op
from .library import *
from .special_functions import *

FAMILIES: tuple[ModuleType, ...] = (special_functions, broadcasting, library)

OPS: list[type[IRDLOperation]] = [op for module in FAMILIES for op in ops_of(module)]

CHLO = Dialect("chlo", [*OPS], ATTRIBUTES)

CALL_CHECKS.append(verify_call_of_op)
