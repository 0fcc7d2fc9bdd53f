"""What the scheduler must know about the scalar body of a linalg op."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import cast

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType
from xdsl.dialects.linalg.ops import IndexOp, YieldOp
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.irdl import IRDLOperation

from ... import cost_model
from ...dialects.editing import append, clone, new_op, walk
from .views import root_of


def _float(value: float) -> Callable[[Attribute], Attribute]:
    return lambda type: FloatAttr(value, type)  # pyright: ignore


def _integer(value: Callable[[int], int]) -> Callable[[Attribute], Attribute]:
    def attribute(type: Attribute) -> Attribute:
        integer = cast(IntegerType, type)
        return cast(Attribute, IntegerAttr(value(integer.width.data), integer, truncate_bits=True))

    return attribute


NEUTRAL_ELEMENTS: dict[type[Operation], Callable[[Attribute], Attribute]] = {
    arith.AddfOp: _float(-0.0),
    arith.MulfOp: _float(1.0),
    arith.MaximumfOp: _float(-inf),
    arith.MinimumfOp: _float(inf),
    arith.AddiOp: _integer(lambda _: 0),
    arith.MuliOp: _integer(lambda _: 1),
    arith.AndIOp: _integer(lambda _: -1),
    arith.OrIOp: _integer(lambda _: 0),
    arith.XOrIOp: _integer(lambda _: 0),
    arith.MaxSIOp: _integer(lambda width: -(1 << (width - 1))),
    arith.MinSIOp: _integer(lambda width: (1 << (width - 1)) - 1),
    arith.MaxUIOp: _integer(lambda _: 0),
    arith.MinUIOp: _integer(lambda _: -1),
}
"""The associative scalar ops, each with the constant that changes nothing."""


def combiner_of(block: Block, output: BlockArgument, yielded: SSAValue) -> Operation | None:
    """The op that combines accumulator and new value, if it may be reordered: known, associative (for float sums and
    products: by their `reassoc` flag), and the only use of the accumulator.
    """
    op = yielded.owner
    if not isinstance(op, IRDLOperation) or type(op) not in NEUTRAL_ELEMENTS:
        return None
    if op.parent is not block or [use.operation for use in output.uses] != [op]:
        return None
    if isinstance(op, arith.AddfOp | arith.MulfOp):
        flags = op.fastmath
        if FastMathFlag.REASSOC not in flags.data:
            return None
    return op


@dataclass(frozen=True)
class ScalarBody:
    """The body of one linalg op.

    `ops`: its operations in order, `yielded` what the terminator yields, `reads_output[i]` whether the old value of
    output `i` is used, `combiners` the reorderable reductions, `index_dims` the operands of `linalg.index`,
    `gathers` its loads from memory and `gathered_roots` the buffers they read,
    `work` its cost in scalar operations.
    """

    block: Block
    ops: tuple[Operation, ...]
    yielded: tuple[SSAValue, ...]
    reads_output: tuple[bool, ...]
    combiners: tuple[Operation | None, ...]
    index_dims: frozenset[int]
    gathers: tuple[memref.LoadOp, ...]
    gathered_roots: frozenset[SSAValue]
    work: int

    @property
    def is_copy(self) -> bool:
        """Whether the first input is what becomes of the first output."""
        return not self.ops and self.yielded[0] is self.block.args[0] and not any(self.reads_output)


def analyze(block: Block) -> ScalarBody:
    """The facts about a linalg body, whose arguments are inputs then outputs."""
    *ops, terminator = block.ops
    yielded = tuple(terminator.operands)
    output_args = block.args[len(block.args) - len(yielded) :]
    index_dims: set[int] = set()
    gathers: list[memref.LoadOp] = []
    work = 0
    for op in ops:
        for nested in walk(op) if op.regions else (op,):
            if type(nested) is IndexOp:
                index_dims.add(nested.dim.value.data)
            else:
                work += cost_model.scalar_cost(nested.name)
                if type(nested) is memref.LoadOp:
                    gathers.append(nested)
    return ScalarBody(
        block,
        tuple(ops),
        yielded,
        tuple(bool(arg.uses) for arg in output_args),
        tuple(combiner_of(block, a, y) for a, y in zip(output_args, yielded, strict=True)),
        frozenset(index_dims),
        tuple(gathers),
        frozenset(root_of(load.memref) for load in gathers),
        work,
    )


def copy_op(op: Operation, values: dict[SSAValue, SSAValue]) -> Operation:
    """A copy of `op`, operands replaced and results recorded in `values`."""
    if op.regions:
        return clone(op, values)
    copy = new_op(
        op.__class__,
        [values.get(operand, operand) for operand in op._operands],
        [result.type for result in op.results],
        op.properties,
        op.attributes,
    )
    values.update(zip(op.results, copy.results, strict=True))
    return copy


_copy_bodies: dict[tuple[Attribute, int], ScalarBody] = {}


def copy_body(element_type: Attribute, outputs: int = 1) -> ScalarBody:
    """The body that stores its one input to its `outputs`."""
    found = _copy_bodies.get((element_type, outputs))
    if found is None:
        block = Block(arg_types=[element_type] * (1 + outputs))
        append(block, YieldOp(*(block.args[:1] * outputs)))
        found = _copy_bodies[element_type, outputs] = analyze(block)
    return found
