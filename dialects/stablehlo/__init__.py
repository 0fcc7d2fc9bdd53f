"""The StableHLO dialect: types, attributes, operations, verifiers and text forms.

Written from the specification (openxla/stablehlo, docs/spec.md), text-compatible with upstream's parser
and printer. One file per family of operations. The error of a verifier names the constraint of the
specification that is broken, such as `stablehlo.transpose (C2): ...`.
"""

# ruff: noqa: F403 (each family exports all it defines)

from __future__ import annotations

from xdsl.ir import Dialect

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
from .dynamic_calls import verify_dynamic_call
from .dynamism import *
from .elementwise_binary import *
from .elementwise_unary import *
from .families import FAMILIES as FAMILIES
from .families import OPS
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
from .sparse_calls import verify_sparse_product
from .struct_attribute import *
from .window_reduction import *
from .windows import *
from .xla_calls import verify_known_call

StableHLO = Dialect("stablehlo", [*OPS], [*ATTRIBUTES, *MESH_ATTRIBUTES], [ConstantMaterialization()])

CALL_CHECKS.extend(
    (verify_factorization, verify_ragged_all_to_all, verify_sparse_product, verify_known_call, verify_dynamic_call)
)
FOLDERS.append(fold)
