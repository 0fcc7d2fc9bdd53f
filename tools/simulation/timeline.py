"""When each op of the program of a device runs.

There is one queue for computation and one for the network. Ops compute in the order of the program, each when its
operands are there. A collective waits for its operands and for the network; computation goes on beside it until its
result is read, if the machine has `overlap` or the collective is the body of `async_start`, and stands still otherwise.
A loop takes its trips times one trip, and nothing runs beside it; of branches the longest counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ...decisions.model import host_model
from ...dialects import stablehlo
from ...dialects.stablehlo.ragged_calls import RAGGED_ALL_TO_ALL
from ...errors import UnsupportedError, describe_location, place_of
from ...reference.processes import ProcessGrid
from ...runtime.work import size_of, work_of
from .collectives import (
    BROADCAST,
    EXCHANGE,
    GATHER,
    NOTHING,
    PERMUTE,
    REDUCE,
    SCATTER,
    Time,
    collective_time,
)  # fmt: skip
from .groups import shapes_of
from .machine import Machine
from .trips import constant_trips

KINDS: dict[type[Operation], str] = {
    stablehlo.AllGatherOp: GATHER,
    stablehlo.AllReduceOp: REDUCE,
    stablehlo.AllToAllOp: EXCHANGE,
    stablehlo.CollectiveBroadcastOp: BROADCAST,
    stablehlo.CollectivePermuteOp: PERMUTE,
    stablehlo.CollectiveReduceOp: REDUCE,
    stablehlo.CrossReplicaSumOp: REDUCE,
    stablehlo.RecvOp: PERMUTE,
    stablehlo.ReduceScatterOp: SCATTER,
    stablehlo.SendOp: PERMUTE,
}


@dataclass
class Row:
    """A collective of the program."""

    name: str
    place: str
    bytes: int
    group: int
    algorithm: str
    once: float
    """The seconds of one."""
    count: float = 0.0


@dataclass
class Outcome:
    """What a part of the program takes, in seconds where nothing else is said."""

    seconds: float = 0.0
    arithmetic: float = 0.0
    """Of ops that arithmetic bounds."""
    memory: float = 0.0
    """Of ops that memory bounds."""
    starting: float = 0.0
    """Of ops, besides their work."""
    latency: float = 0.0
    """Of collectives: steps."""
    transfer: float = 0.0
    """Of collectives: bytes."""
    operations: float = 0.0
    bytes: float = 0.0
    rows: dict[Operation, Row] = field(default_factory=dict[Operation, Row])
    remarks: list[str] = field(default_factory=list[str])

    @property
    def computing(self) -> float:
        return self.arithmetic + self.memory + self.starting

    @property
    def communicating(self) -> float:
        return self.latency + self.transfer

    @property
    def exposed(self) -> float:
        """When nothing is computed."""
        return max(0.0, self.seconds - self.computing)

    def add(self, part: Outcome, times: float = 1) -> None:
        """Count `part` as well, so often; `seconds` stay."""
        for name in ("arithmetic", "memory", "starting", "latency", "transfer", "operations", "bytes"):
            setattr(self, name, getattr(self, name) + times * getattr(part, name))
        for op, row in part.rows.items():
            own = self.rows.setdefault(op, Row(row.name, row.place, row.bytes, row.group, row.algorithm, row.once))
            own.count += times * row.count
        self.remarks += [each for each in part.remarks if each not in self.remarks]


class Simulation:
    """Runs the functions of a module on paper."""

    def __init__(self, module: ModuleOp, grid: ProcessGrid, machine: Machine, trips: int | None = None) -> None:
        self.grid, self.machine, self.trips = grid, machine, trips
        self._functions = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, func.FuncOp)}
        self._outcomes: dict[str, Outcome] = {}

    def function(self, name: str) -> Outcome:
        """Of a function of the module. Raises `UnsupportedError` for ops whose cost is unknown."""
        if name not in self._outcomes:
            self._outcomes[name] = self.block(self._functions[name].body.block)
        return self._outcomes[name]

    def block(self, block: Block) -> Outcome:
        """Of the ops of a block, from when all that they read from outside is there."""
        queues = _Queues()
        for op in block.ops:
            self._step(op, queues)
        queues.outcome.seconds = max(queues.computed, queues.sent)
        return queues.outcome

    def _step(self, op: Operation, queues: _Queues) -> None:
        if _kind(op) is not None:
            self._communicate(op, op, queues, self.machine.overlap)
        elif isinstance(op, stablehlo.AsyncStartOp):
            inner = next((each for each in op.body.walk() if _kind(each)), None)
            if inner is None:
                self._nested(op, [self.block(op.body.block)], 1, queues)
            else:
                self._communicate(op, inner, queues, beside=True)
        elif (nested := self._parts(op, queues)) is not None:
            self._nested(op, *nested, queues)
        else:
            self._compute(op, queues)

    def _parts(self, op: Operation, queues: _Queues) -> tuple[list[Outcome], int] | None:
        """What an op runs one after the other, and how often; None of an op that is none of several."""
        if isinstance(op, stablehlo.WhileOp):
            trips = self._trips(op, queues)
            return [self.block(op.cond.block), self.block(op.body.block)], trips
        if isinstance(op, stablehlo.IfOp | stablehlo.CaseOp):
            return [max((self.block(region.block) for region in op.regions), key=lambda part: part.seconds)], 1
        callee = op.properties.get("callee", op.properties.get("decomposition"))
        name = str(callee).lstrip("@").strip('"')
        return ([self.function(name)], 1) if callee is not None and name in self._functions else None

    def _trips(self, op: stablehlo.WhileOp, queues: _Queues) -> int:
        known = constant_trips(op, host_model())
        if known is not None:
            return known
        assumed = 1 if self.trips is None else self.trips
        remark = f"{place_of(op) or op.name}: nobody knows how often this loop runs: {assumed} trips (trips=)"
        queues.outcome.remarks.append(remark)
        return assumed

    def _nested(self, op: Operation, parts: list[Outcome], times: int, queues: _Queues) -> None:
        start = max(queues.computed, queues.sent, queues.ready(op))
        for part in parts:
            queues.outcome.add(part, times)
            start += times * part.seconds
        queues.computed = queues.sent = start
        queues.give(op, start)

    def _compute(self, op: Operation, queues: _Queues) -> None:
        if isinstance(op, stablehlo.InfeedOp | stablehlo.OutfeedOp):
            raise UnsupportedError(f"'{op.name}' op: --simulate does not know the host's queues", op)
        if isinstance(op, stablehlo.CustomCallOp):
            text = f"{op.name} @{op.call_target_name.data}: counted as one pass over its operands and results"
            if text not in queues.outcome.remarks:
                queues.outcome.remarks.append(text)
        work = work_of(op, host_model())
        arithmetic = work.operations / self.machine.flops_of(work.bits, work.is_float)
        memory = work.bytes / self.machine.memory_bandwidth
        start = max(queues.computed, queues.ready(op))
        outcome = queues.outcome
        seconds, starting = max(arithmetic, memory), self.machine.op_seconds if work.bytes else 0.0
        outcome.starting += starting
        if arithmetic > memory:
            outcome.arithmetic += seconds
        else:
            outcome.memory += seconds
        outcome.operations += work.operations
        outcome.bytes += work.bytes
        queues.computed = start + seconds + starting
        queues.give(op, queues.computed)

    def _communicate(self, op: Operation, inner: Operation, queues: _Queues, beside: bool) -> None:
        """`op` is `inner`, or what starts it."""
        size = _size(inner)
        time, group = self._slowest(inner, size)
        is_awaited = not beside
        issued = queues.computed if is_awaited or op is not inner else 0.0
        queues.sent = max(queues.sent, issued, queues.ready(op)) + time.seconds
        if is_awaited:
            queues.computed = queues.sent
        queues.give(op, queues.sent)
        outcome = queues.outcome
        outcome.latency += time.latency
        outcome.transfer += time.transfer
        name, place = (_target(inner) or inner.name).removeprefix("stablehlo."), _place(inner)
        row = outcome.rows.setdefault(inner, Row(name, place, size, group, time.algorithm, time.seconds))
        row.count += 1

    def _slowest(self, op: Operation, size: int) -> tuple[Time, int]:
        """The time in the group that takes longest, and how many devices that has."""
        shapes = sorted(shapes_of(op, self.grid, self.machine.devices_per_host))
        kind = _kind(op) or EXCHANGE
        times = [(collective_time(kind, size, shape, self.machine), shape.size) for shape in shapes]
        return max(times, key=lambda pair: pair[0].seconds, default=(NOTHING, 1))


def _kind(op: Operation) -> str | None:
    """Of a collective: what it costs as much as."""
    return EXCHANGE if _target(op) == RAGGED_ALL_TO_ALL else KINDS.get(type(op))


def _size(op: Operation) -> int:
    """The bytes of a collective; of one whose lists say how many rows are sent, all of them."""
    match op:
        case stablehlo.AllGatherOp() | stablehlo.RecvOp():
            return sum(map(size_of, op.results))
        case stablehlo.CustomCallOp():
            return size_of(op.operands[0])
        case _:
            return sum(map(size_of, op.operands))


def _target(op: Operation) -> str | None:
    """The name of the function that a custom call calls."""
    return op.call_target_name.data if isinstance(op, stablehlo.CustomCallOp) else None


def _place(op: Operation) -> str:
    """Where an op is from; one of the partitioner's is from where its operands are."""
    owners = (value.owner for value in op.operands)
    locations = [describe_location(each.location) for each in (op, *owners) if isinstance(each, Operation)]
    return next(filter(None, locations), None) or place_of(op) or "-"


class _Queues:
    """Until when the queues are busy, and when values are there."""

    def __init__(self) -> None:
        self.computed = 0.0
        self.sent = 0.0
        self.outcome = Outcome()
        self._times: dict[SSAValue, float] = {}

    def ready(self, op: Operation) -> float:
        """When all that an op reads is there, also what its regions read."""
        inner = (each for region in op.regions for each in region.walk())
        values = (value for each in (op, *inner) for value in each.operands)
        return max((self._times.get(value, 0.0) for value in values), default=0.0)

    def give(self, op: Operation, time: float) -> None:
        """The results of `op` are there at that time."""
        self._times.update((result, time) for result in op.results)
