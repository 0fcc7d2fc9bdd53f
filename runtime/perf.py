"""What tells `perf` and `gdb` about generated code, which is in no file: `XDSL_XLA_PERF=map`, `jitdump`, `gdb`, or
several of them, with commas.

- `map` writes `/tmp/perf-PID.map`: names of kernels, which `perf report` finds by itself.
- `jitdump` writes `jit-PID.dump` (in `JITDUMPDIR`, by default `/tmp`): names, code and, of programs with debug
  information, lines: `perf record -k 1`, then `perf inject --jit`.
- `gdb` writes `xdsl-xla-PID.gdb` there, with the objects beside it: `source` it in a debugger that is attached to the
  process.

The formats are those of Linux, `tools/perf/Documentation/jit-interface.txt` and `jitdump-specification.txt`.
"""

from __future__ import annotations

import itertools
import mmap
import os
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ..errors import XlaError
from .compiled_program import CompiledProgram
from .engine import NativeCode
from .line_tables import Row, line_table
from .located_code import located_objects
from .object_files import ObjectFile

VARIABLE = "XDSL_XLA_PERF"
KINDS = ("map", "jitdump", "gdb")

_numbers = itertools.count()
_lock = threading.Lock()


class Placed(NamedTuple):
    """An object, and where its code is in memory."""

    code: ObjectFile
    section: int
    address: int
    """Of the beginning of its section `.text`."""


def wanted() -> Sequence[str]:
    """What is to be written. Raises `XlaError` for what is not known."""
    kinds = [kind.strip() for kind in os.environ.get(VARIABLE, "").split(",") if kind.strip()]
    for kind in kinds:
        if kind not in KINDS:
            raise XlaError(f"{VARIABLE}={kind}: expected {', '.join(KINDS)}, or several with commas")
    return kinds


def link(program: CompiledProgram, kinds: Sequence[str]) -> NativeCode:
    """The code of a program in this process, told of. Raises `XlaError` where files cannot be written."""
    objects, symbols = list[bytes](), dict[str, ObjectFile]()
    for data in located_objects(program):
        try:
            code = ObjectFile(data)
        except ValueError as error:
            raise XlaError(f"{VARIABLE}: objects of this system have another format: {error}") from None
        known = next((function for function in code.functions if function.is_global), None)
        if known is not None:
            data = code.with_visible(known)
            symbols[known.name] = code
        objects.append(data)
    native = NativeCode(objects, {program.symbol: None, **symbols})
    placed = [
        Placed(code, function.section, native.address(name) - function.offset)
        for name, code in symbols.items()
        for function in code.functions
        if function.name == name
    ]
    writers = {"map": _write_map, "jitdump": _write_dump, "gdb": _write_script}
    with _lock:
        for kind in kinds:
            try:
                writers[kind](placed)
            except OSError as error:
                raise XlaError(f"{VARIABLE}={kind}: {error.filename}: {error.strerror}") from error
    return native


def _functions(placed: Sequence[Placed]) -> Iterator[tuple[str, int, bytes, list[Row]]]:
    """Name, address, code and lines of each function; lines by address."""
    for each in placed:
        rows = line_table(each.code)
        content = each.code.contents(each.code.sections[each.section])
        for function in each.code.functions:
            if function.section == each.section:
                start, end = function.offset, function.offset + function.size
                own = [row._replace(offset=row.offset + each.address) for row in rows if start <= row.offset < end]
                yield function.name, each.address + start, content[start:end], own


def _write_map(placed: Sequence[Placed]) -> None:
    with open(f"/tmp/perf-{os.getpid()}.map", "a", encoding="utf-8") as file:
        for name, address, code, rows in _functions(placed):
            line = next((f" [{os.path.basename(row.file)}:{row.line}]" for row in rows if row.line), "")
            file.write(f"{address:x} {len(code):x} xla::{name}{line}\n")


def _folder() -> Path:
    return Path(os.environ.get("JITDUMPDIR") or "/tmp")


def _write_script(placed: Sequence[Placed]) -> None:
    folder = _folder()
    with open(folder / f"xdsl-xla-{os.getpid()}.gdb", "a", encoding="utf-8") as script:
        for each in placed:
            path = folder / f"xdsl-xla-{os.getpid()}-{next(_numbers)}.o"
            path.write_bytes(each.code.data)
            script.write(f"add-symbol-file {path} {each.address:#x}\n")


_MAGIC = 0x4A695444
_HEADER = struct.Struct("<IIIIIIQQ")
_RECORD = struct.Struct("<IIQ")
_LOAD = struct.Struct("<IIQQQQ")
_LINES = struct.Struct("<QQ")
_LINE = struct.Struct("<QII")
_CODE_LOAD, _DEBUG_INFO = 0, 2


class _Dump:
    """The dump of this process."""

    def __init__(self, machine: int) -> None:
        self.pid = os.getpid()
        self._file: BinaryIO = open(_folder() / f"jit-{self.pid}.dump", "w+b")
        self._file.write(_HEADER.pack(_MAGIC, 1, _HEADER.size, machine, 0, self.pid, time.monotonic_ns(), 0))
        self._file.flush()
        # perf record notes what is mapped to be executed: so it knows of the file.
        self._file.truncate(mmap.PAGESIZE)
        self._mark = mmap.mmap(self._file.fileno(), mmap.PAGESIZE, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC)
        self._file.truncate(_HEADER.size)

    def write(self, placed: Sequence[Placed]) -> None:
        for name, address, code, rows in _functions(placed):
            if rows:
                lines = b"".join(
                    _LINE.pack(row.offset, row.line, 0) + row.file.encode("utf-8", "replace") + b"\0" for row in rows
                )
                self._record(_DEBUG_INFO, _LINES.pack(address, len(rows)) + lines)
            head = _LOAD.pack(self.pid, threading.get_native_id(), address, address, len(code), next(_numbers))
            self._record(_CODE_LOAD, head + name.encode("utf-8", "replace") + b"\0" + code)
        self._file.flush()

    def close(self) -> None:
        """End it."""
        self._mark.close()
        self._file.close()

    def _record(self, kind: int, content: bytes) -> None:
        self._file.write(_RECORD.pack(kind, _RECORD.size + len(content), time.monotonic_ns()) + content)


_dump: _Dump | None = None


def close_dump() -> None:
    """End the dump of this process; the next program begins another one."""
    global _dump
    if _dump is not None:
        _dump.close()
        _dump = None


def _write_dump(placed: Sequence[Placed]) -> None:
    global _dump
    if placed:
        if _dump is None or _dump.pid != os.getpid():
            _dump = _Dump(placed[0].code.machine)
        _dump.write(placed)
