"""`stablehlo-combine-collectives`: collectives of the same processes that do not wait for each other become one.

An `all_reduce`, `all_gather` or `all_to_all` waits, and with it all that depends on it, for others of its kind, with
the same groups, dimensions, computation and element type, whose operands do not depend on it. They become one op on
all their operands, as the gradients of a training step do: processes wait for each other once. It comes when a
collective depends on it, the block ends, an op with effects reads from it, or `Communication.combined_bytes` have come
together.

Needs: static shapes. Leaves: the same ops, those that depended on combined collectives behind them.

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

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation
from xdsl.passes import ModulePass

from ...decisions.model import cost_model_of
from ...dialects.editing import erase, insert_before, new_op, ops_of, replace_all_uses, walk
from ...dialects.element_sizes import element_bits
from ...dialects.printing import text_of_region
from ...dialects.stablehlo import AllGatherOp, AllReduceOp, AllToAllOp
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...dialects.stablehlo.traits import AcrossProcesses
from ...ir.purity import is_pure

COMBINED = (AllGatherOp, AllReduceOp, AllToAllOp)


@dataclass(eq=False)
class _Group:
    """Collectives that become one, and what reads their results, directly or not, and waits for that."""

    key: Hashable
    members: list[Operation] = field(default_factory=list[Operation])
    bytes: float = 0
    readers: list[Operation] = field(default_factory=list[Operation])


class StablehloCombineCollectivesPass(ModulePass):
    """Combine collectives in every block. See the module's documentation."""

    name = "stablehlo-combine-collectives"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        limit = cost_model_of(ctx).communication.combined_bytes
        blocks = {nested.parent: None for nested in walk(op) if isinstance(nested, COMBINED)}
        for block in blocks:
            if block is not None:
                _Block(limit).combine(block)


class _Block:
    """The walk along a block: an op that depends on a collective waits with it, all others stay where they are."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._open: dict[Hashable, _Group] = {}
        self._waits_for: dict[Operation, set[_Group]] = {}
        """The groups that an op which waits belongs to or depends on."""
        self._place: dict[Operation, int] = {}

    def combine(self, block: Block) -> None:
        for place, op in enumerate(ops_of(block)):
            self._place[op] = place
            groups = {group for source in _sources(op) for group in self._waits_for.get(source, ())}
            if (key := _key(op)) is not None:
                self._close(groups, op)
                self._add(key, op)
            elif not groups:
                continue
            elif op is block.last_op or not _may_wait(op):
                self._close(groups, op)
            else:
                self._waits_for[op] = groups
                for group in groups:
                    group.readers.append(op)
                op.detach()
        last = block.last_op
        assert last is not None
        self._close(set(self._open.values()), last)

    def _add(self, key: Hashable, op: Operation) -> None:
        """A collective whose operands are there."""
        size = sum(prod(shape_of(x)) * element_bits(element_type_of(x)) / 8 for x in op.operands)
        group = self._open.get(key)
        if group is not None and group.bytes + size > self._limit:
            self._close({group}, op)
            group = None
        if group is None:
            group = self._open[key] = _Group(key)
        group.members.append(op)
        group.bytes += size
        self._waits_for[op] = {group}
        op.detach()

    def _close(self, groups: set[_Group], anchor: Operation) -> None:
        """One op for each group, in front of `anchor`, and what waits for no other group."""
        readers: dict[Operation, None] = {}
        for group in sorted(groups, key=lambda group: self._place[group.members[0]]):
            del self._open[group.key]
            for member in group.members:
                del self._waits_for[member]
            _become_one(group.members, anchor)
            readers.update(dict.fromkeys(group.readers))
        for op in sorted(readers, key=self._place.__getitem__):
            left = self._waits_for[op]
            left -= groups
            if not left:
                del self._waits_for[op]
                insert_before(op, anchor)


def _may_wait(op: Operation) -> bool:
    """Whether `op` may come later: it has no effects, and exchanges nothing itself."""
    return is_pure(op) and not any(nested.has_trait(AcrossProcesses) for nested in walk(op))


def _sources(op: Operation) -> list[Operation]:
    """The ops whose results `op` and what is in it read, in order, each once."""
    owners = (operand.owner for nested in walk(op) for operand in nested.operands)
    return list(dict.fromkeys(owner for owner in owners if isinstance(owner, Operation)))


def _key(op: Operation) -> Hashable | None:
    """What collectives have in common that can be one."""
    if not isinstance(op, COMBINED):
        return None
    properties = frozenset((name, value) for name, value in op.properties.items() if name != "channel_handle")
    elements = frozenset(element_type_of(value) for value in (*op.operands, *op.results))
    has_channel = "channel_handle" in op.properties
    return op.name, properties, has_channel, elements, *(text_of_region(region) for region in op.regions)


def _become_one(members: Sequence[Operation], anchor: Operation) -> None:
    """An op on all operands in front of `anchor`; one that is alone stays what it is."""
    first = members[0]
    if len(members) == 1:
        insert_before(first, anchor)
        return
    operands = [operand for member in members for operand in member.operands]
    old = [result for member in members for result in member.results]
    types: list[Attribute] = [result.type for result in old]
    regions = [first.detach_region(region) for region in tuple(first.regions)]
    combined = new_op(
        type(first), operands, types, first.properties, first.attributes, regions=regions, location=first.location
    )
    insert_before(combined, anchor)
    replace_all_uses(dict(zip(old, combined.results, strict=True)))
    for member in members:
        erase(member)
