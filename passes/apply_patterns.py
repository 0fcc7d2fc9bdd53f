"""`apply-patterns`: only the patterns of a user's file.

    apply-patterns{file="my_patterns.py"}

What it does: applies the patterns of the files, ours or xDSL's, until none applies, and deletes dead ops, on any level.
It needs what they need and leaves what they leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ..decisions.model import cost_model_of
from ..errors import XlaError
from ..ir.pattern_pass import WorklistPass, patterns_of_file, rewrite_module
from ..ir.patterns import Pattern


@dataclass(frozen=True)
class ApplyPatternsPass(WorklistPass):
    """See the module's documentation."""

    name = "apply-patterns"

    file: tuple[str, ...] = ()

    def patterns(self) -> Sequence[Pattern]:
        return [pattern for path in self.file for pattern in patterns_of_file(path)]

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        if not self.file:
            raise XlaError('apply-patterns needs a file of patterns: apply-patterns{file="my_patterns.py"}')
        rewrite_module(op, self.tried(self.kept())._replace(model=cost_model_of(ctx)))
