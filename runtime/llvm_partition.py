"""Splitting LLVM IR text into modules, by what its functions need of LLVM and for several threads.

The functions of a program are not inlined into each other, so they can be optimised apart. Each part defines some of
them and declares what it uses of the others; what was internal becomes `hidden`, visible to the other parts but not
beyond the library they are linked into. Constants are repeated where they are used.

The functions that run parallel loops are a part of their own, which is the same in every program. Any other part holds
functions of one `Tier`. Which one a function belongs to shows in its text: whether it loops, and what over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..lowering.llvm_to_text.parallel_regions import DECLARATION, PARALLEL_REGIONS
from .llvm_pipeline import Tier

_HEADER = re.compile(r"define (?:internal )?(?P<result>[^@]*)(?P<name>@(?:\"[^\"]*\"|[\w.$-]+))\((?P<parameters>.*)\)")
_PARAMETER_NAME = re.compile(r" %(?:\"[^\"]*\"|[\w.$-]+)")
_SYMBOL = re.compile(r"@(?:\"[^\"]*\"|[\w.$-]+)")
_CALLEE = re.compile(r" call [^@\n]*(@(?:\"[^\"]*\"|[\w.$-]+))\(")
_GLOBAL = re.compile(r"^(@(?:\"[^\"]*\"|[\w.$-]+)) = (.*)\n", re.MULTILINE)
_LABEL = re.compile(r"\n([\w.$-]+):\n")
_TARGET = re.compile(r"label %([\w.$-]+)")
_VECTOR = re.compile(r"<\d+ x ")
_LANES = re.compile(r"<(?!1 x )\d+ x ")
_COMPUTATION = re.compile(r" = f(?:add|sub|mul|div|rem|neg|cmp)\b|<\d+ x |@llvm\.(?:f|exp|log|pow|sin|cos|sqrt)")

LINES_PER_PART = 80
"""Least size of the parts a tier is split into for the sake of threads: some 10 ms of work. A part costs 2 ms."""

MOST_LINES_OF_LOOPS = 3000
"""Largest program in `Tier.LOOPS`: the time of its passes is about the square of the size of a function. The loops of a
program this long are around calls of kernels, or over a few elements.
"""

MOST_NESTED = 32
"""Loops in each other, beyond which a function is left to the code generator, and what calls the kernels to that of
level 0: the time of LLVM's passes is about the square of their number, and its value numbering ends the process where
there are a hundred.
"""

HIDDEN_COUNTER = " = phi <1 x i64> "
"""What `llvm-hide-counters` leaves in functions that need no optimiser."""


_BRIEF = " cold "
"""What `llvm_to_text` writes to functions that are not worth optimising."""


class Part(NamedTuple):
    """A module of its own, as text."""

    text: str
    tier: Tier
    lines: int
    shared: bool = False
    """Whether it is the same in other programs, so that it is compiled once."""


class _Function(NamedTuple):
    name: str
    text: str
    declaration: str
    lines: int
    nested: int
    """How many of its loops are in each other. A loop is a jump backwards: blocks stand in an order in which only loops
    do so.
    """
    scalar: bool
    """Whether its loops are over elements, not over vectors or calls."""
    gathers: bool
    """Whether an innermost loop of hidden counters is over elements: the function has more than vector code."""
    brief: bool
    """Whether it is over after some steps."""
    program: bool
    """Whether it is what calls the kernels; it may be of any size, kernels may not."""
    symbols: frozenset[str]
    """The other functions and the constants it names."""
    callees: list[str]


def partition(text: str, jobs: int) -> list[Part]:
    """`text` as modules for `jobs` threads, large ones first; as one where it has a form that cannot be split."""
    if PARALLEL_REGIONS in text:
        return [*partition(text.replace(PARALLEL_REGIONS, DECLARATION), jobs), _PARALLEL_REGIONS]
    definitions, rest = _definitions(text)
    if "define " in rest or not all(match[2].startswith(("private ", "internal ")) for match in _GLOBAL.finditer(rest)):
        return [Part(text, Tier.LOOPS, text.count("\n"))]
    functions = [_function(definition) for definition in definitions]
    tiers: dict[Tier, list[_Function]] = {}
    called_by_loops = _called_by_loops(functions)
    for function in functions:
        tiers.setdefault(_tier(function, called_by_loops), []).append(function)
    groups = [(tier, group) for tier, members in tiers.items() for group in _groups(tier, members, functions, jobs)]
    if len(groups) < 2:
        return [Part(text, groups[0][0] if groups else Tier.LOOPS, text.count("\n"))]
    parts = [_part(tier, group, functions, rest) for tier, group in groups]
    return sorted(parts, key=lambda part: -part.lines)


_PARALLEL_REGIONS = Part(
    PARALLEL_REGIONS.replace("define internal", "define hidden"),
    Tier.TILES,
    PARALLEL_REGIONS.count("\n"),
    shared=True,
)


def _definitions(text: str) -> tuple[list[str], str]:
    """The functions defined in `text`, in the form that the compiler writes, and everything else."""
    definitions: list[str] = []
    rest: list[str] = []
    position = 0
    while (start := text.find("define ", position)) >= 0:
        end = text.find("\n}\n", start) + 3
        if end < 3 or (start > 0 and text[start - 1] != "\n"):
            break
        rest.append(text[position:start])
        definitions.append(text[start:end])
        position = end
    rest.append(text[position:])
    return definitions, "".join(rest)


def _function(text: str) -> _Function:
    header = _HEADER.match(text)
    assert header is not None, text.partition("\n")[0]
    name = header["name"]
    parameters = _PARAMETER_NAME.sub("", header["parameters"])
    nested, scalar, gathers = _loops(text)
    return _Function(
        name,
        text,
        f"declare {header['result']}{name}({parameters})\n",
        text.count("\n"),
        nested,
        scalar,
        gathers,
        _BRIEF in text.partition("\n")[0],
        not text.startswith("define internal ") or name.rstrip('"').endswith(".body"),
        frozenset(_SYMBOL.findall(text)) - {name},
        _CALLEE.findall(text),
    )


def _loops(text: str) -> tuple[int, bool, bool]:
    """How many loops of the function `text` are in each other, whether they need all that LLVM can do for loops, and
    whether one of the innermost counts in vectors of one lane but has no others.

    If the innermost loops are vector code they need little, and so does a loop that only calls functions, but not one
    that is to be unrolled. Loops over elements that matter are those of one block; in vector code there may be
    branches, and the head of a loop whose bound is not known is a block of its own.
    """
    pieces = _LABEL.split(text)
    blocks = pieces[2::2]
    positions = {label: position for position, label in enumerate(pieces[1::2])}
    scalar = vector = gathers = False
    begins: list[int] = []
    """Where loops start."""
    inside = 0
    """Where a loop has to start to have none of those before in it."""
    for position, block in enumerate(blocks):
        targets = [positions.get(target, 0) for target in _TARGET.findall(block)]
        start = min(targets, default=position + 1)
        if inside <= start <= position:
            is_vector = any(map(_VECTOR.search, blocks[start : position + 1]))
            vector, scalar = vector or is_vector, scalar or (start == position and not is_vector)
            gathers = gathers or (start == position and is_vector and not _LANES.search(block))
        if start <= position:
            inside = start + 1
            begins.append(start)
    nested = _depth(begins)
    return nested, scalar or (bool(begins) and ("!llvm.loop" in text or (not vector and " store " in text))), gathers


def _depth(begins: Sequence[int]) -> int:
    """How many loops are in each other, which begin there, in the order of their ends.

    >>> _depth([]), _depth([1, 4]), _depth([2, 4, 1])
    (0, 1, 2)
    """
    inner: list[tuple[int, int]] = []
    """Where the loops so far begin that are in no other, and how many are in each other there."""
    for begin in begins:
        nested = 0
        while inner and inner[-1][0] >= begin:
            nested = max(nested, inner.pop()[1])
        inner.append((begin, nested + 1))
    return max((nested for _, nested in inner), default=0)


def _called_by_loops(functions: Sequence[_Function]) -> set[str]:
    """The functions that may run more than once in a run of the program."""
    by_name = {function.name: function for function in functions}
    called: set[str] = set()
    queue = [symbol for function in functions if function.nested for symbol in function.callees]
    while queue:
        symbol = queue.pop()
        if symbol in by_name and symbol not in called:
            called.add(symbol)
            queue.extend(by_name[symbol].callees)
    return called


def _tier(function: _Function, called_by_loops: set[str]) -> Tier:
    if function.brief and function.name not in called_by_loops:
        return Tier.PROGRAM
    if function.nested > MOST_NESTED:
        return Tier.PROGRAM if function.program else Tier.TILES
    if function.scalar and not (function.program and function.lines > MOST_LINES_OF_LOOPS):
        return Tier.LOOPS
    if HIDDEN_COUNTER in function.text and not function.gathers:
        return Tier.TILES
    if function.nested or function.name in called_by_loops or _COMPUTATION.search(function.text):
        return Tier.VECTORS
    return Tier.PROGRAM


def _groups(
    tier: Tier, members: Sequence[_Function], functions: Sequence[_Function], jobs: int
) -> Iterable[Sequence[_Function]]:
    """The members of one tier in as many groups as keep `jobs` threads busy with the whole program."""
    if tier is Tier.PROGRAM:
        return [members]
    lines = sum(function.lines for function in members)
    work = sum(function.lines for function in functions)
    return _balance(members, min(len(members), round(jobs * lines / work), lines // LINES_PER_PART))


def _balance(functions: Sequence[_Function], parts: int) -> list[list[_Function]]:
    """The functions in `parts` groups: the longest first, each to the group with the fewest lines."""
    groups: list[list[_Function]] = [[] for _ in range(max(parts, 1))]
    sizes = [0] * len(groups)
    for function in sorted(functions, key=lambda function: -function.lines):
        smallest = sizes.index(min(sizes))
        groups[smallest].append(function)
        sizes[smallest] += function.lines
    return groups


def _part(tier: Tier, group: Sequence[_Function], functions: Sequence[_Function], rest: str) -> Part:
    body = "".join(function.text.replace("define internal ", "define hidden ", 1) for function in group)
    used = {symbol for function in group for symbol in function.symbols}
    defined = {function.name for function in group}
    declarations = [
        function.declaration for function in functions if function.name in used and function.name not in defined
    ]
    constants = _GLOBAL.sub(lambda match: match[0] if match[1] in used else "", rest)
    return Part(f"{constants}\n{''.join(declarations)}{body}", tier, body.count("\n"))
