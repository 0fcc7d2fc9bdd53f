"""`stablehlo-erase-sharding`: a program for one device does not say how it is spread over several.

Ops of Shardy's `sdy` dialect that JAX writes into programs go: meshes and groups are dropped, constraints on the
sharding of a value become the value. Attributes of the dialect stay; nothing looks at them.

Needs: nothing. Leaves: no `sdy.mesh`, `sharding_constraint`, `reshard`, `sharding_group`, `propagation_barrier`.

    sdy.mesh @mesh = <["x"=2]>
    ...
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<4x4xf32>
    %2 = stablehlo.negate %1 : tensor<4x4xf32>

becomes

    %2 = stablehlo.negate %0 : tensor<4x4xf32>
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.irdl import IRDLOperation
from xdsl.passes import ModulePass

from ...dialects.editing import replace_uses, walk

PREFIX = "sdy."


class StablehloEraseShardingPass(ModulePass):
    """Replaces the results of `sdy` ops by their operands."""

    name = "stablehlo-erase-sharding"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        found = [nested for nested in walk(op) if nested.name.startswith(PREFIX)]
        if not found:
            return
        from ...dialects.sdy import forwarded

        for nested in found:
            values = forwarded(nested) if isinstance(nested, IRDLOperation) else None
            if values is None:
                continue
            for result, value in zip(nested.results, values, strict=True):
                replace_uses(result, value)
            nested.detach()
            nested.erase()
