"""`XlaBuilder`, the `XlaOp`s it makes, and the `XlaComputation` it builds.

A builder appends StableHLO ops to the body of a function. Tuples exist while a program is built only: an `XlaOp` of
tuple shape is its elements, a parameter of tuple shape is a parameter of the function for each array in it, and a
computation whose root is a tuple has a result for each.
"""

from __future__ import annotations

import functools
import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, FileLineColLoc, IntAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import SymbolUserOpInterface
from xdsl.utils.exceptions import VerifyException

from ...dialects import stablehlo
from ...dialects.stablehlo.bounds import bounds_of
from ...errors import ArgumentError, InvalidProgramError, UnsupportedError, XlaError
from ...runtime.compiler import compile
from ...runtime.executable import Executable
from .shapes import PrimitiveType, Shape

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Literal = Any
"""What NumPy makes an array of."""

_PACKAGE = str(Path(__file__).parent)
_numbers = itertools.count()


def _caller() -> FileLineColLoc:
    """Where the program that uses the builder is."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return FileLineColLoc(StringAttr(frame.f_code.co_filename), IntAttr(frame.f_lineno), IntAttr(1))


@dataclass(frozen=True)
class Operator:
    """A function that adds an operation to a program."""

    name: str
    cpp_name: str
    function: Callable[..., Any]
    takes_builder: bool
    """Whether its first argument is the builder, as in C++ where no operand could tell it."""


OPERATORS: dict[str, Operator] = {}
"""All of them, by the name they have in Python."""


def operation(
    cpp_name: str, *, takes_builder: bool = False
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Registers a function that adds an operation, called `cpp_name` in C++.

    What is wrong with its arguments is raised as an `XlaError` with the location of the call and the function's name.
    """

    def register(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        name = function.__name__

        @functools.wraps(function)
        def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
            try:
                return function(*args, **kwargs)
            except XlaError as error:
                if error.location is not None:
                    raise
                raise type(error)(f"{name}: {error.message}", location=_position()) from None
            except (VerifyException, ValueError, TypeError) as error:
                message = " ".join(str(error).split())
                raise InvalidProgramError(f"{name}: {message}", location=_position()) from error

        OPERATORS[name] = Operator(name, cpp_name, call, takes_builder)
        return call

    return register


def _position() -> str:
    location = _caller()
    return f"{location.filename.data}:{location.line.data}"


def require(condition: bool, argument: str, message: str) -> None:
    """Raise the error that names the argument unless the condition holds."""
    if not condition:
        raise ArgumentError(f"{argument}: {message}")


class XlaOp:
    """A value of a program being built: an array, a token, or a tuple of values. Operators of Python work on arrays.

    `==` and `!=` compare identities; `eq` and `ne` build comparisons.
    """

    def __init__(self, builder: XlaBuilder, value: SSAValue | None, elements: Sequence[XlaOp] = ()) -> None:
        self.builder = builder
        self._value = value
        self.elements = tuple(elements)

    @property
    def value(self) -> SSAValue:
        """The array or token in the program."""
        if self._value is None:
            raise ArgumentError(f"expected an array, got a tuple {self.shape}")
        return self._value

    @property
    def is_tuple(self) -> bool:
        return self._value is None

    @property
    def shape(self) -> Shape:
        if self._value is None:
            return Shape.tuple_of([element.shape for element in self.elements])
        return Shape.from_type(self._value.type)

    @property
    def leaves(self) -> list[SSAValue]:
        """The arrays and tokens in it, in order."""
        if self._value is not None:
            return [self._value]
        return [leaf for element in self.elements for leaf in element.leaves]

    def __repr__(self) -> str:
        return f"XlaOp({self.shape})"

    def __iter__(self) -> Iterator[XlaOp]:
        """The elements of a tuple."""
        require(self.is_tuple, "operand", f"expected a tuple, got {self.shape}")
        return iter(self.elements)

    def __getitem__(self, index: int) -> XlaOp:
        """An element of a tuple."""
        return apply("get_tuple_element", self, index)

    def __add__(self, other: Any) -> XlaOp:
        return apply("add", self, other)

    def __radd__(self, other: Any) -> XlaOp:
        return apply("add", other, self)

    def __sub__(self, other: Any) -> XlaOp:
        return apply("sub", self, other)

    def __rsub__(self, other: Any) -> XlaOp:
        return apply("sub", other, self)

    def __mul__(self, other: Any) -> XlaOp:
        return apply("mul", self, other)

    def __rmul__(self, other: Any) -> XlaOp:
        return apply("mul", other, self)

    def __truediv__(self, other: Any) -> XlaOp:
        return apply("div", self, other)

    def __rtruediv__(self, other: Any) -> XlaOp:
        return apply("div", other, self)

    def __mod__(self, other: Any) -> XlaOp:
        return apply("rem", self, other)

    def __rmod__(self, other: Any) -> XlaOp:
        return apply("rem", other, self)

    def __pow__(self, other: Any) -> XlaOp:
        return apply("pow", self, other)

    def __rpow__(self, other: Any) -> XlaOp:
        return apply("pow", other, self)

    def __matmul__(self, other: Any) -> XlaOp:
        return apply("dot", self, other)

    def __and__(self, other: Any) -> XlaOp:
        return apply("and_", self, other)

    def __rand__(self, other: Any) -> XlaOp:
        return apply("and_", other, self)

    def __or__(self, other: Any) -> XlaOp:
        return apply("or_", self, other)

    def __ror__(self, other: Any) -> XlaOp:
        return apply("or_", other, self)

    def __xor__(self, other: Any) -> XlaOp:
        return apply("xor", self, other)

    def __rxor__(self, other: Any) -> XlaOp:
        return apply("xor", other, self)

    def __lshift__(self, other: Any) -> XlaOp:
        return apply("shift_left", self, other)

    def __rshift__(self, other: Any) -> XlaOp:
        """Arithmetic for signed elements, logical for others."""
        signed = self.shape.element_type.is_signed_integer
        return apply("shift_right_arithmetic" if signed else "shift_right_logical", self, other)

    def __lt__(self, other: Any) -> XlaOp:
        return apply("lt", self, other)

    def __le__(self, other: Any) -> XlaOp:
        return apply("le", self, other)

    def __gt__(self, other: Any) -> XlaOp:
        return apply("gt", self, other)

    def __ge__(self, other: Any) -> XlaOp:
        return apply("ge", self, other)

    def __neg__(self) -> XlaOp:
        return apply("neg", self)

    def __invert__(self) -> XlaOp:
        return apply("not_", self)

    def __abs__(self) -> XlaOp:
        return apply("abs", self)


def apply(name: str, *args: Any) -> Any:
    """Call the operation of that name."""
    return OPERATORS[name].function(*args)


class XlaBuilder:
    """Builds one computation. Every operation is also a method: `builder.add(x, y)` is `add(x, y)`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.block = Block()
        self.functions: dict[str, FuncOp] = {}
        self._parameters: dict[int, tuple[Shape, str, XlaOp]] = {}
        self._token: XlaOp | None = None
        self._last: XlaOp | None = None
        self._built = False

    def __getattr__(self, name: str) -> Callable[..., Any]:
        operator = OPERATORS.get(name)
        if operator is None:
            raise AttributeError(f"XlaBuilder has no operation {name!r}")
        return functools.partial(operator.function, self) if operator.takes_builder else operator.function

    # Adding operations

    def emit(self, op: Operation) -> XlaOp:
        """Append `op`, verified; its result, or a tuple of its results.

        What calls a function by name is verified as part of the whole program.
        """
        op.location = _caller()
        if not any(part.has_trait(SymbolUserOpInterface) for part in op.walk()):
            try:
                op.verify()
            except VerifyException:
                op.verify_()
                raise
        _require_rule_for_bounds(op)
        self.block.add_op(op)
        results = [XlaOp(self, result) for result in op.results]
        self._last = results[0] if len(results) == 1 else XlaOp(self, None, results)
        return self._last

    def parameter(self, parameter_number: int, shape: Shape, name: str = "") -> XlaOp:
        """`XlaBuilder::Parameter`: argument number `parameter_number` of the computation."""
        require(parameter_number >= 0, "parameter_number", f"expected 0 or more, got {parameter_number}")
        require(parameter_number not in self._parameters, "parameter_number", f"{parameter_number} is taken")
        values = iter([self.block.insert_arg(leaf.type, len(self.block.args)) for leaf in shape.leaves])
        op = self.assemble(shape, values)
        if not op.is_tuple and SSAValue.is_valid_name(name):
            op.value.name_hint = name
        self._parameters[parameter_number] = (shape, name, op)
        self._last = op
        return op

    def constant_literal(self, literal: Literal, element_type: PrimitiveType | None = None) -> XlaOp:
        """`ConstantLiteral`: an array of NumPy or what it makes one of, or a tuple of those."""
        if isinstance(literal, tuple):
            elements = [self.constant_literal(element, element_type) for element in cast(tuple[Any, ...], literal)]
            return XlaOp(self, None, elements)
        array = np.asarray(literal, None if element_type is None else element_type.dtype)
        if element_type is None and not isinstance(literal, np.ndarray | np.generic):
            narrow = {"float64": np.float32, "int64": np.int32, "complex128": np.complex64}
            array = array.astype(narrow.get(array.dtype.name, array.dtype))
        shape = Shape.of(array) if element_type is None else Shape(element_type, array.shape)
        data = np.ascontiguousarray(array).tobytes()
        return self.emit(stablehlo.ConstantOp(DenseIntOrFPElementsAttr(cast(Any, shape.type), BytesAttr(data))))

    def constant(self, literal: Literal, element_type: PrimitiveType | None = None) -> XlaOp:
        """`ConstantR0`, `ConstantR1` and so on: the same as `constant_literal`."""
        return self.constant_literal(literal, element_type)

    def wrap(self, value: Any, like: XlaOp | None = None) -> XlaOp:
        """An operand as an `XlaOp` of this builder; numbers become constants with the element type of `like`."""
        if isinstance(value, XlaOp):
            require(value.builder is self, "operand", f"belongs to builder '{value.builder.name}', not '{self.name}'")
            return value
        return self.constant_literal(value, like.shape.element_type if like is not None else None)

    @property
    def token(self) -> XlaOp:
        """The token after the last operation with an effect, for operations that take none themselves."""
        if self._token is None:
            self._token = self.emit(stablehlo.AfterAllOp())
        return self._token

    @token.setter
    def token(self, token: XlaOp) -> None:
        self._token = token

    def call_target(self, computation: XlaComputation) -> str:
        """The name under which this program calls `computation`."""
        self.functions.update(computation.functions)
        self.functions[computation.name] = computation.function
        return computation.name

    def region(self, computation: XlaComputation, operands: Sequence[SSAValue] | None = None) -> Region:
        """The computation as a region: with its parameters, or with `operands` in their place."""
        self.functions.update(computation.functions)
        body = computation.function.body.block
        types = [arg.type for arg in body.args]
        block = Block(arg_types=[] if operands is not None else types)
        mapping: dict[SSAValue, SSAValue] = dict(zip(body.args, operands or block.args, strict=True))
        for op in body.ops:
            if isinstance(op, ReturnOp):
                block.add_op(stablehlo.ReturnOp(*(mapping[value] for value in op.operands)))
            else:
                clone = op.clone(mapping)
                clone.location = op.location
                block.add_op(clone)
        return Region(block)

    def assemble(self, shape: Shape, values: Iterator[SSAValue]) -> XlaOp:
        """A value of `shape` from its leaves."""
        if not shape.is_tuple:
            return XlaOp(self, next(values))
        return XlaOp(self, None, [self.assemble(part, values) for part in shape.tuple_shapes])

    # Building

    def build(self, root: XlaOp | None = None) -> XlaComputation:
        """`XlaBuilder::Build`: the computation with the result `root`, by default that of the last operation."""
        root = root or self._last
        require(not self._built, "builder", f"'{self.name}' has been built already")
        if root is None:
            raise ArgumentError(f"root: builder '{self.name}' holds no operation", location=_position())
        self.wrap(root)
        numbers = sorted(self._parameters)
        if numbers != list(range(len(numbers))):
            raise ArgumentError(f"parameters of '{self.name}' have the numbers {numbers}", location=_position())
        self._built = True
        self._order_arguments()
        results = root.leaves
        self.block.add_op(ReturnOp(*results))
        unique = (
            f"{''.join(c if c.isalnum() or c in '_.' else '_' for c in self.name) or 'computation'}.{next(_numbers)}"
        )
        inputs = [arg.type for arg in self.block.args]
        outputs = [value.type for value in results]
        function = FuncOp(unique, (inputs, outputs), Region(self.block), visibility="private")
        shapes = tuple(self._parameters[number][0] for number in numbers)
        names = tuple(self._parameters[number][1] for number in numbers)
        return XlaComputation(function, dict(self.functions), ProgramShape(shapes, root.shape, names))

    def _order_arguments(self) -> None:
        """Put the arguments of the function into the order of the parameters' numbers."""
        wanted = [leaf for number in sorted(self._parameters) for leaf in self._parameters[number][2].leaves]
        if list(self.block.args) == wanted:
            return
        ordered = [self.block.insert_arg(value.type, len(self.block.args)) for value in wanted]
        for old, new in zip(wanted, ordered, strict=True):
            new.name_hint = old.name_hint
            old.replace_all_uses_with(new)
        for old in list(self.block.args)[: len(wanted)]:
            self.block.erase_arg(old)
        moved: dict[SSAValue, SSAValue] = dict(zip(wanted, ordered, strict=True))
        for op in (self._last, *(parameter[2] for parameter in self._parameters.values())):
            if op is not None:
                _replace_values(op, moved)


def _require_rule_for_bounds(op: Operation) -> None:
    """Require that an op can be compiled if its operands or results have dimensions of bounded size."""
    bounded = [
        f"{kind} {index} has dimension {dim} of bounded size, of type {value.type}"
        for kind, values in (("operand", op.operands), ("result", op.results))
        for index, value in enumerate(values)
        for dim in bounds_of(value.type)
    ]
    if not bounded:
        return
    from ...passes.stablehlo.bounded_dimensions.expansion import takes_bounds

    if not takes_bounds(op):
        raise UnsupportedError(f"{bounded[0]}, which '{op.name}' does not take")


def _replace_values(op: XlaOp, moved: dict[SSAValue, SSAValue]) -> None:
    if op.is_tuple:
        for element in op.elements:
            _replace_values(element, moved)
    elif op.value in moved:
        op._value = moved[op.value]  # pyright: ignore[reportPrivateUsage]


@dataclass(frozen=True)
class ProgramShape:
    """The shapes of the parameters and of the result of a computation."""

    parameters: tuple[Shape, ...]
    result: Shape
    parameter_names: tuple[str, ...]

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.parameters))}) -> {self.result}"


