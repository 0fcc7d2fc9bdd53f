"""Which ops share a kernel: candidates in, answers out; and the policy of `docs/fusion.md`."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import xdsl_xla
from tool_calls import call_tool
from xdsl_xla.decisions.fusion import Candidate, Finish, Fusion, IntoReaders, OnePass, Parts, Rows, SamePoints
from xdsl_xla.decisions.model import CostModel
from xdsl_xla.errors import ArgumentError

FUSION = Fusion()


@pytest.mark.parametrize(
    ("operations", "full_inputs", "readers", "recomputation", "fused"),
    [
        (0, 1, 5, 100.0, True),
        (0, 2, 1, 9.0, True),
        (0, 2, 2, 1.0, False),
        (50, 3, 1, 1.0, True),
        (50, 3, 2, 1.0, False),
        (6, 1, 4, 1.0, True),
        (7, 1, 2, 1.0, False),
        (6, 2, 2, 1.0, False),
        (2, 1, 1, 8.0, True),
        (3, 1, 1, 8.0, False),
        (2, 2, 1, 8.0, False),
    ],
)
def test_values_in_their_readers(
    operations: int, full_inputs: int, readers: int, recomputation: float, fused: bool
) -> None:
    """Movement moves, one reader computes nothing twice, several want what is cheap, a broadcast the cheapest."""
    assert FUSION.worth_computing_in_readers(operations, full_inputs, readers, recomputation) is fused


@pytest.mark.parametrize(
    ("tensors", "in_last_dimension", "readers", "selected"),
    [(1, False, 9, True), (2, True, 9, True), (2, False, 1, True), (2, False, 2, False)],
)
def test_readers_that_select_parts(tensors: int, in_last_dimension: bool, readers: int, selected: bool) -> None:
    assert FUSION.worth_selecting_parts(tensors, in_last_dimension, readers) is selected


@pytest.mark.parametrize(
    ("rows", "row_bytes", "same_rows", "shared"),
    [
        (1, 4, True, False),
        (2, 48 * 1024, True, True),
        (2, 48 * 1024, False, False),
        (8, 48 * 1024, False, True),
        (8, 48 * 1024 + 1, True, False),
    ],
)
def test_ops_that_share_rows(rows: int, row_bytes: int, same_rows: bool, shared: bool) -> None:
    """Rows stay in cache, and there are several; new ones are many."""
    assert FUSION.worth_sharing_rows(rows, row_bytes, same_rows) is shared


@pytest.mark.parametrize(
    ("size", "reductions_only", "distance", "shared"),
    [
        (1024, True, 1000, True),
        (1023, True, 1, False),
        (512 * 1024, False, 32, True),
        (512 * 1024, False, 33, False),
        (512 * 1024 - 1, False, 1, False),
    ],
)
def test_tensors_that_are_read_once(size: int, reductions_only: bool, distance: int, shared: bool) -> None:
    assert FUSION.worth_reading_once(size, reductions_only, distance) is shared


@pytest.mark.parametrize(
    ("batch", "rows", "row_bytes", "shared_bytes", "threads", "block"),
    [
        (8, 1024, 4096, 1 << 19, 1, 128),
        (8, 1024, 4096, (1 << 21) + 1, 1, None),
        (1, 256, 4096, 1 << 19, 1, None),
        (8, 1024, 32 * 1024, 1 << 19, 1, 16),
        (8, 1024, 33 * 1024, 1 << 19, 1, None),
        (1, 1024, 4096, 1 << 19, 3, 32),
    ],
)
def test_blocks_of_chains(
    batch: int, rows: int, row_bytes: int, shared_bytes: int, threads: int, block: int | None
) -> None:
    assert FUSION.chain_block(batch, rows, row_bytes, shared_bytes, threads) == block


CANDIDATES = [
    (IntoReaders("add", ["exp"], 50, 3, 1, 1.0), True),
    (IntoReaders("add", ["exp", "log"], 50, 3, 2, 1.0), False),
    (Parts("concatenate", ["add", "exp"], 2, False), False),
    (Parts("concatenate", ["add"], 2, False), True),
    (Finish("add", "dot"), True),
    (SamePoints("add", ["exp"]), True),
    (Rows("add", ["exp"], 64, 1024, True), True),
    (Rows("add", ["exp"], 1, 1024, True), False),
    (OnePass("sum", "max", 4096, True, 5), True),
    (OnePass("sum", "exp", 4096, False, 5), False),
]


@pytest.mark.parametrize(("candidate", "answer"), CANDIDATES)
def test_candidates(candidate: Candidate, answer: bool) -> None:
    assert FUSION.fuse(candidate) is answer


@pytest.mark.parametrize(("operations", "members", "room"), [(1500, 64, True), (1501, 1, False), (1, 65, False)])
def test_room(operations: int, members: int, room: bool) -> None:
    assert FUSION.has_room(operations, members) is room


DOCUMENT = Path(xdsl_xla.__file__).parent / "docs" / "fusion.md"


def test_the_policy_of_the_document(tmp_path: Path) -> None:
    """Its files, and its two commands: one kernel, then three and what was asked."""
    text = DOCUMENT.read_text()
    for name, body in re.findall(r"```\w+\n(?:#|//) (\S+)\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(body)
    outputs: list[str] = []
    for command in re.findall(r"^    \$ xla-opt (.*)$", text, re.MULTILINE):
        outputs.append(call_tool("xla-opt", command.split(), cwd=tmp_path, check=True).stdout)
    assert [output.count("func.func private") for output in outputs] == [1, 3]
    asked = re.findall(r"^// (\w+) of linalg.generic: (True|False)$", outputs[1], re.MULTILINE)
    assert {name for name, _ in asked} == {"IntoReaders", "OnePass", "Rows", "SamePoints"}
    assert {answer for name, answer in asked if name == "Rows"} == {"False"}


def test_passes_ask_for_every_candidate() -> None:
    """Of products and concatenations too, and a policy that turns all down leaves every op a kernel of its own."""
    asked: set[type] = set()

    class Separate(Fusion):
        def fuse(self, candidate: Candidate) -> bool:
            asked.add(type(candidate))
            return False

    program = """
    func.func @main(%x: tensor<8x16xf32>, %y: tensor<16x16xf32>, %z: tensor<8x16xf32>)
        -> (tensor<16x16xf32>, tensor<8xf32>, tensor<8x16xf32>) {
      %p = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
        : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %a = stablehlo.add %p, %z : tensor<8x16xf32>
      %c = stablehlo.concatenate %z, %x, dim = 0 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
      %e = stablehlo.exponential %c : tensor<16x16xf32>
      %n = stablehlo.negate %e : tensor<16x16xf32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
      return %n, %s, %a : tensor<16x16xf32>, tensor<8xf32>, tensor<8x16xf32>
    }"""
    x, y, z = (
        np.random.default_rng(k).random(shape, np.float32) for k, shape in enumerate([(8, 16), (16, 16), (8, 16)])
    )
    model = CostModel(fusion=Separate())
    results = xdsl_xla.compile(program, cost_model=model)(x, y, z)
    for result, expected in zip(results, xdsl_xla.compile(program)(x, y, z), strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-6)
    assert {IntoReaders, Parts, Finish, Rows} <= asked


@pytest.mark.parametrize("rows", [3, 8, 0, -1])
def test_a_block_of_rows_that_does_not_divide_them(rows: int) -> None:
    class Blocks(Fusion):
        def chain_block(self, *_: int) -> int:
            return rows

    program = """
    func.func @main(%x: tensor<7x16xf32>, %y: tensor<16x16xf32>) -> tensor<7x16xf32> {
      %p = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
        : (tensor<7x16xf32>, tensor<16x16xf32>) -> tensor<7x16xf32>
      %q = stablehlo.dot_general %p, %y, contracting_dims = [1] x [0]
        : (tensor<7x16xf32>, tensor<16x16xf32>) -> tensor<7x16xf32>
      return %q : tensor<7x16xf32>
    }"""
    with pytest.raises(ArgumentError, match=f"chain_block .* expected a divisor of 7 rows or None, got {rows}"):
        xdsl_xla.compile(program, cost_model=CostModel(fusion=Blocks()))
