"""`compile`: a StableHLO program to an `Executable`.

Parse and verify, run a pipeline of passes down to the llvm dialect, print LLVM IR, optimise it,
generate code, load it. Every step is timed, and with `dump_dir` its result is written to a file.
"""

from __future__ import annotations

import contextlib
import gc
import os
import time
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.dialects.llvm import FuncOp as LLVMFuncOp
from xdsl.utils.arg_spec import ParameterListType

from ..dialects.printing import ExactPrinter
from ..errors import XlaError
from ..reference.processes import ProcessGrid
from .engine import NativeCode, Options, compile_objects, emit_assembly, optimize
from .executable import Executable, StructuredExecutable
from .formats import read_program
from .mlir_text import new_context, parse_module, verify_module
from .pass_manager import PassRun, PipelineError, parse_passes, run_passes
from .signature import Signature, isolate_entry, read_signature, resolve_entry
from .threads import default_threads, effective_threads

Source = str | bytes | os.PathLike[str] | ModuleOp


def compile(
    source: Source,
    *,
    threads: int | None = None,
    pipeline: str = "xla-cpu",
    entry: str | None = None,
    vector_bits: int | None = None,
    opt_level: int = 2,
    dump_dir: str | os.PathLike[str] | None = None,
    verify: bool = False,
    filename: str | None = None,
    signature: Signature | None = None,
    replicas: int | None = None,
    partitions: int | None = None,
    seed: int = 0,
) -> Executable:
    '''Compile a StableHLO program for this machine.

    `source` is a path or the contents of a file in a form of `runtime/formats.py` (MLIR text or bytecode, HLO text,
    what `jax.export` serializes), or a module (which stays as it is). `threads`: for parallel
    loops, by default `OMP_NUM_THREADS` or the CPUs of this process. `pipeline`: pass names and
    named pipelines, as for `xla-opt -p`. `entry`: the function to execute, by default `main` or
    the only public one. `vector_bits`: generate code for vectors of this width instead of that of
    the CPU. `opt_level`: LLVM's, 0 to 3. `dump_dir`: a directory, created if need be, that
    receives the IR after every step. `verify`: check the IR after every pass. `filename`: what errors
    call the source, if it is text. `signature`: given, the source has been through some passes already and
    `pipeline` is the rest; it says what the arguments and results are called on level 0. `replicas` and `partitions`:
    how many processes run the program side by side (`run_grid`), by default what the attributes `mhlo.num_replicas` and
    `mhlo.num_partitions` of the module say, otherwise 1. `seed`: that of `rng` ops.

    Raises `XlaError`: `InvalidProgramError` for text that does not parse or verify,
    `UnsupportedError` for programs the compiler cannot lower.

    >>> negate = compile("""
    ...   func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
    ...     %0 = stablehlo.negate %x : tensor<2xi32>
    ...     return %0 : tensor<2xi32>
    ...   }""")
    >>> negate([1, 2])
    (array([-1, -2], dtype=int32),)
    '''
    options = Options(opt_level)
    with _cyclic_gc_paused():
        job = _Compilation(effective_threads(threads), _Dump.to(dump_dir))
        with job.step("parse"):
            context = new_context()
            module = _load(source, filename, context)
        with job.step("verify"):
            verify_module(module)
            if signature is None:
                function = resolve_entry(module, entry)
                signature = read_signature(function)
                isolate_entry(module, function)
            job.look_at(module)
        grid = (
            _count(module, "mhlo.num_replicas") if replicas is None else replicas,
            _count(module, "mhlo.num_partitions") if partitions is None else partitions,
        )
        defaults: dict[str, ParameterListType] = {
            "threads": (job.threads,),
            "replicas": grid[:1],
            "partitions": grid[1:],
        }
        if vector_bits is not None:
            defaults["vector_bits"] = (vector_bits,)
        with job.step("import passes"):
            passes = parse_passes(pipeline, defaults=defaults)
        run_passes(context, module, passes, observe=job.after_pass, verify=verify)
        return job.finish(module, signature, options, ProcessGrid(*grid), seed)


def _count(module: ModuleOp, name: str) -> int:
    """The number of replicas or partitions that the module says it is for."""
    value = module.attributes.get(name)
    return value.value.data if isinstance(value, IntegerAttr) else 1


def _load(source: Source, filename: str | None, context: Context) -> ModuleOp:
    if isinstance(source, ModuleOp):
        return source.clone()
    if isinstance(source, str) and any(mark in source for mark in "\n{("):
        return parse_module(source, filename or "<text>", context)
    if isinstance(source, bytes):
        return read_program(source, filename or "<bytes>", context)
    path = Path(source)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise XlaError(f"{path}: {error.strerror}") from error
    return read_program(data, filename or os.fspath(path), context)


