"""`XlaBuilder`, the `XlaOp`s it makes, and the `XlaComputation` it builds.

A builder appends StableHLO ops to the body of a function. Tuples exist while a program is built only: an `XlaOp` of
tuple shape is its elements, a parameter of tuple shape is a parameter of the function for each array in it, and a
computation whose root is a tuple has a result for each.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import SymbolUserOpInterface
from xdsl.utils.exceptions import VerifyException

from ...dialects import stablehlo
from ...dialects.dense import attribute_of_bytes
from ...dialects.stablehlo.bounds import bounds_of
from ...errors import ArgumentError, UnsupportedError, similar_names
from .checks import CHECKS, Call, Check, RefusedError, described
from .computation import ProgramShape, XlaComputation
from .door import checked
from .literals import array_of_literal
from .location import caller, position
from .operators import OPERATORS, apply, method
from .shapes import MOST_DIMENSIONS, MOST_ELEMENTS, ElementType, PrimitiveType, Shape

Literal = Any
"""What NumPy makes an array of."""

_numbers = itertools.count()


def require(condition: bool, argument: str, message: str) -> None:
    """Raise the error that names the argument unless the condition holds."""
    if not condition:
        raise ArgumentError(f"{argument}: {message}")


class XlaOp:
    """A value of a program being built: an array, a token, or a tuple of values. Operators of Python work on arrays.

    `==` and `!=` compare identities; `eq` and `ne` build comparisons.
    """

    __array_ufunc__ = None
    """Arrays of NumPy leave operators to the `XlaOp` beside them."""

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
    def is_array(self) -> bool:
        return self._value is not None and isinstance(self._value.type, TensorType)

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

    def __bool__(self) -> bool:
        raise ArgumentError(
            f"operand: expected True or False, got {self!r}, of which nothing is known before the program runs; "
            "conditional and select choose by it",
            location=position(),
        )

    def __iter__(self) -> Iterator[XlaOp]:
        """The elements of a tuple."""
        if not self.is_tuple:
            raise ArgumentError(f"operand: expected a tuple, got {self.shape}", location=position())
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

    def __rmatmul__(self, other: Any) -> XlaOp:
        return apply("dot", other, self)

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

    def __rlshift__(self, other: Any) -> XlaOp:
        return apply("shift_left", other, self)

    def __rrshift__(self, other: Any) -> XlaOp:
        signed = self.shape.element_type.is_signed_integer
        return apply("shift_right_arithmetic" if signed else "shift_right_logical", other, self)

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


class XlaBuilder:
    """Builds one computation. Every operation is also a method: `builder.add(x, y)` is `add(x, y)`."""

    @checked
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
            raise UnknownOperationError(f"XlaBuilder has no operation {name!r}{similar_names(name, OPERATORS)}")
        return method(self, operator)

    def check_open(self, argument: str) -> None:
        """Raise an error that names the argument if the computation has been built."""
        require(not self._built, argument, f"expected a builder that goes on, got '{self.name}', which has been built")

    def get_shape(self, operand: XlaOp) -> Shape:
        """`XlaBuilder::GetShape`: the shape of a value."""
        return operand.shape

    # Adding operations

    def emit(self, op: Operation) -> XlaOp:
        """Append `op`, verified; its result, or a tuple of its results.

        What calls a function by name is verified as part of the whole program.
        """
        self.check_open("builder")
        op.location = caller()
        if not any(part.has_trait(SymbolUserOpInterface) for part in op.walk()):
            try:
                op.verify()
            except VerifyException:
                op.verify_()
                raise
        _require_rule_for_bounds(op)
        for result in op.results:
            _check_size(result.type)
        self.block.add_op(op)
        results = [XlaOp(self, result) for result in op.results]
        self._last = results[0] if len(results) == 1 else XlaOp(self, None, results)
        return self._last

    @checked
    def parameter(self, parameter_number: int, shape: Shape, name: str = "") -> XlaOp:
        """`XlaBuilder::Parameter`: argument number `parameter_number` of the computation."""
        self.check_open("builder")
        require(parameter_number >= 0, "parameter_number", f"expected 0 or more, got {parameter_number}")
        require(parameter_number not in self._parameters, "parameter_number", f"{parameter_number} is taken")
        values = iter([self.block.insert_arg(leaf.type, len(self.block.args)) for leaf in shape.leaves])
        op = self.assemble(shape, values)
        if not op.is_tuple and SSAValue.is_valid_name(name):
            op.value.name_hint = name
        self._parameters[parameter_number] = (shape, name, op)
        self._last = op
        return op

    @checked
    def constant_literal(self, literal: Literal, element_type: ElementType | None = None) -> XlaOp:
        """`ConstantLiteral`: an array of NumPy or what it makes one of, or a tuple of those.

        Numbers have to fit `element_type`. Without one those of Python are S32, F32, C64 or PRED, those of NumPy what
        they are.
        """
        return self.literal(literal, element_type, "literal")

    @checked
    def constant(self, literal: Literal, element_type: ElementType | None = None) -> XlaOp:
        """The same as `constant_literal`, for short."""
        return self.literal(literal, element_type, "literal")

    def literal(self, literal: Literal, element_type: PrimitiveType | None, argument: str) -> XlaOp:
        """A constant. Raises `ArgumentError` that names the argument for what does not fit the type."""
        if isinstance(literal, tuple):
            elements = [self.literal(element, element_type, argument) for element in cast(tuple[Any, ...], literal)]
            self._last = XlaOp(self, None, elements)
            return self._last
        array, found = array_of_literal(literal, element_type, argument)
        shape = Shape.array(found, array.shape)
        data = np.ascontiguousarray(array).tobytes()
        return self.emit(stablehlo.ConstantOp(attribute_of_bytes(cast("TensorType[Attribute]", shape.type), data)))

    def wrap(self, value: Any, like: XlaOp | Shape | None = None, argument: str = "operand") -> XlaOp:
        """An operand as an `XlaOp` of this builder; numbers become constants with the element type of `like`."""
        if isinstance(value, XlaOp):
            if value.builder is not self:
                raise ArgumentError(f"{argument}: expected {_of(self)}, got {_of(value.builder)}")
            return value
        if isinstance(value, tuple):
            elements = [self.wrap(element, argument=argument) for element in cast("tuple[Any, ...]", value)]
            return XlaOp(self, None, elements)
        shape = like.shape if isinstance(like, XlaOp) else like
        return self.literal(value, shape.element_type if shape is not None else None, argument)

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

    @checked
    def build(self, root: XlaOp | None = None) -> XlaComputation:
        """`XlaBuilder::Build`: the computation with the result `root`, by default that of the last operation."""
        require(not self._built, "builder", f"'{self.name}' has been built already")
        root = self._last if root is None else root
        if root is None:
            raise ArgumentError(f"root: builder '{self.name}' holds no operation")
        self.wrap(root, argument="root")
        numbers = sorted(self._parameters)
        if numbers != list(range(len(numbers))):
            raise ArgumentError(f"parameter_number: expected 0, 1, 2 and so on, got the numbers {numbers}")
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


def builder_of(*operands: Any, argument: str = "operand") -> XlaBuilder:
    """The builder of the first operand that has one."""
    for operand in operands:
        if isinstance(operand, XlaOp):
            return operand.builder
        if isinstance(operand, list | tuple):
            for element in cast(Sequence[Any], operand):
                if isinstance(element, XlaOp):
                    return element.builder
    raise ArgumentError(f"{argument}: expected at least one XlaOp, which tells the builder, got {described(operands)}")


def same_elements(name: str, op: XlaOp, other_name: str, other: XlaOp) -> None:
    """Require two operands with elements of one type."""
    got, wanted = op.shape.element_type, other.shape.element_type
    require(got is wanted, name, f"expected elements {wanted.value} as those of {other_name}, got {op.shape}")


class UnknownOperationError(ArgumentError, AttributeError):
    """A builder has no operation of that name."""


def _check_size(type: Attribute) -> None:
    """Require that there can be arrays of the type."""
    if isinstance(type, TensorType):
        shape = Shape.from_type(cast(TensorType[Attribute], type)).dimensions
        if len(shape) > MOST_DIMENSIONS or prod(shape) >= MOST_ELEMENTS:
            raise VerifyException(f"a result of type {type}, which no array can have")


def _of(builder: XlaBuilder) -> str:
    return f"an operation of builder '{builder.name}'"


def _operand(value: Any, call: Call) -> XlaOp:
    """An `XlaOp` of the builder of the call, to which operations can still be added."""
    if not isinstance(value, XlaOp):
        raise RefusedError("an XlaOp", described(value))
    if call.builder is None:
        if value.builder._built:  # pyright: ignore[reportPrivateUsage]
            raise RefusedError("an operation of a builder that goes on", f"{_of(value.builder)}, which has been built")
        call.builder = value.builder
    elif call.builder is not value.builder:
        raise RefusedError(_of(call.builder), _of(value.builder))
    return value


CHECKS[XlaOp] = Check("an XlaOp", _operand)
