"""What a module on the last level says about the program that it is: what it needs to run."""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp
from xdsl.dialects.llvm import FuncOp, LLVMPointerType
from xdsl.ir import Attribute

from ..dialects.xrt_attributes import number_of, pairs_of
from ..dialects.xrt_names import ARENA_BYTES, BODY, BRIEF, DONATED, KERNEL, THREAD_SCRATCH_BYTES, THREADS
from ..errors import InvalidProgramError
from .pass_manager import PipelineError
from .signature import Signature

DEREFERENCEABLE = "llvm.dereferenceable"


class ProgramFacts(NamedTuple):
    """As the attributes of the entry function say."""

    arena_bytes: int
    thread_scratch_bytes: int
    threads: int | None
    """The most that its memory is enough for; None for any number."""
    donated: tuple[tuple[int, int], ...]
    kernels: int
    brief: bool
    """Whether a run is over at once and calls nothing of Python's."""


def program_facts(module: ModuleOp, signature: Signature) -> ProgramFacts:
    """Raises `PipelineError` if there is no entry function of that name in the llvm dialect, and `InvalidProgramError`
    for one that takes more memory than `signature` and its attributes give it.
    """
    functions = {op.sym_name.data: op for op in module.body.ops if isinstance(op, FuncOp)}
    entry = functions.get(signature.entry)
    if entry is None:
        raise PipelineError(f"the pipeline does not lower '@{signature.entry}' to the llvm dialect")
    arena_bytes = number_of(entry, ARENA_BYTES)
    if arena_bytes is None:
        raise InvalidProgramError(f"'@{signature.entry}' is no entry function: it has no '{ARENA_BYTES}'", entry)
    _check_memory(entry, functions.get(f"{signature.entry}{BODY}"), signature, arena_bytes)
    scratch = number_of(entry, THREAD_SCRATCH_BYTES) or 0
    donated = pairs_of(entry, DONATED)
    if any(not _fits(pair, signature) for pair in donated):
        raise InvalidProgramError(f"'@{signature.entry}': a donated argument is not of the size of its result", entry)
    return ProgramFacts(
        arena_bytes,
        scratch,
        number_of(entry, THREADS),
        donated,
        sum(KERNEL in function.attributes for function in functions.values()),
        BRIEF in entry.attributes,
    )


def _fits(pair: tuple[int, int], signature: Signature) -> bool:
    argument, result = pair
    inputs, outputs = signature.inputs, signature.outputs
    if not signature.is_plain or signature.is_bounded or argument >= len(inputs) or result >= len(outputs):
        return False
    return inputs[argument].byte_size == outputs[result].byte_size


def _check_memory(entry: FuncOp, body: FuncOp | None, signature: Signature, arena_bytes: int) -> None:
    """The body says of each of its buffers how many bytes it relies on."""
    if list(entry.function_type.inputs) != [LLVMPointerType()] * 4:
        raise InvalidProgramError(f"'@{signature.entry}' takes four pointers, got {entry.function_type}", entry)
    if body is None:
        raise InvalidProgramError(f"'@{signature.entry}' has no body '@{signature.entry}.body'", entry)
    parts = signature.parts()
    given = [*(spec.byte_size for spec in chain(parts.inputs, parts.outputs)), *([arena_bytes] if arena_bytes else [])]
    attributes = () if body.arg_attrs is None else body.arg_attrs.data
    others = len(attributes) - len(given)
    if not 0 <= others <= (1 if arena_bytes else 2):  # the context; an arena of no bytes
        raise InvalidProgramError(
            f"'@{signature.entry}': expected {len(given)} buffers and perhaps a context, got {len(attributes)}", body
        )
    for index, (size, own) in enumerate(zip(given, attributes, strict=False)):
        needed = _dereferenceable(own)
        if needed > size:
            message = f"'@{signature.entry}': buffer {index} has {size} bytes, the code relies on {needed}"
            raise InvalidProgramError(message, body)


def _dereferenceable(attributes: DictionaryAttr) -> int:
    value: Attribute | None = attributes.data.get(DEREFERENCEABLE)
    return cast("IntegerAttr[Any]", value).value.data if isinstance(value, IntegerAttr) else 0
