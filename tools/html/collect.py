"""From a program to its page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import ModuleOp

from ...decisions.model import cost_model_of
from ...dialects.locating import locating
from ...errors import InternalError, XlaError
from ...ir.pattern_log import recording
from ...runtime.llvm_pipeline import Options
from ...runtime.output_files import written
from ...runtime.pass_manager import PassRun, run_passes
from .alignment import Edge, align
from .native import Text, native_texts
from .origins import Kind
from .page import page
from .recorder import Recorder, Stage

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.passes import ModulePass

    from ...runtime.compiler import Request


def record(
    recorder: Recorder,
    context: Context,
    module: ModuleOp,
    passes: Sequence[ModulePass],
    *,
    observe: Callable[[PassRun, ModuleOp], None] | None = None,
    verify: bool = False,
    options: Options | None = None,
) -> None:
    """Run `passes` over `module` as `run_passes` does, and write down what happens; on the last level go on through
    LLVM. Where it raises, `recorder` has the steps up to there.
    """

    def after_pass(run: PassRun, module: ModuleOp) -> None:
        recorder.after_pass(run, module)
        if observe is not None:
            observe(run, module)

    recorder.start(module)
    with recording(recorder.log), locating():
        run_passes(context, module, passes, observe=after_pass, verify=verify)
    if recorder.stages[-1].level != 6:
        return
    try:
        _record_native(recorder, module, context, options or Options())
    except (XlaError, InternalError) as error:  # the passes have done what was asked of them
        recorder.remark = f"There is no native code: {error}"


def _record_native(recorder: Recorder, module: ModuleOp, context: Context, options: Options) -> None:
    texts = native_texts(module, recorder.printed.line_of, cost_model_of(context), options)
    level = f"LLVM's level {options.opt_level}"
    emitting, optimizing, generating = texts.seconds
    _add_text(recorder, "LLVM IR", "the text that LLVM reads", emitting, 7, texts.llvm)
    _add_text(
        recorder,
        "LLVM IR, optimized",
        f"behind {level}, as far as each function needs it",
        optimizing,
        7,
        texts.optimized,
    )
    _add_text(recorder, "assembly", f"{level}, for this machine", generating, 8, texts.assembly)


def _add_text(recorder: Recorder, name: str, reason: str, seconds: float, level: int, text: Text) -> None:
    before = recorder.stages[-1].lines
    edges: list[Sequence[Edge]] = [[Edge(line, Kind.LOCATION) for line in sources] for sources in text.sources]
    instructions = sum(1 for line in text.lines if line[:1].isspace() and not line.strip().startswith("."))
    stage = Stage(name, reason, seconds, level, instructions, text.lines, edges=edges)
    stage.runs = align(before, text.lines, edges, Kind.GUESS)
    recorder.stages.append(stage)


def record_program(recorder: Recorder, source: str | bytes | ModuleOp, filename: str, request: Request) -> None:
    """Compile a program as `xdsl_xla.compile` does, and write down what happens. Raises `XlaError`."""
    from ...nesting import at_depth
    from ...runtime.compilation import prepare

    prepared = prepare(source, filename, request)
    options = Options(request.opt_level)
    at_depth(
        prepared.depth, lambda: record(recorder, prepared.context, prepared.module, prepared.passes, options=options)
    )


def write_page(
    path: str | Path,
    recorder: Recorder,
    title: str,
    *,
    error: str = "",
    profile: Mapping[str, float] | None = None,
) -> str:
    """Write the page to a file; a line that says so."""
    text = page(recorder, title, note=versions(), error=error, profile=profile).encode("utf-8")
    with written(str(path)) as file:
        file.write(text)
    ops = recorder.stages[0].ops if recorder.stages else 0
    return f"{path}: {len(recorder.stages)} steps, {ops} ops at the start, {len(text) / 1e6:.1f} MB"


def read_profile(path: str | Path) -> dict[str, float]:
    """Seconds by kernel: an object of JSON, `{"rows_0": 0.0012}`, one that has it as `kernels`, or one with a list of
    `sites`, each with its `callee` and `nanoseconds`.

    Raises `XlaError`.
    """
    try:
        value: object = json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise XlaError(f"{path}: not JSON: {error}") from None
    if not isinstance(value, dict):
        raise XlaError(f"{path}: expected an object with the seconds of each kernel")
    profile: dict[str, float] = {}
    for kernel, seconds in _entries(cast("dict[str, object]", value)):
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < float("inf"):
            raise XlaError(f"{path}: '{kernel}': expected seconds, got {json.dumps(seconds)}")
        profile[kernel] = profile.get(kernel, 0.0) + seconds
    return profile


def _entries(value: dict[str, object]) -> Iterable[tuple[str, object]]:
    if isinstance(sites := value.get("sites"), list):
        for site in cast("list[object]", sites):
            fields = cast("dict[str, object]", site) if isinstance(site, dict) else {}
            time = fields.get("nanoseconds")
            yield str(fields.get("callee", "")), time / 1e9 if isinstance(time, int | float) else time
    elif isinstance(kernels := value.get("kernels"), dict):
        yield from cast("dict[str, object]", kernels).items()
    else:
        yield from value.items()


def versions() -> str:
    """What the page was made with, and for which machine."""
    import llvmlite.binding  # pyright: ignore[reportMissingTypeStubs]
    import xdsl

    binding: Any = llvmlite.binding
    llvm = ".".join(map(str, binding.llvm_version_info))
    return f"xDSL {xdsl.__version__}, LLVM {llvm}, for {binding.get_host_cpu_name()}"
