"""`xla-compile`: what it writes, what it says, and the pages and examples that show it."""

from __future__ import annotations

import ctypes
import os
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import xdsl_xla
from xdsl_xla.tools.xla_compile import main

ROOT = Path(xdsl_xla.__file__).parent
ATTENTION = ROOT / "examples" / "attention.mlir"

needs_compilers = pytest.mark.skipif(
    shutil.which("cc") is None or shutil.which("c++") is None, reason="no C and C++ compilers (cc, c++)"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copy(ATTENTION, tmp_path)
    return tmp_path


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    text = capsys.readouterr().out
    assert ended.value.code == 0
    for option in ("--header", "--wheel", "--target-triple", "--constants", "--custom-call", "--threads"):
        assert option in text


@needs_compilers
def test_kinds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("libattention.so", "libattention.a", "attention.o"):
        assert main(["attention.mlir", "-o", name]) == 0
    assert (folder / "libattention.a").read_bytes().startswith(b"!<arch>\n")
    assert (folder / "libattention.so").read_bytes().startswith(b"\x7fELF")
    (folder / "libattention.so").unlink()
    assert main(["attention.mlir", "--header", "a.h", "--threads", "2"]) == 0
    assert (folder / "libattention.so").exists()
    assert "attention_threads = 2" in (folder / "a.h").read_text()
    assert main(["attention.mlir", "-o", "x.a", "--name", "other", "--header", "a.h", "--info"]) == 0
    assert "other_create" in (folder / "a.h").read_text()
    assert "input 0: tensor<8x4xf32> (query)" in capsys.readouterr().out


@needs_compilers
def test_wheel(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attention.mlir", "--wheel", "dist", "--version", "1.0"]) == 0
    path = Path(capsys.readouterr().out.strip())
    with zipfile.ZipFile(path) as wheel:
        assert wheel.testzip() is None
        assert "attention/libattention.so" in wheel.namelist()
        metadata = wheel.read("attention-1.0.dist-info/METADATA").decode()
    assert "Requires-Dist: numpy" in metadata and "scipy" not in metadata and "ml_dtypes" not in metadata
    first = path.read_bytes()
    assert main(["attention.mlir", "-o", f"other/{path.name}"]) == 0
    assert (folder / "other" / path.name).read_bytes() == first


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([], 2, "no program"),
        (["-"], 2, "has no name: --name"),
        (["attention.mlir", "-o", "x.dll"], 2, "expected a name that ends in .so, .a, .o, .whl"),
        (["attention.mlir", "-o", "x.a", "--wheel", "d"], 2, "without -o"),
        (["attention.mlir", "-o", "x.a", "--version", "1"], 2, "with --wheel FOLDER"),
        (["attention.mlir", "--wheel", "d", "--constants", "c"], 2, "without --constants"),
        (["attention.mlir", "-o", "x.a", "-l", "lapack"], 2, "-l is for .so"),
        (["attention.mlir", "-o", "x.a", "--header", "attention.mlir"], 2, "attention.mlir: the program is that file"),
        (["attention.mlir", "--header", "libattention.so"], 2, "--header libattention.so: -o is that file"),
        (["attention.mlir", "--wheel", "d", "--header", "./attention.mlir"], 2, "the program is that file"),
        (["attention.mlir", "-o", "x.a", "--constants", "./x.a"], 2, "--constants ./x.a: -o is that file"),
        (["attention.mlir", "-o", "x.a", "--header", "y", "--constants", "y"], 2, "--header is that file"),
        (["nowhere.mlir", "-o", "x.a"], 1, "nowhere.mlir: No such file"),
        (["attention.mlir", "-o", "x.a", "--name", "int"], 1, "expected a name that C, C++ and Python have no use for"),
        (["attention.mlir", "-o", "x.a", "--name", "a-b"], 1, "got 'a-b'"),
        (["attention.mlir", "-o", "x.a", "--entry", "f"], 1, "no function '@f'"),
        (["attention.mlir", "-o", "x.a", "--target-triple", "mips-linux"], 1, "no libraries for 'mips-linux'"),
        (["attention.mlir", "-o", "x.a", "--target-features", "+quantum"], 1, "LLVM knows no feature 'quantum'"),
        (["attention.mlir", "-o", "no/where/x.a"], 1, "No such file"),
        (["attention.mlir", "-o", "x.so", "--cc", "no-such-compiler"], 1, "no-such-compiler: No such file"),
        (["attention.mlir", "-o", "x.so", "--cc", "false"], 1, "'false' does not link it"),
        (["attention.mlir", "-o", "x.so", "--cc", ""], 1, "--cc: expected a command, got ''"),
        (["attention.mlir", "-o", "x.so", "--cc", "gcc '"], 1, "--cc: 'gcc '' is no command: No closing quotation"),
        (["attention.mlir", "-o", "attention.whl"], 1, "expected 'attention-1.0-py3-none-linux_"),
        (["attention.mlir", "--wheel", "d", "--name", "numpy"], 1, "Python has 'numpy' already"),
        (["attention.mlir", "--wheel", "d", "--name", "json"], 1, "Python has 'json' already"),
        (["attention.mlir", "--wheel", "d", "--version", "one"], 1, "expected one such as 1.0"),
        (["attention.mlir", "--wheel", "d", "--version", ""], 1, "expected one such as 1.0"),
        (["attention.mlir", "-o", "x.a", "--name", ""], 1, "got ''"),
        (["attention.mlir", "-o", "x.a", "--threads", "0"], 2, "--threads 0: at least 1, at most 4096"),
        (["attention.mlir", "-o", "x.a", "--vector-bits", "100"], 2, "--vector-bits 100: a power of two"),
        (["attention.mlir", "-o", "x.a", "--header", "nowhere/x.h"], 1, "nowhere/x.h: No such file"),
        (["attention.mlir", "-o", "x.a", "--constants", "."], 1, ".: Is a directory"),
        (["attention.mlir", "-o", "x.so", "--header", "x.h", "--cc", "false"], 1, "'false' does not link it"),
        (["attention.mlir", "-o", "x.a", "--header", "/dev/full"], 1, "/dev/full: No space left on device"),
    ],
)
def test_mistakes(
    arguments: list[str], status: int, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = set(folder.iterdir())
    assert main(arguments) == status
    assert set(folder.iterdir()) == before, "half of the output"
    error = capsys.readouterr().err
    assert error.startswith(("error: ", "attention.mlir")) and message in error and error.count("\n") == 1


def test_output_of_before_stays_unless_it_was_written(folder: Path) -> None:
    for name in ("x.so", "x.h"):
        (folder / name).write_text("of before")
    assert main(["attention.mlir", "-o", "x.so", "--header", "x.h", "--cc", "false"]) == 1
    assert [path.name for path in folder.iterdir() if path.name[0] == "x"] == ["x.so"]
    assert (folder / "x.so").read_text() == "of before"


def test_a_pass_in_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "users.py").write_text(
        "from xdsl.passes import ModulePass\n\n\nclass Users(ModulePass):\n    name = 'users'\n\n"
        "    def apply(self, ctx, op):\n        print('users pass ran')\n"
    )
    assert main(["attention.mlir", "-o", "x.a", "--load-pass", "users.py", "--pipeline", "users,xla-cpu"]) == 0
    assert "users pass ran" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["a,b.so", "-x.so", "two words.so", "'quoted'.so", "@file.so", "ü.so"])
