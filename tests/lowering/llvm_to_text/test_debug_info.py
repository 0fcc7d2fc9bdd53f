"""Lines in LLVM IR: LLVM accepts the metadata, and the table of lines in the object has them."""

from __future__ import annotations

import re

import llvmlite.binding as llvm  # pyright: ignore[reportMissingTypeStubs]
import numpy as np
import pytest
from xdsl_xla.decisions.llvm import LlvmTiers
from xdsl_xla.dialects import locating
from xdsl_xla.lowering.llvm_to_text import emit
from xdsl_xla.lowering.llvm_to_text.parts import emit_parts
from xdsl_xla.runtime.compilation import compile_program, prepare
from xdsl_xla.runtime.compiler import Request
from xdsl_xla.runtime.engine import parse
from xdsl_xla.runtime.loading import load
from xdsl_xla.runtime.located_code import located_objects
from xdsl_xla.runtime.pass_manager import run_passes

TEXT = """func.func @main(%x: tensor<64x96xf32>, %s: tensor<f32>) -> tensor<64xf32> {
  %0 = stablehlo.exponential %x : tensor<64x96xf32> loc("exp"(callsite("g"("user \\22.py":9:8) at "f"("b.py":4:2))))
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<64x96xf32>, tensor<f32>)
      -> tensor<64xf32>
  %2 = stablehlo.custom_call @mhlo.erf(%1) : (tensor<64xf32>) -> tensor<64xf32>
  return %2 : tensor<64xf32>
}"""


def llvm_ir(text: str, threads: int = 1, pipeline: str = "xla-cpu") -> list[str]:
    """The text of a program in LLVM IR, as one and in parts."""
    with locating.locating():
        request = Request(threads, pipeline, None, None, 2, None, None, False, debug_info=True)
        prepared = prepare(text, "model.mlir", request)
        run_passes(prepared.context, prepared.module, prepared.passes)
        parts = emit_parts(prepared.module, 2, LlvmTiers(lines_ahead=1, lines_per_part=1), debug_info=True)
        return [emit(prepared.module, debug_info=True), *(part.located for part in parts if not part.shared)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("pipeline", ["xla-cpu", "xla-cpu-O0"])
def test_every_instruction_has_a_line_and_llvm_accepts_it(threads: int, pipeline: str) -> None:
    texts = llvm_ir(TEXT, threads, pipeline)
    assert len(texts) > 1
    for text in texts:
        parse(text, llvm.create_context())
        bodies = re.findall(r"^define .*? \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
        heads = re.findall(r"^define .*", text, re.MULTILINE)
        assert bodies and all("!dbg" in head for head in heads if "@xrt." not in head)
        for head, body in zip(heads, bodies, strict=True):
            if "@xrt." in head:
                continue
            for line in body.splitlines():
                assert line.endswith(":") or " = phi " in line or re.search(r"!dbg !\d+$", line), line


def test_users_functions_are_inlined_in_lines_of_the_text() -> None:
    text = llvm_ir(TEXT)[0]
    nodes = dict(re.findall(r"^(!\d+) = (.*)$", text, re.MULTILINE))
    innermost = [node for node in nodes.values() if node.startswith("!DILocation(line: 9, column: 8")]
    assert innermost
    chain = re.fullmatch(r"!DILocation\(line: 9, column: 8, scope: (!\d+), inlinedAt: (!\d+)\)", innermost[0])
    assert chain and '"g"' in nodes[chain[1]]
    chain = re.fullmatch(r"!DILocation\(line: 4, column: 2, scope: (!\d+), inlinedAt: (!\d+)\)", nodes[chain[2]])
    assert chain and '"f"' in nodes[chain[1]]
    outermost = re.fullmatch(r"!DILocation\(line: 2, column: 3, scope: (!\d+)\)", nodes[chain[2]])
    assert outermost and "DISubprogram" in nodes[outermost[1]]
    assert any('filename: "user \\22.py"' in node for node in nodes.values())


def test_without_debug_information_there_is_none() -> None:
    request = Request(1, "xla-cpu", None, None, 2, None, None, False)
    prepared = prepare(TEXT, "model.mlir", request)
    run_passes(prepared.context, prepared.module, prepared.passes)
    assert "!dbg" not in emit(prepared.module)


@pytest.mark.parametrize("opt_level", [0, 1, 2, 3])
def test_a_program_with_debug_information_computes_the_same(opt_level: int) -> None:
    x = np.linspace(-3, 1, 64 * 96, dtype=np.float32).reshape(64, 96)
    scalar = np.float32(1)
    results: list[np.ndarray] = []
    for debug_info in (False, True):
        request = Request(1, "xla-cpu", None, None, opt_level, None, None, False, debug_info=debug_info)
        program = compile_program(TEXT, "model.mlir", request, {})
        assert (program.located is not None) == debug_info
        assert not any(b".debug_line" in code for code in program.objects)
        results += load(program, {})(x, scalar)
        objects = located_objects(program)
        assert any(b".debug_line" in code for code in objects) == debug_info
        results += load(program._replace(objects=objects), {})(x, scalar)
    plain, *others = results
    for other in others:
        np.testing.assert_array_equal(plain, other)


def test_texts_without_lines_are_those_of_programs_without_debug_information() -> None:
    def texts(debug_info: bool) -> list[str]:
        with locating.locating(debug_info):
            request = Request(2, "xla-cpu", None, None, 2, None, None, False, debug_info=debug_info)
            prepared = prepare(TEXT, "model.mlir", request)
            run_passes(prepared.context, prepared.module, prepared.passes)
            return [part.text for part in emit_parts(prepared.module, 2, LlvmTiers(), debug_info=debug_info)]

    def without_numbers(text: str) -> str:
        return re.sub(r"!\d+", "!", text)

    plain, located = texts(False), texts(True)
    assert [without_numbers(text) for text in plain] == [without_numbers(text) for text in located]
    assert not any("!dbg" in text for text in located)
