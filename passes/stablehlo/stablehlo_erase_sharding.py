"""`stablehlo-erase-sharding`: a program for one device does not say how it is spread over several.

Ops of Shardy's `sdy` dialect go: meshes and groups are dropped, constraints on the sharding of a value, and collectives
between shardings of it, become the value; named computations, and manual ones over a mesh of one device, become what is
in them. Shardings and sharding rules of ops, arguments and results go too.

The type that a partitioned function had before (`xrt.global_type`) goes too.

Needs: nothing. A manual computation over several devices, whose region has other shapes, raises `UnsupportedError`: it
is a program for that many. Leaves: nothing of the `sdy` dialect, but attributes of other names.

    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x4xf32> {
      %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<4x4xf32>
      %2 = stablehlo.negate %1 : tensor<4x4xf32>

becomes

    func.func @main(%0: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %2 = stablehlo.negate %0 : tensor<4x4xf32>
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects.editing import inline_block, walk
from ...dialects.xrt_names import GLOBAL_TYPE
from ...errors import UnsupportedError
from ...ir.pattern_pass import PatternPass
from ...ir.patterns import Pattern, name_of_op
from ...ir.rewriter import Rewrite, Rewriter, rewrite_once

PREFIX = "sdy."


class StablehloEraseShardingPass(PatternPass):
    """Replaces the results of `sdy` ops by their operands."""

    name = "stablehlo-erase-sharding"

    def patterns(self) -> Sequence[Pattern]:
        from ...dialects.sdy import SDY
        from ...dialects.sdy.annotations import ConstantOp
        from ...dialects.sdy.regions import ManualComputationOp, NamedComputationOp, ReturnOp

        others: dict[type[Operation], Rewrite] = {
            ConstantOp: _constant,
            ManualComputationOp: _inline,
            NamedComputationOp: _inline,
        }
        return [Pattern(others.get(op, _forward), (op,), name_of_op(op)) for op in SDY.operations if op is not ReturnOp]

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        has_ops = False
        for nested in walk(op):
            if nested.name.startswith(PREFIX):
                has_ops = True
                _check_devices(nested)
            if nested.attributes:
                _drop(nested.attributes)
            if type(nested) is func.FuncOp:
                nested.attributes.pop(GLOBAL_TYPE, None)
                nested.arg_attrs, nested.res_attrs = _without(nested.arg_attrs), _without(nested.res_attrs)
        if has_ops:
            rewrite_once(op, self.rewrites(ctx), forwards=True)


def _drop(attributes: dict[str, Any]) -> None:
    for name in [name for name in attributes if name.startswith(PREFIX)]:
        del attributes[name]


def _without(dictionaries: ArrayAttr[DictionaryAttr] | None) -> ArrayAttr[DictionaryAttr] | None:
    """The attributes of arguments or results without those of the dialect."""
    if dictionaries is None or not any(name.startswith(PREFIX) for each in dictionaries for name in each.data):
        return dictionaries
    entries = [dict(each.data) for each in dictionaries]
    for entry in entries:
        _drop(entry)
    return ArrayAttr(map(DictionaryAttr, entries)) if any(entries) else None


def _forward(op: Operation, rewriter: Rewriter) -> Sequence[SSAValue]:
    """The op goes; its operands take the place of its results."""
    return op.operands if op.results else ()


def _constant(op: Any, rewriter: Rewriter) -> SSAValue:
    """A constant is one of StableHLO."""
    from ...dialects.stablehlo.constant import ConstantOp

    return rewriter.emit(ConstantOp, (), op.output.type, {"value": op.value})


def _inline(op: Operation, rewriter: Rewriter) -> Sequence[SSAValue]:
    """What is in the region takes the place of the op."""
    return inline_block(op.regions[0].block, op, op.operands)


def _check_devices(op: Operation) -> None:
    """Raises UnsupportedError for a computation of parts of tensors: on one device there are none."""
    from ...dialects.sdy.regions import ManualComputationOp
    from ...dialects.sdy.values import resolve

    if not isinstance(op, ManualComputationOp):
        return
    shardings = (*op.in_shardings.data, *op.out_shardings.data)
    if not shardings:
        return
    mesh = resolve(shardings[0], op).mesh
    devices = prod(size for axis, size in mesh.axes if axis in op.manual_axes.data)
    if devices > 1:
        raise UnsupportedError(
            f"'{op.name}' over {devices} devices: this is a program for several; compile it with devices=, or run it "
            "with xla-run --devices",
            op,
        )
