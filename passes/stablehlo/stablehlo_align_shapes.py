"""`stablehlo-align-shapes`: elementwise ops with a reshape between them run on one shape.

A reshape moves nothing, but ops that fuse have the same loops. Here elementwise ops and reductions that read each
other, or the same values, get one shape, and the reshapes move to what they read and to who reads them: the arguments
and results of a kernel. That shape has the dimensions that broadcasts and reductions go along, and may have more than
any of theirs: a normalisation of groups of channels, followed by a factor per channel, runs on groups and channels of
a group. It is that of a matrix product where that will do, so that what follows is applied to its sums.

Needs: static shapes, broadcasts and reshapes as `stablehlo-simplify` leaves them; products as
`stablehlo-canonicalize-dot-general` does. Leaves: ops whose broadcasts and reductions are along parts of elements that
overlap; those that also read or are read by what moves elements on another shape, as that fuses with them too.

    %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ... -> tensor<256x512xf32>
    %r = stablehlo.reshape %d : (tensor<256x512xf32>) -> tensor<4x64x512xf32>
    %c = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<512xf32>) -> tensor<4x64x512xf32>
    %s = stablehlo.add %r, %c : tensor<4x64x512xf32>

becomes

    %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ... -> tensor<256x512xf32>
    %c = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<512xf32>) -> tensor<256x512xf32>
    %s = stablehlo.add %d, %c : tensor<256x512xf32>
    %r = stablehlo.reshape %s : (tensor<256x512xf32>) -> tensor<4x64x512xf32>

MLIR's fusion by expansion of reshapes does a part of this, one pair of ops at a time.

Not a pattern pass: ops that read each other change together or not at all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, ComplexType, IntegerType, ModuleOp, TensorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ...decisions.model import CostModel, cost_model_of
from ...dialects import stablehlo
from ...dialects.editing import blocks_in, clone_region, erase, replace_uses
from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import tensor_type
from ...dialects.stablehlo.fold_rules import splat_of
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...dialects.stablehlo.traits import Elementwise, ops_with
from ...ir.purity import is_dead
from ...ir.tensor_builder import TensorBuilder
from ...ir.tensors import Tensor, int_array, ints
from .shape_cuts import Shape, Span, cuts_of, dims_in, shape_with, spans_of
from .simplify_gathers import whole_dims

ELEMENTWISE = frozenset(ops_with(Elementwise, stablehlo.OPS)) - {
    stablehlo.MapOp,
    stablehlo.UniformDequantizeOp,
    stablehlo.UniformQuantizeOp,
}
"""Ops that compute the same of each element, whatever the shape."""

_MOVES = (
    stablehlo.ConcatenateOp,
    stablehlo.ConvolutionOp,
    stablehlo.DynamicSliceOp,
    stablehlo.IotaOp,
    stablehlo.PadOp,
    stablehlo.ReverseOp,
    stablehlo.SliceOp,
    stablehlo.TransposeOp,
)
"""Ops that fuse with elementwise ones of the same shape: those that move elements, and convolutions, to whose sums
these are applied."""


def _without_ones(shape: Shape) -> Shape:
    return tuple(size for size in shape if size != 1)


def moved_dims(op: Operation) -> list[int]:
    """Where a broadcast puts the dimensions of its operand that are not of size 1."""
    sizes = shape_of(op.operands[0])
    return [dim for dim, size in zip(ints(op, "broadcast_dimensions"), sizes, strict=True) if size != 1]


def _points(op: Operation) -> Shape:
    """The shape that a member runs over."""
    return shape_of(op.operands[0] if isinstance(op, stablehlo.ReduceOp) else op.results[0])


def _source(value: SSAValue) -> SSAValue:
    """What `value` is a reshape of, or itself."""
    while isinstance(value.owner, stablehlo.ReshapeOp):
        value = value.owner.operands[0]
    return value


def _readings(value: SSAValue, members: Collection[Operation]) -> Iterator[SSAValue]:
    """As what ops other than `members`, those that nothing reads apart, read `value`: itself, or what it is reshaped
    to.
    """
    for use in value.uses:
        reader = use.operation
        if isinstance(reader, stablehlo.ReshapeOp):
            yield from _readings(reader.results[0], members)
        elif reader not in members and not is_dead(reader):
            yield value


def _is_member(op: Operation) -> bool:
    """Whether `op` goes through the elements of a static tensor of more than one element."""
    if type(op) not in ELEMENTWISE and type(op) is not stablehlo.ReduceOp:
        return False
    values = [op.results[0], *op.operands[: len(op.results)]]
    if not all(isinstance(value.type, TensorType) for value in values):
        return False
    shape = _points(op)
    return (
        min(shape, default=0) > 0
        and prod(shape) > 1
        and all(isinstance(element_type_of(value), AnyFloat | IntegerType | ComplexType) for value in values)
    )


def _reduces_short_rows(op: Operation, model: CostModel) -> bool:
    """Whether the op reduces rows that are joined with those of the dimensions around the one that they lie along."""
    if type(op) is not stablehlo.ReduceOp or not _is_member(op):
        return False
    shape, reduced = _points(op), ints(op, "dimensions")
    sizes = [size for size in shape if size != 1]
    spans = spans_of(shape, reduced)
    if len(spans) != 1 or spans[0][0] != 1:
        return False
    length = spans[0][1]
    around = next((size for size, cut in zip(reversed(sizes), cuts_of(shape), strict=False) if cut == length), 1)
    bytes = length * element_bytes(element_type_of(op.operands[0]))
    return model.loops.worth_joining_rows(around, prod(shape) // length, bytes)


class _Group:
    """Members of a block that have to run over one shape if one of them does."""

    def __init__(self, members: list[Operation]) -> None:
        self.members = members
        self.needed: set[int] = set()
        """Cuts that the shape has to have."""
        self.fixed: set[Shape] = set()
        """Shapes, without dimensions of size 1, that ops which move elements share with members."""
        self.products: Counter[Shape] = Counter()
        """Shapes of matrix products that members read."""
        self.is_aligned = True

    def shape(self, model: CostModel) -> Shape | None:
        """The shape to run over; None where all do already, or cannot."""
        shapes = Counter(map(_points, self.members))
        is_one = len({_without_ones(shape) for shape in (*shapes, *self.products)}) == 1
        joins = is_one and any(_reduces_short_rows(op, model) for op in self.members)
        joined = self._shape_of_gathers(model) if is_one and not joins else None
        if is_one and not joins and joined is None:
            return None
        for op in self.members:
            self._look_at(op)
        if is_one:
            joined = joined or shape_with({1, prod(next(iter(shapes)))} | self.needed)
            fits = joined is not None and self.needed <= {*cuts_of(joined)}
            return joined if fits and self.is_aligned and not self.fixed and not self.products else None
        if not self.is_aligned or len(self.fixed) > 1:
            return None
        ordered = [shape for shape, _ in (*self.products.most_common(), *shapes.most_common())]
        fitting = (shape for shape in ordered if self.needed <= {*cuts_of(shape)})
        if self.fixed:
            return next((shape for shape in fitting if _without_ones(shape) in self.fixed), None)
        total = prod(ordered[0])
        return next(fitting, None) or shape_with({1, total} | self.needed)

    def _shape_of_gathers(self, model: CostModel) -> Shape | None:
        """The shape of members with the short last dimensions as one that gathers take whole, for them alone."""
        members, whole = set(self.members), list[int]()
        shape = _points(self.members[0])
        for op in self.members:
            for value in op.operands:
                if isinstance(gather := value.owner, stablehlo.GatherOp) and shape_of(value) == shape:
                    if any(use.operation not in members for use in value.uses):
                        return None
                    whole.append(whole_dims(gather))
        count = min(whole, default=0)
        if count < 2 or not model.loops.worth_joining_slices(shape[-1]):
            return None
        return (*shape[:-count], prod(shape[-count:]))

    def shape_around(self) -> Shape | None:
        """The shape that all is reshaped from which members read, and all is reshaped to which they are read by."""
        members, shapes = set(self.members), set[Shape]()
        for op in self.members:
            if isinstance(op, stablehlo.ReduceOp):
                return None
            sources = (_source(value) for value in op.operands if value.owner not in members)
            shapes.update(shape_of(value) for value in sources if splat_of(value) is None)
            shapes.update(map(shape_of, _readings(op.results[0], members)))
        return shapes.pop() if len(shapes) == 1 else None

    def _look_at(self, op: Operation) -> None:
        shape = _points(op)
        for value in op.operands:
            if shape_of(value) == shape:
                self._read(value, shape)
        if isinstance(op, stablehlo.ReduceOp):
            self._need(spans_of(shape, ints(op, "dimensions")))
        elif any(isinstance(use.operation, _MOVES) for use in op.results[0].uses):
            self.fixed.add(_without_ones(shape))

    def _read(self, value: SSAValue, shape: Shape) -> None:
        owner = value.owner
        if isinstance(owner, stablehlo.BroadcastInDimOp):
            moved = moved_dims(owner)
            self.is_aligned &= moved == sorted(moved)
            self._need(spans_of(shape, moved))
        elif isinstance(owner, (stablehlo.DotGeneralOp, *_MOVES)):
            self.fixed.add(_without_ones(shape))

    def _need(self, spans: list[Span]) -> None:
        self.needed.update(cut for span in spans for cut in span)


class _Groups:
    """The members of a block, by group."""

    def __init__(self, block: Block) -> None:
        self._parents: dict[object, object] = {}
        self.members = [op for op in block.ops if _is_member(op)]
        products: list[tuple[Operation, Shape]] = []
        for op in self.members:
            shape = _points(op)
            for value in op.operands:
                if shape_of(value) != shape or splat_of(value) is not None:
                    continue
                if isinstance(value.owner, stablehlo.BroadcastInDimOp):
                    continue
                source = _source(value)
                self._join(op, value)
                if source is not value and isinstance(source.owner, stablehlo.DotGeneralOp):
                    products.append((op, shape_of(source)))
                elif source is not value and isinstance(source.owner, Operation) and _is_member(source.owner):
                    self._join(value, source)
            if not isinstance(op, stablehlo.ReduceOp):
                self._join(op, op.results[0])
        by_root: dict[object, list[Operation]] = defaultdict(list)
        for op in self.members:
            by_root[self._root(op)].append(op)
        self.groups = {root: _Group(members) for root, members in by_root.items()}
        for op, shape in products:
            self.groups[self._root(op)].products[shape] += 1

    def _root(self, item: object) -> object:
        while (parent := self._parents.get(item, item)) is not item:
            self._parents[item] = item = self._parents.get(parent, parent)
        return item

    def _join(self, a: object, b: object) -> None:
        a, b = self._root(a), self._root(b)
        if a is not b:
            self._parents[a] = b


def _align(op: Operation, shape: Shape) -> None:
    """Replaces a member by one that runs over `shape`."""
    builder, before = TensorBuilder(op), _points(op)
    operands = [
        _aligned(value, shape, builder) if shape_of(value) == before else Tensor(builder, value)
        for value in op.operands
    ]
    properties, regions, sizes = op.properties, [], shape
    if isinstance(op, stablehlo.ReduceOp):
        reduced = dims_in(shape, spans_of(before, ints(op, "dimensions")))
        sizes = tuple(size for dim, size in enumerate(shape) if dim not in reduced)
        properties = {**properties, "dimensions": int_array(reduced)}
        regions = [clone_region(op.body, {})]
    types = [tensor_type(element_type_of(result), *sizes) for result in op.results]
    results = builder.emit(type(op), operands, types, properties, regions, op.attributes)
    for old, new in zip(op.results, results, strict=True):
        new.value.name_hint = old.name_hint
        replace_uses(old, new.reshape(shape_of(old)).value)
    erase(op)


def _aligned(value: SSAValue, shape: Shape, builder: TensorBuilder) -> Tensor:
    """The elements of `value` as a tensor of `shape`."""
    splat, owner = splat_of(value), value.owner
    if splat is not None:
        return builder.splat(element_type_of(value), shape, splat)
    if not isinstance(owner, stablehlo.BroadcastInDimOp):
        return Tensor(builder, _source(value)).reshape(shape)
    dims = dims_in(shape, spans_of(shape_of(value), moved_dims(owner)))
    source = Tensor(builder, owner.operands[0]).reshape([shape[dim] for dim in dims])
    return source.broadcast(shape, dims)


def _may_align(op: Operation, model: CostModel) -> bool:
    """Whether ops around `op` may have to change their shape."""
    return type(op) in (stablehlo.ReshapeOp, stablehlo.GatherOp) or _reduces_short_rows(op, model)


def _align_groups(block: Block, model: CostModel) -> None:
    """Aligns the members of a block; then those between them, around which there are reshapes now."""
    groups = _Groups(block)
    changed = _aligned_members(groups, lambda group: group.shape(model))
    if changed:
        left = {*groups.members}.difference(changed)
        _aligned_members(_Groups(block), lambda group: group.shape_around() if left.issuperset(group.members) else None)


def _aligned_members(groups: _Groups, shape_of_group: Callable[[_Group], Shape | None]) -> set[Operation]:
    """The members of groups that have another shape now, which is given."""
    shapes = {
        member: shape
        for group in groups.groups.values()
        if (shape := shape_of_group(group))
        for member in group.members
    }
    others = [member for member in groups.members if member in shapes and _points(member) != shapes[member]]
    for member in others:
        _align(member, shapes[member])
    return set(others)


class StablehloAlignShapesPass(ModulePass):
    """See the module's documentation."""

    name = "stablehlo-align-shapes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx)
        for block in list(blocks_in(op)):
            if any(_may_align(inner, model) for inner in block.ops):
                _align_groups(block, model)
