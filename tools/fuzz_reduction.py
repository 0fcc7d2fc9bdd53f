"""The least part of a random program that still fails.

A part is interesting if native code gives something outside the tolerance of the returned values, and outside of what
rounding explains (`conditioning.py`): parts do not keep the promises about rounding that random programs make. What a
cut has turned into an argument gets the value that it had in the whole program.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import ReturnOp
from xdsl.ir import SSAValue

from ..errors import XlaError
from ..runtime.entry import isolate_entry, read_signature, select_entry
from ..runtime.signature import tensors_of
from .conditioning import mismatch_beyond, rounding_spread
from .differential import Subject
from .observed_runs import Recording, run_observed
from .pass_reduction import fitted
from .program_generator import Program
from .program_runs import Setting, native_results, tolerance_of
from .reduction.drafts import Draft
from .reduction.engine import count_ops, reduce_module

SECONDS = 30.0
"""Of reducing one program: less than the time after which its process counts as one that does not end."""

PART_SECONDS = 2.0
"""Of a part on the reference."""


class Part(NamedTuple):
    """A part of a program, and what to call it with."""

    subject: Subject
    inputs: Sequence[np.ndarray]


def least_part(subject: Subject, first: Subject, program: Program, setting: Setting) -> Part:
    """The least part of `subject`, or `first` where that is no larger; programs of several processes stay as they are.

    A program that no longer fails when it is run by itself, or fails with an exception, stays `first`.
    """
    if setting.grid != (1, 1) or not subject.signature.is_plain:
        return Part(first, program.inputs)

    def native(part: Subject, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
        return native_results(setting.compile(part), dataclasses.replace(program, inputs=inputs).rows)[0]

    try:
        fails = WrongValues(subject, program.inputs, program.tolerances, native)
    except XlaError:
        return Part(first, program.inputs)
    if not fails.whole():
        return Part(first, program.inputs)
    reduction = reduce_module(subject.module, fails, seconds=SECONDS)
    if reduction.module is subject.module or count_ops(reduction.module) > count_ops(first.module):
        return Part(first, program.inputs)
    entry = select_entry(reduction.module, subject.signature.entry)
    part = dataclasses.replace(subject, module=reduction.module, signature=read_signature(entry))
    return Part(part, fails.inputs[id(reduction.module)])


class WrongValues:
    """The predicate: `native`, given a part and its inputs, gives wrong values."""

    def __init__(
        self,
        subject: Subject,
        inputs: Sequence[np.ndarray],
        tolerances: Sequence[Sequence[float | None]],
        native: Callable[[Subject, Sequence[np.ndarray]], Sequence[np.ndarray]],
    ) -> None:
        self._subject, self._native = subject, native
        self._recording = Recording()
        entry = select_entry(subject.module, subject.signature.entry)
        arguments = subject.signature.arguments(inputs)
        run_observed(subject.module, subject.signature.entry, arguments, seconds=SECONDS, recording=self._recording)
        self.inputs: dict[int, Sequence[np.ndarray]] = {}
        """By identity of modules that failed, which are kept so that it stays theirs."""
        self._kept: list[ModuleOp] = []
        self._errors: dict[SSAValue, float | None] = {}
        for op, errors in zip(entry.body.block.ops, tolerances, strict=False):
            self._errors.update(zip(op.results, errors, strict=False))

    def whole(self) -> bool:
        """Whether the whole program fails."""
        return self(Draft(self._subject.module, {}))

    def __call__(self, draft: Draft) -> bool:
        try:
            return self._fails(draft)
        except XlaError:
            return False

    def _fails(self, draft: Draft) -> bool:
        entry = select_entry(draft.module, self._subject.signature.entry)
        isolate_entry(draft.module, entry)
        signature = read_signature(entry)
        part = dataclasses.replace(self._subject, module=draft.module, signature=signature)
        inputs = [
            fitted(self._recording.get(draft.provenance.get(argument, argument)), spec)
            for argument, spec in zip(entry.args, signature.inputs, strict=True)
        ]

        def run(noise: np.random.Generator | None = None) -> list[np.ndarray]:
            copies = [np.array(array) for array in inputs]
            results = run_observed(
                draft.module, signature.entry, signature.arguments(copies), seconds=PART_SECONDS, noise=noise
            )
            return [np.asarray(array) for array in tensors_of(results)]

        wanted = run()
        got = self._native(part, inputs)
        last = entry.body.block.last_op
        assert isinstance(last, ReturnOp)
        spread = None
        for number, (a, b, value) in enumerate(zip(got, wanted, last.operands, strict=True)):
            error = self._errors.get(draft.provenance.get(value, value), 0.0)
            tolerance = tolerance_of(b.dtype, error, self._subject.denormals)
            if error == math.inf or mismatch_beyond(a, b, tolerance, None) is None:
                continue
            spread = spread or rounding_spread(run, wanted)
            if spread is not None and mismatch_beyond(a, b, tolerance, spread[number]) is not None:
                self._kept.append(draft.module)
                self.inputs[id(draft.module)] = inputs
                return True
        return False
