"""Results in files: one as `.npy`, several as `.npz`, of types that NumPy does not know as well."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from xdsl_xla.errors import XlaError
from xdsl_xla.runtime.mlir_types import DTYPES
from xdsl_xla.tools.stored_arrays import archive_of, load_arrays, save_arrays
from xdsl_xla.tools.xla_run import main

PAIR = """func.func @main(%x: tensor<3xTYPE>) -> (tensor<3xTYPE>, tensor<3xTYPE>) {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<3xTYPE>
  return %0, %x : tensor<3xTYPE>, tensor<3xTYPE>
}
"""
SINGLE = """func.func @main(%x: tensor<3xTYPE>) -> tensor<3xTYPE> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<3xTYPE>
  return %0 : tensor<3xTYPE>
}
"""


def program(path: Path, text: str, element: str) -> str:
    path.write_text(text.replace("TYPE", element))
    return str(path)


@pytest.mark.parametrize("name", DTYPES)
def test_every_type_comes_back(name: str, tmp_path: Path) -> None:
    array = np.array([0, 1, 1]).astype(DTYPES[name])
    save_arrays(tmp_path / "x.npz", {"a": array, "plain": np.arange(3)})
    loaded = load_arrays(str(tmp_path / "x.npz"))
    assert {key: value.dtype for key, value in loaded.items()} == {"a": array.dtype, "plain": np.dtype(np.int64)}
    assert loaded["a"].tobytes() == array.tobytes()


@pytest.mark.parametrize("element", ["bf16", "f8E4M3FN", "i4", "f32"])
def test_results_are_arguments_and_expectations_again(element: str, tmp_path: Path) -> None:
    path = program(tmp_path / "p.mlir", PAIR, element)
    out = tmp_path / "out.npz"
    assert main([path, "--output", str(out)]) == 0
    assert main([path, "--expect", str(out)]) == 0
    stored = load_arrays(str(out))
    np.savez(tmp_path / "in.npz", **archive_of({"in0": stored["out0"]}))
    assert main([path, "--input", str(tmp_path / "in.npz"), "--output", str(tmp_path / "again.npz")]) == 0
    again = load_arrays(str(tmp_path / "again.npz"))
    assert again["out0"].dtype == stored["out1"].dtype
    assert again["out0"].tobytes() == stored["out1"].tobytes()


def test_it_is_read_back_as_documented(tmp_path: Path) -> None:
    path = program(tmp_path / "p.mlir", SINGLE, "bf16")
    assert main([path, "--input", "3xbf16=1 2 3.5", "--output", str(tmp_path / "results.npz")]) == 0
    archive = np.load(tmp_path / "results.npz")
    types = dict(line.split("=") for line in archive["dtypes"])
    out0 = archive["out0"].view(getattr(ml_dtypes, types["out0"]))
    assert out0.astype(float).tolist() == [3.5, 2, 1]


def test_one_result_as_npy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = program(tmp_path / "p.mlir", SINGLE, "f32")
    assert main([path, "--input", "3xf32=1 2 3", "--output", str(tmp_path / "out.npy")]) == 0
    assert np.load(tmp_path / "out.npy").tolist() == [3, 2, 1]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out.npy", "p.mlir"]
    assert main([path, "--input", str(tmp_path / "out.npy")]) == 0
    assert "[1. 2. 3.]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "element", "message"),
    [(PAIR, "f32", "holds one array, not 2 results"), (SINGLE, "bf16", "cannot say that its elements are bfloat16")],
)
def test_what_npy_cannot_hold(
    text: str, element: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = program(tmp_path / "p.mlir", text, element)
    assert main([path, "--output", str(tmp_path / "out.npy")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out.npy").exists()


def test_a_wrong_name_of_a_type(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", out0=np.zeros(2, np.uint16), dtypes=np.array(["out0=float3"]))
    with pytest.raises(XlaError, match="'dtypes' has 'out0=float3', which does not fit"):
        load_arrays(str(tmp_path / "x.npz"))
