"""What the scheduler must know about the scalar body of a linalg op."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.linalg.ops import IndexOp, YieldOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...decisions.model import CostModel
from ...dialects.editing import append, clone, erase, new_op, walk
from ...ir.combiners import combiner_of
from ...ir.views import buffer_of


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


class JoinedBody(ScalarBody):
    """Bodies one after the other, in a block of its own, which grows."""

    @staticmethod
    def empty() -> JoinedBody:
        return JoinedBody(Block(), (), (), (), (), frozenset(), (), frozenset(), 0)

    def followed_by(
        self, other: ScalarBody, kept: Sequence[int], again: Mapping[int, int], forwarded: Mapping[int, int]
    ) -> JoinedBody:
        """With a copy of `other` at the end, which costs as much as `other` is long: this body is part of it and must
        not be used any more.

        Of the inputs of `other` those in `kept` become further inputs; input `position` is input `again[position]`
        here, or what is yielded as output `forwarded[position]`. Its outputs come after those here.
        """
        block, arguments = self.block, other.block.args
        values: dict[SSAValue, SSAValue] = {arguments[at]: block.args[known] for at, known in again.items()}
        values.update((arguments[at], self.yielded[index]) for at, index in forwarded.items())
        inputs = len(block.args) - len(self.yielded)
        for index, at in enumerate(kept, inputs):
            values[arguments[at]] = block.insert_arg(arguments[at].type, index)
        for output in arguments[len(arguments) - len(other.yielded) :]:
            values[output] = block.insert_arg(output.type, len(block.args))
        if block.last_op is not None:
            erase(block.last_op)
        copies = [copy_op(op, values) for op in other.ops]
        for copy in copies:
            append(block, copy)
        yielded = [values.get(value, value) for value in other.yielded]
        append(block, new_op(YieldOp, [*self.yielded, *yielded]))
        index_dims, gathers = _facts(copies)
        combiners = zip(other.combiners, yielded, strict=True)
        return JoinedBody(
            block,
            (*self.ops, *copies),
            (*self.yielded, *yielded),
            self.reads_output + other.reads_output,
            (*self.combiners, *(cast(Operation, value.owner) if op else None for op, value in combiners)),
            self.index_dims | index_dims,
            (*self.gathers, *gathers),
            self.gathered_roots | {buffer_of(load.memref) for load in gathers},
            self.work + other.work,
        )


def analyze(block: Block, model: CostModel) -> ScalarBody:
    """The facts about a linalg body, whose arguments are inputs then outputs."""
    *ops, terminator = block.ops
    yielded = tuple(terminator.operands)
    output_args = block.args[len(block.args) - len(yielded) :]
    index_dims, gathers = _facts(ops)
    return ScalarBody(
        block,
        tuple(ops),
        yielded,
        tuple(bool(arg.uses) for arg in output_args),
        tuple(combiner_of(block, a, y) for a, y in zip(output_args, yielded, strict=True)),
        frozenset(index_dims),
        tuple(gathers),
        frozenset(buffer_of(load.memref) for load in gathers),
        _work(ops, model),
    )


def _facts(ops: Iterable[Operation]) -> tuple[set[int], list[memref.LoadOp]]:
    """The `index_dims` and `gathers` of ops, and of what is in them."""
    index_dims: set[int] = set()
    gathers: list[memref.LoadOp] = []
    for op in ops:
        for nested in walk(op) if op.regions else (op,):
            if type(nested) is IndexOp:
                index_dims.add(nested.dim.value.data)
            elif type(nested) is memref.LoadOp:
                gathers.append(nested)
    return index_dims, gathers


def _work(ops: Iterable[Operation], model: CostModel) -> int:
    """What ops cost, and what is in them."""
    cost = model.operations.scalar_cost
    return sum(cost(nested.name) for op in ops for nested in (walk(op) if op.regions else (op,)))


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
        found = _copy_bodies[element_type, outputs] = ScalarBody(
            block,
            (),
            (block.args[0],) * outputs,
            (False,) * outputs,
            (None,) * outputs,
            frozenset(),
            (),
            frozenset(),
            0,
        )
    return found
