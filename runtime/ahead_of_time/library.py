"""`compile_library`: a StableHLO program to objects for a library, with what they need."""

from __future__ import annotations

import hashlib
import keyword
import re
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llvmlite.binding  # pyright: ignore[reportMissingTypeStubs]
from xdsl.dialects.builtin import ModuleOp

from ...decisions.denormals import Denormals
from ...decisions.model import CostModel
from ...dialects.llvm_parts import Part, Tier
from ...errors import ArgumentError, UnknownTargetError, UnsupportedError
from ...reference.c_targets import NativeTarget
from ...reference.custom_calls import TARGETS
from ..compilation import compile_program
from ..compiled_program import CompiledProgram
from ..compiler import Request, definitions_of, denormals_mode, schedules_for
from ..engine import compile_part
from ..garbage_collection import CyclicGCPaused
from ..llvm_pipeline import Options
from ..sources import Source, contents_of
from ..target_machines import Processor, host_processor
from ..threads import MAX_THREADS, default_threads
from . import layout
from .code import LibraryCode, ObjectFile
from .elf import data_object, joined
from .interface_code import interface_code
from .model_tables import ModelTables
from .processors import architecture, cost_model, processor
from .targets import linked_targets

llvm: Any = llvmlite.binding  # has no type annotations

MOST_LINKED_CONSTANTS = 1 << 30
"""Bytes of constants that a library may carry: code reaches 2 GiB far."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)

_TAKEN = frozenset(
    """alignas alignof and asm auto bitand bitor bool break case catch char class compl concept const consteval
    constexpr constinit continue decltype default delete do double else enum explicit export extern false float for
    friend goto if inline int long main mutable namespace new noexcept not nullptr operator or private protected
    public register requires restrict return short signed sizeof static struct switch template this throw true try
    typedef typeid typename union unsigned using virtual void volatile wchar_t while xla xla_model xor std""".split()
)
"""Names that C and C++ have other uses for."""


@dataclass(frozen=True)
class LibraryOptions:
    """How a library is made; the defaults are those of `compile`, for one CPU of this kind.

    `name` goes in front of every name of the interface. `constants_in_file`: large constants are not linked into the
    library but in a file of their own. `custom_calls`: names of C functions that custom calls of the program call.
    """

    name: str
    threads: int | None = None
    pipeline: str = "xla-cpu"
    entry: str | None = None
    vector_bits: int | None = None
    opt_level: int = 2
    donate: bool = False
    cost_model: CostModel | None = None
    schedules: str | None = None
    triple: str | None = None
    cpu: str | None = None
    features: str | None = None
    constants_in_file: bool = False
    custom_calls: Sequence[str] = ()
    denormals: Denormals | None = None
    passes: Sequence[object] = ()


@dataclass(frozen=True)
class Library:
    """A model to be linked: objects, and what their interface is."""

    tables: ModelTables
    program: CompiledProgram
    objects: Sequence[ObjectFile]
    constants_file: bytes | None
    """The contents of the file with the constants, if they are in one."""

    @property
    def name(self) -> str:
        return self.tables.name


def model_name(file: str) -> str:
    """A name for the model in `file`."""
    stem = re.sub(r"[^A-Za-z0-9_]", "_", Path(file).stem)
    if not _NAME.fullmatch(stem):
        stem = f"model_{stem.lstrip('_')}".rstrip("_")
    return f"{stem}_model" if stem in _TAKEN or keyword.iskeyword(stem) else stem


def check_name(name: str) -> None:
    """Raises `ArgumentError` for what C, C++ or Python do not take."""
    if not _NAME.fullmatch(name) or name in _TAKEN or keyword.iskeyword(name) or name.startswith("xla_"):
        raise ArgumentError(f"name: expected a name that C, C++ and Python have no use for, got '{name}'")


def compile_library(source: Source, options: LibraryOptions, *, filename: str | None = None) -> Library:
    """The library of a program. Raises what `compile` raises, and `UnsupportedError` for what needs Python."""
    check_name(options.name)
    target = processor(options.triple, options.cpu, options.features)
    threads = _threads(options.threads, target)
    contents, filename = contents_of(source, filename)
    model = options.cost_model or cost_model(target, threads)
    schedules = schedules_for(source, options.schedules)
    if target != host_processor():
        schedules = schedules._replace(databases=())  # of searches on this CPU
    request = Request(
        threads,
        options.pipeline,
        options.entry,
        options.vector_bits,
        options.opt_level,
        None,
        None,
        options.donate,
        model,
        schedules,
        definitions=definitions_of(options.passes),
        denormals=denormals_mode(options.denormals),
    )
    code = LibraryCode(options.name, target)
    with CyclicGCPaused(), _registered(options.custom_calls):
        program = _compiled(contents, filename, request, code)
        _check_grid(program)
        tables, constants_file = _tables(program, code, target, options)
    objects = [_interface(tables, target), *code.objects]
    if constants_file is None and program.constants:
        objects.append(_linked_constants(tables, objects[0].data))
    return Library(tables, program, objects, constants_file)


def _compiled(contents: str | bytes | ModuleOp, filename: str, request: Request, code: LibraryCode) -> CompiledProgram:
    """The program; its objects are in `code`. A target that nobody knows here may be a C function."""
    try:
        return compile_program(contents, filename, request, {}, generate=code)
    except UnknownTargetError as error:
        name = error.target
        raise UnsupportedError(
            f"custom call target @{name} is not known; if it is a C function, say so: --custom-call {name}",
            location=error.location,
        ) from None


def _threads(asked: int | None, target: Processor) -> int:
    """By default as many as this machine has, of which others know nothing."""
    if asked is None:
        return default_threads() if target.triple == host_processor().triple else 1
    if not 1 <= asked <= MAX_THREADS:
        raise ArgumentError(f"argument threads: expected an integer from 1 to {MAX_THREADS}, got {asked}")
    return asked


@contextmanager
def _registered(names: Iterable[str]) -> Generator[None]:
    """The names of C functions are known to the compiler, which calls none of them."""
    before = dict(TARGETS)
    TARGETS.update({name: NativeTarget(1) for name in names})
    try:
        yield
    finally:
        TARGETS.clear()
        TARGETS.update(before)


def _check_grid(program: CompiledProgram) -> None:
    if (program.replicas, program.partitions) != (1, 1):
        raise UnsupportedError(
            f"a program for {program.replicas} replicas and {program.partitions} partitions: a library runs one process"
        )


def _tables(
    program: CompiledProgram, code: LibraryCode, target: Processor, options: LibraryOptions
) -> tuple[ModelTables, bytes | None]:
    """The tables of the interface, and the file with the constants, if there is to be one."""
    header = file = None
    if options.constants_in_file and program.constants:
        data = joined(program.constants)
        digest = hashlib.blake2b(data, digest_size=layout.CONSTANTS_DIGEST_BYTES).digest()
        header = layout.CONSTANTS_MAGIC.ljust(layout.CONSTANTS_HEADER_BYTES - len(digest), b"\0") + digest
        file = header + data
    parts = program.signature.parts()
    tables = ModelTables(
        options.name,
        code.symbol(program.symbol),
        target,
        parts.inputs,
        parts.outputs,
        {result: argument for argument, result in program.donated},
        linked_targets(options.name, program.call_targets),
        program.constants,
        header,
        program.arena_bytes,
        program.thread_scratch_bytes,
        program.threads,
    )
    return tables, file


def _linked_constants(tables: ModelTables, like: bytes) -> ObjectFile:
    size = sum(map(len, tables.constants))
    if size > MOST_LINKED_CONSTANTS:
        raise UnsupportedError(
            f"{size} bytes of constants are too many for a library, which takes {MOST_LINKED_CONSTANTS}: put them in a"
            " file (--constants FILE)"
        )
    return data_object(like, tables.constants_symbol, joined(tables.constants))


PUBLIC = ("create", "destroy", "run", "stop", "get_info", "status_message", "error_message")
"""The functions of the interface, behind the name of the model and `_`."""


def _interface(tables: ModelTables, target: Processor) -> ObjectFile:
    if target.triple.startswith(("x86_64", "amd64")) and host_processor().triple.startswith(("x86_64", "amd64")):
        llvm.initialize_native_asmparser()
    plain = plainest(target)
    part = Part(interface_code(tables), Tier.LOOPS)
    object_code = compile_part(part, Options(1), plain).object_code
    return ObjectFile(object_code, [f"{tables.name}_{function}" for function in PUBLIC])


def plainest(target: Processor) -> Processor:
    """The plainest CPU of the same triple."""
    return Processor(target.triple, "x86-64" if architecture(target.triple) == "x86_64" else "generic", "")
