"""Every op of chlo, in every element type it admits: its decomposition, interpreted and native, means what it means.

The reference computes each op directly. `PROGRAMS` has an entry for each op of the dialect, and a test that it has.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest
from xdsl.context import Context
from xdsl_xla.dialects import chlo
from xdsl_xla.lowering.chlo_legalize_to_stablehlo import ChloLegalizeToStablehloPass
from xdsl_xla.reference import interpreter
from xdsl_xla.reference.arrays import is_complex, is_float
from xdsl_xla.runtime.compiler import compile
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module

Array = np.ndarray[Any, Any]

NARROW = {
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "f6E2M3FN": ml_dtypes.float6_e2m3fn,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn,
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
}
FLOATS = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16, **NARROW}
COMPLEX = {"complex<f32>": np.complex64, "complex<f64>": np.complex128}
INTEGERS = {
    **{f"i{width}": np.dtype(f"int{width}") for width in (8, 16, 32, 64)},
    **{f"ui{width}": np.dtype(f"uint{width}") for width in (8, 16, 32, 64)},
    "i4": ml_dtypes.int4,
    "ui4": ml_dtypes.uint4,
    "i2": ml_dtypes.int2,
    "ui2": ml_dtypes.uint2,
}
BOOLEAN = {"i1": np.bool_}
DTYPES: dict[str, np.dtype[Any]] = {
    name: np.dtype(dtype) for name, dtype in {**FLOATS, **COMPLEX, **INTEGERS, **BOOLEAN}.items()
}


class Piece(NamedTuple):
    """A few ops on arguments of their own."""

    arguments: Sequence[Array]
    text: Callable[[Sequence[str]], str]
    """From the names of the arguments; `%result` is the result."""
    result: str
    """Its type."""


def tensor(value: Array) -> str:
    (name,) = (name for name, dtype in DTYPES.items() if dtype == value.dtype)
    return f"tensor<{''.join(f'{size}x' for size in value.shape)}{name}>"


def draw(dtype: np.dtype[Any], *shape: int, seed: int = 0) -> Array:
    """Small numbers for products and sums: floats in quarters, so that sums are exact."""
    random = np.random.default_rng(seed)
    values: Any = random.integers(-8, 9, shape)
    if dtype == np.bool_:
        return values > 0
    if is_complex(dtype):
        # Eighths, so that no two numbers are a right angle apart, where `atan2` has poles.
        return (values / 4 + 1j * (random.integers(-8, 9, shape) / 4 + 0.125)).astype(dtype)
    return (values / 4).astype(dtype) if is_float(dtype) else (values % 4).astype(np.int8).astype(dtype)


FLOAT_EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 0.875, 1.5, 2.0, 3.0, -2.0, 4.0, 10.0, 80.0, 1e-3, 1e-30, 1e30]
FLOAT_EDGES += [np.inf, -np.inf, np.nan]
COMPLEX_PARTS = [0.0, -0.0, 1.0, -1.0, 0.25, -3.0, 1e-18, 1e18, np.inf, -np.inf, np.nan]
INTEGER_EDGES = [0, 1, 2, 3, 5, 7, -1, -2, -8, 100, 127, -128, 255, 30000, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63)]


def edges(dtype: np.dtype[Any]) -> Array:
    """Values of a type where functions may go wrong, and ordinary ones."""
    random = np.random.default_rng(1)
    if dtype == np.bool_:
        return np.array([False, True])
    with np.errstate(all="ignore"):
        if is_complex(dtype):
            x, y = np.meshgrid(COMPLEX_PARTS, COMPLEX_PARTS)
            values = np.empty(x.size + 40, np.complex128)
            values.real = np.append(x, random.normal(size=40) * 2)
            values.imag = np.append(y, random.normal(size=40) * 2)
            return values.astype(dtype)
        if is_float(dtype):
            ordinary = random.uniform(-1, 1, 30), random.uniform(0, 8, 30)
            return np.concatenate([np.array(FLOAT_EDGES), *ordinary]).astype(dtype)
    width = 2 if dtype.name.endswith("int2") else 4 if dtype.name.endswith("int4") else dtype.itemsize * 8
    wrapped = [value % 2**width for value in INTEGER_EDGES]
    if "uint" not in dtype.name:
        wrapped = [value - 2**width if value >= 2 ** (width - 1) else value for value in wrapped]
    return np.array([int(value) for value in wrapped], object).astype(dtype)


def pairs(dtype: np.dtype[Any]) -> tuple[Array, Array]:
    """Each value of `edges` with some others."""
    values = edges(dtype)
    return np.tile(values, 5), np.concatenate([np.roll(values, shift) for shift in (0, 1, 2, 5, 11)])


# The programs of each op


def unary(name: str, *kinds: dict[str, Any], result: str | None = None) -> Callable[[], Iterator[Piece]]:
    """`: type -> type`"""

    def pieces() -> Iterator[Piece]:
        for kind in kinds:
            for element in kind:
                value = edges(DTYPES[element])
                type = tensor(value)
                to = type if result is None else f"tensor<{value.size}x{result}>"
                yield Piece([value], lambda x, t=type, r=to: f"%result = chlo.{name} {x[0]} : {t} -> {r}", to)

    return pieces


def binary(name: str, *kinds: dict[str, Any]) -> Callable[[], Iterator[Piece]]:
    """`: type, type -> type`"""

    def pieces() -> Iterator[Piece]:
        for kind in kinds:
            for element in kind:
                x, y = pairs(DTYPES[element])
                yield Piece([x, y], _binary_text(name, tensor(x)), tensor(x))

    return pieces


def _binary_text(name: str, type: str) -> Callable[[Sequence[str]], str]:
    return lambda x: f"%result = chlo.{name} {x[0]}, {x[1]} : {type}, {type} -> {type}"


def orders(name: str) -> Callable[[], Iterator[Piece]]:
    """`polygamma` and `zeta`: small whole orders, and others."""

    def pieces() -> Iterator[Piece]:
        for element in ("f64", "f32", "bf16", "f8E4M3FN"):
            first = [0.0, 1.0, 2.0, 3.0, 4.0, 1.5, 2.5, 0.5, -1.0, np.nan]
            second = [0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 6.0, -0.75, 0.0, -1.0, -2.0, np.inf, np.nan]
            with np.errstate(all="ignore"):
                x, y = (part.ravel().astype(DTYPES[element]) for part in np.meshgrid(first, second))
            yield Piece([x, y], _binary_text(name, tensor(x)), tensor(x))

    return pieces


def broadcast(
    name: str, *kinds: dict[str, Any], result: str | None = None, attributes: str = ""
) -> Callable[[], Iterator[Piece]]:
    """A column and a row."""

    def pieces() -> Iterator[Piece]:
        for kind in kinds:
            for element in kind:
                dtype = DTYPES[element]
                x, y = draw(dtype, 5, 1, seed=2), draw(dtype, 4, seed=3)
                to = f"tensor<5x4x{(result or '{}').format(element)}>"
                yield Piece([x, y], _broadcast_text(name, attributes, tensor(x), tensor(y), to), to)

    return pieces


def _broadcast_text(name: str, attributes: str, x: str, y: str, to: str) -> Callable[[Sequence[str]], str]:
    return lambda names: f"%result = chlo.broadcast_{name} {names[0]}, {names[1]} {attributes} : ({x}, {y}) -> {to}"


def broadcast_select() -> Iterator[Piece]:
    for element in DTYPES:
        p, x, y = draw(DTYPES["i1"], 3, 1), draw(DTYPES[element], 4), draw(DTYPES[element])
        to = f"tensor<3x4x{element}>"
        types = ", ".join(map(tensor, (p, x, y)))
        yield Piece(
            [p, x, y], lambda n, t=types, r=to: f"%result = chlo.broadcast_select {', '.join(n)} : ({t}) -> {r}", to
        )


def constant() -> Iterator[Piece]:
    for element in DTYPES:
        number = (
            "true" if element == "i1" else "(1.0, 2.0)" if element in COMPLEX else "1.0" if element in FLOATS else "1"
        )
        to = f"tensor<3x{element}>"
        yield Piece([], lambda n, v=number, r=to: f"%result = chlo.constant dense<{v}> : {r}", to)


def constant_like() -> Iterator[Piece]:
    for element in {**FLOATS, **INTEGERS}:
        value = draw(DTYPES[element], 2, 3)
        number = f"{1.0 if element in FLOATS else 1} : {element}"
        type = tensor(value)
        text = f'%result = "chlo.constant_like"(OPERAND) <{{value = {number}}}> : ({type}) -> {type}'
        yield Piece([value], lambda n, text=text: text.replace("OPERAND", n[0]), type)


def top_k() -> Iterator[Piece]:
    for element in {**FLOATS, **INTEGERS}:
        value = np.stack([edges(DTYPES[element]), edges(DTYPES[element])[::-1]])
        for part in (0, 1) if element in ("f32", "i32") else (0,):
            to = [f"tensor<2x7x{element}>", "tensor<2x7xi32>"]

            def text(n: Sequence[str], type: str = tensor(value), part: int = part, to: list[str] = to) -> str:
                names = "%result, %other" if part == 0 else "%other, %result"
                return f"{names} = chlo.top_k({n[0]}, k = 7) : {type} -> ({', '.join(to)})"

            yield Piece([value], text, to[part])


RAGGED = {
    # lhs, rhs, group sizes, batching, contracting, ragged, group dimension, shape of the result
    "free": ((2, 5, 3), (4, 3, 2, 6), (4,), ([0], [2]), ([2], [1]), 1, [0], (2, 5, 6)),
    "free, sizes for each batch": ((2, 5, 3), (4, 3, 2, 6), (2, 4), ([0], [2]), ([2], [1]), 1, [0], (2, 5, 6)),
    "second free": ((2, 5, 3), (3, 4, 6), (2, 4), ([], []), ([2], [0]), 1, [1], (2, 5, 6)),
    "contracting": ((2, 5, 3), (2, 3, 6), (4,), ([0], [0]), ([2], [1]), 2, [], (4, 2, 5, 6)),
    "second contracting": ((5, 2, 3), (3, 6, 2), (2, 4), ([], []), ([1, 2], [2, 0]), 2, [], (4, 5, 6)),
    "contracting, sizes for each batch": ((5, 3, 2), (3, 2, 6), (2, 4), ([2], [1]), ([1], [0]), 1, [], (4, 2, 5, 6)),
    "batch": ((2, 5, 3), (2, 3, 6), (4,), ([0], [0]), ([2], [1]), 0, [], (2, 5, 6)),
}


def ragged_dot() -> Iterator[Piece]:
    elements = ["f32", "f64", "bf16", "f8E4M3FN", "complex<f32>", "i32", "ui8"]
    for name, (lhs, rhs, sizes, batching, contracting, ragged, groups, result) in RAGGED.items():
        for element in elements if name in ("free", "contracting") else elements[:1]:
            x, y = draw(DTYPES[element], *lhs), draw(DTYPES[element], *rhs, seed=1)
            # Some groups are empty, and some places are in no group.
            n = np.resize(np.array([1, 0, 2, 1, 0, 1, 1, 0], np.int64), sizes)
            to = f"tensor<{'x'.join(map(str, result))}x{element}>"
            numbers = f"""lhs_batching_dimensions = {batching[0]}, rhs_batching_dimensions = {batching[1]},
                lhs_contracting_dimensions = {contracting[0]}, rhs_contracting_dimensions = {contracting[1]},
                lhs_ragged_dimensions = [{ragged}], rhs_group_dimensions = {groups}"""
            signature = f"({', '.join(map(tensor, (x, y, n)))}) -> {to}"
            yield Piece(
                [x, y, n],
                lambda names, d=numbers, s=signature: (
                    f"""%result = "chlo.ragged_dot"({", ".join(names)}) <{{
                    ragged_dot_dimension_numbers = #chlo.ragged_dot<{d}>}}> : {s}"""
                ),
                to,
            )


