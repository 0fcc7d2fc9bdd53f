"""Contractions compiled from level 2 against NumPy: layouts, edges, convolutions, element types, threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import affine
from xdsl.dialects.linalg.ops import GenericOp
from xdsl_xla.decisions.contractions import Contractions
from xdsl_xla.decisions.model import cost_model_of
from xdsl_xla.lowering.contractions.analysis import LHS, RHS
from xdsl_xla.lowering.contractions.choice import Product
from xdsl_xla.lowering.contractions.fetching import Fetch
from xdsl_xla.lowering.contractions.hoisting import Hoisting
from xdsl_xla.lowering.contractions.nest import Axis, Loops, Sums
from xdsl_xla.lowering.contractions.packing import Pack, Panels
from xdsl_xla.lowering.contractions.plan import Plan
from xdsl_xla.lowering.contractions.scheduled import plan_of_tiling
from xdsl_xla.lowering.linalg_tile_contractions import LinalgTileContractionsPass
from xdsl_xla.runtime.compiler import compile
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context

PIPELINE = (
    "linalg-outline-kernels,convert-tensor-to-memref,linalg-tile-contractions,"
    "convert-linalg-to-affine,memref-assign-arena,convert-affine-to-scf,loops-outline-parallel,"
    "convert-scf-to-cf,convert-to-llvm"
)

TYPES: dict[str, Any] = {
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
}


@dataclass(frozen=True)
class Case:
    """A generic over loops of `sizes`: index expressions of lhs, rhs and out.

    Loops that `out` lacks are reductions. `bounds`: the loops an unused third input bounds.
    """

    sizes: tuple[int, ...]
    lhs: str
    rhs: str
    out: str
    types: tuple[str, str, str] = ("f32", "f32", "f32")
    fill: float | None = 0.0
    bounds: str = ""

    @property
    def maps(self) -> tuple[str, str, str]:
        return self.lhs, self.rhs, self.out

    @property
    def dims(self) -> list[str]:
        return [f"d{i}" for i in range(len(self.sizes))]

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        grid = np.meshgrid(*[np.arange(size) for size in self.sizes], indexing="ij", sparse=True)
        names: dict[str, Any] = dict(zip(self.dims, grid, strict=True))
        return [tuple(int(np.max(eval(e, {}, names))) + 1 for e in m.split(",")) for m in self.maps]

    @property
    def out_dims(self) -> list[str]:
        return [expr.strip() for expr in self.out.split(",")]

    def tensor(self, index: int) -> str:
        shape = "x".join(str(extent) for extent in self.shapes[index])
        return f"{shape}x{self.types[index]}"

    def body(self) -> str:
        lhs, rhs, out = self.types
        lines: list[str] = []
        factors = ["%x", "%y"]
        for index, element in enumerate((lhs, rhs)):
            if element != out:
                op = "extf" if out.startswith("f") else "extsi"
                lines.append(f"%e{index} = arith.{op} {factors[index]} : {element} to {out}")
                factors[index] = f"%e{index}"
        suffix, flags = ("f", " fastmath<reassoc>") if out.startswith("f") else ("i", "")
        lines.append(f"%m = arith.mul{suffix} {factors[0]}, {factors[1]}{flags} : {out}")
        lines.append(f"%s = arith.add{suffix} %acc, %m{flags} : {out}")
        lines.append(f"linalg.yield %s : {out}")
        return "\n      ".join(lines)

    def generic(self) -> str:
        """`indexing_maps` and `iterator_types`."""
        used = (self.lhs, self.rhs, self.bounds, self.out) if self.bounds else self.maps
        maps = ", ".join(f"affine_map<({', '.join(self.dims)}) -> ({m})>" for m in used)
        kinds = ", ".join('"parallel"' if dim in self.out_dims else '"reduction"' for dim in self.dims)
        return f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}"

    def computation(self, kind: str) -> str:
        """The generic with its operands: `kind` is `tensor` or `memref`."""
        lhs, rhs, out = (f"{kind}<{self.tensor(index)}>" for index in range(3))
        inputs, types, arguments, setup = "%a, %b", f"{lhs}, {rhs}", f"%x: {self.types[0]}, %y: {self.types[1]}", ""
        if self.bounds:
            extents = "x".join(str(self.sizes[int(dim[1:])]) for dim in self.bounds.split(","))
            bounds, op = f"{kind}<{extents}xi8>", "tensor.empty" if kind == "tensor" else "memref.alloc"
            setup = f"%bounds = {op}() : {bounds}\n  "
            inputs, types, arguments = f"{inputs}, %bounds", f"{types}, {bounds}", f"{arguments}, %bound: i8"
        head, result = ("%r = ", f" -> {out}") if kind == "tensor" else ("", "")
        return f"""{setup}{head}{self.generic()} ins({inputs} : {types}) outs(%out : {out}) {{
    ^bb0({arguments}, %acc: {self.types[2]}):
      {self.body()}
  }}{result}"""

    def constant(self) -> str:
        """The value of the fill."""
        element = self.types[2]
        value = self.fill if element.startswith("f") else int(self.fill or 0)
        return f"%value = arith.constant {value} : {element}"

    def program(self) -> str:
        """A level 2 program of two inputs, or of three if the output is accumulated onto."""
        lhs, rhs, out = (f"tensor<{self.tensor(index)}>" for index in range(3))
        if self.fill is None:
            argument, init = f", %out: {out}", ""
        else:
            argument = ""
            init = f"""{self.constant()}
  %empty = tensor.empty() : {out}
  %out = linalg.fill ins(%value : {self.types[2]}) outs(%empty : {out}) -> {out}"""
        return f"""
