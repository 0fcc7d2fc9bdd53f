"""`stablehlo-refuse-internals`: what only passes may say is an error in a program from outside.

Attributes, targets of custom calls and symbols whose names begin with `xrt.`, and the ops of the dialects `xrt`,
`fourier` and `linalg_ext` decide which code is generated, and code trusts them. A program that a pass has lowered
contains them, and is continued by the passes that are left (`xla-opt -p`, `xla-run --pipeline`), not by a whole
pipeline.

Needs: nothing. Leaves: the module as it is. Raises `InvalidProgramError` at the first op with such a name.

    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {xrt.kernel} { ... }

is an error: a program from outside has no attribute 'xrt.kernel'.

Not a pattern pass: it checks a module and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from ...dialects.editing import walk
from ...dialects.stablehlo import CustomCallOp
from ...dialects.xrt_names import GLOBAL_TYPE, PREFIX
from ...errors import InvalidProgramError

DIALECTS = (PREFIX, "fourier.", "linalg_ext.")
"""How the names of ops begin that only passes make."""

NAMES = frozenset({"call_target_name", "sym_name", "arg_attrs", "res_attrs"})
"""The properties that hold names."""

HARMLESS = frozenset({GLOBAL_TYPE})
"""Attributes from which no code follows: a program that was partitioned says what it was."""

ADVICE = (
    "a program that passes have lowered is continued by those that are left:"
    " xla-run --pipeline, xla-opt -p, compile(pipeline=...)"
)


class StablehloRefuseInternalsPass(ModulePass):
    """See the module's documentation."""

    name = "stablehlo-refuse-internals"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        refuse_internals(op)


def refuse_internals(module: ModuleOp) -> None:
    """Raises `InvalidProgramError` if `module` says anything that only passes may say."""
    for op in walk(module):
        if op.name.startswith(DIALECTS):
            raise InvalidProgramError(f"'{op.name}' op: programs from outside have no such op; {ADVICE}", op)
        if not op.attributes and NAMES.isdisjoint(op.properties):
            continue
        for kind, name in _names(op):
            if name.startswith(PREFIX) and name not in HARMLESS:
                message = f"'{op.name}' op: programs from outside have no {kind} '{name}'; {ADVICE}"
                raise InvalidProgramError(message, op)


def _names(op: Operation) -> Iterator[tuple[str, str]]:
    """The names in `op` that could be internal, and what they name."""
    yield from (("attribute", name) for name in op.attributes)
    if type(op) is CustomCallOp:
        yield "target of a custom call", op.call_target_name.data
    for name in ("sym_name", "arg_attrs", "res_attrs"):
        value = op.properties.get(name)
        if isinstance(value, StringAttr):
            yield "symbol", value.data
        elif isinstance(value, ArrayAttr):
            entries = (entry for entry in cast("ArrayAttr[Attribute]", value) if isinstance(entry, DictionaryAttr))
            yield from (("attribute", inner) for entry in entries for inner in entry.data)
