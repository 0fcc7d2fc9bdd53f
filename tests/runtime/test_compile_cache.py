"""The compile cache: what is found again, and what must not be."""

from __future__ import annotations

import concurrent.futures
import hashlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl_xla.runtime.compile_cache import folder, key, stored_program
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.tools.compile_options import load_cost_model

ROOT = Path(__file__).parents[2]

DOUBLE = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""
X = np.float32([1, 2, 3])

pytestmark = pytest.mark.usefixtures("cache")


def entries(directory: Path) -> list[Path]:
    return sorted(directory.glob(f"*{folder.SUFFIX}"))


def hits(source: Any = DOUBLE, **options: Any) -> bool:
    return xdsl_xla.compile(source, **options).is_from_cache


def test_the_second_time(cache: Path, tmp_path: Path) -> None:
    path = tmp_path / "double.mlir"
    path.write_text(DOUBLE)
    xdsl_xla.compile(DOUBLE, opt_level=1)(X)  # what the runtime itself compiles is there, too
    others = len(entries(cache))
    for source in (DOUBLE, DOUBLE.encode(), path, str(path), parse_module(DOUBLE)):
        first, second = xdsl_xla.compile(source), xdsl_xla.compile(source)
        assert second.is_from_cache, source
        assert second.signature == first.signature
        assert second.statistics == first.statistics
        assert repr(second) == repr(first)
        np.testing.assert_array_equal(second(X)[0], 2 * X)
    assert "found in the cache" in second.timings and "parse" not in second.timings
    assert len(entries(cache)) == others + 4  # a path is a path


def test_another_process_needs_neither_xdsl_nor_a_pass(cache: Path) -> None:
    script = f"""
import sys, xdsl_xla, numpy as np
executable = xdsl_xla.compile({DOUBLE!r})
print(executable.is_from_cache, executable(np.ones(3, np.float32))[0][2], "xdsl" in sys.modules)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    environment.pop("PYTHONSTARTUP", None)
    wanted = ["False 2.0 True", "True 2.0 False"]
    for line in wanted:
        run = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True, timeout=120
        )
        assert run.stdout.strip() == line


@pytest.mark.parametrize(
    "options",
    [
        {"threads": 3},
        {"vector_bits": 128},
        {"opt_level": 0},
        {"pipeline": "xla-cpu-O0"},
        {"pipeline": "xla-cpu{threads=1}"},
        {"entry": "main"},
        {"replicas": 2},
        {"partitions": 2},
        {"filename": "other.mlir"},
    ],
)
def test_options_are_part_of_the_key(options: dict[str, Any]) -> None:
    assert not hits(threads=1)
    assert not hits(**{"threads": 1, **options}), options
    assert hits(**{"threads": 1, **options})


def test_the_program_is_part_of_the_key() -> None:
    assert not hits()
    assert not hits(DOUBLE.replace("add", "multiply"))
    assert not hits(DOUBLE.replace("%x", "%y"))  # errors name the argument
    module = parse_module(DOUBLE)
    assert not hits(module) and hits(module)
    module.attributes["mhlo.num_replicas"] = IntegerAttr(2, i32)
    assert not hits(module)


def test_the_seed_is_not_part_of_the_code() -> None:
    text = """
    func.func @main() -> tensor<4xf32> {
      %a = stablehlo.constant dense<0.0> : tensor<f32>
      %b = stablehlo.constant dense<1.0> : tensor<f32>
      %n = stablehlo.constant dense<4> : tensor<1xi64>
      %0 = stablehlo.rng %a, %b, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    first = [xdsl_xla.compile(text, seed=seed)()[0] for seed in (1, 2)]
    cached = [xdsl_xla.compile(text, seed=seed) for seed in (1, 2)]
    assert all(executable.is_from_cache for executable in cached)
    for executable, wanted in zip(cached, first, strict=True):
        np.testing.assert_array_equal(executable()[0], wanted)
    assert (first[0] != first[1]).any()
    assert cached[0].environment.seed == 1


def test_it_can_be_turned_off(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("0", "off", " No"):
        monkeypatch.setenv(folder.SWITCH, value)
        assert not hits() and not hits()
    assert not entries(cache)
    assert not hits(cache=True) and hits(cache=True)
    monkeypatch.setenv(folder.SWITCH, "1")
    assert hits() and not hits(cache=False)


def test_dumps_and_checks_compile(tmp_path: Path) -> None:
    assert not hits()
    assert not hits(dump_dir=tmp_path / "levels")
    assert len(list((tmp_path / "levels").iterdir())) > 10
    assert not hits(verify=True)
    assert hits()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data + b"\0",
        lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:],
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: b"xdsl-xla program 0\n" + data[19:],
    ],
)
def test_a_damaged_file_is_written_anew(cache: Path, damage: Callable[[bytes], bytes]) -> None:
    assert not hits()
    (file,) = entries(cache)
    good = file.read_bytes()
    file.write_bytes(damage(good))
    executable = xdsl_xla.compile(DOUBLE)
    assert not executable.is_from_cache
    np.testing.assert_array_equal(executable(X)[0], 2 * X)
    assert hits()


