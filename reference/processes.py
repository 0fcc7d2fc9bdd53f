"""A grid of processes, replicas by partitions, that run side by side and meet in collective ops.

StableHLO specification, section "Execution", parallel execution. Each process runs on a thread of its own, but only one
at a time: it runs until it has to wait for others, then the next one in order that can go on does. So results do not
depend on timing, and a grid in which nobody can go on is found and is an error.

What leaves a process is copied on its way out, in `Process.exchange`, `ProcessGrid.post` and `Process.start`: its owner
goes on, and writes where the values were, before others have read them.
"""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from ..errors import InvalidProgramError
from .values import owned

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from .process_groups import Collective

ProcessId = tuple[int, int]
"""Replica and partition."""

Groups = Sequence[Sequence[int]]


class Stopped(BaseException):
    """Ends an activity whose grid has failed."""


class Terms(NamedTuple):
    """What all processes that meet in an op say alike: types, groups, dimensions, computations, as text by name."""

    name: str
    agreed: dict[str, str]
    place: str | None
    """Where the op is in its file."""

    def check(self, own: ProcessId, other: Terms, theirs: ProcessId) -> None:
        """Raises `InvalidProgramError` where process `own` and process `theirs`, who has come with `other`, differ."""
        for name in {**self.agreed, **other.agreed}:
            here, there = self.agreed.get(name, "none"), other.agreed.get(name, "none")
            if here != there:
                raise InvalidProgramError(
                    f"'{self.name}' op: process {own} meets process {theirs} with other {name}: {here} here, "
                    f"{there}{at_place(other.place)}",
                    location=self.place,
                )


class PairAddress(NamedTuple):
    """Where a collective between pairs of processes leaves a value."""

    key: str
    source: ProcessId
    target: ProcessId


def at_place(place: str | None) -> str:
    """` at file:line:col`, or nothing where that is not known."""
    return f" at {place}" if place else ""


@dataclass
class _Meeting:
    """Processes that have come to one op, with what they bring."""

    present: dict[ProcessId, tuple[Terms, Any]] = field(default_factory=dict[ProcessId, "tuple[Terms, Any]"])
    left: int = 0
    """How many have gone again, with the values of all."""


class Activity:
    """A thread that runs only while someone waits for it in `resume`."""

    def __init__(self, name: str, function: Callable[[Activity], None]):
        self.name = name
        self.ready: Callable[[], bool] = lambda: True
        self.waits_for = ""
        self.waits_at: str | None = None
        self.interrupt: Callable[[], None] | None = None
        """Ends what it runs in native code; None while it runs something else."""
        self.finished = False
        self.error: BaseException | None = None
        self._stopped = False
        self._function = function
        self._go, self._paused = threading.Semaphore(0), threading.Semaphore(0)
        self._thread = threading.Thread(target=self._main, name=name, daemon=True)

    def resume(self) -> None:
        """Runs until it waits or ends."""
        if self._thread.ident is None:
            self._thread.start()
        else:
            self._go.release()
        self._paused.acquire()

    def wait(self, ready: Callable[[], bool], waits_for: str, place: str | None) -> None:
        """Called by the activity itself, in an op at `place`: lets others run until `ready`."""
        while not ready():
            self.ready, self.waits_for, self.waits_at = ready, waits_for, place
            self._paused.release()
            self._go.acquire()
            if self._stopped:
                raise Stopped

    def stop(self) -> None:
        """Ends an activity that waits, or runs in native code."""
        if self._thread.ident is not None and not self.finished:
            self._stopped = True
            if self.interrupt is not None:
                self.interrupt()
            self.resume()

    def _main(self) -> None:
        try:
            self._function(self)
        except Stopped:
            pass
        except BaseException as error:
            self.error = error
        finally:
            self.finished = True
            self._paused.release()


