"""Custom calls in compiled programs: targets in Python and C, errors, layouts, threads, LAPACK."""

from __future__ import annotations

import ctypes
import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import ArgumentError, InvalidProgramError, UnsupportedError
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.mlir_text import parse_module

Array = np.ndarray[Any, Any]


def program(target: str, operands: str, results: str, attributes: str = "") -> str:
    """`@main` calls `target` with its arguments and returns the results; types are separated by `;`."""
    types = [type.strip() for type in operands.split(";") if type.strip()]
    outs = [type.strip() for type in results.split(";") if type.strip()]
    arguments = ", ".join(f"%x{i}: tensor<{type}>" for i, type in enumerate(types))
    values = ", ".join(f"%x{i}" for i in range(len(types)))
    ins = ", ".join(f"tensor<{type}>" for type in types)
    out_types = ", ".join(f"tensor<{type}>" for type in outs)
    names = "%r" if len(outs) == 1 else ", ".join(f"%r#{i}" for i in range(len(outs)))
    bound = "%r = " if len(outs) == 1 else f"%r:{len(outs)} = " if outs else ""
    returned = f"return {names} : {out_types}" if outs else "return"
    return f"""
    func.func @main({arguments}) -> ({out_types}) {{
      {bound}stablehlo.custom_call @{target}({values}) {{{attributes}}} : ({ins}) -> ({out_types})
      {returned}
    }}"""


def both_engines(text: str, *arrays: Array) -> list[tuple[Array, ...]]:
    return [xdsl_xla.compile(text)(*arrays), interpreter.run(parse_module(text), "main", arrays)]


