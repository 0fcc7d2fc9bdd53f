"""What a compilation ends with: everything that an executable is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from .engine import NativeCode
from .executable import Executable, StructuredExecutable
from .signature import Signature

if TYPE_CHECKING:
    from ..lowering.to_llvm.module_tables import CallTarget


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
    replicas: int = 1
    partitions: int = 1

    def load(self, timings: dict[str, float], seed: int = 0) -> Executable:
        """The program in this process. Raises `InternalError` for code that does not link, and `UnsupportedError` for
        a call target that is not registered.
        """
        if self.stoppable:
            from .safepoints import offer_safepoints

            offer_safepoints()
        code = NativeCode(self.objects, [self.symbol])
        options = {"donated": self.donated} if self.donated else {}
        return self._type()(
            code,
            self.signature,
            symbol=self.symbol,
            threads=self.threads,
            constants=self.constants,
            call_targets=self.call_targets,
            arena_bytes=self.arena_bytes,
            thread_scratch_bytes=self.thread_scratch_bytes,
            kernels=self.kernels,
            brief=self.brief,
            object_bytes=sum(map(len, self.objects)),
            timings=timings,
            grid=(self.replicas, self.partitions),
            seed=seed,
            **options,
        )

    def _type(self) -> type[Executable]:
        if self.donated:
            from .donating_executable import DonatingExecutable

            return DonatingExecutable
        if not self.signature.is_bounded:
            return Executable if self.signature.is_plain else StructuredExecutable
        from .bounded_executable import BoundedExecutable, StructuredBoundedExecutable

        return BoundedExecutable if self.signature.is_plain else StructuredBoundedExecutable
