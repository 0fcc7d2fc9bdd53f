"""`stablehlo-erase-sharding`: a program for one device does not say how it is spread over several.

Ops of Shardy's `sdy` dialect that JAX writes into programs go: meshes and groups are dropped, constraints on the
sharding of a value become the value. Attributes of the dialect stay; nothing looks at them.

The type that a partitioned function had before (`xrt.global_type`) goes too.

Needs: nothing. Leaves: no `sdy.mesh`, `sharding_constraint`, `reshard`, `sharding_group`, `propagation_barrier`.

    sdy.mesh @mesh = <["x"=2]>
    ...
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<4x4xf32>
    %2 = stablehlo.negate %1 : tensor<4x4xf32>

becomes

    %2 = stablehlo.negate %0 : tensor<4x4xf32>
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...dialects.editing import walk
from ...dialects.xrt_names import GLOBAL_TYPE
from ...ir.pattern_pass import PatternPass
from ...ir.patterns import Pattern, name_of_op
from ...ir.rewriter import Rewriter, rewrite_once

PREFIX = "sdy."


class StablehloEraseShardingPass(PatternPass):
    """Replaces the results of `sdy` ops by their operands."""

    name = "stablehlo-erase-sharding"

    def patterns(self) -> Sequence[Pattern]:
        from ...dialects.sdy import SDY

        return [Pattern(_forward, (op,), name_of_op(op)) for op in SDY.operations]

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            function.attributes.pop(GLOBAL_TYPE, None)
        if any([nested.name.startswith(PREFIX) for nested in walk(op)]):
            rewrite_once(op, self.rewrites(ctx), forwards=True)


def _forward(op: Any, rewriter: Rewriter) -> Sequence[SSAValue] | None:
    """The op goes; its operands take the place of its results."""
    from ...dialects.sdy import forwarded

    return forwarded(op)
