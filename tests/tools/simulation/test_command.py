"""`xla-run --simulate`: programs of many devices, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import xdsl_xla
from xdsl_xla.tools.xla_run import main

CLUSTER = str(Path(xdsl_xla.__file__).parent / "examples" / "cluster.toml")

PRODUCT = """sdy.mesh @mesh = <["x"=1024]>
func.func @main(%x: tensor<64x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %w: tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x4096xf32>, tensor<4096x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
"""  # noqa: E501


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "program.mlir"
    path.write_text(PRODUCT)
    return str(path)


def test_a_thousand_devices(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([program, "--simulate", "devices=1024", "--machine", CLUSTER]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("1 replicas x 1024 partitions on a cluster of hosts with 8 devices: ")
    row = next(line for line in lines if line.startswith("all_reduce")).split()
    assert row[1:5] == ["16", "KiB", "1024", "1"]
    assert "within: direct + between: doubling + within: direct" in lines[2]
    assert any("arguments 2 KiB, results 16 KiB" in line and "fits in 59.6 GiB" in line for line in lines)
    assert lines[-1].startswith("bound by       latency")


def test_this_machine(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = tmp_path / "small.mlir"
    small.write_text(PRODUCT.replace('"x"=1024', '"x"=2'))
    assert main([str(small), "--simulate", "devices=2"]) == 0
    assert "on this one, " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ("devices=8", 1, "the meshes of the program have 1024 devices, not 8"),
        ("devices=0", 2, "expected devices=N"),
        ("trips=3", 2, "devices=N is missing"),
        ("host=3", 2, "expected devices=N"),
    ],
)
def test_refusals(program: str, options: str, code: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([program, "--simulate", options, "--machine", CLUSTER]) == code
    assert message in capsys.readouterr().err


def test_groups_of_another_number_of_devices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "groups.mlir"
    path.write_text("""func.func @main(%x: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
    : (tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}""")
    assert main([str(path), "--simulate", "devices=2", "--machine", CLUSTER]) == 0
    assert capsys.readouterr().out.startswith("2 replicas x 1 partitions")
    assert main([str(path), "--simulate", "devices=4", "--machine", CLUSTER]) == 1
    assert "leave out process" in capsys.readouterr().err


def test_a_program_that_is_not_spread(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "alone.mlir"
    path.write_text("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }")
    assert main([str(path), "--simulate", "devices=4", "--machine", CLUSTER]) == 1
    assert "nothing in the program says how it is spread" in capsys.readouterr().err


def test_a_program_that_is_partitioned_already(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its shardings say what was split."""
    path = tmp_path / "partitioned.hlo"
    path.write_text("""HloModule step, num_partitions=4

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = f32[] add(%a, %b)
}

ENTRY %main_spmd (x: f32[8]) -> f32[8] {
  %x = f32[8] parameter(0), sharding={devices=[4]<=[4]}
  ROOT %sum = f32[8] all-reduce(%x), channel_id=1, replica_groups=[1,4]<=[4], use_global_device_ids=true, to_apply=%add
}
""")
    assert main([str(path), "--simulate", "devices=4", "--machine", CLUSTER]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("1 replicas x 4 partitions") and "arguments 32 B" in shown
    assert main([str(path), "--devices", "4"]) == 1
    assert "is that of one device already" in capsys.readouterr().err
