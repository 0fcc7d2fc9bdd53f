"""The state of converting one function, and the helpers that build `llvm` ops in it."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    UnitAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.dialects.utils import FastMathAttrBase
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...decisions.safepoints import FIRST_WORK
from ...dialects import llvm_extras
from ...dialects.dense import splat_bytes
from ...dialects.editing import append, become, drain, erase, insert_before, new_block, new_op, replace_all_uses
from ...dialects.shared_attributes import i32_array, i64_attribute, symbol
from ...errors import UnsupportedError
from . import context_layout as slots
from .types import FLOAT_BYTES, POINTER, Layout, Storage, is_vector, layout, mangled, value_type

if TYPE_CHECKING:
    from .convert_to_llvm import ModuleLowering

NO_PROPERTIES: Mapping[str, Attribute] = {}
NO_FAST_MATH = llvm.FastMathAttr("none")
FAST_MATH: Mapping[str, Attribute] = {"fastmathFlags": NO_FAST_MATH}
"""The properties of a float op without fast-math flags."""
WRAPS: Mapping[str, Attribute] = {"overflowFlags": IntegerAttr(0, i32)}
"""The properties of integer arithmetic modulo 2**n."""
NO_SIGNED_WRAP: Mapping[str, Attribute] = {"overflowFlags": IntegerAttr(1, i32)}
PREDICATES: dict[str, Mapping[str, Attribute]] = {
    name: {"predicate": i64_attribute(index)} for index, name in enumerate(llvm.ALL_ICMP_FLAGS)
}
"""The properties of `llvm.icmp` by name of its predicate."""
FLOAT_PREDICATES: dict[str, Mapping[str, Attribute]] = {
    name: {"predicate": i64_attribute(index), "fastmathFlags": NO_FAST_MATH}
    for index, name in enumerate(llvm.ALL_FCMP_FLAGS)
}
"""The properties of `llvm.fcmp` by name of its predicate."""

ONE_OPERAND: Mapping[str, Attribute] = {"operandSegmentSizes": i32_array(1, 0, 0)}
"""The properties of a conditional jump that passes nothing."""

_NO_BUNDLES = i32_array()
_CALL_PROPERTIES: dict[str, Attribute] = {
    "fastmathFlags": NO_FAST_MATH,
    "CConv": llvm.CallingConventionAttr("ccc"),
    "TailCallKind": llvm.TailCallKindAttr(llvm.TailCallKind.NONE),
    "op_bundle_sizes": _NO_BUNDLES,
}
_INBOUNDS: dict[str, Attribute] = {
    "rawConstantIndices": i32_array(llvm.GEP_USE_SSA_VAL),
    "noWrapFlags": IntegerAttr(3, i32),
    "inbounds": UnitAttr(),
}
ANYWHERE: dict[str, Attribute] = {
    "rawConstantIndices": i32_array(llvm.GEP_USE_SSA_VAL),
    "noWrapFlags": IntegerAttr(2, i32),
}
"""The properties of address arithmetic within the address space: `nusw`, which may leave a buffer and come back."""
_ORDERING = i64_attribute(0)


@lru_cache(1 << 12)
def integer_attr(value: int, width: int) -> IntegerAttr[IntegerType]:
    """The integer of so many bits that `value` is modulo a power of two."""
    return IntegerAttr(value, IntegerType(width), truncate_bits=True)


_fast_math_attr = cache(llvm.FastMathAttr)


@cache
def access_properties(alignment: int) -> dict[str, Attribute]:
    return {"ordering": _ORDERING, "alignment": i64_attribute(alignment)}


@cache
def intrinsic_properties(
    name: str, operands: int, fast_math: llvm.FastMathAttr = NO_FAST_MATH
) -> Mapping[str, Attribute]:
    """The properties of a call of the LLVM intrinsic with the full (mangled) name `name`."""
    return {
        "intrin": StringAttr(name),
        "fastmathFlags": fast_math,
        "op_bundle_sizes": _NO_BUNDLES,
        "operandSegmentSizes": i32_array(operands, 0),
    }


class FunctionLowering:
    """Converts the body of one function: gives values and ops those types and classes that `llvm` has for them.

    An op being converted is in no block. It becomes another one at the end of the current block, or other values take
    the place of its results. Constants, allocas and what is read from the context go to the start of the entry block,
    once each. The linear index of an access is computed once per block.
    """

    def __init__(self, module: ModuleLowering, name: str, entry: Block):
        self.module = module
        self.name = name
        self.entry = entry
        self.block = entry
        self.types: dict[SSAValue, Attribute] = {}
        """What the type of a value was before, where it is another one now."""
        self.registers: dict[SSAValue, tuple[Block | None, Sequence[SSAValue]]] = {}
        """Of vectors that have been taken apart, or put together, the vectors of one register; those of the first kind
        with the block that they may be used in."""
        self.perhaps_unused: list[Operation] = []
        """Ops that go in the end if nothing uses their results."""
        self.integers: dict[SSAValue, int] = {}
        """The values of integer constants."""
        self.sums: dict[SSAValue, tuple[SSAValue, int]] = {}
        """Indices that are another value plus a constant."""
        self.context: SSAValue | None = None
        self.thread: SSAValue | None = None
        self.result_type: Attribute | None = None
        self.streams = False
        """Whether it has stores that go past the caches."""
        self._prologue = new_block()
        self._known: dict[object, SSAValue] = {}
        """Values of the entry block by what they are."""
        self._early_return: Block | None = None
        self._addresses: dict[object, SSAValue] = {}
        self._views: dict[SSAValue, SSAValue] = {}
        """The pointer that a view of the same elements is; until the end users have the view, of other strides."""
        self._left: list[Operation] = []
        """Ops without a place, whose results still have users."""

    # Blocks

    def start_block(self, block: Block) -> None:
        """Makes `block` the one that ops are appended to."""
        self.block = block
        self._addresses = {}

    def insert_blocks(self, *blocks: Block) -> None:
        """Puts new blocks behind the current one."""
        region = self.block.parent
        assert region is not None
        region.insert_block_after(blocks, self.block)

    def finish(self) -> None:
        """Puts what belongs at the start of the entry block there, and pointers in the place of views."""
        first = self.entry.first_op
        assert first is not None
        for op in drain(self._prologue):
            insert_before(op, first)
        replace_all_uses(self._views)
        for op in self._left:
            erase(op)
        for op in reversed(self.perhaps_unused):
            if all(result.first_use is None for result in op.results):
                erase(op)

    # Ops

    def retype(self, value: SSAValue) -> None:
        """Gives a value of the input the type that it has in LLVM."""
        type = value._type
        value._type = converted = value_type(type)
        value._name = None
        if converted is not type:
            self.types[value] = type

    def become(
        self,
        op: Operation,
        op_class: type[Operation],
        properties: Mapping[str, Attribute] = NO_PROPERTIES,
        operands: Sequence[SSAValue] | None = None,
    ) -> None:
        """Appends `op` as an op of `llvm`, with the operands it has if none are given."""
        become(op, op_class, properties, operands)
        for result in op.results:
            if result._type.__class__ in FLOAT_BYTES:
                result._name = None
            else:
                self.retype(result)
        append(self.block, op)

    def replace(self, op: Operation, *values: SSAValue) -> None:
        """These values take the place of the results of `op`."""
        for result, value in zip(op.results, values, strict=True):
            if result._type.__class__ is MemRefType:
                self.retype(result)
                self._views[result] = self.pointer(value)
            else:
                result._name = None
                replace_all_uses({result: value})

    def drop(self, op: Operation) -> None:
        """Removes an op that has no place in a block, now or when its results have no users any more."""
        for result in op.results:
            if result.first_use is not None:
                self._left.append(op)
                return
        erase(op)

    def emit(
        self,
        op_class: type[Operation],
        operands: Sequence[SSAValue],
        result_type: Attribute,
        properties: Mapping[str, Attribute] = WRAPS,
    ) -> SSAValue:
        """Appends an op with one result and returns the result."""
        op = new_op(op_class, operands, (result_type,), properties)
        append(self.block, op)
        (result,) = op.results
        return result

    def append(
        self,
        op_class: type[Operation],
        operands: Sequence[SSAValue] = (),
        properties: Mapping[str, Attribute] = NO_PROPERTIES,
        successors: Sequence[Block] = (),
    ) -> None:
        """Appends an op without results."""
        append(self.block, new_op(op_class, operands, (), properties, successors=successors))

    def intrinsic(self, name: str, operands: Sequence[SSAValue]) -> None:
        """Appends a call of the LLVM intrinsic with the full (mangled) name `name`, which returns nothing."""
        self.append(llvm.CallIntrinsicOp, operands, intrinsic_properties(name, len(operands)))

    def value_intrinsic(
        self,
        stem: str,
        operands: Sequence[SSAValue],
        result_type: Attribute,
        fast_math: llvm.FastMathAttr = NO_FAST_MATH,
    ) -> SSAValue:
        """A call of the intrinsic `stem`, overloaded on the type of its result."""
        properties = intrinsic_properties(f"{stem}.{mangled(result_type)}", len(operands), fast_math)
        return self.emit(llvm.CallIntrinsicOp, operands, result_type, properties)

    def call(
        self,
        callee: str | None,
        operands: Sequence[SSAValue],
        result_types: Sequence[Attribute] = (),
        attributes: Mapping[str, Attribute] = NO_PROPERTIES,
    ) -> Sequence[SSAValue]:
        """A call of the function `callee`, or of the pointer `operands[0]` where that is None."""
        properties = {
            **_CALL_PROPERTIES,
            "operandSegmentSizes": i32_array(len(operands), 0),
        }
        if callee is not None:
            properties["callee"] = symbol(callee)
        op = new_op(llvm.CallOp, operands, result_types, properties, attributes)
        append(self.block, op)
        return op.results

    def call_support(self, name: str, operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """A call of a function that all programs share, which is then declared in the module."""
        return self.call(name, operands, self.module.support(name))

    def fast_math(self, op: Operation) -> llvm.FastMathAttr:
        """The fast-math flags of an `arith`, `math` or `vector` op as an attribute of `llvm`."""
        flags = cast(FastMathAttrBase | None, op.properties.get("fastmath"))
        if flags is None or not flags.data:
            return NO_FAST_MATH
        return _fast_math_attr(flags.data)

    # Constants and addresses of the entry block

    def once(self, key: object, make: Callable[[], SSAValue]) -> SSAValue:
        """What `make` gives where it builds at the start of the entry block; once for each key, unless that is None."""
        if (value := self._known.get(key)) is None:
            outer, self.block = self.block, self._prologue
            value = make()
            self.block = outer
            if key is not None:
                self._known[key] = value
        return value

    def constant(
        self, attr: Attribute, type: Attribute, key: object = None, given: Operation | None = None
    ) -> SSAValue:
        """The constant `attr` of LLVM type `type`; one op for each key, by default what it holds. The first one is what
        `given` becomes, if it has a constant to convert.
        """
        integer: int | None = None
        if key is None:
            of_class: Any = attr
            key = attr
            if of_class.__class__ is IntegerAttr:
                integer = of_class.value.data
                key = integer, of_class.type.width.data
            elif of_class.__class__ is DenseIntOrFPElementsAttr:
                element = splat_bytes(of_class)
                key = of_class.data.data if element is None else element, mangled(type)
        if (known := self._known.get(key)) is None:
            if given is None:
                given = new_op(llvm.ConstantOp, (), (type,), {"value": attr})
            else:
                become(given, llvm.ConstantOp, {"value": attr})
                self.retype(given.results[0])
            append(self._prologue, given)
            known = self._known[key] = given.results[0]
            if integer is not None:
                self.integers[known] = integer
        return known

    def integer(self, value: int, type: Any = i64) -> SSAValue:
        """An integer constant; for a vector type, the splat of it."""
        if type.__class__ is VectorType:
            return self.constant(DenseIntOrFPElementsAttr.from_list(type, [value]), type, (value, type))
        return self.constant(integer_attr(value, type.width.data), type)

    def floating(self, value: float, type: Attribute) -> SSAValue:
        """A float constant; for a vector type, the splat of it."""
        if is_vector(type):
            attr: Attribute = DenseIntOrFPElementsAttr.from_list(cast("VectorType[Any]", type), [value])
        else:
            attr = FloatAttr(value, cast(Any, type))
        return self.constant(attr, type, ("float", value.hex(), type))

    def poison(self, type: Attribute) -> SSAValue:
        """The poison value of an LLVM type."""
        return self.once(("poison", type), lambda: self.emit(llvm_extras.PoisonOp, (), type, NO_PROPERTIES))

    def alloca(self, type: Attribute, count: int, alignment: int) -> SSAValue:
        """Stack memory for `count` values of `type`, uninitialised, for the whole function."""
        properties = {"elem_type": type, "alignment": i64_attribute(alignment)}
        return self.once(None, lambda: self.emit(llvm.AllocaOp, (self.integer(count),), POINTER, properties))

    def work_counter(self) -> SSAValue:
        """The variable with how much work this function may do until it asks the runtime whether to go on."""

        def make() -> SSAValue:
            counter = self.alloca(i64, 1, 8)
            self.store(self.integer(FIRST_WORK), counter, 8)
            return counter

        return self.once("work counter", make)

    def early_return(self) -> Block:
        """The block, behind all others, in which a function returns that is to stop."""
        if self._early_return is None:
            region = self.entry.parent
            assert region is not None
            results = () if self.result_type is None else (self.poison(self.result_type),)
            self._early_return = Block([new_op(llvm.ReturnOp, results)])
            region.add_block(self._early_return)
        return self._early_return

    def context_slot(self, slot: int) -> SSAValue:
        """The pointer in a slot of the context, read in the entry block."""
        context = self.context
        assert context is not None
        return self.once(("slot", slot), lambda: self.load_slot(context, slot))

    def address_of_global(self, name: str) -> SSAValue:
        """The pointer to the constant with the symbol `name`."""
        index = self.module.large_constants.get(name)
        if index is None:
            return self.once(("global", name), lambda: self.address_of_symbol(name))
        return self.once(("global", name), lambda: self.load_slot(self.context_slot(slots.CONSTANTS), index))

    def address_of_symbol(self, name: str) -> SSAValue:
        """The pointer to a function or global of this module."""
        return self.once(None, lambda: self.emit(llvm.AddressOfOp, (), POINTER, {"global_name": symbol(name)}))

    # Memory

    def element_pointer(
        self, base: SSAValue, index: SSAValue, type: Attribute, flags: Mapping[str, Attribute] = _INBOUNDS
    ) -> SSAValue:
        """The pointer to element `index` of the array of `type` at `base`."""
        return self.emit(llvm.GEPOp, (base, index), POINTER, {**flags, "elem_type": type})

    def field_pointer(self, struct: SSAValue, type: Attribute, index: int) -> SSAValue:
        """The pointer to field `index` of the struct of `type` at `struct`."""
        indices = {"rawConstantIndices": i32_array(0, index), "elem_type": type}
        return self.emit(llvm.GEPOp, (struct,), POINTER, {**_INBOUNDS, **indices})

    def load(self, pointer: SSAValue, type: Attribute, alignment: int) -> SSAValue:
        return self.emit(llvm.LoadOp, (pointer,), type, access_properties(alignment))

    def load_slot(self, table: SSAValue, index: int) -> SSAValue:
        """The pointer at `index` of a table of slots of 8 bytes."""
        return self.load(self.element_pointer(table, self.integer(index), i64), POINTER, 8)

    def load_slot_integer(self, table: SSAValue, index: int) -> SSAValue:
        """The i64 at `index` of a table of slots of 8 bytes."""
        return self.load(self.element_pointer(table, self.integer(index), i64), i64, 8)

    def store(self, value: SSAValue, pointer: SSAValue, alignment: int) -> None:
        self.append(llvm.StoreOp, (value, pointer), access_properties(alignment))

    def layout(self, memref: SSAValue) -> Layout:
        """The layout of what was a memref, or is still to be converted to a pointer."""
        return layout(self.types.get(memref, memref._type))

    def pointer(self, memref: SSAValue) -> SSAValue:
        """The pointer to the first element of what was a memref."""
        return self._views.get(memref, memref)

    def pointer_to(self, memref: SSAValue, indices: Sequence[SSAValue | int], layout: Layout) -> SSAValue:
        """The pointer to the element of `memref` at `indices`."""
        base = self.pointer(memref)
        terms: list[tuple[SSAValue, int]] = []
        offset = 0
        for index, stride in zip(indices, layout.strides, strict=True):
            known = index if isinstance(index, int) else self.integers.get(index)
            if known is not None:
                offset += known * stride
                continue
            index = cast(SSAValue, index)
            if (sum := self.sums.get(index)) is not None:
                index, addend = sum
                offset += addend * stride
            terms.append((index, stride))
        at = layout.storage
        if not terms:
            return self.element_pointer(base, self.integer(offset), at.type) if offset else base
        flags = ANYWHERE if offset else _INBOUNDS
        start = self._moved(base, self._linear_index(tuple(terms)), at, flags)
        return self._moved(start, self.integer(offset), at, flags) if offset else start

    def _moved(self, base: SSAValue, index: SSAValue, at: Storage, flags: Mapping[str, Attribute]) -> SSAValue:
        """`base` moved by so many elements."""
        key = (base, index, at.size)
        if (pointer := self._addresses.get(key)) is None:
            pointer = self._addresses[key] = self.element_pointer(base, index, at.type, flags)
        return pointer

    def _linear_index(self, terms: tuple[tuple[SSAValue, int], ...]) -> SSAValue:
        """The sum of `index * stride` over `terms`, at least one."""
        if (value := self._addresses.get(terms)) is not None:
            return value
        value, stride = terms[-1]
        if stride != 1:
            value = self.emit(llvm.MulOp, (value, self.integer(stride)), i64, NO_SIGNED_WRAP)
        if len(terms) > 1:
            value = self.emit(llvm.AddOp, (self._linear_index(terms[:-1]), value), i64, NO_SIGNED_WRAP)
        self._addresses[terms] = value
        return value

    # Errors

    def unsupported(self, op: Operation, reason: str) -> UnsupportedError:
        """The error for an op that has no conversion, naming its types and the function."""
        operands = ", ".join(str(self.types.get(operand, operand.type)) for operand in op.operands)
        results = ", ".join(str(result.type) for result in op.results)
        signature = f"{op.name} ({operands}) -> ({results})"
        return UnsupportedError(f"convert-to-llvm: {signature} in @{self.name}: {reason}", op)
