"""Executables in files and pickles: the same program again, or an error that says why not."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import ArgumentError, UnsupportedError, XlaError
from xdsl_xla.runtime.saved_executables import LENGTH_BYTES, MAGIC, from_bytes

CORPUS = Path(__file__).parents[1] / "corpus"

ADD = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}"""

Again = Callable[[Any, Path], Any]


def through_file(executable: Any, folder: Path) -> Any:
    executable.save(folder / "saved")
    return xdsl_xla.load(folder / "saved")


def through_pickle(executable: Any, folder: Path) -> Any:
    return pickle.loads(pickle.dumps(executable))


WAYS = pytest.mark.parametrize("again", [through_file, through_pickle])


@pytest.mark.sample(4)
@WAYS
@pytest.mark.parametrize("name", ["mlp_train_step", "newton_solve", "resnet", "sorts"])
def test_the_same_bits(name: str, again: Again, tmp_path: Path) -> None:
    executable = xdsl_xla.compile(CORPUS / f"{name}.mlir", threads=2)
    other = again(executable, tmp_path)
    with np.load(CORPUS / f"{name}.npz") as data:
        inputs = [data[f"in{index}"] for index, _ in enumerate(executable.signature.inputs)]
    for _ in range(10):  # in Python at first, then by machine code
        got, wanted = other(*inputs), executable(*inputs)
        assert [array.tobytes() for array in got] == [array.tobytes() for array in wanted]
    assert repr(other) == repr(executable)
    assert other.statistics == executable.statistics


@WAYS
def test_tuples_bounds_donation_and_constants(again: Again, tmp_path: Path) -> None:
    mixed = """
    func.func @main(
        %x: tensor<2xbf16>, %t: tuple<tensor<i4>, !stablehlo.token>, %b: tensor<?xi32, #stablehlo.bounds<4>>
    ) -> (tensor<2xbf16>, tuple<tensor<i4>, !stablehlo.token>, tensor<?xi32, #stablehlo.bounds<4>>) {
      %0 = stablehlo.add %x, %x : tensor<2xbf16>
      %1 = stablehlo.add %b, %b : tensor<?xi32, #stablehlo.bounds<4>>
      return %0, %t, %1
        : tensor<2xbf16>, tuple<tensor<i4>, !stablehlo.token>, tensor<?xi32, #stablehlo.bounds<4>>
    }"""
    arguments = np.ones(2, ml_dtypes.bfloat16), (np.array(3, ml_dtypes.int4), None), np.arange(3, dtype=np.int32)
    x, (i, _), b = again(xdsl_xla.compile(mixed), tmp_path)(*arguments)
    assert (x.tolist(), int(i), b.tolist()) == ([2, 2], 3, [0, 2, 4])
    donating = """func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
      %0 = stablehlo.add %x, %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    array = np.ones(4, np.float32)
    (result,) = again(xdsl_xla.compile(donating, donate=True), tmp_path)(array)
    assert result is array and array.tolist() == [2, 2, 2, 2]
    values = np.random.default_rng(0).normal(size=1000).astype(np.float32)
    constant = f"""func.func @main() -> tensor<1000xf32> {{
      %c = stablehlo.constant dense<"0x{values.tobytes().hex()}"> : tensor<1000xf32>
      return %c : tensor<1000xf32>
    }}"""
    np.testing.assert_array_equal(again(xdsl_xla.compile(constant), tmp_path)()[0], values)


@WAYS
def test_random_numbers_begin_again(again: Again, tmp_path: Path) -> None:
    source = """func.func @main() -> tensor<5xf32> {
      %a = stablehlo.constant dense<0.0> : tensor<f32>
      %b = stablehlo.constant dense<1.0> : tensor<f32>
      %s = stablehlo.constant dense<5> : tensor<1xi64>
      %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<5xf32>
      return %0 : tensor<5xf32>
    }"""
    executable = xdsl_xla.compile(source, seed=7)
    first = executable()[0]
    np.testing.assert_array_equal(again(executable, tmp_path)()[0], first)


def test_custom_calls(tmp_path: Path) -> None:
    """The function is the one registered where the program is loaded."""
    source = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.custom_call @saved_target(%x) {api_version = 4 : i32} : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""

    @xdsl_xla.custom_call("saved_target")
    def _(x: np.ndarray) -> np.ndarray:
        return x + 1

    xdsl_xla.compile(source).save(tmp_path / "saved")

    @xdsl_xla.custom_call("saved_target")
    def _(x: np.ndarray) -> np.ndarray:
        return x + 2

    assert xdsl_xla.load(tmp_path / "saved")(np.zeros(4, np.float32))[0].tolist() == [2, 2, 2, 2]
    code = f"import xdsl_xla\ntry: xdsl_xla.load({str(tmp_path / 'saved')!r})\nexcept xdsl_xla.XlaError as e: print(e)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "@saved_target (Python)" in done.stdout


def test_in_another_process_without_the_compiler(tmp_path: Path) -> None:
    xdsl_xla.compile(ADD).save(tmp_path / "saved")
    code = f"""
import sys, numpy, xdsl_xla
print(xdsl_xla.load({str(tmp_path / "saved")!r})(numpy.ones(4, "f4"))[0].tolist(), "xdsl" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[2.0,", "2.0,", "2.0,", "2.0]", "False"]


def test_copies() -> None:
    executable = xdsl_xla.compile(ADD)
    for other in (copy.copy(executable), copy.deepcopy(executable)):
        assert other(np.ones(4, np.float32))[0].tolist() == [2, 2, 2, 2]


def changed(data: bytes, **fields: str) -> bytes:
    start = len(MAGIC) + LENGTH_BYTES
    end = start + int.from_bytes(data[len(MAGIC) : start], "little")
    header = json.dumps({**json.loads(data[start:end]), **fields}).encode()
    return MAGIC + len(header).to_bytes(LENGTH_BYTES, "little") + header + data[end:]


def test_what_is_refused(tmp_path: Path) -> None:
    xdsl_xla.compile(ADD).save(tmp_path / "saved")
    data = (tmp_path / "saved").read_bytes()
    assert from_bytes(changed(data))(np.ones(4, np.float32))[0].tolist() == [2, 2, 2, 2]
    cases: list[tuple[bytes, type[Exception], str]] = [
        (b"", XlaError, "no executable"),
        (b"hello", XlaError, "no executable"),
        (data[: len(MAGIC) + 3], XlaError, "no executable"),
        (data[:-1], XlaError, "damaged"),
        (data[:-9] + bytes([data[-9] ^ 1]) + data[-8:], XlaError, "damaged"),
        (changed(data, interface="other"), XlaError, "another version of xdsl-xla"),
        (changed(data, triple="riscv64-linux"), UnsupportedError, "compiled for 'riscv64-linux', this machine is"),
        (
            changed(data, features="+quantum", cpu="q1"),
            UnsupportedError,
            "compiled for q1 with quantum, which this CPU",
        ),
    ]
    for content, error, message in cases:
        with pytest.raises(error, match=message):
            from_bytes(content)
    with pytest.raises(XlaError, match="nowhere: No such file"):
        xdsl_xla.load(tmp_path / "nowhere")
    with pytest.raises(ArgumentError, match="argument path"):
        xdsl_xla.load(None)  # type: ignore[arg-type]
    with pytest.raises(XlaError, match="No such file"):
        xdsl_xla.compile(ADD).save(tmp_path / "no" / "folder")
