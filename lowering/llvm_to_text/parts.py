"""A module as several texts of LLVM IR, by the tiers of its functions and for several threads.

The functions of a program are not inlined into each other, so they can be optimised apart. Each part defines functions
of one tier (`xrt.tier`) and declares what it uses of the others; what was internal becomes `hidden`, visible to the
other parts but not beyond the library they are linked into. Constants are repeated where they are used. The functions
that generated code calls of the runtime's (`support_functions.py`) are parts of their own, the same in every program.

Parts are made while functions come: one that is large enough goes to LLVM while the next functions are lowered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ModuleOp

from ...decisions.llvm import LlvmTiers
from ...dialects.llvm_parts import Part, Tier
from ...ir.function_passes import functions_of
from . import Globals, check_name, read_globals
from .functions import FunctionText, function_declaration, function_text, tier_of
from .instructions import Declarations
from .support_functions import support_function, support_functions
from .text_of_types import symbol_text


@dataclass
class _Group:
    """Functions of one tier."""

    tier: Tier
    functions: list[FunctionText] = field(default_factory=list[FunctionText])
    declarations: Declarations = field(default_factory=Declarations)
    """The intrinsics that they call, and perhaps others."""
    lines: int = 0

    def add(self, function: FunctionText) -> None:
        self.functions.append(function)
        self.lines += function.length


def emit_parts(
    module: ModuleOp,
    jobs: int,
    model: LlvmTiers,
    functions: Iterable[llvm.FuncOp] | None = None,
    debug_info: bool = False,
) -> Iterator[Part]:
    """The module as parts for `jobs` threads, of the sizes that `model` says; as one where it has globals that others
    see.

    `functions` are those of the module as they are through with the passes, all of them if not given. Those that it
    still lacks are in the module as declarations. `debug_info`: whether parts are `located`, too. Raises what `emit`
    raises.
    """
    parts: _Parts | None = None
    for function in _in_turn(module) if functions is None else functions:
        parts = parts or _Parts(module, jobs, model, debug_info, coming=functions is not None)
        yield from parts.added(function)
    yield from (parts or _Parts(module, jobs, model, debug_info)).rest()


def _in_turn(module: ModuleOp) -> Iterator[llvm.FuncOp]:
    """Its functions in the order in which they are lowered."""
    for op in functions_of(module):
        if isinstance(op, llvm.FuncOp):
            yield op


class _Parts:
    """The parts of a module so far."""

    def __init__(self, module: ModuleOp, jobs: int, model: LlvmTiers, debug_info: bool, coming: bool = False):
        self._module = module
        self._jobs = jobs
        self._model = model
        self._debug_info = debug_info
        self._globals: Globals = read_globals(module, coming)
        self._open: dict[Tier, _Group] = {}
        self._is_split = False
        """Whether some part has been given."""
        self._used: set[str] = set()

    def added(self, op: llvm.FuncOp) -> Iterator[Part]:
        """The part that a function makes large enough."""
        check_name(op)
        name = op.sym_name.data
        if not op.body.blocks or support_function(name) is not None:
            return
        tier = Tier.LOOPS if self._globals.variables else tier_of(op)
        group = self._open.get(tier)
        if group is None:
            group = self._open[tier] = _Group(tier, declarations=Declarations(self._debug_info))
        group.add(function_text(op, group.declarations))
        if self._jobs > 1 and not self._globals.variables and self._model.goes_ahead(group.lines, self._is_split):
            del self._open[tier]
            self._is_split = True
            yield self._part(group, alone=False)

    def rest(self) -> Iterator[Part]:
        """The other parts, those that take long first, and those of the runtime's functions."""
        groups = self._rest()
        alone = len(groups) == 1 and not self._is_split
        for group in sorted(groups, key=lambda group: -self._cost(group)):
            yield self._part(group, alone)
        for function in support_functions(self._used):
            yield function.part

    def _rest(self) -> list[_Group]:
        """The functions of each tier that are left, in as many groups as keep the threads busy."""
        if self._globals.variables or not (self._open or self._is_split):
            return [*self._open.values()] or [_Group(Tier.LOOPS)]
        work = sum(map(self._cost, self._open.values()))
        groups: list[_Group] = []
        for tier, group in self._open.items():
            if tier is Tier.PROGRAM:
                groups.append(group)
                continue
            most = min(len(group.functions), round(self._jobs * self._cost(group) / work))
            groups += _balanced(group, min(most, group.lines // self._model.lines_per_part))
        return groups

    def _cost(self, group: _Group) -> float:
        return group.lines * self._model.line_cost(group.tier.value)

    def _part(self, group: _Group, alone: bool) -> Part:
        used = frozenset[str]().union(*(function.symbols for function in group.functions))
        self._used |= used
        start = [line for symbol, line in self._globals.constants.items() if symbol in used]
        start += self._globals.variables
        start += self._declarations(used - {function.name for function in group.functions})
        lines = [*start, *group.declarations.lines.values()]
        located = [*start, *group.declarations.located] if self._debug_info else []
        for function in group.functions:
            linkage = function.linkage if alone else _VISIBLE.get(function.linkage, function.linkage)
            lines += function.text(linkage)
            if self._debug_info:
                located += function.located(linkage)
        return Part("\n".join([*lines, ""]), group.tier, alone=alone, located="\n".join(located))

    def _declarations(self, symbols: AbstractSet[str]) -> Iterator[str]:
        """Of the functions among these symbols, which other parts define, or none."""
        for op in self._module.ops:
            if not isinstance(op, llvm.FuncOp):
                continue
            if symbol_text(op.sym_name.data) in symbols and support_function(op.sym_name.data) is None:
                yield function_declaration(op)
        for function in support_functions(symbols):
            yield function.declaration


def _balanced(group: _Group, parts: int) -> list[_Group]:
    """The functions of `group` in `parts` groups: the longest first, each to the group with the fewest lines."""
    groups = [_Group(group.tier, declarations=group.declarations) for _ in range(max(parts, 1))]
    for function in sorted(group.functions, key=lambda function: -function.length):
        min(groups, key=lambda each: each.lines).add(function)
    return groups


_VISIBLE = {"internal ": "hidden ", "private ": "hidden "}
"""How what other parts use is linked."""
