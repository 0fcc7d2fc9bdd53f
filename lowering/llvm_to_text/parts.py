"""A module as several texts of LLVM IR, by the tiers of its functions and for several threads.

The functions of a program are not inlined into each other, so they can be optimised apart. Each part defines functions
of one tier (`xrt.tier`) and declares what it uses of the others; what was internal becomes `hidden`, visible to the
other parts but not beyond the library they are linked into. Constants are repeated where they are used. The functions
that generated code calls of the runtime's (`support_functions.py`) are parts of their own, the same in every program.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

from ...decisions.llvm import LlvmTiers
from ...dialects.llvm_parts import Part, Tier
from . import ModuleText, read
from .functions import FunctionText
from .support_functions import SUPPORT_FUNCTIONS


class _Group(NamedTuple):
    """Functions of one tier."""

    tier: Tier
    functions: Sequence[FunctionText]

    @property
    def lines(self) -> int:
        return sum(function.length for function in self.functions)


def emit_parts(module: ModuleOp, jobs: int, model: LlvmTiers) -> list[Part]:
    """The module as parts for `jobs` threads, of the sizes that `model` says, large ones first; as one where it has
    globals that others see. Raises what `emit` raises.
    """
    text = read(module)
    support = [SUPPORT_FUNCTIONS[name] for name in text.support]
    text.declarations.extend(function.declaration for function in support)
    whole = _Group(Tier.LOOPS, text.functions)
    groups = [whole] if text.variables or not text.functions else _groups(text.functions, jobs, model.lines_per_part)
    parts = [_part(group, text, alone=len(groups) == 1) for group in sorted(groups, key=lambda group: -group.lines)]
    return [*parts, *(function.part for function in support)]


def _groups(functions: Sequence[FunctionText], jobs: int, lines_per_part: int) -> list[_Group]:
    """The functions of each tier, in as many groups as keep `jobs` threads busy with the whole program."""
    tiers: dict[Tier, list[FunctionText]] = {}
    for function in functions:
        tiers.setdefault(function.tier, []).append(function)
    work = _Group(Tier.LOOPS, functions).lines
    groups: list[_Group] = []
    for tier, members in tiers.items():
        if tier is Tier.PROGRAM:
            groups.append(_Group(tier, members))
            continue
        lines = _Group(tier, members).lines
        parts = min(len(members), round(jobs * lines / work), lines // lines_per_part)
        groups += [_Group(tier, group) for group in _balance(members, parts)]
    return groups


def _balance(functions: Sequence[FunctionText], parts: int) -> list[list[FunctionText]]:
    """The functions in `parts` groups: the longest first, each to the group with the fewest lines."""
    groups: list[list[FunctionText]] = [[] for _ in range(max(parts, 1))]
    sizes = [0] * len(groups)
    for function in sorted(functions, key=lambda function: -function.length):
        smallest = sizes.index(min(sizes))
        groups[smallest].append(function)
        sizes[smallest] += function.length
    return groups


def _part(group: _Group, text: ModuleText, alone: bool) -> Part:
    used = frozenset[str]().union(*(function.symbols for function in group.functions))
    defined = {function.name for function in group.functions}
    lines = [*(line for symbol, line in text.constants.items() if symbol in used), *text.variables, *text.declarations]
    lines += [f.declaration for f in text.functions if f.name in used and f.name not in defined]
    for function in group.functions:
        lines += function.text(function.linkage if alone else _VISIBLE.get(function.linkage, function.linkage))
    return Part("\n".join([*lines, ""]), group.tier)


_VISIBLE = {"internal ": "hidden ", "private ": "hidden "}
"""How what other parts use is linked."""
