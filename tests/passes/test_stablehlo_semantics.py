"""The level 1 passes keep the meaning of programs: values before and after, by the reference."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla.dialects import stablehlo
from xdsl_xla.dialects.stablehlo.shapes import shape_of
from xdsl_xla.errors import UnsupportedError
from xdsl_xla.pipelines import load_pass
from xdsl_xla.reference.arrays import shape_and_dtype
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module

Array = NDArray[Any]

CORPUS = Path(__file__).parents[1] / "corpus"
PROGRAMS = sorted(path.stem for path in CORPUS.glob("*.mlir"))

LEVEL_1 = [
    "func-inline-calls",
    "chlo-legalize-to-stablehlo",
    "stablehlo-simplify",
    "stablehlo-fold-constants",
    "stablehlo-canonicalize-dot-general",
    "stablehlo-simplify",
]


def apply(module: ModuleOp, passes: Sequence[str]) -> None:
    """Run passes, verifying after each."""
    for name in passes:
        load_pass(name)().apply(Context(), module)
        verify_module(module)


def corpus_arrays(name: str, module: ModuleOp) -> tuple[list[Array], list[Array]]:
    """The stored arguments and results of a program; bf16 is stored as its bits."""
    main = next(op for op in module.ops if isinstance(op, func.FuncOp) and op.sym_name.data == "main")
    stored = np.load(CORPUS / f"{name}.npz")
    arrays: list[list[Array]] = []
    for prefix, types in (("in", main.function_type.inputs), ("out", main.function_type.outputs)):
        dtypes = [shape_and_dtype(type)[1] for type in types]
        arrays.append(
            [
                value if value.dtype == dtype else value.view(dtype)
                for value, dtype in ((stored[f"{prefix}{i}"], d) for i, d in enumerate(dtypes))
            ]
        )
    return arrays[0], arrays[1]


def assert_close(got: Sequence[Array], expected: Sequence[Array]) -> None:
    """Equal integers; floats within a few units per operation of the programs of the corpus."""
    for value, other in zip(got, expected, strict=True):
        assert value.dtype == other.dtype
        assert value.shape == other.shape
        if value.dtype.kind in "biu":
            np.testing.assert_array_equal(value, other)
            continue
        wide = np.complex128 if value.dtype.kind == "c" else np.float64
        tolerance = 2e-2 if value.dtype.itemsize < 4 else 2e-5
        np.testing.assert_allclose(value.astype(wide), other.astype(wide), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", PROGRAMS)
def test_corpus(name: str) -> None:
    module = parse_module((CORPUS / f"{name}.mlir").read_text(), name)
    arguments, expected = corpus_arrays(name, module)
    apply(module, LEVEL_1)
    functions = [op for op in module.ops if isinstance(op, func.FuncOp)]
    assert len(functions) == 1
    for op in functions[0].walk():
        assert op.name != "func.call" and not op.name.startswith("chlo.")
        if isinstance(op, stablehlo.DotGeneralOp):
            assert all(len(dims) <= 1 for dims in op.dot_dimension_numbers.data)
            assert all(len(shape_of(value)) <= 3 for value in op.operands)
    try:
        got = run(module, "main", arguments)
    except UnsupportedError as error:
        # Library calls and transforms are not interpreted; the rewrites around them are verified.
        assert any(part in str(error) for part in ("custom_call", "fft", "cholesky", "triangular"))
        return
    assert_close(got, expected)


def test_level_1_is_idempotent() -> None:
    """Simplifying twice changes nothing more."""
    module = parse_module((CORPUS / "transformer_block_grad.mlir").read_text())
    apply(module, LEVEL_1)
    once = str(module)
    apply(module, ["stablehlo-canonicalize-dot-general", "stablehlo-simplify"])
    assert str(module) == once


# Random products


def random_dot_general(generator: random.Random) -> tuple[str, list[Array]]:
    """A product with up to two dimensions of each kind in any order, operands transposed or not."""
    extents = (0, 1, 1, 2, 3, 4)
    kinds = {
        kind: [generator.choice(extents) for _ in range(generator.randint(0, 2))]
        for kind in ("batch", "lhs", "rhs", "contracting")
    }
    text: list[str] = []
    shapes: list[list[int]] = []
    numbers: list[dict[str, list[int]]] = []
    for side in ("lhs", "rhs"):
        labels = [(k, i) for k in ("batch", side, "contracting") for i in range(len(kinds[k]))]
        generator.shuffle(labels)
        permutation = list(range(len(labels)))
        generator.shuffle(permutation)
        shape = [kinds[kind][index] for kind, index in labels]
        source = [0] * len(shape)
        for position, dim in enumerate(permutation):
            source[dim] = shape[position]
        shapes.append(source)
        text.append(
            f"%{side} = stablehlo.transpose %a_{side}, dims = {permutation} : ({tensor(source)}) -> {tensor(shape)}"
        )
        numbers.append(
            {kind: [labels.index((kind, i)) for i in range(len(kinds[kind]))] for kind in ("batch", "contracting")}
        )
        kinds[f"{side}_order"] = [kinds[kind][i] for kind, i in labels if kind == side]
        kinds[f"{side}_type"] = shape
    result = kinds["batch"] + kinds["lhs_order"] + kinds["rhs_order"]
    batching = f"batching_dims = {numbers[0]['batch']} x {numbers[1]['batch']}, "
    text.append(
        f"%0 = stablehlo.dot_general %lhs, %rhs, {batching if kinds['batch'] else ''}"
        f"contracting_dims = {numbers[0]['contracting']} x {numbers[1]['contracting']} : "
        f"({tensor(kinds['lhs_type'])}, {tensor(kinds['rhs_type'])}) -> {tensor(result)}"
    )
    order = list(range(len(result)))
    if generator.random() < 0.5:
        split = len(kinds["batch"]), len(kinds["batch"]) + len(kinds["lhs_order"])
        order = order[: split[0]] + order[split[1] :] + order[split[0] : split[1]]
    final = [result[dim] for dim in order]
    text.append(f"%1 = stablehlo.transpose %0, dims = {order} : ({tensor(result)}) -> {tensor(final)}")
    body = "\n".join(text)
    program = (
        f"func.func public @main(%a_lhs: {tensor(shapes[0])}, %a_rhs: {tensor(shapes[1])}) "
        f"-> {tensor(final)} {{\n{body}\nfunc.return %1 : {tensor(final)}\n}}"
    )
    numpy = np.random.default_rng(generator.randrange(1 << 30))
    # Small integers: sums are exact in f32 whatever their order.
    return program, [numpy.integers(-4, 5, shape).astype(np.float32) for shape in shapes]


def tensor(shape: Sequence[int]) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}f32>"


@pytest.mark.parametrize("seed", range(60))
def test_random_dot_general(seed: int) -> None:
    program, arguments = random_dot_general(random.Random(seed))
    module = parse_module(program)
    verify_module(module)
    expected = run(module, "main", arguments)
    apply(module, ["stablehlo-canonicalize-dot-general"])
    for op in module.walk():
        if isinstance(op, stablehlo.DotGeneralOp):
            assert all(len(dims) <= 1 for dims in op.dot_dimension_numbers.data)
    np.testing.assert_array_equal(run(module, "main", arguments)[0], expected[0])
    apply(module, ["stablehlo-simplify"])
    np.testing.assert_array_equal(run(module, "main", arguments)[0], expected[0])


# Random chains of ops that move elements


Moved = tuple[str, list[int]]
"""An op without its result, and the shape of that."""


def one_operand(op: str, source: list[int], target: list[int]) -> Moved:
    return f"stablehlo.{op} : ({tensor(source)}) -> {tensor(target)}", target


def transpose(generator: random.Random, name: str, source: list[int]) -> Moved:
    permutation = generator.sample(range(len(source)), len(source))
    return one_operand(f"transpose {name}, dims = {permutation}", source, [source[dim] for dim in permutation])


def reshape(generator: random.Random, name: str, source: list[int]) -> Moved:
    target = [size for size in source if size != 1]
    for _ in range(generator.randint(0, 2)):
        target.insert(generator.randint(0, len(target)), 1)
    if generator.random() < 0.3:
        target = [int(np.prod(source))]
    return one_operand(f"reshape {name}", source, target)


def broadcast(generator: random.Random, name: str, source: list[int]) -> Moved:
    target_rank = len(source) + generator.randint(0, 1)
    dims = sorted(generator.sample(range(target_rank), len(source)))
    target = [generator.choice((1, 2)) for _ in range(target_rank)]
    for dim, size in zip(dims, source, strict=True):
        target[dim] = size if size != 1 else generator.choice((1, 3))
    return one_operand(f"broadcast_in_dim {name}, dims = {dims}", source, target)


def slice_of(generator: random.Random, name: str, source: list[int]) -> Moved:
    ranges: list[tuple[int, int, int]] = []
    for size in source:
        start = generator.randint(0, max(0, size - 1))
        ranges.append((start, generator.randint(start, size), generator.randint(1, 2)))
    spelled = ", ".join(f"{a}:{b}:{c}" for a, b, c in ranges)
    target = [-(-(limit - start) // stride) for start, limit, stride in ranges]
    return one_operand(f"slice {name} [{spelled}]", source, target)


def reverse(generator: random.Random, name: str, source: list[int]) -> Moved:
    dims = generator.sample(range(len(source)), generator.randint(0, len(source)))
    return f"stablehlo.reverse {name}, dims = {dims} : {tensor(source)}", source


def concatenate(generator: random.Random, name: str, source: list[int]) -> Moved | None:
    if not source:
        return None
    dim, type = generator.randrange(len(source)), tensor(source)
    target = [size * 2 if d == dim else size for d, size in enumerate(source)]
    return f"stablehlo.concatenate {name}, {name}, dim = {dim} : ({type}, {type}) -> {tensor(target)}", target


def pad(generator: random.Random, name: str, source: list[int]) -> Moved:
    low, high = ([generator.randint(0, 1) for _ in source] for _ in range(2))
    target = [a + b + c for a, b, c in zip(low, source, high, strict=True)]
    edges = f"low = {low}, high = {high}, interior = {[0] * len(source)}"
    return f"stablehlo.pad {name}, %p, {edges} : ({tensor(source)}, tensor<f32>) -> {tensor(target)}", target


MOVES: Sequence[Callable[[random.Random, str, list[int]], Moved | None]] = (
    transpose, reshape, broadcast, slice_of, reverse, concatenate, pad,
)  # fmt: skip


def random_chain(generator: random.Random, length: int) -> tuple[str, list[Array]]:
    """Ops that move or repeat elements, each on the result of an earlier one."""
    shape = [generator.choice((1, 1, 2, 3)) for _ in range(generator.randint(0, 3))]
    values: list[tuple[str, list[int]]] = [("%x", shape)]
    text = ["%p = stablehlo.constant dense<7.0> : tensor<f32>"]
    for number in range(length):
        name, source = generator.choice(values[-3:])
        if moved := generator.choice(MOVES)(generator, name, source):
            op, target = moved
            text.append(f"%{number} = {op}")
            values.append((f"%{number}", target))
    returned = values[-4:]
    names = ", ".join(name for name, _ in returned)
    types = ", ".join(tensor(shape) for _, shape in returned)
    body = "\n".join(text)
    program = f"func.func public @main(%x: {tensor(shape)}) -> ({types}) {{\n{body}\nfunc.return {names} : {types}\n}}"
    return program, [np.arange(np.prod(shape), dtype=np.float32).reshape(shape)]


@pytest.mark.parametrize("seed", range(80))
def test_random_chain(seed: int) -> None:
    program, arguments = random_chain(random.Random(seed), 8)
    module = parse_module(program)
    verify_module(module)
    expected = run(module, "main", arguments)
    apply(module, ["stablehlo-simplify"])
    for got, value in zip(run(module, "main", arguments), expected, strict=True):
        np.testing.assert_array_equal(got, value)