class ProcessGrid:
    """`replicas` times `partitions` processes."""

    def __init__(self, replicas: int, partitions: int):
        self.replicas = replicas
        self.partitions = partitions
        self.activities: list[Activity] = []
        self.collectives: WeakKeyDictionary[Operation, Collective] = WeakKeyDictionary()
        """What the collective ops met so far mean here."""
        self._meetings: dict[Hashable, _Meeting] = {}
        self._rounds: defaultdict[Hashable, int] = defaultdict(int)
        self._mail: defaultdict[Hashable, deque[tuple[Terms, Any]]] = defaultdict(deque)
        """Values sent and not received yet, by address."""

    @property
    def processes(self) -> list[ProcessId]:
        return [(replica, partition) for replica in range(self.replicas) for partition in range(self.partitions)]

    def process(self, replica: int, partition: int) -> Process:
        return Process(self, replica, partition)

    def run(self, functions: dict[ProcessId, Callable[[Process], Any]]) -> dict[ProcessId, Any]:
        """The result of one function per process; raises the first error, or one that says who waits for what."""
        results: dict[ProcessId, Any] = {}

        def activity(id: ProcessId, function: Callable[[Process], Any]) -> Activity:
            def body(self_: Activity) -> None:
                results[id] = function(replace(self.process(*id), activity=self_))

            return Activity(f"process {id}", body)

        self.activities = [activity(id, function) for id, function in functions.items()]
        try:
            self._run_all()
        finally:
            for unfinished in self.activities:
                unfinished.stop()
        self._check_mail()
        return results

    def turns(self) -> list[Activity]:
        """Who goes on next if it can. Results do not depend on the order."""
        return list(self.activities)

    def _run_all(self) -> None:
        while any(not a.finished for a in self.activities):
            stuck = True
            for activity in self.turns():
                if activity.finished or not activity.ready():
                    continue
                stuck = False
                activity.resume()
                failed = next((a.error for a in self.activities if a.error is not None), None)
                if failed is not None:
                    raise failed
            if stuck:
                unfinished = [a for a in self.activities if not a.finished]
                waiting = "; ".join(f"{a.name} waits for {a.waits_for}{at_place(a.waits_at)}" for a in unfinished)
                raise InvalidProgramError(f"the program cannot finish: {waiting}", location=unfinished[0].waits_at)

    def meet(self, process: Process, key: str, group: Sequence[ProcessId], value: Any, terms: Terms) -> list[Any]:
        """Waits until every process of `group` has come with `key`; the values of all, in the order of the group.

        The n-th time a process comes is the n-th meeting of that key and these members. Raises `InvalidProgramError` if
        they come with different terms.
        """
        place = (key, frozenset(group))
        visit = (process.id, place)
        number = (place, self._rounds[visit])
        self._rounds[visit] += 1
        meeting = self._meetings.setdefault(number, _Meeting())
        present = meeting.present
        for other, (their_terms, _) in present.items():
            terms.check(process.id, their_terms, other)
            break
        present[process.id] = terms, value
        process.wait(lambda: len(present) == len(group), f"{list(group)} in {key}", terms.place)
        meeting.left += 1
        if meeting.left == len(group):
            del self._meetings[number]
        return [present[id][1] for id in group]

    def post(self, address: Hashable, value: Any, terms: Terms) -> None:
        """Sends a copy of `value` to who receives from `address`."""
        self._mail[address].append((terms, owned(value)))

    def mail_at(self, address: Hashable) -> deque[tuple[Terms, Any]]:
        """What was sent to `address` and not received yet, in order."""
        return self._mail[address]

    def _check_mail(self) -> None:
        """Raises `InvalidProgramError` for what was sent in a collective and not received."""
        for address, box in self._mail.items():
            if box and isinstance(address, PairAddress):
                terms, _ = box[0]
                message = f"process {address.target} did not receive what process {address.source} sent"
                raise InvalidProgramError(f"'{terms.name}' op: {message} in {address.key}", location=terms.place)

    # Which processes form groups: the strategies of the specification.

    def cross_replica(self, replica_groups: Groups) -> list[list[ProcessId]]:
        groups = self._or_all(replica_groups, self.replicas, "replica")
        return [[(r, p) for r in group] for group in groups for p in range(self.partitions)]

    def cross_partition(self, partition_groups: Groups) -> list[list[ProcessId]]:
        groups = self._or_all(partition_groups, self.partitions, "partition")
        return [[(r, p) for p in group] for group in groups for r in range(self.replicas)]

    def cross_replica_and_partition(self, replica_groups: Groups) -> list[list[ProcessId]]:
        groups = self._or_all(replica_groups, self.replicas, "replica")
        return [[(r, p) for p in range(self.partitions) for r in group] for group in groups]

    def flattened_ids(self, id_groups: Groups) -> list[list[ProcessId]]:
        groups = self._or_all(id_groups, self.replicas * self.partitions, "process")
        return [[divmod(id, self.partitions) for id in group] for group in groups]

    @staticmethod
    def _or_all(groups: Groups, count: int, what: str) -> list[list[int]]:
        """Groups without the padding -1; all ids in one group if there is none."""
        hint = "; `mhlo.num_replicas` and `mhlo.num_partitions` of the module say how many there are" * (count == 1)
        rows = [[id for id in group if id != -1] for group in groups]
        rows = [row for row in rows if row] or [list(range(count))]
        for id in (id for row in rows for id in row):
            if not 0 <= id < count:
                raise InvalidProgramError(f"the groups {rows} name {what} {id}, of {count}{hint}")
        return rows


