"""What a compilation ends with: everything that an executable is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from .marks import Marks
from .signature import Signature

if TYPE_CHECKING:
    from ..dialects.llvm_parts import Part
    from ..lowering.to_llvm.module_tables import CallTarget
    from .sharding.spread import Spread


class Site(NamedTuple):
    """A place in the program from which something is called that is measured; the first one is the program."""

    callee: str
    """A kernel, a target of a call, or `copy`; empty for the program."""
    line: str
    """`file:line` of the user's program, or of the text where that says nothing."""
    text: str
    """`file:line` in the text that was compiled."""
    operation: str
    """What the user's program calls the operation, such as `jit(f)/exp`."""


class LocatedCode(NamedTuple):
    """The LLVM IR of a program that says which lines it is from. To carry them through its passes takes LLVM a tenth
    longer; the code is the same. So that is done when somebody reads them (`located_code.py`).
    """

    parts: Sequence[Part]
    opt_level: int


class CompiledProgram(NamedTuple):
    """Machine code, and how to call it. Nothing in it belongs to this process."""

    objects: Sequence[bytes]
    """Relocatable objects, to be linked together."""
    symbol: str
    """The entry function in the form of level 6."""
    signature: Signature
    constants: Sequence[bytes] = ()
    """Those that are not part of the code, by index in the table."""
    call_targets: Sequence[CallTarget] = ()
    """By index in the table."""
    registered: Mapping[str, str] = MappingProxyType({})
    """What the compiler took the targets of custom calls for, by name (`compile_cache/registered_targets.py`)."""
    donated: Sequence[tuple[int, int]] = ()
    """Pairs of an argument and the result that takes its memory."""
    threads: int = 1
    arena_bytes: int = 0
    thread_scratch_bytes: int = 0
    kernels: int = 0
    stoppable: bool = False
    """Whether it has safepoints; otherwise it is over soon."""
    brief: bool = False
    """Whether it is over so soon that it keeps Python's lock."""
    sites: Sequence[Site] = ()
    """What it measures of its runs, where it was compiled for that; such programs are not kept in the cache."""
    replicas: int = 1
    partitions: int = 1
    spread: Spread | None = None
    """Of a program of one device: what it is of a program on whole arrays."""
    located: LocatedCode | None = None
    """What machine code with tables of lines is made of, if it is known and the objects have none."""
    denormals: str = ""
    """What becomes of subnormal numbers (`decisions/denormals.py`); empty: what the caller does with its own."""
    marks: Marks = Marks()
    """What the program said of its arguments and results, before it was lowered."""
