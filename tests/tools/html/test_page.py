"""The page as text, the commands that write it, and what notebooks show."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import xdsl_xla
from pages import PROGRAM, STAGES, contents_of, recorded, texts_of
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla.errors import ArgumentError, XlaError
from xdsl_xla.tools import xla_opt, xla_run
from xdsl_xla.tools.html import load_ipython_extension, module_page, show
from xdsl_xla.tools.html.collect import read_profile
from xdsl_xla.tools.html.page import MODULES, STATIC, page
from xdsl_xla.tools.html.recorder import Recorder


@pytest.fixture(scope="module")
def recorder() -> Recorder:
    return recorded()


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    return path


def test_all_lines_come_back(recorder: Recorder) -> None:
    assert texts_of(contents_of(page(recorder, "title"))) == [stage.lines for stage in recorder.stages]


def test_it_asks_nothing_of_the_network(recorder: Recorder) -> None:
    text = page(recorder, "title")
    assert re.findall(r'(?:src|href)="([^"]*)"', text) == ["data:,"]
    scripts = "".join((STATIC / f"{name}.js").read_text() for name in MODULES)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|fetch\(|XMLHttpRequest|@import|url\(", scripts + text)


def test_every_script_is_in_it() -> None:
    assert {path.name for path in STATIC.iterdir() if path.name.endswith(".js")} == {f"{name}.js" for name in MODULES}


def test_titles_are_text(recorder: Recorder) -> None:
    text = page(recorder, "<script>alert(1)</script>@DATA@")
    assert "<script>alert" not in text
    assert len(contents_of(text)["stages"]) == len(recorder.stages)


def test_equal_recordings_give_equal_pages(recorder: Recorder) -> None:
    assert page(recorder, "title") == page(recorder, "title")


def test_xla_opt_shows_the_whole_way(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.html"
    assert xla_opt.main([str(program), "--html", str(out)]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"{out}: {STAGES} steps, 17 ops at the start")
    names = [stage["name"] for stage in contents_of(out.read_text())["stages"]]
    assert names[-3:] == ["LLVM IR", "LLVM IR, optimized", "assembly"]


def test_xla_opt_shows_the_passes_that_are_named(program: Path, tmp_path: Path) -> None:
    out, result = tmp_path / "out.html", tmp_path / "out.mlir"
    arguments = ["-p", "stablehlo-simplify,convert-stablehlo-to-linalg", "--html", str(out), "-o", str(result)]
    assert xla_opt.main([str(program), *arguments]) == 0
    names = [stage["name"] for stage in contents_of(out.read_text())["stages"]]
    assert names == ["input", "stablehlo-simplify", "convert-stablehlo-to-linalg"]
    assert "linalg.generic" in result.read_text()


def test_a_program_that_does_not_compile_has_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "bad.mlir", tmp_path / "out.html"
    path.write_text(
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %0 = stablehlo.custom_call @nobody(%x) : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}"
    )
    assert xla_opt.main([str(path), "--html", str(out)]) == 1
    assert f"{path}:2:3: error:" in capsys.readouterr().err
    assert "unknown target @nobody" in contents_of(out.read_text())["error"]


def test_what_llvm_does_not_take_has_a_page_without_native_code(tmp_path: Path) -> None:
    path, out = tmp_path / "level6.mlir", tmp_path / "out.html"
    path.write_text("llvm.func @llvm.mine() {\n  llvm.return\n}")
    assert xla_opt.main([str(path), "-p", "cse", "--html", str(out)]) == 0
    contents = contents_of(out.read_text())
    assert contents["stages"][-1]["name"] == "cse"
    assert "a function cannot be called 'llvm.mine'" in contents["error"]


def test_an_empty_program(tmp_path: Path) -> None:
    path, out = tmp_path / "empty.mlir", tmp_path / "out.html"
    path.write_text("builtin.module {}")
    assert xla_opt.main([str(path), "-p", "cse", "--html", str(out)]) == 0
    assert texts_of(contents_of(out.read_text())) == [["builtin.module {", "}"]] * 2


def test_xla_run_writes_it_and_runs(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, profile = tmp_path / "out.html", tmp_path / "profile.json"
    profile.write_text('{"kernels": {"contraction_0": 0.5, "rows_0": 1}}')
    assert xla_run.main([str(program), "--html", str(out), "--html-profile", str(profile)]) == 0
    assert "out0" in capsys.readouterr().out
    assert contents_of(out.read_text())["profile"] == {"contraction_0": 0.5, "rows_0": 1.0}


@pytest.mark.parametrize(
    ("command", "arguments", "message"),
    [
        (xla_opt, ["--html", "{tmp}/out.html", "--split-input-file"], "without --split-input-file"),
        (xla_opt, ["--html-profile", "{tmp}/p.json"], "--html-profile is what the page of --html shows"),
        (xla_run, ["--html-profile", "{tmp}/p.json"], "--html-profile is what the page of --html shows"),
        (xla_run, ["--html", "{tmp}/out.html", "--engine", "reference"], "--engine reference does not take --html"),
        (xla_run, ["--html", "{tmp}/out.html", "--check-passes"], "--check-passes"),
    ],
)
def test_wrong_usage(
    command: Any, arguments: list[str], message: str, program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([str(program), *(argument.format(tmp=tmp_path) for argument in arguments)]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[1]", "expected an object"),
        ('{"k": "1"}', "'k': expected seconds, got \"1\""),
        ('{"k": -1}', "'k': expected seconds, got -1"),
        ('{"k": true}', "'k': expected seconds, got true"),
        ('{"sites": [3]}', "'': expected seconds, got null"),
        ('{"k": NaN}', "'k': expected seconds, got NaN"),
    ],
)
def test_a_profile_that_is_none(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    path.write_text(text)
    with pytest.raises(XlaError, match=re.escape(message)):
        read_profile(path)


def test_a_profile(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    path.write_text(json.dumps({"rows_0": 0.25, "kernels": 1}))
    assert read_profile(path) == {"rows_0": 0.25, "kernels": 1.0}
    sites = [{"callee": "rows_0", "nanoseconds": 1e9}, {"callee": "rows_0", "nanoseconds": 5e8}]
    path.write_text(json.dumps({"sites": sites, "kernels": {"rows_0": {"bytes": 3}}}))
    assert read_profile(path) == {"rows_0": 1.5}


def test_a_cell_shows_the_page_in_a_frame(program: Path, tmp_path: Path) -> None:
    shown = show(str(program), pipeline="stablehlo-simplify")
    assert len(repr(shown)) < 100  # in a terminal
    assert shown._repr_html_().startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert 'sandbox="allow-scripts"' in shown._repr_html_()
    shown.save(tmp_path / "out.html")
    assert (tmp_path / "out.html").read_text() == shown.html


def test_all_forms_of_a_program(program: Path) -> None:
    class Lowered:
        def as_text(self) -> str:
            return PROGRAM

    from xdsl_xla.runtime.mlir_text import parse_module
    from xdsl_xla.runtime.program_context import new_context

    module = parse_module(PROGRAM, "test", new_context())
    for form in (program, str(program), PROGRAM, PROGRAM.encode(), module, Lowered()):
        stages = contents_of(show(form, pipeline="cse").html)["stages"]
        assert [stage["name"] for stage in stages] == ["input", "cse"]
    with pytest.raises(ArgumentError, match="got int"):
        show(3)


def test_a_program_that_does_not_compile_is_shown_with_its_error() -> None:
    text = (
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %0 = stablehlo.custom_call @nobody(%x) : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}"
    )
    assert "unknown target @nobody" in contents_of(show(text).html)["error"]
    with pytest.raises(XlaError):
        show("no program {")


def test_modules_in_notebooks() -> None:
    from xdsl_xla.runtime.mlir_text import parse_module
    from xdsl_xla.runtime.program_context import new_context

    class Formatter(dict[type, Any]):
        def for_type(self, kind: type, write: Any) -> None:
            self[kind] = write

    class Shell:
        class display_formatter:
            formatters = {"text/html": Formatter()}

    load_ipython_extension(Shell)
    module = parse_module(PROGRAM, "test", new_context())
    html = Shell.display_formatter.formatters["text/html"][ModuleOp](module)
    assert html == module_page(module)._repr_html_()
    assert len(contents_of(module_page(module).html)["stages"]) == 1


def test_executables_in_notebooks() -> None:
    executable = xdsl_xla.compile(PROGRAM)
    html: Any = executable._repr_html_()
    assert "tensor<16x32xf32>" not in html and "tensor&lt;16x32xf32&gt;" in html
    assert "convert-stablehlo-to-linalg" in html and "<script" not in html