@contextlib.contextmanager
def _cyclic_gc_paused() -> Generator[None]:
    """IR is one big cycle: collecting while it grows only costs time, half of that of many
    passes.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@dataclass
class _Dump:
    """A directory that receives numbered files."""

    directory: Path
    count: int = 0

    @staticmethod
    def to(directory: str | os.PathLike[str] | None) -> _Dump | None:
        if directory is None:
            return None
        path = Path(directory)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise XlaError(f"{path}: {error.strerror}") from error
        return _Dump(path)

    def write(self, name: str, text: str) -> None:
        self.count += 1
        (self.directory / f"{self.count:02}_{name}").write_text(text, encoding="utf-8")

    def write_module(self, name: str, module: ModuleOp) -> None:
        self.count += 1
        path = self.directory / f"{self.count:02}_{name}.mlir"
        with path.open("w", encoding="utf-8") as file:
            ExactPrinter(file).print_op(module)
            file.write("\n")


@dataclass
class _Compilation:
    """What accumulates while a program goes down the levels."""

    threads: int
    dump: _Dump | None
    timings: dict[str, float] = field(default_factory=dict[str, float])
    arena_bytes: int = 0
    kernels: int = 0

    def record(self, name: str, seconds: float) -> None:
        """Note how long a step took; one that runs again gets a number."""
        unique, repetition = name, 1
        while unique in self.timings:
            repetition += 1
            unique = f"{name} #{repetition}"
        self.timings[unique] = seconds

    @contextlib.contextmanager
    def step(self, name: str) -> Generator[None]:
        start = time.perf_counter()
        yield
        self.record(name, time.perf_counter() - start)

    def after_pass(self, run: PassRun, module: ModuleOp) -> None:
        self.record(run.name, run.seconds)
        if self.dump is not None:
            self.dump.write_module(run.name, module)
        self.look_at(module)

    def look_at(self, module: ModuleOp) -> None:
        """Note what levels above the last one know about memory and kernels."""
        functions = [op for op in module.body.ops if isinstance(op, FuncOp)]
        if functions:
            self.kernels = sum("xrt.kernel" in function.attributes for function in functions)
        for function in functions:
            if (size := _arena_bytes(function)) is not None:
                self.arena_bytes = size

    def finish(
        self, module: ModuleOp, signature: Signature, options: Options, grid: ProcessGrid, seed: int
    ) -> Executable:
        """From the llvm dialect to loaded code."""
        from ..lowering.llvm_to_text import emit
        from ..lowering.to_llvm.context_layout import collect_call_targets, collect_large_constants

        symbol = _entry_symbol(module, signature)
        with self.step("llvm-emit"):
            text = emit(module)
        if self.dump is not None:
            self.dump.write("llvm.ll", text)
        if self.dump is not None:
            llvm_module = optimize(text, options)
            self.dump.write("llvm-opt.ll", str(llvm_module))
            self.dump.write("native.s", emit_assembly(llvm_module, options))
        with self.step("llvm"):
            objects = compile_objects(text, options, default_threads())
        with self.step("load"):
            code = NativeCode(objects, [symbol])
            executable = Executable if signature.is_plain else StructuredExecutable
            if signature.is_bounded:
                from .bounded_executable import BoundedExecutable, StructuredBoundedExecutable

                executable = BoundedExecutable if signature.is_plain else StructuredBoundedExecutable
            return executable(
                code,
                signature,
                symbol=symbol,
                threads=self.threads,
                constants=collect_large_constants(module),
                call_targets=collect_call_targets(module),
                arena_bytes=self.arena_bytes,
                kernels=self.kernels,
                object_bytes=sum(map(len, objects)),
                timings=self.timings,
                grid=grid,
                seed=seed,
            )


def _arena_bytes(function: FuncOp) -> int | None:
    """Size of the arena that an entry function takes as its last argument, if it has come that
    far.
    """
    inputs = function.attributes.get("xrt.num_inputs")
    outputs = function.attributes.get("xrt.num_outputs")
    if not isinstance(inputs, IntegerAttr) or not isinstance(outputs, IntegerAttr):
        return None
    types = function.function_type.inputs.data
    if len(types) <= inputs.value.data + outputs.value.data:
        return None
    arena = types[-1]
    return arena.get_shape()[0] if isinstance(arena, MemRefType) else None


def _entry_symbol(module: ModuleOp, signature: Signature) -> str:
    """The name of the entry function in the llvm dialect."""
    names = [op.sym_name.data for op in module.body.ops if isinstance(op, LLVMFuncOp)]
    if signature.entry not in names:
        raise PipelineError(f"the pipeline does not lower '@{signature.entry}' to the llvm dialect")
    return signature.entry
