"""Functions that passes add to a module, and those that are not called any more."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Region

from ..dialects.editing import append, erase, new_op, walk
from ..dialects.shared_attributes import function_type


def private_function(name: str, body: Block, attributes: Mapping[str, Attribute]) -> func.FuncOp:
    """A private function of the arguments of `body`, which returns nothing; its end is added."""
    append(body, new_op(func.ReturnOp))
    properties = {
        "sym_name": StringAttr(name),
        "function_type": function_type(tuple(body.arg_types)),
        "sym_visibility": StringAttr("private"),
    }
    return new_op(func.FuncOp, properties=properties, attributes=attributes, regions=[Region(body)])


def erase_uncalled(module: ModuleOp, functions: Mapping[str, func.FuncOp]) -> None:
    """Erases those of `functions`, by their names, that nothing in `module` calls."""
    called = {op.callee.string_value() for op in walk(module) if type(op) is func.CallOp}
    for name, function in functions.items():
        if name not in called:
            erase(function)
