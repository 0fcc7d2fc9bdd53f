"""Passes that are imported where a program has something for them.

Of many passes it is known which ops and types they rewrite (`pipelines.SUBJECTS`), and most programs have none of
these: no Fourier transform, no complex numbers. Such a pass is neither imported nor run. What there is in a module is
found by one walk for all such passes in a row.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from functools import cache
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ContainerType, ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from ..dialects.editing import walk
from ..pipelines import SUBJECTS


class DeferredPass(ModulePass):
    """The pass `name` of `SUBJECTS`, which `load` makes."""

    load: Callable[[], ModulePass]

    def __init__(self, name: str, load: Callable[[], ModulePass]) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "load", load)

    def has_work(self, names: Set[str]) -> bool:
        """Whether the pass may change a module in which there are ops and types of these names."""
        subjects = SUBJECTS[self.name]
        return not names.isdisjoint(subjects) or any(
            name.startswith(subject) for subject in subjects if subject[-1] == "." for name in names
        )

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.has_work(names_in(op)):
            self.load().apply(ctx, op)


def names_in(module: Operation) -> Set[str]:
    """The names of the ops in `module`, of the types of results, arguments and functions, and of their elements."""
    from xdsl.dialects.func import FuncOp

    ops: set[type[Operation]] = set()
    types: dict[int, Attribute] = {}
    for op in walk(module):
        ops.add(op.__class__)
        for result in op.results:
            types[id(result.type)] = result.type
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    types[id(argument.type)] = argument.type
        if op.__class__ is FuncOp:
            function_type = cast(FuncOp, op).function_type
            types |= {id(type): type for type in (*function_type.inputs, *function_type.outputs)}
    containers = [cast("ContainerType[Attribute]", type) for type in types.values() if _contains(type.__class__)]
    elements = [container.get_element_type() for container in containers]
    return {op.name for op in ops} | {type.name for type in types.values()} | {type.name for type in elements}


@cache
def _contains(type: type[Attribute]) -> bool:
    """Whether types of this class have elements."""
    return issubclass(type, ContainerType)
