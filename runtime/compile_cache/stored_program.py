"""A compiled program as bytes, and back.

    magic, checksum (16 bytes, of all that follows), length of the header (8 bytes), header, blobs

The header is JSON: the key of the program, its signature, sizes of memory, call targets as MLIR writes attributes, and
the lengths of the blobs, which are the machine code, the large constants, and LLVM IR with lines where these are known.
Reading never runs what it reads; `stored_header.py` takes nothing in the header for granted.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, overload

from ...properties import cached_property
from ..compiled_program import CompiledProgram, LocatedCode
from ..element_types import dtype_name, dtype_named
from ..signature import Signature, TensorSpec
from .stored_header import DamagedError, Header

if TYPE_CHECKING:
    from ...lowering.to_llvm.module_tables import CallTarget
    from ..sharding.spread import Spread

MAGIC = b"xdsl-xla program 2\n"
CHECKSUM_BYTES = 16
LENGTH_BYTES = 8
START = len(MAGIC) + CHECKSUM_BYTES


NUMBERS = ("threads", "arena_bytes", "thread_scratch_bytes", "kernels", "replicas", "partitions")
FLAGS = ("stoppable", "brief")


class NotStorableError(Exception):
    """A program that would not be the same when it is read back."""


def to_bytes(key: str, program: CompiledProgram) -> bytes:
    """The program `key`. Raises `NotStorableError`."""
    if program.sites:
        raise NotStorableError  # it counts in a table of this process
    header: dict[str, Any] = {
        "key": key,
        "symbol": program.symbol,
        "denormals": program.denormals,
        **_signature_as_json(program.signature),
        "spread": None if program.spread is None else _spread_as_json(program.spread),
        "call_targets": [target.name for target in program.call_targets],
        "call_target_table": _text_of_targets(program.call_targets) if program.call_targets else "",
        "donated": list(program.donated),
        "marks": list(program.marks),
        "registered": dict(program.registered),
        **{name: getattr(program, name) for name in (*NUMBERS, *FLAGS)},
        "objects": [len(data) for data in program.objects],
        "constants": [len(data) for data in program.constants],
        "located": None if program.located is None else _located_as_json(program.located),
    }
    text, located = json.dumps(header).encode(), _texts_of(program)
    blobs = (*program.objects, *program.constants, *located)
    content = b"".join((len(text).to_bytes(LENGTH_BYTES, "little"), text, *blobs))
    return MAGIC + _checksum(content) + content


def _texts_of(program: CompiledProgram) -> list[bytes]:
    return [] if program.located is None else [part.text.encode() for part in program.located.parts]


def _located_as_json(located: LocatedCode) -> dict[str, Any]:
    parts = located.parts
    return {
        "opt_level": located.opt_level,
        "tiers": [part.tier.value for part in parts],
        "shared": [int(part.shared) for part in parts],
        "texts": [len(part.text.encode()) for part in parts],
    }


def _located(header: Header | None, texts: Sequence[bytes]) -> LocatedCode | None:
    """Raises `DamagedError`."""
    if header is None:
        return None
    from ...dialects.llvm_parts import Part, Tier

    tiers, shared = header.texts("tiers"), header.numbers("shared")
    if not len(tiers) == len(shared) == len(texts):
        raise DamagedError
    parts = [
        Part(text.decode(), Tier(tier), bool(is_shared), len(texts) == 1)
        for text, tier, is_shared in zip(texts, tiers, shared, strict=True)
    ]
    return LocatedCode(parts, header.number("opt_level"))


def _signature_as_json(signature: Signature) -> dict[str, Any]:
    return {
        "entry": signature.entry,
        "inputs": [_spec_as_json(spec) for spec in signature.inputs],
        "outputs": [_spec_as_json(spec) for spec in signature.outputs],
        "argument_types": signature.argument_types,
        "result_types": signature.result_types,
    }


def _spread_as_json(spread: Spread) -> dict[str, Any]:
    from .stored_spread import sharding_as_json

    return {
        **_signature_as_json(spread.signature),
        "devices": spread.devices,
        "given": list(map(sharding_as_json, spread.inputs)),
        "returned": list(map(sharding_as_json, spread.outputs)),
    }


def from_bytes(key: str, data: bytes) -> CompiledProgram:
    """The program that `to_bytes` made these bytes of. Raises `DamagedError`."""
    content = memoryview(data)[START:]
    if not data.startswith(MAGIC) or _checksum(content) != data[len(MAGIC) : START]:
        raise DamagedError
    end = LENGTH_BYTES + int.from_bytes(content[:LENGTH_BYTES], "little")
    try:
        header = Header(json.loads(bytes(content[LENGTH_BYTES:end])))
        if header.text("key") != key:
            raise DamagedError
        return _program(header, content[end:])
    except (ValueError, RecursionError):  # no JSON, or brackets without end
        raise DamagedError from None


def _program(header: Header, blobs: memoryview) -> CompiledProgram:
    objects, constants = (list(header.numbers(name)) for name in ("objects", "constants"))
    located = header.optional("located")
    texts = () if located is None else located.numbers("texts")
    if sum(objects) + sum(constants) + sum(texts) != len(blobs):
        raise DamagedError
    ends = list(accumulate((*objects, *constants, *texts), initial=0))
    parts = [bytes(blobs[start:end]) for start, end in pairwise(ends)]
    others = len(objects) + len(constants)
    signature = header.signature()
    names = header.texts("call_targets")
    table = header.text("call_target_table")
    if bool(names) != bool(table):
        raise DamagedError
    return CompiledProgram(
        parts[: len(objects)],
        header.symbol("symbol"),
        signature,
        constants=parts[len(objects) : others],
        located=_located(located, parts[others:]),
        call_targets=StoredCallTargets(names, table) if names else (),
        registered=header.texts_by_name("registered"),
        donated=header.donated(signature),
        marks=header.marks(signature),
        sites=(),
        spread=_spread(header.optional("spread")),
        denormals=header.text("denormals"),
        **{name: header.number(name) for name in NUMBERS},
        **{name: header.flag(name) for name in FLAGS},
    )


def _spread(header: Header | None) -> Spread | None:
    if header is None:
        return None
    from .stored_spread import spread_of

    given, returned = header.field("given"), header.field("returned")
    return spread_of(header.signature(), header.number("devices"), given, returned)


def _checksum(content: bytes | memoryview) -> bytes:
    return hashlib.blake2b(content, digest_size=CHECKSUM_BYTES).digest()


def _spec_as_json(spec: TensorSpec) -> list[Any]:
    name = dtype_name(spec.dtype)
    if dtype_named(name) != spec.dtype:
        raise NotStorableError
    return [spec.name, spec.shape, name, spec.bounded]


class StoredCallTargets(Sequence["CallTarget"]):
    """Call targets whose text is parsed when they are used."""

    def __init__(self, names: Sequence[str], text: str) -> None:
        self.names = names
        self._text = text

    @cached_property
    def _targets(self) -> Sequence[CallTarget]:
        return _targets_of_text(self._text)

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, index: int) -> CallTarget: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[CallTarget]: ...
    def __getitem__(self, index: int | slice) -> CallTarget | Sequence[CallTarget]:
        return self._targets[index]


def _text_of_targets(targets: Sequence[CallTarget]) -> str:
    """The table as an attribute. Raises `NotStorableError` where its text is another table."""
    from xdsl.dialects.builtin import ArrayAttr
    from xdsl.utils.exceptions import DiagnosticException

    from ...dialects.printing import ExactPrinter

    output = io.StringIO()
    ExactPrinter(output, print_generic_format=True).print_attribute(
        ArrayAttr([target.attribute() for target in targets])
    )
    text = output.getvalue()
    try:
        if _targets_of_text(text) == list(targets):
            return text
    except DiagnosticException:
        pass
    raise NotStorableError


def _targets_of_text(text: str) -> list[CallTarget]:
    from ...dialects.fast_tokens import TokenParser
    from ...lowering.to_llvm.module_tables import targets_of_attribute
    from ..program_context import new_context

    return targets_of_attribute(TokenParser(new_context(), text, "<call targets>").parse_attribute())
