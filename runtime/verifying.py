"""Programs are verified, with errors that name the op and its place."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Block, Operation, Region
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import verification
from ..dialects.dominance import EarlyUse, early_uses
from ..dialects.limits import checked_depth
from ..dialects.xrt_attribute_checks import verify_xrt_attributes
from ..errors import InvalidProgramError, Note, place_of
from ..interruptions import is_interruption
from ..nesting import at_depth
from .xdsl_errors import is_from_xdsl

SDY = f"{__name__.rpartition('.runtime')[0]}.dialects.sdy"
"""Where the dialect is that says how values are spread over devices: no module has any of it before it was imported."""


def verify_module(module: ModuleOp) -> int:
    """Verify all ops of `module` and the attributes by which passes tell each other what they decided; the
    `InvalidProgramError` it raises names the position of the offending op. Nothing in it is larger than
    `dialects/limits.py` says. Returns how deep it nests.
    """
    depth = checked_depth(module)
    at_depth(depth, lambda: _verify(module))
    return depth


def verification_errors(module: ModuleOp) -> list[InvalidProgramError]:
    """All that `verify_module` has to say: an error for each op that is invalid while all ops inside it are valid, in
    the order of the program; no more than the first, if that is about sizes or about attributes of this package.
    """
    try:
        verify_module(module)
    except InvalidProgramError as first:
        try:
            return at_depth(checked_depth(module), lambda: [_invalid(*each) for each in _invalid_ops(module)]) or [
                first
            ]
        except InvalidProgramError:
            return [first]
    return []


def _verify(module: ModuleOp) -> None:
    try:
        verification.verify(module)
    except Exception as error:
        if is_interruption(error):
            raise
        raise _invalid(*next(_invalid_ops(module), (module, error))) from error
    for use in early_uses(module):
        raise _used_early(use)
    verify_xrt_attributes(module)
    if SDY in sys.modules:
        from ..dialects.sdy.module_verification import verify_shardings

        verify_shardings(module)


def _invalid(culprit: Operation, cause: Exception) -> InvalidProgramError:
    """What is reported for an op that does not verify. Raises `cause` if it is a defect of a verifier of ours."""
    if not isinstance(cause, DiagnosticException | ValueError) and not is_from_xdsl(cause):
        raise cause
    if (twice := _symbol_twice(culprit, cause)) is not None:
        return twice
    message = " ".join(str(cause).split()) or f"xDSL's verifier gives up: {type(cause).__name__}"
    return InvalidProgramError(f"'{culprit.name}' op: {message}", culprit)


def _used_early(use: EarlyUse) -> InvalidProgramError:
    """What is said, in MLIR's words, of a value that is not defined where it is used."""
    owner = use.value.owner
    op = owner.parent_op() if isinstance(owner, Block) else owner
    note = Note(f"operand defined {_definition(use)}", place_of(op))
    return InvalidProgramError(f"operand #{use.position} does not dominate this use", use.user, notes=[note])


def _definition(use: EarlyUse) -> str:
    owner = use.value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    region = None if block is None else block.parent
    if block is use.user.parent:
        where = "in the same block"
    elif region is None or use.user.parent is None:
        where = "outside of the program"
    elif region is use.user.parent.parent:
        where = "in the same region"
    elif region.is_ancestor(use.user):
        where = "in a parent region"
    elif use.user.parent.parent is not None and use.user.parent.parent.is_ancestor(region):
        where = "in a child region"
    else:
        where = "neither in a parent nor in a child region"
    if not isinstance(owner, Block):
        return f"here (op {where})"
    number = 0 if region is None else list(region.blocks).index(owner)
    return f"as a block argument (block #{number} {where})"


def _symbol_twice(table: Operation, cause: Exception) -> InvalidProgramError | None:
    """What is said, in MLIR's words, where two ops of a table have one name: the second is wrong."""
    found = re.match(r'Redefinition of symbol "(.*)"', str(cause).strip())
    if found is None:
        return None
    name = StringAttr(found[1])
    blocks = [block for region in table.regions for block in region.blocks]
    ops = [
        op
        for block in blocks
        for op in block.ops
        if name in (op.properties.get("sym_name"), op.attributes.get("sym_name"))
    ]
    if len(ops) < 2:
        return None
    note = Note("see existing symbol definition here", place_of(ops[0]))
    return InvalidProgramError(f"redefinition of symbol named '{name.data}'", ops[1], notes=[note])


def _invalid_ops(op: Operation) -> Iterator[tuple[Operation, Exception]]:
    """The ops that do not verify while all ops inside them do, in order, and why."""
    is_valid = True
    for region in op.regions:
        for block in region.blocks:
            for child in block.ops:
                for found in _invalid_ops(child):
                    is_valid = False
                    yield found
    if not is_valid:
        return
    try:
        # `verify_` first: `verify` prints the whole module into the error.
        op.verify_()
        op.verify(verify_nested_ops=False)
        for region in op.regions:
            _verify_region_structure(region)
    except Exception as error:  # xDSL's verifiers raise any kind; `_invalid` tells theirs from those of this package
        if is_interruption(error):
            raise
        yield op, error


def _verify_region_structure(region: Region) -> None:
    """The rule on blocks that `Region.verify` checks besides verifying the ops."""
    if len(region.blocks) == 1 and region.block.is_empty and region.parent is not None:
        region.block.verify()
