"""A computation while its lines come into being, and the text that all computations make up.

Regions of StableHLO may use values from outside, computations of HLO may not. What a loop or a branch captures becomes
part of the tuple it takes; constants are written again where they are used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, NoReturn, TypeAlias

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import DictionaryAttr, NameLoc, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....dialects import stablehlo
from ....dialects.dense import splat_bytes
from ....errors import UnsupportedError
from ....reference.arrays import dense_array
from ..cursor import escape
from ..literals import print_literal
from ..shapes import ELEMENT_TYPES, from_type, show

SMALL_CONSTANT = 64
"""Constants of at most this many elements are written again in every computation that uses them."""

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.]")


class Line(NamedTuple):
    """`name = shape operation`"""

    name: str
    shape: str
    operation: str


RESERVED = (*ELEMENT_TYPES, *"token opaque tuple buffer true false inf nan HloModule ENTRY ROOT".split())
"""Words that XLA does not take for names."""


class Names:
    """Names of which no two are equal, and none means something in HLO."""

    def __init__(self) -> None:
        self._counts = dict.fromkeys(RESERVED, 1)

    def fresh(self, base: str) -> str:
        """A name that begins with `base`."""
        base = _NOT_IN_NAMES.sub("_", base)
        if not base or not (base[0].isalpha() or base[0] == "_"):
            base = f"_{base}"
        count = self._counts.get(base)
        if count is None:
            self._counts[base] = 1
            return base
        while True:
            name = f"{base}.{count}"
            count += 1
            self._counts[base] = count
            if name not in self._counts:
                self._counts[name] = 1
                return name


def shape_text(type: Attribute, op: Operation) -> str:
    """The shape of a type as text; the error of one that has none names `op`."""
    try:
        return show(from_type(type))
    except UnsupportedError as error:
        raise UnsupportedError(f"'{op.name}' op: {error.message}", op) from None


def tuple_text(shapes: Iterable[str]) -> str:
    return f"({', '.join(shapes)})"


def captured_values(regions: Sequence[Region]) -> list[SSAValue]:
    """What the regions use from outside, without constants that are written again, in order of use."""
    defined = set[SSAValue]()
    used: dict[SSAValue, None] = {}
    for region in regions:
        for block in region.blocks:
            defined.update(block.args)
        for op in region.walk():
            defined.update(op.results)
            used.update(dict.fromkeys(op.operands))
            for nested in op.regions:
                for block in nested.blocks:
                    defined.update(block.args)
    return [value for value in used if value not in defined and not is_repeatable(value)]


def is_repeatable(value: SSAValue) -> bool:
    """Whether a value is a constant that may be written several times."""
    op = value.owner
    if not isinstance(op, stablehlo.ConstantOp):
        return False
    return splat_bytes(op.value) is not None or dense_array(op.value).size <= SMALL_CONSTANT


class Computation:
    """The lines of a computation, and what its values are called in it."""

    def __init__(self, program: HloWriter, name: str) -> None:
        self.program = program
        self.name = name
        self.lines: list[Line] = []
        self.names: dict[SSAValue, str] = {}
        self.parameters: list[tuple[str, str]] = []
        self._instructions = Names()

    def parameter(self, shape: str, hint: str, suffix: str = "") -> str:
        """Add a parameter."""
        name = self.line(shape, f"parameter({len(self.parameters)}){suffix}", hint)
        self.parameters.append((name, shape))
        return name

    def line(self, shape: str, operation: str, hint: str) -> str:
        """Add a line; its name."""
        name = self._instructions.fresh(hint)
        self.lines.append(Line(name, shape, operation))
        return name

    def instruction(
        self, shape: str, opcode: str, operands: Sequence[str], attributes: Sequence[str] = (), hint: str = ""
    ) -> str:
        """Add an instruction; its name."""
        arguments = ", ".join(f"%{operand}" for operand in operands)
        operation = ", ".join([f"{opcode}({arguments})", *attributes])
        return self.line(shape, operation, hint or opcode)

    def element(self, tuple_name: str, index: int, shape: str, hint: str = "") -> str:
        """Add a `get-tuple-element`."""
        return self.instruction(shape, "get-tuple-element", [tuple_name], [f"index={index}"], hint)

    def make_tuple(self, names: Sequence[str], shapes: Sequence[str]) -> str:
        """Add a `tuple`."""
        return self.instruction(tuple_text(shapes), "tuple", names)

    def name_of(self, value: SSAValue) -> str:
        """The instruction that computes a value; a constant from outside is written here."""
        name = self.names.get(value)
        if name is None:
            op = value.owner
            if not isinstance(op, stablehlo.ConstantOp):
                parent = op if isinstance(op, Operation) else op.parent_op()
                raise UnsupportedError("a computation of HLO cannot use a value from outside", parent)
            name = self.constant(op)
        return name

    def constant(self, op: stablehlo.ConstantOp) -> str:
        """Add a constant; one of equal elements is the broadcast of a scalar."""
        shape = shape_text(op.output.type, op)
        array = dense_array(op.value)
        if array.ndim and (array.size == 0 or (array.size > 1 and splat_bytes(op.value) is not None)):
            element = array.reshape(-1)[:1].reshape(()) if array.size else np.zeros((), array.dtype)
            scalar_shape = shape.partition("[")[0] + "[]"
            scalar = self.line(scalar_shape, f"constant({print_literal(element)})", "constant")
            name = self.instruction(shape, "broadcast", [scalar], ["dimensions={}"])
        else:
            name = self.line(shape, f"constant({print_literal(array)})", op.output.name_hint or "constant")
        self.names[op.output] = name
        return name

    def text(self, root: str, *, is_entry: bool = False) -> str:
        """The computation as text; `root` is the name of its result."""
        shapes = {line.name: line.shape for line in self.lines}
        parameters = ", ".join(f"{name}: {shape}" for name, shape in self.parameters)
        body = "".join(
            f"  {'ROOT ' if line.name == root else ''}%{line.name} = {line.shape} {line.operation}\n"
            for line in self.lines
        )
        return f"{'ENTRY ' if is_entry else ''}%{self.name} ({parameters}) -> {shapes[root]} {{\n{body}}}\n"


class Site:
    """An op and the computation its instructions go to."""

    def __init__(self, computation: Computation, op: Operation) -> None:
        self.computation = computation
        self.program = computation.program
        self.op = op

    def unsupported(self, reason: str) -> NoReturn:
        """Raise `UnsupportedError` about the op."""
        raise UnsupportedError(f"'{self.op.name}' op: {reason}", self.op)

    def shape(self, value: SSAValue | Attribute) -> str:
        return shape_text(value.type if isinstance(value, SSAValue) else value, self.op)

    def operands(self) -> list[str]:
        return [self.computation.name_of(operand) for operand in self.op.operands]

    def emit(
        self,
        opcode: str,
        operands: Sequence[str],
        attributes: Sequence[str] = (),
        shape: str | None = None,
    ) -> str:
        """Add an instruction, by default of the shape of the op's first result."""
        return self.computation.instruction(shape or self.shape(self.op.results[0]), opcode, operands, attributes)

    def finish(self, opcode: str, operands: Sequence[str] | None = None, attributes: Sequence[str] = ()) -> None:
        """Add the instruction of the op itself. Several results, or none, come as a tuple."""
        operands = self.operands() if operands is None else operands
        results = self.op.results
        shapes = [self.shape(result) for result in results]
        shape = shapes[0] if len(shapes) == 1 else tuple_text(shapes)
        notes = [*attributes, *self.notes()]
        hint = (results[0].name_hint if len(results) == 1 else None) or opcode
        name = self.computation.instruction(shape, opcode, operands, notes, hint)
        if len(results) == 1:
            self.computation.names[results[0]] = name
        else:
            self.take_apart(name, results, shapes)

    def take_apart(self, name: str, values: Sequence[SSAValue], shapes: Sequence[str]) -> None:
        """The values are the elements of the tuple `name`."""
        for index, (value, shape) in enumerate(zip(values, shapes, strict=True)):
            element = self.computation.element(name, index, shape, value.name_hint or "")
            self.computation.names[value] = element

    def alias(self, value: SSAValue, name: str) -> None:
        """`value` is what the instruction `name` computes."""
        self.computation.names[value] = name

    def notes(self) -> list[str]:
        """What a frontend noted on the op: attributes, sharding, and its name there."""
        notes: list[str] = []
        entries = self.op.attributes.get("mhlo.frontend_attributes")
        if isinstance(entries, DictionaryAttr) and entries.data:
            notes.append(frontend_attributes(entries.data))
        sharding = self.op.attributes.get("mhlo.sharding")
        if isinstance(sharding, StringAttr) and sharding.data.startswith("{"):
            notes.append(f"sharding={sharding.data}")
        if isinstance(self.op.location, NameLoc):
            notes.append(f'metadata={{op_name="{escape(self.op.location.desc.data)}"}}')
        return notes

    def region(self, region: Region, hint: str = "region") -> str:
        """The computation of a region whose arguments are its parameters."""
        if captured_values([region]):
            self.unsupported("a computation of HLO cannot use a value from outside")
        computation = self.program.new_computation(hint)
        block = region.block
        for argument in block.args:
            name = computation.parameter(self.shape(argument), argument.name_hint or "arg")
            computation.names[argument] = name
        return self.program.complete(computation, block)


