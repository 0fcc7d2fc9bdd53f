"""How compile time grows with the program: stacks of transformer blocks, each with weights of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..figures import growth_exponent
from ..peers import Native, XlaCpu
from ..suite import Program
from ..table import Column, Table, TablePrinter
from .section import Result, Settings

BLOCKS = (10, 20, 40, 80)
QUICK = (2, 4, 8)
BATCH, LENGTH, WIDTH, HEADS = 2, 32, 64, 4

COLUMNS = (
    Column("blocks", "blocks"),
    Column("ours_seconds", "ours s", ".2f"),
    Column("ours_per_block", "ms/block", ".0f", 1e3),
    Column("xla_seconds", "XLA s", ".2f"),
    Column("xla_per_block", "ms/block", ".0f", 1e3),
    Column("ratio", "ours/XLA", ".2f"),
)


def stacked_blocks(count: int) -> Program:
    """`count` transformer blocks one after the other."""
    from ..more_programs.jax_program import f32, lower
    from ..more_programs.transformer import transformer_block, transformer_weights

    weights = transformer_weights(WIDTH)
    draws = (f32(BATCH, LENGTH, WIDTH), *weights * count)

    def stack(x: Any, *flat: Any) -> Any:
        for first in range(0, len(flat), len(weights)):
            x = transformer_block(x, flat[first : first + len(weights)], HEADS)
        return x

    generator = np.random.default_rng(0)
    inputs = tuple(draw.array(generator) for draw in draws)
    return Program(f"{count} blocks", lower(stack, *draws), inputs)


def measure(settings: Settings) -> Result:
    """One compilation of each stack on both sides, after one of a small stack."""
    ours, xla = Native(settings.threads), XlaCpu()
    table = Table("growth", "Compile time of stacked transformer blocks", COLUMNS)
    printer = TablePrinter(table)
    warm_up = stacked_blocks(1)
    ours.compile(warm_up)
    xla.compile(warm_up)
    sizes = QUICK if settings.quick else BLOCKS
    for count in sizes:
        program = stacked_blocks(count)
        mine, theirs = ours.compile(program).seconds, xla.compile(program).seconds
        printer.add(
            {
                "blocks": str(count),
                "ours_seconds": mine,
                "ours_per_block": mine / count,
                "xla_seconds": theirs,
                "xla_per_block": theirs / count,
                "ratio": mine / theirs,
            }
        )
    figures = {
        "exponent of growth, ours": growth_exponent(sizes, table.values("ours_seconds")),
        "exponent of growth, XLA": growth_exponent(sizes, table.values("xla_seconds")),
    }
    return Result([printer.finish(figures)])
