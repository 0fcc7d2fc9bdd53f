"""`func-inline-layers`: the kernels of layers stand where the layers are called.

Buffers are given out for the program as a whole, and loops over kernels are made of what follows each other. So the
functions that `stablehlo-outline-layers` has made end here: each call becomes the ops of its callee, which on level 3
are few. A constant is made once, where the program begins.

Needs: level 3. Leaves: no function with the attribute `xrt.layer`, and no call of one.

    %1 = func.call @layer_0(%x, %w0) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
    ...
    func.func private @layer_0(%x: tensor<8x64xf32>, %w: tensor<64x64xf32>) -> tensor<8x64xf32>
        attributes {xrt.layer, xrt.entry} {
      %empty = tensor.empty() : tensor<8x64xf32>
      %0 = func.call @contraction_0(%x, %w, %empty) ...
      return %0 : tensor<8x64xf32>
    }

becomes

    %empty = tensor.empty() : tensor<8x64xf32>
    %1 = func.call @contraction_0(%x, %w0, %empty) ...

Not a pattern pass: constants that calls share stand in front of all of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.context import Context
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass

from ...dialects.editing import clone, discard, erase, insert_before, ops_of, replace_all_uses, walk
from ...dialects.xrt_names import KERNEL, LAYER


class _Caller:
    """A function that calls layers."""

    def __init__(self, function: func.FuncOp, layers: Mapping[str, func.FuncOp]) -> None:
        self._function = function
        self._layers = layers
        self._constants: dict[Attribute, Operation] = {}
        """By value."""

    def inline(self) -> None:
        for op in list(walk(self._function)):
            if isinstance(op, func.CallOp) and (layer := self._layers.get(op.callee.string_value())) is not None:
                self._inline(op, layer)

    def _inline(self, call: func.CallOp, layer: func.FuncOp) -> None:
        block = layer.body.block
        mapping: dict[SSAValue, SSAValue] = dict(zip(block.args, call.operands, strict=True))
        for op in ops_of(block):
            if isinstance(op, func.ReturnOp):
                returned = [mapping[value] for value in op.operands]
                replace_all_uses(dict(zip(call.results, returned, strict=True)))
            elif isinstance(op, arith.ConstantOp):
                mapping[op.result] = self._constant(op).results[0]
            else:
                insert_before(clone(op, mapping), call)
        erase(call)

    def _constant(self, op: arith.ConstantOp) -> Operation:
        known = self._constants.get(op.value)
        if known is None:
            known = self._constants[op.value] = clone(op)
            first = self._function.body.block.first_op
            assert first is not None
            insert_before(known, first)
        return known


class FuncInlineLayersPass(ModulePass):
    """See the module's documentation."""

    name = "func-inline-layers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = [function for function in op.ops if isinstance(function, func.FuncOp)]
        layers = {function.sym_name.data: function for function in functions if LAYER in function.attributes}
        if not layers:
            return
        for function in functions:
            if LAYER not in function.attributes and KERNEL not in function.attributes and function.body.blocks:
                _Caller(function, layers).inline()
        for layer in layers.values():
            layer.detach()
            discard(layer)
