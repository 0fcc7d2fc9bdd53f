"""A campaign: mutants in order of their numbers, what was found, and where to go on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .minimise import minimised
from .mutants import Mutant, Mutants, is_run
from .outcomes import Kind, Outcome
from .worker import Counts, Limits, Tried, run_range


@dataclass
class Finding:
    """A defect that one or more mutants show."""

    outcome: Outcome
    first: int
    """The number of the first mutant."""
    mutant: Mutant
    times: int = 1


@dataclass
class Campaign:
    """Counts and findings of the mutants so far; those of an interrupted campaign are kept up to the last process."""

    mutants: Mutants
    limits: Limits
    run_share: float
    digest: str
    folder: Path | None = None
    """Where its state and its findings are kept."""
    minimise: bool = True
    counts: Counts = field(default_factory=Counts)
    findings: dict[str, Finding] = field(default_factory=dict[str, Finding])
    seen: dict[str, int] = field(default_factory=dict[str, int])
    """How often each signature was found, also before the campaign went on."""
    next: int | None = None
    """The number of the next mutant, if the campaign has begun."""

    def make(self, number: int) -> tuple[Mutant, bool]:
        return self.mutants.mutant(number), is_run(number, self.run_share)

    def run(self, start: int, count: int, report: Callable[[Finding], None]) -> None:
        """Try mutants, from where the campaign stands if it has begun; `report` hears of each new finding."""
        first = start if self.next is None else max(start, self.next)
        for event in run_range(self.make, first, start + count, self.limits, self.counts):
            if isinstance(event, Tried):
                self._note(event, report)
                continue
            self.next = event
            self.save()

    def _note(self, tried: Tried, report: Callable[[Finding], None]) -> None:
        mutant, outcome = tried
        self.seen[outcome.signature] = self.seen.get(outcome.signature, 0) + 1
        if self.seen[outcome.signature] > 1:
            return
        number = mutant.number
        if self.minimise:
            mutant = minimised(mutant, outcome, is_run(number, self.run_share), self.limits)
        finding = Finding(outcome, number, mutant)
        self.findings[outcome.signature] = finding
        if self.folder is not None:
            keep(finding, self.folder)
        report(finding)

    # -- state ----------------------------------------------------------------------------------------------------

    def save(self) -> None:
        if self.folder is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        state = {"seeds": self.digest, "next": self.next, "counts": self.counts.by_kind, "seen": self.seen}
        path = self.folder / "state.json"
        path.with_suffix(".new").write_text(json.dumps(state, indent=1), encoding="utf-8")
        path.with_suffix(".new").replace(path)

    def load(self) -> None:
        """Go on where the state in the folder says, if there is one. Raises ValueError for that of other seeds."""
        path = self.folder / "state.json" if self.folder is not None else None
        if path is None or not path.exists():
            return
        state: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if state["seeds"] != self.digest:
            raise ValueError(f"{path}: a campaign on other seeds")
        self.next, self.counts.by_kind, self.seen = state["next"], state["counts"], state["seen"]

    def lines(self) -> Sequence[str]:
        """What has been done."""
        totals = [f"{times} {Kind(kind).name.lower()}" for kind, times in enumerate(self.counts.by_kind) if times]
        done = [f"{times:6} {signature}" for signature, times in sorted(self.seen.items(), key=lambda item: -item[1])]
        return [*done, f"{sum(self.counts.by_kind)} mutants: {', '.join(totals)}"]


def keep(finding: Finding, folder: Path) -> Path:
    """Store what shows a finding, and what it shows beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{finding.outcome.kind.name.lower()}_{hashlib.sha256(finding.outcome.signature.encode()).hexdigest()[:8]}"
    path = folder / f"{name}{finding.mutant.reader.extension}"
    path.write_bytes(finding.mutant.data)
    text = f"mutant {finding.first} of {finding.mutant.seed}\n{finding.outcome.signature}\n{finding.outcome.detail}\n"
    path.with_suffix(".txt").write_text(text, encoding="utf-8", errors="backslashreplace")
    return path