class XlaComputation:
    """A built computation: an argument of `reduce`, `while_` and others, or a program of its own."""

    def __init__(self, function: FuncOp, functions: dict[str, FuncOp], program_shape: ProgramShape) -> None:
        self.function = function
        self.functions = functions
        self.program_shape = program_shape
        self._executables: dict[str, Executable] = {}

    @property
    def name(self) -> str:
        """The name of its function, which no other computation has."""
        return self.function.sym_name.data

    @property
    def module(self) -> ModuleOp:
        """The StableHLO program with this computation as its public function `main`."""
        main = self.function.clone()
        main.properties["sym_name"] = StringAttr("main")
        main.properties["sym_visibility"] = StringAttr("public")
        for old, new in zip(self.function.walk(), main.walk(), strict=True):
            new.location = old.location
        return ModuleOp([main, *(function.clone() for function in self.functions.values())])

    def compile(self, **options: Any) -> Executable:
        """Native code, as `xdsl_xla.compile` makes it; takes and gives the arrays in tuples one by one."""
        return compile(self.module, **options)

    def __call__(self, *arguments: Any, pipeline: str = "xla-cpu") -> Any:
        """Run the program (compiled the first time) on arrays and tuples of them; the result as an array or tuple."""
        if pipeline not in self._executables:
            self._executables[pipeline] = self.compile(pipeline=pipeline)
        arrays = self._flatten(arguments)
        return _nest(self.program_shape.result, iter(self._executables[pipeline](*arrays)))

    def interpret(self, *arguments: Any) -> Any:
        """As a call, by the reference interpreter."""
        from ...reference import interpreter

        return _nest(self.program_shape.result, iter(interpreter.run(self.module, "main", self._flatten(arguments))))

    def _flatten(self, arguments: Sequence[Any]) -> list[np.ndarray]:
        shapes = self.program_shape.parameters
        if len(arguments) != len(shapes):
            raise ArgumentError(f"{len(arguments)} arguments for {self.program_shape}")
        found: list[np.ndarray] = []
        for shape, argument in zip(shapes, arguments, strict=True):
            _flatten_into(found, shape, argument)
        return found


