"""One row for each op of the `llvm` dialect: how it reads as an instruction.

Every op of a program passes here: `op._operands` is what the view `op.operands` is of, without making the view.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ...decisions.search import CACHED_TEXTS
from ...dialects import llvm_extras
from ...dialects.xrt_names import SAFEPOINT_CALL
from ...errors import UnsupportedError
from ..to_llvm.types import is_vector, mangled
from .debug_info import DebugInfo
from .text_of_types import constant_text, symbol_text, type_text

_FAST_MATH_ORDER = ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn")


class Declarations:
    """The intrinsics a module calls, by name, and the metadata of its loops; with `debug_info` that of its lines."""

    def __init__(self, debug_info: bool = False) -> None:
        self.lines: dict[str, str] = {}
        self._known: set[tuple[str, ...]] = set()
        self._metadata = 0
        self.debug_info = DebugInfo(self._node) if debug_info else None

    def add(self, name: str, result: str, arguments: Sequence[str]) -> None:
        """Notes that `name` is called with these types."""
        signature = (name, result, *arguments)
        if signature in self._known:
            return
        self._known.add(signature)
        line = f"declare {result} {symbol_text(name)}({', '.join(arguments)})"
        if self.lines.setdefault(name, line) != line:
            raise UnsupportedError(f"LLVM IR: {name} is called with two signatures")

    def loop(self, property: str) -> str:
        """The metadata of one more loop, which has `property`."""
        if property not in self.lines:
            self.lines[property] = f'{self._node()} = !{{!"{property}"}}'
        node = self._node()
        self.lines[node] = f"{node} = distinct !{{{node}, {self.lines[property].partition(' ')[0]}}}"
        return node

    def streaming(self) -> str:
        """The metadata of stores that go past the caches."""
        if "nontemporal" not in self.lines:
            self.lines["nontemporal"] = f"{self._node()} = !{{i32 1}}"
        return self.lines["nontemporal"].partition(" ")[0]

    @property
    def located(self) -> list[str]:
        """All lines."""
        return [*self.lines.values(), *(self.debug_info.lines.values() if self.debug_info is not None else ())]

    def _node(self) -> str:
        self._metadata += 1
        return f"!{self._metadata - 1}"


@dataclass
class FunctionScope:
    """What the instructions of one function refer to."""

    declarations: Declarations
    names: Mapping[int, str]
    """Every value as an operand, by `id` of the value: dicts find values by a call of Python's."""
    lines: list[str] = field(default_factory=list[str])
    """What is written so far."""
    symbols: set[str] = field(default_factory=set[str])
    """The functions and constants that it names."""

    types: dict[int, str] = field(default_factory=dict[int, str])
    casts: int = 0
    """How many instructions there are that have names of their own."""

    def typed(self, value: SSAValue) -> str:
        type = value._type
        text = self.types.get(id(type))
        if text is None:
            text = self.types[id(type)] = type_text(type)
        return f"{text} {self.names[id(value)]}"


Writer = Callable[[Any, FunctionScope], str]
"""The instruction that an op is, without its result."""

Words = Callable[[Any], str]
"""A part of an instruction: flags with a space before each, a type, or what comes last."""


def _nothing(op: Operation) -> str:
    return ""


# Flags and the like


@lru_cache(CACHED_TEXTS)
def _fast_math_words(flags: frozenset[Any]) -> str:
    names = {str(flag) for flag in flags}
    if len(names) == len(_FAST_MATH_ORDER):
        return " fast"
    return "".join([f" {name}" for name in _FAST_MATH_ORDER if name in names])


def _fast_math(op: Operation) -> str:
    flags: Any = op.properties.get("fastmathFlags")
    return "" if flags is None or not flags.data else _fast_math_words(flags.data)


def _integer_property(op: Operation, name: str) -> int | None:
    attr: Any = op.properties.get(name)
    return None if attr is None else attr.value.data


_OVERFLOW = ("", " nsw", " nuw", " nuw nsw")


def _overflow(op: Operation) -> str:
    attr = op.properties.get("overflowFlags")
    if attr is None:
        return ""
    if attr.__class__ is IntegerAttr:
        return _OVERFLOW[cast("IntegerAttr[Any]", attr).value.data]
    return _OVERFLOW[cast(llvm.OverflowAttr, attr).to_int()]


def _unit(name: str, text: str) -> Words:
    return lambda op: text if name in op.properties else ""


_exact = _unit("isExact", " exact")


