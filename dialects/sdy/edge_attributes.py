"""What Shardy notes of its propagation when asked to: `<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>`.

Read and printed; nothing here computes with it.

Source: openxla/shardy, shardy/dialect/sdy/ir/attrs.td (PropagationEdges).
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from .axis_attributes import parse_axis, parse_list, print_axis
from .shardings import AxisRef

KINDS = ("operand", "result")


class EdgeValue(NamedTuple):
    """An operand or a result of an op."""

    kind: str
    number: int


class AxisEdge(NamedTuple):
    """Where an axis came from and where it went."""

    axis: AxisRef
    source: EdgeValue
    targets: tuple[EdgeValue, ...]


class PropagationStep(NamedTuple):
    """What happened in a step of propagation."""

    step: int
    axes: tuple[AxisEdge, ...]


def _parse_number(parser: AttrParser) -> int:
    """`-1` behind a word, which is no negative number."""
    parser.parse_punctuation("-")
    return parser.parse_integer(allow_negative=False, allow_boolean=False)


def _parse_value(parser: AttrParser) -> EdgeValue:
    position = parser.pos
    kind = parser.parse_identifier("'operand' or 'result'")
    if kind not in KINDS:
        parser.raise_error(f"expected 'operand' or 'result', got {kind}", position)
    return EdgeValue(kind, _parse_number(parser))


def _parse_edge(parser: AttrParser) -> AxisEdge:
    with parser.in_braces():
        axis = parse_axis(parser)
        parser.parse_punctuation("=")
        source = _parse_value(parser)
        parser.parse_punctuation("->")
        return AxisEdge(axis, source, parse_list(parser, parser.Delimiter.SQUARE, _parse_value))


def _parse_step(parser: AttrParser) -> PropagationStep:
    with parser.in_braces():
        parser.parse_keyword("step")
        step = _parse_number(parser)
        parser.parse_punctuation("=")
        return PropagationStep(step, parse_list(parser, parser.Delimiter.SQUARE, _parse_edge))


def _print_edge(printer: Printer, edge: AxisEdge) -> None:
    with printer.in_braces():
        print_axis(printer, edge.axis)
        targets = ", ".join(f"{target.kind}-{target.number}" for target in edge.targets)
        printer.print_string(f" = {edge.source.kind}-{edge.source.number} -> [{targets}]")


def _print_step(printer: Printer, step: PropagationStep) -> None:
    printer.print_string(f"{{step-{step.step} = [")
    printer.print_list(step.axes, lambda edge: _print_edge(printer, edge))
    printer.print_string("]}")


@irdl_attr_definition
class PropagationEdgesAttr(Data[tuple[PropagationStep, ...]]):
    """`#sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>`"""

    name = "sdy.propagation_edges"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[PropagationStep, ...]:
        with parser.in_angle_brackets():
            return parse_list(parser, parser.Delimiter.SQUARE, _parse_step)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets(), printer.in_square_brackets():
            printer.print_list(self.data, lambda step: _print_step(printer, step))
