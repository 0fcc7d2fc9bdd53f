"""The names that begin with `xrt.`: what passes tell each other, and later the runtime, about a program.

`ATTRIBUTES` declares every attribute: on which ops it stands, what it holds, who writes it and who reads it.
`verify_xrt_attributes` checks a module of any level against it. What follows from such an attribute is code, so that
programs from outside have none: `stablehlo-refuse-internals` sees to that at the start of the pipelines. The same is
true of the ops of the dialect `xrt`, of targets of custom calls whose names begin with `xrt.`, and of such symbols.
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
    MemRefType,
    StringAttr,
    UnitAttr,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation

from ..errors import InvalidProgramError
from .editing import walk
from .llvm_parts import Tier
from .xrt_names import (
    ARENA_BYTES,
    BATCH,
    BRIEF,
    CALL_TARGET_TABLE,
    CONSTANT_INDEX,
    CONTRACT,
    DONATED,
    ENTRY,
    INLINE_COPIES,
    INTERFACE,
    KERNEL,
    NUM_INPUTS,
    NUM_OUTPUTS,
    PARAMETERS,
    PREFIX,
    ROW_DIMS,
    SAFEPOINT_CALL,
    SAFEPOINTS,
    SERIAL,
    SIGNATURE,
    SPACES,
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
    """An attribute whose name begins with `xrt.`."""

    on: tuple[str, ...]
    """The ops that may carry it."""
    form: Form
    writers: tuple[str, ...]
    """The passes that write it; those after them keep it up to its last reader."""
    readers: tuple[str, ...]
    """Passes, and modules of the runtime."""


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


def _are_pairs(value: Attribute) -> bool:
    if not isinstance(value, DenseArrayBase) or cast("DenseArrayBase[Any]", value).elt_type != i64:
        return False
    numbers = cast("DenseArrayBase[Any]", value).get_values()
    return len(numbers) % 2 == 0 and all(number >= 0 for number in numbers)


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


def _is_tier(value: Attribute) -> bool:
    return isinstance(value, StringAttr) and value.data in {tier.value for tier in Tier}


UNIT = Form("no value", _is(UnitAttr))
COUNT, POSITIVE = _at_least(0), _at_least(1)
INTERFACE_FORM = Form("{type = a function type, arguments = their names, results = their names}", _is_interface)
PAIRS = Form("an array of i64, in pairs of an argument and a result", _are_pairs)
TYPE = Form("a function type", _is(FunctionType))
PARAMETERS_FORM = Form("an array of letters, i32s, and numbers of results of type index", _are_parameters)
TABLE = Form("an array of {target = a name, signature = a function type, options = a dictionary}", _is_table)

TIER_FORM = Form(f"one of {', '.join(tier.value for tier in Tier)}", _is_tier)

_FUNCTION, _BOTH, _CALL = ("func.func",), ("func.func", "llvm.func"), ("stablehlo.custom_call",)

ATTRIBUTES: dict[str, Declaration] = {
    # the entry function
    INTERFACE: Declaration(_BOTH, INTERFACE_FORM, ("func-note-interface",), ("runtime/entry.py",)),
    ENTRY: Declaration(_FUNCTION, UNIT, ("linalg-outline-kernels",), ("every pass on functions down to level 6",)),
    NUM_INPUTS: Declaration(_FUNCTION, COUNT, ("convert-tensor-to-memref",), ("convert-to-llvm",)),
    NUM_OUTPUTS: Declaration(_FUNCTION, COUNT, ("convert-tensor-to-memref",), ("convert-to-llvm",)),
    DONATED: Declaration(_BOTH, PAIRS, ("convert-tensor-to-memref",), ("runtime/program_facts.py",)),
    THREADS: Declaration(_BOTH, POSITIVE, ("memref-assign-arena",), ("runtime/program_facts.py",)),
    THREAD_SCRATCH_BYTES: Declaration(_BOTH, COUNT, ("memref-assign-arena",), ("runtime/program_facts.py",)),
    BRIEF: Declaration(_BOTH, UNIT, ("loops-insert-safepoints",), ("runtime/program_facts.py",)),
    ARENA_BYTES: Declaration(("llvm.func",), COUNT, ("convert-to-llvm",), ("runtime/program_facts.py",)),
    # kernels
    KERNEL: Declaration(
        _BOTH,
        UNIT,
        ("linalg-outline-kernels", "linalg-block-row-chains", "linalg-tile-contractions", "convert-linalg-to-affine"),
        ("every pass on kernels", "runtime/program_facts.py"),
    ),
    ROW_DIMS: Declaration(_FUNCTION, COUNT, ("linalg-outline-kernels",), ("convert-linalg-to-affine",)),
    SERIAL: Declaration(
        _FUNCTION, UNIT, ("linalg-block-row-chains",), ("linalg-tile-contractions", "convert-linalg-to-affine")
    ),
    INLINE_COPIES: Declaration(
        _FUNCTION, UNIT, ("convert-linalg-to-affine", "loops-outline-parallel"), ("convert-to-llvm",)
    ),
    # ops on level 1
    CONTRACT: Declaration(
        ("stablehlo.add", "stablehlo.multiply", "stablehlo.subtract"),
        UNIT,
        ("chlo-legalize-to-stablehlo",),
        ("convert-stablehlo-to-linalg",),
    ),
    SIGNATURE: Declaration(_CALL, TYPE, ("stablehlo-flatten-tuples",), ("convert-stablehlo-to-linalg",)),
    PARAMETERS: Declaration(
        _CALL, PARAMETERS_FORM, ("stablehlo-call-lapack",), ("convert-to-llvm", "reference/lapack_library.py")
    ),
    BATCH: Declaration(_CALL, POSITIVE, ("stablehlo-call-lapack",), ("convert-to-llvm", "reference/lapack_library.py")),
    SPACES: Declaration(_CALL, COUNT, ("stablehlo-call-lapack",), ("convert-to-llvm", "reference/lapack_library.py")),
    # the tables of the context, on level 6
    CALL_TARGET_TABLE: Declaration(("builtin.module",), TABLE, ("convert-to-llvm",), ("runtime/compilation.py",)),
    SAFEPOINTS: Declaration(("builtin.module",), UNIT, ("convert-to-llvm",), ("runtime/compilation.py",)),
    SAFEPOINT_CALL: Declaration(("llvm.call",), UNIT, ("convert-to-llvm",), ("lowering/llvm_to_text",)),
    CONSTANT_INDEX: Declaration(
        ("llvm.mlir.global",), COUNT, ("convert-to-llvm",), ("lowering/llvm_to_text", "runtime/compilation.py")
    ),
    # what LLVM is told, on level 6
    UNROLL: Declaration(
        ("llvm.cond_br",), UNIT, ("llvm-mark-short-loops",), ("llvm-choose-tiers", "lowering/llvm_to_text")
    ),
    TIER: Declaration(("llvm.func",), TIER_FORM, ("llvm-choose-tiers",), ("lowering/llvm_to_text",)),
}
"""By name, in the order in which they come into a program."""


def verify_xrt_attributes(module: Operation) -> None:
    """Raises `InvalidProgramError` for an attribute that is not declared, at another op or of another form than
    declared, and for an entry function whose attributes do not agree with each other and with its arguments.
    """
    for op in walk(module):
        if op.attributes and not op.attributes.keys().isdisjoint(ATTRIBUTES):
            for name, value in op.attributes.items():
                if name.startswith(PREFIX):
                    _verify(op, name, value)
            _verify_entry(op)
        elif op.attributes:
            for name in op.attributes:
                if name.startswith(PREFIX):
                    raise _error(op, f"there is no attribute '{name}'")


def _error(op: Operation, message: str) -> InvalidProgramError:
    return InvalidProgramError(f"'{op.name}' op: {message}", op)


def _verify(op: Operation, name: str, value: Attribute) -> None:
    declared = ATTRIBUTES.get(name)
    if declared is None:
        raise _error(op, f"there is no attribute '{name}'")
    if op.name not in declared.on:
        raise _error(op, f"attribute '{name}' stands on {' and '.join(declared.on)} only")
    if not declared.form.fits(value):
        raise _error(op, f"attribute '{name}' is {declared.form.text}, got {value}")


def _verify_entry(op: Operation) -> None:
    attributes = op.attributes
    if KERNEL in attributes and (role := next((name for name in (ENTRY, INTERFACE) if name in attributes), None)):
        raise _error(op, f"a function with '{role}' is no kernel: '{KERNEL}' does not stand beside it")
    counts = [attributes.get(name) for name in (NUM_INPUTS, NUM_OUTPUTS)]
    if counts == [None, None]:
        if DONATED in attributes and op.name == "func.func":
            raise _error(op, f"attribute '{DONATED}' stands beside '{NUM_INPUTS}' and '{NUM_OUTPUTS}'")
        return
    if None in counts or ENTRY not in attributes:
        raise _error(op, f"attributes '{NUM_INPUTS}' and '{NUM_OUTPUTS}' stand beside each other and '{ENTRY}'")
    inputs, outputs = (cast("IntegerAttr[Any]", count).value.data for count in counts)
    type = op.properties.get("function_type")
    types = type.inputs.data if isinstance(type, FunctionType) else ()
    arena = types[inputs + outputs :]
    if len(types) < inputs + outputs or len(arena) > 1 or not all(map(_is_bytes, arena)):
        raise _error(op, f"expected {inputs} inputs, {outputs} outputs and perhaps an arena of bytes, got {type}")
    _verify_donated(op, types[:inputs], types[inputs : inputs + outputs])


def _verify_donated(op: Operation, inputs: tuple[Attribute, ...], outputs: tuple[Attribute, ...]) -> None:
    pairs = donated_pairs(op)
    for argument, result in pairs:
        if argument >= len(inputs) or result >= len(outputs) or inputs[argument] != outputs[result]:
            raise _error(op, f"attribute '{DONATED}': result {result} does not fit into argument {argument}")
    for side in zip(*pairs, strict=True):
        if len(set(side)) != len(side):
            raise _error(op, f"attribute '{DONATED}' names an argument or result twice")


def donated_pairs(op: Operation) -> tuple[tuple[int, int], ...]:
    """The pairs of an argument and the result that takes its memory, of an entry function."""
    attribute = op.attributes.get(DONATED)
    if attribute is None:
        return ()
    numbers = [int(number) for number in cast("DenseArrayBase[Any]", attribute).get_values()]
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _is_bytes(type: Attribute) -> bool:
    return isinstance(type, MemRefType) and cast("MemRefType[Attribute]", type).element_type == i8


def number_of(op: Operation, name: str) -> int | None:
    """The number that `op` has as attribute `name`."""
    value = op.attributes.get(name)
    return None if value is None else _number(value)
