"""The code of a program for a library: objects as a process of its own would run them, under names of their own.

The functions of a program are known to each other only, but for the entry. In a process each program is a library to
itself; a static library shares its names with the rest of a program, and with other models. So every function that one
part defines and another calls gets the name of the model in front, `NAME.softmax_0`, and is hidden from the outside of
the library that it ends in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ...dialects.llvm_parts import Part
from ..engine import CompiledPart, compile_part
from ..llvm_pipeline import Options
from ..llvm_threads import gate, settled
from ..llvm_workers import results_of, workers
from ..target_machines import Processor
from ..threads import default_threads

_DEFINED = re.compile(r'^define ([^@]*)@("[^"]*"|[^("]+)\(', re.MULTILINE)


class ObjectFile(NamedTuple):
    """A relocatable object, and the symbols that it defines for others."""

    data: bytes
    symbols: Sequence[str]


class LibraryCode:
    """Makes the objects of the parts of one program."""

    def __init__(self, name: str, processor: Processor) -> None:
        """`name` goes in front of all symbols."""
        self._name = name
        self._processor = processor
        self.objects: list[ObjectFile] = []

    def symbol(self, function: str) -> str:
        """What the linker calls a function of the program."""
        return f"{self._name}.{function}"

    def __call__(self, parts: Iterable[Part], options: Options) -> Sequence[bytes]:
        """The objects, which `self.objects` has with their symbols."""
        parts = list(parts)
        defined = [[(linkage, name.strip('"')) for linkage, name in _DEFINED.findall(part.text)] for part in parts]
        functions = frozenset(name for names in defined for _, name in names)

        def rename(module: Any) -> None:
            for function in module.functions:
                if function.name in functions:
                    if not function.is_declaration and function.linkage.name == "external":
                        function.visibility = "hidden"
                    function.name = self.symbol(function.name)

        def compiled(part: Part) -> CompiledPart:
            with gate:
                return compile_part(part, options, self._processor, rename)

        with settled():
            objects = results_of([workers(default_threads()).submit(compiled, part) for part in parts])
        self.objects += (
            ObjectFile(each.object_code, [self.symbol(name) for linkage, name in names if "internal" not in linkage])
            for each, names in zip(objects, defined, strict=True)
        )
        return [each.object_code for each in objects]
