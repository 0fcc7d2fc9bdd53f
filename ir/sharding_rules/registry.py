"""Which function makes the rule of an op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Operation

from .rule import ShardingRule

Maker = Callable[[Any], ShardingRule | None]
"""Makes the rule of an op of a known class; None where the op, as it is, has none."""

MAKERS: dict[type[Operation], Maker] = {}


def sharding_rule(*op_types: type[Operation]) -> Callable[[Maker], Maker]:
    """Registers a function for ops of these classes."""

    def register(maker: Maker) -> Maker:
        for op_type in op_types:
            if op_type in MAKERS:
                raise ValueError(f"{op_type.name} has a sharding rule already")
            MAKERS[op_type] = maker
        return maker

    return register
