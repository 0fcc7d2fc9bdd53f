"""`convert-linalg-to-affine` keeps what programs compute: loops against the linalg ops they came from, interpreted."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from io import StringIO
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer
from xdsl_xla.errors import UnsupportedError
from xdsl_xla.lowering.convert_linalg_to_affine import ConvertLinalgToAffinePass

from .loop_interpreter import LoopInterpreter, parse
from .random_linalg import Program, random_generic, random_rows

Arrays = list[np.ndarray[Any, Any]]


@pytest.fixture(autouse=True)
def eager_parallelism(decide: Callable[..., object]) -> None:
    """Small programs get parallel loops too."""
    decide(parallelism={"parallel_region_bytes": 0})
    decide(parallelism={"parallel_block_elements": 4})


def lowered(text: str, threads: int = 1, vector_bits: int = 512) -> ModuleOp:
    module = parse(text)
    ConvertLinalgToAffinePass(threads=threads, vector_bits=vector_bits).apply(Context(), module)
    module.verify()
    assert not [op.name for op in module.walk() if op.name.startswith("linalg.")]
    return module


def accepted_by_mlir_opt(module: ModuleOp) -> None:
    stream = StringIO()
    Printer(stream, print_generic_format=True).print_op(module)
    command = ["mlir-opt-22", "--allow-unregistered-dialect"]
    result = subprocess.run(command, input=stream.getvalue(), capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def check(text: str, inputs: Arrays, outputs: Arrays, threads: int = 1, vector_bits: int = 512) -> ModuleOp:
    """The lowered program, which must write the same values as the original one."""
    expected = [array.copy() for array in outputs]
    LoopInterpreter(parse(text)).call("f", *inputs, *expected)
    module = lowered(text, threads, vector_bits)
    actual = [array.copy() for array in outputs]
    LoopInterpreter(module).call("f", *inputs, *actual)
    for result, reference in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(result, reference)
    return module


def integers(shape: tuple[int, ...], seed: int = 0) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(np.float32)


@pytest.mark.sample(12)
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("make", [random_generic, random_rows])
def test_random_programs(make: Callable[[random.Random], Program], seed: int) -> None:
    program = make(random.Random(seed))
    inputs = [integers(shape, seed + i) for i, shape in enumerate(program.inputs)]
    outputs = [integers(shape, seed - i - 1 + 100) for i, shape in enumerate(program.outputs)]
    check(program.text, inputs, outputs)
    module = check(program.text, inputs, outputs, threads=3, vector_bits=128)
    if seed % 6 == 0:
        accepted_by_mlir_opt(module)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    ("sizes", "left", "right", "out"),
    [
        ((11, 40), "d0, d1", "d1", "d0"),
        ((3, 7, 40), "d0, d2", "d1, d2", "d0, d1"),
        ((9, 2, 40), "d0, d2", "d1, d2", "d0, d1"),
        ((2, 10, 40), "d0, d1, d2", "d0, d2", "d0, d1"),
        ((2, 10, 3, 40), "d0, d1, d2, d3", "d2, d3", "d1, d0"),
    ],
)
def test_rows_side_by_side(
    decide: Callable[..., object], sizes: tuple[int, ...], left: str, right: str, out: str, threads: int
) -> None:
    decide(sums={"jammed_vectors": 0})
    decide(loops={"unrolled_points": 1})
    dims = [f"d{i}" for i in range(len(sizes))]
    shapes = [tuple(sizes[int(dim[1:])] for dim in access.split(", ")) for access in (left, right, out)]
    types = ["x".join(map(str, shape)) for shape in shapes]
    maps = ", ".join(f"affine_map<({', '.join(dims)}) -> ({access})>" for access in (left, right, out))
    kinds = ", ".join('"parallel"' if dim in out else '"reduction"' for dim in dims)
    a, b, c = (f"memref<{type}xf32>" for type in types)
    text = f"""
