"""Passes on parts of a program: `builtin.module(func.func(cse, canonicalize), symbol-dce)`, as MLIR writes pipelines.

`func.func(...)` runs its passes on each function of the module, the first function through all of them before the
second; `any(...)` on every op directly inside that is isolated from above. `nodes` reads the text, `NestedPasses` is
what becomes of it, and `alone` gives a pass what it can work on: a module of the op by itself.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.passes import ModulePass
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.arg_spec import ArgSpec

from ..errors import XlaError

ANY = "any"
"""The anchor of passes that run on ops of any kind."""

MODULE = "builtin.module"


class PipelineError(XlaError):
    """A pipeline text that is malformed or names unknown passes or options."""


class Anchored(NamedTuple):
    """`anchor(text)`: the passes of `text` on ops of the kind `anchor`."""

    anchor: str
    text: str


Node = str | Anchored
"""A part of a pipeline: passes one after the other in xDSL's syntax, or passes on ops inside."""


def nodes(text: str) -> list[Node]:
    """The parts of a pipeline. Raises `PipelineError`."""
    found: list[Node] = []
    parts = list(_separated(text))
    for part in parts:
        if not part and len(parts) > 1:
            raise PipelineError(f"malformed pipeline '{text}': '' does not refer to a registered pass or pass pipeline")
        opening = _outside_of_options(part, "(")
        if opening is None:
            found.append(part)
            continue
        if not part.endswith(")"):
            raise PipelineError(f"malformed pipeline '{text}': expected ',' after ')'")
        found.append(Anchored(part[:opening].strip(), part[opening + 1 : -1].strip()))
    return found


def _outside_of_options(part: str, wanted: str) -> int | None:
    depth, quoted = 0, False
    for position, character in enumerate(part):
        if character == '"':
            quoted = not quoted
        elif not quoted:
            if character == wanted and depth == 0:
                return position
            depth += (character in "{[") - (character in "}]")
    return None


def _separated(text: str) -> Iterator[str]:
    """The parts between the commas outside of parentheses, braces and quotes."""
    start, stack, quoted = 0, list[str](), False
    closing = {"(": ")", "{": "}", "[": "]"}
    for position, character in enumerate(text):
        if character == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif character in closing:
            stack.append(closing[character])
        elif character in ")}]":
            if stack[-1:] == [character]:
                stack.pop()
            elif character == ")":
                raise PipelineError(
                    f"encountered extra closing ')' creating unbalanced parentheses while parsing pipeline '{text}'"
                )
        elif character == "," and not stack:
            yield text[start:position].strip()
            start = position + 1
    if ")" in stack:
        raise PipelineError(f"encountered unbalanced parentheses while parsing pipeline '{text}'")
    yield text[start:].strip()


def without_top_anchor(text: str) -> str:
    """The passes for the module as a whole: `builtin.module(a, b)` at the top says no more than `a, b`. Raises
    `PipelineError` for an anchor that a module is not.
    """
    parts = nodes(text)
    match parts:
        case [Anchored(anchor=anchor, text=inner)] if anchor in (MODULE, ANY):
            return inner
        case [Anchored(anchor=anchor)]:
            raise PipelineError(
                f"can't run '{anchor}' pass manager on '{MODULE}' op; {MODULE}({text}) runs it on those inside"
            )
        case _:
            return text


