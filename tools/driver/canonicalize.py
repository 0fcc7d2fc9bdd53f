"""xDSL's `canonicalize` under mlir-opt's options.

MLIR's pass bounds its iterations and says in which order it visits ops; xDSL's visits them until nothing changes. So
the options are read and checked, and change nothing. Its patterns and folders are those that xDSL has, fewer than
MLIR's: it leaves constants where they are, and does not simplify branches between blocks.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.transforms.canonicalize import CanonicalizePass


@dataclass(frozen=True)
class CanonicalizeWithOptions(CanonicalizePass):
    """`canonicalize{top-down=true region-simplify=normal max-iterations=10 max-num-rewrites=-1 test-convergence}`"""

    top_down: bool | None = None
    region_simplify: str | None = None
    max_iterations: int | None = None
    max_num_rewrites: int | None = None
    test_convergence: bool | None = None
