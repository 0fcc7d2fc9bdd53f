"""`func-note-interface`: each public function says what its callers pass and get, and keeps saying so.

Passes flatten tuples, drop tokens and signs, add sizes and turn results into arguments. The attribute `xrt.interface`
of the function, and of the entry that becomes of it, is what the program was called with: the types, and the names of
arguments and results for messages. Whoever continues the program on a lower level reads it there.

The attribute `xrt.denormals` of the module is what callers may expect of subnormal numbers (`denormals=preserve`).

Needs: level 0. Leaves: the attribute at every public function with a body that has none, and that of a module that has
none; nothing else changes. Raises `InvalidProgramError` for an argument whose memory a result is to take
(`tf.aliasing_output`) that there is not.

    builtin.module {
      func.func @main(%x: tensor<4xui8>) -> (tensor<4xui8> {jax.result_info = "y"}) { ... }

becomes

    builtin.module attributes {xrt.denormals = "flush"} {
      func.func @main(%x: tensor<4xui8>) -> (tensor<4xui8> {jax.result_info = "y"}) attributes {xrt.interface = {
          type = (tensor<4xui8>) -> tensor<4xui8>, arguments = ["x"], results = ["y"]}} { ... }

Not a pattern pass: it notes the type of a function before others change it.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ...decisions.denormals import DEFAULT, MODES
from ...dialects.xrt_names import DENORMALS, INTERFACE
from ...errors import InvalidProgramError, XlaError
from ...ir.interface import note_interface

ALIAS = "tf.aliasing_output"
"""Of an argument: the number of the result that may take its memory."""


@dataclass(frozen=True)
class FuncNoteInterfacePass(ModulePass):
    """See the module's documentation."""

    name = "func-note-interface"

    denormals: str = DEFAULT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.denormals not in MODES:
            raise XlaError(f"func-note-interface: denormals are {' or '.join(MODES)}, not '{self.denormals}'")
        op.attributes.setdefault(DENORMALS, StringAttr(self.denormals))
        for function in op.body.block.ops:
            if not isinstance(function, FuncOp) or not function.body.blocks or INTERFACE in function.attributes:
                continue
            if function.sym_visibility is None or function.sym_visibility.data == "public":
                _check_aliases(function)
                note_interface(function)


def _check_aliases(function: FuncOp) -> None:
    """What is to be in the memory of an argument is a result there is."""
    count = len(function.function_type.outputs)
    for number, attributes in enumerate(function.arg_attrs or ()):
        alias = attributes.data.get(ALIAS)
        if isinstance(alias, IntegerAttr) and not 0 <= alias.value.data < count:
            message = f"argument {number} has {ALIAS} = {alias.value.data}, and there are {count} results"
            raise InvalidProgramError(message, function)
