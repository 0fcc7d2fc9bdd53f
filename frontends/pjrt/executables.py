"""Programs of clients: compiled when they come, described by structs, run on the arrays of buffers."""

from __future__ import annotations

import ctypes
import hashlib
import itertools
import math
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...reference.values import TOKEN as TOKEN_VALUE
from ...runtime.compiler import compile
from ...runtime.executable import Executable
from ...runtime.signature import TOKEN_TYPE, TensorSpec
from .c_api import STRUCTS, LogicalDeviceIds
from .calls import Code, PjrtError, implements
from .client import MEMORY_KINDS, client
from .compile_options import DUMP, CompileOptions, assignment_bytes, read
from .element_types import TOKEN, number_of
from .forgetting import forget_dead
from .layouts import NO_DELETER, Order, layout_of
from .marks import has_layouts, laid_out, read_marks
from .objects import Kept, give, live, new
from .plans import plan
from .shardings import REPLICATED, sharding_bytes

if TYPE_CHECKING:
    from ...runtime.sharding.executable import ShardedExecutable
    from ...runtime.sharding.splitting import Splitting

MLIR_FORMAT, INSPECTION, PARTITIONED_CALL = b"mlir", "InspectSharding", "CustomSPMDPartitioning"

_dumps = itertools.count()


