"""The state of converting one function, and the helpers that build `llvm` ops in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
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
from ...dialects.editing import append, insert_before, new_op
from ...dialects.shared_attributes import i32_array, i64_attribute, symbol
from ...errors import UnsupportedError
from . import context_layout as slots
from .types import POINTER, Layout, is_integer, is_vector, layout, mangled

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


@cache
def _integer_attr(value: int, width: int) -> IntegerAttr[IntegerType]:
    return IntegerAttr(value, IntegerType(width), truncate_bits=True)


@cache
def _access_properties(alignment: int) -> dict[str, Attribute]:
    return {"ordering": _ORDERING, "alignment": i64_attribute(alignment)}


@cache
def _intrinsic_properties(name: str, operands: int) -> dict[str, Attribute]:
    return {
        "intrin": StringAttr(name),
        "fastmathFlags": NO_FAST_MATH,
        "op_bundle_sizes": _NO_BUNDLES,
        "operandSegmentSizes": i32_array(operands, 0),
    }


class FunctionLowering:
    """Converts the body of one function: maps its values to new ones and appends to the current block.

    Constants, allocas and what is read from the context go to the start of the entry block, once
    each. The linear index of an access is computed once per block.
    """

    def __init__(self, module: ModuleLowering, name: str, entry: Block):
        self.module = module
        self.name = name
        self.entry = entry
        self.block = entry
        self.values: dict[SSAValue, SSAValue] = {}
        self.blocks: dict[Block, Block] = {}
        self.integers: dict[SSAValue, int] = {}
        """Known values of integer and index values of the input."""
        self.sums: dict[SSAValue, tuple[SSAValue, int]] = {}
        """Index values of the input that are another value plus a constant."""
        self.context: SSAValue | None = None
        self.thread: SSAValue | None = None
        self.result_type: Attribute | None = None
        self._prologue: list[Operation] = []
        self._constants: dict[object, SSAValue] = {}
        self._globals: dict[str, SSAValue] = {}
        self._slots: dict[int, SSAValue] = {}
        self._work_counter: SSAValue | None = None
        self._early_return: Block | None = None
        self._addresses: dict[object, SSAValue] = {}
        self._layouts: dict[int, tuple[Attribute, Layout]] = {}
        self._fast_math: dict[object, llvm.FastMathAttr] = {}

    # Blocks

    def start_block(self, block: Block) -> None:
        """Makes `block` the one that ops are appended to."""
        self.block = block
        self._addresses = {}

    def finish(self) -> None:
        """Puts what belongs at the start of the entry block there."""
        first = self.entry.first_op
        assert first is not None
        for op in self._prologue:
            insert_before(op, first)

    # Ops

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

    def intrinsic(
        self,
        name: str,
        operands: Sequence[SSAValue],
        result_type: Attribute | None,
        fast_math: llvm.FastMathAttr = NO_FAST_MATH,
    ) -> SSAValue | None:
        """Appends a call of the LLVM intrinsic with the full (mangled) name `name`."""
        properties: Mapping[str, Attribute] = _intrinsic_properties(name, len(operands))
        if fast_math is not NO_FAST_MATH:
            properties = {**properties, "fastmathFlags": fast_math}
        op = new_op(llvm.CallIntrinsicOp, operands, () if result_type is None else (result_type,), properties)
        append(self.block, op)
        return op.results[0] if op.results else None

    def value_intrinsic(
        self,
        stem: str,
        operands: Sequence[SSAValue],
        result_type: Attribute,
        fast_math: llvm.FastMathAttr = NO_FAST_MATH,
    ) -> SSAValue:
        """A call of the intrinsic `stem`, overloaded on the type of its result."""
        value = self.intrinsic(f"{stem}.{mangled(result_type)}", operands, result_type, fast_math)
        assert value is not None
        return value

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
        op = new_op(
            llvm.CallOp, operands=operands, result_types=result_types, properties=properties, attributes=attributes
        )
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
        if (attr := self._fast_math.get(flags.data)) is None:
            attr = self._fast_math[flags.data] = llvm.FastMathAttr(flags.data)
        return attr

    # Constants and addresses of the entry block

    def constant(self, attr: Attribute, type: Attribute, key: object = None) -> SSAValue:
        """The constant `attr` of LLVM type `type`; one op for each key."""
        if key is not None and (value := self._constants.get(key)) is not None:
            return value
        op = new_op(llvm.ConstantOp, result_types=(type,), properties={"value": attr})
        self._prologue.append(op)
        (value,) = op.results
        if key is not None:
            self._constants[key] = value
        return value

    def integer(self, value: int, type: Attribute = i64) -> SSAValue:
        """An integer constant; for a vector type, the splat of it."""
        if is_vector(type):
            return self.constant(
                DenseIntOrFPElementsAttr.from_list(cast("VectorType[Any]", type), [value]), type, (value, type)
            )
        assert is_integer(type)
        key = (value, type.width.data)
        if (known := self._constants.get(key)) is not None:
            return known
        return self.constant(_integer_attr(value, type.width.data), type, key)

    def floating(self, value: float, type: Attribute) -> SSAValue:
        """A float constant; for a vector type, the splat of it."""
        if is_vector(type):
            attr: Attribute = DenseIntOrFPElementsAttr.from_list(cast("VectorType[Any]", type), [value])
        else:
            attr = FloatAttr(value, cast(Any, type))
        return self.constant(attr, type, ("float", value.hex(), type))

    def poison(self, type: Attribute) -> SSAValue:
        """The poison value of an LLVM type."""
        if (value := self._constants.get(("poison", type))) is None:
            op = new_op(llvm_extras.PoisonOp, result_types=(type,))
            self._prologue.append(op)
            value = self._constants["poison", type] = op.results[0]
        return value

    def alloca(self, type: Attribute, count: int, alignment: int) -> SSAValue:
        """Stack memory for `count` values of `type`, uninitialised, for the whole function."""
        size = self.integer(count)
        op = new_op(
            llvm.AllocaOp,
            operands=(size,),
            result_types=(POINTER,),
            properties={"elem_type": type, "alignment": i64_attribute(alignment)},
        )
        self._prologue.append(op)
        return op.results[0]

    def work_counter(self) -> SSAValue:
        """The variable with how much work this function may do until it asks the runtime whether to go on."""
        if self._work_counter is None:
            self._work_counter = self.alloca(i64, 1, 8)
            block, self.block = self.block, Block()
            self.store(self.integer(FIRST_WORK), self._work_counter, 8)
            self._take_to_entry(block)
        return self._work_counter

    def early_return(self) -> Block:
        """The block, behind all others, in which a function returns that is to stop."""
        if self._early_return is None:
            region = self.entry.parent
            assert region is not None
            results = () if self.result_type is None else (self.poison(self.result_type),)
            self._early_return = Block([new_op(llvm.ReturnOp, results)])
            region.add_block(self._early_return)
        return self._early_return

    def context_slot(self, slot: int, type: Attribute) -> SSAValue:
        """The value of a slot of the context, read in the entry block."""
        if (value := self._slots.get(slot)) is None:
            assert self.context is not None
            value = self._slots[slot] = self._read_at_entry(self.context, slot, type)
        return value

    def address_of_global(self, name: str) -> SSAValue:
        """The pointer to the constant with the symbol `name`."""
        if (value := self._globals.get(name)) is not None:
            return value
        index = self.module.large_constants.get(name)
        if index is None:
            value = self.address_of_symbol(name)
        else:
            table = self.context_slot(slots.CONSTANTS, POINTER)
            value = self._read_at_entry(table, index, POINTER)
        self._globals[name] = value
        return value

    def address_of_symbol(self, name: str) -> SSAValue:
        """The pointer to a function or global of this module."""
        op = new_op(llvm.AddressOfOp, result_types=(POINTER,), properties={"global_name": symbol(name)})
        self._prologue.append(op)
        return op.results[0]

    def _read_at_entry(self, table: SSAValue, index: int, type: Attribute) -> SSAValue:
        block, self.block = self.block, Block()
        value = self.load(self.element_pointer(table, self.integer(index), i64), type, 8)
        self._take_to_entry(block)
        return value

    def _take_to_entry(self, block: Block) -> None:
        """Moves the ops of the current block to the start of the entry block; goes on with `block`."""
        ops = list(self.block.ops)
        for op in ops:
            op.detach()
        self._prologue.extend(ops)
        self.block = block

    # Memory

    def element_pointer(
        self, base: SSAValue, index: SSAValue, type: Attribute, flags: Mapping[str, Attribute] = _INBOUNDS
    ) -> SSAValue:
        """The pointer to element `index` of the array of `type` at `base`."""
        return self.emit(llvm.GEPOp, (base, index), POINTER, {**flags, "elem_type": type})

    def field_pointer(self, struct: SSAValue, type: Attribute, index: int) -> SSAValue:
        """The pointer to field `index` of the struct of `type` at `struct`."""
        return self.emit(
            llvm.GEPOp,
            (struct,),
            POINTER,
            {
                **_INBOUNDS,
                "rawConstantIndices": i32_array(0, index),
                "elem_type": type,
            },
        )

    def load(self, pointer: SSAValue, type: Attribute, alignment: int) -> SSAValue:
        return self.emit(
            llvm.LoadOp,
            (pointer,),
            type,
            _access_properties(alignment),
        )

    def store(self, value: SSAValue, pointer: SSAValue, alignment: int) -> None:
        self.append(
            llvm.StoreOp,
            (value, pointer),
            _access_properties(alignment),
        )

    def layout(self, type: Attribute) -> Layout:
        """The layout of a memref type."""
        known = self._layouts.get(id(type))
        if known is None:
            known = (type, layout(cast("MemRefType[Attribute]", type)))
            self._layouts[id(type)] = known
        return known[1]

    def pointer_to(self, memref: SSAValue, indices: Sequence[SSAValue | int], layout: Layout) -> SSAValue:
        """The pointer to the element of `memref` at `indices` (values of the input or numbers)."""
        base = self.values[memref]
        terms: list[tuple[SSAValue, int]] = []
        offset = 0
        for index, stride in zip(indices, layout.strides, strict=True):
            known = index if isinstance(index, int) else self.integers.get(index)
            if known is not None:
                offset += known * stride
                continue
            assert isinstance(index, SSAValue)
            if (sum := self.sums.get(index)) is not None:
                index, addend = sum
                offset += addend * stride
            terms.append((index, stride))
        if not offset:
            return self._moved(base, tuple(terms), layout, _INBOUNDS)
        if not terms:
            return self.element_pointer(base, self.integer(offset), layout.storage.type)
        start = self._moved(base, tuple(terms), layout, ANYWHERE)
        key = (start, offset)
        if (pointer := self._addresses.get(key)) is None:
            pointer = self.element_pointer(start, self.integer(offset), layout.storage.type, ANYWHERE)
            self._addresses[key] = pointer
        return pointer

    def _moved(
        self, base: SSAValue, terms: tuple[tuple[SSAValue, int], ...], layout: Layout, flags: Mapping[str, Attribute]
    ) -> SSAValue:
        """`base` moved by the sum of `index * stride` over `terms`."""
        if not terms:
            return base
        linear = self._linear_index(terms)
        key = (base, linear, layout.storage.size)
        if (pointer := self._addresses.get(key)) is None:
            pointer = self.element_pointer(base, linear, layout.storage.type, flags)
            self._addresses[key] = pointer
        return pointer

    def _linear_index(self, terms: tuple[tuple[SSAValue, int], ...]) -> SSAValue:
        """The sum of `index * stride` over `terms`, at least one."""
        if (value := self._addresses.get(terms)) is not None:
            return value
        index, stride = terms[-1]
        value = self.values[index]
        if stride != 1:
            value = self.emit(llvm.MulOp, (value, self.integer(stride)), i64, NO_SIGNED_WRAP)
        if len(terms) > 1:
            value = self.emit(llvm.AddOp, (self._linear_index(terms[:-1]), value), i64, NO_SIGNED_WRAP)
        self._addresses[terms] = value
        return value

    # Errors

    def unsupported(self, op: Operation, reason: str) -> UnsupportedError:
        """The error for an op that has no conversion, naming its types and the function."""
        operands = ", ".join(str(operand.type) for operand in op.operands)
        results = ", ".join(str(result.type) for result in op.results)
        signature = f"{op.name} ({operands}) -> ({results})"
        return UnsupportedError(f"convert-to-llvm: {signature} in @{self.name}: {reason}", op)
