"""`python -m xdsl_xla.benchmarks.models FOLDER [NAME ...]`: the models as StableHLO text, one file each."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from ..more_programs.jax_program import lower
from . import MODELS, names


def main(arguments: Sequence[str]) -> int:
    """Writes the files; 2 for wrong arguments."""
    folder, *chosen = arguments or [""]
    unknown = [name for name in chosen if name not in MODELS]
    if not Path(folder or "missing").is_dir() or unknown:
        print(f"usage: FOLDER [NAME ...], names among {', '.join(names())}", file=sys.stderr)
        return 2
    for name in chosen or names():
        text = lower(MODELS[name].function, *MODELS[name].arguments)
        (Path(folder) / f"{name}.mlir").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
