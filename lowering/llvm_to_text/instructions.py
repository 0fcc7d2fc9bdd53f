"""One row for each op of the `llvm` dialect: how it reads as an instruction.

Every op of a program passes here: `op._operands` is what the view `op.operands` is of, without making the view.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import llvm_extras
from ...dialects.xrt_names import SAFEPOINT_CALL
from ...errors import UnsupportedError
from ..to_llvm.types import mangled
from .text_of_types import constant_text, symbol_text, type_text

Names = dict[SSAValue, str]

_FAST_MATH_ORDER = ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn")


class Declarations:
    """The intrinsics a module calls, by name, and the metadata of its loops."""

    def __init__(self) -> None:
        self.lines: dict[str, str] = {}
        self._known: set[tuple[str, ...]] = set()
        self._metadata = 0

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

    def _node(self) -> str:
        self._metadata += 1
        return f"!{self._metadata - 1}"


Writer = Callable[[Any, Names, Declarations], str]


def fast_math_text(op: Operation) -> str:
    """The fast-math flags of an op, each with a space before it."""
    flags: Any = op.properties.get("fastmathFlags")
    if flags is None or not flags.data:
        return ""
    names = {str(flag) for flag in flags.data}
    if len(names) == len(_FAST_MATH_ORDER):
        return " fast"
    return "".join([f" {name}" for name in _FAST_MATH_ORDER if name in names])


def _integer_property(op: Operation, name: str) -> int | None:
    attr: Any = op.properties.get(name)
    return None if attr is None else attr.value.data


_OVERFLOW = ("", " nsw", " nuw", " nuw nsw")


def _overflow_text(op: Operation) -> str:
    attr = op.properties.get("overflowFlags")
    if attr is None:
        return ""
    if attr.__class__ is IntegerAttr:
        return _OVERFLOW[cast("IntegerAttr[Any]", attr).value.data]
    return _OVERFLOW[cast(llvm.OverflowAttr, attr).to_int()]


def _unit_text(name: str, text: str) -> Callable[[Operation], str]:
    return lambda op: text if name in op.properties else ""


def _no_flags(op: Operation) -> str:
    return ""


_exact_text = _unit_text("isExact", " exact")


def _typed(value: SSAValue, names: Names) -> str:
    return f"{type_text(value._type)} {names[value]}"


def _binary(opcode: str, flags: Callable[[Operation], str]) -> Writer:
    def write(op: Operation, names: Names, declarations: Declarations) -> str:
        lhs, rhs = op._operands
        (result,) = op.results
        return f"  {names[result]} = {opcode}{flags(op)} {type_text(result._type)} {names[lhs]}, {names[rhs]}"

    return write


def _cast(opcode: str, flags: Callable[[Operation], str] = _no_flags) -> Writer:
    def write(op: Operation, names: Names, declarations: Declarations) -> str:
        (source,) = op._operands
        result = op.results[0]
        return (
            f"  {names[result]} = {opcode}{flags(op)} "
            f"{type_text(source.type)} {names[source]} to {type_text(result.type)}"
        )

    return write


def _negate(op: llvm.FNegOp, names: Names, declarations: Declarations) -> str:
    (source,) = op._operands
    return f"  {names[op.results[0]]} = fneg{fast_math_text(op)} {_typed(source, names)}"


_INTEGER_PREDICATES = [str(flag) for flag in llvm.ALL_ICMP_FLAGS]
_FLOAT_PREDICATES = [str(flag).removeprefix("_") for flag in llvm.ALL_FCMP_FLAGS]


def _compare(opcode: str, predicates: Sequence[str], flags: Callable[[Operation], str]) -> Writer:
    def write(op: Operation, names: Names, declarations: Declarations) -> str:
        lhs, rhs = op._operands
        predicate = _integer_property(op, "predicate")
        assert predicate is not None
        return (
            f"  {names[op.results[0]]} = {opcode}{flags(op)} {predicates[predicate]} "
            f"{type_text(lhs.type)} {names[lhs]}, {names[rhs]}"
        )

    return write


def _select(op: llvm_extras.SelectOp, names: Names, declarations: Declarations) -> str:
    cond, lhs, rhs = op._operands
    type = type_text(lhs.type)
    return (
        f"  {names[op.results[0]]} = select{fast_math_text(op)} {_typed(cond, names)}, "
        f"{type} {names[lhs]}, {type} {names[rhs]}"
    )


# Memory


def _alignment_text(op: Operation) -> str:
    """The alignment of a load, store or alloca that is not atomic."""
    if _integer_property(op, "ordering"):
        raise UnsupportedError(f"LLVM IR: no text for atomic {op.name}")
    alignment = _integer_property(op, "alignment")
    return "" if alignment is None else f", align {alignment}"


def _load(op: llvm.LoadOp, names: Names, declarations: Declarations) -> str:
    (pointer,) = op._operands
    (result,) = op.results
    return f"  {names[result]} = load {type_text(result._type)}, {_typed(pointer, names)}{_alignment_text(op)}"


def _store(op: llvm.StoreOp, names: Names, declarations: Declarations) -> str:
    value, pointer = op._operands
    volatile = " volatile" if "volatile_" in op.properties else ""
    return f"  store{volatile} {_typed(value, names)}, {_typed(pointer, names)}{_alignment_text(op)}"


def _alloca(op: llvm.AllocaOp, names: Names, declarations: Declarations) -> str:
    (size,) = op._operands
    element = type_text(op.properties["elem_type"])
    return f"  {names[op.results[0]]} = alloca {element}, {_typed(size, names)}{_alignment_text(op)}"


_WRAP_FLAGS = {0: "", 1: " inbounds", 2: " nusw", 3: " inbounds"}
"""Upstream's bits: inbounds is 1 (with nusw 3), nusw 2, nuw 4."""


