"""Options of public functions that are of the wrong type or out of range are errors that name them."""

from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import ArgumentError, InvalidProgramError, XlaError
from xdsl_xla.reference.environment import Environment
from xdsl_xla.runtime.threads import MAX_THREADS

IDENTITY = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
X = np.ones(2, np.float32)

anything: Any = xdsl_xla
"""The public functions for callers who do not look at types."""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threads": 0}, "threads: expected an integer from 1 to 4096, got 0"),
        ({"threads": -1}, "threads: expected an integer from 1 to 4096, got -1"),
        ({"threads": "2"}, "threads: expected an integer from 1 to 4096, got '2'"),
        ({"threads": 1.5}, "threads: .* got 1.5"),
        ({"threads": True}, "threads: .* got True"),
        ({"threads": MAX_THREADS + 1}, "threads: .* got 4097"),
        ({"pipeline": None}, "pipeline: expected a string, got None"),
        ({"entry": 3}, "entry: expected a string, got 3"),
        ({"vector_bits": "256"}, "vector_bits: expected an integer, got '256'"),
        ({"opt_level": 4}, "opt_level: expected an integer from 0 to 3, got 4"),
        ({"opt_level": "2"}, "opt_level: .* got '2'"),
        ({"dump_dir": 3}, "dump_dir: expected a path or None, got 3"),
        ({"verify": "no"}, "verify: expected True or False, got 'no'"),
        ({"filename": 3}, "filename: expected a string, got 3"),
        ({"replicas": 0}, "replicas: expected an integer of at least 1, got 0"),
        ({"partitions": "a"}, "partitions: .* got 'a'"),
        ({"seed": "a"}, "seed: expected an integer, got 'a'"),
        ({"donate": 3}, "donate: expected True or False, got 3"),
        ({"cache": "no"}, "cache: expected True or False, got 'no'"),
    ],
)
def test_compile(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=f"argument {message}"):
        anything.compile(IDENTITY, **options)


@pytest.mark.parametrize("source", [None, 3, X, ""])
def test_sources(source: object) -> None:
    with pytest.raises(ArgumentError, match=r"argument source: expected a path, text or bytes of a program, .* got "):
        anything.compile(source)


def test_a_masked_array() -> None:
    """What is masked would be computed with."""
    with pytest.raises(ArgumentError, match=r"argument 0 \('x'\): expected tensor<2xf32>, got a masked array"):
        anything.compile(IDENTITY)(np.ma.masked_array(X, np.array([True, False])))


@pytest.mark.parametrize(
    ("pipeline", "message"),
    [
        ("xla-cpu{threads=x}", "of 'xla-cpu': option 'threads': expected an integer, got x"),
        (
            "xla-cpu{threads=0}",
            "of 'xla-cpu': threads: expected a number from 1 to 4096, got 0",
        ),
        ("cse{fast=1}", "pass 'cse': no option 'fast'; it has none"),
    ],
)
def test_options_of_passes(pipeline: str, message: str) -> None:
    with pytest.raises(XlaError, match=message):
        anything.compile(IDENTITY, pipeline=pipeline)


def test_a_program_without_public_functions() -> None:
    with pytest.raises(InvalidProgramError, match="no function that can be called: none is public"):
        anything.compile("module { module { func.func @f() { return } } }")


def test_numbers_of_numpy_are_numbers() -> None:
    executable = anything.compile(IDENTITY, threads=np.int64(1), opt_level=np.int32(1), donate=np.False_, seed=-1)
    np.testing.assert_array_equal(executable(X)[0], X)


@pytest.mark.parametrize(
    ("programs", "arguments", "environment", "message"),
    [
        (None, [[[X]]], None, "programs: expected an executable, or a list by replica of lists .* got None"),
        ([IDENTITY], [[[X]]], None, "programs: expected an executable"),
        (..., 3, None, "arguments: expected a list by replica of lists by partition of lists of arrays, got 3"),
        (..., [X], None, "arguments: expected"),
        (..., [[X]], None, "arguments: expected"),
        (..., [[[X]]], 3, "environment: expected an Environment or None, got 3"),
    ],
)
def test_grids(programs: object, arguments: object, environment: object, message: str) -> None:
    executable = xdsl_xla.compile(IDENTITY)
    with pytest.raises(ArgumentError, match=f"argument {message}"):
        anything.run_grid(executable if programs is ... else programs, arguments, environment)


def test_environments_and_targets() -> None:
    executable: Any = xdsl_xla.compile(IDENTITY)
    with pytest.raises(ArgumentError, match="argument environment: expected an Environment, got 3"):
        executable.with_environment(3)
    with pytest.raises(ArgumentError, match="argument name: expected a string, got 3"):
        anything.custom_call(3)
    with pytest.raises(ArgumentError, match="argument function: expected a function, got 3"):
        anything.custom_call("not_a_function")(3)


def test_an_environment_without_options() -> None:
    executable = xdsl_xla.compile(IDENTITY).with_environment(Environment())
    assert xdsl_xla.run_grid(executable, [[[X]]], Environment())[0][0][0].tolist() == [1, 1]


ALL_REDUCE = """
module attributes {ATTRIBUTE} {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<> : tensor<0x0xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}"""


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ("mhlo.num_replicas = 0 : i32", "mhlo.num_replicas: expected a positive integer, got 0 : i32"),
        ("mhlo.num_partitions = -1 : i32", "mhlo.num_partitions: expected a positive integer, got -1 : i32"),
        ('mhlo.num_partitions = "a"', 'mhlo.num_partitions: expected a positive integer, got "a"'),
        ("mhlo.num_partitions = 9223372036854775807 : i64", "partitions: expected 1 to 65536 processes"),
        (
            "mhlo.num_replicas = 300 : i32, mhlo.num_partitions = 300 : i32",
            "300 replicas and 300 partitions",
        ),
    ],
)
def test_grids_of_modules(attribute: str, message: str) -> None:
    with pytest.raises(InvalidProgramError, match=message) as caught:
        xdsl_xla.compile(ALL_REDUCE.replace("ATTRIBUTE", attribute))
    assert caught.value.location == "<text>:2:1"


def test_grids_of_hlo_text() -> None:
    text = "HloModule a, num_partitions=-1\nENTRY e { ROOT x = f32[2] parameter(0) }"
    with pytest.raises(InvalidProgramError, match="num_partitions: expected a number of processes, got -1") as caught:
        xdsl_xla.compile(text)
    assert str(caught.value).startswith("<text>:1:")
