"""`func-inline-calls`: every call becomes the body of its callee.

Replaces each `func.call` (and `stablehlo.composite`, which is a call of its decomposition), at any
depth of nested regions, by the ops of the callee, and deletes the private functions that nothing
refers to afterwards. Private functions that no public function reaches are deleted unseen, and so are modules in the
module, whose functions no call can name.

Needs: callees in the same module, with a body of one block. An unknown callee, or operand and
result types that differ from the callee's, raise `InvalidProgramError`; recursion, bodies of
several blocks and programs that would have more than a million ops raise `UnsupportedError`.
Leaves: no calls. Public functions stay (a public callee is copied, not moved), and so do functions
that another op names, such as the called computations of a custom call.

    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func private @f(%y: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.negate %y : tensor<4xf32>
      return %0 : tensor<4xf32>
    }

becomes

    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.negate %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }

Functions are visited callees first, so a body is free of calls when it is copied, and the last call
of a private function takes its ops instead of copying them. A function that is called once gives its ops, calls
included, to where they stand in the end, however many such functions call each other: the cost is linear in the size of
the result. The order is that of the bottom-up inliners of MLIR and LLVM, without their cost model.

Not a pattern pass: the order in which bodies are inlined, callees first, follows from the call graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, SymbolRefAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ...dialects.call_graph import CALLEE_PROPERTY, CallGraph
from ...dialects.editing import clone, erase, insert_before, ops_of, replace_all_uses, walk
from ...errors import InvalidProgramError, UnsupportedError


@dataclass(eq=False)
class _Function:
    """A function, the calls in its body, and how many calls of it are still to be inlined."""

    op: func.FuncOp
    calls: list[tuple[Operation, _Function]] = field(default_factory=list[tuple[Operation, "_Function"]])
    pending_uses: int = 0
    state: str = "new"

    @property
    def name(self) -> str:
        return self.op.sym_name.data

    @property
    def is_private(self) -> bool:
        return (visibility := self.op.sym_visibility) is not None and visibility.data == "private"


def _describe(call: Operation, callee: str) -> str:
    return f"'{call.name}' of @{callee}"


def _types(types: tuple[Attribute, ...]) -> str:
    return f"({', '.join(map(str, types))})"


def _check_signature(call: Operation, callee: func.FuncOp) -> None:
    """Check that operand and result types of `call` are those of `callee`."""
    signature = callee.function_type
    for what, given, expected in (
        ("arguments", tuple(v.type for v in call.operands), tuple(signature.inputs)),
        ("results", tuple(v.type for v in call.results), tuple(signature.outputs)),
    ):
        if given != expected:
            raise InvalidProgramError(
                f"{_describe(call, callee.sym_name.data)}: {what} of type {_types(given)}, "
                f"but the function has {_types(expected)}",
                call,
            )


def _body(call: Operation, callee: func.FuncOp) -> Block:
    block = callee.body.first_block
    if block is None:
        raise InvalidProgramError(f"{_describe(call, callee.sym_name.data)}: the function has no body", call)
    if block.next_block is not None:
        raise UnsupportedError(f"{_describe(call, callee.sym_name.data)}: the body has several blocks", call)
    return block


def _inline(call: Operation, callee: func.FuncOp, take: bool) -> None:
    """Replace `call` by the ops of `callee`: its own ones if `take`, else copies of them."""
    source = _body(call, callee)
    block = call.parent
    assert block is not None
    returned: list[SSAValue] = []
    if take:
        for argument in source.args:
            argument.name_hint = None
        replace_all_uses(dict(zip(source.args, call.operands, strict=True)))
        for op in tuple(ops_of(source)):
            if isinstance(op, func.ReturnOp):
                returned.extend(op.operands)
                erase(op)
            else:
                op.detach()
                insert_before(op, call)
    else:
        mapping: dict[SSAValue, SSAValue] = dict(zip(source.args, call.operands, strict=True))
        for op in source.ops:
            if isinstance(op, func.ReturnOp):
                returned.extend(mapping.get(value, value) for value in op.operands)
            else:
                insert_before(clone(op, mapping), call)
    replace_all_uses(dict(zip(call.results, returned, strict=True)))
    block.erase_op(call)


def _flatten(function: _Function, moved: set[_Function], kept: set[str]) -> None:
    """Inlines the calls in `function`, those of functions in `moved` with the calls in these."""
    calls = list(function.calls)
    while calls:
        call, callee = calls.pop()
        callee.pending_uses -= 1
        _inline(call, callee.op, callee.pending_uses == 0 and callee.name not in kept)
        if callee in moved:
            calls += callee.calls


def _callees_first(root: _Function, program: _Program) -> Iterator[_Function]:
    """The unvisited functions that `root` reaches by calls, callees first."""
    if root.state != "new":
        return
    stack = [(root, iter(program.enter(root)))]
    while stack:
        function, calls = stack[-1]
        for _, callee in calls:
            if callee.state == "new":
                stack.append((callee, iter(program.enter(callee))))
                break
        else:
            stack.pop()
            function.state = "done"
            yield function


class _Program:
    """The functions of a module by name, and those of them that must keep their bodies."""

    def __init__(self, module: ModuleOp) -> None:
        self.functions = {op.sym_name.data: _Function(op) for op in module.ops if isinstance(op, func.FuncOp)}
        self.roots = [f for f in self.functions.values() if not f.is_private]
        self.kept = {f.name for f in self.roots}

    def enter(self, function: _Function) -> list[tuple[Operation, _Function]]:
        """Mark `function` as being visited; find its calls and the functions its ops name."""
        function.state = "active"
        for op in walk(function.op.body):
            if (name := CALLEE_PROPERTY.get(op.name)) is None:
                self._keep_named(op)
                continue
            callee = op.properties[name]
            assert isinstance(callee, SymbolRefAttr)
            if (target := self.functions.get(callee.string_value())) is None:
                raise InvalidProgramError(
                    f"{_describe(op, callee.string_value())} in @{function.name}: "
                    "the module has no function of this name",
                    op,
                )
            _check_signature(op, target.op)
            target.pending_uses += 1
            function.calls.append((op, target))
        return function.calls

    def _keep_named(self, op: Operation) -> None:
        for attribute in (*op.properties.values(), *op.attributes.values()):
            elements = cast(ArrayAttr[Attribute], attribute).data if isinstance(attribute, ArrayAttr) else (attribute,)
            for element in elements:
                if isinstance(element, SymbolRefAttr):
                    named = self.functions.get(element.root_reference.data)
                    if named is not None and named.name not in self.kept:
                        self.kept.add(named.name)
                        self.roots.append(named)


class FuncInlineCallsPass(ModulePass):
    """Inline every call, then delete the private functions. See the module's documentation."""

    name = "func-inline-calls"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        CallGraph(op).checked_depth()
        program = _Program(op)
        order: list[_Function] = []
        for root in program.roots:  # grows while it is walked: functions found to be named
            order.extend(_callees_first(root, program))
        moved = {function for function in order if function.pending_uses == 1 and function.name not in program.kept}
        for function in order:
            if function not in moved:
                _flatten(function, moved, program.kept)
        unused = [function.op for function in program.functions.values() if function.name not in program.kept]
        for nested in (*unused, *(nested for nested in op.ops if isinstance(nested, ModuleOp))):
            nested.detach()
            nested.erase(safe_erase=False)
