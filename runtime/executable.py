"""A compiled program as a Python callable.

A call of a tiny program should cost microseconds, as much as a call into any native library, so
everything that does not depend on the arguments is prepared once: pointer tables and arenas are
kept in frames that calls borrow. Two threads that call at the same time borrow two frames. A program that is called
again and again gets a call in machine code (`native_call.py`); what is here handles all that may be unusual.
"""

from __future__ import annotations

import ctypes
import os
import struct
import threading
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

import numpy as np

from ..dialects.xrt_names import EXCHANGES, PREFIX, ROUTINE
from ..errors import ArgumentError
from ..locks import RenewedLock
from ..tracebacks import short_tracebacks, without_internals
from .arguments import READY_FLAGS, check_timeout, convert_argument
from .buffers import (
    INPUT_ALIGNMENT,
    RECYCLED_BYTES,
    SMALL_BYTES,
    AlignedBuffer,
    OutputPool,
    data_address,
    empty_aligned,
)
from .compiled_program import CompiledProgram, Site
from .context import ContextTable
from .engine import NativeCode
from .function_addresses import function_address
from .options import refuse, whole
from .run_state import RunState
from .signature import TOKEN_TYPE, Signature, Structure, TensorSpec, type_text

if TYPE_CHECKING:
    from ..lowering.to_llvm.module_tables import CallTarget
    from ..reference.environment import Environment
    from .call_targets import CallTargetTable
    from .native_call import NativeCall
    from .profiles import Profile, ProfileTable
    from .sharding.spread import Spread

_ENTRY_TYPE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


CALLS_IN_PYTHON = 8
"""After so many calls with nothing unusual about them, machine code makes them: it takes some milliseconds to load."""


@dataclass(frozen=True)
class Statistics:
    """What a program takes.

    `peak_bytes` is the memory of a call: `input_bytes`, `output_bytes`, `arena_bytes` for everything in between and
    `constant_bytes` for the constants outside the code. Of the arena, `thread_scratch_bytes` belong to each thread
    where parallel loops need the most. `object_bytes` is the machine code with everything it carries.
    """

    threads: int = 1
    input_bytes: int = 0
    output_bytes: int = 0
    arena_bytes: int = 0
    thread_scratch_bytes: int = 0
    constant_bytes: int = 0
    peak_bytes: int = 0
    kernels: int = 0
    object_bytes: int = 0

    @staticmethod
    def of(program: CompiledProgram, constant_bytes: int) -> Statistics:
        """Those of `program`, with so many bytes of constants."""
        signature, arena_bytes = program.signature, program.arena_bytes
        input_bytes, output_bytes = (
            sum(spec.byte_size for spec in side) for side in (signature.inputs, signature.outputs)
        )
        return Statistics(
            program.threads,
            input_bytes,
            output_bytes,
            arena_bytes,
            program.thread_scratch_bytes,
            constant_bytes,
            input_bytes + output_bytes + arena_bytes + constant_bytes,
            program.kernels,
            sum(map(len, program.objects)),
        )


class EntryPoint(NamedTuple):
    """What a call in machine code needs of a program that calls no targets, valid as long as the executable lives."""

    address: int
    context: int
    """The slots, which every call copies to have a run of its own (`context_layout.FAILED`)."""
    arena_bytes: int
    is_stoppable: bool
    """Whether it has safepoints; otherwise it is over soon."""


class _Frame:
    """The pointer tables, the context and the arena that one call uses."""

    __slots__ = ("arena", "inputs", "outputs", "run", "table")

    def __init__(self, inputs: int, outputs: int, arena_bytes: int, context: ContextTable) -> None:
        self.table = (ctypes.c_void_p * (inputs + outputs))()
        self.inputs = ctypes.addressof(self.table)
        self.outputs = self.inputs + inputs * ctypes.sizeof(ctypes.c_void_p)
        self.arena = AlignedBuffer(arena_bytes)
        self.run = RunState(context)


UNCHANGING = ("stablehlo.", PREFIX)
"""How the names of call targets begin that nobody can register."""


_entering = RenewedLock(threading.RLock)
"""Held by the thread that gives a program its surroundings. Those of a program may compile and enter others."""


def _decline(*arrays: Any) -> None:
    """Stands for the native call of a program that has none."""


def _pool(spec: TensorSpec) -> OutputPool | None:
    return OutputPool(spec.byte_size) if spec.byte_size >= RECYCLED_BYTES else None


