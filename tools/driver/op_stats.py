"""`print-op-stats`: how many ops of each name a program has, to stderr, as MLIR's pass of that name prints it.

xla-opt program.mlir -p xla-cpu-to-kernels --print-op-stats -o /dev/null
xla-opt program.mlir --print-op-stats=json
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass


def name_of(op: Operation) -> str:
    """What the text calls the op."""
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


@dataclass(frozen=True)
class PrintOpStatsPass(ModulePass):
    """Changes nothing; with `json` the counts are an object."""

    name = "print-op-stats"

    json: bool | None = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        counts = Counter(name_of(each) for each in op.walk())
        names = sorted(counts)
        if self.json is not False:
            print(
                json.dumps({name: counts[name] for name in names}, indent=2, separators=(",", " : ")), file=sys.stderr
            )
            return
        width = max(map(len, names))
        lines = [f"  {name:{width}} , {counts[name]}" for name in names]
        print("\n".join(["Operations encountered:", "-----------------------", *lines]), file=sys.stderr)
