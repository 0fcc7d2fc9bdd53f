"""Locations survive: on the last level every instruction is from a line of the program."""

from __future__ import annotations

from pathlib import Path

import pytest
import xdsl_xla
from xdsl.dialects import llvm
from xdsl_xla.dialects import locating
from xdsl_xla.dialects.editing import walk
from xdsl_xla.dialects.source_lines import Frame, origin_of
from xdsl_xla.errors import UnsupportedError
from xdsl_xla.lowering.llvm_to_text.instructions import INLINE
from xdsl_xla.pipelines import XLA_CPU
from xdsl_xla.runtime.compilation import prepare
from xdsl_xla.runtime.compiler import Request
from xdsl_xla.runtime.pass_manager import run_passes

CORPUS = sorted((Path(__file__).parents[1] / "corpus").glob("*.mlir"))

LAYER = """
func.func @main(%x: tensor<128x256xf32>, %w: tensor<256x64xf32>) -> tensor<128x64xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<128x256xf32>, tensor<256x64xf32>)
      -> tensor<128x64xf32> loc("jit(layer)/dot_general"("layer.py":4:6))
  %1 = stablehlo.exponential %0 : tensor<128x64xf32> loc("jit(layer)/exp"("layer.py":5:6))
  %2 = stablehlo.tanh %1 : tensor<128x64xf32> loc("jit(layer)/tanh"("layer.py":6:6))
  %3 = stablehlo.cosine %2 : tensor<128x64xf32> loc("jit(layer)/cos"("layer.py":7:6))
  return %3 : tensor<128x64xf32>
}
"""


Lines = dict[str, list[tuple[Frame | None, Frame | None]]]


def lines_on_the_last_level(source: bytes | str, name: str, threads: int = 2) -> Lines:
    """By function the lines of its instructions: the user's, and that in the text."""
    with locating.locating():
        request = Request(threads, "xla-cpu", None, None, 2, None, None, False, debug_info=True)
        prepared = prepare(source, name, request)
        run_passes(prepared.context, prepared.module, prepared.passes)
    found: Lines = {}
    for function in prepared.module.ops:
        if isinstance(function, llvm.FuncOp) and function.body.blocks:
            origins = [origin_of(op.location) for op in walk(function) if op.__class__ not in INLINE]
            found[function.sym_name.data] = [(origin.line, origin.text) for origin in origins]
    return found


@pytest.mark.sample(8)
@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_every_instruction_is_from_a_line_of_the_program(path: Path) -> None:
    source = path.read_bytes()
    last = source.count(b"\n") + 1
    found = lines_on_the_last_level(source, path.name)
    assert found
    for name, lines in found.items():
        for _, text in lines:
            assert text is not None, name
            assert text.file == path.name and 1 <= text.line <= last, name


def test_fused_ops_keep_their_own_lines() -> None:
    found = lines_on_the_last_level(LAYER, "layer.mlir", 1)
    lines = {str(line) for of_function in found.values() for line, _ in of_function}
    assert {f"layer.py:{number}" for number in (4, 5, 6, 7)} <= lines
    kernel = max(found.values(), key=len)
    assert {f"layer.py:{number}" for number in (5, 6, 7)} <= {str(line) for line, _ in kernel}
    texts = {(line and line.line, text and text.line) for line, text in kernel}
    assert (5, 5) in texts and (7, 7) in texts and (5, 7) not in texts


def test_an_error_below_the_first_level_names_the_user_s_line() -> None:
    steps = ",".join(step.spec for step in XLA_CPU if step.spec != "convert-affine-to-scf")
    with pytest.raises(UnsupportedError, match=r"convert-to-llvm: affine\.") as caught:
        xdsl_xla.compile(LAYER, pipeline=steps, cache=False)
    assert (caught.value.location or "").startswith("layer.py:")
