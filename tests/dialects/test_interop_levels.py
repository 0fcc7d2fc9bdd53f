"""Level 1 is StableHLO that upstream reads: after every pass up to `convert-stablehlo-to-linalg`."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

pytest.importorskip("jaxlib")

from upstream import upstream
from xdsl.printer import Printer
from xdsl_xla.pipelines import PIPELINES, expand
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes
from xdsl_xla.runtime.program_context import new_context

CORPUS = Path(__file__).parents[1] / "corpus"
PROGRAMS = ["heat_stencil", "lstm", "mlp_train_step", "resnet_grad", "transformer_block", "transformer_block_grad"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_upstream_reads_level_1(name: str) -> None:
    context = new_context()
    module = parse_module((CORPUS / f"{name}.mlir").read_text(), name, context)
    checked = 0
    for module_pass in parse_passes(expand(PIPELINES["xla-cpu"])):
        if module_pass.name == "convert-stablehlo-to-linalg":
            break
        module_pass.apply(context, module)
        stream = StringIO()
        Printer(stream).print_op(module)
        assert upstream(stream.getvalue())
        checked += 1
    assert checked >= 5
