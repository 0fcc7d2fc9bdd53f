"""What an op takes and gives, in words, from its IRDL definition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from xdsl.ir import Attribute
from xdsl.irdl import OpDef, OptPropertyDef, VarOperandDef, VarRegionDef, VarResultDef


def describe(constraint: Any) -> str:
    """A constraint on a type or attribute in words."""
    if (text := getattr(constraint, "description", None)) is not None:
        return text
    for inner in ("constr", "constraint"):
        if hasattr(constraint, inner):
            return describe(getattr(constraint, inner))
    if hasattr(constraint, "attr_constrs"):
        return " or ".join(map(describe, constraint.attr_constrs))
    if isinstance(base := getattr(constraint, "attr", None), Attribute):
        return f"`{base}`"
    if base is not None:
        name = getattr(base, "name", "")
        return f"`#{name}`" if name.partition(".")[0] in ("stablehlo", "chlo") else _in_words(base.__name__)
    return "any attribute"


def _in_words(class_name: str) -> str:
    """`DenseArrayBase` as `dense array`."""
    words = re.findall(r"[A-Z][a-z]+|[A-Z]+(?![a-z])", class_name)
    return " ".join(word if word.isupper() else word.lower() for word in words if word not in ("Base", "Attr"))


def signature(definition: OpDef) -> Iterator[str]:
    """One line for each kind of thing the op has."""
    parts: list[tuple[str, list[str]]] = [
        ("operands", [_value(name, d.constr, isinstance(d, VarOperandDef)) for name, d in definition.operands]),
        (
            "attributes",
            [
                f"`{name}`{' (optional)' if isinstance(d, OptPropertyDef) else ''}: {describe(d.constr)}"
                for name, d in definition.properties.items()
                if not name.endswith("SegmentSizes")
            ],
        ),
        ("regions", [_variadic(name, isinstance(d, VarRegionDef)) for name, d in definition.regions]),
        ("results", [_value(name, d.constr, isinstance(d, VarResultDef)) for name, d in definition.results]),
    ]
    for kind, entries in parts:
        if entries:
            yield f"- {kind}: {'; '.join(entries)}"


def _value(name: str, constraint: Any, is_variadic: bool) -> str:
    return f"{_variadic(name, is_variadic)}: {describe(constraint)}"


def _variadic(name: str, is_variadic: bool) -> str:
    return f"`{name}`{' (any number)' if is_variadic else ''}"


def ranges(names: Sequence[str]) -> Iterator[str]:
    """`C1`, `C2`, `C3`, `C5` as `C1 to C3`, `C5`."""
    runs: list[list[str]] = []
    for name in names:
        if runs and name == f"{name[0]}{int(runs[-1][-1][1:]) + 1}" and name[0] == runs[-1][0][0]:
            runs[-1].append(name)
        else:
            runs.append([name])
    for run in runs:
        if len(run) > 2:
            yield f"{run[0]} to {run[-1]}"
        else:
            yield from run
