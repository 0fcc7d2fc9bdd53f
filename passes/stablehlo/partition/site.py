"""An op of the global program while it is partitioned: its operands and results, and what emits local ops."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AnyFloat, IntegerAttr, IntegerType, TensorType, f32, i32
from xdsl.ir import Attribute, Operation, Region, SSAValue

from ....diagnostics import remark
from ....dialects import stablehlo
from ....dialects.editing import clone_region
from ....dialects.element_sizes import element_bits
from ....dialects.shared_attributes import tensor_type
from ....dialects.stablehlo.shapes import element_type_of, shape_of
from ....errors import UnsupportedError
from ....ir.captures import captured
from ....ir.tensor_builder import Tensor, TensorBuilder
from .collectives import Emitter
from .devices import Devices, Digits, Layout, replicated
from .values import Value

if TYPE_CHECKING:
    from .partitioner import Partitioner

Handler = Callable[["Site"], None]
"""Partitions an op: asks for its operands in the layouts it needs, and defines its results."""


class Site:
    """One op of the global program, and where the ops of the local one go."""

    def __init__(self, partitioner: Partitioner, op: Operation, builder: TensorBuilder) -> None:
        self.partitioner = partitioner
        self.op = op
        self.builder = builder
        self.emitter: Emitter = partitioner.emitter
        self.devices: Devices = partitioner.devices

    # Operands and results

    @property
    def operands(self) -> list[Value]:
        """The operands; all are tensors."""
        return [self.partitioner.value(operand) for operand in self.op.operands]

    def read(self, index: int, layout: Layout) -> Tensor:
        """Operand `index` in `layout`; what is computed from it goes where the op is."""
        return Tensor(self.builder, self.operands[index].in_layout(layout).value)

    def define(self, index: int, layout: Layout, tensor: Tensor, combiner: type[Operation] = stablehlo.AddOp) -> None:
        """`tensor` is result `index` in `layout`; the parts of a partial one are combined by `combiner`."""
        value = self.partitioner.define(self.op.results[index])
        value.combiner = combiner
        value.add(layout, tensor)

    def value(self, index: int, layout: Layout, tensor: Tensor, combiner: type[Operation] = stablehlo.AddOp) -> Value:
        """A tensor of the type of result `index` on the way to it."""
        type = cast("TensorType[Attribute]", self.op.results[index].type)
        value = Value(self.emitter, type, None, self.partitioner.costs)
        value.combiner = combiner
        value.add(layout, tensor)
        return value

    def define_made(self, make: Callable[[Layout], Tensor], index: int = 0) -> None:
        """Result `index` can be made in any layout."""
        self.partitioner.define(self.op.results[index]).make = make

    # Emitting

    def local_shape(self, shape: Sequence[int], layout: Layout) -> tuple[int, ...]:
        """The part of each device."""
        return self.devices.local_shape(shape, layout)

    def local_type(self, value: SSAValue, layout: Layout) -> TensorType[Attribute]:
        """The type of each device's part of `value`."""
        return tensor_type(element_type_of(value), *self.local_shape(shape_of(value), layout))

    def emit(
        self,
        operands: Sequence[Tensor],
        layouts: Sequence[Layout],
        properties: Mapping[str, Attribute] = {},
        *,
        is_wide: bool = False,
    ) -> list[Tensor]:
        """The op on local operands, with results by `layouts`; `properties` replace those of the op. With `is_wide`,
        partial results have elements of `parts_type`.
        """
        types = [self.local_type(result, layout) for result, layout in zip(self.op.results, layouts, strict=True)]
        if is_wide and layouts[0].partial:
            types = [tensor_type(parts_type(type.element_type), *type.get_shape()) for type in types]
        regions = [self.region(region) for region in self.op.regions]
        attributes = {name: value for name, value in self.op.attributes.items() if not name.startswith("sdy.")}
        merged = {**self.op.properties, **properties}
        return self.builder.emit(type(self.op), operands, types, merged, regions, attributes)

    def region(self, region: Region) -> Region:
        """A computation on scalars as it is; what it uses from outside is on every device."""
        mapping: dict[SSAValue, SSAValue] = {}
        for operand in dict.fromkeys(captured([region])):
            value = self.partitioner.value(operand)
            mapping[operand] = value.in_layout(replicated(value.rank)).value
        return clone_region(region, mapping)

    # Padding

    def is_padded(self, size: int, digits: Digits) -> bool:
        """Whether some devices have elements that do not count of a dimension of `size`."""
        return size % self.devices.parts(digits) != 0

    def masked(
        self, x: Tensor, shape: Sequence[int], layout: Layout, dims: Sequence[int], fill: Tensor | bytes | int
    ) -> Tensor:
        """`x`, a part of a tensor of `shape`, with `fill`, a scalar or an element, in the padding of `dims`."""
        for dim in dims:
            digits = layout.dimensions[dim]
            if self.is_padded(shape[dim], digits):
                other = fill.broadcast(x.shape, ()) if isinstance(fill, Tensor) else x.number(fill)
                x = (self.indices(x.shape, dim, digits) < shape[dim]).select(x, other)
        return x

    def indices(self, local: Sequence[int], dim: int, digits: Digits) -> Tensor:
        """The index in the global tensor of each element of a part of shape `local`, along `dim`."""
        places = self.builder.iota(i32, local, dim)
        if not digits:
            return places
        return places + self.emitter.offset(digits, local[dim]).broadcast(local, ())

    def not_divided(self, reason: str) -> None:
        """Says that some devices do the same work as others; an error where the pass is strict."""
        message = f"'{self.op.name}' op is not divided: {reason}"
        if self.partitioner.strict:
            raise UnsupportedError(message, self.op)
        remark(self.op, message)

    def unsupported(self, what: str) -> UnsupportedError:
        """The error that says what cannot be partitioned."""
        return UnsupportedError(f"'{self.op.name}' op: {what} cannot be partitioned", self.op)


def integer(op: Operation, name: str) -> int:
    """The value of a property that is one integer."""
    return cast("IntegerAttr[IntegerType]", op.properties[name]).value.data


def parts_type(element_type: Attribute) -> Attribute:
    """The elements of parts of a sum: as wide as one device adds in, which rounds once."""
    is_narrow = isinstance(element_type, AnyFloat) and element_bits(element_type) < 32
    return f32 if is_narrow else element_type
