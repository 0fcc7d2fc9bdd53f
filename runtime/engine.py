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
import sys
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import llvmlite.binding  # pyright: ignore[reportMissingTypeStubs]

from ..decisions.linking import LIBRARIES
from ..dialects.llvm_parts import Part
from ..errors import InternalError
from ..locks import RenewedLock, in_forked_processes
from .kept_objects import kept_object
from .llvm_pipeline import DEFAULT_OPTIONS, Options, optimizer
from .llvm_threads import gate, settled
from .llvm_workers import Job, is_interrupted, results_of, workers
from .target_machines import Processor, initialize, module_target, target_machine

if TYPE_CHECKING:
    pass

llvm: Any = llvmlite.binding  # has no type annotations
ffi: Any = llvmlite.binding.ffi


MAX_PARTS = 8

_library_numbers = itertools.count()


@lru_cache(2)
def _linker(number: int) -> Any:
    """One of those that follow each other. It ends when it is not among the last ones and nothing has its code."""
    del number
    initialize()
    return llvm.create_lljit_compiler(use_jit_link=True)


def parse(text: str, context: Any, processor: Processor | None = None) -> Any:
    """The LLVM module of `text` for `processor`, by default this one, verified.

    Raises `InternalError` where LLVM rejects it.
    """
    triple, data_layout = module_target(processor)
    whole = f'target triple = "{triple}"\ntarget datalayout = "{data_layout}"\n{text}'
    with ffi.OutputString() as error:
        module = llvm.ModuleRef(_unlocked("LLVMPY_ParseAssembly")(context, whole.encode(), error), context)
        rejected = error or _unlocked("LLVMPY_VerifyModule")(module, error)
        if rejected:
            module.close()
            message = " ".join(str(error).split())
            raise InternalError(f"LLVM rejects the generated code: {message}") from None
    return module


def optimize(parts: Sequence[Part], options: Options = DEFAULT_OPTIONS) -> Any:
    """The LLVM module of a program, each part of it after the passes that part goes through."""
    context = llvm.create_context()
    with gate:
        modules = [_optimized_part(part, options, context) for part in parts]
    for module in modules[1:]:
        modules[0].link_in(module)
    return modules[0]


def _optimized_part(part: Part, options: Options, context: Any) -> Any:
    module = parse(part.text, context)
    with target_machine(options.codegen_level(part.tier)) as machine:
        if (passes := optimizer(machine, part.tier, options)) is not None:
            passes.manager.run(module, passes.builder)
    return module


class CompiledPart(NamedTuple):
    """One part of a program after LLVM."""

    object_code: bytes
    seconds: tuple[float, float, float]
    """What parsing, optimising and generating code took."""


def compile_part(
    part: Part,
    options: Options,
    processor: Processor | None = None,
    prepare: Callable[[Any], None] | None = None,
) -> CompiledPart:
    """Parse, optimise and generate code, in a context of its own: several parts may do so at once.

    `processor`: the CPU to generate code for, by default this one; `prepare` changes the module before anything else.
    """
    start = time.perf_counter()
    module = parse(part.text, llvm.create_context(), processor)
    if prepare is not None:
        prepare(module)
    parsed = time.perf_counter()
    with target_machine(options.codegen_level(part.tier), processor) as machine:
        if (passes := optimizer(machine, part.tier, options)) is not None:
            _unlocked("LLVMPY_RunNewModulePassManager")(passes.manager, module, passes.builder)
        optimized = time.perf_counter()
        with ffi.OutputString() as error:
            buffer = _unlocked("LLVMPY_TargetMachineEmitToMemory")(machine, module, 1, error)
            if not buffer:
                raise InternalError(f"LLVM cannot generate code: {error}")
    try:
        code = ctypes.string_at(ffi.lib.LLVMPY_GetBufferStart(buffer), ffi.lib.LLVMPY_GetBufferSize(buffer))
    finally:
        ffi.lib.LLVMPY_DisposeMemoryBuffer(buffer)
    return CompiledPart(code, (parsed - start, optimized - parsed, time.perf_counter() - optimized))


@lru_cache(1 << 8)
def _shared_object(part: Part, options: Options) -> bytes:
    """The object of a part that is the same in other programs."""
    return kept_object(part, options, lambda part, options: compile_part(part, options).object_code)


def _object_of(part: Part, options: Options) -> CompiledPart:
    with gate:
        return CompiledPart(_shared_object(part, options), (0, 0, 0)) if part.shared else compile_part(part, options)


