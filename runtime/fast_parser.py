"""xDSL's parser with the hot spots of large programs replaced; what it accepts and builds is the same.

A program of JAX is thousands of tokens (`dialects/fast_tokens.py`) and few distinct types. A tensor type, a function
type or a dictionary of attributes whose text was seen before, in this program or another one, is looked up; a line that
differs from one seen before in the names of values only is the same op on other values; dense literals of plain decimal
numbers are read by the JSON scanner. Everything unusual goes to the inherited methods, errors included.
"""

from __future__ import annotations

import builtins
import json
import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    Float80Type,
    Float128Type,
    FloatAttr,
    FunctionType,
    IntegerType,
    MemRefType,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue, TypeAttribute
from xdsl.parser import GenericParser, UnresolvedOperand
from xdsl.utils.lexer import Position
from xdsl.utils.mlir_lexer import MLIRTokenKind

from ..dialects.affine_syntax import AffineIndexParser
from ..dialects.dense import repeated
from ..dialects.dense_resources import DenseResourceParser
from ..dialects.editing import clone_region, new_op
from ..dialects.fast_tokens import FastSpan, TokenParser
from ..dialects.locations import LocationParser

# All quantifiers that could give something back are possessive: a text that does not match is refused in linear time.

_TENSOR_TYPE = re.compile(r"tensor<(?:[0-9]{1,18}+x){0,64}+[a-z][a-zA-Z0-9]*+>")
"""A tensor type whose meaning depends on its text alone: no aliases, no encodings."""

_ELEMENT = re.compile(r"^tensor<(?:[0-9]++x)*+")
"""What stands before the element type."""

_PLAIN_TYPE = (
    r"(?:(?:tensor|vector|memref)<(?:[0-9?]{1,18}+x){0,64}+[a-z][a-zA-Z0-9]*+>"
    r"|[if][0-9]++\b|ui[0-9]++\b|bf16\b|index\b)"
)
_TYPE_LIST = rf"\((?:{_PLAIN_TYPE}(?:, {_PLAIN_TYPE})*+)?+\)"
_FUNCTION_TYPE = re.compile(rf"{_TYPE_LIST} -> (?:{_TYPE_LIST}|{_PLAIN_TYPE})")
"""A function type on one line that depends on its text alone."""

_TENSOR_LIST = rf"\((?:{_TENSOR_TYPE.pattern}(?:, {_TENSOR_TYPE.pattern})*+)?+\)"
_FUNCTION_OF_TENSORS = re.compile(rf"{_TENSOR_LIST} -> (?:{_TENSOR_LIST}|{_TENSOR_TYPE.pattern})")

_ATTRIBUTES = re.compile(r"\{(?!-#)[^{}\"/\n]*+\}")
_PROPERTIES = re.compile(r"<\{[^{}\"/\n]*+\}>")
"""Dictionaries on one line without strings, comments and nested dictionaries; an alias in them means one thing."""

_WORDS_AND_NUMBERS = re.compile(r"<?\{[\w .,=:@\[\]+-]{0,200}\}>?")
"""A dictionary whose meaning depends on its text alone."""

_VALUE = r"%(?:[0-9]++|[a-zA-Z$._-][a-zA-Z0-9$._-]*+)"
_OPERAND = re.compile(_VALUE)
_OPERANDS = re.compile(rf"\((?:{_VALUE}(?:, {_VALUE})*+)?+\)")

_LINE = re.compile(rf"(?:({_VALUE}) = )?+([a-z_]++(?:\.[a-z_0-9]++)?+)([ (][^\n\"{{}}#!^/]{{1,500}}+)(?=\n)")
"""An op with at most one result on a line: name of the result, of the op, and what depends on its text alone but for
the values that it uses.
"""

_TYPE_ALONE = re.compile(r" %(?:, %)*+ : (tensor<(?:[0-9]{1,18}+x){0,64}+[a-z][a-zA-Z0-9]*+>)")
"""All of most elementwise ops, without the names of values."""

_BLANKS = re.compile(r"(?:[ \t\n\r\f\v]++|//[^\n]*+)*+")

_AFTER_AN_OP = {
    MLIRTokenKind.PERCENT_IDENT,
    MLIRTokenKind.BARE_IDENT,
    MLIRTokenKind.STRING_LIT,
    MLIRTokenKind.CARET_IDENT,
    MLIRTokenKind.R_BRACE,
    MLIRTokenKind.EOF,
}
"""What begins another op, a location or a block, or ends a region."""

