"""Programs of the kinds for which PyTorch calls a library (MKL, oneDNN), against it and XLA:CPU."""

from __future__ import annotations

from .. import library_programs
from ..agreement import difference
from ..figures import geometric_mean
from ..measure import alternate
from ..peers import Native, PyTorch, XlaCpu
from ..roofline import limit_of
from ..suite import load
from ..table import Column, Table, Value
from .rows import compare_all
from .section import Result, Settings

QUICK = ("product_256", "depthwise3x3", "layer_norm", "cumsum")

COLUMNS = (
    Column("program", "program"),
    Column("ours_seconds", "ours ms", ".3f", 1e3),
    Column("torch_seconds", "PyTorch ms", ".3f", 1e3),
    Column("torch_ratio", "ours/PyTorch", ".2f"),
    Column("xla_seconds", "XLA ms", ".3f", 1e3),
    Column("xla_ratio", "ours/XLA", ".2f"),
    Column("of_limit", "of limit", ".0%"),
    Column("difference", "differ", ".0e"),
)


def names() -> list[str]:
    """What it can be limited to."""
    return library_programs.names()


def measure(settings: Settings) -> Result:
    """The three sides in alternation, on the same arrays. PyTorch's operators run eagerly, without gradients."""
    sides = PyTorch(settings.threads), Native(settings.threads), XlaCpu()
    table = Table(f"pytorch_{settings.threads}", f"Against PyTorch, {settings.count()}", COLUMNS)
    for side in sides[1:]:
        side.compile(load("reduce_rows"))
    chosen = settings.chosen(library_programs.names(), QUICK)
    return compare_all(table, chosen, lambda name: _row(name, *sides, settings), summary)


def _row(name: str, torch: PyTorch, ours: Native, xla: XlaCpu, settings: Settings) -> dict[str, Value]:
    program = library_programs.load(name)
    library = torch.compile(library_programs.library_function(name), program)
    mine, theirs = ours.compile(program), xla.compile(program)
    results = ours.outputs(mine.run())
    differs = max(
        difference(results, torch.outputs(library.run())),
        difference(results, xla.outputs(theirs.run())),
    )
    own, third, others = alternate([mine.run, library.run, theirs.run], settings.blocks)
    limit = limit_of(program.text, settings.threads)
    return {
        "program": name,
        "ours_seconds": own.median,
        "torch_seconds": third.median,
        "torch_ratio": own.ratio_to(third),
        "xla_seconds": others.median,
        "xla_ratio": own.ratio_to(others),
        "of_limit": limit and limit.reached(own.median),
        "difference": differs,
    }


def summary(table: Table) -> dict[str, float]:
    """Means and worst of the ratios."""
    figures: dict[str, float] = {}
    for key, peer in (("torch_ratio", "PyTorch"), ("xla_ratio", "XLA:CPU")):
        if ratios := table.values(key):
            figures[f"geometric mean of ours/{peer}"] = geometric_mean(ratios)
            figures[f"largest ours/{peer}"] = max(ratios)
    return figures
