"""A program and the pipeline that fails on it, in one file, as mlir-opt writes it and runs it with `--run-reproducer`.

The pipeline stands in the file's metadata:

    {-#
      external_resources: {
        mlir_reproducer: {
          pipeline: "builtin.module(func.func(cse))",
          disable_threading: true,
          verify_each: true
        }
      }
    #-}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...errors import InternalError, Note, XlaError
from ...runtime.nested_passes import NestedPasses, text_of
from ...runtime.output_files import written
from ...runtime.pass_manager import Instrument
from .names import display_name
from .printing import Form

_STRING = r'"(?:\\.|[^"\\])*"'


class Stored(NamedTuple):
    """What a reproducer says about how it is to be run."""

    pipeline: str
    verify_each: bool


def stored(text: str) -> Stored | None:
    """What the metadata of a file holds; None where there is none."""
    start = text.rfind("mlir_reproducer")
    section = text[start:] if start >= 0 else ""
    pipeline = re.search(rf"\bpipeline\s*:\s*({_STRING})", section)
    if pipeline is None:
        return None
    content = re.sub(r"\\([\\\"])", r"\1", pipeline[1][1:-1])
    is_off = re.search(r"\bverify_each\s*:\s*false\b", section) is not None
    return Stored(content, not is_off)


def reproducer(program: str, passes: Iterable[ModulePass], *, verify_each: bool) -> str:
    """The text of one."""
    pipeline = f"builtin.module({text_of(passes)})".replace("\\", "\\\\").replace('"', '\\"')
    return (
        f"{program.rstrip()}\n\n{{-#\n  external_resources: {{\n    mlir_reproducer: {{\n"
        f'      pipeline: "{pipeline}",\n      disable_threading: true,\n'
        f"      verify_each: {str(verify_each).lower()}\n    }}\n  }}\n#-}}\n"
    )


def write_reproducer(path: str, text: str) -> None:
    """Raises `XlaError` where it cannot be written."""
    try:
        with written(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise XlaError(f"{path}: {error.strerror}") from error


@dataclass
class CrashReproducer(Instrument):
    """Writes one where a pass fails: of the whole pipeline and the program as it came, or, `local`, of the pass alone
    and what it was given. In both cases the program is text that is kept while the passes run.
    """

    path: str
    passes: Sequence[ModulePass]
    verify_each: bool
    local: bool = False
    program: str = ""
    _nesting: list[str] = field(default_factory=list[str])
    failure: str | None = None

    def start(self, module: ModuleOp) -> None:
        """The passes are about to run on `module`."""
        self.program = Form(locations=False).text(module)

    def before_nested(self, nested: NestedPasses, op: Operation) -> None:
        self._nesting.append(nested.anchor)

    def after_nested(self, nested: NestedPasses, op: Operation) -> None:
        self._nesting.pop()

    def before_pass(self, module_pass: ModulePass, op: Operation) -> None:
        if self.local:
            self.program = Form().text(_top(op))

    def failed_pass(self, module_pass: ModulePass, op: Operation, error: XlaError | InternalError) -> None:
        name = display_name(module_pass)
        passes: Sequence[ModulePass] = self.passes
        if self.local:
            for anchor in reversed(self._nesting):
                module_pass = NestedPasses(anchor, (module_pass,))
            passes = [module_pass]
        write_reproducer(self.path, reproducer(self.program, passes, verify_each=self.verify_each))
        self.failure = f"`{name}` on '{op.name}' operation"

    def notes(self) -> tuple[Note, ...]:
        """What is added to the message of the failure."""
        if self.failure is None:
            return ()
        return (Note(f"Pipeline failed while executing [{self.failure}]: reproducer generated at `{self.path}`"),)


def _top(op: Operation) -> Operation:
    while (around := op.parent_op()) is not None:
        op = around
    return op