def with_header(data: bytes, change: Callable[[Any], Any]) -> bytes:
    """A stored program with another header and the checksum of that."""
    content = data[stored_program.START :]
    end = stored_program.LENGTH_BYTES + int.from_bytes(content[: stored_program.LENGTH_BYTES], "little")
    header = change(json.loads(content[stored_program.LENGTH_BYTES : end]))
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    content = len(text).to_bytes(stored_program.LENGTH_BYTES, "little") + text + content[end:]
    return stored_program.MAGIC + hashlib.blake2b(content, digest_size=stored_program.CHECKSUM_BYTES).digest() + content


FIELDS = (
    "key", "symbol", "inputs", "outputs", "argument_types", "result_types", "call_targets", "call_target_table",
    "donated", "marks", "registered", "threads", "arena_bytes", "thread_scratch_bytes", "kernels", "replicas",
    "partitions", "stoppable", "spread", "objects", "constants",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    -1,
    1.5,
    True,
    2**70,
    "?",
    "tuple",
    [None],
    [[0, 99]],
    [-1],
    [2**62],
    {"a": 1},
    [{}],
)


@pytest.mark.parametrize("field", FIELDS)
def test_a_header_of_another_form_is_damage(cache: Path, field: str) -> None:
    assert not hits()
    (file,) = entries(cache)
    good = file.read_bytes()
    name = file.name.removesuffix(folder.SUFFIX)
    wanted = stored_program.from_bytes(name, good)

    def without(header: Any) -> Any:
        return {key: value for key, value in header.items() if key != field}

    def read(data: bytes) -> Any:
        file.write_bytes(data)
        return folder.load(name)

    assert read(with_header(good, lambda header: header)) == wanted
    assert read(with_header(good, without)) is None
    texts = {"symbol", "call_target_table"}
    for value in VALUES:
        if (field in texts and isinstance(value, str)) or (field == "stoppable" and value is True):
            continue
        assert read(with_header(good, lambda header, value=value: {**header, field: value})) is None, value


@pytest.mark.parametrize(
    "header",
    [None, [], 3, "x", {}, b"", b"{", b"\xff", b"nul", b"[" * 100_000, b"9" * 10_000, b'{"key": NaN}'],
    ids=lambda header: repr(header)[:20],
)
def test_a_header_that_is_none(cache: Path, header: Any) -> None:
    assert not hits()
    (file,) = entries(cache)
    file.write_bytes(with_header(file.read_bytes(), lambda _: header))
    assert not hits()
    assert hits()


@pytest.mark.parametrize(
    "change",
    [
        {"symbol": "?"},
        {"symbol": ""},
        {"symbol": "main\0"},
        {"call_targets": ["a"]},
        {"call_target_table": "[]"},
        {"call_targets": ["a"], "call_target_table": "[[[#!"},
    ],
)
def test_a_program_that_does_not_load_is_compiled_anew(cache: Path, change: dict[str, Any]) -> None:
    assert not hits()
    (file,) = entries(cache)
    file.write_bytes(with_header(file.read_bytes(), lambda header: {**header, **change}))
    assert not hits()
    assert hits()


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _huge(path: Path) -> None:
    path.touch()
    os.truncate(path, 1 << 40)


