"""Tensors of bounded size while they are expanded: a padded tensor, and the sizes of its dimensions.

What lies in the padding is arbitrary. A rule computes with padded tensors so that nothing of the padding gets to where
it can be seen: elementwise ops simply go on, others first mask it by a value that does not count or move it to the end.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from math import prod
from typing import Any, NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i1, i32, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue

from ....dialects import stablehlo
from ....dialects.dense import Number, pack_element, splat_attribute
from ....dialects.editing import new_op
from ....dialects.quant import UniformQuantizedType
from ....dialects.stablehlo.attributes import GatherDimensionNumbersAttr
from ....dialects.stablehlo.bounds import bounds_of
from ....dialects.stablehlo.shapes import Shape, element_type_of, is_complex, is_tensor, shape_of, show
from ....errors import UnsupportedError
from ....ir.tensor_builder import Tensor, TensorBuilder
from ....ir.tensors import int_array
from ..result_shapes import result_shapes


def padded_type(type: Attribute) -> TensorType[Attribute] | None:
    """The static type of the bound's shape; None if `type` has no bounds, or a dynamic dimension without one."""
    bounds = bounds_of(type)
    if not bounds or not is_tensor(type):
        return None
    shape = [bounds.get(dim, size) for dim, size in enumerate(type.get_shape())]
    return None if DYNAMIC_INDEX in shape else TensorType(type.element_type, shape)


