"""Long sums: how far they are from the exact ones, on a sample of what `tools.accuracy --sums` measures."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl_xla.tools.accuracy import sum_cases, sums
from xdsl_xla.tools.accuracy.__main__ import main
from xdsl_xla.tools.accuracy.sum_cases import SumCase, contraction, convolution, cumulative, reduction, squares, window

DOCUMENT = Path(__file__).parents[2] / "docs" / "accuracy.md"

CLOSE = 1.2
"""Units: the sums themselves are rounded to 0.4 of them. One chain of 1000 additions is 8 off, of 100,000 some 75."""


def _cases(type: str) -> list[SumCase]:
    return [
        reduction(type, "all", (1_000_000,), (0,)),
        reduction(type, "rows", (5, 100_000), (1,)),
        reduction(type, "columns", (30_000, 64), (0,)),
        reduction(type, "many columns", (1000, 3000), (0,)),
        reduction(type, "three columns", (1009, 3), (0,)),
        reduction(type, "outside", (300, 16, 300), (0, 2)),
        squares(type, "products", 3, 50_000),
        contraction(type, "vectors", (100_000,), (100_000,), (0, 0)),
        contraction(type, "vector by matrix", (50_000,), (50_000, 32), (0, 0)),
        contraction(type, "matrix by vector", (32, 50_000), (50_000,), (1, 0)),
        contraction(type, "small", (6, 1000), (1000, 9), (1, 0)),
        contraction(type, "in chunks", (64, 40_000), (40_000, 64), (1, 0)),
        contraction(type, "overlapping vectors", (3, 20, 40_000), (3, 40_000, 20), (2, 1), batch=True),
        contraction(type, "streamed", (8, 4096), (4096, 1024), (1, 0)),
        contraction(type, "transposed", (8192, 64), (8192, 64), (0, 0)),
        window(type, "windows", 4000, 1000, 2),
        cumulative(type, "leading sums", 20_000, 3),
        convolution(type, "kernel gradient", (58, 58, 4), (56, 56), 16),
    ]


@pytest.mark.sample(8)
@pytest.mark.parametrize("case", [*_cases("f32"), *_cases("f64")], ids=lambda case: f"{case.name} {case.type}")
def test_sums_are_close(case: SumCase) -> None:
    (row,) = sums.measure([case], threads=(1, 4), most_seeds=3)
    assert max(figure for figures in row.ours for figure in figures) <= CLOSE, row.ours


@pytest.mark.parametrize(
    "case",
    [
        contraction("f32", "layers of 512", (64, 512), (512, 64), (1, 0)),
        contraction("f32", "layers of 768", (64, 768), (768, 64), (1, 0)),
        contraction("f32", "layers of 1024", (64, 1024), (1024, 64), (1, 0)),
        convolution("f32", "convolutions", (10, 10, 64), (3, 3), 32),
    ],
    ids=lambda case: case.name,
)
def test_chains_of_products_are_short(case: SumCase) -> None:
    """One chain of 512 products is 5.8 off."""
    (row,) = sums.measure([case])
    assert max(row.ours[0]) <= 3, row.ours


def test_a_chain_fails() -> None:
    """What is measured tells one chain from partial sums."""
    case = reduction("f32", "all", (100_000,), (0,))

    def chain(*arguments: sum_cases.Array) -> list[sum_cases.Array]:
        return [arguments[0].cumsum(dtype=arguments[0].dtype)[-1]]

    (row,) = sums.measure([case])
    found = sums._figures(case, "positive", [chain], None)  # pyright: ignore[reportPrivateUsage]
    assert found[0] > 5 * max(row.ours[0])
    assert not row.failed
    assert row._replace(ours=[found * 3, row.ours[1]], peer=[0.5, 0.5]).failed
    assert row._replace(ours=[[9.0, 1.0, 1.0], row.ours[1]]).failed


def test_the_document_has_the_table() -> None:
    text = sums.section(DOCUMENT.read_text())
    for type in sum_cases.UNIT:
        for case in sum_cases.cases(type):
            assert f"| {type} | {case.name} | {case.count:,} |" in text
    document = "# A\n\n## Sums\n\nold\n\n## B\n\nkept\n"
    assert sums.with_section(document, "## Sums\n\nnew\n") == "# A\n\n## Sums\n\nnew\n\n## B\n\nkept\n"
    assert sums.with_section("# A\n", "## Sums\n\nnew\n") == "# A\n\n## Sums\n\nnew\n"


def test_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--sums", "--types", "f16"]) == 2
    assert "f32,f64" in capsys.readouterr().err
