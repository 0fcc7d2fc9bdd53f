"""An instruction in the place where it becomes ops, and what those who translate it need.

Tuples are taken apart: the value of an instruction whose shape is a tuple is a Python tuple of values, so no tuple
reaches the program. A part of a tuple that StableHLO has no counterpart for, such as the context of an asynchronous
op, is None.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NoReturn, TypeAlias, TypeVar

from xdsl.dialects.builtin import IntegerAttr, TensorType, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.str_enum import StrEnum

from ....dialects import stablehlo
from ....dialects.dense import splat_attribute
from ....reference.arrays import bit_width, dtype_of
from .. import attribute_values
from ..cursor import Cursor
from ..shapes import ArrayShape, Shape, TupleShape, UnknownShape, leaves, show
from ..syntax import Computation, Instruction, compatible
from .mixed_precision import computed_in, converted, with_element
from .program import Program

HloValue: TypeAlias = SSAValue | tuple["HloValue", ...] | None
Handler: TypeAlias = Callable[["Site"], HloValue]

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)

REQUIRED = object()

_HINT = re.compile(r"[^\w]")


def flatten(value: HloValue) -> Iterator[SSAValue | None]:
    """The leaves of a value, in order."""
    if isinstance(value, tuple):
        for element in value:
            yield from flatten(element)
    else:
        yield value


def pack(shape: Shape, values: Iterator[SSAValue]) -> HloValue:
    """The value of shape `shape` whose leaves are the next `values`."""
    if isinstance(shape, TupleShape):
        return tuple(pack(element, values) for element in shape.elements)
    return next(values)


class Scope:
    """A block that ops are added to, and the values the instructions of one computation have there."""

    def __init__(self, program: Program, block: Block) -> None:
        self.program = program
        self.block = block
        self.values: dict[str, HloValue] = {}
        self.shapes: dict[str, Shape] = {}


class Site:
    """An instruction, the values of its operands, and where its ops go."""

    def __init__(self, scope: Scope, instruction: Instruction) -> None:
        self.scope = scope
        self.program: Program = scope.program
        self.instruction = instruction
        self.shape = instruction.shape
        self.location = scope.program.location(instruction)

    def error(self, message: str) -> NoReturn:
        """Raise an error about the instruction."""
        self.program.error(f"'{self.instruction.opcode}': {message}", self.instruction.pos)

    def unsupported(self, message: str) -> NoReturn:
        """Raise `UnsupportedError` about the instruction."""
        self.program.unsupported(f"'{self.instruction.opcode}': {message}", self.instruction.pos)

    # Operands

    def values(self, count: int | None = None, *, least: int = 0) -> list[HloValue]:
        """The values of the operands, of which there must be `count`, or `least` and more."""
        operands = self.instruction.operands
        if len(operands) < least:
            self.error(f"expected {least} operands or more, got {len(operands)}")
        if count is not None and len(operands) != count:
            self.error(f"expected {count} operands, got {len(operands)}")
        values: list[HloValue] = []
        for name, pos, shape in operands:
            if name not in self.scope.values:
                self.program.error(f"there is no instruction '{name}' before this one in its computation", pos)
            if shape is not None and not compatible(shape, actual := self.scope.shapes[name]):
                self.program.error(f"'{name}' is of shape {show(actual)}, not {show(shape)}", pos)
            values.append(self.scope.values[name])
        return values

    def tensors(self, count: int | None = None, *, least: int = 0) -> list[SSAValue]:
        """The values of the operands, none of which may be a tuple."""
        tensors: list[SSAValue] = []
        for index, value in enumerate(self.values(count, least=least)):
            if not isinstance(value, SSAValue):
                self.error(f"operand {index} is a tuple")
            tensors.append(value)
        return tensors

    def flat_values(self) -> list[SSAValue]:
        """The leaves of all operands."""
        values = self.values()
        return self.leaves(tuple(values), TupleShape(tuple(map(self.operand_shape, range(len(values))))))

    def leaves(self, value: HloValue, shape: Shape, block: Block | None = None) -> list[SSAValue]:
        """The leaves of a value of shape `shape`. In the place of what has no counterpart, such as the context of an
        asynchronous instruction that a loop carries, there are zeros: nothing reads them."""
        found, shapes = list(flatten(value)), list(leaves(shape))
        if len(found) != len(shapes):
            self.error(f"a value of {len(found)} arrays and tokens, not of shape {show(shape)}")
        return [
            self._stand_in(leaf_shape, block) if leaf is None else leaf
            for leaf, leaf_shape in zip(found, shapes, strict=True)
        ]

    def _stand_in(self, shape: Shape, block: Block | None) -> SSAValue:
        if not isinstance(shape, ArrayShape) or any(shape.dynamic):
            self.unsupported("takes the context of an asynchronous instruction as a value")
        self.program.spend(self.instruction.pos)
        width = bit_width(dtype_of(shape.element_type))
        type = TensorType(shape.element_type, shape.dims)
        zeros = stablehlo.ConstantOp(splat_attribute(type, bytes(-(-width // 8))))
        zeros.location = self.location
        (self.scope.block if block is None else block).add_op(zeros)
        return zeros.results[0]

    def operand_shape(self, index: int) -> Shape:
        """The shape of an operand, as its own instruction has it."""
        operands = self.instruction.operands
        if index >= len(operands):
            self.error(f"expected at least {index + 1} operands, got {len(operands)}")
        self.values()
        return self.scope.shapes[operands[index].name]

    def assume(self, shape: Shape) -> None:
        """Take `shape` for that of the result if the text leaves it out."""
        if isinstance(self.shape, UnknownShape):
            self.shape = shape

    def array_shape(self, index: int | None = None) -> ArrayShape:
        """The shape of an operand, or of the result, which must be an array."""
        shape = self.shape if index is None else self.operand_shape(index)
        if isinstance(shape, UnknownShape):
            self.error("the shape is left out, and it does not follow from the operands")
        if not isinstance(shape, ArrayShape):
            self.error("expected an array" if index is None else f"expected an array as operand {index}")
        return shape

    def parts(self, form: str) -> tuple[Shape, ...]:
        """The elements of the result's shape, which must be a tuple of the form described: two elements or more."""
        if not isinstance(self.shape, TupleShape) or len(self.shape.elements) < 2:
            self.error(f"expected a shape {form}")
        return self.shape.elements

    # Attributes

    def read(self, name: str, parse: Callable[[Cursor], T], default: object = REQUIRED) -> T:
        """The attribute `name`, read by `parse`."""
        attribute = self.instruction.attributes.get(name)
        if attribute is None:
            if default is REQUIRED:
                self.error(f"the attribute {name} is missing")
            return default  # pyright: ignore[reportReturnType]
        cursor = self.program.cursor(attribute)
        value = parse(cursor)
        if cursor.text[attribute.end : cursor.pos].strip():
            self.program.error(f"malformed {name}", attribute.start)
        cursor.skip()
        if cursor.pos < attribute.end:
            self.program.error(f"unexpected {cursor.found()} in {name}", cursor.pos)
        return value

    def has(self, name: str) -> bool:
        return name in self.instruction.attributes

    def text(self, name: str) -> str:
        """The value of an attribute as it stands, or an empty text."""
        attribute = self.instruction.attributes.get(name)
        return "" if attribute is None else self.program.hlo.cursor.text[attribute.start : attribute.end]

    def integer(self, name: str, default: object = REQUIRED) -> int:
        return self.read(name, lambda cursor: cursor.integer(), default)

    def integers(self, name: str, default: object = REQUIRED) -> tuple[int, ...]:
        return self.read(name, attribute_values.integers, default)

    def flag(self, name: str, default: bool = False) -> bool:
        return self.read(name, attribute_values.boolean, default)

    def word(self, name: str, default: object = REQUIRED) -> str:
        return self.read(name, lambda cursor: cursor.word(f"a value of {name}"), default)

    def string(self, name: str, default: object = REQUIRED) -> str:
        return self.read(name, lambda cursor: cursor.string(f"a value of {name}"), default)

    def member(self, enumeration: type[E], word: str) -> E:
        """The member of an enumeration whose value is `word`."""
        try:
            return enumeration(word)
        except ValueError:
            self.error(f"expected one of {', '.join(member.value for member in enumeration)}, got {word}")

    def dimension(self, name: str = "dimensions") -> IntegerAttr:
        """A list of one dimension."""
        dims = self.integers(name)
        if len(dims) != 1:
            self.error(f"expected one dimension in {name}, got {list(dims)}")
        return IntegerAttr(dims[0], i64)

    def computation(self, name: str) -> Computation:
        return self.read(name, self.program.computation_at)

    # Ops

    def types(self, shape: Shape | None = None) -> list[Attribute]:
        """The types of the leaves of a shape, by default that of the instruction."""
        return self.program.types(self.shape if shape is None else shape, self.instruction.pos)

    def create(
        self,
        op_type: type[Operation],
        operands: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        properties: Mapping[str, Attribute | None] | None = None,
        regions: Sequence[Region] = (),
        attributes: Mapping[str, Attribute] | None = None,
    ) -> Operation:
        """Add an op; properties that are None are left out."""
        self.program.spend(self.instruction.pos)
        present = {name: value for name, value in (properties or {}).items() if value is not None}
        op = op_type.create(
            operands=operands,
            result_types=result_types,
            properties=present,
            attributes=dict(attributes or {}),
            regions=regions,
        )
        return self.add(op)

    def add(self, op: Operation) -> Operation:
        """Add an op that is complete."""
        op.location = self.location
        self.scope.block.add_op(op)
        return op

    def emit(
        self,
        op_type: type[Operation],
        operands: Sequence[SSAValue],
        properties: Mapping[str, Attribute | None] | None = None,
        regions: Sequence[Region] = (),
        attributes: Mapping[str, Attribute] | None = None,
    ) -> HloValue:
        """Add an op whose results are the leaves of the instruction's shape; the value of that shape. Floats of several
        precisions are made one."""
        types = [] if isinstance(self.shape, UnknownShape) else self.types()
        common = computed_in(op_type, operands, types, regions)
        if common is not None:
            operands = converted(self, operands, common)
        if isinstance(self.shape, UnknownShape):
            from .inference import infer_shape

            self.shape = infer_shape(op_type, operands, properties or {}, regions)
        types = types or self.types()
        inner = types if common is None else [with_element(type, common) for type in types]
        results: list[SSAValue] = list(self.create(op_type, operands, inner, properties, regions, attributes).results)
        if inner != types:
            results = [
                value if value.type == type else self.create(stablehlo.ConvertOp, [value], [type]).results[0]
                for value, type in zip(results, types, strict=True)
            ]
        hint = _HINT.sub("_", self.instruction.name)
        for result in results:
            result.name_hint = hint
        return pack(self.shape, iter(results))

    def new(self, op: Operation) -> SSAValue:
        """Add an op made by its constructor; its result."""
        self.program.spend(self.instruction.pos)
        return self.add(op).results[0]

    # Computations

    def inline(self, computation: Computation, arguments: Sequence[HloValue], block: Block) -> HloValue:
        """Add the ops of a computation to `block`, its parameters being `arguments`."""
        pos = self.instruction.pos
        if len(arguments) != len(computation.parameters):
            self.error(
                f"{len(arguments)} arguments for the {len(computation.parameters)} parameters of '{computation.name}'"
            )
        for argument, parameter in zip(arguments, computation.parameters, strict=True):
            got = [leaf.type for leaf in flatten(argument) if leaf is not None]
            if got != self.program.types(parameter.shape, parameter.pos):
                self.error(f"the arguments do not have the shapes of the parameters of '{computation.name}'")
        return import_computation(self.program, computation, arguments, block, pos)

    def region(self, computation: Computation) -> Region:
        """A region whose block has the parameters of a computation as arguments, tuples taken apart, and returns its
        result."""
        types = [self.types(parameter.shape) for parameter in computation.parameters]
        block = Block(arg_types=[type for leaf_types in types for type in leaf_types])
        arguments = iter(block.args)
        values = [pack(parameter.shape, arguments) for parameter in computation.parameters]
        self.finish(block, self.inline(computation, values, block), computation)
        return Region(block)

    def branch(self, computation: Computation, argument: HloValue) -> Region:
        """A region without arguments; the parameter of the computation is a value from outside."""
        block = Block()
        self.finish(block, self.inline(computation, [argument], block), computation)
        return Region(block)

    def finish(self, block: Block, result: HloValue, computation: Computation) -> None:
        """Return the value of a computation from a region."""
        last = stablehlo.ReturnOp.create(operands=self.leaves(result, computation.root.shape, block))
        last.location = self.location
        block.add_op(last)


