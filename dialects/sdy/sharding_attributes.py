"""Shardings as attributes: `<@mesh, [{"x"}, {?}p1], replicated={"y"}, unreduced={"z"}>`.

A sharding names a mesh of the module or has one in itself: `<mesh<["x"=2]>, [{"x"}]>`. `TensorShardingAttr.resolve`
gives the plain data once the mesh is known, `TensorShardingAttr.of` makes the attribute of plain data.

Source: openxla/shardy, shardy/dialect/sdy/ir/{attrs.td,parsers.cc}.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, cast

from xdsl.ir import Data, OpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .axis_attributes import parse_axes, parse_axis, parse_list, parse_short, print_axes, print_axis, verify_axis
from .mesh_attributes import parse_mesh, print_mesh, verify_mesh
from .shardings import AxisRef, DimensionSharding, Mesh, Reduction, Sharding

PRIORITY = re.compile(r"p(0|[1-9][0-9]*)")

REDUCTIONS = ("sum", "max", "min")


def parse_dimension(parser: AttrParser) -> DimensionSharding:
    """`{"x", "y", ?}p1`"""
    axes: list[AxisRef] = []
    is_closed = True
    parser.parse_punctuation("{")
    while parser.parse_optional_punctuation("}") is None:
        if axes:
            parser.parse_punctuation(",")
        if parser.parse_optional_punctuation("?") is not None:
            is_closed = False
            parser.parse_punctuation("}")
            break
        axes.append(parse_axis(parser))
    return DimensionSharding(tuple(axes), is_closed, _parse_priority(parser))


def _parse_priority(parser: AttrParser) -> int | None:
    position = parser.pos
    word = parser.parse_optional_identifier()
    if word is None:
        return None
    found = PRIORITY.fullmatch(word)
    if found is None:
        parser.raise_error(f"expected a priority such as p1, got {word}", position)
    return int(found[1])


def print_dimension(printer: Printer, dimension: DimensionSharding) -> None:
    printer.print_string("{")
    printer.print_list(dimension.axes, lambda axis: print_axis(printer, axis))
    if not dimension.is_closed:
        printer.print_string(", ?" if dimension.axes else "?")
    printer.print_string("}")
    if dimension.priority is not None:
        printer.print_string(f"p{dimension.priority}")


def verify_dimension(index: int, dimension: DimensionSharding) -> None:
    for axis in dimension.axes:
        verify_axis(axis)
    if dimension.priority is not None and dimension.is_closed and not dimension.axes:
        raise VerifyException(f"dim {index} is empty and closed but has a priority")


@irdl_attr_definition
class DimensionShardingAttr(OpaqueSyntaxAttribute, Data[DimensionSharding]):
    """`#sdy<dimension_sharding{"x", ?}p1>`"""

    name = "sdy.dimension_sharding"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> DimensionSharding:
        return parse_dimension(parser)

    def print_parameter(self, printer: Printer) -> None:
        print_dimension(printer, self.data)

    def verify(self) -> None:
        verify_dimension(0, self.data)


class ShardingByName(NamedTuple):
    """A `Sharding` whose mesh is still to be looked up if it is a name."""

    mesh: str | Mesh
    dimensions: tuple[DimensionSharding, ...]
    replicated: tuple[AxisRef, ...] = ()
    unreduced: tuple[AxisRef, ...] = ()
    reduction: Reduction = "sum"


def _parse_sharding(parser: AttrParser) -> ShardingByName:
    parser.parse_punctuation("<")
    mesh = parse_mesh(parser) if parser.parse_optional_keyword("mesh") else parser.parse_symbol_name().data
    parser.parse_punctuation(",")
    dimensions = parse_list(parser, parser.Delimiter.SQUARE, parse_dimension)
    other: dict[str, Any] = {}
    while parser.parse_optional_punctuation(",") is not None:
        position = parser.pos
        keyword = parser.parse_identifier("'replicated' or 'unreduced'")
        if keyword not in ("replicated", "unreduced") or keyword in other:
            parser.raise_error(f"unexpected {keyword}", position)
        if parser.parse_optional_punctuation("=") is None and keyword == "replicated":
            parser.raise_error("expected '='")
        if keyword == "unreduced":
            for reduction in REDUCTIONS:
                if parser.parse_optional_keyword(reduction):
                    other["reduction"] = reduction
        other[keyword] = parse_axes(parser)
    parser.parse_punctuation(">")
    return ShardingByName(mesh, dimensions, **other)


def _print_sharding(printer: Printer, sharding: ShardingByName) -> None:
    printer.print_string("<")
    if isinstance(sharding.mesh, str):
        printer.print_symbol_name(sharding.mesh)
    else:
        printer.print_string("mesh")
        print_mesh(printer, sharding.mesh)
    printer.print_string(", [")
    printer.print_list(sharding.dimensions, lambda dimension: print_dimension(printer, dimension))
    printer.print_string("]")
    if sharding.replicated:
        printer.print_string(", replicated=")
        print_axes(printer, sharding.replicated)
    if sharding.unreduced:
        printer.print_string(f", unreduced={'' if sharding.reduction == 'sum' else sharding.reduction}")
        print_axes(printer, sharding.unreduced)
    printer.print_string(">")


@irdl_attr_definition
class TensorShardingAttr(Data[ShardingByName]):
    """`#sdy.sharding<@mesh, [{"x"}, {}]>`"""

    name = "sdy.sharding"

    @classmethod
    def of(cls, sharding: Sharding) -> TensorShardingAttr:
        """The attribute of plain data; it names the mesh if that has a name."""
        return cls(
            ShardingByName(
                sharding.mesh_name if sharding.mesh_name is not None else sharding.mesh,
                sharding.dimensions,
                sharding.replicated,
                sharding.unreduced,
                sharding.reduction,
            )
        )

    @property
    def mesh_name(self) -> str | None:
        """The symbol of the mesh; None for one written in place."""
        return self.data.mesh if isinstance(self.data.mesh, str) else None

    def resolve(self, mesh: Mesh) -> Sharding:
        """The plain data; `mesh` is the one it names, and not looked at if it has one in itself."""
        data = self.data
        name = self.mesh_name
        found = mesh if name is not None else cast(Mesh, data.mesh)
        return Sharding(found, data.dimensions, data.replicated, data.unreduced, name, data.reduction)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ShardingByName:
        return _parse_sharding(parser)

    def print_parameter(self, printer: Printer) -> None:
        _print_sharding(printer, self.data)

    def verify(self) -> None:
        if isinstance(self.data.mesh, Mesh):
            verify_mesh(self.data.mesh)
        for index, dimension in enumerate(self.data.dimensions):
            verify_dimension(index, dimension)
        for axis in (*self.data.replicated, *self.data.unreduced):
            verify_axis(axis)


def parse_shardings(parser: AttrParser) -> tuple[TensorShardingAttr, ...]:
    """`[<@mesh, [{"x"}]>, <@mesh, [{}]>]`"""

    def parse(parser: AttrParser) -> TensorShardingAttr:
        return TensorShardingAttr(parse_short(parser, TensorShardingAttr, _parse_sharding))

    return parse_list(parser, parser.Delimiter.SQUARE, parse)


def print_shardings(printer: Printer, shardings: Sequence[TensorShardingAttr]) -> None:
    with printer.in_square_brackets():
        printer.print_list(shardings, lambda sharding: sharding.print_parameter(printer))


@irdl_attr_definition
class TensorShardingPerValueAttr(Data[tuple[TensorShardingAttr, ...]]):
    """`#sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, [{}]>]>`: one for each operand or result of an op."""

    name = "sdy.sharding_per_value"

    @classmethod
    def of(cls, shardings: Iterable[Sharding]) -> TensorShardingPerValueAttr:
        """The attribute of plain data."""
        return cls(tuple(map(TensorShardingAttr.of, shardings)))

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[TensorShardingAttr, ...]:
        with parser.in_angle_brackets():
            return parse_shardings(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            print_shardings(printer, self.data)
