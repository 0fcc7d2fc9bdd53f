"""mlir-opt's command lines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from xdsl_xla.tools import xla_opt, xla_run
from xdsl_xla.tools.driver.command_line import CommandParser, add_flag, normalized

PASSES = {"cse", "canonicalize"}


def parser() -> CommandParser:
    made = CommandParser("tool", "")
    made.more_names = PASSES
    made.add_argument("file", nargs="?")
    made.add_argument("-p", "--passes")
    made.add_argument("--name", default="")
    made.add_argument("--plain", action="store_true")
    made.add_argument("--marker", nargs="?", const="// -----")
    add_flag(made, "--truth", help="")
    return made


@pytest.mark.parametrize(
    ("line", "arguments", "passes"),
    [
        ("f -cse --canonicalize=a=1 --canonicalize={b}", "f", "cse canonicalize{a=1} canonicalize{{b}}"),
        ("-truth f", "--truth=true f", ""),
        ("--truth=false --plain=true --plain=false f", "--truth=false --plain f", ""),
        ("-marker f", "--marker=// ----- f", ""),
        ("-marker=x f -name cse -cse", "--marker=x f --name cse", "cse"),
        ("-p cse -", "-p cse -", ""),
        ("-pcse,cse -wrong", "-pcse,cse --wrong", ""),
        ("-p{cse} -- -cse", "-p{cse} -- -cse", ""),
    ],
)
def test_normalized(line: str, arguments: str, passes: str) -> None:
    found = normalized([word.replace("_", " ") for word in line.split()], parser(), PASSES)
    assert (" ".join(found.arguments), " ".join(found.passes)) == (arguments, passes)


@pytest.mark.parametrize(
    "words", ["-p cse --passes dce", "--name=a --name=b", "-truth -truth=false", "-marker -marker=x"]
)
def test_a_value_given_twice(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        parser().parse_args(normalized(words.split(), parser(), PASSES).arguments)
    assert ending.value.code == 2 and "given twice, with '" in capsys.readouterr().err
    same = " ".join(words.split()[:1] * 2) if words[1] != "p" else "-p cse --passes cse"
    parser().parse_args(normalized(same.split(), parser(), PASSES).arguments)


def test_values() -> None:
    args = parser().parse_args(normalized(["-marker", "-truth=0", "f"], parser(), PASSES).arguments)
    assert (args.marker, args.truth, args.file) == ("// -----", False, "f")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--trth=1"], "error: unknown flag '--trth'; did you mean --truth?; see tool --help\n"),
        (["--cs"], "error: unknown flag '--cs'; did you mean --cse?; see tool --help\n"),
        (["a", "b"], "error: one file only: 'b' is a second one; see tool --help\n"),
        (["--truth=maybe"], "error: argument --truth: expected true or false, got 'maybe'; see tool --help\n"),
        (["--name"], "error: argument --name: expected one argument; see tool --help\n"),
    ],
)
def test_wrong_usage_is_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        parser().parse_args(arguments)
    assert stop.value.code == 2
    assert capsys.readouterr().err == message


def test_unknown_flags_of_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    for main, arguments, similar in (
        (xla_opt.main, ["-canonicalise"], "--canonicalize"),
        (xla_run.main, ["--bencmark"], "--benchmark"),
    ):
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        assert stop.value.code == 2
        error = capsys.readouterr().err
        assert error.startswith(f"error: unknown flag '-{arguments[0]}'"[:20]) and similar in error
        assert error.count("\n") == 1


TWO = "func.func @f(%x: i32) -> i32 {\n  %0 = arith.addi %x, %x : i32\n  return %x : i32\n}\n"


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--pass-pipeline=cse"], "expected pass pipeline to be wrapped with the anchor operation type"),
        (["--pass-pipeline=builtin.module(cse)", "--cse"], "can't be used with individual pass options"),
        (["-p", "cse", "--cse"], "their order is not known"),
        (["--emit-bytecode", "-t", "llvm"], "writes one whole module as bytecode: without -t"),
        (["--emit-bytecode", "--split-input-file"], "as bytecode: without --split-input-file"),
        (["-t", "nonsense"], "invalid choice: 'nonsense'"),
        (["--cse=fast=true"], "fast"),
        (["--canonicalize={top-down=true}"], "{top-down"),
        (["--cse", "--mlir-print-ir-before=nope"], "error: --mlir-print-ir-before: unknown pass 'nope'"),
        (["--cse", "--mlir-print-ir-after=cse,nope"], "error: --mlir-print-ir-after: unknown pass 'nope'"),
        (["-o", ""], "error: '': No such file or directory"),
    ],
)
def test_refused(flags: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "f.mlir"
    path.write_text(TWO)
    assert xla_opt.main([str(path), *flags]) in (1, 2)
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_a_file_without_a_pipeline_runs_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As in mlir-opt, but that it is told."""
    (tmp_path / "f.mlir").write_text(TWO)
    assert xla_opt.main([str(tmp_path / "f.mlir"), "--run-reproducer"]) == 0
    captured = capsys.readouterr()
    assert captured.err == "warning: --run-reproducer: the file holds no pipeline\n"
    assert xla_opt.main([str(tmp_path / "f.mlir")]) == 0
    assert capsys.readouterr().out == captured.out


