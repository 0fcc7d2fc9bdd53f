"""One program through `xla-opt`: read, verified, passed over, printed, as the flags say."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import IO

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects.printing import ExactPrinter
from ...errors import InternalError, XlaError
from ...ir.pattern_log import PatternLog
from ...runtime.nested_passes import NestedPasses, text_of_pass
from ...runtime.pass_manager import Instrument, PassRun, run_passes
from ...runtime.program_context import ProgramContext
from ..html_options import HtmlPage
from .checks import verify_all, verify_roundtrip
from .ir_printing import IRPrinting
from .printing import Form
from .reproducer import CrashReproducer, reproducer, write_reproducer
from .statistics import PassStatistics
from .timing import Timing


def pipeline_dump(passes: Sequence[ModulePass]) -> str:
    """What `--dump-pass-pipeline` prints."""
    return f"Pass Manager with {len(passes)} passes:\n" + "\n".join(_dumped("builtin.module", passes, 0)) + "\n"


def _dumped(anchor: str, passes: Sequence[ModulePass], depth: int) -> Iterator[str]:
    yield f"{'  ' * depth}{anchor}("
    for number, module_pass in enumerate(passes, 1):
        comma = "," if number < len(passes) else ""
        if isinstance(module_pass, NestedPasses):
            *lines, last = _dumped(module_pass.anchor, module_pass.passes, depth + 1)
            yield from lines
            yield last + comma
        else:
            yield f"{'  ' * (depth + 1)}{text_of_pass(module_pass)}{comma}"
    yield f"{'  ' * depth})"


@dataclass
class ProgramRun:
    """What the flags say is to be done with each program."""

    args: argparse.Namespace
    context: ProgramContext
    log: PatternLog
    form: Form
    timing: Timing | None
    statistics: PassStatistics | None
    printing: IRPrinting | None
    makers: Mapping[Operation, str] | None
    page: HtmlPage | None

    @staticmethod
    def of(args: argparse.Namespace, context: ProgramContext, log: PatternLog, page: HtmlPage | None) -> ProgramRun:
        """That of a command line; `log` is being recorded where patterns or statistics are asked for."""
        form = Form.of(args)
        return ProgramRun(
            args,
            context,
            log,
            form,
            Timing() if args.mlir_timing else None,
            PassStatistics(log) if args.mlir_pass_statistics else None,
            IRPrinting.of(args, form),
            log.makers if args.trace_patterns else None,
            page,
        )

    def read(self, parse: Callable[[], ModuleOp | None]) -> ModuleOp | None:
        """The program, verified."""
        with nullcontext() if self.timing is None else self.timing.step("Parser"):
            module = parse()
            if module is not None and not self.args.disable_verify:
                verify_all(module)
        if module is not None and self.args.verify_roundtrip:
            verify_roundtrip(module, self.context)
        return module

    def apply(self, module: ModuleOp, passes: Sequence[ModulePass], *, verify_each: bool) -> None:
        """Run the passes. Raises what they raise."""
        args = self.args
        if args.dump_pass_pipeline:
            print(pipeline_dump(passes), file=sys.stderr)
        instruments: list[Instrument] = [each for each in (self.timing, self.statistics, self.printing) if each]
        crash = None
        if path := args.mlir_pass_pipeline_crash_reproducer:
            crash = CrashReproducer(path, passes, verify_each, args.mlir_pass_pipeline_local_reproducer)
            crash.start(module)
            instruments.append(crash)
        if args.mlir_generate_reproducer:
            text = reproducer(Form().text(module), passes, verify_each=verify_each)
            write_reproducer(args.mlir_generate_reproducer, text)
        if self.page is not None:
            self.page.write(self.context, module, passes, observe=self._observer(passes), verify=verify_each)
            return
        try:
            run_passes(
                self.context,
                module,
                passes,
                observe=self._observer(passes),
                verify=verify_each,
                instruments=instruments,
            )
        except (XlaError, InternalError) as error:
            if crash is not None:
                error.notes = (*error.notes, *crash.notes())
            raise

    def _observer(self, passes: Sequence[ModulePass]) -> Callable[[PassRun, ModuleOp], None]:
        """xDSL's flags, and `--print-ir-after-all`."""
        args = self.args

        def observe(run: PassRun, module: ModuleOp) -> None:
            if args.time_passes:
                print(f"{run.seconds * 1e3:9.2f} ms  {run.name}", file=sys.stderr)
            if args.print_ir_after_all:
                print(f"// -----// IR after {run.name} //----- //", file=sys.stderr)
                self._print(module, sys.stderr)
                print("\n", file=sys.stderr)
            if args.print_between_passes and run.number < len(passes):
                print(f"IR after {run.name}:")
                ExactPrinter(sys.stdout).print_op(module)
                print("\n\n\n")

        return observe

    def _print(self, module: ModuleOp, stream: IO[str]) -> None:
        self.form.printer(stream, self.makers).print_op(module)

    def text(self, module: ModuleOp) -> str:
        """The program as MLIR text."""
        return self.form.program(module, self.context.loaded_dialects, self.makers)

    def report(self, passes: Sequence[ModulePass]) -> None:
        """What is printed to stderr at the end."""
        args = self.args
        if self.statistics is not None:
            print(self.statistics.report(passes, args.mlir_pass_statistics_display), file=sys.stderr)
        if self.timing is not None:
            print(self.timing.report(args.mlir_timing_display, args.mlir_output_format), file=sys.stderr)
        if args.count_patterns:
            print(self.log.report(), file=sys.stderr)
