"""Symbols are found as xDSL finds them, whatever has happened to the module since the last time."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.traits import SymbolTable
from xdsl_xla.dialects.symbol_lookup import lookup_symbol


def module_of(*names: str) -> ModuleOp:
    return ModuleOp([FuncOp.external(name, [], []) for name in names])


def functions(module: ModuleOp) -> list[Operation]:
    return list(module.body.block.ops)


def test_every_form_of_name() -> None:
    module = module_of("a", "b")
    first, second = functions(module)
    assert lookup_symbol(module, "a") is first
    assert lookup_symbol(second, StringAttr("b")) is second
    assert lookup_symbol(first, SymbolRefAttr("b")) is second
    assert lookup_symbol(first, "c") is None


def test_nested_references() -> None:
    inner = ModuleOp([FuncOp.external("f", [], [])], sym_name=StringAttr("inner"))
    module = ModuleOp([inner])
    assert lookup_symbol(module, SymbolRefAttr("inner", ["f"])) is inner.body.block.first_op


def test_changes_are_seen() -> None:
    module = module_of("a", "b")
    first, second = functions(module)
    assert lookup_symbol(module, "b") is second
    second.properties["sym_name"] = StringAttr("renamed")
    assert lookup_symbol(module, "b") is None
    assert lookup_symbol(module, "renamed") is second
    new = FuncOp.external("b", [], [])
    module.body.block.insert_op_before(new, first)
    assert lookup_symbol(module, "b") is new
    first.detach()
    assert lookup_symbol(module, "a") is None


def test_modules_of_one_thread_are_told_apart() -> None:
    one, other = module_of("a"), module_of("a")
    for _ in range(2):
        assert lookup_symbol(one, "a") is one.body.block.first_op
        assert lookup_symbol(other, "a") is other.body.block.first_op


def test_op_outside_of_a_module() -> None:
    lonely = FuncOp.external("f", [], [])
    for lookup in (SymbolTable.lookup_symbol, lookup_symbol):
        with pytest.raises(ValueError, match="no SymbolTable ancestor"):
            lookup(lonely, "f")
