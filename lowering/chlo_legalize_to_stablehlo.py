"""`chlo-legalize-to-stablehlo`: decompose chlo.

Replaces every chlo op by StableHLO ops: special functions by elementwise arithmetic without
branches (formulas and their sources are in `chlo_legalize/`), broadcasting ops by an explicit
`broadcast_in_dim`, `top_k` by a sort; custom calls that stand for ops of chlo (`@mhlo.erf`) like those.

Needs: static shapes. Leaves: no chlo but the ops that the option `keep` names; `UnsupportedError` for an op or
element type that has no decomposition. Functions of f16, bf16 and smaller floats are computed in f32; results in f32
and f64 are within 4 ulp of the exact value where the file of the function does not say otherwise.

    %0 = chlo.broadcast_add %x, %y : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %1 = chlo.square %0 : tensor<8x4xf32> -> tensor<8x4xf32>

becomes

    %0 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.add %x, %0 : tensor<8x4xf32>
    %2 = stablehlo.multiply %1, %1 : tensor<8x4xf32>

Upstream StableHLO has a pass of this name; the formulas here are other ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, ComplexType, ModuleOp
from xdsl.ir import Operation, SSAValue

from ..dialects import chlo, stablehlo
from ..dialects.chlo.calls import op_of_call, takes_smallest
from ..dialects.editing import insert_before, new_op
from ..dialects.stablehlo.shapes import element_type_of
from ..errors import UnsupportedError
from ..ir.expansion import pattern_of
from ..ir.pattern_pass import PatternPass
from ..ir.patterns import Pattern, pattern
from ..ir.rewriter import Rewriter, rewrite_once
from ..ir.tensor_builder import Tensor, TensorBuilder
from .chlo_legalize import (
    bessel_functions,
    elementary,
    error_functions,
    formulas,
    gamma_functions,
    structure,
    zeta_functions,
)
from .chlo_legalize.complex_functions import COMPLEX_FUNCTIONS
from .chlo_legalize.formulas import at_least_single


class Function(NamedTuple):
    """An elementwise function: its formula, and what it can be applied to."""

    formula: Callable[..., Tensor]
    any_element: bool = False
    """Whether the formula holds for all element types of the op, not for floats alone."""
    rounds: bool = True
    """Whether small floats are computed in f32."""


FUNCTIONS: dict[type[Operation], Function] = {
    chlo.AcosOp: Function(elementary.OF_TENSORS.acos),
    chlo.AcoshOp: Function(elementary.OF_TENSORS.acosh),
    chlo.AsinOp: Function(elementary.OF_TENSORS.asin),
    chlo.AsinhOp: Function(elementary.OF_TENSORS.asinh),
    chlo.AtanOp: Function(elementary.OF_TENSORS.atan),
    chlo.AtanhOp: Function(elementary.OF_TENSORS.atanh),
    chlo.BesselI1eOp: Function(bessel_functions.bessel_i1e),
    chlo.CoshOp: Function(elementary.cosh),
    chlo.DigammaOp: Function(gamma_functions.digamma),
    chlo.ErfOp: Function(elementary.OF_TENSORS.erf),
    chlo.ErfcOp: Function(error_functions.erfc),
    chlo.ErfInvOp: Function(error_functions.erf_inv),
    chlo.IsInfOp: Function(elementary.is_inf, rounds=False),
    chlo.IsNegInfOp: Function(elementary.is_neg_inf, rounds=False),
    chlo.IsPosInfOp: Function(elementary.is_pos_inf, rounds=False),
    chlo.LgammaOp: Function(gamma_functions.lgamma),
    chlo.MulhiOp: Function(elementary.mulhi, any_element=True, rounds=False),
    chlo.NextAfterOp: Function(elementary.next_after, rounds=False),
    chlo.PolygammaOp: Function(zeta_functions.polygamma),
    chlo.SinhOp: Function(elementary.sinh),
    chlo.SquareOp: Function(elementary.square, any_element=True, rounds=False),
    chlo.TanOp: Function(formulas.tan, any_element=True, rounds=False),
    chlo.ZetaOp: Function(zeta_functions.zeta),
}


BROADCAST_FUNCTIONS: dict[type[Operation], Function] = {
    chlo.BroadcastNextAfterOp: FUNCTIONS[chlo.NextAfterOp],
    chlo.BroadcastPolygammaOp: FUNCTIONS[chlo.PolygammaOp],
    chlo.BroadcastZetaOp: FUNCTIONS[chlo.ZetaOp],
}


def _decompose(op: Operation, builder: TensorBuilder) -> Sequence[Tensor] | Tensor | None:
    """What takes the place of the results of `op`."""
    if type(op) in COMPLEX_FUNCTIONS and isinstance(element_type_of(op.operands[0]), ComplexType):
        return COMPLEX_FUNCTIONS[type(op)](op, builder)
    if (function := FUNCTIONS.get(type(op))) is not None:
        return _apply(function, op, builder.wrap(*op.operands))
    if (function := BROADCAST_FUNCTIONS.get(type(op))) is not None:
        return _apply(function, op, structure.aligned(op, builder.wrap(*op.operands)))
    if (decomposition := structure.DECOMPOSITIONS.get(type(op))) is not None:
        return decomposition(op, builder)
    raise UnsupportedError(f"{op.name} has no decomposition into StableHLO", op)


def _apply(function: Function, op: Operation, operands: Sequence[Tensor]) -> Tensor:
    element_type = operands[0].element_type
    if not function.any_element and not isinstance(element_type, AnyFloat):
        raise UnsupportedError(f"{op.name} of {element_type} has no decomposition", op)
    if not function.rounds:
        return function.formula(*operands)
    return function.formula(*map(at_least_single, operands)).convert(element_type_of(op.results[0]))


@pattern
def op_of_custom_call(call: stablehlo.CustomCallOp, rewriter: Rewriter) -> list[SSAValue] | None:
    """A custom call that stands for an op of chlo becomes this op."""
    operands, is_reversed = list(call.operands), takes_smallest(call)
    if is_reversed:
        operands[0] = _reversed(operands[0], call)
    op = op_of_call(call, operands)
    if op is None:
        return None
    op.location = call.location
    insert_before(op, call)
    values: list[SSAValue] = list(op.results)
    if is_reversed:
        values[0] = _reversed(values[0], call)
    return values


def _reversed(x: SSAValue, call: stablehlo.CustomCallOp) -> SSAValue:
    """`x` with the order of its elements turned round, the total order of floats included; done twice, `x` again."""
    op_type = stablehlo.NegOp if isinstance(element_type_of(x), AnyFloat) else stablehlo.NotOp
    op = new_op(op_type, operands=(x,), result_types=(x.type,))
    insert_before(op, call)
    return op.results[0]


@dataclass(frozen=True)
class ChloLegalizeToStablehloPass(PatternPass):
    """Decompose every chlo op. See the module's documentation."""

    name = "chlo-legalize-to-stablehlo"

    keep: tuple[str, ...] = ()
    """Ops to leave as they are, without `chlo.`: `erf`."""

    def patterns(self) -> Sequence[Pattern]:
        kept = {f"chlo.{name}" for name in self.keep}
        return [op_of_custom_call, *(pattern_of(_decompose, op) for op in chlo.OPS if op.name not in kept)]

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        rewrites = self.rewrites(ctx)
        rewrite_once(op, rewrites.only(stablehlo.CustomCallOp))
        rewrite_once(op, rewrites.only(*chlo.OPS))
