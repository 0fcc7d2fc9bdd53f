"""Methods of xDSL's IR that every pass calls all the time, replaced by faster ones with the same contract.

`faster_xdsl` replaces, while a program is compiled:

- `SSAValues[i]`, `op.operands`, iterating over `block.ops` and `region.blocks`, and operands, results and regions by
  name: without calls and objects in between;
- walking over ops: without a generator for each region;
- making blocks and adding ops to them: without looking for what cannot be wrong;
- the numbers of an array attribute, such as the sizes of groups of operands: unpacked once per attribute.

What they return and raise is the same, so it doesn't matter which ones another thread finds meanwhile; afterwards xDSL
is as it was. Written against xDSL 0.74; `tests/dialects/test_faster_xdsl.py` compares both ways.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, SupportsIndex, cast

from xdsl.dialects.builtin import UNKNOWN_LOC, DenseArrayBase
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region
from xdsl.ir.core import BlockOps, OpOperands, RegionBlocks, SSAValues
from xdsl.irdl.operations import (
    BaseAccessor,
    BaseAttrAccessor,
    BeforeVariadicSingleAccessor,
    VarIRConstruct,
)

from ..locks import RenewedLock
from .editing import append, walk
from .shared_attributes import cached_by_identity


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
}
"""The methods by class and name."""

_OWN: dict[tuple[type, str], Any] = {(ir_class, name): ir_class.__dict__[name] for ir_class, name in REPLACED}
"""What they stand in for."""