class Bounded(NamedTuple):
    """A tensor of which only the first `sizes[d]` elements along dimension d count; all in other dimensions."""

    tensor: Tensor
    sizes: Mapping[int, Tensor]
    """Rank 0, i32."""

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
        self,
        op: Operation,
        lookup: Callable[[SSAValue, TensorBuilder], Bounded],
        builder: TensorBuilder | None = None,
    ) -> None:
        self.op = op
        self.builder = builder or TensorBuilder(op)
        self._lookup = lookup

    @contextmanager
    def standing_for(self, draft: Operation) -> Generator[Site]:
        """The same place, for a rule that replaces `draft`, an op that is nowhere."""
        yield Site(draft, self._lookup, self.builder)
        draft.drop_all_references()

    def get(self, value: SSAValue) -> Bounded:
        """What `value` has become."""
        return self._lookup(value, self.builder)

    def operands(self) -> list[Bounded]:
        """What the operands of the op have become."""
        return [self.get(operand) for operand in self.op.operands]

    def unsupported(self, reason: str) -> UnsupportedError:
        """The error that names the op and its types."""
        types = f"{show(self.op.operand_types)} -> {show(self.op.result_types)}"
        return UnsupportedError(f"'{self.op.name}' op: {reason}: {types}", self.op)

    def emit(
        self,
        operands: Sequence[Tensor],
        properties: Mapping[str, Attribute] | None = None,
        regions: Sequence[Region] = (),
        op_type: type[Operation] | None = None,
    ) -> list[Tensor]:
        """The op on padded operands, with result shapes that follow from them."""
        op, properties = self.op, self.op.properties if properties is None else properties
        op_type = op_type or type(op)
        values = [operand.value for operand in operands]
        draft = new_op(op_type, operands=values, result_types=op.result_types, properties=properties)
        shapes = result_shapes(draft)
        draft.drop_all_references()
        assert shapes is not None
        types = [TensorType(element_type_of(result), shape) for result, shape in zip(op.results, shapes, strict=True)]
        return self.builder.emit(op_type, operands, types, properties, regions)

    # Sizes

    def number(self, number: int) -> Tensor:
        """A size that is known."""
        return self.builder.splat(i32, (), number)

    def size(self, x: Bounded, dim: int) -> Tensor:
        """The number of elements that count along a dimension."""
        return x.sizes[dim] if dim in x.sizes else self.number(x.shape[dim])

    def minimum(self, a: Tensor, b: Tensor) -> Tensor:
        return self.builder.emit(stablehlo.MinOp, (a, b), (a.type,))[0]

    def maximum(self, a: Tensor, b: Tensor) -> Tensor:
        return self.builder.emit(stablehlo.MaxOp, (a, b), (a.type,))[0]

    def remainder(self, a: Tensor, b: Tensor) -> Tensor:
        return self.builder.emit(stablehlo.RemOp, (a, b), (a.type,))[0]

    def clamped(self, low: int, size: Tensor, high: Tensor) -> Tensor:
        """`size` between two bounds; the lower one if they contradict each other."""
        return self.maximum(self.number(low), self.minimum(size, high))

    def ceil_div(self, a: Tensor, b: int) -> Tensor:
        """a / b rounded up, for a of at least 0."""
        return a if b == 1 else (a + (b - 1)) / b

    def clamped_size(self, size: Tensor, bound: int) -> Tensor:
        """A scalar of any integer type between 0 and `bound`, as a size."""
        wide = size.convert(i64)
        least, most = (self.builder.splat(i64, (), n) for n in (0, bound))
        return self.maximum(least, self.minimum(wide, most)).convert(i32)

    def element(self, vector: Tensor, index: int) -> Tensor:
        """An element of an integer vector, of i64."""
        return vector.slice({0: (index, index + 1)}).reshape(()).convert(i64)

    # Padding

    def fill(self, type: TensorType[Attribute], number: Number) -> Tensor:
        """A constant; of a quantised type, the integer stored."""
        element = type.element_type
        if not isinstance(element, UniformQuantizedType):
            return self.builder.splat(element, type.get_shape(), number)
        stored = TensorType(element.storage_type, type.get_shape())
        value = splat_attribute(stored, pack_element(element.storage_type, number))
        return self.builder.emit(stablehlo.ConstantOp, (), (type,), {"value": value})[0]

    def zero(self, type: TensorType[Attribute]) -> Tensor:
        """What stands for the number 0."""
        element = type.element_type
        if not isinstance(element, UniformQuantizedType):
            return self.fill(type, 0j if is_complex(element) else 0)
        if element.axis is not None:
            raise self.unsupported("padding of a tensor quantised along an axis cannot be masked")
        return self.fill(type, element.zero_points.data[0].data)

    def in_bounds(self, x: Bounded, dims: Iterable[int]) -> Tensor | None:
        """Which elements lie before the end of all of `dims`; None if all do."""
        mask: Tensor | None = None
        for dim in dims:
            if dim in x.sizes:
                inside = self.builder.iota(i32, x.shape, dim).less(x.sizes[dim].broadcast(x.shape, ()))
                mask = inside if mask is None else mask & inside
        return mask

    def masked(self, x: Bounded, dims: Iterable[int], filling: Callable[[TensorType[Attribute]], Tensor]) -> Tensor:
        """`x` with padding along `dims` replaced."""
        mask = self.in_bounds(x, dims)
        return x.tensor if mask is None else mask.select(x.tensor, filling(x.tensor.type))

    def fitted(self, tensor: Tensor, shape: Sequence[int]) -> Tensor:
        """The first elements, up to `shape`, with padding where there are fewer."""
        cut = {dim: (0, n) for dim, (n, m) in enumerate(zip(shape, tensor.shape, strict=True)) if n < m}
        return self.extended(tensor.slice(cut), shape)

    def extended(self, tensor: Tensor, shape: Sequence[int]) -> Tensor:
        """With padding behind the last elements, up to `shape`."""
        missing = [n - m for n, m in zip(shape, tensor.shape, strict=True)]
        if not any(missing):
            return tensor
        zeros = int_array([0] * len(missing))
        properties = {"edge_padding_low": zeros, "edge_padding_high": int_array(missing), "interior_padding": zeros}
        padding = self.fill(TensorType(tensor.element_type, ()), 0j if is_complex(tensor.element_type) else 0)
        type = TensorType(tensor.element_type, shape)
        return self.builder.emit(stablehlo.PadOp, (tensor, padding), (type,), properties)[0]

    def common_shape(self, tensors: Sequence[Bounded]) -> Shape:
        """The least bound of each dimension: elements of operands that belong together are as many in each."""
        return tuple(min(sizes) for sizes in zip(*(x.shape for x in tensors), strict=True))

    def common_sizes(self, tensors: Sequence[Bounded]) -> dict[int, Tensor]:
        """The sizes of dimensions that are bounded in any of them."""
        sizes: dict[int, Tensor] = {}
        for x in reversed(tensors):
            sizes.update(x.sizes)
        return sizes

    # Movement along one dimension

    def moved_down(self, tensor: Tensor, dim: int, distance: Tensor) -> Tensor:
        """Element i + distance at i; `distance` is at most the size."""
        size = tensor.shape[dim]
        shape = [2 * n if d == dim else n for d, n in enumerate(tensor.shape)]
        return self.extended(tensor, shape).dynamic_slice({dim: distance}, {dim: size})

    def taken(self, tensor: Tensor, dim: int, indices: Tensor) -> Tensor:
        """The elements at `indices`, a vector, along a dimension."""
        others = tuple(d for d in range(tensor.rank) if d != dim)
        numbers = GatherDimensionNumbersAttr((others, (dim,), (), (), (dim,), 1))
        slice_sizes = [1 if d == dim else n for d, n in enumerate(tensor.shape)]
        shape = [indices.shape[0] if d == dim else n for d, n in enumerate(tensor.shape)]
        properties = {"dimension_numbers": numbers, "slice_sizes": int_array(slice_sizes)}
        operands = (tensor, indices.reshape((indices.shape[0], 1)))
        return self.builder.emit(stablehlo.GatherOp, operands, (TensorType(tensor.element_type, shape),), properties)[0]

    def taken_flat(self, tensor: Tensor, indices: Tensor) -> Tensor:
        """The elements at `indices`, a tensor of i32, in row-major order of `tensor`."""
        flat = tensor.reshape((prod(tensor.shape),))
        numbers = GatherDimensionNumbersAttr(((), (0,), (), (), (0,), indices.rank))
        properties = {"dimension_numbers": numbers, "slice_sizes": int_array([1])}
        type = TensorType(tensor.element_type, indices.shape)
        operands = (flat, indices.reshape((*indices.shape, 1)))
        return self.builder.emit(stablehlo.GatherOp, operands, (type,), properties)[0]

    # Results

    def settled(self, result: SSAValue, x: Bounded) -> Bounded:
        """`x` in the shape that the type of `result` declares: static sizes are what they are said to be."""
        if not is_tensor(result.type) or not x.sizes:
            return x
        bounds = bounds_of(result.type)
        declared = shape_of(result)
        shape = [
            n if n != DYNAMIC_INDEX else min(bounds.get(dim, x.shape[dim]), x.shape[dim])
            for dim, n in enumerate(declared)
        ]
        sizes = {dim: size for dim, size in x.sizes.items() if declared[dim] == DYNAMIC_INDEX}
        return Bounded(self.fitted(x.tensor, shape), sizes)


Rule = Callable[[Site, Any], Sequence[Bounded]]
"""What the results of an op become."""

BOOLEAN = TensorType(i1, ())