_DECIMAL_LITERAL = re.compile(r"<([-+0-9.eE,\[\]\s]++)>")
"""What stands in angle brackets after `dense`, if it consists of decimal numbers."""


_MOST = 1 << 12
"""How many texts of a kind are kept."""

LARGE_BYTES = 1 << 10
"""Constants of more bytes are not kept."""

KnownT = TypeVar("KnownT")


class _Known(dict[str, KnownT]):
    """What texts mean that mean the same in every program."""

    def __setitem__(self, spelling: str, meaning: KnownT) -> None:
        if len(self) >= _MOST:
            self.clear()
        super().__setitem__(spelling, meaning)


_types = _Known[TypeAttribute]()
_element_types = _Known[Attribute]()
_function_types = _Known[FunctionType]()
_plain_dictionaries = _Known[dict[str, Attribute]]()


class _KnownLine(NamedTuple):
    """An op that was read from a line of some text."""

    op_class: type[Operation]
    operand_types: tuple[Attribute, ...]
    result_types: tuple[Attribute, ...]
    properties: dict[str, Attribute]
    attributes: dict[str, Attribute]
    regions: tuple[Region, ...] = ()
    """To be copied; nothing in them is from outside."""


_lines = _Known[_KnownLine]()
"""By text without the names of values."""


