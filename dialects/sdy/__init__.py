"""Shardy's `sdy` dialect: how values are spread over the devices of a mesh.

    sdy.mesh @mesh = <["x"=2]>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<4x4xf32>

`shardings.py` and `sharding_rules.py` are the plain data that passes compute with, which attributes hold or are made
of; `values.py` reads and writes the shardings of values.

On one device none of the ops does anything: `stablehlo-erase-sharding` takes them away, the reference interpreter
passes operands on.

Source: openxla/shardy, shardy/dialect/sdy/ir/{ops.td,attrs.td}.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import IRDLOperation

from ..registration import ops_of
from . import annotations, collectives, regions
from .annotations import MeshOp, ShardingGroupOp
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
from .tensor_op import ForwardingOp

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


def forwarded(op: IRDLOperation) -> Sequence[SSAValue] | None:
    """The values the results of an op of this dialect are where there is one device; None for an op that is more than
    its operands.
    """
    if isinstance(op, MeshOp | ShardingGroupOp):
        return ()
    return op.operands if isinstance(op, ForwardingOp) else None