def _predicate(names: Sequence[str]) -> Words:
    return lambda op: f"{_fast_math(op)} {names[op.properties['predicate'].value.data]}"


_INTEGER_PREDICATES = [str(flag) for flag in llvm.ALL_ICMP_FLAGS]
_FLOAT_PREDICATES = [str(flag).removeprefix("_") for flag in llvm.ALL_FCMP_FLAGS]


def _alignment(op: Operation) -> str:
    """The alignment of a load, store or alloca that is not atomic."""
    if _integer_property(op, "ordering"):
        raise UnsupportedError(f"LLVM IR: no text for atomic {op.name}")
    alignment = _integer_property(op, "alignment")
    return "" if alignment is None else f", align {alignment}"


def _to_result(op: Operation) -> str:
    return f" to {type_text(op.results[0].type)}"


def _type_of_result(op: Operation) -> str:
    (result,) = op.results
    return f" {type_text(result._type)},"


def _element_type(op: Operation) -> str:
    return f" {type_text(op.properties['elem_type'])},"


def _positions(op: Operation) -> str:
    positions = cast("DenseArrayBase[Any]", op.properties["position"]).get_values()
    return "".join([f", {position}" for position in positions])


def _mask(op: Operation) -> str:
    mask = cast("DenseArrayBase[Any]", op.properties["mask"]).get_values()
    if not any(mask):
        return f", <{len(mask)} x i32> zeroinitializer"
    lanes = ", ".join([f"i32 {lane}" if lane >= 0 else "i32 poison" for lane in mask])
    return f", <{len(mask)} x i32> <{lanes}>"


# The forms of instructions


def _rows(form: Callable[..., Writer], *op_classes: type[Operation], **parts: Words) -> dict[type[Operation], Writer]:
    """Rows of one form; the names of the ops are those of the instructions and of the intrinsics."""
    return {op_class: form(op_class.name.removeprefix("llvm."), **parts) for op_class in op_classes}


def _arithmetic(opcode: str, flags: Words = _nothing) -> Writer:
    """`fadd fast <4 x float> %1, %2`: operands of one type."""

    def write(op: Operation, scope: FunctionScope) -> str:
        first, *others = op._operands
        text = f"{opcode}{flags(op)} {scope.typed(first)}"
        return f"{text}, {scope.names[id(others[0])]}" if others else text

    return write


def _instruction(opcode: str, flags: Words = _nothing, last: Words = _nothing) -> Writer:
    """`load float, ptr %1, align 4`: each operand with its type."""

    def write(op: Operation, scope: FunctionScope) -> str:
        operands = ", ".join([scope.typed(operand) for operand in op._operands])
        return f"{opcode}{flags(op)} {operands}{last(op)}"

    return write


_WRAP_FLAGS = {0: "", 1: " inbounds", 2: " nusw", 3: " inbounds"}
"""Upstream's bits: inbounds is 1 (with nusw 3), nusw 2, nuw 4."""


def _getelementptr(op: llvm.GEPOp, scope: FunctionScope) -> str:
    properties = op.properties
    base, *dynamic = op._operands
    constants = cast("DenseArrayBase[Any]", properties["rawConstantIndices"])
    if len(dynamic) == 1 and len(constants.data.data) == 4:
        indices = scope.typed(dynamic[0])
    else:
        positions = iter(dynamic)
        indices = ", ".join(
            [
                scope.typed(next(positions)) if index == llvm.GEP_USE_SSA_VAL else f"i32 {index}"
                for index in constants.get_values()
            ]
        )
    wrap = 3 if "inbounds" in properties else 0
    if (attr := cast("IntegerAttr[Any] | None", properties.get("noWrapFlags"))) is not None:
        wrap |= attr.value.data
    flags = _WRAP_FLAGS[wrap & 3] + (" nuw" if wrap & 4 else "")
    return f"getelementptr{flags} {type_text(properties['elem_type'])}, {scope.typed(base)}, {indices}"


# Calls


def _call_text(op: Operation, callee: str, operands: Sequence[SSAValue], scope: FunctionScope) -> str:
    arguments = ", ".join([scope.typed(operand) for operand in operands])
    return f"call{_fast_math(op)} {_returned(op)} {callee}({arguments})"


def _returned(op: Operation) -> str:
    return type_text(op.results[0].type) if op.results else "void"


