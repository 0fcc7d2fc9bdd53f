"""Which functions of a module call which: that there is no recursion, and how large the program is without calls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, cast

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from ..errors import UnsupportedError
from .editing import walk

CALLEE_PROPERTY = {"func.call": "callee", "stablehlo.composite": "decomposition"}
"""The ops that are calls, and the property that names the callee."""

MOST_OPS = 1_000_000
"""Of a program whose calls have become the bodies of their callees. Some tens of calls that double have more."""


class _Function(NamedTuple):
    """What is known of a function when all it calls is known."""

    ops: int
    """Those that run if it does, each as often as it is called."""
    depth: int
    """How many calls stand in one another."""


class Body(NamedTuple):
    """What is in a function."""

    ops: int
    calls: list[tuple[Operation, str]]
    """With the name of the callee, which the module may not have."""
    named: list[str]
    """The functions that ops name that are no calls."""


class CallGraph:
    """The calls of a module."""

    def __init__(self, module: ModuleOp) -> None:
        self.functions = {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}
        self._bodies: dict[str, Body] = {}
        self._known: dict[str, _Function] = {}

    def checked_depth(self) -> int:
        """How deep calls stand in one another. Raises `UnsupportedError`, at the op that is to blame, for recursion and
        for a program of more than `MOST_OPS` ops. Unknown callees are left to those who look for them.
        """
        for name in self.functions:
            self._visit(name)
        return max((function.depth for function in self._known.values()), default=0)

    def callees_first(self) -> Iterable[str]:
        """The functions whose depth has been checked, those that are called in front of those that call them."""
        return self._known

    def body(self, name: str) -> Body:
        """What is in the function of this name."""
        if name in self._bodies:
            return self._bodies[name]
        ops, calls, named = 0, list[tuple[Operation, str]](), list[str]()
        for op in walk(self.functions[name].body):
            ops += 1
            callee = CALLEE_PROPERTY.get(op.name)
            if callee is not None:
                calls.append((op, cast(SymbolRefAttr, op.properties[callee]).string_value()))
                continue
            for attribute in (*op.properties.values(), *op.attributes.values()):
                kind = attribute.__class__
                if kind is ArrayAttr or kind is SymbolRefAttr:
                    elements = cast(ArrayAttr[Attribute], attribute) if kind is ArrayAttr else (attribute,)
                    named += [each.root_reference.data for each in elements if isinstance(each, SymbolRefAttr)]
        body = self._bodies[name] = Body(ops, calls, [each for each in named if each in self.functions])
        return body

    def _visit(self, root: str) -> None:
        """Know `root` and all it calls, callees first."""
        if root in self._known:
            return
        path = {root: iter(self.body(root).calls)}
        while path:
            name, calls = next(reversed(path.items()))
            unknown = (callee for _, callee in calls if callee in self.functions and callee not in self._known)
            callee = next(unknown, None)
            if callee is None:
                self._known[name] = self._summed(name, self.body(name))
                del path[name]
            elif callee in path:
                names = [*path][[*path].index(callee) :]
                cycle = " -> ".join(f"@{name}" for name in (*names, callee))
                raise UnsupportedError(f"recursive calls cannot be inlined: {cycle}", self.functions[callee])
            else:
                path[callee] = iter(self.body(callee).calls)

    def _summed(self, name: str, body: Body) -> _Function:
        ops, depth = body.ops, 0
        for op, callee in body.calls:
            if callee not in self.functions:
                continue
            inner = self._known[callee]
            ops, depth = ops + inner.ops, max(depth, inner.depth + 1)
            if ops > MOST_OPS:
                raise UnsupportedError(
                    f"'{op.name}' of @{callee}: with the bodies of all calls in place @{name} has more than "
                    f"{MOST_OPS} ops",
                    op,
                )
        return _Function(ops, depth)
