"""Properties of ops of any dialect in bytecode of version 5 and later, in the form that MLIR generates for them: one
attribute after the other, by name; those that may be left out with a flag; the sizes of groups of operands and results
as an attribute in front, or, from version 6 on, as numbers at the end.

Source: mlir/tools/mlir-tblgen/OpDefinitionsGen.cpp, `genPropertiesSupportForBytecode`; for lists of numbers
mlir/include/mlir/Bytecode/BytecodeImplementation.h, `writeSparseArray`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute
from xdsl.irdl import AttrSizedSegments, IRDLOperation, OptAttributeDef, OptPropertyDef

from ...errors import InvalidProgramError
from .container import Container, Version
from .stream import Stream
from .vhlo_ops import ADDED

LATER: dict[str, tuple[str, ...]] = {
    "builtin.module": ("sym_visibility",),
    "func.call": ("arg_attrs", "no_inline", "res_attrs"),
    "func.func": ("no_inline",),
}
"""Optional properties of MLIR's ops that xDSL's have not."""


NEWER: dict[str, tuple[str, ...]] = {
    f"stablehlo.{name}": names for name, names in ADDED.items() if name not in ("dynamic_gather", "gather", "scatter")
}
"""Properties that writers of today may not know yet."""


class Property(NamedTuple):
    """A property that is an attribute."""

    name: str
    is_optional: bool


class Properties(NamedTuple):
    """Those of an op, in the order in which they are written."""

    attributes: tuple[Property, ...]
    segments: tuple[str, ...]
    """The names of the sizes of groups of operands and results."""


@lru_cache(512)
def properties_of(op_class: type[IRDLOperation]) -> Properties:
    """The properties that ops of a class are written with."""
    definition = op_class.get_irdl_definition()
    segments = sorted(
        option.attribute_name
        for option in definition.options
        if isinstance(option, AttrSizedSegments) and option.as_property
    )
    everything = {**definition.attributes, **definition.properties}  # xDSL's ops have some as attributes
    declared = [
        Property(name, isinstance(each, OptPropertyDef | OptAttributeDef) or each.default_value is not None)
        for name, each in everything.items()
        if name not in segments
    ]
    later = [Property(name, True) for name in LATER.get(op_class.name, ()) if name not in everything]
    return Properties(tuple(sorted((*declared, *later))), tuple(segments))


def read_native(op_class: type[IRDLOperation], container: Container, stream: Stream) -> dict[str, Attribute]:
    """The properties of an op, or of that op before it had its newest ones: what is read is all there is."""
    attributes, segments = properties_of(op_class)
    newer = NEWER.get(op_class.name)
    if newer is not None:
        whole = stream.copy()
        try:
            found = _read(op_class, container, whole, attributes, segments)
            if not whole.left:
                stream.position = whole.position
                return found
        except InvalidProgramError:
            pass  # it is shorter
        attributes = tuple(each for each in attributes if each.name not in newer)
    return _read(op_class, container, stream, attributes, segments)


def _read(
    op_class: type[IRDLOperation],
    container: Container,
    stream: Stream,
    attributes: tuple[Property, ...],
    segments: tuple[str, ...],
) -> dict[str, Attribute]:
    found: dict[str, Attribute] = {}
    if container.version < Version.NUMBERS_OF_SEGMENTS:
        for name in segments:
            found[name] = container.attribute(stream)
    for name, is_optional in attributes:
        index, present = stream.flagged_varint() if is_optional else (stream.varint(), True)
        if present:
            found[name] = container.attribute_at(stream, index)
    if container.version >= Version.NUMBERS_OF_SEGMENTS:
        for name in segments:
            found[name] = DenseArrayBase.from_list(i32, _numbers(stream, _group_count(op_class, name)))
    return found


def _group_count(op_class: type[IRDLOperation], name: str) -> int:
    definition = op_class.get_irdl_definition()
    return len(definition.results if name.startswith("result") else definition.operands)


def _numbers(stream: Stream, count: int) -> list[int]:
    """A list of `count` numbers: all of them, or those that are not zero with their places."""
    length, is_sparse = stream.flagged_varint()
    if length > count:
        raise stream.error(f"{length} sizes of {count} groups of values")
    numbers = [0] * count
    if not is_sparse:
        for index in range(length):
            numbers[index] = stream.varint()
        return numbers
    bits = stream.varint() if length else 0
    if bits > 8:
        raise stream.error(f"places of {bits} bits")
    for _ in range(length):
        value = stream.varint()
        index = value & ((1 << bits) - 1)
        if index >= count:
            raise stream.error(f"group number {index} of {count}")
        numbers[index] = value >> bits
    return numbers
