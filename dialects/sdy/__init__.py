"""Shardy's `sdy` dialect: how values are spread over the devices of a mesh.

    sdy.mesh @mesh = <["x"=2]>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<4x4xf32>

`shardings.py` and `sharding_rules.py` are the plain data that passes compute with, which attributes hold or are made
of; `values.py` reads and writes the shardings of values.

On one device none of the ops does anything: `stablehlo-erase-sharding` takes them away, the reference interpreter
passes operands on.

Source: openxla/shardy, shardy/dialect/sdy/ir/{ops.td,attrs.td}.
"""

from xdsl.ir import Attribute, Dialect

from ..registration import ops_of
from . import annotations, collectives, regions
from .axis_attributes import (
    AllToAllParamAttr,
    AllToAllParamListAttr,
    AxisRefAttr,
    AxisRefListAttr,
    ListOfAxisRefListsAttr,
    ManualAxesAttr,
    SubAxisInfoAttr,
)
from .edge_attributes import PropagationEdgesAttr
from .mesh_attributes import MeshAttr, MeshAxisAttr
from .rule_attributes import DimMappingAttr, OpShardingRuleAttr, TensorMappingAttr
from .sharding_attributes import DimensionShardingAttr, TensorShardingAttr, TensorShardingPerValueAttr

ATTRIBUTES: list[type[Attribute]] = [
    AllToAllParamAttr,
    AllToAllParamListAttr,
    AxisRefAttr,
    AxisRefListAttr,
    DimMappingAttr,
    DimensionShardingAttr,
    ListOfAxisRefListsAttr,
    ManualAxesAttr,
    MeshAttr,
    MeshAxisAttr,
    OpShardingRuleAttr,
    PropagationEdgesAttr,
    SubAxisInfoAttr,
    TensorMappingAttr,
    TensorShardingAttr,
    TensorShardingPerValueAttr,
]

SDY = Dialect("sdy", [*ops_of(annotations), *ops_of(regions), *ops_of(collectives)], ATTRIBUTES)
