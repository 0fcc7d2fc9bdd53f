"""`xla-opt`: parse a program, run passes over it, print it at the level it has reached.

    xla-opt program.mlir -p stablehlo-simplify,convert-stablehlo-to-linalg
    xla-opt program.mlir -p 'xla-cpu{threads=2}' -t llvm

xDSL's driver with this package's dialects, passes, named pipelines and targets, whose errors are
one paragraph with a location.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from io import BytesIO, StringIO
from typing import IO, ClassVar, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.universe import XDSL_UNIVERSE, Universe
from xdsl.utils.arg_spec import parse_spec
from xdsl.utils.exceptions import ArgSpecParseError
from xdsl.utils.target import Target
from xdsl.xdsl_opt_main import xDSLOptMain

from ..dialects import locating
from ..dialects.limits import checked_depth
from ..dialects.printing import ExactPrinter, TracingPrinter
from ..errors import XlaError
from ..ir.pattern_log import PatternLog, recording
from ..nesting import at_depth
from ..pipelines import PIPELINES, pass_factories
from ..runtime.extensions.definitions import Definitions, definitions_of_files
from ..runtime.formats import read_program
from ..runtime.mlir_text import DIALECTS, ProgramContext, verify_module
from ..runtime.output_files import written
from ..runtime.pass_manager import PassRun, PipelineError, parse_passes, run_passes
from .cost_models import COST_MODEL_HELP, COST_MODEL_PLACE, SCHEDULES_HELP, load_cost_model
from .extensions import TargetsByName, add_extension_arguments, write_new_pass
from .html_options import HTML_HELP, HTML_PROFILE_HELP, HtmlPage
from .reporting import FAILURE, SUCCESS, UsageError, describe, guarded
from .targets import TARGETS, ObjectTarget

EXPECTED_ERROR = re.compile(r"expected-error\s*(?:@([+-]\d+|below|above))?\s*\{\{(.*?)\}\}")
"""What a line says about an error: `// expected-error @+1 {{part of the message}}`, as in MLIR."""


def _factory(target: type[Target]) -> Callable[[], type[Target]]:
    """A function without parameters: xDSL takes one with parameters for an old-style target."""
    return lambda: target


DEFAULT_UNIVERSE = Universe(
    all_dialects={**XDSL_UNIVERSE.all_dialects, **DIALECTS},
    all_passes={**XDSL_UNIVERSE.all_passes, **pass_factories()},
    all_targets={
        **XDSL_UNIVERSE.all_targets,
        **{name: _factory(target) for name, target in TARGETS.items()},
    },
)


class _ListPipelines(argparse.Action):
    """Print every named pipeline with the reason for each step, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        for name, steps in PIPELINES.items():
            print(f"{name}:")
            width = max(len(step.spec) for step in steps)
            for step in steps:
                print(f"  {step.spec:{width}}  {step.reason}")
        parser.exit()


