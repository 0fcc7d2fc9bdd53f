"""Attributes that are structures of named fields, `<name = value, ...>`."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, Self, TypeVar, cast, overload

from xdsl.dialects.builtin import DYNAMIC_INDEX, f64
from xdsl.dialects.utils.enum_attribute import EnumAttribute
from xdsl.ir import Attribute, Data, TypeAttribute
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

Dims = tuple[int, ...]
T = TypeVar("T")


class Field(Generic[T]):
    """A field of a structured attribute, which has the name that it is declared by: `default` says its kind, and
    `required` whether it is always printed.
    """

    name: str
    place: int
    """Among the fields."""

    def __init__(self, default: T | None, *, required: bool = False) -> None:
        self.default, self.required = default, required

    @overload
    def __get__(self, instance: None, owner: type[StructAttr]) -> Self: ...
    @overload
    def __get__(self, instance: StructAttr, owner: type[StructAttr]) -> T: ...
    def __get__(self, instance: StructAttr | None, owner: type[StructAttr]) -> Self | T:
        return self if instance is None else instance.data[self.place]


def parse_dims(parser: AttrParser) -> Dims:
    """`[0, 1, ?]`"""
    return tuple(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_dim(parser)))


def print_dims(printer: Printer, dims: Dims) -> None:
    printer.print_string("[" + ", ".join("?" if d == DYNAMIC_INDEX else str(d) for d in dims) + "]")


def parse_dim(parser: AttrParser) -> int:
    if parser.parse_optional_punctuation("?") is not None:
        return DYNAMIC_INDEX
    return parser.parse_integer(allow_boolean=False)


def _is_of_kind(value: Any, default: Any) -> bool:
    """Whether a field with this default may have the value; no default is that of a type."""
    if default is None:
        return isinstance(value, TypeAttribute)
    if isinstance(default, tuple):
        return isinstance(value, tuple) and all(type(n) is int for n in cast(tuple[Any, ...], value))
    if isinstance(default, float):
        return isinstance(value, (int, float))
    return type(value) is type(default)


class StructAttr(Data[tuple[Any, ...]]):
    """An attribute `<name = value, ...>` whose fields are Python values, each declared as a `Field`, in their order."""

    fields: ClassVar[tuple[Field[Any], ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        declared: dict[str, Field[Any]] = {name: field for name, field in vars(cls).items() if isinstance(field, Field)}
        for place, (name, field) in enumerate(declared.items()):
            field.name, field.place = name, place
        if declared:
            cls.fields = tuple(declared.values())

    @classmethod
    def of(cls, **values: Any) -> Self:
        """The attribute with these fields; sequences may be lists, fields left out have their default."""
        fields = {field.name: field.default for field in cls.fields}
        if unknown := values.keys() - fields.keys():
            raise TypeError(f"{cls.name} has no field {', '.join(sorted(unknown))}")
        fields.update(values)
        return cls(tuple(tuple(cast(list[int], v)) if isinstance(v, list) else v for v in fields.values()))

    def verify(self) -> None:
        """Each field is of the kind of its default. Readers of other forms than text may bring anything."""
        if len(self.data) != len(self.fields):
            raise VerifyException(f"{self.name} has {len(self.fields)} fields, got {len(self.data)}")
        for field, value in zip(self.fields, self.data, strict=True):
            if not _is_of_kind(value, field.default):
                raise VerifyException(f"{self.name}: {field.name} can't be {value}")

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[Any, ...]:
        values = {field.name: field.default for field in cls.fields}
        required = {field.name for field in cls.fields if field.required}
        seen = set[str]()
        parser.parse_punctuation("<")
        while parser.parse_optional_punctuation(">") is None:
            name = parser.parse_identifier(f" in {cls.name}")
            if name not in values:
                expected = ", ".join(f"`{field}`" for field in values)
                parser.raise_error(f"expected one of: {expected}, got `{name}`")
            if name in seen:
                parser.raise_error(f"duplicated `{name}` entry")
            seen.add(name)
            parser.parse_punctuation("=")
            values[name] = cls.parse_field(parser, values[name])
            if parser.parse_optional_punctuation(",") is None:
                parser.parse_punctuation(">")
                break
        if required - seen:
            parser.raise_error(f"{cls.name} misses {', '.join(sorted(required - seen))}")
        return tuple(values.values())

    @classmethod
    def parse_field(cls, parser: AttrParser, default: Any) -> Any:
        if isinstance(default, tuple):
            return parse_dims(parser)
        if isinstance(default, bool):
            return parser.parse_boolean()
        if isinstance(default, int):
            return parser.parse_integer(allow_boolean=False)
        if isinstance(default, float):
            return float(parser.parse_number())
        if isinstance(default, EnumAttribute):
            enumeration = type(cast(EnumAttribute[Any], default))
            value = parser.parse_attribute()
            if not isinstance(value, enumeration):
                parser.raise_error(f"expected #{enumeration.name}<...>, got {value}")
            return cast(Any, value)
        return parser.parse_type()

    def print_parameter(self, printer: Printer) -> None:
        separator = "<"
        for field, value in zip(self.fields, self.data, strict=True):
            if not field.required and value == field.default:
                continue
            printer.print_string(f"{separator}{field.name} = ")
            self.print_field(printer, value)
            separator = ", "
        printer.print_string("<>" if separator == "<" else ">")

    @staticmethod
    def print_field(printer: Printer, value: Any) -> None:
        if isinstance(value, tuple):
            print_dims(printer, cast(Dims, value))
        elif isinstance(value, bool):
            printer.print_string("true" if value else "false")
        elif isinstance(value, float):
            printer.print_float(value, f64)
        elif isinstance(value, Attribute):
            printer.print_attribute(value)
        else:
            printer.print_string(str(value))
