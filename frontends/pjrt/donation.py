"""Which arguments a client gives away: they are gone after a call, whether or not results have their memory."""

from __future__ import annotations

from xdsl.dialects.builtin import BoolAttr

from ...runtime.entry import select_entry
from ...runtime.formats import read_program

ALIAS, DONOR = "tf.aliasing_output", "jax.buffer_donor"


def given_away(code: bytes) -> frozenset[int]:
    """The numbers of the arguments that the program marks by `tf.aliasing_output` or `jax.buffer_donor`."""
    if ALIAS.encode() not in code and DONOR.encode() not in code:
        return frozenset()
    attributes = select_entry(read_program(code, "<jax>")).arg_attrs or ()
    return frozenset(
        number
        for number, each in enumerate(attributes)
        if ALIAS in each.data or each.data.get(DONOR) == BoolAttr.from_bool(True)
    )
