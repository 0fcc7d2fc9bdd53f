"""LLVM IR as it is written in this folder: with fields, messages and numbers by their names.

    %count = field i64 %options[OPTION_THREADS]     a field of eight bytes, at an offset that `layout.py` names
    field i64 %context[CONTEXT_SEED] = %seed        the same, written
    tell threads(i64 %count)                        writes the message `threads` of `TEXTS` with these values
    ret i32 $ARGUMENT                               a number of `layout.py`, or a status
    @$n.find, @${n}_run                             the name of the model

`expand` makes LLVM IR of that.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from string import Template

from ...decisions.safepoints import FIRST_WORK
from ...lowering.to_llvm import context_layout as slots
from . import layout
from .layout import Status

_LOAD = re.compile(r"^  %(\S+) = field (atomic )?(\w+) %(\S+)\[(\w+)\]$", re.MULTILINE)
_STORE = re.compile(r"^  field (atomic )?(\w+) %(\S+)\[(\w+)\] = (\S+)$", re.MULTILINE)
_TELL = re.compile(r"^  tell (\S+?)\((.*)\)$", re.MULTILINE)

NUMBERS: Mapping[str, int] = {
    **{name: value for name, value in vars(layout).items() if isinstance(value, int) and name.isupper()},
    **{f"SLOT_{name}": value * slots.SLOT_BYTES for name, value in vars(slots).items() if isinstance(value, int)},
    **{status.name: int(status) for status in Status},
    "NUM_STATUSES": len(Status),
    "FIRST_WORK": FIRST_WORK,
}


def expand(text: str, names: Mapping[str, object]) -> str:
    """LLVM IR of `text`; `names` are what is particular to a model, `n` its name among them."""
    count = itertools.count()

    def place(base: str, field: str) -> tuple[str, str]:
        """The name of an address, and the instruction that makes it."""
        name = f"%at.{next(count)}"
        offset = int(field) if field.isdigit() else NUMBERS[field]
        return name, f"  {name} = getelementptr inbounds i8, ptr %{base}, i64 {offset}\n"

    def load(match: re.Match[str]) -> str:
        result, atomic, type, base, field = match.groups()
        name, address = place(base, field)
        kind, order = ("atomic ", " monotonic") if atomic else ("", "")
        return f"{address}  %{result} = load {kind}{type}, ptr {name}{order}, align 8"

    def store(match: re.Match[str]) -> str:
        atomic, type, base, field, value = match.groups()
        name, address = place(base, field)
        kind, order = ("atomic ", " monotonic") if atomic else ("", "")
        return f"{address}  store {kind}{type} {value}, ptr {name}{order}, align 8"

    def tell(match: re.Match[str]) -> str:
        message, arguments = match.groups()
        values = f", {arguments}" if arguments else ""
        called = f"ptr @$n.message, i64 {layout.MESSAGE_BYTES}, ptr @$n.text.{message}{values}"
        return f"  call i32 (ptr, i64, ptr, ...) @snprintf({called})"

    text = _TELL.sub(tell, _STORE.sub(store, _LOAD.sub(load, text)))
    return Template(text).substitute({**NUMBERS, **names})


def byte_text(text: str) -> tuple[int, str]:
    """How many bytes a C string has, and the string as LLVM writes it between quotes."""
    data = text.encode("utf-8", "replace") + b"\0"
    plain = frozenset(range(0x20, 0x7F)) - {ord('"'), ord("\\"), ord("$")}
    return len(data), "".join(chr(byte) if byte in plain else f"\\{byte:02X}" for byte in data)


def string_constant(name: str, text: str) -> str:
    """A C string of that name."""
    size, data = byte_text(text)
    return f'@{name} = internal constant [{size} x i8] c"{data}"'


def hex_text(data: bytes) -> str:
    """Bytes as LLVM writes them between quotes."""
    return "".join(f"\\{byte:02X}" for byte in data)
