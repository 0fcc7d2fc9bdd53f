"""Functions made of computations."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import DictionaryAttr, FunctionType, IntegerAttr, StringAttr, i32
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.utils.exceptions import ParseError

from ....runtime.mlir_text import parse_fragment
from .. import attribute_values
from ..syntax import Computation
from .program import Program, input_types, output_types
from .site import Site, flatten, import_computation, pack


def build_function(program: Program, computation: Computation, symbol: str, visibility: str, pos: int) -> func.FuncOp:
    """The function of a computation; tuples in its signature are taken apart."""
    inputs = input_types(program, computation)
    block = Block(arg_types=inputs)
    leaves = iter(block.args)
    arguments = [pack(parameter.shape, leaves) for parameter in computation.parameters]
    for parameter, argument in zip(computation.parameters, arguments, strict=True):
        for leaf in flatten(argument):
            if leaf is not None:
                leaf.name_hint = parameter.name.replace(".", "_").replace("-", "_")
    result = import_computation(program, computation, arguments, block, pos)
    last = func.ReturnOp.create(operands=[leaf for leaf in flatten(result) if leaf is not None])
    last.location = program.location(computation.root)
    block.add_op(last)
    outputs = output_types(program, computation)
    function = func.FuncOp(symbol, FunctionType.from_lists(inputs, outputs), Region(block), visibility)
    function.location = program.location(computation.root)
    return function


def function_of(site: Site, computation: Computation, arguments: Sequence[SSAValue]) -> func.FuncOp:
    """The private function of a computation, made when it is first wanted."""
    program, pos = site.program, site.instruction.pos
    if input_types(program, computation) != [argument.type for argument in arguments]:
        site.error(f"the arguments do not have the shapes of the parameters of '{computation.name}'")
    function = function_named(program, computation, pos)
    site.assume(computation.root.shape)
    if output_types(program, computation) != site.types():
        site.error(f"'{computation.name}' has a result of another shape")
    return function


def function_named(program: Program, computation: Computation, pos: int) -> func.FuncOp:
    """The private function of a computation, made when it is first wanted."""
    function = program.functions.get(computation.name)
    if function is None:
        symbol = program.symbol(computation.name)
        function = build_function(program, computation, symbol, "private", pos)
        program.functions[computation.name] = function
    return function


def parse_dictionary(text: str) -> DictionaryAttr | None:
    """`{uplo = 76 : ui8}` as MLIR writes it, or None if it is something else."""
    try:
        attribute = parse_fragment(text, "<text>", lambda parser: parser.parse_optional_attribute())
    except ParseError:
        return None
    return attribute if isinstance(attribute, DictionaryAttr) else None


def composite_properties(site: Site) -> dict[str, Attribute] | None:
    """Name, version and attributes of a composite, which stand in its frontend attributes."""
    entries = site.read("frontend_attributes", attribute_values.dictionary, {})
    name = entries.get("composite.name", "")
    if "." not in name.strip("."):
        return None
    version = entries.get("composite.version", "0")
    attributes = parse_dictionary(entries.get("composite.attributes", "{}"))
    return {
        "name": StringAttr(name),
        "version": IntegerAttr(int(version) if version.isdecimal() and len(version) < 10 else 0, i32),
        "composite_attributes": attributes or DictionaryAttr({}),
    }
