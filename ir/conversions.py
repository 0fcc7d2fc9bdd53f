"""Conversions: one walk in which the pattern for the class of an op says what it becomes.

The pattern for an op of a conversion is given what the conversion builds with (the values converted so far, the block
that is filled, index arithmetic) in place of a rewriter, and applies to every op of its class. So there is one for a
class, and it is named after it: `arith-addi`. `ConversionPass.handlers` is the dict that the walk looks them up in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

from ..errors import XlaError
from . import pattern_log
from .pattern_pass import PatternPass
from .patterns import Pattern, name_of_op

Handlers = Mapping[type[Operation], Callable[..., Any]]
"""By class of op the function that converts it; the types of its parameters are those of the conversion."""


class Conversion(Pattern):
    """A pattern that runs in the walk of its conversion only."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        raise XlaError(f"the pattern {self.name} builds with its conversion and does not run without it", op)


class ConversionPass(PatternPass):
    """A conversion. User's patterns rewrite the ops before it: what they become is converted."""

    HANDLERS: ClassVar[Handlers]
    ALWAYS_APPLY = True

    def patterns(self) -> Sequence[Pattern]:
        return [Conversion(handler, (op,), name_of_op(op)) for op, handler in self.HANDLERS.items()]

    def handlers(self) -> Handlers:
        """The handlers that are kept."""
        if not (self.disable or self.enable) and pattern_log.active is None:
            return self.HANDLERS
        return {op: rewrites[0] for op, rewrites in self.tried(self.kept()).by_class.items()}
