"""Values of one type become one or more values of other types, in memory and out of it.

What `complex-expand-arithmetic` and its like share: `Expansion` walks the functions of a module of level 5 once, told
what a scalar type becomes (`parts_of`), what a memref of it becomes (`storage_of`), and how ops of its types are
converted (`handlers`, the patterns of an `ExpansionPass`). Loops, branches, calls and returns that carry such values
carry the parts; allocations, views, globals and accesses follow their memrefs, whose last dimension may be new.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import prod
from typing import Any, ClassVar, NamedTuple, cast

from typing_extensions import TypeIs
from xdsl.dialects import affine, arith, func, memref, scf
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FunctionType,
    IndexType,
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
from ...dialects.shared_attributes import i32_array, i64_array, i64_attribute, index_attribute
from ...errors import UnsupportedError
from ...ir.conversions import ConversionPass, Handlers

INDEX = IndexType()


def is_memref(type: Attribute) -> TypeIs[MemRefType[Attribute]]:
    """`isinstance`, with a type parameter."""
    return isinstance(type, MemRefType)


class Storage(NamedTuple):
    """How elements lie in memory: `parts` values of `element`, in a new last dimension if there is more than one."""

    element: Attribute
    parts: int = 1


class ExpansionPass(ConversionPass):
    """A pass whose handlers emit, through the expansion, what takes the place of an op, and return the parts of its
    result, None where it stays.
    """

    ALWAYS_APPLY = False


class Expansion(ABC):
    """The expansion of one module."""

    pass_name: ClassVar[str]

    def __init__(self, handlers: Handlers) -> None:
        self.handlers = handlers
        self.parts: dict[SSAValue, Sequence[SSAValue]] = {}
        self.anchor: Operation
        self.constants: dict[object, SSAValue] = {}
        self.entry: Block
        self._memrefs: dict[Attribute, Attribute] = {}
        self._replaced: list[Operation] = []
        self._arguments: list[BlockArgument] = []

    @abstractmethod
    def parts_of(self, type: Attribute) -> Sequence[Attribute] | None:
        """The types of the parts of a scalar of `type`, None where it stays."""

    @abstractmethod
    def storage_of(self, element: Attribute) -> Storage | None:
        """How elements of a type lie in memory, None where as before."""

    def enter(self, entry: Block) -> None:
        """A function with the entry block `entry` is next."""
        self.entry = entry
        self.constants = {}

    # Types

    def memref_type(self, type: Attribute) -> Attribute:
        """What a memref type becomes; any other type and a memref of other elements stays."""
        if not is_memref(type):
            return type
        known = self._memrefs.get(type)
        if known is None:
            known = self._memrefs[type] = self._new_memref_type(type)
        return known

    def _new_memref_type(self, type: MemRefType[Attribute]) -> Attribute:
        storage = self.storage_of(type.element_type)
        if storage is None:
            return type
        if storage.parts == 1:
            return MemRefType(storage.element, type.get_shape(), type.layout, type.memory_space)
        layout: Attribute = type.layout
        if isinstance(layout, StridedLayoutAttr):
            strides = [s if isinstance(s, NoneAttr) else s.data * storage.parts for s in layout.strides.data]
            offset = layout.offset
            layout = StridedLayoutAttr(
                [*strides, 1], offset if isinstance(offset, NoneAttr) else offset.data * storage.parts
            )
        return MemRefType(storage.element, [*type.get_shape(), storage.parts], cast(Any, layout), type.memory_space)

    def storage_behind(self, value: SSAValue) -> Storage | None:
        """The storage of the elements of a memref whose type is still the old one."""
        return self.storage_of(cast("MemRefType[Attribute]", value.type).element_type)

    # Emission

    def emit(
        self,
        op_type: type[Operation],
        operands: Sequence[SSAValue],
        result_types: Sequence[Attribute],
        properties: Mapping[str, Attribute] | None = None,
        regions: Sequence[Region] = (),
    ) -> Sequence[SSAValue]:
        """A new op in front of the one being replaced."""
        op = new_op(
            op_type,
            operands=operands,
            result_types=result_types,
            properties=properties or {},
            regions=regions,
            location=self.anchor.location,
        )
        insert_before(op, self.anchor)
        return op.results

    def constant(self, value: IntegerAttr[Any]) -> SSAValue:
        """An integer or index constant at the top of the function."""
        found = self.constants.get(value)
        if found is None:
            op = new_op(arith.ConstantOp, result_types=[value.type], properties={"value": value})
            self.put_first(op)
            found = self.constants[value] = op.results[0]
        return found

    def put_first(self, op: Operation) -> None:
        """`op` at the top of the function."""
        first = self.entry.first_op
        assert first is not None
        insert_before(op, first)

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
        seen: set[int] = set()
        for op in walk(module):
            types = op.function_type.inputs.data if type(op) is func.FuncOp else [r.type for r in op.results]
            for found in types:
                if id(found) not in seen:
                    seen.add(id(found))
                    if self.parts_of(found) is not None or self.memref_type(found) is not found:
                        return True
        return False

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
            self.enter(function.body.first_block)
            self._region(function.body)
            self._erase_replaced()
        inputs = [t for old in function.function_type.inputs for t in self._types(old)]
        outputs = [t for old in function.function_type.outputs for t in self._types(old)]
        function.properties["function_type"] = FunctionType.from_lists(inputs, outputs)

    def _types(self, type: Attribute) -> Sequence[Attribute]:
        parts = self.parts_of(type)
        return (self.memref_type(type),) if parts is None else parts

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
            new = self.memref_type(argument.type)
            if new is not argument.type:
                Rewriter.replace_value_with_new_type(argument, new)
            return
        first = argument.index + 1
        self.parts[argument] = [block.insert_arg(type, first + i) for i, type in enumerate(types)]
        self._arguments.append(argument)

    def _op(self, op: Operation) -> None:
        self.anchor = op
        handler = self.handlers.get(type(op))
        parts = None if handler is None else handler(self, op)
        if parts is not None:
            self.replace(op, parts)
            return
        for region in op.regions:
            self._region(region)
        self.anchor = op
        memory = _MEMORY.get(type(op))
        if memory is not None:
            memory(self, op)
        elif any(operand in self.parts for operand in op.operands) or any(
            self.parts_of(result.type) is not None for result in op.results
        ):
            self._carry(op)
        else:
            self._retype_results(op)

    def _retype_results(self, op: Operation) -> None:
        for result in op.results:
            old: Attribute = result.type
            if (new := self.memref_type(old)) is not old:
                Rewriter.replace_value_with_new_type(result, new)

    def replace(self, op: Operation, parts: Sequence[SSAValue]) -> None:
        """`op` has become `parts`: those of its result, or its result where that is of a type that stays."""
        if op.results:
            (result,) = op.results
            if self.parts_of(result.type) is None:
                (value,) = parts
                if value.name_hint is None:
                    value.name_hint = result.name_hint
                replace_uses(result, value)
            else:
                self.parts[result] = parts
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
        results = list(self.emit(type(op), self.flat(op.operands), types, properties, regions))
        cast(Operation, results[0].owner if results else op.prev_op).attributes.update(op.attributes)
        for result in op.results:
            count = len(self._types(result.type))
            if self.parts_of(result.type) is None:
                replace_uses(result, results[0])
            else:
                self.parts[result] = results[:count]
            del results[:count]
        self._replaced.append(op)

    # Memory

    def load(self, op: affine.LoadOp | memref.LoadOp) -> None:
        """A load for each part."""
        storage = self.storage_of(op.results[0].type)
        if storage is None:
            return
        parts: list[SSAValue] = []
        for part in range(storage.parts):
            operands, properties = self._address(op, list(op.operands), part, storage)
            parts += self.emit(type(op), operands, [storage.element], properties)
        self.replace(op, parts)

    def store(self, op: affine.StoreOp | memref.StoreOp) -> None:
        """A store for each part."""
        value, *address = op.operands
        storage = self.storage_of(value.type)
        if storage is None:
            return
        for index, part in enumerate(self.parts[value]):
            operands, properties = self._address(op, address, index, storage)
            self.emit(type(op), [part, *operands], [], properties)
        self.replace(op, ())

    def _address(
        self, op: Operation, operands: list[SSAValue], part: int, storage: Storage
    ) -> tuple[list[SSAValue], Mapping[str, Attribute]]:
        if storage.parts == 1:
            return operands, op.properties
        map = op.properties.get("map")
        if isinstance(map, AffineMapAttr):
            return operands, {**op.properties, "map": _extended(map, part)}
        return [*operands, self.constant(index_attribute(part))], op.properties

    def reshape(self, op: memref.CollapseShapeOp | memref.ExpandShapeOp) -> None:
        """The new dimension is a group of its own; without groups it joins the only one there is."""
        (result,) = op.results
        storage = self.storage_behind(result)
        if storage is not None and storage.parts > 1:
            new = _rank(result) if isinstance(op, memref.ExpandShapeOp) else _rank(op.operands[0]) - 1
            groups = [*op.reassociation.data, _group(new, new)] if op.reassociation.data else [_group(0, new)]
            op.properties["reassociation"] = ArrayAttr(groups)
            if isinstance(op, memref.ExpandShapeOp):
                shape = [*op.static_output_shape.get_values(), storage.parts]
                op.properties["static_output_shape"] = i64_array(*shape)
        self._retype_results(op)

    def subview(self, op: memref.SubviewOp) -> None:
        """All of the new dimension."""
        storage = self.storage_behind(op.result)
        if storage is not None and storage.parts > 1:
            for name, last in (("static_offsets", 0), ("static_sizes", storage.parts), ("static_strides", 1)):
                values = cast("DenseArrayBase[Any]", op.properties[name]).get_values()
                op.properties[name] = i64_array(*values, last)
        self._retype_results(op)


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