func.func @f(%a: {a}, %b: {b}, %out: {c}) {{
  linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins(%a, %b : {a}, {b}) outs(%out : {c}) {{
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }}
  return
}}
"""
    module = check(text, [integers(shapes[0], 1), integers(shapes[1], 2)], [integers(shapes[2], 3)], threads)
    carried = [len(op.results) for op in module.walk() if isinstance(op, affine.ForOp)]
    assert max(carried) > 1


@pytest.mark.parametrize("scratch", [0, 64, 1 << 20])
def test_rows_that_do_not_fit_the_stack(decide: Callable[..., object], scratch: int) -> None:
    decide(memory={"row_scratch_bytes": scratch})
    for seed in range(200, 215):
        program = random_rows(random.Random(seed))
        inputs = [integers(shape) for shape in program.inputs]
        check(program.text, inputs, [integers(shape) for shape in program.outputs], threads=2)


TRANSPOSE = """
func.func @f(%x: memref<70x130xf32>, %out: memref<130x70xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<70x130xf32>) outs(%out : memref<130x70xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_transpose_in_tiles_with_remainders(threads: int) -> None:
    module = check(TRANSPOSE, [integers((70, 130))], [integers((130, 70))], threads)
    assert "memref.alloca" not in str(module)  # what is left beside the blocks is not worth a buffer
    accepted_by_mlir_opt(module)


ALL_SUM = """
func.func @f(%x: memref<40x50xf32>, %out: memref<f32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%out : memref<f32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<40x50xf32>) outs(%out : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b FLAGS : f32
    linalg.yield %s : f32
  }
  return
}
"""


def test_sum_over_everything_is_split_for_threads_only_if_it_may_be_reordered() -> None:
    array = [integers((40, 50))]
    result = [integers(())]
    assert "affine.parallel" in str(check(ALL_SUM.replace("FLAGS", "fastmath<reassoc>"), array, result, 2))
    assert "affine.parallel" not in str(check(ALL_SUM.replace("FLAGS", ""), array, result, 2))


def test_few_channels_fill_vectors() -> None:
    text = """
func.func @f(%x: memref<40x41x3xf32>, %out: memref<3xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>],
                  iterator_types = ["reduction", "reduction", "parallel"]}
      ins(%x : memref<40x41x3xf32>) outs(%out : memref<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}
"""
    module = check(text, [integers((40, 41, 3))], [integers((3,))], vector_bits=256)
    # 4 vectors of 8 lanes of partial sums per channel.
    assert "memref<32x3xf32>" in str(module)


def test_gather_reads_through_computed_indices() -> None:
    text = """
func.func @f(%ids: memref<5xi32>, %table: memref<9x7xf32>, %out: memref<5x7xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%ids : memref<5xi32>) outs(%out : memref<5x7xf32>) {
  ^bb0(%id: i32, %b: f32):
    %row = arith.index_cast %id : i32 to index
    %column = linalg.index 1 : index
    %value = memref.load %table[%row, %column] : memref<9x7xf32>
    linalg.yield %value : f32
  }
  return
}
"""
    ids = np.array([3, 0, 8, 8, 1], np.int32)
    module = check(text, [ids, integers((9, 7))], [integers((5, 7))])
    interpreter = LoopInterpreter(module)
    interpreter.call("f", ids, integers((9, 7)), integers((5, 7)))
    assert interpreter.executed["arith.index_cast"] == 5


def test_index_of_split_and_unrolled_dimensions() -> None:
    text = """
func.func @f(%x: memref<6x4xf32>, %out: memref<24x2xf32>, %sum: memref<24xi32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 floordiv 4, d0 mod 4)>,
                                   affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<6x4xf32>) outs(%out, %sum : memref<24x2xf32>, memref<24xi32>) {
  ^bb0(%a: f32, %b: f32, %c: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    %n = arith.index_cast %s : index to i32
    %t = arith.addi %c, %n : i32
    linalg.yield %a, %t : f32, i32
  }
  return
}
"""
    for threads in (1, 2):
        check(text, [integers((6, 4))], [integers((24, 2)), np.arange(24, dtype=np.int32)], threads)


def test_dynamic_update_at_a_loaded_offset() -> None:
    text = """
func.func @f(%x: memref<2x3xf32>, %at: memref<i32>, %out: memref<6x3xf32>) {
  %0 = memref.load %at[] : memref<i32>
  %1 = arith.index_cast %0 : i32 to index
  %view = memref.subview %out[%1, 0] [2, 3] [2, 1] : memref<6x3xf32> to memref<2x3xf32, strided<[6, 1], offset: ?>>
  linalg.copy ins(%x : memref<2x3xf32>) outs(%view : memref<2x3xf32, strided<[6, 1], offset: ?>>)
  return
}
"""
    module = check(text, [integers((2, 3)), np.array(2, np.int32)], [integers((6, 3))])
    accepted_by_mlir_opt(module)


def test_offsets_that_affine_maps_may_not_use() -> None:
    text = """
func.func @f(%x: memref<4x3xf32>, %out: memref<4x5x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %view = memref.subview %out[%i, 1, 0] [1, 4, 3] [1, 1, 1]
        : memref<4x5x3xf32> to memref<4x3xf32, strided<[3, 1], offset: ?>>
    linalg.copy ins(%x : memref<4x3xf32>) outs(%view : memref<4x3xf32, strided<[3, 1], offset: ?>>)
  }
  return
}
"""
    module = check(text, [integers((4, 3))], [integers((4, 5, 3))])
    assert "memref.store" in str(module)
    accepted_by_mlir_opt(module)


def test_a_group_that_disagrees_on_its_rows_stays_separate() -> None:
    text = """
func.func @f(%x: memref<4x4xf32>, %out: memref<4x4xf32>) attributes {xrt.row_dims = 1 : i64} {
  %t = memref.alloc() : memref<4x4xf32>
  linalg.copy ins(%x : memref<4x4xf32>) outs(%t : memref<4x4xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%t : memref<4x4xf32>) outs(%out : memref<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
"""
    check(text, [integers((4, 4))], [integers((4, 4))])


def test_a_fill_that_is_read_before_the_reduction_stays() -> None:
    text = """
func.func @f(%x: memref<4x6xf32>, %copy: memref<4xf32>, %out: memref<4xf32>) {
  %two = arith.constant 2.0 : f32
  linalg.fill ins(%two : f32) outs(%out : memref<4xf32>)
  linalg.copy ins(%out : memref<4xf32>) outs(%copy : memref<4xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x6xf32>) outs(%out : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}
"""
    check(text, [integers((4, 6))], [integers((4,)), integers((4,))])


def test_statistics_per_channel_are_not_computed_in_rows_of_channels() -> None:
    text = """
func.func @f(%x: memref<40x16xf32>, %out: memref<16xf32>) attributes {xrt.row_dims = 1 : i64} {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<16xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<16xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<40x16xf32>) outs(%sum : memref<16xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]} ins(%sum : memref<16xf32>) outs(%out : memref<16xf32>) {
  ^bb0(%a: f32, %b: f32):
    %half = arith.constant 0.5 : f32
    %s = arith.mulf %a, %half : f32
    linalg.yield %s : f32
  }
  return
}
"""
    module = check(text, [integers((40, 16))], [integers((16,))])
    loops = [op for op in module.walk() if isinstance(op, affine.ForOp)]
    innermost = [loop for loop in loops if not any(isinstance(op, affine.ForOp) for op in loop.body.walk())]
    assert all(not loop.results for loop in innermost), "a strided reduction is innermost"


def test_zeros_of_both_signs_stay_apart() -> None:
    text = """
func.func @f(%out: memref<2x3xf32>, %other: memref<2x3xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<2x3xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      outs(%other : memref<2x3xf32>) {
  ^bb0(%b: f32):
    %negative = arith.constant -0.0 : f32
    linalg.yield %negative : f32
  }
  return
}
"""
    outputs = [integers((2, 3)), integers((2, 3))]
    LoopInterpreter(lowered(text)).call("f", *outputs)
    assert not np.signbit(outputs[0]).any()
    assert np.signbit(outputs[1]).all()


def test_tensors_are_refused() -> None:
    text = """
func.func @f(%x: tensor<4xf32>) {
  %0 = linalg.copy ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}
"""
    with pytest.raises(UnsupportedError, match=r"linalg\.copy on tensors"):
        lowered(text)
