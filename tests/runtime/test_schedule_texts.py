"""Schedules in files beside a program and in databases: which hold, and that the compile cache knows of them."""

from __future__ import annotations

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.decisions.target import cpu_name
from xdsl_xla.errors import XlaError
from xdsl_xla.ir.schedule_files import Entry, Key, parse_entries
from xdsl_xla.runtime import schedule_texts
from xdsl_xla.runtime.compile_cache import folder
from xdsl_xla.tools import xla_opt, xla_run

PROGRAM = """
func.func @main(%x: tensor<24x16xf32>) -> tensor<24x16xf32> {
  %0 = stablehlo.exponential %x : tensor<24x16xf32>
  return %0 : tensor<24x16xf32>
}
"""
X = np.linspace(-1, 1, 24 * 16, dtype=np.float32).reshape(24, 16)
COLUMNS = "for j = 0 to 16 { for i = 0 to 24 { compute exp at (i, j) } }"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "model.mlir"
    path.write_text(PROGRAM)
    return path


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "tuned.schedules"
    monkeypatch.setenv(schedule_texts.VARIABLE, f"{path}{os.pathsep}{tmp_path / 'absent'}")
    return path


def scheduled(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """The schedule that xla-opt prints."""
    passes = [] if "-p" in options else ["-p", "xla-cpu-to-schedules{threads=1}"]
    assert xla_opt.main([*passes, *options]) == 0
    (found,) = re.findall(r"#schedule.kernel<\{(.*?)\}>", capsys.readouterr().out, re.DOTALL)
    return " ".join(found.split())


def digest(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """That of the program's only kernel."""
    from xdsl.dialects import func
    from xdsl_xla.ir.schedule_files import digest_of
    from xdsl_xla.runtime.mlir_text import parse_module

    assert xla_opt.main(["-p", "xla-cpu-to-schedules", str(path)]) == 0
    functions = [op for op in parse_module(capsys.readouterr().out).ops if isinstance(op, func.FuncOp)]
    return digest_of(functions[-1])


def test_who_decides(program: Path, database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The database, the file beside the program before it, a file that is named before that, an option of the pass
    before all; what stands on the kernel stays."""
    decided = scheduled(capsys, str(program))
    entry = f'kernel "{digest(program, capsys)}" cpu "{cpu_name()}" threads 1'

    def loops(step: int) -> str:
        return (
            f"for i = 0 to 24 by {step} {{ for k = 0 to {step} {{ for j = 0 to 16 {{ compute exp at (i + k, j) }} }} }}"
        )

    database.write_text(f"{entry} {{ {loops(2)} }}")
    assert scheduled(capsys, str(program)) == loops(2) != decided
    (beside := program.with_suffix(".schedules")).write_text(f"kernel @elementwise_0 {{ {loops(3)} }}")
    assert scheduled(capsys, str(program)) == loops(3)
    (named := program.with_name("named")).write_text(f"kernel @elementwise_0 {{ {loops(4)} }}")
    assert scheduled(capsys, str(program), "--schedules", str(named)) == loops(4)
    (option := program.with_name("option")).write_text(f"kernel @elementwise_0 threads 1 {{ {loops(6)} }}")
    passes = f"xla-cpu-to-schedules{{threads=1 schedules={option}}}"
    assert scheduled(capsys, "-p", passes, str(program)) == loops(6)
    printed = program.with_name("printed.mlir")
    assert xla_opt.main(["-p", passes, str(program), "-o", str(printed)]) == 0
    assert scheduled(capsys, "-p", "kernels-schedule", str(printed)) == loops(6)
    beside.write_text("kernel @elementwise_0 as decided")
    assert scheduled(capsys, str(program)) == decided


@pytest.mark.parametrize(
    ("entry", "place", "message"),
    [
        ("@elementwise_0 { for i = 0 to 24 { compute gone at (i, 0) } }", "1:43", "'compute gone at (i, 0)'"),
        ("@elementwise_0 { }", "1:1", "384 of the 384 points of 'exp' are not computed"),
        ("@other as decided", "1:1", "@other is no kernel that can have a schedule; those are @elementwise_0"),
    ],
)
def test_an_illegal_schedule_beside_the_program(
    program: Path, capsys: pytest.CaptureFixture[str], entry: str, place: str, message: str
) -> None:
    file = program.with_suffix(".schedules")
    file.write_text(f"kernel {entry}")
    for tool in (xla_run.main, xla_opt.main):
        assert tool([str(program)] if tool is xla_run.main else ["-p", "xla-cpu", str(program)]) == 1
        error = capsys.readouterr().err
        assert error.startswith(f"{file}:{place}: error: @") and message in error
        assert "@elementwise_0" in error


def test_a_pipe_is_not_waited_for(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = program.with_name("pipe")
    os.mkfifo(pipe)
    assert xla_run.main([str(program), "--schedules", str(pipe)]) != 0
    assert f"{pipe}: is no file" in capsys.readouterr().err


def test_files_that_cannot_be_read(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(XlaError, match="absent: No such file"):
        xdsl_xla.compile(program, schedules=program.with_name("absent"))
    assert xla_opt.main(["-p", f"xla-cpu{{schedules={program.with_name('absent')}}}", str(program)]) == 1
    assert "absent" in capsys.readouterr().err
    program.with_suffix(".schedules").write_bytes(b"\xff")
    with pytest.raises(XlaError, match="not UTF-8"):
        xdsl_xla.compile(program)


@pytest.mark.parametrize("blank", [" ", "\n"])
def test_a_text_in_place_of_a_file(program: Path, blank: str) -> None:
    text = f"kernel @elementwise_0 {{{blank}for i = 0 to 64 {{ compute nothing at (i) }} }}"
    with pytest.raises(XlaError, match=r"<schedules>:.*: @elementwise_0: .*the kernel has no op 'nothing'"):
        xdsl_xla.compile(program, schedules=text)
    xdsl_xla.compile(program, schedules="kernel @elementwise_0 as decided")
    with pytest.raises(XlaError, match="kernels: No such file"):
        xdsl_xla.compile(program, schedules="kernels")


def test_an_entry_of_a_database_that_does_not_fit(
    program: Path, database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    decided = scheduled(capsys, str(program))
    key = Key(digest(program, capsys), cpu_name(), 1)
    database.write_text(f"{key} {{ for i = 0 to 24 {{ compute gone at (i, 0) }} }}")
    with pytest.warns(UserWarning, match=r"tuned.schedules:1:\d+: ignored, for it does not fit @elementwise_0"):
        assert scheduled(capsys, str(program)) == decided


@pytest.mark.usefixtures("cache")
def test_the_compile_cache_knows_what_was_read(
    program: Path, database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def hits() -> bool:
        executable = xdsl_xla.compile(program, threads=1)
        np.testing.assert_allclose(executable(X)[0], np.exp(X), rtol=1e-6)
        return executable.is_from_cache

    assert [hits(), hits()] == [False, True]
    key = Key(digest(program, capsys), cpu_name(), 1)
    tree = parse_entries(f"kernel @a {{ {COLUMNS} }}", "a")[Key("@a")].tree
    schedule_texts.record(database, [Entry(key, tree, "by columns")])
    assert [hits(), hits()] == [False, True]
    program.with_suffix(".schedules").write_text("kernel @elementwise_0 as decided")
    assert [hits(), hits()] == [False, True]


def test_a_database_keeps_what_others_write(database: Path) -> None:
    first, second = Entry(Key("0b"), None, "first"), Entry(Key("0a"), None, "second")
    schedule_texts.record(database, [first])
    schedule_texts.record(database, [second])
    schedule_texts.record(database, [Entry(Key("0b"), None, "again")])
    entries = parse_entries(database.read_text(), "x")
    assert [(key.kernel, entry.comment) for key, entry in entries.items()] == [("0a", "second"), ("0b", "again")]
    database.write_text("nonsense")
    with pytest.raises(XlaError, match="at the start of an entry"):
        schedule_texts.record(database, [first])
    assert database.read_text() == "nonsense"


def test_many_write_a_database_at_once(database: Path) -> None:
    def write(number: int) -> None:
        for entry in range(5):
            schedule_texts.record(database, [Entry(Key(f"{number:02x}{entry:02x}"), None, "")])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    assert len(parse_entries(database.read_text(), "x")) == 8 * 5


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_a_database_keeps_its_permissions_and_links(tmp_path: Path) -> None:
    path, link = tmp_path / "shared.schedules", tmp_path / "tuned.schedules"
    link.symlink_to(path)
    mask = os.umask(0o022)
    try:
        schedule_texts.record(link, [Entry(Key("0a"), None, "")])
    finally:
        os.umask(mask)
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o644
    path.chmod(0o664)
    schedule_texts.record(link, [Entry(Key("0b"), None, "")])
    assert path.stat().st_mode & 0o777 == 0o664 and len(parse_entries(path.read_text(), "x")) == 2


def test_where_databases_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(folder.FOLDER, str(tmp_path))
    monkeypatch.setenv(schedule_texts.VARIABLE, "")
    assert schedule_texts.database_paths() == []
    monkeypatch.setenv(schedule_texts.VARIABLE, os.pathsep.join(["a", "b"]))
    assert schedule_texts.database_paths() == [Path("a"), Path("b")]
    monkeypatch.delenv(schedule_texts.VARIABLE)
    assert schedule_texts.database_paths() == [tmp_path / "tuned.schedules"]


def test_the_first_database_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / "a", tmp_path / "b"]
    for path in paths:
        path.write_text(f'// {path.name}\nkernel "0a" as decided')
    monkeypatch.setenv(schedule_texts.VARIABLE, os.pathsep.join(map(str, paths)))
    (entry,) = schedule_texts.schedule_texts(None).parsed().found.values()
    assert entry.comment == "a"
