"""Which values of the program live in which buffer, and until when.

Positions are those of ops in their block. A buffer is known by its root: of a view, the buffer that it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Set

from xdsl.dialects import func
from xdsl.ir import Block, Operation, OpResult, SSAValue

from ...ir.structured import RESHAPES
from ...ir.views import buffer_of, uses_of_buffer
from .donation import Pair


class Residence:
    """Where the values of one entry function are, as far as it has been bufferized."""

    def __init__(self, pointwise: Callable[[str], Set[Pair]]):
        self.pointwise = pointwise
        """Which operands of a kernel may be in the buffers of which results."""
        self.buffers: dict[SSAValue, SSAValue] = {}
        self.aliases: dict[SSAValue, frozenset[SSAValue]] = {}
        """For a pointer that a loop has carried, the buffers that it may be, one of them."""
        self.residents: dict[SSAValue, dict[SSAValue, None]] = {}
        """The values that live in a buffer or a view of it, and some that did."""
        self.placed: list[tuple[SSAValue, SSAValue]] = []
        """Values of the regions at work, with the buffers that they are residents of."""
        self.read_only: set[SSAValue] = set()
        self.position: dict[Operation, int] = {}
        self._last_uses: dict[SSAValue, dict[Block, float]] = {}

    def number(self, block: Block) -> None:
        """Gives the ops of `block`, and those in their regions, their positions."""
        pending = [block]
        while pending:
            for index, op in enumerate(pending.pop().ops):
                self.position[op] = index
                pending += (inner for region in op.regions for inner in region.blocks)

    def last_use(self, value: SSAValue, block: Block) -> float:
        """The position in `block` of the last op that reads `value` or a view of it; -1 where there is none.

        A reader inside a region counts as just after the op of `block` that holds it. Readers outside `block`, of a
        value that is defined outside as well, do not count, and none does in a block around that of `value`.
        """
        known = self._last_uses.get(value)
        if known is None:
            known = self._last_uses[value] = dict[Block, float]()
            outermost = self._block_of(value)
            for use in uses_of_buffer(value, RESHAPES):
                op, nested = use.operation, 0.0
                while op is not None and (around := op.parent) is not None and op in self.position:
                    known[around] = max(known.get(around, -1.0), self.position[op] + nested)
                    op, nested = None if around is outermost else op.parent_op(), 0.5
        return known.get(block, -1.0)

    def may_overwrite(self, value: SSAValue, op: Operation) -> bool:
        """Whether the buffer of `value` may be reused by `op`, its last reader."""
        origin = buffer_of(value, RESHAPES)
        block = op.parent
        assert block is not None
        if self._block_of(origin) is not block:
            return False
        if buffer_of(self.buffers[value]) in self.read_only:
            return False
        return self.last_use(origin, block) <= self.position[op]

    def place(self, value: SSAValue, buffer: SSAValue) -> None:
        """Notes that `value` lives in `buffer`."""
        self.buffers[value] = buffer
        root = buffer_of(buffer)
        for memory in (root, *self.aliases.get(root, ())):
            self.residents.setdefault(memory, {})[value] = None
            self.placed.append((memory, value))

    def leave(self, placed: int) -> None:
        """Forgets the values of a region that has been bufferized, in front of which so many had been `placed`."""
        for memory, value in self.placed[placed:]:
            self.residents[memory].pop(value, None)
        del self.placed[placed:]

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
        residents = self.residents.get(buffer_of(buffer), {})
        for value in [*residents]:
            last = self.last_use(value, block)
            if last < position:
                if self._block_of(value) is block:
                    del residents[value]
            elif last > position:
                if not (in_regions and last == position + 0.5):
                    return False
            elif value is not updated and not (in_place and self._pointwise(op, value, result, buffer)):
                return False
        return True

    @staticmethod
    def _block_of(value: SSAValue) -> Block | None:
        owner = value.owner
        return owner if isinstance(owner, Block) else owner.parent

    def _pointwise(self, op: Operation, value: SSAValue, result: SSAValue, buffer: SSAValue) -> bool:
        """Whether `op` reads `value` at most where it writes `result`, and it can be seen that both are in `buffer`.
        Views of `value` are values of their own.
        """
        if not isinstance(op, func.CallOp) or buffer_of(self.buffers[value]) is not buffer_of(buffer):
            return False
        assert isinstance(result, OpResult)
        pairs = self.pointwise(op.callee.string_value())
        return all((use.index, result.index) in pairs for use in value.uses if use.operation is op)

    def may_be(self, one: SSAValue, other: SSAValue) -> bool:
        """Whether two buffers may be the same memory. What a loop gives back are different buffers."""
        one, other = buffer_of(one), buffer_of(other)
        return one is other or other in self.aliases.get(one, ()) or one in self.aliases.get(other, ())
