"""`--print-schedule` on whole programs, at every level."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from xdsl_xla.pipelines import PIPELINES, expand
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.tools.print_schedule import WIDTH, schedule_of
from xdsl_xla.tools.xla_opt import main as xla_opt

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "reading_a_dump.md"
SOFTMAX = """
func.func @main(%x: tensor<1024x4096xf32>) -> tensor<1024x4096xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1]
      : (tensor<1024x4096xf32>, tensor<f32>) -> tensor<1024xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<1024xf32>) -> tensor<1024x4096xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<1024x4096xf32>
  %3 = stablehlo.exponential %2 : tensor<1024x4096xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<1024x4096xf32>, tensor<f32>) -> tensor<1024xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<1024xf32>) -> tensor<1024x4096xf32>
  %6 = stablehlo.divide %3, %5 : tensor<1024x4096xf32>
  return %6 : tensor<1024x4096xf32>
}
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["control_flow", "gathers", "sorts", "transformer_block"])
def test_every_level_has_a_schedule(name: str) -> None:
    context = new_context()
    module = parse_module((ROOT / "tests" / "corpus" / f"{name}.mlir").read_text(), name, context)
    for module_pass in parse_passes(expand(PIPELINES["xla-cpu"]), defaults={"threads": (2,)}):
        module_pass.apply(context, module)
        lines = schedule_of(module).splitlines()
        assert lines and max(map(len, lines)) <= WIDTH, module_pass.name


def test_the_example_of_the_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "softmax.mlir"
    program.write_text(SOFTMAX)
    assert xla_opt([str(program), "-p", "xla-cpu-to-loops", "--print-schedule"]) == 0
    [example] = re.findall(r"```text\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert example in capsys.readouterr().out


def test_the_command_of_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    [command] = re.findall(r"^    xla-opt (.* --print-schedule)$", DOCUMENT.read_text(), re.MULTILINE)
    file, *options = command.split()
    assert xla_opt([str(ROOT / file), *options]) == 0
    assert "kernel " in capsys.readouterr().out


def test_loops_of_one_shape_side_by_side_are_written_once() -> None:
    loop = """
      affine.for %i = 0 to 8 {
        affine.store %v, %x[%i] : memref<8xf32>
      }"""
    module = parse_module(f"func.func @f(%x: memref<8xf32>, %v: f32) {{{loop * 3}\n  func.return\n}}")
    text = schedule_of(module)
    assert text.count("for i") == 1 and "for i = 0 to 8  x 3" in text


TILES = """
func.func @tiles(%a: memref<8192xf32>, %b: memref<16384xf32>, %out: memref<1024xf32>) {
  affine.for %i = 0 to 8 {
    %at = affine.apply affine_map<(d0) -> (d0 * 1024)>(%i)
    %to = affine.apply affine_map<(d0) -> (d0 * 128)>(%i)
    %zero = arith.constant 0 : index
    xrt.tile %a[%at], %b[%zero], %out[%to] {trips = array<i64: 2, 256>, lhs_steps = array<i64: 256, 1>,
        rhs_steps = array<i64: 8192, 32>, rows = 2 : i64, lhs_row = 512 : i64, out_row = 64 : i64,
        columns = array<i64: 0, 16>, at = array<i64: 0, 16>, lanes = 16 : i64, chains = array<i64: 1>, fma}
        : memref<8192xf32>, memref<16384xf32>, memref<1024xf32>
  }
  return
}
"""


def test_a_tile_is_what_it_computes() -> None:
    """Two rows of 32 columns for 512 steps, eight times: every element of both factors, half of the result."""
    lines = schedule_of(parse_module(TILES, "tiles", new_context())).splitlines()
    (tile,) = (line for line in lines if " tile " in line)
    assert "tile 2 x 32: out[128*i] = a[1024*i] by b[0], 2 x 256 steps" in tile
    (loop,) = (line for line in lines if "for i = 0 to 8" in line)
    assert loop.split() == ["for", "i", "=", "0", "to", "8", "8", "96.0", "KiB", "2.0", "KiB", "-", "524.3", "k"]