def _call(op: llvm.CallOp, scope: FunctionScope) -> str:
    if op.properties.get("var_callee_type") is not None:
        raise UnsupportedError("LLVM IR: no text for calls of variadic functions")
    operands = list(op._operands)
    callee = cast(SymbolRefAttr | None, op.properties.get("callee"))
    if callee is None:
        target = scope.names[id(operands.pop(0))]
    else:
        target = symbol_text(callee.string_value())
        scope.symbols.add(target)
    effects = _EFFECTS_OF_SAFEPOINT if SAFEPOINT_CALL in op.attributes else ""
    return _call_text(op, target, operands, scope) + effects


_EFFECTS_OF_SAFEPOINT = " cold nounwind memory(argmem: read, inaccessiblemem: readwrite)"
"""It neither reads nor writes what the program computes with: values stay in registers across it."""


def _intrinsic_call(op: Operation, name: str, scope: FunctionScope) -> str:
    scope.declarations.add(name, _returned(op), [type_text(operand._type) for operand in op._operands])
    return _call_text(op, symbol_text(name), op._operands, scope)


def _call_intrinsic(op: llvm.CallIntrinsicOp, scope: FunctionScope) -> str:
    name = cast(StringAttr, op.properties["intrin"]).data
    return (_on_bfloats if name in ON_BFLOATS else _intrinsic_call)(op, name, scope)


ON_BFLOATS = {
    *(f"llvm.x86.avx512bf16.dpbf16ps.{bits}" for bits in (128, 256, 512)),
    "llvm.aarch64.neon.bfdot.v4f32.v8bf16",
}
"""Intrinsics that take vectors of `bfloat`, not their bits."""


def _on_bfloats(op: Operation, name: str, scope: FunctionScope) -> str:
    """`%bfloats.0 = bitcast <32 x i16> %1 to <32 x bfloat>` in front, for each vector of `bf16`."""
    operands: list[str] = []
    for operand in op._operands:
        text = scope.typed(operand)
        if is_vector(type := operand.type) and isinstance(type.element_type, BFloat16Type):
            cast_type = f"<{type.element_count()} x bfloat>"
            scope.lines.append(f"  %bfloats.{scope.casts} = bitcast {text} to {cast_type}")
            text = f"{cast_type} %bfloats.{scope.casts}"
            scope.casts += 1
        operands.append(text)
    scope.declarations.add(name, _returned(op), [text.rpartition(" ")[0] for text in operands])
    return f"call{_fast_math(op)} {_returned(op)} {symbol_text(name)}({', '.join(operands)})"


_plain_fptrunc = _instruction("fptrunc", last=_to_result)


def _fptrunc(op: Operation, scope: FunctionScope) -> str:
    """To `bf16`: `%bfloats.0 = fptrunc <32 x float> %1 to <32 x bfloat>` in front, of which the result is the bits."""
    type, bfloat = op.results[0].type, "bfloat"
    if is_vector(type):
        type, bfloat = type.element_type, f"<{type.element_count()} x bfloat>"
    if not isinstance(type, BFloat16Type):
        return _plain_fptrunc(op, scope)
    scope.lines.append(f"  %bfloats.{scope.casts} = fptrunc {scope.typed(op._operands[0])} to {bfloat}")
    scope.casts += 1
    return f"bitcast {bfloat} %bfloats.{scope.casts - 1} to {type_text(op.results[0].type)}"


def _intrinsic(name: str, operand: int | None = None) -> Writer:
    """An op `intr.fma` for an intrinsic that is overloaded on the type of its result, or of an operand."""
    stem = name.replace("intr", "llvm", 1)

    def write(op: Operation, scope: FunctionScope) -> str:
        value = op.results[0] if operand is None else op._operands[operand]
        return _intrinsic_call(op, f"{stem}.{mangled(value.type)}", scope)

    return write


def _masked_store(op: llvm.MaskedStoreOp, scope: FunctionScope) -> str:
    value, pointer, mask = op._operands
    name = f"llvm.masked.store.{mangled(value.type)}.p0"
    scope.declarations.add(name, "void", [type_text(operand.type) for operand in op._operands])
    place = f"ptr align {_integer_property(op, 'alignment') or 1} {scope.names[id(pointer)]}"
    return f"call void {symbol_text(name)}({scope.typed(value)}, {place}, {scope.typed(mask)})"


_plain_store = _instruction("store", flags=_unit("volatile_", " volatile"), last=_alignment)


def _store(op: llvm.StoreOp, scope: FunctionScope) -> str:
    text = _plain_store(op, scope)
    return f"{text}, !nontemporal {scope.declarations.streaming()}" if "nontemporal" in op.properties else text


