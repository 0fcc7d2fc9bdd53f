"""What the `stablehlo-expand-*` passes share: one walk that replaces each op of some types by others."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...decisions.model import cost_model_of
from ...dialects.editing import replace_uses, walk
from .tensor_builder import Tensor, TensorBuilder

Expansion = Callable[[Any, TensorBuilder], "Sequence[Tensor] | Tensor | None"]
"""Emits what computes the results of an op and returns them; None leaves the op as it is."""


class ExpansionPass(ModulePass, ABC):
    """Replaces the ops of the types in `EXPANDED`, at any depth of regions; others are left alone."""

    EXPANDED: ClassVar[Mapping[type[Operation], Expansion]]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx)
        for nested in reversed([nested for nested in walk(op) if type(nested) in self.EXPANDED]):
            results = self.EXPANDED[type(nested)](nested, TensorBuilder(nested, model=model))
            if results is None:
                continue
            if isinstance(results, Tensor):
                results = (results,)
            for old, new in zip(nested.results, results, strict=True):
                replace_uses(old, new.value)
            assert nested.parent is not None
            nested.parent.erase_op(nested)
