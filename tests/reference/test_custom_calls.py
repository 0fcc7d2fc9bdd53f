"""Custom calls: the LAPACK routines that JAX calls, annotations, unknown targets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl_xla.errors import UnsupportedError

from .harness import ELEMENT_TYPES, close, evaluate, f32, f64, i32, same, type_of

RNG = np.random.default_rng(0)
TYPES = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}


def random(kind: str, *shape: int) -> np.ndarray:
    value = RNG.standard_normal(shape)
    if kind in "cz":
        value = value + 1j * RNG.standard_normal(shape)
    return value.astype(TYPES[kind])


def adjoint(value: np.ndarray) -> np.ndarray:
    return np.conj(np.swapaxes(value, -1, -2))


def real(kind: str) -> Any:
    return np.float32 if kind in "sc" else np.float64


def call(target: str, operands: list[np.ndarray], results: list[tuple[tuple[int, ...], Any]], options: str = "") -> Any:
    """The results of a custom call; `options` are those of the backend, letters as `L`."""
    config = ", ".join(
        f"{name} = {ord(value)} : ui8" for name, _, value in (o.partition("=") for o in options.split() if o)
    )
    names = ", ".join(f"%{chr(ord('a') + i)}" for i in range(len(operands)))
    outputs = ", ".join(
        f"tensor<{''.join(f'{n}x' for n in shape)}{ELEMENT_TYPES[np.dtype(dtype)]}>" for shape, dtype in results
    )
    text = f"""stablehlo.custom_call @{target}({names}) {{mhlo.backend_config = {{{config}}}}}
        : ({", ".join(map(type_of, operands))}) -> ({outputs})"""
    return evaluate(text, *operands, results=len(results))


def tolerance(kind: str) -> float:
    return 2e-5 if kind in "sc" else 1e-12


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("uplo", "LU")
def test_potrf(kind: str, uplo: str) -> None:
    root = random(kind, 2, 3, 3)
    a = root @ adjoint(root) + 3 * np.eye(3, dtype=root.dtype)
    factor, info = call(f"lapack_{kind}potrf_ffi", [a], [(a.shape, a.dtype), ((2,), np.int32)], f"uplo={uplo}")
    assert info.tolist() == [0, 0]
    triangle = np.tril(factor) if uplo == "L" else adjoint(np.triu(factor))
    close(triangle @ adjoint(triangle), a, tolerance(kind), tolerance(kind))


def test_potrf_of_an_indefinite_matrix_says_so() -> None:
    a = f64([[1, 2], [2, 1]])
    _, info = call("lapack_dpotrf_ffi", [a], [(a.shape, a.dtype), ((1,), np.int32)], "uplo=L")
    assert info[0] > 0


@pytest.mark.parametrize("side", "LR")
@pytest.mark.parametrize("form", "NTC")
def test_trsm(side: str, form: str) -> None:
    a, b = random("z", 2, 3, 3) + 3 * np.eye(3), random("z", 2, 3, 3)
    options = f"side={side} uplo=U diag=N trans_x={form}"
    x = call("lapack_ztrsm_ffi", [a, b], [(b.shape, b.dtype)], options)
    t = {"N": np.triu(a), "T": np.swapaxes(np.triu(a), -1, -2), "C": adjoint(np.triu(a))}[form]
    close(t @ x if side == "L" else x @ t, b, 1e-12, 1e-12)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("shape", [(3, 3), (4, 3), (3, 5)])
def test_getrf(kind: str, shape: tuple[int, int]) -> None:
    a, size = random(kind, 2, *shape), min(shape)
    results = [(a.shape, a.dtype), ((2, size), np.int32), ((2,), np.int32)]
    packed, pivots, info = call(f"lapack_{kind}getrf_ffi", [a], results)
    assert info.tolist() == [0, 0]
    for i in range(2):
        lower = np.tril(packed[i], -1)[:, :size] + np.eye(shape[0], size)
        rows = np.arange(shape[0])
        for j, pivot in enumerate(pivots[i]):
            rows[[j, pivot - 1]] = rows[[pivot - 1, j]]
        close((lower @ np.triu(packed[i])[:size]).astype(a.dtype), a[i][rows], tolerance(kind), tolerance(kind))
        assert np.abs(np.tril(packed[i], -1)).max() <= np.sqrt(2) + 1e-6


def test_getrf_of_a_singular_matrix_names_the_pivot() -> None:
    a = np.zeros((2, 2))
    _, _, info = call("lapack_dgetrf_ffi", [a], [(a.shape, a.dtype), ((2,), np.int32), ((), np.int32)])
    assert int(info) == 1


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("shape", [(3, 3), (5, 3), (3, 5)])
def test_geqrf_and_orgqr(kind: str, shape: tuple[int, int]) -> None:
    a, size = random(kind, 2, *shape), min(shape)
    packed, tau = call(f"lapack_{kind}geqrf_ffi", [a], [(a.shape, a.dtype), ((2, size), a.dtype)])
    reflectors = packed[..., :size].copy()
    name = "orgqr" if kind in "sd" else "ungqr"
    q = call(f"lapack_{kind}{name}_ffi", [reflectors, tau], [(reflectors.shape, a.dtype)])
    close(adjoint(q) @ q, np.broadcast_to(np.eye(size), (2, size, size)).astype(a.dtype), 1e-5, 1e-5)
    close(q @ np.triu(packed)[..., :size, :], a, 10 * tolerance(kind), 10 * tolerance(kind))
    # The diagonal of R is real, as that of LAPACK.
    assert np.abs(np.diagonal(packed, axis1=-2, axis2=-1)[..., : shape[0] - 1].imag).max() == 0


def test_geqp3_takes_the_greatest_column_first() -> None:
    a = f64([1, 9, 2], [0, 9, 2], [0, 0, 5])
    order = np.zeros(3, np.int32)
    packed, columns, tau = call("lapack_dgeqp3_ffi", [a, order], [((3, 3), a.dtype), ((3,), np.int32), ((3,), a.dtype)])
    same(columns, i32(2, 3, 1))
    q = call("lapack_dorgqr_ffi", [packed, tau], [((3, 3), a.dtype)])
    close(q @ np.triu(packed), a[:, columns - 1], 1e-12, 1e-12)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("uplo", "LU")
def test_syevd(kind: str, uplo: str) -> None:
    a = random(kind, 2, 4, 4)
    a = a + adjoint(a)
    name = "syevd" if kind in "sd" else "heevd"
    results = [(a.shape, a.dtype), ((2, 4), real(kind)), ((2,), np.int32)]
    vectors, values, info = call(f"lapack_{kind}{name}_ffi", [a], results, f"mode=V uplo={uplo}")
    assert info.tolist() == [0, 0]
    assert np.all(np.diff(values) >= 0)
    close(a @ vectors, (vectors * values[..., None, :]).astype(a.dtype), 1e-4, 10 * tolerance(kind))


@pytest.mark.parametrize("routine", ["gesdd", "gesvd"])
@pytest.mark.parametrize(("mode", "columns", "rows"), [("A", 5, 3), ("S", 3, 3)])
def test_gesdd(routine: str, mode: str, columns: int, rows: int) -> None:
    a = random("z", 2, 5, 3)
    results = [
        (a.shape, a.dtype),
        ((2, 3), np.float64),
        ((2, 5, columns), a.dtype),
        ((2, rows, 3), a.dtype),
        ((2,), np.int32),
    ]
    _, values, left, right, _ = call(f"lapack_z{routine}_ffi", [a], results, f"mode={mode}")
    assert np.all(np.diff(values) <= 0)
    close((left[..., :3] * values[..., None, :]) @ right, a, 1e-12, 1e-12)


@pytest.mark.parametrize("kind", "dz")
def test_geev(kind: str) -> None:
    a = random(kind, 2, 4, 4)
    parts = [((2, 4), np.float64)] * 2 if kind == "d" else [((2, 4), np.complex128)]
    results = [*parts, ((2, 4, 4), np.complex128), ((2, 4, 4), np.complex128), ((2,), np.int32)]
    *values, left, right, _ = call(f"lapack_{kind}geev_ffi", [a], results, "compute_left=V compute_right=V")
    eigenvalues = values[0] + 1j * values[1] if kind == "d" else values[0]
    close(a @ right, right * eigenvalues[..., None, :], 1e-10, 1e-10)
    close(adjoint(left) @ a, eigenvalues[..., :, None] * adjoint(left), 1e-10, 1e-10)


@pytest.mark.parametrize("kind", "dz")
@pytest.mark.parametrize("size", [1, 2, 5, 6])
def test_gees(kind: str, size: int) -> None:
    a = random(kind, 3, size, size)
    parts = [((3, size), np.float64)] * 2 if kind == "d" else [((3, size), np.complex128)]
    results = [(a.shape, a.dtype), (a.shape, a.dtype), *parts, ((3,), np.int32), ((3,), np.int32)]
    form, vectors, *rest = call(f"lapack_{kind}gees_ffi", [a], results, "mode=V sort=N")
    close(vectors @ form @ adjoint(vectors), a, 1e-10, 1e-10)
    assert np.all(np.tril(form, -2) == 0)
    values = rest[0] + 1j * rest[1] if kind == "d" else rest[0]
    assert np.allclose(np.sort_complex(values), np.sort_complex(np.linalg.eigvals(a)))
    if kind == "z":
        assert np.all(np.tril(form, -1) == 0)


@pytest.mark.parametrize("kind", "dz")
def test_gehrd(kind: str) -> None:
    a = random(kind, 4, 4)
    results = [(a.shape, a.dtype), ((3,), a.dtype), ((), np.int32)]
    options = "{mhlo.backend_config = {high = 4 : i32, low = 1 : i32}}"
    text = f"""stablehlo.custom_call @lapack_{kind}gehrd_ffi(%a) {options}
        : ({type_of(a)}) -> ({type_of(a)}, tensor<3x{ELEMENT_TYPES[a.dtype]}>, tensor<i32>)"""
    packed, tau, _ = evaluate(text, a, results=len(results))
    name = "orgqr" if kind == "d" else "ungqr"
    q = np.eye(4, dtype=a.dtype)
    q[1:, 1:] = call(f"lapack_{kind}{name}_ffi", [packed[1:, :3].copy(), tau], [((3, 3), a.dtype)])
    close(q @ np.triu(packed, -1) @ adjoint(q), a, 1e-12, 1e-12)


@pytest.mark.parametrize("kind", "dz")
@pytest.mark.parametrize("uplo", "LU")
def test_sytrd(kind: str, uplo: str) -> None:
    a = random(kind, 4, 4)
    a = a + adjoint(a)
    name = "sytrd" if kind == "d" else "hetrd"
    results = [(a.shape, a.dtype), ((4,), np.float64), ((3,), np.float64), ((3,), a.dtype), ((), np.int32)]
    _, diagonal, beside, _, _ = call(f"lapack_{kind}{name}_ffi", [a], results, f"uplo={uplo}")
    tridiagonal = np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1)
    close(np.linalg.eigvalsh(tridiagonal), np.linalg.eigvalsh(a), 1e-12, 1e-12)


def test_gtsv() -> None:
    below, diagonal, above = f64(0, 3, 1), f64(1, 2, 5), f64(2, -1, 0)
    b = f64([1, 2], [3, 4], [5, 6])
    results = [((3,), np.float64)] * 3 + [((3, 2), np.float64), ((), np.int32)]
    *_, x, info = call("lapack_dgtsv_ffi", [below, diagonal, above, b], results)
    matrix = np.diag(diagonal) + np.diag(above[:2], 1) + np.diag(below[1:], -1)
    close(matrix @ x, b, 1e-12, 1e-12)
    assert int(info) == 0


def test_factorisations_that_xla_expands() -> None:
    a = np.random.default_rng(5).standard_normal((2, 4, 3))
    packed, tau = call("Qr", [a], [(a.shape, a.dtype), ((2, 3), a.dtype)])
    q = call("ProductOfElementaryHouseholderReflectors", [packed, tau], [(a.shape, a.dtype)])
    close(q @ np.triu(packed[:, :3]), a, 1e-12, 1e-12)
    factors, pivots, order = call("LuDecomposition", [a], [(a.shape, a.dtype), ((2, 3), np.int32), ((2, 4), np.int32)])
    lower = np.tril(factors, -1) + np.eye(4, 3)
    close(lower @ np.triu(factors[:, :3]), np.take_along_axis(a, order[..., None], 1), 1e-12, 1e-12)
    assert (pivots >= np.arange(3)).all()
    assert (pivots < 4).all()


@pytest.mark.parametrize("lower", [0, 1])
def test_eigh_reads_one_triangle(lower: int) -> None:
    a = np.random.default_rng(6).standard_normal((3, 4, 4))
    text = f"""stablehlo.custom_call @Eigh(%a) {{backend_config = "{lower},1,100,0.000001"}}
        : (tensor<3x4x4xf64>) -> (tensor<3x4x4xf64>, tensor<3x4xf64>)"""
    vectors, values = evaluate(text, a, results=2)
    half = np.tril(a, -1) if lower else np.tril(np.swapaxes(a, 1, 2), -1)
    full = half + np.swapaxes(half, 1, 2) + a * np.eye(4)
    close(full @ vectors, vectors * values[:, None], 1e-12, 1e-12)
    assert (np.diff(values) >= 0).all()


def test_approximate_top_k_is_exact() -> None:
    comparator = """func.func private @greater(%x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>)
        -> tensor<i1> {
      %0 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      return %0 : tensor<i1>
    }"""
    text = """stablehlo.custom_call @ApproxTopK(%a, %b, %c, %d) {called_computations = [@greater],
        mhlo.backend_config = {reduction_dim = 1 : i64, top_k = 2 : i64, recall_target = 0.95 : f32}}
        : (tensor<1x4xf32>, tensor<1x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<1x2xf32>, tensor<1x2xi32>)"""
    arguments = f32([1, 4, 2, 4]), i32([0, 1, 2, 3]), np.float32(-np.inf), np.int32(-1)
    values, indices = evaluate(text, *arguments, results=2, functions=comparator)
    same(values, f32([4, 4]))
    same(indices, i32([1, 3]))
    more = text.replace("top_k = 2", "aggregate_to_topk = false, top_k = 2").replace("1x2x", "1x3x")
    values, indices = evaluate(more, *arguments, results=2, functions=comparator)
    same(values, f32([4, 4, 2]))
    same(indices, i32([1, 3, 2]))


def test_annotations_leave_values_alone() -> None:
    text = "stablehlo.custom_call @Sharding(%a) : (tensor<2xf32>) -> tensor<2xf32>"
    same(evaluate(text, f32(1, 2)), f32(1, 2))


def test_an_unknown_target_is_an_error() -> None:
    text = "stablehlo.custom_call @unknown(%a) : (tensor<1xf32>) -> tensor<1xf32>"
    with pytest.raises(UnsupportedError, match=r"test\.mlir:2:.*unknown target @unknown"):
        evaluate(text, f32(1))
