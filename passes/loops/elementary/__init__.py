"""Elementary functions as sequences of arithmetic without branches or tables.

`FUNCTIONS` maps the `math` ops to the functions of their names. `arithmetic` is the language the functions are
written in and `ir_arithmetic` its meaning as IR; the tests have another that computes with NumPy.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import math
from xdsl.ir import Operation

from . import by_formulas, exponential, inverse_trigonometric, logarithm, power, trigonometric
from .arithmetic import Float

_MODULES = (exponential, logarithm, trigonometric, inverse_trigonometric, power, by_formulas)

FUNCTIONS: dict[type[Operation], Callable[..., Float]] = {
    op_class: vars(module)[name]
    for op_class in math.Math.operations
    for module in _MODULES
    if (name := op_class.name.removeprefix("math.")) in vars(module)
}
