"""`stablehlo-refine-shapes`: programs of unknown shapes become static for given argument types.

The arguments of the entry function (`main`, or the only public one) get the types of the option `types`, and a walk
forward finds all others:

- what is computed from shapes and constants alone (`get_dimension_size`, integer arithmetic on small tensors) is
  evaluated by the reference interpreter and becomes a constant;
- `dynamic_*` ops, `real_dynamic_slice`, `set_dimension_size` and the custom calls that JAX writes in their place become
  the static op, as their shape operands are constants by then (files `static_forms.py`);
- other ops get the result types that the dialect infers (`result_shapes.py`);
- a function is refined per call: calls with other argument types, or other constants among the arguments, get a copy of
  their own; carried values that a loop hands on unchanged stay constants inside it;
- `shape_assertion`s, with which JAX checks the shapes it is given, are checked and removed.

Needs: verified StableHLO and chlo. Public functions other than the entry, and without `types` all of them, have
arguments of static shape. Leaves: static shapes everywhere, or an error: `UnsupportedError` names the op and the
dimension that depends on data, `InvalidProgramError` types that contradict each other or a failed assertion. Functions
without dynamic dimensions are left as they are.

    // -p 'stablehlo-refine-shapes{types="tensor<3x4xf32>"}'
    func.func @main(%x: tensor<?x4xf32>) -> tensor<?xf32> {
      %four = stablehlo.constant dense<4> : tensor<i32>
      %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
      %1 = stablehlo.multiply %0, %four : tensor<i32>
      %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
      %3 = stablehlo.dynamic_reshape %x, %2 : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
      return %3 : tensor<?xf32>
    }

becomes

    func.func @main(%x: tensor<3x4xf32>) -> tensor<12xf32> {
      %0 = stablehlo.reshape %x : (tensor<3x4xf32>) -> tensor<12xf32>
      return %0 : tensor<12xf32>
    }

The behaviour follows StableHLO's pass of that name and its `stablehlo-canonicalize-dynamism`, which change types in
place until nothing moves; here each function is built anew in one walk.

Not a pattern pass: shapes are propagated from the arguments of a function through all of it before an op is made anew.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import ParseError

from ...dialects.fast_tokens import TokenParser
from ...errors import InvalidProgramError, XlaError
from .shape_refinement import refine


@dataclass(frozen=True)
class StablehloRefineShapesPass(ModulePass):
    """Make all shapes static. See the module's documentation."""

    name = "stablehlo-refine-shapes"

    types: str | None = None
    """The argument types of the entry function, separated by commas; if absent, those of all functions are static."""

    entry: str | None = None
    """The function that gets `types`, if not `main` or the only public one."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.types is None:
            refine(op)
        else:
            refine(op, entry_function(op, self.entry), parse_types(ctx, self.types))


def entry_function(module: ModuleOp, name: str | None) -> func.FuncOp:
    """The function `name`, else `main`, else the only public function."""
    functions = [op for op in module.ops if isinstance(op, func.FuncOp)]
    public = [f for f in functions if f.sym_visibility is None or f.sym_visibility.data == "public"]
    for function in functions if name is not None else public:
        if function.sym_name.data == (name or "main"):
            return function
    if name is not None or len(public) != 1:
        wanted = f"no function '@{name}'" if name is not None else f"{len(public)} public functions and none is 'main'"
        raise InvalidProgramError(f"stablehlo-refine-shapes: {wanted}; name the entry by the option `entry`", module)
    return public[0]


def parse_types(ctx: Context, text: str) -> list[Attribute]:
    """`tensor<2xf32>,tensor<i32>` as types."""
    parser = TokenParser(ctx, text, "types")
    if not text.strip():
        return []
    try:
        types: list[Attribute] = [parser.parse_type()]
        while parser.parse_optional_punctuation(",") is not None:
            types.append(parser.parse_type())
        parser.parse_optional_punctuation(",")
        if parser.pos < len(text.rstrip()):
            parser.raise_error("expected `,` between types")
    except ParseError as error:
        raise XlaError(f"stablehlo-refine-shapes: option types='{text}': {error.msg}") from None
    return types
