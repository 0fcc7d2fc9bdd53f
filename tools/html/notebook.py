"""The page in a notebook.

    from xdsl_xla.tools.html import show
    show("model.mlir")                  # in a cell: the page
    show(lowered).save("model.html")    # what `jax.jit(f).lower(...)` gives

`%load_ext xdsl_xla.tools.html` makes modules of xDSL show themselves as pages of one step.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from xdsl.dialects.builtin import ModuleOp

from ...errors import ArgumentError, InternalError, XlaError
from ...runtime.compiler import Request
from ...runtime.output_files import written
from ...runtime.threads import effective_threads
from .collect import record_program, versions
from .page import page
from .recorder import Recorder

HEIGHT = 760
"""Of the page in a cell, in pixels."""


class Page(NamedTuple):
    """A page; a notebook shows it in a frame of its own."""

    html: str
    height: int = HEIGHT

    def __repr__(self) -> str:
        return f"<Page of {len(self.html):,} bytes; save(path) writes it, a notebook shows it>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file. Raises `OSError`."""
        with written(os.fspath(path)) as file:
            file.write(self.html.encode("utf-8"))

    def frame(self) -> str:
        """HTML for a cell: the page in a frame that can do nothing but run its scripts."""
        style = f"width: 100%; height: {self.height}px; border: 0"
        return f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts" style="{style}"></iframe>'

    def _repr_html_(self) -> str:
        return self.frame()


def show(
    program: Any,
    *,
    pipeline: str = "xla-cpu",
    threads: int | None = None,
    opt_level: int = 2,
    entry: str | None = None,
    profile: Mapping[str, float] | None = None,
    height: int = HEIGHT,
) -> Page:
    """How a program is compiled, as a page.

    `program`: a path, MLIR text, bytes, a module of xDSL, or what JAX lowers a function to. The options are those of
    `xdsl_xla.compile`; `profile` has the seconds of each kernel. A program that does not compile has a page up to the
    step that fails, which says why. Raises `XlaError` where there is nothing to show, and `OSError`.
    """
    source, title = _source(program)
    recorder, error = Recorder(), ""
    request = Request(effective_threads(threads), pipeline, entry, None, opt_level, None, None, False)
    try:
        record_program(recorder, source, title, request)
    except (XlaError, InternalError) as failure:
        if not recorder.stages:
            raise
        error = str(failure)
    return Page(page(recorder, title, note=versions(), error=error, profile=profile), height)


def _source(program: Any) -> tuple[str | bytes | ModuleOp, str]:
    if isinstance(program, ModuleOp):
        return program, "module"
    if isinstance(program, bytes):
        return program, "program"
    if isinstance(program, str) and ("\n" in program or "{" in program):
        return program, "program"
    if isinstance(program, str | os.PathLike):
        path = Path(program)  # pyright: ignore[reportUnknownArgumentType]
        return path.read_bytes(), path.name
    if callable(as_text := getattr(program, "as_text", None)):
        return str(as_text()), type(program).__name__
    raise ArgumentError(f"program: expected a path, text, bytes or a module, got {type(program).__name__}")


def module_page(module: ModuleOp, height: int = HEIGHT // 2) -> Page:
    """A module as it is."""
    recorder = Recorder()
    recorder.start(module)
    return Page(page(recorder, "module", note=versions()), height)


def load_ipython_extension(ipython: Any) -> None:
    """What `%load_ext xdsl_xla.tools.html` calls."""

    def write(module: ModuleOp) -> str:
        return module_page(module).frame()

    ipython.display_formatter.formatters["text/html"].for_type(ModuleOp, write)