@pytest.mark.parametrize("element", ["i1", "i8", "ui8", "i32", "ui64", "f16", "bf16", "f32", "f64"])
def test_element_types(element: str) -> None:
    """Arrays have the type of the program, unsigned integers and halves included."""
    seen: list[np.dtype[Any]] = []

    @xdsl_xla.custom_call("swap")
    def swap(x: Array, y: Array) -> tuple[Array, Array]:
        seen.append(x.dtype)
        return y, x[::-1]

    text = program("swap", f"3x{element}; {element}", f"{element}; 3x{element}")
    exe = xdsl_xla.compile(text)
    spec = exe.signature.inputs[0]
    x, y = np.array([0, 1, 1]).astype(spec.dtype), np.ones((), spec.dtype)
    for first, second in (exe(x, y), *both_engines(text, x, y)):
        np.testing.assert_array_equal(first, y)
        np.testing.assert_array_equal(second, x[::-1])
    assert set(seen) == {spec.dtype}


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_empty_and_many(count: int) -> None:
    @xdsl_xla.custom_call("halves")
    def halves(*arrays: Array) -> tuple[Array, ...]:
        return tuple(x[:, : x.shape[1] // 2] for x in arrays)

    types = "; ".join(["2x3xf32"] * count)
    text = program("halves", types, "; ".join(["2x1xf32"] * count), "has_side_effect = true")
    arrays = [np.full((2, 3), i, np.float32) for i in range(count)]
    for results in both_engines(text, *arrays):
        assert [r.tolist() for r in results] == [[[i], [i]] for i in range(count)]
    empty = program("halves", "0x3xf32", "0x1xf32")
    for (result,) in both_engines(empty, np.zeros((0, 3), np.float32)):
        assert result.shape == (0, 1)


def test_operands_cannot_be_overwritten() -> None:
    @xdsl_xla.custom_call("overwrite")
    def overwrite(x: Array) -> Array:
        x[...] = 0
        return x

    exe = xdsl_xla.compile(program("overwrite", "2xf32", "2xf32"))
    with pytest.raises(ValueError, match="read-only"):
        exe(np.ones(2, np.float32))


def test_options_are_keyword_arguments() -> None:
    @xdsl_xla.custom_call("scale")
    def scale(x: Array, *, factor: float, shift: int, mode: str) -> Array:
        return x * np.float32(factor) + np.float32(shift) if mode == "affine" else x

    attributes = 'backend_config = {factor = 2.5 : f64, shift = 3 : i32, mode = "affine"}, api_version = 4 : i32'
    for (result,) in both_engines(program("scale", "2xf32", "2xf32", attributes), np.array([1, 2], np.float32)):
        np.testing.assert_array_equal(result, np.array([5.5, 8], np.float32))


def test_text_option() -> None:
    @xdsl_xla.custom_call("pick")
    def pick(x: Array, backend_config: str = "0") -> Array:
        return x[int(backend_config)]

    x = np.arange(4, dtype=np.int32)
    for attributes, wanted in (('backend_config = "2"', 2), ('backend_config = ""', 0), ("", 0)):
        for (result,) in both_engines(program("pick", "4xi32", "i32", attributes), x):
            assert result == wanted


def test_inside_a_loop_between_other_ops() -> None:
    """The call reads what the program has computed, in every iteration, and the program what the call has."""
    calls: list[int] = []

    @xdsl_xla.custom_call("reverse_rows")
    def reverse_rows(x: Array) -> Array:
        calls.append(1)
        return x[::-1]

    text = """
    func.func @main(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4x2xf32>
      cond {
        %n = stablehlo.constant dense<3> : tensor<i32>
        %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %next = stablehlo.add %i, %one : tensor<i32>
        %double = stablehlo.add %y, %y : tensor<4x2xf32>
        %z = stablehlo.custom_call @reverse_rows(%double) : (tensor<4x2xf32>) -> tensor<4x2xf32>
        %w = stablehlo.add %z, %y : tensor<4x2xf32>
        stablehlo.return %next, %w : tensor<i32>, tensor<4x2xf32>
      }
      return %r#1 : tensor<4x2xf32>
    }"""
    x = np.arange(8, dtype=np.float32).reshape(4, 2)
    (result,) = xdsl_xla.compile(text, verify=True)(x)
    wanted = x
    for _ in range(3):
        wanted = (2 * wanted)[::-1] + wanted
    np.testing.assert_array_equal(result, wanted)
    assert len(calls) == 3


def test_side_effects_happen_in_order() -> None:
    seen: list[float] = []

    @xdsl_xla.custom_call("report")
    def report(x: Array) -> tuple[()]:
        seen.append(float(x))
        return ()

    text = """
    func.func @main(%x: tensor<f32>) -> tensor<f32> {
      stablehlo.custom_call @report(%x) {has_side_effect = true} : (tensor<f32>) -> ()
      %0 = stablehlo.negate %x : tensor<f32>
      stablehlo.custom_call @report(%0) {has_side_effect = true} : (tensor<f32>) -> ()
      stablehlo.custom_call @report(%x) {has_side_effect = true} : (tensor<f32>) -> ()
      return %0 : tensor<f32>
    }"""
    xdsl_xla.compile(text)(np.float32(2))
    assert seen == [2, -2, 2]


def test_what_a_target_raises_the_call_raises() -> None:
    @xdsl_xla.custom_call("refuse_negative")
    def refuse_negative(x: Array) -> Array:
        if x < 0:
            raise ValueError("negative")
        return x

    exe = xdsl_xla.compile(program("refuse_negative", "f32", "f32"))
    assert exe(np.float32(1))[0] == 1
    with pytest.raises(ValueError, match="negative") as info:
        exe(np.float32(-1))
    assert info.value.__notes__ == ["in custom call target @refuse_negative"]
    assert exe(np.float32(2))[0] == 2


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (np.zeros(3, np.float32), r"is a float32 array of shape \[3\], expected float32 and \[2\]"),
        (np.zeros(2, np.complex64), "is a complex64 array"),
        ((), "returned 0 values, not 1"),
    ],
)
def test_wrong_results(returned: Any, message: str) -> None:
    xdsl_xla.custom_call("wrong")(lambda x: returned)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    exe = xdsl_xla.compile(program("wrong", "2xf32", "2xf32"))
    with pytest.raises(ArgumentError, match=message):
        exe(np.zeros(2, np.float32))


