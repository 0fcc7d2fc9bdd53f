"""`--html`: what both commands have of the page, which is imported when it is asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InternalError, XlaError

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.passes import ModulePass

    from ..runtime.compiler import Request
    from ..runtime.pass_manager import PassRun
    from .html.recorder import Recorder

HTML_HELP = (
    "write a page that shows the program before and after every pass, what became of each op down to assembly, its"
    " graph, schedules and memory (docs/html.md)"
)
HTML_PROFILE_HELP = 'for --html: the seconds of each kernel, {"rows_0": 0.0012}'


class HtmlPage:
    """The page that `--html` asks for. Raises `XlaError` where the profile cannot be read."""

    def __init__(self, path: str, source: str | None, profile: str | None) -> None:
        from .html.collect import read_profile

        self.path = path
        self.title = "standard input" if source in (None, "-") else Path(source).name
        self.profile = {} if profile is None else read_profile(profile)

    def write(
        self,
        context: Context,
        module: ModuleOp,
        passes: Sequence[ModulePass],
        *,
        observe: Callable[[PassRun, ModuleOp], None],
        verify: bool,
    ) -> None:
        """Run `passes` and write the page, also where one of them raises."""
        from .html.collect import record

        self._recorded(lambda recorder: record(recorder, context, module, passes, observe=observe, verify=verify))

    def write_program(self, source: str | bytes | ModuleOp, request: Request) -> None:
        """Compile a program and write the page, also where that fails."""
        from .html.collect import record_program

        self._recorded(lambda recorder: record_program(recorder, source, self.title, request))

    def _recorded(self, run: Callable[[Recorder], None]) -> None:
        from .html.collect import write_page
        from .html.recorder import Recorder
        from .reporting import describe

        recorder = Recorder()

        def write(error: str) -> None:
            if recorder.stages:
                print(write_page(self.path, recorder, self.title, error=error, profile=self.profile), file=sys.stderr)

        try:
            run(recorder)
        except (XlaError, InternalError) as error:
            write(describe(error))
            raise
        write("")
