"""A tree of HLO text to a StableHLO module."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, UnitAttr, i32
from xdsl.ir import Attribute

from ....runtime.sharding.partitioned import PARTITIONED, PARTITIONED_SUFFIX
from .. import attribute_values
from ..shapes import ArrayShape, Shape, TupleShape, leaves
from ..syntax import HloModule, Instruction
from . import communication, contraction, control_flow, custom_calls, data_movement, elementwise, indexing, reduction
from .functions import build_function
from .program import ENTRY_NAME, Program

FAMILIES = (communication, contraction, control_flow, custom_calls, data_movement, elementwise, indexing, reduction)
"""The modules that fill the table of handlers."""


def import_module(hlo: HloModule, filename: str, fill_elided: bool = False) -> ModuleOp:
    """The module of a text. Raises `InvalidProgramError` and `UnsupportedError` with positions in `filename`."""
    program = Program(hlo, filename, fill_elided)
    entry = build_function(program, hlo.entry, ENTRY_NAME, "public", hlo.entry.pos)
    _annotate_entry(program, entry)
    module = ModuleOp([entry, *program.functions.values()], sym_name=StringAttr(hlo.name))
    for name, count, attribute in (
        ("replica_count", program.replicas, "mhlo.num_replicas"),
        ("num_partitions", program.partitions, "mhlo.num_partitions"),
    ):
        if name in hlo.attributes or count > 1:
            module.attributes[attribute] = IntegerAttr(count, i32)
    if program.partitions > 1 and hlo.entry.name.endswith(PARTITIONED_SUFFIX):
        module.attributes[PARTITIONED] = UnitAttr()
    return module


class _LeafNumbers:
    """The number, among all leaves of a shape, of the one that an index leads to."""

    def __init__(self, shape: Shape) -> None:
        self._numbers: dict[tuple[int, ...], int] = {}
        self._enter(shape, ())

    def _enter(self, shape: Shape, index: tuple[int, ...]) -> None:
        if not isinstance(shape, TupleShape):
            self._numbers[index] = len(self._numbers)
            return
        for position, element in enumerate(shape.elements):
            self._enter(element, (*index, position))

    def get(self, index: tuple[int, ...]) -> int | None:
        """None if the index leads nowhere, or to a tuple."""
        return self._numbers.get(index)


def _layout_mode(shape: Shape) -> dict[str, Attribute]:
    """`mhlo.layout_mode = "{0,1}"` for an array that does not lie in row-major order."""
    if not isinstance(shape, ArrayShape) or shape.layout is None:
        return {}
    order = shape.minor_to_major
    if list(order) == sorted(order, reverse=True):
        return {}
    return {"mhlo.layout_mode": StringAttr(f"{{{','.join(map(str, order))}}}")}


def _entry_shapes(program: Program) -> tuple[tuple[Shape, ...], Shape]:
    """The shapes of parameters and result, with the layouts of the header if that has them."""
    hlo = program.hlo
    shapes = tuple(parameter.shape for parameter in hlo.entry.parameters), hlo.entry.root.shape
    text = hlo.attributes.get("entry_computation_layout")
    if text is None:
        return shapes
    given = attribute_values.program_shape(program.cursor(text))
    types = [program.types(TupleShape((*parameters, result)), text.start) for parameters, result in (shapes, given)]
    if types[0] != types[1] or len(given[0]) != len(shapes[0]):
        program.error("entry_computation_layout does not have the shapes of the entry computation", text.start)
    return given


def _attributes_of(program: Program, instruction: Instruction, shape: Shape) -> list[dict[str, Attribute]]:
    """The attributes of the arguments or results that a parameter or the root becomes."""
    found = [_layout_mode(leaf) for leaf in leaves(shape)]
    sharding = instruction.attributes.get("sharding")
    if sharding is not None and len(found) == 1:
        found[0]["mhlo.sharding"] = StringAttr(program.hlo.cursor.text[sharding.start : sharding.end])
    return found


def _annotate_entry(program: Program, entry: func.FuncOp) -> None:
    """Layouts, shardings, aliases and donations of the entry become attributes of arguments and results."""
    hlo = program.hlo
    parameters, result_shape = _entry_shapes(program)
    arguments: list[dict[str, Attribute]] = []
    for parameter, shape in zip(hlo.entry.parameters, parameters, strict=True):
        arguments += _attributes_of(program, parameter, shape)
    results = _attributes_of(program, hlo.entry.root, result_shape)

    argument_numbers, result_numbers = _LeafNumbers(TupleShape(parameters)), _LeafNumbers(result_shape)
    if (text := hlo.attributes.get("input_output_alias")) is not None:
        for alias in attribute_values.aliases(program.cursor(text)):
            argument = argument_numbers.get((alias.operand, *alias.operand_index))
            result = result_numbers.get(alias.output)
            if argument is None or result is None:
                program.error("the alias names a part that there is not", text.start)
            arguments[argument]["tf.aliasing_output"] = IntegerAttr(result, i32)
    if (text := hlo.attributes.get("buffer_donor")) is not None:
        for parameter, index in attribute_values.donors(program.cursor(text)):
            argument = argument_numbers.get((parameter, *index))
            if argument is None:
                program.error("the donor names a part that there is not", text.start)
            arguments[argument]["jax.buffer_donor"] = BoolAttr.from_bool(True)
    if any(arguments):
        entry.arg_attrs = ArrayAttr(map(DictionaryAttr, arguments))
    if any(results):
        entry.res_attrs = ArrayAttr(map(DictionaryAttr, results))
