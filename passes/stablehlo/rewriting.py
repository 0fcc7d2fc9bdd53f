"""The worklist driver of the rewrites on StableHLO, and what their rules share.

A rule is a function of an op and the `Rewriter`. It returns None if it does not apply, else the
values that take the place of the op's results; new ops go in front of the op through `emit`. Ops
whose operands, users or regions changed are visited again, dead ops are deleted on the way: the
cost is that of one walk plus the number of changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, DenseIntOrFPElementsAttr, TensorType, UnknownLoc
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect

from ...dialects import stablehlo
from ...dialects.dense import Number, dense_values, pack_element, splat_attribute
from ...dialects.editing import insert_before, new_op, replace_uses, walk
from ...dialects.shared_attributes import i64_array, tensor_type
from ...dialects.stablehlo.folding import identity

Rule = Callable[[Any, "Rewriter"], "Sequence[SSAValue] | SSAValue | None"]
Rules = Mapping[type[Operation], tuple[Rule, ...]]


class Rewriter:
    """The worklist, and the position where a rule inserts."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._worklist: list[Operation] = []
        self._queued: set[Operation] = set()
        self._current: Operation | None = None
        self._pure: dict[Operation, bool] = {}

    def is_pure(self, op: Operation) -> bool:
        """Whether `op` and the ops in it have no effect but their results, found once: no rule changes that."""
        if not op.regions:
            return is_pure(op)
        if op not in self._pure:
            inside = (nested for region in op.regions for nested in region.block.ops)
            self._pure[op] = is_as_pure_as_its_regions(op) and all(map(self.is_pure, inside))
        return self._pure[op]

    def run(self, ops: Iterable[Operation]) -> None:
        """Apply the rules to `ops`, in this order, and to everything that changes meanwhile."""
        for op in reversed(list(ops)):
            self.revisit(op)
        while self._worklist:
            op = self._worklist.pop()
            self._queued.discard(op)
            if op.parent is not None:
                self._visit(op)

    def revisit(self, op: Operation) -> None:
        """Put `op` on the worklist."""
        if op not in self._queued:
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

    def insert(self, op: Operation) -> None:
        """Insert `op` in front of the one being rewritten."""
        current = self._current
        assert current is not None and current.parent is not None
        if isinstance(op.location, UnknownLoc):
            op.location = current.location
        insert_before(op, current)
        self.revisit(op)

    def splat(self, type: TensorType[Attribute], value: Number | bytes) -> SSAValue:
        """A new constant all of whose elements are `value`."""
        element = value if isinstance(value, bytes) else pack_element(type.element_type, value)
        return self.emit(stablehlo.ConstantOp, (), type, {"value": splat_attribute(type, element)})

    def reshape(self, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        """`value` with another shape; itself if it has this shape already."""
        type = cast(TensorType[Attribute], value.type)
        if type.get_shape() == tuple(shape):
            return value
        return self.emit(stablehlo.ReshapeOp, (value,), tensor_type(type.element_type, *shape))

    def replace_uses(self, old: SSAValue, new: SSAValue) -> None:
        """Let the users of `old` use `new`, and visit them again."""
        for use in old.uses:
            self._revisit_user(use.operation)
        old.name_hint = None  # else it would pass to `new`
        replace_uses(old, new)

    def _revisit_user(self, user: Operation) -> None:
        if user.has_trait(IsTerminator):
            parent = user.parent_op()
            if parent is not None:
                self.revisit(parent)
        else:
            self.revisit(user)

    def _visit(self, op: Operation) -> None:
        if is_dead(op):
            self._erase(op)
            return
        self._current = op
        for rule in self._rules.get(type(op), ()):
            replacement = rule(op, self)
            if replacement is None:
                continue
            if isinstance(replacement, SSAValue):
                replacement = (replacement,)
            for result, value in zip(op.results, replacement, strict=True):
                self.replace_uses(result, value)
            self._erase(op)
            return

    def _erase(self, op: Operation) -> None:
        sources = [source_op(operand) for nested in walk(op) for operand in nested.operands]
        block = op.parent
        assert block is not None
        block.erase_op(op)
        for source in sources:
            if source is not None and source.parent is not None:
                self.revisit(source)


def fold_identity(op: Operation, rewriter: Rewriter) -> SSAValue | None:
    """The operand or the splat that `op` is equal to, as the dialect knows it."""
    found = identity(op)
    if found is None or isinstance(found, SSAValue):
        return found
    return rewriter.emit(stablehlo.ConstantOp, (), found.type, {"value": found})


def source_op(value: SSAValue) -> Operation | None:
    """The op that defines `value`, or whose region has it as an argument."""
    owner = value.owner
    return owner.parent_op() if isinstance(owner, Block) else owner


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
    return bool(op.results) and all(result.first_use is None for result in op.results) and is_pure(op)


def ints(op: Operation, name: str) -> tuple[int, ...]:
    """The values of an array or dense property of integers, each of a splat too."""
    value = op.properties[name]
    if isinstance(value, DenseIntOrFPElementsAttr):
        return tuple(dense_values(cast("DenseIntOrFPElementsAttr[Any]", value)))
    return cast(DenseArrayBase[Any], value).get_values()


def int_array(values: Sequence[int]) -> DenseArrayBase[Any]:
    """An integer array property."""
    return i64_array(*values)


def spelled_out(dims: Sequence[int]) -> list[tuple[int, int]]:
    """The dimensions that are not of size 1, as pairs of index and size."""
    return [(index, size) for index, size in enumerate(dims) if size != 1]
