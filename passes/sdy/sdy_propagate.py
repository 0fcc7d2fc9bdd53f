"""`sdy-propagate`: shardings that a program does not state follow from those that it states.

What is known of a dimension of a tensor is known of each dimension of the same factor (`ir/sharding_rules/`), in the
direction of the program and against it, until nothing changes. Closed dimensions stay as they are stated; open ones
(`{"x", ?}`, and all of a tensor without a sharding) are split further. Axes that a tensor has in `replicated={}` never
split it. Conflicts are resolved by four nested orders: dimensions of lower priority (`{"x"}p1`) are not looked at
before all of higher priority are propagated; elementwise ops, reshapes and transposes go before ops that reduce or
change the order of elements, broadcasts to their results come last; of two factors that want an axis, the one of the
larger tensor gets it; and what is stated is never changed. Values that move between regions (`while`, `if`, `case`,
manual computations over some axes, calls) are split alike; so are the tensors of a `sdy.sharding_group`.
`sdy.propagation_barrier` stops one direction.

`explain=true` says at each value which statement its axes come from, and through which ops
(`sdy.sharding_origins`), and remarks which calls have no rule. `strategy` is `aggressive`, `basic` (only axes that all
tensors of an op can take) or `basic-then-aggressive`; `op_priority=false` takes all ops as equals.

Needs: static shapes; `func-inline-calls` in front, so that each call of a function may be split in its own way;
`sdy-split-constants` and `sdy-apply-constraints` for the results that XLA gives. Leaves: `sdy.sharding`, all dimensions
closed, on every value that is split or was stated: results of ops, arguments and results of functions; a value without
one is replicated. What is found for arguments and results of functions splits them evenly and by whole axes; what
callers state stays.

    sdy.mesh @mesh = <["x"=4, "y"=2]>
    func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                    %b: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<8x16xf32> {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ... -> tensor<8x16xf32>

becomes

      ... -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>} : ... -> tensor<8x16xf32>

Not a pattern pass: no op is rewritten. The algorithm is Shardy's (openxla/shardy, docs/propagation.md).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...diagnostics import remark
from ...errors import ArgumentError
from ...ir.sharding_propagation.explaining import Explanation
from ...ir.sharding_propagation.graph import Graph
from ...ir.sharding_propagation.propagation import propagate
from ...ir.sharding_propagation.strategies import AGGRESSIVE, BASIC
from ...ir.sharding_propagation.writing import write_shardings

STRATEGIES = {"aggressive": (AGGRESSIVE,), "basic": (BASIC,), "basic-then-aggressive": (BASIC, AGGRESSIVE)}


@dataclass(frozen=True)
class SdyPropagatePass(ModulePass):
    """Finds the shardings of all values."""

    name = "sdy-propagate"

    explain: bool = False
    strategy: str = "aggressive"
    op_priority: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.strategy not in STRATEGIES:
            raise ArgumentError(f"sdy-propagate: strategy is one of {', '.join(STRATEGIES)}, not '{self.strategy}'")
        graph = Graph(op)
        explanation = Explanation(graph) if self.explain else None
        propagate(graph, STRATEGIES[self.strategy], self.op_priority, explanation)
        write_shardings(graph)
        if explanation is not None:
            explanation.write()
            for call in graph.unknown_calls:
                target = call.call_target_name.data
                remark(call, f"'{call.name}' op: @{target} has no sharding rule: nothing is propagated through it")
