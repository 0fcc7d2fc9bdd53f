"""`--verify-diagnostics`: what a program is told about, compared with what its file expects, one for one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...diagnostics import Diagnostic, Severity
from ...errors import InternalError, XlaError
from .expectations import Expectation, expectations

PLACE = re.compile(r"(?P<file>.*):(?P<line>\d+):(?P<column>\d+)", re.DOTALL)


def diagnostic_of(error: XlaError | InternalError) -> Diagnostic:
    """An exception as a diagnostic."""
    if isinstance(error, XlaError):
        return Diagnostic(Severity.ERROR, error.message, error.location, error.notes)
    cause = error.__cause__
    location = cause.location if isinstance(cause, XlaError) else None
    return Diagnostic(Severity.ERROR, str(error), location)


def line_of(diagnostic: Diagnostic) -> int | None:
    """Its line; None where it has no place in a file."""
    if diagnostic.location is None:
        return None
    place = PLACE.fullmatch(diagnostic.location)
    return None if place is None else int(place["line"])


class DiagnosticCheck:
    """The expectations of one program, and what it was told."""

    def __init__(self, text: str, filename: str, line_offset: int = 0) -> None:
        self.filename = filename
        self.expected, malformed = expectations(text, line_offset)
        self.complaints = [f"{filename}:{line}: error: {message}" for line, message in malformed]

    def note(self, diagnostic: Diagnostic) -> None:
        """Something was said."""
        for part in diagnostic.parts():
            self._note(part)

    def _note(self, diagnostic: Diagnostic) -> None:
        line = line_of(diagnostic)
        about = [each for each in self.expected if each.is_about(diagnostic, line)]
        fitting = [each for each in about if each.kind is diagnostic.severity]
        # One that is still missing comes first: two directives of the same text are two diagnostics.
        for expectation in sorted(fitting, key=lambda each: each.seen >= each.count.least):
            if not expectation.is_full:
                expectation.seen += 1
                return
        self.complaints.append(self._unexpected(diagnostic, about, fitting))

    def _unexpected(self, diagnostic: Diagnostic, about: list[Expectation], fitting: list[Expectation]) -> str:
        if about and not fitting:
            here = self._place(about[-1])
            return f"{here}: error: '{diagnostic.severity}' diagnostic emitted when expecting a '{about[-1].kind}'"
        place = diagnostic.location or self.filename
        return f"{place}: error: unexpected {diagnostic.severity}: {diagnostic.message}"

    def _place(self, expectation: Expectation) -> str:
        line, column = expectation.directive
        return f"{self.filename}:{line}:{column}"

    def result(self) -> list[str]:
        """What is not as expected, in the order of the file."""
        return [*self.complaints, *self._missing(self.expected)]

    def _missing(self, expected: Iterable[Expectation]) -> list[str]:
        return [
            f"{self._place(each)}: error: {complaint}"
            for each in expected
            if (complaint := each.complaint()) is not None
        ]
