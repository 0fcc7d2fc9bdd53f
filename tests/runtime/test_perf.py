"""What perf and gdb are told: names, places and lines of code in memory."""

from __future__ import annotations

import ctypes
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from xdsl_xla.errors import XlaError
from xdsl_xla.runtime import perf
from xdsl_xla.runtime.compilation import compile_program
from xdsl_xla.runtime.compile_cache.stored_program import from_bytes, to_bytes
from xdsl_xla.runtime.compiled_program import CompiledProgram
from xdsl_xla.runtime.compiler import Request
from xdsl_xla.runtime.line_tables import line_table
from xdsl_xla.runtime.located_code import located_objects
from xdsl_xla.runtime.object_files import ObjectFile

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="perf, and objects in ELF")

TEXT = """func.func @main(%x: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %0 = stablehlo.exponential %x : tensor<64x96xf32> loc("jit(f)/exp"("f"("user.py":9:8)))
  %1 = stablehlo.cosine %0 : tensor<64x96xf32>
  return %1 : tensor<64x96xf32>
}"""


def compiled(debug_info: bool = True, threads: int = 2) -> CompiledProgram:
    request = Request(threads, "xla-cpu", None, None, 2, None, None, False, debug_info=debug_info)
    return compile_program(TEXT, "model.mlir", request, {})


def test_functions_and_lines_of_objects() -> None:
    program = compiled()
    names, lines = set[str](), set[tuple[str, int]]()
    for data in located_objects(program):
        code = ObjectFile(data)
        for function in code.functions:
            names.add(function.name)
            assert function.offset + function.size <= code.sections[function.section].size
        rows = line_table(code)
        lines |= {(os.path.basename(row.file), row.line) for row in rows}
        assert [row.offset for row in rows] == sorted(row.offset for row in rows)
    assert {"main", "main.body", "elementwise_0"} <= names
    assert {("user.py", 9), ("model.mlir", 3)} <= lines


def test_without_debug_information_there_are_no_lines() -> None:
    for objects in (compiled(False).objects, located_objects(compiled(False)), compiled().objects):
        assert objects and [row for data in objects for row in line_table(ObjectFile(data))] == []


def test_tables_are_made_at_once_where_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(perf.VARIABLE, "map")
    program = compiled()
    assert program.located is None and [row for data in program.objects for row in line_table(ObjectFile(data))]


def test_lines_are_kept_in_files() -> None:
    program = compiled()
    again = from_bytes("key", to_bytes("key", program))
    assert again.located is not None and again.located.opt_level == 2
    assert located_objects(again) == located_objects(program)


def test_other_formats_are_refused() -> None:
    with pytest.raises(ValueError, match="no ELF"):
        ObjectFile(b"MZ" + bytes(100))


def test_a_map_has_the_places_of_functions(tmp_path: Path) -> None:
    path = Path(f"/tmp/perf-{os.getpid()}.map")
    path.unlink(missing_ok=True)
    try:
        program = compiled()
        native = perf.link(program, ["map"])
        rows = {name: (int(start, 16), int(size, 16)) for start, size, name in _rows(path)}
    finally:
        path.unlink(missing_ok=True)
    assert rows["xla::main [model.mlir:1]"][0] == native.address("main")
    sources = {
        function.name: (code, function)
        for code in map(ObjectFile, located_objects(program))
        for function in code.functions
    }
    for name, (start, size) in rows.items():
        code, function = sources[name.removeprefix("xla::").partition(" ")[0]]
        content = code.contents(code.sections[function.section])[function.offset : function.offset + function.size]
        assert size == function.size
        # The first byte needs no relocation.
        assert ctypes.string_at(start, 1) == content[:1], name


def _rows(path: Path) -> list[list[str]]:
    return [line.split(" ", 2) for line in path.read_text().splitlines()]


def test_a_dump_has_code_and_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JITDUMPDIR", os.fspath(tmp_path))
    perf.close_dump()
    perf.link(compiled(), ["jitdump", "gdb"])
    perf.close_dump()
    data = (tmp_path / f"jit-{os.getpid()}.dump").read_bytes()
    magic, version, size, *_, pid, _, _ = struct.unpack_from("<IIIIIIQQ", data)
    assert (magic, version, size, pid) == (0x4A695444, 1, 40, os.getpid())
    names, lines, place = set[str](), set[int](), size
    while place < len(data):
        kind, length, _ = struct.unpack_from("<IIQ", data, place)
        body = data[place + 16 : place + length]
        if kind == 0:
            names.add(body[40:].split(b"\0", 1)[0].decode())
            (code_size,) = struct.unpack_from("<Q", body, 24)
            assert len(body) == 40 + body[40:].index(b"\0") + 1 + code_size
        else:
            _, count = struct.unpack_from("<QQ", body)
            at = 16
            for _ in range(count):
                lines.add(struct.unpack_from("<QII", body, at)[1])
                at = body.index(b"\0", at + 16) + 1
            assert at == len(body)
        place += length
    assert place == len(data)
    assert {"main", "main.body", "elementwise_0"} <= names
    assert {9, 3} <= lines
    script = (tmp_path / f"xdsl-xla-{os.getpid()}.gdb").read_text().splitlines()
    for line in script:
        match = re.fullmatch(r"add-symbol-file (\S+) 0x[0-9a-f]+", line)
        assert match and ObjectFile(Path(match[1]).read_bytes()).functions
    assert script


def test_unknown_kinds_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(perf.VARIABLE, "map, flames")
    with pytest.raises(XlaError, match="XDSL_XLA_PERF=flames: expected map, jitdump, gdb"):
        perf.wanted()
    monkeypatch.setenv(perf.VARIABLE, "map, gdb")
    assert list(perf.wanted()) == ["map", "gdb"]


def test_programs_are_told_of_when_they_are_loaded(tmp_path: Path) -> None:
    script = f"import xdsl_xla, os; xdsl_xla.compile({TEXT!r}, debug_info=True); print(os.getpid())"
    environment = {**os.environ, perf.VARIABLE: "gdb", "JITDUMPDIR": os.fspath(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert (tmp_path / f"xdsl-xla-{done.stdout.strip()}.gdb").stat().st_size > 0
    environment["JITDUMPDIR"] = os.fspath(tmp_path / "missing")
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "XDSL_XLA_PERF=gdb" in done.stderr.splitlines()[-1]
