"""Programs whose one kernel has another schedule than the decided one."""

from __future__ import annotations

import re
from functools import cache

from tool_calls import call_tool
from xdsl_xla import pipelines

STEPS = [step.spec for step in pipelines.XLA_CPU]
PLACE = STEPS.index("kernels-schedule") + 1


@cache
def passed(text: str, steps: str) -> str:
    """What `xla-opt` makes of a text."""
    return call_tool("xla-opt", ["-p", steps], stdin=text, check=True).stdout


@cache
def printed(program: str) -> str:
    """A program behind `kernels-schedule`, as text."""
    return passed(program, ",".join(STEPS[:PLACE]))


def edited(program: str, schedule: str) -> str:
    """The program with another schedule of its one kernel."""
    text, count = re.subn(
        r"(#schedule\.kernel<\{).*?(\}>)", lambda old: old[1] + schedule + old[2], printed(program), flags=re.DOTALL
    )
    assert count == 1
    return text