def test_odd_names(name: str, folder: Path) -> None:
    assert main(["attention.mlir", "-o", f"./{name}"]) == 0
    assert ctypes.CDLL(str(folder / name)).attention_create


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["attention.mlir", "-o", "x.a", "-o", "y.a"], "argument -o: given twice, with 'x.a' and with 'y.a'"),
        (["attention.mlir", "--thread", "1"], "unknown flag '--thread'; did you mean --threads or --header?"),
    ],
)
def test_wrong_usage_is_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        main(arguments)
    assert (ending.value.code, capsys.readouterr().err) == (2, f"error: {message}; see xla-compile --help\n")


def test_a_program_that_is_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "wrong.mlir").write_text("func.func @main( {}")
    assert main(["wrong.mlir", "-o", "x.a"]) == 1
    assert capsys.readouterr().err.startswith("wrong.mlir:1:")
    (folder / "empty.mlir").write_text("")
    assert main(["empty.mlir", "-o", "x.a"]) == 1
    assert capsys.readouterr().err.startswith("empty.mlir:1:1: error: expected an operation")


def test_without_a_linker(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("CC", raising=False)
    assert main(["attention.mlir", "-o", "x.a"]) == 0
    assert main(["attention.mlir", "-o", "x.so"]) == 1
    assert "install cc, gcc, clang or ld.lld" in capsys.readouterr().err
    assert main(["attention.mlir", "-o", "x.so", "--target-triple", "aarch64-linux-gnu"]) == 1
    assert "no linker for 'aarch64-linux-gnu'" in capsys.readouterr().err


@needs_compilers
def test_ld_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a compiler the linker makes shared libraries, and objects, too."""
    linker = shutil.which("ld")
    if linker is None:
        pytest.skip("no ld")
    (folder / "bin").mkdir()
    (folder / "bin" / "ld").symlink_to(linker)
    monkeypatch.setenv("PATH", str(folder / "bin"))
    monkeypatch.delenv("CC", raising=False)
    assert main(["attention.mlir", "-o", "x.so"]) == 0
    assert main(["attention.mlir", "-o", "x.o"]) == 0
    from xdsl_xla.runtime.ahead_of_time.wheel_runtime import Library, Model

    assert "query" in Model(Library(folder / "x.so", "attention")).describe()


def test_cpus_that_llvm_knows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--target-cpu", "help", "--target-triple", "aarch64-linux-gnu"]) == 0
    assert "neoverse-n1" in capsys.readouterr().out


COMMANDS = {"xla-compile": [sys.executable, "-m", "xdsl_xla.tools.xla_compile"], "python": [sys.executable]}


@pytest.mark.slow
@needs_compilers
def test_the_document(folder: Path) -> None:
    """Its files and its commands."""
    text = (ROOT / "docs" / "ahead_of_time.md").read_text()
    files = re.findall(r"```\w+\n(?:#|//) (\S+\.\w+)\n(.*?)```", text, re.DOTALL)
    assert [name for name, _ in files] == ["attend.c", "attend.cpp", "use.py", "keep.py"]
    for name, body in files:
        (folder / name).write_text(body)
    commands = [line.split() for line in re.findall(r"^    \$ (.*)$", text, re.MULTILINE)]
    assert len(commands) == 14
    outputs: dict[str, str] = {}
    for program, *arguments in commands:
        if "x86_64-linux-gnu" in arguments and platform.machine() != "x86_64":
            continue  # this machine's compiler does not link that
        if program == "pip":
            (wheel,) = (folder / "dist").glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(folder / "site")
            continue
        command = [*COMMANDS.get(program, [program]), *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        outputs[" ".join([program, *arguments])] = done.stdout
    assert outputs["./attend"] == "0 17\n"
    assert outputs["./attend_in_cpp"] == "1.5 1.5\noutput 0 ('result0'): expected 128 bytes, got 124\n"
    assert "argument 0: tensor<8x4xf32> (query)" in outputs["python use.py"]


@pytest.mark.slow
@needs_compilers
@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake")
@pytest.mark.parametrize(
    ("example", "program", "said"),
    [
        (
            "c",
            "attend",
            "a buffer is not of the size that the model takes: input 2 ('value'): expected 128 bytes, got 124",
        ),
        ("cpp", "two_models", "equal arguments, equal results: yes"),
    ],
)
def test_examples(example: str, program: str, said: str, tmp_path: Path) -> None:
    command = f"-DXLA_COMPILE={sys.executable};-m;xdsl_xla.tools.xla_compile"
    for words in (["-S", str(ROOT / "examples" / example), "-B", str(tmp_path), command], ["--build", str(tmp_path)]):
        done = subprocess.run(["cmake", *words], capture_output=True, text=True, check=False, env={**os.environ})
        assert done.returncode == 0, done.stdout + done.stderr
    done = subprocess.run([str(tmp_path / program)], capture_output=True, text=True, check=True)
    assert said in done.stdout