@dataclass(frozen=True)
class Process:
    """One process of a grid, as its own program sees it."""

    grid: ProcessGrid
    replica: int
    partition: int
    activity: Activity | None = None
    """The thread it runs on; None if it is alone."""

    @property
    def id(self) -> ProcessId:
        return self.replica, self.partition

    @property
    def index(self) -> int:
        """Its number in the grid, by rows."""
        return self.replica * self.grid.partitions + self.partition

    @property
    def lane(self) -> int:
        """The number of what it exchanges values through: those of its asynchronous ops have others."""
        return self.index

    def await_turn(self) -> None:
        """Waits until what this process does for all to see comes after what those before it do: here it does."""

    def wait(self, ready: Callable[[], bool], waits_for: str, place: str | None) -> None:
        """Lets other processes run until `ready`; an error at `place` if that can never be."""
        if self.activity is not None:
            self.activity.wait(ready, waits_for, place)
        elif not ready():
            raise InvalidProgramError(
                f"the program cannot finish: process {self.id} waits for {waits_for}; a program for several runs with"
                " run_grid, or is compiled with devices=",
                location=place,
            )

    def exchange(self, collective: Collective, value: Any) -> tuple[int, list[Any]] | None:
        """The own place in the group that this process is in, and the values of all its members; None without a group.

        The others get a copy of `value`.
        """
        group = next((group for group in collective.groups if self.id in group), None)
        if group is None:
            return None
        if len(group) == 1:
            return 0, [value]
        return group.index(self.id), self.grid.meet(self, collective.key, group, owned(value), collective.terms)

    def receive(self, address: Hashable, waits_for: str, place: str | None) -> tuple[Terms, Any]:
        """Waits for what is posted to `address`, first come, first served."""
        mail = self.grid.mail_at(address)
        self.wait(lambda: bool(mail), waits_for, place)
        return mail.popleft()

    def start(self, function: Callable[[Process, Any], None], value: Any) -> None:
        """Runs `function` of a copy of `value` beside this process, at once until it has to wait."""
        if self.activity is None:
            function(self, value)
            return
        kept = owned(value)

        def body(activity: Activity) -> None:
            function(replace(self, activity=activity), kept)

        child = Activity(f"{self.activity.name} (asynchronous)", body)
        self.grid.activities.append(child)
        child.resume()
        if child.error is not None:
            raise child.error
