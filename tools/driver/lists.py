"""What there is: passes, pipelines, dialects, versions, each with a line about it, without importing what it names."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import cast

from ...pipelines import PASSES, PIPELINE_SUMMARIES, PIPELINES
from ...runtime.extensions.definitions import NOTHING, Definitions

ROOT = Path(__file__).parents[2]
LINE_WIDTH = 120


def first_sentence(text: str) -> str:
    """The first sentence of a docstring, without the name in front: "`cse`: merges ..."."""
    paragraph = " ".join(text.strip().split("\n\n")[0].split())
    head, colon, rest = paragraph.partition("`: ")
    sentence = rest if colon and head.startswith("`") else paragraph
    end = sentence.find(". ")
    return (sentence if end < 0 else sentence[:end]).rstrip(".:")


def pass_summary(name: str) -> str:
    """What one of this package's passes does, from the docstring of its file."""
    path = ROOT.joinpath(*PASSES[name].split("."), f"{name.replace('-', '_')}.py")
    try:
        text = ast.get_docstring(ast.parse(path.read_bytes()), clean=True)
    except OSError:  # a package without sources
        text = None
    return first_sentence(text or "")


def entries(names: Mapping[str, str], indent: str = "  ") -> Iterator[str]:
    """A line each: the name, and what is said about it, cut where it is too long for a line."""
    width = max(map(len, names), default=0)
    for name, summary in names.items():
        room = LINE_WIDTH - len(indent) - width - 3
        yield f"{indent}{name:{width}}   {textwrap.shorten(summary, max(room, 20), placeholder=' ...')}".rstrip()


def own_passes() -> dict[str, str]:
    """This package's passes in the order of the levels, with what they do."""
    return {name: pass_summary(name) for name in PASSES}


def own_pipelines() -> dict[str, str]:
    """The named pipelines, with what they are for."""
    return {name: PIPELINE_SUMMARIES[name] for name in PIPELINES}


def other_passes(names: Iterable[str], factories: Mapping[str, object]) -> dict[str, str]:
    """Passes from elsewhere, with what the first line of their docstring says; these are imported."""
    found: dict[str, str] = {}
    for name in sorted(names):
        factory = factories[name]
        try:
            pass_type = factory() if callable(factory) else None
        except Exception:  # a pass whose dependency is not installed
            found[name] = "(cannot be imported)"
            continue
        text = vars(pass_type).get("__doc__") if isinstance(pass_type, type) else None
        generated = isinstance(pass_type, type) and text is not None and text.startswith(f"{pass_type.__name__}(")
        found[name] = "" if text is None or generated else first_sentence(text)
    return found


def pass_list(factories: Mapping[str, object], definitions: Definitions = NOTHING) -> str:
    """All passes and pipelines, as flags, in the layout of mlir-opt's `--list-passes`; first those of the user's
    files, which `definitions` are.
    """
    tables = (definitions.passes, definitions.pipelines)
    loaded = {name: f"of {definition.origin}" for table in tables for name, definition in table.items()}
    others = other_passes(factories.keys() - PASSES.keys(), factories)
    own, pipelines = own_passes(), own_pipelines()
    width = max(map(len, [*own, *pipelines, *others, *loaded])) + 2
    lines = ["Passes and pipelines of --load-pass:", *_flags(loaded, width)] if loaded else []
    lines.append("Passes of xdsl-xla:")
    lines += _flags(own, width)
    lines += ["Pass pipelines:", *_flags(pipelines, width), "Passes of xDSL and of installed packages:"]
    lines += _flags(others, width)
    return "\n".join(lines)


def _flags(names: Mapping[str, str], width: int) -> Iterator[str]:
    for name, summary in names.items():
        yield (
            f"  {f'--{name}':{width}}   -   {summary}".rstrip(" -")
            if not summary
            else (f"  {f'--{name}':{width}}   -   {summary}")
        )


def dialect_list(names: Iterable[str]) -> str:
    """The dialects, as mlir-opt's `--show-dialects` prints them."""
    return f"Available Dialects: {','.join(sorted(names))}"


def version_text() -> str:
    """This package's version, and those of what it stands on."""
    from llvmlite import binding  # pyright: ignore[reportMissingTypeStubs]

    llvm_version = ".".join(map(str, cast("tuple[int, ...]", vars(binding)["llvm_version_info"])))
    return (
        f"xdsl-xla {_version('xdsl-xla')}\n"
        f"  xDSL {_version('xdsl')}\n  LLVM {llvm_version} (llvmlite {_version('llvmlite')})"
    )


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "(not installed as a package)"