class FastParser(LocationParser, DenseResourceParser, AffineIndexParser, TokenParser):
    """The parser of MLIR with memory for types and fast paths for dense literals."""

    match_line: Callable[[str, Position], re.Match[str] | None] = staticmethod(_LINE.match)
    """The line of an op that may be one seen before; a parser that has to look at every token takes none for that."""

    def __init__(self, ctx: Context, text: str, name: str) -> None:
        super().__init__(ctx, text, name)
        self._text = text
        self._dictionaries: dict[str, dict[str, Attribute]] = {}
        self._lines: dict[str, _KnownLine] = {}
        """Those of this text alone."""

    def _skip_to(self, position: Position) -> None:
        state = self._parser_state
        state.lexer.pos = position
        state.current_token = state.lexer.lex()

    def parse_comma_separated_list(
        self, delimiter: GenericParser.Delimiter, parse: Callable[[], KnownT], context_msg: str = ""
    ) -> list[KnownT]:
        """As in xDSL, whose parser of `linalg.generic` does not take the brackets that its printer writes around the
        types of several results.
        """
        start = self._parser_state.current_token.span.start
        bare = delimiter is self.Delimiter.NONE and self._text.startswith("(", start)
        if bare and parse == self.parse_attribute:
            items = super().parse_comma_separated_list(self.Delimiter.PAREN, parse, context_msg)
            if self.parse_optional_punctuation("->") is None:
                return items
            self._skip_to(start)  # the type of a function
        return super().parse_comma_separated_list(delimiter, parse, context_msg)

    def parse_operation(self) -> Operation:
        match = self.match_line(self._text, self._parser_state.current_token.span.start)
        if match is None:
            return super().parse_operation()
        names = _OPERAND.findall(match[3])
        skeleton = _OPERAND.sub("%", match[3])
        spelling = match[2] + skeleton
        known = _lines.get(spelling) or self._lines.get(spelling)
        known = known or self._line_of_one_type(match[2], len(names), skeleton)
        if known is not None:
            op = self._same_line(match, known, names)
            return super().parse_operation() if op is None else op
        op = super().parse_operation()
        blanks = _BLANKS.match(self._text, match.end())
        ends_here = blanks is not None and blanks.end() == self._parser_state.current_token.span.start
        used = [self.ssa_values.get(name[1:]) for name in names]
        if ends_here and len(op.results) == (match[1] is not None) and used == [(value,) for value in op.operands]:
            types = tuple(op.operand_types), tuple(op.result_types)
            regions = tuple(clone_region(region, {}) for region in op.regions)
            lines = (
                self._lines if "dense_resource" in skeleton or any(map(_is_large, op.properties.values())) else _lines
            )
            lines[spelling] = _KnownLine(type(op), *types, dict(op.properties), dict(op.attributes), regions)
        return op

    def _line_of_one_type(self, name: str, arity: int, skeleton: str) -> _KnownLine | None:
        """What `%a, %b : type` says, of an op that may be written so and a type that was seen before."""
        spelled = _TYPE_ALONE.fullmatch(skeleton)
        type = None if spelled is None else _types.get(spelled[1])
        if type is None:
            return None
        op_class = self._class_of(name)
        if op_class is None or not getattr(op_class, "may_have_type_alone", bool)():
            return None
        known = _lines[name + skeleton] = _KnownLine(op_class, (type,) * arity, (type,), {}, {})
        return known

    def _class_of(self, name: str) -> builtins.type[Operation] | None:
        """The op that is called `name` here."""
        return self.ctx.get_optional_op(name, dialect_stack=self._parser_state.dialect_stack)

    def _same_line(self, match: re.Match[str], known: _KnownLine, names: list[str]) -> Operation | None:
        """The op of a known line on other values; None where one is not defined yet or of another type, and where names
        of ops mean others.
        """
        operands: list[SSAValue] = []
        for name, type in zip(names, known.operand_types, strict=True):
            values = self.ssa_values.get(name[1:])
            if values is None or len(values) != 1 or (values[0].type is not type and values[0].type != type):
                return None
            operands.append(values[0])
        result = match[1] and match[1][1:]
        if result and (result in self.ssa_values or result in self.forward_ssa_references):
            return None
        if len(known.result_types) != (result is not None):
            return None
        if self._class_of(match[2]) is not known.op_class:
            return None
        self._skip_to(match.end())
        if self._parser_state.current_token.kind not in _AFTER_AN_OP:
            self._skip_to(match.start())
            return None
        regions = [clone_region(region, {}) for region in known.regions]
        op = new_op(known.op_class, operands, known.result_types, known.properties, known.attributes, regions=regions)
        if (location := self.parse_optional_location()) is not None:
            op.location = location
        if result:
            self.ssa_values[result] = tuple(op.results)
            if SSAValue.is_valid_name(result):
                op.results[0].name_hint = result
        return op

    def parse_optional_builtin_int_or_float_attr(self) -> Any:
        """Numbers of f80 and f128 are refused here: xDSL reads them and then can neither print nor store them."""
        start = self._parser_state.current_token.span.start
        number = super().parse_optional_builtin_int_or_float_attr()
        if isinstance(number, FloatAttr) and isinstance(number.type, Float80Type | Float128Type):
            self.raise_error(f"numbers of type {number.type} are not supported", start)
        return number

    def parse_optional_type(self) -> TypeAttribute | None:
        start = self._parser_state.current_token.span.start
        match = _TENSOR_TYPE.match(self._text, start)
        if match is None:
            return super().parse_optional_type()
        spelling = match[0]
        if (type := self._tensor_type(spelling)) is not None:
            self._skip_to(match.end())
            return type
        type = cast("TensorType[Attribute] | None", super().parse_optional_type())
        if type is not None:
            _types[spelling] = type
            _element_types[_element_of(spelling)] = type.element_type
        return type

    def _tensor_type(self, spelling: str) -> TypeAttribute | None:
        """The type of this spelling, if its element type was seen before."""
        if (type := _types.get(spelling)) is not None:
            return type
        element = _element_of(spelling)
        element_type = _element_types.get(element)
        if element_type is None:
            return None
        shape = [int(size) for size in spelling[len("tensor<") : -len(element) - 1].split("x")[:-1]]
        type = _types[spelling] = TensorType(element_type, shape)
        return type

    def parse_function_type(self) -> FunctionType:
        match = _FUNCTION_TYPE.match(self._text, self._parser_state.current_token.span.start)
        if match is None:
            return super().parse_function_type()
        spelling = match[0]
        if (type := _function_types.get(spelling)) is not None:
            self._skip_to(match.end())
            return type
        if (type := self._function_of_tensors(spelling)) is not None:
            self._skip_to(match.end())
        else:
            type = super().parse_function_type()
        _function_types[spelling] = type
        return type

    def _function_of_tensors(self, spelling: str) -> FunctionType | None:
        """The function type of this spelling, if all it names are tensors of element types seen before."""
        if _FUNCTION_OF_TENSORS.fullmatch(spelling) is None:
            return None
        groups: list[list[TypeAttribute]] = []
        for part in spelling.split(" -> "):
            types = [self._tensor_type(tensor) for tensor in _TENSOR_TYPE.findall(part)]
            if None in types:
                return None
            groups.append([type for type in types if type is not None])
        return FunctionType.from_lists(*groups)

    def parse_optional_properties_dict(self) -> dict[str, Attribute]:
        return self._dictionary(_PROPERTIES, super().parse_optional_properties_dict)

    def parse_optional_attr_dict(self) -> dict[str, Attribute]:
        return self._dictionary(_ATTRIBUTES, super().parse_optional_attr_dict)

    def parse_optional_dictionary_attr_dict(self) -> dict[str, Attribute]:
        return self._dictionary(_ATTRIBUTES, super().parse_optional_dictionary_attr_dict)

    def _dictionary(self, pattern: re.Pattern[str], parse: Callable[[], dict[str, Attribute]]) -> dict[str, Attribute]:
        """The dictionary that comes next, by its text or else by `parse`."""
        match = pattern.match(self._text, self._parser_state.current_token.span.start)
        if match is None:
            return parse()
        spelling = match[0]
        dictionaries = _plain_dictionaries if _WORDS_AND_NUMBERS.fullmatch(spelling) else self._dictionaries
        known = dictionaries.get(spelling)
        if known is not None:
            self._skip_to(match.end())
        else:
            known = dictionaries[spelling] = parse()
        return dict(known)

    def parse_op_args_list(self) -> list[UnresolvedOperand]:
        match = _OPERANDS.match(self._text, self._parser_state.current_token.span.start)
        if match is None:
            return super().parse_op_args_list()
        input = self._parser_state.lexer.input
        operands = [
            UnresolvedOperand(FastSpan(name.start(), name.end(), input), 0)
            for name in _OPERAND.finditer(self._text, match.start(), match.end())
        ]
        self._skip_to(match.end())
        return operands

    def _parse_dense_literal_type(self) -> Any:
        start = self.pos
        type = self.expect(self.parse_optional_type, "Dense attribute must be typed!")
        if not isinstance(type, TensorType | VectorType | MemRefType):
            self.raise_error("Expected memref, vector or tensor type", start)
        if DYNAMIC_INDEX in type.get_shape():
            self.raise_error("Dense literal attribute should have a static shape.", start)
        return type  # pyright: ignore[reportUnknownVariableType]

    def parse_dense_int_or_fp_elements_attr(self, type: Any) -> DenseIntOrFPElementsAttr:
        start = self._parser_state.current_token.span.start
        if type is None and (match := _DECIMAL_LITERAL.match(self._text, start)) is not None:
            attribute = self._parse_decimal_literal(match)
            if attribute is not None:
                return attribute
            self._skip_to(start)
        return super().parse_dense_int_or_fp_elements_attr(type)

    def _parse_decimal_literal(self, match: re.Match[str]) -> DenseIntOrFPElementsAttr | None:
        """The attribute, or None where the inherited method must decide what is wrong or special."""
        try:
            literal: Any = json.loads(match[1])
        except ValueError:
            return None
        self._skip_to(match.end())
        self.parse_punctuation(":", " in dense attribute")
        type = self._parse_dense_literal_type()
        shape = type.get_shape()
        values = _flatten(cast(list[Any], literal), shape) if isinstance(literal, list) else [literal]
        kinds = set(map(builtins.type, values))
        element: Any = type.element_type
        try:
            if isinstance(element, AnyFloat) and kinds <= {int, float}:
                data = element.pack(values)
            elif isinstance(element, IntegerType) and kinds <= {int}:
                data = element.pack(tuple(map(element.get_normalized_value, values)))
            else:
                return None
        except (ValueError, OverflowError):
            return None
        if not isinstance(literal, list):
            data = repeated(data, math.prod(shape))
        return DenseIntOrFPElementsAttr(type, BytesAttr(data))


def _is_large(attribute: Attribute) -> bool:
    """Whether `attribute` is not to be kept longer than its program."""
    return isinstance(attribute, DenseIntOrFPElementsAttr) and len(attribute.data.data) > LARGE_BYTES


def _element_of(tensor: str) -> str:
    """`tensor<2x3xf32>` -> `f32`."""
    return _ELEMENT.sub("", tensor)[:-1]


def _flatten(literal: list[Any], shape: tuple[int, ...]) -> list[Any]:
    """The numbers of nested lists in order; or `[literal]` if the lists do not have `shape`."""
    items: list[Any] = [literal]
    for size in shape:
        inner: list[Any] = []
        for item in items:
            if item.__class__ is not list or len(item) != size:
                return [literal]
            inner += item
        items = inner
    return items
