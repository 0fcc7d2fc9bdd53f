"""Each numbered constraint of the specification is cited by the verifier of its op and broken by an invalid program."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from specification import COUNTS, NOT_IN_IT, NOT_VERIFIED, constraints
from xdsl_xla.dialects import chlo, stablehlo
from xdsl_xla.tools.constraint_citations import NUMBER, cited_labels, cited_numbers

ROOT = Path(__file__).parents[2]
INVALID = sorted((ROOT / "tests/lit/dialects").glob("*/*_invalid.mlir"))
ERROR = re.compile(r"expected-error.*\{\{.*?([\w.-]+) \((\w+)\): ")
OPS = {op.name: op for op in (*stablehlo.OPS, *chlo.OPS)}


@cache
def broken() -> dict[str, set[str]]:
    """For each op what its invalid programs are expected to be told."""
    found: dict[str, set[str]] = {}
    for path in INVALID:
        for op, label in ERROR.findall(path.read_text()):
            found.setdefault(op, set()).add(label)
    return found


def test_every_op_is_in_the_table() -> None:
    assert {*COUNTS, *NOT_IN_IT} == {op.name for op in stablehlo.OPS}


@pytest.mark.parametrize("name", sorted(COUNTS))
def test_verifiers_cite_the_constraints_of_the_specification(name: str) -> None:
    numbers = {number for number in cited_numbers(OPS[name]) if number.startswith("C")}
    assert numbers == constraints(name)


@pytest.mark.parametrize("name", sorted(NOT_IN_IT))
def test_ops_without_a_section_cite_no_numbers(name: str) -> None:
    assert not cited_numbers(OPS[name])


@pytest.mark.parametrize("name", sorted(OPS))
def test_what_a_verifier_cites_is_tested(name: str) -> None:
    missing = cited_labels(OPS[name]) - broken().get(name, set())
    assert not missing, f"no file *_invalid.mlir breaks {sorted(missing)} of {name}"


def test_invalid_programs_cite_constraints_there_are() -> None:
    for name, labels in broken().items():
        if name in OPS:
            assert {label for label in labels if NUMBER.fullmatch(label)} <= {*cited_numbers(OPS[name])}


@pytest.mark.parametrize("number", [3, 4, 5, 7, 11])
def test_constraints_of_quantized_types_are_tested(number: int) -> None:
    """The others cannot be written: literals have no types, are finite, and one pair stands for both parameters."""
    assert f"C{number}" in broken()["quant.uniform"]


def test_semantics_names_what_is_not_verified() -> None:
    text = (ROOT / "docs/semantics.md").read_text()
    for op, constraint in NOT_VERIFIED:
        assert f"`{op.partition('.')[2]}` {constraint}" in text
