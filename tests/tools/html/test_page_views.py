"""Graphs, schedules and the memory plan."""

from __future__ import annotations

import itertools

import pytest
from pages import recorded
from xdsl_xla.tools.html.recorder import Recorder

LOOP = """
func.func @main(%x: tensor<8xf32>, %n: tensor<i32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %i, %r = stablehlo.while(%a = %zero, %b = %x) : tensor<i32>, tensor<8xf32>
  cond {
    %less = stablehlo.compare LT, %a, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %next = stablehlo.add %a, %one : tensor<i32>
    %sine = stablehlo.sine %b : tensor<8xf32>
    stablehlo.return %next, %sine : tensor<i32>, tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
"""


@pytest.fixture(scope="module")
def recorder() -> Recorder:
    return recorded()


def test_the_graph_of_ops(recorder: Recorder) -> None:
    stage, (graph,) = recorder.graphs["input"]
    labels = [node.label for node in graph.nodes]
    edges = {(labels[a], labels[b]) for a, b in graph.edges}
    assert {
        ("%x", "dot_general"),
        ("dot_general", "add"),
        ("exponential", "reduce"),
        ("reduce", "broadcast_in_dim"),
    } <= edges
    assert stage == 0
    for node in graph.nodes:
        assert node.line == -1 or node.label in recorder.stages[0].lines[node.line]


def test_the_graph_of_kernels_sees_through_views(recorder: Recorder) -> None:
    stage, (graph,) = recorder.graphs["kernels"]
    calls = [node.callee for node in graph.nodes if node.kind == "call"]
    assert calls and recorder.stages[stage].level == 3
    assert not {"empty", "expand_shape", "collapse_shape"} & {node.label for node in graph.nodes}
    readers = {graph.nodes[b].callee for a, b in graph.edges if graph.nodes[a].label == "%w"}
    assert readers == {name for name in calls if name.startswith("contraction")}


def test_a_loop_has_graphs_of_its_own() -> None:
    _, graphs = recorded(LOOP, "cse").graphs["input"]
    assert [graph.name.partition(",")[2] for graph in graphs] == ["", " region 0", " region 1"]
    (loop,) = (node for node in graphs[0].nodes if node.label == "while")
    assert loop.graph == 1
    assert ("%b_1", "sine") in {(graphs[2].nodes[a].label, graphs[2].nodes[b].label) for a, b in graphs[2].edges}
    readers = {graphs[0].nodes[a].label for a, b in graphs[0].edges if graphs[0].nodes[b] is loop}
    assert "%n" in readers, "what a region reads from outside"


def test_schedules_are_those_in_the_text(recorder: Recorder) -> None:
    assert recorder.schedules
    for kernel, (stage, schedule) in recorder.schedules.items():
        lines = recorder.stages[stage].lines
        assert f"@{kernel}(" in lines[schedule.line]
        first = schedule.text.split("\n")[0]
        assert any(line.strip() == first for line in lines[schedule.line :])
        assert schedule.calls == sum(f"call @{kernel}(" in line for line in lines)


def test_buffers_that_are_held_at_once_do_not_overlap(recorder: Recorder) -> None:
    assert recorder.memory is not None
    stage, plan = recorder.memory
    assert plan.buffers and plan.steps
    for buffer in plan.buffers:
        assert 0 <= buffer.offset <= buffer.offset + buffer.bytes <= plan.arena_bytes
        assert 0 <= buffer.first <= buffer.last < len(plan.steps)
        assert recorder.stages[stage].lines[buffer.line].strip().startswith(f"{buffer.name} = memref.view")
    for one, other in itertools.combinations(plan.buffers, 2):
        if one.first <= other.last and other.first <= one.last:
            assert one.offset + one.bytes <= other.offset or other.offset + other.bytes <= one.offset
    for step in plan.steps:
        assert step.label in recorder.stages[stage].lines[step.line]
    assert [size for _, size in plan.inputs] == [16 * 32 * 4, 32 * 8 * 4, 8 * 4, 16 * 8 * 4]


def test_a_program_without_an_arena_has_no_plan() -> None:
    text = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}"
    assert recorded(text).memory is None
