"""LLVM IR text to native code in this process, through llvmlite.

Optimisation by LLVM's new pass manager for the host CPU, then a relocatable object, which ORC's
JITLink places in memory. Going through an object keeps optimising, generating and loading
separate: what `xla-opt -t obj` writes is what runs here. Code is position-independent with the
small code model, so constants are addressed relative to the program counter.

Generated code may call what LLVM makes of intrinsics (`memcpy`, `fmod`, ...): those symbols come
from the process.
"""

from __future__ import annotations

import ctypes
import dataclasses
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import llvmlite.binding  # pyright: ignore[reportMissingTypeStubs]

from ..errors import InternalError

llvm: Any = llvmlite.binding  # has no type annotations
ffi: Any = llvmlite.binding.ffi


UNROLLED_BLOCKS = 100
"""Programs with more basic blocks are optimised without LLVM's loop unrolling.

Unrolling doubles the time of a compilation. It gains nothing for the vectorised loops that make up a large program, but
half the time of a small one that copies short rows.
"""

BLOCKS_PER_PART = 50
"""Least size of a part that is compiled by a thread of its own: some 50 ms of work."""

MAX_PARTS = 8


@dataclass(frozen=True)
class Options:
    """How LLVM should work.

    `opt_level`, 0 to 3, is that of the optimiser and of the code generator. Level 3 takes a fifth longer than level 2
    and, on the benchmarks, gains nothing: the passes have already done what it adds. `unroll` is whether LLVM unrolls
    loops.
    """

    opt_level: int = 2
    unroll: bool = True

    def for_text(self, text: str) -> Options:
        """These options for the program `text`."""
        from .llvm_partition import count_blocks

        unroll = self.opt_level > 2 or (self.opt_level == 2 and count_blocks(text) <= UNROLLED_BLOCKS)
        return dataclasses.replace(self, unroll=unroll)


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


def _new_target_machine(opt_level: int) -> Any:
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
def target_machine(opt_level: int) -> Any:
    """The code generator for this CPU."""
    return _new_target_machine(opt_level)


@cache
def _jit() -> Any:
    _initialize()
    return llvm.create_lljit_compiler(use_jit_link=True)


def parse(text: str, machine: Any, context: Any = None) -> Any:
    """The LLVM module of `text`, verified. Raises `InternalError` where LLVM rejects it."""
    try:
        module = llvm.parse_assembly(text, context)
        module.verify()
    except RuntimeError as error:
        message = " ".join(str(error).split())
        raise InternalError(f"LLVM rejects the generated code: {message}") from None
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    return module


def _tuning(options: Options) -> Any:
    tuning = llvm.create_pipeline_tuning_options(options.opt_level)
    tuning.loop_vectorization = options.opt_level > 1
    tuning.slp_vectorization = options.opt_level > 1
    tuning.loop_interleaving = options.opt_level > 1
    tuning.loop_unrolling = options.unroll
    return tuning


def optimize(text: str, options: Options = DEFAULT_OPTIONS) -> Any:
    """The LLVM module of `text` after LLVM's optimisation pipeline."""
    options = options.for_text(text)
    machine = target_machine(options.opt_level)
    module = parse(text, machine)
    builder = llvm.create_pass_builder(machine, _tuning(options))
    builder.getModulePassManager().run(module, builder)
    return module


class _PartCompilation:
    """One part of a program on its way through LLVM, in a context of its own."""

    def __init__(self, text: str, options: Options) -> None:
        self._context = llvm.create_context()
        self._machine = _new_target_machine(options.opt_level)
        self._module = parse(text, self._machine, self._context)
        self._builder = llvm.create_pass_builder(self._machine, _tuning(options))
        self._manager = self._builder.getModulePassManager()
        self.object_code = b""

    def run(self) -> None:
        """Optimise and generate code. Several parts may do so at once: they share no LLVM context."""
        _unlocked("LLVMPY_RunNewModulePassManager")(self._manager, self._module, self._builder)
        with ffi.OutputString() as error:
            buffer = _unlocked("LLVMPY_TargetMachineEmitToMemory")(self._machine, self._module, 1, error)
            if not buffer:
                raise InternalError(f"LLVM cannot generate code: {error}")
        try:
            start, size = ffi.lib.LLVMPY_GetBufferStart(buffer), ffi.lib.LLVMPY_GetBufferSize(buffer)
            self.object_code = ctypes.string_at(start, size)
        finally:
            ffi.lib.LLVMPY_DisposeMemoryBuffer(buffer)


def _unlocked(name: str) -> Any:
    """A function of llvmlite's C library without the lock that lets one thread at a time into LLVM.

    The lock guards LLVM's global context, which parts do not use.
    """
    function = getattr(ffi.lib, name)
    return getattr(function, "_cfn", function)


def compile_objects(text: str, options: Options = DEFAULT_OPTIONS, jobs: int = 1) -> list[bytes]:
    """The relocatable objects of the program `text`, compiled by up to `jobs` threads, each making one of them."""
    # What only a compilation needs is imported by it: programs from the cache start without.
    from concurrent.futures import ThreadPoolExecutor

    from .llvm_partition import count_blocks, partition

    options = options.for_text(text)
    parts = partition(text, min(jobs, MAX_PARTS, count_blocks(text) // BLOCKS_PER_PART))
    if len(parts) == 1:
        return [emit_object(optimize(text, options), options)]
    compilations = [_PartCompilation(part, options) for part in parts]
    with ThreadPoolExecutor(len(parts)) as pool:
        list(pool.map(_PartCompilation.run, compilations))
    return [compilation.object_code for compilation in compilations]


def emit_assembly(module: Any, options: Options = DEFAULT_OPTIONS) -> str:
    """The module as assembly for the host."""
    return target_machine(options.opt_level).emit_assembly(module)


def emit_object(module: Any, options: Options = DEFAULT_OPTIONS) -> bytes:
    """The module as a relocatable object for the host."""
    return target_machine(options.opt_level).emit_object(module)


class NativeCode:
    """Code placed in memory; its addresses are valid as long as this object lives."""

    def __init__(self, objects: Iterable[bytes], symbols: Iterable[str]) -> None:
        """Link `objects` and look up `symbols`. Raises `InternalError` for an unresolved symbol."""
        library = llvm.JITLibraryBuilder().add_current_process()
        for object_code in objects:
            library.add_object_img(object_code)
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
