"""Random computations of scalars: the regions of reductions, scatters, sorts and maps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects import stablehlo as hlo
from ...dialects.stablehlo.attributes import ComparisonDirection
from .elements import BOOL, Element
from .generator import Generator, Value, append, region, tensor_of
from .known import INTEGER, Known, Unfit, accumulated, correctly_rounded, joined

Binary = Callable[[SSAValue, SSAValue], Operation]
Combine = Callable[[Block, SSAValue, SSAValue], SSAValue]


def types_of(values: Sequence[Value]) -> list[tuple[Element, tuple[()]]]:
    return [(v.element, ()) for v in values]


def _plain(make: Binary) -> Combine:
    return lambda block, a, b: append(block, make(a, b))


def _de_morgan(make: Binary) -> Combine:
    """`not (not a op not b)`."""

    def build(block: Block, a: SSAValue, b: SSAValue) -> SSAValue:
        return append(block, hlo.NotOp(append(block, make(append(block, hlo.NotOp(a)), append(block, hlo.NotOp(b))))))

    return build


def _greater(block: Block, a: SSAValue, b: SSAValue) -> SSAValue:
    """The maximum, written with a comparison."""
    return append(block, hlo.SelectOp(append(block, hlo.CompareOp(a, b, ComparisonDirection.GE)), a, b))


def _sum_of_products(block: Block, a: SSAValue, b: SSAValue) -> SSAValue:
    """`a + b + a * b`, which is `(1 + a) * (1 + b) - 1`."""
    return append(block, hlo.AddOp(append(block, hlo.AddOp(a, b)), append(block, hlo.MulOp(a, b))))


def combiner(g: Generator, element: Element) -> tuple[Combine, complex, str]:
    """A computation whose order does not matter, a value it may start from, and whether it is a `sum`, a `choice` of
    one of its operands or something `else`."""
    if element.is_complex:
        return _plain(hlo.AddOp), 0.0, "sum"
    if element.significand == 1:
        return g.random.choice([(_plain(hlo.MaxOp), 1.0, "choice"), (_plain(hlo.MinOp), 1.0, "choice")])
    if element.rounds:
        low, high = (-8.0, 8.0) if not element.is_narrow else (-2.0, 2.0)
        return g.random.choice(
            [
                (_plain(hlo.AddOp), 0.0, "sum"), (_plain(hlo.AddOp), 1.0, "sum"), (_plain(hlo.MaxOp), low, "choice"),
                (_plain(hlo.MinOp), high, "choice"), (_greater, low, "ordered"),
            ]
        )  # fmt: skip
    choices: list[tuple[Combine, complex, str]] = [
        (_plain(hlo.AndOp), 1, "else"), (_plain(hlo.OrOp), 0, "else"), (_plain(hlo.MaxOp), 0, "else"),
        (_plain(hlo.MinOp), 1, "else"), (_de_morgan(hlo.AndOp), 0, "else"), (_de_morgan(hlo.OrOp), 1, "else"),
        (_plain(hlo.XorOp), 1, "else"),
    ]  # fmt: skip
    if element is not BOOL:
        choices += [
            (_plain(hlo.AddOp), 0, "else"), (_plain(hlo.MulOp), 1, "else"), (_greater, 0, "else"),
            (_sum_of_products, 0, "else"),
        ]  # fmt: skip
    return g.random.choice(choices)


def combined(element: Element, kind: str, operands: Sequence[Known], start: complex, terms: int) -> Known:
    """What is known of `terms` of these numbers combined with one another and with `start`."""
    if not element.rounds:
        return INTEGER
    start_known = Known(min(element.grid, 0.25 if element.significand == 1 else math.inf), abs(start))
    known = joined(*operands)
    if kind == "sum":
        if not known.tame:
            raise Unfit
        terms = max(1, terms)
        return accumulated(
            element,
            operands,
            min(known.step, start_known.step),
            terms * known.bound + abs(start),
            terms * known.error,
            terms,
        )
    if not known.tame:
        if kind == "ordered" or not known.exact:
            raise Unfit
        return Known(0.0, math.inf, bits=False)
    result = joined(known, start_known)
    return Known(result.step, result.bound, result.error, result.exact, False)


def reducer(g: Generator, values: Sequence[Value], terms: int) -> tuple[Region, list[complex], list[Known]]:
    """A body for a reduction of `values`, what it starts from, and what is known of `terms` elements combined."""
    parts = [combiner(g, v.element) for v in values]
    known = [
        combined(v.element, kind, [v.known], start, terms) for v, (_, start, kind) in zip(values, parts, strict=True)
    ]
    scalars = [tensor_of(v.element, ()) for v in values]
    count = len(values)

    def build(block: Block) -> list[SSAValue]:
        pairs = zip(parts, block.args[:count], block.args[count:], strict=True)
        return [make(block, a, b) for (make, _, _), a, b in pairs]

    return region(scalars + scalars, build), [start for _, start, _ in parts], known


def combiners(
    g: Generator, operands: Sequence[Value], changes: Sequence[Value], terms: int
) -> tuple[Region, list[Known]]:
    """A body for a scatter: each operand is combined with its changes."""
    parts = [combiner(g, v.element) for v in operands]
    known = [
        combined(v.element, kind, [v.known, change.known], 0.0, terms + 1)
        for v, change, (_, _, kind) in zip(operands, changes, parts, strict=True)
    ]
    scalars = [tensor_of(v.element, ()) for v in operands]
    count = len(operands)

    def build(block: Block) -> list[SSAValue]:
        pairs = zip(parts, block.args[:count], block.args[count:], strict=True)
        return [make(block, a, b) for (make, _, _), a, b in pairs]

    return region(scalars + scalars, build), known


def updates(
    g: Generator, operands: Sequence[Value], changes: Sequence[Value], terms: int
) -> tuple[Region, list[Known]]:
    """A body for a scatter in which the order of changes matters."""
    scalars = [tensor_of(v.element, ()) for v in operands]
    count = len(operands)
    forms = [
        g.random.choice(
            ["new", "new", "difference", "swap"] if not v.element.rounds and v.element is not BOOL else ["new"]
        )
        for v in operands
    ]

    def one(block: Block, form: str, old: SSAValue, new: SSAValue) -> SSAValue:
        if form == "new":
            return new
        difference = append(block, hlo.SubtractOp(new, old))
        return append(block, hlo.MulOp(difference, new)) if form == "swap" else difference

    def build(block: Block) -> list[SSAValue]:
        return [
            one(block, form, old, new)
            for form, old, new in zip(forms, block.args[:count], block.args[count:], strict=True)
        ]

    return region(scalars + scalars, build), [
        joined(v.known, change.known) for v, change in zip(operands, changes, strict=True)
    ]


def elementwise(g: Generator, values: Sequence[Value], result: Element) -> tuple[Region, Known]:
    """A body for a map of exact values: one or two ops, perhaps with a value from outside."""
    scalars = [tensor_of(v.element, ()) for v in values]
    same = [i for i, v in enumerate(values) if v.element is result]
    if not same:
        raise Unfit
    captured = g.pick([result], shape=(), exact=True) if g.random.random() < 0.4 else None
    known = [values[i].known for i in same] + ([captured.known] if captured else [])
    makes: list[Binary] = [hlo.AndOp, hlo.OrOp] if result is BOOL else [hlo.MaxOp, hlo.MinOp, hlo.AddOp, hlo.MulOp]
    if result.is_complex:
        makes = [hlo.AddOp, hlo.SubtractOp]
    if result.significand == 1:
        makes = [hlo.MaxOp, hlo.MinOp]
    first, second = g.random.choice(makes), g.random.choice(makes)

    def build(block: Block) -> list[SSAValue]:
        operands = [block.args[i] for i in same] + ([captured.ssa] if captured else [])
        value = append(block, first(operands[0], operands[-1]))
        return [append(block, second(value, g.random.choice(operands)))]

    bound = max(k.bound for k in known)
    most = max(bound**2, 2 * bound)
    if not all(k.exact for k in known):
        raise Unfit
    return region(scalars, build), correctly_rounded(result, known, 0.0, max(most * bound, 2 * most))
