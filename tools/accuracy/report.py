"""The measurements as a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from . import complex_functions
from .complex_functions import FORMATS as COMPLEX_FORMATS
from .engines import FLUSHING, NATIVE, REFERENCE
from .formats import REAL_FORMATS
from .measurement import Measurement
from .tasks import NARROW_ULPS, ULPS, Outcome

INTRODUCTION = """\
# Accuracy of functions

Written by `{command}`; do not edit.

How far the elementary functions of StableHLO and chlo are from the exact results, in units in the last place of the
exact result: a correctly rounded result is at most 0.5 off. What has to hold, and the command's exit code says so, is
at most {ulps:g} units for f32 and f64, at most {narrow:g} for f16 and bf16, and the exact result wherever it is
infinite, NaN or a number of the type (as `cbrt(8)`, `pow(-3, 3)`, `log(1)`, signs of zeros included).

Exact results are those of GNU MPFR and MPC with {precision} bits and more (the tests ask mpmath for a second opinion).
All numbers of f16 and bf16 are tried, and {samples:,} samples of wider types, less of functions that take long: bit
patterns evenly over all exponents, numbers near the zeros, poles and ends of domains at all distances, the neighbours
of every point where results overflow, underflow, vanish or change sign, numbers next to multiples of a quarter turn of
all sizes, grids of edge values for functions of two arguments. `tools/accuracy/` has the details; arguments depend on
the seed ({seed}) alone. Native code is the same on every machine up to fused multiply-add, which was {fma} here;
without it errors differ slightly. The reference (`reference/`) rests on the C library and NumPy.

`lgamma` and `digamma` of negative arguments have rows of their own: reflection formulas make them differences of two
terms, which vanish at infinitely many points, and there the units are those of the terms.

Native code and reference are measured with subnormal numbers preserved (`denormals="preserve"`). Native code that
flushes them, as it does by default, has to give the function of the operands after flushing, and errors up to the least
normal number count as none.
"""


TITLES = {NATIVE: "Native code", FLUSHING: "Native code that flushes", REFERENCE: "Reference"}
"""By engine."""


def document(outcomes: Sequence[Outcome], command: str, samples: int, seed: int, precision: int, fma: bool) -> str:
    """A document in Markdown of all outcomes."""
    parts = [
        INTRODUCTION.format(
            command=command,
            ulps=ULPS,
            narrow=NARROW_ULPS,
            precision=precision,
            samples=samples,
            seed=seed,
            fma="used" if fma else "not used",
        )
    ]
    for engine, title in TITLES.items():
        of_engine = [outcome for outcome in outcomes if outcome.task.engine == engine]
        if not of_engine:
            continue
        parts.append(f"## {title}: real functions\n\nThe greatest error of each function.\n")
        parts.append(_summary([o for o in of_engine if not o.task.is_complex], tuple(REAL_FORMATS)))
        numbers = [o for o in of_engine if o.task.is_complex]
        if numbers:
            parts.append(
                f"## {title}: complex functions\n\nThe greatest error of either part in units of the absolute value of "
                "the result, and in parentheses those of the real and of the imaginary part in their own units.\n"
            )
            parts.append(_summary(numbers, tuple(COMPLEX_FORMATS)))
    parts.append(_limits(outcomes))
    parts.append("## Where\n\nThe argument of the greatest error, and how many results were compared.\n")
    parts.append(_details(outcomes))
    return "\n".join(part for part in parts if part)


def _summary(outcomes: Sequence[Outcome], types: Sequence[str]) -> str:
    shown = [type for type in types if any(o.task.type == type for o in outcomes)]
    found = {(o.task.function, o.task.type): o for o in outcomes}
    functions = list(dict.fromkeys(o.task.function for o in outcomes))
    lines = [f"| function | {' | '.join(shown)} |", f"| --- | {' | '.join(['---'] * len(shown))} |"]
    for function in functions:
        cells = [_cell(found.get((function, type))) for type in shown]
        lines.append(f"| {function} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(outcome: Outcome | None) -> str:
    if outcome is None:
        return ""
    found = outcome.measurement
    if found is None:
        return "not available"
    text = _ulps(found.worst[0])
    if outcome.task.is_complex and not complex_functions.FUNCTIONS[outcome.task.function].real_result:
        text += f" ({', '.join(map(_ulps, found.worst[1:]))})"
    if found.worst[0] > outcome.task.limit.ulps:
        text = f"**{text}**"
    return text + (f", {found.wrong_count} wrong" if found.wrong_count else "")


def _ulps(value: float) -> str:
    """Rounded up, but for what a double can't tell from a half."""
    if value < 1000:
        return f"{max(0.0, value - 0.0005) + 0.00499:.2f}" if value else "0"
    return f"{value:.1e}"


def _limits(outcomes: Sequence[Outcome]) -> str:
    rows: list[str] = []
    for outcome in outcomes:
        limit, task, found = outcome.task.limit, outcome.task, outcome.measurement
        if limit.reason and found is not None and (task.engine == NATIVE or found.worst[0] > ULPS):
            bound = f"{limit.ulps:g}" if limit.ulps < float("inf") else "none"
            rows.append(f"| {task.function} | {task.type} | {task.engine} | {bound} | {limit.reason} |")
    if not rows:
        return ""
    head = "## Greater errors\n\nWhere more than that is allowed.\n\n"
    head += "| function | type | engine | bound | why |\n| --- | --- | --- | --- | --- |\n"
    return head + "\n".join(rows) + "\n"


def _details(outcomes: Sequence[Outcome]) -> str:
    lines = [
        "| function | type | engine | ulp | at | samples | compared exactly | wrong |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    lines.extend(_rows(outcomes))
    return "\n".join(lines) + "\n"


def _rows(outcomes: Sequence[Outcome]) -> Iterator[str]:
    for outcome in outcomes:
        task, found = outcome.task, outcome.measurement
        head = f"| {task.function} | {task.type} | {task.engine} |"
        if found is None:
            yield f"{head} | {outcome.reason} | | | |"
        else:
            yield f"{head} {found.worst[0]:.4g} | {found.at} | {found.samples} | {found.exact} | {_wrong(found)} |"


def _wrong(found: Measurement) -> str:
    if not found.wrong_count:
        return "none"
    more = f" and {found.wrong_count - len(found.wrong)} more" if found.wrong_count > len(found.wrong) else ""
    return "; ".join(found.wrong) + more
