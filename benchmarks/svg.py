"""A chart of ratios as SVG text: a bar for each name on a logarithmic axis, to the left or right of 1."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape

BAR, GAP, LABEL, PLOT, NUMBER, TOP, BOTTOM = 14, 6, 170, 480, 60, 48, 24
"""In pixels: height of a bar and the space between bars; widths of names, bars, numbers; margins."""

BETTER, WORSE, LINE, TEXT = "#3b7a57", "#b5533c", "#9a9a9a", "#6a6a6a"
"""Colours that can be read on light and dark pages."""


def ratio_chart(title: str, ratios: Mapping[str, float], *, below_is_better: bool = True) -> str:
    """The chart; ratios are positive and finite. Raises ValueError without any."""
    if not ratios:
        raise ValueError("a chart needs at least one ratio")
    ticks = _ticks(min(ratios.values()), max(ratios.values()))
    low, high = math.log(ticks[0]), math.log(ticks[-1])

    def x(ratio: float) -> float:
        return LABEL + PLOT * (math.log(ratio) - low) / (high - low)

    height = TOP + len(ratios) * (BAR + GAP) + BOTTOM
    width = LABEL + PLOT + NUMBER
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12" fill="{TEXT}">',
        f'<text x="{LABEL}" y="18" font-size="14">{escape(title)}</text>',
    ]
    for tick in ticks:
        stroke = 'stroke-width="2"' if tick == 1 else 'stroke-dasharray="2 4"'
        parts += [
            f'<line x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{TOP - 8}" y2="{height - BOTTOM}" '
            f'stroke="{LINE}" {stroke}/>',
            f'<text x="{x(tick):.1f}" y="{TOP - 12}" text-anchor="middle">{tick:g}</text>',
        ]
    for number, (name, ratio) in enumerate(ratios.items()):
        y = TOP + number * (BAR + GAP)
        left, right = sorted((x(1), x(ratio)))
        colour = BETTER if (ratio <= 1) == below_is_better else WORSE
        parts += [
            f'<text x="{LABEL - 8}" y="{y + BAR - 3}" text-anchor="end">{escape(name)}</text>',
            f'<rect x="{left:.1f}" y="{y}" width="{right - left:.1f}" height="{BAR}" fill="{colour}"/>',
            f'<text x="{LABEL + PLOT + 8}" y="{y + BAR - 3}">{ratio:.2f}</text>',
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times powers of ten, from at most `low` to at least `high`, 1 and a neighbour among them.

    >>> _ticks(0.3, 1.5)
    [0.2, 0.5, 1.0, 2.0]
    """
    low, high = min(low, 0.99), max(high, 1.01)
    steps = [
        m * 10.0**e for e in range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1) for m in (1, 2, 5)
    ]
    steps = [float(f"{step:.1g}") for step in steps]
    first = max(i for i, step in enumerate(steps) if step <= low)
    last = min(i for i, step in enumerate(steps) if step >= high)
    return steps[first : last + 1]