class Executable:
    """A compiled program: `outputs = executable(*inputs)`.

    Inputs are NumPy arrays or anything that can be viewed as one; dense arrays of the declared
    type are not copied. The result is a tuple of new arrays. Calls may come from several threads
    at once.
    """

    signature: Signature
    grid: tuple[int, int]
    """The numbers of replicas and partitions it is compiled for."""
    statistics: Statistics
    timings: dict[str, float]
    """Seconds per step of the compilation, in order."""
    is_from_cache: bool = False
    """Whether the compilation was that of another process."""

    def __init__(
        self, code: NativeCode, program: CompiledProgram, *, timings: dict[str, float] | None = None, seed: int = 0
    ) -> None:
        """`code` is the linked code of `program`; `seed` is that of `rng` ops."""
        self.signature = signature = program.signature
        self.timings = timings or {}
        self.grid = program.replicas, program.partitions
        self._code = code
        self._entry = _ENTRY_TYPE(code.address(program.symbol))
        self._brief = program.brief
        self._seed = seed
        self._environment: Environment | None = None
        self._targets = program.call_targets
        self._call_targets: CallTargetTable | None = None
        self._routines: ctypes.Array[ctypes.c_void_p] | None = None
        self._context = ContextTable(program.threads, program.constants)
        self._profile: ProfileTable | None = None
        if program.sites:
            self._measure(program.sites)
        self._program = program._replace(constants=())
        self._arena_bytes = program.arena_bytes
        self._frames: list[_Frame] = []
        self._pack = struct.Struct(f"{len(signature.inputs) + len(signature.outputs)}P").pack_into
        self._inputs, self._results = signature.inputs, signature.outputs
        self._outputs = [(spec.shape, spec.dtype, spec.byte_size, _pool(spec)) for spec in signature.outputs]
        self._calls = 0
        self._call_natively: NativeCall = _decline
        self.statistics = Statistics.of(program, self._context.constant_bytes)
        if program.call_targets:
            self._prepare_call_targets(program.call_targets)

    def _measure(self, sites: Sequence[Site]) -> None:
        from .profiles import ProfileTable

        self._profile = ProfileTable(sites)
        self._context.measure(self._profile.address)

    def profile(self, *arrays: Any, runs: int = 1) -> Profile:
        """What `runs` runs on these arguments take, by kernel; one more run in front of them is not counted. No other
        thread may run the program meanwhile. Raises `ArgumentError` for a program that is not compiled with
        `profile=True`, and for arguments as a call does.
        """
        if self._profile is None:
            raise ArgumentError(f"profile: '@{self.signature.entry}' is not compiled with profile=True")
        whole("runs", runs, 1)
        self(*arrays)
        self._profile.clear()
        for _ in range(runs):
            self(*arrays)
        return self._profile.profile(self.statistics.threads)

    def _prepare_call_targets(self, call_targets: Sequence[CallTarget]) -> None:
        """Those of a program from the cache are known to be there; most programs start without what they need."""
        stored: Sequence[str] | None = getattr(call_targets, "names", None)
        names = [target.name for target in call_targets] if stored is None else stored
        if all(name.startswith(ROUTINE) for name in names):
            self._targets = ()
            self._call_routines(names)
        elif stored is None or not all(name.startswith(UNCHANGING) for name in stored):
            self._enter(None)

    @property
    def program(self) -> CompiledProgram:
        """What this executable is made of."""
        return self._program._replace(constants=self._context.constants())

    @property
    def spread(self) -> Spread | None:
        """Of the program of one device: what it is of a program on whole arrays."""
        return self._program.spread

    @spread.setter
    def spread(self, spread: Spread) -> None:
        self._program = self._program._replace(spread=spread)

    @property
    def denormals(self) -> str:
        """What becomes of subnormal numbers: `flush`, `preserve`, or empty for what the caller does with its own."""
        return self._program.denormals

    @property
    def seed(self) -> int:
        """That of `rng` ops."""
        return self._seed

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the compiled program to a file, from which `xdsl_xla.load` reads it on machines with the same CPU
        features. What lies in queues, and how many random numbers were drawn, is not saved. Raises `XlaError`.
        """
        from .saved_executables import save

        save(self, path)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles hold what `save` writes."""
        from .saved_executables import executable_bytes, from_bytes

        return from_bytes, (executable_bytes(self.program, self.seed), f"<pickle of @{self.signature.entry}>")

    def __copy__(self) -> Self:
        """The same code, context and surroundings."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    @property
    def environment(self) -> Environment:
        """The surroundings of the program: `host.infeed` and `host.outfeed`, channels to and from the host, the seed.

        Calls one after the other go on with the same queues and random numbers.
        """
        if self._environment is None:
            self._enter_once()
        assert self._environment is not None
        return self._environment

    @property
    def entry_point(self) -> EntryPoint | None:
        """None for a program that calls targets, or is measured."""
        if self._targets or self._environment is not None or self._profile is not None:
            return None
        address = function_address(self._entry)
        return EntryPoint(address, self._context.address, self._arena_bytes, self._program.stoppable)

    @property
    def acts_on_devices_only(self) -> bool:
        """Whether all that it calls are other devices: its surroundings hold nothing from one run to the next."""
        return all(target.name in EXCHANGES for target in self._targets)

    def with_environment(self, environment: Environment, *, threads: int | None = None) -> Executable:
        """The same code in other surroundings, on no more than so many threads."""
        from ..reference.environment import Environment

        if not isinstance(cast("object", environment), Environment):
            refuse("environment", "an Environment", environment)
        other = copy(self)
        other._frames = []
        other._calls, other._call_natively = 0, _decline
        if self._targets:
            other._context = self._context.for_call_targets(0)
        if threads is not None:
            other._context = other._context.with_threads(threads)
        other._enter(environment)
        return other

    def share_results(self, other: Executable) -> None:
        """Let the results of both, which have the same types, come from the same memory: where that lies makes one
        faster than the other by chance. To be said before the first call.
        """
        self._outputs = other._outputs

    def _enter_once(self) -> None:
        with _entering.current:
            if self._environment is None:
                self._enter(None)

    def _enter(self, environment: Environment | None) -> None:
        from ..reference.environment import Environment
        from ..reference.processes import ProcessGrid

        environment = environment or Environment(seed=self._seed, process=ProcessGrid(*self.grid).process(0, 0))
        if self._targets:
            from .call_targets import CallTargetTable

            self._call_targets = CallTargetTable(self._targets, environment)
            self._context = self._context.for_call_targets(self._call_targets.address)
        self._environment = environment

    def _call_routines(self, names: Sequence[str]) -> None:
        """Call no targets but routines of a library: there is nothing to be seen to when the program runs."""
        from ..reference.lapack_addresses import address_of

        self._routines = (ctypes.c_void_p * len(names))(*(address_of(name.removeprefix(ROUTINE)) for name in names))
        self._context = self._context.for_call_targets(ctypes.addressof(self._routines))

    def _run_with_call_targets(self, frame: _Frame) -> None:
        """As a program that calls no targets, but for what these do."""
        assert self._call_targets is not None
        self._call_targets.run(self._entry, frame.inputs, frame.outputs, frame.arena.address, frame.run)

    def __call__(self, *arrays: Any, timeout: float | None = None) -> tuple[np.ndarray, ...]:
        """Run the program. Raises `ArgumentError` for a wrong number, shape or element type of
        arguments.

        In the main thread handlers of signals run while the program does, and what they raise ends it: Ctrl-C is a
        `KeyboardInterrupt`. `timeout`: after how many seconds the program is stopped, which raises
        `ProgramTimeoutError`; by default it may take for ever. A call that was stopped leaves no results, and the next
        one is as any other.
        """
        try:
            if timeout is None:
                outputs = self._call_natively(*arrays)
                if outputs is not None:
                    return outputs
            return self._call(arrays, timeout)
        except Exception as error:
            raise without_internals(error)  # noqa: B904

    def _call(self, arrays: Sequence[Any], timeout: float | None) -> tuple[np.ndarray, ...]:
        if timeout is not None:
            check_timeout(timeout)
        inputs = self._inputs
        if len(arrays) != len(inputs):
            raise self._wrong_count(len(arrays))
        addresses: list[int] = []
        converted: list[np.ndarray] = []
        for array, spec in zip(arrays, inputs, strict=True):
            dtype = spec[2]
            if (
                type(array) is not np.ndarray
                or (array.dtype is not dtype and array.dtype != dtype)
                or array.shape != spec[1]
                or array.flags.num & READY_FLAGS != READY_FLAGS
            ):
                array = convert_argument(array, spec, len(addresses))
                converted.append(array)
            address = data_address(array)
            if address % INPUT_ALIGNMENT:
                array = convert_argument(array, spec, len(addresses))
                converted.append(array)
                address = data_address(array)
            addresses.append(address)
        results: list[np.ndarray] = []
        for shape, dtype, byte_size, pool in self._outputs:
            if byte_size <= SMALL_BYTES:
                result = np.empty(shape, dtype)
                address = data_address(result)
                if address % INPUT_ALIGNMENT:
                    result = empty_aligned(shape, dtype, byte_size)
                    address = data_address(result)
            else:
                result = pool.empty(shape, dtype) if pool else empty_aligned(shape, dtype, byte_size)
                address = data_address(result)
            results.append(result)
            addresses.append(address)
        self._run(addresses, timeout)
        if not converted:
            self._count_call()
        return tuple(results)

    def _count_call(self) -> None:
        """Let machine code make the calls from now on, if there have been enough."""
        self._calls += 1
        if self._calls != CALLS_IN_PYTHON or (self._targets and self._call_targets is None):
            return
        from .native_call import native_call

        try:
            frame = self._frames.pop()
        except IndexError:  # other threads have them
            frame = self._new_frame()
        exchanging = self._call_targets.exchanging(frame.run, self.signature.entry) if self._call_targets else None
        if self._targets and exchanging is None:
            self._frames.append(frame)
            return
        outputs = [(spec, details[-1]) for spec, details in zip(self._results, self._outputs, strict=True)]
        entry = function_address(self._entry)
        addresses = frame.inputs, frame.outputs, frame.arena.address
        kept = self._code, self._context, self._routines, self._call_targets, frame
        is_brief = self._brief and exchanging is None
        call = native_call(self._inputs, outputs, entry, frame.run, addresses, kept, is_brief, exchanging)
        if call is not None:
            self._call_natively = call

    def _new_frame(self) -> _Frame:
        return _Frame(len(self._inputs), len(self._outputs), self._arena_bytes, self._context)

    def _run(self, addresses: Sequence[int], timeout: float | None = None) -> None:
        """Run the program on inputs and outputs at `addresses`, which are dense and aligned."""
        if self._targets and self._environment is None:
            self._enter_once()
        try:
            frame = self._frames.pop()
        except IndexError:
            frame = self._new_frame()
        self._pack(frame.table, 0, *addresses)
        run = frame.run
        if timeout is not None:
            run.limit(timeout)
        activity = None if self._environment is None else self._environment.process.activity
        if activity is not None:
            activity.interrupt = run.stop
        if self._targets:
            self._run_with_call_targets(frame)
        else:
            self._entry(frame.inputs, frame.outputs, frame.arena.address, run.context)
        if activity is not None:
            activity.interrupt = None
        if run.is_stopped or timeout is not None:
            run.conclude(self.signature.entry, timeout)
        self._frames.append(frame)

    @staticmethod
    def _new_output(shape: tuple[int, ...], dtype: np.dtype, byte_size: int, pool: OutputPool | None) -> np.ndarray:
        return pool.empty(shape, dtype) if pool else empty_aligned(shape, dtype, byte_size)

    def _wrong_count(self, count: int) -> ArgumentError:
        expected = self._inputs
        types = ", ".join(f"{spec.name}: {spec}" for spec in expected)
        return ArgumentError(f"'@{self.signature.entry}' takes {len(expected)} arguments ({types}), got {count}")

    def __repr__(self) -> str:
        inputs, outputs = (
            ", ".join(f"{spec.name}: {spec}" for spec in specs)
            for specs in (self.signature.inputs, self.signature.outputs)
        )
        return f"<Executable @{self.signature.entry}({inputs}) -> ({outputs})>"

    def _repr_html_(self) -> str:
        """As notebooks show it."""
        from .executable_html import summary

        return summary(self)


class StructuredExecutable(Executable):
    """A compiled program with tuples or tokens among its arguments and results.

    A tuple is a Python tuple, a token anything as an argument and `TOKEN` of `reference/values.py` as a result.
    """

    @short_tracebacks
    def __call__(self, *arrays: Any, timeout: float | None = None) -> tuple[Any, ...]:
        """As of other programs."""
        types = self.signature.argument_types
        assert types is not None
        if len(arrays) != len(types):
            listed = ", ".join(map(type_text, types))
            raise ArgumentError(f"'@{self.signature.entry}' takes {len(types)} arguments ({listed}), got {len(arrays)}")
        leaves = (
            leaf
            for index, (value, type) in enumerate(zip(arrays, types, strict=True))
            for leaf in _leaves(value, type, index)
        )
        return self.signature.results(super().__call__(*leaves, timeout=timeout))


def _leaves(value: Any, type: Structure, index: int) -> Iterator[Any]:
    """The tensors in an argument."""
    if isinstance(type, tuple):
        elements = cast("Sequence[Any]", value)
        if not isinstance(value, tuple | list) or len(elements) != len(type):
            raise ArgumentError(f"argument {index}: expected a value of type {type_text(type)}, got {value!r}")
        for inner, inner_type in zip(elements, type, strict=True):
            yield from _leaves(inner, inner_type, index)
    elif type != TOKEN_TYPE:
        yield value
