"""Ops of chlo written as custom calls, `@mhlo.erf` for `chlo.erf`, as portable artifacts hold them.

Artifacts have no chlo, so that front ends write these calls instead (upstream: `ChloRecomposeOps.cpp`); attributes
of the op are the dictionary `mhlo.attributes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ..editing import new_op
from ..shared_attributes import i64_attribute
from ..stablehlo.custom_call import CustomCallOp
from ..stablehlo.xla_calls import CallForm
from .library import TopKOp
from .special_functions import (
    AcoshOp,
    AcosOp,
    AsinhOp,
    AsinOp,
    AtanhOp,
    AtanOp,
    BesselI1eOp,
    CoshOp,
    DigammaOp,
    ErfcOp,
    ErfInvOp,
    ErfOp,
    LgammaOp,
    SinhOp,
    SquareOp,
    TanOp,
)

TOP_K = "mhlo.topk"

OPS_BY_TARGET: dict[str, type[Operation]] = {
    "mhlo.acos": AcosOp,
    "mhlo.acosh": AcoshOp,
    "mhlo.asin": AsinOp,
    "mhlo.asinh": AsinhOp,
    "mhlo.atan": AtanOp,
    "mhlo.atanh": AtanhOp,
    "mhlo.bessel_i1e": BesselI1eOp,
    "mhlo.cosh": CoshOp,
    "mhlo.digamma": DigammaOp,
    "mhlo.erf": ErfOp,
    "mhlo.erf_inv": ErfInvOp,
    "mhlo.erfc": ErfcOp,
    "mhlo.lgamma": LgammaOp,
    "mhlo.sinh": SinhOp,
    "mhlo.square": SquareOp,
    "mhlo.tan": TanOp,
    TOP_K: TopKOp,
}
"""The target of a call, and the op it stands for."""


def _options(call: CustomCallOp) -> Mapping[str, Attribute]:
    options = call.attributes.get("mhlo.attributes")
    return options.data if isinstance(options, DictionaryAttr) else {}


def takes_smallest(call: CustomCallOp) -> bool:
    """Whether `call` is `@mhlo.topk` for the smallest elements, in ascending order: `chlo.top_k` of the operand with
    the order of its elements reversed."""
    options = _options(call)
    largest = options.get("largest")
    return (
        call.call_target_name.data == TOP_K
        and isinstance(options.get("k"), IntegerAttr)
        and isinstance(largest, IntegerAttr)
        and not largest.value.data
    )


def largest_taken(call: CustomCallOp) -> int | None:
    """How many elements `call` takes from each line, if it is `@mhlo.topk` for the largest ones."""
    count = _options(call).get("k")
    if call.call_target_name.data != TOP_K or not isinstance(count, IntegerAttr) or takes_smallest(call):
        return None
    return count.value.data


def op_of_call(call: CustomCallOp, operands: Sequence[SSAValue] | None = None) -> Operation | None:
    """The op of chlo that `call` stands for, on the same operands (or those given) and in no block yet; None if there
    is none. Where `takes_smallest(call)`, operand and values have to be reversed around it."""
    op_class = OPS_BY_TARGET.get(call.call_target_name.data)
    if op_class is None:
        return None
    properties: dict[str, Attribute] = {}
    if op_class is TopKOp:
        k = _options(call).get("k")
        if not isinstance(k, IntegerAttr):
            return None
        properties["k"] = i64_attribute(k.value.data)
    return new_op(op_class, tuple(operands or call.operands), [result.type for result in call.results], properties)


def verify_call_of_op(op: CustomCallOp) -> None:
    """Raises `VerifyException` if `op` calls a target of `OPS_BY_TARGET` in another form than its op of chlo has."""
    name = op.call_target_name.data
    if name not in OPS_BY_TARGET or "indices_of_shape_operands" in op.attributes:
        return
    form = CallForm(op)
    form.count("operand", form.operands, 1)
    form.count("result", form.results, 2 if name == TOP_K else 1)
    draft = op_of_call(op)
    if draft is None:
        options = op.attributes.get("mhlo.attributes", DictionaryAttr({}))
        form.fail("mhlo.attributes", "the integer k", options)
    try:
        draft.verify_()
    finally:
        draft.drop_all_references()