def _unlocked(name: str) -> Any:
    """A function of llvmlite's C library without the lock that lets one thread at a time into LLVM.

    The lock guards LLVM's global context, which parts do not use.
    """
    function = getattr(ffi.lib, name)
    return getattr(function, "_cfn", function)


def compile_objects(
    parts: Iterable[Part],
    options: Options = DEFAULT_OPTIONS,
    jobs: int = 1,
    record: Callable[[str, float], None] | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> list[bytes]:
    """The relocatable objects of the parts of a program, compiled by up to `jobs` threads, each part as it comes: by
    others while this one makes the parts, and by this one as well when all are made, if no signal interrupts it.

    `record` is told the seconds that each step took behind the last part: what all threads did at once, in shares.
    `meanwhile` runs in this thread first.
    """
    with settled(), _SHORT_TURNS, _started(parts, options, jobs) as started:
        start = time.perf_counter()
        if meanwhile:
            meanwhile()
        compiled = [part for parts in results_of(started) for part in parts]
    if record:
        parsing, optimizing, generating = map(sum, zip(*(part.seconds for part in compiled), strict=True))
        share = (time.perf_counter() - start) / (parsing + optimizing + generating)
        record("llvm-parse", parsing * share)
        record("llvm-optimize", optimizing * share)
        record("llvm-generate-code", generating * share)
    return [part.object_code for part in compiled]


@contextmanager
def _started(parts: Iterable[Part], options: Options, jobs: int) -> Generator[list[Job[list[CompiledPart]]]]:
    """What computes what the parts become. Nothing of it starts any more where the block raises."""
    coming = iter(parts)
    first = list(itertools.islice(coming, 1))
    started: list[Job[list[CompiledPart]]] = []
    stopped: list[bool] = []

    def compiled(*parts: Part) -> list[CompiledPart]:
        return [_object_of(part, options) for part in parts if not stopped]

    try:
        if jobs <= 1 or all(part.alone for part in first):
            started.append(workers(int(is_interrupted())).submit(compiled, *first, *coming))
        else:
            pool = workers(jobs if is_interrupted() else jobs - 1)
            for part in itertools.chain(first, coming):
                started.append(pool.submit(compiled, part))
        yield started
    finally:
        stopped.append(True)


class _ShortTurns:
    """Threads need Python's lock for a moment before and after LLVM, and the thread that makes the next part keeps it:
    they would wait for 5 ms each time. The first of several that compile at once shortens turns, the last one restores
    them.
    """

    def __init__(self) -> None:
        self._lock = RenewedLock()
        self._usual: list[float] = []
        in_forked_processes(self._end)

    def __enter__(self) -> None:
        with self._lock.current:
            self._usual.append(self._usual[0] if self._usual else sys.getswitchinterval())
            sys.setswitchinterval(2e-5)

    def __exit__(self, *exception: object) -> None:
        with self._lock.current:
            usual = self._usual.pop() if self._usual else None
            if usual is not None and not self._usual:
                sys.setswitchinterval(usual)

    def _end(self) -> None:
        """In a forked process: the threads that compile are not there."""
        if self._usual:
            sys.setswitchinterval(self._usual[0])
            self._usual.clear()


_SHORT_TURNS = _ShortTurns()


def emit_assembly(module: Any, options: Options = DEFAULT_OPTIONS) -> str:
    """The module as assembly for the host."""
    with target_machine(options.opt_level) as machine:
        return machine.emit_assembly(module)


def emit_object(module: Any, options: Options = DEFAULT_OPTIONS) -> bytes:
    """The module as a relocatable object for the host."""
    with target_machine(options.opt_level) as machine:
        return machine.emit_object(module)


class NativeCode:
    """Code placed in memory; its addresses are valid as long as this object lives."""

    def __init__(self, objects: Iterable[bytes], symbols: Iterable[str]) -> None:
        """Link `objects` and look up `symbols`. Raises `InternalError` for an unresolved symbol."""
        library = llvm.JITLibraryBuilder().add_current_process()
        for object_code in objects:
            library.add_object_img(object_code)
        for symbol in symbols:
            library.export_symbol(symbol)
        number = next(_library_numbers)
        try:
            with settled():
                self._tracker = library.link(_linker(number // LIBRARIES), f"xdsl_xla.{number}")
        except RuntimeError as error:
            message = " ".join(str(error).split())
            raise InternalError(f"the generated code does not link: {message}") from None

    def address(self, symbol: str) -> int:
        """Where `symbol` is."""
        return self._tracker[symbol]
