"""Compiled programs in files: `executable.save(path)`, `load(path)`, and pickles.

    magic, length of the header (8 bytes), header, the program as the compile cache stores it

The header is JSON: the CPU and its features that the code was compiled for, the seed of random numbers, and what the
code and this package have to agree on. Code for another CPU, or for another version of that agreement, is refused.
What is read is not run before it is called, but it is machine code: load only what you trust.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING, Any, cast

from ..errors import UnsupportedError, XlaError
from ..lowering.to_llvm import context_layout
from .compile_cache.registered_targets import agree
from .compile_cache.stored_header import DamagedError
from .compile_cache.stored_program import MAGIC as PROGRAM_FORM
from .compile_cache.stored_program import NotStorableError, to_bytes
from .compile_cache.stored_program import from_bytes as program_of
from .compiled_program import CompiledProgram
from .context import RUN_WORDS
from .input_files import read_file
from .loading import load as load_program
from .options import path_or_none, refuse
from .output_files import written

if TYPE_CHECKING:
    from .executable import Executable
    from .sharding.executable import ShardedExecutable

MAGIC = b"xdsl-xla executable 1\n"
LENGTH_BYTES = 8
KEY = "saved"
"""The name of the program in the form of the compile cache."""


def interface() -> str:
    """What code and runtime agree on, as a digest: the tables of the context, and how programs are stored."""
    numbers = {name: value for name, value in vars(context_layout).items() if name.isupper()}
    return hashlib.blake2b(repr((sorted(numbers.items()), RUN_WORDS, PROGRAM_FORM)).encode(), digest_size=8).hexdigest()


def executable_bytes(program: CompiledProgram, seed: int) -> bytes:
    """The program with its surroundings. Raises `UnsupportedError` for one that would not be the same."""
    from .target_machines import host_processor

    host = host_processor()
    header = json.dumps({**host._asdict(), "seed": seed, "interface": interface()}).encode()
    try:
        stored = to_bytes(KEY, program)
    except NotStorableError:
        raise UnsupportedError(
            f"'@{program.signature.entry}' cannot be saved: it calls targets with options that have no text,"
            " or measures itself"
        ) from None
    return MAGIC + len(header).to_bytes(LENGTH_BYTES, "little") + header + stored


def from_bytes(data: bytes, name: str = "<bytes>") -> Executable | ShardedExecutable:
    """The executable that was saved as `data`; errors call it `name`. Raises what `load` raises."""
    start = len(MAGIC) + LENGTH_BYTES
    end = start + int.from_bytes(data[len(MAGIC) : start], "little")
    try:
        header: Any = json.loads(data[start:end]) if data.startswith(MAGIC) else None
        found, triple, cpu, features = (str(header[key]) for key in ("interface", "triple", "cpu", "features"))
        seed = int(header["seed"])
    except (ValueError, TypeError, KeyError, RecursionError):
        raise XlaError(f"{name}: no executable that 'save' has written") from None
    if found != interface():
        raise XlaError(f"{name}: saved by another version of xdsl-xla; compile the program again")
    _check_processor(name, triple, cpu, features)
    try:
        program = program_of(KEY, data[end:])
    except DamagedError:
        raise XlaError(f"{name}: damaged, its checksum is wrong") from None
    if not agree(program.registered):
        names = ", ".join(f"@{target} ({kind})" for target, kind in program.registered.items())
        raise UnsupportedError(
            f"{name}: the targets of its custom calls are not what they were when it was compiled: {names}"
        )
    executable = load_program(program, {}, seed)
    if executable.spread is None:
        return executable
    from .sharding.executable import ShardedExecutable

    return ShardedExecutable(executable)


def _check_processor(name: str, triple: str, cpu: str, features: str) -> None:
    """Raises `UnsupportedError` for code that this CPU does not run."""
    from .target_machines import host_processor

    host = host_processor()
    if triple != host.triple:
        raise UnsupportedError(f"{name}: compiled for '{triple}', this machine is '{host.triple}'")
    missing = sorted(_present(features) - _present(host.features))
    if missing:
        raise UnsupportedError(
            f"{name}: compiled for {cpu} with {', '.join(missing)}, which this CPU ({host.cpu}) has not; compile the"
            " program again"
        )


def _present(features: str) -> set[str]:
    return {feature[1:] for feature in features.split(",") if feature.startswith("+")}


def save(executable: Executable, path: str | os.PathLike[str]) -> None:
    """Write `executable` to a file. Raises `XlaError` for one that cannot be written."""
    file = path_or_none("path", path)
    if file is None:
        refuse("path", "a path", path)
    data = executable_bytes(executable.program, executable.seed)
    try:
        with written(file) as output:
            output.write(data)
    except OSError as error:
        raise XlaError(f"{error.filename}: {error.strerror}") from error


def load(path: str | os.PathLike[str]) -> Executable | ShardedExecutable:
    """The executable that `Executable.save` or `ShardedExecutable.save` has written, without compiling anything.

    It has surroundings of its own: random numbers begin again at the seed that it was compiled with. Raises `XlaError`
    for a file that cannot be read, is none of these or damaged, and `UnsupportedError` for code for another CPU or for
    custom calls of functions that are not registered. The file holds machine code: load only what you trust.

    >>> import numpy as np, os, tempfile, xdsl_xla
    >>> negate = xdsl_xla.compile('''
    ...   func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
    ...     %0 = stablehlo.negate %x : tensor<2xi32>
    ...     return %0 : tensor<2xi32>
    ...   }''')
    >>> file = os.path.join(tempfile.mkdtemp(), "negate.xla")
    >>> negate.save(file)
    >>> xdsl_xla.load(file)([1, 2])
    (array([-1, -2], dtype=int32),)
    """
    file = path_or_none("path", cast("object", path))
    if file is None:
        refuse("path", "a path", path)
    try:
        data = read_file(file)
    except OSError as error:
        raise XlaError(f"{error.filename or file}: {error.strerror}") from error
    return from_bytes(data, os.fspath(file))
