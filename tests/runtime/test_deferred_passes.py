"""Passes that are imported where a program has something for them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from xdsl_xla.passes.loops.narrow_formats import FORMATS
from xdsl_xla.pipelines import PASSES, SUBJECTS, load_pass
from xdsl_xla.runtime.deferred_passes import DeferredPass, names_in
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes, run_passes
from xdsl_xla.runtime.program_context import new_context

CORPUS = Path(__file__).parents[1] / "corpus"

PROGRAM = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""


def test_passes_of_expansions_name_all_ops() -> None:
    for name, subjects in SUBJECTS.items():
        assert name in PASSES
        expanded = getattr(load_pass(name), "EXPANDED", {})
        assert {op.name for op in expanded} <= set(subjects), name
    assert {format.name for format in FORMATS} == set(SUBJECTS["arith-expand-narrow-floats"])


@pytest.mark.parametrize("program", ["control_flow", "complex_arith", "convs", "converts", "compare_select"])
def test_without_work_a_pass_changes_nothing(program: str) -> None:
    module = parse_module((CORPUS / f"{program}.mlir").read_text(), program)
    context = new_context()
    idle = 0
    for module_pass in parse_passes("xla-cpu", defaults={"threads": (2,)}, deferred=True):
        if isinstance(module_pass, DeferredPass) and not module_pass.has_work(names_in(module)):
            before = str(module)
            run_passes(context, module, [module_pass.load()])
            assert str(module) == before, module_pass.name
            idle += 1
        else:
            run_passes(context, module, [module_pass])
    assert idle > len(SUBJECTS) // 2


def test_what_a_program_has() -> None:
    names = names_in(
        parse_module("""
      func.func @main(%x: tensor<2xcomplex<f32>>) -> tensor<2xf32> {
        %0 = stablehlo.real %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }""")
    )
    assert names >= {"func.func", "stablehlo.real", "tensor", "complex", "f32"}
    assert "stablehlo.imag" not in names


def test_idle_passes_are_observed_and_not_imported() -> None:
    script = f"""
import sys, xdsl_xla
executable = xdsl_xla.compile({PROGRAM!r}, cache=False)
assert "stablehlo-expand-fft" in executable.timings
loaded = [name for name in sys.modules if name.endswith(("stablehlo_expand_fft", "complex_expand_arithmetic"))]
assert not loaded, loaded
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_options_of_a_pipeline_reach_all_passes() -> None:
    passes = parse_passes("xla-cpu{threads=3}", deferred=True)
    assert not any(isinstance(each, DeferredPass) for each in passes)
    deferred = next(each for each in parse_passes("linalg-lower-sorts", None, {"threads": (3,)}, deferred=True))
    assert isinstance(deferred, DeferredPass)
    assert getattr(deferred.load(), "threads") == 3  # noqa: B009
    assert deferred.load() is deferred.load()
