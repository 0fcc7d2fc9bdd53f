"""Functions as LLVM IR text: values are numbered, block arguments become phis.

A jump with the attribute `xrt.unroll` ends a loop that LLVM unrolls:

```
  br i1 %9, label %b2, label %b3                        without
  br i1 %9, label %b2, label %b3, !llvm.loop !1         with
!0 = !{!"llvm.loop.unroll.full"}
!1 = distinct !{!1, !0}
```
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import llvm_extras
from ...dialects.editing import ops_of
from ...dialects.llvm_parts import Tier
from ...dialects.shared_attributes import cached_by_identity
from ...dialects.xrt_names import TIER, UNROLL
from ...errors import UnsupportedError
from .debug_info import FunctionDebugInfo
from .instructions import INLINE, WRITERS, Declarations, FunctionScope
from .text_of_types import string_text, symbol_text, type_text

_PARAMETER_FLAGS = {
    *("llvm.noalias", "llvm.nofree", "llvm.nonnull", "llvm.noundef", "llvm.readnone", "llvm.readonly"),
    *("llvm.writeonly", "llvm.returned", "llvm.signext", "llvm.zeroext", "llvm.inreg", "llvm.nocapture"),
}
_RENAMED = {"llvm.nocapture": "captures(none)"}

_PARAMETER_NUMBERS = {"llvm.align", "llvm.dereferenceable", "llvm.dereferenceable_or_null"}

_FUNCTION_FLAGS = {
    "no_unwind": "nounwind",
    "no_inline": "noinline",
    "optimize_none": "optnone",
}


class FunctionText(NamedTuple):
    """A function that the module defines."""

    name: str
    linkage: str
    head: str
    """What follows the linkage in its first line."""
    lines: list[str]
    """Those that follow."""
    symbols: frozenset[str]
    """The functions and constants it names."""
    places: FunctionDebugInfo | None = None
    """Where its instructions are from."""

    @property
    def length(self) -> int:
        """How many lines it has."""
        return 1 + len(self.lines)

    def text(self, linkage: str) -> list[str]:
        """Its definition, with the words `linkage`."""
        return [f"define {linkage}{self.head} {{", *self.lines, ""]

    def located(self, linkage: str) -> list[str]:
        """`text`, in which instructions say where they are from, if that is known."""
        if (places := self.places) is None:
            return self.text(linkage)
        lines = map(str.__add__, self.lines, places.ends)
        return [f"define {linkage}{self.head} !dbg {places.subprogram} {{", *lines, *places.metadata, ""]


def function_declaration(op: llvm.FuncOp) -> str:
    """The line that declares a function."""
    return f"declare {_signature(op, None)}"


def tier_of(op: llvm.FuncOp) -> Tier:
    """How much of LLVM the function needs, as `llvm-choose-tiers` says."""
    tier = op.attributes.get(TIER)
    return Tier(tier.data) if isinstance(tier, StringAttr) else Tier.LOOPS


def function_text(op: llvm.FuncOp, declarations: Declarations) -> FunctionText:
    """The text of a function that has a body."""
    blocks = list(op.body.blocks)
    names = _Names(blocks)
    lines: list[str] = []
    scope = FunctionScope(declarations, names, lines)
    labels = {id(block): f"b{index}" for index, block in enumerate(blocks)}
    hints = _hints(blocks, declarations)
    edges: dict[int, list[Edge]] = {}
    debug = None if declarations.debug_info is None else declarations.debug_info.function(op)
    phis, count = list[tuple[int, Block]](), 0  # where those of a block are to stand in `lines`
    for block in blocks:
        lines.append(f"{labels[id(block)]}:")
        if debug is not None:
            debug.ends.append("")
        for argument in block.args:
            names[id(argument)] = f"%{count}"
            count += 1
        if block.args and block is not blocks[0]:
            phis.append((len(lines), block))
        for instruction in ops_of(block):
            cls = instruction.__class__
            if (writer := WRITERS.get(cls)) is not None:
                text = writer(instruction, scope)
                if instruction.results:
                    (result,) = instruction.results
                    names[id(result)] = name = f"%{count}"
                    count += 1
                    lines.append(f"  {name} = {text}")
                else:
                    lines.append(f"  {text}")
            elif (inline := INLINE.get(cls)) is not None:
                (result,) = instruction.results
                names[id(result)] = text = inline(instruction, result._type)
                if cls is llvm.AddressOfOp:
                    scope.symbols.add(text)
            elif cls in _JUMPS:
                jump, *detours = _jump(instruction, labels, scope, edges)
                lines += [f"  {jump}{hints.get(id(instruction), '')}", *detours]
            else:
                raise UnsupportedError(f"LLVM IR: no text for {instruction.name}")
            if debug is not None and len(lines) != len(debug.ends):
                debug.come_to(lines, instruction.location)
    for position, block in reversed(phis):
        lines[position:position] = _phis(block, edges.get(id(block), ()), scope)
        if debug is not None:
            debug.ends[position:position] = [""] * len(block.args)
    lines.append("}")
    if debug is not None:
        debug.ends.append("")
    linkage = op.linkage.linkage.data
    signature = _signature(op, [names[id(argument)] for argument in blocks[0].args])
    return FunctionText(
        symbol_text(op.sym_name.data),
        "" if linkage == "external" else f"{linkage} ",
        f"{signature}{_function_attributes(op)}",
        lines,
        frozenset(scope.symbols),
        debug,
    )


def _hints(blocks: Sequence[Block], declarations: Declarations) -> dict[int, str]:
    """What is said of the loops behind the last ops of blocks, by these."""
    ends = [block.last_op for block in blocks]
    unrolled = [id(end) for end in ends if end is not None and UNROLL in end.attributes]
    return {end: f", !llvm.loop {declarations.loop('llvm.loop.unroll.full')}" for end in unrolled}


class _Names(dict[int, str]):
    """The text of every value as an operand, by `id`. Instructions have numbers in the order in which they stand;
    where one is used above its own place, all are looked at.
    """

    def __init__(self, blocks: Sequence[Block]):
        self._blocks = blocks

    def __missing__(self, key: int) -> str:
        numbered: list[SSAValue] = []
        for block in self._blocks:
            numbered += block.args
            for op in ops_of(block):
                if (inline := INLINE.get(op.__class__)) is not None:
                    self[id(op.results[0])] = inline(op, op.results[0].type)
                else:
                    numbered += op.results
        self.update({id(value): f"%{number}" for number, value in enumerate(numbered)})
        return self[key]


Edge = tuple[str, Sequence[SSAValue]]
"""A jump: the label it comes from and what it passes to the arguments of the target."""


def _phis(block: Block, edges: Sequence[Edge], scope: FunctionScope) -> list[str]:
    if not edges:
        raise UnsupportedError("LLVM IR: a block with arguments that no branch reaches")
    names = scope.names
    return [
        f"  {names[id(argument)]} = phi {type_text(argument.type)} "
        + ", ".join([f"[ {names[id(operands[index])]}, %{source} ]" for source, operands in edges])
        for index, argument in enumerate(block.args)
    ]


_JUMPS = {llvm.BrOp, llvm.CondBrOp, llvm_extras.SwitchOp}
"""Ops whose last operands are those of the arguments of their successors, in order; others have one in front."""


def _jump(op: Operation, labels: Mapping[int, str], scope: FunctionScope, edges: dict[int, list[Edge]]) -> list[str]:
    """The instruction for the jump `op`, and blocks behind it; notes its edges.

    Where a jump reaches a block by two ways with different operands, a block of its own for the
    second way keeps the phis apart.
    """
    first = 0 if op.__class__ is llvm.BrOp else 1
    targets: list[str] = []
    detours: list[str] = []
    seen: set[Block] = set()
    for index, successor in enumerate(op._successors):
        source, target = labels[id(op.parent)], labels[id(successor)]
        operands = op._operands[first : first + len(successor.args)]
        first += len(operands)
        if operands and successor in seen:
            source = f"{source}.{index}"
            detours += [f"{source}:", f"  br label %{target}"]
            target = source
        seen.add(successor)
        edges.setdefault(id(successor), []).append((source, operands))
        targets.append(f"label %{target}")
    return [_jump_text(op, targets, scope), *detours]


def _jump_text(op: Operation, targets: Sequence[str], scope: FunctionScope) -> str:
    if isinstance(op, llvm.BrOp):
        return f"br {targets[0]}"
    value = scope.typed(op._operands[0])
    if isinstance(op, llvm.CondBrOp):
        return f"br {value}, {targets[0]}, {targets[1]}"
    assert isinstance(op, llvm_extras.SwitchOp)
    type = type_text(op._operands[0].type)
    numbers = [] if op.case_values is None else list(op.case_values.get_values())
    cases = " ".join([f"{type} {number}, {target}" for number, target in zip(numbers, targets[1:], strict=True)])
    return f"switch {value}, {targets[0]} [ {cases} ]"


# Signatures


def _signature(op: llvm.FuncOp, arguments: Sequence[str] | None) -> str:
    type = op.function_type
    attributes = op.arg_attrs
    parameters: list[str] = []
    for index, argument_type in enumerate(type.inputs):
        words = [type_text(argument_type)]
        if attributes is not None:
            words += _parameter_attributes(attributes.data[index])
        if arguments is not None:
            words.append(arguments[index])
        parameters.append(" ".join(words))
    if type.is_variadic:
        parameters.append("...")
    return f"{type_text(type.output)} {symbol_text(op.sym_name.data)}({', '.join(parameters)})"


@cached_by_identity
def _parameter_attributes(attributes: Attribute) -> Sequence[str]:
    words: list[str] = []
    for name, attr in cast(DictionaryAttr, attributes).data.items():
        if name in _PARAMETER_FLAGS and isinstance(attr, UnitAttr):
            words.append(_RENAMED.get(name, name.removeprefix("llvm.")))
        elif name in _PARAMETER_NUMBERS and isinstance(attr, IntegerAttr):
            number = cast("IntegerAttr[Any]", attr).value.data
            word = name.removeprefix("llvm.")
            words.append(f"{word} {number}" if word == "align" else f"{word}({number})")
        else:
            raise UnsupportedError(f"LLVM IR: no text for parameter attribute {name} = {attr}")
    return words


def _function_attributes(op: llvm.FuncOp) -> str:
    """Those of the custom form, which xDSL's parser leaves among the attributes, and of the generic form."""
    present = {**op.attributes, **op.properties}
    words = [text for name, text in _FUNCTION_FLAGS.items() if name in present]
    words += [_passthrough(attr) for attr in cast("ArrayAttr[Attribute]", present.get("passthrough", ()))]
    return "".join([f" {word}" for word in words])


def _passthrough(attr: Attribute) -> str:
    """Upstream's way to give functions any attribute of LLVM: a name, or a pair of name and value."""
    if isinstance(attr, StringAttr):
        return attr.data
    if isinstance(attr, ArrayAttr):
        name, value = cast("ArrayAttr[StringAttr]", attr).data
        return f'"{string_text(name.data.encode())}"="{string_text(value.data.encode())}"'
    raise UnsupportedError(f"LLVM IR: no text for function attribute {attr}")
