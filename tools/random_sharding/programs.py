"""Random programs with annotations that say how their values are spread.

The program is one of `program_generator`, of ops that know nothing of other processes and of sizes that devices often
divide. Annotations mean nothing on one device, so what the program is to compute stays the same.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from io import StringIO
from random import Random
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, IntegerAttr, StringAttr, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects import stablehlo as hlo
from ...dialects.editing import new_op
from ...dialects.printing import ExactPrinter
from ...dialects.sdy.annotations import MeshOp, ReshardOp, ShardingConstraintOp, ShardingGroupOp, ShardingOp
from ...dialects.sdy.mesh_attributes import MeshAttr
from ...dialects.sdy.regions import ManualComputationOp
from ...dialects.sdy.sharding_attributes import TensorShardingAttr
from ...dialects.sdy.values import set_result_sharding, set_sharding
from ...dialects.stablehlo.shapes import is_tensor
from ...runtime.entry import select_entry
from ...runtime.mlir_text import parse_module
from ..program_generator import TABLE
from ..random_programs import (
    bounded_sizes,
    contractions,
    dynamism,
    effects,
    indexing,
    lapack,
    linear_algebra,
    movement,
    reductions,
    sorting,
    special_types,
)
from ..random_programs import control_flow as flow
from ..random_programs.generator import Emit, Generator, Shape
from .manual import manual_identity
from .shardings import NAME, ShardingDrawer, draw_mesh

Array = np.ndarray[Any, Any]

EXCLUDED: set[Emit] = {
    bounded_sizes.bounded_sizes, dynamism.shape_operands, effects.collective, effects.collective_reduction,
    effects.process_ids, effects.tuples, lapack.lapack, special_types.bounded,
    special_types.quantized,
}  # fmt: skip
"""Emitters of ops that no partitioner splits, or that ask which process they are in."""

MIXING = {
    contractions.convolution, contractions.dot, contractions.dot_general, contractions.einsum, indexing.dynamic_slice,
    indexing.dynamic_update_slice, indexing.gather, indexing.scatter, linear_algebra.batch_norm, linear_algebra.fft,
    movement.concatenate, movement.pad, movement.reshape, movement.slice_, movement.transpose, reductions.argmax,
    reductions.reduce, reductions.reduce_window, reductions.scan, reductions.select_and_scatter, sorting.sort,
    flow.while_slices,
}  # fmt: skip
"""Emitters of ops whose elements depend on others than those in their place: they are drawn more often."""

SHARDED_TABLE: list[tuple[Emit, float]] = [
    *((emit, weight * (3 if emit in MIXING else 0.7)) for emit, weight in TABLE if emit not in EXCLUDED),
    (reductions.cumulative, 4),
]

SIZES = (1, 2, 3, 4, 4, 6, 8, 8, 12, 16, 16, 24, 7, 17)
"""Of dimensions."""

CONTROL_FLOW = (hlo.WhileOp, hlo.IfOp, hlo.CaseOp)

ANNOTATED = {"argument": 0.8, "result": 0.4, "constraint": 0.25, "op": 0.1, "group": 0.05, "manual": 0.06}
"""How often what has a sharding."""


class _Sizes(Generator):
    """Draws shapes of `SIZES`; arguments are kept by the caller."""

    def shape(self, rank: int | None = None, limit: int = 512) -> Shape:
        if rank is None:
            rank = self.random.choice([0, 1, 1, 2, 2, 2, 3, 3, 4])
        sizes: list[int] = []
        for _ in range(rank):
            fitting = [size for size in SIZES if size * int(np.prod(sizes)) <= limit]
            sizes.append(self.random.choice(fitting or [1]))
        return tuple(self.random.sample(sizes, rank))

    def donations(self, types: FunctionType) -> ArrayAttr[DictionaryAttr] | None:
        return None


@dataclass
class ShardedProgram:
    """A program with annotations for a mesh of `devices`."""

    seed: int
    text: str
    devices: int
    inputs: list[Array]
    """Global arrays."""
    tolerances: list[list[float | None]]
    """For each op of the entry and each of its results, how far it may be off: None for not at all."""
    returned: list[float | None]
    operations: Counter[tuple[str, str]]


def generate_sharded(seed: int) -> ShardedProgram:
    """The sharded program number `seed`."""
    random = Random(f"shardings of program {seed}")
    generator = _Sizes(seed, SHARDED_TABLE)
    generator.emit(random.choice((0, 0, 2, 4)))
    program = generator.program()
    mesh = draw_mesh(random)
    module = parse_module(program.text, f"program {seed}")
    entry = select_entry(module)
    errors: dict[SSAValue, float | None] = {}
    for op, tolerances in zip(entry.body.block.ops, program.tolerances, strict=False):
        errors.update(zip(op.results, tolerances, strict=False))
    annotate(entry, random, ShardingDrawer(random, mesh))
    assert module.body.block.first_op is not None
    declaration = new_op(MeshOp, properties={"sym_name": StringAttr(NAME), "mesh": MeshAttr(mesh)})
    module.body.block.insert_op_before(declaration, module.body.block.first_op)
    text = StringIO()
    ExactPrinter(stream=text).print_op(module)
    tolerances = [[errors.get(_unconstrained(value)) for value in op.results] for op in entry.body.block.ops]
    operations = program.operations
    return ShardedProgram(
        seed, text.getvalue() + "\n", mesh.size, program.inputs, tolerances, program.returned, operations
    )


def _unconstrained(value: SSAValue) -> SSAValue:
    """The value before constraints."""
    while isinstance(value.owner, ShardingOp | ManualComputationOp):
        value = value.owner.operands[0]
    return value


def annotate(entry: FuncOp, random: Random, drawer: ShardingDrawer) -> None:
    """Puts shardings on arguments, results and ops of the entry, and constraints between ops, also in loops and
    branches.
    """

    def is_chosen(kind: str) -> bool:
        return random.random() < ANNOTATED[kind]

    for argument in entry.body.block.args:
        if is_chosen("argument"):
            set_sharding(argument, drawer.draw(shape_of(argument)))
    returned = entry.get_return_op()
    assert returned is not None
    for index, value in enumerate(returned.operands):
        if is_chosen("result"):
            set_result_sharding(entry, index, drawer.draw(shape_of(value)))
    values = [result for op in entry.body.block.ops for result in op.results if is_tensor(result.type)]
    for value in (*values, *_inner_values(entry)):
        if is_chosen("op"):
            set_sharding(value, drawer.draw(shape_of(value)))
        if is_chosen("constraint"):
            _constrain(value, random, drawer)
        if is_chosen("manual") and (op := manual_identity(value, drawer.draw(shape_of(value)), random)):
            _insert_between(op, value)
    if is_chosen("group") and values:
        first = random.choice(values)
        for value in values:
            if value.type == first.type:
                group = new_op(ShardingGroupOp, operands=[value], properties={"group_id": IntegerAttr(0, i64)})
                _insert_after(group, value)


def _inner_values(entry: FuncOp) -> list[OpResult]:
    """The results of ops in loops and branches."""
    ops = [op for op in entry.walk() if isinstance(op.parent_op(), CONTROL_FLOW)]
    return [result for op in ops for result in op.results if is_tensor(result.type)]


def _constrain(value: OpResult, random: Random, drawer: ShardingDrawer) -> None:
    """From here on the value is spread as a constraint says."""
    make = ReshardOp if random.random() < 0.2 else ShardingConstraintOp
    sharding = TensorShardingAttr.of(drawer.draw(shape_of(value)))
    op = new_op(make, operands=[value], result_types=[value.type], properties={"sharding": sharding})
    _insert_between(op, value)


def _insert_between(op: Operation, value: OpResult) -> None:
    """Who uses the value uses the result of `op`, which takes it, from here on."""
    _insert_after(op, value)
    value.replace_uses_with_if(op.results[0], lambda use: use.operation is not op)


def _insert_after(op: Operation, value: OpResult) -> None:
    block = value.op.parent_block()
    assert block is not None
    block.insert_op_after(op, value.op)


def shape_of(value: SSAValue) -> tuple[int, ...]:
    """The sizes of a tensor."""
    assert is_tensor(value.type)
    return value.type.get_shape()
