"""Sharding rules as attributes: `<([i, k], [k, j])->([i, j]) {i=8, j=4, k=2} reduction={k}>`.

Factors are numbered in the order of their names: i, j, ..., z, z_1, z_2, ...

Source: openxla/shardy, shardy/dialect/sdy/ir/{attrs.td,parsers.cc}.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NoReturn

from xdsl.ir import Data, OpaqueSyntaxAttribute, SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .axis_attributes import parse_list
from .sharding_rules import DimensionFactors, OpShardingRule, TensorFactors

FIRST, LAST = "i", "z"
SINGLE_LETTERS = ord(LAST) - ord(FIRST) + 1
FACTOR = re.compile(r"z_([1-9][0-9]*)|[i-z]")
KINDS = ("reduction", "need_replication", "permutation", "blocked_propagation")


def factor_name(index: int) -> str:
    """The name of factor number `index`."""
    return chr(ord(FIRST) + index) if index < SINGLE_LETTERS else f"{LAST}_{index - SINGLE_LETTERS + 1}"


def factors_named(word: str) -> tuple[int, ...] | None:
    """The numbers of the factors whose names make `word`, such as `ij`; None if they are none."""
    factors: list[int] = []
    position = 0
    while position < len(word):
        found = FACTOR.match(word, position)
        if found is None:
            return None
        factors.append(ord(found[0]) - ord(FIRST) if found[1] is None else SINGLE_LETTERS - 1 + int(found[1]))
        position = found.end()
    return tuple(factors)


def _raise_no_factor(parser: AttrParser, word: str, position: int) -> NoReturn:
    parser.raise_error(f"expected factors named i to z, z_1, z_2, ..., got {word}", position)


def _parse_dimension(parser: AttrParser) -> DimensionFactors:
    position = parser.pos
    word = parser.parse_optional_identifier()
    if word is None:
        parser.parse_optional_punctuation("*")
        return ()
    factors = factors_named(word)
    return _raise_no_factor(parser, word, position) if factors is None else factors


def _parse_factor(parser: AttrParser) -> int:
    position = parser.pos
    word = parser.parse_identifier("a factor")
    factors = factors_named(word)
    if factors is None or len(factors) != 1:
        _raise_no_factor(parser, word, position)
    return factors[0]


def _parse_tensor(parser: AttrParser) -> TensorFactors:
    if parser.parse_optional_punctuation("[") is None:
        parser.raise_error("expected '['")
    if parser.parse_optional_punctuation("]") is not None:
        return ()
    dimensions = [_parse_dimension(parser)]
    while parser.parse_optional_punctuation(",") is not None:
        dimensions.append(_parse_dimension(parser))
    parser.parse_punctuation("]")
    return tuple(dimensions)


def _parse_sizes(parser: AttrParser) -> tuple[int, ...]:
    """`{i=8, j=4}`, in the order of the factors."""

    def parse_size(parser: AttrParser) -> tuple[int, int]:
        factor = _parse_factor(parser)
        parser.parse_punctuation("=")
        return factor, parser.parse_integer()

    position = parser.pos
    sizes = parser.parse_optional_comma_separated_list(parser.Delimiter.BRACES, lambda: parse_size(parser)) or []
    if [factor for factor, _ in sizes] != list(range(len(sizes))):
        parser.raise_error("expected a size for each factor from i on, in order", position)
    return tuple(size for _, size in sizes)


def _parse_rule(parser: AttrParser) -> OpShardingRule:
    with parser.in_angle_brackets():
        operands = parse_list(parser, parser.Delimiter.PAREN, _parse_tensor)
        parser.parse_punctuation("->")
        results = parse_list(parser, parser.Delimiter.PAREN, _parse_tensor)
        sizes = _parse_sizes(parser)
        kinds: dict[str, tuple[int, ...]] = {}
        for kind in KINDS:
            if parser.parse_optional_keyword(kind):
                parser.parse_punctuation("=")
                kinds[kind] = parse_list(parser, parser.Delimiter.BRACES, _parse_factor)
        is_custom = parser.parse_optional_punctuation(",") is not None
        if is_custom:
            parser.parse_keyword("custom")
    return OpShardingRule(sizes, operands, results, **kinds, is_custom=is_custom)


def _names(factors: Iterable[int]) -> str:
    return "".join(map(factor_name, factors))


def _tensor_text(tensor: TensorFactors) -> str:
    return f"[{', '.join(map(_names, tensor))}]"


def rule_text(rule: OpShardingRule) -> str:
    """What stands between the angle brackets."""
    operands, results = (", ".join(map(_tensor_text, tensors)) for tensors in (rule.operands, rule.results))
    text = f"({operands})->({results})"
    if rule.sizes:
        sizes = (f"{factor_name(index)}={size}" for index, size in enumerate(rule.sizes))
        text += f" {{{', '.join(sizes)}}}"
    for kind in KINDS:
        factors: tuple[int, ...] = getattr(rule, kind)
        if factors:
            text += f" {kind}={{{', '.join(map(factor_name, factors))}}}"
    return f"{text}, custom" if rule.is_custom else text


@irdl_attr_definition
class DimMappingAttr(SpacedOpaqueSyntaxAttribute, Data[DimensionFactors]):
    """`#sdy<dim_mapping ij>`: the factors of a dimension."""

    name = "sdy.dim_mapping"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> DimensionFactors:
        return _parse_dimension(parser)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(_names(self.data))


@irdl_attr_definition
class TensorMappingAttr(OpaqueSyntaxAttribute, Data[TensorFactors]):
    """`#sdy<tensor_mapping[i, jk]>`: the factors of each dimension."""

    name = "sdy.tensor_mapping"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> TensorFactors:
        return _parse_tensor(parser)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(_tensor_text(self.data))


@irdl_attr_definition
class OpShardingRuleAttr(Data[OpShardingRule]):
    """`#sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=2} reduction={k}>`"""

    name = "sdy.op_sharding_rule"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> OpShardingRule:
        return _parse_rule(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(rule_text(self.data))

    def verify(self) -> None:
        verify_rule(self.data)


def verify_rule(rule: OpShardingRule) -> None:
    """Raises VerifyException for a rule that holds for no op."""
    count = len(rule.sizes)
    if not rule.operands and not rule.results:
        raise VerifyException("a sharding rule needs a mapping for an operand or a result")
    for tensor in (*rule.operands, *rule.results):
        _verify_tensor(tensor, rule.sizes)
    for kind in KINDS:
        for factor in getattr(rule, kind):
            if factor >= count:
                raise VerifyException(f"{kind} has factor {factor_name(factor)}, of which there is no size")
    typed = (*rule.reduction, *rule.need_replication, *rule.permutation)
    if len(set(typed)) < len(typed):
        raise VerifyException("a factor has two kinds, or one twice")
    used = {factor for tensor in (*rule.operands, *rule.results) for factors in tensor for factor in factors}
    for factor in range(count):
        if factor not in used:
            raise VerifyException(f"factor {factor_name(factor)} is in no mapping")
    for tensor in rule.results:
        for factor in rule.reduction:
            if any(factor in factors for factors in tensor):
                raise VerifyException(f"reduction factor {factor_name(factor)} is in a result mapping")


def _verify_tensor(tensor: TensorFactors, sizes: tuple[int, ...]) -> None:
    factors = [factor for dimension in tensor for factor in dimension]
    for factor in factors:
        if factor >= len(sizes):
            raise VerifyException(f"factor {factor_name(factor)} has no size")
    if len(set(factors)) < len(factors):
        raise VerifyException(f"a factor is twice in one mapping {_tensor_text(tensor)}")
    for dimension in tensor:
        if len(dimension) > 1 and any(sizes[factor] == 1 for factor in dimension):
            raise VerifyException("a dimension of several factors has one of size 1")
