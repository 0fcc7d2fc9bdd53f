"""Functions as LLVM IR text: values are numbered, block arguments become phis.

A jump with the attribute `xrt.unroll` ends a loop that LLVM unrolls:

```
  br i1 %9, label %b2, label %b3                        without
  br i1 %9, label %b2, label %b3, !llvm.loop !1         with
!0 = !{!"llvm.loop.unroll.full"}
!1 = distinct !{!1, !0}
```
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import llvm_extras
from ...dialects.editing import ops_of
from ...dialects.llvm_parts import Tier
from ...dialects.xrt_names import TIER, UNROLL
from ...errors import UnsupportedError
from .instructions import INLINE, WRITERS, Declarations, Names, Writer
from .text_of_types import string_text, symbol_text, type_text

_PARAMETER_FLAGS = {
    "llvm.noalias": "noalias",
    "llvm.nocapture": "captures(none)",
    "llvm.nofree": "nofree",
    "llvm.nonnull": "nonnull",
    "llvm.noundef": "noundef",
    "llvm.readnone": "readnone",
    "llvm.readonly": "readonly",
    "llvm.writeonly": "writeonly",
    "llvm.returned": "returned",
    "llvm.signext": "signext",
    "llvm.zeroext": "zeroext",
    "llvm.inreg": "inreg",
}

_PARAMETER_NUMBERS = {
    "llvm.align": "align {}",
    "llvm.dereferenceable": "dereferenceable({})",
    "llvm.dereferenceable_or_null": "dereferenceable_or_null({})",
}

_FUNCTION_FLAGS = {
    "no_unwind": "nounwind",
    "no_inline": "noinline",
    "optimize_none": "optnone",
}


class Edge(NamedTuple):
    """A jump: the label it comes from and what it passes to the arguments of the target."""

    source: str
    operands: Sequence[SSAValue]


class Successor(NamedTuple):
    """One way out of a block."""

    block: Block
    operands: Sequence[SSAValue]


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

    @property
    def length(self) -> int:
        """How many lines it has."""
        return 1 + len(self.lines)

    def text(self, linkage: str) -> list[str]:
        """Its definition, with the words `linkage`."""
        return [f"define {linkage}{self.head}", *self.lines, ""]


def function_declaration(op: llvm.FuncOp) -> str:
    """The line that declares a function."""
    return f"declare {_signature(op, None)}"


def tier_of(op: llvm.FuncOp) -> Tier:
    """How much of LLVM the function needs, as `llvm-choose-tiers` says."""
    tier = op.attributes.get(TIER)
    return Tier(tier.data) if isinstance(tier, StringAttr) else Tier.LOOPS


def function_text(op: llvm.FuncOp, declarations: Declarations, attributes: Mapping[str, str]) -> FunctionText:
    """The text of a function that has a body."""
    blocks = list(op.body.blocks)
    names, labels, instructions = _number(blocks)
    linkage = op.linkage.linkage.data
    head = f"{_signature(op, [names[a] for a in blocks[0].args])}{_function_attributes(op, attributes)} {{"
    lines: list[str] = []
    edges: dict[Block, list[Edge]] = {}
    exits = [_jump(block, labels, names, edges, declarations) for block in blocks]
    for block, written, exit in zip(blocks, instructions, exits, strict=True):
        lines.append(f"{labels[block]}:")
        if block is not blocks[0] and block.args:
            _write_phis(block, edges.get(block, ()), names, lines)
        lines += [writer(op, names, declarations) for op, writer in written]
        lines += exit
    lines.append("}")
    return FunctionText(
        symbol_text(op.sym_name.data),
        "" if linkage == "external" else f"{linkage} ",
        head,
        lines,
        _symbols(blocks),
    )


def _symbols(blocks: Sequence[Block]) -> frozenset[str]:
    """What the ops of a function name."""
    symbols: set[str] = set()
    for block in blocks:
        for op in ops_of(block):
            if op.__class__ is llvm.AddressOfOp:
                symbols.add(cast("SymbolRefAttr", op.properties["global_name"]).string_value())
            elif op.__class__ is llvm.CallOp and (callee := op.properties.get("callee")) is not None:
                symbols.add(cast("SymbolRefAttr", callee).string_value())
    return frozenset(map(symbol_text, symbols))


def _number(blocks: Sequence[Block]) -> tuple[Names, dict[Block, str], list[list[tuple[Operation, Writer]]]]:
    """The text of every value as an operand, the labels of the blocks, and what is an instruction in each of them."""
    names: Names = {}
    labels: dict[Block, str] = {}
    instructions: list[list[tuple[Operation, Writer]]] = []
    count = 0
    for index, block in enumerate(blocks):
        labels[block] = f"b{index}"
        for argument in block.args:
            names[argument] = f"%{count}"
            count += 1
        written: list[tuple[Operation, Writer]] = []
        instructions.append(written)
        for op in ops_of(block):
            cls = op.__class__
            writer = WRITERS.get(cls)
            if writer is not None:
                written.append((op, writer))
                if op.results:
                    (result,) = op.results
                    names[result] = f"%{count}"
                    count += 1
            elif (inline := INLINE.get(cls)) is not None:
                (result,) = op.results
                names[result] = inline(op)
            elif cls not in _JUMPS:
                raise UnsupportedError(f"LLVM IR: no text for {op.name}")
    return names, labels, instructions


def _write_phis(block: Block, edges: Sequence[Edge], names: Names, lines: list[str]) -> None:
    for index, argument in enumerate(block.args):
        sources = ", ".join([f"[ {names[edge.operands[index]]}, %{edge.source} ]" for edge in edges])
        if not sources:
            raise UnsupportedError("LLVM IR: a block with arguments that no branch reaches")
        lines.append(f"  {names[argument]} = phi {type_text(argument.type)} {sources}")


# Jumps


def _successors_of_branch(op: Operation) -> list[Successor]:
    return [Successor(op.successors[0], list(op.operands))]


def _segments(op: Operation) -> list[list[SSAValue]]:
    sizes = cast("DenseArrayBase[Any]", op.properties["operandSegmentSizes"]).get_values()
    return _split(list(op.operands), [int(size) for size in sizes])


def _split(values: list[SSAValue], sizes: Sequence[int]) -> list[list[SSAValue]]:
    parts: list[list[SSAValue]] = []
    start = 0
    for size in sizes:
        parts.append(values[start : start + size])
        start += size
    return parts


def _successors_of_conditional(op: Operation) -> list[Successor]:
    _, then_operands, else_operands = _segments(op)
    return [
        Successor(op.successors[0], then_operands),
        Successor(op.successors[1], else_operands),
    ]


def _successors_of_switch(op: Operation) -> list[Successor]:
    _, default_operands, case_operands = _segments(op)
    sizes = cast("DenseArrayBase[Any]", op.properties["case_operand_segments"]).get_values()
    parts = _split(case_operands, [int(size) for size in sizes])
    operands = [default_operands, *parts]
    return [Successor(b, o) for b, o in zip(op.successors, operands, strict=True)]


_JUMPS: dict[type[Operation], Callable[[Operation], list[Successor]]] = {
    llvm.BrOp: _successors_of_branch,
    llvm.CondBrOp: _successors_of_conditional,
    llvm_extras.SwitchOp: _successors_of_switch,
}


def _jump(
    block: Block,
    labels: dict[Block, str],
    names: Names,
    edges: dict[Block, list[Edge]],
    declarations: Declarations,
) -> list[str]:
    """The instruction for the jump that ends `block`, with its metadata; notes its edges.

    Where a jump reaches a block by two ways with different operands, a block of its own for the
    second way keeps the phis apart.
    """
    op = block.last_op
    if op is None or (successors_of := _JUMPS.get(op.__class__)) is None:
        return []
    targets: list[str] = []
    detours: list[str] = []
    seen: dict[Block, Sequence[SSAValue]] = {}
    for index, (successor, operands) in enumerate(successors_of(op)):
        source, target = labels[block], labels[successor]
        if operands and successor in seen:
            source = f"{labels[block]}.{index}"
            detours += [f"{source}:", f"  br label %{target}"]
            target = source
        seen[successor] = operands
        edges.setdefault(successor, []).append(Edge(source, operands))
        targets.append(f"label %{target}")
    hint = f", !llvm.loop {declarations.loop('llvm.loop.unroll.full')}" if UNROLL in op.attributes else ""
    return [f"{_jump_text(op, targets, names)}{hint}", *detours]


def _jump_text(op: Operation, targets: Sequence[str], names: Names) -> str:
    if isinstance(op, llvm.BrOp):
        return f"  br {targets[0]}"
    value = op.operands[0]
    if isinstance(op, llvm.CondBrOp):
        return f"  br i1 {names[value]}, {targets[0]}, {targets[1]}"
    assert isinstance(op, llvm_extras.SwitchOp)
    type = type_text(value.type)
    numbers = [] if op.case_values is None else list(op.case_values.get_values())
    cases = " ".join([f"{type} {number}, {target}" for number, target in zip(numbers, targets[1:], strict=True)])
    return f"  switch {type} {names[value]}, {targets[0]} [ {cases} ]"


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


def _parameter_attributes(attributes: DictionaryAttr) -> list[str]:
    words: list[str] = []
    for name, attr in attributes.data.items():
        if name in _PARAMETER_FLAGS and isinstance(attr, UnitAttr):
            words.append(_PARAMETER_FLAGS[name])
        elif name in _PARAMETER_NUMBERS and isinstance(attr, IntegerAttr):
            number = cast("IntegerAttr[Any]", attr).value.data
            words.append(_PARAMETER_NUMBERS[name].format(number))
        else:
            raise UnsupportedError(f"LLVM IR: no text for parameter attribute {name} = {attr}")
    return words


def _function_attributes(op: llvm.FuncOp, common: Mapping[str, str]) -> str:
    """Those of the custom form, which xDSL's parser leaves among the attributes, and of the generic form."""
    present = {**op.attributes, **op.properties}
    words = [text for name, text in _FUNCTION_FLAGS.items() if name in present]
    words += [_passthrough(attr) for attr in cast("ArrayAttr[Attribute]", present.get("passthrough", ArrayAttr(())))]
    words += [f'"{string_text(name.encode())}"="{string_text(value.encode())}"' for name, value in common.items()]
    return "".join([f" {word}" for word in words])


def _passthrough(attr: Attribute) -> str:
    """Upstream's way to give functions any attribute of LLVM: a name, or a pair of name and value."""
    if isinstance(attr, StringAttr):
        return attr.data
    if isinstance(attr, ArrayAttr):
        name, value = cast("ArrayAttr[StringAttr]", attr).data
        return f'"{string_text(name.data.encode())}"="{string_text(value.data.encode())}"'
    raise UnsupportedError(f"LLVM IR: no text for function attribute {attr}")
