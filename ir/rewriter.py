"""The rewriter that patterns are given, and the drivers: a worklist, and one walk.

`Rewriter` is xDSL's `PatternRewriter` with a worklist behind it. Ops whose operands, users or regions changed are
visited again, dead ops are deleted on the way: the cost is that of one walk plus the number of changes. Patterns are
looked up by class of op in a dict. Ops with regions wait for everything else. `rewrite_once` replaces each op there is
once, and nothing else.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple, TypeAlias, cast

from xdsl.builder import InsertOpInvT
from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint
from xdsl.traits import IsTerminator

from ..decisions.model import CostModel, cost_model_of
from ..dialects import locating
from ..dialects.editing import erase, insert_before, new_op, replace_uses, walk
from . import pattern_log
from .purity import is_as_pure_as_its_regions, is_dead, is_pure


class Changed(Enum):
    """That a pattern has done its rewrite itself."""

    CHANGED = 0


CHANGED = Changed.CHANGED

Rewrite: TypeAlias = Callable[[Any, Any], Any]
"""Tries to rewrite an op; None where it does not apply."""


class Rewrites(NamedTuple):
    """What to try on ops of each class, and on those of all others; they decide by `model`, by default the host's."""

    by_class: Mapping[type[Operation], Sequence[Rewrite]]
    others: Sequence[Rewrite] = ()
    model: CostModel | None = None

    def only(self, *ops: type[Operation]) -> Rewrites:
        """Those for the classes `ops`, and for all others."""
        return self._replace(by_class={op: self.by_class[op] for op in ops if op in self.by_class})


