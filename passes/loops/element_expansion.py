"""Values of one type become one or more values of other types, in memory and out of it.

What `complex-expand-arithmetic` and its like share: `Expansion` walks the functions of a module of level 5 once, told
what a scalar type becomes (`parts_of`) and how ops of its types are converted (`handlers`, the patterns of the pass).
Loops, branches, calls and returns that carry such values carry the parts; allocations, views, globals and accesses
follow their memrefs, whose last dimension may be new.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import prod
from typing import Any, ClassVar, cast

from xdsl.dialects import affine, arith, func, memref, scf
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FunctionType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineMap
from xdsl.rewriter import Rewriter

from ...dialects.editing import insert_before, new_op, replace_uses, walk
from ...dialects.shared_attributes import INDEX, i32_array, i64_array, i64_attribute, index_attribute
from ...errors import UnsupportedError
from ...ir.conversions import Handlers
from .emission import Emission


class Expansion(ABC):
    """The expansion of one module. Handlers emit what takes the place of an op, and return the parts of its results,
    None where it stays.
    """

    pass_name: ClassVar[str]

    def __init__(self, handlers: Handlers) -> None:
        self.handlers = handlers
        self.parts: dict[SSAValue, Sequence[SSAValue]] = {}
        self.emission: Emission
        """Into the function that is being expanded, in front of the op that is being replaced."""
        self._memrefs: dict[Attribute, Attribute] = {}
        self._replaced: list[Operation] = []
        self._arguments: list[BlockArgument] = []

    @abstractmethod
    def parts_of(self, type: Attribute) -> Sequence[Attribute] | None:
        """The types of the parts of a scalar of `type`, None where it stays. They are equal: in memory they lie next to
        each other, in a new last dimension if there is more than one.
        """

    # Types

    def memref_type(self, type: Attribute) -> Attribute:
        """What a memref type becomes; any other type and a memref of other elements stays."""
        if type.__class__ is not MemRefType:
            return type
        known = self._memrefs.get(type)
        if known is None:
            known = self._memrefs[type] = self._new_memref_type(cast("MemRefType[Attribute]", type))
        return known

    def _new_memref_type(self, type: MemRefType[Attribute]) -> Attribute:
        parts = self.parts_of(type.element_type)
        if parts is None:
            return type
        shape, layout = type.get_shape(), cast(Any, type.layout)
        if (count := len(parts)) > 1:
            shape = (*shape, count)
            if isinstance(layout, StridedLayoutAttr):
                *strides, offset = (
                    None if isinstance(number, NoneAttr) else number.data * count
                    for number in (*layout.strides.data, layout.offset)
                )
                layout = StridedLayoutAttr([*strides, 1], offset)
        return MemRefType(parts[0], shape, layout, type.memory_space)

    def _types(self, type: Attribute) -> Sequence[Attribute]:
        parts = self.parts_of(type)
        return (self.memref_type(type),) if parts is None else parts

    def _parts_behind(self, value: SSAValue) -> int:
        """How many parts have the elements of a memref whose type is still the old one."""
        return len(self._types(cast("MemRefType[Attribute]", value.type).element_type))

    def flat(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """`values`, those that have parts replaced by them."""
        return [part for value in values for part in self.parts.get(value, (value,))]

    # Walk

    def run(self, module: ModuleOp) -> None:
        """Expands every function and global of `module`."""
        if not self._has_work(module):
            return
        for op in module.body.block.ops:
            if isinstance(op, memref.GlobalOp):
                self._global(op)
            elif isinstance(op, func.FuncOp):
                self._function(op)

    def _has_work(self, module: ModuleOp) -> bool:
        """Whether a value is of a type to expand: what enters a function or comes out of an op."""
        seen: dict[int, Attribute] = {}
        for op in walk(module):
            for result in op.results:
                seen[id(result._type)] = result._type
            if op.__class__ is func.FuncOp:
                seen.update((id(type), type) for type in cast(func.FuncOp, op).function_type.inputs)
        return any(self._types(type) != (type,) for type in seen.values())

    def _global(self, op: memref.GlobalOp) -> None:
        type = self.memref_type(op.type)
        if type is op.type:
            return
        op.properties["type"] = type
        value = op.initial_value
        if isinstance(value, DenseIntOrFPElementsAttr):
            new = cast("MemRefType[Any]", type)
            data, size = value.data.data, prod(new.get_shape()) * new.element_type.compile_time_size
            if data and len(data) != size:
                data *= size // len(data)
            stored = TensorType(new.element_type, new.shape)
            op.properties["initial_value"] = DenseIntOrFPElementsAttr(stored, BytesAttr(data))

    def _function(self, function: func.FuncOp) -> None:
        if function.body.first_block is not None:
            self.emission = Emission(function.body.first_block)
            self._region(function.body)
            self._erase_replaced()
        inputs = [t for old in function.function_type.inputs for t in self._types(old)]
        outputs = [t for old in function.function_type.outputs for t in self._types(old)]
        function.properties["function_type"] = FunctionType.from_lists(inputs, outputs)

    def _region(self, region: Region) -> None:
        for block in region.blocks:
            for argument in block.args:
                self._argument(block, argument)
            for op in tuple(block.ops):
                self._op(op)

    def _erase_replaced(self) -> None:
        """Uses before definitions."""
        for op in reversed(self._replaced):
            op.detach()
            # Earlier passes may have left uses behind in ops that are no longer part of the module.
            op.erase(safe_erase=False)
        for argument in self._arguments:
            argument.block.erase_arg(argument)
        self._replaced.clear()
        self._arguments.clear()

    def _argument(self, block: Block, argument: BlockArgument) -> None:
        """Puts parts beside `argument`, or gives it its new type."""
        types = self.parts_of(argument.type)
        if types is None:
            self._retype([argument])
            return
        first = argument.index + 1
        self.parts[argument] = [block.insert_arg(type, first + i) for i, type in enumerate(types)]
        self._arguments.append(argument)

    def _op(self, op: Operation) -> None:
        self.emission.anchor = op
        handler = self.handlers.get(type(op))
        parts = None if handler is None else handler(self, op)
        if parts is not None:
            self._replace(op, parts)
            return
        for region in op.regions:
            self._region(region)
        self.emission.anchor = op
        memory = _MEMORY.get(type(op))
        if memory is not None:
            memory(self, op)
        elif any(operand in self.parts for operand in op.operands) or any(
            self.parts_of(result.type) is not None for result in op.results
        ):
            self._carry(op)
        else:
            self._retype(op.results)

    def _retype(self, values: Sequence[SSAValue]) -> None:
        """Gives values of types without parts their new types."""
        for value in values:
            old: Attribute = value.type
            if (new := self.memref_type(old)) is not old:
                Rewriter.replace_value_with_new_type(value, new)

    def _replace(self, op: Operation, values: Sequence[SSAValue]) -> None:
        """The results of `op` have become `values`: the parts of each, or itself where it is of a type that stays."""
        rest = list(values)
        for result in op.results:
            count = len(self._types(result.type))
            parts, rest = rest[:count], rest[count:]
            if self.parts_of(result.type) is not None:
                self.parts[result] = parts
                continue
            (value,) = parts
            if value.name_hint is None:
                value.name_hint = result.name_hint
            replace_uses(result, value)
        self._replaced.append(op)

    def _carry(self, op: Operation) -> None:
        """An op that only passes values on is made anew with their parts."""
        if type(op) not in _CARRIERS:
            types = ", ".join(str(value.type) for value in (*op.operands, *op.results))
            raise UnsupportedError(f"{self.pass_name}: no expansion for {op.name} ({types})", op)
        properties = dict(op.properties)
        if isinstance(op, affine.ForOp):
            sizes = [len(op.lowerBoundOperands), len(op.upperBoundOperands), len(self.flat(op.inits))]
            properties["operandSegmentSizes"] = i32_array(*sizes)
        types = [type for result in op.results for type in self._types(result.type)]
        regions = [op.detach_region(region) for region in list(op.regions)]
        operands = self.flat(op.operands)
        new = new_op(type(op), operands, types, properties, op.attributes, regions=regions, location=op.location)
        insert_before(new, op)
        self._replace(op, new.results)

    def select(self, op: arith.SelectOp) -> Sequence[SSAValue] | None:
        """A selection of each part: a handler that expansions share."""
        if op.lhs not in self.parts:
            return None
        pairs = zip(self.parts[op.lhs], self.parts[op.rhs], strict=True)
        return [self.emission.insert(arith.SelectOp, (op.cond, *pair), pair[0].type) for pair in pairs]

    # Memory

    def load(self, op: affine.LoadOp | memref.LoadOp) -> None:
        """A load for each part."""
        if (types := self.parts_of(op.results[0].type)) is not None:
            accesses = self._accesses(op, op.operands, len(types))
            self._replace(op, [self.emission.insert(type(op), operands, types[0], ps) for operands, ps in accesses])

    def store(self, op: affine.StoreOp | memref.StoreOp) -> None:
        """A store for each part."""
        value, *address = op.operands
        if self.parts_of(value.type) is not None:
            parts = self.parts[value]
            for part, (operands, properties) in zip(parts, self._accesses(op, address, len(parts)), strict=True):
                insert_before(new_op(type(op), [part, *operands], (), properties, location=op.location), op)
            self._replace(op, ())

    def _accesses(
        self, op: Operation, operands: Sequence[SSAValue], parts: int
    ) -> Iterator[tuple[Sequence[SSAValue], Mapping[str, Attribute]]]:
        """Operands and properties of an access to each part of the element that `op` accesses."""
        map = op.properties.get("map")
        for part in range(parts):
            if parts == 1:
                yield operands, op.properties
            elif isinstance(map, AffineMapAttr):
                yield operands, {**op.properties, "map": _extended(map, part)}
            else:
                yield [*operands, self.emission.constant(index_attribute(part), INDEX)], op.properties

    def reshape(self, op: memref.CollapseShapeOp | memref.ExpandShapeOp) -> None:
        """The new dimension is a group of its own; without groups it joins the only one there is."""
        (result,) = op.results
        parts = self._parts_behind(result)
        if parts > 1:
            new = _rank(result) if isinstance(op, memref.ExpandShapeOp) else _rank(op.operands[0]) - 1
            groups = [*op.reassociation.data, _group(new, new)] if op.reassociation.data else [_group(0, new)]
            op.properties["reassociation"] = ArrayAttr(groups)
            if isinstance(op, memref.ExpandShapeOp):
                op.properties["static_output_shape"] = i64_array(*op.static_output_shape.get_values(), parts)
        self._retype(op.results)

    def subview(self, op: memref.SubviewOp) -> None:
        """All of the new dimension."""
        parts = self._parts_behind(op.result)
        if parts > 1:
            for name, last in (("static_offsets", 0), ("static_sizes", parts), ("static_strides", 1)):
                values = cast("DenseArrayBase[Any]", op.properties[name]).get_values()
                op.properties[name] = i64_array(*values, last)
        self._retype(op.results)


def _rank(value: SSAValue) -> int:
    return len(cast("MemRefType[Any]", value.type).shape.data)


def _group(first: int, last: int) -> ArrayAttr[IntegerAttr]:
    return ArrayAttr([i64_attribute(dim) for dim in range(first, last + 1)])


@cache
def _extended(map: AffineMapAttr, last: int) -> AffineMapAttr:
    """`map` with one more result, a constant."""
    old = map.data
    return AffineMapAttr(AffineMap(old.num_dims, old.num_symbols, (*old.results, AffineConstantExpr(last))))


_MEMORY: dict[type[Operation], Callable[[Expansion, Any], None]] = {
    affine.LoadOp: Expansion.load,
    affine.StoreOp: Expansion.store,
    memref.LoadOp: Expansion.load,
    memref.StoreOp: Expansion.store,
    memref.CollapseShapeOp: Expansion.reshape,
    memref.ExpandShapeOp: Expansion.reshape,
    memref.SubviewOp: Expansion.subview,
}
_CARRIERS = {
    affine.ForOp,
    affine.YieldOp,
    func.CallOp,
    func.ReturnOp,
    scf.ConditionOp,
    scf.ForOp,
    scf.IfOp,
    scf.IndexSwitchOp,
    scf.WhileOp,
    scf.YieldOp,
}
