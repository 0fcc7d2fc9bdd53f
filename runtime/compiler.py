"""`compile`: a StableHLO program to an `Executable`.

A program that has been compiled before, with the same options by the same compiler for the same CPU, comes from the
cache (`compile_cache/`), without a single pass being imported; `compilation.py` compiles all others.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, cast, overload

from ..decisions.denormals import MODES, Denormals
from ..errors import ArgumentError
from ..interruptions import is_interruption, none_missed, unwrapped
from ..tracebacks import short_tracebacks
from .compile_cache import folder, plugins, registered_targets
from .compile_cache.key import program_key
from .garbage_collection import CyclicGCPaused
from .options import path_or_none, refuse, text, text_or_none, truth, whole, whole_or_none
from .progress import Progress
from .schedule_texts import ScheduleTexts, beside, schedule_texts
from .sources import Source, contents_of, is_path
from .threads import MAX_THREADS, effective_threads

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..decisions.model import CostModel
    from .compiled_program import CompiledProgram
    from .executable import Executable
    from .extensions.definitions import Definitions
    from .sharding.executable import ShardedExecutable


class Request(NamedTuple):
    """What is asked for besides the program; the options of `compile`, resolved."""

    threads: int
    pipeline: str
    entry: str | None
    vector_bits: int | None
    opt_level: int
    replicas: int | None
    partitions: int | None
    donate: bool
    cost_model: CostModel | None = None
    schedules: ScheduleTexts = ScheduleTexts()
    tuned: bool = False
    """Whether it has been searched for better schedules."""
    definitions: Definitions | None = None
    """The passes, dialects and pipelines of others that are not those of installed packages."""
    debug_info: bool = False
    """Whether the code says which lines it is from."""
    profile: bool = False
    """Whether the code measures what its kernels take."""
    denormals: Denormals | None = None
    """What becomes of subnormal numbers; None: what the program says, or what is done by default."""


class Conduct(NamedTuple):
    """The options of `compile` that say how it goes about it, as they were given."""

    dump_dir: object
    verify: object
    filename: object
    seed: object
    schedules: object
    tune: object
    cache: object


@overload
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
    replicas: int | None = None,
    partitions: int | None = None,
    seed: int = 0,
    donate: bool = False,
    cost_model: CostModel | str | None = None,
    schedules: str | os.PathLike[str] | None = None,
    passes: Iterable[object] = (),
    tune: float | None = None,
    cache: bool | None = None,
    debug_info: bool = False,
    profile: bool = False,
    denormals: str | None = None,
    devices: None = None,
) -> Executable: ...
@overload
def compile(source: Source, *, devices: int, **options: Any) -> ShardedExecutable: ...
@short_tracebacks
@none_missed()
@unwrapped()
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
    replicas: int | None = None,
    partitions: int | None = None,
    seed: int = 0,
    donate: bool = False,
    cost_model: CostModel | str | None = None,
    schedules: str | os.PathLike[str] | None = None,
    passes: Iterable[object] = (),
    tune: float | None = None,
    cache: bool | None = None,
    debug_info: bool = False,
    profile: bool = False,
    denormals: str | None = None,
    devices: int | None = None,
) -> Executable | ShardedExecutable:
    """Compile a StableHLO program for this machine.

    source: a path or the contents of a file (text, or bytes of any kind) in a form of `runtime/formats.py`: MLIR text
        or bytecode, HLO text, what `jax.export` serializes; a module of xDSL, which stays as it is, or of MLIR; what
        `jax.jit(f).lower(...)` or `jax.export.export(f)(...)` returns; an `XlaComputation`
    threads: for parallel loops, by default `OMP_NUM_THREADS` or the CPUs of this process
    pipeline: passes and named pipelines, as for `xla-opt -p`; of a program on its way down, the passes that are left
    entry: the function to execute, by default `main` or the only public one
    vector_bits: generate code for vectors of this width instead of that of the CPU
    opt_level: LLVM's, 0 to 3
    dump_dir, verify: a directory, created if need be, that receives the IR after every pass; check it after each
    filename: what errors call the source, if it is no file
    replicas, partitions: of the grid of processes that run it (`run_grid`), by default what the module says, else 1
    seed: that of `rng` ops; denormals: `flush`, the default, or `preserve` subnormal numbers (`docs/semantics.md`)
    donate: whether calls give away the arguments that the program marks (`tf.aliasing_output`, `jax.buffer_donor`)
    cost_model: the choices of the compiler (`docs/decisions.md`), or their name, by default those for this machine
    schedules: a file of schedules (`docs/schedule.md`) or their text, by default `model.schedules` beside `model.mlir`
    passes: classes or instances of `ModulePass`, and files with passes, for names in `pipeline` (`docs/extending.md`)
    tune: for how many seconds better schedules are searched for, unless that was done before
    cache: whether the compiled program may come from the cache on disk and is kept there, by default unless
        `XDSL_XLA_CACHE` is 0; never with `dump_dir`, `verify`, `profile`, `passes`, or a model without fingerprint
    debug_info, profile: whether code says which lines it is from, and measures its kernels (`docs/profiling.md`)
    devices: over how many a program on whole arrays is spread: a `ShardedExecutable` (`docs/devices.md`)

    Raises `XlaError`: `InvalidProgramError` for a program that does not parse or verify, `UnsupportedError` for one the
    compiler cannot lower, `ArgumentError` for a source that is no program and for options.

    >>> compile("func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {"
    ...         " %0 = stablehlo.negate %x : tensor<2xi32> return %0 : tensor<2xi32> }")([1, 2])
    (array([-1, -2], dtype=int32),)
    """
    request = _request(threads, pipeline, entry, vector_bits, opt_level, replicas, partitions, donate, cost_model)
    request = _noting(request, debug_info, profile, denormals)._replace(definitions=definitions_of(passes))
    conduct = Conduct(dump_dir, verify, filename, seed, schedules, tune, cache)
    return _compile(source, request, conduct) if devices is None else _spread(source, request, devices, conduct)


def _spread(source: Source, request: Request, devices: object, conduct: Conduct) -> ShardedExecutable:
    """The program on several devices: that of each of them is compiled. Raises `ArgumentError`."""
    from ..dialects.limits import MOST_PROCESSES

    wanted = whole("devices", devices, 1, MOST_PROCESSES)
    if request.replicas is not None or request.partitions is not None:
        raise ArgumentError("argument devices: says how many partitions there are; give no replicas or partitions")
    contents, name = contents_of(source, text_or_none("filename", conduct.filename))
    start = time.perf_counter()
    is_plain = conduct.dump_dir is None and conduct.verify is False and conduct.tune is None
    asked = request._replace(schedules=schedules_for(contents, conduct.schedules))
    is_kept = is_plain and _may_be_cached(request, conduct.cache)
    key = _device_key(contents, name, asked, wanted) if is_kept else None
    local = None if key is None else _from_cache(key, start, whole("seed", conduct.seed))
    if local is None:
        local = _compiled_for(contents, asked, wanted, conduct._replace(filename=name), key)
    from .sharding.executable import ShardedExecutable

    return ShardedExecutable(local)


def _compiled_for(
    contents: str | bytes | ModuleOp, request: Request, devices: int, conduct: Conduct, key: str | None
) -> Executable:
    """The program of one of `devices`, partitioned and compiled; it is kept in the cache as `key`."""
    from .sharding.program import program_of_device

    name = text("filename", conduct.filename)
    program = program_of_device(contents, name, devices, request, verify=truth("verify", conduct.verify))
    local_request = request._replace(entry=program.entry, partitions=devices)
    own = conduct if key is None else conduct._replace(cache=False)
    local = _compile(program.module, local_request, own)
    local.spread = program.spread
    if key is not None and key == _device_key(contents, name, request, devices):
        folder.store(key, local.program)
    return local


def _device_key(contents: str | bytes | ModuleOp, filename: str, request: Request, devices: int) -> str | None:
    """The name in the cache of the program of one of `devices`."""
    return _key(contents, filename, request._replace(partitions=devices), "devices")


def _compile(source: Source, request: Request, conduct: Conduct) -> Executable:
    start, tune = time.perf_counter(), conduct.tune
    request = request._replace(schedules=schedules_for(source, conduct.schedules))
    dumps, verifies = path_or_none("dump_dir", conduct.dump_dir), truth("verify", conduct.verify)
    seed, cached = whole("seed", conduct.seed), _may_be_cached(request, conduct.cache)
    contents, name = contents_of(source, text_or_none("filename", conduct.filename))
    if tune is not None:
        request = _tuned(contents, name, request, tune, cached)
        request = request._replace(schedules=schedules_for(source, conduct.schedules))
    if dumps is None and not verifies and cached:
        return _compiled_once(contents, name, request, start, seed)
    return _compiled(contents, name, request, {}, seed, dumps, verifies)


def _request(
    threads: int | None,
    pipeline: str,
    entry: str | None,
    vector_bits: int | None,
    opt_level: int,
    replicas: int | None,
    partitions: int | None,
    donate: bool,
    cost_model: CostModel | str | None,
) -> Request:
    """The options of `compile` that the code depends on. Raises `ArgumentError`."""
    return Request(
        effective_threads(whole_or_none("threads", threads, 1, MAX_THREADS)),
        text("pipeline", pipeline),
        text_or_none("entry", entry),
        whole_or_none("vector_bits", vector_bits),
        whole("opt_level", opt_level, 0, 3),
        whole_or_none("replicas", replicas, 1),
        whole_or_none("partitions", partitions, 1),
        truth("donate", donate),
        _cost_model(cost_model),
    )


def denormals_mode(given: object) -> Denormals | None:
    """The option `denormals`. Raises `ArgumentError`."""
    if given is not None and given not in MODES:
        refuse("denormals", " or ".join(f"'{mode}'" for mode in MODES), given)
    return given


def _noting(request: Request, debug_info: object, profile: object, denormals: object) -> Request:
    """`request` for code that says where it is from, and measures itself. Raises `ArgumentError`."""
    measured, mode = truth("profile", profile), denormals_mode(denormals)
    return request._replace(debug_info=truth("debug_info", debug_info) or measured, profile=measured, denormals=mode)


def _compiled_once(
    contents: str | bytes | ModuleOp, filename: str, request: Request, start: float, seed: int
) -> Executable:
    """The program from the cache, or compiled and put there."""
    key = _key(contents, filename, request)
    if key is None:
        return _compiled(contents, filename, request, {}, seed)
    if (executable := _from_cache(key, start, seed)) is not None:
        return executable
    timings = {"look into the cache": time.perf_counter() - start}
    return _compiled(contents, filename, request, timings, seed, key=key)


def _compiled(
    contents: str | bytes | ModuleOp,
    filename: str,
    request: Request,
    timings: dict[str, float],
    seed: int,
    dump_dir: str | os.PathLike[str] | None = None,
    verify: bool = False,
    key: str | None = None,
) -> Executable:
    """The program after all steps. It is kept in the cache as `key` if that is its name still."""
    with CyclicGCPaused():
        from .compilation import compile_program

        with Progress(f"compiling {filename}") as progress:
            program = compile_program(
                contents, filename, request, timings, dump_dir=dump_dir, verify=verify, progress=progress
            )
        executable = _loaded(program, timings, seed)
        if key is not None and key == _key(contents, filename, request):
            start = time.perf_counter()
            folder.store(key, program)
            timings["store in the cache"] = time.perf_counter() - start
        return executable


def _loaded(program: CompiledProgram, timings: dict[str, float], seed: int) -> Executable:
    from .loading import load

    start = time.perf_counter()
    executable = load(program, timings, seed)
    timings["load"] = time.perf_counter() - start
    return executable


def _cost_model(given: object) -> CostModel | None:
    """What `compile` was given. Raises `ArgumentError` for what is no cost model."""
    if given is None:
        return None
    from ..decisions.model import CostModel

    if isinstance(given, str):
        from .extensions.cost_models import NoCostModelError, cost_model_named

        try:
            return cost_model_named(given)
        except NoCostModelError as error:
            raise ArgumentError(f"argument cost_model: {error}") from error
    if not isinstance(given, CostModel):
        refuse("cost_model", "a CostModel", given)
    return given


def definitions_of(passes: object) -> Definitions | None:
    """What the option `passes` of `compile` defines; None if it is empty.

    Raises `ArgumentError` for what are no passes, and `XlaError` for files without any."""
    if passes == () or passes == []:
        return None
    from .extensions.definitions import definitions_of_objects

    return definitions_of_objects(passes)


def _tuned(contents: str | bytes | ModuleOp, filename: str, request: Request, tune: object, cached: bool) -> Request:
    """Search for better schedules, if that has not been done for a program in the cache. Raises `ArgumentError`."""
    if isinstance(tune, bool) or not isinstance(tune, int | float) or not 0 < tune < float("inf"):
        refuse("tune", "a positive number of seconds", tune)
    tuned = request._replace(tuned=True)
    key = _key(contents, filename, tuned) if cached else None
    if key is not None and folder.load(key) is not None:
        return tuned
    from .tuner import tune as tuner
    from .tuner.progress import Progress

    summary = tuner.tune(contents, filename, request, tune, progress=Progress(sys.stderr, tune))
    return request if summary.interrupted else tuned


def schedules_for(source: Source, given: object) -> ScheduleTexts:
    """What is written about the kernels of a program. Raises `XlaError` for files that cannot be read."""
    file = path_or_none("schedules", given)
    if file is None and is_path(source):
        file = beside(cast("str | os.PathLike[str]", source))
    return schedule_texts(file)


def _key(contents: str | bytes | ModuleOp, filename: str, request: Request, *others: object) -> str | None:
    """The name of the program in the cache, `others` being part of the request.

    None if it has none, as where its cost model has none, or where passes of an installed package have changed since
    they may have been imported.
    """
    if plugins.is_foreign(request.pipeline):
        stamp = plugins.stamp_of_plugins()
        if stamp is None:
            return None
        others += (stamp,)
    if request.cost_model is not None:
        from ..decisions.model import fingerprint

        model = fingerprint(request.cost_model)
        if model is None:
            return None
        others += (model,)
    return program_key(contents, filename, (request._replace(cost_model=None), *others))


def _may_be_cached(request: Request, cache: object) -> bool:
    """Whether a compilation may be found in the cache. Raises `ArgumentError`."""
    is_on = folder.is_on() if cache is None else truth("cache", cache)
    return is_on and not request.profile and not _names_files(request)


def _names_files(request: Request) -> bool:
    """Whether a pass, or its patterns or schedules, are of a file or an object, of which the cache does not know."""
    return request.definitions is not None or any(
        option in request.pipeline for option in ("add=", "file=", "schedules=")
    )


def _from_cache(key: str, start: float, seed: int) -> Executable | None:
    """The program `key` if it is in the cache and still the same: what it calls may be registered differently now."""
    program = folder.load(key)
    if program is None or not registered_targets.agree(program.registered):
        return None
    timings = {"found in the cache": time.perf_counter() - start}
    try:
        executable = _loaded(program, timings, seed)
    except Exception as error:  # what does not link, is not registered or cannot be read, the compiler has to look at
        if is_interruption(error):
            raise
        return None
    executable.is_from_cache = True
    return executable
