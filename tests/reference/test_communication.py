"""Infeed, outfeed, send and recv."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl_xla.errors import InvalidProgramError
from xdsl_xla.reference.environment import Environment
from xdsl_xla.reference.interpreter import run, run_grid
from xdsl_xla.reference.values import TOKEN
from xdsl_xla.runtime.mlir_text import parse_module

from .harness import evaluate, f32, i32, i64, same

INFEED = """%t = stablehlo.create_token : !stablehlo.token
  %r:2 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)"""


def test_infeed_reads_the_queue_in_order() -> None:
    environment = Environment(infeed=[(i32(1, 2),), (i32(3, 4),)])
    for expected in (i32(1, 2), i32(3, 4)):
        value, token = evaluate(INFEED, results=2, environment=environment)
        same(value, expected)
        assert token is TOKEN
    with pytest.raises(InvalidProgramError, match="the infeed queue is empty"):
        evaluate(INFEED, results=2, environment=environment)


def test_infeed_of_nothing_reads_nothing() -> None:
    environment = Environment(infeed=[(i32(1, 2),)])
    text = """%t = stablehlo.create_token : !stablehlo.token
      %r = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> !stablehlo.token"""
    assert evaluate(text, environment=environment) is TOKEN
    assert len(environment.host.infeed) == 1


def test_infeed_of_another_type_is_an_error() -> None:
    environment = Environment(infeed=[(f32(1, 2),)])
    with pytest.raises(InvalidProgramError, match=r"received \(float32\[2\]\), expected \(int32\[2\]\)"):
        evaluate(INFEED, results=2, environment=environment)


def test_outfeed_appends_to_the_queue() -> None:
    environment = Environment()
    text = """%t = stablehlo.create_token : !stablehlo.token
      %r = "stablehlo.outfeed"(%a, %b, %t) <{outfeed_config = ""}>
        : (tensor<2xi32>, tensor<f32>, !stablehlo.token) -> !stablehlo.token"""
    assert evaluate(text, i32(1, 2), np.float32(3), environment=environment) is TOKEN
    ((first, second),) = environment.host.outfeed
    same(first, i32(1, 2))
    same(second, np.float32(3))


def test_transfers_to_and_from_the_host() -> None:
    environment = Environment()
    environment.host.from_host[5].append((i32(7),))
    text = """%t = stablehlo.create_token : !stablehlo.token
      %s = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 2>,
        is_host_transfer = true}> : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
      %r:2 = "stablehlo.recv"(%s) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>,
        is_host_transfer = true}> : (!stablehlo.token) -> (tensor<1xi32>, !stablehlo.token)"""
    value, _ = evaluate(text, i32(1, 2), results=2, environment=environment)
    same(value, i32(7))
    ((sent,),) = environment.host.to_host[4]
    same(sent, i32(1, 2))
    with pytest.raises(InvalidProgramError, match="the host sent nothing on channel 5"):
        evaluate(text, i32(1, 2), results=2, environment=environment)


CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
PROGRAMS = f"""
func.func @sender(%a: tensor<2xi64>) -> !stablehlo.token {{
  %t = stablehlo.create_token : !stablehlo.token
  %r = "stablehlo.send"(%a, %t) <{{{CHANNEL}}}> : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
  return %r : !stablehlo.token
}}
func.func @receiver(%t: !stablehlo.token) -> (tensor<2xi64>, !stablehlo.token) {{
  %r:2 = "stablehlo.recv"(%t) <{{{CHANNEL}}}> : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
  return %r#0, %r#1 : tensor<2xi64>, !stablehlo.token
}}
func.func @exchange(%a: tensor<i64>) -> tensor<i64> {{
  %t = stablehlo.create_token : !stablehlo.token
  %s = "stablehlo.send"(%a, %t) <{{{CHANNEL}, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}}>
    : (tensor<i64>, !stablehlo.token) -> !stablehlo.token
  %r:2 = "stablehlo.recv"(%s) <{{{CHANNEL}, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}}>
    : (!stablehlo.token) -> (tensor<i64>, !stablehlo.token)
  return %r#0 : tensor<i64>
}}
"""


def test_send_and_recv() -> None:
    module = parse_module(PROGRAMS, "test.mlir")
    # The receiver comes first and has to wait.
    (row,) = run_grid(module, [["receiver", "sender"]], [[[TOKEN], [i64(1, 2)]]])
    same(row[0][0], i64(1, 2))


def test_send_and_recv_between_named_processes() -> None:
    module = parse_module(PROGRAMS, "test.mlir")
    arguments = [[[np.int64(10 * r + p)] for p in range(3)] for r in range(2)]
    results = run_grid(module, [["exchange"] * 3] * 2, arguments)
    assert [[int(values[0]) for values in row] for row in results] == [[1, 0, 0], [11, 10, 0]]


def test_a_recv_without_a_send_is_an_error() -> None:
    module = parse_module(PROGRAMS, "test.mlir")
    with pytest.raises(InvalidProgramError, match=r"cannot finish: .* waits for a value on channel 1"):
        run_grid(module, [["receiver", "receiver"]], [[[TOKEN], [TOKEN]]])
    with pytest.raises(InvalidProgramError, match="cannot finish"):
        run(module, "receiver", [TOKEN])
