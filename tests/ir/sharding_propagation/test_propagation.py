"""Propagation on random programs: as Shardy does it, always the same, and at an end."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla.errors import InvalidProgramError
from xdsl_xla.ir.sharding_propagation import propagation
from xdsl_xla.ir.sharding_propagation.graph import Graph
from xdsl_xla.ir.sharding_propagation.propagation import propagate
from xdsl_xla.ir.sharding_propagation.steps import Class, Step
from xdsl_xla.ir.sharding_propagation.strategies import Direction, Shardings
from xdsl_xla.ir.sharding_propagation.writing import write_shardings
from xdsl_xla.runtime.mlir_text import parse_module

from .random_programs import RandomProgram
from .shardy import run_shardy, shardings


def result(text: str) -> ModuleOp:
    """The module with its shardings; those of arguments and results as uneven as the others."""
    module = parse_module(text)
    graph = Graph(module)
    propagate(graph)
    write_shardings(graph, is_even=False)
    module.verify()
    return module


@pytest.mark.parametrize("seed", range(60))
def test_as_shardy(seed: int) -> None:
    text = RandomProgram(seed, ops=12).text
    assert shardings(str(result(text))) == shardings(run_shardy(text))


@pytest.mark.parametrize("seed", range(10))
def test_what_is_found_stays(seed: int) -> None:
    found = str(result(RandomProgram(seed).text))
    assert str(result(found)) == found


def step_of(line: str) -> Step:
    """The step of the op in `line`, which reads `%a` of 8x4 elements."""
    graph = Graph(parse_module(f"func.func @main(%a: tensor<8x4xf32>) {{ {line} func.return }}"))
    (step,) = graph.steps
    return step


def directions(line: str) -> list[Direction]:
    """Of the last factor, by levels."""
    step = step_of(line)
    return [step.directions(level)[-1] for level in range(5)]


def test_levels() -> None:
    none, forward, backward, both = Direction.NONE, Direction.FORWARD, Direction.BACKWARD, Direction.BOTH
    assert directions("%0 = stablehlo.tanh %a : tensor<8x4xf32>") == [both] * 5
    assert directions("%0 = stablehlo.add %a, %a : tensor<8x4xf32>") == [none, both, both, both, both]
    broadcast = "%0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4xf32>"
    assert directions(broadcast) == [none, none, backward, backward, both]
    reverse = "%0 = stablehlo.reverse %a, dims = [1] : tensor<8x4xf32>"
    assert directions(reverse) == [none, none, none, both, both]
    cut = (
        "%i = stablehlo.constant dense<0> : tensor<i32> %0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [2, 4] : "
        "(tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>"
    )
    assert directions(cut) == [forward, forward, both, both, both]
    assert step_of(cut).directions(4)[0] == none


def test_barriers_say_the_direction_on_all_levels() -> None:
    barrier = "%0 = sdy.propagation_barrier %a allowed_direction=BACKWARD : tensor<8x4xf32>"
    assert directions(barrier) == [Direction.BACKWARD] * 5
    assert step_of(barrier).kind is Class.PASS_THROUGH


def test_memory_of_the_host_comes_first() -> None:
    move = "%0 = stablehlo.custom_call @MoveToHost(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>"
    assert directions(move) == [Direction.BOTH] * 5


def test_values_without_a_place_for_a_sharding_have_no_cell() -> None:
    text = """
      func.func @main(%s: tensor<f32>, %d: tensor<?xf32>, %t: !stablehlo.token, %a: tensor<8xf32>) { func.return }"""
    (cell,) = Graph(parse_module(text)).cells
    assert cell.shape == (8,)


GROUP = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>, %b: tensor<{size}xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}]>}}) {{
  sdy.sharding_group %a group_id=0 : tensor<8xf32>
  sdy.sharding_group %b group_id=0 : tensor<{size}xf32>
  func.return
}}"""


def test_groups_are_of_one_shape() -> None:
    assert str(result(GROUP.format(size=8))).count('[{"x"}]') == 2
    with pytest.raises(InvalidProgramError, match=r"group 0 has tensors of shapes \[8\] and \[4\]"):
        result(GROUP.format(size=4))


def steps_taken(layers: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often propagation looks at a step, for a chain of products whose end alone is split."""
    type = "tensor<8x8xf32>"
    body = "".join(
        f"%m{n} = stablehlo.dot_general %v{n}, %w, contracting_dims = [1] x [0] : ({type}, {type}) -> {type} "
        f"%v{n + 1} = stablehlo.tanh %m{n} : {type} "
        for n in range(layers)
    )
    text = f"""
      sdy.mesh @mesh = <["x"=2]>
      func.func @main(%v0: {type}, %w: {type}) -> ({type} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{?}}]>}}) {{
        {body} func.return %v{layers} : {type}
      }}"""
    taken = 0
    seen = propagation._seen  # pyright: ignore[reportPrivateUsage]

    def counted(step: Step) -> Shardings:
        nonlocal taken
        taken += 1
        return seen(step)

    monkeypatch.setattr(propagation, "_seen", counted)
    assert str(result(text)).count('[{"x"}, {}]') == 2 * layers + 2
    monkeypatch.undo()
    return taken


def test_the_work_is_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = steps_taken(50, monkeypatch), steps_taken(200, monkeypatch)
    assert 100 < few and many < 4.1 * few
