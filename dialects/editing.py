"""Making, walking, copying and removing ops at the least cost.

`new_op` is `Operation.create`, `new_block` `Block`, `new_region` `Region`, `append` `Block.add_op`, `insert_before` is
`Block.insert_op_before`, `ops_of` is `block.ops`, `walk`, `clone` and `erase` are the methods of `Operation`,
`replace_uses` is `SSAValue.replace_all_uses_with`: without the checks for callers that may be wrong (an op that has a
parent already, a block inside the op that goes into it, a name), without a call for each op that is visited,
and without setting fields to what they are by default. Passes that make an op for every op they see spend most of their
time here. `become` makes an op another one without a new one. `discard` frees what is not needed any more.

Written against the fields of the IR of xDSL 0.74; `tests/dialects/test_editing.py` compares what both ways make.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import UNKNOWN_LOC, LocationAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue, Use
from xdsl.ir.core import SSAValues
from xdsl.irdl import IRDLOperation, OptionalDef

OpT = TypeVar("OpT", bound=Operation)

_new = _new_instance = object.__new__
_NONE: Mapping[str, Attribute] = {}
_NO_VALUES: SSAValues[Any] = SSAValues()

_Defaults = tuple[tuple[tuple[str, Attribute], ...], tuple[tuple[str, Attribute], ...]]


class _DefaultsByClass(dict[type[Operation], _Defaults]):
    """By class of op the values of properties and of attributes that are not given, found when first asked for."""

    def __missing__(self, op_class: type[Operation]) -> _Defaults:
        found = self[op_class] = _defaults_of(op_class)
        return found


_defaults = _DefaultsByClass()


def new_op(
    op_class: type[OpT],
    operands: Sequence[SSAValue] = (),
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] = _NONE,
    attributes: Mapping[str, Attribute] = _NONE,
    *,
    regions: Sequence[Region] = (),
    successors: Sequence[Block] = (),
    location: LocationAttr = UNKNOWN_LOC,
) -> OpT:
    """What `op_class.create` makes of the same arguments."""
    op = _new_instance(op_class)
    op.properties = own_properties = {**properties}
    op.attributes = own_attributes = {**attributes}
    op.location = location
    properties_not_given, attributes_not_given = _defaults[op_class]
    for name, value in properties_not_given:
        own_properties.setdefault(name, value)
    for name, value in attributes_not_given:
        own_attributes.setdefault(name, value)
    if operands:
        _use(op, operands)
    if not result_types:
        op.results = _NO_VALUES
    elif len(result_types) == 1:
        op.results = SSAValues((OpResult(result_types[0], op, 0),))
    else:
        op.results = SSAValues([OpResult(type, op, index) for index, type in enumerate(result_types)])
    if successors:
        op.successors = successors
    for region in regions:
        op.add_region(region)
    return op


defaults_of_new_ops: dict[str, Any] = cast("dict[str, Any]", new_op.__kwdefaults__)
"""What `new_op` takes for arguments that it is not given: `locating.py` changes the location, at no cost for others."""


def _use(op: Operation, operands: Sequence[SSAValue]) -> None:
    """Makes these the operands of `op`, which has none."""
    op._operands = SSAValues(operands)
    uses: list[Use] = []
    for operand in operands:
        use = _new(Use)
        use._operation, use._index = op, len(uses)
        if (following := operand.first_use) is not None:
            use._next_use, following._prev_use = following, use
        operand.first_use = use
        uses.append(use)
    op._operand_uses = tuple(uses)


def become(
    op: Operation,
    op_class: type[Operation],
    properties: Mapping[str, Attribute] = _NONE,
    operands: Sequence[SSAValue] | None = None,
    attributes: Mapping[str, Attribute] = _NONE,
) -> None:
    """Makes `op` an op of another class in its place, with new operands unless they are None. Its results and all that
    uses them stay, and so do its regions, successors and location; properties and attributes are those given.
    """
    op.__class__ = op_class
    op.properties = own_properties = {**properties}
    op.attributes = own_attributes = {**attributes}
    properties_not_given, attributes_not_given = _defaults[op_class]
    for name, value in properties_not_given:
        own_properties.setdefault(name, value)
    for name, value in attributes_not_given:
        own_attributes.setdefault(name, value)
    if operands is not None:
        _drop_uses(op)
        _use(op, operands)
    if _note_op is not None:
        _note_op(op)


_note_op: Callable[[Operation], None] | None = None
_note_replacement: Callable[[SSAValue, SSAValue], None] | None = None
"""What `noting_new_ops` calls."""


@contextmanager
def noting_new_ops(
    note: Callable[[Operation], None], note_replacement: Callable[[SSAValue, SSAValue], None] | None = None
) -> Generator[None]:
    """While it lasts, `note` is called with each op that `new_op` and `clone` make, before its fields are set, and with
    what has `become` another one; `note_replacement` with each value and the one whose users get it in its place.
    """
    global _new_instance, _note_op, _note_replacement

    def noted(op_class: type[Any]) -> Any:
        op = _new(op_class)
        note(op)
        return op

    outer = _new_instance, _note_op, _note_replacement
    _new_instance, _note_op, _note_replacement = noted, note, note_replacement
    try:
        yield
    finally:
        _new_instance, _note_op, _note_replacement = outer


def _defaults_of(op_class: type[Operation]) -> _Defaults:
    if not issubclass(op_class, IRDLOperation):
        return (), ()
    definition = op_class.get_irdl_definition()
    properties, attributes = (
        tuple(
            (name, field.default_value)
            for name, field in fields.items()
            if field.default_value is not None and not isinstance(field, OptionalDef)
        )
        for fields in (definition.properties, definition.attributes)
    )
    return properties, attributes


def new_block(arg_types: Iterable[Attribute] = ()) -> Block:
    """An empty block with arguments of these types."""
    block = _new(Block)
    block._args = tuple([BlockArgument(type, block, index, UNKNOWN_LOC) for index, type in enumerate(arg_types)])
    block._first_op = block._last_op = None
    return block


def new_region(block: Block) -> Region:
    """A region of one block, which is in no region."""
    region = _new(Region)
    region._first_block = region._last_block = block
    block.parent = region
    return region


def append(block: Block, op: Operation) -> None:
    """Puts `op`, which has no parent, at the end of `block`."""
    op.parent = block
    last = block._last_op
    if last is None:
        block._first_op = op
    else:
        last._next_op = op
        op._prev_op = last
    block._last_op = op


def insert_before(op: Operation, anchor: Operation) -> None:
    """Puts `op`, which has no parent, in front of `anchor`, which has one."""
    block = anchor.parent
    assert block is not None
    op.parent = block
    previous = anchor._prev_op
    if previous is None:
        block._first_op = op
    else:
        previous._next_op = op
        op._prev_op = previous
    op._next_op = anchor
    anchor._prev_op = op


def ops_of(block: Block) -> Iterator[Operation]:
    """The ops of `block`; the one that was given last may be removed."""
    op = block._first_op
    while op is not None:
        following = op._next_op
        yield op
        op = following


def drain(block: Block, first: Operation | None = None) -> Iterator[Operation]:
    """Takes all ops out of `block`, or those from `first` on, and gives them one by one, to be put elsewhere."""
    op = block._first_op if first is None else first
    if op is None:
        return
    block._last_op = previous = op._prev_op
    if previous is None:
        block._first_op = None
    else:
        previous._next_op = None
    while op is not None:
        following = op._next_op
        op.parent = op._prev_op = op._next_op = None
        yield op
        op = following


def walk(root: Operation | Region) -> Iterator[Operation]:
    """The ops of `root`, itself included, outer ones first; the op that was yielded may be removed."""
    if root.__class__ is Region:
        regions: Sequence[Region] = (cast(Region, root),)
    else:
        yield cast(Operation, root)
        regions = cast(Operation, root).regions
    pending: list[Operation | Block] = _first_blocks(regions)
    """Where to go on in what is around, the innermost last."""
    while pending:
        place = pending.pop()
        op: Operation | None
        if place.__class__ is Block:
            block = cast(Block, place)
            op = block._first_op
            if block._next_block is not None:
                pending.append(block._next_block)
        else:
            op = cast(Operation, place)
        while op is not None:
            next_op = op._next_op
            yield op
            if op.regions:
                if next_op is not None:
                    pending.append(next_op)
                pending += _first_blocks(op.regions)
                break
            op = next_op


def blocks_in(root: Operation) -> Iterator[Block]:
    """The blocks of `root` and of the ops in it, outer ones first."""
    for op in walk(root):
        for region in op.regions:
            yield from region.blocks


def _first_blocks(regions: Sequence[Region]) -> list[Operation | Block]:
    """The entry blocks of `regions`, the first one last."""
    return [region._first_block for region in reversed(regions) if region._first_block is not None]


def clone(op: OpT, values: dict[SSAValue, SSAValue] | None = None) -> OpT:
    """A copy of `op` and what is in it. `values` maps what it uses from outside, and receives what is copied."""
    if values is None:
        values = {}
    if op._successors or not all(_is_structured(region) for region in op.regions):
        return op.clone(values)
    copy = new_op(
        op.__class__,
        [values.get(operand, operand) for operand in op._operands],
        [result._type for result in op.results],
        op.properties,
        op.attributes,
        location=op.location,
    )
    for old, new in zip(op.results, copy.results, strict=True):
        values[old] = new
        new._name = old._name
    if op.regions:
        copy.regions = tuple([clone_region(region, values) for region in op.regions])
        for region in copy.regions:
            region.parent = copy
    return copy


def _is_structured(region: Region) -> bool:
    """Whether a region has one block at most, so that values are defined before they are used."""
    return region._first_block is region._last_block


def clone_region(region: Region, values: dict[SSAValue, SSAValue]) -> Region:
    """A copy of a region of one block at most; `values` as for `clone`."""
    old = region._first_block
    if old is None:
        return Region()
    block = new_block([argument._type for argument in old._args])
    for before, after in zip(old._args, block._args, strict=True):
        values[before] = after
        after._name = before._name
        after.location = before.location
    op = old._first_op
    while op is not None:
        append(block, clone(op, values))
        op = op._next_op
    return Region(block)


def inline_block(block: Block, anchor: Operation, arguments: Sequence[SSAValue]) -> Sequence[SSAValue]:
    """Moves the ops of `block` in front of `anchor`; `arguments` take the place of its own. Its terminator goes; the
    result are the operands of that.
    """
    for argument in block.args:
        argument.name_hint = None
    replace_all_uses(dict(zip(block.args, arguments, strict=True)))
    returned: Sequence[SSAValue] = ()
    for op in ops_of(block):
        if op is block.last_op:
            returned = tuple(op.operands)
            erase(op)
        else:
            op.detach()
            insert_before(op, anchor)
    return returned


def replace_uses(old: SSAValue, new: SSAValue) -> None:
    """Makes all users of `old` use `new`, which takes over its name if it has none."""
    replace_all_uses({old: new})


def replace_all_uses(values: Mapping[SSAValue, SSAValue]) -> None:
    """Makes all users of each key use its value, which takes over the name of the key if it has none; a value may be a
    key only of itself.

    Each user gets new operands once: to replace the operands of a wide op one by one costs the square of their number.
    """
    changed: dict[int, tuple[Operation, list[SSAValue]]] = {}
    for old, new in values.items():
        if old is new:
            continue
        if _note_replacement is not None:
            _note_replacement(old, new)
        use = old.first_use
        while use is not None:
            following = use._next_use
            op = use._operation
            known = changed.get(id(op))
            if known is None:
                known = changed[id(op)] = op, list(op._operands)
            known[1][use._index] = new
            first = new.first_use
            use._prev_use, use._next_use = None, first
            if first is not None:
                first._prev_use = use
            new.first_use = use
            use = following
        old.first_use = None
        if new._name is None:
            new._name = old._name
    for op, operands in changed.values():
        op._operands = SSAValues(operands)


def erase(op: Operation) -> None:
    """Removes `op`, whose results have no users, from its block."""
    for result in op.results:
        if result.first_use is not None:
            raise ValueError(f"a result of '{op.name}' still has users")
    if op.parent is not None:
        op.parent.detach_op(op)
    if op._successors:
        op.drop_all_references()
    elif op.regions:
        for inner in walk(op):
            _drop_uses(inner)
    else:
        _drop_uses(op)
        op._operand_uses = ()
        op._operands = op.results = _NO_VALUES
        return
    discard(op)


def _drop_uses(op: Operation) -> None:
    """The operands of `op` forget that it uses them."""
    for operand, use in zip(op._operands, op._operand_uses, strict=True):
        previous, following = use._prev_use, use._next_use
        if previous is None:
            operand.first_use = following
        else:
            previous._next_use = following
        if following is not None:
            following._prev_use = previous


def discard(op: Operation) -> None:
    """Takes `op` apart, with all that is in it: neither it nor its results may be used afterwards.

    Nothing outside it uses it, and it uses nothing from outside; it is in no block. Ops, their results, blocks and
    uses refer to each other in circles, which without this are left to the garbage collector; so all is freed at once.
    """
    for use in op._operand_uses:
        use._prev_use = None
    op._operand_uses = ()
    op._operands = op.results = _NO_VALUES
    op.parent = op._next_op = op._prev_op = None
    if op._successors:
        for use in op._successor_uses:
            use._prev_use = None
        op._successors = op._successor_uses = ()
    for region in op.regions:
        region.parent = None
        block = region._first_block
        region._first_block = region._last_block = None
        while block is not None:
            next_block = block._next_block
            discard_block(block)
            block = next_block
    op.regions = ()


def discard_block(block: Block) -> None:
    """The same for a block, all that is in it and its arguments: nothing else uses them."""
    op = block._first_op
    block._args = ()
    block._first_op = block._last_op = block._next_block = block._prev_block = block.parent = None
    while op is not None:
        next_op = op._next_op
        discard(op)
        op = next_op
