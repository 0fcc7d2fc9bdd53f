"""Ops whose loops can be divided among devices: the factors of an op, and the choice of the digits that split them.

A factor is a loop of an op, such as m, n and k of a matrix product. It belongs to a dimension of some operands and
results, or to a part of one. Whoever splits it by the same digits everywhere can run the op on local operands. A factor
that no result has leaves partial results, one that is `whole` is not split.

What splits a factor follows from the layouts of one operand or result, the others filling in what it leaves open. Each
of them is tried as the first; the cheapest in bytes exchanged and in work is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from xdsl.ir import Operation

from ....dialects import stablehlo
from ....ir.sharding_rules import FactorKind, ShardingRule, rule_of_kind
from ....ir.tensor_builder import Tensor
from .devices import Devices, Digits, Layout
from .site import Site

Dimensions = tuple[tuple[int, ...], ...]
"""The factors of each dimension of a tensor, major to minor."""


Assignment = Mapping[int, Digits]
"""The digits that split each factor; none for those not named."""


class Rule(NamedTuple):
    """The factors of an op."""

    sizes: tuple[int, ...]
    operands: tuple[Dimensions, ...]
    results: tuple[Dimensions, ...]
    whole: frozenset[int] = frozenset()
    """The factors that no device may have a part of only."""
    products: float = 0
    """Multiplications and additions for each step through all factors."""
    exchange: Callable[[Assignment], float] | None = None
    """What the op itself exchanges, besides resharding."""

    def reductions(self) -> frozenset[int]:
        """The factors that a result does not have."""
        kept = {factor for dims in self.results for factors in dims for factor in factors}
        return frozenset(range(len(self.sizes))) - kept


class Choice(NamedTuple):
    """What splits the factors of an op, and the layouts that follow."""

    assignment: Assignment
    operands: list[Layout]
    results: list[Layout]


LocalOp = Callable[[Site, list[Tensor], Choice], Sequence[Tensor]]
"""Emits the op on local operands."""


def emit_as_it_is(site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
    """The same op on local types."""
    return site.emit(operands, choice.results)


def partition(
    site: Site,
    rule: Rule,
    emit: LocalOp = emit_as_it_is,
    combiner: type[Operation] = stablehlo.AddOp,
) -> None:
    """The op by its factors; partial results are combined by `combiner`."""
    choice = choose(site, rule)
    _note_gathered(site, rule, choice)
    operands = [site.read(index, layout) for index, layout in enumerate(choice.operands)]
    for index, (tensor, layout) in enumerate(zip(emit(site, operands, choice), choice.results, strict=True)):
        site.define(index, layout, tensor, combiner)


def _note_gathered(site: Site, rule: Rule, choice: Choice) -> None:
    """Says which split dimensions of operands have to be whole, where no other one is split instead."""
    used = {digit for digits in choice.assignment.values() for digit in digits}
    for index, (value, dims) in enumerate(zip(site.operands, rule.operands, strict=True)):
        layout = value.wanted or next(iter(value.layouts), None)
        if layout is None:
            continue
        for dim, (factors, digits) in enumerate(zip(dims, layout.dimensions, strict=True)):
            is_whole = not choice.operands[index].dimensions[dim] and not rule.whole.isdisjoint(factors)
            if is_whole and not used.issuperset(digits):
                site.not_divided(f"dimension {dim} of operand {index} is gathered")


def choose(site: Site, rule: Rule) -> Choice:
    """The cheapest choice."""
    choices: list[Choice] = []
    for assignment in _assignments(site, rule):
        for tried in (assignment, _without_exchange(rule, assignment)):
            choice = choice_of(site.devices, rule, tried)
            if choice not in choices:
                choices.append(choice)
    if len(choices) == 1:
        return choices[0]
    return min(choices, key=lambda choice: cost_of_choice(site, rule, choice))


def choice_of(devices: Devices, rule: Rule, assignment: Assignment) -> Choice:
    """The layouts in which an op runs on local tensors when `assignment` splits its factors."""
    partial = [digit for factor in sorted(rule.reductions()) for digit in assignment.get(factor, ())]

    def layout(dims: Dimensions, partial: Sequence[int] = ()) -> Layout:
        digits = tuple(tuple(d for factor in factors for d in assignment.get(factor, ())) for factors in dims)
        return Layout(digits, tuple(sorted(partial)))

    return Choice(assignment, [layout(dims) for dims in rule.operands], [layout(x, partial) for x in rule.results])


def cost_of_choice(site: Site, rule: Rule, choice: Choice) -> float:
    """Bytes for operands, for results and for the work, all per device."""
    operands, costs = site.operands, site.partitioner.costs
    total = sum(value.cost(layout) for value, layout in zip(operands, choice.operands, strict=True))
    touched = sum(value.bytes(layout) for value, layout in zip(operands, choice.operands, strict=True))
    for index, layout in enumerate(choice.results):
        result = site.partitioner.define(site.op.results[index])
        total += result.cost_from(layout)
        touched += result.bytes(layout)
    steps = prod(site.devices.local_size(size, choice.assignment.get(i, ())) for i, size in enumerate(rule.sizes))
    if rule.exchange is not None:
        total += rule.exchange(choice.assignment)
    return total + costs.copy(touched) + costs.work(rule.products * steps)


def _assignments(site: Site, rule: Rule) -> Iterator[Assignment]:
    """Each result and operand leading once, and once more with all it leaves open filled in from the others."""
    tensors: list[tuple[Dimensions, Layout]] = []
    for index, dims in enumerate(rule.results):
        wanted = site.partitioner.declared(site.op.results[index])
        tensors += [(dims, wanted.whole())] if wanted is not None else []
    for value, dims in zip(site.operands, rule.operands, strict=True):
        made = next(iter(value.layouts), None)
        tensors += [(dims, layout.whole()) for layout in (value.wanted, made) if layout is not None]
    if not tensors:
        yield {}
    for lead in dict.fromkeys(tensors):
        for fills in (True, False):
            found = _led_by(site.devices, rule, lead, tensors, fills)
            yield found
            if rule.whole:
                yield _elsewhere(site.devices, rule, found, [lead, *tensors])


def _elsewhere(
    devices: Devices, rule: Rule, assignment: Assignment, tensors: Sequence[tuple[Dimensions, Layout]]
) -> Assignment:
    """The same, with the digits of factors that have to be whole on factors that do not: the longest that is left."""
    kept = frozenset(range(len(rule.sizes))) - rule.whole - rule.reductions()
    kept = {factor for factor in kept if all(_has_alone(dims, factor) for dims in (*rule.operands, *rule.results))}
    moved = dict(assignment)
    used = {digit for digits in assignment.values() for digit in digits}
    for dims, layout in tensors:
        for factors, digits in zip(dims, layout.dimensions, strict=True):
            if not digits or rule.whole.isdisjoint(factors) or not used.isdisjoint(digits):
                continue
            local = {factor: devices.local_size(rule.sizes[factor], moved.get(factor, ())) for factor in kept}
            parts = devices.parts(digits)
            room = [(size % parts == 0, size, -factor) for factor, size in local.items() if size > 1]
            if room:
                target = -max(room)[2]
                moved[target] = (*moved.get(target, ()), *digits)
                used.update(digits)
    return moved


def _has_alone(dims: Dimensions, factor: int) -> bool:
    """Whether a tensor of these dimensions has one that is the factor, or is a scalar for all places."""
    return not dims or (factor,) in dims


def _without_exchange(rule: Rule, assignment: Assignment) -> Assignment:
    """The same with factors whole that the op would exchange something for."""
    exchange = rule.exchange
    if exchange is None:
        return assignment
    return {factor: digits for factor, digits in assignment.items() if not exchange({factor: digits})}


def _led_by(
    devices: Devices,
    rule: Rule,
    lead: tuple[Dimensions, Layout],
    tensors: Sequence[tuple[Dimensions, Layout]],
    fills: bool,
) -> Assignment:
    """The digits of `lead`, then of the others; without `fills`, factors that `lead` does not split stay whole."""
    assignment: dict[int, Digits] = {}
    used: set[int] = set()
    closed = set(rule.whole)
    for tensor in (lead, *tensors):
        dims, layout = tensor
        for factors, digits in zip(dims, layout.dimensions, strict=True):
            for factor, own in split(devices, rule, factors, digits).items():
                if factor not in assignment and factor not in closed and used.isdisjoint(own):
                    assignment[factor] = own
                    used.update(own)
        if tensor is lead and not fills:
            closed |= {factor for factors in dims for factor in factors}
    return _consistent(devices, rule, assignment)


def split(devices: Devices, rule: Rule, factors: Sequence[int], digits: Digits) -> dict[int, Digits]:
    """The digits of a dimension by factor, as far as the factors can be split by them."""
    if len(factors) == 1:
        return {factors[0]: digits} if digits else {}
    found: dict[int, Digits] = {}
    rest = list(digits)
    for factor in factors:
        size, own = rule.sizes[factor], list[int]()
        while rest and size % devices.sizes[rest[0]] == 0:
            size //= devices.sizes[rest[0]]
            own.append(rest.pop(0))
        if own:
            found[factor] = tuple(own)
        if size != 1:
            break
    return found


def _consistent(devices: Devices, rule: Rule, assignment: dict[int, Digits]) -> Assignment:
    """Without what would not leave local tensors in one piece: behind a factor that is not split to single elements."""
    changed = True
    while changed:
        changed = False
        for dims in (*rule.operands, *rule.results):
            for factors in dims:
                if len(factors) < 2:
                    continue
                kept = _outermost(devices, rule, factors, assignment)
                for factor in factors:
                    if factor in assignment and assignment[factor] != kept.get(factor, ()):
                        del assignment[factor]
                        changed = True
    return assignment


def _outermost(devices: Devices, rule: Rule, factors: Sequence[int], assignment: Assignment) -> dict[int, Digits]:
    digits = tuple(digit for factor in factors for digit in assignment.get(factor, ()))
    found = split(devices, rule, factors, digits)
    return {factor: own for factor, own in found.items() if own == assignment.get(factor)}


def factors_of(
    rule: ShardingRule, kinds: Sequence[FactorKind] = (FactorKind.PASS_THROUGH,), products: float = 0
) -> Rule:
    """Those of a sharding rule. All are whole but those of these `kinds` that are in an operand and in all results, or
    in no result if they are reductions.
    """
    of_operands = {factor for dims in rule.operands for factors in dims for factor in factors}
    of_results = [{factor for factors in dims for factor in factors} for dims in rule.results]
    whole = frozenset(
        number
        for number, factor in enumerate(rule.factors)
        if factor.kind not in kinds
        or number not in of_operands
        or (factor.kind is not FactorKind.REDUCTION and any(number not in each for each in of_results))
    )
    return Rule(tuple(factor.size for factor in rule.factors), rule.operands, rule.results, whole, products)


def rule_for(op: Operation, kinds: Sequence[FactorKind] = (FactorKind.PASS_THROUGH,), products: float = 0) -> Rule:
    """The same of the sharding rule of ops like `op`, of which there is one."""
    rule = rule_of_kind(op)
    assert rule is not None
    return factors_of(rule, kinds, products)


class RuleWriter:
    """Collects the factors of an op."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.whole: set[int] = set()

    def new(self, size: int, *, whole: bool = False) -> int:
        """One more factor."""
        self.sizes.append(size)
        if whole:
            self.whole.add(len(self.sizes) - 1)
        return len(self.sizes) - 1

    def dimensions(self, shape: Sequence[int], whole: Sequence[int] = ()) -> Dimensions:
        """A factor for each dimension of a shape; those in `whole` are not split."""
        return tuple((self.new(size, whole=dim in whole),) for dim, size in enumerate(shape))

    def rule(
        self,
        operands: Sequence[Dimensions],
        results: Sequence[Dimensions],
        products: float = 0,
        exchange: Callable[[Assignment], float] | None = None,
    ) -> Rule:
        """The rule of an op with these operands and results."""
        return Rule(tuple(self.sizes), tuple(operands), tuple(results), frozenset(self.whole), products, exchange)