def _return(op: llvm.ReturnOp, scope: FunctionScope) -> str:
    return f"ret {scope.typed(op._operands[0])}" if op._operands else "ret void"


_EXTENSIONS = (llvm.SExtOp, llvm.FPExtOp)
_FLOATS_AND_INTEGERS = (llvm.SIToFPOp, llvm_extras.UIToFPOp, llvm_extras.FPToSIOp, llvm_extras.FPToUIOp)
_BITS = (llvm.BitcastOp, llvm.PtrToIntOp, llvm.IntToPtrOp)
_FUNCTIONS = (
    *(llvm.FAbsOp, llvm.FCeilOp, llvm.FCopySignOp, llvm.FCosOp, llvm.FExp2Op, llvm.FExpOp, llvm.FFloorOp),
    *(llvm.FLog2Op, llvm.FLogOp, llvm.FMAOp, llvm.FPowOp, llvm.FSinOp, llvm.FSqrtOp),
    *(llvm.VectorFMaxOp, llvm.VectorFMinOp, llvm.StackSaveOp),
)

WRITERS: dict[type[Operation], Writer] = {
    # integers
    **_rows(_arithmetic, llvm.AddOp, llvm.SubOp, llvm.MulOp, llvm.ShlOp, flags=_overflow),
    **_rows(_arithmetic, llvm.UDivOp, llvm.SDivOp, llvm.LShrOp, llvm.AShrOp, flags=_exact),
    **_rows(_arithmetic, llvm.URemOp, llvm.SRemOp, llvm.AndOp, llvm.XOrOp),
    **_rows(_arithmetic, llvm.OrOp, flags=_unit("isDisjoint", " disjoint")),
    **_rows(_arithmetic, llvm.ICmpOp, flags=_predicate(_INTEGER_PREDICATES)),
    # floats
    **_rows(_arithmetic, llvm.FAddOp, llvm.FSubOp, llvm.FMulOp, llvm.FDivOp, flags=_fast_math),
    **_rows(_arithmetic, llvm.FRemOp, llvm.FNegOp, flags=_fast_math),
    **_rows(_arithmetic, llvm_extras.FCmpOp, flags=_predicate(_FLOAT_PREDICATES)),
    **_rows(_instruction, llvm_extras.SelectOp, flags=_fast_math),
    # conversions
    **_rows(_instruction, llvm.TruncOp, flags=_overflow, last=_to_result),
    **_rows(_instruction, llvm.ZExtOp, flags=_unit("nonNeg", " nneg"), last=_to_result),
    **_rows(_instruction, *_EXTENSIONS, *_FLOATS_AND_INTEGERS, *_BITS, last=_to_result),
    llvm.FPTruncOp: _fptrunc,
    # memory
    **_rows(_instruction, llvm.LoadOp, flags=_type_of_result, last=_alignment),
    llvm.StoreOp: _store,
    **_rows(_instruction, llvm.AllocaOp, flags=_element_type, last=_alignment),
    llvm.GEPOp: _getelementptr,
    # aggregates and vectors
    **_rows(_instruction, llvm.ExtractValueOp, llvm.InsertValueOp, last=_positions),
    **_rows(_instruction, llvm_extras.ExtractElementOp, llvm.InsertElementOp),
    **_rows(_instruction, llvm.ShuffleVectorOp, last=_mask),
    # calls
    llvm.CallOp: _call,
    llvm.CallIntrinsicOp: _call_intrinsic,
    llvm.MaskedStoreOp: _masked_store,
    **_rows(_intrinsic, *_FUNCTIONS),
    **_rows(partial(_intrinsic, operand=1), llvm.VectorReduceFAddOp, llvm.VectorReduceFMulOp),
    **_rows(partial(_intrinsic, operand=0), llvm.StackRestoreOp),
    # terminators without successors
    llvm.ReturnOp: _return,
    llvm.UnreachableOp: lambda op, scope: "unreachable",
}

INLINE: dict[type[Operation], Callable[[Any, Attribute], str]] = {
    llvm.ConstantOp: lambda op, type: constant_text(op.properties["value"], type),
    llvm.AddressOfOp: lambda op, type: symbol_text(op.properties["global_name"].string_value()),
    llvm.ZeroOp: lambda op, type: "zeroinitializer",
    llvm.UndefOp: lambda op, type: "undef",
    llvm_extras.PoisonOp: lambda op, type: "poison",
}
"""Ops that are no instruction: the text their uses have as operand, for the type of their result."""
