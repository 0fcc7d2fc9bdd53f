"""Matrix products and convolutions."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from .harness import boolean, close, evaluate, f32, i8, i32, i64, same


def test_dot_general_example() -> None:
    text = """stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
        : (tensor<2x2x2xi64>, tensor<2x2x2xi64>) -> tensor<2x2x2xi64>"""
    lhs, rhs = i64([[1, 2], [3, 4]], [[5, 6], [7, 8]]), i64([[1, 0], [0, 1]], [[1, 0], [0, 1]])
    same(evaluate(text, lhs, rhs), lhs)


def test_dot_general_of_any_dimensions() -> None:
    rng = np.random.default_rng(0)
    lhs, rhs = rng.integers(-9, 9, (2, 3, 4, 5)), rng.integers(-9, 9, (4, 6, 2, 3))
    text = """stablehlo.dot_general %a, %b, batching_dims = [1] x [3], contracting_dims = [2, 0] x [0, 2]
        : (tensor<2x3x4x5xi64>, tensor<4x6x2x3xi64>) -> tensor<3x5x6xi64>"""
    expected = np.zeros((3, 5, 6), np.int64)
    for b, i, j, k, l in np.ndindex(3, 5, 6, 4, 2):
        expected[b, i, j] += lhs[l, b, k, i] * rhs[k, j, l, b]
    same(evaluate(text, lhs, rhs), expected)


def test_dot_general_accumulates_in_the_result_type() -> None:
    text = "stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<2xi8>, tensor<2xi8>) -> tensor<"
    same(evaluate(text + "i32>", i8(127, 127), i8(127, 127)), np.int32(32258))
    same(evaluate(text + "i8>", i8(127, 127), i8(127, 127)), np.int8(2))


def test_dot_general_of_nothing_is_zero() -> None:
    types = "(tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>"
    text = f"stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : {types}"
    same(evaluate(text, np.zeros((2, 0), np.float32), np.zeros((0, 3), np.float32)), np.zeros((2, 3), np.float32))


def test_dot_general_of_booleans() -> None:
    text = "stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<3xi1>, tensor<3xi1>) -> tensor<i1>"
    same(evaluate(text, boolean(True, True, False), boolean(True, True, True)), np.bool_(True))


def test_dot_general_of_small_floats_is_rounded_once() -> None:
    text = (
        "stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<bf16>"
    )
    values = np.array([256, 1, 1], ml_dtypes.bfloat16)
    ones = np.ones(3, ml_dtypes.bfloat16)
    same(evaluate(text, values, ones), np.array(258, ml_dtypes.bfloat16))


def test_complex_products_are_not_conjugated() -> None:
    text = "stablehlo.dot %a, %b : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<complex<f32>>"
    value = np.array([1j, 2], np.complex64)
    same(evaluate(text, value, value), np.complex64(3))


@pytest.mark.parametrize(("left", "right"), [((3,), (3,)), ((2, 3), (3,)), ((2, 3), (3, 4)), ((3,), (3, 4))])
def test_dot(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    lhs, rhs = np.arange(np.prod(left)).reshape(left), np.arange(np.prod(right)).reshape(right)
    expected = lhs @ rhs
    shapes = ["".join(f"{n}x" for n in shape) for shape in (left, right, expected.shape)]
    text = "stablehlo.dot %a, %b : (tensor<{}i64>, tensor<{}i64>) -> tensor<{}i64>".format(*shapes)
    same(evaluate(text, lhs, rhs), expected)


def test_einsum() -> None:
    text = 'stablehlo.einsum %a, %b, config = "ab,bc->ac" : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2x2xi32>'
    lhs, rhs = i32([1, 2, 3], [4, 5, 6]), i32([1, 0], [0, 1], [1, 1])
    same(evaluate(text, lhs, rhs), i32([4, 5], [10, 11]))
    text = 'stablehlo.einsum %a, %b, config = "...b,bc->...c" : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2x2xi32>'
    same(evaluate(text, lhs, rhs), i32([4, 5], [10, 11]))


def test_unary_einsum() -> None:
    value = i32([1, 2, 3], [4, 5, 6])
    text = 'stablehlo.unary_einsum %a, config = "ab->a" : (tensor<2x3xi32>) -> tensor<2xi32>'
    same(evaluate(text, value), i32(6, 15))
    text = 'stablehlo.unary_einsum %a, config = "ab->ba" : (tensor<2x3xi32>) -> tensor<3x2xi32>'
    same(evaluate(text, value), value.T)


def convolution(
    window: str, image: np.ndarray, kernel: np.ndarray, shape: str, groups: str = "", numbers: str = ""
) -> np.ndarray:
    types = ["x".join(map(str, x.shape)) for x in (image, kernel)]
    text = f"""stablehlo.convolution(%a, %b) dim_numbers = {numbers or "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"},
        window = {{{window}}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64 {groups}}}
        : (tensor<{types[0]}xi64>, tensor<{types[1]}xi64>) -> tensor<{shape}xi64>"""
    return evaluate(text, image, kernel)


IMAGE = i64([1, 2, 5, 6], [3, 4, 7, 8], [10, 11, 14, 15], [12, 13, 16, 17]).reshape(1, 4, 4, 1)


def test_convolution_example() -> None:
    window = "stride = [4, 4], lhs_dilate = [2, 2]"
    result = convolution(window, IMAGE, np.ones((3, 3, 1, 1), np.int64), "1x2x2x1")
    same(result, i64([10, 26], [46, 62]).reshape(1, 2, 2, 1))


def test_what_dilation_inserts_is_not_multiplied() -> None:
    text = """stablehlo.convolution(%a, %b) dim_numbers = [b, f, 0]x[0, i, o]->[b, f, 0],
        window = {pad = [[1, 1]], lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<1x1x3xf32>, tensor<2x1x1xf32>) -> tensor<1x1x6xf32>"""
    x, kernel = np.float32([[[1, 2, 3]]]), np.float32([[[np.inf]], [[1]]])
    # The padding in front of 1 is where an element could not be.
    expected = [1, np.inf, 2, np.inf, 3, np.inf]
    np.testing.assert_array_equal(evaluate(text, x, kernel).ravel(), expected)


def test_convolution_with_dilation_padding_and_reversal() -> None:
    kernel = i64([1, 2], [3, 4]).reshape(2, 2, 1, 1)
    window = "stride = [2, 1], pad = [[1, 0], [0, 1]], rhs_dilate = [2, 1], reverse = [true, false]"
    padded = np.zeros((5, 5), np.int64)
    padded[1:, :4] = IMAGE[0, :, :, 0]
    taps = i64([3, 4], [1, 2])
    expected = np.zeros((2, 4), np.int64)
    for i, j, k, l in np.ndindex(2, 4, 2, 2):
        expected[i, j] += padded[2 * i + 2 * k, j + l] * taps[k, l]
    same(convolution(window, IMAGE, kernel, "1x2x4x1"), expected.reshape(1, 2, 4, 1))


def grouped_convolution(image: np.ndarray, kernel: np.ndarray, groups: str, shape: str) -> np.ndarray:
    types = ["x".join(map(str, x.shape)) for x in (image, kernel)]
    text = f"""stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}} {{{groups}}}
        : (tensor<{types[0]}xi64>, tensor<{types[1]}xi64>) -> tensor<{shape}xi64>"""
    return evaluate(text, image, kernel)


def test_feature_groups_have_their_own_inputs_and_outputs() -> None:
    image = i64([1, 10], [2, 20], [3, 30]).reshape(1, 3, 2)
    kernel = i64([1, 100], [1, 100]).reshape(2, 1, 2)
    groups = "batch_group_count = 1 : i64, feature_group_count = 2 : i64"
    expected = i64([1 + 2, 100 * (10 + 20)], [2 + 3, 100 * (20 + 30)]).reshape(1, 2, 2)
    same(grouped_convolution(image, kernel, groups, "1x2x2"), expected)


def test_batch_groups_have_their_own_outputs() -> None:
    image = i64([1, 2, 3], [10, 20, 30]).reshape(2, 3, 1)
    kernel = i64([1, 100], [1, 100]).reshape(2, 1, 2)
    groups = "batch_group_count = 2 : i64, feature_group_count = 1 : i64"
    expected = i64([1 + 2, 100 * (10 + 20)], [2 + 3, 100 * (20 + 30)]).reshape(1, 2, 2)
    same(grouped_convolution(image, kernel, groups, "1x2x2"), expected)


def test_convolution_without_spatial_dimensions() -> None:
    text = """stablehlo.convolution(%a, %b) dim_numbers = [b, f]x[i, o]->[f, b], window = {}
        {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>"""
    lhs, rhs = np.arange(6).reshape(2, 3).astype(np.float32), np.arange(12).reshape(3, 4).astype(np.float32)
    close(evaluate(text, lhs, rhs), (lhs @ rhs).T)


def test_convolution_with_a_window_larger_than_the_image_is_empty() -> None:
    kernel = np.ones((5, 1, 1, 1), np.int64)
    assert convolution("", IMAGE, kernel, "1x0x4x1").shape == (1, 0, 4, 1)


def test_infinities_and_nan_in_products() -> None:
    text = "stablehlo.dot %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>"
    same(evaluate(text, f32(np.inf, 1), f32(0, 1)), np.float32(np.nan))
    same(evaluate(text, f32(np.inf, 1), f32(2, -np.inf)), np.float32(np.nan))
    same(evaluate(text, f32(3e38, 3e38), f32(1, 1)), np.float32(np.inf))
