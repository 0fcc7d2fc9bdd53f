"""Methods of xDSL's IR that every pass calls all the time, replaced by faster ones with the same contract.

`faster_xdsl` replaces, while a program is compiled:

- `SSAValues[i]`, `op.operands`, iterating over `block.ops` and `region.blocks`, and operands, results and regions by
  name: without calls and objects in between;
- walking over ops: without a generator for each region;
- making blocks and adding ops to them: without looking for what cannot be wrong;
- the numbers of an array attribute, such as the sizes of groups of operands: unpacked once per attribute;
- what is checked when an attribute is made: that its class is one for attributes, once per class;
- verifying an op against its definition: what the definition says is worked out once per definition. Where an op does
  not verify, xDSL's own method is asked again and names the error;
- verifying that what is inside an op uses nothing from outside: the values that are inside are collected, instead of
  climbing from each use to the op;
- looking up symbols: the names of a module are collected once (`symbol_lookup.py`).

What they return and raise is the same, so it doesn't matter which ones another thread finds meanwhile; afterwards xDSL
is as it was. Written against xDSL 0.74; `tests/dialects/test_faster_xdsl.py` compares both ways.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, SupportsIndex, cast

from xdsl.dialects.builtin import UNKNOWN_LOC, DenseArrayBase
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region
from xdsl.ir.core import BlockOps, OpOperands, RegionBlocks, SSAValues
from xdsl.irdl import AttrConstraint, OperandDef, ResultDef, VariadicDef
from xdsl.irdl.constraints import EqIntConstraint, RangeLengthConstraint, RangeOf, VerificationContext
from xdsl.irdl.operations import (
    AttrSizedSegments,
    BaseAccessor,
    BaseAttrAccessor,
    BeforeVariadicSingleAccessor,
    OpDef,
    OptAttributeDef,
    OptPropertyDef,
    VarIRConstruct,
)
from xdsl.traits import IsolatedFromAbove, SymbolTable
from xdsl.utils.exceptions import VerifyException

from ..locks import RenewedLock
from .editing import append, walk
from .shared_attributes import cached_by_identity
from .symbol_lookup import lookup_symbol


@contextmanager
def faster_xdsl() -> Generator[None]:
    """With the faster methods. May be nested and entered by several threads: the last one out restores xDSL's own."""
    global _users
    with _lock.current:
        _users += 1
        if _users == 1:
            _replace(REPLACED)
    try:
        yield
    finally:
        with _lock.current:
            _users -= 1
            if _users == 0:
                _replace(_OWN)


def _replace(methods: Mapping[tuple[type, str], Any]) -> None:
    for (ir_class, name), method in methods.items():
        setattr(ir_class, name, method)


_lock = RenewedLock()
_users = 0


_element = cast(Any, tuple).__getitem__


def _item(values: SSAValues[Any], index: SupportsIndex | slice) -> Any:
    element: Any = _element(values, index)
    return SSAValues(element) if index.__class__ is slice else element


def _ops(ops: BlockOps) -> Iterator[Operation]:
    """The ops of a block; the one that was given last may be removed."""
    op = ops.block._first_op
    while op is not None:
        following = op._next_op
        yield op
        op = following


def _blocks(blocks: RegionBlocks) -> Iterator[Block]:
    """The blocks of a region; the one that was given last may be removed."""
    block = blocks._region._first_block
    while block is not None:
        following = block._next_block
        yield block
        block = following


def _init_block(block: Block, ops: Iterable[Operation] = (), *, arg_types: Iterable[Attribute] = ()) -> None:
    block._args = tuple([BlockArgument(type, block, index, UNKNOWN_LOC) for index, type in enumerate(arg_types)])
    block._first_op = block._last_op = None
    for op in ops:
        _add_op(block, op)


_add_any_op = Block.add_op


def _add_op(block: Block, op: Operation) -> None:
    """`Block.add_op`: only what has regions may contain the block."""
    if op.regions or op.parent is not None:
        _add_any_op(block, op)
    else:
        append(block, op)


def _accessed(accessor: BaseAccessor, op: Operation, op_class: type[Operation] | None = None) -> Any:
    """The operands, results, regions or successors that have a name of their own."""
    values = _constructs(op, accessor.construct)
    if accessor.__class__ is BeforeVariadicSingleAccessor and values.__class__ is SSAValues:
        return _element(values, accessor.idx)
    return accessor.index(values)


def _accessed_by_sizes(accessor: BaseAttrAccessor, op: Operation, op_class: type[Operation] | None = None) -> Any:
    """The same where an attribute says how many there are of each name."""
    option = accessor.option
    sizes = option.container(op)[option.attribute_name]
    return accessor.index(cast(Any, sizes).get_values(), _constructs(op, accessor.construct))


def _constructs(op: Operation, construct: VarIRConstruct) -> Any:
    if construct is VarIRConstruct.OPERAND:
        return op._operands
    if construct is VarIRConstruct.RESULT:
        return op.results
    return op.regions if construct is VarIRConstruct.REGION else op.successors


_walk_any = Operation.walk
_walk_any_region = Region.walk


def _walk(op: Operation, *, reverse: bool = False, region_first: bool = False) -> Iterator[Operation]:
    return _walk_any(op, reverse=reverse, region_first=region_first) if reverse or region_first else walk(op)


