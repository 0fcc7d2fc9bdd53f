"""Values of which one device in a group has each element: the others give zeros, and bits are exchanged.

Sums would do for most numbers, but flush subnormal ones to zero where the program does, and know no sign of zero.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import AnyFloat, IntegerType
from xdsl.ir import Attribute, Operation

from ....dialects import stablehlo
from ....dialects.dense import integer_type
from ....dialects.element_sizes import element_bits
from ....dialects.stablehlo.shapes import is_complex
from ....ir.tensor_builder import Tensor
from ..neutral_elements import neutral_of


def chooser_of(element_type: Attribute) -> tuple[type[Operation], bytes | None]:
    """What combines such values, and the bytes of the element that others give; None: nothing does."""
    type = integer_type(element_type)
    if type is not None and type.width.data > 1:
        return stablehlo.AddOp, neutral_of(stablehlo.AddOp, element_type)
    if type is not None:
        return stablehlo.OrOp, neutral_of(stablehlo.OrOp, element_type)
    if _is_of_bits(element_type):
        return stablehlo.OrOp, bytes(element_bits(element_type) // 8)
    return stablehlo.AddOp, neutral_of(stablehlo.AddOp, element_type)


def exchange_bits(x: Tensor, combiner: type[Operation], exchange: Callable[[Tensor], Tensor]) -> Tensor:
    """What `exchange` makes of `x`, of its bits where the combiner works on these."""
    if combiner is not stablehlo.OrOp or integer_type(x.element_type) is not None:
        return exchange(x)
    if is_complex(x.element_type):
        real, imaginary = (exchange_bits(part, combiner, exchange) for part in (x.real(), x.imaginary()))
        return real.with_imaginary(imaginary)
    return exchange(x.bitcast(IntegerType(element_bits(x.element_type)))).bitcast(x.element_type)


def _is_of_bits(element_type: Attribute) -> bool:
    if is_complex(element_type):
        return True
    return isinstance(element_type, AnyFloat) and element_bits(element_type) in (8, 16, 32, 64)
