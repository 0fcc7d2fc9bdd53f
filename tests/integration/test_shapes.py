"""Every family of ops on arrays without elements, of rank 0 and 8, and with dimensions of 1, at both settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import pytest

from .programs import Line, check, line, program, tensor

Shape = tuple[int, ...]

SHAPES: list[Shape] = [(), (0,), (3, 0, 2), (1, 1, 4, 1), (2, 1, 3, 1, 2, 1, 1, 2), (1, 2, 0, 1, 1, 3, 1, 2)]

ADD = """({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  })"""


def array(values: Sequence[int]) -> str:
    elements = ", ".join(map(str, values))
    return f"array<i64: {elements}>" if values else "array<i64>"


def numbers(values: Sequence[int]) -> str:
    return f"[{', '.join(map(str, values))}]"


def elementwise(shape: Shape) -> list[Line]:
    x, n, p, z = (tensor(shape, element) for element in ("f32", "i32", "i1", "complex<f32>"))
    names = ["abs", "cosine", "exponential", "floor", "logistic", "negate", "sign", "tanh"]
    return [
        *(line(f"stablehlo.{name} %x : {x}", x) for name in names),
        *(line(f"stablehlo.{name} %x, %y : {x}", x) for name in ("add", "atan2", "divide", "maximum", "remainder")),
        *(line(f"stablehlo.{name} %n, %n : {n}", n) for name in ("and", "divide", "power", "shift_left", "xor")),
        line(f"stablehlo.not %p : {p}", p),
        line(f"stablehlo.compare LT, %x, %y : ({x}, {x}) -> {p}", p),
        line(f"stablehlo.select %p, %x, %y : {p}, {x}", x),
        line(f"stablehlo.clamp %x, %y, %x : {x}", x),
        line(f"stablehlo.convert %x : ({x}) -> {tensor(shape, 'bf16')}", tensor(shape, "bf16")),
        line(f"stablehlo.convert %n : ({n}) -> {tensor(shape, 'f8E4M3FN')}", tensor(shape, "f8E4M3FN")),
        line(f"stablehlo.bitcast_convert %x : ({x}) -> {n}", n),
        line(f"stablehlo.reduce_precision %x, format = e5m2 : {x}", x),
        line(f"stablehlo.is_finite %x : ({x}) -> {p}", p),
        line(f"stablehlo.complex %x, %y : {z}", z),
        line(f"stablehlo.bitcast_convert %x : ({x}) -> {tensor((*shape, 4), 'ui8')}", tensor((*shape, 4), "ui8")),
    ]


def movement(shape: Shape) -> list[Line]:
    x, rank = tensor(shape), len(shape)
    dims = list(range(rank))
    flat, reversed_type = tensor((prod(shape),)), tensor(shape[::-1])
    halved = tensor([-(-size // 2) for size in shape])
    padded = tensor([1 + (2 * size - 1 if size else 0) for size in shape])
    cut = tensor([max(size - 1, 0) for size in shape])
    starts, ends = numbers([0] * rank), numbers([1] * rank)
    bounds = ", ".join(f"0:{size}:2" for size in shape)
    tighter = ", ".join(f"{min(size, 1)}:{size}" for size in shape)
    minus = numbers([-min(size, 1) for size in shape])
    lines = [
        line(f"stablehlo.broadcast_in_dim %x, dims = {numbers([d + 1 for d in dims])} : ({x}) -> {tensor((2, *shape))}",
             tensor((2, *shape))),
        line(f"stablehlo.reshape %x : ({x}) -> {flat}", flat),
        line(f"stablehlo.reshape %x : ({x}) -> {tensor((1, *shape, 1))}", tensor((1, *shape, 1))),
        line(f"stablehlo.transpose %x, dims = {numbers(dims[::-1])} : ({x}) -> {reversed_type}", reversed_type),
        line(f"stablehlo.reverse %x, dims = {numbers(dims)} : {x}", x),
        line(f"stablehlo.slice %x [{bounds}] : ({x}) -> {halved}", halved),
        line(f"stablehlo.slice %x [{tighter}] : ({x}) -> {cut}", cut),
        line(f"stablehlo.pad %x, %f, low = {ends}, high = {starts}, interior = {ends} : ({x}, tensor<f32>) -> {padded}",
             padded),
        line(f"stablehlo.pad %x, %f, low = {minus}, high = {starts}, interior = {starts} : ({x}, tensor<f32>) -> {cut}",
             cut),
    ]  # fmt: skip
    for dim in dims:
        lines.append(line(f"stablehlo.iota dim = {dim} : {x}", x))
        doubled = tensor([2 * size if d == dim else size for d, size in enumerate(shape)])
        lines.append(line(f"stablehlo.concatenate %x, %y, dim = {dim} : ({x}, {x}) -> {doubled}", doubled))
    return lines


def indexing(shape: Shape) -> list[Line]:
    x, rank = tensor(shape), len(shape)
    small = [min(size, 1) for size in shape]
    part, windows, at = tensor(small), tensor((3, *small)), tensor((3, rank), "i32")
    starts = "".join(", %i" for _ in shape)
    types = ", ".join([x, *["tensor<i32>"] * rank])
    updated = ", ".join([x, part, *["tensor<i32>"] * rank])
    dims, offsets = numbers(list(range(rank))), numbers([d + 1 for d in range(rank)])
    update = f"stablehlo.slice %y [{', '.join(f'0:{size}' for size in small)}] : ({x}) -> {part}"
    scattered = f"stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> {windows}"
    scatter = f"""#stablehlo.scatter<update_window_dims = {offsets}, scatter_dims_to_operand_dims = {dims},
      index_vector_dim = 1>"""
    gather = f"#stablehlo.gather<offset_dims = {offsets}, start_index_map = {dims}, index_vector_dim = 1>"
    return [
        line(f"stablehlo.dynamic_slice %x{starts}, sizes = {numbers(small)} : ({types}) -> {part}", part),
        line(update, part),
        line(scattered, windows),
        line(f"stablehlo.dynamic_update_slice %x, %r1{starts} : ({updated}) -> {x}", x),
        line(f'"stablehlo.gather"(%x, %at) <{{dimension_numbers = {gather}, slice_sizes = {array(small)}}}> : '
             f"({x}, {at}) -> {windows}", windows),
        line(f'"stablehlo.scatter"(%x, %at, %r2) <{{scatter_dimension_numbers = {scatter}}}> {ADD} : '
             f"({x}, {at}, {windows}) -> {x}", x),
    ]  # fmt: skip


def reductions(shape: Shape) -> list[Line]:
    x, rank = tensor(shape), len(shape)
    ones, window = [1] * rank, [2] * rank
    edges = "[" + ", ".join(["[1, 0]"] * rank) + "]" if rank else ""
    attributes = f"window_dimensions = {array(window)}"
    if rank:
        attributes += f", padding = dense<{edges}> : tensor<{rank}x2xi64>"
    all_dims = list(range(rank))
    lines = [
        line(f'"stablehlo.reduce"(%x, %f) <{{dimensions = {array(dims)}}}> {ADD} : ({x}, tensor<f32>) -> {type}', type)
        for dims in (all_dims, all_dims[:1], all_dims[-1:], [])
        for type in (tensor([size for d, size in enumerate(shape) if d not in dims]),)
    ]
    lines.append(line(f'"stablehlo.reduce_window"(%x, %f) <{{{attributes}}}> {ADD} : ({x}, tensor<f32>) -> {x}', x))
    select = """({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %s : tensor<i1>
      },"""
    lines.append(
        line(f'"stablehlo.select_and_scatter"(%x, %y, %f) <{{window_dimensions = {array(ones)}}}> {select} {ADD[1:]}'
             f" : ({x}, {x}, tensor<f32>) -> {x}", x)
    )  # fmt: skip
    if rank:
        running = [*([1] * (rank - 1)), max(shape[-1], 1)]
        padding = [[0, 0]] * (rank - 1) + [[running[-1] - 1, 0]]
        lines.append(
            line(f'"stablehlo.reduce_window"(%x, %f) <{{window_dimensions = {array(running)}, padding = '
                 f"dense<{padding}> : tensor<{rank}x2xi64>}}> {ADD} : ({x}, tensor<f32>) -> {x}", x)
        )  # fmt: skip
    return lines


def sorting(shape: Shape) -> list[Line]:
    x, n = tensor(shape), tensor(shape, "i32")
    comparator = """({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
        %s = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %s : tensor<i1>
      })"""
    return [
        line(f'"stablehlo.sort"(%x, %n) <{{dimension = {dim} : i64, is_stable = true}}> {comparator} : ({x}, {n}) -> '
             f"({x}, {n})", x, n)
        for dim in {0, len(shape) - 1} if shape
    ]  # fmt: skip


def products(shape: Shape) -> list[Line]:
    x, dims = tensor(shape), list(range(len(shape)))
    outer = tensor((*shape[1:], *shape[1:]))
    lines = [line(f"stablehlo.dot_general %x, %y, contracting_dims = {numbers(dims)} x {numbers(dims)} : ({x}, {x}) -> "
                  "tensor<f32>", "tensor<f32>")]  # fmt: skip
    lines.append(
        line(f"stablehlo.dot_general %x, %y, batching_dims = {numbers(dims)} x {numbers(dims)}, contracting_dims = []"
             f" x [] : ({x}, {x}) -> {x}", x)
    )  # fmt: skip
    if shape:
        lines.append(line(f"stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : ({x}, {x}) -> {outer}", outer))
    return lines


def control_flow(shape: Shape) -> list[Line]:
    x = tensor(shape)
    body = f"""stablehlo.while(%k = %i, %v = %x) : tensor<i32>, {x}
      cond {{
        %limit = stablehlo.constant dense<3> : tensor<i32>
        %more = stablehlo.compare LT, %k, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      }} do {{
        %one = stablehlo.constant dense<1> : tensor<i32>
        %next = stablehlo.add %k, %one : tensor<i32>
        %w = stablehlo.add %v, %y : {x}
        stablehlo.return %next, %w : tensor<i32>, {x}
      }}"""
    branches = ", ".join(f"{{\n stablehlo.return {value} : {x}\n }}" for value in ("%x", "%y"))
    mapped = f"""({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.subtract %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }}) : ({x}, {x}) -> {x}"""
    return [
        line(body, "tensor<i32>", x),
        line(f'"stablehlo.if"(%flag) ({branches}) : (tensor<i1>) -> {x}', x),
        line(f'"stablehlo.case"(%i) ({branches}) : (tensor<i32>) -> {x}', x),
        line(f'"stablehlo.map"(%x, %y) <{{dimensions = {array(list(range(len(shape))))}}}> {mapped}', x),
        line(f"stablehlo.optimization_barrier %x, %y : {x}, {x}", x, x),
    ]


FAMILIES: list[Callable[[Shape], list[Line]]] = [
    elementwise,
    movement,
    indexing,
    reductions,
    sorting,
    products,
    control_flow,
]


@pytest.mark.sample(14)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_family(family: Callable[[Shape], list[Line]], shape: Shape) -> None:
    lines = family(shape)
    if not lines:
        assert shape == ()  # A sort has a dimension.
        return
    types = {"x": tensor(shape), "y": tensor(shape), "n": tensor(shape, "i32"), "p": tensor(shape, "i1")}
    types |= {"f": "tensor<f32>", "i": "tensor<i32>", "flag": "tensor<i1>", "at": tensor((3, len(shape)), "i32")}
    check(program(", ".join(f"%{name}: {type}" for name, type in types.items()), lines))


def batch_norm(batch: Shape, size: int) -> list[Line]:
    x, feature = tensor((*batch, size)), tensor((size,))
    attributes = f"epsilon = 0.001 : f32, feature_index = {len(batch)} : i64"
    return [
        line(f'"stablehlo.batch_norm_training"(%x, %v, %w) <{{{attributes}}}> : ({x}, {feature}, {feature}) -> '
             f"({x}, {feature}, {feature})", x, feature, feature),
        line(f'"stablehlo.batch_norm_inference"(%x, %v, %w, %v, %u) <{{{attributes}}}> : '
             f"({x}, {', '.join([feature] * 4)}) -> {x}", x),
        line(f'"stablehlo.batch_norm_grad"(%x, %v, %w, %u, %x) <{{{attributes}}}> : '
             f"({x}, {', '.join([feature] * 3)}, {x}) -> ({x}, {feature}, {feature})", x, feature, feature),
    ]  # fmt: skip


def linear_algebra(batch: Shape, size: int) -> list[Line]:
    a = tensor((*batch, size, size))
    rank = len(batch) + 2
    dims = numbers(list(range(rank - 2)))
    product = f"""stablehlo.dot_general %m, %m, batching_dims = {dims} x {dims}, contracting_dims = [{rank - 1}] x
      [{rank - 1}] : ({a}, {a}) -> {a}"""
    return [
        line(product, a),
        line(f"stablehlo.cholesky %r0, lower = true : {a}", a),
        line(f'"stablehlo.triangular_solve"(%r0, %m) <{{left_side = true, lower = false, transpose_a = '
             f"#stablehlo<transpose ADJOINT>, unit_diagonal = false}}> : ({a}, {a}) -> {a}", a),
    ]  # fmt: skip


def transforms(batch: Shape, size: int) -> list[Line]:
    z = tensor((*batch, size), "complex<f32>")
    half = tensor((*batch, size // 2 + 1 if size else 0), "complex<f32>")
    x = tensor((*batch, size))
    return [
        line(f"stablehlo.fft %z, type = FFT, length = [{size}] : ({z}) -> {z}", z),
        line(f"stablehlo.fft %z, type = IFFT, length = [{size}] : ({z}) -> {z}", z),
        line(f"stablehlo.fft %x, type = RFFT, length = [{size}] : ({x}) -> {half}", half),
        line(f"stablehlo.fft %r2, type = IRFFT, length = [{size}] : ({half}) -> {x}", x),
    ]


def convolutions(batch: Shape, size: int) -> list[Line]:
    """A spatial dimension for every one of `batch` and an input with `size` features."""
    spatial = len(batch)
    shape = (2, *(extent + 1 for extent in batch), size)
    lhs, rhs, out = tensor(shape), tensor((*([2] * spatial), size, 2)), tensor((2, *batch, 2))
    dims = ", ".join(map(str, range(spatial)))
    separator = ", " if spatial else ""
    labels = f"[b, {dims}{separator}f]x[{dims}{separator}i, o]->[b, {dims}{separator}f]"
    prologue = [
        line(f"stablehlo.constant dense<0.5> : {lhs}", lhs),
        line(f"stablehlo.constant dense<2.0> : {rhs}", rhs),
    ]
    op = f"""stablehlo.convolution(%r0, %r1) dim_numbers = {labels}, window = {{}} {{batch_group_count = 1 : i64,
      feature_group_count = 1 : i64}} : ({lhs}, {rhs}) -> {out}"""
    return [*prologue, line(op, out)]


def random_bits(batch: Shape, size: int) -> list[Line]:
    bits, state = tensor((*batch, size), "ui32"), "tensor<2xui64>"
    return [
        line(
            f"stablehlo.rng_bit_generator %state, algorithm = {algorithm} : ({state}) -> ({state}, {bits})", state, bits
        )
        for algorithm in ("THREE_FRY", "PHILOX")
    ]


BATCHES: list[tuple[Shape, int]] = [((), 1), ((), 0), ((0,), 2), ((1, 2, 1, 1, 1, 1), 2)]
LIBRARY: list[Callable[[Shape, int], list[Line]]] = [batch_norm, linear_algebra, transforms, convolutions, random_bits]


@pytest.mark.sample(8)
@pytest.mark.parametrize(("batch", "size"), BATCHES, ids=str)
@pytest.mark.parametrize("family", LIBRARY, ids=lambda family: family.__name__)
def test_library(family: Callable[[Shape, int], list[Line]], batch: Shape, size: int) -> None:
    types = {
        "x": tensor((*batch, size)),
        "z": tensor((*batch, size), "complex<f32>"),
        "m": tensor((*batch, size, size)),
    }
    types |= {name: tensor((size,)) for name in "vw"} | {"s": tensor((size,)), "state": "tensor<2xui64>"}
    squared = f"%u = stablehlo.multiply %s, %s : {tensor((size,))}"
    check(program(", ".join(f"%{name}: {type}" for name, type in types.items()), family(batch, size), squared))
