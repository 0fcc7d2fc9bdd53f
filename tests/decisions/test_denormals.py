"""The control words of floating-point units, as LLVM has them."""

from __future__ import annotations

from typing import Any

import llvmlite.binding  # pyright: ignore[reportMissingTypeStubs]
import pytest
from xdsl_xla.decisions.denormals import DEFAULT, FLOAT_CONTROLS, FLUSH, LLVM_MODES, MODES
from xdsl_xla.decisions.target import ARCHITECTURES, Target, architecture_of, from_features

llvm: Any = llvmlite.binding

INSTRUCTIONS = {"x86_64": ("stmxcsr", "ldmxcsr"), "aarch64": ("FPCR", "FPCR")}


@pytest.mark.parametrize("architecture", FLOAT_CONTROLS)
def test_instructions(architecture: str) -> None:
    control = FLOAT_CONTROLS[architecture]
    read, write = ("void", "ptr") if control.through_memory else (f"i{control.bits}", f"i{control.bits}")
    argument = "ptr %p" if control.through_memory else ""
    value = "ptr %p" if control.through_memory else f"i{control.bits} {control.flush}"
    text = f"""
    declare {read} @{control.read}({"ptr" if control.through_memory else ""})
    declare void @{control.write}({write})
    define void @f(ptr %p) {{
      call {read} @{control.read}({argument})
      call void @{control.write}({value})
      ret void
    }}"""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(f"{architecture}-linux-gnu").create_target_machine()
    assembly = machine.emit_assembly(llvm.parse_assembly(text, llvm.create_context()))
    assert all(instruction in assembly for instruction in INSTRUCTIONS[architecture])


def test_bits() -> None:
    assert {name: control.flush for name, control in FLOAT_CONTROLS.items()} == {"x86_64": 0x8040, "aarch64": 0x1000000}


def test_modes() -> None:
    assert DEFAULT == FLUSH
    assert set(LLVM_MODES) == set(MODES)


def test_architectures() -> None:
    assert set(FLOAT_CONTROLS) == set(ARCHITECTURES)
    for name, spellings in ARCHITECTURES.items():
        for spelling in spellings:
            assert architecture_of(f"{spelling}-unknown-linux-gnu") == name
            assert from_features({}, f"{spelling}-linux-gnu").architecture == name
    assert from_features({}, "riscv64-linux-gnu").architecture == architecture_of("riscv64") == ""
    assert Target().architecture == Target(vector_bits=128).architecture
