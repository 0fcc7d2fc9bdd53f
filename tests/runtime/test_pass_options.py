"""What is wrong with the options of a pass, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl_xla.runtime.pass_options import in_words, option_names, option_problem


@dataclass(frozen=True)
class ExamplePass(ModulePass):
    name = "example"

    size: int
    names: tuple[str, ...] = ()
    fast_way: bool = False
    ratio: float | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"size": (2,)}, None),
        ({"size": (2,), "names": ("a", "b"), "fast-way": (True,), "ratio": ()}, None),
        ({}, "option 'size' is missing"),
        ({"size": (2,), "fast": (True,)}, "no option 'fast'; did you mean fast-way?"),
        ({"size": (2,), "x": (1,)}, "no option 'x'; it has size, names, fast-way, ratio"),
        ({"size": ("two",)}, "option 'size': expected an integer, got two"),
        ({"size": ()}, "option 'size': expected an integer, got nothing"),
        ({"size": (1, 2)}, "option 'size': expected an integer, got 1,2"),
        ({"fast_way": (3,), "size": (1,)}, "option 'fast-way': expected true or false, got 3"),
        ({"size": (1,), "ratio": ("x",)}, "option 'ratio': expected a number, got x"),
        ({"size": (1,), "names": (1,)}, "option 'names': expected a text, or several with commas between them, got 1"),
    ],
)
def test_problems(given: dict[str, Any], problem: str | None) -> None:
    assert option_problem(ExamplePass, given) == problem


def test_names() -> None:
    assert option_names(ExamplePass) == ["size", "names", "fast_way", "ratio"]


def test_types_in_words() -> None:
    assert in_words(int | str) == "an integer or a text"
    assert in_words(Literal["fast", "small"]) == "fast or small"
    assert in_words(bytes) == "a value of the type bytes"
