"""What the scheduler must know about the scalar body of a linalg op."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from xdsl.dialects import arith, complex, memref
from xdsl.dialects.linalg.ops import IndexOp, YieldOp
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...decisions.model import CostModel
from ...dialects.editing import append, clone, new_block, new_op, ops_of, walk
from ...ir.combiners import combiner_of
from ...ir.views import buffer_of

Values = Mapping[SSAValue, SSAValue]
_NOTHING_SAME: Values = {}


@dataclass(frozen=True)
class ScalarBody:
    """The body of one linalg op, or of several one after the other.

    `args`: what stands for its inputs, then for the old values of its outputs; `ops`: its operations in order,
    `yielded`: the new values of the outputs. `same`: arguments of joined bodies, and the values here that they are.
    `reads_output[i]`: whether the old value of output `i` is used, `combiners`: the reorderable reductions,
    `index_dims`: the operands of `linalg.index`, `gathers`: its loads from memory, `gathered_roots`: the buffers they
    read, `work`: its cost in scalar operations.
    """

    args: tuple[SSAValue, ...]
    ops: tuple[Operation, ...]
    yielded: tuple[SSAValue, ...]
    reads_output: tuple[bool, ...]
    combiners: tuple[Operation | None, ...]
    index_dims: frozenset[int] = frozenset()
    gathers: tuple[memref.LoadOp, ...] = ()
    gathered_roots: frozenset[SSAValue] = frozenset()
    work: int = 0
    same: Values = field(default_factory=dict[SSAValue, SSAValue])

    @property
    def is_copy(self) -> bool:
        """Whether the first input is what becomes of the first output."""
        return not self.ops and self.yielded[0] is self.args[0] and not any(self.reads_output)

    @property
    def is_exact(self) -> bool:
        """Whether its reductions round nothing, as sums and products of floats do."""
        return not any(isinstance(op, arith.AddfOp | arith.MulfOp) for op in self.combiners)

    def adds_in_any_order(self, index: int) -> bool:
        """Whether output `index` is a sum in any order; of complex numbers both parts are."""
        op = self.yielded[index].owner
        if not isinstance(op, complex.AddOp):
            return self.combiners[index] is not None
        old = self.args[len(self.args) - len(self.yielded) + index]
        users = [use.operation for use in old.uses]
        return users == [op] and FastMathFlag.REASSOC in op.fastmath.data

    def followed_by(self, other: ScalarBody, kept: Sequence[int], same: Values) -> ScalarBody:
        """Both bodies as one. The inputs `kept` of `other`, the body of one op, become further inputs, its other ones
        are the `same` as values here; its outputs come after those here.
        """
        inputs, others = len(self.args) - len(self.yielded), len(other.args) - len(other.yielded)
        return ScalarBody(
            (*self.args[:inputs], *(other.args[at] for at in kept), *self.args[inputs:], *other.args[others:]),
            self.ops + other.ops,
            (*self.yielded, *(same.get(value, value) for value in other.yielded)),
            self.reads_output + other.reads_output,
            self.combiners + other.combiners,
            self.index_dims | other.index_dims,
            self.gathers + other.gathers,
            self.gathered_roots | other.gathered_roots,
            self.work + other.work,
            {**self.same, **same},
        )


NO_BODY = ScalarBody((), (), (), (), ())
"""Of loops that only stand around other nests."""


def analyze(block: Block, model: CostModel) -> ScalarBody:
    """The facts about a linalg body, whose arguments are inputs then outputs."""
    *ops, terminator = ops_of(block)
    yielded = tuple(terminator.operands)
    outputs = block.args[len(block.args) - len(yielded) :]
    index_dims: set[int] = set()
    gathers: list[memref.LoadOp] = []
    work, cost = 0, model.operations.scalar_cost
    for op in ops:
        for inner in walk(op) if op.regions else (op,):
            work += cost(inner.name)
            if type(inner) is IndexOp:
                index_dims.add(inner.dim.value.data)
            elif type(inner) is memref.LoadOp:
                gathers.append(inner)
    return ScalarBody(
        block.args,
        tuple(ops),
        yielded,
        tuple(output.first_use is not None for output in outputs),
        tuple(combiner_of(block, *pair) for pair in zip(outputs, yielded, strict=True)),
        frozenset(index_dims),
        tuple(gathers),
        frozenset(buffer_of(load.memref) for load in gathers),
        work,
    )


def copy_op(op: Operation, values: dict[SSAValue, SSAValue], same: Values = _NOTHING_SAME) -> Operation:
    """A copy of `op`, operands (what they are the `same` as) replaced and results recorded in `values`."""
    if op.regions:
        values.update((value, values.get(known, known)) for value, known in same.items())
        return clone(op, values)
    copy = new_op(
        op.__class__,
        [values.get(operand, operand) for operand in (same.get(used, used) for used in op._operands)],
        [result.type for result in op.results],
        op.properties,
        op.attributes,
        location=op.location,
    )
    values.update(zip(op.results, copy.results, strict=True))
    return copy


@cache
def fill_body(*element_types: Attribute) -> ScalarBody:
    """The body that stores each of its inputs to an output of its own."""
    count = len(element_types)
    block = new_block([*element_types, *element_types])
    yielded = block.args[:count]
    append(block, new_op(YieldOp, yielded))
    return ScalarBody(block.args, (), yielded, (False,) * count, (None,) * count)


@cache
def copy_body(element_type: Attribute, outputs: int = 1) -> ScalarBody:
    """The body that stores its one input to its `outputs`."""
    block = new_block([element_type] * (1 + outputs))
    yielded = block.args[:1] * outputs
    append(block, new_op(YieldOp, yielded))
    return ScalarBody(block.args, (), yielded, (False,) * outputs, (None,) * outputs)