class _ListPatterns(argparse.Action):
    """Print the patterns of the pass that is named, or of all passes, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: object, values: object, *_: object) -> None:
        from .pattern_lists import described, listed

        name = cast("str | None", values)
        try:
            definitions = definitions_of_files(getattr(namespace, "load_pass", ()))
            print("\n".join(described(name, definitions) if name is not None else listed()))
        except PipelineError as error:
            raise UsageError(str(error)) from error
        parser.exit()


class XlaOptMain(xDSLOptMain):
    """The driver; `execute` in place of `run`."""

    version_format: ClassVar[str] = "xla-opt on xDSL {xdsl_version}"

    def __init__(self, args: Sequence[str] | None = None) -> None:
        self.universe = DEFAULT_UNIVERSE
        self.log = PatternLog()
        self.page: HtmlPage | None = None
        super().__init__(
            "Optimise and lower StableHLO programs, one pass at a time. The input is MLIR (text, bytecode) or HLO text"
            " (.hlo), which -t hlo prints.",
            args,
        )
        self.ctx.cost_model = load_cost_model(self.args.cost_model)
        from ..runtime.schedule_texts import beside, schedule_texts

        self.ctx.schedules = schedule_texts(self.args.schedules or beside(self.args.input_file)).parsed()
        if parse_spec(self.args.target).name == "obj" and self.args.output_file is None:
            raise UsageError("-t obj writes a binary file: name it with -o FILE")
        if self.args.print_schedule and self.args.target != "mlir":
            raise UsageError("--print-schedule prints text of its own: without -t")
        if self.args.html is not None and (self.args.split_input_file or self.args.verify_diagnostics):
            raise UsageError("--html shows one program: without --split-input-file and --verify-diagnostics")

    ctx: ProgramContext

    def register_all_dialects(self) -> None:
        self.ctx = ProgramContext()
        for name, factory in self.universe.all_dialects.items():
            self.ctx.register_dialect(name, factory)

    def register_all_passes(self) -> None:
        for name, factory in self.universe.all_passes.items():
            self.register_pass(name, factory)

    def register_all_targets(self) -> None:
        self.available_targets = TargetsByName(self.universe.all_targets, lambda: self.definitions)

    def register_all_frontends(self) -> None:
        self.available_frontends["mlir"] = self._parse_mlir

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        super().register_all_arguments(arg_parser)
        arg_parser.prog = "xla-opt"
        arg_parser.add_argument(
            "--print-ir-after-all",
            action="store_true",
            help="print the IR after every pass to stderr",
        )
        arg_parser.add_argument(
            "--list-pipelines",
            nargs=0,
            action=_ListPipelines,
            help="print the named pipelines, with the reason for each step, and exit",
        )
        arg_parser.add_argument("--cost-model", metavar=COST_MODEL_PLACE, help=COST_MODEL_HELP)
        add_extension_arguments(arg_parser)
        arg_parser.add_argument("--schedules", metavar="FILE", help=SCHEDULES_HELP)
        arg_parser.add_argument(
            "--list-patterns",
            nargs="?",
            metavar="PASS",
            action=_ListPatterns,
            help="print the patterns of a pass (without PASS: of all) and exit",
        )
        arg_parser.add_argument(
            "--count-patterns",
            action="store_true",
            help="print to stderr how often each pattern was applied",
        )
        arg_parser.add_argument(
            "--trace-patterns",
            action="store_true",
            help="print behind each op, as a comment, the pass and the pattern that have made it",
        )
        arg_parser.add_argument(
            "--print-schedule",
            action="store_true",
            help="print, in place of the module, each function as a loop nest, with the memory that each loop touches"
            " and its arithmetic operations beside it (made for what -p xla-cpu-to-loops leaves)",
        )
        arg_parser.add_argument("--html", metavar="OUT.html", help=HTML_HELP)
        arg_parser.add_argument("--html-profile", metavar="FILE.json", help=HTML_PROFILE_HELP)
        arg_parser.add_argument("--debug", action="store_true", help="show tracebacks (also XDSL_XLA_DEBUG=1)")

    def setup_pipeline(self) -> None:
        """Resolve `-p`; the passes are imported here. `--html` alone shows the whole way to native code."""
        if self.args.html_profile is not None and self.args.html is None:
            raise UsageError("--html-profile is what the page of --html shows")
        if self.args.html is not None:
            self.page = HtmlPage(self.args.html, self.args.input_file, self.args.html_profile)
            self.args.passes = self.args.passes or "xla-cpu"
        self.ctx.use(self.definitions)
        self.passes = parse_passes(self.args.passes, self.available_passes, definitions=self.definitions)

    @cached_property
    def definitions(self) -> Definitions:
        """What the files of `--load-pass` define."""
        return definitions_of_files(self.args.load_pass)

    def _parse_mlir(self, io: IO[bytes], line_offset: int = 0) -> ModuleOp:
        return read_program(
            io.read(),
            self.get_input_name(),
            self.ctx,
            line_offset=line_offset,
            implicit_module=not self.args.no_implicit_module,
        )

    def parse_chunk(self, chunk: IO[bytes], file_extension: str, start_offset: int = 0) -> ModuleOp | None:
        if file_extension == "mlir":
            return self._parse_mlir(chunk, start_offset)
        return super().parse_chunk(chunk, file_extension, start_offset)

    def get_input_stream(self) -> tuple[IO[bytes], str]:
        if self.args.input_file == "-":
            self.args.input_file = None
        stream, extension = super().get_input_stream()
        return stream, extension if extension in self.available_frontends else "mlir"

    def apply_passes(self, prog: ModuleOp) -> None:
        verify = not self.args.disable_verify
        if verify:
            verify_module(prog)
        if self.page is not None:
            self.page.write(self.ctx, prog, self.passes, observe=self._observe, verify=verify)
            return
        run_passes(self.ctx, prog, self.passes, observe=self._observe, verify=verify)

    def _printer(self, stream: IO[str]) -> ExactPrinter:
        generic = self.args.print_op_generic
        if self.args.trace_patterns:
            return TracingPrinter(self.log.makers, stream, print_generic_format=generic)
        return ExactPrinter(stream, print_generic_format=generic)

    def _observe(self, run: PassRun, module: ModuleOp) -> None:
        if self.args.time_passes:
            print(f"{run.seconds * 1e3:9.2f} ms  {run.name}", file=sys.stderr)
        if self.args.print_ir_after_all:
            print(f"// -----// IR after {run.name} //----- //", file=sys.stderr)
            self._printer(sys.stderr).print_op(module)
            print("\n", file=sys.stderr)
        if self.args.print_between_passes and run.number < len(self.passes):
            print(f"IR after {run.name}:")
            ExactPrinter(sys.stdout).print_op(module)
            print("\n\n\n")

    def run(self) -> None:
        """Process the input; exits where that fails."""
        if status := self.execute():
            sys.exit(status)

    def execute(self) -> int:
        """Process the chunks of the input; the exit code."""
        if write_new_pass(self.args):
            return SUCCESS
        if not (self.args.count_patterns or self.args.trace_patterns):
            return self._execute()
        with recording(self.log):
            status = self._execute()
        if self.args.count_patterns:
            print(self.log.report(), file=sys.stderr)
        return status

    def _execute(self) -> int:
        chunks, extension = self.prepare_input()
        status = SUCCESS
        outputs: list[str | bytes] = []
        for number, (chunk, line_offset) in enumerate(chunks):
            with chunk:
                try:
                    if self.args.verify_diagnostics:
                        status = max(status, self._check_diagnostics(chunk, extension, line_offset))
                        continue
                    if number > 0 and not self._writes_bytes:
                        outputs.append("// -----\n")
                    outputs.append(self._process(chunk, extension, line_offset))
                except XlaError as error:
                    if not self.args.parsing_diagnostics:
                        raise
                    outputs.append(f"{describe(error)}\n")
            if self.args.output_file is None:
                self._flush(outputs)
        if self.args.output_file is not None:
            with written(self.args.output_file) as file:
                file.writelines(out.encode() if isinstance(out, str) else out for out in outputs)
        return status

    @staticmethod
    def _flush(outputs: list[str | bytes]) -> None:
        sys.stdout.writelines(cast(list[str], outputs))
        sys.stdout.flush()
        outputs.clear()

    @property
    def _writes_bytes(self) -> bool:
        return parse_spec(self.args.target).name == "obj"

    def _process(self, chunk: IO[bytes], extension: str, line_offset: int) -> str | bytes:
        with locating.locating(self.args.print_debuginfo):
            module = self.parse_chunk(chunk, extension, line_offset)
            if module is None:
                return ""
            return at_depth(checked_depth(module), lambda: self._process_module(module))

    def _process_module(self, module: ModuleOp) -> str | bytes:
        if self.args.print_debuginfo:
            locating.adopt()
            locating.fill(module)
        self.apply_passes(module)
        if self.page is not None and self.args.output_file is None:
            return ""  # the page is what was asked for
        if self.args.print_schedule:
            from .print_schedule import schedule_of

            return schedule_of(module)
        if self._writes_bytes:
            target = ObjectTarget.from_spec(parse_spec(self.args.target))
            return target.emit_bytes(self.ctx, module)
        if self.args.trace_patterns and self.args.target == "mlir":
            text = StringIO()
            self._printer(text).print_op(module)
            return f"{text.getvalue()}\n"
        return self.output_resulting_program(module)

    def _check_diagnostics(self, chunk: IO[bytes], extension: str, line_offset: int) -> int:
        """Print the error `chunk` causes, or its result; where it says which to expect, check
        that.
        """
        content = chunk.read()
        expected = _expected_errors(content.decode(), line_offset)
        try:
            print(self._process(BytesIO(content), extension, line_offset), end="")
            message = None
        except XlaError as error:
            message = describe(error)
            print(message)
        if not expected:
            return SUCCESS
        for line, part in expected:
            here = f"{self.get_input_name()}:{line}:"
            if message is None or part not in message or not message.startswith(here):
                found = "no error" if message is None else f"'{message}'"
                print(f"error: {here} expected error '{part}', found {found}", file=sys.stderr)
                return FAILURE
        return SUCCESS


def _expected_errors(text: str, line_offset: int) -> list[tuple[int, str]]:
    """Line and part of the message of each `expected-error`."""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1 + line_offset):
        for offset, part in EXPECTED_ERROR.findall(line, 0, line.rfind("}}") + 2):
            distance = {"": 0, "below": 1, "above": -1}.get(offset)
            found.append((number + (int(offset) if distance is None else distance), part))
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Run `xla-opt` with the arguments `argv` (those of the process if None); the exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    post_init = Attribute.__post_init__

    def command() -> int:
        try:
            return XlaOptMain(arguments).execute()
        except ArgSpecParseError as error:
            raise UsageError(" ".join(str(error).split())) from None
        finally:
            # --disable-verify replaces it for good, which matters when `main` is called as a
            # function.
            Attribute.__post_init__ = post_init

    return guarded(command, debug="--debug" in arguments)


if __name__ == "__main__":
    sys.exit(main())