def test_bytecode_is_written_and_read(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    source, binary = tmp_path / "f.mlir", tmp_path / "f.mlirbc"
    source.write_text(TWO)
    assert xla_opt.main([str(source), "--emit-bytecode", "-o", str(binary)]) == 0
    assert capfdbinary.readouterr().out == b""
    command = [sys.executable, "-m", "xdsl_xla.tools.xla_opt", str(source), "--emit-bytecode"]
    piped = subprocess.run(command, capture_output=True, check=True)
    assert piped.stdout == binary.read_bytes()
    for file in (source, binary):
        assert xla_opt.main([str(file), "--mlir-print-value-names=false"]) == 0
    text = capfdbinary.readouterr().out
    assert text[: len(text) // 2] == text[len(text) // 2 :]


def test_bytecode_of_ops_that_are_not_registered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, binary = tmp_path / "f.mlir", tmp_path / "f.mlirbc"
    source.write_text('%0 = "new.op"() {a = #new.thing<1>} : () -> !new.type\n')
    flags = ["--allow-unregistered-dialect", "--mlir-print-value-names=false"]
    assert xla_opt.main([str(source), *flags, "--emit-bytecode", "-o", str(binary)]) == 0
    assert xla_opt.main([str(source), *flags]) == xla_opt.main([str(binary), *flags]) == 0
    text = capsys.readouterr().out
    assert "new.op" in text and text[: len(text) // 2] == text[len(text) // 2 :]
    assert xla_opt.main([str(binary)]) == 1
    assert "new" in capsys.readouterr().err


def test_bytecode_is_not_for_terminals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "f.mlir"
    path.write_text(TWO)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert xla_opt.main([str(path), "--emit-bytecode"]) == 2
    assert "not for a terminal" in capsys.readouterr().err


def test_where_output_goes_is_looked_at_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong.mlir"
    wrong.write_text("wrong")
    for name, message in ((tmp_path / "no" / "x", "No such file or directory"), (tmp_path, "Is a directory")):
        assert xla_opt.main([str(wrong), "-o", str(name)]) == 1
        assert capsys.readouterr().err == f"error: {name}: {message}\n"
    wrong.write_text("")
    assert xla_opt.main([str(wrong), "-o", "-"]) == 0 and not Path("-").exists()
    assert capsys.readouterr().out == "builtin.module {\n}\n"


def test_a_closed_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", None)
    for command in (lambda: xla_opt.main([]), lambda: xla_run.main(["-"])):
        assert command() == 1
        assert capsys.readouterr().err == "error: standard input is closed, and no file is named\n"


def test_ir_around_passes_that_there_are_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "empty.mlir"
    file.write_text("")
    for flag in ("--mlir-print-ir-after", "--mlir-print-ir-before"):
        assert xla_opt.main([str(file), "-p", "cse", flag, "cse,cxe"]) == 1
        assert "unknown pass 'cxe'" in capsys.readouterr().err
        assert xla_opt.main([str(file), "-p", "cse", flag, "canonicalize"]) == 0
        assert capsys.readouterr().err == ""


def test_empty_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "f.mlir"
    for text in ("", "// nothing\n", "!alias = i32\n", "\0\n"):
        path.write_text(text)
        assert xla_opt.main([str(path)]) == 0
        assert capsys.readouterr().out == "builtin.module {\n}\n"
    assert xla_opt.main([str(path), "--no-implicit-module"]) == 1
    assert "source must contain a single top-level operation, found: 0" in capsys.readouterr().err
    path.write_text("func.func private @f()\n")
    assert xla_opt.main([str(path), "--no-implicit-module"]) == 0
    assert capsys.readouterr().out == "func.func private @f() -> ()\n"


def test_split_files_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "f.mlir"
    path.write_text("func.func private @a()\n// -----\nwrong\n// -----\nfunc.func private @b()\n// ----\n")
    assert xla_opt.main([str(path), "-split-input-file", "-output-split-marker=// next"]) == 1
    captured = capsys.readouterr()
    assert "@a" in captured.out and "@b" in captured.out and captured.out.count("// next\n") == 2
    assert f"{path}:3:1: error: operation wrong" in captured.err
    assert f"{path}:6:1: warning: near miss with file split marker\n// ----\n^\n" in captured.err
    output = tmp_path / "out.mlir"
    assert xla_opt.main([str(path), "--split-input-file", "-o", str(output)]) == 1
    assert not output.exists()
    path.write_text("func.func private @a()\n// %%\nfunc.func private @b()\n")
    assert xla_opt.main([str(path), "--split-input-file=// %%"]) == 0
    assert capsys.readouterr().out.count("builtin.module") == 2


OWN = """from xdsl.passes import ModulePass

class MinePass(ModulePass):
    name = "mine"

    def apply(self, ctx, op):
        print("mine was here")
"""


def test_passes_of_files_are_flags(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, own = tmp_path / "f.mlir", tmp_path / "mine.py"
    path.write_text(TWO)
    own.write_text(OWN)
    for load in (["--load-pass", str(own)], [f"-load-pass={own}"]):
        for flags in (["--mine"], ["--pass-pipeline=builtin.module(func.func(mine))"]):
            assert xla_opt.main([str(path), *load, *flags]) == 0
            assert capsys.readouterr().out.startswith("mine was here\n")
