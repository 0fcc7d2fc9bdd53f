"""The custom calls in which XLA writes shardings of values, and the attribute that has their text."""

from __future__ import annotations

import re
from collections.abc import Mapping

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation

from ....dialects.stablehlo import CustomCallOp
from ....errors import InvalidProgramError
from .text import HloSharding, parse_shardings

SHARDING = "mhlo.sharding"
CONSTRAINT, TO_LOCAL, TO_GLOBAL = "Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape"
UNSPECIFIED = re.compile(r"unspecified_dims=\[([\d, ]*)\]")


def is_call(op: Operation | object, target: str) -> bool:
    """Whether `op` is a call of that target."""
    return isinstance(op, CustomCallOp) and op.call_target_name.data == target


def shardings_in(attributes: Mapping[str, Attribute], op: Operation) -> tuple[HloSharding, ...] | None:
    """Those that the attribute says; None if there is none."""
    attribute = attributes.get(SHARDING)
    if attribute is None:
        return None
    if not isinstance(attribute, StringAttr):
        raise InvalidProgramError(f"'{op.name}' op: {SHARDING} is expected to be a text", op)
    try:
        return parse_shardings(attribute.data)
    except InvalidProgramError as error:
        raise InvalidProgramError(f"'{op.name}' op: {SHARDING} is {error.message}", op) from None


def sharding_of_call(op: Operation) -> HloSharding:
    """The sharding that a call of one of these targets has."""
    found = shardings_in(op.attributes, op)
    if found is None or len(found) != 1:
        raise InvalidProgramError(f"'{op.name}' op: expected a sharding", op)
    return found[0]


def open_dimensions(op: Operation) -> tuple[int, ...]:
    """The dimensions of which a call says nothing."""
    config = op.properties.get("backend_config")
    found = UNSPECIFIED.search(config.data) if isinstance(config, StringAttr) else None
    return tuple(int(dim) for dim in found[1].split(",") if dim.strip()) if found else ()
