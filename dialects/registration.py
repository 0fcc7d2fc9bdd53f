"""Finding the operations a module defines, so that no list of them has to be kept."""

from __future__ import annotations

from types import ModuleType

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
