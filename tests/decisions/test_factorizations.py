"""Which factorisations are called of LAPACK."""

from __future__ import annotations

from dataclasses import replace

from xdsl_xla.decisions.factorizations import Factorizations


def test_a_small_cholesky_factor_is_found_by_generated_code() -> None:
    numbers = Factorizations()
    assert not numbers.library_is_faster("potrf", 256)
    assert numbers.library_is_faster("potrf", 257)
    assert replace(numbers, generated_rows=1).library_is_faster("potrf", 2)


def test_large_triangular_systems_are_solved_by_the_library() -> None:
    numbers = Factorizations(generated_solve_rows=4)
    assert numbers.library_solves(5)
    assert not numbers.library_solves(4)


def test_others_have_no_generated_code() -> None:
    for routine in ("getrf", "geqrf", "orgqr", "gesdd", "syevd"):
        assert Factorizations().library_is_faster(routine, 1)
