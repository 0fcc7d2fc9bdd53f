"""The chains of a block, found while its calls are asked for in their order.

The longest chain from one call on is that from the call before without its head, and maybe some calls more. So the
calls of a chain stand in a window that only moves on: every call enters it once and leaves it once, however many
chains do not pay.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from xdsl.dialects import func, memref
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation, SSAValue

from ....decisions.model import CostModel
from ....dialects.editing import ops_of
from ....dialects.element_sizes import element_bytes
from ....errors import ArgumentError
from ....ir import structured
from ....ir.views import RESHAPES, is_itself, uses_of_buffer, whole_buffer_of
from .parts import Part, Space, parts_of, space_of


@dataclass
class Link:
    """One call of a chain and the parts of what its kernel works on."""

    call: func.CallOp
    kernel: func.FuncOp
    parts: dict[SSAValue, Part]


@dataclass
class Chain:
    """Calls one after the other, all on the rows of `space`."""

    space: Space
    links: list[Link]
    block_rows: int
    """How many rows at a time it runs on."""

    def roots(self) -> list[SSAValue]:
        """The buffers that the calls work on, in order of first use."""
        return list(dict.fromkeys(whole_buffer_of(value) for link in self.links for value in link.call.operands))

    def private(self) -> list[SSAValue]:
        """The buffers that nothing else works on."""
        calls: set[Operation] = {link.call for link in self.links}
        return [
            value
            for value in self.roots()
            if isinstance(value.owner, memref.AllocOp) and calls.issuperset(_readers(value))
        ]

    def multiply_adds(self) -> int:
        """Of all contractions."""
        products = [op for link in self.links if (op := _product_in(link.kernel)) is not None]
        return sum(prod(structured.loop_extents(op)) for op in products)


class _Use(NamedTuple):
    """What a block of a kernel does with the kernel's arguments, by their numbers."""

    parts: dict[SSAValue, Part]
    written: list[int]
    shared: list[int]
    """Those of which it reads rows of others."""
    shared_bytes: int
    """Bytes of what all rows of one matrix read."""


class Kernels:
    """What chains have to know about the kernels of a module, each asked once."""

    def __init__(self, functions: Mapping[str, func.FuncOp]) -> None:
        self.functions = functions
        self._products: dict[str, tuple[bool, Space | None]] = {}
        self._uses: dict[tuple[str, Space], _Use | None] = {}

    def product(self, name: str) -> tuple[bool, Space | None]:
        """Whether there is a contraction in the kernel of this `name`, and its rows."""
        if name not in self._products:
            product = _product_in(self.functions[name]) if name in self.functions else None
            self._products[name] = product is not None, None if product is None else space_of(product)
        return self._products[name]

    def use(self, name: str, space: Space) -> _Use | None:
        """What the kernel of this `name` does with a block of the rows of `space`; `None` where it does not work on
        these, or is none."""
        key = name, space
        if key not in self._uses:
            self._uses[key] = _use(self.functions[name], space) if name in self.functions else None
        return self._uses[key]


def _use(kernel: func.FuncOp, space: Space) -> _Use | None:
    known = parts_of(kernel, space)
    if known is None:
        return None
    parts, outputs = known
    written, shared, shared_bytes = list[int](), list[int](), 0
    for number, argument in enumerate(kernel.body.block.args):
        part, shape = parts[argument], structured.shape_of(argument)
        whole = not space.holds_rows(part, shape)
        if whole:
            shared_bytes += _bytes(argument, space.block_shape(part, shape, 1))
        if argument in outputs:
            written.append(number)
        elif whole:
            shared.append(number)
    return _Use(parts, written, shared, shared_bytes)


class _Entry(NamedTuple):
    """A link and the buffers that it works on."""

    link: Link
    is_product: bool
    written: set[SSAValue]
    shared: set[SSAValue]
    local: set[SSAValue]
    """The buffers that the program allocates."""
    shared_bytes: int


