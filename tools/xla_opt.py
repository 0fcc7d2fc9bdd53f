"""`xla-opt`: parse a program, run passes over it, print it at the level it has reached.

    xla-opt program.mlir -p stablehlo-simplify,convert-stablehlo-to-linalg
    xla-opt program.mlir -p 'xla-cpu{threads=2}' -t llvm
    xla-opt program.mlir --pass-pipeline='builtin.module(func.func(cse))' --mlir-print-ir-after-all

xDSL's driver with this package's dialects, passes, named pipelines and targets, and with mlir-opt's flags
(docs/xla_opt.md). Errors are one paragraph with a location. `tools/driver/` holds the parts.
"""

from __future__ import annotations

if __name__ == "__main__":  # of `python -m`: as the installed command, before anything heavy is imported
    from .commands import xla_opt

    raise SystemExit(xla_opt())

import argparse
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from io import BytesIO
from typing import IO, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass
from xdsl.universe import XDSL_UNIVERSE, Universe
from xdsl.utils.arg_spec import parse_spec
from xdsl.utils.diagnostic import Diagnostic as XdslDiagnostic
from xdsl.utils.exceptions import ArgSpecParseError
from xdsl.utils.target import Target
from xdsl.xdsl_opt_main import xDSLOptMain

from ..diagnostics import handled_by
from ..dialects import locating
from ..dialects.limits import checked_depth
from ..errors import InternalError, InvalidProgramError, XlaError, similar_names
from ..ir.pattern_log import PatternLog, recording
from ..ir.statistics import collected_by
from ..nesting import at_depth
from ..pipelines import PIPELINES, pass_factories
from ..properties import cached_property
from ..runtime.extensions.definitions import Definitions, definitions_of_files
from ..runtime.formats import BYTECODE_MAGIC, read_program
from ..runtime.input_files import read_file, read_stream
from ..runtime.nested_passes import Anchored, PipelineError, nodes
from ..runtime.output_files import check_writable, written
from ..runtime.pass_manager import parse_passes
from ..runtime.program_context import DIALECTS, ProgramContext
from .compile_options import load_cost_model
from .driver.checks import errors_in, is_implicit
from .driver.chunks import Chunk, split
from .driver.command_line import CommandParser, normalized
from .driver.completion import completion, words_of
from .driver.diagnostic_checks import DiagnosticCheck, diagnostic_of
from .driver.flags import add_mlir_flags
from .driver.ir_printing import printed_passes
from .driver.lists import dialect_list, pass_list
from .driver.own_flags import add_own_flags
from .driver.pass_flags import PassFlags
from .driver.programs import ProgramRun
from .driver.reproducer import stored
from .extensions import TargetsByName, write_new_pass
from .html_options import HtmlPage
from .reduction import options as reduction_options
from .reporting import FAILURE, SUCCESS, UsageError, debug_requested, describe, guarded, standard_input
from .targets import TARGETS, ObjectTarget


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


def _without_nulls(content: bytes) -> bytes:
    """Text in which characters of code 0 are blanks, as MLIR takes them."""
    is_text = b"\0" in content and BYTECODE_MAGIC not in content
    return content.replace(b"\0", b" ") if is_text else content


def _canonicalize() -> type[ModulePass]:
    from .driver.canonicalize import CanonicalizeWithOptions

    return CanonicalizeWithOptions


def _cse() -> type[ModulePass]:
    from .driver.cse import CseOfAllBlocks

    return CseOfAllBlocks


def _print_op_stats() -> type[ModulePass]:
    from .driver.op_stats import PrintOpStatsPass

    return PrintOpStatsPass


