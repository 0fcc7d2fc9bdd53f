"""What clients may ask of a compiled program: its text for one device, and what it costs. Starts without xDSL."""

from __future__ import annotations

import ctypes
from typing import Any

from .c_api import STRUCTS
from .calls import implements
from .client import named_values
from .executables import MLIR_FORMAT, Program
from .objects import live


@implements("Executable_OptimizedProgram")
def optimized_program(arguments: Any) -> None:
    """The program of one device; the first call asks how long it is, the second one for the bytes."""
    asked: Any = STRUCTS["Program"].from_address(arguments.program)
    program: Program = live[arguments.executable].program
    if program.local_code is None:
        from .costs import local_code

        program.local_code = local_code(program)
    if asked.code:
        ctypes.memmove(asked.code, program.local_code, len(program.local_code))
    asked.code_size = len(program.local_code)
    asked.format, asked.format_size = program.kept.text(MLIR_FORMAT)


@implements("Executable_GetCostAnalysis")
def cost_analysis(arguments: Any) -> None:
    """The costs; counted when they are asked for."""
    program: Program = live[arguments.executable].program
    if program.costs is None:
        from .costs import costs

        program.costs = named_values(costs(program), program.kept)
    arguments.properties, arguments.num_properties = program.costs
