"""The StableHLO dialect: types, attributes, operations, verifiers and text forms.

Written from the specification (openxla/stablehlo, docs/spec.md), text-compatible with upstream's parser
and printer. One file per family of operations. The error of a verifier names the constraint of the
specification that is broken, such as `stablehlo.transpose (C2): ...`.
"""

# ruff: noqa: F403 (each family exports all it defines)

from __future__ import annotations

from types import ModuleType

from xdsl.ir import Dialect, Operation

from ..registration import ops_of
from . import (
    collective_reductions,
    collectives,
    communication,
    constant,
    contraction,
    control_flow,
    convolution,
    data_movement,
    dynamism,
    elementwise_binary,
    elementwise_unary,
    extensibility,
    gather_scatter,
    indexing,
    linear_algebra,
    normalization,
    quantization,
    random,
    reduction,
    selection,
    slicing,
    window_reduction,
)
from .attributes import *
from .attributes import ATTRIBUTES
from .collective_reductions import *
from .collectives import *
from .communication import *
from .constant import *
from .contraction import *
from .control_flow import *
from .convolution import *
from .data_movement import *
from .dynamism import *
from .elementwise_binary import *
from .elementwise_unary import *
from .extensibility import *
from .gather_scatter import *
from .indexing import *
from .interfaces import ConstantMaterialization
from .linear_algebra import *
from .mesh_attributes import *
from .mesh_attributes import MESH_ATTRIBUTES
from .normalization import *
from .quantization import *
from .random import *
from .reduction import *
from .selection import *
from .slicing import *
from .struct_attribute import *
from .window_reduction import *
from .windows import *

FAMILIES: tuple[ModuleType, ...] = (
    constant,
    elementwise_unary,
    elementwise_binary,
    selection,
    data_movement,
    slicing,
    contraction,
    convolution,
    reduction,
    window_reduction,
    indexing,
    gather_scatter,
    control_flow,
    random,
    linear_algebra,
    extensibility,
    collective_reductions,
    collectives,
    communication,
    normalization,
    dynamism,
    quantization,
)


OPS: list[type[Operation]] = [op for module in FAMILIES for op in ops_of(module)]

StableHLO = Dialect("stablehlo", OPS, [*ATTRIBUTES, *MESH_ATTRIBUTES], [ConstantMaterialization()])