func.func public @main(%a: {lhs}, %b: {rhs}{argument}) -> {out} {{
  {init}
  {self.computation("tensor")}
  func.return %r : {out}
}}"""

    def kernel(self) -> str:
        """The same on buffers."""
        lhs, rhs, out = (f"memref<{self.tensor(index)}>" for index in range(3))
        fill = ""
        if self.fill is not None:
            fill = f"""{self.constant()}
  linalg.fill ins(%value : {self.types[2]}) outs(%out : {out})"""
        return f"""
func.func private @kernel(%a: {lhs}, %b: {rhs}, %out: {out}) attributes {{xrt.kernel}} {{
  {fill}
  {self.computation("memref")}
  func.return
}}"""

    def inputs(self) -> list[np.ndarray]:
        generator = np.random.default_rng(0)
        arrays: list[np.ndarray] = []
        for shape, element in zip(self.shapes, self.types, strict=True):
            if element.startswith("f"):
                arrays.append(generator.standard_normal(shape).astype(TYPES[element]))
            else:
                arrays.append(generator.integers(-100, 100, shape).astype(TYPES[element]))
        return arrays if self.fill is None else arrays[:2]

    def expected(self, arrays: Sequence[np.ndarray]) -> np.ndarray:
        """The sum of products over the whole iteration space, in f64 or i64."""
        element = self.types[2]
        wide = np.float64 if element.startswith("f") else np.int64
        grid = np.meshgrid(*[np.arange(size) for size in self.sizes], indexing="ij", sparse=True)
        names: dict[str, Any] = dict(zip(self.dims, grid, strict=True))
        left, right = (
            array[tuple(eval(expr, {}, names) for expr in m.split(","))].astype(wide)
            for array, m in zip(arrays[:2], self.maps[:2], strict=True)
        )
        free = [dim for dim in self.dims if dim in self.out_dims]
        axes = tuple(i for i, dim in enumerate(self.dims) if dim not in self.out_dims)
        total = np.broadcast_to(left * right, self.sizes).sum(axis=axes)
        total = total.transpose([free.index(dim) for dim in self.out_dims])
        return total + (arrays[2] if self.fill is None else self.fill)


@pytest.fixture
def no_minimum(decide: Callable[..., object]) -> None:
    """Tiles products of any size, so that small ones can stand for large ones."""
    decide(contractions={"minimum_multiply_adds": 1, "long_sum_multiply_adds": 1})
    decide(contractions={"minimum_rows": 1})


def check(case: Case, threads: int = 1, vector_bits: int | None = None) -> None:
    executable = compile(case.program(), pipeline=PIPELINE, threads=threads, vector_bits=vector_bits)
    arrays = case.inputs()
    (actual,) = executable(*arrays)
    expected = case.expected(arrays)
    element = case.types[2]
    if element.startswith("f"):
        # A sum of n products of standard normals, each step rounded: n * eps bounds what we saw
        # by a factor of ten, and a missing product is off by about 1.
        steps = np.prod([s for s, d in zip(case.sizes, case.dims, strict=True) if d not in case.out_dims])
        tolerance = np.finfo(TYPES[element]).eps * (20 + float(steps))
        np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)
    else:
        np.testing.assert_array_equal(actual, expected.astype(TYPES[element]))


def tiled(case: Case, **options: Any) -> bool:
    module = parse_module(case.kernel())
    LinalgTileContractionsPass(**options).apply(new_context(), module)
    module.verify()
    return not any(isinstance(op, GenericOp) for op in module.walk())


def plan_of(case: Case) -> Plan:
    """What is planned for one thread of a CPU with AVX-512."""
    module = parse_module(case.kernel())
    model = cost_model_of(None, 512)
    op = next(op for op in module.walk() if isinstance(op, GenericOp))
    product = Product.of(op)
    assert product is not None
    tiling = product.tiling(model, 1, Hoisting.of(module))
    assert tiling is not None
    return plan_of_tiling(product, tiling)


LAYOUTS = {
    "NN": ("d0,d2", "d2,d1", "d0,d1"),
    "NT": ("d0,d2", "d1,d2", "d0,d1"),
    "TN": ("d2,d0", "d2,d1", "d0,d1"),
    "TT": ("d2,d0", "d1,d2", "d0,d1"),
    "out transposed": ("d0,d2", "d2,d1", "d1,d0"),
}

CONVOLUTION = ("d0,d1+d4,d2+d5,d6", "d4,d5,d6,d3", "d0,d1,d2,d3")

CASES = {
    "batched": Case((3, 20, 24, 16), "d0,d1,d3", "d0,d3,d2", "d0,d1,d2"),
    "batched, rhs transposed": Case((3, 20, 24, 16), "d0,d1,d3", "d0,d2,d3", "d0,d1,d2"),
    "two batch dimensions": Case((2, 3, 20, 24, 9), "d0,d1,d2,d4", "d0,d1,d4,d3", "d0,d1,d2,d3"),
    "batch inside": Case((20, 3, 24, 16), "d0,d1,d3", "d3,d1,d2", "d0,d1,d2"),
    "rows in two dimensions": Case((5, 7, 32, 16), "d0,d1,d3", "d3,d2", "d0,d1,d2"),
    "rows not mergeable": Case((5, 7, 32, 16), "d1,d0,d3", "d3,d2", "d0,d1,d2"),
    "columns in two dimensions": Case((30, 5, 32, 16), "d0,d3", "d1,d3,d2", "d0,d1,d2"),
    "reduction in two dimensions": Case((30, 32, 5, 16), "d0,d3,d2", "d2,d3,d1", "d0,d1"),
    "convolution": Case((2, 9, 10, 32, 3, 3, 8), *CONVOLUTION),
    "convolution, 3 channels": Case((2, 9, 10, 24, 3, 3, 3), *CONVOLUTION),
    "convolution 1x1": Case((2, 5, 7, 32, 1, 1, 16), *CONVOLUTION),
    "convolution, stride 2": Case((2, 5, 6, 32, 3, 3, 8), "d0,d1*2+d4,d2*2+d5,d6", "d4,d5,d6,d3", "d0,d1,d2,d3"),
    "convolution, dilated": Case((2, 5, 6, 32, 3, 3, 8), "d0,d1+d4*2,d2+d5*3,d6", "d4,d5,d6,d3", "d0,d1,d2,d3"),
    "convolution, reversed": Case((2, 5, 6, 32, 3, 3, 8), "d0,d1+2-d4,d2+2-d5,d6", "d4,d5,d6,d3", "d0,d1,d2,d3"),
    "convolution, reversed, gradient of the input": Case(
        (2, 9, 10, 24, 3, 3, 16),
        "d0,d1+d4,d2+d5,d6",
        "2-d4,2-d5,d3,d6",
        "d0,d1,d2,d3",
        bounds="d4,d5",
    ),
    "convolution, channels first": Case((2, 24, 6, 20, 8, 3, 3), "d0,d4,d2+d5,d3+d6", "d1,d4,d5,d6", "d0,d1,d2,d3"),
    "convolution, channels first, stride 2": Case(
        (2, 24, 6, 20, 8, 3, 3), "d0,d4,d2*2+d5,d3*2+d6", "d1,d4,d5,d6", "d0,d1,d2,d3"
    ),
    "convolution, gradient of the input": Case(
        (2, 9, 10, 24, 3, 3, 16), "d0,d1+d4,d2+d5,d6", "d4,d5,d3,d6", "d0,d1,d2,d3"
    ),
    "convolution, gradient of the weights": Case(
        (3, 3, 16, 32, 2, 10, 12), "d4,d0+d5,d1+d6,d2", "d4,d5,d6,d3", "d0,d1,d2,d3"
    ),
    "convolution, groups": Case((2, 9, 10, 2, 24, 3, 3, 8), "d0,d1+d5,d2+d6,d3,d7", "d5,d6,d7,d3,d4", "d0,d1,d2,d3,d4"),
    "one row": Case((1, 200, 300), *LAYOUTS["NN"]),
    "three columns": Case((64, 3, 64), *LAYOUTS["NN"]),
    "long reduction, cut": Case((24, 64, 6144), *LAYOUTS["NN"]),
    "long reduction, edges": Case((23, 65, 6151), *LAYOUTS["NN"]),
    "filled with one": Case((24, 48, 40), *LAYOUTS["NN"], fill=1.0),
    "accumulated": Case((24, 48, 40), *LAYOUTS["NN"], fill=None),
    "accumulated, edges": Case((23, 47, 40), *LAYOUTS["NN"], fill=None),
}

ELEMENT_TYPES = [
    ("f64", "f64", "f64"),
    ("f16", "f16", "f32"),
    ("f32", "f32", "f64"),
    ("f32", "f16", "f32"),
    ("i32", "i32", "i32"),
    ("i64", "i64", "i64"),
    ("i16", "i16", "i16"),
    ("i8", "i8", "i32"),
]


@pytest.mark.usefixtures("no_minimum")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("sizes", [(17, 33, 65), (64, 64, 64), (130, 5, 70), (9, 70, 1000)])
def test_matrix_product(layout: str, sizes: tuple[int, int, int]) -> None:
    check(Case(sizes, *LAYOUTS[layout]))


@pytest.mark.sample(20)
@pytest.mark.usefixtures("no_minimum")
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("threads", [1, 2])
def test_contraction(name: str, threads: int) -> None:
    check(CASES[name], threads)


@pytest.mark.usefixtures("no_minimum")
@pytest.mark.parametrize("types", ELEMENT_TYPES, ids="-".join)
@pytest.mark.parametrize("layout", ["NN", "NT"])
def test_element_types(types: tuple[str, str, str], layout: str) -> None:
    check(Case((19, 37, 41), *LAYOUTS[layout], types=types))


@pytest.mark.usefixtures("no_minimum")
@pytest.mark.parametrize("vector_bits", [128, 256])
@pytest.mark.parametrize("name", ["NN", "NT"])
def test_narrow_vectors(vector_bits: int, name: str) -> None:
    check(Case((19, 37, 41), *LAYOUTS[name]), vector_bits=vector_bits)


@pytest.mark.usefixtures("no_minimum")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("threads", [2, 3])
def test_threads(layout: str, threads: int) -> None:
    check(Case((130, 210, 170), *LAYOUTS[layout]), threads)


STREAMED = {
    "one tile": Case((8, 1024, 320), *LAYOUTS["NN"]),
    "edges": Case((7, 1003, 330), *LAYOUTS["NN"], fill=1.5),
    "two tiles": Case((13, 1000, 340), *LAYOUTS["NN"]),
    "one chunk": Case((13, 30000, 12), *LAYOUTS["NN"], fill=1.5),
    "two chunks": Case((8, 20000, 32), *LAYOUTS["NN"], fill=1.5),
    "left transposed": Case((6, 1100, 300), *LAYOUTS["TN"]),
    "out transposed": Case((1010, 5, 300), "d2,d0", "d1,d2", "d1,d0"),
    "batched": Case((3, 4, 300, 400), "d0,d1,d3", "d0,d3,d2", "d0,d1,d2"),
    "f64": Case((2, 600, 256), *LAYOUTS["NN"], types=("f64", "f64", "f64")),
    "f16": Case((9, 1500, 400), *LAYOUTS["NN"], types=("f16", "f16", "f32")),
    "f16 by f32": Case((4, 1500, 256), *LAYOUTS["NN"], types=("f16", "f32", "f32")),
    "i32": Case((4, 1500, 256), *LAYOUTS["NN"], types=("i32", "i32", "i32")),
}
"""Few rows, and a right operand that does not fit in the L2 cache."""


@pytest.mark.sample(8)
@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("name", STREAMED)
def test_streamed(name: str, threads: int) -> None:
    check(STREAMED[name], threads)


IN_CHUNKS = {
    "matrix product": Case((61, 130, 4096), *LAYOUTS["NN"]),
    "transposed": Case((61, 130, 4096), *LAYOUTS["TN"]),
    "both transposed, started": Case((61, 130, 4096), *LAYOUTS["TT"], fill=1.5),
    "f64": Case((61, 130, 4096), *LAYOUTS["NN"], types=("f64", "f64", "f64")),
    "f16": Case((61, 130, 4096), *LAYOUTS["NN"], types=("f16", "f16", "f32")),
    "batched": Case((3, 61, 130, 4096), "d0,d1,d3", "d0,d3,d2", "d0,d1,d2"),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("name", IN_CHUNKS)
def test_in_chunks(decide: Callable[..., object], name: str, threads: int) -> None:
    decide(contractions={"far_left_bytes": 0})
    check(IN_CHUNKS[name], threads=threads)


@pytest.mark.parametrize("name", IN_CHUNKS)
def test_is_in_chunks(decide: Callable[..., object], name: str) -> None:
    decide(contractions={"far_left_bytes": 0})
    plan = plan_of(IN_CHUNKS[name])
    assert plan.tile.sums is Sums.SCRATCH and plan.tile.filled


LEFT_IN_PANELS = {
    "transposed": Case((133, 200, 170), *LAYOUTS["TN"]),
    "both transposed": Case((133, 200, 170), *LAYOUTS["TT"]),
    "f64": Case((133, 200, 170), *LAYOUTS["TN"], types=("f64", "f64", "f64")),
    "f16": Case((260, 200, 170), *LAYOUTS["TN"], types=("f16", "f16", "f32")),
    "batched": Case((3, 133, 200, 170), "d0,d3,d1", "d0,d3,d2", "d0,d1,d2"),
    "two batches, one outside": Case((2, 133, 3, 200, 170), "d0,d4,d1", "d2,d0,d4,d3", "d0,d2,d1,d3"),
    "two reductions": Case((133, 200, 10, 20), "d2,d3,d0", "d3,d2,d1", "d0,d1"),
    "long chains": Case((133, 200, 4096), *LAYOUTS["TN"]),
    "accumulated": Case((132, 192, 4096), *LAYOUTS["TN"], fill=None),
}
"""Transposed left operands whose steps lie far apart."""


@pytest.mark.sample(8)
@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("name", LEFT_IN_PANELS)
def test_left_in_panels(name: str, threads: int) -> None:
    check(LEFT_IN_PANELS[name], threads=threads)


@pytest.mark.parametrize("name", LEFT_IN_PANELS)
def test_left_is_in_panels(name: str) -> None:
    copies = [node for node in plan_of(LEFT_IN_PANELS[name]).nest if isinstance(node, Pack) and node.side == LHS]
    assert [type(copy) for copy in copies] == [Panels]


NEXT_BLOCK = {
    "matrix product": Case((512, 510, 500), *LAYOUTS["NN"]),
    "transposed": Case((512, 510, 500), *LAYOUTS["NT"]),
    "f64": Case((1000, 512, 512), *LAYOUTS["NN"], types=("f64", "f64", "f64")),
    "batched": Case((3, 1001, 512, 512), "d0,d1,d3", "d0,d3,d2", "d0,d1,d2"),
    "rows outside": Case((16, 64, 512, 512), "d0,d3,d1", "d3,d2", "d0,d1,d2"),
    "accumulated": Case((900, 512, 8192), *LAYOUTS["NN"], fill=None),
    "chunks": Case((1300, 512, 4096), *LAYOUTS["NN"]),
    "transposed, in chunks": Case((1300, 512, 4096), *LAYOUTS["NT"]),
}
"""Right operands that are packed block by block, from beyond the L2 cache."""


@pytest.mark.parametrize("name", NEXT_BLOCK)
def test_tiles_fetch_the_next_block(name: str) -> None:
    plan = plan_of(NEXT_BLOCK[name])
    fetch = next(node for node in plan.nest if isinstance(node, Fetch))
    steps = plan.tile.reduction
    blocks = next(
        loop for node in plan.nest if isinstance(node, Loops) for loop in node.loops if loop.axis is Axis.COLUMNS
    )
    read = {
        step * steps[-1].strides[RHS] + column * blocks.dim.strides[RHS]
        for step in range(prod(dim.size for dim in steps))
        for column in range(blocks.parts.span)
    }
    line = 64 // np.dtype(TYPES[NEXT_BLOCK[name].types[1]]).itemsize
    fetched = {
        (share // fetch.pieces * fetch.rows + row) * fetch.stride + (share % fetch.pieces * fetch.lines + number) * line
        for share in range(prod(loop.count for loop in fetch.loops))
        for row in range(fetch.rows)
        for number in range(fetch.lines)
    }
    assert read <= {start + element for start in fetched for element in range(line)}
    assert fetch.rows * fetch.lines <= 2 * Contractions().most_fetched_lines


@pytest.mark.parametrize("name", STREAMED)
def test_is_streamed(name: str) -> None:
    assert plan_of(STREAMED[name]).tile.streamed_bytes


def test_small_products_are_tiled() -> None:
    assert tiled(Case((8, 8, 8), *LAYOUTS["NN"]), vector_bits=512)


@pytest.mark.usefixtures("no_minimum")
@pytest.mark.parametrize("name", sorted(CASES.keys() - {"accumulated, edges"}))
def test_is_tiled(name: str) -> None:
    assert tiled(CASES[name], vector_bits=512)


@pytest.mark.parametrize(
    "case",
    [
        Case((6, 6, 6), *LAYOUTS["NN"]),
        Case((512, 1, 512), *LAYOUTS["NN"]),
        Case((2, 64, 512), *LAYOUTS["NT"]),
        Case((8, 512, 512), *LAYOUTS["NT"]),
        # Depthwise: no operand is shared between columns.
        Case((2, 9, 10, 32, 3, 3), "d0,d1+d4,d2+d5,d3", "d4,d5,d3", "d0,d1,d2,d3"),
    ],
    ids=["tiny", "matrix times vector", "few dot products", "long dot products", "depthwise"],
)
def test_is_left(case: Case) -> None:
    assert not tiled(case, vector_bits=512)


@pytest.mark.parametrize("threads", [2, 3, 4, 8])
@pytest.mark.parametrize(
    "case",
    [
        Case((1024, 1024, 1024), *LAYOUTS["NN"]),
        Case((64, 1024, 512), *LAYOUTS["NN"]),
        Case((16, 128, 128, 64), "d0,d1,d3", "d0,d3,d2", "d0,d1,d2"),
        Case((8, 56, 56, 64, 3, 3, 64), *CONVOLUTION),
        Case((3, 3, 64, 64, 8, 32, 32), "d4,d0+d5,d1+d6,d2", "d4,d5,d6,d3", "d0,d1,d2,d3"),
    ],
    ids=["square", "few rows", "batched", "convolution", "weight gradient"],
)
def test_parallel_loops_are_even(case: Case, threads: int) -> None:
    """Static scheduling gives every thread the same number of steps, or nearly so."""
    module = parse_module(case.kernel())
    LinalgTileContractionsPass(threads=threads, vector_bits=512).apply(new_context(), module)
    loops = [op for op in module.walk() if isinstance(op, affine.ParallelOp)]
    assert loops
    for loop in loops:
        counts = loop.upperBoundsMap.data.eval([], [])
        steps = int(np.prod(counts))
        assert -(-steps // threads) * threads <= steps * 1.15


def test_code_is_small() -> None:
    """One micro-kernel, no remainder loops: what a contraction costs in compile time."""
    for case in (Case((1023, 1021, 1019), *LAYOUTS["NT"]), replace(CASES["convolution"])):
        module = parse_module(case.kernel())
        LinalgTileContractionsPass(threads=2, vector_bits=512).apply(new_context(), module)
        assert sum(1 for _ in module.walk()) < 150
