"""`xla-opt --new-pass NAME`: a package with a pass, its test, and the entry points by which all tools find it.

The texts of its files are in `new_pass_files.py`. The pass works as it is written: there is something to see before
there is something to change.
"""

from __future__ import annotations

import importlib.util
import keyword
import re
import sys
from pathlib import Path

from xdsl.universe import XDSL_UNIVERSE

from .. import pipelines
from ..errors import XlaError
from ..runtime.extensions.installed import installed
from ..runtime.output_files import written
from .new_pass_files import files
from .reporting import UsageError

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def write_package(name: str, directory: Path | None = None) -> str:
    """Write the files of a package with the pass `name` into `directory`, by default a folder of that name here, and
    return what to do next. Files that are there stay as they are.

    Raises `UsageError` for a name that is none or is taken, and `XlaError` for files that are there or cannot be
    written.
    """
    module = name.replace("-", "_")
    _check_name(name, module)
    folder = Path(name) if directory is None else directory
    texts = files(name, module, pipelines.class_name(name))
    for path in texts:
        if (folder / path).exists():
            raise XlaError(f"{folder / path}: exists already; --directory DIR writes to another folder")
    try:
        for path, text in texts.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            with written(folder / path) as file:
                file.write(text.encode())
    except OSError as error:
        raise XlaError(f"{error.filename or folder}: {error.strerror}") from error
    return "\n".join([*(f"{folder / path}" for path in texts), *_next_steps(name, module, folder)])


def _check_name(name: str, module: str) -> None:
    if not NAME.fullmatch(name):
        raise UsageError(f"--new-pass {name!r}: expected words of small letters and digits, such as remove-zeros")
    if name in {*pipelines.PASSES, *pipelines.PIPELINES, *XDSL_UNIVERSE.all_passes}:
        raise UsageError(f"--new-pass {name}: there is a pass or a pipeline of this name")
    others = installed().definitions
    for taken in (others.passes, others.pipelines):
        if name in taken:
            raise UsageError(f"--new-pass {name}: {taken[name].origin} has one of this name")
    spec = importlib.util.find_spec(module)
    if keyword.iskeyword(module) or module in sys.stdlib_module_names or (spec is not None and spec.origin is not None):
        raise UsageError(f"--new-pass {name}: Python has '{module}' already, which the package would be called")


def _next_steps(name: str, module: str, folder: Path) -> list[str]:
    return [
        "",
        f"    cd {folder}",
        "    pip install -e '.[test]'",
        f"    xla-opt tests/{module}.mlir -p {name}",
        "    pytest",
        "",
        f"Without installing: xla-opt tests/{module}.mlir --load-pass {module}/{module}.py -p {name}",
    ]
