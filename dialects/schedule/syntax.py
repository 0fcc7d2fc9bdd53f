"""The text of a schedule: what `#schedule.kernel<{...}>` holds, and what stands in a file beside a program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from xdsl.parser import AttrParser

from .tree import (
    FOR,
    PARALLEL,
    TRANSPOSE,
    UNROLL,
    Compute,
    Digit,
    Index,
    Keep,
    Loop,
    Node,
    Parts,
    Place,
    Range,
    Stage,
    Start,
    Tree,
)

INDENT = "  "
KINDS = (FOR, PARALLEL, UNROLL, TRANSPOSE)


# Printing


def text_of(tree: Tree, indent: str = "") -> str:
    """The lines between the braces, each with `indent` in front."""
    return "".join(f"{indent}{line}\n" for line in _lines(tree.nodes))


def _lines(nodes: Iterable[Node]) -> Iterator[str]:
    for node in nodes:
        head = heading(node)
        if isinstance(node, Loop):
            yield f"{head} {{"
            yield from (INDENT + line for line in _lines(node.body))
            yield "}"
        else:
            yield head


def heading(node: Node) -> str:
    """The line of a node, without its body."""
    if isinstance(node, Loop):
        side = f" {node.side}" if node.kind == TRANSPOSE else ""
        return f"{node.kind}{side} {', '.join(map(text_of_range, node.ranges))}"
    if isinstance(node, Compute):
        return f"compute {node.op} at {_text_of_indices(node.at)}"
    if isinstance(node, Parts):
        return f"parts {node.count} {node.sum} at {_text_of_indices(node.at)}"
    if isinstance(node, Stage):
        return f"stage {node.operand} at {_text_of_indices(node.at)}"
    if isinstance(node, Start):
        return f"start {node.op} from {node.fill}"
    return f"keep {node.buffer}"


def text_of_range(range: Range) -> str:
    stops = ", ".join(map(text_of_index, range.stop))
    stop = stops if len(range.stop) == 1 else f"min({stops})"
    step = f" by {range.step}" if range.step != 1 else ""
    return f"{range.name} = {text_of_index(range.start)} to {stop}{step}"


def _text_of_indices(indices: Iterable[Index]) -> str:
    return f"({', '.join(map(text_of_index, indices))})"


def text_of_index(index: Index) -> str:
    """`i + k * 64 + 3`."""
    parts = [_text_of_digit(digit) for digit in index.digits]
    if index.constant or not parts:
        parts.append(str(index.constant))
    return " + ".join(parts).replace("+ -", "- ")


def _text_of_digit(digit: Digit) -> str:
    text = digit.of if isinstance(digit.of, str) else f"({text_of_index(digit.of)})"
    if digit.divisor != 1:
        text = f"{text} floordiv {digit.divisor}"
    if digit.modulus:
        text = f"({text}) mod {digit.modulus}" if digit.divisor != 1 else f"{text} mod {digit.modulus}"
    if digit.factor == 1:
        return text
    return f"{text} * {digit.factor}" if text == digit.of else f"({text}) * {digit.factor}"


# Parsing


def parse_tree(parser: AttrParser) -> Tree:
    """The nodes between braces. Raises `ParseError` at the place of what is wrong."""
    return Tree(_Reader(parser).body())


class _Reader:
    """Reads the text of a schedule with a parser of attributes."""

    def __init__(self, parser: AttrParser) -> None:
        self.parser = parser
        self.nodes: dict[str, Callable[[Place], Node]] = {
            "compute": lambda place: Compute(*self._op_at(), place),
            "start": self._start,
            "parts": self._parts,
            "stage": lambda place: Stage(*self._op_at(), place),
            "keep": lambda place: Keep(self._name("the name of an op"), place),
            **{kind: lambda place, kind=kind: self._loop(kind, place) for kind in KINDS},
        }

    def body(self) -> tuple[Node, ...]:
        self.parser.parse_punctuation("{")
        nodes: list[Node] = []
        while self.parser.parse_optional_punctuation("}") is None:
            nodes.append(self._node())
        return tuple(nodes)

    def _node(self) -> Node:
        place = self._place()
        word = self.parser.parse_optional_keyword_in(self.nodes.keys())
        if word is None:
            self.parser.raise_error(f"expected one of {', '.join(self.nodes)} or '}}' in a schedule")
        return self.nodes[word](place)

    def _place(self) -> Place:
        start = self.parser.pos
        before = self.parser.lexer.input.content[:start]
        return Place(before.count("\n") + 1, start - before.rfind("\n"))

    def _name(self, what: str) -> str:
        return self.parser.parse_identifier(f": {what}")

    def _op_at(self) -> tuple[str, tuple[Index, ...]]:
        op = self._name("the name of an op")
        self.parser.parse_keyword("at")
        return op, tuple(self.parser.parse_comma_separated_list(self.parser.Delimiter.PAREN, self._index))

    def _parts(self, place: Place) -> Node:
        count = self._positive()
        sum, at = self._op_at()
        return Parts(sum, count, at, place)

    def _start(self, place: Place) -> Node:
        op = self._name("the name of an op")
        self.parser.parse_keyword("from")
        return Start(op, self._name("the name of a fill"), place)

    def _loop(self, kind: str, place: Place) -> Node:
        side = self.parser.parse_integer(allow_boolean=False, allow_negative=False) if kind == TRANSPOSE else 0
        ranges = [self._range()]
        while self.parser.parse_optional_punctuation(",") is not None:
            ranges.append(self._range())
        return Loop(kind, tuple(ranges), self.body(), side, place)

    def _range(self) -> Range:
        name = self._name("the variable of a loop")
        self.parser.parse_punctuation("=")
        start = self._index()
        self.parser.parse_keyword("to")
        stop = self._stop()
        step = 1
        if self.parser.parse_optional_keyword("by") is not None:
            step = self._positive()
        return Range(name, start, stop, step)

    def _stop(self) -> tuple[Index, ...]:
        if self.parser.parse_optional_keyword("min") is None:
            return (self._index(),)
        with self.parser.in_parens():
            stops = [self._index()]
            while self.parser.parse_optional_punctuation(",") is not None:
                stops.append(self._index())
        return tuple(stops)

    def _positive(self) -> int:
        number = self.parser.parse_integer(allow_boolean=False, allow_negative=False)
        if number < 1:
            self.parser.raise_error("expected a positive number")
        return number

    # Indices

    def _index(self) -> Index:
        total = self._term(-1 if self.parser.parse_optional_punctuation("-") is not None else 1)
        while True:
            if self.parser.parse_optional_punctuation("+") is not None:
                total = total + self._term(1)
            elif self.parser.parse_optional_punctuation("-") is not None:
                total = total + self._term(-1)
            else:
                return total

    def _term(self, sign: int) -> Index:
        """A factor with what is to its right: `floordiv`, `mod` and `*` by numbers, from left to right."""
        value = self._factor()
        while True:
            if self.parser.parse_optional_punctuation("*") is not None:
                value = value * self.parser.parse_integer(allow_boolean=False)
            elif (word := self.parser.parse_optional_keyword_in(("floordiv", "mod"))) is not None:
                number = self._positive()
                value = value.divided(number) if word == "floordiv" else value.divided(1, number)
            else:
                return value * sign

    def _factor(self) -> Index:
        if self.parser.parse_optional_punctuation("(") is not None:
            value = self._index()
            self.parser.parse_punctuation(")")
            return value
        number = self.parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
        if number is not None:
            return Index((), number)
        return Index((Digit(self._name("a number or the variable of a loop")),))
