"""`linalg-fuse-elementwise`: producers move into the generics that read them.

Needs level 2: linalg on tensors, every producer with permutation output maps. Leaves the same vocabulary with fewer,
larger `linalg.generic` ops; a consumer (elementwise or reduction) reads the producer's inputs through composed
indexing maps and computes the producer's body itself, so the intermediate tensor is never stored. Reshapes that only
add or remove dimensions of size 1 are index maps too and disappear the same way, as do those that join dimensions of
what repeats a smaller tensor (`i floordiv 2`). Which producers move is decided in
`decisions/fusion.py`: always where there is one reader, and where computing again is cheaper than storing and loading.

    %0 = linalg.generic {maps = [(i, j) -> (j), (i, j) -> (i, j)]} ins(%bias) ...        // broadcast
    %1 = linalg.generic {maps = [id, id, id]} ins(%x, %0) { arith.addf } ...
to
    %1 = linalg.generic {maps = [id, (i, j) -> (j), id]} ins(%x, %bias) { arith.addf } ...

The idea is MLIR's elementwise op fusion; here each surviving generic is rebuilt once, on demand from its yield
upwards, so the cost is linear in the size of the result instead of in the number of pairwise fusions.

Not a pattern pass: each generic is built once, on demand from the last reader, by what the whole block says of reuse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import ModuleOp, TensorType, i32
from xdsl.dialects.linalg.ops import GenericOp, IndexOp, YieldOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.passes import ModulePass

from ...decisions.fusion import IntoReaders
from ...decisions.model import CostModel, cost_model_of
from ...dialects import locating
from ...dialects.editing import append, clone, erase, insert_before, new_op, ops_of
from ...dialects.element_sizes import element_bits
from ...ir import structured
from ...ir.epilogues import product_operand
from .generic_builder import GenericBuilder, Indices


def _is_full(value: SSAValue, volume: int) -> bool:
    """Whether reading `value` is as much traffic as `volume` elements."""
    return prod(structured.shape_of(value)) * 2 > volume


@dataclass
class _Work:
    """What one element of a producer costs, everything fused into it included."""

    operations: int = 0
    full_inputs: set[SSAValue] = field(default_factory=set[SSAValue])
    """Tensors read that have as many elements as the result: the traffic that computing again repeats."""
    depth: int = 0
    """The longest chain of ops fused into it."""


class _Fusion:
    """The decisions for one block, then the rebuilding of its generics."""

    def __init__(self, block: Block, model: CostModel):
        self.block = block
        self.model = model
        self.inlined: set[Operation] = set()
        self.work: dict[Operation, _Work] = {}

    def run(self) -> None:
        ops = list(ops_of(self.block))
        self.extents = {op: structured.loop_extents(op) for op in ops if type(op) is GenericOp}
        self.selections = set(filter(structured.is_selection, self.extents))
        for op in ops:
            if type(op) is GenericOp:
                self.work[op] = self._work(op)
                if self._should_inline(op):
                    self.inlined.add(op)
            elif structured.is_unit_reshape(op):
                if self._readers(op) is not None:
                    self.inlined.add(op)
            elif self._joins_repeated(op) and op.operands[0].owner in self.inlined:
                self.inlined.add(op)
        for op in ops:
            if type(op) is GenericOp and op not in self.inlined:
                if any(operand.owner in self.inlined for operand in structured.inputs(op)):
                    _Rebuild(self, op).run()
        for op in reversed(ops):
            if op in self.inlined or type(op) is tensor.EmptyOp or type(op) in structured.RESHAPES:
                if all(result.first_use is None for result in op.results):
                    erase(op)

    def _joins_repeated(self, op: Operation) -> bool:
        """Whether `op` joins dimensions of a tensor that repeats the elements of smaller ones, and is read where its
        indices are loops, which can then be divided.
        """
        if type(op) is not tensor.CollapseShapeOp or type(source := op.operands[0].owner) is not GenericOp:
            return False
        volume = prod(structured.shape_of(op.operands[0]))
        if not structured.only_moves(source) or any(_is_full(value, volume) for value in structured.inputs(source)):
            return False
        for use in op.results[0].uses:
            reader = use.operation
            if type(reader) is not GenericOp or reader.parent is not self.block:
                return False
            if use.index >= structured.number_of_inputs(reader):
                return False
            access = reader.indexing_maps.data[use.index].data.results
            if structured.is_contraction(reader) or not all(isinstance(index, AffineDimExpr) for index in access):
                return False
            if self._repeats_short_runs(source, prod(self.extents[reader])):
                return False
        return True

    def _repeats_short_runs(self, source: GenericOp, points: int) -> bool:
        """Whether `source` repeats its elements along a last dimension shorter than a vector, for a reader of so many
        points that storing what is repeated costs nothing beside it: its innermost loop stays long.
        """
        result = source.results[0]
        *_, channels = shape = structured.shape_of(result)
        is_repeated = all(
            len(shape) - 1 not in {dim for index in access.results for dim in index.used_dims()}
            for access in structured.indexing_maps(source)[: structured.number_of_inputs(source)]
        )
        lanes = self.model.target.lanes(element_bits(cast(TensorType[Attribute], result.type).element_type))
        return is_repeated and channels < lanes and self.model.loops.is_small_per_group(prod(shape), points)

    def _work(self, op: GenericOp) -> _Work:
        selects = op in self.selections
        counted = [inner for inner in ops_of(op.body.block) if not selects or isinstance(inner, arith.SelectOp)]
        work = _Work(sum(self.model.operations.scalar_cost(inner.name) for inner in counted))
        volume = prod(self.extents[op])
        for operand in structured.inputs(op):
            self._add_input(work, operand, volume)
        return work

    def _add_input(self, work: _Work, operand: SSAValue, volume: int) -> None:
        owner = operand.owner
        if owner in self.inlined:
            if isinstance(owner, GenericOp):
                inner = self.work[owner]
                work.operations += inner.operations
                work.full_inputs |= {value for value in inner.full_inputs if _is_full(value, volume)}
                work.depth = max(work.depth, inner.depth + 1)
            elif isinstance(owner, Operation):
                self._add_input(work, owner.operands[0], volume)
        elif isinstance(operand.type, TensorType) and _is_full(operand, volume):
            work.full_inputs.add(operand)

    def _readers(self, op: Operation) -> list[tuple[GenericOp, int]] | None:
        """The generics of this block that read `op` as an input, with the operand number, through reshapes of one.

        None where something else reads it too.
        """
        readers: list[tuple[GenericOp, int]] = []
        for result in op.results:
            for use in result.uses:
                user = use.operation
                if user.parent is not self.block:
                    return None
                if isinstance(user, GenericOp):
                    if use.index >= structured.number_of_inputs(user):
                        return None
                    readers.append((user, use.index))
                elif structured.is_unit_reshape(user) or self._joins_repeated(user):
                    inner = self._readers(user)
                    if inner is None:
                        return None
                    readers.extend(inner)
                else:
                    return None
        return readers

    def _computing_readers(self, op: Operation) -> set[GenericOp]:
        """The generics that read `op`, those that only move elements excepted, of which it is the readers."""
        found: set[GenericOp] = set()
        for reader, _ in self._readers(op) or ():
            found |= self._computing_readers(reader) if structured.only_moves(reader) else {reader}
        return found

    def _should_inline(self, op: GenericOp) -> bool:
        if not structured.is_elementwise(op) or self.work[op].depth >= self.model.fusion.fused_depth:
            return False
        readers = self._readers(op)
        if not readers:
            return False
        if op in self.selections and len(self._computing_readers(op)) > 1:
            # Loops over rows around all of them select once.
            return False
        volume = prod(self.extents[op])
        moves_data_only = self.work[op].operations == 0
        sites: set[tuple[Operation, AffineMap]] = set()
        recomputation, points = 1.0, 0
        for reader, index in readers:
            indexing_map = reader.indexing_maps.data[index].data
            points += prod(self.extents[reader]) * ((reader, indexing_map) not in sites)
            sites.add((reader, indexing_map))
            if structured.is_contraction(reader):
                if not (moves_data_only and self._keeps_contraction(op, indexing_map)):
                    return False
            elif volume and reader not in self.selections:
                recomputation = max(recomputation, prod(self.extents[reader]) / volume)
        if len(sites) > 1 and not moves_data_only and product_operand(op, self.model.contractions) is not None:
            return False
        work = self.work[op]
        users = [reader for reader, _ in readers]
        # Those that read different parts are like one.
        count = 1 if points <= volume else len(sites)
        return self.model.fusion.fuse(
            IntoReaders(op, users, work.operations, len(work.full_inputs), count, recomputation)
        )

    @staticmethod
    def _keeps_contraction(op: GenericOp, reader_map: AffineMap) -> bool:
        """A contraction may read through slices and transposes: one input, every index one plain dimension."""
        terminator = op.body.block.last_op
        if structured.number_of_inputs(op) != 1 or not isinstance(terminator, YieldOp):
            return False
        if terminator.operands[0] is not op.body.block.args[0]:
            return False
        access = op.indexing_maps.data[0].data
        used = [d for expr in access.results for d in expr.used_dims()]
        plain = all(isinstance(e, AffineDimExpr) for e in reader_map.results)
        return plain and len(used) == len(set(used)) == access.num_dims


class _Rebuild:
    """Builds the generic that replaces one surviving op, pulling inlined producers into its body."""

    def __init__(self, fusion: _Fusion, op: GenericOp):
        self.fusion = fusion
        self.op = op
        self.builder = GenericBuilder(len(op.iterator_types.data))
        self.computed: dict[tuple[Operation, Indices], list[SSAValue]] = {}

    def run(self) -> None:
        op, block = self.op, self.builder.block
        locating.at(op)
        arguments = op.body.block.args
        maps = structured.indexing_maps(op)
        count = structured.number_of_inputs(op)
        loops = tuple(map(AffineDimExpr, range(self.builder.rank)))
        values: dict[SSAValue, SSAValue] = {}
        for operand, access, argument in zip(structured.inputs(op), maps, arguments, strict=False):
            if argument.first_use is not None or operand.owner not in self.fusion.inlined:
                values[argument] = self._read(operand, access.results, argument.type)
        self._cover_dimensions(maps[count:])
        for argument in arguments[count:]:
            values[argument] = block.insert_arg(argument.type, len(block.args))
        append(block, new_op(YieldOp, self._copy(op, values, loops)))
        fused = self.builder.finish(op, structured.outputs(op), maps[count:], op.iterator_types)
        for before, after in zip(op.results, fused.results, strict=True):
            after.name_hint = before.name_hint
        erase(op)

    def _cover_dimensions(self, stores: Sequence[AffineMap]) -> None:
        """Adds an operand of shape only, `tensor.empty`, for dimensions that no access uses alone any more."""
        accesses = [*(indices for _, indices in self.builder.read), *(store.results for store in stores)]
        covered = {expr.position for access in accesses for expr in access if isinstance(expr, AffineDimExpr)}
        missing = [d for d in range(self.builder.rank) if d not in covered]
        if missing:
            extents = self.fusion.extents[self.op]
            shape = tensor.EmptyOp((), TensorType(i32, [extents[d] for d in missing]))
            insert_before(shape, self.op)
            self.builder.element(shape.tensor, tuple(map(AffineDimExpr, missing)), i32)

    def _read(self, value: SSAValue, indices: Indices, type: Attribute) -> SSAValue:
        """The scalar `value[indices]`, `indices` in terms of this op's loop dimensions."""
        owner = value.owner
        if owner not in self.fusion.inlined or not isinstance(owner, Operation):
            return self.builder.element(value, indices, type)
        if isinstance(owner, GenericOp):
            return self._compute(owner, indices)[owner.results.index(value)]
        return self._read(owner.operands[0], structured.indices_before(owner, indices), type)

    def _compute(self, producer: GenericOp, indices: Indices) -> list[SSAValue]:
        """The results of the inlined `producer` at `indices`, computed in this body (once per place)."""
        key = (producer, indices)
        if key not in self.computed:
            maps = structured.indexing_maps(producer)
            loops: list[AffineExpr] = [AffineConstantExpr(0)] * len(producer.iterator_types.data)
            for expr, index in zip(maps[structured.number_of_inputs(producer)].results, indices, strict=True):
                assert isinstance(expr, AffineDimExpr)
                loops[expr.position] = index
            values: dict[SSAValue, SSAValue] = {}
            for operand, access, argument in zip(
                structured.inputs(producer), maps, producer.body.block.args, strict=False
            ):
                if argument.first_use is not None:
                    accessed = tuple(expr.replace_dims_and_symbols(loops, ()) for expr in access.results)
                    values[argument] = self._read(operand, accessed, argument.type)
            self.computed[key] = self._copy(producer, values, loops)
        return self.computed[key]

    def _copy(self, op: GenericOp, values: dict[SSAValue, SSAValue], loops: Sequence[AffineExpr]) -> list[SSAValue]:
        """Copies the body of `op`, the loops of which have the values `loops`; returns what it yields."""
        for inner in ops_of(op.body.block):
            if isinstance(inner, YieldOp):
                return [values.get(value, value) for value in inner.operands]
            if isinstance(inner, IndexOp):
                values[inner.result] = self.builder.index(loops[inner.dim.value.data])
            else:
                append(self.builder.block, clone(inner, values))
        raise AssertionError("a body without a terminator")


@dataclass(frozen=True)
class LinalgFuseElementwisePass(ModulePass):
    """See the module's docstring."""

    name = "linalg-fuse-elementwise"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx)
        for block in structured.program_blocks(op):
            _Fusion(block, model).run()
