"""Passes made of patterns, which can be listed, chosen, added to, counted and traced by name.

stablehlo-simplify{disable=reshape-of-reshape,fold-involution}
stablehlo-simplify{enable=reshape-of-reshape}
stablehlo-simplify{add="my_patterns.py"}
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from inspect import isabstract
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import RewritePattern

from ..decisions.model import cost_model_of
from ..dialects.editing import walk
from ..errors import XlaError
from ..user_code import imported_file
from . import pattern_log
from .patterns import Pattern, check_names, foreign, patterns_of_module, rewrites_of
from .rewriter import Rewrite, Rewriter, Rewrites

_known: dict[tuple[type[PatternPass], PatternPass], Rewrites] = {}
"""What `PatternPass.rewrites` has made of the patterns of a pass; its class tells passes of equal options apart."""


@dataclass(frozen=True)
class PatternPass(ModulePass):
    """A pass that applies patterns. `disable` leaves out those of these names, `enable` all others; `add` are files of
    a user, whose patterns are applied too.
    """

    disable: tuple[str, ...] = field(default=(), kw_only=True)
    enable: tuple[str, ...] = field(default=(), kw_only=True)
    add: tuple[str, ...] = field(default=(), kw_only=True)

    ALWAYS_APPLY: ClassVar[bool] = False
    """Whether what patterns return does not tell whether they have applied: they have."""

    @abstractmethod
    def patterns(self) -> Sequence[Pattern]:
        """All patterns of the pass; of those for one class of op the first one that applies is taken."""

    def __post_init__(self) -> None:
        if self.disable or self.enable:
            check_names(self.name, (*self.disable, *self.enable), [pattern.name for pattern in self.patterns()])

    def kept(self) -> Sequence[Pattern]:
        """The patterns that are chosen."""
        return [
            pattern
            for pattern in self.patterns()
            if pattern.name not in self.disable and (not self.enable or pattern.name in self.enable)
        ]

    def rewrites(self, ctx: Context) -> Rewrites:
        """What to try on ops of each class, by the cost model of the context."""
        key = type(self), self
        found = _known.get(key) if pattern_log.active is None and not self.add else None
        if found is None:
            found = self.tried(self.kept())
            if pattern_log.active is None and not self.add:
                _known[key] = found
        return found._replace(model=cost_model_of(ctx))

    def tried(self, patterns: Iterable[Pattern]) -> Rewrites:
        """What to try of `patterns` on ops of each class."""
        return rewrites_of(patterns, self._observed)

    def _observed(self, pattern: Pattern) -> Rewrite:
        log = pattern_log.active
        if log is None:
            return pattern.rewrite
        return log.observed(self.name, pattern.name, pattern.rewrite, always_applies=self.ALWAYS_APPLY)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.add:
            rewrite_module(op, self.tried(self.added())._replace(model=cost_model_of(ctx)))
        self.rewrite(ctx, op)

    def added(self) -> list[Pattern]:
        """The user's patterns."""
        return [pattern for path in self.add for pattern in patterns_of_file(path)]

    @abstractmethod
    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        """Apply the patterns that are kept; those of the user's file have been, where they are not among them."""


class WorklistPass(PatternPass):
    """A pass whose patterns are applied until none applies, the user's together with its own."""

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        rewrite_module(op, self.rewrites(ctx))

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.rewrite(ctx, op)

    def kept(self) -> Sequence[Pattern]:
        return [*super().kept(), *self.added()]


def rewrite_module(module: ModuleOp, rewrites: Rewrites) -> None:
    """Apply patterns in every function of `module` until none applies."""
    for function in module.ops:
        if isinstance(function, func.FuncOp):
            Rewriter(rewrites).run(walk(function.body))


def patterns_of_file(path: str) -> list[Pattern]:
    """The patterns in a file of Python: those marked `@pattern`, the classes of `RewritePattern` that it defines, and
    objects of others that it has. Raises `XlaError` where there is none.
    """
    module = imported_file(path, "patterns")
    found = patterns_of_module(module.__name__)
    for value in vars(module).values():
        if isinstance(value, RewritePattern) and not isinstance(value, Pattern):
            found.append(foreign(value))
        elif isinstance(value, type) and issubclass(value, RewritePattern) and value.__module__ == module.__name__:
            if not isabstract(value):
                found.append(foreign(value()))
    if not found:
        raise XlaError(f"{path} has no patterns: no class of RewritePattern and no function marked @pattern")
    return found
