"""How C functions see tuples: as XLA:CPU passes them, in every nesting of operands and results."""

from __future__ import annotations

import ctypes
import gc
import shutil
import subprocess
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import ArgumentError
from xdsl_xla.frontends import xla_builder as xla
from xdsl_xla.frontends.hlo_text import parse_hlo, print_hlo
from xdsl_xla.reference import interpreter
from xdsl_xla.reference.custom_calls import TARGETS
from xdsl_xla.runtime.mlir_text import parse_module

Array = Any
Tree: TypeAlias = Any
"""`X`, a tensor, or a tuple of trees."""

X = "tensor<2xf32>"
POINTERS = ctypes.POINTER(ctypes.c_void_p)
FLOATS = ctypes.POINTER(ctypes.c_float)


def elements(tree: Tree) -> tuple[Tree, ...] | None:
    return cast("tuple[Tree, ...]", tree) if isinstance(tree, tuple) else None


def type_of(tree: Tree) -> str:
    inner = elements(tree)
    return tree if inner is None else f"tuple<{', '.join(map(type_of, inner))}>"


def leaves(tree: Tree) -> int:
    inner = elements(tree)
    return 1 if inner is None else sum(map(leaves, inner))


class Writer:
    """A program that calls `@target`; operands and results are trees of the arrays that the program takes and gives."""

    def __init__(self, operands: list[Tree], results: list[Tree], attributes: str = "") -> None:
        self.lines: list[str] = []
        self.count = 0
        inputs, outputs = (sum(map(leaves, trees)) for trees in (operands, results))
        arguments = iter([f"%x{i}" for i in range(inputs)])
        values = [self.packed(tree, arguments) for tree in operands]
        operand_types, result_types = (", ".join(map(type_of, trees)) for trees in (operands, results))
        name = self.name()
        given = [f"{name}#{i}" for i in range(len(results))] if len(results) != 1 else [name]
        target = f"{name}:{len(results)} = " if len(results) > 1 else f"{name} = " if results else ""
        options = ", ".join(filter(None, ["has_side_effect = true", attributes]))
        call = f"{target}stablehlo.custom_call @target({', '.join(values)}) {{{options}}}"
        self.lines.append(f"{call} : ({operand_types}) -> ({result_types})")
        returned = [leaf for value, tree in zip(given, results, strict=True) for leaf in self.unpacked(value, tree)]
        parameters = ", ".join(f"%x{i}: {X}" for i in range(inputs))
        types = ", ".join([X] * outputs)
        end = f"return {', '.join(returned)} : {types}" if returned else "return"
        self.text = "\n  ".join([f"func.func @main({parameters}) -> ({types}) {{", *self.lines, end]) + "\n}"

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def packed(self, tree: Tree, arguments: Iterator[str]) -> str:
        inner = elements(tree)
        if inner is None:
            return next(arguments)
        values, name = [self.packed(element, arguments) for element in inner], self.name()
        types = ", ".join(map(type_of, inner))
        self.lines.append(f'{name} = "stablehlo.tuple"({", ".join(values)}) : ({types}) -> {type_of(tree)}')
        return name

    def unpacked(self, value: str, tree: Tree) -> list[str]:
        inner = elements(tree)
        if inner is None:
            return [value]
        found: list[str] = []
        for index, element in enumerate(inner):
            name = self.name()
            self.lines.append(
                f"{name} = stablehlo.get_tuple_element {value}[{index}] : ({type_of(tree)}) -> {type_of(element)}"
            )
            found += self.unpacked(name, element)
        return found


def function_in_c(version: int, inputs: int, outputs: int, is_table: bool) -> Any:
    """Result j is 10 j + 1 and the operands, each times its number; `is_table` says how the results come."""

    def compute(out: Any, operands: Any, *_: Any) -> None:
        results = ctypes.cast(out or 0, POINTERS) if is_table else [out]
        for j in range(outputs):
            result = ctypes.cast(results[j], FLOATS)
            for element in range(2):
                terms = (ctypes.cast(operands[i], FLOATS)[element] * (i + 1) for i in range(inputs))
                result[element] = 10 * j + 1 + sum(terms)

    more: list[Any] = [[], [ctypes.c_void_p], [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p]][version - 1]
    return ctypes.CFUNCTYPE(None, ctypes.c_void_p, POINTERS, *more)(compute)


