"""Which calls of an entry function form a chain that can run by blocks of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from xdsl.dialects import func, memref
from xdsl.dialects.linalg.ops import FillOp, GenericOp
from xdsl.ir import Block, Operation, SSAValue

from ....cost_model import element_bytes
from ....dialects import structured
from .parts import Part, Space, parts_of, space_of

VIEWS = (memref.CollapseShapeOp, memref.ExpandShapeOp)


@dataclass
class Link:
    """One call of a chain and the parts of what its kernel works on."""

    call: func.CallOp
    kernel: func.FuncOp
    parts: dict[SSAValue, Part]

    @property
    def product(self) -> GenericOp | None:
        """The contraction in the kernel."""
        return product_in(self.kernel)


@dataclass
class Chain:
    """Calls one after the other, all on the rows of `space`."""

    space: Space
    links: list[Link] = field(default_factory=list[Link])

    def roots(self) -> list[SSAValue]:
        """The buffers that the calls work on, in order of first use."""
        return list(dict.fromkeys(root(value) for link in self.links for value in link.call.operands))

    def private(self) -> list[SSAValue]:
        """The buffers that nothing else works on."""
        calls: set[Operation] = {link.call for link in self.links}
        return [
            value
            for value in self.roots()
            if isinstance(value.owner, memref.AllocOp) and all(user in calls for user in readers(value))
        ]

    def shared_bytes(self) -> int:
        """Bytes of what all rows of one matrix read."""
        total = 0
        for link in self.links:
            for argument in link.kernel.body.block.args:
                part, shape = link.parts[argument], structured.shape_of(argument)
                if not self.space.holds_rows(part, shape):
                    total += prod(self.space.block_shape(part, shape, 1)) * bytes_of_element(argument)
        return total

    def multiply_adds(self) -> int:
        """Of all contractions."""
        products = [op for link in self.links if (op := link.product) is not None]
        return sum(prod(structured.loop_extents(op)) for op in products)


def bytes_of_element(value: SSAValue) -> int:
    return element_bytes(structured.element_type(value))


def root(value: SSAValue) -> SSAValue:
    """The buffer that `value` is a view of, or itself."""
    while isinstance(value.owner, VIEWS):
        value = value.owner.operands[0]
    return value


def readers(value: SSAValue) -> list[Operation]:
    """The ops that use `value` or a view of it, other than views."""
    found: list[Operation] = []
    for use in value.uses:
        if isinstance(use.operation, VIEWS):
            found += readers(use.operation.results[0])
        else:
            found.append(use.operation)
    return found


def product_in(kernel: func.FuncOp) -> GenericOp | None:
    """The contraction in `kernel`, if there is one."""
    ops = (op for op in kernel.body.block.ops if isinstance(op, GenericOp) and structured.is_contraction(op))
    return next(ops, None)


def written_arguments(kernel: func.FuncOp) -> set[SSAValue]:
    """The arguments that ops of `kernel` write."""
    return {
        value for op in kernel.body.block.ops if isinstance(op, GenericOp | FillOp) for value in structured.outputs(op)
    }


def chain_at(start: func.CallOp, kernels: Mapping[str, func.FuncOp]) -> Chain | None:
    """The longest chain of calls from `start` on that begins and ends with a contraction, with another one between."""
    first = kernels.get(start.callee.string_value())
    product = None if first is None else product_in(first)
    space = None if product is None else space_of(product)
    if space is None:
        return None
    chain = Chain(space)
    shared, written = set[SSAValue](), set[SSAValue]()
    op: Operation | None = start
    products = complete = 0
    while op is not None:
        if isinstance(op, func.CallOp):
            kernel = kernels.get(op.callee.string_value())
            parts = None if kernel is None else parts_of(kernel, space)
            if kernel is None or parts is None or not _fits(op, kernel, parts, space, shared, written):
                break
            chain.links.append(Link(op, kernel, parts))
            if product_in(kernel) is not None:
                products, complete = products + 1, len(chain.links)
        elif not isinstance(op, (memref.AllocOp, *VIEWS)):
            break
        op = op.next_op
    del chain.links[complete:]
    return chain if products > 1 else None


def _fits(
    call: func.CallOp,
    kernel: func.FuncOp,
    parts: Mapping[SSAValue, Part],
    space: Space,
    shared: set[SSAValue],
    written: set[SSAValue],
) -> bool:
    """Whether a block of `call` touches of what is `written` in the chain only its own rows.

    Adds to `written`, and to `shared` what blocks read of the rows of others.
    """
    outputs = written_arguments(kernel)
    for operand, argument in zip(call.operands, kernel.body.block.args, strict=True):
        buffer = root(operand)
        if argument in outputs:
            written.add(buffer)
        elif not space.holds_rows(parts[argument], structured.shape_of(argument)):
            shared.add(buffer)
        if not is_itself(buffer):
            return False
    return not shared & written


def is_itself(buffer: SSAValue) -> bool:
    """Whether no other value can be the same memory: no pointer that a loop carries."""
    owner = buffer.owner
    if isinstance(owner, Block):
        return isinstance(owner.parent_op(), func.FuncOp)
    return isinstance(owner, memref.AllocOp | memref.GetGlobalOp)


def row_bytes(chain: Chain, private: Sequence[SSAValue]) -> int:
    """Bytes of one row of the buffers `private`."""
    rows = chain.space.batch * chain.space.rows
    return sum(prod(structured.shape_of(value)) * bytes_of_element(value) for value in private) // rows
