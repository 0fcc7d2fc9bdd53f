"""What `xla-opt --list-patterns` prints: a line for each pattern of a pass."""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.pattern_pass import PatternPass
from ..ir.patterns import Pattern
from ..pipelines import PASSES, load_pass
from ..runtime.extensions.definitions import NOTHING, Definitions
from ..runtime.pass_manager import PipelineError, parse_passes


def patterns_by_name(pass_name: str, definitions: Definitions = NOTHING) -> dict[str, list[Pattern]] | None:
    """The patterns of a pass, one of `definitions` or of an installed package too, with its default options; None if it
    is no pattern pass. Raises `PipelineError` for a name that no pass has.
    """
    passes = parse_passes(pass_name, definitions=definitions)
    if len(passes) != 1:
        raise PipelineError(f"'{pass_name}' is not one pass but {len(passes)}")
    if not isinstance(passes[0], PatternPass):
        return None
    found: dict[str, list[Pattern]] = {}
    for pattern in passes[0].patterns():
        found.setdefault(pattern.name, []).append(pattern)
    return found


def described(pass_name: str, definitions: Definitions = NOTHING) -> Iterator[str]:
    """Name, ops and first sentence of each pattern of a pass."""
    found = patterns_by_name(pass_name, definitions)
    if found is None:
        yield f"{pass_name}: not a pattern pass"
        return
    yield f"{pass_name}:"
    width = max(map(len, found), default=0)
    for name, patterns in found.items():
        ops = " ".join(dict.fromkeys(op.name for pattern in patterns for op in pattern.ops)) or "any op"
        yield f"  {name:{width}}  {ops}" + (f"  {patterns[0].summary}" if patterns[0].summary else "")


def listed() -> Iterator[str]:
    """The same of every pass that has patterns."""
    for pass_name in PASSES:
        if issubclass(load_pass(pass_name), PatternPass):
            yield from described(pass_name)
