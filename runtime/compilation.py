"""A program on its way down the levels, to machine code.

Parse and verify, run a pipeline of passes down to the llvm dialect, print LLVM IR, optimise it, generate code. Every
step is timed, and with a directory for dumps its result is written to a file.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.dialects.llvm import FuncOp as LLVMFuncOp
from xdsl.utils.arg_spec import ParameterListType

from ..dialects.editing import discard
from ..dialects.faster_xdsl import faster_xdsl
from ..dialects.printing import ExactPrinter
from ..errors import XlaError
from ..lowering.llvm_to_text import emit
from ..lowering.tensor_to_memref.donation import noted
from ..lowering.to_llvm.module_tables import collect_call_targets, collect_large_constants
from .compile_cache.registered_targets import kinds_of_targets
from .compiled_program import CompiledProgram
from .compiler import Request
from .engine import compile_objects, emit_assembly, optimize
from .entry import isolate_entry, read_signature, resolve_entry
from .formats import read_program
from .llvm_pipeline import Options
from .mlir_text import new_context, verify_module
from .pass_manager import PassRun, PipelineError, parse_passes, run_passes
from .signature import Signature
from .threads import default_threads


@faster_xdsl()
def compile_program(
    source: str | bytes | ModuleOp,
    filename: str,
    request: Request,
    timings: dict[str, float],
    *,
    signature: Signature | None = None,
    dump_dir: str | os.PathLike[str] | None = None,
    verify: bool = False,
) -> CompiledProgram:
    """The program in machine code. `timings` receives the seconds of each step, the others are those of `compile`."""
    job = _Compilation(request, _Dump.to(dump_dir), timings)
    with job.step("parse"):
        context = new_context()
        module = _load(source, filename, context)
    with job.step("verify"):
        verify_module(module)
        if signature is None:
            function = resolve_entry(module, request.entry)
            signature = read_signature(function)
            isolate_entry(module, function)
        job.look_at(module)
    registered = kinds_of_targets(module)
    replicas = _count(module, "mhlo.num_replicas") if request.replicas is None else request.replicas
    partitions = _count(module, "mhlo.num_partitions") if request.partitions is None else request.partitions
    defaults: dict[str, ParameterListType] = {
        "threads": (request.threads,),
        "replicas": (replicas,),
        "partitions": (partitions,),
    }
    if request.vector_bits is not None:
        defaults["vector_bits"] = (request.vector_bits,)
    if request.donate and signature.is_plain and not signature.is_bounded:
        defaults["donate"] = (True,)
    with job.step("import passes"):
        passes = parse_passes(request.pipeline, defaults=defaults)
    run_passes(context, module, passes, observe=job.after_pass, verify=verify)
    symbol = _entry_symbol(module, signature)
    with job.step("llvm-emit"):
        text = emit(module)
        constants, call_targets = collect_large_constants(module), collect_call_targets(module)
    return CompiledProgram(
        job.machine_code(text, meanwhile=lambda: discard(module)),
        symbol,
        signature,
        constants=constants,
        call_targets=call_targets,
        registered=registered,
        donated=job.donated,
        threads=request.threads,
        arena_bytes=job.arena_bytes,
        thread_scratch_bytes=job.thread_scratch_bytes,
        kernels=job.kernels,
        replicas=replicas,
        partitions=partitions,
    )


def _count(module: ModuleOp, name: str) -> int:
    """The number of replicas or partitions that the module says it is for."""
    value = module.attributes.get(name)
    return value.value.data if isinstance(value, IntegerAttr) else 1


def _load(source: str | bytes | ModuleOp, filename: str, context: Context) -> ModuleOp:
    if isinstance(source, ModuleOp):
        return source.clone()
    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    return read_program(data, filename, context)


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

    request: Request
    dump: _Dump | None
    timings: dict[str, float]
    arena_bytes: int = 0
    thread_scratch_bytes: int = 0
    donated: tuple[tuple[int, int], ...] = ()
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
        kernels: int | None = None
        for op in module.body.block.ops:
            if op.__class__ is not FuncOp:
                continue
            kernels = kernels or 0
            attributes = op.attributes
            if not attributes:
                continue
            if "xrt.kernel" in attributes:
                kernels += 1
            if pairs := noted(attributes):
                self.donated = pairs
            if (size := _arena_bytes(cast(FuncOp, op))) is not None:
                self.arena_bytes = size
            scratch = attributes.get("xrt.thread_scratch_bytes")
            if scratch.__class__ is IntegerAttr:
                self.thread_scratch_bytes = cast("IntegerAttr[Any]", scratch).value.data
        if kernels is not None:
            self.kernels = kernels

    def machine_code(self, text: str, meanwhile: Callable[[], None]) -> list[bytes]:
        """From LLVM IR to relocatable objects."""
        options = Options(self.request.opt_level)
        if self.dump is not None:
            self.dump.write("llvm.ll", text)
            llvm_module = optimize(text, options)
            self.dump.write("llvm-opt.ll", str(llvm_module))
            self.dump.write("native.s", emit_assembly(llvm_module, options))
        return compile_objects(text, options, default_threads(), self.record, meanwhile)


def _arena_bytes(function: FuncOp) -> int | None:
    """Size of the arena that an entry function takes as its last argument, if it has come that
    far.
    """
    inputs = function.attributes.get("xrt.num_inputs")
    outputs = function.attributes.get("xrt.num_outputs")
    if inputs is None or not isinstance(inputs, IntegerAttr) or not isinstance(outputs, IntegerAttr):
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