def _walk_region(region: Region, *, reverse: bool = False, region_first: bool = False) -> Iterator[Operation]:
    if reverse or region_first:
        return _walk_any_region(region, reverse=reverse, region_first=region_first)
    return walk(region)


_check_attribute = Attribute.__post_init__
_attribute_classes: set[type[Attribute]] = set()
"""Classes of which an attribute has been made."""


def _verify_attribute(attribute: Attribute) -> None:
    if attribute.__class__ in _attribute_classes:
        attribute._verify()
    else:
        _check_attribute(attribute)
        _attribute_classes.add(attribute.__class__)


_verify_isolation = IsolatedFromAbove.verify


def _verify_isolated(trait: IsolatedFromAbove, op: Operation) -> None:
    """`IsolatedFromAbove.verify`."""
    inside: set[Operation | Block] = set()
    users: list[Operation] = []
    regions = [*op.regions]
    while regions:
        for block in _blocks(RegionBlocks(regions.pop())):
            inside.add(block)
            for inner in _ops(BlockOps(block)):
                inside.add(inner)
                if inner._operands:
                    users.append(inner)
                if inner.regions and not inner.has_trait(IsolatedFromAbove):
                    regions += inner.regions
    if not all(operand.owner in inside for user in users for operand in user._operands):
        _verify_isolation(trait, op)


class _Plan(NamedTuple):
    """What a definition says of the operands and results of an op that has no variadic ones, regions or successors."""

    operands: tuple[AttrConstraint[Attribute], ...]
    results: tuple[AttrConstraint[Attribute], ...]


verify_definition = OpDef.verify
"""xDSL's own method."""
_plans: dict[int, tuple[OpDef, _Plan | None]] = {}
"""Plans by identity of the definition; None where there is none."""


def verify_against_definition(definition: OpDef, op: Operation) -> None:
    """`OpDef.verify`."""
    known = _plans.get(id(definition))
    if known is None:
        known = _plans[id(definition)] = (definition, _plan(definition))
    plan = known[1]
    if plan is None or not _verifies(op, definition, plan):
        verify_definition(definition, op)
        return
    for trait in definition.traits:
        trait.verify(op)


def _verifies(op: Operation, definition: OpDef, plan: _Plan) -> bool:
    """Whether all but the traits is as the definition says."""
    operands, results = op._operands, op.results
    if len(operands) != len(plan.operands) or len(results) != len(plan.results) or op.regions or op._successors:
        return False
    context = VerificationContext()
    try:
        for value, constraint in zip(operands, plan.operands, strict=True):
            constraint.verify(value._type, context)
        for value, constraint in zip(results, plan.results, strict=True):
            constraint.verify(value._type, context)
        for name, field in definition.properties.items():
            if (attribute := op.properties.get(name)) is not None:
                field.constr.verify(attribute, context)
            elif not isinstance(field, OptPropertyDef):
                return False
        for name, field in definition.attributes.items():
            if (attribute := op.attributes.get(name)) is not None:
                field.constr.verify(attribute, context)
            elif not isinstance(field, OptAttributeDef):
                return False
    except VerifyException:
        return False
    return op.properties.keys() <= definition.properties.keys()


def _plan(definition: OpDef) -> _Plan | None:
    if definition.regions or definition.successors:
        return None
    if any(isinstance(option, AttrSizedSegments) for option in definition.options):
        return None
    operands = [_constraint_of_one(field) for _, field in definition.operands]
    results = [_constraint_of_one(field) for _, field in definition.results]
    if None in operands or None in results:
        return None
    return _Plan(tuple(filter(None, operands)), tuple(filter(None, results)))


def _constraint_of_one(field: OperandDef | ResultDef) -> AttrConstraint[Attribute] | None:
    """The constraint on the type of a single operand or result; None for others."""
    match field.constr:
        case RangeLengthConstraint(constraint=RangeOf(constr=constraint), length=EqIntConstraint(value=1)):
            return None if isinstance(field, VariadicDef) else constraint
        case _:
            return None


REPLACED: dict[tuple[type, str], Any] = {
    (SSAValues, "__getitem__"): _item,
    (BlockOps, "__iter__"): _ops,
    (Operation, "operands"): property(OpOperands, cast(Any, Operation.operands).fset),
    (RegionBlocks, "__iter__"): _blocks,
    (Operation, "walk"): _walk,
    (Region, "walk"): _walk_region,
    (Block, "__init__"): _init_block,
    (Block, "add_op"): _add_op,
    (BaseAccessor, "__get__"): _accessed,
    (BaseAttrAccessor, "__get__"): _accessed_by_sizes,
    (DenseArrayBase, "get_values"): cached_by_identity(cast(Any, DenseArrayBase).get_values),
    (Attribute, "__post_init__"): _verify_attribute,
    (OpDef, "verify"): verify_against_definition,
    (IsolatedFromAbove, "verify"): _verify_isolated,
    (SymbolTable, "lookup_symbol"): staticmethod(lookup_symbol),
}
"""The methods by class and name."""

_OWN: dict[tuple[type, str], Any] = {(ir_class, name): ir_class.__dict__[name] for ir_class, name in REPLACED}
"""What they stand in for."""