def expected(inputs: list[Array], outputs: int) -> list[Array]:
    total = sum((x * (i + 1) for i, x in enumerate(inputs)), np.zeros(2, np.float32))
    return [10 * j + 1 + total for j in range(outputs)]


NESTED = [(), (X,), (X, X), ((X,),), ((),), ((X, X), X), (X, (X, (X,)), ()), ((), X)]
"""Tuples."""

OPERANDS: list[list[Tree]] = [[], [X], [X, X], *([tree] for tree in NESTED), [X, (X, (X,)), X], [(), X]]
RESULTS: list[list[Tree]] = [[], [X], [X, X], *([tree] for tree in NESTED), [(X,), X], [(X, X), ((X,),)]]


def is_table(results: list[Tree]) -> bool:
    """XLA knows one result: a tensor, or else a tuple."""
    return len(results) != 1 or isinstance(results[0], tuple)


def check(operands: list[Tree], results: list[Tree], version: int, engines: list[Callable[..., Any]]) -> None:
    inputs, outputs = (sum(map(leaves, trees)) for trees in (operands, results))
    function = function_in_c(version, inputs, outputs, is_table(results))
    xdsl_xla.custom_call("target", function)
    text = Writer(operands, results, f"api_version = {version} : i32").text
    arrays = [np.array([i, i + 0.5], np.float32) for i in range(inputs)]
    for run in engines:
        found = run(text, arrays)
        assert len(found) == outputs
        for value, wanted in zip(found, expected(arrays, outputs), strict=True):
            np.testing.assert_array_equal(value, wanted)


def compiled(text: str, arrays: list[Array]) -> Any:
    return xdsl_xla.compile(text, verify=True)(*arrays)


def unoptimised(text: str, arrays: list[Array]) -> Any:
    return xdsl_xla.compile(text, pipeline="xla-cpu-O0")(*arrays)


def interpreted(text: str, arrays: list[Array]) -> Any:
    return interpreter.run(parse_module(text), "main", arrays)


@pytest.mark.sample(16)
@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("operands", OPERANDS, ids=lambda trees: ",".join(map(type_of, trees)) or "none")
def test_operands(operands: list[Tree], version: int) -> None:
    check(operands, [X], version, [compiled, unoptimised, interpreted])


@pytest.mark.sample(16)
@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("results", RESULTS, ids=lambda trees: ",".join(map(type_of, trees)) or "none")
def test_results(results: list[Tree], version: int) -> None:
    check([X, (X,)], results, version, [compiled, unoptimised, interpreted])


def of_xla(text: str, arrays: list[Array]) -> Any:
    """What XLA:CPU computes with the function that is registered with us."""
    jax: Any = pytest.importorskip("jax")
    client: Any = pytest.importorskip("jax._src.lib").xla_client
    address, name = TARGETS["target"].address, f"target_{abs(hash(text))}"  # pyright: ignore
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    client.register_custom_call_target(name, capsule(address, b"xla._CUSTOM_CALL_TARGET", None), "cpu", 0)
    (device,) = jax.devices("cpu")[:1]
    devices, options = client.DeviceList((device,)), client.CompileOptions()
    executable = device.client.compile_and_load(text.replace("@target", f"@{name}"), devices, options)
    results = executable.execute_sharded([jax.device_put(array) for array in arrays])
    return [np.asarray(result) for (result,) in results.disassemble_into_single_device_arrays()]


@pytest.mark.parametrize("operands", OPERANDS, ids=lambda trees: ",".join(map(type_of, trees)) or "none")
def test_xla_takes_operands_so(operands: list[Tree]) -> None:
    """What the tests above demand is what XLA:CPU does."""
    check(operands, [X], 1, [of_xla])


@pytest.mark.parametrize("results", RESULTS, ids=lambda trees: ",".join(map(type_of, trees)) or "none")
def test_xla_gives_results_so(results: list[Tree]) -> None:
    check([X, (X,)], results, 1, [of_xla])


