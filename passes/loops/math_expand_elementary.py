"""`math-expand-elementary`: transcendental `math` ops become arithmetic that vectorises.

What it does: replaces the ops listed in `elementary.FUNCTIONS`, on scalars and vectors of `f32` and
`f64`, by sequences of `arith` ops, `math.fma`, `absf`, `copysign`, `sqrt`, `floor` and `roundeven`,
without tables or calls. Only for numbers outside of loops there are branches (`scf.if`), to shorter
ways. Narrower floats go through `f32`. Results are within 4 units in the last place over the whole
range (`docs/accuracy.md` has the figures); NaN, infinities, zeros and subnormals are as in IEEE
754-2019 section 9.2, nothing is flushed to zero, and results overflow exactly where they should. In
a module that flushes subnormal numbers (`xrt.denormals`) results of `exp` that would be subnormal are
zeros, which takes fewer instructions.

It needs nothing and leaves none of those ops; constants end up at the top of the function.

    %y = math.rsqrt %x : f32

becomes

    %one = arith.constant 1.000000e+00 : f32
    %0 = math.sqrt %x : f32
    %y = arith.divf %one, %0 : f32

A sum with the flag `contract` and a product with it become one `math.fma`: the steps of polynomials that stand for
functions of chlo, and sums of products. Sums with the flag `reassoc` are left to LLVM.

Option `fma`: whether the target has fused multiply-add instructions; by default LLVM is asked about
the host. Without them the same functions multiply and add. Sources of the algorithms stand in the
modules of `elementary`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, math
from xdsl.dialects.builtin import Float32Type, Float64Type, VectorType
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue

from ...decisions.denormals import FLUSH
from ...decisions.model import cost_model_of
from ...dialects.editing import erase, insert_before, new_op, replace_uses, walk
from ...dialects.xrt_attributes import denormals_of
from ...dialects.xrt_names import ENTRY
from ...errors import UnsupportedError
from ...ir.conversions import ConversionPass
from ...ir.function_passes import Bodies
from ...ir.loops import LOOPS
from ...ir.rewriter import CHANGED, Changed
from .elementary import FUNCTIONS
from .elementary.arithmetic import DOUBLE, SINGLE, Float
from .elementary.ir_arithmetic import IRArithmetic
from .emission import Emission

_CONTRACT = arith.FastMathFlagsAttr([FastMathFlag.ALLOW_CONTRACT])
_STRICT = arith.FastMathFlagsAttr("none")


class _FunctionExpander:
    """Expands the ops of one function."""

    def __init__(self, emission: Emission, fused: bool, flushes: bool, is_entry: bool) -> None:
        self.emission = emission
        self.is_entry = is_entry
        self.fused = fused
        self.flushes = flushes
        self.arithmetics: dict[tuple[Attribute, bool], tuple[IRArithmetic, bool]] = {}

    def arithmetic(self, op: Operation) -> tuple[IRArithmetic, bool]:
        """The arithmetic to compute `op` in, and whether its operands are narrower."""
        result_type: Attribute = op.results[0].type
        branches = result_type.__class__ is not VectorType and (self.is_entry or not _is_in_loop(op))
        found = self.arithmetics.get((result_type, branches))
        if found is None:
            vector = cast("VectorType[Any]", result_type) if result_type.__class__ is VectorType else None
            element: Attribute = result_type if vector is None else vector.element_type
            if not isinstance(element, builtin.AnyFloat) or element.bitwidth > 64:
                raise UnsupportedError(
                    f"{op.name} on {result_type}: expanded for scalars and vectors of floats of up to 64 bits only",
                    op,
                )
            format = DOUBLE if isinstance(element, Float64Type) else SINGLE
            shape = () if vector is None else vector.get_shape()
            arithmetic = IRArithmetic(self.emission, format, self.fused, shape, self.flushes, branches)
            narrow = not isinstance(element, Float32Type | Float64Type)
            found = self.arithmetics[result_type, branches] = (arithmetic, narrow)
        return found

    def contract(self, op: arith.AddfOp) -> Changed | None:
        """Makes one op of a sum and the product in it that nothing else reads; without a fused instruction their flags
        go, so that LLVM rounds as often in every copy of them."""
        if op.properties["fastmath"] != _CONTRACT:
            return None
        op.properties["fastmath"] = _STRICT
        for product, addend in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            multiply = product.owner
            if not isinstance(multiply, arith.MulfOp) or FastMathFlag.ALLOW_CONTRACT not in multiply.fastmath.data:
                continue
            multiply.properties["fastmath"] = _STRICT
            if not self.fused or not product.has_one_use() or not _has_fused_form(product.type):
                continue
            fused = new_op(math.FmaOp, [multiply.lhs, multiply.rhs, addend], [product.type], {"fastmath": _STRICT})
            insert_before(fused, op)
            replace_uses(op.result, fused.results[0])
            for dead in (op, multiply):
                erase(dead)
            break
        return CHANGED

    def expand(self, op: Operation) -> Changed:
        """A function becomes arithmetic."""
        self.emission.anchor = op
        arithmetic, narrow = self.arithmetic(op)
        operands: list[SSAValue] = list(op.operands)
        if narrow:
            operands = [arithmetic.apply(Float, "arith.extf", operand) for operand in operands]
        function = FUNCTIONS[type(op)]
        result = function(*[Float(arithmetic, operand) for operand in operands]).handle
        if narrow:
            result = self.emission.insert(arith.TruncFOp, (result,), op.results[0].type)
        if result.name_hint is None:
            result.name_hint = op.results[0].name_hint
        replace_uses(op.results[0], result)
        erase(op)
        return CHANGED


def _is_in_loop(op: Operation) -> bool:
    """Whether `op` may be in a loop that becomes one over vectors: not those of the program around kernels."""
    around = op.parent_op()
    while around is not None and not isinstance(around, func.FuncOp):
        if around.__class__ in LOOPS:
            return True
        around = around.parent_op()
    return False


def _has_fused_form(type: Attribute) -> bool:
    element = cast("VectorType[Attribute]", type).element_type if isinstance(type, VectorType) else type
    return isinstance(element, Float32Type | Float64Type)


@dataclass(frozen=True)
class MathExpandElementaryPass(Bodies, ConversionPass):
    """See the module docstring."""

    name = "math-expand-elementary"

    HANDLERS = {**dict.fromkeys(FUNCTIONS, _FunctionExpander.expand), arith.AddfOp: _FunctionExpander.contract}
    ALWAYS_APPLY = False

    fma: bool | None = None

    def of_body(self, ctx: Context, module: builtin.ModuleOp) -> Callable[[func.FuncOp], None]:
        fused = cost_model_of(ctx).target.fma if self.fma is None else self.fma
        flushes = denormals_of(module) == FLUSH
        handlers = self.handlers()

        def rewrite(function: func.FuncOp) -> None:
            emission, is_entry = Emission(function.body.blocks[0]), ENTRY in function.attributes
            expander = _FunctionExpander(emission, fused, flushes, is_entry)
            for inside in walk(function.body):
                handler = handlers.get(inside.__class__)
                if handler is not None:
                    handler(expander, inside)

        return rewrite
