"""Meshes as attributes: `<["x"=2, "y"=4]>`, `<["x"=2], device_ids=[1, 0]>`, `<[], device_ids=[3]>`.

Source: openxla/shardy, shardy/dialect/sdy/ir/attrs.td (Mesh, MeshAxis).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from xdsl.ir import Data, OpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .axis_attributes import parse_list
from .shardings import Mesh


class MeshAxis(NamedTuple):
    """An axis of a mesh with its size."""

    name: str
    size: int


def _parse_axis(parser: AttrParser) -> MeshAxis:
    name = parser.parse_str_literal()
    parser.parse_punctuation("=")
    return MeshAxis(name, parser.parse_integer())


def _print_axis(printer: Printer, name: str, size: int) -> None:
    printer.print_string_literal(name)
    printer.print_string(f"={size}")


def parse_mesh(parser: AttrParser) -> Mesh:
    """`<["x"=2, "y"=4], device_ids=[...]>`; ids in their natural order are none."""
    with parser.in_angle_brackets():
        axes = parse_list(parser, parser.Delimiter.SQUARE, _parse_axis)
        if parser.parse_optional_punctuation(",") is None:
            return Mesh(axes)
        parser.parse_keyword("device_ids")
        parser.parse_punctuation("=")
        ids = parse_list(parser, parser.Delimiter.SQUARE, lambda parser: parser.parse_integer())
    is_natural = axes and ids == tuple(range(len(ids))) and len(ids) == prod(axis.size for axis in axes)
    return Mesh(axes, None if is_natural else ids)


def print_mesh(printer: Printer, mesh: Mesh) -> None:
    with printer.in_angle_brackets():
        with printer.in_square_brackets():
            printer.print_list(mesh.axes, lambda axis: _print_axis(printer, *axis))
        if mesh.device_ids is not None:
            printer.print_string(f", device_ids=[{', '.join(map(str, mesh.device_ids))}]")


def verify_mesh(mesh: Mesh) -> None:
    """Raises VerifyException for a mesh that is none."""
    ids = mesh.device_ids
    if ids is not None and min(ids, default=0) < 0:
        raise VerifyException(f"device id must be non-negative, got {min(ids)}")
    if not mesh.axes:
        if ids is not None and len(ids) != 1:
            raise VerifyException(f"a mesh without axes has one device id at most, got {len(ids)}")
        return
    _verify_axes(mesh.axes)
    if ids is None:
        return
    if len(ids) != mesh.size or sorted(ids) != list(range(mesh.size)):
        raise VerifyException(f"the device ids of a mesh of {mesh.size} devices are 0 to {mesh.size - 1} in any order")


def _verify_axes(axes: Sequence[tuple[str, int]]) -> None:
    for name, count in Counter(name for name, _ in axes).items():
        if count > 1:
            raise VerifyException(f'duplicate axis name: "{name}"')
    for name, size in axes:
        if size < 1:
            raise VerifyException(f'axis "{name}" has size {size}, expected at least 1')


@irdl_attr_definition
class MeshAxisAttr(OpaqueSyntaxAttribute, Data[MeshAxis]):
    """`#sdy<mesh_axis"x"=2>`"""

    name = "sdy.mesh_axis"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> MeshAxis:
        return _parse_axis(parser)

    def print_parameter(self, printer: Printer) -> None:
        _print_axis(printer, *self.data)

    def verify(self) -> None:
        _verify_axes((self.data,))


@irdl_attr_definition
class MeshAttr(Data[Mesh]):
    """`#sdy.mesh<["x"=2, "y"=4]>`"""

    name = "sdy.mesh"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Mesh:
        return parse_mesh(parser)

    def print_parameter(self, printer: Printer) -> None:
        print_mesh(printer, self.data)

    def verify(self) -> None:
        verify_mesh(self.data)
