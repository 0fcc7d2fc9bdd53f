"""What passes did, in the table that mlir-opt prints with `--mlir-pass-statistics`.

A pass may count for itself (`ir/statistics.py`). Of one that does not is counted, for each place in the pipeline, how
many ops there are afterwards that were not there before and the other way round, and how often each of its patterns was
applied (docs/patterns.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...ir.pattern_log import PatternLog
from ...runtime.nested_passes import NestedPasses
from ...runtime.pass_manager import Instrument
from .names import display_name
from .timing import title

CREATED = ("num-ops-created", "Number of operations that were not there before the pass")
ERASED = ("num-ops-erased", "Number of operations that are not there after the pass")
Counts = Counter[tuple[str, str]]
"""By name and description of a statistic, its value."""


@dataclass
class PassStatistics(Instrument):
    """Counts for the passes of a pipeline; `log` is the one being recorded."""

    log: PatternLog
    _counts: dict[int, Counts] = field(default_factory=dict[int, Counts])
    _before: list[tuple[set[Operation], Counter[tuple[str, str]]]] = field(
        default_factory=list[tuple[set[Operation], Counter[tuple[str, str]]]]
    )

    _own: Counts = field(default_factory=Counter[tuple[str, str]])

    def note(self, name: str, description: str, amount: int) -> None:
        """The pass that runs has counted something."""
        self._own[name, description] += amount

    def before_pass(self, module_pass: ModulePass, op: Operation) -> None:
        self._before.append((set(op.walk()), self.log.counts.copy()))
        self._own = Counter()

    def after_pass(self, module_pass: ModulePass, op: Operation, seconds: float) -> None:
        ops, patterns = self._before.pop()
        now = set(op.walk())
        counts = self._counts.setdefault(id(module_pass), Counter())
        if self._own:
            counts.update(self._own)
            return
        counts[CREATED] += len(now - ops)
        counts[ERASED] += len(ops - now)
        for (_, pattern), count in (self.log.counts - patterns).items():
            counts[pattern, "Applications of this pattern"] += count

    def failed_pass(self, module_pass: ModulePass, op: Operation, error: Exception) -> None:
        self._before.pop()

    def report(self, passes: Sequence[ModulePass], display: str) -> str:
        """The table; `display` is `pipeline` or `list`."""
        lines = self._list(passes) if display == "list" else self._pipeline(passes, 0)
        return title("... Pass statistics report ...") + "\n".join(lines)

    def _pipeline(self, passes: Sequence[ModulePass], indent: int) -> Iterator[str]:
        for module_pass in passes:
            if isinstance(module_pass, NestedPasses):
                yield f"{' ' * indent}'{module_pass.anchor}' Pipeline"
                yield from self._pipeline(module_pass.passes, indent + 2)
            else:
                yield from _entry(display_name(module_pass), self._counts.get(id(module_pass), Counter()), indent)

    def _list(self, passes: Sequence[ModulePass]) -> Iterator[str]:
        merged: dict[str, Counts] = {}
        for module_pass in _flattened(passes):
            counts = merged.setdefault(display_name(module_pass), Counter())
            counts.update(self._counts.get(id(module_pass), {}))
        for name in sorted(merged):
            yield from _entry(name, merged[name], 2)


def _flattened(passes: Sequence[ModulePass]) -> Iterator[ModulePass]:
    for module_pass in passes:
        if isinstance(module_pass, NestedPasses):
            yield from _flattened(module_pass.passes)
        else:
            yield module_pass


def _entry(name: str, counts: Counts, indent: int) -> Iterator[str]:
    yield f"{' ' * indent}{name}"
    value_width = max((len(str(value)) for value in counts.values()), default=0)
    name_width = max((len(key) for key, _ in counts), default=0)
    for (key, description), value in sorted(counts.items()):
        yield f"{' ' * indent}  (S) {value:{value_width}} {key:{name_width}} - {description}"
