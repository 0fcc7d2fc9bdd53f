"""Tensors of bounded size while they are expanded: a padded tensor, and the sizes of its dimensions.

What lies in the padding is arbitrary. A rule computes with padded tensors so that nothing of the padding gets to where
it can be seen: elementwise ops simply go on, others first mask it by a value that does not count or move it to the end.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i1, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.quant import UniformQuantizedType
from ....dialects.stablehlo.bounds import bounds_of
from ....dialects.stablehlo.shapes import Shape, element_type_of, is_tensor, shape_of, show
from ....errors import UnsupportedError
from ....ir.tensor_builder import Tensor, TensorBuilder
from ..result_shapes import result_shapes
from ..run_time_checks import RULES as CHECKED
from ..run_time_checks import Checks


class Carried(NamedTuple):
    """What has become of a value: a padded tensor, and a scalar of i32 for each dimension of bounded size."""

    value: SSAValue
    sizes: Mapping[int, SSAValue]


class Extent(int):
    """The bound of a dimension, and its size: where a rule of shapes hands on the one, it hands on the other."""

    size: Tensor


class Bounded(NamedTuple):
    """A tensor of which only the first `sizes[d]` elements along dimension d count; all in other dimensions."""

    tensor: Tensor
    sizes: Mapping[int, Tensor] = {}
    """Rank 0, i32."""

    @staticmethod
    def of(tensor: Tensor, extents: Sequence[int]) -> Bounded:
        """With the sizes that `extents` have."""
        return Bounded(tensor, {dim: n.size for dim, n in enumerate(extents) if isinstance(n, Extent)})

    @property
    def extents(self) -> Shape:
        """The shape, with the sizes that count."""
        extents: list[int] = list(self.shape)
        for dim, size in self.sizes.items():
            extents[dim] = extent = Extent(extents[dim])
            extent.size = size
        return tuple(extents)

    @property
    def shape(self) -> Shape:
        """That of the padded tensor."""
        return self.tensor.shape

    @property
    def rank(self) -> int:
        return self.tensor.rank


class Site:
    """The op that a rule replaces, and what it builds in front of it."""

    def __init__(
        self, op: Operation, carried: Mapping[SSAValue, Carried], builder: TensorBuilder | None = None
    ) -> None:
        self.op = op
        self.builder = builder or TensorBuilder(op)
        self.carried = carried

    def get(self, value: SSAValue) -> Bounded:
        """What `value` has become."""
        value, sizes = self.carried.get(value) or Carried(value, {})
        return Bounded(Tensor(self.builder, value), {dim: Tensor(self.builder, size) for dim, size in sizes.items()})

    def operands(self) -> list[Bounded]:
        """What the operands of the op have become."""
        return [self.get(operand) for operand in self.op.operands]

    def unsupported(self, reason: str) -> UnsupportedError:
        """The error that names the op and its types."""
        types = f"{show(self.op.operand_types)} -> {show(self.op.result_types)}"
        return UnsupportedError(f"'{self.op.name}' op: {reason}: {types}", self.op)

    def emit(self, operands: Sequence[Bounded], properties: Mapping[str, Attribute] | None = None) -> list[Bounded]:
        """The op, with its regions, on padded operands. Shapes of results follow from theirs, and sizes, but for those
        that are computed.

        The padding of an operand is seen where it lies in what the op combines.
        """
        op = self.op
        shapes = result_shapes(op, [x.extents for x in operands])
        assert shapes is not None
        types = [
            TensorType(element_type_of(result), list(map(int, shape)))
            for result, shape in zip(op.results, shapes, strict=True)
        ]
        properties = op.properties if properties is None else properties
        regions = [op.detach_region(region) for region in tuple(op.regions)]
        results = self.builder.emit(type(op), [x.tensor for x in operands], types, properties, regions)
        return list(map(Bounded.of, results, shapes))

    def aligned(self, operands: Sequence[Bounded], names: Sequence[Sequence[Hashable]]) -> list[Bounded]:
        """Operands whose dimensions of one name, where one of them is bounded, have one size and the least bound.

        Elements that belong together are as many in each of them. A name of None is no name.
        """
        bounds: dict[Hashable, int] = {}
        sizes: dict[Hashable, Tensor] = {}
        named = [[(dim, name) for dim, name in enumerate(each) if name is not None] for each in names]
        for x, dims in zip(operands, named, strict=True):
            for dim, name in dims:
                bounds[name] = min(bounds.get(name, x.shape[dim]), x.shape[dim])
                if dim in x.sizes:
                    sizes.setdefault(name, x.sizes[dim])
        found: list[Bounded] = []
        for x, dims in zip(operands, named, strict=True):
            known = {dim: name for dim, name in dims if name in sizes}
            shape = [bounds[known[dim]] if dim in known else n for dim, n in enumerate(x.shape)]
            own = {**x.sizes, **{dim: sizes[name] for dim, name in known.items()}}
            found.append(Bounded(self.fitted(x.tensor, shape), own))
        return found

    # Sizes

    def number(self, number: int) -> Tensor:
        """A size that is known."""
        return self.builder.splat(i32, (), number)

    def size(self, x: Bounded, dim: int) -> Tensor:
        """The number of elements that count along a dimension."""
        return x.sizes[dim] if dim in x.sizes else self.number(x.shape[dim])

    def clamped_size(self, size: Tensor, bound: int) -> Tensor:
        """A scalar of any integer type between 0 and `bound`, as a size."""
        wide = size.convert(i64)
        least, most = (self.builder.splat(i64, (), n) for n in (0, bound))
        return least.maximum(wide.minimum(most)).convert(i32)

    # Padding

    def zero(self, type: TensorType[Attribute]) -> Tensor:
        """What stands for the number 0."""
        element, number = type.element_type, 0
        if isinstance(element, UniformQuantizedType):
            if element.axis is not None:
                raise self.unsupported("padding of a tensor quantised along an axis cannot be masked")
            number = element.zero_points.data[0].data
        return self.builder.splat(element, type.get_shape(), number)

    def in_bounds(self, x: Bounded, dims: Iterable[int]) -> Tensor | None:
        """Which elements lie before the end of all of `dims`; None if all do."""
        mask: Tensor | None = None
        for dim in dims:
            if dim in x.sizes:
                inside = self.builder.iota(i32, x.shape, dim).less(x.sizes[dim].broadcast(x.shape, ()))
                mask = inside if mask is None else mask & inside
        return mask

    def masked(
        self, x: Bounded, dims: Iterable[int], filling: bytes | Callable[[TensorType[Attribute]], Tensor]
    ) -> Bounded:
        """`x` with padding along `dims` replaced."""
        mask = self.in_bounds(x, dims)
        if mask is None:
            return x
        filled = filling(x.tensor.type) if callable(filling) else x.tensor.number(filling)
        return Bounded(mask.select(x.tensor, filled), x.sizes)

    def fitted(self, tensor: Tensor, shape: Sequence[int]) -> Tensor:
        """The first elements, up to `shape`, with padding where there are fewer."""
        sizes = [(dim, n, m) for dim, (n, m) in enumerate(zip(shape, tensor.shape, strict=True))]
        cut = tensor.slice({dim: (0, n) for dim, n, m in sizes if n < m})
        return cut.pad({dim: n - m for dim, n, m in sizes if n > m})

    # Results

    def settled(self, index: int, x: Bounded) -> Bounded:
        """`x` in the shape that the type of a result declares: static sizes are what they are said to be.

        Sizes that may be others are checked when the program runs, unless the op has checks of its own.
        """
        result = self.op.results[index]
        if not is_tensor(result.type) or not x.sizes:
            return x
        bounds = bounds_of(result.type)
        declared = shape_of(result)
        shape = [
            n if n != DYNAMIC_INDEX else min(bounds.get(dim, x.shape[dim]), x.shape[dim])
            for dim, n in enumerate(declared)
        ]
        if type(self.op) not in CHECKED and any(shape[d] < x.shape[d] or declared[d] != DYNAMIC_INDEX for d in x.sizes):
            counts = [self.size(x, dim).convert(i64) for dim in range(x.rank)]
            Checks(self.builder, self.op).require_result(index, counts)
        sizes = {dim: size for dim, size in x.sizes.items() if declared[dim] == DYNAMIC_INDEX}
        return Bounded(self.fitted(x.tensor, shape), sizes)


Rule = Callable[[Site, Any], Sequence[Bounded]]
"""What the results of an op become."""

BOOLEAN = TensorType(i1, ())
"""The type of a condition."""
