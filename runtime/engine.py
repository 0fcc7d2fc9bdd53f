"""LLVM IR text to native code in this process, through llvmlite.

Optimisation for the host CPU (`llvm_pipeline.py` says which), then relocatable objects, which ORC's
JITLink places in memory. Going through objects keeps optimising, generating and loading
separate: `xla-opt -t obj` writes what runs here as one. Code is position-independent with the
small code model, so constants are addressed relative to the program counter.

Generated code may call what LLVM makes of intrinsics (`memcpy`, `fmod`, ...): those symbols come
from the process.
"""

from __future__ import annotations

import ctypes
import itertools
import time
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

import llvmlite.binding  # pyright: ignore[reportMissingTypeStubs]

from ..errors import InternalError
from .llvm_pipeline import DEFAULT_OPTIONS, Options, optimizer

if TYPE_CHECKING:
    from .llvm_partition import Part

llvm: Any = llvmlite.binding  # has no type annotations
ffi: Any = llvmlite.binding.ffi


MAX_PARTS = 8

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
def _host() -> tuple[str, str]:
    """The name and the features of this CPU, for LLVM."""
    _initialize()
    return llvm.get_host_cpu_name(), host_features()


def _new_target_machine(opt_level: int) -> Any:
    cpu, features = _host()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=cpu, features=features, opt=opt_level, reloc="pic", codemodel="small", jit=True
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


def optimize(text: str, options: Options = DEFAULT_OPTIONS) -> Any:
    """The LLVM module of `text`, each part of it after the passes that part goes through."""
    from .llvm_partition import partition

    modules = [_optimized_part(part, options) for part in partition(text, 1)]
    for module in modules[1:]:
        modules[0].link_in(module)
    return modules[0]


def _optimized_part(part: Part, options: Options) -> Any:
    machine = target_machine(options.codegen_level(part.tier))
    module = parse(part.text, machine)
    if (passes := optimizer(machine, part.tier, options)) is not None:
        passes.manager.run(module, passes.builder)
    return module


class _PartCompilation:
    """One part of a program on its way through LLVM, in a context of its own."""

    def __init__(self, part: Part, options: Options) -> None:
        self._context = llvm.create_context()
        self._machine = _new_target_machine(options.codegen_level(part.tier))
        self._module = parse(part.text, self._machine, self._context)
        self._optimizer = optimizer(self._machine, part.tier, options)
        self.object_code = b""
        self.seconds = 0.0, 0.0
        """What optimising took, and generating code."""

    def run(self) -> None:
        """Optimise and generate code. Several parts may do so at once: they share no LLVM context."""
        began = time.perf_counter()
        if (passes := self._optimizer) is not None:
            _unlocked("LLVMPY_RunNewModulePassManager")(passes.manager, self._module, passes.builder)
        optimized = time.perf_counter()
        with ffi.OutputString() as error:
            buffer = _unlocked("LLVMPY_TargetMachineEmitToMemory")(self._machine, self._module, 1, error)
            if not buffer:
                raise InternalError(f"LLVM cannot generate code: {error}")
        try:
            start, size = ffi.lib.LLVMPY_GetBufferStart(buffer), ffi.lib.LLVMPY_GetBufferSize(buffer)
            self.object_code = ctypes.string_at(start, size)
        finally:
            ffi.lib.LLVMPY_DisposeMemoryBuffer(buffer)
        self.seconds = optimized - began, time.perf_counter() - optimized


def _unlocked(name: str) -> Any:
    """A function of llvmlite's C library without the lock that lets one thread at a time into LLVM.

    The lock guards LLVM's global context, which parts do not use.
    """
    function = getattr(ffi.lib, name)
    return getattr(function, "_cfn", function)


def compile_objects(
    text: str, options: Options = DEFAULT_OPTIONS, jobs: int = 1, record: Callable[[str, float], None] | None = None
) -> list[bytes]:
    """The relocatable objects of the parts of the program `text`, compiled by up to `jobs` threads.

    `record` is told the seconds that each step took: parsing, then what all threads did at once, in shares.
    """
    # What only a compilation needs is imported by it: programs from the cache start without.
    from concurrent.futures import ThreadPoolExecutor

    from .llvm_partition import partition

    start = time.perf_counter()
    parts = partition(text, min(jobs, MAX_PARTS))
    compilations = [_PartCompilation(part, options) for part in parts]
    parsed = time.perf_counter()
    if jobs == 1 or len(parts) == 1:
        for compilation in compilations:
            compilation.run()
    else:
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(_PartCompilation.run, compilations))
    if record:
        both = [sum(seconds) for seconds in zip(*(compilation.seconds for compilation in compilations), strict=True)]
        share = (time.perf_counter() - parsed) / sum(both)
        record("llvm-parse", parsed - start)
        record("llvm-optimize", both[0] * share)
        record("llvm-generate-code", both[1] * share)
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
