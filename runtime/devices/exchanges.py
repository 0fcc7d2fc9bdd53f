"""What a call of a collective in a compiled program means for one device: who gets which bytes of whom.

Data is moved as it lies in memory: passes see to it that what a device gives another one is contiguous.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Operation

from ...dialects.stablehlo.tuples import flat
from ...dialects.xrt_names import MEMBERS, PARTS, PIECE, REDUCED
from ...lowering.to_llvm.module_tables import CallTarget
from ...reference.arrays import shape_and_dtype
from ...reference.process_groups import collective
from ...reference.processes import Process, ProcessGrid, ProcessId, Terms
from .plan import Exchange, Receive, Send, Zeros
from .reduction import Reduction

PERMUTE = "stablehlo.collective_permute"
IDS = {"stablehlo.partition_id": "partition", "stablehlo.replica_id": "replica"}
ROOT = 0
"""The place of the member of a group whose value a broadcast without dynamic roots gives."""


class Numbers(NamedTuple):
    """32-bit integers that a call writes into its last results."""

    first: int
    """The first of these results."""
    values: tuple[int, ...]


class Meaning(NamedTuple):
    """Of a call, for one device."""

    exchange: Exchange | None
    numbers: Numbers


class Part(NamedTuple):
    """Bytes that one member gives another one."""

    sender: int
    receiver: int
    operand: int
    operand_offset: int
    result: int
    result_offset: int
    bytes: int


def meaning(target: CallTarget, op: Operation, process: Process) -> Meaning:
    """Of the call `op` of `target` for `process`. Raises `InvalidProgramError` for groups that do not fit."""
    if target.name in IDS:
        return Meaning(None, Numbers(0, (getattr(process, IDS[target.name]),)))
    grid, sizes = process.grid, list(map(_bytes, flat(target.signature.inputs)))
    results = list(map(_bytes, flat(target.signature.outputs)))
    found = collective(op, grid)
    if target.name == PERMUTE:
        members = tuple(grid_number(grid, id) for id in grid.processes)
        pairs = [(grid_number(grid, source), grid_number(grid, target)) for source, target in found.groups]
        parts = [Part(source, target, 0, 0, 0, 0, sizes[0]) for source, target in pairs]
        # Only who sends or receives comes to a permutation: members are named for the tags.
        return Meaning(_exchange(found.key, members, process.index, found.terms, sizes, results, parts), Numbers(0, ()))
    group = next((group for group in found.groups if process.id in group), list[ProcessId]())
    members = tuple(grid_number(grid, id) for id in group)
    if target.name == REDUCED:
        options = target.options.data
        piece = cast("IntegerAttr[Any]", options[PIECE]).value.data
        reduction = Reduction(members, piece, sizes[0], PARTS in options)
        exchange = Exchange(found.key, tuple(sorted(members)), found.terms, operands=1, reduction=reduction)
        return Meaning(exchange, Numbers(0, ()))
    place = members.index(process.index) if members else -1
    parts = list(_PARTS[_kind(target)](members, place, sizes))
    exchange = _exchange(found.key, members, process.index, found.terms, sizes, results, parts)
    numbers = Numbers(len(sizes), (max(1, len(members)), place)) if target.name == MEMBERS else Numbers(0, ())
    return Meaning(exchange, numbers)


def grid_number(grid: ProcessGrid, process: ProcessId) -> int:
    """The number of a process in its grid, by rows."""
    return process[0] * grid.partitions + process[1]


def _kind(target: CallTarget) -> str:
    return PARTS if PARTS in target.options.data else target.name


def _bytes(type: Attribute) -> int:
    shape, dtype = shape_and_dtype(type)
    return prod(shape) * dtype.itemsize


def _pairs(count: int, place: int) -> Iterator[tuple[int, int]]:
    """The places of senders and receivers in a group of `count`, where one of them is `place`."""
    yield from ((sender, place) for sender in range(count))
    yield from ((place, receiver) for receiver in range(count) if receiver != place)


def gather(members: Sequence[int], place: int, sizes: Sequence[int]) -> Iterator[Part]:
    """All operands of all members to all members, one after the other."""
    for sender, receiver in _pairs(len(members), place):
        for index, size in enumerate(sizes):
            yield Part(members[sender], members[receiver], index, 0, index, sender * size, size)


def scatter(members: Sequence[int], place: int, sizes: Sequence[int]) -> Iterator[Part]:
    """Part i of the operands of each member to member i."""
    for sender, receiver in _pairs(len(members), place):
        for index, size in enumerate(sizes):
            bytes = size // len(members)
            yield Part(members[sender], members[receiver], index, receiver * bytes, index, sender * bytes, bytes)


def broadcast(members: Sequence[int], place: int, sizes: Sequence[int]) -> Iterator[Part]:
    """The operands of the root to all members."""
    for sender, receiver in _pairs(len(members), place):
        if sender == ROOT:
            for index, size in enumerate(sizes):
                yield Part(members[ROOT], members[receiver], index, 0, index, 0, size)


_PARTS: dict[str, Callable[[Sequence[int], int, Sequence[int]], Iterator[Part]]] = {
    MEMBERS: gather,
    PARTS: scatter,
    "stablehlo.collective_broadcast": broadcast,
}


def _exchange(
    key: str,
    members: tuple[int, ...],
    device: int,
    terms: Terms,
    sizes: Sequence[int],
    results: Sequence[int],
    parts: Sequence[Part],
) -> Exchange:
    """As `device` sees it, from the parts that it sends or receives; what nobody sends it is zero."""
    receives = [Receive(p.sender, *p[2:]) for p in parts if p.receiver == device]
    sends = [
        Send(p.receiver, p.operand, p.operand_offset, p.bytes)
        for p in parts
        if p.sender == device and p.receiver != device
    ]
    filled = {p.result: p.result_offset + p.bytes for p in parts if p.receiver == device}
    zeros = [Zeros(i, filled.get(i, 0), results[i] - filled.get(i, 0)) for i in range(len(sizes))]
    some = tuple(zero for zero in zeros if zero.bytes)
    return Exchange(key, tuple(sorted(members)), terms, len(sizes), tuple(receives), tuple(sends), some)
