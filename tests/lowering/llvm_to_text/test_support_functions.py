"""What generated code calls of its own: valid LLVM IR by itself, and the budget that a call of `xrt.spend` takes."""

from __future__ import annotations

import ctypes

import llvmlite.binding as llvm
import pytest
from xdsl_xla.dialects.llvm_parts import Tier
from xdsl_xla.dialects.xrt_names import FETCH, SPEND
from xdsl_xla.lowering.llvm_to_text.support_functions import SUPPORT_FUNCTIONS
from xdsl_xla.lowering.to_llvm import context_layout as slots

Safepoint = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)


def loaded(name: str) -> tuple[object, int]:
    """An engine that holds the function, and its address; it is hidden from other modules only."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(SUPPORT_FUNCTIONS[name].definition.replace("define hidden", "define"))
    engine = llvm.create_mcjit_compiler(module, llvm.Target.from_default_triple().create_target_machine())
    engine.finalize_object()
    return engine, engine.get_function_address(name)


@pytest.mark.parametrize("name", SUPPORT_FUNCTIONS)
def test_declared_as_defined(name: str) -> None:
    function = SUPPORT_FUNCTIONS[name]
    defined = llvm.parse_assembly(function.definition)
    defined.verify()
    (declared,) = llvm.parse_assembly(function.declaration).functions
    assert declared.name == name and str(declared.type) == str(defined.get_function(name).type)
    assert function.part.text == function.definition
    assert (function.part.tier, function.part.shared) == (Tier.TILES, True)


@pytest.mark.parametrize(
    ("before", "work", "answer", "asked", "left"),
    [(10, 4, 0, 0, 6), (4, 4, 0, 0, 0), (3, 4, 99, 1, 99), (3, 4, -1, 1, -1)],
)
def test_spending(before: int, work: int, answer: int, asked: int, left: int) -> None:
    """The safepoint is asked when less than nothing is left; its answer is the new budget."""
    engine, address = loaded(SPEND)
    spend = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)(address)
    process, context = (ctypes.c_void_p * 32)(), (ctypes.c_void_p * 32)()
    contexts: list[int | None] = []

    def safepoint(given: int | None) -> int:
        contexts.append(given)
        return answer

    callback = Safepoint(safepoint)
    process[slots.SAFEPOINT] = ctypes.cast(callback, ctypes.c_void_p).value
    context[slots.PROCESS] = ctypes.addressof(process)
    counter = ctypes.c_int64(before)
    assert spend(ctypes.addressof(counter), work, ctypes.addressof(context)) == left == counter.value
    assert contexts == [ctypes.addressof(context)] * asked
    assert engine is not None


def test_fetching_changes_nothing() -> None:
    engine, address = loaded(FETCH)
    data = ctypes.create_string_buffer(bytes(range(256)) * 2)
    fetch = ctypes.CFUNCTYPE(None, ctypes.c_void_p, *[ctypes.c_int64] * 3)(address)
    fetch(ctypes.addressof(data), 4, 2, 256)
    assert data.raw[:-1] == bytes(range(256)) * 2
    assert engine is not None