def frontend_attributes(entries: Mapping[str, Attribute]) -> str:
    """`frontend_attributes={key="text"}`"""
    pairs = [
        f'{key}="{escape(value.data if isinstance(value, StringAttr) else str(value))}"'
        for key, value in entries.items()
    ]
    return f"frontend_attributes={{{','.join(pairs)}}}"


Printer: TypeAlias = Callable[[Site], None]

PRINTERS: dict[type[Operation], Printer] = {}
"""What writes the instructions of an op."""


class HloWriter:
    """The computations of a module, each after those it uses."""

    def __init__(self, functions: Mapping[str, func.FuncOp]) -> None:
        self.functions = functions
        self.texts: list[str] = []
        self._names = Names()
        self._of_function: dict[str, str] = {}
        self._in_progress: list[str] = []

    def new_computation(self, hint: str) -> Computation:
        return Computation(self, self._names.fresh(hint))

    def body(self, computation: Computation, block: Block) -> list[SSAValue]:
        """Write the ops of a block; what it returns."""
        for op in block.ops:
            if isinstance(op, func.ReturnOp | stablehlo.ReturnOp):
                return list(op.operands)
            printer = PRINTERS.get(type(op))
            if printer is None:
                raise UnsupportedError(f"'{op.name}' op: has no form in HLO text", op)
            printer(Site(computation, op))
        raise AssertionError("a block ends with a return")

    def complete(self, computation: Computation, block: Block, *, is_entry: bool = False) -> str:
        """Write a block as the body of a computation; several results become a tuple. Returns the name."""
        results = self.body(computation, block)
        names = [computation.name_of(result) for result in results]
        if len(names) == 1:
            root = names[0]
        else:
            last = block.last_op
            assert last is not None
            root = computation.make_tuple(names, [shape_text(result.type, last) for result in results])
        return self.close(computation, root, is_entry=is_entry)

    def close(self, computation: Computation, root: str, *, is_entry: bool = False) -> str:
        """The computation has all its lines. Returns its name."""
        self.texts.append(computation.text(root, is_entry=is_entry))
        return computation.name

    def function(self, symbol: str, op: Operation) -> str:
        """The computation of a function, written when it is first wanted."""
        name = self._of_function.get(symbol)
        if name is not None:
            return name
        function = self.functions.get(symbol)
        if function is None or function.is_declaration:
            raise UnsupportedError(f"'{op.name}' op: there is no body of '@{symbol}'", op)
        if symbol in self._in_progress:
            raise UnsupportedError(f"'{op.name}' op: '@{symbol}' calls itself", op)
        if len(function.body.blocks) != 1:
            raise UnsupportedError(f"'@{symbol}' has several blocks", function)
        self._in_progress.append(symbol)
        computation = self.new_computation(symbol)
        block = function.body.block
        for argument in block.args:
            shape = shape_text(argument.type, function)
            computation.names[argument] = computation.parameter(shape, argument.name_hint or "arg")
        name = self._of_function[symbol] = self.complete(computation, block)
        self._in_progress.pop()
        return name
