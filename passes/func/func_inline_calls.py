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

from collections import Counter

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from ...dialects.call_graph import CallGraph
from ...dialects.editing import clone_region, erase, inline_block, replace_all_uses
from ...dialects.stablehlo.shapes import show
from ...errors import InvalidProgramError, UnsupportedError


def _check_signature(call: Operation, callee: func.FuncOp) -> None:
    """Check that operand and result types of `call` are those of `callee`."""
    signature = callee.function_type
    for what, given, expected in (
        ("arguments", call.operand_types, signature.inputs.data),
        ("results", call.result_types, signature.outputs.data),
    ):
        if tuple(given) != expected:
            raise InvalidProgramError(
                f"'{call.name}' of @{callee.sym_name.data}: {what} of type {show(given)}, but the function has"
                f" {show(expected)}",
                call,
            )


def _body(call: Operation, callee: func.FuncOp) -> Block:
    block, described = callee.body.first_block, f"'{call.name}' of @{callee.sym_name.data}"
    if block is None:
        raise InvalidProgramError(f"{described}: the function has no body", call)
    if block.next_block is not None:
        raise UnsupportedError(f"{described}: the body has several blocks", call)
    return block


def inline(call: Operation, callee: func.FuncOp, take: bool) -> None:
    """Replace `call` by the ops of `callee`: its own ones if `take`, else copies of them."""
    source = _body(call, callee)
    if not take:
        source = clone_region(callee.body, {}).block
    returned = inline_block(source, call, call.operands)
    replace_all_uses(dict(zip(call.results, returned, strict=True)))
    erase(call)


class _Program:
    """The functions of a module: which are reached from public ones, by which calls, and which keep their bodies."""

    def __init__(self, module: ModuleOp) -> None:
        graph = CallGraph(module)
        graph.checked_depth()
        self.functions = graph.functions
        roots = [name for name, function in self.functions.items() if not _is_private(function)]
        self.kept = set(roots)
        self._uses: Counter[str] = Counter()
        self._calls: dict[str, list[tuple[Operation, str]]] = {}
        while roots:
            name = roots.pop()
            if name in self._calls:
                continue
            body = graph.body(name)
            self._calls[name] = body.calls
            for op, callee in body.calls:
                if callee not in self.functions:
                    message = f"'{op.name}' of @{callee} in @{name}: the module has no function of this name"
                    raise InvalidProgramError(message, op)
                _check_signature(op, self.functions[callee])
                self._uses[callee] += 1
                roots.append(callee)
            self.kept.update(body.named)
            roots += body.named
        self._order = [name for name in graph.callees_first() if name in self._calls]

    def inline(self) -> None:
        """Inline the calls, callees first; a function that is called once with the calls in it."""
        moved = {name for name, uses in self._uses.items() if uses == 1 and name not in self.kept}
        for function in self._order:
            calls = [] if function in moved else list(self._calls[function])
            while calls:
                call, callee = calls.pop()
                self._uses[callee] -= 1
                inline(call, self.functions[callee], self._uses[callee] == 0 and callee not in self.kept)
                if callee in moved:
                    calls += self._calls[callee]


def _is_private(function: func.FuncOp) -> bool:
    return (visibility := function.sym_visibility) is not None and visibility.data == "private"


class FuncInlineCallsPass(ModulePass):
    """Inline every call, then delete the private functions. See the module's documentation."""

    name = "func-inline-calls"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        program = _Program(op)
        program.inline()
        unused = [function for name, function in program.functions.items() if name not in program.kept]
        for nested in (*unused, *(nested for nested in op.ops if isinstance(nested, ModuleOp))):
            nested.detach()
            nested.erase(safe_erase=False)
