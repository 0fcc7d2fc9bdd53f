"""Folding: which operations are one of their operands or a constant.

`identity` needs no arithmetic: it is exact, and what it finds is never larger than what was there. `fold` also
evaluates ops on constants (`fold_constants.py`). Operations fold through `op.fold()`, so that xDSL's `canonicalize`
works on StableHLO; `stablehlo-simplify` takes the identities from here.

A rule is a function of an op. It returns the value or the dense constant the op is equal to, or None. Rules need not
look at the type of the value: one whose type is not that of the result is dropped here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Attribute, Operation, SSAValue

from . import fold_constants, fold_elementwise, fold_movement
from .families import OPS
from .fold_rules import Rule
from .traits import Idempotent, Involution, MovesElements

_OWN: Mapping[type[Operation], tuple[Rule, ...]] = {**fold_movement.RULES, **fold_elementwise.RULES}


def _rules(op_type: type[Operation]) -> tuple[Rule, ...]:
    """Those that follow from constants that are neutral or absorbing and from what the definition says, and its own."""
    derived = (
        (op_type in fold_elementwise.NEUTRAL, fold_elementwise.neutral_operand),
        (op_type in fold_elementwise.ABSORBING, fold_elementwise.absorbing_operand),
        (op_type.has_trait(Idempotent), fold_elementwise.idempotent),
        (op_type.has_trait(Involution), fold_elementwise.involution),
        (op_type.has_trait(MovesElements), fold_movement.moved_splat),
    )
    return (*(rule for holds, rule in derived if holds), *_OWN.get(op_type, ()))


IDENTITIES: Mapping[type[Operation], tuple[Rule, ...]] = {op: rules for op in OPS if (rules := _rules(op))}


def identity(op: Operation) -> SSAValue | DenseIntOrFPElementsAttr | None:
    """The value or splat constant that the first result of `op` equals by a rule that computes nothing."""
    for rule in IDENTITIES.get(type(op), ()):
        found = rule(op)
        if found is not None and found.type == op.results[0].type:
            return found
    return None


def fold(op: Operation) -> Sequence[SSAValue | Attribute] | None:
    """What the results of `op` are equal to, as `HasFolderInterface.fold` returns it."""
    found = identity(op)
    if found is None:
        found = fold_constants.evaluate(op)
    return None if found is None else (found,)
