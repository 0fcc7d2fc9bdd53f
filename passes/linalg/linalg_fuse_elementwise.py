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

from xdsl.context import Context
from xdsl.dialects import affine, arith, tensor
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, ModuleOp, TensorType, i32
from xdsl.dialects.linalg.ops import GenericOp, IndexOp, YieldOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.passes import ModulePass

from ...decisions.model import CostModel, cost_model_of
from ...dialects.editing import clone, erase, insert_before, new_block, new_op, ops_of, replace_uses
from ...dialects.shared_attributes import i32_array, index_attribute
from ...ir import structured
from ...ir.epilogues import product_operand

Indices = tuple[AffineExpr, ...]

_RESHAPES = {tensor.ExpandShapeOp, tensor.CollapseShapeOp}


def _volume(shape: Sequence[int]) -> int:
    volume = 1
    for size in shape:
        volume *= size
    return volume


def _is_full(value: SSAValue, volume: int) -> bool:
    """Whether reading `value` is as much traffic as `volume` elements."""
    return _volume(structured.shape_of(value)) * 2 > volume


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
        self.extents: dict[Operation, tuple[int, ...]] = {}

    def run(self) -> None:
        ops = list(ops_of(self.block))
        for op in ops:
            if type(op) is GenericOp:
                self.extents[op] = structured.loop_extents(op)
                self.work[op] = self._work(op)
                if self._should_inline(op):
                    self.inlined.add(op)
            elif self._is_unit_reshape(op):
                if self._readers(op) is not None:
                    self.inlined.add(op)
            elif self._joins_repeated(op) and op.operands[0].owner in self.inlined:
                self.inlined.add(op)
        for op in ops:
            if type(op) is GenericOp and op not in self.inlined:
                if any(operand.owner in self.inlined for operand in structured.inputs(op)):
                    _Rebuild(self, op).run()
        for op in reversed(ops):
            if op in self.inlined or type(op) is tensor.EmptyOp or type(op) in _RESHAPES:
                if all(result.first_use is None for result in op.results):
                    erase(op)

    @staticmethod
    def _is_unit_reshape(op: Operation) -> bool:
        if type(op) not in _RESHAPES:
            return False
        source, result = structured.shape_of(op.operands[0]), structured.shape_of(op.results[0])
        return [s for s in source if s != 1] == [s for s in result if s != 1]

    def _joins_repeated(self, op: Operation) -> bool:
        """Whether `op` joins dimensions of a tensor that repeats the elements of smaller ones, and is read where its
        indices are loops, which can then be divided.
        """
        if type(op) is not tensor.CollapseShapeOp or type(source := op.operands[0].owner) is not GenericOp:
            return False
        volume = _volume(structured.shape_of(op.operands[0]))
        if not structured.only_moves(source) or any(_is_full(value, volume) for value in structured.inputs(source)):
            return False
        for use in op.results[0].uses:
            reader = use.operation
            if type(reader) is not GenericOp or use.index >= structured.number_of_inputs(reader):
                return False
            access = reader.indexing_maps.data[use.index].data.results
            if structured.is_contraction(reader) or not all(isinstance(index, AffineDimExpr) for index in access):
                return False
        return True

    def _work(self, op: GenericOp) -> _Work:
        selects = structured.is_selection(op)
        counted = [inner for inner in ops_of(op.body.block) if not selects or isinstance(inner, arith.SelectOp)]
        work = _Work(sum(self.model.operations.scalar_cost(inner.name) for inner in counted))
        volume = _volume(self.extents[op])
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
                elif self._is_unit_reshape(user) or self._joins_repeated(user):
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
        if structured.is_selection(op) and len(self._computing_readers(op)) > 1:
            # Loops over rows around all of them select once.
            return False
        volume = _volume(self.extents[op])
        moves_data_only = self.work[op].operations == 0
        sites: set[tuple[Operation, AffineMap]] = set()
        recomputation = 1.0
        for reader, index in readers:
            indexing_map = reader.indexing_maps.data[index].data
            sites.add((reader, indexing_map))
            if structured.is_contraction(reader):
                if not (moves_data_only and self._keeps_contraction(op, indexing_map)):
                    return False
            elif volume and not structured.is_selection(reader):
                recomputation = max(recomputation, _volume(self._extents(reader)) / volume)
        if len(sites) > 1 and not moves_data_only and product_operand(op, self.model.contractions) is not None:
            return False
        work = self.work[op]
        return self.model.fusion.worth_computing_in_readers(
            work.operations, len(work.full_inputs), len(sites), recomputation
        )

    def _extents(self, op: GenericOp) -> tuple[int, ...]:
        if op not in self.extents:
            self.extents[op] = structured.loop_extents(op)
        return self.extents[op]

    @staticmethod
    def _keeps_contraction(op: GenericOp, reader_map: AffineMap) -> bool:
        """A contraction may read through slices and transposes: one input, every index one plain dimension."""
        if structured.number_of_inputs(op) != 1 or not isinstance(op.body.block.last_op, YieldOp):
            return False
        if op.body.block.last_op.operands[0] is not op.body.block.args[0]:
            return False
        (access, _) = structured.indexing_maps(op)
        used = [d for expr in access.results for d in expr.used_dims()]
        plain = all(isinstance(e, AffineDimExpr) for e in reader_map.results)
        return plain and len(used) == len(set(used)) == access.num_dims


