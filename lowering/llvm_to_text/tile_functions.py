"""The functions of register tiles (`dialects/tile_functions.py`) as LLVM IR.

Of two rows, two vectors and one loop, without the names of types:

```
define @xrt.tile.f32_2x16_0.16_0.16_1__fma_(lhs, rhs, out, lhs_row, out_row, trips.0, lhs_step.0, rhs_step.0):
  do trips.0 times:
    b0, b1 = rhs[at_rhs], rhs[at_rhs + 16]
    a0, a1 = lhs[at_lhs], lhs[at_lhs + lhs_row]
    s00, s01, s10, s11 = fma(a0, b0, s00), fma(a0, b1, s01), fma(a1, b0, s10), fma(a1, b1, s11)
    at_lhs += lhs_step.0;  at_rhs += rhs_step.0
  out[0], out[16], out[out_row], out[out_row + 16] = s00, s01, s10, s11
```

Several loops are in each other. What the loops inside of a chain have added up is then added to what is outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ...dialects.tile_functions import TileFunction

_BYTES = {"f32": 4, "f64": 8}
_TYPES = {"f32": "float", "f64": "double"}


@lru_cache(1 << 6)
def tile_text(function: TileFunction) -> str:
    """The definition of `function`."""
    return _Writer(function).text()


def tile_declaration(function: TileFunction) -> str:
    """The line that declares `function`."""
    effects = "memory(argmem: readwrite, inaccessiblemem: readwrite)"
    return f"declare void @{function.name}({', '.join(function.parameters)}) nounwind {effects}"


class _Writer:
    """Writes one function."""

    def __init__(self, function: TileFunction) -> None:
        self.function = function
        self.scalar = _TYPES[function.element]
        self.vector = f"<{function.lanes} x {self.scalar}>"
        self.alignment = _BYTES[function.element]
        self.lines: list[str] = []
        self.label = "entry"
        """The block that is written."""

    def text(self) -> str:
        function, sums = self.function, len(self.function.columns) * self.function.rows
        names = ["lhs", "rhs", "out", "lhs_row", "out_row"]
        names += [f"{name}.{loop}" for loop in range(function.loops) for name in ("trips", "lhs_step", "rhs_step")]
        names += ["ahead", *(f"ahead_step.{loop}" for loop in range(function.loops))] if function.ahead else []
        parameters = ", ".join(f"{type} %{name}" for type, name in zip(function.parameters, names, strict=True))
        for side in ("lhs", "out"):
            self.lines += [f"  %{side}.row.{row} = mul nsw i64 %{side}_row, {row}" for row in range(function.rows)]
        self._store(self._sums(0, function.chains, ["zeroinitializer"] * sums))
        suffix = f".v{function.lanes}{function.element}"
        return "\n".join(
            [
                f"define hidden void @{function.name}({parameters}) nounwind noinline {{",
                "entry:",
                *self.lines,
                "  ret void",
                "}",
                "",
                f"declare {self.vector} @llvm.fma{suffix}({self.vector}, {self.vector}, {self.vector})",
                "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)",
                "",
            ]
        )

    def _sums(self, first: int, chains: Sequence[int], starts: Sequence[str]) -> list[str]:
        """`starts` with all that the loops from `first` on add to them."""
        end = chains[0] if chains else self.function.loops
        phis: list[tuple[int, str]] = []
        """Where those of each loop are to stand in `lines`, and the block in front."""
        for loop in range(first, end):
            before, self.label = self.label, f"loop.{loop}"
            self.lines += [f"  br label %{self.label}", f"{self.label}:"]
            phis.append((len(self.lines), before))
        here = [f"%sum.{end - 1}.{index}" for index in range(len(starts))] if end > first else list(starts)
        if chains:
            added = self._sums(end, chains[1:], ["zeroinitializer"] * len(starts))
            results = [f"%total.{end}.{index}" for index in range(len(starts))]
            for result, total, more in zip(results, here, added, strict=True):
                self.lines.append(f"  {result} = fadd {self.vector} {total}, {more}")
        else:
            results = self._step(end - 1, here)
        for loop, (position, before) in reversed(list(zip(range(first, end), phis, strict=True))):
            outer = starts if loop == first else [f"%sum.{loop - 1}.{index}" for index in range(len(starts))]
            self.lines[position:position] = self._phis(loop, before, self.label, outer, results)
            self._end(loop)
        return results

    def _offsets(self) -> list[str]:
        return ["lhs", "rhs", "ahead"] if self.function.ahead else ["lhs", "rhs"]

    def _phis(self, loop: int, before: str, latch: str, starts: Sequence[str], results: Sequence[str]) -> list[str]:
        lines = [f"  %count.{loop} = phi i64 [ %trips.{loop}, %{before} ], [ %count.{loop}.next, %{latch} ]"]
        for name in self._offsets():
            start = f"%{name}.at.{loop - 1}" if loop else "0"
            lines.append(f"  %{name}.at.{loop} = phi i64 [ {start}, %{before} ], [ %{name}.at.{loop}.next, %{latch} ]")
        for index, (start, result) in enumerate(zip(starts, results, strict=True)):
            lines.append(f"  %sum.{loop}.{index} = phi {self.vector} [ {start}, %{before} ], [ {result}, %{latch} ]")
        return lines

    def _end(self, loop: int) -> None:
        """Goes back to the start of `loop`, or on behind it."""
        for name in self._offsets():
            self.lines.append(f"  %{name}.at.{loop}.next = add nsw i64 %{name}.at.{loop}, %{name}_step.{loop}")
        self.label = f"after.{loop}"
        self.lines += [
            f"  %count.{loop}.next = add nsw i64 %count.{loop}, -1",
            f"  %more.{loop} = icmp ne i64 %count.{loop}.next, 0",
            f"  br i1 %more.{loop}, label %loop.{loop}, label %{self.label}",
            f"{self.label}:",
        ]

    def _step(self, loop: int, sums: Sequence[str]) -> list[str]:
        """The sums after a step of the innermost loop."""
        function, vector, scalar, lines = self.function, self.vector, self.scalar, self.lines
        if function.ahead:
            self._pointer("fetched", "ahead", f"%ahead.at.{loop}")
            lines.append("  call void @llvm.prefetch.p0(ptr %fetched, i32 0, i32 3, i32 1)")
        self._pointer("right", "rhs", f"%rhs.at.{loop}")
        for number, place in enumerate(function.places):
            self._pointer(f"right.{number}", "right", place)
            lines.append(f"  %factor.{number} = load {vector}, ptr %right.{number}, align {self.alignment}")
        self._pointer("left", "lhs", f"%lhs.at.{loop}")
        results: list[str] = []
        count = len(function.places)
        for row in range(function.rows):
            self._pointer(f"left.{row}", "left", f"%lhs.row.{row}")
            lines += [
                f"  %element.{row} = load {scalar}, ptr %left.{row}, align {self.alignment}",
                f"  %lane.{row} = insertelement {vector} poison, {scalar} %element.{row}, i64 0",
                f"  %row.{row} = shufflevector {vector} %lane.{row}, {vector} poison, "
                f"<{function.lanes} x i32> zeroinitializer",
            ]
            for number in range(count):
                before, after = sums[row * count + number], f"%next.{row * count + number}"
                lines += self._multiply_add(f"%row.{row}", f"%factor.{number}", before, after)
                results.append(after)
        return results

    def _multiply_add(self, a: str, b: str, before: str, after: str) -> list[str]:
        vector, suffix = self.vector, f".v{self.function.lanes}{self.function.element}"
        if self.function.fma:
            return [f"  {after} = call {vector} @llvm.fma{suffix}({vector} {a}, {vector} {b}, {vector} {before})"]
        return [f"  {after}.product = fmul {vector} {a}, {b}", f"  {after} = fadd {vector} {before}, {after}.product"]

    def _pointer(self, name: str, base: str, index: int | str) -> None:
        self.lines.append(f"  %{name} = getelementptr {self.scalar}, ptr %{base}, i64 {index}")

    def _store(self, sums: Sequence[str]) -> None:
        columns = self.function.columns
        for row in range(self.function.rows):
            self._pointer(f"out.row.{row}.start", "out", f"%out.row.{row}")
            for number, column in enumerate(columns):
                self._pointer(f"out.{row}.{number}", f"out.row.{row}.start", column)
                value = sums[row * len(columns) + number]
                self.lines.append(f"  store {self.vector} {value}, ptr %out.{row}.{number}, align {self.alignment}")