def scan() -> Iterator[Piece]:
    """Sums of what came before, with another chlo op in the body."""
    for element in ("f32", "bf16", "complex<f64>", "i32", "f8E5M2"):
        for reverse in ("false", "true"):
            x, init = draw(DTYPES[element], 3, 4), draw(DTYPES[element], 3)

            def text(n: Sequence[str], e: str = element, reverse: str = reverse) -> str:
                return f"""%result, %last = chlo.scan({n[0]}) inits ({n[1]}) dimension=1
                    attributes {{is_reverse = {reverse}}} {{
                  ^bb0(%element: tensor<3x{e}>, %carry: tensor<3x{e}>):
                    %square = chlo.square %element : tensor<3x{e}> -> tensor<3x{e}>
                    %sum = stablehlo.add %carry, %square : tensor<3x{e}>
                    stablehlo.return %carry, %sum : tensor<3x{e}>, tensor<3x{e}>
                  }} : (tensor<3x4x{e}>, tensor<3x{e}>) -> (tensor<3x4x{e}>, tensor<3x{e}>)"""

            yield Piece([x, init], text, tensor(x))


COMPUTED = {name: FLOATS[name] for name in ("f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E8M0FNU", "f6E2M3FN")}
"""Floats for functions: those of 16 bits and less are converted to f32 and back, whatever they are."""

