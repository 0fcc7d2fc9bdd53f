"""What makes the ops of tensors, in front of an op or in a block."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from numpy.typing import NDArray
from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ..decisions.model import CostModel
from ..dialects import stablehlo
from ..dialects.dense import Number, attribute_of_bytes, pack_element, splat_attribute
from ..dialects.editing import append, clone, insert_before, new_op
from ..dialects.quant import UniformQuantizedType
from ..dialects.shared_attributes import i64_attribute, tensor_type
from ..dialects.stablehlo.shapes import Shape, element_type_of, is_complex
from ..reference.arrays import dtype_of
from .rewriter import Rewriter
from .tensors import Tensor


class TensorBuilder:
    """Inserts ops in front of `anchor`, or at the end of `block`, and into the region that is being filled."""

    def __init__(self, anchor: Operation, block: Block | None = None, model: CostModel | None = None) -> None:
        self.anchor = anchor
        self._block = block
        self._model = model
        self._constants: dict[tuple[Attribute, Shape, bytes], Tensor] = {}

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
        values = [operand.value for operand in operands]
        op = new_op(op_type, values, types, properties, attributes, regions=regions, location=self.anchor.location)
        self.insert(op)
        return [Tensor(self, result) for result in op.results]

    def insert(self, op: Operation) -> None:
        """Insert an op that has been made elsewhere."""
        if self._block is not None:
            append(self._block, op)
        else:
            assert self.anchor.parent is not None
            insert_before(op, self.anchor)

    def one(
        self,
        op_type: type[Operation],
        operands: Sequence[Tensor],
        element_type: Attribute,
        shape: Sequence[int],
        **properties: Attribute,
    ) -> Tensor:
        """The result of a new op that has one, of this type."""
        return self.emit(op_type, operands, (tensor_type(element_type, *shape),), properties)[0]

    def wrap(self, *values: SSAValue) -> list[Tensor]:
        """Values as tensors."""
        return [Tensor(self, value) for value in values]

    def splat(self, element_type: Attribute, shape: Sequence[int], number: Number | bytes) -> Tensor:
        """The constant all of whose elements are `number`, given as bytes too; of quantised ones, what is stored."""
        stored = element_type.storage_type if isinstance(element_type, UniformQuantizedType) else element_type
        if not isinstance(number, bytes):
            number = pack_element(stored, complex(cast(Any, number)) if is_complex(element_type) else number)
        key = element_type, tuple(shape), number
        constant = self._constants.get(key)
        if constant is None:
            value = splat_attribute(tensor_type(stored, *shape), number)
            constant = self._constants[key] = self.one(stablehlo.ConstantOp, (), element_type, shape, value=value)
        return constant

    def constant(self, array: NDArray[Any], element_type: Attribute) -> Tensor:
        """The constant of an element type nearest to `array`."""
        data = array.astype(dtype_of(element_type)).tobytes()
        value = attribute_of_bytes(tensor_type(element_type, *array.shape), data)
        return self.one(stablehlo.ConstantOp, (), element_type, array.shape, value=value)

    def iota(self, element_type: Attribute, shape: Sequence[int], dimension: int) -> Tensor:
        """Each element is its index along `dimension`."""
        return self.one(stablehlo.IotaOp, (), element_type, shape, iota_dimension=i64_attribute(dimension))

    def concatenate(self, tensors: Sequence[Tensor], dimension: int) -> Tensor:
        """The tensors one after the other."""
        shape = stablehlo.ConcatenateOp.infer_shape([tensor.shape for tensor in tensors], dimension)
        place = i64_attribute(dimension)
        return self.one(stablehlo.ConcatenateOp, tensors, tensors[0].element_type, shape, dimension=place)

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
            self.insert(clone(op, mapping))
        raise AssertionError("a region ends with stablehlo.return")

    def loop(
        self,
        trip_count: int | Tensor,
        state: Sequence[Tensor],
        body: Callable[[Tensor, list[Tensor]], Sequence[Tensor]],
        index_type: Attribute = i32,
    ) -> list[Tensor]:
        """`body(i, state)`, the next state, for i = 0, 1, ... below `trip_count`; i is a scalar of `index_type`."""
        initial = [self.splat(index_type, (), 0), *state]
        types = [tensor.type for tensor in initial]
        regions = (
            self.region(types, lambda values: [values[0] < trip_count]),
            self.region(types, lambda values: [values[0] + 1, *body(values[0], values[1:])]),
        )
        return self.emit(stablehlo.WhileOp, initial, types, {}, regions)[1:]

    def region(self, types: Sequence[Attribute], function: Callable[[list[Tensor]], Sequence[Tensor]]) -> Region:
        """A region that computes `function`."""
        block = Block(arg_types=types)
        outer = self._block, self._constants
        self._block, self._constants = block, {}
        self.emit(stablehlo.ReturnOp, function(self.wrap(*block.args)), ())
        self._block, self._constants = outer
        return Region(block)


class PatternBuilder(TensorBuilder):
    """Inserts by the rewriter of a pattern, in front of the op that is being rewritten."""

    def __init__(self, rewriter: Rewriter) -> None:
        assert rewriter._current_operation is not None
        super().__init__(rewriter._current_operation, model=rewriter.model)
        self._rewriter = rewriter

    def insert(self, op: Operation) -> None:
        if self._block is None:
            self._rewriter.insert(op)
        else:  # a region that is being filled, of an op that the rewriter inserts
            super().insert(op)


def tensor(value: SSAValue, rewriter: Rewriter) -> Tensor:
    """`value` in a pattern."""
    return Tensor(PatternBuilder(rewriter), value)
