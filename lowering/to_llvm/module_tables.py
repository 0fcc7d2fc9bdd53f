"""What a module after `convert-to-llvm` says about the tables of its context: large constants and call targets."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
)
from xdsl.dialects.llvm import GlobalOp
from xdsl.ir import Attribute

from ...dialects.xrt_names import CALL_TARGET_TABLE, CONSTANT_INDEX, PROFILE, SAFEPOINTS
from .types import is_integer


class CallTarget(NamedTuple):
    """What one `xrt.call_target` calls; equal calls share an entry of the table."""

    name: str
    signature: FunctionType
    options: DictionaryAttr

    def attribute(self) -> DictionaryAttr:
        """As an entry of the module's table."""
        return DictionaryAttr({"target": StringAttr(self.name), "signature": self.signature, "options": self.options})


def collect_call_targets(module: ModuleOp) -> list[CallTarget]:
    """The call targets of a module after `convert-to-llvm`, by index in the table."""
    table = module.attributes.get(CALL_TARGET_TABLE)
    return [] if table is None else targets_of_attribute(table)


def targets_of_attribute(table: Attribute) -> list[CallTarget]:
    """The call targets in a table of the form of the attribute `CALL_TARGET_TABLE`."""
    entries = [entry.data for entry in cast("ArrayAttr[Any]", table)]
    return [CallTarget(entry["target"].data, entry["signature"], entry["options"]) for entry in entries]


def has_safepoints(module: ModuleOp) -> bool:
    """Whether a module after `convert-to-llvm` can be stopped while it runs; others are over soon."""
    return SAFEPOINTS in module.attributes


def constant_bytes(value: DenseIntOrFPElementsAttr[Any]) -> bytes:
    """The constant as it lies in memory: dense, row-major, little-endian, a byte for each `i1`.

    A splat that stores one element only is spelled out.
    """
    data = value.data.data
    element = value.get_element_type()
    size = prod(value.get_shape()) * element.compile_time_size
    if len(data) != size:
        data = data * (size // len(data))
    if is_integer(element) and (width := element.width.data) < 8:
        mask = (1 << width) - 1
        data = data.translate(bytes(byte & mask for byte in range(256)))
    return data


def collect_sites(module: ModuleOp) -> list[tuple[str, ...]]:
    """What is measured in a module after `convert-to-llvm`, by index in the table of its profile."""
    rows = module.attributes.get(PROFILE)
    if rows is None:
        return []
    return [tuple(cell.data for cell in row) for row in cast("ArrayAttr[ArrayAttr[StringAttr]]", rows)]


def collect_large_constants(module: ModuleOp) -> list[bytes]:
    """The bytes of the large constants of a module after `convert-to-llvm`, by index in the table."""
    table: dict[int, bytes] = {}
    for op in module.body.block.ops:
        if isinstance(op, GlobalOp) and CONSTANT_INDEX in op.attributes:
            index = cast("IntegerAttr[IntegerType]", op.attributes[CONSTANT_INDEX]).value.data
            table[index] = constant_bytes(cast("DenseIntOrFPElementsAttr[Any]", op.value))
    return [table[index] for index in range(len(table))]
