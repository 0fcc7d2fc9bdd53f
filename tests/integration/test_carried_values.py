"""Loops whose carried values change places, are read after the loop or updated in place: compiled code against the
reference, with scalars, small and large tensors, on one to four threads."""

from __future__ import annotations

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.mlir_text import parse_module

COUNT = "tensor<i32>"
"""The type of a loop's counter."""


def counted(trips: int, values: str, types: str, body: str, returned: str, prefix: str = "") -> str:
    """`%{prefix}r = stablehlo.while`: `trips` iterations over a counter `%{prefix}i` and `values`."""
    i = f"%{prefix}i"
    return f"""
    %{prefix}zero = stablehlo.constant dense<0> : {COUNT}
    %{prefix}r:{types.count("tensor") + 1} = stablehlo.while({i} = %{prefix}zero, {values}) : {COUNT}, {types}
     cond {{
      %{prefix}n = stablehlo.constant dense<{trips}> : {COUNT}
      %{prefix}p = stablehlo.compare LT, {i}, %{prefix}n : ({COUNT}, {COUNT}) -> tensor<i1>
      stablehlo.return %{prefix}p : tensor<i1>
     }} do {{
      %{prefix}one = stablehlo.constant dense<1> : {COUNT}
      %{prefix}next = stablehlo.add {i}, %{prefix}one : {COUNT}
      {body}
      stablehlo.return %{prefix}next, {returned} : {COUNT}, {types}
     }}"""


def _swap(t: str) -> tuple[str, str]:
    return counted(5, "%a = %x, %b = %y", f"{t}, {t}", "", "%b, %a"), "%r#1, %r#2"


def _swap_with_work(t: str) -> tuple[str, str]:
    body = f"%c = stablehlo.add %a, %b : {t}"
    return counted(7, "%a = %x, %b = %y", f"{t}, {t}", body, "%b, %c"), "%r#1, %r#2"


def _rotate(t: str) -> tuple[str, str]:
    loop = counted(4, "%a = %x, %b = %y, %c = %x", f"{t}, {t}, {t}", "", "%b, %c, %a")
    return f"{loop}\n    %s = stablehlo.subtract %r#1, %r#3 : {t}", "%s, %r#2"


def _one_value_twice(t: str) -> tuple[str, str]:
    body = f"%c = stablehlo.subtract %a, %b : {t}"
    return counted(3, "%a = %x, %b = %y", f"{t}, {t}", body, "%c, %c"), "%r#1, %r#2"


def _old_value_kept(t: str) -> tuple[str, str]:
    body = f"%c = stablehlo.add %a, %y : {t}"
    return counted(3, "%a = %x, %b = %y", f"{t}, {t}", body, "%c, %a"), "%r#1, %r#2"


def _start_read_after(t: str) -> tuple[str, str]:
    body = f"%c = stablehlo.add %a, %v : {t}"
    loop = counted(3, "%a = %v", t, body, "%c")
    return f"%v = stablehlo.add %x, %y : {t}\n{loop}\n    %s = stablehlo.subtract %v, %y : {t}", "%r#1, %s"


def _result_read_twice(t: str) -> tuple[str, str]:
    loop = counted(3, "%a = %x", t, f"%c = stablehlo.add %a, %y : {t}", "%c")
    return f"{loop}\n    %s = stablehlo.add %r#1, %r#1 : {t}", "%r#1, %s"


def _nested(t: str) -> tuple[str, str]:
    inner = counted(2, "%ja = %a", t, f"%jc = stablehlo.add %ja, %b : {t}", "%jc", "j")
    body = f"{inner}\n      %c = stablehlo.subtract %jr#1, %a : {t}"
    return counted(3, "%a = %x, %b = %y", f"{t}, {t}", body, "%jr#1, %c"), "%r#1, %r#2"


def _nested_swap(t: str) -> tuple[str, str]:
    inner = counted(3, "%ja = %b, %jb = %a", f"{t}, {t}", f"%jc = stablehlo.add %ja, %y : {t}", "%jb, %jc", "j")
    return counted(3, "%a = %x, %b = %y", f"{t}, {t}", inner, "%jr#2, %jr#1"), "%r#1, %r#2"


def _branch(t: str) -> tuple[str, str]:
    body = f"""%even = stablehlo.constant dense<1> : {COUNT}
      %bit = stablehlo.and %i, %even : {COUNT}
      %q = stablehlo.compare EQ, %bit, %zero : ({COUNT}, {COUNT}) -> tensor<i1>
      %s:2 = "stablehlo.if"(%q) ({{
        %d = stablehlo.add %a, %b : {t}
        stablehlo.return %b, %d : {t}, {t}
      }}, {{
        %d = stablehlo.subtract %a, %b : {t}
        stablehlo.return %d, %a : {t}, {t}
      }}) : (tensor<i1>) -> ({t}, {t})"""
    return counted(5, "%a = %x, %b = %y", f"{t}, {t}", body, "%s#0, %s#1"), "%r#1, %r#2"


