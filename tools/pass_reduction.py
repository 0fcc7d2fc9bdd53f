"""The least program of which a pass makes something wrong: a predicate for `reduction`, for `--check-passes`.

A candidate is interesting if it is right after the passes before the wrong one, and wrong in the same way after it.
What a cut has turned into an argument gets the value that it had in the run of the whole program.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ..dialects.stablehlo.shapes import is_tensor
from ..errors import InternalError, XlaError
from ..runtime.entry import isolate_entry, read_signature, select_entry
from ..runtime.signature import TensorSpec
from .checked_program import CheckedProgram, Row, Verdict, is_interpretable
from .differential import Arrays
from .reduction.drafts import Draft
from .reduction.engine import Size, reduce_module
from .tensor_io import random_inputs

if TYPE_CHECKING:
    from .pass_checks import Finding

LEAST_SECONDS, LONGER = 0.3, 4.0
"""What the reference may take for a part of a program: so many seconds, or so many times what the whole one takes. A
loop that was cut in a bad place may not end.
"""


CANDIDATE_PATIENCE = 5.0
"""Seconds that a part may take to be compiled and run, or three times what the whole program took."""


class Reduced(NamedTuple):
    """A part of a program, and its inputs."""

    module: ModuleOp
    inputs: Arrays


def reduced(program: CheckedProgram, finding: Finding, seconds: float, report: Callable[[Size], None]) -> Reduced:
    """The least part of `program` that shows `finding`, as far as one is found in so many seconds."""
    kinds = [difference.kind for difference in finding.differences]
    row = next((row for row in program.rows if row.kind in kinds), program.rows[0])
    predicate = _ShowsFinding(program, finding, row)
    program.setup.runs.hurry(CANDIDATE_PATIENCE)
    reduction = reduce_module(program.module, predicate, seconds=seconds, report=report)
    return Reduced(reduction.module, predicate.inputs.get(id(reduction.module), row.inputs))


class _ShowsFinding:
    """The predicate."""

    def __init__(self, program: CheckedProgram, finding: Finding, row: Row) -> None:
        self._program, self._finding, self._row = program, finding, row
        self._symptom = symptom_of(finding.failure)
        self._values = dict(program.recordings.get(id(row), {}))
        entry = select_entry(program.module, program.signature.entry)
        tensors = [argument for argument in entry.args if is_tensor(argument.type)]
        if len(tensors) == len(row.inputs):  # without tuples
            self._values.update(zip(tensors, row.inputs, strict=True))
        self.inputs: dict[int, Arrays] = {}
        """By identity of modules that were interesting."""
        self._kept: list[ModuleOp] = []

    def __call__(self, draft: Draft) -> bool:
        try:
            return self._is_interesting(draft)
        except (XlaError, InternalError):
            return False

    def _is_interesting(self, draft: Draft) -> bool:
        entry = select_entry(draft.module, self._program.signature.entry)
        isolate_entry(draft.module, entry)
        signature = read_signature(entry)
        tensors = [argument for argument in entry.args if is_tensor(argument.type)]
        if len(tensors) == len(signature.inputs):
            inputs = [
                fitted(self._values.get(draft.provenance.get(argument, argument)), spec)
                for argument, spec in zip(tensors, signature.inputs, strict=True)
            ]
        elif signature.inputs == self._program.signature.inputs:
            inputs = list(self._row.inputs)
        else:
            return False
        limit = max(LEAST_SECONDS, LONGER * self._program.longest_run)
        limits, setup = (limit, limit), self._program.setup
        part = CheckedProgram(setup, draft.module, signature, rows=[Row(self._row.kind, inputs)], seconds=limits)
        if part.has_reference != self._program.has_reference or not self._shows(part):
            return False
        self._kept.append(draft.module)  # so that its identity is not given to another one
        self.inputs[id(draft.module)] = inputs
        return True

    def _shows(self, part: CheckedProgram) -> bool:
        number = self._finding.number
        if number == 0:
            return self._is_the_same(part.native(part.module, 0))
        if not part.has_reference and part.native(part.module, 0):
            return False  # what the shortest way gives is what is wanted
        before = part.after(number - 1)
        if not isinstance(before, ModuleOp):
            return False
        after = before.clone()
        if failure := part.applied(after, part.setup.passes[number - 1]):
            return self._is_the_same(Verdict(failure))
        part.has_way_down = True
        if part.has_reference and is_interpretable(after) and not self._symptom:
            wrong = part.interpreted(after)
            return wrong is not None and self._is_the_same(wrong) and self._was_right(part, before, number - 1)
        return self._is_the_same(part.native(after, number)) and self._was_right(part, before, number - 1)

    def _was_right(self, part: CheckedProgram, before: ModuleOp, done: int) -> bool:
        if not self._symptom.startswith(NO_WAY_DOWN) and part.is_right_on_reference(before):
            return True
        if part.has_reference:
            part.forget_plain()  # is what the wrong pass has left
        part.has_way_down = False
        return not part.native(before, done) and part.has_way_down

    def _is_the_same(self, verdict: Verdict) -> bool:
        return bool(verdict) and symptom_of(verdict.failure) == self._symptom


NO_WAY_DOWN = "leaves what later passes do not lower"
"""How the failure of a program begins that ends on its way."""


def symptom_of(failure: str) -> str:
    """What of a failure stays the same in smaller programs: without places, numbers and names of values."""
    if match := re.search(r"pass [\w-]+: \w+(Error|Exception|Interrupt)\b", failure.partition("\n")[0]):
        return match[0]
    return re.sub(r"\d+", "", failure.split(":")[0])


def fitted(value: object, spec: TensorSpec) -> np.ndarray:
    """An array of the type of `spec`: a part of `value`, where that has the same element type and rank."""
    if isinstance(value, np.ndarray | np.generic):
        array: np.ndarray[Any, Any] = np.asarray(cast(Any, value))
        if array.dtype == spec.dtype and array.ndim == len(spec.shape):
            part = array[tuple(slice(0, size) for size in spec.shape)]
            if part.shape == spec.shape:
                return np.array(part)
    return random_inputs([spec], 0)[0]
