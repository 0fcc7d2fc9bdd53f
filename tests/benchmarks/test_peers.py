"""NumPy's peers compute what the compiled programs compute, and programs are what they are named."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from xdsl_xla.benchmarks import suite
from xdsl_xla.benchmarks.agreement import difference
from xdsl_xla.benchmarks.numpy_programs import NUMPY_PROGRAMS
from xdsl_xla.benchmarks.peers import Native, NumPy
from xdsl_xla.benchmarks.sections.matmul import PRODUCTS, Product
from xdsl_xla.benchmarks.suite import Draw, Program
from xdsl_xla.errors import ArgumentError

FIRST_SET = [name for name in suite.names() if name in NUMPY_PROGRAMS]
SECOND_SET = ["argmax", "argsort", "cumsum_1m", "einsum_bhqk", "histogram", "median", "repeat", "rms_norm", "solve"]


def check(program: Program) -> None:
    native, numpy = Native(1), NumPy()
    ours = native.outputs(native.compile(program).run())
    theirs = numpy.outputs(numpy.compile(program).run())
    assert difference(theirs, ours) < 1e-4


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", FIRST_SET)
def test_numpy_agrees(name: str) -> None:
    check(suite.load(name))


@pytest.mark.parametrize("name", SECOND_SET)
def test_numpy_agrees_on_jax_programs(name: str) -> None:
    pytest.importorskip("jax")
    more_programs = importlib.import_module("xdsl_xla.benchmarks.more_programs")
    check(more_programs.load(name))


def test_peers_are_of_programs() -> None:
    pytest.importorskip("jax")
    more_programs = importlib.import_module("xdsl_xla.benchmarks.more_programs")
    assert set(NUMPY_PROGRAMS) <= {*suite.names(), *more_programs.names()}
    assert not set(suite.names()) & set(more_programs.names())


def test_what_draws_give() -> None:
    generator = np.random.default_rng(0)
    drawn = Draw((1000,), np.dtype(np.int8), -128, 128).array(generator)
    assert drawn.dtype == np.int8 and drawn.min() < -100 and drawn.max() > 100
    drawn = Draw((1000,), np.dtype(np.float32), 2.0, 3.0).array(generator)
    assert drawn.dtype == np.float32 and 2 <= drawn.min() < drawn.max() <= 3


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(ArgumentError, match="no benchmark program 'nonsense'"):
        suite.load("nonsense")


@pytest.mark.parametrize(
    "product",
    [
        Product((3,), 4, 5),
        Product((2, 3), 4, 5),
        Product((3,), 4, 5, "f64", left_transposed=True),
        Product((3,), 4, 5, "i8", right_transposed=True),
    ],
    ids=lambda product: product.name,
)
def test_products(product: Product) -> None:
    program = product.program()
    left, right = program.inputs
    left = left.T if product.left_transposed else left
    right = right.T if product.right_transposed else right
    (result,) = Native(1).compile(program).run()
    wide = np.int32 if product.element == "i8" else left.dtype
    np.testing.assert_allclose(result, left.astype(wide) @ right.astype(wide), rtol=1e-5)
    assert result.size * product.depth * 2 == product.operations


def test_products_have_names_of_their_own() -> None:
    assert len({product.name for product in PRODUCTS}) == len(PRODUCTS)