@dataclass(frozen=True)
class NestedPasses(ModulePass):
    """The passes in turn on each op of the kind `anchor` that is directly inside."""

    name = "nested"

    anchor: str
    passes: tuple[ModulePass, ...] = field(default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", str(self))

    def __str__(self) -> str:
        return f"{self.anchor}({text_of(self.passes)})"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """As one pass, without looking at what happens in between."""
        self._apply_in(ctx, op)

    def _apply_in(self, ctx: Context, op: Operation) -> None:
        for child in self.ops_of(op):
            current: Operation | None = child
            for module_pass in self.passes:
                if current is None:
                    break
                if isinstance(module_pass, NestedPasses):
                    module_pass._apply_in(ctx, current)
                else:
                    current = _run_on(ctx, module_pass, current)

    def ops_of(self, op: Operation) -> list[Operation]:
        """Where the passes are to run. Raises `PipelineError` for ops that use what is outside of them."""
        children = [child for region in op.regions for block in region.blocks for child in block.ops]
        if self.anchor == ANY:
            return [child for child in children if _is_isolated(child)]
        found = [child for child in children if child.name == self.anchor]
        for child in found:
            if not _is_isolated(child):
                raise PipelineError(
                    f"trying to schedule a pass on an operation not marked as 'IsolatedFromAbove': '{self.anchor}'"
                )
        return found


def _is_isolated(op: Operation) -> bool:
    """Whether an op uses nothing from outside; xDSL does not say so of `llvm.func`."""
    return op.has_trait(IsolatedFromAbove) or op.name == "llvm.func"


def text_of(passes: Iterable[ModulePass]) -> str:
    """The passes as a pipeline, to be read again."""
    return ",".join(str(p) if isinstance(p, NestedPasses) else text_of_pass(p) for p in passes)


def text_of_pass(module_pass: ModulePass) -> str:
    """Name and options, those that are not what they are anyway."""
    spec = module_pass.spec()
    return str(ArgSpec(spec.name, {name.replace("_", "-"): value for name, value in spec.parameters.items()}))


def _run_on(context: Context, module_pass: ModulePass, op: Operation) -> Operation | None:
    """Run a pass on `op` and what is inside; the op that stands in its place after that, None if there is none."""
    with as_root(op) if isinstance(op, ModuleOp) else alone(op) as (module, successors):
        module_pass.apply(context, module)
    return successors[0] if successors else None


@contextmanager
def as_root(module: ModuleOp) -> Generator[tuple[ModuleOp, list[Operation]]]:
    """The module, inside another one or not, as if there were nothing around it."""
    block, behind = module.parent, module.next_op
    if block is None:
        yield module, [module]
        return
    module.detach()
    try:
        yield module, [module]
    finally:
        _insert(block, [module], behind)


@contextmanager
def alone(op: Operation) -> Generator[tuple[ModuleOp, list[Operation]]]:
    """A module in which `op` is by itself, with declarations of the symbols around it that it names. In the end what
    it has become takes its place again and is in the list, first of all the op of the same name.
    """
    block, behind = op.parent, op.next_op
    if block is None:
        raise ValueError("an op by itself is in no module")
    declarations = list(_declarations(op))
    name = symbol_of(op)
    op.detach()
    module = ModuleOp([op, *declarations])
    if (around := block.parent_op()) is not None:
        module.location = around.location
    successors: list[Operation] = []
    try:
        yield module, successors
    finally:
        left = [each for each in module.body.block.ops if not any(each is one for one in declarations)]
        for each in module.body.block.ops:
            each.detach()
        _insert(block, left, behind)
        successors += sorted(left, key=lambda each: symbol_of(each) != name)


def _insert(block: Block, ops: Sequence[Operation], behind: Operation | None) -> None:
    if behind is None:
        block.add_ops(ops)
    else:
        block.insert_ops_before(ops, behind)


def symbol_of(op: Operation) -> str | None:
    """The name of an op that has one."""
    match op.properties.get("sym_name") or op.attributes.get("sym_name"):
        case StringAttr(data=name):
            return name
        case _:
            return None


def _declarations(op: Operation) -> Iterator[Operation]:
    """Of the ops beside `op` that it names."""
    names = {name for inner in op.walk() for name in _names_in(inner)} - {symbol_of(op)}
    block = op.parent
    if not names or block is None:
        return
    for other in block.ops:
        if other is not op and symbol_of(other) in names:
            yield _declaration(other)


def _names_in(op: Operation) -> Iterator[str]:
    for attribute in (*op.properties.values(), *op.attributes.values()):
        yield from _names(attribute)


def _names(attribute: Attribute) -> Iterator[str]:
    match attribute:
        case SymbolRefAttr(root_reference=root):
            yield root.data
        case ArrayAttr(data=elements):
            for element in elements:
                yield from _names(element)
        case DictionaryAttr(data=entries):
            for entry in entries.values():
                yield from _names(entry)
        case _:
            return


def _declaration(op: Operation) -> Operation:
    """`op` without its body, if it is a function; else all of it."""
    if op.name not in ("func.func", "llvm.func"):
        return op.clone()
    declaration = op.clone_without_regions()
    for region in list(declaration.regions):
        if region.blocks:
            declaration.detach_region(region)
            declaration.add_region(Region())
    if op.name == "func.func":
        declaration.properties["sym_visibility"] = StringAttr("private")
    return declaration
