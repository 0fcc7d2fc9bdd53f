"""A grid of processes, replicas by partitions, that run side by side and meet in collective ops.

StableHLO specification, section "Execution", parallel execution. Each process runs on a thread of its own, but only one
at a time: it runs until it has to wait for others, then the next one in order that can go on does. So results do not
depend on timing, and a grid in which nobody can go on is found and is an error.
"""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..errors import InvalidProgramError

ProcessId = tuple[int, int]
"""Replica and partition."""

Groups = Sequence[Sequence[int]]


class _Stopped(BaseException):
    """Ends an activity whose grid has failed."""


class Activity:
    """A thread that runs only while someone waits for it in `resume`."""

    def __init__(self, name: str, function: Callable[[Activity], None]):
        self.name = name
        self.ready: Callable[[], bool] = lambda: True
        self.waits_for = ""
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

    def wait(self, ready: Callable[[], bool], waits_for: str) -> None:
        """Called by the activity itself: lets others run until `ready`."""
        while not ready():
            self.ready, self.waits_for = ready, waits_for
            self._paused.release()
            self._go.acquire()
            if self._stopped:
                raise _Stopped

    def stop(self) -> None:
        """Ends an activity that waits."""
        if self._thread.ident is not None and not self.finished:
            self._stopped = True
            self.resume()

    def _main(self) -> None:
        try:
            self._function(self)
        except _Stopped:
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
        self._meetings: dict[Hashable, dict[ProcessId, Any]] = {}
        self._rounds: defaultdict[Hashable, int] = defaultdict(int)
        self.mail: defaultdict[Hashable, deque[Any]] = defaultdict(deque)
        """Values sent and not received yet, by address."""

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
        return results

    def _run_all(self) -> None:
        while any(not a.finished for a in self.activities):
            stuck = True
            for activity in list(self.activities):
                if activity.finished or not activity.ready():
                    continue
                stuck = False
                activity.resume()
                failed = next((a.error for a in self.activities if a.error is not None), None)
                if failed is not None:
                    raise failed
            if stuck:
                waiting = "; ".join(f"{a.name} waits for {a.waits_for}" for a in self.activities if not a.finished)
                raise InvalidProgramError(f"the program cannot finish: {waiting}")

    def meet(self, process: Process, key: Hashable, group: Sequence[ProcessId], value: Any) -> list[Any]:
        """Waits until every process of `group` has come with `key`; the values of all, in the order of the group.

        The n-th time a process comes is the n-th meeting of that key and group.
        """
        place = (key, tuple(group))
        visit = (process.id, place)
        meeting = (place, self._rounds[visit])
        self._rounds[visit] += 1
        present = self._meetings.setdefault(meeting, {})
        present[process.id] = value

        def missing() -> list[ProcessId]:
            return [id for id in group if id not in present]

        process.wait(lambda: not missing(), f"{list(group)} in {key}")
        return [present[id] for id in group]

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
        rows = [[id for id in group if id != -1] for group in groups]
        rows = [row for row in rows if row] or [list(range(count))]
        for id in (id for row in rows for id in row):
            if not 0 <= id < count:
                raise InvalidProgramError(f"the groups {rows} name {what} {id}, of {count}")
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

    def wait(self, ready: Callable[[], bool], waits_for: str) -> None:
        """Lets other processes run until `ready`; an error if that can never be."""
        if self.activity is not None:
            self.activity.wait(ready, waits_for)
        elif not ready():
            raise InvalidProgramError(f"the program cannot finish: process {self.id} waits for {waits_for}")

    def exchange(self, key: Hashable, groups: Sequence[Sequence[ProcessId]], value: Any) -> tuple[int, list[Any]]:
        """The own place in the group of `groups` this process is in, and the values of all its members."""
        group = next((group for group in groups if self.id in group), None)
        if group is None:
            raise InvalidProgramError(f"process {self.id} runs {key}, whose groups {list(groups)} leave it out")
        return list(group).index(self.id), self.grid.meet(self, key, group, value)

    def start(self, function: Callable[[Process], None]) -> None:
        """Runs `function` beside this process, at once until it has to wait."""
        if self.activity is None:
            function(self)
            return

        def body(activity: Activity) -> None:
            function(replace(self, activity=activity))

        child = Activity(f"{self.activity.name} (asynchronous)", body)
        self.grid.activities.append(child)
        child.resume()
        if child.error is not None:
            raise child.error
