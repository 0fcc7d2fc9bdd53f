"""What passes that expand ops of StableHLO or chlo share: one walk that replaces each op of some types by others."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from .pattern_pass import PatternPass
from .patterns import Pattern, name_of_op
from .rewriter import Rewriter, rewrite_once
from .tensor_builder import Tensor, TensorBuilder

Expansion = Callable[[Any, TensorBuilder], "Sequence[Tensor] | Tensor | None"]
"""Emits what computes the results of an op and returns them; None leaves the op as it is."""


class ExpansionPass(PatternPass, ABC):
    """Replaces the ops of the types in `EXPANDED`, at any depth of regions; others are left alone."""

    EXPANDED: ClassVar[Mapping[type[Operation], Expansion]]

    def patterns(self) -> Sequence[Pattern]:
        return [pattern_of(expansion, op) for op, expansion in self.EXPANDED.items()]

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        rewrite_once(op, self.rewrites(ctx))


def pattern_of(expansion: Expansion, op_type: type[Operation]) -> Pattern:
    """The pattern that replaces ops of a type by what `expansion` emits."""

    def expand(op: Operation, rewriter: Rewriter) -> Sequence[SSAValue] | None:
        results = expansion(op, TensorBuilder(op, model=rewriter.model))
        if results is None:
            return None
        return (results.value,) if isinstance(results, Tensor) else [result.value for result in results]

    expand.__doc__ = expansion.__doc__
    return Pattern(expand, (op_type,), name_of_op(op_type))
