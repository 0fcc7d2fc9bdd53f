"""A pattern rewrites one op: it is written once, for a class of op, and runs in every driver.

    @pattern
    def reshape_of_reshape(op: stablehlo.ReshapeOp, rewriter: Rewriter) -> Replacement:
        ...

`@pattern` reads the class of op from the annotation and the name from the function: `reshape-of-reshape`. The function
returns None where it does not apply, the values that take the place of the results of `op`, or `CHANGED` where it has
done the rewrite itself. New ops go through the rewriter (`rewriter.py`), which also has the interface of xDSL's.

A pattern whose second parameter is annotated with a class of op, too, applies only where an op of that class computes
the first operand, and gets it:

    @pattern
    def reshape_of_reshape(op: stablehlo.ReshapeOp, source: stablehlo.ReshapeOp, rewriter: Rewriter) -> Replacement:
        ...

`Pattern` is a `RewritePattern` of xDSL and runs in its `PatternRewriteWalker`; the other way round `foreign` makes one
of a `RewritePattern` that someone has written for xDSL.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from types import CodeType, UnionType
from typing import Any, Final, cast, get_args

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ..errors import XlaError, similar_names
from .rewriter import CHANGED, Changed, GuestRewriter, Rewrite, Rewriter, Rewrites

Replacement = Sequence[SSAValue] | SSAValue | Changed | None

ANY_OP: Final = ()
"""The classes of a pattern that is tried on every op."""


class Pattern(RewritePattern):
    """A rewrite of the ops of some classes. Patterns of one name are listed, counted and left out together."""

    def __init__(self, rewrite: Rewrite, ops: Sequence[type[Operation]], name: str, benefit: int = 1) -> None:
        self.rewrite: Final = rewrite
        """What drivers call; its second argument is the rewriter, or what a conversion builds with."""
        self.ops: Final = tuple(ops)
        self.name: Final = name
        self.benefit: Final = benefit
        """Of two patterns for a class the one of greater benefit is tried first."""

    def __call__(self, op: Operation, rewriter: Any) -> Any:
        return self.rewrite(op, rewriter)

    @property
    def summary(self) -> str:
        """The first sentence of its documentation."""
        return " ".join((self.rewrite.__doc__ or "").split("\n\n")[0].split())

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        """As xDSL calls it."""
        if self.ops and type(op) not in self.ops:
            return
        ours = rewriter if isinstance(rewriter, Rewriter) else GuestRewriter(rewriter, op)
        ours.replace_by(op, self.rewrite(op, ours))


def pattern(rewrite: Callable[..., Any]) -> Pattern:
    """The pattern that a function is: for the ops its first parameter is annotated with, with its name."""
    code: CodeType = cast(Any, rewrite).__code__
    ops, *sources = (_annotated(rewrite, name) for name in code.co_varnames[: code.co_argcount - 1])
    return Pattern(_of_source(rewrite, sources[0]) if sources else rewrite, ops, name_of(rewrite))


def _annotated(rewrite: Callable[..., Any], parameter: str) -> tuple[type[Operation], ...]:
    annotation = rewrite.__annotations__[parameter]
    if isinstance(annotation, str):
        annotation = eval(annotation, rewrite.__globals__)
    return cast(Any, get_args(annotation) if isinstance(annotation, UnionType) else (annotation,))


def _of_source(rewrite: Callable[..., Any], sources: tuple[type[Operation], ...]) -> Rewrite:
    """`rewrite` where one of `sources` computes the first operand."""

    @wraps(rewrite)
    def rewrite_of_source(op: Operation, rewriter: Any) -> Any:
        source = op.operands[0].owner
        return rewrite(op, source, rewriter) if type(source) in sources else None

    return rewrite_of_source


def name_of(rewrite: Callable[..., Any]) -> str:
    """The name of a function, or of the class of a `RewritePattern`, as a pattern has it."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", getattr(rewrite, "__name__", type(rewrite).__name__))
    return words.strip("_").replace("_", "-").lower()


def name_of_op(op: type[Operation]) -> str:
    """The name of a class of ops as pattern names have it: `arith-addi`."""
    return re.sub("[^A-Za-z0-9]", "-", op.name)


def foreign(written: RewritePattern) -> Pattern:
    """A `RewritePattern` of xDSL as one for the drivers here."""
    if isinstance(written, Pattern):
        return written

    def rewrite(op: Operation, rewriter: Rewriter) -> Changed | None:
        rewriter.begin()
        written.match_and_rewrite(op, rewriter)
        return CHANGED if rewriter.has_done_action else None

    rewrite.__doc__ = written.__doc__
    return Pattern(rewrite, ANY_OP, name_of(cast(Any, type(written))), getattr(written, "benefit", 1))


def patterns_of_module(name: str) -> list[Pattern]:
    """The patterns that the module `name` defines, in their order."""
    found = [value for value in vars(sys.modules[name]).values() if isinstance(value, Pattern)]
    return [pattern for pattern in found if pattern.rewrite.__module__ == name]


def rewrites_of(patterns: Iterable[Pattern], wrapped: Callable[[Pattern], Rewrite] | None = None) -> Rewrites:
    """What to try on ops of each class, in order. `wrapped` makes of a pattern what is called in place of it."""
    ordered = sorted(patterns, key=lambda pattern: -pattern.benefit)
    calls = [(pattern.ops, pattern.rewrite if wrapped is None else wrapped(pattern)) for pattern in ordered]
    classes = dict.fromkeys(op for ops, _ in calls for op in ops)
    by_class = {op: tuple([call for ops, call in calls if not ops or op in ops]) for op in classes}
    return Rewrites(by_class, tuple([call for ops, call in calls if not ops]))


class UnknownPatternError(XlaError):
    """A name that no pattern of a pass has."""


def check_names(owner: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Raises `UnknownPatternError` for the first of `names` that is none of `known`."""
    known = dict.fromkeys(known)
    for name in names:
        if name not in known:
            raise UnknownPatternError(f"pass '{owner}' has no pattern '{name}'{similar_names(name, known)}")
