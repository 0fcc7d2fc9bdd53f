"""The text of a schedule: what `#schedule.kernel<{...}>` holds, and what stands in a file beside a program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from xdsl.parser import AttrParser

from ..fast_tokens import TokenParser
from ..limits import DEEPEST_SCHEDULE
from .tree import (
    CHAIN,
    DOT,
    FOR,
    METHODS,
    PANELS,
    PARALLEL,
    ROWS,
    TILE,
    TRANSPOSE,
    UNROLL,
    VECTOR,
    Compute,
    Digit,
    Fetch,
    Hold,
    Index,
    Keep,
    Loop,
    Method,
    Node,
    Pack,
    Parts,
    Place,
    Range,
    Stage,
    Start,
    Stream,
    Tree,
)

INDENT = "  "
KINDS = (FOR, PARALLEL, UNROLL, TRANSPOSE, VECTOR, CHAIN, DOT, TILE)


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
        side = (
            f" {node.side}" if node.kind in (TRANSPOSE, VECTOR) else f" {node.instruction}" if node.kind == DOT else ""
        )
        element = f" in {node.element}" if node.element else ""
        return f"{node.kind}{side} {', '.join(map(text_of_range, node.ranges))}{element}"
    if isinstance(node, Compute):
        after = f" after {node.after}" if node.after else ""
        return f"compute {node.op} at {_text_of_indices(node.at)}{after}{_text_of_method(node.by)}"
    if isinstance(node, Parts):
        return f"parts {node.count} {node.sum} at {_text_of_indices(node.at)}"
    if isinstance(node, Stage):
        return f"stage {node.operand} at {_text_of_indices(node.at)}"
    if isinstance(node, Start):
        return f"start {node.op} from {node.fill}"
    if isinstance(node, Keep):
        return f"keep {node.buffer}"
    if isinstance(node, Stream):
        return f"stream {node.output}"
    return " ".join(_words(node))


def _text_of_method(method: Method | None) -> str:
    if method is None:
        return ""
    word = METHODS[method.name]
    return f" by {method.name}" + (f" {word} {method.number}" if word else "")


def _words(node: Pack | Fetch | Hold) -> Iterator[str]:
    if isinstance(node, Pack):
        yield f"pack {node.op}.in{node.input} in {node.form}"
        yield from (word for word, said in (("ahead", node.ahead), ("hoisted", node.hoisted)) if said)
        if node.parts:
            yield f"shared {node.parts}"
    elif isinstance(node, Fetch):
        yield f"fetch {node.op}.in{node.input}"
        yield from (f"{word} {number}" for word, number in (("rows", node.rows), ("bytes", node.bytes)) if number)
        if node.at:
            yield f"at {_text_of_indices(node.at)}"
    else:
        yield f"hold {'' if node.sums else 'errors of '}{node.op}"
        yield from (word for word, said in (("errors", node.sums and node.errors), ("ahead", node.ahead)) if said)


def text_of_range(range: Range) -> str:
    stops = ", ".join(map(text_of_index, range.stop))
    stop = stops if len(range.stop) == 1 else f"min({stops})"
    step = f" by {range.step}" if range.step != 1 else ""
    overlapping = " overlapping" if range.overlapping else ""
    return f"{range.name} = {text_of_index(range.start)} to {stop}{step}{overlapping}"


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
        self.parser, self.depth = parser, 0
        self.nodes: dict[str, Callable[[Place], Node]] = {
            "compute": self._compute,
            "start": self._start,
            "parts": self._parts,
            "stage": lambda place: Stage(*self._op_at(), place),
            "keep": lambda place: Keep(self._name("the name of an op"), place),
            "stream": lambda place: Stream(self._name("the name of an op"), place),
            "pack": self._pack,
            "fetch": self._fetch,
            "hold": self._hold,
            **{kind: lambda place, kind=kind: self._loop(kind, place) for kind in KINDS},
        }

    def body(self) -> tuple[Node, ...]:
        self._deeper()
        self.parser.parse_punctuation("{")
        nodes: list[Node] = []
        while self.parser.parse_optional_punctuation("}") is None:
            nodes.append(self._node())
        self.depth -= 1
        return tuple(nodes)

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST_SCHEDULE:
            self.parser.raise_error(f"loops or parentheses are more than {DEEPEST_SCHEDULE} deep")

    def _node(self) -> Node:
        place = self._place()
        word = self.parser.parse_optional_keyword_in(self.nodes.keys())
        if word is None:
            self.parser.raise_error(f"expected one of {', '.join(self.nodes)} or '}}' in a schedule")
        return self.nodes[word](place)

    def _place(self) -> Place:
        start = self.parser.pos
        source = self.parser.lexer.input
        before = source.content[:start]
        lines = self.parser.line_offset if isinstance(self.parser, TokenParser) else 0
        return Place(source.name, lines + before.count("\n") + 1, start - before.rfind("\n"))

    def _name(self, what: str) -> str:
        return self.parser.parse_identifier(f": {what}")

    def _op_at(self) -> tuple[str, tuple[Index, ...]]:
        op = self._name("the name of an op")
        self.parser.parse_keyword("at")
        return op, self._indices()

    def _indices(self) -> tuple[Index, ...]:
        return tuple(self.parser.parse_comma_separated_list(self.parser.Delimiter.PAREN, self._index))

    def _compute(self, place: Place) -> Node:
        op, at = self._op_at()
        after = self._name("the variable of a loop") if self._said("after") else ""
        return Compute(op, at, after, self._method() if self._said("by") else None, place)

    def _method(self) -> Method:
        name = self.parser.parse_optional_keyword_in(METHODS.keys())
        if name is None:
            self.parser.raise_error(f"expected one of {', '.join(METHODS)}")
        if word := METHODS[name]:
            self.parser.parse_keyword(word)
        return Method(name, self._positive() if word else 0)

    def _parts(self, place: Place) -> Node:
        count = self._positive()
        sum, at = self._op_at()
        return Parts(sum, count, at, place)

    def _start(self, place: Place) -> Node:
        op = self._name("the name of an op")
        self.parser.parse_keyword("from")
        return Start(op, self._name("the name of a fill"), place)

    def _input(self) -> tuple[str, int]:
        """`addf.in1`: an op and the number of one of its inputs."""
        op, _, number = self._name("an op and the number of an input, as in 'addf.in1'").rpartition(".in")
        if not op or not number.isdecimal():
            self.parser.raise_error("expected an op and the number of an input, as in 'addf.in1'")
        return op, int(number)

    def _said(self, word: str) -> bool:
        return self.parser.parse_optional_keyword(word) is not None

    def _number_after(self, word: str) -> int:
        """The number behind `word`, 0 where that is not there."""
        return self._positive() if self._said(word) else 0

    def _pack(self, place: Place) -> Node:
        op, input = self._input()
        self.parser.parse_keyword("in")
        form = self.parser.parse_optional_keyword_in((PANELS, ROWS))
        if form is None:
            self.parser.raise_error(f"expected '{PANELS}' or '{ROWS}'")
        ahead, hoisted = self._said("ahead"), self._said("hoisted")
        return Pack(op, input, form, ahead, self._number_after("shared"), hoisted, place)

    def _fetch(self, place: Place) -> Node:
        op, input = self._input()
        if self._said("at"):
            return Fetch(op, input, at=self._indices(), place=place)
        return Fetch(op, input, self._number_after("rows"), self._number_after("bytes"), place=place)

    def _hold(self, place: Place) -> Node:
        name = self._name("the name of an op")
        alone = name == "errors" and self._said("of")
        op = self._name("the name of an op") if alone else name
        return Hold(op, not alone, self._said("errors") or alone, self._said("ahead"), place)

    def _loop(self, kind: str, place: Place) -> Node:
        side = (
            self.parser.parse_integer(allow_boolean=False, allow_negative=False) if kind in (TRANSPOSE, VECTOR) else 0
        )
        instruction = self._name("an instruction") if kind == DOT else ""
        ranges = [self._range()]
        while self.parser.parse_optional_punctuation(",") is not None:
            ranges.append(self._range())
        element = self._name("the type of sums") if kind == CHAIN and self._said("in") else ""
        return Loop(kind, tuple(ranges), self.body(), side, element, instruction, place)

    def _range(self) -> Range:
        name = self._name("the variable of a loop")
        self.parser.parse_punctuation("=")
        start = self._index()
        self.parser.parse_keyword("to")
        stop = self._stop()
        step = 1
        if self._said("by"):
            step = self._positive()
        return Range(name, start, stop, step, self._said("overlapping"))

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
            self._deeper()
            value = self._index()
            self.parser.parse_punctuation(")")
            self.depth -= 1
            return value
        number = self.parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
        if number is not None:
            return Index((), number)
        return Index((Digit(self._name("a number or the variable of a loop")),))
