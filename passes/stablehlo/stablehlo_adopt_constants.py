"""`stablehlo-adopt-constants`: constants and casts of other dialects between ops of StableHLO become StableHLO's.

Compilers that write StableHLO leave `arith.constant` for constants and `tensor.cast` where a dimension becomes dynamic.
A cast is a conversion to the same element type, whose result may have other dynamic dimensions.

Needs: nothing. Leaves: no `arith.constant` of a tensor and no `tensor.cast`.

    %0 = arith.constant dense<[1, 2]> : tensor<2xi32>
    %1 = tensor.cast %0 : tensor<2xi32> to tensor<?xi32>

becomes

    %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %1 = stablehlo.convert %0 : (tensor<2xi32>) -> tensor<?xi32>
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects import stablehlo
from ...dialects.editing import insert_before, new_op, replace_uses, walk
from ...dialects.stablehlo.shapes import is_tensor

NAMES = {"arith.constant", "tensor.cast"}


class StablehloAdoptConstantsPass(ModulePass):
    """Replaces `arith.constant` of tensors and `tensor.cast`. See the module's documentation."""

    name = "stablehlo-adopt-constants"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for nested in [nested for nested in walk(op) if nested.name in NAMES]:
            own = _own(nested)
            if own is None or nested.parent is None:
                continue
            own.location = nested.location
            insert_before(own, nested)
            replace_uses(nested.results[0], own.results[0])
            nested.parent.erase_op(nested)


def _own(op: Operation) -> Operation | None:
    """What stands for `op` in StableHLO; none for a constant that is no tensor."""
    if op.name == "tensor.cast":
        return new_op(stablehlo.ConvertOp, operands=tuple(op.operands), result_types=op.result_types)
    value = op.properties.get("value")
    if value is None or not is_tensor(op.results[0].type):
        return None
    return new_op(stablehlo.ConstantOp, result_types=op.result_types, properties={"value": value})
