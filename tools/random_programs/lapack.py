"""Random calls of LAPACK's routines, as JAX writes them for CPUs.

Matrices are well-conditioned, so that results are close whichever library computes them. Of decompositions that are not
unique, eigenvalues and singular values are kept.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, IntegerType, Signedness
from xdsl.ir import Attribute

from ...dialects import stablehlo as hlo
from .elements import COMPLEX, F32, F64, I32, PART, Element
from .generator import Array, Generator, Shape, Value, tensor_of
from .known import INTEGER, UNKNOWN, Known, Unfit

LETTERS = {F32: "s", F64: "d", COMPLEX[0]: "c", COMPLEX[1]: "z"}
SIZES = [1, 2, 3, 5, 8, 33]
UI8 = IntegerType(8, Signedness.UNSIGNED)

Result = tuple[Element, Shape, Known | None]
"""None for what is not kept."""


def _call(g: Generator, name: str, operands: Sequence[Value], results: Sequence[Result], **letters: str) -> None:
    options: dict[str, Attribute] = {key: IntegerAttr(ord(letter), UI8) for key, letter in letters.items()}
    types = [tensor_of(element, shape) for element, shape, _ in results]
    op = hlo.CustomCallOp(name, [v.ssa for v in operands], types, backend_config=DictionaryAttr(options), api_version=4)
    g.add(op, *(known or UNKNOWN for _, _, known in results))
    for ssa, (element, shape, known) in zip(op.results, results, strict=True):
        if known is not None:
            g.values.append(Value(ssa, element, shape, known))


def _near(element: Element, bound: float, size: int) -> Known:
    """What such a routine computes of matrices of this size."""
    return Known(0.0, bound, 256 * (size + 4) * element.eps * bound, exact=False, bits=False)


def _random(g: Generator, element: Element, shape: Shape) -> Array:
    array = g.numpy.normal(size=shape)
    if element.is_complex:
        array = array + 1j * g.numpy.normal(size=shape)
    return np.clip(array.real, -4, 4) + (1j * np.clip(array.imag, -4, 4) if element.is_complex else 0)


def _regular(g: Generator, element: Element, shape: Shape) -> Array:
    """Matrices that are far from singular, the order of their rows being any."""
    rows, columns = shape[-2:]
    array = _random(g, element, shape) * (0.25 / max(1, rows, columns))
    diagonal = np.exp2(g.numpy.integers(0, 3, (*shape[:-2], 1, 1))) * np.eye(rows, columns)
    return (array + diagonal)[..., g.numpy.permutation(rows), :]


def _given(g: Generator, element: Element, array: Array, bound: float) -> Value:
    return g.given(element, np.ascontiguousarray(array).astype(element.dtype), Known(0.0, bound))


def _batch(g: Generator) -> Shape:
    batch = g.shape(g.random.choice([0, 0, 1, 2]), 6)
    if 0 in batch:
        raise Unfit
    return batch


def _sizes(g: Generator) -> tuple[int, int]:
    return g.random.choice(SIZES), g.random.choice(SIZES)


def lu(g: Generator, element: Element, letter: str) -> None:
    batch, (m, n) = _batch(g), _sizes(g)
    k = min(m, n)
    a = _given(g, element, _regular(g, element, (*batch, m, n)), 6.0)
    results = [(element, a.shape, _near(element, 8.0, m)), (I32, (*batch, k), INTEGER), (I32, batch, INTEGER)]
    _call(g, f"lapack_{letter}getrf_ffi", [a], results)


def qr(g: Generator, element: Element, letter: str) -> None:
    batch, (m, n) = _batch(g), _sizes(g)
    k = min(m, n)
    a = _given(g, element, _regular(g, element, (*batch, m, n)), 6.0)
    near = _near(element, 16.0, m)
    _call(g, f"lapack_{letter}geqrf_ffi", [a], [(element, a.shape, near), (element, (*batch, k), near)])
    packed, tau = g.values[-2:]
    if g.random.random() < 0.6 and m >= n:
        name = "ungqr" if element.is_complex else "orgqr"
        _call(g, f"lapack_{letter}{name}_ffi", [packed, tau], [(element, a.shape, _near(element, 4.0, m))])


def cholesky(g: Generator, element: Element, letter: str) -> None:
    batch, (n, _) = _batch(g), _sizes(g)
    root = _random(g, element, (*batch, n, n)) * (0.5 / n) + 2 * np.eye(n)
    a = _given(g, element, root @ np.conj(np.swapaxes(root, -1, -2)), 32.0)
    results = [(element, a.shape, _near(element, 32.0, n)), (I32, batch, INTEGER)]
    _call(g, f"lapack_{letter}potrf_ffi", [a], results, uplo=g.random.choice("LU"))


def triangular(g: Generator, element: Element, letter: str) -> None:
    batch, (m, n) = _batch(g), _sizes(g)
    left = g.random.random() < 0.5
    size = m if left else n
    a = _given(g, element, _random(g, element, (*batch, size, size)) * (0.25 / size) + 2 * np.eye(size), 6.0)
    b = _given(g, element, _random(g, element, (*batch, m, n)), 6.0)
    letters = {"uplo": g.random.choice("LU"), "diag": g.random.choice("NU"), "trans_x": g.random.choice("NTC")}
    results = [(element, b.shape, _near(element, 24.0, size))]
    _call(g, f"lapack_{letter}trsm_ffi", [a, b], results, side="L" if left else "R", **letters)


def eigenvalues(g: Generator, element: Element, letter: str) -> None:
    batch, (n, _) = _batch(g), _sizes(g)
    array = _random(g, element, (*batch, n, n))
    a = _given(g, element, array + np.conj(np.swapaxes(array, -1, -2)), 16.0)
    part = PART.get(element, element)
    values = _near(part, 32.0 * math.sqrt(n), n)
    name = "heevd" if element.is_complex else "syevd"
    results: list[Result] = [(element, a.shape, None), (part, (*batch, n), values), (I32, batch, INTEGER)]
    _call(g, f"lapack_{letter}{name}_ffi", [a], results, mode=g.random.choice("NV"), uplo=g.random.choice("LU"))


def singular_values(g: Generator, element: Element, letter: str) -> None:
    batch, (m, n) = _batch(g), _sizes(g)
    k, mode = min(m, n), g.random.choice("AS")
    a = _given(g, element, _random(g, element, (*batch, m, n)), 6.0)
    part = PART.get(element, element)
    left, right = ((m, m), (n, n)) if mode == "A" else ((m, k), (k, n))
    results: list[Result] = [
        (element, a.shape, None),
        (part, (*batch, k), _near(part, 8.0 * math.sqrt(m * n), m + n)),
        (element, (*batch, *left), None),
        (element, (*batch, *right), None),
        (I32, batch, INTEGER),
    ]
    _call(g, f"lapack_{letter}gesdd_ffi", [a], results, mode=mode)


def tridiagonal(g: Generator, element: Element, letter: str) -> None:
    batch, (m, n) = _batch(g), _sizes(g)
    line = (*batch, m)
    below, above = (_given(g, element, _random(g, element, line) * 0.25, 2.0) for _ in range(2))
    diagonal = _given(g, element, _random(g, element, line) * 0.25 + 4, 8.0)
    b = _given(g, element, _random(g, element, (*line, n)), 6.0)
    near = _near(element, 16.0, m)
    kept: list[Result] = [(element, line, None)] * 3
    _call(
        g,
        f"lapack_{letter}gtsv_ffi",
        [below, diagonal, above, b],
        [*kept, (element, b.shape, near), (I32, batch, INTEGER)],
    )


ROUTINES = [lu, lu, qr, qr, cholesky, triangular, eigenvalues, singular_values, tridiagonal]


def lapack(g: Generator) -> None:
    """A call of one of the routines, outside of regions."""
    if g.depth:
        raise Unfit
    element = g.choice(list(LETTERS))
    g.random.choice(ROUTINES)(g, element, LETTERS[element])