class Rewriter(PatternRewriter):
    """The worklist, and the position where a pattern inserts. Patterns decide by `model`."""

    def __init__(self, rewrites: Rewrites) -> None:
        self.model = rewrites.model or cost_model_of(None)
        self.operation_insertion_handler = [self._note_inserted]
        self.operation_removal_handler = [self._note_removed]
        self.operation_modification_handler = [self._revisit_user]
        self.operation_replacement_handler = []
        self.block_creation_handler = []
        self.has_done_action = False
        self._name_hint = None
        self._point: InsertPoint | None = None
        self._by_class, self._others = rewrites.by_class, rewrites.others
        self._worklist: list[Operation] = []
        self._queued: set[Operation] = set()
        self._waiting: dict[Operation, None] = {}
        """Ops with regions."""
        self._current_operation: Operation | None = None
        self._pure: dict[Operation, bool] = {}

    @property
    def insertion_point(  # pyright: ignore[reportIncompatibleVariableOverride]
        self,
    ) -> InsertPoint:
        """In front of the op being rewritten, until a pattern chooses another place."""
        return InsertPoint.before(cast(Operation, self._current_operation)) if self._point is None else self._point

    @insertion_point.setter
    def insertion_point(self, point: InsertPoint) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        self._point = point

    def begin(self) -> None:
        """A pattern is next that reports by `has_done_action`, as those of xDSL."""
        self.has_done_action = False
        self._point = self._name_hint = None

    def is_pure(self, op: Operation) -> bool:
        """Whether `op` and the ops in it have no effect but their results, found once: no pattern changes that."""
        if not op.regions:
            return is_pure(op)
        if op not in self._pure:
            inside = (nested for region in op.regions for nested in region.block.ops)
            self._pure[op] = is_as_pure_as_its_regions(op) and all(map(self.is_pure, inside))
        return self._pure[op]

    def run(self, ops: Iterable[Operation]) -> None:
        """Apply the patterns to `ops`, in this order, and to everything that changes meanwhile."""
        for op in reversed(list(ops)):
            self.revisit(op)
        while self._worklist or self._waiting:
            op = self._worklist.pop() if self._worklist else self._waiting.popitem()[0]
            self._queued.discard(op)
            if op.parent is not None:
                self._visit(op)

    def revisit(self, op: Operation) -> None:
        """Put `op` on the worklist. If it has regions, patterns for it look at all that is in them: it is visited when
        nothing else is left, since more of its operands, its users and those ops may change before.
        """
        if op.regions:
            self._waiting[op] = None
        elif op not in self._queued:
            self._queued.add(op)
            self._worklist.append(op)

    def emit(
        self,
        op_type: type[Operation],
        operands: Sequence[SSAValue],
        result_type: Attribute,
        properties: Mapping[str, Attribute] = {},
    ) -> SSAValue:
        """The result of a new op in front of the one being rewritten."""
        op = new_op(op_type, operands=operands, result_types=(result_type,), properties=properties)
        self.insert(op)
        return op.results[0]

    def insert(self, op: InsertOpInvT, insertion_point: InsertPoint | None = None) -> InsertOpInvT:
        """Insert `op` in front of the one being rewritten, or where `insertion_point` says."""
        if insertion_point is not None or self._point is not None or not isinstance(op, Operation):
            return super().insert(op, insertion_point)
        current = self._current_operation
        assert current is not None and current.parent is not None
        if isinstance(op.location, UnknownLoc):
            op.location = current.location
        self.has_done_action = True
        insert_before(op, current)
        self._note_inserted(op)
        return op

    def replace_uses(self, old: SSAValue, new: SSAValue) -> None:
        """Let the users of `old` use `new`, and visit them again."""
        for use in old.uses:
            self._revisit_user(use.operation)
        old.name_hint = None  # else it would pass to `new`
        replace_uses(old, new)

    def replace_by(self, op: Operation, replacement: Sequence[SSAValue] | SSAValue | Changed | None) -> None:
        """What a pattern for `op` has returned takes the place of its results."""
        if replacement is None or replacement is CHANGED:
            return
        if isinstance(replacement, SSAValue):
            replacement = (replacement,)
        for result, value in zip(op.results, cast(Sequence[SSAValue], replacement), strict=True):
            self.replace_uses(result, value)
        self._erase(op)

    def _revisit_user(self, user: Operation) -> None:
        changed = user.parent_op() if user.has_trait(IsTerminator) else user
        if changed is not None:
            self.revisit(changed)

    def _visit(self, op: Operation) -> None:
        if is_dead(op):
            self._erase(op)
            return
        self._current_operation = op
        if locating.is_on:
            locating.at(op)
        for rewrite in self._by_class.get(type(op), self._others):
            replacement = rewrite(op, self)
            if replacement is not None:
                self.replace_by(op, replacement)
                return

    def _note_inserted(self, op: Operation) -> None:
        self.revisit(op)
        if pattern_log.active is not None:
            pattern_log.active.note_op(op)

    def _note_removed(self, op: Operation) -> None:
        for nested in walk(op):
            for operand in nested._operands:
                owner = operand.owner
                changed = owner.parent_op() if isinstance(owner, Block) else owner
                if changed is not None:
                    self.revisit(changed)

    def _erase(self, op: Operation) -> None:
        self._note_removed(op)
        erase(op)


class GuestRewriter(Rewriter):
    """The rewriter of a pattern that runs in a driver of xDSL, whose `host` is told of every change."""

    def __init__(self, host: PatternRewriter, op: Operation) -> None:
        super().__init__(Rewrites({}))
        self.host = host
        self._current_operation = op
        self.operation_removal_handler = [host.handle_operation_removal]
        self.operation_replacement_handler = [host.handle_operation_replacement]
        self.block_creation_handler = [host.handle_block_creation]

    def revisit(self, op: Operation) -> None:
        self.host.notify_op_modified(op)

    def _erase(self, op: Operation) -> None:
        self.host.erase(op)


def rewrite_once(root: Operation, rewrites: Rewrites, *, forwards: bool = False) -> None:
    """Rewrite the ops that are in `root` now, the last one first unless `forwards`; what they become is left alone."""
    by_class = rewrites.by_class
    rewriter = Rewriter(rewrites)
    found = [op for op in walk(root) if type(op) in by_class]
    for op in found if forwards else reversed(found):
        rewriter._current_operation = op
        if locating.is_on:
            locating.at(op)
        for rewrite in by_class[type(op)]:
            replacement: Sequence[SSAValue] | SSAValue | Changed | None = rewrite(op, rewriter)
            if replacement is None:
                continue
            if replacement is not CHANGED:
                values: Sequence[SSAValue] = [replacement] if isinstance(replacement, SSAValue) else replacement
                for old, new in zip(op.results, values, strict=True):
                    replace_uses(old, new)
                erase(op)
            break
