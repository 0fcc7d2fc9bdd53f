"""One damaged program: it is read and verified, and perhaps run on both engines."""

from __future__ import annotations

import math
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import ModuleOp, ShapedType
from xdsl.ir import Attribute

from ...errors import UnsupportedError, XlaError
from ...runtime.compiler import compile
from ...runtime.entry import isolate_entry, read_signature
from ...runtime.formats import read_program
from ...runtime.program_context import new_context
from ...runtime.verifying import verify_module
from ..comparison import Mismatch, compare, default_tolerance
from ..cpu_time import CpuTimeError, cpu_time_limit
from ..differential import Subject
from ..entries import resolve_entry
from .outcomes import Kind, Outcome, Phase
from .reordered import reordered

Announce = Callable[[Phase], None]

MOST_OPS = 250
MOST_ELEMENTS = 1 << 18
"""Of a program that is run, and of its largest tensor."""

REFERENCE_SECONDS = 2.0
"""A program that the reference does not end in this time may never end."""

DIALECTS = {"builtin", "func", "stablehlo", "chlo"}
"""Of programs that are run."""

PACKAGE = Path(__file__).resolve().parents[2]


class _Results(NamedTuple):
    """What an engine gave: values or an error."""

    values: Sequence[np.ndarray] = ()
    error: XlaError | None = None


def attempt(data: bytes, name: str, run: bool, announce: Announce) -> Outcome:
    """Read, verify and, with `run`, compile, run and compare the program `data` of the file `name`.

    `announce` hears of each phase before it begins. Crashes and hangs are for the caller to see.
    """
    phase = Phase.READ

    def enter(new: Phase) -> None:
        nonlocal phase
        phase = new
        announce(new)

    try:
        enter(Phase.READ)
        module = read_program(data, name, new_context())
        enter(Phase.VERIFY)
        verify_module(module)
        return _run(module, enter) if run and _is_small(module) else Outcome(Kind.ACCEPTED, phase)
    except XlaError as error:
        return _refused(error, name, phase)
    except MemoryError as error:
        return _raised(Kind.MEMORY, error, phase)
    except Exception as error:
        return _raised(Kind.TRACEBACK, error, phase)


def _refused(error: XlaError, name: str, phase: Phase) -> Outcome:
    if error.location is not None or error.message.startswith(name):
        return Outcome(Kind.REFUSED, phase)
    return _raised(Kind.NO_LOCATION, error, phase)


def _raised(kind: Kind, error: Exception, phase: Phase) -> Outcome:
    frames = traceback.extract_tb(error.__traceback__)
    where = _most_common(error.__traceback__) if isinstance(error, RecursionError) else _last(error.__traceback__)
    signature = f"{kind.name} {phase.name} {type(error).__name__} {where}"
    lines = traceback.format_list(frames[-12:])
    message = str(error)[:500]
    return Outcome(kind, phase, signature, f"{type(error).__name__}: {message}\n{''.join(lines)}")


def _functions(trace: TracebackType | None) -> Iterator[str]:
    for frame, _ in traceback.walk_tb(trace):
        code = frame.f_code
        yield f"{Path(code.co_filename).name}:{code.co_name}"


def _last(trace: TracebackType | None) -> str:
    """The function that raised and, if that is not of this package, the last one that is."""
    frames = [frame for frame, _ in traceback.walk_tb(trace)]
    names = list(_functions(trace))
    own = [i for i, frame in enumerate(frames) if Path(frame.f_code.co_filename).is_relative_to(PACKAGE)]
    last = own[-1] if own else len(names) - 1
    return names[-1] if last == len(names) - 1 else f"{names[-1]} < {names[last]}"


def _most_common(trace: TracebackType | None) -> str:
    """The file of most functions in the trace: which of them was the last is chance."""
    counts = Counter(name.partition(":")[0] for name in _functions(trace))
    return min(counts, key=lambda name: (-counts[name], name))


# -- running -----------------------------------------------------------------------------------------------------


