"""What Shardy finds, through the passes that jaxlib carries, and what is found here, value by value."""

from __future__ import annotations

import re
from typing import Any

import pytest

STEPS = (
    "sdy-add-data-flow-edges",
    "sdy-sharding-group-import",
    "sdy-user-priority-propagate",
    "func.func(sdy-sink-data-flow-edges)",
    "sdy-remove-sharding-groups",
    "sdy-close-shardings",
    "func.func(sdy-drop-sharding-rules)",
)


def run_shardy(text: str, passes: tuple[str, ...] = STEPS) -> str:
    """The module after passes of Shardy, as text."""
    ir: Any = pytest.importorskip("jaxlib.mlir.ir")
    managers: Any = pytest.importorskip("jaxlib.mlir.passmanager")
    contexts: Any = pytest.importorskip("jax._src.interpreters.mlir")
    with contexts.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(text)
        managers.PassManager.parse(f"builtin.module({','.join(passes)})").run(module.operation)
        return str(module)


def shardings(text: str) -> list[str]:
    """A line for each op: its name, and the shardings that stand on it; of those that split nothing, none."""
    from xdsl_xla.runtime.mlir_text import parse_module

    lines: list[str] = []
    for op in parse_module(text).walk():
        if op.name in ("sdy.sharding_group", "builtin.module", "sdy.mesh"):
            continue
        attributes = {**op.properties, **op.attributes}
        found = [
            " ".join(re.findall(r"@\w+, (\[(?:\{[^{}]*\}(?:, )?)*\])", str(attributes[name])))
            for name in ("arg_attrs", "res_attrs", "sdy.sharding", "in_shardings", "out_shardings", "sharding")
            if name in attributes
        ]
        shown = " ".join(found)
        lines.append(f"{op.name} {shown}" if '"' in shown else op.name)
    return lines
