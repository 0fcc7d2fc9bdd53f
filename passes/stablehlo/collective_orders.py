"""Whether processes come to collectives in orders that go together, as far as that is known before the program runs.

All processes run one program. They come to different collectives where an `if` or a `case` depends on the number of the
process:

    %id = stablehlo.partition_id : tensor<ui32>
    %is_first = stablehlo.compare EQ, %id, %zero : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    "stablehlo.if"(%is_first) ({ ... all_reduce among processes 0 and 1 ... }, { ... nothing ... })

Process 0 would wait for process 1 in vain, which is an error here, and not only when the program runs. Of each process
the collectives between groups are followed in order; nothing is said of what is behind a branch, a loop, a call or an
asynchronous op that exchanges something, unless the branch is chosen by constants and numbers of processes. Exchanges
between pairs, after which a sender goes on, and messages are left to the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region

from ...dialects import stablehlo
from ...dialects.editing import walk
from ...dialects.stablehlo.traits import AcrossProcesses
from ...errors import InvalidProgramError
from ...reference.process_groups import Collective, collective
from ...reference.processes import ProcessGrid, ProcessId, at_place
from .known_elements import known_elements

Branch = stablehlo.IfOp | stablehlo.CaseOp

NOT_FOLLOWED = (stablehlo.CollectivePermuteOp, stablehlo.PartitionIdOp, stablehlo.ReplicaIdOp)
"""Ops across processes in which nobody waits for a group."""


def verify_orders(module: ModuleOp, replicas: int, partitions: int) -> None:
    """Raises `InvalidProgramError` where processes of the grid would wait for each other in vain."""
    for function in module.ops:
        if isinstance(function, func.FuncOp) and any(map(_has_exchanging_branch, walk(function))):
            _Orders(function.body.block, ProcessGrid(replicas, partitions)).verify()


def _has_exchanging_branch(op: Operation) -> bool:
    return isinstance(op, Branch) and any(map(_exchanges, op.regions))


def _exchanges(region: Region) -> bool:
    """Whether some process may wait for another one in it."""
    return any(
        isinstance(op, func.CallOp) or (op.has_trait(AcrossProcesses) and not isinstance(op, NOT_FOLLOWED))
        for block in region.blocks
        for inner in block.ops
        for op in walk(inner)
    )


class _Orders:
    """The collectives to which each process comes, one after the other."""

    def __init__(self, block: Block, grid: ProcessGrid) -> None:
        self._grid = grid
        self._rest = {id: self._collectives(block, id) for id in grid.processes}
        self._next: dict[ProcessId, Collective | None] = {id: None for id in grid.processes}
        """To which a process comes next; None if it is at the end of what is known."""
        self._has_ended: dict[ProcessId, bool] = {}
        """Whether that is the end of its program."""

    def verify(self) -> None:
        for id in self._grid.processes:
            self._go_on(id)
        changed = list(self._grid.processes)
        while changed:
            group = self._complete_group(changed.pop())
            for id in group:
                self._go_on(id)
            changed += group
        waiting = {id: self._missing(id) for id, at in self._next.items() if at is not None}
        in_vain = _in_vain(waiting, {id for id, has_ended in self._has_ended.items() if not has_ended})
        if in_vain:
            raise self._error(in_vain)

    def _collectives(self, block: Block, id: ProcessId) -> Iterator[Collective | None]:
        """Those of a block in order; None, at the end, where the rest is not known."""
        for op in block.ops:
            if isinstance(op, Branch) and any(map(_exchanges, op.regions)):
                region = self._chosen(op, id)
                if region is None:
                    yield None
                    return
                for inner in self._collectives(region.block, id):
                    yield inner
                    if inner is None:
                        return
            elif isinstance(op, func.CallOp) or any(map(_exchanges, op.regions)):
                yield None
                return
            elif op.has_trait(AcrossProcesses) and not isinstance(op, NOT_FOLLOWED):
                yield collective(op, self._grid)

    def _chosen(self, op: Branch, id: ProcessId) -> Region | None:
        """The region that a process runs, if that follows from its number."""
        numbers: dict[type[Operation], int] = {stablehlo.ReplicaIdOp: id[0], stablehlo.PartitionIdOp: id[1]}
        index = known_elements(op.operands[0], numbers)
        if index is None:
            return None
        if isinstance(op, stablehlo.IfOp):
            return op.regions[0 if index else 1]
        last = len(op.regions) - 1
        return op.regions[int(index) if 0 <= int(index) <= last else last]

    def _go_on(self, id: ProcessId) -> None:
        """To the next collective in whose groups the process is."""
        for at in self._rest[id]:
            if at is None or any(id in group for group in at.groups):
                self._next[id], self._has_ended[id] = at, False
                return
        self._next[id], self._has_ended[id] = None, True

    def _group(self, id: ProcessId) -> Sequence[ProcessId]:
        at = self._next[id]
        assert at is not None
        return next(group for group in at.groups if id in group)

    def _complete_group(self, id: ProcessId) -> Sequence[ProcessId]:
        """The group of a process, if all of it have come; what they have to agree on is checked."""
        own = self._next[id]
        if own is None or self._missing(id):
            return ()
        group = self._group(id)
        for other in group:
            there = self._next[other]
            assert there is not None
            own.terms.check(id, there.terms, other)
        return group

    def _missing(self, id: ProcessId) -> list[ProcessId]:
        """The members of the group of a process that are not there."""
        own, group = self._next[id], self._group(id)
        assert own is not None

        def has_come(other: ProcessId) -> bool:
            there = self._next[other]
            if there is None or there is own:
                return there is own
            return there.key == own.key and set(self._group(other)) == set(group)

        return [other for other in group if not has_come(other)]

    def _error(self, in_vain: Sequence[ProcessId]) -> InvalidProgramError:
        texts: list[str] = []
        for id in in_vain:
            at = self._next[id]
            assert at is not None
            texts.append(f"process {id} waits for {list(self._group(id))} in {at.key}{at_place(at.terms.place)}")
        ended = [str(id) for id, has_ended in self._has_ended.items() if has_ended]
        if ended:
            texts.append(f"process {', '.join(ended)} ends")
        first = self._next[in_vain[0]]
        assert first is not None
        return InvalidProgramError(f"the program cannot finish: {'; '.join(texts)}", location=first.terms.place)


def _in_vain(waiting: Mapping[ProcessId, Sequence[ProcessId]], unknown: set[ProcessId]) -> list[ProcessId]:
    """Those who wait for somebody that has ended or waits in vain too; who is `unknown` may still come."""
    may_come = unknown - waiting.keys()
    before = -1
    while before != len(may_come):
        before = len(may_come)
        may_come |= {id for id, missing in waiting.items() if may_come.issuperset(missing)}
    return [id for id in waiting if id not in may_come]
