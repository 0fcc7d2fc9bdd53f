"""What patterns have done: how often each was applied, and which one made an op.

A driver asks for `active` when it puts its table of patterns together; without a log the patterns are called as they
are, at no cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from xdsl.ir import Operation, SSAValue

from ..dialects.editing import noting_new_ops

active: PatternLog | None = None
"""The log that is being written: one for the process, as one program may be compiled by several threads."""


class PatternLog:
    """Applications by pass and pattern, and the maker of each op."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.makers: dict[Operation, str] = {}
        """By op made by a pattern, the names of its pass and of the pattern."""
        self._running: str | None = None

    def note_op(self, op: Operation) -> None:
        """`op` is new; the pattern that runs has made it."""
        if self._running is not None:
            self.makers[op] = self._running

    def note_replacement(self, old: SSAValue, new: SSAValue) -> None:
        """The users of `old` use `new`: for those who ask more of a log than this one."""

    def observed(
        self, owner: str, pattern: str, rewrite: Callable[..., Any], *, always_applies: bool
    ) -> Callable[..., Any]:
        """`rewrite`, the pattern of that name of the pass `owner`, with its applications noted. Where it does not
        always apply, it returns None where it does not.
        """

        def apply(*arguments: Any) -> Any:
            outer, self._running = self._running, f"{owner}: {pattern}"
            try:
                result = rewrite(*arguments)
            finally:
                self._running = outer
            if always_applies or result is not None:
                self.counts[owner, pattern] += 1
            return result

        return apply

    def report(self) -> str:
        """A line for each pattern that was applied: how often, and its names."""
        lines = [f"{count:8}  {owner}  {pattern}" for (owner, pattern), count in self.counts.most_common()]
        return "\n".join(lines or ["no pattern was applied"])


@contextmanager
def recording(log: PatternLog) -> Generator[PatternLog]:
    """With `log` as the active one."""
    global active
    outer, active = active, log
    try:
        with noting_new_ops(log.note_op, log.note_replacement):
            yield log
    finally:
        active = outer
