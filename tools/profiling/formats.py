"""A profile as files for other programs: folded stacks, a trace, records."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ...dialects.source_lines import Origin
from ...runtime.profiles import Profile
from .lines import attributed
from .predictions import Prediction


def folded(profile: Profile, predicted: Mapping[str, Prediction], name: str) -> str:
    """Stacks with the nanoseconds of one run, as `flamegraph.pl` and speedscope read them: the user's functions with
    their lines, the outermost one first, the line of the text, the kernel.
    """
    stacks: Counter[str] = Counter()
    for measurement, origin, seconds in attributed(profile, predicted):
        stack = [f"@{name}", *_frames(origin), measurement.site.callee]
        stacks[";".join(map(_plain, stack))] += round(seconds / profile.runs * 1e9)
    if rest := round(profile.other_seconds / profile.runs * 1e9):
        stacks[_plain(f"@{name}")] += rest
    return "".join(f"{stack} {count}\n" for stack, count in stacks.items() if count)


def _frames(origin: Origin) -> list[str]:
    frames = [
        f"{frame.function or origin.name or ''} ({os.path.basename(frame.file)}:{frame.line})".strip()
        for frame in reversed(origin.frames)
    ]
    text = origin.text
    return frames if text is None else [*frames, f"{os.path.basename(text.file)}:{text.line}"]


def _plain(frame: str) -> str:
    """Without what separates frames and counts."""
    return frame.replace(";", ",").replace("\n", " ")


def trace(profile: Profile, predicted: Mapping[str, Prediction], name: str) -> str:
    """The last calls one by one, in the format of Chrome's tracing, which Perfetto opens; times in microseconds."""
    events: list[dict[str, Any]] = [
        {"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "xdsl-xla"}},
        {"ph": "M", "name": "thread_name", "pid": 0, "tid": 0, "args": {"name": f"@{name}"}},
    ]
    for call in profile.calls:
        site = call.site
        details: dict[str, Any] = {"line": site.line, "text": site.text, "operation": site.operation}
        if (prediction := predicted.get(site.callee)) is not None:
            details |= {"bytes": prediction.bytes, "operations": prediction.operations}
        events.append(
            {
                "ph": "X",
                "name": site.callee or f"@{name}",
                "cat": "kernel" if site.callee else "program",
                "pid": 0,
                "tid": 0,
                "ts": call.start * 1e6,
                "dur": (call.end - call.start) * 1e6,
                "args": {key: value for key, value in details.items() if value not in ("", None)},
            }
        )
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ns"}) + "\n"


def records(profile: Profile, predicted: Mapping[str, Prediction], name: str) -> str:
    """All that is known, as JSON, for scripts and pages."""
    lines: Counter[tuple[str, str]] = Counter()
    for measurement, origin, seconds in attributed(profile, predicted):
        lines[str(origin.line), measurement.site.callee] += round(seconds / profile.runs * 1e9)
    content = {
        "program": name,
        "runs": profile.runs,
        "threads": profile.threads,
        "nanoseconds": profile.seconds_per_run * 1e9,
        "sites": [
            {**site._asdict(), "calls": calls, "nanoseconds": seconds / profile.runs * 1e9}
            for site, calls, seconds in profile.sites
        ],
        "kernels": {kernel: {"bytes": each.bytes, "operations": each.operations} for kernel, each in predicted.items()},
        "lines": [{"line": line, "callee": callee, "nanoseconds": count} for (line, callee), count in lines.items()],
    }
    return json.dumps(content, indent=1) + "\n"
