"""How the functions of a module are computed, as text: a loop nest with the cost of each loop beside it.

    kernel rows_0(in0, out0)                 trips      reads     writes    scratch   operations
      for i = 0 to 1024                       1024   16.0 MiB   16.0 MiB   16.0 KiB       21.0 M
        for j = 0 to 4096 carries maxim      4096   16.0 KiB          -          -        4.1 k
          load in0[i, j]; maximumf

`reads` and `writes` are the distinct bytes of arguments and constants that all trips of a loop together touch, while
the loops around it stand still; `scratch` is memory that the function makes itself. Made for level 5
(`xla-cpu-to-loops`); ops of other levels are named.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter as Tally
from typing import NamedTuple

from xdsl.dialects import affine, func, memref, scf, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.ops import FillOp, GenericOp
from xdsl.ir import Block, Operation, SSAValue

from ..dialects import xrt
from ..dialects.xrt_names import KERNEL
from ..ir.loops import LOOPS
from .footprints import UNKNOWN
from .loop_counters import Counter, counters_of, index_sum
from .schedule_costs import CALLS, Costs, Figures, figures
from .schedule_names import Names, loops_index

WIDTH = 120
COLUMNS = (("trips", 8), ("reads", 11), ("writes", 11), ("scratch", 11), ("operations", 12))
_MAKES_MEMORY = (memref.AllocOp, memref.AllocaOp, memref.ViewOp, tensor.EmptyOp)
_BRANCHES = (scf.IfOp, affine.IfOp)


class Row(NamedTuple):
    """A line, with figures beside it if it has any."""

    depth: int
    text: str
    trips: str = ""
    figures: Figures | None = None


def schedule_of(module: ModuleOp) -> str:
    """The functions of `module`, in their order; a line about other ops at the top."""
    costs = Costs(module)
    parts: list[str] = []
    others: Tally[str] = Tally()
    for op in module.ops:
        if isinstance(op, func.FuncOp) and op.body.blocks:
            parts.append(_function(op, costs))
        elif isinstance(op, ModuleOp):
            parts.append(schedule_of(op).rstrip("\n"))
        elif op.regions and any(region.blocks for region in op.regions):
            parts.append(f"{op.name} {_symbol(op)}".rstrip() + f"\n  {_dialects(op)}")
        else:
            others[op.name] += 1
    if others:
        parts.append(", ".join(f"{number} {name}" for name, number in others.items()))
    return "\n\n".join(parts) + "\n"


def _symbol(op: Operation) -> str:
    name = op.properties.get("sym_name")
    return str(name).strip('"') if name is not None else ""


def _dialects(op: Operation) -> str:
    """How many ops of which dialects are inside."""
    tally = Tally(inner.name.partition(".")[0] for inner in op.walk() if inner is not op)
    return ", ".join(f"{number} {dialect} op{'s' * (number > 1)}" for dialect, number in tally.items())


def _function(function: func.FuncOp, costs: Costs) -> str:
    cost = costs.of(function)
    names = Names(function, cost)
    arguments = ", ".join(names.buffer(argument) for argument in function.args)
    kind = "kernel" if KERNEL in function.attributes else "function"
    title = f"{kind} {function.sym_name.data}({arguments})"
    nest = Nest(names, costs)
    rows = [row for block in function.body.blocks for row in nest.block(block, 1)]
    if len(function.body.blocks) > 1:
        rows = [Row(1, _dialects(function))]
    return _table(Row(0, title, "", figures(cost, function)), rows)


def _table(title: Row, rows: list[Row]) -> str:
    texts = ["  " * row.depth + row.text for row in rows if row.figures is not None]
    wanted = max(map(len, [*texts, title.text]), default=0) + 1
    width = min(max(wanted, 40), WIDTH - sum(size for _, size in COLUMNS))
    lines = [" " * width + "".join(f"{name:>{size}}" for name, size in COLUMNS)]
    for row in (title, *rows):
        indent = "  " * row.depth
        wrapped = _wrapped(row.text, indent)
        if row.figures is not None:
            if len(wrapped) > 1 or len(wrapped[0]) >= width:
                lines += wrapped
                wrapped = [""]
            cells = "".join(
                f"{cell:>{size}}" for cell, (_, size) in zip(_cells(row.trips, row.figures), COLUMNS, strict=True)
            )
            wrapped = [f"{wrapped[0]:{width}}{cells}"]
        lines += wrapped
    return "\n".join(line.rstrip() for line in lines)


def _wrapped(text: str, indent: str) -> list[str]:
    """The lines of a text; an index stays on one."""
    joined = re.sub(r"\[[^\[\]]*\]", lambda index: index[0].replace(" ", "\0"), text)
    lines = textwrap.wrap(
        joined, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}    ", break_long_words=False
    )
    return [line.replace("\0", " ") for line in lines]


def _cells(trips: str, numbers: Figures) -> list[str]:
    sizes = [_bytes(size) for size in (numbers.reads, numbers.writes, numbers.scratch)]
    return [trips, *sizes, _number(numbers.operations) + "+" * (numbers.at_least and numbers.operations > 0)]


def _bytes(size: int) -> str:
    if size >= UNKNOWN:
        return "?"
    value, units = float(size), ["B", "KiB", "MiB", "GiB", "TiB"]
    while value >= 1024 and len(units) > 1:
        value /= 1024
        units.pop(0)
    return "-" if not size else f"{size} B" if units[0] == "B" else f"{value:.1f} {units[0]}"


def _number(number: int) -> str:
    if number >= UNKNOWN:
        return "?"
    value, units = float(number), ["", "k", "M", "G", "T", "P"]
    while value >= 1000 and len(units) > 1:
        value /= 1000
        units.pop(0)
    return "-" if not number else str(number) if not units[0] else f"{value:.1f} {units[0]}"


class Nest:
    """Writes the rows of the loops of one function."""

    def __init__(self, names: Names, costs: Costs):
        self.names = names
        self.costs = costs
        self.loops = 0
        """How many counters there are around."""

    def block(self, block: Block, depth: int) -> list[Row]:
        """The rows of a block. Parts that look the same, one after the other, are written once."""
        parts: list[tuple[list[Row], int]] = []
        run: list[Operation] = []
        for op in (*block.ops, None):
            rows = [] if op is None else self._structure(op, depth)
            if op is not None and not rows:
                run.append(op)
                continue
            if leaf := self._leaf(run, depth):
                parts.append((leaf, 1))
            run = []
            if parts and parts[-1][0] == rows:
                parts[-1] = rows, parts[-1][1] + 1
            elif rows:
                parts.append((rows, 1))
        return [row for rows, number in parts for row in _repeated(rows, number)]

    def _leaf(self, run: list[Operation], depth: int) -> list[Row]:
        lines = self.names.leaf(run)
        joined = "; ".join(lines)
        return [Row(depth, line) for line in ([joined] if joined and len(joined) <= WIDTH // 2 else lines)]

    def _structure(self, op: Operation, depth: int) -> list[Row]:
        """The rows of an op that has some of its own; none of one that belongs to a leaf."""
        if op.__class__ in LOOPS:
            return self._loop(op, depth)
        if isinstance(op, _BRANCHES):
            rows = [self._row(depth, "if", op), *self._region(op, 0, depth)]
            other = self._region(op, 1, depth)
            return [*rows, Row(depth, "else"), *other] if other else rows
        if isinstance(op, _MAKES_MEMORY):
            return [Row(depth, f"scratch {self.names.buffer(op.results[0])} : {op.results[0].type}")]
        if isinstance(op, CALLS):
            return [self._row(depth, self._call(op), op)]
        if isinstance(op, xrt.TileOp):
            return [self._row(depth, self._tile(op), op)]
        if isinstance(op, memref.CopyOp):
            source, target = map(self.names.buffer, op.operands)
            return [self._row(depth, f"copy {source} to {target}", op)]
        if isinstance(op, GenericOp | FillOp):
            return [self._row(depth, self._linalg(op), op)]
        if op.regions and any(region.blocks for region in op.regions):
            return [Row(depth, f"{op.name} of {_dialects(op)}")]
        return []

    def _row(self, depth: int, text: str, op: Operation, trips: str = "") -> Row:
        return Row(depth, text, trips, figures(self.costs.of(op), op))

    def _region(self, op: Operation, number: int, depth: int) -> list[Row]:
        blocks = op.regions[number].blocks if number < len(op.regions) else ()
        return [row for block in blocks for row in self.block(block, depth + 1)]

    def _loop(self, op: Operation, depth: int) -> list[Row]:
        if isinstance(op, scf.WhileOp):
            condition, body = (self._region(op, number, depth) for number in (0, 1))
            return [self._row(depth, "while", op, "?"), *condition, Row(depth, "do"), *body]
        counters, values = counters_of(op), op.regions[0].block.args
        parts: list[str] = []
        for counter, value in zip(counters, values, strict=False):
            bounds = self._bounds(counter)
            parts.append(f"{self.names.counter(value, self.loops)} = {bounds}")
            self.loops += 1
        kind = "parallel" if isinstance(op, affine.ParallelOp | scf.ParallelOp) else "for"
        text = f"{kind} {', '.join(parts)}{_carried(op)}"
        rows = [self._row(depth, text, op, _trips(counters)), *self._region(op, 0, depth)]
        self.loops -= len(parts)
        return rows

    def _bounds(self, counter: Counter) -> str:
        lower = self.names.index(counter.lower)
        upper = "?" if counter.upper is None else self.names.index(counter.upper)
        return f"{lower} to {upper}" + (f" step {counter.step}" if counter.step != 1 else "")

    def _call(self, op: Operation) -> str:
        callee = op.properties["callee"]
        operands = ", ".join(
            self.names.buffer(operand) if self._is_memory(operand) else loops_index(operand, self.names)
            for operand in op.operands
        )
        kind = "parallel call" if isinstance(op, xrt.ParallelOp) else "call"
        return f"{kind} {str(callee).lstrip('@')}({operands})"

    def _tile(self, op: xrt.TileOp) -> str:
        columns, steps = op.lanes.value.data * len(op.columns), " x ".join(map(str, op.trips.get_values()))
        lhs, rhs, out = (
            f"{self.names.buffer(buffer)}[{self.names.index(index_sum(index))}]"
            for buffer, index in ((op.lhs, op.lhs_index), (op.rhs, op.rhs_index), (op.out, op.out_index))
        )
        return f"tile {op.rows.value.data} x {columns}: {out} = {lhs} by {rhs}, {steps} steps"

    @staticmethod
    def _is_memory(value: SSAValue) -> bool:
        return str(value.type).startswith(("memref", "tensor"))

    def _linalg(self, op: GenericOp | FillOp) -> str:
        target = ", ".join(map(self.names.buffer, op.outputs))
        if isinstance(op, FillOp):
            return f"linalg.fill {target}"
        computes = "; ".join(self.names.leaf([*op.body.block.ops])) or "yield"
        sources = ", ".join(map(self.names.buffer, op.inputs))
        return f"linalg.generic ({computes}) ins {sources} outs {target}"


def _trips(counters: list[Counter]) -> str:
    total, exact = 1, True
    for counter in counters:
        if counter.trips is None:
            return "?"
        total *= counter.trips
        exact = exact and counter.exact
    return str(total) if exact else f"<={total}"


def _carried(op: Operation) -> str:
    """The ops that make the values which a loop carries."""
    last = op.regions[0].block.last_op
    if not op.results or last is None:
        return ""
    makers = [value.owner.name.partition(".")[2] for value in last.operands if isinstance(value.owner, Operation)]
    tally = Tally(makers)
    texts = [name if number == 1 else f"{name} x {number}" for name, number in tally.items()]
    return f" carries {', '.join(texts)}" if texts else " carries values"


def _repeated(rows: list[Row], number: int) -> list[Row]:
    return rows if number == 1 else [rows[0]._replace(text=f"{rows[0].text}  x {number}"), *rows[1:]]