def _constant_and_argument(t: str) -> tuple[str, str]:
    body = f"%c = stablehlo.constant dense<2.0> : {t}\n      %d = stablehlo.add %a, %b : {t}"
    return counted(3, "%a = %x, %b = %y", f"{t}, {t}", body, "%c, %d"), "%r#1, %r#2"


def _reversed(value: str, t: str) -> str:
    """What cannot be computed where `value` is."""
    rank = sum(map(str.isdigit, t.split("<")[1].split("x")))
    return f"stablehlo.reverse {value}, dims = {list(range(rank))} : {t}"


def _not_in_place(t: str) -> tuple[str, str]:
    return counted(3, "%a = %x, %b = %y", f"{t}, {t}", f"%c = {_reversed('%a', t)}", "%c, %b"), "%r#1, %r#2"


def _three_in_turn(t: str) -> tuple[str, str]:
    body = f"%d = {_reversed('%a', t)}\n      %e = stablehlo.subtract %b, %c : {t}"
    loop = counted(4, "%a = %x, %b = %y, %c = %x", f"{t}, {t}, {t}", body, "%c, %d, %e")
    return f"{loop}\n    %s = stablehlo.subtract %r#1, %r#3 : {t}", "%s, %r#2"


def _one_after_the_other(t: str) -> tuple[str, str]:
    first = counted(3, "%a = %x, %b = %y", f"{t}, {t}", f"%c = {_reversed('%a', t)}", "%b, %c")
    body = f"%jc = {_reversed('%ja', t)}\n      %jd = stablehlo.subtract %jb, %ja : {t}"
    second = counted(2, "%ja = %r#2, %jb = %r#1", f"{t}, {t}", body, "%jd, %jc", "j")
    return f"{first}{second}", "%jr#2, %jr#1"


def _results_change_places(t: str) -> tuple[str, str]:
    return counted(3, "%a = %x, %b = %y", f"{t}, {t}", f"%c = {_reversed('%a', t)}", "%b, %c"), "%r#2, %r#1"


def _result_read_beside_another(t: str) -> tuple[str, str]:
    loop = counted(3, "%a = %x, %b = %y", f"{t}, {t}", f"%c = {_reversed('%a', t)}", "%b, %c")
    rest = f"%s = {_reversed('%r#1', t)}\n    %u = stablehlo.subtract %s, %r#2 : {t}"
    return f"{loop}\n    {rest}", "%u, %r#1"


def _nested_not_in_place(t: str) -> tuple[str, str]:
    inner = counted(3, "%ja = %b, %jb = %a", f"{t}, {t}", f"%jc = {_reversed('%ja', t)}", "%jb, %jc", "j")
    body = f"{inner}\n      %c = stablehlo.add %jr#1, %a : {t}\n      %d = {_reversed('%jr#2', t)}"
    return counted(3, "%a = %x, %b = %y", f"{t}, {t}", body, "%d, %c"), "%r#1, %r#2"


def _branch_that_changes_one(t: str) -> tuple[str, str]:
    body = f"""%even = stablehlo.constant dense<1> : {COUNT}
      %bit = stablehlo.and %i, %even : {COUNT}
      %q = stablehlo.compare EQ, %bit, %zero : ({COUNT}, {COUNT}) -> tensor<i1>
      %s:2 = "stablehlo.if"(%q) ({{
        %d = stablehlo.add %a, %y : {t}
        stablehlo.return %d, %b : {t}, {t}
      }}, {{
        %d = {_reversed("%b", t)}
        stablehlo.return %d, %a : {t}, {t}
      }}) : (tensor<i1>) -> ({t}, {t})"""
    return counted(5, "%a = %x, %b = %y", f"{t}, {t}", body, "%s#0, %s#1"), "%r#1, %r#2"


def _branch_that_changes_nothing(t: str) -> tuple[str, str]:
    body = f"""%two = stablehlo.constant dense<2> : {COUNT}
      %q = stablehlo.compare LT, %i, %two : ({COUNT}, {COUNT}) -> tensor<i1>
      %s = "stablehlo.if"(%q) ({{
        %d = stablehlo.add %a, %b : {t}
        %e = stablehlo.subtract %d, %a : {t}
        %f = {_reversed("%e", t)}
        stablehlo.return %f : {t}
      }}, {{
        stablehlo.return %a : {t}
      }}) : (tensor<i1>) -> {t}"""
    return counted(5, "%a = %x, %b = %y", f"{t}, {t}", body, "%s, %b"), "%r#1, %r#2"


