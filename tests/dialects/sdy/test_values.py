"""The shardings of the values of a program, read and written."""

from typing import Any

import pytest
from xdsl_xla.dialects.editing import walk
from xdsl_xla.dialects.sdy.shardings import AxisRef, DimensionSharding, Mesh, Sharding, open_sharding
from xdsl_xla.dialects.sdy.values import (
    meshes_of,
    result_shardings,
    set_result_sharding,
    set_sharding,
    sharding_of,
)
from xdsl_xla.errors import InvalidProgramError
from xdsl_xla.runtime.mlir_text import parse_module

MESH = Mesh((("x", 2), ("y", 4)))
X, Y = AxisRef("x"), AxisRef("y")

PROGRAM = """
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>)
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<8xf32>) {
  %0 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>} : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"y"}]> : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
"""


def split(*axes: AxisRef, is_closed: bool = True) -> Sharding:
    return Sharding(MESH, (DimensionSharding(axes, is_closed),), mesh_name="mesh")


def ops_of(text: str) -> dict[str, Any]:
    return {op.name: op for op in walk(parse_module(text))}


def test_shardings_of_values_are_found() -> None:
    ops = ops_of(PROGRAM)
    assert meshes_of(ops["builtin.module"]) == {"mesh": MESH}
    function = ops["func.func"]
    assert [sharding_of(argument) for argument in function.body.block.args] == [split(X), None]
    assert sharding_of(ops["stablehlo.add"].results[0]) == split(X, is_closed=False)
    assert sharding_of(ops["sdy.sharding_constraint"].results[0]) == split(Y)
    assert result_shardings(function) == (split(Y), None)


def test_shardings_of_values_are_set_and_taken_away() -> None:
    ops = ops_of(PROGRAM)
    function, add = ops["func.func"], ops["stablehlo.add"].results[0]
    first, second = function.body.block.args
    for value in (first, second, add):
        set_sharding(value, split(Y))
        assert sharding_of(value) == split(Y)
        set_sharding(value, None)
        assert sharding_of(value) is None
    assert function.arg_attrs is None
    assert not ops["stablehlo.add"].attributes
    set_result_sharding(function, 1, split(X))
    set_result_sharding(function, 0, None)
    assert result_shardings(function) == (None, split(X))
    constraint = ops["sdy.sharding_constraint"].results[0]
    set_sharding(constraint, split(X))
    assert sharding_of(constraint) == split(X)
    with pytest.raises(ValueError, match="cannot be taken away"):
        set_sharding(constraint, None)


def test_other_results_of_an_op_stay_open() -> None:
    ops = ops_of("""
      sdy.mesh @mesh = <["x"=2, "y"=4]>
      func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
        %0:2 = stablehlo.optimization_barrier %a, %a : tensor<8xf32>, tensor<8xf32>
        return %0#0 : tensor<8xf32>
      }""")
    first, second = ops["stablehlo.optimization_barrier"].results
    set_sharding(second, split(X))
    assert sharding_of(first) == open_sharding(MESH, 1, "mesh")
    assert sharding_of(second) == split(X)


def test_a_mesh_that_there_is_not_is_an_error() -> None:
    ops = ops_of(PROGRAM.replace("sdy.mesh @mesh", "sdy.mesh @other"))
    with pytest.raises(InvalidProgramError, match="unknown mesh: @mesh"):
        sharding_of(ops["stablehlo.add"].results[0])