def _flatten_into(found: list[np.ndarray], shape: Shape, argument: Any) -> None:
    if not shape.is_tuple:
        found.append(np.asarray(argument, None if shape.is_token else shape.element_type.dtype))
        return
    if len(argument) != len(shape.tuple_shapes):
        raise ArgumentError(f"{len(argument)} elements for a tuple {shape}")
    for part, element in zip(shape.tuple_shapes, argument, strict=True):
        _flatten_into(found, part, element)


def _nest(shape: Shape, arrays: Iterator[np.ndarray]) -> Any:
    if not shape.is_tuple:
        return next(arrays)
    return tuple(_nest(part, arrays) for part in shape.tuple_shapes)


def builder_of(*operands: Any) -> XlaBuilder:
    """The builder of the first operand that has one."""
    for operand in operands:
        if isinstance(operand, XlaOp):
            return operand.builder
        if isinstance(operand, list | tuple):
            for element in cast(Sequence[Any], operand):
                if isinstance(element, XlaOp):
                    return element.builder
    raise ArgumentError("operand: expected at least one XlaOp, which tells the builder")


def shape_type(shape: Shape) -> Attribute:
    """The tensor type of an array shape."""
    require(shape.is_array, "shape", f"expected the shape of an array, got {shape}")
    return shape.type