REAL = (FLOATS,)
FIELD = (COMPUTED, COMPLEX)
NUMBERS = (FLOATS, COMPLEX, INTEGERS)
ALL = (*NUMBERS, BOOLEAN)
ORDERED = (FLOATS, INTEGERS)
DIRECTION = "{comparison_direction = #chlo<comparison_direction LT>}"

PROGRAMS: dict[str, Callable[[], Iterator[Piece]]] = {
    **{f"chlo.{name}": unary(name, *FIELD) for name in ("acos", "acosh", "asin", "asinh", "atan", "atanh")},
    **{f"chlo.{name}": unary(name, *FIELD) for name in ("cosh", "sinh", "tan")},
    **{f"chlo.{name}": unary(name, COMPUTED) for name in ("bessel_i1e", "digamma", "erf", "erf_inv", "erfc", "lgamma")},
    **{f"chlo.{name}": unary(name, *REAL, result="i1") for name in ("is_inf", "is_neg_inf", "is_pos_inf")},
    "chlo._asin_acos_kernel": unary("_asin_acos_kernel", COMPLEX),
    "chlo.conj": unary("conj", *NUMBERS),
    "chlo.square": unary("square", *ALL),
    "chlo.mulhi": binary("mulhi", INTEGERS),
    "chlo.next_after": binary("next_after", *REAL),
    "chlo.polygamma": orders("polygamma"),
    "chlo.zeta": orders("zeta"),
    **{f"chlo.broadcast_{name}": broadcast(name, *ALL) for name in ("add", "multiply")},
    **{f"chlo.broadcast_{name}": broadcast(name, *NUMBERS) for name in ("subtract", "divide")},
    **{f"chlo.broadcast_{name}": broadcast(name, *ALL) for name in ("maximum", "minimum")},
    **{f"chlo.broadcast_{name}": broadcast(name, INTEGERS, BOOLEAN) for name in ("and", "or", "xor")},
    "chlo.broadcast_atan2": broadcast("atan2", *FIELD),
    "chlo.broadcast_compare": broadcast("compare", *ORDERED, result="i1", attributes=DIRECTION),
    "chlo.broadcast_complex": broadcast("complex", {"f32": 0, "f64": 0}, result="complex<{}>"),
    "chlo.broadcast_next_after": broadcast("next_after", *REAL),
    "chlo.broadcast_polygamma": broadcast("polygamma", {"f32": 0}),
    "chlo.broadcast_power": broadcast("power", COMPUTED, COMPLEX, INTEGERS),
    "chlo.broadcast_remainder": broadcast("remainder", *ORDERED),
    "chlo.broadcast_select": broadcast_select,
    "chlo.broadcast_shift_left": broadcast("shift_left", INTEGERS),
    "chlo.broadcast_shift_right_arithmetic": broadcast("shift_right_arithmetic", INTEGERS),
    "chlo.broadcast_shift_right_logical": broadcast("shift_right_logical", INTEGERS),
    "chlo.broadcast_zeta": broadcast("zeta", {"f64": 0}),
    "chlo.constant": constant,
    "chlo.constant_like": constant_like,
    "chlo.ragged_dot": ragged_dot,
    "chlo.scan": scan,
    "chlo.top_k": top_k,
}
"""Op to the programs it is tried in."""


