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
    composite,
    constant,
    contraction,
    control_flow,
    convolution,
    custom_call,
    data_movement,
    dynamism,
    elementwise_binary,
    elementwise_unary,
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
from .composite import *
from .constant import *
from .contraction import *
from .control_flow import *
from .convolution import *
from .custom_call import *
from .custom_call import CALL_CHECKS
from .data_movement import *
from .dynamism import *
from .elementwise_binary import *
from .elementwise_unary import *
from .folding import fold
from .gather_scatter import *
from .indexing import *
from .interfaces import FOLDERS, ConstantMaterialization
from .lapack_calls import verify_factorization
from .linear_algebra import *
from .mesh_attributes import *
from .mesh_attributes import MESH_ATTRIBUTES
from .normalization import *
from .quantization import *
from .ragged_calls import verify_ragged_all_to_all
from .random import *
from .reduction import *
from .selection import *
from .slicing import *
from .struct_attribute import *
from .window_reduction import *
from .windows import *
from .xla_calls import verify_known_call

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
    custom_call,
    composite,
    collective_reductions,
    collectives,
    communication,
    normalization,
    dynamism,
    quantization,
)


OPS: list[type[Operation]] = [op for module in FAMILIES for op in ops_of(module)]

StableHLO = Dialect("stablehlo", OPS, [*ATTRIBUTES, *MESH_ATTRIBUTES], [ConstantMaterialization()])

CALL_CHECKS.extend((verify_factorization, verify_ragged_all_to_all, verify_known_call))
FOLDERS.append(fold)
