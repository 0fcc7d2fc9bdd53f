"""The `schedule` dialect: how a kernel is computed, as an attribute of its function.

```mlir
func.func private @copy_0(%x: memref<4x8xf32>, %y: memref<4x8xf32>)
    attributes {xrt.kernel, xrt.schedule = #schedule.kernel<{
      parallel i = 0 to 4 {
        for j = 0 to 8 {
          compute copy at (i, j)
        }
      }
    }>} { ... }
```
"""

from __future__ import annotations

from xdsl.ir import Data, Dialect
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from .syntax import parse_tree, text_of
from .tree import Tree


@irdl_attr_definition
class KernelAttr(Data[Tree]):
    """The schedule of a kernel."""

    name = "schedule.kernel"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Tree:
        with parser.in_angle_brackets():
            return parse_tree(parser)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string("<{\n" + text_of(self.data, "    ") + "  }>")


Schedule = Dialect("schedule", [], [KernelAttr])