def program(pieces: Sequence[Piece]) -> tuple[str, list[Array]]:
    """One function that runs all pieces."""
    parameters: list[str] = []
    inputs: list[Array] = []
    body: list[str] = []
    for i, piece in enumerate(pieces):
        names = [f"%x{i}_{j}" for j in range(len(piece.arguments))]
        parameters += [f"{name}: {tensor(value)}" for name, value in zip(names, piece.arguments, strict=True)]
        inputs += piece.arguments
        text = piece.text(names)
        for local in ("result", "other", "last"):
            text = text.replace(f"%{local}", f"%{local}{i}")
        body.append(text)
    returned = ", ".join(f"%result{i}" for i in range(len(pieces)))
    types = ", ".join(piece.result for piece in pieces)
    lines = "\n".join(body)
    return f"func.func @main({', '.join(parameters)}) -> ({types}) {{\n{lines}\nreturn {returned} : {types}\n}}", inputs


ABOUT_ZEROS = ("chlo.digamma", "chlo.lgamma")
"""By reflection their values at negative numbers are differences, and so is their error."""

LIMITS = {"chlo.polygamma": 6, "chlo.broadcast_polygamma": 6, "chlo.broadcast_power": 50}
"""Units where they are more than four; an exponential multiplies the error of its argument, here up to some tens."""

