"""A sharded program on its devices, against one device; what is wrong is cut down to the least program that is."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from io import StringIO

import numpy as np

from ...dialects.printing import ExactPrinter
from ...errors import UnsupportedError, XlaError
from ...runtime.compiler import compile
from ...runtime.devices.delays import random_delays
from ...runtime.entry import isolate_entry, read_signature, select_entry
from ...runtime.sharding.splitting import Splitting
from ..comparison import compare
from ..differential import Subject
from ..fuzz_outcomes import Failure, Unsupported
from ..fuzz_reduction import SECONDS, WrongValues
from ..program_runs import describe_exception, tolerance_of
from ..random_programs.known import FLUSHED
from ..reduction.drafts import Draft
from ..reduction.engine import reduce_module
from ..tensor_io import is_integer
from .manual import has_manual, without_manual
from .programs import ShardedProgram, generate_sharded
from .without_shardings import drop_shardings

Arrays = Sequence[np.ndarray]


def check_sharded(seed: int) -> Failure | Unsupported | None:
    """Run sharded program number `seed`, and cut it down if it fails."""
    return check_program(generate_sharded(seed))


def check_program(program: ShardedProgram) -> Failure | Unsupported | None:
    """Run a program on one device and on those of its mesh, which pause at random, and cut it down if it fails."""
    with random_delays(program.seed):
        return _check(program)


def _check(program: ShardedProgram) -> Failure | Unsupported | None:
    try:
        subject = Subject.parse(program.text.encode(), f"program {program.seed}", None)
    except Exception as error:
        return Failure(f"not a program: {type(error).__name__}: {error}", program.text)
    wanted = on_one_device(subject, program.inputs)
    try:
        got = on_devices(subject, program.inputs, program.devices)
    except UnsupportedError as error:
        return Unsupported(error.message)
    except Exception as error:
        return _least_raising(subject, program, error)
    problems = _problems(subject, program, got, wanted)
    return _least_wrong(subject, program, "\n".join(problems)) if problems else None


def on_one_device(subject: Subject, inputs: Arrays) -> Arrays:
    """The results of the reference, to which annotations mean nothing."""
    module = without_manual(subject.module) if has_manual(subject.module) else subject.module
    return dataclasses.replace(subject, module=module).reference(inputs)


class ReplicasDifferError(XlaError):
    """Devices that have the same part of a result do not have the same values of it."""


def on_devices(subject: Subject, inputs: Arrays, devices: int) -> Arrays:
    """The whole results of a program that is partitioned for `devices`.

    Behind the elements of uneven parts of arguments stand values that must not be seen.
    """
    executable = compile(subject.module, devices=devices, threads=1, entry=subject.signature.entry, cache=False)
    splittings = executable.input_splittings
    columns = [_poisoned(splitting, np.array(x)) for splitting, x in zip(splittings, inputs, strict=True)]
    results = executable.run_sharded([[column[device] for column in columns] for device in range(devices)])
    joined: list[np.ndarray] = []
    for index, splitting in enumerate(executable.output_splittings):
        parts = [np.asarray(row[index]) for row in results]
        joined.append(splitting.join(parts))
        for device, (part, elements) in enumerate(zip(parts, _elements(splitting), strict=True)):
            first = splitting.places.index(splitting.places[device])
            if part[elements].tobytes() != parts[first][elements].tobytes():
                raise ReplicasDifferError(f"device {device} has other values of out{index} than device {first}")
    return joined


def _elements(splitting: Splitting) -> list[np.ndarray]:
    """Where elements are in the part of each device, and not padding."""
    return splitting.split(np.ones(splitting.shape, np.bool_))


def _poisoned(splitting: Splitting, array: np.ndarray) -> list[np.ndarray]:
    """The part of each device, with NaN or another number that is easily seen for padding."""
    is_float = array.dtype.kind in "fcV" and not is_integer(array.dtype)
    poison = np.array(np.nan if is_float else 1).astype(array.dtype)
    if array.dtype.kind in "iu":
        poison = np.array(np.iinfo(array.dtype).max, array.dtype)
    parts = zip(splitting.split(array), _elements(splitting), strict=True)
    return [part if elements.all() else np.where(elements, part, poison) for part, elements in parts]


def _problems(subject: Subject, program: ShardedProgram, got: Arrays, wanted: Arrays) -> list[str]:
    found: list[str] = []
    for index, (a, b, error) in enumerate(zip(got, wanted, program.returned, strict=True)):
        spec = subject.signature.outputs[index]
        if a.shape != b.shape or a.dtype != b.dtype:
            found.append(f"out{index} ({spec}) is of shape {a.shape} and type {a.dtype}")
        elif error != math.inf and (mismatch := compare(a, b, tolerance_of(a.dtype, _on_devices(error)))):
            found.append(f"out{index} ({spec}) {mismatch}")
    return found


def _on_devices(error: float | None) -> float | None:
    """The tolerance of results of several devices, to which what moves elements may be a sum, which flushes them."""
    return FLUSHED if error is None else error


def _least_wrong(subject: Subject, program: ShardedProgram, reason: str) -> Failure:
    """The least part that gives wrong values; the whole program if it does so only with its manual computations."""
    whole = Failure(reason, program.text)
    if has_manual(subject.module):
        subject = dataclasses.replace(subject, module=without_manual(subject.module))
    try:
        fails = WrongValues(
            subject,
            program.inputs,
            [[_on_devices(error) for error in errors] for errors in program.tolerances],
            lambda part, inputs: on_devices(part, inputs, program.devices),
        )
    except XlaError:
        return whole
    if not fails.whole():
        return whole
    least = reduce_module(subject.module, fails, seconds=SECONDS, more=[drop_shardings]).module
    return Failure(reason, _text(least), fails.inputs.get(id(least)))


def _least_raising(subject: Subject, program: ShardedProgram, error: Exception) -> Failure:
    """The least part that raises an error in the same place."""
    reason = describe_exception(error)
    place = reason.partition(": ")[0]

    def fails(draft: Draft) -> bool:
        try:
            entry = select_entry(draft.module, subject.signature.entry)
            isolate_entry(draft.module, entry)
            part = dataclasses.replace(subject, module=draft.module, signature=read_signature(entry))
        except XlaError:  # no entry any more, or one that cannot be called
            return False
        inputs = [np.zeros(spec.shape, spec.dtype) for spec in part.signature.inputs]
        try:
            on_devices(part, inputs, program.devices)
        except Exception as error:
            return describe_exception(error).partition(": ")[0] == place
        return False

    if not fails(Draft(subject.module, {})):
        return Failure(reason, program.text)
    least = reduce_module(subject.module, fails, seconds=SECONDS, more=[drop_shardings]).module
    entry = select_entry(least, subject.signature.entry)
    return Failure(reason, _text(least), [np.zeros(s.shape, s.dtype) for s in read_signature(entry).inputs])


def _text(module: object) -> str:
    text = StringIO()
    ExactPrinter(stream=text).print_op(module)  # pyright: ignore
    return text.getvalue() + "\n"
