"""LLVM IR text to native code in this process, through llvmlite.

Optimisation by LLVM's new pass manager for the host CPU, then a relocatable object, which ORC's
JITLink places in memory. Going through an object keeps optimising, generating and loading
separate: what `xla-opt -t obj` writes is what runs here. Code is position-independent with the
small code model, so constants are addressed relative to the program counter.

Generated code may call what LLVM makes of intrinsics (`memcpy`, `fmod`, ...): those symbols come
from the process.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import llvmlite.binding  # pyright: ignore[reportMissingTypeStubs]

from ..errors import InternalError

llvm: Any = llvmlite.binding  # has no type annotations


@dataclass(frozen=True)
class Options:
    """`opt_level` 0 to 3, for the optimiser and the code generator alike.

    Level 3 takes a fifth longer than level 2 and, on the benchmarks, gains nothing: the passes have already done what
    it adds.
    """

    opt_level: int = 2


UNROLLED_BLOCKS = 100
"""Modules with more basic blocks are optimised without LLVM's loop unrolling.

Unrolling doubles the time of a compilation. It gains nothing for the vectorised loops that make up a large program, but
half the time of a small one that copies short rows.
"""

DEFAULT_OPTIONS = Options()

_library_numbers = itertools.count()


@cache
def _initialize() -> None:
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
def target_machine(opt_level: int) -> Any:
    """The code generator for this CPU."""
    _initialize()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=host_features(),
        opt=opt_level,
        reloc="pic",
        codemodel="small",
        jit=True,
    )


@cache
def _jit() -> Any:
    _initialize()
    return llvm.create_lljit_compiler(use_jit_link=True)


def parse(text: str, options: Options = DEFAULT_OPTIONS) -> Any:
    """The LLVM module of `text`, verified. Raises `InternalError` where LLVM rejects it."""
    machine = target_machine(options.opt_level)
    try:
        module = llvm.parse_assembly(text)
        module.verify()
    except RuntimeError as error:
        message = " ".join(str(error).split())
        raise InternalError(f"LLVM rejects the generated code: {message}") from None
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    return module


def optimize(text: str, options: Options = DEFAULT_OPTIONS) -> Any:
    """The LLVM module of `text` after LLVM's optimisation pipeline."""
    module = parse(text, options)
    run_optimizer(module, options)
    return module


def run_optimizer(module: Any, options: Options = DEFAULT_OPTIONS) -> None:
    """Run LLVM's optimisation pipeline on `module` in place."""
    blocks = sum(1 for function in module.functions for _ in function.blocks)
    tuning = llvm.create_pipeline_tuning_options(options.opt_level)
    tuning.loop_vectorization = options.opt_level > 1
    tuning.slp_vectorization = options.opt_level > 1
    tuning.loop_interleaving = options.opt_level > 1
    tuning.loop_unrolling = options.opt_level > 2 or (options.opt_level == 2 and blocks <= UNROLLED_BLOCKS)
    builder = llvm.create_pass_builder(target_machine(options.opt_level), tuning)
    builder.getModulePassManager().run(module, builder)


def emit_assembly(module: Any, options: Options = DEFAULT_OPTIONS) -> str:
    """The module as assembly for the host."""
    return target_machine(options.opt_level).emit_assembly(module)


def emit_object(module: Any, options: Options = DEFAULT_OPTIONS) -> bytes:
    """The module as a relocatable object for the host."""
    return target_machine(options.opt_level).emit_object(module)


class NativeCode:
    """Code placed in memory; its addresses are valid as long as this object lives."""

    def __init__(self, object_code: bytes, symbols: Iterable[str]) -> None:
        """Load `object_code` and look up `symbols`. Raises `InternalError` for an unresolved
        symbol.
        """
        library = llvm.JITLibraryBuilder().add_object_img(object_code).add_current_process()
        for symbol in symbols:
            library.export_symbol(symbol)
        # ORC never forgets the name of a library, so each one gets its own.
        name = f"xdsl_xla.{next(_library_numbers)}"
        try:
            self._tracker = library.link(_jit(), name)
        except RuntimeError as error:
            message = " ".join(str(error).split())
            raise InternalError(f"the generated code does not link: {message}") from None

    def address(self, symbol: str) -> int:
        """Where `symbol` is."""
        return self._tracker[symbol]
