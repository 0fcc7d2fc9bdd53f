"""Verifying a module as xDSL does, at a cost that grows with the module alone.

`verify` accepts what `Operation.verify` accepts. What the definition of an op says is worked out once per class of ops.
Whether an op that is isolated from above uses anything from outside is seen from the set of what is inside, without
climbing from each use to the op. A function that is called is looked up among names that are collected once
(`symbol_lookup.py`). Where something seems wrong, xDSL's own method is asked, and raises its error.

Written against xDSL 0.74; `tests/dialects/test_verification.py` compares both ways.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import getclosurevars
from typing import Literal, NamedTuple, cast

from xdsl.dialects.builtin import FunctionType, ModuleOp, SymbolRefAttr
from xdsl.ir import Attribute, Block, ErasedSSAValue, Operation, Region, SSAValue
from xdsl.irdl import AttrConstraint, OperandDef, ResultDef, VariadicDef
from xdsl.irdl.constraints import EqIntConstraint, RangeLengthConstraint, RangeOf, VerificationContext
from xdsl.irdl.operations import (
    AttrOrPropDef,
    AttrSizedSegments,
    OpDef,
    OptionalDef,
    VarIRConstruct,
    irdl_op_verify_arg_list,
    irdl_op_verify_regions,
    verify_variadic_size,
)
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator, OpTrait, SymbolUserOpInterface
from xdsl.utils.exceptions import VerifyException

from .symbol_lookup import lookup_symbol


def verify(module: ModuleOp) -> None:
    """`module.verify()`. Of several errors another one may be raised."""
    if module.parent is not None:
        module.verify()
        return
    _verify(module, _Inside(set(), []))


def verify_op(op: Operation) -> None:
    """`op.verify_()`, but for what the ops inside `op` use."""
    plan = _plan_of(op)
    if plan is None or not _holds(op, plan):
        op.verify_()
        return
    for trait in plan.traits:
        trait.verify(op)
    if plan.calls is not None and not plan.calls(op):
        op.verify_()
    if plan.custom is not None:
        plan.custom(op)


class _Inside(NamedTuple):
    """What is inside an op that is isolated from above."""

    owners: set[Operation | Block]
    """Ops and blocks, whose results and arguments may be used."""
    users: list[Operation]
    """Ops with operands."""

    def is_closed(self) -> bool:
        """Whether all that is used is inside."""
        return all(operand.owner in self.owners for user in self.users for operand in user._operands)


def _verify(op: Operation, around: _Inside) -> None:
    """Inner ops first, as xDSL: what a class checks besides its definition may rely on them."""
    if op.regions:
        inside = _Inside(set(), []) if op.has_trait(IsolatedFromAbove) else around
        for region in op.regions:
            _verify_region(region, op, inside)
        if inside is not around and not inside.is_closed():
            op.verify_()
    verify_op(op)


def _verify_region(region: Region, parent: Operation, inside: _Inside) -> None:
    block = region._first_block
    is_single = block is region._last_block
    needs_terminator = not (is_single and parent.has_trait(NoTerminator))
    while block is not None:
        if block.parent is not region or (block._first_op is None and is_single and needs_terminator):
            block.verify()
            region.verify()
        inside.owners.add(block)
        op = block._first_op
        while op is not None:
            if op.parent is not block or not _is_in_place(op, needs_terminator):
                op.verify()
                block.verify()
            inside.owners.add(op)
            if op._operands:
                inside.users.append(op)
            _verify(op, inside)
            op = op._next_op
        block = block._next_block


def _is_in_place(op: Operation, needs_terminator: bool) -> bool:
    """Whether `op` uses no erased values and stands at the end of its block if and only if it has to."""
    for operand in op._operands:
        if operand.__class__ is ErasedSSAValue:
            return False
    if op._successors:
        block = op.parent
        if block is None or op._next_op is not None:
            return False
        if any(successor.parent is not block.parent for successor in op._successors):
            return False
    return op._next_op is not None or not needs_terminator or op.has_trait(IsTerminator)


_Constraints = tuple[AttrConstraint[Attribute], ...]


class _Plan(NamedTuple):
    """What is to be checked of the ops of a class."""

    definition: OpDef
    operands: _Constraints | None
    """One constraint per operand; None where some are variadic."""
    results: _Constraints | None
    has_blocks: bool
    """Whether there are regions or successors."""
    traits: tuple[OpTrait, ...]
    """Those that check anything and are not checked here."""
    calls: Callable[[Operation], bool] | None
    """Whether the op calls what is there, with its types."""
    custom: Callable[[Operation], None] | None
    """What the class checks besides its definition."""


_plans: dict[type[Operation], _Plan | None] = {}
"""None for classes that do not verify by a definition."""


def _plan_of(op: Operation) -> _Plan | None:
    op_class = op.__class__
    try:
        return _plans[op_class]
    except KeyError:
        plan = _plans[op_class] = _plan(op_class)
        return plan


def _plan(op_class: type[Operation]) -> _Plan | None:
    verifier = op_class.verify_
    if verifier.__module__ != OpDef.__module__:
        return None
    parts = getclosurevars(verifier).nonlocals
    definition, custom = parts.get("op_def"), parts.get("custom_verify")
    if not isinstance(definition, OpDef):
        return None
    traits = tuple(definition.traits)
    calls = _CALLS.get(definition.name) if any(isinstance(trait, SymbolUserOpInterface) for trait in traits) else None
    is_sized = any(isinstance(option, AttrSizedSegments) for option in definition.options)
    return _Plan(
        definition,
        None if is_sized else _constraints(definition.operands),
        None if is_sized else _constraints(definition.results),
        bool(definition.regions or definition.successors),
        tuple(trait for trait in traits if _checks_anything(trait, calls is not None)),
        calls,
        None if custom is Operation.verify_ else custom,
    )


def _checks_anything(trait: OpTrait, is_call: bool) -> bool:
    if is_call and isinstance(trait, SymbolUserOpInterface):
        return False
    return type(trait) is not IsolatedFromAbove and type(trait).verify is not OpTrait.verify


def _constraints(
    fields: list[tuple[str, OperandDef]] | list[tuple[str, ResultDef]],
) -> _Constraints | None:
    constraints = [_constraint_of_one(field) for _, field in fields]
    return None if None in constraints else tuple(filter(None, constraints))


def _constraint_of_one(field: OperandDef | ResultDef) -> AttrConstraint[Attribute] | None:
    """The constraint on the type of a single operand or result; None for others."""
    match field.constr:
        case RangeLengthConstraint(constraint=RangeOf(constr=constraint), length=EqIntConstraint(value=1)):
            return None if isinstance(field, VariadicDef) else constraint
        case _:
            return None


def _holds(op: Operation, plan: _Plan) -> bool:
    """Whether all but the traits is as the definition says."""
    definition, context = plan.definition, VerificationContext()
    try:
        return (
            _types_hold(op, op._operands, plan.operands, definition, VarIRConstruct.OPERAND, context)
            and _types_hold(op, op.results, plan.results, definition, VarIRConstruct.RESULT, context)
            and _blocks_hold(op, plan, context)
            and _fields_hold(op.properties, definition.properties, context)
            and (not definition.attributes or _fields_hold(op.attributes, definition.attributes, context))
            and (not op.properties or op.properties.keys() <= definition.properties.keys())
        )
    except VerifyException:
        return False


def _types_hold(
    op: Operation,
    values: Sequence[SSAValue],
    constraints: _Constraints | None,
    definition: OpDef,
    construct: Literal[VarIRConstruct.OPERAND, VarIRConstruct.RESULT],
    context: VerificationContext,
) -> bool:
    if constraints is None:
        irdl_op_verify_arg_list(op, definition, construct, context)
        return True
    if len(values) != len(constraints):
        return False
    for value, constraint in zip(values, constraints, strict=True):
        constraint.verify(value._type, context)
    return True


def _blocks_hold(op: Operation, plan: _Plan, context: VerificationContext) -> bool:
    if not plan.has_blocks:
        return not op.regions and not op._successors
    irdl_op_verify_regions(op, plan.definition, context)
    if plan.definition.successors or op._successors:
        verify_variadic_size(op, plan.definition, VarIRConstruct.SUCCESSOR)
    return True


def _fields_hold(
    attributes: Mapping[str, Attribute], fields: Mapping[str, AttrOrPropDef], context: VerificationContext
) -> bool:
    for name, field in fields.items():
        if (attribute := attributes.get(name)) is not None:
            field.constr.verify(attribute, context)
        elif not isinstance(field, OptionalDef):
            return False
    return True


def _calls_function(op: Operation) -> bool:
    """Whether a `func.call` names a function that takes and gives what the call does."""
    callee = lookup_symbol(op, cast(SymbolRefAttr, op.properties["callee"]))
    if callee is None or callee.name != "func.func":
        return False
    type = cast(FunctionType, callee.properties["function_type"])
    return _are(type.inputs.data, op._operands) and _are(type.outputs.data, op.results)


def _are(types: Sequence[Attribute], values: Sequence[SSAValue]) -> bool:
    return len(types) == len(values) and all(type == value._type for type, value in zip(types, values, strict=True))


def _calls_llvm_function(op: Operation) -> bool:
    """Whether an `llvm.call` calls a pointer or names a function."""
    callee = op.properties.get("callee")
    if callee is None:
        return True
    found = lookup_symbol(op, cast(SymbolRefAttr, callee))
    return found is not None and found.name == "llvm.func"


_CALLS: dict[str, Callable[[Operation], bool]] = {"func.call": _calls_function, "llvm.call": _calls_llvm_function}
"""By op, what stands in for the check of the symbol that it uses."""