class Slot(NamedTuple):
    """An argument or a result: a tensor, as each device has it, or a token."""

    type: int
    shape: tuple[int, ...]
    dtype: np.dtype | None
    """None of a token."""
    kind: int = 0
    """The number of the kind of memory it is in."""
    order: Order | None = None
    """Of its dimensions in memory, major to minor; None is row-major."""

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return 0 if self.dtype is None else self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of the tensor."""
        return math.prod(self.shape) * self.itemsize


def _slots(
    types: Sequence[Any] | None,
    specs: Sequence[TensorSpec],
    kinds: Sequence[int] = (),
    orders: Sequence[Order | None] = (),
) -> tuple[Slot, ...]:
    tensors = (Slot(number_of(spec.dtype), spec.shape, spec.dtype) for spec in specs)
    slots = [
        Slot(TOKEN, (), None) if type == TOKEN_TYPE else next(tensors)
        for type in (types if types is not None else [None] * len(specs))
    ]
    if any(kinds):
        slots = [slot._replace(kind=kind) for slot, kind in zip(slots, kinds, strict=True)]
    if any(orders):
        slots = [_in_order(slot, order) for slot, order in zip(slots, orders, strict=True)]
    return tuple(slots)


def _in_order(slot: Slot, order: Order | None) -> Slot:
    """The slot of a tensor whose dimensions lie in memory in an order, of the one for its memory."""
    if order is None:
        return slot
    return slot._replace(shape=tuple(slot.shape[order.index(dim)] for dim in range(len(order))), order=order)


class Program:
    """A compiled program and the two structs that stand for it."""

    def __init__(
        self,
        executable: Executable | ShardedExecutable,
        options: CompileOptions,
        source: bytes,
        option_bytes: bytes,
    ) -> None:
        self.executable, self.options = executable, options
        self.source, self.option_bytes = source, option_bytes
        self.ranks = client().ranks(options.devices)
        """The process of each device, unless this one has all."""
        self.devices = client().here(options.devices)
        """The numbers of those of this process: none of a program that another one runs."""
        local = executable if isinstance(executable, Executable) else executable.local
        self.local = local
        self.overwritten: frozenset[int] = frozenset(argument for argument, _ in getattr(local, "donated", ()))
        """The arguments whose memory results take."""
        marks = read_marks(source, local.program.marks if local is executable else None)
        signature, results = executable.signature, (marks.result_kinds, marks.result_orders)
        arguments = marks.argument_kinds, marks.argument_orders
        self.whole_inputs = _slots(signature.argument_types, signature.inputs, *arguments)
        self.whole_outputs = _slots(signature.result_types, signature.outputs, *results)
        self.outputs = _slots(local.signature.result_types, local.signature.outputs, *results)
        inputs = _slots(local.signature.argument_types, local.signature.inputs)
        sizes = [[slot.nbytes for slot in slots] for slots in (inputs, self.outputs)]
        self.given_away = marks.given_away(*sizes) | self.overwritten
        """The arguments that are gone after a call."""
        self.has_tokens = not local.signature.is_plain
        is_usual = not (marks.has_orders or any(marks.result_kinds))
        self.planned = plan(executable, self.given_away, self.devices[0], source) if is_usual and self.devices else None
        self.kept = Kept()
        self.local_code: bytes | None = None
        """The program of a device, once it is asked for."""
        self.costs: tuple[int, int] | None = None
        """Where its costs are, and how many, once they are asked for."""
        self.fingerprint = hashlib.sha256(source).hexdigest()

    def arguments(self, arrays: Sequence[np.ndarray]) -> Sequence[Any]:
        """The arguments of the program, of the arrays of all buffers."""
        if not self.has_tokens:
            return arrays
        return [
            TOKEN_VALUE if slot.dtype is None else array for slot, array in zip(self.whole_inputs, arrays, strict=True)
        ]


def describe(program: Program) -> Any:
    """A struct for the program."""
    struct, kept = new("Executable"), program.kept
    outputs, inputs, options = program.whole_outputs, program.whole_inputs, program.options
    give(struct, "Executable_Name", *kept.text(program.executable.signature.entry))
    give(struct, "Executable_NumReplicas", options.replicas)
    give(struct, "Executable_NumPartitions", options.partitions)
    give(struct, "Executable_NumOutputs", len(outputs))
    _describe_memory(struct, program)
    types, count = kept.vector(ctypes.c_int32, [slot.type for slot in outputs])
    give(struct, "Executable_OutputElementTypes", types, count)
    dims, _ = kept.vector(ctypes.c_int64, [size for slot in outputs for size in slot.shape])
    ranks, _ = kept.vector(ctypes.c_size_t, [len(slot.shape) for slot in outputs])
    give(struct, "Executable_OutputDimensions", len(outputs), dims, ranks)
    give(struct, "Executable_Fingerprint", *kept.text(program.fingerprint))
    for function, slots in (("Output", outputs), ("Parameter", inputs)):
        kinds = kept.texts([MEMORY_KINDS[slot.kind] for slot in slots])
        give(struct, f"Executable_{function}MemoryKinds", len(slots), *kinds)
        layouts, count = kept.vector(ctypes.c_void_p, [layout_of(len(slot.shape), slot.order) for slot in slots])
        give(struct, f"Layouts_Executable_Get{function}Layouts", count, layouts)
    _describe_shardings(struct, program)
    give(struct, "Executable_GetCompileOptions", *kept.text(program.option_bytes), None, NO_DELETER.address)
    return struct


def _describe_memory(struct: Any, program: Program) -> None:
    statistics = program.executable.statistics
    give(struct, "Executable_SizeOfGeneratedCodeInBytes", statistics.object_bytes)
    donated: Sequence[tuple[int, int]] = getattr(program.local, "donated", ())
    outputs: Sequence[TensorSpec] = program.local.signature.outputs
    shared: int = sum(outputs[result].byte_size for _, result in donated)
    memory = {
        "generated_code_size_in_bytes": statistics.object_bytes,
        "argument_size_in_bytes": statistics.input_bytes,
        "output_size_in_bytes": statistics.output_bytes + shared,
        "alias_size_in_bytes": shared,
        "temp_size_in_bytes": statistics.arena_bytes + statistics.constant_bytes,
        "peak_memory_in_bytes": statistics.peak_bytes,
        "total_size_in_bytes": statistics.peak_bytes,
    }
    for name, value in memory.items():
        setattr(struct, f"Executable_GetCompiledMemoryStats_{name}", value)


def _describe_shardings(struct: Any, program: Program) -> None:
    """A program that is not spread has no shardings, which null pointers say. One that is, and has no results, has the
    sharding of an empty tuple, as clients expect."""
    executable, kept = program.executable, program.kept
    counts = len(program.whole_inputs), len(program.whole_outputs)
    texts: tuple[Any, Any] = ((None, None), (None, None))
    if not isinstance(executable, Executable):
        inputs = _sharding_texts(executable.input_splittings, program.whole_inputs)
        outputs = _sharding_texts(executable.output_splittings, program.whole_outputs) or [REPLICATED]
        counts, texts = (len(inputs), len(outputs)), (kept.texts(inputs), kept.texts(outputs))
    for function, count, addresses in zip(("Parameter", "Output"), counts, texts, strict=True):
        give(struct, f"Shardings_Executable_{function}Shardings", count, *addresses)


def _sharding_texts(splittings: Iterable[Splitting], slots: Sequence[Slot]) -> list[bytes]:
    """Of tensors and of tokens, which every device has."""
    rest = iter(splittings)
    return [REPLICATED if slot.dtype is None else sharding_bytes(_as_seen(next(rest), slot)) for slot in slots]


def _as_seen(splitting: Splitting, slot: Slot) -> Splitting:
    """How the tensor of a client is split, of how its memory is."""
    order, sharding = slot.order, splitting.sharding
    if order is None or sharding is None:
        return splitting
    dimensions = tuple(sharding.dimensions[order.index(dim)] for dim in range(len(order)))
    return type(splitting)(slot.shape, sharding._replace(dimensions=dimensions), len(splitting.places))


def describe_loaded(program: Program) -> Any:
    """A struct for the program on its devices."""
    struct, kept, options = new("LoadedExecutable"), program.kept, program.options
    if program.planned is not None:
        struct.plan = program.planned.address
    addresses = [client().devices[number].address for number in program.devices]
    give(struct, "LoadedExecutable_AddressableDevices", *kept.vector(ctypes.c_void_p, addresses))
    give(struct, "LoadedExecutable_Fingerprint", *kept.text(program.fingerprint))
    ids = [
        LogicalDeviceIds(*divmod(place, options.partitions))
        for place, number in enumerate(options.devices)
        if number in program.devices
    ]
    give(struct, "LoadedExecutable_AddressableDeviceLogicalIds", *kept.vector(LogicalDeviceIds, ids))
    assignment = kept.text(assignment_bytes(options))
    give(struct, "LoadedExecutable_GetDeviceAssignment", *assignment, None, NO_DELETER.address)
    return struct


class Handle:
    """A struct that a client has, and the program that it stands for."""

    def __init__(self, program: Program, struct: Any) -> None:
        self.program, self.struct = program, struct
        self.address = ctypes.addressof(struct)
        live[self.address] = self

    @property
    def is_busy(self) -> bool:
        """Whether the program runs."""
        return self.program.planned is not None and self.program.planned.is_busy


def compiled(code: bytes, option_bytes: bytes) -> Program:
    """Compile a program. Raises `PjrtError` and what `xdsl_xla.compile` raises."""
    options = read(option_bytes)
    client().ranks(options.devices)
    keywords = dict(options.options)
    if DUMP in keywords:
        keywords[DUMP] = os.path.join(keywords[DUMP], f"{os.getpid()}-{next(_dumps):04}")
    source = laid_out(code) if has_layouts(code) and read_marks(code).has_orders else code
    if options.partitions > 1:
        if options.replicas > 1:
            raise PjrtError(Code.UNIMPLEMENTED, "programs of several replicas of several partitions")
        if PARTITIONED_CALL.encode() in code:
            from .partitioned_calls import with_local_programs

            source = with_local_programs(source, options.partitions)
        made: Any = compile(source, filename="<jax>", devices=options.partitions, **keywords)
    else:
        grid = {"replicas": options.replicas} if options.replicas > 1 else {}
        made = compile(source, filename="<jax>", donate=True, **grid, **keywords)
    return Program(made, options, code, option_bytes)


@implements("Client_Compile")
def compile_program(arguments: Any) -> None:
    """Compile a program for its devices."""
    forget_dead()
    program: Any = STRUCTS["Program"].from_address(arguments.program)
    kind = ctypes.string_at(program.format, program.format_size)
    if kind != MLIR_FORMAT:
        raise PjrtError(Code.UNIMPLEMENTED, f"programs in the format {kind.decode(errors='replace')}")
    options = ctypes.string_at(arguments.compile_options, arguments.compile_options_size)
    code = ctypes.string_at(program.code, program.code_size)
    if INSPECTION.encode() in code and read(options).partitions > 1:
        from .inspections import tell_shardings

        tell_shardings(code, read(options).partitions)
    made = compiled(code, options)
    arguments.executable = Handle(made, describe_loaded(made)).address


@implements("LoadedExecutable_GetExecutable")
def get_executable(arguments: Any) -> None:
    """What is known of a program without its devices."""
    program = live[arguments.loaded_executable].program
    arguments.executable = Handle(program, describe(program)).address


@implements("LoadedExecutable_Delete")
def delete(arguments: Any) -> None:
    """The client does not call it any more."""
    live[arguments.executable].struct.LoadedExecutable_IsDeleted_is_deleted = True
