"""Which ops have no effect but their results."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect

from ..dialects.editing import walk

_PURITY: dict[type[Operation], bool | None] = {}
"""Per op type: pure, not pure, or (None) as pure as the ops in its regions."""


def is_pure(op: Operation) -> bool:
    """Whether `op` and the ops in it have no effect but their results."""
    return all(_purity(nested) is not False for nested in walk(op)) if op.regions else _purity(op) is not False


def is_as_pure_as_its_regions(op: Operation) -> bool:
    """Whether `op` has the effects of the ops in it alone."""
    return _purity(op) is not False


def _purity(op: Operation) -> bool | None:
    op_type = type(op)
    if op_type not in _PURITY:
        if op.has_trait(RecursiveMemoryEffect):
            _PURITY[op_type] = None
        else:
            _PURITY[op_type] = op.has_trait(Pure) or op.has_trait(IsTerminator)
    return _PURITY[op_type]


def is_dead(op: Operation) -> bool:
    """Whether `op` can be deleted: it has results, none is used, and it has no effect."""
    for result in op.results:
        if result.first_use is not None:
            return False
    return bool(op.results) and is_pure(op)
