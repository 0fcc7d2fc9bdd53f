"""What mlir-opt calls the values of a program: `%arg0` and `%0`, and `%1#0` of an op with several results.

MLIR numbers a region's arguments and results first, then those of the regions inside, the last one of them first. In
the generic form names are those of one value each; in custom forms regions beside one another take the same numbers.
Source: `SSANameState` of `mlir/lib/IR/AsmPrinter.cpp`.
"""

from __future__ import annotations

from xdsl.ir import Operation, Region, SSAValue


def numbered(top: Operation, *, is_unique: bool) -> dict[SSAValue, str]:
    """The names of all values that `top` and the ops inside define, without `%`."""
    numbering = _Numbering()
    numbering.add_results(top)
    waiting = [(region, numbering.value, numbering.argument) for region in top.regions]
    while waiting:
        region, value, argument = waiting.pop()
        if not is_unique:
            numbering.value, numbering.argument = value, argument
        numbering.add_region(region)
        waiting += [
            (inner, numbering.value, numbering.argument)
            for block in region.blocks
            for op in block.ops
            for inner in op.regions
        ]
    return numbering.names


class _Numbering:
    """The next numbers, and the names that have been given."""

    def __init__(self) -> None:
        self.names: dict[SSAValue, str] = {}
        self.value = 0
        self.argument = 0

    def add_region(self, region: Region) -> None:
        for block in region.blocks:
            is_entry = block is region.blocks.first
            for argument in block.args:
                self.names[argument] = self._next_argument() if is_entry else self._next_value()
            for op in block.ops:
                self.add_results(op)

    def add_results(self, op: Operation) -> None:
        if not op.results:
            return
        name = self._next_value()
        if len(op.results) == 1:
            self.names[op.results[0]] = name
        else:
            self.names.update((result, f"{name}#{index}") for index, result in enumerate(op.results))

    def _next_value(self) -> str:
        self.value += 1
        return str(self.value - 1)

    def _next_argument(self) -> str:
        self.argument += 1
        return f"arg{self.argument - 1}"
