"""The entry of a program that is run as it stands, on level 0: by the reference interpreter, or in parts."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..passes.stablehlo.shape_refinement import refine
from ..runtime.entry import has_open_results, isolate_entry, select_entry


def resolve_entry(module: ModuleOp, name: str | None = None) -> FuncOp:
    """The function that `select_entry` finds, with results of known shape if those follow from its static arguments.

    Raises what the pass `stablehlo-refine-shapes` does where they depend on data. Other functions become private then.
    """
    entry = select_entry(module, name)
    if not has_open_results(entry):
        return entry
    isolate_entry(module, entry)
    refine(module, entry, tuple(entry.function_type.inputs))
    return select_entry(module, entry.sym_name.data)
