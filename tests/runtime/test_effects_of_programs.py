"""Tokens, queues, channels and failures in compiled programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import ArgumentError, InvalidProgramError
from xdsl_xla.reference.environment import Environment
from xdsl_xla.reference.interpreter import run
from xdsl_xla.reference.values import TOKEN
from xdsl_xla.runtime.executable import Executable
from xdsl_xla.runtime.mlir_text import parse_module

Array = np.ndarray[Any, Any]

PIPELINES = ["xla-cpu", "xla-cpu-O0"]


def infeed(token: str, types: str, result: str) -> str:
    return f'{result} = "stablehlo.infeed"({token}) <{{infeed_config = ""}}> : (!stablehlo.token) -> ({types})'


def outfeed(values: str, token: str, types: str, result: str) -> str:
    return f"""{result} = "stablehlo.outfeed"({values}, {token}) <{{outfeed_config = ""}}>
      : ({types}, !stablehlo.token) -> !stablehlo.token"""


SUM = f"""
func.func @main(%n: tensor<i32>) -> tensor<2xf32> {{
  %start = stablehlo.create_token : !stablehlo.token
  %zero = stablehlo.constant dense<0.0> : tensor<2xf32>
  %zero_i = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero_i, %s = %zero, %t = %start) : tensor<i32>, tensor<2xf32>, !stablehlo.token
  cond {{
    %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }} do {{
    {infeed("%t", "tensor<2xf32>, !stablehlo.token", "%x:2")}
    %sum = stablehlo.add %s, %x#0 : tensor<2xf32>
    {outfeed("%sum", "%x#1", "tensor<2xf32>", "%u")}
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %sum, %u : tensor<i32>, tensor<2xf32>, !stablehlo.token
  }}
  return %r#1 : tensor<2xf32>
}}
"""


def f32(*values: float) -> Array:
    return np.array(values, np.float32)


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_queues_in_a_loop(pipeline: str) -> None:
    """Each iteration reads and writes one entry; the queues go on with the next call."""
    exe = xdsl_xla.compile(SUM, pipeline=pipeline, verify=True)
    host = exe.environment.host
    host.infeed.extend([(f32(1, 2),), lambda: (f32(3, 4),), (f32(5, 6),), (f32(0, 1),)])
    np.testing.assert_array_equal(exe(np.int32(3))[0], f32(9, 12))
    np.testing.assert_array_equal(exe(np.int32(1))[0], f32(0, 1))
    assert [batch[0].tolist() for batch in host.outfeed] == [[1, 2], [4, 6], [9, 12], [0, 1]]


def test_an_empty_queue_ends_the_program() -> None:
    """Also a loop that would not end on the zeros a failed call gives."""
    exe = xdsl_xla.compile(
        f"""
        func.func @main() {{
          %t = stablehlo.create_token : !stablehlo.token
          %yes = stablehlo.constant dense<true> : tensor<i1>
          %r = stablehlo.while(%go = %yes) : tensor<i1>
          cond {{
            stablehlo.return %go : tensor<i1>
          }} do {{
            {infeed("%t", "tensor<i1>, !stablehlo.token", "%x:2")}
            %not = stablehlo.not %x#0 : tensor<i1>
            stablehlo.return %not : tensor<i1>
          }}
          return
        }}"""
    )
    exe.environment.host.infeed.extend([(np.array(False),), (np.array(False),)])
    with pytest.raises(InvalidProgramError, match=r"^<text>:9:13: .*the infeed queue is empty"):
        exe()
    exe.environment.host.infeed.append((np.array(True),))
    assert exe() == ()


def test_an_entry_of_another_type_is_an_error() -> None:
    exe = xdsl_xla.compile(SUM)
    exe.environment.host.infeed.append((np.zeros(2, np.int32),))
    with pytest.raises(InvalidProgramError, match=r"received \(int32\[2\]\), expected \(float32\[2\]\)"):
        exe(np.int32(1))


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_the_order_of_effects_is_that_of_the_program(pipeline: str) -> None:
    """Three outfeeds around an infeed; nothing they compute is used, values are shared and could be computed later."""
    text = f"""
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %t0 = stablehlo.create_token : !stablehlo.token
      %a = stablehlo.negate %x : tensor<4xf32>
      {outfeed("%a", "%t0", "tensor<4xf32>", "%t1")}
      {infeed("%t1", "tensor<4xf32>, !stablehlo.token", "%y:2")}
      %b = stablehlo.add %a, %y#0 : tensor<4xf32>
      {outfeed("%b", "%y#1", "tensor<4xf32>", "%t2")}
      {outfeed("%x", "%t2", "tensor<4xf32>", "%t3")}
      return %b : tensor<4xf32>
    }}"""
    exe = xdsl_xla.compile(text, pipeline=pipeline, verify=True)
    host = exe.environment.host
    x = f32(1, 2, 3, 4)

    def supply() -> tuple[Array]:
        assert len(host.outfeed) == 1
        return (f32(10, 10, 10, 10),)

    host.infeed.append(supply)
    np.testing.assert_array_equal(exe(x)[0], 10 - x)
    assert [batch[0].tolist() for batch in host.outfeed] == [(-x).tolist(), (10 - x).tolist(), x.tolist()]


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_infeeds_of_one_token_read_in_the_order_of_the_program(pipeline: str) -> None:
    """Also those whose data nobody uses, in loops and in branches, and all that look the same."""

    def read(name: str) -> str:
        return infeed("%t", "tensor<f32>, !stablehlo.token", f"{name}:2")

    text = f"""
    func.func @main(%which: tensor<i1>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {{
      %t = stablehlo.create_token : !stablehlo.token
      {read("%x")}
      {read("%unused")}
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %two = stablehlo.constant dense<2.0> : tensor<f32>
      %loop:2 = stablehlo.while(%i = %zero, %sum = %zero) : tensor<f32>, tensor<f32>
      cond {{
        %go = stablehlo.compare LT, %i, %two : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %go : tensor<i1>
      }} do {{
        {read("%a")}
        {read("%b")}
        %difference = stablehlo.subtract %b#0, %a#0 : tensor<f32>
        %next = stablehlo.add %i, %difference : tensor<f32>
        stablehlo.return %next, %b#0 : tensor<f32>, tensor<f32>
      }}
      %branch = "stablehlo.if"(%which) ({{
        {read("%c")}
        {read("%d")}
        stablehlo.return %d#0 : tensor<f32>
      }}, {{
        {read("%c")}
        stablehlo.return %c#0 : tensor<f32>
      }}) : (tensor<i1>) -> tensor<f32>
      {read("%y")}
      return %y#0, %x#0, %loop#1, %branch : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
    }}"""
    exe = xdsl_xla.compile(text, pipeline=pipeline, verify=True)
    for which, expected in ((True, [8, 0, 5, 7]), (False, [7, 0, 5, 6])):
        queue = [(np.float32(i),) for i in range(10)]
        host = exe.environment.host
        host.infeed.clear()
        host.infeed.extend(queue)
        assert [float(value) for value in exe(np.bool_(which))] == expected
        environment = Environment(infeed=queue)
        results = run(parse_module(text), "main", [np.bool_(which)], environment)
        assert [float(value) for value in results] == expected
        assert len(host.infeed) == len(environment.host.infeed) == 9 - expected[0]


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_tuples_and_tokens_of_functions(pipeline: str) -> None:
    text = """
    func.func @main(%t: !stablehlo.token, %p: tuple<tensor<2xf32>, tuple<tensor<i32>, tuple<>>>)
        -> (tuple<tensor<i32>, !stablehlo.token, tensor<2xf32>>, !stablehlo.token) {
      %0 = stablehlo.get_tuple_element %p[0]
        : (tuple<tensor<2xf32>, tuple<tensor<i32>, tuple<>>>) -> tensor<2xf32>
      %1 = stablehlo.get_tuple_element %p[1]
        : (tuple<tensor<2xf32>, tuple<tensor<i32>, tuple<>>>) -> tuple<tensor<i32>, tuple<>>
      %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<i32>, tuple<>>) -> tensor<i32>
      %3 = stablehlo.after_all %t, %t : !stablehlo.token
      %4:2 = stablehlo.optimization_barrier %3, %0 : !stablehlo.token, tensor<2xf32>
      %5 = stablehlo.tuple %2, %4#0, %4#1 : tuple<tensor<i32>, !stablehlo.token, tensor<2xf32>>
      return %5, %3 : tuple<tensor<i32>, !stablehlo.token, tensor<2xf32>>, !stablehlo.token
    }"""
    exe = xdsl_xla.compile(text, pipeline=pipeline, verify=True)
    pair, token = exe(TOKEN, (f32(1, 2), (np.int32(3), ())))
    assert token is TOKEN and pair[1] is TOKEN
    assert pair[0] == 3 and pair[2].tolist() == [1, 2]
    assert [spec.name for spec in exe.signature.inputs] == ["p[0]", "p[1][0]"]
    with pytest.raises(ArgumentError, match="argument 1: expected a value of type tuple<"):
        exe(TOKEN, (f32(1, 2),))
    with pytest.raises(ArgumentError, match="takes 2 arguments"):
        exe(TOKEN)


CHANNELS = """
func.func @main(%a: tensor<2xi32>) -> (tensor<2xi32>, !stablehlo.token) {
  %t = stablehlo.create_token : !stablehlo.token
  %s = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 2>,
    is_host_transfer = true}> : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  %r:2 = "stablehlo.recv"(%s) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>,
    is_host_transfer = true}> : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  return %r#0, %r#1 : tensor<2xi32>, !stablehlo.token
}
"""


def both_engines(text: str, environments: list[Environment], *arguments: Any) -> list[tuple[Any, ...]]:
    exe = xdsl_xla.compile(text, verify=True).with_environment(environments[0])
    return [exe(*arguments), run(parse_module(text), "main", arguments, environments[1])]


def test_callbacks_of_the_host() -> None:
    environments = [Environment(), Environment()]
    for environment in environments:
        environment.host.callback(4, lambda x: x * 2, reply=5)
    for value, token in both_engines(CHANNELS, environments, np.array([1, 2], np.int32)):
        assert value.tolist() == [2, 4] and token is TOKEN


def test_queues_of_channels() -> None:
    environments = [Environment(), Environment()]
    for environment in environments:
        environment.host.from_host[5].append((np.array([7, 8], np.int32),))
    for value, _ in both_engines(CHANNELS, environments, np.array([1, 2], np.int32)):
        assert value.tolist() == [7, 8]
    for environment in environments:
        ((sent,),) = environment.host.to_host[4]
        assert sent.tolist() == [1, 2]
    exe = xdsl_xla.compile(CHANNELS)
    with pytest.raises(InvalidProgramError, match="the host sent nothing on channel 5"):
        exe(np.array([1, 2], np.int32))


def test_what_a_callback_raises() -> None:
    exe = xdsl_xla.compile(CHANNELS)

    def refuse(x: Array) -> Array:
        raise KeyError("refused")

    exe.environment.host.callback(4, refuse, reply=5)
    with pytest.raises(KeyError, match="refused"):
        exe(np.array([1, 2], np.int32))


DEVICE = """
func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {{
  %t = stablehlo.create_token : !stablehlo.token
  {0}
  {1}
  return %r#0 : tensor<2xi32>
}}
"""
SEND = """%s = "stablehlo.send"(%a, {}) <{{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}}>
    : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token"""
RECV = """%r:2 = "stablehlo.recv"({}) <{{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}}>
    : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)"""


def test_send_and_recv_in_one_process() -> None:
    x = np.array([1, 2], np.int32)
    exe = xdsl_xla.compile(DEVICE.format(SEND.format("%t"), RECV.format("%s")))
    np.testing.assert_array_equal(exe(x)[0], x)


def test_a_schedule_that_cannot_finish_is_reported() -> None:
    exe = xdsl_xla.compile(DEVICE.format(RECV.format("%t"), SEND.format("%r#1")))
    with pytest.raises(InvalidProgramError, match=r"cannot finish: process \(0, 0\) waits for a value on channel 1"):
        exe(np.array([1, 2], np.int32))


def test_instruments(tmp_path: Any) -> None:
    """Values are printed and stored with the name they have in the program."""
    import io

    text = """
    func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
      %double = stablehlo.add %x, %x : tensor<2xi32>
      interpreter.print %double : tensor<2xi32>
      %again = interpreter.probe %double, probe_id = "p" : tensor<2xi32>
      return %again : tensor<2xi32>
    }"""
    environment = Environment(probe_directory=tmp_path)
    environment.host.output = io.StringIO()
    exe: Executable = xdsl_xla.compile(text).with_environment(environment)
    assert exe(np.array([1, 2], np.int32))[0].tolist() == [2, 4]
    assert environment.host.output.getvalue() == "%double = tensor<2xi32> {\n  [2, 4]\n}\n"
    assert np.load(tmp_path / "probe1.npy").tolist() == [2, 4]
