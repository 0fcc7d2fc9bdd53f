"""A program on its way down the levels, to machine code.

Parse and verify, run a pipeline of passes down to the llvm dialect, print LLVM IR, optimise it, generate code. Every
step is timed, and with a directory for dumps its result is written to a file.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import NamedTuple, TextIO, TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ParameterListType

from ..decisions.model import cost_model_of
from ..dialects import locating
from ..dialects.editing import discard
from ..dialects.limits import MOST_PROCESSES
from ..dialects.llvm_parts import Part
from ..dialects.printing import ExactPrinter
from ..dialects.shared_attributes import forget_attributes
from ..dialects.xrt_attributes import denormals_of
from ..errors import InvalidProgramError, XlaError
from ..lowering.llvm_to_text import emit
from ..lowering.llvm_to_text.parts import emit_parts
from ..lowering.to_llvm.module_tables import (
    collect_call_targets,
    collect_large_constants,
    collect_sites,
    has_safepoints,
)
from ..nesting import at_depth, with_deep_stack
from ..properties import cached_property
from .compile_cache.registered_targets import kinds_of_targets
from .compiled_program import CompiledProgram, LocatedCode, Site
from .compiler import Request
from .dump_form import LOCATIONS
from .engine import MAX_PARTS, compile_objects, emit_assembly, optimize
from .entry import final_signature, open_entry, rename_for_linker
from .extensions.definitions import NOTHING
from .formats import read_program
from .function_stream import Clock, Division, FunctionStream
from .llvm_pipeline import Options
from .located_code import are_wanted_now, noted, with_lines
from .marks import Marks
from .output_files import written
from .pass_manager import PassRun, parse_passes, run_passes
from .program_context import new_context
from .program_facts import lowered_entry, program_facts
from .progress import Progress
from .signature import Signature
from .threads import default_threads
from .verifying import verify_module

CodeGenerator: TypeAlias = Callable[[Iterable[Part], Options], Sequence[bytes]]
"""From LLVM IR to relocatable objects."""


class Preparation(NamedTuple):
    """A program that has been read and verified, and the passes it is to go through."""

    context: Context
    module: ModuleOp
    signature: Signature | None
    """None where it is known behind the passes only."""
    symbol: str
    """What the linker calls the entry."""
    passes: Sequence[ModulePass]
    registered: Mapping[str, str]
    grid: tuple[int, int]
    name: str
    """What the program calls its entry."""
    depth: int
    """How deep the module nests."""
    marks: Marks
    """What the program says of its arguments and results."""


def compile_program(
    source: str | bytes | ModuleOp,
    filename: str,
    request: Request,
    timings: dict[str, float],
    *,
    dump_dir: str | os.PathLike[str] | None = None,
    verify: bool = False,
    generate: CodeGenerator | None = None,
    progress: Progress | None = None,
) -> CompiledProgram:
    """The program in machine code. `timings` receives the seconds of each step, `progress` is told what is done; the
    others are those of `compile`.

    `generate` makes the objects of the parts, if not for this process.

    Below level 1 ops do not say which line they are from unless they are asked to: where one cannot be lowered, the
    passes run once more to find out.
    """
    try:
        return _compiled(source, filename, request, timings, dump_dir, verify, generate, progress)
    except XlaError as error:
        if request.debug_info or error.names_a_line:
            raise
        raise _with_its_line(error, source, filename, request) from error
    finally:
        forget_attributes()


def _with_its_line(error: XlaError, source: str | bytes | ModuleOp, filename: str, request: Request) -> XlaError:
    """`error`, or the same one with the line of the op that has caused it."""
    try:
        _compiled(source, filename, request._replace(debug_info=True), {}, None, False, None, None)
    except XlaError as located:
        if type(located) is type(error) and located.message == error.message and located.names_a_line:
            return located
    return error


def _compiled(
    source: str | bytes | ModuleOp,
    filename: str,
    request: Request,
    timings: dict[str, float],
    dump_dir: str | os.PathLike[str] | None,
    verify: bool,
    generate: CodeGenerator | None,
    progress: Progress | None,
) -> CompiledProgram:
    with locating.locating(request.debug_info):
        job = _Compilation(request, _Dump.to(dump_dir), timings, generate, progress)
        prepared = _prepare(source, filename, job)
        job.passes = len(prepared.passes)

        def lower() -> CompiledProgram:
            locating.adopt()
            is_whole = verify or job.dump is not None
            division = Division(prepared.passes, prepared.module)
            passes = prepared.passes if is_whole else division.whole()
            run_passes(prepared.context, prepared.module, passes, observe=job.after_pass, verify=verify)
            return _finish(prepared, prepared.module, job, () if is_whole else division.in_turn)

        return at_depth(prepared.depth, lower)


def prepare(source: str | bytes | ModuleOp, filename: str, request: Request) -> Preparation:
    """What `compile_program` does in front of the passes."""
    return _prepare(source, filename, _Compilation(request, None, {}))


def finish(prepared: Preparation, module: ModuleOp, request: Request) -> CompiledProgram:
    """What `compile_program` does behind the passes, with what they have made of the module of `prepared`."""
    return _finish(prepared, module, _Compilation(request, None, {}))


def _prepare(source: str | bytes | ModuleOp, filename: str, job: _Compilation) -> Preparation:
    request = job.request
    with job.step("parse"):
        context = new_context(definitions=request.definitions or NOTHING)
        context.cost_model = request.cost_model
        context.schedules = request.schedules.parsed()
        module = load_program(source, filename, context)
        if request.debug_info:
            locating.fill(module)
    with job.step("verify"):
        depth = verify_module(module)
        opened = open_entry(module, request.entry)
        symbol = rename_for_linker(module, opened.name)
    registered = kinds_of_targets(module)
    replicas = _count(module, "mhlo.num_replicas") if request.replicas is None else request.replicas
    partitions = _count(module, "mhlo.num_partitions") if request.partitions is None else request.partitions
    _check_grid(module, replicas, partitions)
    defaults: dict[str, ParameterListType] = {
        "threads": (request.threads,),
        "replicas": (replicas,),
        "partitions": (partitions,),
    }
    if request.vector_bits is not None:
        defaults["vector_bits"] = (request.vector_bits,)
    if request.profile:
        defaults["profile"] = (True,)
    if request.denormals is not None:
        defaults["denormals"] = (request.denormals,)
    if request.donate and opened.donates:
        defaults["donate"] = (True,)
    with job.step("import passes"):
        passes = parse_passes(request.pipeline, None, defaults, request.definitions or NOTHING, deferred=True)
    grid = (replicas, partitions)
    signature = None if opened.signature is None else opened.signature._replace(entry=symbol)
    return Preparation(context, module, signature, symbol, passes, registered, grid, opened.name, depth, opened.marks)


def _finish(
    prepared: Preparation, module: ModuleOp, job: _Compilation, in_turn: Sequence[ModulePass] = ()
) -> CompiledProgram:
    """`in_turn` are the passes that have not run yet."""
    if not in_turn:
        lowered_entry(module, prepared.symbol)
    stream = FunctionStream(prepared.context, module, in_turn, len(prepared.passes) - len(in_turn) + 1)
    functions = cast("Iterable[llvm.FuncOp]", stream) if in_turn else None
    model = cost_model_of(prepared.context).llvm
    emission = Clock()
    parts = emission.timed(emit_parts(module, min(job.jobs, MAX_PARTS), model, functions, job.request.debug_info))
    located: list[Part] = []
    if job.request.debug_info:
        parts = with_lines(parts) if job.wants_tables else noted(parts, located)
    described: list[CompiledProgram] = []

    def describe() -> None:
        for run in stream.runs():
            job.after_pass(run, module)
        job.record("llvm-emit", emission.seconds - stream.seconds)
        if job.dump is not None:
            job.dump.write("llvm.ll", emit(module, debug_info=job.request.debug_info))
        described.append(_description(prepared, module, job))
        discard(module)

    objects = job.machine_code(parts, meanwhile=describe)
    kept = LocatedCode(located, job.request.opt_level) if located else None
    return described[0]._replace(objects=objects, located=kept)


def _description(prepared: Preparation, module: ModuleOp, job: _Compilation) -> CompiledProgram:
    """What the program is and needs, without its code."""
    entry = lowered_entry(module, prepared.symbol)
    signature = prepared.signature or final_signature(entry)
    facts = program_facts(module, entry, signature)
    grid = _count(module, "mhlo.num_replicas"), _count(module, "mhlo.num_partitions")
    if grid != prepared.grid:
        (replicas, partitions), (wanted, parts) = grid, prepared.grid
        raise XlaError(
            f"'@{prepared.name}' has been compiled for {replicas} replicas and {partitions} partitions,"
            f" not for {wanted} and {parts}"
        )
    denormals = denormals_of(module)
    if job.request.denormals not in (None, denormals):
        raise XlaError(
            f"'@{prepared.name}' has been compiled for denormals={denormals or 'those of its caller'}, not for"
            f" denormals={job.request.denormals}"
        )
    return CompiledProgram(
        (),
        prepared.symbol,
        signature._replace(entry=prepared.name),
        constants=collect_large_constants(module),
        call_targets=collect_call_targets(module),
        registered=prepared.registered,
        donated=facts.donated,
        threads=job.request.threads if facts.threads is None else min(job.request.threads, facts.threads),
        arena_bytes=facts.arena_bytes,
        thread_scratch_bytes=facts.thread_scratch_bytes,
        kernels=facts.kernels,
        stoppable=has_safepoints(module),
        brief=facts.brief,
        sites=[Site(*row) for row in collect_sites(module)],
        replicas=grid[0],
        partitions=grid[1],
        denormals=denormals or "",
        marks=prepared.marks,
    )


def _count(module: ModuleOp, name: str) -> int:
    """The number of replicas or partitions that the module says it is for. Raises `InvalidProgramError`."""
    value = module.attributes.get(name)
    if value is None:
        return 1
    if not isinstance(value, IntegerAttr) or value.value.data < 1:
        raise InvalidProgramError(f"'{module.name}' op: {name}: expected a positive integer, got {value}", module)
    return value.value.data


def _check_grid(module: ModuleOp, replicas: int, partitions: int) -> None:
    if min(replicas, partitions) < 1 or replicas * partitions > MOST_PROCESSES:
        raise InvalidProgramError(
            f"{replicas} replicas and {partitions} partitions: expected 1 to {MOST_PROCESSES} processes", module
        )


def load_program(source: str | bytes | ModuleOp, filename: str, context: Context) -> ModuleOp:
    """The module of a program in any form, not verified; a copy of one that is a module already."""
    if isinstance(source, ModuleOp):
        return with_deep_stack(source.clone)
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
        with self._file(name) as file:
            file.write(text)

    def write_module(self, name: str, module: ModuleOp) -> None:
        with self._file(f"{name}.mlir") as file:
            ExactPrinter(file, print_debuginfo=LOCATIONS.get()).print_op(module)
            file.write("\n")

    @contextlib.contextmanager
    def _file(self, name: str) -> Generator[TextIO]:
        """The next file, to be written."""
        self.count += 1
        try:
            with (
                written(self.directory / f"{self.count:02}_{name}") as data,
                TextIOWrapper(data, encoding="utf-8", newline="\n") as text,
            ):
                yield text
        except OSError as error:
            raise XlaError(f"{error.filename}: {error.strerror}") from error


@dataclass
class _Compilation:
    """What accumulates while a program goes down the levels."""

    request: Request
    dump: _Dump | None
    timings: dict[str, float]
    generate: CodeGenerator | None = None
    progress: Progress | None = None
    passes: int = 0
    """How many there are to run."""

    @cached_property
    def jobs(self) -> int:
        """How many threads may be in LLVM."""
        return default_threads()

    @property
    def wants_tables(self) -> bool:
        """Whether LLVM is to make tables of lines now, if lines are known."""
        return self.dump is not None or self.generate is not None or are_wanted_now()

    def record(self, name: str, seconds: float) -> None:
        """Note how long a step took; one that runs again gets a number."""
        if self.progress is not None:
            self.progress.say(f"after {name}")
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
        if self.progress is not None:
            self.progress.say(f"{run.number} of {self.passes} passes, after {run.name}")
        if self.dump is not None:
            self.dump.write_module(run.name, module)

    def machine_code(self, parts: Iterable[Part], meanwhile: Callable[[], None]) -> Sequence[bytes]:
        """From LLVM IR to relocatable objects."""
        options = Options(self.request.opt_level)
        if self.generate is not None:
            parts = list(parts)
            meanwhile()
            return self.generate(parts, options)
        if self.dump is None:
            return compile_objects(parts, options, self.jobs, self.record, meanwhile)
        parts = list(parts)
        meanwhile()
        llvm_module = optimize(parts, options)
        self.dump.write("llvm-opt.ll", str(llvm_module))
        self.dump.write("native.s", emit_assembly(llvm_module, options))
        return compile_objects(parts, options, self.jobs, self.record)
