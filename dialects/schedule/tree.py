"""What is done with a kernel, as a tree: loops, and what is computed inside them.

A schedule is data: frozen, comparable, the same for a person, a pass and a search. `syntax.py` prints and parses it;
`ir/schedules.py` checks one against its kernel. Loops run over offsets, so that a tile is two loops whose variables are
added:

    parallel i = 0 to 1024 by 64 {
      for j = 0 to 4096 {
        for k = 0 to 64 {
          compute exp at (i + k, j)
        }
      }
    }

The models are Halide's loop nests (Ragan-Kelley et al., PLDI 2013), TVM's schedules and MLIR's transform dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ..records import changed


@dataclass(frozen=True)
class Digit:
    """`factor * ((of floordiv divisor) mod modulus)`, of the variable of a loop or of a sum of such; without a modulus
    (0) the quotient itself.
    """

    of: str | Index
    factor: int = 1
    divisor: int = 1
    modulus: int = 0

    def loops(self) -> set[str]:
        """The loops it depends on."""
        return {self.of} if isinstance(self.of, str) else self.of.loops()

    def value(self, variables: Mapping[str, int]) -> int:
        """The number it is where the variables of loops have these values."""
        whole = variables[self.of] if isinstance(self.of, str) else self.of.value(variables)
        quotient = whole // self.divisor
        return self.factor * (quotient % self.modulus if self.modulus else quotient)


@dataclass(frozen=True)
class Index:
    """A sum of digits of the variables of loops, and a constant: where an op is along one of its dimensions."""

    digits: tuple[Digit, ...] = ()
    constant: int = 0

    def loops(self) -> set[str]:
        """The loops it depends on."""
        return {loop for digit in self.digits for loop in digit.loops()}

    def value(self, variables: Mapping[str, int]) -> int:
        """The number it is where the variables of loops have these values."""
        return self.constant + sum(digit.value(variables) for digit in self.digits)

    def __add__(self, other: Index) -> Index:
        return Index((*self.digits, *other.digits), self.constant + other.constant)

    def __mul__(self, factor: int) -> Index:
        if factor == 1:
            return self
        digits = tuple(Digit(each.of, each.factor * factor, each.divisor, each.modulus) for each in self.digits)
        return Index(digits if factor else (), self.constant * factor)

    def divided(self, divisor: int, modulus: int = 0) -> Index:
        """`(self floordiv divisor) mod modulus`, without a modulus (0) the quotient. Digits of a digit are digits."""
        if not self.digits:
            quotient = self.constant // divisor
            return Index((), quotient % modulus if modulus else quotient)
        if divisor == 1 and not modulus:
            return self
        (digit, *others) = self.digits
        if others or self.constant or digit.factor != 1:
            return Index((Digit(self, 1, divisor, modulus),))
        if not digit.modulus:
            return Index((Digit(digit.of, 1, digit.divisor * divisor, modulus),))
        if digit.modulus % (divisor * (modulus or 1)) == 0:
            return Index((Digit(digit.of, 1, digit.divisor * divisor, modulus or digit.modulus // divisor),))
        return Index((Digit(self, 1, divisor, modulus),))

    def replaced(self, value: Callable[[str], Index]) -> Index:
        """The index with values in the place of the variables of loops."""
        digits: list[Digit] = []
        constant = self.constant
        for digit in self.digits:
            inner = value(digit.of) if isinstance(digit.of, str) else digit.of.replaced(value)
            if digit.divisor != 1 or digit.modulus:
                inner = inner.divided(digit.divisor, digit.modulus)
            inner *= digit.factor
            digits += inner.digits
            constant += inner.constant
        return Index(tuple(digits), constant).joined()

    def joined(self) -> Index:
        """The index with quotients and remainders of one number as one digit: `i floordiv 4 * 4 + i mod 4` is `i`."""
        for high in self.digits:
            for low in self.digits:
                size = low.modulus
                place = low.factor * size, low.divisor * size
                if size and high is not low and place == (high.factor, high.divisor) and low.of == high.of:
                    others = tuple(digit for digit in self.digits if digit is not high and digit is not low)
                    whole = Index((changed(low, modulus=high.modulus * size),))
                    if isinstance(low.of, Index) and low.divisor == 1 and not high.modulus:
                        whole = low.of * low.factor
                    return (Index(others, self.constant) + whole).joined()
        return self


def variable(loop: str, factor: int = 1) -> Index:
    """The variable of a loop, `factor` times."""
    return Index((Digit(loop, factor),))


@dataclass(frozen=True)
class Place:
    """Where a node stands in a text, for messages; equal nodes may stand anywhere."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Range:
    """`name = start to stop by step`, the values of a loop's variable. `stop` is the least of its indices.

    `overlapping`: the last step begins earlier, so that it is as long as the others; it does a part of the one before
    it again.
    """

    name: str
    start: Index
    stop: tuple[Index, ...]
    step: int = 1
    overlapping: bool = False

    @property
    def end(self) -> int:
        """Where it ends, if that is a number."""
        return self.stop[0].constant

    @property
    def trips(self) -> int | None:
        """How often the loop runs; None where that depends on a loop around it."""
        (stop, *others) = self.stop
        if self.start.digits or others or stop.digits:
            return None
        return max(0, -(-(stop.constant - self.start.constant) // self.step))


def counted(name: str, stop: int, step: int = 1, start: int = 0) -> Range:
    """A range with known ends."""
    return Range(name, Index((), start), (Index((), stop),), step)


def pieces(name: str, stop: int, step: int) -> Range:
    """The same from 0 on, where the last step is as long as the others."""
    return Range(name, Index(), (Index((), stop),), step, stop % step != 0)


FOR, PARALLEL, UNROLL, TRANSPOSE = "for", "parallel", "unroll", "transpose"
"""Kinds of loops: one after the other; on several threads; as copies of the body; as square blocks in registers."""

VECTOR = "vector"
"""A kind of innermost loop: so many elements of its only range at a time, as one vector."""

CHAIN, TILE = "chain", "tile"
"""Kinds of loops of a contraction. `chain`: sums start from zero in it, and are added to those around at its end.
`tile`: sums in registers, as vectors as long as a step of the last range."""

DOT = "dot"
"""A kind of loop around a tile: the steps of a reduction that one instruction does, for words of so many factors. What
is past the end of a dimension is zero."""


@dataclass(frozen=True)
class Loop:
    """Loops over all points of `ranges`, the last one innermost."""

    kind: str
    ranges: tuple[Range, ...]
    body: tuple[Node, ...]
    side: int = 0
    """Of the blocks in which a `transpose` goes through its two ranges; the elements of a `vector`."""
    element: str = ""
    """Of the sums of a `chain`, where it is another one than that of what they are added to."""
    instruction: str = ""
    """Of a `dot` (`decisions/dot_products.py`)."""
    place: Place | None = field(default=None, compare=False)


METHODS = {"radix": "bits", "merge": "runs", "network": "", "list": "block", "heap": "block"}
"""The ways to sort a line, each with the word of its number, if it has one."""


@dataclass(frozen=True)
class Method:
    """How an op does a point that takes an algorithm: one of `METHODS`, and its number."""

    name: str
    number: int = 0


@dataclass(frozen=True)
class Compute:
    """One point of a structured op, at the given indices of its dimensions; in the last trip of the loop `after` alone,
    where there is one; `by` a method, of an op that has several."""

    op: str
    at: tuple[Index, ...]
    after: str = ""
    by: Method | None = None
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Start:
    """What the sums of an op start from is the value of a fill, which is not stored: the op is its only reader."""

    op: str
    fill: str
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Keep:
    """A buffer of the kernel holds only what one trip of the loops around needs, in memory of each thread."""

    buffer: str
    place: Place | None = field(default=None, compare=False)


PANELS, ROWS = "panels", "rows"
"""Forms of copies: for every step of a reduction the rows or columns of a tile side by side; the rows of tiles, dense,
in the order that they have."""


@dataclass(frozen=True)
class Pack:
    """What the loops behind it read of an input of a contraction is copied, in this `form`, with converted elements.

    `ahead`: rows that lie far apart are fetched before. `parts`: on several threads, and the reduction in so many
    parts; 0 on one. `hoisted`: in front of a loop of the program that does not change the input.
    """

    op: str
    input: int
    form: str
    ahead: bool = False
    parts: int = 0
    hoisted: bool = False
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Fetch:
    """What is read of an input of a contraction later is fetched to the cache: where it is packed, a share of what is
    packed next; `rows` of those of the next tile; what is `bytes` ahead in the rows of the tile. Elsewhere what the op
    reads `at` these indices, which may be past its last point.
    """

    op: str
    input: int
    rows: int = 0
    bytes: int = 0
    at: tuple[Index, ...] = ()
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Stream:
    """The vectors of whole cache lines that are stored to a buffer of the caller go past the caches."""

    output: str
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Hold:
    """Between the trips of the loop of a reduction behind it the `sums` of all tiles in it are in memory of each
    thread, and their `errors`, what they are off by. `ahead`: tiles fetch them.
    """

    op: str
    sums: bool = True
    errors: bool = False
    ahead: bool = False
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Parts:
    """Sums are formed in `count` parts: `SUM.parts` adds a point of its op to the partial sum at the indices `at`, in
    terms of the dimensions of the op, `d0`, `d1`, ...; `SUM.total` adds these up, and `SUM.errors` the errors that
    these additions of floats make. There is a partial sum of every part for what one trip of the loops around needs.
    """

    sum: str
    count: int
    at: tuple[Index, ...]
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Stage:
    """An operand is copied to a small buffer first, of what one trip of the loops around needs: the computation
    `operand` copies the element of a point to the indices `at`, in terms of the dimensions of the op.
    """

    operand: str
    at: tuple[Index, ...]
    place: Place | None = field(default=None, compare=False)


Node: TypeAlias = "Loop | Compute | Start | Stream | Keep | Parts | Stage | Pack | Fetch | Hold"


@dataclass(frozen=True)
class Tree:
    """The schedule of a kernel: what is done, in this order."""

    nodes: tuple[Node, ...] = ()
    checked: bool = field(default=False, compare=False)
    """Whether it was made from a kernel, and not read from a text."""

    def walk(self) -> Iterator[tuple[Node, tuple[Loop, ...]]]:
        """Every node and the loops around it, outermost first."""
        yield from _walk(self.nodes, ())

    @property
    def is_tiled(self) -> bool:
        """Whether something is computed in tiles of registers."""
        return any(isinstance(node, Loop) and node.kind == TILE for node, _ in self.walk())

    @property
    def streams(self) -> tuple[Stream, ...]:
        """What it says of stores past the caches."""
        return tuple(node for node in self.nodes if isinstance(node, Stream))

    def streaming(self, streams: tuple[Stream, ...]) -> Tree:
        """The tree with these stores past the caches, and no others."""
        if not streams and not self.streams:
            return self
        others = (node for node in self.nodes if not isinstance(node, Stream))
        return Tree((*streams, *others), self.checked)

    def replaced(self, old: Node, new: tuple[Node, ...]) -> Tree:
        """The tree with `new` in the place of the node `old` (that object, not an equal one)."""
        return Tree(_replaced(self.nodes, old, new))


def _walk(nodes: tuple[Node, ...], around: tuple[Loop, ...]) -> Iterator[tuple[Node, tuple[Loop, ...]]]:
    for node in nodes:
        yield node, around
        if isinstance(node, Loop):
            yield from _walk(node.body, (*around, node))


def _replaced(nodes: tuple[Node, ...], old: Node, new: tuple[Node, ...]) -> tuple[Node, ...]:
    result: list[Node] = []
    for node in nodes:
        if node is old:
            result += new
        elif isinstance(node, Loop):
            body = _replaced(node.body, old, new)
            result.append(node if body == node.body else changed(node, body=body))
        else:
            result.append(node)
    return tuple(result)
