"""The attributes of Shardy's dialect, and the properties of its ops, in MLIR bytecode.

Source: openxla/shardy, shardy/dialect/sdy/ir/{bytecode.td,ops.td}, whose lists give each encoding its number and each
op its properties.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Data

from ...dialects.sdy.axis_attributes import (
    AllToAllParam,
    AllToAllParamAttr,
    AllToAllParamListAttr,
    AxisRefAttr,
    AxisRefListAttr,
    ListOfAxisRefListsAttr,
    ManualAxesAttr,
    SubAxis,
    SubAxisInfoAttr,
)
from ...dialects.sdy.mesh_attributes import MeshAttr, MeshAxis, MeshAxisAttr
from ...dialects.sdy.rule_attributes import DimMappingAttr, OpShardingRuleAttr, TensorMappingAttr
from ...dialects.sdy.sharding_attributes import (
    REDUCTIONS,
    DimensionShardingAttr,
    ShardingByName,
    TensorShardingAttr,
    TensorShardingPerValueAttr,
)
from ...dialects.sdy.sharding_rules import OpShardingRule
from ...dialects.sdy.shardings import AxisRef, DimensionSharding, Mesh
from ...errors import UnsupportedError

if TYPE_CHECKING:
    from .container import Container
    from .stream import Stream

T = TypeVar("T")

PROPERTIES: dict[str, tuple[str, ...]] = {
    "sdy.all_gather": ("gathering_axes", "out_sharding"),
    "sdy.all_reduce": ("out_sharding", "reduction_axes"),
    "sdy.all_slice": ("out_sharding", "slicing_axes"),
    "sdy.all_to_all": ("out_sharding", "params"),
    "sdy.collective_permute": ("out_sharding",),
    "sdy.constant": ("value",),
    "sdy.data_flow_edge": ("sharding?",),
    "sdy.manual_computation": ("in_shardings", "manual_axes", "out_shardings"),
    "sdy.mesh": ("mesh", "sym_name"),
    "sdy.named_computation": ("in_shardings?", "name", "out_shardings?"),
    "sdy.propagation_barrier": ("allowed_direction",),
    "sdy.reduce_scatter": ("out_sharding", "reduce_scatter_axes"),
    "sdy.replicated_to_unreduced": ("axes", "out_sharding"),
    "sdy.reshard": ("sharding",),
    "sdy.sharded_to_unreduced": ("axes", "out_sharding"),
    "sdy.sharding_constraint": ("sharding",),
    "sdy.sharding_group": ("group_id",),
}
"""The properties of each op in the order in which they are written; a `?` behind those that may be missing."""


def read_properties(name: str, container: Container, stream: Stream) -> dict[str, Attribute] | None:
    """The properties of an op of the dialect; None for an op that has none."""
    names = PROPERTIES.get(name)
    if names is None:
        return None
    found: dict[str, Attribute] = {}
    for key in names:
        if not key.endswith("?"):
            found[key] = container.attribute(stream)
            continue
        index, present = stream.flagged_varint()
        if present:
            found[key[:-1]] = container.attribute_at(stream, index)
    return found


def _data(container: Container, stream: Stream, kind: type[Data[T]]) -> T:
    """What the attribute of this class whose number comes next holds."""
    found = container.attribute(stream)
    if not isinstance(found, kind):
        raise stream.error(f"expected an attribute {kind.name}, got {found}")
    return cast("Data[T]", found).data


def _list(container: Container, stream: Stream, kind: type[Data[T]]) -> tuple[T, ...]:
    return tuple(stream.list(lambda: _data(container, stream, kind)))


def _numbers(stream: Stream) -> tuple[int, ...]:
    return tuple(stream.list(stream.signed_varint))


def _manual_axes(container: Container, stream: Stream) -> Attribute:
    names = stream.list(lambda: container.attribute(stream))
    texts = [name.data for name in names if isinstance(name, StringAttr)]
    if len(texts) < len(names):
        raise stream.error("expected the names of axes")
    return ManualAxesAttr(tuple(texts))


def _mesh_axis(container: Container, stream: Stream) -> Attribute:
    return MeshAxisAttr(MeshAxis(container.string(stream), stream.signed_varint()))


def _mesh(container: Container, stream: Stream) -> Attribute:
    axes = tuple((axis.name, axis.size) for axis in _list(container, stream, MeshAxisAttr))
    return MeshAttr(Mesh(axes, _numbers(stream) or None))


def _sub_axis(container: Container, stream: Stream) -> Attribute:
    return SubAxisInfoAttr(SubAxis(stream.signed_varint(), stream.signed_varint()))


def _axis(container: Container, stream: Stream) -> Attribute:
    name = container.string(stream)
    index, is_part = stream.flagged_varint()
    if not is_part:
        return AxisRefAttr(AxisRef(name))
    part = container.attribute_at(stream, index)
    if not isinstance(part, SubAxisInfoAttr):
        raise stream.error(f"expected part of an axis, got {part}")
    return AxisRefAttr(AxisRef(name, *part.data))


def _dimension(container: Container, stream: Stream) -> Attribute:
    axes = _list(container, stream, AxisRefAttr)
    is_closed = bool(stream.byte())
    priority, has_priority = stream.flagged_varint()
    return DimensionShardingAttr(DimensionSharding(axes, is_closed, priority if has_priority else None))


def _sharding(version: int) -> Callable[[Container, Stream], Attribute]:
    def decode(container: Container, stream: Stream) -> Attribute:
        reference = container.attribute(stream)
        if not isinstance(reference, MeshAttr | SymbolRefAttr):
            raise stream.error(f"expected a mesh, got {reference}")
        mesh = reference.data if isinstance(reference, MeshAttr) else reference.string_value()
        dimensions = _list(container, stream, DimensionShardingAttr)
        replicated = _list(container, stream, AxisRefAttr)
        unreduced = _list(container, stream, AxisRefAttr) if version > 1 else ()
        number = stream.signed_varint() if version > 2 else 0
        if not 0 <= number < len(REDUCTIONS):
            raise stream.error(f"there is no reduction number {number}")
        return TensorShardingAttr(ShardingByName(mesh, dimensions, replicated, unreduced, REDUCTIONS[number]))

    return decode


def _shardings(container: Container, stream: Stream) -> Attribute:
    found = stream.list(lambda: container.attribute(stream))
    shardings = tuple(each for each in found if isinstance(each, TensorShardingAttr))
    if len(shardings) < len(found):
        raise stream.error("expected shardings")
    return TensorShardingPerValueAttr(shardings)


def _rule(container: Container, stream: Stream) -> Attribute:
    sizes = _numbers(stream)
    operands, results = (_list(container, stream, TensorMappingAttr) for _ in range(2))
    kinds = [_numbers(stream) for _ in range(4)]
    return OpShardingRuleAttr(OpShardingRule(sizes, operands, results, *kinds, is_custom=bool(stream.byte())))


def _all_to_all(container: Container, stream: Stream) -> Attribute:
    axes = _list(container, stream, AxisRefAttr)
    return AllToAllParamAttr(AllToAllParam(axes, stream.signed_varint(), stream.signed_varint()))


def _list_of(made: type[Any], kind: type[Data[Any]]) -> Callable[[Container, Stream], Attribute]:
    return lambda container, stream: made(_list(container, stream, kind))


ATTRIBUTES: list[Callable[[Container, Stream], Attribute]] = [
    _manual_axes,
    _mesh_axis,
    _mesh,
    _sub_axis,
    _axis,
    _dimension,
    _sharding(1),
    _shardings,
    lambda container, stream: DimMappingAttr(_numbers(stream)),
    _list_of(TensorMappingAttr, DimMappingAttr),
    _rule,
    _list_of(AxisRefListAttr, AxisRefAttr),
    _list_of(ListOfAxisRefListsAttr, AxisRefListAttr),
    _all_to_all,
    _list_of(AllToAllParamListAttr, AllToAllParamAttr),
    _sharding(2),
    _shardings,
    _sharding(3),
]


def decode_attribute(container: Container, stream: Stream) -> Attribute:
    """The attribute of the dialect that `stream` holds."""
    code = stream.varint()
    if code >= len(ATTRIBUTES):
        raise UnsupportedError(f"attribute number {code} of Shardy's dialect, of which {len(ATTRIBUTES)} are known")
    return ATTRIBUTES[code](container, stream)


def decode_type(container: Container, stream: Stream) -> Attribute:
    """There is none."""
    raise stream.error("a type of Shardy's dialect, which has none")