def test_unknown_target() -> None:
    xdsl_xla.custom_call("a_known_one")(lambda x: x)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    for name, said in (
        ("missing", "xdsl_xla.custom_call registers a function of yours"),
        ("a_knwon_one", "did you mean a_known_one?"),
        ("lapack_spotrf", "did you mean lapack_spotrf_ffi or lapack_zpotrf_ffi or lapack_dpotrf_ffi?"),
    ):
        with pytest.raises(UnsupportedError) as error:
            xdsl_xla.compile(program(name, "2xf32", "2xf32"))
        assert str(error.value).endswith(f"unknown target @{name}; {said}")


def test_annotations_are_identities() -> None:
    text = program("annotate_device_placement", "2xf32", "2xf32")
    x = np.array([1, 2], np.float32)
    for (result,) in both_engines(text, x):
        np.testing.assert_array_equal(result, x)


TARGET = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))


def test_c_functions() -> None:
    """One result at `out` itself, several behind an array of pointers; by address and as a ctypes function."""

    @TARGET
    def difference(out: int, operands: Any) -> None:
        x, y = (ctypes.cast(operands[i], ctypes.POINTER(ctypes.c_float)) for i in range(2))
        result = ctypes.cast(out, ctypes.POINTER(ctypes.c_float))
        for i in range(3):
            result[i] = x[i] - y[i]

    @TARGET
    def first_and_last(out: int, operands: Any) -> None:
        x = ctypes.cast(operands[0], ctypes.POINTER(ctypes.c_float))
        results = ctypes.cast(out, ctypes.POINTER(ctypes.POINTER(ctypes.c_float)))
        results[0][0], results[1][0] = x[0], x[2]

    xdsl_xla.custom_call("difference", difference)
    xdsl_xla.custom_call("first_and_last", ctypes.cast(first_and_last, ctypes.c_void_p).value)
    x, y = np.array([5, 6, 7], np.float32), np.array([1, 2, 4], np.float32)
    for (result,) in both_engines(program("difference", "3xf32; 3xf32", "3xf32"), x, y):
        np.testing.assert_array_equal(result, x - y)
    for first, last in both_engines(program("first_and_last", "3xf32", "f32; 1xf32"), x):
        assert (first, last.tolist()) == (5, [7])
    with pytest.raises(ArgumentError, match="null pointer"):
        xdsl_xla.custom_call("null", 0)


def test_c_function_sees_the_layouts_of_the_call() -> None:
    """It copies memory; with column-major operands and row-major results that transposes."""

    @TARGET
    def copy(out: int, operands: Any) -> None:
        ctypes.memmove(out, operands[0], 24)

    xdsl_xla.custom_call("copy", copy)
    layouts = "operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]"
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    for (result,) in both_engines(program("copy", "2x3xf32", "3x2xf32", layouts), x):
        np.testing.assert_array_equal(result, x.T)
    layouts = "operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]"
    for (result,) in both_engines(program("copy", "2x3xf32", "3x2xf32", layouts), x):
        np.testing.assert_array_equal(result, x.T)


def test_calls_from_several_threads() -> None:
    """Failures stay in the thread they belong to."""

    @xdsl_xla.custom_call("odd_fails")
    def odd_fails(x: Array) -> Array:
        if int(x) % 2:
            raise ValueError(int(x))
        return x

    exe = xdsl_xla.compile(program("odd_fails", "i32", "i32"))

    def run(number: int) -> int:
        try:
            return int(exe(np.int32(number))[0])
        except ValueError as error:
            return -error.args[0]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(run, range(200))) == [-n if n % 2 else n for n in range(200)]


# LAPACK


def matrices(shape: tuple[int, ...], dtype: str, positive: bool = False) -> Array:
    rng = np.random.default_rng(len(shape) + shape[-1])
    a = rng.normal(size=shape)
    if dtype[0] == "c":
        a = a + 1j * rng.normal(size=shape)
    if positive:
        a = a @ np.conj(np.swapaxes(a, -1, -2)) + shape[-1] * np.eye(shape[-1])
    return a.astype(dtype)


