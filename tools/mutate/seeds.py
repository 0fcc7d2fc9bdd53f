"""The programs that mutants are made of: files of MLIR, HLO text, bytecode and what `jax.export` wrote.

Of a file of MLIR each part between `// -----` is a seed. What has a form as HLO text, and as bytecode where jaxlib is
installed, is a seed of those readers too. A campaign keeps its seeds in a folder, so that a mutant is the same one when
the campaign goes on after the files have changed.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import XlaError
from ...runtime.formats import BYTECODE_MAGIC, read_program
from ...runtime.verifying import verify_module
from .readers import BYTECODE, HLO, JAX_EXPORT, MLIR, Reader, reader_of_file

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = tuple(ROOT / name for name in ("examples", "tests/corpus", "tests/lit", "tests/frontends/exported"))
"""Where seeds come from in a checkout of the project."""

MOST_BYTES = 16_384
"""Larger files are left out: mutants of them say little for the time they take."""

MOST_BYTES_CONVERTED = 6_000
"""Of text that is printed in another form for a seed."""

COMMENT_LINE = re.compile(r"^\s*//.*\n", re.MULTILINE)


class Seed(NamedTuple):
    """A program in the form of a reader."""

    name: str
    reader: Reader
    data: bytes


def collect(paths: Iterable[Path]) -> list[Seed]:
    """The seeds in files and folders, in order of their names, each text once."""
    files = [file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    found = [seed for file in files if (reader := reader_of_file(file)) for seed in _read(file, reader)]
    found += [seed for seed in found if seed.reader is MLIR for seed in _other_forms(seed)]
    found += [Seed(seed.name, BYTECODE, inner_bytecode(seed.data)) for seed in found if seed.reader is JAX_EXPORT]
    unique = {(seed.reader.name, seed.data): seed for seed in reversed(found)}
    return sorted(unique.values(), key=lambda seed: (seed.reader.name, seed.name, seed.data))


def _read(file: Path, reader: Reader) -> Iterator[Seed]:
    if not reader.is_text:
        yield Seed(file.name, reader, file.read_bytes())
        return
    for number, part in enumerate(file.read_text(encoding="utf-8").split("// -----")):
        text = COMMENT_LINE.sub("", part).strip()
        if text and len(text) <= MOST_BYTES:
            yield Seed(f"{file.stem}.{number}{reader.extension}", reader, (text + "\n").encode())


def _other_forms(seed: Seed) -> Iterator[Seed]:
    if len(seed.data) > MOST_BYTES_CONVERTED or b"stablehlo." not in seed.data:
        return
    from ...frontends.hlo_text import print_hlo

    try:
        module = read_program(seed.data, seed.name)
        verify_module(module)
        yield Seed(seed.name, HLO, print_hlo(module).encode())
    except XlaError:
        return
    except Exception:  # What reads and prints programs has tests of its own; here it would be no seed.
        return
    if data := _serialized(seed.data.decode()):
        yield Seed(seed.name, BYTECODE, data)


def _serialized(text: str) -> bytes | None:
    """The portable artifact that jaxlib makes of a program, if it is installed and takes the program."""
    try:
        upstream: Any = importlib.import_module("jaxlib.mlir.dialects.stablehlo")
    except ImportError:
        return None
    with _silent_errors():
        try:
            return bytes(upstream.serialize_portable_artifact_str(text, upstream.get_current_version()))
        except Exception:  # Whatever upstream makes of a program it does not take.
            return None


@contextmanager
def _silent_errors() -> Generator[None]:
    """Nothing is written to the error output of the process, by native code either."""
    sys.stderr.flush()
    kept = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def inner_bytecode(data: bytes) -> bytes:
    """The artifact in what `jax.export` wrote: a vector of a FlatBuffer, its length in front of it."""
    start = data.index(BYTECODE_MAGIC)
    return data[start : start + int.from_bytes(data[start - 4 : start], "little")]


# -- kept in a folder --------------------------------------------------------------------------------------------


def store(seeds: Iterable[Seed], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds):
        (folder / f"{number:05}{seed.reader.extension}").write_bytes(seed.data)


def load(folder: Path) -> list[Seed]:
    files = sorted(folder.iterdir())
    return [Seed(f.name, reader, f.read_bytes()) for f in files if (reader := reader_of_file(f)) is not None]


def digest(seeds: Iterable[Seed]) -> str:
    """What tells one set of seeds from another."""
    total = hashlib.sha256()
    for seed in seeds:
        total.update(seed.reader.name.encode() + b"\0" + len(seed.data).to_bytes(8, "little") + seed.data)
    return total.hexdigest()[:16]


def read_text(data: bytes) -> str:
    """Text in which each byte that is not UTF-8 stays what it is: mutants may hold any bytes."""
    return data.decode("utf-8", "surrogateescape")


def write_text(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
