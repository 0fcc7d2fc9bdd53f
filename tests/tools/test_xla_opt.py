"""`xla-opt` as a process and as a function: start-up, exit codes, files, plugins."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.tools import xla_opt

ADD = "func.func @f(%x: i32) -> i32 {\n  %0 = arith.addi %x, %x : i32\n  return %0 : i32\n}\n"
INVALID = ADD.replace("%x, %x : i32", "%x, %x : i64")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "add.mlir"
    path.write_text(ADD)
    return path


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys; from xdsl_xla.tools import xla_opt\n"
        "try: xla_opt.main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'llvmlite', 'jax', 'xdsl.dialects.func', 'xdsl_xla.dialects.stablehlo'}\n"
        "print(sorted(heavy & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_module_runs_as_a_script(program: Path) -> None:
    command = [sys.executable, "-m", "xdsl_xla.tools.xla_opt", str(program), "-p", "cse"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "arith.addi" in done.stdout


def test_output_file(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.mlir"
    assert xla_opt.main([str(program), "-o", str(target)]) == 0
    assert "arith.addi" in target.read_text()
    assert capsys.readouterr().out == ""


def test_a_schedule_goes_to_the_output_file(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "schedule.txt"
    assert xla_opt.main([str(program), "-p", "cse", "--print-schedule", "-o", str(target)]) == 0
    assert "function f(x)" in target.read_text() and "func.func" not in target.read_text()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["{file}", "-p", "nonsense"], 1, "error: unknown pass 'nonsense'"),
        (["{file}", "-p", "cse{{"], 1, "error: malformed pipeline 'cse{':"),
        (["/no/such/file.mlir"], 1, "error: /no/such/file.mlir: No such file or directory"),
        (["{file}", "--print-schedule", "-t", "llvm"], 2, "error: --print-schedule prints text of its own: without -t"),
        (["{file}", "-t", "obj"], 2, "error: -t obj writes a binary file: name it with -o FILE"),
    ],
)
def test_errors_are_one_line(
    program: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    assert xla_opt.main([argument.format(file=program) for argument in arguments]) == code
    captured = capsys.readouterr()
    assert captured.err.startswith(message)
    assert captured.err.count("\n") == 1


def test_usage(program: Path) -> None:
    with pytest.raises(SystemExit) as stop:
        xla_opt.main(["--no-such-flag"])
    assert stop.value.code == 2
    assert xla_opt.main([str(program), "-t", "nonsense"]) == 2


def test_invalid_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.mlir"
    path.write_text(INVALID)
    assert xla_opt.main([str(path)]) == 1
    assert f"{path}:2:19: error: operand is used with type i64" in capsys.readouterr().err
    path.write_bytes(b"\xff\xfe")
    assert xla_opt.main([str(path)]) == 1
    assert "not UTF-8 text" in capsys.readouterr().err


DEFECTIVE = """from xdsl.pattern_rewriter import RewritePattern

class Lost(RewritePattern):
    def match_and_rewrite(self, op, rewriter):
        raise KeyError("lost")
"""


def test_defect_of_a_pass(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lost.py").write_text(DEFECTIVE)
    arguments = [str(program), "-p", f"apply-patterns{{file={tmp_path / 'lost.py'}}}"]
    assert xla_opt.main(arguments) == 1
    error = capsys.readouterr().err
    assert error.splitlines() == [
        f"{tmp_path / 'lost.py'}:5: error: pass apply-patterns: KeyError: 'lost'",
        '  in Lost.match_and_rewrite: raise KeyError("lost")',
        f"  given 'arith.addi' of {program}:2:3",
    ]
    assert xla_opt.main([*arguments, "--debug"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_disable_verify_does_not_outlive_the_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.mlir"
    path.write_text('func.func @f(%x: i32, %y: i64) {\n "arith.addi"(%x, %y) : (i32, i64) -> i32\n return\n}')
    assert xla_opt.main([str(path), "--disable-verify", "--print-op-generic"]) == 0
    assert xla_opt.main([str(path)]) == 1
    assert f"{path}:2:2: error: 'arith.addi' op" in capsys.readouterr().err


def test_broken_expectation_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "expect.mlir"
    path.write_text(ADD + "// expected-error @-3 {{something}}\n")
    assert xla_opt.main([str(path), "--verify-diagnostics"]) == 1
    assert f'{path}:5:4: error: expected error "something" was not produced\n' == capsys.readouterr().err


PLUGIN = """from xdsl.universe import Universe

def other():
    raise AssertionError("the other stablehlo")

UNIVERSE = Universe(all_dialects={"stablehlo": other})
"""


@pytest.mark.parametrize("count", [1, 2])
def test_plugins_that_define_our_dialects(
    count: int, program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Other packages may register `stablehlo` too, and clash with each other."""
    for number in range(count):
        name = f"other_stablehlo_{number}"
        (tmp_path / f"{name}.py").write_text(PLUGIN)
        information = tmp_path / f"{name}-1.dist-info"
        information.mkdir()
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (information / "entry_points.txt").write_text(f"[xdsl.universe]\n{name} = {name}:UNIVERSE\n")
    monkeypatch.syspath_prepend(tmp_path)
    others = [each for each in entry_points(group="xdsl.universe") if each.name.startswith("other_stablehlo")]
    assert [list(each.load().all_dialects) for each in others] == [["stablehlo"]] * count
    driver = xla_opt.XlaOptMain([str(program)])
    assert driver.universe.all_dialects["stablehlo"] is xla_opt.DIALECTS["stablehlo"]
    assert xla_opt.main([str(program), "-p", "cse"]) == 0
    assert "arith.addi" in capsys.readouterr().out
    assert "stablehlo" in new_context().registered_dialect_names


def test_standard_input() -> None:
    command = [sys.executable, "-m", "xdsl_xla.tools.xla_opt", "-", "-p", "cse"]
    done = subprocess.run(command, input=ADD, capture_output=True, text=True, check=True)
    assert "arith.addi" in done.stdout
    done = subprocess.run(command[:-2], input=INVALID, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr[:16]) == (1, "stdin:2:19: erro")


@pytest.mark.parametrize("threads", [-1, 0, 4097])
def test_impossible_numbers_of_threads_are_refused(threads: int, capsys: pytest.CaptureFixture[str]) -> None:
    for passes in (f"xla-cpu{{threads={threads}}}", f"kernels-schedule{{threads={threads}}}"):
        assert xla_opt.main(["-p", passes, "-"]) == 1
        assert f"threads: expected a number from 1 to 4096, got {threads}" in capsys.readouterr().err
