"""LLVM's code generators, for this CPU and for others.

A target machine is costly at first (0.5 ms to make, and 2 ms in the first code it generates, for all that it knows of
the CPU), and serves one compilation at a time. So those that have been made are kept, and lent.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import llvmlite.binding  # pyright: ignore[reportMissingTypeStubs]

llvm: Any = llvmlite.binding  # has no type annotations


class Processor(NamedTuple):
    """A CPU that code is generated for, as LLVM calls it."""

    triple: str
    cpu: str
    features: str
    """`+avx2,-sse4a,...`."""


_idle: dict[tuple[Processor | None, int], list[Any]] = {}
"""By CPU and level of the code generator the machines that nobody uses."""


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
def initialize_others() -> None:
    """Lets LLVM know the CPUs it does not run on."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()


@cache
def host_processor() -> Processor:
    """The CPU this process runs on."""
    initialize()
    return Processor(llvm.get_default_triple(), llvm.get_host_cpu_name(), host_features())


@contextmanager
def target_machine(opt_level: int, processor: Processor | None = None) -> Generator[Any]:
    """A code generator of level 0 to 3 for `processor`, by default this one, for one user at a time."""
    idle = _idle.setdefault((processor, opt_level), [])
    try:
        machine = idle.pop()
    except IndexError:
        machine = _new_target_machine(opt_level, processor or host_processor())
    yield machine
    idle.append(machine)  # not one that an exception has left in some state


def _new_target_machine(opt_level: int, processor: Processor) -> Any:
    return llvm.Target.from_triple(processor.triple).create_target_machine(
        cpu=processor.cpu, features=processor.features, opt=opt_level, reloc="pic", codemodel="small", jit=True
    )


@cache
def module_target(processor: Processor | None = None) -> tuple[str, str]:
    """The triple and the data layout of modules for `processor`, by default this one."""
    with target_machine(0, processor) as machine:
        return machine.triple, str(machine.target_data)