# Where programs come from


@pytest.mark.parametrize("shape", ["f32[2]", "(f32[2])", "((f32[2]))", "(f32[2], (f32[2], ()))", "()"])
@pytest.mark.parametrize("layouts", [False, True])
def test_hlo_text(shape: str, layouts: bool) -> None:
    """A call whose result is the root, with layouts as XLA prints them after its passes."""
    outputs = shape.count("f32")
    xdsl_xla.custom_call("target", function_in_c(1, 2, outputs, shape.startswith("(")))
    constraints = ", operand_layout_constraints={(f32[2]{0}, (f32[2]{0}))}" if layouts else ""
    text = f"""HloModule m
      ENTRY main {{
        x = f32[2] parameter(0)
        y = f32[2] parameter(1)
        t = (f32[2]) tuple(y)
        p = (f32[2], (f32[2])) tuple(x, t)
        ROOT c = {shape} custom-call(p), custom_call_target="target", custom_call_has_side_effect=true{constraints}
      }}"""
    arrays = [np.array([1, 2], np.float32), np.array([3, 4], np.float32)]
    found = flat_values(xdsl_xla.compile(text)(*arrays))
    assert len(found) == outputs
    for value, wanted in zip(found, expected(arrays, outputs), strict=True):
        np.testing.assert_array_equal(value, wanted)


def flat_values(values: Any) -> list[Array]:
    inner = elements(values)
    return [values] if inner is None else list(chain.from_iterable(map(flat_values, inner)))


def test_hlo_text_with_other_layouts() -> None:
    """Of the one array in a tuple of results, where the function gives it, and of operands."""

    @ctypes.CFUNCTYPE(None, POINTERS, POINTERS)
    def copy(out: Any, operands: Any) -> None:
        ctypes.memmove(out[0], operands[0], 24)

    xdsl_xla.custom_call("target", copy)
    text = """HloModule m
      ENTRY main {
        x = f32[2,3]{1,0} parameter(0)
        c = (f32[3,2]{0,1}) custom-call(x), custom_call_target="target", operand_layout_constraints={f32[2,3]{1,0}}
        ROOT r = f32[3,2]{1,0} get-tuple-element(c), index=0
      }"""
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    printed = print_hlo(parse_hlo(text))
    for program in (text, printed):
        np.testing.assert_array_equal(xdsl_xla.compile(program)(x)[0], x.T)


@pytest.mark.parametrize("nested", [False, True])
def test_builder(nested: bool) -> None:
    xdsl_xla.custom_call("target", function_in_c(1, 1, 1, True))
    builder = xla.XlaBuilder("one")
    array = xla.Shape(xla.PrimitiveType.F32, (2,))
    x = builder.parameter(0, array, "x")
    shape = xla.Shape.tuple_of([array])
    result = xla.custom_call(builder, "target", [x], xla.Shape.tuple_of([shape]) if nested else shape)
    for _ in range(2 if nested else 1):
        result = xla.get_tuple_element(result, 0)
    exe = xdsl_xla.compile(builder.build(result).module)
    np.testing.assert_array_equal(exe(np.array([1, 2], np.float32))[0], [2, 3])


# Memory of tuples


def test_aliases_in_tuples() -> None:
    """A result in a tuple lies where an operand in a tuple does."""
    same: list[bool] = []

    @ctypes.CFUNCTYPE(None, POINTERS, POINTERS)
    def increment(out: Any, operands: Any) -> None:
        same.append(out[1] == operands[1] and out[0] != operands[0])
        for j in range(2):
            result, operand = (ctypes.cast(pointers[j], FLOATS) for pointers in (out, operands))
            result[0], result[1] = operand[0] + 1, operand[1] + 1

    xdsl_xla.custom_call("target", increment)
    alias = "output_tuple_indices = [1, 0], operand_index = 1, operand_tuple_indices = [0]"
    text = Writer([X, (X,)], [(X, (X,))], f"output_operand_aliases = [#stablehlo.output_operand_alias<{alias}>]").text
    arrays = [np.array([1, 2], np.float32), np.array([3, 4], np.float32)]
    for run in (compiled, unoptimised, interpreted):
        first, second = run(text, arrays)
        assert first.tolist() == [2, 3] and second.tolist() == [4, 5]
    assert same == [True] * 3


