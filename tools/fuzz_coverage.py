"""Which ops random programs hold, with which element types: `python -m xdsl_xla.tools.fuzz --coverage`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from xdsl.irdl import IRDLOperation

from ..dialects import chlo, stablehlo
from ..dialects.stablehlo.element_types import ElementKind, TensorOf, element_kind
from .random_programs.elements import ELEMENTS

OPS: dict[str, type[IRDLOperation]] = {op.name: cast(Any, op) for op in (*stablehlo.OPS, *chlo.OPS)}


def admitted(op_type: type[IRDLOperation]) -> list[str]:
    """The element types that the first operand, or else the result, of an op may have."""
    definition = op_type.get_irdl_definition()
    for _, value in (*definition.operands, *definition.results):
        constraint: Any = value.constr
        while constraint is not None and not isinstance(constraint, TensorOf):
            constraint = getattr(constraint, "constr", None) or getattr(constraint, "constraint", None)
        if constraint is not None:
            return [str(e) for e in ELEMENTS if element_kind(e.attribute) in constraint.kinds & ~ElementKind.OTHER]
    return []


def coverage_report(counts: Mapping[tuple[str, str], int]) -> Iterator[str]:
    """A line per op: how often it was generated, with which element types, and with which it never was."""
    for name, op_type in sorted(OPS.items()):
        seen = {element: times for (op, element), times in counts.items() if op == name}
        if not seen:
            yield f"{0:7} {name}: never"
            continue
        wanted = admitted(op_type)
        missing = [element for element in wanted if element not in seen]
        types = "all element types" if wanted and not missing else ", ".join(f"{e or 'none'}" for e in sorted(seen))
        yield f"{sum(seen.values()):7} {name}: {types}" + (f"; never {', '.join(missing)}" if missing else "")
