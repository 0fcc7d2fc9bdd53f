"""Tensor literals, files, random inputs and comparison of `xla-run`."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from xdsl_xla.errors import ArgumentError, XlaError
from xdsl_xla.runtime.element_types import type_name
from xdsl_xla.runtime.mlir_types import DTYPES
from xdsl_xla.runtime.signature import TensorSpec
from xdsl_xla.tools.comparison import EXACT, Tolerance, compare, default_tolerance
from xdsl_xla.tools.reporting import UsageError
from xdsl_xla.tools.stored_arrays import is_extension, to_stored
from xdsl_xla.tools.tensor_io import (
    from_stored,
    load_archive,
    load_inputs,
    parse_literal,
    random_inputs,
    show,
)


@pytest.mark.parametrize(
    ("text", "dtype", "value"),
    [
        ("2x2xf32=1 2 3 4", np.float32, [[1, 2], [3, 4]]),
        ("2x2xf32=[[1, 2], [3, -4.5e1]]", np.float32, [[1, 2], [3, -45]]),
        ("f32=3.5", np.float32, 3.5),
        ("4xi32=7", np.int32, [7, 7, 7, 7]),
        ("0x3xf64=", np.float64, np.empty((0, 3))),
        ("0xi8=1", np.int8, []),
        ("1xui64=18446744073709551615", np.uint64, [2**64 - 1]),
        ("i64=-9223372036854775808", np.int64, -(2**63)),
        ("ui8=0xff", np.uint8, 255),
        ("3xi1=true 0 1", np.bool_, [True, False, True]),
        ("2xcomplex<f32>=1+2j -3j", np.complex64, [1 + 2j, -3j]),
        ("2xbf16=1.5 -inf", ml_dtypes.bfloat16, [1.5, -np.inf]),
        ("f8E4M3FN=0.5", ml_dtypes.float8_e4m3fn, 0.5),
        ("2xi4=-8 7", ml_dtypes.int4, [-8, 7]),
    ],
)
def test_literals(text: str, dtype: object, value: object) -> None:
    array = parse_literal(text)
    assert array.dtype == dtype
    np.testing.assert_array_equal(array, np.array(value, dtype))
    assert array.shape == np.shape(value)


@pytest.mark.parametrize("name", DTYPES)
def test_every_element_type_has_a_literal(name: str) -> None:
    array = parse_literal(f"2x{name}=1")
    assert type_name(array.shape, array.dtype).startswith("tensor<2x")
    assert parse_literal(f"{name}=0").shape == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2x2xf32=1 2 3", "3 values for 4 elements"),
        ("2xf33=1", "unknown element type 'f33'"),
        ("i8=300", "'300' is no i8"),
        ("ui8=-1", "'-1' is no ui8"),
        ("i4=8", "'8' is no i4"),
        ("i32=1.5", "'1.5' is no i32"),
        ("i1=2", "'2' is no i1"),
        ("nonsense", "expected FILE.npz, FILE.npy or a tensor"),
    ],
)
def test_malformed_literals(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_literal(text)


@pytest.mark.parametrize("name", DTYPES)
def test_random_inputs_and_files(name: str, tmp_path: Path) -> None:
    spec = TensorSpec("x", (3, 4), DTYPES[name])
    (array,) = random_inputs([spec], 7)
    assert (array.shape, array.dtype) == (spec.shape, spec.dtype)
    np.testing.assert_array_equal(array, random_inputs([spec], 7)[0])
    if spec.dtype.kind in "fc":
        assert np.all(np.abs(array.real) <= 1) and np.ptp(array.real) > 0.1
    np.savez(tmp_path / "data.npz", in0=to_stored(array))
    (loaded,) = load_archive(str(tmp_path / "data.npz"), "in", [spec])
    assert loaded.dtype == spec.dtype
    assert loaded.tobytes() == array.tobytes()


def test_inputs_from_files(tmp_path: Path) -> None:
    spec = TensorSpec("x", (2,), np.dtype(np.float32))
    half = TensorSpec("h", (2,), np.dtype(ml_dtypes.bfloat16))
    np.save(tmp_path / "x.npy", np.float32([1, 2]))
    x, h = load_inputs([str(tmp_path / "x.npy"), "2xbf16=3"], [spec, half])
    np.testing.assert_array_equal(x, [1, 2])
    np.testing.assert_array_equal(h.astype(np.float32), [3, 3])
    with pytest.raises(ArgumentError, match="1 times --input for 2 arguments"):
        load_inputs(["2xf32=1"], [spec, half])
    np.savez(tmp_path / "a.npz", in1=x)
    with pytest.raises(ArgumentError, match="no array 'in0'; the file holds in1"):
        load_inputs([str(tmp_path / "a.npz")], [spec])
    with pytest.raises(UsageError, match="cannot be combined"):
        load_inputs([str(tmp_path / "a.npz"), "f32=1"], [spec, spec])
    (tmp_path / "bad.npz").write_bytes(b"nothing")
    with pytest.raises(XlaError, match=r"bad\.npz: not a NumPy file of numbers$"):
        load_inputs([str(tmp_path / "bad.npz")], [spec])
    np.savez(tmp_path / "objects.npz", in0=np.array([None]))
    with pytest.raises(XlaError, match=r"objects\.npz: not a NumPy file of numbers$"):
        load_inputs([str(tmp_path / "objects.npz")], [spec])


def test_stored_bits_are_reinterpreted_by_the_declared_type() -> None:
    bits = np.uint16([0x3FC0])
    half = TensorSpec("h", (1,), np.dtype(ml_dtypes.bfloat16))
    assert from_stored(bits, half)[0] == 1.5
    assert from_stored(bits, TensorSpec("u", (1,), np.dtype(np.uint16))) is bits
    assert not is_extension(np.dtype(np.complex128))


def test_show() -> None:
    spec = TensorSpec("x", (2,), np.dtype(ml_dtypes.bfloat16))
    assert show("out0", np.array([1, 2.5], spec.dtype), spec) == "out0: tensor<2xbf16> = [1.  2.5]"
    large = TensorSpec("x", (100, 100), np.dtype(np.int32))
    assert "..." in show("out1", np.zeros((100, 100), np.int32), large)


def test_worst_element_is_reported() -> None:
    expected = np.float32([[1, 2], [3, 4]])
    got = expected.copy()
    got[0, 1], got[1, 0] = 2.1, 4
    mismatch = compare(got, expected, default_tolerance(got.dtype))
    assert mismatch is not None
    assert (mismatch.index, mismatch.count, mismatch.size) == ((1, 0), 2, 4)
    assert str(mismatch) == "[1, 0]: got 4.0, expected 3.0 (error 1; 2 of 4 elements differ)"
    assert compare(got, expected, Tolerance(0.5, 0)) is None


def test_not_a_number_and_infinity() -> None:
    special = np.array([np.nan, np.inf, -np.inf, 1])
    assert compare(special, special, EXACT) is None
    for index in range(3):
        other = special.copy()
        other[index] = 1
        mismatch = compare(other, special, Tolerance(1e9, 1e9))
        assert mismatch is not None and mismatch.index == (index,)
        assert compare(special, other, Tolerance(1e9, 1e9)) is not None


def test_integers_are_compared_exactly() -> None:
    expected = np.array([2**63, 5], np.uint64)
    got = np.array([2**63 + 1, 5], np.uint64)
    mismatch = compare(got, expected, default_tolerance(got.dtype))
    assert mismatch is not None and mismatch.error == "1"
    assert compare(expected, expected, EXACT) is None
    assert compare(np.empty((0, 2), np.int32), np.empty((0, 2), np.int32), EXACT) is None
    assert default_tolerance(np.dtype(ml_dtypes.int4)) == EXACT


def test_complex_and_half() -> None:
    z = np.complex64([1 + 1j])
    assert compare(z * np.complex64(1 + 1e-6), z, default_tolerance(z.dtype)) is None
    assert compare(z.conj(), z, default_tolerance(z.dtype)) is not None
    half = np.array([1, 2], ml_dtypes.bfloat16)
    assert compare(half + np.array(0.0078125, half.dtype), half, default_tolerance(half.dtype)) is None
    assert compare(half + half, half, default_tolerance(half.dtype)) is not None