def test_layouts_of_the_elements_of_a_result() -> None:
    @ctypes.CFUNCTYPE(None, POINTERS, POINTERS, ctypes.c_void_p)
    def copy(out: Any, operands: Any, _: Any) -> None:
        for j in range(2):
            ctypes.memmove(out[j], operands[j], 24)

    xdsl_xla.custom_call("target", copy)
    text = """func.func @main(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {{
      %p = stablehlo.tuple %x : tuple<tensor<2x3xf32>>
      %r = stablehlo.custom_call @target(%p, %x) {{api_version = {0} : i32,
          operand_layouts = [dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>],
          result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>]}}
        : (tuple<tensor<2x3xf32>>, tensor<2x3xf32>) -> tuple<tensor<3x2xf32>, tensor<3x2xf32>>
      %0 = stablehlo.get_tuple_element %r[0] : (tuple<tensor<3x2xf32>, tensor<3x2xf32>>) -> tensor<3x2xf32>
      %1 = stablehlo.get_tuple_element %r[1] : (tuple<tensor<3x2xf32>, tensor<3x2xf32>>) -> tensor<3x2xf32>
      return %0, %1 : tensor<3x2xf32>, tensor<3x2xf32>
    }}"""
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    for version in (1, 2):
        for run in (compiled, unoptimised, interpreted):
            for result in run(text.format(version), [x]):
                np.testing.assert_array_equal(result, x.T)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize("run", [compiled, unoptimised, interpreted])
def test_code_of_a_c_compiler(tmp_path: Path, run: Callable[..., Any]) -> None:
    """`void **` for a tuple of one, as for any other."""
    (tmp_path / "target.c").write_text(
        "void target(void **out, const void **in) {\n"
        "  const float *x = in[0], *y = in[1];\n"
        "  float *result = out[0];\n"
        "  for (int i = 0; i < 2; ++i) result[i] = 1 + x[i] + 2 * y[i];\n"
        "}\n"
    )
    library = tmp_path / "target.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "target.c"], check=True)
    xdsl_xla.custom_call("target", ctypes.CDLL(str(library)).target)
    arrays = [np.array([1, 2], np.float32), np.array([3, 4], np.float32)]
    for operands in ([X, X], [(X, X)], [((X,), X)]):
        (result,) = run(Writer(operands, [(X,)]).text, arrays)
        assert result.tolist() == [8, 11]


def test_python_functions_may_return_the_array_of_a_tuple() -> None:
    """All engines take what a function returns apart alike, and complain alike."""
    text = Writer([X, (X,)], [(X, (X,))]).text
    arrays = [np.array([1, 2], np.float32), np.array([3, 4], np.float32)]

    @xdsl_xla.custom_call("target")
    def flat(x: Array, pair: Any) -> Any:
        return x + 1, pair[0]

    for run in (compiled, unoptimised, interpreted):
        first, second = run(text, arrays)
        assert first.tolist() == [2, 3] and second.tolist() == [3, 4]

    @xdsl_xla.custom_call("target")
    def too_few(x: Array, pair: Any) -> Any:
        return x

    for run in (compiled, unoptimised, interpreted):
        with pytest.raises(ArgumentError, match="@target returned 1 values, not 2"):
            run(text, arrays)


def test_functions_live_as_long_as_they_are_called() -> None:
    """Nobody but the registry refers to the function, and after it nobody but the compiled program."""
    xdsl_xla.custom_call("target", function_in_c(1, 1, 1, False))
    text, x = Writer([X], [X]).text, np.array([1, 2], np.float32)
    gc.collect()
    exe = xdsl_xla.compile(text)
    xdsl_xla.custom_call("target", function_in_c(1, 1, 1, False))
    gc.collect()
    np.testing.assert_array_equal(exe(x)[0], [2, 3])