UNSIGNED_LIMITS = ("chlo.cosh", "chlo.sinh", "chlo.tan")
"""Annex G of the C standard leaves signs of theirs open where the operand is not finite."""


def assert_same(op: str, piece: Piece, got: Array, want: Array) -> None:
    """Integers are equal; floats of up to 16 bits one unit apart, others four units of the larger part of a
    complex number; infinities, NaN and the signs of zeros are equal.
    """
    assert got.dtype == want.dtype and got.shape == want.shape
    if not (is_float(want.dtype) or is_complex(want.dtype)):
        np.testing.assert_array_equal(got.astype(object), want.astype(object))
        return
    format: Any = ml_dtypes.finfo({"complex64": np.float32, "complex128": np.float64}.get(want.dtype.name, want.dtype))
    wide = np.complex128 if is_complex(want.dtype) else np.float64
    got, want = got.astype(wide), want.astype(wide)
    size = np.maximum(np.abs(_finite(want.real)), np.abs(_finite(want.imag)))
    least = max(float(format.smallest_normal), 4.0 if op in ABOUT_ZEROS else 0.0)
    unit = np.exp2(np.minimum(np.floor(np.log2(np.maximum(size, least))), 1023)) * float(format.eps)
    limit = 1 if format.bits <= 16 else LIMITS.get(op, 4)
    finite = np.ones(want.shape, np.bool_)
    if op in UNSIGNED_LIMITS:
        finite = np.isfinite(piece.arguments[0].astype(wide))
    for x, y in ((got.real, want.real), (got.imag, want.imag)):
        with np.errstate(invalid="ignore"):
            near = np.abs(x - y) <= limit * unit
        same = (x == y) | (np.isnan(x) & np.isnan(y)) | ~finite & (np.abs(x) == np.abs(y))
        # What has no NaN makes a zero of it, with its sign.
        signs = (np.signbit(x) == np.signbit(y)) | (x != 0) | (y != 0) | ~finite | (format.bits < 8)
        wrong = np.flatnonzero(~((near | same) & signs).ravel())
        operands = [a.ravel()[wrong[:5]] for a in piece.arguments if a.shape == want.shape]
        assert not wrong.size, (piece.result, operands, got.ravel()[wrong[:5]], want.ravel()[wrong[:5]])


def _finite(values: Array) -> Array:
    return np.where(np.isfinite(values), values, 0)


@functools.cache
def case(op: str) -> tuple[list[Piece], str, list[Array], tuple[Array, ...]]:
    """The programs of an op as one, and what they mean."""
    pieces = list(PROGRAMS[op]())
    text, inputs = program(pieces)
    with np.errstate(all="ignore"):
        return pieces, text, inputs, interpreter.run(parse_module(text), "main", inputs)


def check(op: str, results: Sequence[Array]) -> None:
    pieces, *_, expected = case(op)
    for piece, got, want in zip(pieces, results, expected, strict=True):
        assert_same(op, piece, np.asarray(got), np.asarray(want))


def test_every_op_is_tried() -> None:
    assert {op.name for op in chlo.OPS} == set(PROGRAMS)


@pytest.mark.parametrize("op", PROGRAMS)
def test_decomposition(op: str) -> None:
    _, text, inputs, _ = case(op)
    module = parse_module(text)
    ChloLegalizeToStablehloPass().apply(Context(), module)
    verify_module(module)
    assert not any(nested.name.startswith("chlo.") for nested in module.walk())
    with np.errstate(all="ignore"):
        check(op, interpreter.run(module, "main", inputs))


@pytest.mark.sample(12)
@pytest.mark.parametrize("pipeline", ["xla-cpu", "xla-cpu-O0"])
@pytest.mark.parametrize("op", PROGRAMS)
def test_native(op: str, pipeline: str) -> None:
    _, text, inputs, _ = case(op)
    check(op, compile(text, pipeline=pipeline, threads=1, opt_level=1)(*inputs))
