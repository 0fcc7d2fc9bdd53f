"""What can come of running a random program: it fails, it is not supported, or neither."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .stored_arrays import to_stored


class Failure(NamedTuple):
    """What went wrong with one program."""

    reason: str
    program: str
    """The part of the program that shows it."""
    inputs: Sequence[np.ndarray] | None = None
    """What to call that with, if not with the inputs of the program."""

    def report(self) -> dict[str, Any]:
        """The failure in JSON."""
        report: dict[str, Any] = {"failure": self.reason, "program": self.program}
        if self.inputs is not None:
            stored = io.BytesIO()
            np.savez(stored, *map(to_stored, self.inputs))
            report["inputs"] = base64.b64encode(stored.getvalue()).decode()
        return report


def inputs_of(report: Mapping[str, Any]) -> list[np.ndarray] | None:
    """Those of a failure that was reported in JSON, as their bits."""
    if "inputs" not in report:
        return None
    with np.load(io.BytesIO(base64.b64decode(report["inputs"]))) as archive:
        return [archive[name] for name in archive.files]


class Unsupported(NamedTuple):
    """Why the compiler rejects a program."""

    reason: str
