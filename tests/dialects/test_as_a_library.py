"""The dialect in other projects: the documented example, and no entry point that clashes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from xdsl.ir import Operation
from xdsl_xla.dialects import stablehlo

DOCUMENT = Path(__file__).parents[2] / "docs/using_the_dialect.md"


@pytest.mark.parametrize("example", re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL))
def test_documented_example(example: str) -> None:
    exec(compile(example, str(DOCUMENT), "exec"), {})


@pytest.mark.parametrize("op_type", stablehlo.OPS, ids=lambda op_type: op_type.name)
def test_every_op_says_what_it_does(op_type: type[Operation]) -> None:
    assert vars(op_type).get("__doc__")
