"""Which values of the program live in which buffer, and until when.

Positions are those of ops in their block. A buffer is known by its root: of a view, the buffer that it shows.
"""

from __future__ import annotations

from xdsl.dialects import func, tensor
from xdsl.ir import Block, Operation, SSAValue

from .donation import Pair

Reshape = tensor.ExpandShapeOp | tensor.CollapseShapeOp


class Residence:
    """Where the values of one entry function are, as far as it has been bufferized."""

    def __init__(self, pointwise: dict[str, frozenset[Pair]]):
        self.pointwise = pointwise
        """By kernel, which operands may be in the buffers of which results."""
        self.buffers: dict[SSAValue, SSAValue] = {}
        self.base: dict[SSAValue, SSAValue] = {}
        """For a view of a buffer, the buffer."""
        self.aliases: dict[SSAValue, frozenset[SSAValue]] = {}
        """For a pointer that a loop has carried, the buffers that it may be, one of them."""
        self.residents: dict[SSAValue, list[SSAValue]] = {}
        """The values that live, or lived, in a buffer or a view of it."""
        self.read_only: set[SSAValue] = set()
        self.position: dict[Operation, int] = {}

    def number(self, block: Block) -> None:
        """Gives the ops of `block` their positions."""
        for index, op in enumerate(block.ops):
            self.position[op] = index

    def last_use(self, value: SSAValue, block: Block) -> float:
        """The position in `block` of the last op that reads `value` or a view of it; -1 where there is none.

        A reader inside a region counts as just after the op of `block` that holds it. Readers outside `block`, of a
        value that is defined outside as well, do not count.
        """
        last = -1.0
        for use in value.uses:
            op: Operation | None = use.operation
            nested = 0.0
            while op is not None and op.parent is not block:
                op = op.parent_op()
                nested = 0.5
            if op is not None:
                last = max(last, self.position[op] + nested)
            if isinstance(use.operation, Reshape):
                last = max(last, self.last_use(use.operation.results[0], block))
        return last

    @staticmethod
    def origin(value: SSAValue) -> SSAValue:
        """The value that `value` is a view of."""
        while isinstance(value.owner, Reshape):
            value = value.owner.operands[0]
        return value

    def may_overwrite(self, value: SSAValue, op: Operation) -> bool:
        """Whether the buffer of `value` may be reused by `op`, its last reader."""
        origin = self.origin(value)
        block = op.parent
        assert block is not None
        owner = origin.owner
        if (owner if isinstance(owner, Block) else owner.parent) is not block:
            return False
        if self.root(self.buffers[value]) in self.read_only:
            return False
        return self.last_use(origin, block) <= self.position[op]

    def root(self, buffer: SSAValue) -> SSAValue:
        """What `buffer` is a view of, or itself."""
        return self.base.get(buffer, buffer)

    def place(self, value: SSAValue, buffer: SSAValue) -> None:
        """Notes that `value` lives in `buffer`."""
        self.buffers[value] = buffer
        root = self.root(buffer)
        for resident in (root, *self.aliases.get(root, ())):
            self.residents.setdefault(resident, []).append(value)

    def is_free(
        self,
        buffer: SSAValue,
        result: SSAValue,
        op: Operation,
        updated: SSAValue | None = None,
        *,
        in_place: bool = False,
        in_regions: bool = False,
    ) -> bool:
        """Whether `op` may write `result` into `buffer`: neither it nor what follows reads anything else there.

        `op` itself may read `updated`, with `in_place` what it reads element by element where it writes the result, and
        with `in_regions` what is read inside its regions only, which then ask for themselves.
        """
        block, position = op.parent, self.position[op]
        assert block is not None
        for value in self.residents.get(self.root(buffer), ()):
            last = self.last_use(value, block)
            if in_regions and last == position + 0.5:
                continue
            if last > position:
                return False
            if last == position and value is not updated and not (in_place and self._pointwise(op, value, result)):
                return False
        return True

    def _pointwise(self, op: Operation, value: SSAValue, result: SSAValue) -> bool:
        """Whether `op` reads `value` at most where it writes `result`. Views of `value` are values of their own."""
        if not isinstance(op, func.CallOp):
            return False
        pairs, number = self.pointwise.get(op.callee.string_value(), ()), op.results.index(result)
        return all((i, number) in pairs for i, operand in enumerate(op.operands) if operand is value)

    def may_be(self, one: SSAValue, other: SSAValue) -> bool:
        """Whether two buffers may be the same memory. What a loop gives back are different buffers."""
        one, other = self.root(one), self.root(other)
        return one is other or other in self.aliases.get(one, ()) or one in self.aliases.get(other, ())
