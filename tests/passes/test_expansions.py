"""The `stablehlo-expand-*` passes keep the meaning of ops: values before and after, by the reference interpreter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla import compile
from xdsl_xla.pipelines import PASSES, load_pass
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module

Array = NDArray[Any]

EXPANSIONS = [name for name in PASSES if name.startswith("stablehlo-expand-") or name == "stablehlo-call-lapack"]

DTYPES = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
    "i32": np.int32,
    "ui64": np.uint64,
    "i64": np.int64,
}

TOLERANCES = {"f16": 2e-3, "bf16": 2e-2, "f32": 2e-5, "f64": 1e-12, "complex<f32>": 2e-5, "complex<f64>": 1e-12}
"""Relative to the largest value: some tens of operations of a few units of the last place each; 16-bit floats are
rounded once."""


def tensor(shape: Sequence[int], element: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def program(op: str, inputs: Sequence[str], results: Sequence[str]) -> ModuleOp:
    """A function of one op, whose operands are called %a0, %a1, ..."""
    arguments = ", ".join(f"%a{i}: {type}" for i, type in enumerate(inputs))
    names = ", ".join(f"%r#{i}" for i in range(len(results))) if len(results) > 1 else "%r"
    types = ", ".join(results)
    text = (
        f"func.func @main({arguments}) -> ({types}) {{\n"
        f"  %r{f':{len(results)}' if len(results) > 1 else ''} = {op} : ({', '.join(inputs)}) -> ({types})\n"
        f"  return {names} : {types}\n}}"
    )
    module = parse_module(text)
    verify_module(module)
    return module


def values_before_and_after(module: ModuleOp, arguments: Sequence[Array], gone: str) -> Iterator[tuple[Array, Array]]:
    """Pairs of expected and actual results; the op `gone` must be expanded."""
    expected = run(module, "main", arguments)
    for name in EXPANSIONS:
        load_pass(name)().apply(Context(), module)
        verify_module(module)
    assert not [op for op in module.walk() if op.name == gone]
    for before, after in zip(expected, run(module, "main", arguments), strict=True):
        yield np.asarray(before), np.asarray(after)


def reference_and_native(module: ModuleOp, arguments: Sequence[Array]) -> Iterator[tuple[Array, Array]]:
    """Pairs of what the reference computes and what compiled code does."""
    expected = run(module, "main", arguments)
    for before, after in zip(expected, compile(module, threads=2)(*arguments), strict=True):
        yield np.asarray(before), after


def assert_close(expected: Array, actual: Array, element: str) -> None:
    """Equal up to the tolerance of the element type, relative to the largest finite value."""
    assert expected.dtype == actual.dtype
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    expected, actual = expected.astype(wide), actual.astype(wide)
    finite = np.abs(expected[np.isfinite(expected)])
    scale = max(1.0, float(finite.max(initial=0)))
    np.testing.assert_allclose(actual, expected, rtol=0, atol=TOLERANCES[element] * scale)


def random_array(shape: Sequence[int], element: str, seed: int = 0) -> Array:
    generator = np.random.default_rng(seed)
    values: Array = generator.normal(size=shape)
    if element.startswith("complex"):
        values = values + 1j * generator.normal(size=shape)
    return np.asarray(values).astype(DTYPES[element])


# Linear algebra


def positive_definite(shape: Sequence[int], element: str) -> Array:
    x = random_array(shape, "complex<f64>" if element.startswith("complex") else "f64")
    identity = np.eye(shape[-1])
    return np.asarray(x @ np.conj(np.swapaxes(x, -1, -2)) / shape[-1] + identity).astype(DTYPES[element])


@pytest.mark.sample(20)
@pytest.mark.parametrize("element", ["f16", "bf16", "f32", "f64", "complex<f32>", "complex<f64>"])
@pytest.mark.parametrize("is_lower", [True, False])
@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (2, 3, 4, 4), (0, 3, 3), (2, 0, 0)])
def test_cholesky(shape: tuple[int, ...], is_lower: bool, element: str) -> None:
    type = tensor(shape, element)
    a = positive_definite(shape, element) if 0 not in shape else np.zeros(shape, DTYPES[element])
    unread = np.triu(np.ones(shape), 1) if is_lower else np.tril(np.ones(shape), -1)
    a = np.where(unread, np.nan, a).astype(a.dtype)
    module = program(f"stablehlo.cholesky %a0, lower = {str(is_lower).lower()}", [type], [type])
    for expected, actual in reference_and_native(module, [a]):
        assert_close(expected, actual, element)


@pytest.mark.sample(4)
@pytest.mark.parametrize("size", [16, 17, 33, 257, 300])
@pytest.mark.parametrize("is_lower", [True, False])
def test_cholesky_of_sizes(size: int, is_lower: bool) -> None:
    type = tensor((2, size, size), "f32")
    module = program(f"stablehlo.cholesky %a0, lower = {str(is_lower).lower()}", [type], [type])
    arguments = [positive_definite((2, size, size), "f32")]
    for expected, actual in reference_and_native(module, arguments):
        assert_close(expected, actual, "f32")


@pytest.mark.parametrize(("size", "place"), [(40, 0), (40, 20), (40, 39), (260, 0), (260, 150), (260, 259)])
def test_cholesky_of_an_indefinite_matrix_fails_alone(size: int, place: int) -> None:
    type = tensor((3, size, size), "f32")
    a = positive_definite((3, size, size), "f32")
    a[1, place, place] = -1
    module = program("stablehlo.cholesky %a0, lower = true", [type], [type])
    for expected, actual in reference_and_native(module, [a]):
        assert np.isnan(actual[1][np.tril_indices(size)]).all()
        assert not np.isnan(actual[[0, 2]]).any()
        assert_close(expected, actual, "f32")


SOLVE = (
    '"stablehlo.triangular_solve"(%a0, %a1) <{{left_side = {left}, lower = {lower}, unit_diagonal = {unit}, '
    "transpose_a = #stablehlo<transpose {form}>}}>"
)


@pytest.mark.sample(4)
@pytest.mark.parametrize("form", ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
@pytest.mark.parametrize("element", ["bf16", "f32", "complex<f64>"])
def test_triangular_solve(form: str, element: str) -> None:
    for left, lower, unit in product(("true", "false"), repeat=3):
        check_solve((2, 6), 3, left == "true", lower == "true", unit == "true", form, element)


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("shape", "columns"),
    [((1,), 1), ((4,), 1), ((2, 3, 5), 2), ((0, 3), 2), ((3,), 0), ((0,), 2), ((2, 40), 3), ((64,), 5), ((300,), 5)],
)
def test_triangular_solve_of_shapes(shape: tuple[int, ...], columns: int) -> None:
    for left, lower in product((True, False), repeat=2):
        check_solve(shape, columns, left, lower, False, "NO_TRANSPOSE", "f32")
    check_solve(shape, columns, True, False, True, "TRANSPOSE", "f32")


def check_solve(
    shape: tuple[int, ...], columns: int, left: bool, lower: bool, unit: bool, form: str, element: str
) -> None:
    """A batch `shape[:-1]` of systems of `shape[-1]` equations; the triangle that is not read has NaN."""
    *batch, size = shape
    a_shape, b_shape = (*batch, size, size), ((*batch, size, columns) if left else (*batch, columns, size))
    a = random_array(a_shape, element) / DTYPES[element](max(size, 1)) + 2 * np.eye(size, dtype=DTYPES[element])
    unread = np.triu(np.ones(a_shape), 0 if unit else 1) if lower else np.tril(np.ones(a_shape), 0 if unit else -1)
    a = np.where(unread, np.nan, a).astype(DTYPES[element])
    b = random_array(b_shape, element, 1)
    texts = (str(flag).lower() for flag in (left, lower, unit))
    op = SOLVE.format(**dict(zip(("left", "lower", "unit"), texts, strict=True)), form=form)
    a_type, b_type = tensor(a_shape, element), tensor(b_shape, element)
    module = program(op, [a_type, b_type], [b_type])
    for expected, actual in reference_and_native(module, [a, b]):
        assert_close(expected, actual, element)


def test_a_zero_on_the_diagonal_gives_infinity() -> None:
    module = program(
        SOLVE.format(left="true", lower="true", unit="false", form="NO_TRANSPOSE"),
        ["tensor<3x3xf32>", "tensor<3x1xf32>"],
        ["tensor<3x1xf32>"],
    )
    a = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 2]], np.float32)
    b = np.array([[1], [3], [1]], np.float32)
    for expected, actual in reference_and_native(module, [a, b]):
        np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("uplo", "LU")
@pytest.mark.parametrize("element", ["f32", "complex<f64>"])
def test_lapack_potrf(uplo: str, element: str) -> None:
    """The other triangle keeps the operand; of the failed matrix, nothing is promised but the status."""
    a = positive_definite((2, 4, 4), element)
    a[1, 2, 2] = -1
    type = tensor((2, 4, 4), element)
    letter = {"f32": "s", "complex<f64>": "z"}[element]
    options = f"{{mhlo.backend_config = {{uplo = {ord(uplo)} : ui8}}}}"
    module = program(f"stablehlo.custom_call @lapack_{letter}potrf_ffi(%a0) {options}", [type], [type, "tensor<2xi32>"])
    (expected, factor), (states, status) = reference_and_native(module, [a])
    assert_close(expected[0], factor[0], element)
    np.testing.assert_array_equal(status != 0, states != 0)


@pytest.mark.parametrize("options", list(product("LR", "LU", "NU", "NTC")))
def test_lapack_trsm(options: tuple[str, ...]) -> None:
    names = ("side", "uplo", "diag", "trans_x")
    text = ", ".join(f"{name} = {ord(letter)} : ui8" for name, letter in zip(names, options, strict=True))
    a_type, b_type = tensor((3, 3), "complex<f64>"), tensor((3, 3), "complex<f64>")
    op = f"stablehlo.custom_call @lapack_ztrsm_ffi(%a0, %a1) {{mhlo.backend_config = {{{text}}}}}"
    module = program(op, [a_type, b_type], [b_type])
    arguments = [random_array((3, 3), "complex<f64>", seed) + 2 * np.eye(3) for seed in range(2)]
    for expected, actual in values_before_and_after(module, arguments, "stablehlo.custom_call"):
        assert_close(expected, actual, "complex<f64>")


# Batch normalisation


@pytest.mark.parametrize("element", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize(("shape", "feature"), [((4, 3), 1), ((2, 3, 4, 5), 3), ((3, 1, 2), 0), ((5,), 0), ((2, 0), 1)])
def test_batch_norm(shape: tuple[int, ...], feature: int, element: str) -> None:
    whole, features = tensor(shape, element), tensor(shape[feature : feature + 1], element)
    attributes = f"<{{epsilon = 1.0e-3 : f32, feature_index = {feature} : i64}}>"
    x, gradient = random_array(shape, element, 0), random_array(shape, element, 1)
    scale, offset, mean, deviation = (random_array(shape[feature : feature + 1], element, seed) for seed in range(2, 6))
    variance = np.abs(deviation) + DTYPES[element](0.5)
    cases = (
        ("training", [x, scale, offset], [whole, features, features], [whole, features, features]),
        ("inference", [x, scale, offset, mean, variance], [whole, *[features] * 4], [whole]),
        ("grad", [x, scale, mean, variance, gradient], [whole, *[features] * 3, whole], [whole, features, features]),
    )
    for kind, arguments, inputs, results in cases:
        operands = ", ".join(f"%a{i}" for i in range(len(arguments)))
        module = program(f'"stablehlo.batch_norm_{kind}"({operands}) {attributes}', inputs, results)
        for expected, actual in values_before_and_after(module, arguments, f"stablehlo.batch_norm_{kind}"):
            assert_close(expected, actual, element)


# Deprecated ops


@pytest.mark.parametrize(
    ("config", "shapes", "result"),
    [
        ("ab,bc->ac", [(2, 3), (3, 4)], (2, 4)),
        ("bij,bkj->bki", [(2, 3, 4), (2, 5, 4)], (2, 5, 3)),
        ("ab,cd->dabc", [(2, 3), (4, 5)], (5, 2, 3, 4)),
        ("ab,ab->", [(2, 3), (2, 3)], ()),
        ("abc,c->a", [(2, 3, 4), (4,)], (2,)),
        ("aab,b->ab", [(3, 3, 2), (2,)], (3, 2)),
        (",a->a", [(), (3,)], (3,)),
        ("...ab,...bc->...ac", [(2, 5, 3, 4), (5, 4, 2)], (2, 5, 3, 2)),
        ("ab,bc->ac", [(2, 1), (3, 4)], (2, 4)),
        ("ab,ac->abc", [(1, 3), (2, 4)], (2, 3, 4)),
        ("ab,bc->ac", [(2, 0), (0, 4)], (2, 4)),
    ],
)
@pytest.mark.parametrize("element", ["f32", "bf16", "complex<f64>"])
def test_einsum(config: str, shapes: list[tuple[int, ...]], result: tuple[int, ...], element: str) -> None:
    inputs = [tensor(shape, element) for shape in shapes]
    module = program(f'stablehlo.einsum %a0, %a1, config = "{config}"', inputs, [tensor(result, element)])
    arguments = [random_array(shape, element, seed) for seed, shape in enumerate(shapes)]
    for expected, actual in values_before_and_after(module, arguments, "stablehlo.einsum"):
        assert_close(expected, actual, element)


@pytest.mark.parametrize(
    ("config", "shape", "result"),
    [
        ("ab->ba", (2, 3), (3, 2)),
        ("abc->ca", (2, 3, 4), (4, 2)),
        ("aa->a", (3, 3), (3,)),
        ("aabb->", (3, 3, 2, 2), ()),
        ("...a->a...", (2, 3, 4), (4, 2, 3)),
    ],
)
def test_unary_einsum(config: str, shape: tuple[int, ...], result: tuple[int, ...]) -> None:
    module = program(
        f'stablehlo.unary_einsum %a0, config = "{config}"', [tensor(shape, "f32")], [tensor(result, "f32")]
    )
    for expected, actual in values_before_and_after(module, [random_array(shape, "f32")], "stablehlo.unary_einsum"):
        assert_close(expected, actual, "f32")


@pytest.mark.parametrize(
    ("operand", "index", "dim", "batch", "result"),
    [
        ((5, 2), (3,), 0, 0, (3, 2)),
        ((2, 5, 3), (2, 4), 1, 1, (2, 4, 3)),
        ((2, 3, 5), (2, 2, 2), 2, 1, (2, 3, 2, 2)),
        ((3, 5), (), 1, 0, (3,)),
        ((2, 3, 5), (2, 3, 1), 2, 2, (2, 3, 1)),
    ],
)
def test_torch_index_select(
    operand: tuple[int, ...], index: tuple[int, ...], dim: int, batch: int, result: tuple[int, ...]
) -> None:
    attributes = f"<{{batch_dims = {batch} : i64, dim = {dim} : i64}}>"
    op = f'"stablehlo.torch_index_select"(%a0, %a1) {attributes}'
    module = program(op, [tensor(operand, "f32"), tensor(index, "i32")], [tensor(result, "f32")])
    indices = np.random.default_rng(0).integers(-1, 7, index).astype(np.int32)
    arguments = [random_array(operand, "f32"), np.asarray(indices)]
    for expected, actual in values_before_and_after(module, arguments, "stablehlo.torch_index_select"):
        np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize(("lhs", "rhs"), [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4))])
def test_dot(lhs: tuple[int, ...], rhs: tuple[int, ...]) -> None:
    result = tensor(lhs[:-1] + rhs[1:], "f32")
    module = program("stablehlo.dot %a0, %a1", [tensor(lhs, "f32"), tensor(rhs, "f32")], [result])
    arguments = [random_array(lhs, "f32"), random_array(rhs, "f32", 1)]
    for expected, actual in values_before_and_after(module, arguments, "stablehlo.dot"):
        assert_close(expected, actual, "f32")


def test_broadcast() -> None:
    module = program("stablehlo.broadcast %a0, sizes = [2, 1]", ["tensor<3xf32>"], ["tensor<2x1x3xf32>"])
    for expected, actual in values_before_and_after(module, [random_array((3,), "f32")], "stablehlo.broadcast"):
        np.testing.assert_array_equal(actual, expected)


# Random bits


@pytest.mark.sample(24)
@pytest.mark.parametrize(("algorithm", "state_size"), [("PHILOX", 2), ("PHILOX", 3), ("DEFAULT", 2), ("THREE_FRY", 2)])
@pytest.mark.parametrize("shape", [(), (1,), (5,), (8,), (3, 5), (3, 4), (2, 3, 5), (0, 3)])
@pytest.mark.parametrize("element", ["ui8", "ui16", "ui32", "i32", "ui64", "i64", "f32"])
def test_rng_bit_generator(algorithm: str, state_size: int, shape: tuple[int, ...], element: str) -> None:
    state_type = f"tensor<{state_size}xui64>"
    op = f"stablehlo.rng_bit_generator %a0, algorithm = {algorithm}"
    module = program(op, [state_type], [state_type, tensor(shape, element)])
    state = np.array([0x0123456789ABCDEF, 2**64 - 2, 2**64 - 1], np.uint64)[:state_size]
    for expected, actual in values_before_and_after(module, [state], "stablehlo.rng_bit_generator"):
        bits = f"u{expected.dtype.itemsize}"
        np.testing.assert_array_equal(actual.view(bits), expected.view(bits))


@pytest.mark.parametrize(
    ("algorithm", "state", "following", "bits"),
    [
        (
            "PHILOX",
            [0x0123456789ABCDEF, 2**64 - 2],
            [0x0123456789ABCDEF, 0],
            [172511636, 1103493126, 3598856174, 948282324, 1105943027, 812877280, 1535849353, 2724394620],
        ),
        (
            "THREE_FRY",
            [0x0123456789ABCDEF, 2**64 - 2],
            [0x0123456789ABCDEF, 1],
            [2968789339, 3784990900, 188576916, 2901984476, 2862930057],
        ),
    ],
)
def test_bits_of_xla_cpu(algorithm: str, state: list[int], following: list[int], bits: list[int]) -> None:
    """Results of XLA:CPU (jaxlib 0.10.2)."""
    results = ["tensor<2xui64>", f"tensor<{len(bits)}xui32>"]
    module = program(f"stablehlo.rng_bit_generator %a0, algorithm = {algorithm}", ["tensor<2xui64>"], results)
    load_pass("stablehlo-expand-rng-bit-generator")().apply(Context(), module)
    got = run(module, "main", [np.array(state, np.uint64)])
    np.testing.assert_array_equal(np.asarray(got[0]), np.array(following, np.uint64))
    np.testing.assert_array_equal(np.asarray(got[1]), np.array(bits, np.uint32))


# Native code


NATIVE = [
    (
        'stablehlo.einsum %a0, %a1, config = "bij,bkj->bki"',
        [((2, 3, 4), "f32"), ((2, 5, 4), "f32")],
        [((2, 5, 3), "f32")],
    ),
    (
        '"stablehlo.batch_norm_training"(%a0, %a1, %a2) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>',
        [((4, 3), "f32"), ((3,), "f32"), ((3,), "f32")],
        [((4, 3), "f32"), ((3,), "f32"), ((3,), "f32")],
    ),
]


@pytest.mark.parametrize(("op", "inputs", "results"), NATIVE)
def test_native(op: str, inputs: list[tuple[tuple[int, ...], str]], results: list[tuple[tuple[int, ...], str]]) -> None:
    module = program(op, [tensor(*type) for type in inputs], [tensor(*type) for type in results])
    arguments = [random_array(shape, element, seed) for seed, (shape, element) in enumerate(inputs)]
    expected = run(module, "main", arguments)
    for before, after, (_, element) in zip(expected, compile(module, threads=1)(*arguments), results, strict=True):
        assert_close(np.asarray(before), after, element)


def test_native_random_bits() -> None:
    module = program(
        "stablehlo.rng_bit_generator %a0, algorithm = DEFAULT",
        ["tensor<3xui64>"],
        ["tensor<3xui64>", "tensor<3x5xui32>"],
    )
    state = np.array([1, 2**64 - 1, 2], np.uint64)
    expected = run(module, "main", [state])
    for before, after in zip(expected, compile(module, threads=1)(state), strict=True):
        np.testing.assert_array_equal(after, np.asarray(before))


# map


def test_map_with_constants_and_captured_values() -> None:
    module = parse_module("""
      func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %s: tensor<f32>) -> tensor<2x3xi1> {
        %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %half = stablehlo.constant dense<0.5> : tensor<f32>
          %1 = stablehlo.multiply %a, %half : tensor<f32>
          %2 = stablehlo.add %1, %s : tensor<f32>
          %3 = stablehlo.compare LT, %2, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %3 : tensor<i1>
        }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
        return %0 : tensor<2x3xi1>
      }""")
    arguments = [random_array((2, 3), "f32", 0), random_array((2, 3), "f32", 1), np.float32(0.25)]
    for expected, actual in reference_and_native(module, arguments):
        np.testing.assert_array_equal(actual, expected)
