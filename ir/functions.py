"""Functions that passes add to a module."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Block, Region

from ..dialects.editing import append, new_op
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
