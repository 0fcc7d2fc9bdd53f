"""Text goes back and forth between this package and upstream without loss.

For every program: what upstream prints is parsed here, what is printed here upstream parses, in custom and
in generic form, and after the round trip upstream prints the program it started from. The programs are the
corpus and the files of the lit tests, which hold every operation.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("jaxlib")

from upstream import ours, printed, upstream
from xdsl_xla.runtime.mlir_text import parse_module

TESTS = Path(__file__).parents[1]


def _is_executable(path: Path) -> bool:
    """Whether a file holds ops of the check dialect, which jaxlib does not carry."""
    return any(f"{prefix}expect" in path.read_text() for prefix in ("check.", "@check."))


FAMILIES = [
    path
    for dialect in ("stablehlo", "chlo")
    for path in sorted((TESTS / "lit" / "dialects" / dialect).glob("*.mlir"))
    if not path.stem.endswith("_invalid")
    and path.stem not in ("quantization", "other_spellings")
    and not _is_executable(path)
]
SYNTAX = sorted((Path(__file__).parent / "syntax").glob("*.mlir"))
CORPUS = [
    *sorted((TESTS / "corpus").glob("*.mlir")),
    *sorted((TESTS.parent / "benchmarks" / "programs").glob("*.mlir")),
]
PROGRAMS = CORPUS + FAMILIES + SYNTAX


@pytest.mark.sample(60)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
@pytest.mark.parametrize("ours_generic", [False, True], ids=["ours-custom", "ours-generic"])
@pytest.mark.parametrize("upstream_generic", [False, True], ids=["upstream-custom", "upstream-generic"])
def test_round_trip(program: Path, upstream_generic: bool, ours_generic: bool) -> None:
    text = program.read_text()
    here = ours(upstream(text, generic=upstream_generic), generic=ours_generic)
    assert upstream(here) == upstream(text)


@pytest.mark.sample(30)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_locations_survive(program: Path) -> None:
    text = upstream(program.read_text(), locations=True)
    assert upstream(ours(text, locations=True), locations=True) == text


@pytest.mark.sample(40)
@pytest.mark.parametrize("program", CORPUS, ids=lambda path: path.stem)
@pytest.mark.parametrize("generic", [False, True], ids=["custom", "generic"])
def test_same_module_after_printing(program: Path, generic: bool) -> None:
    module = parse_module(program.read_text())
    text = printed(module, generic=generic)
    again = parse_module(text)
    assert printed(again, generic=generic) == text


@pytest.mark.parametrize(
    "literal",
    [
        "dense<0x7F> : tensor<2xf8E5M2>",
        "dense<[0x7F800001, 0xFFC00001]> : tensor<2xf32>",
        "dense<[0.0, -0.0]> : tensor<2xf32>",
        "dense<[0x7FF0000000000001, 1.0]> : tensor<2xf64>",
        "dense<[0x7C01, 1.0]> : tensor<2xf16>",
        "dense<1.0e-45> : tensor<f32>",
        "dense<[(-0.0, 0x7FC00001)]> : tensor<1xcomplex<f32>>",
    ],
)
def test_constants_bit_for_bit(literal: str) -> None:
    program = f"func.func @f() {{\n  %0 = stablehlo.constant {literal}\n  return\n}}"
    assert upstream(ours(program)) == upstream(program)


def test_program_of_jax_with_debug_information() -> None:
    jax = pytest.importorskip("jax")

    def step(carry, x):
        return carry + jax.numpy.sin(x), carry.sum()

    def program(x, y):
        carry, sums = jax.lax.scan(step, x, y)
        return jax.nn.softmax(carry), jax.numpy.sort(sums), jax.numpy.argmax(carry)

    shapes = jax.ShapeDtypeStruct((3, 4), "float32"), jax.ShapeDtypeStruct((5, 3, 4), "float32")
    text = jax.jit(program, donate_argnums=0).lower(*shapes).as_text(debug_info=True)
    here = ours(text, locations=True)
    assert upstream(here) == upstream(text)
    for kept in ("tf.aliasing_output", 'jax.result_info = "result[0]"', "mhlo.num_replicas = 1", 'loc("x")'):
        assert (kept in here) == (kept in text)
