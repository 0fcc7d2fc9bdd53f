"""What a dialect of ours is made of, and how its operations are printed."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation


def ops_of(module: ModuleType) -> list[type[IRDLOperation]]:
    """The operations a module defines, in order: classes with a name of their own."""
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and value.__module__ == module.__name__
        and IRDLOperation in value.__mro__  # `issubclass` asks every class of ops there is
        and "name" in vars(value)
    ]


def printed_generically(ops: Iterable[type[IRDLOperation]]) -> list[type[Operation]]:
    """`ops`, which print in generic form from now on and read both forms.

    For ops on levels that otherwise are upstream's: a tool that does not know them reads the generic form
    (`mlir-opt --allow-unregistered-dialect`).
    """
    printed: list[type[Operation]] = []
    for op in ops:
        op.print = Operation.print
        printed.append(op)
    return printed
