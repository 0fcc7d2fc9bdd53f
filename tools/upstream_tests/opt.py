"""What `mlir-opt` is in MLIR's tests: `xla-opt` that numbers values, with the passes of those tests."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from xdsl.passes import ModulePass

from ..xla_opt import XlaOptMain, main
from .passes import PASSES


class UpstreamOpt(XlaOptMain):
    """`xla-opt` with the passes of MLIR's tests."""

    def register_all_passes(self) -> None:
        super().register_all_passes()
        for name, pass_type in PASSES.items():

            def factory(pass_type: type[ModulePass] = pass_type) -> type[ModulePass]:
                return pass_type

            self.register_pass(name, factory)


def upstream_opt(argv: Sequence[str] | None = None) -> int:
    """Run it with the arguments `argv` (those of the process if None); the exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    return main(["--mlir-print-value-names=false", *arguments], UpstreamOpt)


if __name__ == "__main__":
    sys.exit(upstream_opt())
