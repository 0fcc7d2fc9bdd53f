"""Tensors that emit StableHLO: what expansions, formulas and simplifications are written in.

A `Tensor` is a value whose operators and methods create ops; result types follow from the operands. Numbers become
splat constants of the type of the other operand, each constant once:

    mean = x.sum([0]) / count                # reduce, divide
    y = (u < 1.0).select(x, u + 0.5)         # compare, add, select

Shifts to the right by `>>` are logical, `@` is not used, and `x.equals(y)` compares elements, as `==` compares Python
objects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from numpy.typing import NDArray
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    NoneAttr,
    Signedness,
    TensorType,
    f32,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from ..dialects import stablehlo
from ..dialects.dense import (
    Number,
    dense_values,
    integer_type,
    is_unsigned,
)
from ..dialects.element_sizes import element_bits
from ..dialects.shared_attributes import i64_array, tensor_type
from ..dialects.stablehlo.attributes import (
    ComparisonDirection,
    ComparisonDirectionAttr,
    ComparisonType,
    ComparisonTypeAttr,
    DotDimensionNumbersAttr,
    GatherDimensionNumbersAttr,
    Transpose,
    TransposeAttr,
)
from ..dialects.stablehlo.shape_rules import PADDING
from ..dialects.stablehlo.shapes import Shape, is_complex, real_type, with_element_type
from ..dialects.stablehlo.slicing import padded_shape
from ..dialects.stablehlo.windows import padding_attr

if TYPE_CHECKING:
    from .tensor_builder import TensorBuilder

_NOTHING: Mapping[int, int] = {}

Operand: TypeAlias = "Tensor | float"

UI64 = IntegerType(64, Signedness.UNSIGNED)


def ints(op: Operation, name: str) -> tuple[int, ...]:
    """The values of an array or dense property of integers, each of a splat too."""
    value = op.properties[name]
    if isinstance(value, DenseIntOrFPElementsAttr):
        return tuple(dense_values(cast("DenseIntOrFPElementsAttr[Any]", value)))
    return cast(DenseArrayBase[Any], value).get_values()


def int_array(values: Sequence[int]) -> DenseArrayBase[Any]:
    """An integer array property."""
    return i64_array(*values)


def _binary(op_type: type[Operation], swapped: bool = False) -> Callable[[Tensor, Operand], Tensor]:
    """The method that applies a binary op to the tensor and another operand, or, `swapped`, the other way round."""

    def apply(self: Tensor, other: Operand) -> Tensor:
        operand = other if isinstance(other, Tensor) else self.number(other)
        return self.builder.emit(op_type, (operand, self) if swapped else (self, operand), (self.type,))[0]

    return apply


def _comparison(direction: ComparisonDirection) -> Callable[[Tensor, Operand], Tensor]:
    return lambda self, other: self.compare(direction, other)


def _unary(op_type: type[Operation]) -> Callable[[Tensor], Tensor]:
    return lambda self: self.apply(op_type)


class Tensor:
    """A value, and the builder that inserts what is computed from it."""

    __slots__ = ("builder", "value")

    def __init__(self, builder: TensorBuilder, value: SSAValue) -> None:
        self.builder = builder
        self.value = value

    @property
    def type(self) -> TensorType[Attribute]:
        return cast("TensorType[Attribute]", self.value.type)

    @property
    def shape(self) -> Shape:
        return self.type.get_shape()

    @property
    def rank(self) -> int:
        return len(self.type.shape.data)

    @property
    def element_type(self) -> Attribute:
        return self.type.element_type

    def number(self, number: Number | bytes) -> Tensor:
        """`number` in the type of this tensor."""
        return self.builder.splat(self.element_type, self.shape, number)

    # Elementwise

    __add__, __radd__ = _binary(stablehlo.AddOp), _binary(stablehlo.AddOp, True)
    __sub__, __rsub__ = _binary(stablehlo.SubtractOp), _binary(stablehlo.SubtractOp, True)
    __mul__, __rmul__ = _binary(stablehlo.MulOp), _binary(stablehlo.MulOp, True)
    __truediv__, __rtruediv__ = _binary(stablehlo.DivOp), _binary(stablehlo.DivOp, True)
    __mod__ = _binary(stablehlo.RemOp)
    __and__ = _binary(stablehlo.AndOp)
    __or__ = _binary(stablehlo.OrOp)
    __xor__ = _binary(stablehlo.XorOp)
    __lshift__ = _binary(stablehlo.ShiftLeftOp)
    __rshift__ = _binary(stablehlo.ShiftRightLogicalOp)
    maximum = _binary(stablehlo.MaxOp)
    minimum = _binary(stablehlo.MinOp)
    power = _binary(stablehlo.PowOp)
    atan2 = _binary(stablehlo.Atan2Op)

    __neg__ = _unary(stablehlo.NegOp)
    __invert__ = _unary(stablehlo.NotOp)
    __abs__ = _unary(stablehlo.AbsOp)
    sqrt = _unary(stablehlo.SqrtOp)
    rsqrt = _unary(stablehlo.RsqrtOp)

    __lt__ = less = _comparison(ComparisonDirection.LT)
    __le__ = _comparison(ComparisonDirection.LE)
    __gt__ = greater = _comparison(ComparisonDirection.GT)
    __ge__ = at_least = _comparison(ComparisonDirection.GE)
    equals = _comparison(ComparisonDirection.EQ)
    differs = _comparison(ComparisonDirection.NE)

    def shift_right(self, count: Operand) -> Tensor:
        """Logical for unsigned integers, arithmetic for the others."""
        type = integer_type(self.element_type)
        is_logical = type is not None and is_unsigned(type)
        op_type = stablehlo.ShiftRightLogicalOp if is_logical else stablehlo.ShiftRightArithmeticOp
        return _binary(op_type)(self, count)

    def apply(self, op_type: type[Operation], element_type: Attribute | None = None) -> Tensor:
        """A unary op, whose result has elements of this type unless another is given."""
        type = self.type if element_type is None else self._with(element_type)
        return self.builder.emit(op_type, (self,), (type,))[0]

    def _with(self, element_type: Attribute) -> TensorType[Attribute]:
        """The type of this tensor with other elements."""
        type = self.type
        is_plain = isinstance(type.encoding, NoneAttr)
        return tensor_type(element_type, *self.shape) if is_plain else with_element_type(type, element_type)

    def compare(self, direction: ComparisonDirection, other: Operand, kind: ComparisonType | None = None) -> Tensor:
        """A tensor of i1; floats, signed and unsigned integers are compared as what they are unless `kind` is given."""
        operand = other if isinstance(other, Tensor) else self.number(other)
        properties: dict[str, Attribute] = {
            "comparison_direction": ComparisonDirectionAttr(direction),
            "compare_type": ComparisonTypeAttr(kind or stablehlo.CompareOp.default_type(self.element_type)),
        }
        return self.builder.emit(stablehlo.CompareOp, (self, operand), (self._with(i1),), properties)[0]

    def select(self, on_true: Operand, on_false: Operand) -> Tensor:
        """`on_true` where this predicate is true, else `on_false`; one of them at least is a tensor."""
        typed = cast(Tensor, on_true if isinstance(on_true, Tensor) else on_false)
        values = [value if isinstance(value, Tensor) else typed.number(value) for value in (on_true, on_false)]
        return self.builder.emit(stablehlo.SelectOp, (self, *values), (typed.type,))[0]

    def convert(self, element_type: Attribute) -> Tensor:
        """The same numbers with elements of another type; itself if it has that type."""
        return self if self.element_type == element_type else self.apply(stablehlo.ConvertOp, element_type)

    def widened(self) -> Tensor:
        """In f32 if the elements are smaller floats, as XLA computes sums and factorisations."""
        element_type = self.element_type
        is_small = isinstance(element_type, AnyFloat) and element_bits(element_type) < 32
        return self.convert(f32) if is_small else self

    def wide(self) -> Tensor:
        """Integers as i64; those that are too large for it become its greatest number."""
        is_wider = self.element_type == UI64
        return (self.minimum((1 << 63) - 1) if is_wider else self).convert(i64)

    def bitcast(self, element_type: Attribute, shape: Sequence[int] | None = None) -> Tensor:
        """The same bits with elements of another type; `shape` where the widths differ."""
        if self.element_type == element_type:
            return self
        shape = self.shape if shape is None else shape
        return self.builder.one(stablehlo.BitcastConvertOp, (self,), element_type, shape)

    # Complex numbers

    def imaginary(self) -> Tensor:
        """The imaginary part of a complex tensor."""
        return self.apply(stablehlo.ImagOp, real_type(self.element_type))

    def real(self) -> Tensor:
        """The real part; itself if it is real."""
        return self.apply(stablehlo.RealOp, real_type(self.element_type)) if is_complex(self.element_type) else self

    def conjugate(self) -> Tensor:
        """The complex conjugate; itself if it is real."""
        return self.real().with_imaginary(-self.imaginary()) if is_complex(self.element_type) else self

    def with_imaginary(self, imaginary: Tensor) -> Tensor:
        """A complex tensor of which this is the real part."""
        type = self._with(ComplexType(cast(AnyFloat, self.element_type)))
        return self.builder.emit(stablehlo.ComplexOp, (self, imaginary), (type,))[0]

    # Shapes

    def constant(self, array: NDArray[Any]) -> Tensor:
        """A constant with elements of this type."""
        return self.builder.constant(array, self.element_type)

    def concatenate(self, other: Tensor, dimension: int) -> Tensor:
        """`other` behind this tensor."""
        return self.builder.concatenate((self, other), dimension)

    def _moved(
        self, op_type: type[Operation], shape: Sequence[int], *others: Tensor, **properties: Attribute
    ) -> Tensor:
        """An op that moves elements, of which the result has `shape`."""
        return self.builder.one(op_type, (self, *others), self.element_type, shape, **properties)

    def reverse(self, dims: Sequence[int]) -> Tensor:
        """The elements in reverse order along `dims`."""
        if not dims:
            return self
        return self.builder.emit(stablehlo.ReverseOp, (self,), (self.type,), {"dimensions": int_array(dims)})[0]

    def reshape(self, shape: Sequence[int]) -> Tensor:
        """With another shape; a size of -1 follows from the others."""
        if -1 in shape:
            known = -prod(shape)
            shape = [prod(self.shape) // known if size == -1 else size for size in shape]
        return self if self.shape == tuple(shape) else self._moved(stablehlo.ReshapeOp, shape)

    def broadcast(self, shape: Sequence[int], dims: Sequence[int]) -> Tensor:
        """Dimension i becomes dimension `dims[i]` of `shape`."""
        if self.shape == tuple(shape) and list(dims) == list(range(self.rank)):
            return self
        return self._moved(stablehlo.BroadcastInDimOp, shape, broadcast_dimensions=int_array(dims))

    def transpose(self, permutation: Sequence[int]) -> Tensor:
        if list(permutation) == list(range(self.rank)):
            return self
        old = self.shape
        shape = [old[dim] for dim in permutation]
        return self._moved(stablehlo.TransposeOp, shape, permutation=int_array(permutation))

    def swapped(self) -> Tensor:
        """The last two dimensions exchanged."""
        rank = self.rank
        return self.transpose((*range(rank - 2), rank - 1, rank - 2))

    def window(self, starts: Sequence[int], sizes: Sequence[int], strides: Sequence[int] | None = None) -> Tensor:
        """`sizes` elements from `starts`, or each so many."""
        strides = strides or [1] * len(sizes)
        starts = [start if size else 0 for start, size in zip(starts, sizes, strict=True)]
        ends = [
            start + (size - 1) * stride + 1 if size else 0
            for start, size, stride in zip(starts, sizes, strides, strict=True)
        ]
        properties = {"start_indices": starts, "limit_indices": ends, "strides": strides}
        return self._moved(stablehlo.SliceOp, sizes, **{name: int_array(value) for name, value in properties.items()})

    def slice(self, ranges: Mapping[int, tuple[int, int]]) -> Tensor:
        """Elements from start below limit in some dimensions, all in the others."""
        shape = self.shape
        pairs = [ranges.get(dim, (0, size)) for dim, size in enumerate(shape)]
        sizes = [limit - start for start, limit in pairs]
        return self if tuple(sizes) == shape else self.window([start for start, _ in pairs], sizes)

    def at(self, index: int) -> Tensor:
        """Element `index` along the first dimension, which goes."""
        return self.slice({0: (index, index + 1)}).reshape(self.shape[1:])

    def take(self, indices: Tensor, dim: int, batch: int = 0) -> Tensor:
        """The elements at `indices` along a dimension, of which the dimensions of `indices` take the place, but for the
        first `batch` ones: those are the first dimensions of both.
        """
        before, behind = self.shape[:dim], self.shape[dim + 1 :]
        first, both = dim + indices.rank - batch, tuple(range(batch))
        offsets = (*range(batch, dim), *range(first, first + len(behind)))
        return self._moved(
            stablehlo.GatherOp,
            (*before, *indices.shape[batch:], *behind),
            indices,
            dimension_numbers=GatherDimensionNumbersAttr((offsets, (dim,), both, both, (dim,), indices.rank)),
            slice_sizes=int_array((*[1] * batch, *before[batch:], 1, *behind)),
        )

    def _starts(self, starts: Mapping[int, Tensor]) -> list[Tensor]:
        """In all dimensions, 0 in those that are not mentioned."""
        if len(starts) == self.rank:
            return [starts[dim] for dim in range(self.rank)]
        zero = next(iter(starts.values())).number(0) if starts else self.builder.splat(i32, (), 0)
        return [starts.get(dim, zero) for dim in range(self.rank)]

    def dynamic_slice(self, starts: Mapping[int, Tensor], sizes: Mapping[int, int]) -> Tensor:
        """`sizes` elements from `starts` in some dimensions, all in the others."""
        shape = [sizes.get(dim, size) for dim, size in enumerate(self.shape)]
        return self._moved(stablehlo.DynamicSliceOp, shape, *self._starts(starts), slice_sizes=int_array(shape))

    def updated(self, update: Tensor, starts: Mapping[int, Tensor]) -> Tensor:
        """With `update` written at `starts`, which is 0 in the dimensions not mentioned."""
        return self._moved(stablehlo.DynamicUpdateSliceOp, self.shape, update, *self._starts(starts))

    def pad(
        self,
        high: Mapping[int, int],
        low: Mapping[int, int] = _NOTHING,
        interior: Mapping[int, int] = _NOTHING,
        value: Tensor | None = None,
    ) -> Tensor:
        """With `value`, or zeros, behind and in front of the elements of some dimensions, and between neighbours; what
        is negative is cut off.
        """
        amounts = [[each.get(dim, 0) for dim in range(self.rank)] for each in (low, high, interior)]
        if not any(map(any, amounts)):
            return self
        value = self.builder.splat(self.element_type, (), 0) if value is None else value
        properties = {name: int_array(numbers) for name, numbers in zip(PADDING, amounts, strict=True)}
        return self._moved(stablehlo.PadOp, padded_shape(self.shape, *amounts), value, **properties)

    # Linear algebra

    def solve(
        self,
        b: Tensor,
        form: Transpose = Transpose.NO_TRANSPOSE,
        *,
        is_left: bool = True,
        is_lower: bool = False,
        has_unit_diagonal: bool = False,
    ) -> Tensor:
        """x with a x = b, or x a = b unless `is_left`, for batches of triangles a."""
        properties = {
            "left_side": IntegerAttr(int(is_left), i1),
            "lower": IntegerAttr(int(is_lower), i1),
            "unit_diagonal": IntegerAttr(int(has_unit_diagonal), i1),
            "transpose_a": TransposeAttr(form),
        }
        return self.builder.emit(stablehlo.TriangularSolveOp, (self, b), (b.type,), properties)[0]

    def cholesky(self, is_lower: bool) -> Tensor:
        """The factor of each matrix of a batch."""
        lower = IntegerAttr(int(is_lower), i1)
        return self.builder.emit(stablehlo.CholeskyOp, (self,), (self.type,), {"lower": lower})[0]

    def reduce(self, op_type: type[Operation], initial: Number, dims: Sequence[int]) -> Tensor:
        """The elements along `dims` combined by a binary op."""
        if not dims:
            return self
        operands, body = (self, self.builder.splat(self.element_type, (), initial)), self.combination(op_type)
        types = (tensor_type(self.element_type, *stablehlo.ReduceOp.infer_shape(self.shape, dims)),)
        return self.builder.emit(stablehlo.ReduceOp, operands, types, {"dimensions": int_array(dims)}, (body,))[0]

    def scan(self, op_type: type[Operation], neutral: Number | bytes, dim: int, is_reverse: bool = False) -> Tensor:
        """Each element and all that are in front of it along `dim`, or behind it, combined by a binary op."""
        reach = self.shape[dim] - 1
        padding = [(0, 0)] * self.rank
        padding[dim] = (0, reach) if is_reverse else (reach, 0)
        operands, body = (self, self.builder.splat(self.element_type, (), neutral)), self.combination(op_type)
        properties: dict[str, Attribute] = {
            "window_dimensions": int_array([reach + 1 if each == dim else 1 for each in range(self.rank)]),
            "padding": padding_attr(padding),
        }
        return self.builder.emit(stablehlo.ReduceWindowOp, operands, (self.type,), properties, (body,))[0]

    def combination(self, op_type: type[Operation]) -> Region:
        """A region that combines two elements by a binary op."""
        scalar = tensor_type(self.element_type)
        return self.builder.region((scalar, scalar), lambda pair: self.builder.emit(op_type, pair, (scalar,)))

    def sum(self, dims: Sequence[int]) -> Tensor:
        return self.reduce(stablehlo.AddOp, 0, dims)

    def dot(
        self,
        other: Tensor,
        batch: tuple[Sequence[int], Sequence[int]],
        contracting: tuple[Sequence[int], Sequence[int]],
        element_type: Attribute | None = None,
        **properties: Attribute,
    ) -> Tensor:
        """`dot_general`: result dimensions are batch, those left of this tensor, those left of the other one."""
        dims = (*batch, *contracting)
        numbers = properties["dot_dimension_numbers"] = DotDimensionNumbersAttr(
            (tuple(dims[0]), tuple(dims[1]), tuple(dims[2]), tuple(dims[3]))
        )
        shape = stablehlo.DotGeneralOp.infer_shape(self.shape, other.shape, numbers)
        return self.builder.one(
            stablehlo.DotGeneralOp, (self, other), element_type or self.element_type, shape, **properties
        )