def _getelementptr(op: llvm.GEPOp, names: Names, declarations: Declarations) -> str:
    base, *dynamic = op._operands
    element = type_text(op.properties["elem_type"])
    constants = cast("DenseArrayBase[Any]", op.properties["rawConstantIndices"])
    if len(dynamic) == 1 and len(constants.data.data) == 4:
        indices = _typed(dynamic[0], names)
    else:
        positions = iter(dynamic)
        indices = ", ".join(
            [
                _typed(next(positions), names) if index == llvm.GEP_USE_SSA_VAL else f"i32 {index}"
                for index in constants.get_values()
            ]
        )
    wrap = _integer_property(op, "noWrapFlags") or 0
    if "inbounds" in op.properties:
        wrap |= 3
    flags = _WRAP_FLAGS[wrap & 3] + (" nuw" if wrap & 4 else "")
    (result,) = op.results
    return f"  {names[result]} = getelementptr{flags} {element}, {_typed(base, names)}, {indices}"


# Aggregates and vectors


def _positions(op: Operation) -> str:
    positions = cast("DenseArrayBase[Any]", op.properties["position"]).get_values()
    return ", ".join([str(position) for position in positions])


def _extract_value(op: llvm.ExtractValueOp, names: Names, declarations: Declarations) -> str:
    (container,) = op._operands
    return f"  {names[op.results[0]]} = extractvalue {_typed(container, names)}, {_positions(op)}"


def _insert_value(op: llvm.InsertValueOp, names: Names, declarations: Declarations) -> str:
    container, value = op._operands
    return (
        f"  {names[op.results[0]]} = insertvalue {_typed(container, names)}, {_typed(value, names)}, {_positions(op)}"
    )


def _list_of_operands(opcode: str) -> Writer:
    def write(op: Operation, names: Names, declarations: Declarations) -> str:
        operands = ", ".join([_typed(operand, names) for operand in op._operands])
        return f"  {names[op.results[0]]} = {opcode} {operands}"

    return write


def _shuffle(op: llvm.ShuffleVectorOp, names: Names, declarations: Declarations) -> str:
    first, second = op._operands
    mask = cast("DenseArrayBase[Any]", op.properties["mask"]).get_values()
    if not any(mask):
        lanes = "zeroinitializer"
    else:
        lanes = ", ".join([f"i32 {lane}" if lane >= 0 else "i32 poison" for lane in mask])
        lanes = f"<{lanes}>"
    return (
        f"  {names[op.results[0]]} = shufflevector {_typed(first, names)}, "
        f"{_typed(second, names)}, <{len(mask)} x i32> {lanes}"
    )


# Calls


