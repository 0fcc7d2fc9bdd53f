"""`stablehlo-combine-collectives`: collectives of the same processes that do not wait for each other become one.

An `all_reduce`, `all_gather` or `all_to_all` moves down to the first op that reads its result, or to the end of the
block; those of one kind, with the same groups, dimensions, computation and element type, that meet on the way become
one op on all their operands, as the gradients of a training step do: processes wait for each other once. Up to
`Communication.combined_bytes` of operands go into one.

Needs: static shapes. Leaves: the same ops; others stay in their order, as collectives have no effect but their results.

    %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, ...}> ({...})
    %1 = stablehlo.negate %b : tensor<8xf32>
    %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, ...}> ({...})
    %3 = stablehlo.add %0, %2 : tensor<8xf32>

becomes

    %1 = stablehlo.negate %b : tensor<8xf32>
    %0:2 = "stablehlo.all_reduce"(%a, %1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, ...}> ({...})
    %3 = stablehlo.add %0#0, %0#1 : tensor<8xf32>

Not a pattern pass: what is combined is found by one walk along each block.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ...decisions.model import cost_model_of
from ...dialects.editing import erase, insert_before, new_op, ops_of, replace_all_uses, walk
from ...dialects.element_sizes import element_bits
from ...dialects.printing import text_of_region
from ...dialects.stablehlo import AllGatherOp, AllReduceOp, AllToAllOp
from ...dialects.stablehlo.shapes import element_type_of, shape_of

COMBINED = (AllGatherOp, AllReduceOp, AllToAllOp)


@dataclass
class _Group:
    """Collectives that become one, in their order."""

    key: Hashable
    members: list[Operation] = field(default_factory=list[Operation])
    bytes: float = 0


class StablehloCombineCollectivesPass(ModulePass):
    """Combine collectives in every block. See the module's documentation."""

    name = "stablehlo-combine-collectives"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        limit = cost_model_of(ctx).communication.combined_bytes
        blocks = {nested.parent: None for nested in walk(op) if isinstance(nested, COMBINED)}
        for block in blocks:
            if block is not None:
                _combine(block, limit)


def _combine(block: Block, limit: float) -> None:
    """One walk: a group is open until an op reads from it, or it is full."""
    open_groups: dict[Hashable, _Group] = {}
    group_of: dict[SSAValue, _Group] = {}
    for op in ops_of(block):
        for read in {id(g): g for v in _values_read(op) if (g := group_of.get(v)) is not None}.values():
            _close(read, op, open_groups, group_of)
        key = _key(op)
        if key is None:
            continue
        group = open_groups.setdefault(key, _Group(key))
        size = sum(_bytes_of(operand) for operand in op.operands)
        if group.members and group.bytes + size > limit:
            _close(group, op, open_groups, group_of)
            group = open_groups[key] = _Group(key)
        group.members.append(op)
        group.bytes += size
        group_of.update(dict.fromkeys(op.results, group))


def _values_read(op: Operation) -> list[SSAValue]:
    return [operand for nested in walk(op) for operand in nested.operands]


def _key(op: Operation) -> Hashable | None:
    """What collectives have in common that can be one."""
    if not isinstance(op, COMBINED):
        return None
    properties = frozenset((name, value) for name, value in op.properties.items() if name != "channel_handle")
    elements = frozenset(element_type_of(value) for value in (*op.operands, *op.results))
    has_channel = "channel_handle" in op.properties
    return op.name, properties, has_channel, elements, *(text_of_region(region) for region in op.regions)


def _bytes_of(value: SSAValue) -> float:
    return prod(shape_of(value)) * element_bits(element_type_of(value)) / 8


def _close(
    group: _Group, user: Operation, open_groups: dict[Hashable, _Group], group_of: dict[SSAValue, _Group]
) -> None:
    """One op for the members, in front of `user`."""
    open_groups.pop(group.key, None)
    for member in group.members:
        for result in member.results:
            group_of.pop(result, None)
    if len(group.members) < 2:
        return
    first = group.members[0]
    operands = [operand for member in group.members for operand in member.operands]
    types: list[Attribute] = [result.type for member in group.members for result in member.results]
    regions = [first.detach_region(region) for region in tuple(first.regions)]
    combined = new_op(
        type(first), operands, types, first.properties, first.attributes, regions=regions, location=first.location
    )
    insert_before(combined, user)
    old = [result for member in group.members for result in member.results]
    replace_all_uses(dict(zip(old, combined.results, strict=True)))
    for member in group.members:
        erase(member)
