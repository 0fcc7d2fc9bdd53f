"""`sdy-propagate`: shardings that a program does not state follow from those that it states."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...ir.sharding_propagation.graph import Graph
from ...ir.sharding_propagation.propagation import propagate
from ...ir.sharding_propagation.writing import write_shardings


@dataclass(frozen=True)
class SdyPropagatePass(ModulePass):
    name = "sdy-propagate"
    explain: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        graph = Graph(op)
        propagate(graph)
        write_shardings(graph)
