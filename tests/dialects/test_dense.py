"""`dialects/dense.py`: constants as bytes."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    IntegerType,
    ModuleOp,
    Signedness,
    TensorType,
    VectorType,
    f32,
    i8,
)
from xdsl_xla import compile
from xdsl_xla.dialects.dense import attribute_of_bytes, dense_attribute, dense_values, splat_attribute, splat_bytes
from xdsl_xla.frontends import xla_builder as xla
from xdsl_xla.frontends.hlo_text import parse_hlo
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module

NARROW = ("int2", "int4", "uint2", "uint4")


def all_values(name: str) -> np.ndarray:
    info = ml_dtypes.iinfo(getattr(ml_dtypes, name))
    return np.arange(int(info.min), int(info.max) + 1)


def constant_of(module: ModuleOp) -> DenseIntOrFPElementsAttr:
    (value,) = [op.properties["value"] for op in module.walk() if op.name == "stablehlo.constant"]
    assert isinstance(value, DenseIntOrFPElementsAttr)
    return value


@pytest.mark.parametrize("signedness", Signedness)
@pytest.mark.parametrize("width", range(2, 8))
def test_integers_of_less_than_a_byte_have_one_form(width: int, signedness: Signedness) -> None:
    """Whatever a writer has left in the bits above them: equal constants are equal attributes."""
    number, mask = IntegerType(width, signedness), 2**width - 1
    type = TensorType(number, (2**width,))
    values = [number.get_normalized_value(value) for value in range(*number.value_range())][: 2**width]
    packed = number.pack(values)
    assert {value & mask for value in values} == {*range(2**width)}
    for above in (0, 0xFF & ~mask, 0x55 & ~mask):
        data = bytes((value & mask) | above for value in values)
        assert attribute_of_bytes(type, data).data.data == packed


def test_bytes_are_what_they_are() -> None:
    data = bytes(range(256))
    assert attribute_of_bytes(TensorType(i8, (256,)), data).data.data == data


@pytest.mark.parametrize("name", NARROW)
def test_constants_of_the_builder(name: str) -> None:
    """NumPy's narrow integers have nothing but their own bits in a byte."""
    values = all_values(name)
    builder = xla.XlaBuilder("narrow")
    builder.constant_literal(values.astype(getattr(ml_dtypes, name)))
    assert [*dense_values(constant_of(builder.build().module))] == values.tolist()


@pytest.mark.parametrize("name", NARROW)
def test_constants_of_hlo_text(name: str) -> None:
    values, element = all_values(name), name.replace("uint", "u").replace("int", "s")
    text = f"{element}[{values.size}]{{0}} constant({{{', '.join(map(str, values))}}})"
    module = parse_hlo(f"HloModule narrow\n\nENTRY main {{\n  ROOT c = {text}\n}}\n")
    assert [*dense_values(constant_of(module))] == values.tolist()


def test_an_index_of_two_bits_below_zero() -> None:
    """It is outside, and not one of those above zero."""
    builder = xla.XlaBuilder("index")
    x = builder.parameter(0, xla.Shape.array(xla.F32, (4,)), "x")
    index = builder.constant_literal(np.array(-2, dtype=ml_dtypes.int2))
    xla.dynamic_slice(x, [index], [1])
    (result,) = compile(builder.build().module, cache=False)(np.arange(4, dtype=np.float32))
    assert result.tolist() == [0]


def test_constants_that_are_not_checked_are_the_same() -> None:
    type = VectorType(f32, [4])
    for data in (bytes(range(4)), bytes(range(16))):
        known, checked = dense_attribute(type, data), DenseIntOrFPElementsAttr(type, BytesAttr(data))
        assert known == checked and hash(known) == hash(checked) and str(known) == str(checked)


def test_splats_are_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """xDSL checks each attribute that is made, for as long as several ops take."""
    checked: list[DenseIntOrFPElementsAttr] = []

    def note(attribute: DenseIntOrFPElementsAttr) -> None:
        checked.append(attribute)

    monkeypatch.setattr(DenseIntOrFPElementsAttr, "verify", note)
    assert splat_bytes(splat_attribute(TensorType(f32, [3, 2]), bytes(4))) == bytes(4)
    assert not checked


@pytest.mark.parametrize("element", ["7.5", "0x40F00000", '"0x0000F040"', "-0.0", "0xFFC00000"])
@pytest.mark.parametrize("count", [3, 10**15])
def test_large_constants_of_one_value_are_one_element(element: str, count: int) -> None:
    """They may be larger than the memory; small ones have all elements, as xDSL reads them."""
    text = f"func.func @main() {{\n  %0 = stablehlo.constant dense<{element}> : tensor<{count}xf32>\n  return\n}}"
    value, one = (constant_of(parse_module(each)) for each in (text, text.replace(f"{count}x", "1x")))
    assert splat_bytes(value) == one.data.data
    assert len(value.data.data) == (12 if count == 3 else 4)


def test_large_constants_of_one_value_are_computed_with() -> None:
    text = """func.func @main(%x: tensor<300x400xf32>) -> (tensor<300x400xf32>, tensor<300x400xi1>) {
  %0 = stablehlo.constant dense<2.5> : tensor<300x400xf32>
  %1 = stablehlo.add %x, %0 : tensor<300x400xf32>
  %2 = stablehlo.constant dense<true> : tensor<300x400xi1>
  return %1, %2 : tensor<300x400xf32>, tensor<300x400xi1>
}"""
    x = np.arange(120000, dtype=np.float32).reshape(300, 400)
    for pipeline in ("xla-cpu", "xla-cpu-O0"):
        total, truth = compile(text, pipeline=pipeline)(x)
        np.testing.assert_array_equal(total, x + 2.5)
        assert truth.shape == (300, 400) and truth.all()
    for result, expected in zip(run(parse_module(text), "main", [x]), (x + 2.5, x == x), strict=True):
        np.testing.assert_array_equal(np.asarray(result), expected)
