"""What kernels have to do, from their loops: bytes, operations, and the lines that these are for.

The program is lowered once more, to loops (level 5) and with locations. A line has a share of each kernel: that of its
ops in the cost of all ops of the kernel, where a load or a store counts as an operation on each of its elements
(`decisions/operations.py`), so that shares are predicted, and only times of kernels are measured.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from xdsl.dialects import func, math, vector
from xdsl.dialects.builtin import Float64Type, IndexType, ModuleOp, VectorType
from xdsl.ir import Attribute, Block, Operation

from ...decisions.model import cost_model_of
from ...decisions.operations import Operations
from ...dialects import locating
from ...dialects.editing import ops_of
from ...dialects.source_lines import NOWHERE, Origin, origin_of
from ...dialects.xrt import TileOp
from ...dialects.xrt_names import KERNEL
from ...ir.loops import LOOPS
from ...nesting import at_depth
from ...runtime.compilation import prepare
from ...runtime.compiler import Request
from ...runtime.pass_manager import run_passes
from ..loop_counters import trips_of
from ..schedule_costs import CALLS, READS, WRITES, Costs, figures, lanes_of

LAST_PASS = "convert-linalg-to-affine"
"""The one behind which kernels are loops."""


class Prediction(NamedTuple):
    """What one call of a kernel has to do."""

    bytes: int
    """Distinct ones of arguments and constants, read or written."""
    operations: int
    work: int
    """Operations too, but an elementary function or a division counts as the instructions that it takes."""
    doubles: bool
    """Whether it computes with f64."""
    origin: Origin
    """Of its main op."""
    shares: dict[Origin, float]
    """Of the lines; they add up to 1."""


def predictions(source: str | bytes | ModuleOp, filename: str, request: Request) -> dict[str, Prediction]:
    """By kernel; nothing for pipelines that do not make loops on the way."""
    with locating.locating():
        prepared = prepare(source, filename, request._replace(debug_info=True))
        names = [each.name for each in prepared.passes]
        if LAST_PASS not in names:
            return {}
        passes = prepared.passes[: names.index(LAST_PASS) + 1]

        def lower() -> dict[str, Prediction]:
            locating.adopt()
            run_passes(prepared.context, prepared.module, passes)
            return _of_module(prepared.module, cost_model_of(prepared.context).operations)

        return at_depth(prepared.depth, lower)


def _of_module(module: ModuleOp, operations: Operations) -> dict[str, Prediction]:
    costs = Costs(module)
    lines = _Lines(costs, operations)
    found: dict[str, Prediction] = {}
    for function in module.body.block.ops:
        if isinstance(function, func.FuncOp) and function.body.blocks and KERNEL in function.attributes:
            figure = figures(costs.of(function), function)
            shares = lines.of(function)
            total = sum(shares.values())
            found[function.sym_name.data] = Prediction(
                figure.reads + figure.writes,
                figure.operations,
                lines.work(function),
                lines.has_doubles(function),
                origin_of(function.location),
                {origin: share / total for origin, share in shares.items()} if total else {},
            )
    return found


class _Lines:
    """The costs of lines, by function."""

    def __init__(self, costs: Costs, operations: Operations) -> None:
        self._costs = costs
        self._operations = operations
        self._known: dict[func.FuncOp, Counter[Origin]] = {}
        self._work: Counter[func.FuncOp] = Counter()

    def of(self, function: func.FuncOp) -> Counter[Origin]:
        if function not in self._known:
            self._known[function] = Counter()  # of one that calls itself
            found: Counter[Origin] = Counter()
            self._work[function] = sum(self._add(block, 1, found) for block in function.body.blocks)
            self._known[function] = found
        return self._known[function]

    def work(self, function: func.FuncOp) -> int:
        """The cost of all arithmetic in a function."""
        self.of(function)
        return self._work[function]

    def _add(self, block: Block, times: int, found: Counter[Origin]) -> int:
        """Adds the costs of the ops of a block that runs so many times; what of it is arithmetic."""
        work = 0
        for op in ops_of(block):
            trips = (trips_of(op) or 1) if op.__class__ in LOOPS else 1
            for region in op.regions:
                for inner in region.blocks:
                    work += self._add(inner, times * trips, found)
            if isinstance(op, CALLS):
                callee = self._costs.callee_of(op)
                if callee is not None:
                    for origin, cost in self.of(callee).items():
                        found[origin] += times * cost
                    work += times * self.work(callee)
            elif not op.regions:
                arithmetic = self._arithmetic(op)
                work += times * arithmetic
                if (cost := arithmetic or _accesses(op)) and (origin := origin_of(op.location)) != NOWHERE:
                    found[origin] += times * cost
        return work

    def _arithmetic(self, op: Operation) -> int:
        if isinstance(op, vector.FMAOp | math.FmaOp):
            return 2 * lanes_of(op.results[0].type)
        if isinstance(op, TileOp):
            return 2 * op.multiply_adds
        if not op.results or not op.name.startswith(("arith.", "math.", "complex.")):
            return 0
        type: Attribute = op.results[0].type
        return 0 if isinstance(type, IndexType) else self._operations.scalar_cost(op.name) * lanes_of(type)

    @staticmethod
    def has_doubles(function: func.FuncOp) -> bool:
        """Whether an op has a result of f64."""
        for op in function.walk():
            for result in op.results:
                type: Attribute = result.type
                if isinstance(type, VectorType):
                    type = type.element_type  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
                if isinstance(type, Float64Type):
                    return True
        return False


def _accesses(op: Operation) -> int:
    """How many elements an op loads or stores."""
    if isinstance(op, WRITES):
        return lanes_of(op.operands[0].type)
    return lanes_of(op.results[0].type) if isinstance(op, READS) else 0
