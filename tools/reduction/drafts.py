"""Copies of a module that are changed, and then kept or thrown away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, ModuleOp, SymbolRefAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.editing import clone, erase, walk
from ...dialects.xrt_names import INTERFACE
from ...ir.purity import is_dead


class Draft:
    """A copy of a module. Edits find the copies of what they have seen in the original, and change those."""

    def __init__(self, original: ModuleOp, provenance: Mapping[SSAValue, SSAValue]) -> None:
        values: dict[SSAValue, SSAValue] = {}
        self.module = clone(original, values)
        self.provenance = {copy: provenance.get(value, value) for value, copy in values.items()}
        """Whose run-time value each value has, of the first module of all."""
        self._values = values
        self._ops = dict(zip(walk(original), walk(self.module), strict=True))

    def op(self, original: Operation) -> Operation:
        """The copy of an op."""
        return self._ops[original]

    def value(self, original: SSAValue) -> SSAValue:
        """The copy of a value."""
        return self._values[original]

    def as_argument(self, value: SSAValue, function: FuncOp) -> SSAValue:
        """A new last argument of `function` that stands for `value`, a value of the copy."""
        block = function.body.blocks[0]
        argument = block.insert_arg(value.type, len(block.args))
        argument.name_hint = value.name_hint
        self.provenance[argument] = self.provenance.get(value, value)
        _append_attributes(function)
        update_type(function)
        return argument


def entry_function(op: Operation) -> FuncOp | None:
    """The function of the `func` dialect around `op`."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, FuncOp):
        parent = parent.parent_op()
    return parent


def functions_of(module: ModuleOp) -> list[FuncOp]:
    """The functions with bodies."""
    return [op for op in module.ops if isinstance(op, FuncOp) and not op.is_declaration]


def open_functions(module: ModuleOp) -> list[FuncOp]:
    """The functions whose arguments and results may change: nothing in the module names them, and their attributes do
    not say what they are called with.
    """
    named = {name for op in walk(module) if op is not module for name in named_by(op)}
    return [f for f in functions_of(module) if f.sym_name.data not in named and INTERFACE not in f.attributes]


def named_by(op: Operation) -> set[str]:
    """The symbols that attributes of an op refer to."""
    found: set[str] = set()
    pending: list[Attribute] = [*op.properties.values(), *op.attributes.values()]
    while pending:
        attribute = pending.pop()
        if isinstance(attribute, SymbolRefAttr):
            found.add(attribute.root_reference.data)
        elif isinstance(attribute, ArrayAttr):
            pending += cast("ArrayAttr[Attribute]", attribute).data
        elif isinstance(attribute, DictionaryAttr):
            pending += attribute.data.values()
    return found


def update_type(function: FuncOp) -> None:
    """Let the type of a function be that of its block and of what it returns."""
    block = function.body.blocks[0]
    outputs: Sequence[Attribute] = function.function_type.outputs.data
    for candidate in function.body.blocks:
        if isinstance(candidate.last_op, ReturnOp):
            outputs = [value.type for value in candidate.last_op.operands]
    function.properties["function_type"] = FunctionType.from_lists([arg.type for arg in block.args], list(outputs))


def _append_attributes(function: FuncOp) -> None:
    if (attributes := function.properties.get("arg_attrs")) is not None:
        items = cast("ArrayAttr[Attribute]", attributes).data
        function.properties["arg_attrs"] = ArrayAttr([*items, DictionaryAttr({})])


def without_items(function: FuncOp, name: str, removed: set[int]) -> None:
    """Drop the attributes of some arguments or results."""
    if (attributes := function.properties.get(name)) is not None:
        items = cast("ArrayAttr[Attribute]", attributes).data
        function.properties[name] = ArrayAttr([item for index, item in enumerate(items) if index not in removed])


def erase_with_users_gone(op: Operation) -> None:
    """Erase an op whose results have no users any more, and what only it needed."""
    operands = list(op.operands)
    for region_op in walk(op):
        operands += region_op.operands
    erase(op)
    for value in operands:
        owner = value.owner
        if isinstance(owner, Operation) and owner.parent is not None and is_dead(owner):
            erase_with_users_gone(owner)


def sweep(root: Operation) -> None:
    """Erase what is not used and has no effect."""
    for region in root.regions:
        for block in region.blocks:
            for op in reversed(list(block.ops)):
                if is_dead(op):
                    erase(op)
                else:
                    sweep(op)
