"""Schedules near one another compute the same, and what a search draws from has what is worth drawing."""

from __future__ import annotations

import random

import pytest
from xdsl_xla.dialects.schedule.syntax import text_of
from xdsl_xla.dialects.schedule.tree import Tree
from xdsl_xla.ir.schedule_errors import ScheduleError
from xdsl_xla.ir.schedule_files import Key, parse_entries
from xdsl_xla.lowering.neighbours import is_legal, jams, keeps, neighbours, plain, vectors
from xdsl_xla.runtime.tuner.job import Job
from xdsl_xla.runtime.tuner.kernels import Kernel
from xdsl_xla.runtime.tuner.values import agree

from .programs import EXP, ROWS, TRANSPOSE_ADD, kernel, known_times


def read(text: str) -> Tree:
    tree = parse_entries(f"kernel @a {{ {text} }}", "test")[Key("@a")].tree
    assert tree is not None
    return tree


def flat(tree: Tree) -> str:
    return " ".join(text_of(tree).split())


@pytest.mark.sample(1)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("program", [EXP, ROWS, TRANSPOSE_ADD])
def test_legal_neighbours_compute_the_same(program: str, threads: int) -> None:
    """Some changes deep, each compiled and compared."""
    bench, found = kernel(program, threads)
    job = Job.of(found, bench.alone(found), known_times(lambda _: 1.0))
    rnd, seen = random.Random(0), set[Tree]()
    search = job.search(rnd)
    tree = search.start.tree
    for _ in range(40):
        drawn = search.draw(tree, rnd)
        assert drawn is not None
        try:
            run = job.build(drawn[1])
        except ScheduleError:
            assert "vector" in text_of(drawn[1])
            continue
        tree = drawn[1]
        seen.add(tree)
        assert agree(run(), job.wanted, found.terms), drawn[0]
    assert len(seen) > 8
    assert any("parallel" in text_of(tree) for tree in seen) == (threads > 1)


def test_what_one_thread_cannot_do() -> None:
    _, found = kernel(EXP)
    tree = read("parallel i = 0 to 24 { for j = 0 to 16 { compute exp at (i, j) } }")
    assert [is_legal(tree, found.schedulable, threads) for threads in (1, 2)] == [False, True]


def test_copies_of_the_body_have_a_bound() -> None:
    _, found = kernel(EXP)
    tree = read("for i = 0 to 24 { unroll j = 0 to 16 { compute exp at (i, j) } }")
    more = read("unroll i = 0 to 24, j = 0 to 16 { compute exp at (i, j) }")
    found.schedulable.check(more)
    assert 16 <= found.schedulable.model.tuning.most_copies < 24 * 16
    assert [is_legal(each, found.schedulable, 1) for each in (tree, more)] == [True, False]


def test_illegal_ones_are_told() -> None:
    _, found = kernel(ROWS)
    assert found.tree is not None
    drawn = {
        flat(tree): is_legal(tree, found.schedulable, 1) for _, tree in neighbours(found.tree, found.schedulable, 2)
    }
    assert {*drawn.values()} == {True, False}


def named(found: Kernel, tree: Tree, name: str) -> str:
    return next(flat(each) for change, each in neighbours(tree, found.schedulable, 2) if change == name)


def test_unroll_and_jam() -> None:
    _, found = kernel(EXP)
    tree = read("for i = 0 to 24 { for j = 0 to 16 { compute exp at (i, j) } }")
    wanted = "for i = 0 to 24 by 4 { for j = 0 to 16 { unroll t0 = 0 to 4 { compute exp at (i + t0, j) } } }"
    assert named(found, tree, "jam i by 4") == wanted
    assert [name for name, _ in jams(tree, found.schedulable)] == [f"jam i by {size}" for size in (2, 3, 4, 6, 8)]
    assert is_legal(read(wanted), found.schedulable, 1)


def test_rows_side_by_side() -> None:
    """Loops inside of the one that is jammed are many, and what is kept stays where it is."""
    _, found = kernel(ROWS.replace("x16x", "x8x"))
    assert found.tree is not None
    jammed = named(found, found.tree, "jam i by 2")
    assert "by 2 { keep addf unroll j = 0 to 8, t0 = 0 to 2 {" in jammed
    assert "for j = 0 to 8 { unroll t0 = 0 to 2 {" in jammed
    assert is_legal(read(jammed), found.schedulable, 1)


def test_what_is_kept() -> None:
    _, found = kernel(ROWS)
    tree = found.tree
    assert tree is not None and "keep addf" in text_of(tree)
    assert list(keeps(tree, found.schedulable)) == []
    stored = read(text_of(tree).replace("keep addf", ""))
    assert [flat(kept) for name, kept in keeps(stored, found.schedulable) if name == "keep addf in i"] == [flat(tree)]


def test_sizes_divide_what_there_is() -> None:
    """Of 34 rows there are not many tiles: all are tried."""
    _, found = kernel(EXP.replace("24", "34"))
    tree = read("for i = 0 to 34 { for j = 0 to 16 { compute exp at (i, j) } }")
    names = {name for name, _ in neighbours(tree, found.schedulable, 2)}
    assert {f"split i by {size}" for size in (2, 17)} <= names


@pytest.mark.parametrize(
    ("program", "kinds"),
    [
        (
            """
    func.func @main(%x: tensor<64x96xf32>, %y: tensor<96x128xf32>) -> tensor<64x128xf32> {
      %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
        : (tensor<64x96xf32>, tensor<96x128xf32>) -> tensor<64x128xf32>
      return %0 : tensor<64x128xf32>
    }""",
            {"tile", "blocks", "pack", "chunks"},
        ),
        (
            """
    func.func @main(%x: tensor<64x32xcomplex<f32>>) -> tensor<64x32xcomplex<f32>> {
      %0 = stablehlo.fft %x, type = FFT, length = [32] : (tensor<64x32xcomplex<f32>>) -> tensor<64x32xcomplex<f32>>
      return %0 : tensor<64x32xcomplex<f32>>
    }""",
            {"vectors", "interchange"},
        ),
    ],
)
def test_choices_of_a_plan(program: str, kinds: set[str]) -> None:
    """Contractions and Fourier transforms have changes of their own, all of them legal."""
    _, found = kernel(program)
    assert found.tree is not None
    drawn = list(found.schedulable.variants(found.tree, 2))
    assert {name.split()[0] for name, _ in drawn} >= kinds
    for _, tree in drawn:
        found.schedulable.check(Tree(tree.nodes))


def test_vectors() -> None:
    _, found = kernel(EXP)
    tree = read("for i = 0 to 24 { for j = 0 to 16 { compute exp at (i, j) } }")
    drawn = {name: each for name, each in vectors(tree, found.schedulable)}
    assert [*drawn] == ["vector 4 j", "vector 8 j", "vector 16 j"]
    wide = drawn["vector 8 j"]
    assert flat(wide) == "for i = 0 to 24 { vector 8 j = 0 to 16 { compute exp at (i, j) } }"
    assert is_legal(wide, found.schedulable, 1)
    assert flat(dict(vectors(wide, found.schedulable))["vector as chosen j"]) == flat(tree)


def test_plain_loops() -> None:
    _, found = kernel(ROWS)
    ((name, tree),) = plain(found.tree, found.schedulable)
    assert name == "plain loops" and is_legal(tree, found.schedulable, 1)
    assert flat(tree).startswith("for i0 = 0 to 24 { compute fill at (i0) } for i0")
