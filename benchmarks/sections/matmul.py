"""Matrix products on one thread: speed in GFLOP/s against XLA:CPU and NumPy."""

from __future__ import annotations

from dataclasses import dataclass

import ml_dtypes
import numpy as np

from ..agreement import difference
from ..measure import BLOCK_SECONDS, Timing, alternate
from ..peers import Native, XlaCpu
from ..suite import Draw, Program
from ..table import Column, Table, TablePrinter, Value
from .section import Result, Settings

DTYPES = {
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "i8": np.dtype(np.int8),
}
IN_BLAS = ("f32", "f64")
"""The types of which NumPy has fast products."""

LARGEST_DIFFERENCE = 0.02

TURNS_PER_BLOCK, BUDGET_SECONDS = 6, 20.0
"""Sides that are close to each other take more and shorter turns: a machine that changes its speed by a half within a
second needs dozens for a ratio to a few hundredths."""


@dataclass(frozen=True)
class Product:
    """`m x k` by `k x n`, with leading batch dimensions of the left operand alone; either operand may be transposed."""

    rows: tuple[int, ...]
    depth: int
    columns: int
    element: str = "f32"
    left_transposed: bool = False
    right_transposed: bool = False

    @property
    def name(self) -> str:
        left, right = ("x".join(map(str, shape)) for shape in self.shapes)
        marks = "T" * self.left_transposed, "T" * self.right_transposed
        return f"{self.element} {left}{marks[0]} by {right}{marks[1]}"

    @property
    def shapes(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Those of the operands in memory."""
        left = (self.depth, *self.rows) if self.left_transposed else (*self.rows, self.depth)
        right = (self.columns, self.depth) if self.right_transposed else (self.depth, self.columns)
        return left, right

    @property
    def operations(self) -> float:
        """Multiplications and additions."""
        return 2.0 * np.prod(self.rows) * self.depth * self.columns

    def program(self) -> Program:
        left, right = self.shapes
        element = "i32" if self.element == "i8" else self.element
        operands = [f"tensor<{'x'.join(map(str, shape))}x{self.element}>" for shape in self.shapes]
        result = f"tensor<{'x'.join(map(str, (*self.rows, self.columns)))}x{element}>"
        contracting = 0 if self.left_transposed else len(left) - 1, 1 if self.right_transposed else 0
        text = f"""func.func public @main(%x: {operands[0]}, %y: {operands[1]}) -> {result} {{
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [{contracting[0]}] x [{contracting[1]}]
    : ({operands[0]}, {operands[1]}) -> {result}
  return %0 : {result}
}}"""
        limits = (-128, 128) if self.element == "i8" else (-1, 1)
        generator = np.random.default_rng(0)
        inputs = tuple(Draw(shape, DTYPES[self.element], *limits).array(generator) for shape in (left, right))
        return Program(self.name, f"module @product {{\n{text}\n}}", inputs)


def square(size: int, element: str = "f32") -> Product:
    return Product((size,), size, size, element)


PRODUCTS = (
    *(square(size) for size in (64, 100, 128, 256, 512, 1000, 1024, 2048)),
    Product((4, 128), 512, 1536),
    *(square(size, "f64") for size in (64, 128, 256, 512, 1024, 2048)),
    *(square(size, "bf16") for size in (256, 1024)),
    *(square(size, "f16") for size in (256, 1024)),
    *(square(size, "i8") for size in (256, 1024)),
    Product((1024,), 1024, 1024, left_transposed=True),
    Product((1024,), 1024, 1024, right_transposed=True),
    Product((1,), 2048, 2048),
    Product((2048,), 2048, 1),
    Product((8,), 1024, 4096),
    Product((4096,), 1024, 8),
    Product((1024,), 16, 1024),
    Product((32,), 8192, 32),
    Product((4096,), 64, 64),
)
QUICK = (square(64), square(256), Product((4, 128), 512, 1536), square(256, "f64"))

COLUMNS = (
    Column("product", "product"),
    Column("ours", "ours", ".1f"),
    Column("xla", "XLA", ".1f"),
    Column("xla_speed", "ours/XLA", ".2f"),
    Column("numpy", "NumPy", ".1f"),
    Column("numpy_speed", "ours/NumPy", ".2f"),
    Column("difference", "differ", ".0e"),
)


def measure(settings: Settings) -> Result:
    """GFLOP/s of all sides. Ratios are of speeds: above 1 is faster."""
    ours, xla = Native(settings.threads), XlaCpu()
    table = Table("matmul", "Matrix products, GFLOP/s on one thread (ratios of speeds: above 1 is faster)", COLUMNS)
    printer, failures = TablePrinter(table), list[str]()
    for product in QUICK if settings.quick else PRODUCTS:
        try:
            row = _row(product, ours, xla, settings.blocks)
        except Exception as error:
            failures.append(f"{product.name}: {error}")
            printer.note(product.name, f"failed: {error}")
            continue
        printer.add(row)
        differs = row["difference"]
        if isinstance(differs, float) and not differs <= LARGEST_DIFFERENCE:
            failures.append(f"{product.name}: results differ by {differs:.1e}")
    return Result([printer.finish(_figures(table))], failures)


def _row(product: Product, ours: Native, xla: XlaCpu, blocks: int) -> dict[str, Value]:
    program = product.program()
    mine, theirs = ours.compile(program), xla.compile(program)
    differs = difference(ours.outputs(mine.run()), xla.outputs(theirs.run()))
    sides = [mine.run, theirs.run]
    if product.element in IN_BLAS:
        left, right = program.inputs
        left = left.T if product.left_transposed else left
        right = right.T if product.right_transposed else right
        sides.append(lambda: left @ right)
    turns, seconds = blocks * TURNS_PER_BLOCK, BLOCK_SECONDS / TURNS_PER_BLOCK
    own, *others = alternate(sides, turns, block_seconds=seconds, budget_seconds=BUDGET_SECONDS)
    row: dict[str, Value] = {"product": product.name, "ours": _speed(product, own), "difference": differs}
    for peer, timing in zip(("xla", "numpy"), others, strict=False):
        row |= {peer: _speed(product, timing), f"{peer}_speed": timing.ratio_to(own)}
    return row


def _speed(product: Product, timing: Timing) -> float:
    """GFLOP/s."""
    return product.operations / timing.median / 1e9


def _figures(table: Table) -> dict[str, float]:
    figures: dict[str, float] = {}
    for key, peer in (("xla_speed", "XLA"), ("numpy_speed", "NumPy")):
        if speeds := table.values(key):
            figures[f"lowest ours/{peer}"] = min(speeds)
    return figures
