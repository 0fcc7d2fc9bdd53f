"""Replica groups named by the axes of a device mesh, an alternative to lists of replica ids."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IntAttr, NoneAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer


@irdl_attr_definition
class MeshAxisAttr(ParametrizedAttribute):
    """`#stablehlo.mesh_axis<name = "x", size = 2>`"""

    name = "stablehlo.mesh_axis"

    axis_name: StringAttr
    size: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parser.parse_punctuation("<")
        _parse_key(parser, "name")
        name = StringAttr(parser.parse_str_literal())
        parser.parse_punctuation(",")
        _parse_key(parser, "size")
        size = IntAttr(parser.parse_integer())
        parser.parse_punctuation(">")
        return name, size

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<name = {self.axis_name}, size = {self.size.data}>")


@irdl_attr_definition
class MeshAttr(ParametrizedAttribute):
    """`#stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<...>>`"""

    name = "stablehlo.mesh"

    axes: ArrayAttr[MeshAxisAttr]
    device_ids: Attribute

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        def parse_axis() -> MeshAxisAttr:
            position = parser.pos
            axis = parser.parse_optional_attribute()
            if axis is None:
                return MeshAxisAttr.new(MeshAxisAttr.parse_parameters(parser))
            if not isinstance(axis, MeshAxisAttr):
                parser.raise_error("expected an axis of a mesh", position)
            return axis

        parser.parse_punctuation("<")
        _parse_key(parser, "axes")
        axes = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_axis)
        device_ids: Attribute = NoneAttr()
        if parser.parse_optional_punctuation(",") is not None:
            _parse_key(parser, "device_ids")
            device_ids = parser.parse_attribute()
        parser.parse_punctuation(">")
        return ArrayAttr(axes), device_ids

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string("<axes=[")
        printer.print_list(self.axes.data, lambda axis: axis.print_parameters(printer))
        printer.print_string("]")
        if not isinstance(self.device_ids, NoneAttr):
            printer.print_string(", device_ids=")
            printer.print_attribute(self.device_ids)
        printer.print_string(">")


@irdl_attr_definition
class SubAxisInfoAttr(ParametrizedAttribute):
    """`#stablehlo.sub_axis_info<(1)2>`: the part of an axis of that size after that many parts."""

    name = "stablehlo.sub_axis_info"

    pre_size: IntAttr
    size: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parser.parse_punctuation("<")
        info = cls.parse_bare(parser)
        parser.parse_punctuation(">")
        return info.pre_size, info.size

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.bare_text()}>")

    @classmethod
    def parse_bare(cls, parser: AttrParser) -> SubAxisInfoAttr:
        parser.parse_punctuation("(")
        pre_size = parser.parse_integer()
        parser.parse_punctuation(")")
        return SubAxisInfoAttr(IntAttr(pre_size), IntAttr(parser.parse_integer()))

    def bare_text(self) -> str:
        return f"({self.pre_size.data}){self.size.data}"


@irdl_attr_definition
class AxisRefAttr(ParametrizedAttribute):
    """`#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>`"""

    name = "stablehlo.axis_ref"

    axis_name: StringAttr
    sub_axis_info: Attribute

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parser.parse_punctuation("<")
        _parse_key(parser, "name")
        name = StringAttr(parser.parse_str_literal())
        info: Attribute = NoneAttr()
        if parser.parse_optional_punctuation(",") is not None:
            _parse_key(parser, "sub_axis_info")
            info = SubAxisInfoAttr.parse_bare(parser)
        parser.parse_punctuation(">")
        return name, info

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<name = {self.axis_name}")
        if isinstance(self.sub_axis_info, SubAxisInfoAttr):
            printer.print_string(f", sub_axis_info = {self.sub_axis_info.bare_text()}")
        printer.print_string(">")


@irdl_attr_definition
class ReplicaGroupMeshAxesAttr(ParametrizedAttribute):
    """`#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>`"""

    name = "stablehlo.replica_group_mesh_axes"

    mesh: Attribute
    axes: ArrayAttr[Attribute]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parser.parse_punctuation("<")
        _parse_key(parser, "mesh")
        mesh = parser.parse_attribute()
        parser.parse_punctuation(",")
        _parse_key(parser, "axes")
        axes = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_attribute)
        parser.parse_punctuation(">")
        return mesh, ArrayAttr(axes)

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string("<mesh = ")
        printer.print_attribute(self.mesh)
        printer.print_string(", axes = ")
        printer.print_attribute(self.axes)
        printer.print_string(">")


def _parse_key(parser: AttrParser, name: str) -> None:
    parser.parse_keyword(name)
    parser.parse_punctuation("=")


MESH_ATTRIBUTES: list[type[Attribute]] = [
    AxisRefAttr,
    MeshAttr,
    MeshAxisAttr,
    ReplicaGroupMeshAxesAttr,
    SubAxisInfoAttr,
]