class Window:
    """Calls that follow each other in a block, all on the rows of `space`, and what a chain of them weighs."""

    def __init__(self, space: Space, kernels: Kernels, model: CostModel) -> None:
        self.model = model
        self.space, self.kernels = space, kernels
        self.complete: deque[_Entry] = deque()
        """The links as far as the last contraction."""
        self.tail: deque[_Entry] = deque()
        """Those behind it, which the chain takes along if another contraction follows."""
        self.next: Operation | None = None
        self.products = self.shared_bytes = self.private_bytes = 0
        """Sums over the complete links."""
        self.users: dict[SSAValue, int] = {}
        """How many ops that are not complete links use a buffer of one."""
        self.shared, self.written = Counter[SSAValue](), Counter[SSAValue]()
        """How many links read rows of others of a buffer, and how many write it."""

    def chain_at(self, start: func.CallOp, threads: int) -> Chain | None:
        """The longest chain of calls from `start` on that begins and ends with a contraction, with another one between,
        if it pays to run it by blocks. Each `start` has to stand behind the last one.
        """
        while self.complete and self.complete[0].link.call is not start:
            self._drop()
        if not self.complete:
            while self.tail:
                self._count(self.tail.popleft(), -1)
            self.next = start
        while self._step():
            pass
        if self.products < 2:
            return None
        batch, rows = self.space.batch, self.space.rows
        block = self.model.fusion.chain_block(
            batch, rows, self.private_bytes // (batch * rows), self.shared_bytes, threads
        )
        if block is not None and (block < 1 or rows % block):
            raise ArgumentError(
                f"chain_block of the cost model: expected a divisor of {rows} rows or None, got {block}"
            )
        return None if block is None else Chain(self.space, [entry.link for entry in self.complete], block)

    def _step(self) -> bool:
        """Takes up the op at `next`; whether it can stand in the chain."""
        op = self.next
        if isinstance(op, func.CallOp):
            entry = self._entry(op)
            if entry is None or self._clashes(entry):
                return False
            self._count(entry, 1)
            self.tail.append(entry)
            if entry.is_product:
                self._complete()
        elif not isinstance(op, (memref.AllocOp, *RESHAPES)):
            return False
        self.next = op.next_op
        return True

    def _entry(self, call: func.CallOp) -> _Entry | None:
        name = call.callee.string_value()
        use = self.kernels.use(name, self.space)
        buffers = [whole_buffer_of(operand) for operand in call.operands]
        if use is None or not all(map(is_itself, buffers)):
            return None
        return _Entry(
            Link(call, self.kernels.functions[name], use.parts),
            self.kernels.product(name)[0],
            {buffers[number] for number in use.written},
            {buffers[number] for number in use.shared},
            {buffer for buffer in buffers if isinstance(buffer.owner, memref.AllocOp)},
            use.shared_bytes,
        )

    def _clashes(self, entry: _Entry) -> bool:
        """Whether a block would read rows of others of what the links write."""
        return any(self.written[buffer] or buffer in entry.written for buffer in entry.shared) or any(
            self.shared[buffer] for buffer in entry.written
        )

    def _count(self, entry: _Entry, number: int) -> None:
        for buffer in entry.shared:
            self.shared[buffer] += number
        for buffer in entry.written:
            self.written[buffer] += number

    def _complete(self) -> None:
        """A contraction is the last of the tail: the chain reaches to it."""
        self.products += 1
        for entry in self.tail:
            self.shared_bytes += entry.shared_bytes
            for buffer in entry.local:
                if buffer not in self.users:
                    self.users[buffer] = len(_readers(buffer))
                self.users[buffer] -= 1
                if not self.users[buffer]:
                    self.private_bytes += _bytes(buffer)
        self.complete += self.tail
        self.tail.clear()

    def _drop(self) -> None:
        """Lets go of the first link."""
        entry = self.complete.popleft()
        self._count(entry, -1)
        self.products -= entry.is_product
        self.shared_bytes -= entry.shared_bytes
        for buffer in entry.local:
            if not self.users[buffer]:
                self.private_bytes -= _bytes(buffer)
            self.users[buffer] += 1


def _bytes(value: SSAValue, shape: Sequence[int] | None = None) -> int:
    """Of a buffer, or of a part of this `shape`."""
    sizes = structured.shape_of(value) if shape is None else shape
    return prod(sizes) * element_bytes(structured.element_type(value))


def _readers(value: SSAValue) -> set[Operation]:
    """The ops that use `value` or a reshape of it, other than reshapes."""
    return {use.operation for use in uses_of_buffer(value, RESHAPES)}


def _product_in(kernel: func.FuncOp) -> GenericOp | None:
    """The contraction in `kernel`, if there is one."""
    ops = (op for op in ops_of(kernel.body.block) if type(op) is GenericOp and structured.is_contraction(op))
    return next(ops, None)