def agree(text: str, *arrays: Array) -> None:
    results, expected = both_engines(text, *arrays)
    for result, value in zip(results, expected, strict=True):
        assert (result.shape, result.dtype) == (value.shape, value.dtype)
        if value.dtype.kind in "iu":
            np.testing.assert_array_equal(result, value)
        else:
            tolerance = 1e-4 if value.dtype.itemsize // (1 + (value.dtype.kind == "c")) == 4 else 1e-11
            np.testing.assert_allclose(result, value, rtol=tolerance, atol=tolerance)


LETTERS = {"s": "float32", "d": "float64", "c": "complex64", "z": "complex128"}
ELEMENTS = {"s": "f32", "d": "f64", "c": "complex<f32>", "z": "complex<f64>"}


@pytest.mark.sample(12)
@pytest.mark.parametrize(("letter", "size", "lower"), list(itertools.product("sdcz", [0, 1, 2, 5], [True, False])))
def test_potrf(letter: str, size: int, lower: bool) -> None:
    element, config = ELEMENTS[letter], f"mhlo.backend_config = {{uplo = {ord('L' if lower else 'U')} : ui8}}"
    type = f"3x{size}x{size}x{element}"
    text = program(f"lapack_{letter}potrf_ffi", type, f"{type}; 3xi32", config)
    agree(text, matrices((3, size, size), LETTERS[letter], positive=True))


@pytest.mark.sample(24)
@pytest.mark.parametrize("letter", "sdcz")
@pytest.mark.parametrize("side", "LR")
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("transposed", "NTC")
@pytest.mark.parametrize("unit", [True, False])
def test_trsm(letter: str, side: str, lower: bool, transposed: str, unit: bool) -> None:
    element = ELEMENTS[letter]
    options = {"diag": "NU"[unit], "side": side, "trans_x": transposed, "uplo": "UL"[lower]}
    config = ", ".join(f"{key} = {ord(value)} : ui8" for key, value in options.items())
    size = 4 if side == "L" else 3
    types = f"2x{size}x{size}x{element}; 2x4x3x{element}"
    text = program(f"lapack_{letter}trsm_ffi", types, f"2x4x3x{element}", f"mhlo.backend_config = {{{config}}}")
    a = matrices((2, size, size), LETTERS[letter], positive=True)
    agree(text, a, matrices((2, 4, 3), LETTERS[letter]))


@pytest.mark.parametrize("size", [1, 2, 7])
def test_eigenvectors_and_singular_values_natively(size: int) -> None:
    a = matrices((2, size, size), "float64", positive=True)
    type = f"2x{size}x{size}xf64"
    config = "mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}"
    vectors, values, info = xdsl_xla.compile(
        program("lapack_dsyevd_ffi", type, f"{type}; 2x{size}xf64; 2xi32", config)
    )(a)
    np.testing.assert_allclose(a @ vectors, vectors * values[:, None, :], atol=1e-10)
    assert not info.any()
    config = "mhlo.backend_config = {mode = 65 : ui8}"
    _, values, left, right, info = xdsl_xla.compile(
        program("lapack_dgesdd_ffi", type, f"{type}; 2x{size}xf64; {type}; {type}; 2xi32", config)
    )(a)
    np.testing.assert_allclose((left * values[:, None, :]) @ right, a, atol=1e-10)
    assert not info.any()


def test_a_call_of_lapack_whose_shapes_are_known_late_is_checked_then() -> None:
    """Its operands say what shapes the results have."""
    text = """
    func.func @main(%a: tensor<3x50xf32>) -> tensor<50xf32> {
      %0 = stablehlo.constant dense<[3, 50]> : tensor<2xi32>
      %1 = stablehlo.constant dense<[50]> : tensor<1xi32>
      %2 = stablehlo.constant dense<> : tensor<0xi32>
      %3:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a, %0, %1, %2) {
        indices_of_shape_operands = dense<[1, 2, 3]> : tensor<3xi64>
      } : (tensor<3x50xf32>, tensor<2xi32>, tensor<1xi32>, tensor<0xi32>)
        -> (tensor<?x50xf32>, tensor<50xf32>, tensor<i32>)
      return %3#1 : tensor<50xf32>
    }"""
    with pytest.raises(InvalidProgramError, match="operand 0: expected tensor<3x3xf32>, got tensor<3x50xf32>"):
        xdsl_xla.compile(text)
