"""What a reduction of sharded programs tries besides: leave out the shardings of arguments, results and ops."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...dialects.editing import walk
from ...dialects.sdy.values import SHARDING, result_shardings, set_result_sharding, set_sharding, sharding_of
from ..reduction.drafts import Draft, functions_of
from ..reduction.engine import Reducer

Place = tuple[Operation, str, int]
"""An op that has a sharding; whether it is that of an `argument` or `result` of a function, or of the `op`; which."""


def drop_shardings(reducer: Reducer) -> bool:
    """Leave out shardings, many at once where that may be."""
    return reducer.minimise(_places, _drop)


def _places(module: ModuleOp) -> Sequence[Place]:
    places: list[Place] = []
    for function in functions_of(module):
        places += [(function, "argument", arg.index) for arg in function.args if sharding_of(arg) is not None]
        found = enumerate(result_shardings(function))
        places += [(function, "result", index) for index, sharding in found if sharding is not None]
    return places + [(op, "op", 0) for op in walk(module) if SHARDING in op.attributes]


def _drop(draft: Draft, chunk: Sequence[Place]) -> bool:
    for original, kind, index in chunk:
        op = draft.op(original)
        if kind == "op":
            op.attributes.pop(SHARDING)
            continue
        assert isinstance(op, FuncOp)
        if kind == "argument":
            set_sharding(op.args[index], None)
        else:
            set_result_sharding(op, index, None)
    return True