OBSTACLES: dict[str, Callable[[Path], object]] = {
    "pipe": _fifo,
    "socket": _socket,
    "folder": lambda path: (path / "inner").mkdir(parents=True),
    "loop": lambda path: path.symlink_to(path),
    "nowhere": lambda path: path.symlink_to(path.parent / "gone"),
    "device": _endless,
    "huge": _huge,
    "unreadable": lambda path: path.touch(0o000),
    "empty": lambda path: path.touch(),
}


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")
@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_what_stands_in_the_place_of_the_folder(
    obstacle: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as short:  # names of sockets are short
        place = Path(short) / "cache"
        OBSTACLES[obstacle](place)
        monkeypatch.setenv(folder.FOLDER, str(place))
        for _ in range(2):
            np.testing.assert_array_equal(xdsl_xla.compile(DOUBLE)(X)[0], 2 * X)
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")
@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_what_stands_in_the_place_of_a_program(
    obstacle: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        monkeypatch.setenv(folder.FOLDER, short)
        assert not hits()
        (file,) = entries(Path(short))
        file.unlink()
        OBSTACLES[obstacle](file)
        executable = xdsl_xla.compile(DOUBLE)
        assert not executable.is_from_cache
        np.testing.assert_array_equal(executable(X)[0], 2 * X)
        assert hits() or obstacle == "folder"
        monkeypatch.setenv(folder.SIZE, "0.01")
        assert not hits(DOUBLE.replace("add", "multiply"))
    assert capfd.readouterr() == ("", "")


def test_a_program_under_the_name_of_another_is_not_taken(cache: Path) -> None:
    hits()
    (mine,) = entries(cache)
    hits(DOUBLE.replace("add", "multiply"))
    (other,) = set(entries(cache)) - {mine}
    mine.write_bytes(other.read_bytes())
    np.testing.assert_array_equal(xdsl_xla.compile(DOUBLE)(X)[0], 2 * X)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_what_others_may_write_is_not_trusted(cache: Path) -> None:
    assert not hits()
    (file,) = entries(cache)
    assert file.stat().st_mode & 0o077 == 0 and cache.stat().st_mode & 0o077 == 0
    file.chmod(0o666)
    assert not hits()
    assert hits()


def test_a_folder_that_cannot_be_written_costs_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(folder.FOLDER, str(tmp_path / "file" / "cache"))
    for _ in range(2):
        executable = xdsl_xla.compile(DOUBLE)
        assert not executable.is_from_cache
        np.testing.assert_array_equal(executable(X)[0], 2 * X)
    assert capfd.readouterr() == ("", "")


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(folder.FOLDER, str(tmp_path))
    assert folder.default_folder() == tmp_path
    monkeypatch.setenv("HOME", "/me")
    monkeypatch.setenv(folder.FOLDER, "~/programs")
    assert folder.default_folder() == Path("/me/programs")
    monkeypatch.setenv(folder.FOLDER, "~no such user/programs")
    assert folder.default_folder() is None
    monkeypatch.delenv(folder.FOLDER)
    for system, variables, wanted in [
        ("linux", {"XDG_CACHE_HOME": "/elsewhere"}, Path("/elsewhere")),
        ("linux", {"XDG_CACHE_HOME": "relative", "HOME": "/me"}, Path("/me/.cache")),
        ("linux", {"XDG_CACHE_HOME": "", "HOME": "/me"}, Path("/me/.cache")),
        ("darwin", {"HOME": "/me"}, Path("/me/Library/Caches")),
        ("win32", {"LOCALAPPDATA": "/local"}, Path("/local")),
    ]:
        monkeypatch.setattr(folder.sys, "platform", system)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        assert folder.default_folder() == wanted / "xdsl-xla"
    monkeypatch.setattr(folder.sys, "platform", "linux")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "")
    assert folder.default_folder() is None


def test_the_least_recently_used_go_first(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = [DOUBLE.replace("3xf32", f"{size}xf32") for size in range(3, 7)]
    for number, program in enumerate(programs[:3]):
        assert not hits(program)
        for file in entries(cache):
            if file.stat().st_mtime > 1e9:
                os.utime(file, (number, number))
    assert hits(programs[0])  # now the newest
    size = sum(file.stat().st_size for file in entries(cache))
    monkeypatch.setenv(folder.SIZE, str(size / 2**20))
    assert not hits(programs[3])
    assert sum(file.stat().st_size for file in entries(cache)) <= size
    assert hits(programs[0]) and hits(programs[3])
    assert not hits(programs[1])


def test_a_program_beyond_the_bound_is_not_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(folder.SIZE, "0")
    assert not hits() and not hits()
    assert not entries(cache)


def test_left_over_temporary_files_go(cache: Path) -> None:
    cache.mkdir()
    old, new = (cache / f"{name}{folder.TEMPORARY}" for name in ("old", "new"))
    old.write_text("")
    new.write_text("")
    os.utime(old, (0, 0))
    hits()
    assert not old.exists() and new.exists()


def test_many_at_once(cache: Path) -> None:
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        executables = list(pool.map(xdsl_xla.compile, [DOUBLE] * 8))
    for executable in executables:
        np.testing.assert_array_equal(executable(X)[0], 2 * X)
    assert len(entries(cache)) == len(list(cache.iterdir())) == 1
    assert hits()


# Sources


def test_every_package_that_compiles_is_in_the_fingerprint() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages - {"tests", "tools", "benchmarks"} == set(key.SOURCES)


def test_an_edit_changes_the_fingerprint(tmp_path: Path) -> None:
    for name in key.SOURCES:
        (tmp_path / name / "inner").mkdir(parents=True)
    file = tmp_path / "passes" / "inner" / "a.py"
    file.write_text("a = 1\n")
    found = [key.fingerprint_of_sources(str(tmp_path))]
    times = file.stat()
    file.write_text("a = 2\n")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    found.append(key.fingerprint_of_sources(str(tmp_path)))
    file.rename(file.with_name("b.py"))
    found.append(key.fingerprint_of_sources(str(tmp_path)))
    file.with_name("c.py").write_text("")
    found.append(key.fingerprint_of_sources(str(tmp_path)))
    assert None not in found
    assert len(set(found)) == (4 if os.name == "posix" else 3)
    assert key.fingerprint_of_sources(str(tmp_path)) == found[-1]


def test_sources_newer_than_the_process_turn_it_off(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key, "IMPORTED_AT", 1)
    assert not hits() and not hits()
    assert not entries(cache)


EDITED_MEANWHILE = """
from dataclasses import dataclass
from pathlib import Path
from xdsl_xla.decisions.llvm import LlvmTiers
from xdsl_xla.decisions.model import CostModel

@dataclass(frozen=True)
class Edited(LlvmTiers):
    edit: bool = False

    def is_brief(self, steps):
        if self.edit:
            with Path(__file__).open("a") as file:
                file.write("# edited\\n")
        return super().is_brief(steps)

CHANGING, STEADY = CostModel(llvm=Edited(edit=True)), CostModel(llvm=Edited())
"""


def test_sources_that_change_during_a_compilation(cache: Path, tmp_path: Path) -> None:
    """What has been compiled by a text that is another one now has no name."""
    path = tmp_path / "edited_meanwhile.py"
    path.write_text(EDITED_MEANWHILE)
    changing, steady = (load_cost_model(f"{path}:{name}") for name in ("CHANGING", "STEADY"))
    assert not hits(cost_model=changing) and path.read_text().endswith("# edited\n")
    assert not entries(cache)
    assert not hits(cost_model=steady) and entries(cache)


def test_the_version_of_the_library_of_routines_is_part_of_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = key.environment.__wrapped__
    before = environment()
    monkeypatch.setitem(sys.modules, "scipy", None)  # as if it were not installed
    without = environment()
    assert without[-1] is None and without[:-1] == before[:-1]
    (tmp_path / "scipy").mkdir()
    (tmp_path / "scipy" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "scipy")
    assert len({without, before, environment()}) == 3


def test_passes_of_ones_own_are_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    from xdsl_xla import pipelines

    assert not hits() and hits()
    monkeypatch.setitem(pipelines.PIPELINES, "xla-cpu", pipelines.XLA_CPU_O0)
    assert not hits()
