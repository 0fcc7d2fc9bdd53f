"""Tensors that emit StableHLO: what the `stablehlo-expand-*` passes are written in.

A `Tensor` is a value whose operators and methods create ops in front of an anchor op; result types follow from the
operands. Numbers become splat constants of the type of the other operand:

    variance = (x - mean).squared().sum([0]) / count   # subtract, multiply, reduce, divide
    low = word & 0xFFFF                                # and

Shifts are logical, `@` is not used, and comparisons have names (`x.less(y)`), as `==` compares Python objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from typing import Any, TypeAlias, cast

from numpy.typing import NDArray
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    IntegerType,
    Signedness,
    TensorType,
    f32,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...decisions.model import CostModel
from ...dialects import stablehlo
from ...dialects.dense import Number, attribute_of_bytes, pack_element, splat_attribute
from ...dialects.editing import append, clone, insert_before, new_op
from ...dialects.element_sizes import element_bits
from ...dialects.quant import UniformQuantizedType
from ...dialects.shared_attributes import i64_attribute
from ...dialects.stablehlo.attributes import ComparisonDirection, ComparisonDirectionAttr, DotDimensionNumbersAttr
from ...dialects.stablehlo.elementwise_binary import BinaryOp
from ...dialects.stablehlo.shapes import Shape, element_type_of, is_complex, real_type, shape_of
from ...reference.arrays import dtype_of
from .rewriting import int_array

Operand: TypeAlias = "Tensor | float"

Direction = ComparisonDirection

UI64 = IntegerType(64, Signedness.UNSIGNED)


class TensorBuilder:
    """Inserts ops in front of `anchor`, or at the end of `block`, and into the region that is being filled."""

    def __init__(self, anchor: Operation, block: Block | None = None, model: CostModel | None = None) -> None:
        self._anchor = anchor
        self._block = block
        self._model = model

    @property
    def model(self) -> CostModel:
        """What decides, for expansions that have a choice; other users of a builder give none."""
        assert self._model is not None
        return self._model

    def emit(
        self,
        op_type: type[Operation],
        operands: Sequence[Tensor],
        types: Sequence[Attribute],
        properties: Mapping[str, Attribute] = {},
        regions: Sequence[Region] = (),
        attributes: Mapping[str, Attribute] = {},
    ) -> list[Tensor]:
        """The results of a new op."""
        op = new_op(
            op_type,
            operands=[operand.value for operand in operands],
            result_types=types,
            properties=properties,
            attributes=attributes,
            regions=regions,
            location=self._anchor.location,
        )
        self._insert(op)
        return [Tensor(self, result) for result in op.results]

    def _insert(self, op: Operation) -> None:
        if self._block is not None:
            append(self._block, op)
        else:
            assert self._anchor.parent is not None
            insert_before(op, self._anchor)

    def wrap(self, *values: SSAValue) -> list[Tensor]:
        """Values as tensors."""
        return [Tensor(self, value) for value in values]

    def splat(self, element_type: Attribute, shape: Sequence[int], number: Number | bytes) -> Tensor:
        """The constant all of whose elements are `number`, given as bytes too; of quantised ones, what is stored."""
        stored = element_type.storage_type if isinstance(element_type, UniformQuantizedType) else element_type
        if not isinstance(number, bytes):
            number = pack_element(stored, complex(cast(Any, number)) if is_complex(element_type) else number)
        value = splat_attribute(TensorType(stored, shape), number)
        return self.emit(stablehlo.ConstantOp, (), (TensorType(element_type, shape),), {"value": value})[0]

    def constant(self, array: NDArray[Any], element_type: Attribute) -> Tensor:
        """The constant of an element type nearest to `array`."""
        type = TensorType(element_type, array.shape)
        data = array.astype(dtype_of(element_type)).tobytes()
        value = attribute_of_bytes(type, data)
        return self.emit(stablehlo.ConstantOp, (), (type,), {"value": value})[0]

    def iota(self, element_type: Attribute, shape: Sequence[int], dimension: int) -> Tensor:
        """Each element is its index along `dimension`."""
        properties = {"iota_dimension": i64_attribute(dimension)}
        return self.emit(stablehlo.IotaOp, (), (TensorType(element_type, shape),), properties)[0]

    def concatenate(self, tensors: Sequence[Tensor], dimension: int) -> Tensor:
        """The tensors one after the other."""
        shape = stablehlo.ConcatenateOp.infer_shape([tensor.shape for tensor in tensors], dimension)
        type = TensorType(tensors[0].element_type, shape)
        properties = {"dimension": i64_attribute(dimension)}
        return self.emit(stablehlo.ConcatenateOp, tensors, (type,), properties)[0]

    def vector(self, scalars: Sequence[Tensor]) -> Tensor:
        """Scalars as the elements of one tensor."""
        parts = [scalar.reshape((1,)) for scalar in scalars]
        return parts[0] if len(parts) == 1 else self.concatenate(parts, 0)

    def inline(self, region: Region, arguments: Sequence[Tensor]) -> list[Tensor]:
        """What `region`, a function of tensors of these shapes, returns; arguments become elements of its types."""
        block = region.block
        converted = [a.convert(element_type_of(b)) for a, b in zip(arguments, block.args, strict=True)]
        mapping: dict[SSAValue, SSAValue] = {b: a.value for a, b in zip(converted, block.args, strict=True)}
        for op in block.ops:
            if isinstance(op, stablehlo.ReturnOp):
                return self.wrap(*(mapping.get(operand, operand) for operand in op.operands))
            self._insert(clone(op, mapping))
        raise AssertionError("a region ends with stablehlo.return")

    def loop(
        self,
        trip_count: int | Tensor,
        state: Sequence[Tensor],
        body: Callable[[Tensor, list[Tensor]], Sequence[Tensor]],
    ) -> list[Tensor]:
        """`body(i, state)`, the next state, for i = 0, 1, ... below `trip_count`; i is a tensor<i32>."""
        initial = [self.splat(i32, (), 0), *state]
        types = [tensor.type for tensor in initial]
        condition, block = Block(arg_types=types), Block(arg_types=types)

        def next_state(values: list[Tensor]) -> list[Tensor]:
            return [values[0] + 1, *body(values[0], values[1:])]

        self._fill(condition, lambda values: [values[0].less(trip_count)])
        self._fill(block, next_state)
        return self.emit(stablehlo.WhileOp, initial, types, {}, (Region(condition), Region(block)))[1:]

    def _fill(self, block: Block, function: Callable[[list[Tensor]], Sequence[Tensor]]) -> None:
        """Fill `block` with the ops that `function` of its arguments emits, and return its results."""
        outer, self._block = self._block, block
        self.emit(stablehlo.ReturnOp, function(self.wrap(*block.args)), ())
        self._block = outer

    def region(self, types: Sequence[Attribute], function: Callable[[list[Tensor]], Sequence[Tensor]]) -> Region:
        """A region that computes `function`."""
        block = Block(arg_types=types)
        self._fill(block, function)
        return Region(block)


class Tensor:
    """A value, and the builder that inserts what is computed from it."""

    __slots__ = ("_builder", "value")

    def __init__(self, builder: TensorBuilder, value: SSAValue) -> None:
        self._builder = builder
        self.value = value

    @property
    def type(self) -> TensorType[Attribute]:
        return TensorType(self.element_type, self.shape)

    @property
    def shape(self) -> Shape:
        return shape_of(self.value)

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def element_type(self) -> Attribute:
        return element_type_of(self.value)

    def number(self, number: Number | bytes) -> Tensor:
        """`number` in the type of this tensor."""
        return self._builder.splat(self.element_type, self.shape, number)

    # Elementwise

    def _binary(self, op_type: type[Operation], other: Any, swapped: bool = False) -> Tensor:
        operand = other if isinstance(other, Tensor) else self.number(other)
        operands = (operand, self) if swapped else (self, operand)
        return self._builder.emit(op_type, operands, (self.type,))[0]

    def __add__(self, other: Operand) -> Tensor:
        return self._binary(stablehlo.AddOp, other)

    def __sub__(self, other: Operand) -> Tensor:
        return self._binary(stablehlo.SubtractOp, other)

    def __rsub__(self, other: float) -> Tensor:
        return self._binary(stablehlo.SubtractOp, other, swapped=True)

    def __mul__(self, other: Operand) -> Tensor:
        return self._binary(stablehlo.MulOp, other)

    def __truediv__(self, other: Operand) -> Tensor:
        return self._binary(stablehlo.DivOp, other)

    def __mod__(self, other: Operand) -> Tensor:
        return self._binary(stablehlo.RemOp, other)

    def __and__(self, other: Operand) -> Tensor:
        return self._binary(stablehlo.AndOp, other)

    def __or__(self, other: Operand) -> Tensor:
        return self._binary(stablehlo.OrOp, other)

    def __xor__(self, other: Operand) -> Tensor:
        return self._binary(stablehlo.XorOp, other)

    def maximum(self, other: Operand) -> Tensor:
        return self._binary(stablehlo.MaxOp, other)

    def minimum(self, other: Operand) -> Tensor:
        return self._binary(stablehlo.MinOp, other)

    def __lshift__(self, other: Operand) -> Tensor:
        return self._binary(stablehlo.ShiftLeftOp, other)

    def __rshift__(self, other: Operand) -> Tensor:
        return self._binary(stablehlo.ShiftRightLogicalOp, other)

    def __neg__(self) -> Tensor:
        return self.apply(stablehlo.NegOp)

    def apply(self, op_type: type[Operation], element_type: Attribute | None = None) -> Tensor:
        """A unary op, whose result has elements of this type unless another is given."""
        type = self.type if element_type is None else TensorType(element_type, self.shape)
        return self._builder.emit(op_type, (self,), (type,))[0]

    def compare(self, direction: ComparisonDirection, other: Operand) -> Tensor:
        """A tensor of i1."""
        operand = other if isinstance(other, Tensor) else self.number(other)
        comparison = stablehlo.CompareOp.allowed_types(self.element_type)[0]
        properties = {
            "comparison_direction": ComparisonDirectionAttr(direction),
            "compare_type": stablehlo.ComparisonTypeAttr(comparison),
        }
        return self._builder.emit(stablehlo.CompareOp, (self, operand), (TensorType(i1, self.shape),), properties)[0]

    def less(self, other: Operand) -> Tensor:
        return self.compare(Direction.LT, other)

    def greater(self, other: Operand) -> Tensor:
        return self.compare(Direction.GT, other)

    def at_least(self, other: Operand) -> Tensor:
        return self.compare(Direction.GE, other)

    def equals(self, other: Operand) -> Tensor:
        return self.compare(Direction.EQ, other)

    def select(self, on_true: Tensor, on_false: Tensor | float) -> Tensor:
        """`on_true` where this predicate is true, else `on_false`."""
        other = on_false if isinstance(on_false, Tensor) else on_true.number(on_false)
        return self._builder.emit(stablehlo.SelectOp, (self, on_true, other), (on_true.type,))[0]

    def convert(self, element_type: Attribute) -> Tensor:
        """The same numbers with elements of another type; itself if it has that type."""
        return self if self.element_type == element_type else self.apply(stablehlo.ConvertOp, element_type)

    def wide(self) -> Tensor:
        """Integers as i64; those that are too large for it become its greatest number."""
        is_wider = self.element_type == UI64
        return (self.minimum((1 << 63) - 1) if is_wider else self).convert(i64)

    def widened(self) -> Tensor:
        """In f32 if the elements are smaller floats, as XLA computes sums and factorisations."""
        element_type = self.element_type
        if isinstance(element_type, AnyFloat) and element_bits(element_type) < 32:
            return self.convert(f32)
        return self

    def bitcast(self, element_type: Attribute, shape: Sequence[int] | None = None) -> Tensor:
        """The same bits with elements of another type; `shape` where the widths differ."""
        if self.element_type == element_type:
            return self
        type = TensorType(element_type, self.shape if shape is None else shape)
        return self._builder.emit(stablehlo.BitcastConvertOp, (self,), (type,))[0]

    def sqrt(self) -> Tensor:
        return self.apply(stablehlo.SqrtOp)

    def rsqrt(self) -> Tensor:
        return self.apply(stablehlo.RsqrtOp)

    def imaginary(self) -> Tensor:
        """The imaginary part of a complex tensor."""
        return self.apply(stablehlo.ImagOp, real_type(self.element_type))

    def real(self) -> Tensor:
        """The real part; itself if it is real."""
        return self.apply(stablehlo.RealOp, real_type(self.element_type)) if is_complex(self.element_type) else self

    def conjugate(self) -> Tensor:
        """The complex conjugate; itself if it is real."""
        if not is_complex(self.element_type):
            return self
        return self.real().with_imaginary(-self.apply(stablehlo.ImagOp, real_type(self.element_type)))

    def with_imaginary(self, imaginary: Tensor) -> Tensor:
        """A complex tensor of which this is the real part."""
        type = TensorType(ComplexType(self.element_type), self.shape)  # pyright: ignore[reportArgumentType]
        return self._builder.emit(stablehlo.ComplexOp, (self, imaginary), (type,))[0]

    def as_type_of(self, other: Tensor) -> Tensor:
        """This real tensor with the elements of `other`, which may be complex."""
        return self.with_imaginary(self.number(0)) if is_complex(other.element_type) else self

    # Shapes

    def constant(self, array: NDArray[Any]) -> Tensor:
        """A constant with elements of this type."""
        return self._builder.constant(array, self.element_type)

    def concatenate(self, other: Tensor, dimension: int) -> Tensor:
        """`other` behind this tensor."""
        return self._builder.concatenate((self, other), dimension)

    def reverse(self, dims: Sequence[int]) -> Tensor:
        """The elements in reverse order along `dims`."""
        return self._builder.emit(stablehlo.ReverseOp, (self,), (self.type,), {"dimensions": int_array(dims)})[0]

    def reshape(self, shape: Sequence[int]) -> Tensor:
        """With another shape; a size of -1 follows from the others."""
        if -1 in shape:
            known = -prod(shape)
            shape = [prod(self.shape) // known if size == -1 else size for size in shape]
        if self.shape == tuple(shape):
            return self
        return self._builder.emit(stablehlo.ReshapeOp, (self,), (TensorType(self.element_type, shape),))[0]

    def broadcast(self, shape: Sequence[int], dims: Sequence[int]) -> Tensor:
        """Dimension i becomes dimension `dims[i]` of `shape`."""
        if self.shape == tuple(shape):
            return self
        type = TensorType(self.element_type, shape)
        properties = {"broadcast_dimensions": int_array(dims)}
        return self._builder.emit(stablehlo.BroadcastInDimOp, (self,), (type,), properties)[0]

    def transpose(self, permutation: Sequence[int]) -> Tensor:
        if list(permutation) == list(range(self.rank)):
            return self
        type = TensorType(self.element_type, [self.shape[dim] for dim in permutation])
        return self._builder.emit(stablehlo.TransposeOp, (self,), (type,), {"permutation": int_array(permutation)})[0]

    def slice(self, ranges: Mapping[int, tuple[int, int]]) -> Tensor:
        """Elements from start below limit in some dimensions, all in the others."""
        starts, limits = [0] * self.rank, list(self.shape)
        for dim, (start, limit) in ranges.items():
            starts[dim], limits[dim] = start, limit
        properties = {
            "start_indices": int_array(starts),
            "limit_indices": int_array(limits),
            "strides": int_array([1] * self.rank),
        }
        shape = [limit - start for start, limit in zip(starts, limits, strict=True)]
        if shape == list(self.shape):
            return self
        return self._builder.emit(stablehlo.SliceOp, (self,), (TensorType(self.element_type, shape),), properties)[0]

    def at(self, index: int) -> Tensor:
        """Element `index` along the first dimension, which goes."""
        return self.slice({0: (index, index + 1)}).reshape(self.shape[1:])

    def _starts(self, starts: Mapping[int, Tensor]) -> Iterable[Tensor]:
        zero = self._builder.splat(i32, (), 0)
        return [starts.get(dim, zero) for dim in range(self.rank)]

    def dynamic_slice(self, starts: Mapping[int, Tensor], sizes: Mapping[int, int]) -> Tensor:
        """`sizes` elements from `starts` in some dimensions, all in the others."""
        shape = [sizes.get(dim, size) for dim, size in enumerate(self.shape)]
        operands = (self, *self._starts(starts))
        properties = {"slice_sizes": int_array(shape)}
        type = TensorType(self.element_type, shape)
        return self._builder.emit(stablehlo.DynamicSliceOp, operands, (type,), properties)[0]

    def updated(self, update: Tensor, starts: Mapping[int, Tensor]) -> Tensor:
        """With `update` written at `starts`, which is 0 in the dimensions not mentioned."""
        operands = (self, update, *self._starts(starts))
        return self._builder.emit(stablehlo.DynamicUpdateSliceOp, operands, (self.type,))[0]

    def pad(self, high: Mapping[int, int]) -> Tensor:
        """With zeros behind the last elements of some dimensions."""
        if not any(high.values()):
            return self
        amounts = [high.get(dim, 0) for dim in range(self.rank)]
        zeros = [0] * self.rank
        properties = {
            "edge_padding_low": int_array(zeros),
            "edge_padding_high": int_array(amounts),
            "interior_padding": int_array(zeros),
        }
        shape = [size + amount for size, amount in zip(self.shape, amounts, strict=True)]
        zero = self._builder.splat(self.element_type, (), 0)
        return self._builder.emit(stablehlo.PadOp, (self, zero), (TensorType(self.element_type, shape),), properties)[0]

    # Sums

    def reduce(self, op_type: type[BinaryOp], initial: Number, dims: Sequence[int]) -> Tensor:
        """The elements along `dims` combined by `op_type`."""
        if not dims:
            return self
        scalar = TensorType(self.element_type, ())
        shape = stablehlo.ReduceOp.infer_shape(self.shape, dims)
        body = self._builder.region((scalar, scalar), lambda pair: self._builder.emit(op_type, pair, (scalar,)))
        operands = (self, self._builder.splat(self.element_type, (), initial))
        types = (TensorType(self.element_type, shape),)
        return self._builder.emit(stablehlo.ReduceOp, operands, types, {"dimensions": int_array(dims)}, (body,))[0]

    def sum(self, dims: Sequence[int]) -> Tensor:
        return self.reduce(stablehlo.AddOp, 0, dims)

    def dot(
        self,
        other: Tensor,
        batch: tuple[Sequence[int], Sequence[int]],
        contracting: tuple[Sequence[int], Sequence[int]],
        element_type: Attribute | None = None,
    ) -> Tensor:
        """`dot_general`: result dimensions are batch, those left of this tensor, those left of the other one."""
        numbers = DotDimensionNumbersAttr(
            (tuple(batch[0]), tuple(batch[1]), tuple(contracting[0]), tuple(contracting[1]))
        )
        shape = stablehlo.DotGeneralOp.infer_shape(self.shape, other.shape, numbers)
        type = TensorType(self.element_type if element_type is None else element_type, shape)
        properties = {"dot_dimension_numbers": numbers}
        return self._builder.emit(stablehlo.DotGeneralOp, (self, other), (type,), properties)[0]


def swap_last(x: Tensor) -> Tensor:
    """The last two dimensions exchanged."""
    return x.transpose((*range(x.rank - 2), x.rank - 1, x.rank - 2))