HANDLERS: dict[str, Handler] = {}
"""What makes ops of the instructions of an opcode."""


def import_computation(
    program: Program, computation: Computation, arguments: Sequence[HloValue], block: Block, pos: int
) -> HloValue:
    """Add the ops of a computation to a block; the value of its root."""
    program.enter(computation, pos)
    scope = Scope(program, block)
    for parameter, argument in zip(computation.parameters, arguments, strict=True):
        scope.values[parameter.name] = argument
        scope.shapes[parameter.name] = parameter.shape
    for instruction in computation.instructions:
        if instruction.parameter is not None:
            continue
        handler = HANDLERS.get(instruction.opcode) or asynchronous(instruction.opcode)
        if handler is None:
            program.error(f"unknown opcode '{instruction.opcode}'", instruction.pos)
        site = Site(scope, instruction)
        scope.values[instruction.name] = handler(site)
        scope.shapes[instruction.name] = instruction.shape = site.shape
    program.leave()
    return scope.values[computation.root.name]


def asynchronous(opcode: str) -> Handler | None:
    """The handler of `slice-start`, `slice-update` and `slice-done`: any opcode may be wrapped this way."""
    base, _, step = opcode.rpartition("-")
    if base not in HANDLERS or step not in ("start", "update", "done"):
        return None
    return (lambda site: _start(site, base)) if step == "start" else HANDLERS[f"async-{step}"]


def asynchronous_parts(site: Site) -> tuple[Shape, ...]:
    """The elements of the shape of a start instruction, which begins with a tuple of its operands."""
    form = "((operands), results, context)"
    parts = site.parts(form)
    operands = TupleShape(tuple(map(site.operand_shape, range(len(site.instruction.operands)))))
    if not compatible(parts[0], operands):
        site.error(f"expected a shape {form}, the operands being {show(operands)}, got {show(site.shape)}")
    return parts


def _start(site: Site, opcode: str) -> HloValue:
    """The instruction `opcode` whose result is the second element of the shape `((operands), results, context)`."""
    parts = asynchronous_parts(site)
    wrapped = Site(site.scope, dataclasses.replace(site.instruction, opcode=opcode, shape=parts[1]))
    return (tuple(site.values()), HANDLERS[opcode](wrapped), *[None] * (len(parts) - 2))