PROGRAMS = {
    "not_in_place": _not_in_place,
    "three_in_turn": _three_in_turn,
    "one_after_the_other": _one_after_the_other,
    "results_change_places": _results_change_places,
    "result_read_beside_another": _result_read_beside_another,
    "nested_not_in_place": _nested_not_in_place,
    "branch_that_changes_one": _branch_that_changes_one,
    "branch_that_changes_nothing": _branch_that_changes_nothing,
    "swap": _swap,
    "swap_with_work": _swap_with_work,
    "rotate": _rotate,
    "one_value_twice": _one_value_twice,
    "old_value_kept": _old_value_kept,
    "start_read_after": _start_read_after,
    "result_read_twice": _result_read_twice,
    "nested": _nested,
    "nested_swap": _nested_swap,
    "branch": _branch,
    "constant_and_argument": _constant_and_argument,
}


@pytest.mark.sample(30)
@pytest.mark.parametrize("shape", [(), (5,), (1024, 300)])
@pytest.mark.parametrize("name", PROGRAMS)
def test_carried_values(name: str, shape: tuple[int, ...]) -> None:
    type = f"tensor<{''.join(f'{size}x' for size in shape)}f32>"
    body, results = PROGRAMS[name](type)
    header = f"func.func @main(%x: {type}, %y: {type}) -> ({type}, {type})"
    text = f"{header} {{\n{body}\n    return {results} : {type}, {type}\n}}"
    rng = np.random.default_rng(0)
    arguments = [rng.integers(-8, 8, shape).astype(np.float32) for _ in range(2)]
    expected = interpreter.run(parse_module(text), "main", arguments)
    for threads in range(1, 5) if shape[1:] else (1,):
        executable = xdsl_xla.compile(text, threads=threads)
        for result, wanted in zip(executable(*arguments), expected, strict=True):
            assert isinstance(wanted, np.ndarray)
            np.testing.assert_array_equal(result, wanted)


@pytest.mark.parametrize("element", ["i1", "i4", "bf16", "f8E4M3FN", "complex<f32>"])
def test_pointers_to_any_element(element: str) -> None:
    """What a loop carries in turn may be of any type."""
    type = f"tensor<40x30x{element}>"
    loop, results = _results_change_places(type)
    header = f"func.func @main(%x: {type}, %y: {type}) -> ({type}, {type})"
    text = f"{header} {{\n{loop}\n    return {results} : {type}, {type}\n}}"
    dtypes = [argument.dtype for argument in xdsl_xla.compile(text).signature.inputs]
    rng = np.random.default_rng(0)
    arguments = [rng.integers(0, 2, (40, 30)).astype(dtype) for dtype in dtypes]
    expected = interpreter.run(parse_module(text), "main", arguments)
    for result, wanted in zip(xdsl_xla.compile(text, threads=1)(*arguments), expected, strict=True):
        assert isinstance(wanted, np.ndarray)
        np.testing.assert_array_equal(result.astype(np.complex64), wanted.astype(np.complex64))


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
def test_rows_updated_in_place(threads: int) -> None:
    """Nested loops write rows of one tensor and read those before."""
    type = "tensor<700x600xf32>"
    body = """%row = stablehlo.dynamic_slice %ja, %ji, %zero, sizes = [1, 600]
        : (tensor<700x600xf32>, tensor<i32>, tensor<i32>) -> tensor<1x600xf32>
      %sum = stablehlo.add %row, %y : tensor<1x600xf32>
      %new = stablehlo.dynamic_update_slice %ja, %sum, %jnext, %zero
        : (tensor<700x600xf32>, tensor<1x600xf32>, tensor<i32>, tensor<i32>) -> tensor<700x600xf32>"""
    inner = counted(5, "%ja = %a", type, body, "%new", "j")
    whole = f"{inner}\n      %c = stablehlo.add %jr#1, %a : {type}"
    loop = counted(3, "%a = %x", type, whole, "%c")
    text = f"func.func @main(%x: {type}, %y: tensor<1x600xf32>) -> {type} {{\n{loop}\n    return %r#1 : {type}\n}}"
    rng = np.random.default_rng(0)
    arguments = [rng.integers(-8, 8, shape).astype(np.float32) for shape in ((700, 600), (1, 600))]
    (expected,) = interpreter.run(parse_module(text), "main", arguments)
    (result,) = xdsl_xla.compile(text, threads=threads)(*arguments)
    assert isinstance(expected, np.ndarray)
    np.testing.assert_array_equal(result, expected)
