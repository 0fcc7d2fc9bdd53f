"""Ops that compute each element from the elements at the same place."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ....dialects import chlo, stablehlo
from ....dialects.stablehlo.attributes import ComparisonType
from ....dialects.stablehlo.element_types import ElementKind, element_kind
from ....dialects.stablehlo.shapes import element_type_of, shape_of
from ..reading.elementwise import PLAIN, opcode
from .computation import PRINTERS, Site


def _plain(site: Site) -> None:
    """The instruction of the same name, without attributes."""
    site.finish(opcode(type(site.op)))


def broadcast_scalar(site: Site, value: SSAValue, like: SSAValue) -> str:
    """`value`, a scalar repeated to the shape of `like`; HLO wants operands of one shape."""
    name = site.computation.name_of(value)
    if shape_of(value) == shape_of(like):
        return name
    dims = site.shape(like).partition("[")[2]
    element = site.shape(value).partition("[")[0]
    return site.emit("broadcast", [name], ["dimensions={}"], f"{element}[{dims}")


def _clamp(site: Site) -> None:
    low, operand, high = site.op.operands
    names = [broadcast_scalar(site, low, operand), site.computation.name_of(operand)]
    site.finish("clamp", [*names, broadcast_scalar(site, high, operand)])


def _select(site: Site) -> None:
    predicate, on_true, on_false = site.op.operands
    names = [site.computation.name_of(on_true), site.computation.name_of(on_false)]
    site.finish("select", [broadcast_scalar(site, predicate, on_true), *names])


def _compare(site: Site) -> None:
    """The order of floats may be total; otherwise it is that of the element type."""
    op = site.op
    assert isinstance(op, stablehlo.CompareOp)
    attributes = [f"direction={op.comparison_direction.data.value}"]
    is_real = element_kind(element_type_of(op.lhs)) in ElementKind.FLOAT
    order = None if op.compare_type is None or not is_real else op.compare_type.data
    if order is ComparisonType.TOTALORDER:
        attributes.append("type=TOTALORDER")
    if order is ComparisonType.WEAKORDER:
        site.unsupported("the weak order of floats")
    site.finish("compare", None, attributes)


def _convert(site: Site) -> None:
    """Complex numbers lose their imaginary part first, which HLO's conversion does not do."""
    (operand,) = site.op.operands
    name = site.computation.name_of(operand)
    if element_kind(element_type_of(operand)) is ElementKind.COMPLEX:
        kind = element_kind(element_type_of(site.op.results[0]))
        if kind is ElementKind.BOOLEAN:
            _is_not_zero(site, name)
            return
        if kind is not ElementKind.COMPLEX:
            element, _, dims = site.shape(operand).partition("[")
            name = site.emit("real", [name], shape=f"{'f32' if element == 'c64' else 'f64'}[{dims}")
    site.finish("convert", [name])


def _is_not_zero(site: Site, name: str) -> None:
    """The conversion of a complex number to a predicate."""
    element, _, dims = site.shape(site.op.operands[0]).partition("[")
    zero = site.computation.line(f"{element}[]", "constant((0, 0))", "constant")
    zeros = site.emit("broadcast", [zero], ["dimensions={}"], f"{element}[{dims}")
    site.finish("compare", [name, zeros], ["direction=NE"])


def _reduce_precision(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.ReducePrecisionOp)
    exponent, mantissa = op.exponent_bits.value.data, op.mantissa_bits.value.data
    site.finish("reduce-precision", None, [f"exponent_bits={exponent}", f"mantissa_bits={mantissa}"])


PRINTERS.update((op_type, _plain) for op_type in PLAIN.values() if op_type.name.startswith("stablehlo."))
PRINTERS.update(
    {
        chlo.ErfOp: _plain,  # there are opcodes for more ops of chlo, such as `acos`, but XLA:CPU does not compile them
        chlo.TanOp: _plain,
        stablehlo.ClampOp: _clamp,
        stablehlo.CompareOp: _compare,
        stablehlo.ConvertOp: _convert,
        stablehlo.ReducePrecisionOp: _reduce_precision,
        stablehlo.SelectOp: _select,
    }
)
