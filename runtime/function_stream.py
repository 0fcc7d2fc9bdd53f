"""The passes at the end of a pipeline, for one function after the other.

Pass by pass the last function is lowered before LLVM sees the first one. Function by function LLVM is busy with the
first ones while the others are lowered; the module and the machine code are the same. A pass takes part if it looks at
one function at a time (`ir/function_passes.py`); one that has a user's patterns goes over the whole module.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..errors import InternalError, XlaError
from ..interruptions import is_interruption, raise_missed
from ..ir.function_passes import Function, InTurn, functions_of
from .deferred_passes import DeferredPass, names_in
from .pass_manager import PassRun, error_of_pass

T = TypeVar("T")


class Division:
    """`passes` for a module: those for it as a whole, and at the end those that take its functions in turn.

    Which of them need all functions of the module at once is known when the first one is reached that might take them
    in turn: none of these makes what deferred passes rewrite.
    """

    def __init__(self, passes: Sequence[ModulePass], module: ModuleOp):
        self._passes = passes
        self._module = module
        self._first = len(passes)
        """The number of those that have to come before the others."""
        while self._first > 0 and _takes_turns(passes[self._first - 1]):
            self._first -= 1

    def whole(self) -> Iterator[ModulePass]:
        """Those for the module as a whole, each when those before have run."""
        yield from self._passes[: self._first]
        last, names = -1, set[str]()
        for number, each in [*enumerate(self._passes)][self._first :]:
            if isinstance(each, DeferredPass):
                names = names or names_in(self._module)
                last = number if each.has_work(names) else last
            elif isinstance(each, InTurn) and each.needs_all(self._module):
                last = number
        while self._first <= last:
            yield self._passes[self._first]
            self._first += 1

    @property
    def in_turn(self) -> Sequence[ModulePass]:
        """The others, when those have run."""
        return self._passes[self._first :]


def _takes_turns(module_pass: ModulePass) -> bool:
    return isinstance(module_pass, InTurn | DeferredPass) and not getattr(module_pass, "add", ())


def _in_turn(
    module_pass: ModulePass, context: Context, module: ModuleOp, functions: Iterable[Function]
) -> Iterator[Function]:
    """`functions`, each after the pass. A deferred one that is left has nothing to do."""
    if isinstance(module_pass, DeferredPass):
        return iter(functions)
    assert isinstance(module_pass, InTurn)
    return module_pass.through(context, module, functions)


class Clock:
    """How long it takes until an iterator gives what it gives."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def timed(self, iterable: Iterable[T]) -> Iterator[T]:
        """What `iterable` gives."""
        iterator = iter(iterable)
        while True:
            start = time.perf_counter()
            try:
                value = next(iterator)
            except StopIteration:
                return
            finally:
                self.seconds += time.perf_counter() - start
            yield value


class FunctionStream:
    """The functions of a module, each as it is through with `passes`, which are numbered from `first`."""

    def __init__(self, context: Context, module: ModuleOp, passes: Sequence[ModulePass], first: int = 1):
        self._runs: list[tuple[str, Clock]] = []
        self._first = first
        functions: Iterable[Function] = functions_of(module)
        for module_pass in passes:
            clock = Clock()
            with _errors_of(module_pass):
                lowered = _in_turn(module_pass, context, module, functions)
            functions = clock.timed(_through(module_pass, lowered))
            self._runs.append((module_pass.name, clock))
        self._functions = functions

    def __iter__(self) -> Iterator[Function]:
        for function in self._functions:
            raise_missed()
            yield function

    @property
    def seconds(self) -> float:
        """What all passes have taken so far."""
        return self._runs[-1][1].seconds if self._runs else 0.0

    def runs(self) -> Iterator[PassRun]:
        """The passes, each with the time that it has taken itself."""
        before = 0.0
        for number, (name, clock) in enumerate(self._runs, self._first):
            yield PassRun(number, name, clock.seconds - before)
            before = clock.seconds


def _through(module_pass: ModulePass, functions: Iterator[Function]) -> Iterator[Function]:
    with _errors_of(module_pass):
        yield from functions


@contextmanager
def _errors_of(module_pass: ModulePass) -> Generator[None]:
    """Raises what `run_passes` does."""
    try:
        yield
    except (XlaError, InternalError):
        raise
    except Exception as error:
        if is_interruption(error):
            raise
        raise error_of_pass(module_pass, error) from error
