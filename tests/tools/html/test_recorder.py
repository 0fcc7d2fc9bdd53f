"""The whole way down: levels, names, and the trace of an op."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pages import PROGRAM, recorded
from xdsl_xla.errors import XlaError
from xdsl_xla.tools.html.alignment import Run
from xdsl_xla.tools.html.origins import Kind
from xdsl_xla.tools.html.recorder import Recorder, Stage


@pytest.fixture(scope="module")
def recorder() -> Recorder:
    return recorded()


def becomes(recorder: Recorder, text: str) -> Iterator[tuple[Stage, set[int]]]:
    """By step the lines that the first line with `text` becomes."""
    (first, *_) = (line for line, found in enumerate(recorder.stages[0].lines) if text in found)
    lines = {first}
    for stage in recorder.stages:
        if stage.runs and stage.edges:
            lines = {line for line, edges in enumerate(stage.edges) if any(edge.line in lines for edge in edges)}
        yield stage, lines


def test_levels_follow_each_other(recorder: Recorder) -> None:
    levels = [stage.level for stage in recorder.stages]
    assert levels == sorted(levels)
    assert set(levels) == {1, 2, 3, 4, 5, 6, 7, 8}


def test_every_pass_is_a_step_with_its_reason(recorder: Recorder) -> None:
    steps = {stage.name: stage for stage in recorder.stages}
    assert steps["convert-stablehlo-to-linalg"].reason == "loops become explicit as indexing maps"
    assert all(stage.reason and stage.seconds is not None for stage in recorder.stages[1:])
    assert recorder.stages[0].ops == 17  # 13 of the text, the module, the function, two in the reduction


def test_patterns_are_counted(recorder: Recorder) -> None:
    simplified = next(stage for stage in recorder.stages if stage.name == "stablehlo-simplify")
    assert sum(simplified.patterns.values()) > 0


def test_a_product_is_followed_into_assembly(recorder: Recorder) -> None:
    for stage, lines in becomes(recorder, "stablehlo.dot_general"):
        assert lines, stage.name
    texts = [stage.lines[line] for line in lines]
    assert any("mul" in text or "fma" in text for text in texts)


def test_an_op_that_is_simplified_away_is_followed_into_what_takes_its_place(recorder: Recorder) -> None:
    steps = {stage.name: [stage.lines[line] for line in lines] for stage, lines in becomes(recorder, "%same = ")}
    (text,) = steps["stablehlo-canonicalize-dot-general"]
    assert text.strip().startswith("%sum = stablehlo.add")


def test_names_stay(recorder: Recorder) -> None:
    for stage in recorder.stages:
        if stage.level == 1:
            assert any("%relu = stablehlo.maximum" in line for line in stage.lines), stage.name


def test_a_pass_that_changes_nothing_keeps_all_lines(recorder: Recorder) -> None:
    (stage,) = [stage for stage in recorder.stages if stage.name == "stablehlo-expand-fft"]
    assert stage.runs == [(Run.KEEP, len(stage.lines))]


def test_most_of_what_is_traced_is_known(recorder: Recorder) -> None:
    """Of the conversions by patterns and handlers nothing but what is shared is guessed."""
    for name in ("convert-stablehlo-to-linalg", "convert-to-llvm"):
        stage = next(stage for stage in recorder.stages if stage.name == name)
        kinds = [edges[0].kind for edges in stage.edges if edges]
        assert kinds.count(Kind.GUESS) <= len(kinds) / 10, name


def test_up_to_a_pass_that_fails() -> None:
    from pages import request
    from xdsl_xla.tools.html.collect import record_program

    recorder = Recorder()
    text = PROGRAM.replace("stablehlo.exponential %relu :", "stablehlo.custom_call @nobody(%relu) :").replace(
        "@nobody(%relu) : tensor<16x8xf32>", "@nobody(%relu) : (tensor<16x8xf32>) -> tensor<16x8xf32>"
    )
    with pytest.raises(XlaError, match="unknown target @nobody"):
        record_program(recorder, text, "program.mlir", request())
    assert recorder.stages[-1].level == 1


def test_large_constants_are_left_out() -> None:
    numbers = ", ".join(str(number) for number in range(100))
    recorder = recorded(
        f"func.func @main() -> tensor<100xi32> {{\n  %0 = stablehlo.constant dense<[{numbers}]> : tensor<100xi32>\n"
        "  return %0 : tensor<100xi32>\n}",
        "cse",
    )
    assert "dense_resource<__elided__> : tensor<100xi32>" in "\n".join(recorder.stages[0].lines)
