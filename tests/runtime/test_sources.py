"""Whatever holds a program is taken by `compile`; everything else is refused by name."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla.errors import ArgumentError, InvalidProgramError
from xdsl_xla.frontends import xla_builder as xla
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.sources import contents_of

TEXT = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""
X = np.array([1, 2, 3], np.float32)
anything: Any = xdsl_xla


def check_doubles(source: object) -> None:
    np.testing.assert_array_equal(anything.compile(source)(X)[0], [2, 4, 6])


def test_texts_bytes_paths_and_modules(tmp_path: Path) -> None:
    file = tmp_path / "double.mlir"
    file.write_text(TEXT)
    data = TEXT.encode()
    for source in (TEXT, data, bytearray(data), memoryview(data), file, str(file), parse_module(TEXT)):
        check_doubles(source)
    check_doubles(memoryview(np.frombuffer(data, np.uint8)))


def test_a_module_of_xdsl_stays_as_it_is() -> None:
    module = parse_module(TEXT)
    before = str(module)
    check_doubles(module)
    assert str(module) == before and isinstance(contents_of(module, None)[0], ModuleOp)


def test_computations_of_the_builder() -> None:
    builder = xla.XlaBuilder("double")
    x = builder.parameter(0, xla.Shape.array(xla.F32, [3]))
    with pytest.raises(ArgumentError, match=r"XlaBuilder .*; pass what its build\(root\) returns"):
        anything.compile(builder)
    check_doubles(builder.build(x + x))


def test_what_jax_has() -> None:
    jax = pytest.importorskip("jax")
    export = pytest.importorskip("jax.export")

    def double(x: Any) -> Any:
        return x + x

    jitted = jax.jit(double)
    lowered, exported = jitted.lower(X), export.export(jitted)(X)
    module = lowered.compiler_ir()
    bytecode = io.BytesIO()
    module.operation.write_bytecode(bytecode)
    for source in (lowered, exported, module, module.operation, module.body.operations[0], lowered.compiler_ir("hlo")):
        check_doubles(source)
    np.testing.assert_array_equal(xdsl_xla.jit(exported)(X), [2, 4, 6])


def test_what_jax_export_serializes() -> None:
    jax = pytest.importorskip("jax")
    export = pytest.importorskip("jax.export")
    pytest.importorskip("flatbuffers")
    data = export.export(jax.jit(lambda x: x + x))(X).serialize()
    assert isinstance(data, bytearray)
    for source in (data, bytes(data), memoryview(data)):
        check_doubles(source)


def test_what_jax_has_that_is_no_program() -> None:
    jax = pytest.importorskip("jax")
    jitted = jax.jit(lambda x: x + x)
    for source, hint in (
        (jitted.lower(X).compile(), "XLA has compiled it; pass the lowered function"),
        (jitted.trace(X), r"pass what its lower\(\) returns"),
        (jitted, r"of a function take xdsl_xla.jit\(f\)"),
    ):
        with pytest.raises(ArgumentError, match=f"got jax.*; {hint}"):
            anything.compile(source)
    for source in (jitted.lower(X), TEXT, 3):
        with pytest.raises(ArgumentError, match=r"argument function: expected a function; a program is what"):
            anything.jit(source)
    with pytest.raises(ArgumentError, match="argument threads: expected an integer from 1 to 4096, got -1"):
        xdsl_xla.jit(lambda x: x, threads=-1)


def test_errors_name_the_line_of_python() -> None:
    jax = pytest.importorskip("jax")
    lowered = jax.jit(lambda x: jax.pure_callback(lambda y: y, x, x)).lower(X)
    with pytest.raises(xdsl_xla.XlaError, match=r"test_sources.py:\d+:\d+: "):
        xdsl_xla.compile(lowered)


@pytest.mark.parametrize(
    ("source", "came"),
    [
        (None, "NoneType None"),
        (3, "int 3"),
        ("", "str ''"),
        ("a\0b", r"str 'a\\x00b'"),
        (X, r"numpy.ndarray array\("),
        ([TEXT], r"list \["),
        (ModuleOp, "the class <class 'xdsl"),
        (len, r"builtin_function_or_method <built-in function len>; of a function take xdsl_xla.jit"),
    ],
)
def test_what_is_no_program(source: object, came: str) -> None:
    with pytest.raises(ArgumentError, match=f"^argument source: expected a path, text or bytes .*, got {came}"):
        anything.compile(source)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path, why in ((tmp_path, "directory"), (tmp_path / "absent.mlir", "No such file")):
        with pytest.raises(xdsl_xla.XlaError, match=why):
            xdsl_xla.compile(path)
    with pytest.raises(InvalidProgramError, match="<bytes>:1:1: expected an operation"):
        xdsl_xla.compile(b"")
