"""One file of the objects of a library: `.o`, `.a` or `.so`. A static library is written here, others need a linker."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ...errors import ArgumentError, UnsupportedError, XlaError
from ..output_files import written
from ..target_machines import host_processor
from .archive import archive
from .library import Library
from .processors import architecture

GNU_TRIPLES = {"x86_64": "x86_64-linux-gnu", "aarch64": "aarch64-linux-gnu"}
"""How the names of GNU's compilers begin."""

LLD_EMULATIONS = {"x86_64": "elf_x86_64", "aarch64": "aarch64linux"}


def link(
    library: Library,
    output: Path,
    *,
    compiler: str | None = None,
    libraries: Sequence[str] = (),
    openmp: bool = True,
) -> None:
    """Write the library as `output`, whose suffix says what it is.

    `compiler`: the command that links, by default `CC` or what is found. `libraries`: what else a shared library is
    linked with, such as `lapack`. `openmp`: whether one with parallel loops is linked with libgomp.

    Raises `UnsupportedError` where there is no linker, `XlaError` where it fails.
    """
    if output.suffix == ".a":
        with written(output) as file:
            file.write(archive(library.objects))
        return
    if output.suffix == ".o" and len(library.objects) == 1:
        with written(output) as file:
            file.write(library.objects[0].data)
        return
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{number}.o" for number in range(len(library.objects))]
        for name, each in zip(names, library.objects, strict=True):
            (Path(folder) / name).write_bytes(each.data)
        (Path(folder) / "versions").write_text(f"{{ global: {library.name}_*; local: *; }};\n")
        _run(_command(library, output, names, compiler, libraries, openmp), folder, output)


def _command(
    library: Library, output: Path, names: Sequence[str], compiler: str | None, libraries: Sequence[str], openmp: bool
) -> list[str]:
    triple = library.tables.processor.triple
    command, is_compiler = _linker(triple, compiler)
    target = str(output.absolute())
    if output.suffix == ".o":
        return [*command, "-r", *(["-nostdlib"] if is_compiler else []), "-o", target, *names]
    flags = ["--version-script=versions", f"-soname={output.name}", "-z", "noexecstack"]
    if is_compiler:  # which hands them on; a name may have a comma
        flags = [word for flag in [*flags, "--no-as-needed"] for word in ("-Xlinker", flag)]
    flags.insert(0, "-shared")
    needs = [f"-l{name}" for name in libraries]
    if is_compiler:
        needs += ["-lgomp"] * (openmp and library.tables.threads > 1) + ["-lm"]
    return [*command, *flags, "-o", target, *names, *needs]


def _linker(triple: str, compiler: str | None) -> tuple[list[str], bool]:
    """The command that links for `triple`, and whether it is a compiler."""
    own, host = architecture(triple), architecture(host_processor().triple)
    if compiler is not None:
        return _words("--cc", compiler), True
    if own == host and (named := os.environ.get("CC")):
        return _words("CC", named), True
    gnu = f"{GNU_TRIPLES[own]}-gcc"
    for candidate in ("cc", "gcc", "clang") if own == host else (gnu, f"{triple}-gcc"):
        if shutil.which(candidate):
            return [candidate], True
    if shutil.which("clang") and shutil.which("ld.lld"):
        return ["clang", f"--target={triple}", "-fuse-ld=lld"], True
    if lld := shutil.which("ld.lld"):
        return [lld, "-m", LLD_EMULATIONS[own]], False
    if own == host and (ld := shutil.which("ld")):
        return [ld], False
    wanted = "cc, gcc, clang or ld.lld" if own == host else f"{gnu}, clang with ld.lld, or ld.lld"
    raise UnsupportedError(
        f"no linker for '{triple}': install {wanted}, name one (--cc), or make a static library (.a), which needs none"
    )


def _words(name: str, command: str) -> list[str]:
    """Raises `ArgumentError`."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ArgumentError(f"{name}: '{command}' is no command: {error}") from None
    if not words:
        raise ArgumentError(f"{name}: expected a command, got '{command}'")
    return words


def _run(command: Sequence[str], folder: str, output: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except OSError as error:
        raise XlaError(f"{command[0]}: {error.strerror}") from error
    if done.returncode:
        message = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
        raise XlaError(f"{output}: '{command[0]}' does not link it: {message}")
