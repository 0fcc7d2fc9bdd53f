"""`func-note-interface`: each public function says what its callers pass and get, and keeps saying so.

Passes flatten tuples, drop tokens and signs, add sizes and turn results into arguments. The attribute `xrt.interface`
of the function, and of the entry that becomes of it, is what the program was called with: the types, and the names of
arguments and results for messages. Whoever continues the program on a lower level reads it there.

Needs: level 0. Leaves: the attribute at every public function with a body that has none; nothing else changes.

    func.func @main(%x: tensor<4xui8>) -> (tensor<4xui8> {jax.result_info = "y"}) { ... }

becomes

    func.func @main(%x: tensor<4xui8>) -> (tensor<4xui8> {jax.result_info = "y"}) attributes {xrt.interface = {
        type = (tensor<4xui8>) -> tensor<4xui8>, arguments = ["x"], results = ["y"]}} { ... }

Not a pattern pass: it notes the type of a function before others change it.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ...dialects.xrt_names import INTERFACE
from ...ir.interface import note_interface


class FuncNoteInterfacePass(ModulePass):
    """See the module's documentation."""

    name = "func-note-interface"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.body.block.ops:
            if not isinstance(function, FuncOp) or not function.body.blocks or INTERFACE in function.attributes:
                continue
            if function.sym_visibility is None or function.sym_visibility.data == "public":
                note_interface(function)
