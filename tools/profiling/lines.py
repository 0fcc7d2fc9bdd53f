"""The time of lines: what was measured of kernels, in the shares that their ops predict."""

from __future__ import annotations

from collections.abc import Mapping

from ...dialects.source_lines import Frame, Origin
from ...runtime.profiles import Measurement, Profile
from .predictions import Prediction


def attributed(profile: Profile, predicted: Mapping[str, Prediction]) -> list[tuple[Measurement, Origin, float]]:
    """Each call of the program with the lines that its time is for, in seconds of all runs.

    Equal kernels are one function, whose lines are those of the first call of it. Another call of the same line, in
    another layer, say, has the same lines; one of another line has all its time there.
    """
    found: list[tuple[Measurement, Origin, float]] = []
    for measurement in profile.sites:
        site, _, seconds = measurement
        prediction = predicted.get(site.callee)
        if prediction is not None and prediction.shares and str(prediction.origin.line) == site.line:
            found += [(measurement, origin, seconds * share) for origin, share in prediction.shares.items()]
        else:
            found.append((measurement, _origin_of_site(site.line, site.text, site.operation), seconds))
    return found


def _origin_of_site(line: str, text: str, operation: str) -> Origin:
    frames = () if line == text else (_frame(line),)
    return Origin(operation or None, frames, _frame(text) if text else None)


def _frame(line: str) -> Frame:
    file, _, number = line.rpartition(":")
    return Frame(None, file, int(number) if number.isdigit() else 0, 0)


def by_line(profile: Profile, predicted: Mapping[str, Prediction]) -> dict[str, tuple[float, Origin]]:
    """The seconds of each line, the most expensive one first, with an origin of it."""
    found: dict[str, tuple[float, Origin]] = {}
    for _, origin, seconds in attributed(profile, predicted):
        key = str(origin.line) if origin.line is not None else "?"
        known = found.get(key, (0.0, origin))
        found[key] = known[0] + seconds, known[1]
    return dict(sorted(found.items(), key=lambda item: -item[1][0]))