def _elements(type: Attribute) -> int:
    shape = type.get_shape() if isinstance(type, ShapedType) else ()
    return math.prod(abs(n) for n in shape)


def _is_small(module: ModuleOp) -> bool:
    """Whether a program is one for the pipeline, and such that running it takes little."""
    for count, op in enumerate(module.walk()):
        if count > MOST_OPS or op.name.split(".")[0] not in DIALECTS:
            return False
        values = (*op.results, *(argument for region in op.regions for b in region.blocks for argument in b.args))
        if any(_elements(value.type) > MOST_ELEMENTS for value in values):
            return False
    return True


def _run(module: ModuleOp, enter: Announce) -> Outcome:
    enter(Phase.COMPILE)
    function = resolve_entry(module, None)
    signature = read_signature(function)
    isolate_entry(module, function)
    subject = Subject(module, signature, new_context())
    try:
        executable = compile(module, threads=1, entry=signature.entry, cache=False)
    except UnsupportedError as error:
        return _refused(error, "", Phase.COMPILE)
    inputs = subject.inputs("ordinary", 0)
    enter(Phase.REFERENCE)
    wanted = _on_reference(subject, inputs)
    if wanted is None:
        return Outcome(Kind.NOT_COMPARED, Phase.REFERENCE)
    enter(Phase.RUN)
    try:
        got = _Results(subject.native(executable, inputs))
    except XlaError as error:
        got = _Results(error=error)
    return _compared(subject, inputs, got, wanted)


def _on_reference(subject: Subject, inputs: Sequence[np.ndarray]) -> _Results | None:
    """What the reference gives; None if that takes too long or it does not know an op."""
    try:
        with cpu_time_limit(REFERENCE_SECONDS), np.errstate(all="ignore"):
            return _Results(subject.reference(inputs))
    except (CpuTimeError, UnsupportedError, MemoryError):
        return None
    except XlaError as error:
        return _Results(error=error)


def _compared(subject: Subject, inputs: Sequence[np.ndarray], got: _Results, wanted: _Results) -> Outcome:
    if got.error is not None and wanted.error is not None:
        return Outcome(Kind.REFUSED, Phase.RUN)
    if got.error is not None or wanted.error is not None:
        which = "native code" if got.error is not None else "the reference"
        return _wrong(subject, f"only {which} gives an error: {got.error or wanted.error}")
    mismatch = _first_mismatch(got.values, wanted.values)
    if mismatch is None:
        return Outcome(Kind.AGREED, Phase.RUN)
    near = _on_reference(subject, [_nudged(array) for array in inputs])
    if near is None or near.error is not None or _first_mismatch(near.values, wanted.values) is not None:
        return Outcome(Kind.NOT_COMPARED, Phase.RUN)
    if (module := reordered(subject.module)) is not None:
        other = _on_reference(replace(subject, module=module), inputs)
        if other is None or other.error is not None or _first_mismatch(other.values, wanted.values) is not None:
            return Outcome(Kind.NOT_COMPARED, Phase.RUN)
    return _wrong(subject, str(mismatch))


def _wrong(subject: Subject, detail: str) -> Outcome:
    names = sorted({op.name for op in subject.module.walk()} - {"builtin.module", "func.func", "func.return"})
    return Outcome(Kind.WRONG, Phase.RUN, f"WRONG {' '.join(names)}", detail)


def _first_mismatch(got: Sequence[np.ndarray], wanted: Sequence[np.ndarray]) -> Mismatch | None:
    pairs = zip(got, wanted, strict=True)
    return next(filter(None, (compare(a, b, default_tolerance(b.dtype)) for a, b in pairs)), None)


def _nudged(array: np.ndarray) -> np.ndarray:
    """Floats off by some units in the last place."""
    if array.dtype.kind not in "fc":
        return array
    factor = 1 + 4 * float(np.finfo(array.dtype).eps)
    return np.asarray(array * factor, array.dtype)
