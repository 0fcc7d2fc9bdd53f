"""The loop of a reduction: try a change, keep it if the module is still interesting.

    reduce_module(module, is_interesting) -> Reduction

`is_interesting` gets a `Draft` whose module is valid; it must not change it. Changes are tried on halves, quarters, ...
and single items of what they are about, again and again until none of them succeeds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...dialects.editing import walk
from ...errors import XlaError
from ...interruptions import is_interruption
from ...runtime.verifying import verify_module
from .drafts import Draft

Item = TypeVar("Item")

Predicate = Callable[[Draft], bool]

MOST_ROUNDS = 12
"""After so many rounds a reduction stops, whatever still changes."""


class Size(NamedTuple):
    """What a progress report says of a module."""

    ops: int
    tried: int
    kept: int

    def __str__(self) -> str:
        return f"{self.ops} ops, {self.tried} programs tried, {self.kept} steps; Ctrl-C keeps the best"


class Reduction(NamedTuple):
    """The end of a reduction."""

    module: ModuleOp
    size: Size
    ended: str
    """`least` where no change is left, `time` or `interrupted`."""


class OutOfTime(Exception):
    """The time for a reduction is over."""


@dataclass
class Reducer:
    """A module on its way to the least one."""

    best: ModuleOp
    is_interesting: Predicate
    seconds: float | None = None
    """Of the whole reduction."""
    report: Callable[[Size], None] = lambda _: None
    may_change_signatures: bool = True
    provenance: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    tried: int = 0
    kept: int = 0
    _end: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if self.seconds is not None:
            self._end = time.monotonic() + self.seconds

    @property
    def size(self) -> Size:
        return Size(count_ops(self.best), self.tried, self.kept)

    def attempt(self, edit: Callable[[Draft], bool]) -> bool:
        """Try a change, which says whether it was applicable; whether it was kept. Raises OutOfTime."""
        if self._end is not None and time.monotonic() > self._end:
            raise OutOfTime
        draft = Draft(self.best, self.provenance)
        if not _is_valid(draft, edit):
            return False
        self.tried += 1
        kept = self.is_interesting(draft)
        if kept:
            self.best, self.provenance = draft.module, draft.provenance
            self.kept += 1
        self.report(self.size)
        return kept

    def minimise(
        self, items_of: Callable[[ModuleOp], Sequence[Item]], edit: Callable[[Draft, Sequence[Item]], bool]
    ) -> bool:
        """Apply `edit` to as many of the items as possible, in chunks that become smaller; whether any was kept.

        `items_of` lists them for a module; `edit` gets some of them, which are of the original of the draft.
        """
        items = items_of(self.best)
        changed, size = False, len(items)
        while size >= 1:
            start = 0
            while start < len(items):
                chunk = items[start : start + size]
                if self.attempt(lambda draft, chunk=chunk: edit(draft, chunk)):
                    changed, before = True, len(items)
                    items = items_of(self.best)
                    start += size if len(items) >= before else 0
                else:
                    start += size
            size = min(size, len(items) + 1) // 2
        return changed


def _is_valid(draft: Draft, edit: Callable[[Draft], bool]) -> bool:
    """Whether a change is applicable and leaves a valid module. An op that is edited in ways its class does not expect
    may raise anything.
    """
    try:
        if not edit(draft):
            return False
        verify_module(draft.module)
    except XlaError:
        return False
    except Exception as error:
        if is_interruption(error):
            raise
        return False
    return True


def count_ops(module: ModuleOp) -> int:
    """How many ops a module has, without itself, its functions and what ends blocks."""
    from xdsl.dialects.func import FuncOp
    from xdsl.traits import IsTerminator

    return sum(
        not isinstance(op, ModuleOp | FuncOp) and not op.has_trait(IsTerminator, value_if_unregistered=False)
        for op in walk(module)
    )


def reduce_module(
    module: ModuleOp,
    is_interesting: Predicate,
    *,
    seconds: float | None = None,
    report: Callable[[Size], None] = lambda _: None,
    may_change_signatures: bool = True,
    more: Sequence[Callable[[Reducer], bool]] = (),
) -> Reduction:
    """The least part of `module`, which is interesting itself, that is interesting; `module` stays as it is.

    `seconds` bounds the time. With Ctrl-C the best one so far is the result. Functions keep their arguments and results
    unless they `may_change_signatures`. `more` changes are tried after all others.
    """
    from .edits import STRATEGIES

    reducer = Reducer(module, is_interesting, seconds, report, may_change_signatures)
    ended = "least"
    try:
        for _ in range(MOST_ROUNDS):
            if not any([strategy(reducer) for strategy in (*STRATEGIES, *more)]):
                break
    except OutOfTime:
        ended = "time"
    except KeyboardInterrupt:
        ended = "interrupted"
    return Reduction(reducer.best, reducer.size, ended)
