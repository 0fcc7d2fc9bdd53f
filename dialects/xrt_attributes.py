"""The names that begin with `xrt.`: what passes tell each other, and later the runtime, about a program.

`ATTRIBUTES` declares every attribute: what it means, on which ops it stands, what it holds, who writes it, who reads
it, and after which pass it is gone; `docs/attributes.md` is this table. `xrt_attribute_checks.py` holds modules
and passes to it.

What follows from such an attribute is code, so that programs from outside have none: `stablehlo-refuse-internals` sees
to that at the start of the pipelines. The same is true of the ops of the dialect `xrt`, of targets of custom calls
whose names begin with `xrt.`, and of such symbols.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, IRNode, Operation

from ..decisions.denormals import MODES, Denormals
from .llvm_parts import Tier
from .schedule import KernelAttr
from .xrt_names import (
    ARENA_BYTES,
    BATCH,
    BRIEF,
    CALL_TARGET_TABLE,
    CONSTANT_INDEX,
    CONTRACT,
    DENORMALS,
    DONATED,
    ENTRY,
    GLOBAL_TYPE,
    INLINE_COPIES,
    INTERFACE,
    KERNEL,
    LANES,
    LAYER,
    NUM_INPUTS,
    NUM_OUTPUTS,
    PARAMETERS,
    PROFILE,
    REPEATED,
    ROW_DIMS,
    SAFEPOINT_CALL,
    SAFEPOINTS,
    SCHEDULE,
    SERIAL,
    SIGNATURE,
    SPACES,
    STREAM,
    STREAMED,
    THREAD_SCRATCH_BYTES,
    THREADS,
    TIER,
    UNROLL,
)


class Form(NamedTuple):
    """What an attribute may hold."""

    text: str
    fits: Callable[[Attribute], bool]


class Declaration(NamedTuple):
    """An attribute whose name begins with `xrt.`: a contract between the passes that write and that read it."""

    meaning: str
    """What the op is that carries it, or what the value says, in a sentence."""
    on: tuple[str, ...]
    """The ops that may carry it."""
    form: Form
    writers: tuple[str, ...]
    """The passes after which it may appear; those behind them keep it up to the last reader."""
    readers: tuple[str, ...]
    """Passes, and modules that are part of none."""
    gone_after: str | None = None
    """The pass after which it must be gone; None: it stays on the last level, for the text and the runtime."""


def _number(value: Attribute) -> int | None:
    if isinstance(value, IntegerAttr) and cast("IntegerAttr[Any]", value).type == i64:
        return cast("IntegerAttr[Any]", value).value.data
    return None


def _at_least(least: int) -> Form:
    def fits(value: Attribute) -> bool:
        number = _number(value)
        return number is not None and number >= least

    return Form(f"an i64 of at least {least}", fits)


def _is(type: type[Attribute]) -> Callable[[Attribute], bool]:
    return lambda value: isinstance(value, type)


def _is_interface(value: Attribute) -> bool:
    if not isinstance(value, DictionaryAttr) or set(value.data) != {"type", "arguments", "results"}:
        return False
    type = value.data["type"]
    return isinstance(type, FunctionType) and all(
        _are_strings(value.data[key], len(types))
        for key, types in (("arguments", type.inputs), ("results", type.outputs))
    )


def _are_strings(value: Attribute, count: int) -> bool:
    if not isinstance(value, ArrayAttr) or len(cast("ArrayAttr[Attribute]", value)) != count:
        return False
    return all(isinstance(element, StringAttr) for element in cast("ArrayAttr[Attribute]", value))


def _are_numbers(value: Attribute) -> bool:
    if not isinstance(value, DenseArrayBase) or cast("DenseArrayBase[Any]", value).elt_type != i64:
        return False
    return all(number >= 0 for number in cast("DenseArrayBase[Any]", value).get_values())


def _are_pairs(value: Attribute) -> bool:
    return _are_numbers(value) and len(cast("DenseArrayBase[Any]", value)) % 2 == 0


def _are_parameters(value: Attribute) -> bool:
    return isinstance(value, ArrayAttr) and all(map(_is_parameter, cast("ArrayAttr[Attribute]", value)))


def _is_parameter(value: Attribute) -> bool:
    if isinstance(value, StringAttr):
        return len(value.data.encode()) == 1
    if not isinstance(value, IntegerAttr):
        return False
    number = cast("IntegerAttr[Any]", value)
    return number.type == i32 or (isinstance(number.type, IndexType) and number.value.data >= 0)


def _is_table(value: Attribute) -> bool:
    return isinstance(value, ArrayAttr) and all(map(_is_call_target, cast("ArrayAttr[Attribute]", value)))


def _is_call_target(value: Attribute) -> bool:
    if not isinstance(value, DictionaryAttr) or set(value.data) != {"target", "signature", "options"}:
        return False
    types = {"target": StringAttr, "signature": FunctionType, "options": DictionaryAttr}
    return all(isinstance(value.data[key], type) for key, type in types.items())


def _are_sites(value: Attribute) -> bool:
    return isinstance(value, ArrayAttr) and all(_are_strings(row, 4) for row in cast("ArrayAttr[Attribute]", value))


def _is_tier(value: Attribute) -> bool:
    return isinstance(value, StringAttr) and value.data in {tier.value for tier in Tier}


def _is_mode(value: Attribute) -> bool:
    return isinstance(value, StringAttr) and value.data in MODES


UNIT = Form("no value", _is(UnitAttr))
COUNT, POSITIVE = _at_least(0), _at_least(1)
INTERFACE_FORM = Form("{type = a function type, arguments = their names, results = their names}", _is_interface)
NUMBERS = Form("an array of i64, none below 0", _are_numbers)
PAIRS = Form("an array of i64, in pairs of an argument and a result", _are_pairs)
TYPE = Form("a function type", _is(FunctionType))
PARAMETERS_FORM = Form("an array of letters, i32s, and numbers of results of type index", _are_parameters)
TABLE = Form("an array of {target = a name, signature = a function type, options = a dictionary}", _is_table)

SITES = Form("an array of arrays of four strings", _are_sites)
MODE = Form(" or ".join(f'"{mode}"' for mode in MODES), _is_mode)
TIER_FORM = Form(f"one of {', '.join(tier.value for tier in Tier)}", _is_tier)

_FUNCTION, _BOTH, _CALL = ("func.func",), ("func.func", "llvm.func"), ("stablehlo.custom_call",)

_ROUTINE_READERS = ("dialects/xrt.py", "reference/lapack_library.py", "convert-to-llvm")

ENTRY_ATTRIBUTES: dict[str, Declaration] = {
    INTERFACE: Declaration(
        "What callers pass and get: types of level 0, and names for messages.",
        _BOTH,
        INTERFACE_FORM,
        ("func-note-interface",),
        (
            "func-note-interface",
            "stablehlo-refine-shapes",
            "convert-to-llvm",
            "runtime/entry.py",
            "runtime/tuner/kernels.py",
            "tools/reduction/drafts.py",
            "tools/loaded_program.py",
        ),
    ),
    GLOBAL_TYPE: Declaration(
        "The type of a function before it was partitioned: what all devices together are called with and return.",
        _FUNCTION,
        TYPE,
        ("stablehlo-partition-spmd",),
        (
            "stablehlo-erase-sharding",
            "stablehlo-refuse-internals",
            "runtime/sharding/partitioned.py",
            "runtime/sharding/program.py",
        ),
        "stablehlo-erase-sharding",
    ),
    DENORMALS: Declaration(
        "Whether the program flushes subnormal numbers to zero or preserves them. Where it is missing, it does what its"
        " caller does.",
        ("builtin.module",),
        MODE,
        ("func-note-interface",),
        (
            "func-note-interface",
            "stablehlo-simplify",
            "stablehlo-fold-constants",
            "kernels-schedule",
            "math-expand-elementary",
            "convert-to-llvm",
            "runtime/compilation.py",
            "runtime/tuner/kernels.py",
        ),
    ),
    ENTRY: Declaration(
        "The function that callers run: it calls kernels and holds the control flow around them.",
        _FUNCTION,
        UNIT,
        ("linalg-outline-kernels",),
        (
            "linalg-outline-kernels",
            "linalg-hoist-invariants",
            "convert-tensor-to-memref",
            "linalg-block-row-chains",
            "linalg-join-padding",
            "linalg-tile-contractions",
            "convert-linalg-to-affine",
            "func-inline-scalar-kernels",
            "memref-assign-arena",
            "math-expand-elementary",
            "loops-vectorize",
            "kernels-schedule",
            "loops-insert-safepoints",
            "convert-to-llvm",
            "runtime/tuner/kernels.py",
            "tools/html/memory_plan.py",
        ),
        "convert-to-llvm",
    ),
    NUM_INPUTS: Declaration(
        "How many of the first arguments are inputs.",
        _FUNCTION,
        COUNT,
        ("convert-tensor-to-memref",),
        ("kernels-schedule", "convert-to-llvm", "runtime/entry.py", "runtime/tuner/kernels.py"),
        "convert-to-llvm",
    ),
    NUM_OUTPUTS: Declaration(
        "How many arguments behind the inputs are results; an arena may follow.",
        _FUNCTION,
        COUNT,
        ("convert-tensor-to-memref",),
        ("kernels-schedule", "convert-to-llvm", "runtime/entry.py", "runtime/tuner/kernels.py"),
        "convert-to-llvm",
    ),
    DONATED: Declaration(
        "Which results take the memory of which arguments, if the caller gives that up.",
        _BOTH,
        PAIRS,
        ("convert-tensor-to-memref",),
        ("convert-to-llvm", "runtime/program_facts.py"),
    ),
    THREADS: Declaration(
        "The most threads that the arena has scratch memory for.",
        _BOTH,
        POSITIVE,
        ("memref-assign-arena",),
        ("convert-to-llvm", "runtime/program_facts.py"),
    ),
    THREAD_SCRATCH_BYTES: Declaration(
        "Scratch memory of one thread, a part of the arena.",
        _BOTH,
        COUNT,
        ("memref-assign-arena",),
        ("convert-to-llvm", "runtime/program_facts.py"),
    ),
    BRIEF: Declaration(
        "A run is over at once: it keeps Python's lock.",
        _BOTH,
        UNIT,
        ("loops-insert-safepoints",),
        ("convert-to-llvm", "runtime/program_facts.py"),
    ),
    ARENA_BYTES: Declaration(
        "The memory that a run needs besides arguments and results.",
        ("llvm.func",),
        COUNT,
        ("convert-to-llvm",),
        ("runtime/program_facts.py", "tools/simulation/program.py"),
    ),
}
"""Of the function that callers run."""

KERNEL_ATTRIBUTES: dict[str, Declaration] = {
    KERNEL: Declaration(
        "A kernel: one loop nest or one library routine, called by the entry function.",
        _BOTH,
        UNIT,
        (
            "linalg-outline-kernels",
            "linalg-block-row-chains",
            "linalg-join-padding",
            "linalg-tile-contractions",
            "convert-linalg-to-affine",
        ),
        (
            "linalg-outline-kernels",
            "func-inline-layers",
            "convert-tensor-to-memref",
            "linalg-block-row-chains",
            "linalg-join-padding",
            "func-inline-scalar-kernels",
            "loops-prefetch-rows",
            "kernels-schedule",
            "convert-to-llvm",
            "runtime/program_facts.py",
            "runtime/tuner/kernels.py",
            "tools/print_schedule.py",
            "tools/profiling/predictions.py",
            "tools/html/graphs.py",
            "tools/html/recorder.py",
        ),
    ),
    LAYER: Declaration(
        "A part of the program that occurs several times, called wherever it does.",
        _FUNCTION,
        UNIT,
        ("stablehlo-outline-layers",),
        ("func-inline-layers", "convert-tensor-to-memref"),
        "func-inline-layers",
    ),
    ROW_DIMS: Declaration(
        "How many outer loops all ops of the kernel share: what it computes per row stays in cache.",
        _FUNCTION,
        COUNT,
        ("linalg-outline-kernels", "linalg-join-padding"),
        ("linalg-outline-kernels", "ir/schedule_files.py", "convert-linalg-to-affine"),
        "convert-to-llvm",
    ),
    SCHEDULE: Declaration(
        "How the kernel is computed: loops, and what stands inside them.",
        _FUNCTION,
        Form("a `#schedule.kernel`", _is(KernelAttr)),
        ("kernels-schedule", "kernels-draw-schedules"),
        (
            "kernels-schedule",
            "kernels-draw-schedules",
            "linalg-tile-contractions",
            "linalg-tile-fourier",
            "linalg-lower-scans",
            "linalg-lower-sorts",
            "convert-linalg-to-affine",
            "runtime/tuner/kernels.py",
            "tools/html/schedule_trees.py",
        ),
        "convert-linalg-to-affine",
    ),
    SERIAL: Declaration(
        "The kernel runs inside of a parallel loop: it has no parallel loops itself.",
        _FUNCTION,
        UNIT,
        ("linalg-block-row-chains",),
        (
            "linalg-tile-contractions",
            "kernels-schedule",
            "kernels-draw-schedules",
            "convert-linalg-to-affine",
            "func-inline-scalar-kernels",
            "runtime/tuner/kernels.py",
        ),
        "convert-to-llvm",
    ),
    STREAMED: Declaration(
        "The numbers of the arguments to which vectors of whole cache lines are stored past the caches.",
        _FUNCTION,
        NUMBERS,
        (
            "linalg-tile-contractions",
            "linalg-tile-fourier",
            "linalg-lower-scans",
            "linalg-lower-sorts",
            "convert-linalg-to-affine",
        ),
        ("loops-vectorize", "loops-stream-results"),
        "loops-stream-results",
    ),
    INLINE_COPIES: Declaration(
        "Copies stay loops, as they are short and many: LLVM makes no calls of `memcpy` of them.",
        _FUNCTION,
        UNIT,
        ("convert-linalg-to-affine",),
        ("loops-vectorize", "loops-outline-parallel", "convert-to-llvm"),
        "convert-to-llvm",
    ),
}
"""Of the functions that it calls."""

OP_ATTRIBUTES: dict[str, Declaration] = {
    CONTRACT: Declaration(
        "A product and the sum it goes into may be rounded once: formulas of this package allow it, programs never do."
        " From level 2 on that is the flag `fastmath<contract>` of `arith`.",
        ("stablehlo.add", "stablehlo.multiply", "stablehlo.subtract"),
        UNIT,
        ("chlo-legalize-to-stablehlo",),
        ("stablehlo-outline-layers", "stablehlo-simplify", "convert-stablehlo-to-linalg"),
        "convert-stablehlo-to-linalg",
    ),
    SIGNATURE: Declaration(
        "The type that the call had before its tuples were flattened.",
        _CALL,
        TYPE,
        ("stablehlo-flatten-tuples",),
        ("dialects/stablehlo/custom_call.py", "convert-stablehlo-to-linalg"),
        "convert-stablehlo-to-linalg",
    ),
    PARAMETERS: Declaration(
        "The parameters of a routine, all of them addresses: of a letter, of an i32, or the output of this number (an"
        " index). Numbers behind those of the outputs are the last inputs, which are only read. The first outputs begin"
        " as copies of the others. An option of `xrt.call_target` from level 2 on.",
        _CALL,
        PARAMETERS_FORM,
        ("stablehlo-call-lapack",),
        _ROUTINE_READERS,
        "convert-stablehlo-to-linalg",
    ),
    BATCH: Declaration(
        "How many matrices the outputs hold: the routine is called for one after the other. Then an option too.",
        _CALL,
        POSITIVE,
        ("stablehlo-call-lapack",),
        _ROUTINE_READERS,
        "convert-stablehlo-to-linalg",
    ),
    SPACES: Declaration(
        "How many of the last outputs are space to work in, the same for all matrices. Then an option too.",
        _CALL,
        COUNT,
        ("stablehlo-call-lapack",),
        _ROUTINE_READERS,
        "convert-stablehlo-to-linalg",
    ),
}
"""Of ops of level 1."""

TABLE_ATTRIBUTES: dict[str, Declaration] = {
    CALL_TARGET_TABLE: Declaration(
        "What `xrt.call_target` ops called. Each is a function `void target(void *out, void **in)`: `out` points to the"
        " only output, or to an array of pointers to the outputs if there are none or several, or if the signature has"
        " one tuple as its result.",
        ("builtin.module",),
        TABLE,
        ("convert-to-llvm",),
        ("lowering/to_llvm/module_tables.py",),
    ),
    SAFEPOINTS: Declaration(
        "The module calls the function in the slot `SAFEPOINT` of the context.",
        ("builtin.module",),
        UNIT,
        ("convert-to-llvm",),
        ("lowering/to_llvm/module_tables.py",),
    ),
    PROFILE: Declaration(
        "What is measured, in the order of the table in the slot `PROFILE` of the context: what is called, the line of"
        " the user's program, that of the text, and the user's name of the operation. The first one is the program.",
        ("builtin.module",),
        SITES,
        ("convert-to-llvm",),
        ("lowering/to_llvm/module_tables.py",),
    ),
    SAFEPOINT_CALL: Declaration(
        "A call of that function: to the program it has no effects.",
        ("llvm.call",),
        UNIT,
        ("convert-to-llvm",),
        ("lowering/llvm_to_text/instructions.py",),
    ),
    CONSTANT_INDEX: Declaration(
        "The global is no part of the code: its place in the table of large constants.",
        ("llvm.mlir.global",),
        COUNT,
        ("convert-to-llvm",),
        ("lowering/llvm_to_text/__init__.py", "lowering/to_llvm/module_tables.py"),
    ),
}
"""Of the tables that generated code finds in its context."""

LOOP_ATTRIBUTES: dict[str, Declaration] = {
    LANES: Declaration(
        "The schedule says how many elements of the loop are in a vector.",
        ("affine.for", "scf.for"),
        POSITIVE,
        ("convert-linalg-to-affine", "linalg-lower-scans", "linalg-lower-sorts"),
        ("loops-vectorize",),
        "loops-vectorize",
    ),
    STREAM: Declaration(
        "A store of a vector to a large result of the program, which goes past the caches.",
        ("vector.store",),
        UNIT,
        ("loops-stream-results",),
        ("convert-to-llvm",),
        "convert-to-llvm",
    ),
}
"""Of loops of level 5, and of what is in them."""

LLVM_ATTRIBUTES: dict[str, Declaration] = {
    UNROLL: Declaration(
        "The jump back of a loop that LLVM replaces by copies of its body.",
        ("llvm.cond_br",),
        UNIT,
        ("llvm-mark-short-loops",),
        ("llvm-choose-tiers", "lowering/llvm_to_text/functions.py"),
    ),
    REPEATED: Declaration(
        "A function that may run more than once in a run of the program: something with a loop calls it.",
        ("llvm.func",),
        UNIT,
        ("convert-to-llvm",),
        ("llvm-choose-tiers",),
    ),
    TIER: Declaration(
        "How much of LLVM the function needs.",
        ("llvm.func",),
        TIER_FORM,
        ("llvm-choose-tiers",),
        ("lowering/llvm_to_text/functions.py",),
    ),
}
"""Of what LLVM is told."""

ATTRIBUTES = ENTRY_ATTRIBUTES | KERNEL_ATTRIBUTES | OP_ATTRIBUTES | LOOP_ATTRIBUTES | TABLE_ATTRIBUTES | LLVM_ATTRIBUTES
"""By name."""


def pairs_of(op: Operation, name: str) -> tuple[tuple[int, int], ...]:
    """The pairs that `op` has as attribute `name`."""
    attribute = op.attributes.get(name)
    if attribute is None:
        return ()
    numbers = [int(number) for number in cast("DenseArrayBase[Any]", attribute).get_values()]
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def number_of(op: Operation, name: str) -> int | None:
    """The number that `op` has as attribute `name`."""
    value = op.attributes.get(name)
    return None if value is None else _number(value)


def denormals_of(module: IRNode) -> Denormals | None:
    """What the module says of subnormal numbers; None: as its caller does."""
    value = module.attributes.get(DENORMALS) if isinstance(module, Operation) else None
    return value.data if isinstance(value, StringAttr) and value.data in MODES else None