class XlaOptMain(xDSLOptMain):
    """The driver; `execute` in place of `run`."""

    ctx: ProgramContext

    def __init__(self, args: Sequence[str] | None = None) -> None:
        self.universe = DEFAULT_UNIVERSE
        self.log = PatternLog()
        self.available_frontends = {}
        self.available_passes = {}
        self.available_targets = {}
        self.register_all_dialects()
        self.register_all_frontends()
        self.register_all_passes()
        self.register_all_targets()
        parser = CommandParser(
            "xla-opt",
            "Optimise and lower StableHLO programs, one pass at a time. The input is MLIR (text, bytecode) or HLO text"
            " (.hlo), which -t hlo prints. Flags are those of xdsl-opt and of mlir-opt, with one dash or two.",
            usage="xla-opt [FLAGS] [FILE]",
            add_help=False,
            conflict_handler="resolve",
        )
        parser.more_names = [*self.available_passes, *PIPELINES]
        self.register_all_arguments(parser)
        given = list(sys.argv[1:] if args is None else args)
        line = normalized(given, parser, PassFlags(parser.more_names, given))
        self.args = parser.parse_args(line.arguments)
        self.pass_flags = line.passes
        if self.args.output_file == "-":
            self.args.output_file = None
        self._print_lists(parser)
        self._check_flags()
        self.ctx.allow_unregistered = self.args.allow_unregistered_dialect
        if self.args.disable_verify:
            Attribute.__post_init__ = lambda self: None  # as xDSL's driver does
        if self.args.syntax_highlight:
            XdslDiagnostic.colored = True
        self.page = None
        if self.args.html is not None:
            self.page = HtmlPage(self.args.html, self.args.input_file, self.args.html_profile)
        self.setup_pipeline()
        self.ctx.cost_model = load_cost_model(self.args.cost_model)
        from ..runtime.schedule_texts import beside, schedule_texts

        self.ctx.schedules = schedule_texts(self.args.schedules or beside(self.args.input_file)).parsed()
        self.program_run = ProgramRun.of(self.args, self.ctx, self.log, self.page)

    def _print_lists(self, parser: CommandParser) -> None:
        if self.args.show_dialects:
            print(dialect_list(self.universe.all_dialects))
        elif self.args.list_passes:
            print(pass_list(self.available_passes, self.definitions))
        elif "list_patterns" in self.args:
            from .pattern_lists import described, listed

            name = self.args.list_patterns
            try:
                print("\n".join(described(name, self.definitions) if name is not None else listed()))
            except PipelineError as error:
                raise UsageError(str(error)) from error
        elif (shell := self.args.print_completion) is not None:
            print(completion(shell, "xla-opt", words_of(parser, parser.more_names)))
        else:
            return
        parser.exit()

    def _check_flags(self) -> None:
        """Refuse what contradicts itself."""
        name = parse_spec(self.args.target).name
        if name not in self.available_targets:
            raise UsageError(
                f"argument -t/--target: invalid choice: '{name}'{similar_names(name, self.available_targets)}"
                f" (choose from {', '.join(self.available_targets)})"
            )
        if name == "obj" and self.args.output_file is None:
            raise UsageError("-t obj writes a binary file: name it with -o FILE")
        self.reduces = reduction_options.is_asked_for(self.args)
        if self.args.print_schedule and self.args.target != "mlir":
            raise UsageError("--print-schedule prints text of its own: without -t")
        if self.args.html is not None and (self.args.split_input_file or self.args.verify_diagnostics):
            raise UsageError("--html shows one program: without --split-input-file and --verify-diagnostics")
        if self.args.html_profile is not None and self.args.html is None:
            raise UsageError("--html-profile is what the page of --html shows")
        if self.args.emit_bytecode:
            self._check_bytecode_flags()
        if self.args.pass_pipeline is not None and (self.pass_flags or self.args.passes):
            raise UsageError("'-pass-pipeline' option can't be used with individual pass options")
        if self.pass_flags and self.args.passes:
            raise UsageError("-p and passes as flags: their order is not known; say all in one way")

    def _check_bytecode_flags(self) -> None:
        """Refuse what bytecode has no place for, and to write it to a terminal."""
        args = self.args
        for flag, is_given in (
            ("-t", args.target != "mlir"),
            ("--print-schedule", args.print_schedule),
            ("--split-input-file", bool(args.split_input_file)),
            ("--mlir-print-skip-regions", args.mlir_print_skip_regions),
            ("--mlir-elide-elementsattrs-if-larger", args.mlir_elide_elementsattrs_if_larger is not None),
        ):
            if is_given:
                raise UsageError(f"--emit-bytecode writes one whole module as bytecode: without {flag}")
        if args.output_file is None and sys.stdout.isatty():
            raise UsageError("--emit-bytecode writes bytes, which are not for a terminal: name a file with -o FILE")

    def register_all_dialects(self) -> None:
        self.ctx = ProgramContext()
        for name, factory in self.universe.all_dialects.items():
            self.ctx.register_dialect(name, factory)

    def register_all_passes(self) -> None:
        for name, factory in self.universe.all_passes.items():
            self.register_pass(name, factory)
        self.register_pass("canonicalize", _canonicalize)
        self.register_pass("cse", _cse)
        self.register_pass("print-op-stats", _print_op_stats)

    def register_all_targets(self) -> None:
        self.available_targets = TargetsByName(self.universe.all_targets, lambda: self.definitions)

    def register_all_frontends(self) -> None:
        self.available_frontends["mlir"] = self._parse_mlir

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        super().register_all_arguments(arg_parser)
        parser = cast(CommandParser, arg_parser)
        add_mlir_flags(parser)
        add_own_flags(parser, lambda: self.available_passes)
        reduction_options.add_arguments(parser)

    def setup_pipeline(self) -> None:
        """Resolve the passes of the command line, which are imported here. `--html` alone shows the whole way to native
        code.
        """
        text = self.args.pass_pipeline
        if text is None:
            text = ",".join(self.pass_flags) or self.args.passes
            text = text or ("xla-cpu" if self.args.html is not None else "")
        elif not [node for node in nodes(text.strip()) if isinstance(node, Anchored)]:
            raise PipelineError(
                "expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'"
            )
        self.ctx.use(self.definitions)
        self.passes = parse_passes(text, self.available_passes, definitions=self.definitions)
        self._check_printed_passes()

    def _check_printed_passes(self) -> None:
        """Refuse to print IR around passes that there are not."""
        known = {module_pass.name for module_pass in self.passes} | self.available_passes.keys()
        for flag, name in printed_passes(self.args):
            if name not in known:
                try:
                    parse_passes(name, self.available_passes, definitions=self.definitions)
                except PipelineError as error:
                    raise PipelineError(f"{flag}: {error}") from None

    @cached_property
    def definitions(self) -> Definitions:
        """What the files of `--load-pass` define."""
        return definitions_of_files(self.args.load_pass)

    def _parse_mlir(self, io: IO[bytes], line_offset: int = 0) -> ModuleOp:
        module = read_program(
            _without_nulls(io.read()),
            self.get_input_name(),
            self.ctx,
            line_offset=line_offset,
            allow_empty=True,
            fill_elided=self.args.fill_elided,
        )
        if self.args.no_implicit_module and is_implicit(module) and (count := len(module.body.block.ops)) != 1:
            place = f"{self.get_input_name()}:{line_offset}:0"
            raise InvalidProgramError(
                f"source must contain a single top-level operation, found: {count}", location=place
            )
        return module

    def parse_chunk(self, chunk: IO[bytes], file_extension: str, start_offset: int = 0) -> ModuleOp | None:
        if file_extension == "mlir":
            return self._parse_mlir(chunk, start_offset)
        return super().parse_chunk(chunk, file_extension, start_offset)

    def get_input_stream(self) -> tuple[IO[bytes], str]:
        if self.args.input_file == "-":
            self.args.input_file = None
        name = self.args.input_file
        data = read_stream(standard_input()) if name is None else read_file(name)
        extension = os.path.splitext(name or "")[1].removeprefix(".")
        return BytesIO(data), extension if extension in self.available_frontends else "mlir"

    def run(self) -> None:
        """Process the input; exits where that fails."""
        if status := self.execute():
            sys.exit(status)

    def execute(self) -> int:
        """Process the programs of the input; the exit code."""
        if write_new_pass(self.args):
            return SUCCESS
        args = self.args
        is_recorded = args.count_patterns or args.trace_patterns or args.mlir_pass_statistics
        statistics = self.program_run.statistics
        with (
            recording(self.log) if is_recorded else nullcontext(),
            collected_by(statistics.note) if statistics is not None else nullcontext(),
        ):
            status = self._execute()
        self.program_run.report(self.passes)
        return status

    def _execute(self) -> int:
        check_writable(self.args.output_file)
        stream, extension = self.get_input_stream()
        with stream:
            content = stream.read()
        marker = self.args.split_input_file
        chunks = [Chunk(content, 0)] if not marker else split(content, marker, self.get_input_name())
        status = SUCCESS
        outputs: list[str | bytes] = []
        for number, chunk in enumerate(chunks):
            if number > 0 and not self._writes_bytes:
                outputs.append(f"{self.args.output_split_marker}\n")
            if self.args.verify_diagnostics:
                status = max(status, self._check_diagnostics(chunk, extension, outputs))
            else:
                status = max(status, self._processed(chunk, extension, outputs))
            if self.args.output_file is None:
                self._flush(outputs)
        if self.args.output_file is not None and status == SUCCESS:
            with written(self.args.output_file) as file:
                file.writelines(out.encode() if isinstance(out, str) else out for out in outputs)
        return status

    @staticmethod
    def _flush(outputs: list[str | bytes]) -> None:
        for output in outputs:
            if isinstance(output, str):
                sys.stdout.write(output)
            else:
                sys.stdout.flush()
                sys.stdout.buffer.write(output)
        sys.stdout.flush()
        outputs.clear()

    @property
    def _writes_bytes(self) -> bool:
        return self.args.emit_bytecode or parse_spec(self.args.target).name == "obj"

    def _processed(self, chunk: Chunk, extension: str, outputs: list[str | bytes]) -> int:
        """Add the result of a program to `outputs`, or report what is wrong with it; the exit code."""
        try:
            outputs.append(self._process(chunk, extension))
        except (XlaError, InternalError) as error:
            if self.args.parsing_diagnostics:
                outputs.append(f"{describe(error)}\n")
                return SUCCESS
            self._flush(outputs if self.args.output_file is None else [])
            if debug_requested(self.args.debug):
                traceback.print_exc()
            for each in errors_in(error):
                print(describe(each), file=sys.stderr)
            return FAILURE
        return SUCCESS

    def _check_diagnostics(self, chunk: Chunk, extension: str, outputs: list[str | bytes]) -> int:
        """Compare what a program is told about with what it expects; the exit code."""
        text = chunk.content.decode("utf-8", "replace")
        check = DiagnosticCheck(text, self.get_input_name(), chunk.line_offset)
        with handled_by(check.note):
            try:
                outputs.append(self._process(chunk, extension))
            except (XlaError, InternalError) as error:
                for each in errors_in(error):
                    check.note(diagnostic_of(cast("XlaError | InternalError", each)))
        complaints = check.result()
        for complaint in complaints:
            print(complaint, file=sys.stderr)
        return FAILURE if complaints else SUCCESS

    def _process(self, chunk: Chunk, extension: str) -> str | bytes:
        passes, verify_each = self.passes, self.args.verify_each and not self.args.disable_verify
        if self.args.run_reproducer:
            if (settings := stored(chunk.content.decode("utf-8", "replace"))) is not None:
                named = parse_passes(settings.pipeline, self.available_passes, definitions=self.definitions)
                passes, verify_each = [*named, *passes], verify_each and settings.verify_each
            else:
                print("warning: --run-reproducer: the file holds no pipeline", file=sys.stderr)
        run, content = self.program_run, BytesIO(chunk.content)
        with locating.locating(self.args.print_debuginfo):
            module = run.read(lambda: self.parse_chunk(content, extension, chunk.line_offset))
            if module is None:
                return ""
            if self.reduces:
                from .reduction.command import reduced_text

                return reduced_text(module, self.args)
            return at_depth(checked_depth(module), lambda: self._process_module(module, passes, verify_each))

    def _process_module(self, module: ModuleOp, passes: Sequence[ModulePass], verify_each: bool) -> str | bytes:
        if self.args.print_debuginfo:
            locating.adopt()
            locating.fill(module)
        self.program_run.apply(module, passes, verify_each=verify_each)
        timing = self.program_run.timing
        with nullcontext() if timing is None else timing.step("Output"):
            return self._output(module)

    def _output(self, module: ModuleOp) -> str | bytes:
        if self.page is not None and self.args.output_file is None:
            return ""  # the page is what was asked for
        if self.args.print_schedule:
            from .print_schedule import schedule_of

            return schedule_of(module)
        if self.args.emit_bytecode:
            from ..frontends.mlir_bytecode import write_bytecode

            return write_bytecode(module)
        if self._writes_bytes:
            target = ObjectTarget.from_spec(parse_spec(self.args.target))
            return target.emit_bytes(self.ctx, module)
        if self.args.target == "mlir":
            top = module.body.block.first_op
            if self.args.no_implicit_module and is_implicit(module) and top is not None:
                return f"{self.program_run.form.text(top)}\n"
            return self.program_run.text(module)
        return self.output_resulting_program(module)


def main(argv: Sequence[str] | None = None, driver: type[XlaOptMain] = XlaOptMain) -> int:
    """Run `xla-opt` with the arguments `argv` (those of the process if None); the exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    post_init = Attribute.__post_init__

    def command() -> int:
        try:
            return driver(arguments).execute()
        except ArgSpecParseError as error:
            raise UsageError(" ".join(str(error).split())) from None
        finally:
            # --disable-verify replaces it for good, which matters when `main` is called as a
            # function.
            Attribute.__post_init__ = post_init

    return guarded(command, debug="--debug" in arguments)