class _Rebuild:
    """Builds the generic that replaces one surviving op, pulling inlined producers into its body."""

    def __init__(self, fusion: _Fusion, op: GenericOp):
        self.fusion = fusion
        self.op = op
        self.inputs: list[SSAValue] = []
        self.maps: list[AffineMap] = []
        self.arguments: list[SSAValue] = []
        self.known_inputs: dict[tuple[SSAValue, Indices], SSAValue] = {}
        self.computed: dict[tuple[Operation, Indices], list[SSAValue]] = {}
        self.indices: dict[AffineExpr, SSAValue] = {}
        self.rank = len(op.iterator_types.data)
        self.block = new_block()
        self.ops: list[Operation] = []

    def run(self) -> None:
        op = self.op
        old = op.body.block
        maps = structured.indexing_maps(op)
        count = structured.number_of_inputs(op)
        mapping: dict[SSAValue, SSAValue] = {}
        for operand, indexing_map, argument in zip(structured.inputs(op), maps, old.args[:count], strict=False):
            if argument.first_use is None and operand.owner in self.fusion.inlined:
                continue
            mapping[argument] = self.read(operand, indexing_map.results, argument.type)
        self._cover_dimensions(maps[count:])
        for argument in old.args[count:]:
            mapping[argument] = self.block.insert_arg(argument.type, len(self.block.args))
        for inner in ops_of(old):
            self._copy(inner, mapping, tuple(AffineDimExpr(d) for d in range(self.rank)))
        self.block.add_ops(self.ops)
        segments = (len(self.inputs), len(structured.outputs(op)))
        fused = new_op(
            GenericOp,
            operands=[*self.inputs, *structured.outputs(op)],
            result_types=op.result_types,
            properties={
                **op.properties,
                "indexing_maps": ArrayAttr([AffineMapAttr(m) for m in (*self.maps, *maps[count:])]),
                "operandSegmentSizes": i32_array(*segments),
            },
            attributes=op.attributes,
            regions=[Region(self.block)],
            location=op.location,
        )
        assert op.parent is not None
        insert_before(fused, op)
        for before, after in zip(op.results, fused.results, strict=True):
            after.name_hint = before.name_hint
            replace_uses(before, after)
        erase(op)

    def _cover_dimensions(self, output_maps: Sequence[AffineMap]) -> None:
        """Adds an operand of shape only, `tensor.empty`, for dimensions that no access uses alone any more."""
        covered = {
            expr.position for m in (*self.maps, *output_maps) for expr in m.results if isinstance(expr, AffineDimExpr)
        }
        missing = [d for d in range(self.rank) if d not in covered]
        if not missing:
            return
        extents = self.fusion.extents[self.op]
        shape = tensor.EmptyOp((), TensorType(i32, [extents[d] for d in missing]))
        assert self.op.parent is not None
        insert_before(shape, self.op)
        self._new_input(shape.tensor, tuple(AffineDimExpr(d) for d in missing), i32)

    def _new_input(self, value: SSAValue, indices: Indices, type: Attribute) -> SSAValue:
        self.inputs.append(value)
        self.maps.append(AffineMap(self.rank, 0, indices))
        argument = self.block.insert_arg(type, len(self.block.args))
        self.known_inputs[value, indices] = argument
        return argument

    def read(self, value: SSAValue, indices: Indices, type: Attribute) -> SSAValue:
        """The scalar `value[indices]`, `indices` in terms of this op's loop dimensions."""
        owner = value.owner
        if owner in self.fusion.inlined and isinstance(owner, Operation):
            if isinstance(owner, GenericOp):
                return self._compute(owner, indices)[owner.results.index(value)]
            source = owner.operands[0]
            shapes = structured.shape_of(source), structured.shape_of(value)
            inner = structured.unit_reshape_indices(*shapes, indices)
            if inner is None and isinstance(owner, tensor.CollapseShapeOp):
                inner = structured.collapsed_indices(owner, indices)
            assert inner is not None
            return self.read(source, inner, type)
        known = self.known_inputs.get((value, indices))
        return known if known is not None else self._new_input(value, indices, type)

    def _compute(self, producer: GenericOp, indices: Indices) -> list[SSAValue]:
        """The results of the inlined `producer` at `indices`, computed in this body (once per place)."""
        key = (producer, indices)
        known = self.computed.get(key)
        if known is not None:
            return known
        maps = structured.indexing_maps(producer)
        loops: list[AffineExpr] = [AffineConstantExpr(0)] * len(producer.iterator_types.data)
        for expr, index in zip(maps[structured.number_of_inputs(producer)].results, indices, strict=True):
            assert isinstance(expr, AffineDimExpr)
            loops[expr.position] = index
        body = producer.body.block
        mapping: dict[SSAValue, SSAValue] = {}
        for operand, indexing_map, argument in zip(structured.inputs(producer), maps, body.args, strict=False):
            if argument.first_use is not None:
                accessed = tuple(e.replace_dims_and_symbols(loops, ()) for e in indexing_map.results)
                mapping[argument] = self.read(operand, accessed, argument.type)
        results: list[SSAValue] = []
        for inner in ops_of(body):
            if isinstance(inner, YieldOp):
                results = [mapping.get(v, v) for v in inner.operands]
            else:
                self._copy(inner, mapping, loops)
        self.computed[key] = results
        return results

    def _copy(self, op: Operation, mapping: dict[SSAValue, SSAValue], loops: Sequence[AffineExpr]) -> None:
        if isinstance(op, IndexOp):
            mapping[op.result] = self._index(loops[op.dim.value.data])
            return
        self.ops.append(clone(op, mapping))

    def _index(self, expr: AffineExpr) -> SSAValue:
        """The value of `expr` over this op's loop dimensions, as an index inside the body."""
        known = self.indices.get(expr)
        if known is not None:
            return known
        if isinstance(expr, AffineDimExpr):
            op = IndexOp(expr.position)
        elif isinstance(expr, AffineConstantExpr):
            op = arith.ConstantOp(index_attribute(expr.value))
        else:
            dims = sorted(expr.used_dims())
            operands = [self._index(AffineDimExpr(d)) for d in dims]
            renumbered: list[AffineExpr] = [AffineConstantExpr(0)] * self.rank
            for position, d in enumerate(dims):
                renumbered[d] = AffineDimExpr(position)
            applied = AffineMap(len(dims), 0, (expr.replace_dims_and_symbols(renumbered, ()),))
            op = affine.ApplyOp(operands, AffineMapAttr(applied))
        self.ops.append(op)
        self.indices[expr] = op.results[0]
        return op.results[0]


@dataclass(frozen=True)
class LinalgFuseElementwisePass(ModulePass):
    """See the module's docstring."""

    name = "linalg-fuse-elementwise"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx)
        for block in structured.program_blocks(op):
            _Fusion(block, model).run()
