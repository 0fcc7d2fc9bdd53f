"""LLVM's code generators for this CPU.

A target machine is costly at first (0.5 ms to make, and 2 ms in the first code it generates, for all that it knows of
the CPU), and serves one compilation at a time. So those that have been made are kept, and lent.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from typing import Any

import llvmlite.binding  # pyright: ignore[reportMissingTypeStubs]

llvm: Any = llvmlite.binding  # has no type annotations

_idle: dict[int, list[Any]] = {}
"""By level of the code generator the machines that nobody uses."""


@cache
def initialize() -> None:
    """Lets LLVM know the CPU it runs on."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def host_features() -> str:
    """LLVM's features of this CPU.

    Some AVX-512 CPUs are tuned to 256-bit vectors for the sake of their clock in mixed workloads.
    Compiled programs are long runs of vector code, for which the full width pays.
    """
    features = llvm.get_host_cpu_features()
    text: str = features.flatten()
    return f"{text},-prefer-256-bit" if features.get("avx512f") else text


@cache
def _host() -> tuple[str, str]:
    """The name and the features of this CPU, for LLVM."""
    initialize()
    return llvm.get_host_cpu_name(), host_features()


@contextmanager
def target_machine(opt_level: int) -> Generator[Any]:
    """A code generator for this CPU, of level 0 to 3, for one user at a time."""
    idle = _idle.setdefault(opt_level, [])
    try:
        machine = idle.pop()
    except IndexError:
        machine = _new_target_machine(opt_level)
    yield machine
    idle.append(machine)  # not one that an exception has left in some state


def _new_target_machine(opt_level: int) -> Any:
    cpu, features = _host()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=cpu, features=features, opt=opt_level, reloc="pic", codemodel="small", jit=True
    )


@cache
def module_target() -> tuple[str, str]:
    """The triple and the data layout of modules for this CPU."""
    with target_machine(0) as machine:
        return machine.triple, str(machine.target_data)
