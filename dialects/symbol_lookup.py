"""`SymbolTable.lookup_symbol` that walks over a module once, not once for each call of a function."""

from __future__ import annotations

from threading import local
from weakref import ref

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.traits import SymbolOpInterface, SymbolTable

_lookup = SymbolTable.lookup_symbol


class _Index(local):
    """The symbols of the table that this thread has looked into last. It keeps none of the ops alive."""

    table: ref[Operation] | None = None
    ops: dict[str, ref[Operation]] = {}


_index = _Index()


def lookup_symbol(op: Operation, name: str | StringAttr | SymbolRefAttr) -> Operation | None:
    """`SymbolTable.lookup_symbol`. Of two ops of one name, which no valid table has, either may be found."""
    if isinstance(name, SymbolRefAttr):
        if name.nested_references.data:
            return _lookup(op, name)
        name = name.root_reference
    wanted = name if isinstance(name, str) else name.data
    table: Operation | None = op
    while table is not None and not table.has_trait(SymbolTable):
        table = table.parent_op()
    if table is None:
        return _lookup(op, name)
    found = _known(table, wanted)
    if found is None:
        _index.table, _index.ops = ref(table), _symbols(table)
        found = _known(table, wanted)
    return found


def _known(table: Operation, name: str) -> Operation | None:
    if _index.table is None or _index.table() is not table or (found := _index.ops.get(name)) is None:
        return None
    op = found()
    return op if op is not None and op.parent is table.regions[0].block and _name(op) == name else None


def _name(op: Operation) -> str | None:
    trait = op.get_trait(SymbolOpInterface)
    symbol = None if trait is None else trait.get_sym_attr_name(op)
    return None if symbol is None else symbol.data


def _symbols(table: Operation) -> dict[str, ref[Operation]]:
    symbols: dict[str, ref[Operation]] = {}
    for op in table.regions[0].block.ops:
        if (name := _name(op)) is not None:
            symbols.setdefault(name, ref(op))
    return symbols
