"""Random sharded programs: what they hold, and that a wrong partitioner does not go unnoticed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl_xla.dialects.sdy.annotations import ReshardOp, ShardingConstraintOp
from xdsl_xla.dialects.sdy.regions import ManualComputationOp
from xdsl_xla.dialects.sdy.shardings import Sharding
from xdsl_xla.dialects.sdy.values import meshes_of, resolve, result_shardings, sharding_of
from xdsl_xla.runtime.entry import select_entry
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.tools import fuzz
from xdsl_xla.tools.differential import Subject
from xdsl_xla.tools.fuzz_outcomes import Failure
from xdsl_xla.tools.fuzz_reduction import WrongValues
from xdsl_xla.tools.random_sharding import checks
from xdsl_xla.tools.random_sharding.programs import generate_sharded
from xdsl_xla.tools.reduction.engine import count_ops

Array = np.ndarray[Any, Any]


def shardings_of(seed: int) -> list[tuple[tuple[int, ...], Sharding]]:
    """The shapes of what a program spreads, and how."""
    entry = select_entry(parse_module(generate_sharded(seed).text))
    returned = entry.get_return_op()
    assert returned is not None
    values = [*entry.args, *(op.results[0] for op in entry.walk() if isinstance(op, ReshardOp | ShardingConstraintOp))]
    found = [(value.type.get_shape(), sharding_of(value)) for value in values]  # pyright: ignore
    found += zip((value.type.get_shape() for value in returned.operands), result_shardings(entry), strict=True)  # pyright: ignore
    return [(shape, sharding) for shape, sharding in found if sharding is not None]


def test_a_seed_is_a_program() -> None:
    first, second = generate_sharded(7), generate_sharded(7)
    assert first.text == second.text
    assert all(np.array_equal(a, b) for a, b in zip(first.inputs, second.inputs, strict=True))
    assert first.text != generate_sharded(8).text


@pytest.mark.slow
def test_programs_hold_what_is_to_be_partitioned() -> None:
    programs = [generate_sharded(seed) for seed in range(150)]
    assert {program.devices for program in programs} >= {2, 3, 4, 6, 8}
    shardings = [found for seed in range(150) for found in shardings_of(seed)]
    parts = [(size, s.parts(index)) for shape, s in shardings for index, size in enumerate(shape)]
    assert any(size % count for size, count in parts) and any(size < count for size, count in parts)
    assert any(size % count == 0 and count > 1 for size, count in parts)
    dimensions = [dimension for _, sharding in shardings for dimension in sharding.dimensions]
    assert any(axis.size is not None for dimension in dimensions for axis in dimension.axes)
    assert any(len(dimension.axes) > 1 for dimension in dimensions)
    assert {dimension.is_closed for dimension in dimensions} == {False, True}
    assert any(sharding.replicated for _, sharding in shardings)
    meshes = [mesh for program in programs for mesh in meshes_of(parse_module(program.text)).values()]
    assert any(mesh.device_ids is not None for mesh in meshes)
    assert any("sdy.manual_computation" in p.text and "all_gather" in p.text for p in programs)
    modules = [parse_module(program.text) for program in programs]
    manual = [op for module in modules for op in module.walk() if isinstance(op, ManualComputationOp)]
    dimensions = [(op, dimension) for op in manual for dimension in resolve(op.in_shardings.data[0], op).dimensions]
    stated = [(op, axis.name) for op, dimension in dimensions for axis in dimension.axes]
    assert any(name in op.manual_axes.data for op, name in stated)
    assert any(name not in op.manual_axes.data for op, name in stated)
    assert any("sdy.reshard" in p.text for p in programs) and any("sdy.sharding_group" in p.text for p in programs)


def on_one_device(subject: Subject, inputs: Sequence[Array], devices: int) -> list[Array]:
    return list(checks.on_one_device(subject, inputs))


def test_right_values_are_found_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "on_devices", on_one_device)
    assert [checks.check_sharded(seed) for seed in range(20)] == [None] * 20


@pytest.mark.slow
def test_wrong_values_are_found_and_cut_down(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A partitioner that forgets one part of what has a constraint."""

    def wrong(subject: Subject, inputs: Sequence[Array], devices: int) -> list[Array]:
        results = on_one_device(subject, inputs, devices)
        if any(isinstance(op, ShardingConstraintOp) for op in subject.module.walk()):
            return [np.where(np.arange(result.size).reshape(result.shape) < 1, result, 0) for result in results]
        return results

    monkeypatch.setattr(checks, "on_devices", wrong)
    found = {seed: outcome for seed in range(30) if isinstance(outcome := checks.check_sharded(seed), Failure)}
    assert len(found) > 3
    sizes = [count_ops(parse_module(failure.program)) for failure in found.values()]
    assert min(sizes) <= 2 and max(sizes) <= 8
    assert all("sharding_constraint" in failure.program for failure in found.values())
    seed, failure = next(item for item in found.items() if item[1].inputs)
    report = json.loads(json.dumps(failure.report()))
    path = fuzz.keep(seed, report["program"], str(tmp_path), fuzz.inputs_of(report), sharded=True)
    assert path.name == f"fuzz_sharded_{seed}.mlir" and "out0" in np.load(path.with_suffix(".npz"))


def test_errors_are_found_and_cut_down(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(subject: Subject, inputs: Sequence[Array], devices: int) -> list[Array]:
        if any(op.name == "stablehlo.reshape" for op in subject.module.walk()):
            raise AssertionError("no reshape")
        return on_one_device(subject, inputs, devices)

    monkeypatch.setattr(checks, "on_devices", broken)
    outcomes = [checks.check_sharded(seed) for seed in range(40)]
    failures = [outcome for outcome in outcomes if isinstance(outcome, Failure)]
    assert failures and all("AssertionError" in failure.reason for failure in failures)
    assert all(count_ops(parse_module(failure.program)) <= 4 for failure in failures)
    assert any("#sdy.sharding" not in failure.program for failure in failures)


@pytest.mark.parametrize("seed", range(12))
def test_devices_agree_with_one(seed: int) -> None:
    assert not isinstance(checks.check_sharded(seed), Failure)


def test_the_command() -> None:
    assert fuzz.main(["--sharded", "--seed", "0", "--count", "2"]) == 0


def test_a_part_whose_devices_differ_is_not_the_failure_that_is_reduced() -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.negate %x : tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    subject = Subject.parse(text.encode(), "negation", None)

    def native(part: Subject, inputs: Sequence[Array]) -> Sequence[Array]:
        raise checks.ReplicasDifferError("device 1 has other values of out0 than device 0")

    assert not WrongValues(subject, [np.ones(2, np.float32)], [[None]], native).whole()
    assert WrongValues(subject, [np.ones(2, np.float32)], [[None]], lambda _, inputs: inputs).whole()
