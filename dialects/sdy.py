"""The attributes of the sharding dialect `sdy` that JAX attaches, kept as text.

They say how to partition a program, which nothing here does yet; they survive parsing and printing.
"""

from __future__ import annotations

from xdsl.dialects.builtin import UnregisteredAttr
from xdsl.ir import Attribute, Dialect

_NAMES = (
    "manual_axes",
    "mesh",
    "op_sharding_rule",
    "sharding",
    "sharding_per_value",
)


def _kept_as_text(name: str) -> type[Attribute]:
    attr = UnregisteredAttr.with_name_and_type(name, False)
    attr.name = name
    return attr


SDY = Dialect("sdy", [], [_kept_as_text(f"sdy.{name}") for name in _NAMES])