def _call_text(op: Operation, callee: str, operands: Sequence[SSAValue], names: Names) -> tuple[str, str, list[str]]:
    """The instruction, the result type and the argument types of a call."""
    types = [type_text(operand._type) for operand in operands]
    arguments = ", ".join([f"{t} {names[v]}" for t, v in zip(types, operands, strict=True)])
    flags = fast_math_text(op)
    if op.results:
        (value,) = op.results
        result = type_text(value._type)
        line = f"  {names[value]} = call{flags} {result} {callee}({arguments})"
        return line, result, types
    return f"  call{flags} void {callee}({arguments})", "void", types


def _call(op: llvm.CallOp, names: Names, declarations: Declarations) -> str:
    if op.properties.get("var_callee_type") is not None:
        raise UnsupportedError("LLVM IR: no text for calls of variadic functions")
    operands = list(op._operands)
    callee = cast(SymbolRefAttr | None, op.properties.get("callee"))
    if callee is None:
        target = names[operands.pop(0)]
    else:
        target = symbol_text(callee.string_value())
    effects = _EFFECTS_OF_SAFEPOINT if SAFEPOINT_CALL in op.attributes else ""
    return _call_text(op, target, operands, names)[0] + effects


_EFFECTS_OF_SAFEPOINT = " cold nounwind memory(argmem: read, inaccessiblemem: readwrite)"
"""It neither reads nor writes what the program computes with: values stay in registers across it."""


def _call_intrinsic(op: llvm.CallIntrinsicOp, names: Names, declarations: Declarations) -> str:
    name = cast(StringAttr, op.properties["intrin"]).data
    line, result, types = _call_text(op, symbol_text(name), list(op._operands), names)
    declarations.add(name, result, types)
    return line


def _intrinsic(stem: str, overload: Callable[[Operation], Attribute] | None = None) -> Writer:
    """An op of its own for an intrinsic, overloaded on the type of its result unless told otherwise."""

    def write(op: Operation, names: Names, declarations: Declarations) -> str:
        type = op.results[0].type if overload is None else overload(op)
        name = f"{stem}.{mangled(type)}"
        line, result, types = _call_text(op, symbol_text(name), list(op._operands), names)
        declarations.add(name, result, types)
        return line

    return write


def _second_operand_type(op: Operation) -> Attribute:
    return op._operands[1].type


def _pointer_operand_type(op: Operation) -> Attribute:
    return op._operands[0].type


def _masked_store(op: llvm.MaskedStoreOp, names: Names, declarations: Declarations) -> str:
    value, pointer, mask = op._operands
    name = f"llvm.masked.store.{mangled(value.type)}.p0"
    types = [type_text(operand.type) for operand in op._operands]
    declarations.add(name, "void", types)
    alignment = _integer_property(op, "alignment") or 1
    return (
        f"  call void {symbol_text(name)}({_typed(value, names)}, "
        f"ptr align {alignment} {names[pointer]}, {_typed(mask, names)})"
    )


# Terminators; `%` and a successor's label are filled in by the function printer


def _return(op: llvm.ReturnOp, names: Names, declarations: Declarations) -> str:
    return f"  ret {_typed(op._operands[0], names)}" if op._operands else "  ret void"


def _unreachable(op: Operation, names: Names, declarations: Declarations) -> str:
    return "  unreachable"


