"""Mutations of text: its tokens, groups in brackets, numbers, lines and bytes.

Each takes the text, another text to borrow from, and the source of randomness. Those that change a token everywhere
tend to give programs that are accepted; the others, ones to be refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from .byte_mutations import mutate_bytes
from .seeds import read_text, write_text

Mutation = Callable[[str, str, Random], str]

TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|[%@#!^$][\w.$-]*|-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|[A-Za-z_][\w.$-]*|->|\s+|.',
    re.DOTALL,
)
NUMBER = re.compile(r"-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?")
OPENING, CLOSING = "([{<", ")]}>"

EXTREMES = (
    "0", "1", "-1", "2", "3", "7", "64", "65", "255", "256", "-128", "2147483647", "2147483648", "-2147483649",
    "4294967296", "4611686018427387904", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1000000000000", "1" + "0" * 30, "9" * 5000,
    "1e400", "1e-400", "-0.0", "0.5", "nan", "inf", "0x7FC00000", "0xFF", "0xFFFFFFFFFFFFFFFFF", "?",
)  # fmt: skip

ELEMENT_TYPES = (
    "f32", "f64", "f16", "bf16", "i1", "i2", "i4", "i8", "i16", "i32", "i64", "ui2", "ui4", "ui8", "ui16", "ui32",
    "ui64", "f8E4M3FN", "f8E5M2", "f8E3M4", "f8E8M0FNU", "f4E2M1FN", "f6E2M3FN", "complex<f32>", "complex<f64>",
    "s32", "u32", "s8", "u8", "s4", "pred", "c64", "c128", "f8e4m3fn", "f8e5m2", "i3", "i128", "si32", "index", "tf32",
    "f80", "f128", "i16777215", "none", "token", "opaque[]",
)  # fmt: skip
ELEMENT_TYPE = re.compile(r"(?<![A-Za-z0-9_%@.])(?:" + "|".join(map(re.escape, ELEMENT_TYPES)) + r")(?![A-Za-z0-9_])")
DIMENSION = re.compile(r"(?<=[<x\[,])\d+(?=[x,\]])")
OP_NAME = re.compile(r"\b(?:stablehlo|chlo|func|check)\.\w+|(?<=[\])}] )[a-z][a-z0-9-]+(?=\()")
VALUE = re.compile(r"%[\w.$-]+")

ODD_CHARACTERS = "\0\r\t\v\f\x1b\x7f\x85\xa0\u00e9\u0661\u2028\u200b\ufeff\U0001f600\udc80\udcff\\\"'`;"
DEPTHS = (10, 60, 200, 1000, 20_000)
TIMES = (2, 10, 100, 3000)
MOST_CHARACTERS = 400_000
"""A mutant is cut off here."""


def tokens_of(text: str) -> list[str]:
    return TOKEN.findall(text)


def _run(tokens: list[str], random: Random, longest: int = 12) -> tuple[int, int]:
    """Where a few tokens begin and end."""
    start = random.randrange(len(tokens))
    return start, min(len(tokens), start + random.choice([1, 1, 1, 2, 3, random.randint(1, longest)]))


def _solid(tokens: list[str], random: Random) -> int:
    """The place of a token that is no blank."""
    for _ in range(20):
        place = random.randrange(len(tokens))
        if not tokens[place].isspace():
            return place
    return 0


def _replace_match(pattern: re.Pattern[str], text: str, random: Random, new: Callable[[str], str]) -> str:
    """One match replaced."""
    matches = list(pattern.finditer(text))
    if not matches:
        return text
    match = random.choice(matches)
    return text[: match.start()] + new(match[0]) + text[match.end() :]


def _replace_everywhere(pattern: re.Pattern[str], text: str, random: Random, new: Callable[[str], str]) -> str:
    """All matches that read like one of them replaced by the same."""
    matches = pattern.findall(text)
    if not matches:
        return text
    old = random.choice(matches)
    fresh = new(old)
    return pattern.sub(lambda match: fresh if match[0] == old else match[0], text)


# -- tokens ------------------------------------------------------------------------------------------------------


def delete_tokens(text: str, donor: str, random: Random) -> str:
    tokens = tokens_of(text)
    start, end = _run(tokens, random)
    return "".join(tokens[:start] + tokens[end:])


def duplicate_tokens(text: str, donor: str, random: Random) -> str:
    tokens = tokens_of(text)
    start, end = _run(tokens, random)
    return "".join(tokens[:end] + tokens[start:])


def repeat_tokens(text: str, donor: str, random: Random) -> str:
    tokens = tokens_of(text)
    start, end = _run(tokens, random, 4)
    return "".join([*tokens[:start], *tokens[start:end] * random.choice(TIMES), *tokens[end:]])


def swap_tokens(text: str, donor: str, random: Random) -> str:
    tokens = tokens_of(text)
    a, b = _solid(tokens, random), _solid(tokens, random)
    tokens[a], tokens[b] = tokens[b], tokens[a]
    return "".join(tokens)


def splice_tokens(text: str, donor: str, random: Random) -> str:
    tokens, others = tokens_of(text), tokens_of(donor)
    start, end = _run(others, random, 40)
    place = random.randrange(len(tokens) + 1)
    return "".join(tokens[:place] + others[start:end] + tokens[place + random.choice([0, 1, end - start]) :])


def replace_token_by_kin(text: str, donor: str, random: Random) -> str:
    """By one of the other text that begins alike: a value by a value, a name by a name, a number by a number."""
    tokens = tokens_of(text)
    place = _solid(tokens, random)

    def kind(token: str) -> str:
        return "a" if token[0].isalpha() else "0" if token[0].isdigit() else token[0]

    kin = [token for token in tokens_of(donor) if kind(token) == kind(tokens[place])]
    if kin:
        tokens[place] = random.choice(kin)
    return "".join(tokens)


# -- what tokens mean --------------------------------------------------------------------------------------------


def change_number(text: str, donor: str, random: Random) -> str:
    return _replace_match(NUMBER, text, random, lambda _: random.choice(EXTREMES))


def step_number(text: str, donor: str, random: Random) -> str:
    """A number by one more or less."""

    def step(old: str) -> str:
        return str(int(old) + random.choice([-1, 1])) if old.lstrip("-").isdigit() and len(old) < 20 else old

    return _replace_match(NUMBER, text, random, step)


def change_number_everywhere(text: str, donor: str, random: Random) -> str:
    return _replace_everywhere(NUMBER, text, random, lambda _: random.choice(EXTREMES[:16]))


def change_dimension_everywhere(text: str, donor: str, random: Random) -> str:
    return _replace_everywhere(DIMENSION, text, random, lambda _: random.choice("0 1 2 3 5 17 1024 ? -1".split()))


def change_element_type(text: str, donor: str, random: Random) -> str:
    return _replace_match(ELEMENT_TYPE, text, random, lambda _: random.choice(ELEMENT_TYPES))


def change_element_type_everywhere(text: str, donor: str, random: Random) -> str:
    return _replace_everywhere(ELEMENT_TYPE, text, random, lambda _: random.choice(ELEMENT_TYPES))


def change_op(text: str, donor: str, random: Random) -> str:
    names = OP_NAME.findall(donor) or OP_NAME.findall(text)
    return _replace_match(OP_NAME, text, random, lambda old: random.choice(names) if names else old)


def change_value(text: str, donor: str, random: Random) -> str:
    names = VALUE.findall(text)
    return _replace_match(VALUE, text, random, lambda _: random.choice(names))


# -- groups ------------------------------------------------------------------------------------------------------


def groups_of(text: str) -> list[tuple[int, int]]:
    """Where what is in brackets begins and ends, brackets included."""
    found: list[tuple[int, int]] = []
    stack: list[tuple[str, int]] = []
    for place, letter in enumerate(text):
        if letter in OPENING:
            stack.append((CLOSING[OPENING.index(letter)], place))
        elif letter in CLOSING and not (letter == ">" and text[place - 1 : place] == "-"):
            while stack and letter == ">" != stack[-1][0]:
                stack.pop()
            if stack and stack[-1][0] == letter:
                found.append((stack.pop()[1], place + 1))
    return found


def exchange_group(text: str, donor: str, random: Random) -> str:
    """What is in brackets by what is in brackets of the same kind in the other text: attributes, types, regions."""
    groups = groups_of(text)
    if not groups:
        return text
    start, end = random.choice(groups)
    others = [donor[a:b] for a, b in groups_of(donor) if donor[a] == text[start]]
    return text[:start] + random.choice(others) + text[end:] if others else text


def empty_group(text: str, donor: str, random: Random) -> str:
    groups = groups_of(text)
    if not groups:
        return text
    start, end = random.choice(groups)
    return text[: start + 1] + text[end - 1 :]


def nest(text: str, donor: str, random: Random) -> str:
    """A group inside itself, many times: regions, types, lists or attributes."""
    groups = groups_of(text)
    if not groups:
        return text
    start, end = random.choice(groups)
    inner = [(a, b) for a, b in groups if start <= a and b <= end]
    low, high = random.choice(inner)
    depth = random.choice(DEPTHS)
    opening, closing = text[start:low] or text[start], text[high:end] or text[end - 1]
    depth = min(depth, MOST_CHARACTERS // (2 * len(opening + closing)) + 1)
    return text[:start] + opening * depth + text[low:high] + closing * depth + text[end:]


def break_string(text: str, donor: str, random: Random) -> str:
    """A quote or bracket less, or one more."""
    places = [match.start() for match in re.finditer(r'["(){}<>\[\]]', text)]
    if not places:
        return text + '"'
    place = random.choice(places)
    if random.random() < 0.5:
        return text[:place] + text[place + 1 :]
    place = random.randrange(len(text) + 1)
    return text[:place] + random.choice("\"([{<>}])'") + text[place:]


# -- lines, characters, bytes ------------------------------------------------------------------------------------


def delete_lines(text: str, donor: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    start = random.randrange(len(lines))
    return "".join(lines[:start] + lines[start + random.randint(1, 3) :])


def duplicate_line(text: str, donor: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    line = random.choice(lines)
    place = random.randrange(len(lines) + 1)
    return "".join([*lines[:place], line, *lines[place:]])


def swap_lines(text: str, donor: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    a, b = random.randrange(len(lines)), random.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return "".join(lines)


def splice_lines(text: str, donor: str, random: Random) -> str:
    lines, others = text.splitlines(keepends=True), donor.splitlines(keepends=True)
    start = random.randrange(len(others))
    place = random.randrange(len(lines) + 1)
    return "".join(lines[:place] + others[start : start + random.randint(1, 5)] + lines[place:])


def truncate(text: str, donor: str, random: Random) -> str:
    return text[: random.randrange(len(text))]


def insert_odd_characters(text: str, donor: str, random: Random) -> str:
    place = random.randrange(len(text) + 1)
    return text[:place] + "".join(random.choices(ODD_CHARACTERS, k=random.randint(1, 3))) + text[place:]


def change_bytes(text: str, donor: str, random: Random) -> str:
    return read_text(mutate_bytes(write_text(text), write_text(donor), random))


MUTATIONS: list[tuple[Mutation, float]] = [
    (delete_tokens, 3), (duplicate_tokens, 1.5), (repeat_tokens, 0.7), (swap_tokens, 2), (splice_tokens, 2),
    (replace_token_by_kin, 4), (change_number, 4), (step_number, 3), (change_number_everywhere, 3),
    (change_dimension_everywhere, 4), (change_element_type, 2), (change_element_type_everywhere, 5), (change_op, 4),
    (change_value, 3), (exchange_group, 5), (empty_group, 1.5), (nest, 1.5), (break_string, 1.5), (delete_lines, 1.5),
    (duplicate_line, 1), (swap_lines, 1), (splice_lines, 1), (truncate, 0.7), (insert_odd_characters, 0.7),
    (change_bytes, 1),
]  # fmt: skip
"""Mutations and how often they are drawn, relative to others."""


def mutate_text(data: bytes, donor: bytes, random: Random) -> bytes:
    """One mutation of a text."""
    text, other = read_text(data), read_text(donor)
    if not text or not other:
        return donor
    mutate = random.choices([mutation for mutation, _ in MUTATIONS], [weight for _, weight in MUTATIONS])[0]
    return write_text(mutate(text, other, random)[:MOST_CHARACTERS])