WRITERS: dict[type[Operation], Writer] = {
    # integers
    llvm.AddOp: _binary("add", _overflow_text),
    llvm.SubOp: _binary("sub", _overflow_text),
    llvm.MulOp: _binary("mul", _overflow_text),
    llvm.ShlOp: _binary("shl", _overflow_text),
    llvm.UDivOp: _binary("udiv", _exact_text),
    llvm.SDivOp: _binary("sdiv", _exact_text),
    llvm.LShrOp: _binary("lshr", _exact_text),
    llvm.AShrOp: _binary("ashr", _exact_text),
    llvm.URemOp: _binary("urem", _no_flags),
    llvm.SRemOp: _binary("srem", _no_flags),
    llvm.AndOp: _binary("and", _no_flags),
    llvm.OrOp: _binary("or", _unit_text("isDisjoint", " disjoint")),
    llvm.XOrOp: _binary("xor", _no_flags),
    llvm.ICmpOp: _compare("icmp", _INTEGER_PREDICATES, _no_flags),
    # floats
    llvm.FAddOp: _binary("fadd", fast_math_text),
    llvm.FSubOp: _binary("fsub", fast_math_text),
    llvm.FMulOp: _binary("fmul", fast_math_text),
    llvm.FDivOp: _binary("fdiv", fast_math_text),
    llvm.FRemOp: _binary("frem", fast_math_text),
    llvm.FNegOp: _negate,
    llvm_extras.FCmpOp: _compare("fcmp", _FLOAT_PREDICATES, fast_math_text),
    llvm_extras.SelectOp: _select,
    # conversions
    llvm.TruncOp: _cast("trunc", _overflow_text),
    llvm.ZExtOp: _cast("zext", _unit_text("nonNeg", " nneg")),
    llvm.SExtOp: _cast("sext"),
    llvm.FPExtOp: _cast("fpext"),
    llvm.FPTruncOp: _cast("fptrunc"),
    llvm.SIToFPOp: _cast("sitofp"),
    llvm_extras.UIToFPOp: _cast("uitofp"),
    llvm_extras.FPToSIOp: _cast("fptosi"),
    llvm_extras.FPToUIOp: _cast("fptoui"),
    llvm.BitcastOp: _cast("bitcast"),
    llvm.PtrToIntOp: _cast("ptrtoint"),
    llvm.IntToPtrOp: _cast("inttoptr"),
    # memory
    llvm.LoadOp: _load,
    llvm.StoreOp: _store,
    llvm.AllocaOp: _alloca,
    llvm.GEPOp: _getelementptr,
    # aggregates and vectors
    llvm.ExtractValueOp: _extract_value,
    llvm.InsertValueOp: _insert_value,
    llvm_extras.ExtractElementOp: _list_of_operands("extractelement"),
    llvm.InsertElementOp: _list_of_operands("insertelement"),
    llvm.ShuffleVectorOp: _shuffle,
    # calls
    llvm.CallOp: _call,
    llvm.CallIntrinsicOp: _call_intrinsic,
    llvm.FAbsOp: _intrinsic("llvm.fabs"),
    llvm.FCeilOp: _intrinsic("llvm.ceil"),
    llvm.FCopySignOp: _intrinsic("llvm.copysign"),
    llvm.FCosOp: _intrinsic("llvm.cos"),
    llvm.FExp2Op: _intrinsic("llvm.exp2"),
    llvm.FExpOp: _intrinsic("llvm.exp"),
    llvm.FFloorOp: _intrinsic("llvm.floor"),
    llvm.FLog2Op: _intrinsic("llvm.log2"),
    llvm.FLogOp: _intrinsic("llvm.log"),
    llvm.FMAOp: _intrinsic("llvm.fma"),
    llvm.FPowOp: _intrinsic("llvm.pow"),
    llvm.FSinOp: _intrinsic("llvm.sin"),
    llvm.FSqrtOp: _intrinsic("llvm.sqrt"),
    llvm.VectorFMaxOp: _intrinsic("llvm.maxnum"),
    llvm.VectorFMinOp: _intrinsic("llvm.minnum"),
    llvm.VectorReduceFAddOp: _intrinsic("llvm.vector.reduce.fadd", _second_operand_type),
    llvm.VectorReduceFMulOp: _intrinsic("llvm.vector.reduce.fmul", _second_operand_type),
    llvm.MaskedStoreOp: _masked_store,
    llvm.StackSaveOp: _intrinsic("llvm.stacksave"),
    llvm.StackRestoreOp: _intrinsic("llvm.stackrestore", _pointer_operand_type),
    # terminators without successors
    llvm.ReturnOp: _return,
    llvm.UnreachableOp: _unreachable,
}

INLINE: dict[type[Operation], Callable[[Any], str]] = {
    llvm.ConstantOp: lambda op: constant_text(op.properties["value"], op.results[0].type),
    llvm.AddressOfOp: lambda op: symbol_text(op.properties["global_name"].string_value()),
    llvm.ZeroOp: lambda op: "zeroinitializer",
    llvm.UndefOp: lambda op: "undef",
    llvm_extras.PoisonOp: lambda op: "poison",
}
"""Ops that are no instruction: the text their uses have as operand."""
