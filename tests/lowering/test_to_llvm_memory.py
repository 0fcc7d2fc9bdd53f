"""`memref`, `vector`, `cf`, `func` and `xrt` through LLVM."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from xdsl.dialects import llvm
from xdsl_xla.decisions.cost_model import PARTS_PER_THREAD
from xdsl_xla.errors import UnsupportedError
from xdsl_xla.lowering.llvm_to_text import emit
from xdsl_xla.lowering.to_llvm.module_tables import collect_large_constants
from xdsl_xla.runtime.threads import openmp

from .llvm_harness import entry, lower, run

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def test_strides_and_known_indices():
    body = """
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %i = memref.load %where[] : memref<index>
      %j = arith.addi %i, %c1 : index
      %a = memref.load %x[%c1, %c2, %i] : memref<2x3x4xf32>
      %b = memref.load %x[%i, %j, %c2] : memref<2x3x4xf32>
      memref.store %a, %out[%c0] : memref<2xf32>
      memref.store %b, %out[%c1] : memref<2xf32>
    """
    text = entry("%x: memref<2x3x4xf32>, %where: memref<index>, %out: memref<2xf32>", 2, 1, body)
    out = np.zeros(2, np.float32)
    run(text, [X, np.array(1)], [out])
    np.testing.assert_array_equal(out, [X[1, 2, 1], X[1, 2, 2]])


def test_negative_offsets_of_sums():
    body = """
      %minus = arith.constant -3 : index
      %two = arith.constant 2 : index
      %i = memref.load %where[] : memref<index>
      %j = arith.addi %i, %minus : index
      %k = arith.addi %two, %j : index
      %a = memref.load %x[%k, %j] : memref<4x5xf32>
      memref.store %a, %out[] : memref<f32>
    """
    x = np.arange(20, dtype=np.float32).reshape(4, 5)
    out = np.zeros((), np.float32)
    text = entry("%x: memref<4x5xf32>, %where: memref<index>, %out: memref<f32>", 2, 1, body)
    run(text, [x, np.array(4)], [out])
    assert out == x[3, 1]


def test_views_of_the_arena_and_copies():
    body = """
      %offset = arith.constant 64 : index
      %t = memref.view %arena[%offset][] : memref<256xi8> to memref<2x3x4xf32>
      "memref.copy"(%x, %t) : (memref<2x3x4xf32>, memref<2x3x4xf32>) -> ()
      %flat = memref.collapse_shape %t [[0, 1, 2]] : memref<2x3x4xf32> into memref<24xf32>
      %back = memref.expand_shape %flat [[0, 1]] output_shape [4, 6]
        : memref<24xf32> into memref<4x6xf32>
      %c1 = arith.constant 1 : index
      %v = memref.load %back[%c1, %c1] : memref<4x6xf32>
      %n = memref.dim %back, %c1 : memref<4x6xf32>
      %w = arith.index_cast %n : index to i32
      %f = arith.sitofp %w : i32 to f32
      %s = arith.addf %v, %f : f32
      "memref.copy"(%flat, %out) : (memref<24xf32>, memref<24xf32>) -> ()
      memref.store %s, %out[%c1] : memref<24xf32>
    """
    text = entry("%x: memref<2x3x4xf32>, %out: memref<24xf32>, %arena: memref<256xi8>", 1, 1, body)
    out = np.zeros(24, np.float32)
    run(text, [X], [out], arena_bytes=256)
    expected = X.reshape(-1).copy()
    expected[1] = X.reshape(4, 6)[1, 1] + 6
    np.testing.assert_array_equal(out, expected)


def test_reinterpret_cast_and_subview():
    body = """
      %c1 = arith.constant 1 : index
      %i = memref.load %where[] : memref<index>
      %tail = memref.reinterpret_cast %x to offset: [4], sizes: [5, 4], strides: [4, 1]
        : memref<2x3x4xf32> to memref<5x4xf32, strided<[4, 1], offset: 4>>
      %a = memref.load %tail[%i, %c1] : memref<5x4xf32, strided<[4, 1], offset: 4>>
      %part = memref.subview %x[0, %i, 2] [2, 1, 2] [1, 1, 1]
        : memref<2x3x4xf32> to memref<2x1x2xf32, strided<[12, 4, 1], offset: ?>>
      %c0 = arith.constant 0 : index
      %b = memref.load %part[%c1, %c0, %c1]
        : memref<2x1x2xf32, strided<[12, 4, 1], offset: ?>>
      memref.store %a, %out[%c0] : memref<2xf32>
      memref.store %b, %out[%c1] : memref<2xf32>
    """
    text = entry("%x: memref<2x3x4xf32>, %where: memref<index>, %out: memref<2xf32>", 2, 1, body)
    out = np.zeros(2, np.float32)
    run(text, [X, np.array(2)], [out])
    np.testing.assert_array_equal(out, [X.reshape(6, 4)[3, 1], X[1, 2, 3]])


def test_stack_memory_in_a_loop_and_small_integers():
    body = """
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %end = arith.constant 1000000 : index
      cf.br ^head(%c0 : index)
    ^head(%i: index):
      %buffer = memref.alloca() : memref<64xi4>
      %more = arith.cmpi slt, %i, %end : index
      cf.cond_br %more, ^loop, ^done
    ^loop:
      %narrow = arith.index_cast %i : index to i4
      memref.store %narrow, %buffer[%c1] : memref<64xi4>
      %v = memref.load %buffer[%c1] : memref<64xi4>
      %w = arith.extui %v : i4 to i32
      memref.store %w, %out[] : memref<i32>
      %next = arith.addi %i, %c1 : index
      cf.br ^head(%next : index)
    ^done:
    """
    out = np.zeros((), np.int32)
    # A stack slot for each of a million iterations would overflow the stack.
    run(entry("%out: memref<i32>", 0, 1, body), [], [out], opt_level=0)
    assert out == 999_999 % 16


def test_constants_in_code_and_in_the_table():
    others = """
    "memref.global"() <{sym_name = "small", sym_visibility = "private", type = memref<2x2xi1>,
      initial_value = dense<[[true, false], [true, true]]> : tensor<2x2xi1>, constant}> : () -> ()
    "memref.global"() <{sym_name = "large", sym_visibility = "private", type = memref<300xf32>,
      initial_value = dense<2.5> : tensor<300xf32>, constant}> : () -> ()
    "memref.global"() <{sym_name = "flags", sym_visibility = "private", type = memref<1025xi1>,
      initial_value = dense<true> : tensor<1025xi1>, constant}> : () -> ()
    func.func private @read(%out: memref<3xf32>) {
      %small = memref.get_global @small : memref<2x2xi1>
      %large = memref.get_global @large : memref<300xf32>
      %flags = memref.get_global @flags : memref<1025xi1>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %a = memref.load %small[%c0, %c1] : memref<2x2xi1>
      %b = memref.load %large[%c2] : memref<300xf32>
      %c = memref.load %flags[%c2] : memref<1025xi1>
      %x = arith.uitofp %a : i1 to f32
      %y = arith.uitofp %c : i1 to f32
      memref.store %x, %out[%c0] : memref<3xf32>
      memref.store %b, %out[%c1] : memref<3xf32>
      memref.store %y, %out[%c2] : memref<3xf32>
      func.return
    }
    """
    body = "func.call @read(%out) : (memref<3xf32>) -> ()"
    text = entry("%out: memref<3xf32>", 0, 1, body, others)
    out = np.zeros(3, np.float32)
    run(text, [], [out])
    np.testing.assert_array_equal(out, [0, 2.5, 1])
    constants = collect_large_constants(lower(text))
    assert constants == [np.full(300, 2.5, np.float32).tobytes(), b"\x01" * 1025]


VECTOR_ARGUMENTS = "%x: memref<3x20xf32>, %n: memref<index>, %out: memref<16xf32>"
V = np.arange(60, dtype=np.float32).reshape(3, 20)
LANES = np.arange(16)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("%r = vector.load %x[%c1, %c2] : memref<3x20xf32>, vector<16xf32>", V[1, 2:18]),
        (
            "%s = arith.constant 3.0 : f32\n%r = vector.broadcast %s : f32 to vector<16xf32>",
            np.full(16, 3),
        ),
        (
            "%v = vector.load %x[%c1, %c2] : memref<3x20xf32>, vector<16xf32>\n"
            "%r = vector.fma %v, %v, %v : vector<16xf32>",
            V[1, 2:18] * V[1, 2:18] + V[1, 2:18],
        ),
        (
            "%v = vector.load %x[%c1, %c2] : memref<3x20xf32>, vector<16xf32>\n%r = arith.addf %v, %v : vector<16xf32>",
            2 * V[1, 2:18],
        ),
        (
            "%v = vector.load %x[%c1, %c2] : memref<3x20xf32>, vector<16xf32>\n"
            "%e = vector.extract %v[3] : f32 from vector<16xf32>\n"
            "%r = vector.insert %e, %v[0] : f32 into vector<16xf32>",
            np.where(LANES == 0, V[1, 5], V[1, 2:18]),
        ),
        (
            "%v = vector.load %x[%c1, %c2] : memref<3x20xf32>, vector<16xf32>\n"
            "%e = vector.extract %v[%k] : f32 from vector<16xf32>\n"
            "%r = vector.broadcast %e : f32 to vector<16xf32>",
            np.full(16, V[1, 7]),
        ),
        (
            "%m = vector.create_mask %k : vector<16xi1>\n"
            "%p = arith.constant dense<-1.0> : vector<16xf32>\n"
            "%r = vector.maskedload %x[%c2, %k], %m, %p"
            " : memref<3x20xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>",
            np.where(LANES < 5, np.resize(V[2, 5:], 16), -1),
        ),
        (
            "%m = vector.create_mask %c2 : vector<16xi1>\n"
            "%v = arith.constant dense<7.0> : vector<16xf32>\n"
            "vector.maskedstore %x[%c1, %c2], %m, %v"
            " : memref<3x20xf32>, vector<16xi1>, vector<16xf32>\n"
            "%r = vector.load %x[%c1, %c2] : memref<3x20xf32>, vector<16xf32>",
            np.where(LANES < 2, 7, V[1, 2:18]),
        ),
        (
            "%v = vector.load %x[%c1, %c2] : memref<3x20xf32>, vector<16xf32>\n"
            "%b = vector.bitcast %v : vector<16xf32> to vector<16xi32>\n"
            "%c = arith.addi %b, %b : vector<16xi32>\n"
            "%d = arith.subi %c, %b : vector<16xi32>\n"
            "%r = vector.bitcast %d : vector<16xi32> to vector<16xf32>",
            V[1, 2:18],
        ),
    ],
)
def test_vectors(body: str, expected):
    text = entry(
        VECTOR_ARGUMENTS,
        2,
        1,
        f"""
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %k = memref.load %n[] : memref<index>
        {body}
        vector.store %r, %out[%c0] : memref<16xf32>, vector<16xf32>
        """,
    )
    out = np.zeros(16, np.float32)
    run(text, [V.copy(), np.array(5)], [out])
    np.testing.assert_array_equal(out, expected)


def test_shuffles_of_unequal_lengths():
    body = """
      %c0 = arith.constant 0 : index
      %a = vector.load %x[%c0] : memref<8xf32>, vector<2xf32>
      %b = vector.load %x[%c0] : memref<8xf32>, vector<4xf32>
      %s = "vector.shuffle"(%a, %b) <{mask = array<i64: 1, 4, 0, 5, 2, 3, 0, 1>}>
        : (vector<2xf32>, vector<4xf32>) -> vector<8xf32>
      vector.store %s, %out[%c0] : memref<8xf32>, vector<8xf32>
    """
    x = np.arange(8, dtype=np.float32)
    out = np.zeros(8, np.float32)
    run(entry("%x: memref<8xf32>, %out: memref<8xf32>", 1, 1, body), [x], [out])
    joined = np.concatenate([x[:2], x[:4]])
    np.testing.assert_array_equal(out, joined[[1, 4, 0, 5, 2, 3, 0, 1]])


@pytest.mark.parametrize("lanes", [4, 8])
def test_boolean_vectors_in_memory(lanes: int):
    body = f"""
      %c0 = arith.constant 0 : index
      %a = vector.load %x[%c0] : memref<{lanes}xi1>, vector<{lanes}xi1>
      %b = vector.load %y[%c0] : memref<{lanes}xi1>, vector<{lanes}xi1>
      %r = arith.andi %a, %b : vector<{lanes}xi1>
      vector.store %r, %out[%c0] : memref<{lanes}xi1>, vector<{lanes}xi1>
    """
    arguments = ", ".join(f"%{name}: memref<{lanes}xi1>" for name in ("x", "y", "out"))
    x, y = np.arange(lanes) % 2 == 0, np.arange(lanes) % 3 == 0
    out = np.zeros(lanes, np.bool_)
    run(entry(arguments, 2, 1, body), [x, y], [out])
    np.testing.assert_array_equal(out, x & y)


@pytest.mark.parametrize(
    ("kind", "type", "dtype", "reference"),
    [
        ("add", "f32", np.float32, np.sum),
        ("mul", "f32", np.float32, np.prod),
        ("maximumf", "f32", np.float32, np.max),
        ("minnumf", "f32", np.float32, np.min),
        ("add", "i32", np.int32, np.sum),
        ("mul", "i32", np.int32, np.prod),
        ("xor", "i32", np.int32, np.bitwise_xor.reduce),
        ("maxsi", "i32", np.int32, np.max),
        ("minui", "i32", np.int32, np.min),
    ],
)
@pytest.mark.parametrize("accumulate", [False, True])
def test_reductions(kind: str, type: str, dtype: object, reference: Callable[[np.ndarray], object], accumulate: bool):
    comma = ", %acc" if accumulate else ""
    body = f"""
      %c0 = arith.constant 0 : index
      %v = vector.load %x[%c0] : memref<9x{type}>, vector<8x{type}>
      %c8 = arith.constant 8 : index
      %acc = memref.load %x[%c8] : memref<9x{type}>
      %r = vector.reduction <{kind}>, %v{comma} : vector<8x{type}> into {type}
      memref.store %r, %out[] : memref<{type}>
    """
    x = np.array([3, 1, 2, 5, 1, 2, 4, 2, 7], dtype)
    out = np.zeros((), dtype)
    run(entry(f"%x: memref<9x{type}>, %out: memref<{type}>", 1, 1, body), [x], [out])
    assert out == reference(x if accumulate else x[:8])


def test_blocks_in_any_order_and_branches_with_two_ways_to_one_block():
    body = """
      %v = memref.load %x[] : memref<i32>
      %one = arith.constant 1 : i32
      %five = arith.constant 5 : i32
      cf.br ^second
    ^last(%r: i32):
      memref.store %r, %out[] : memref<i32>
      cf.br ^end
    ^third:
      cf.cond_br %c, ^last(%s : i32), ^last(%five : i32)
    ^second:
      %s = arith.addi %v, %one : i32
      %c = arith.cmpi slt, %v, %five : i32
      cf.br ^third
    ^unreachable:
      cf.br ^last(%s : i32)
    ^end:
    """
    text = entry("%x: memref<i32>, %out: memref<i32>", 1, 1, body)
    for value, expected in ((1, 2), (9, 5)):
        out = np.zeros((), np.int32)
        run(text, [np.array(value, np.int32)], [out])
        assert out == expected


@pytest.mark.parametrize("flag", [0, 1, 7])
def test_switch(flag: int):
    body = """
      %i = memref.load %x[] : memref<index>
      %a = arith.constant 10 : i32
      %b = arith.constant 20 : i32
      cf.switch %i : index, [
        default: ^done(%a : i32),
        0: ^done(%b : i32),
        1: ^other
      ]
    ^other:
      %c = arith.constant 30 : i32
      cf.br ^done(%c : i32)
    ^done(%r: i32):
      memref.store %r, %out[] : memref<i32>
    """
    out = np.zeros((), np.int32)
    run(entry("%x: memref<index>, %out: memref<i32>", 1, 1, body), [np.array(flag)], [out])
    assert out == {0: 20, 1: 30}.get(flag, 10)


def test_functions_with_several_results():
    others = """
    func.func private @both(%a: i32, %b: f32) -> (f32, i32, index) {
      %n = arith.index_cast %a : i32 to index
      func.return %b, %a, %n : f32, i32, index
    }
    func.func private @one(%a: i32) -> i32 {
      %r = arith.addi %a, %a : i32
      func.return %r : i32
    }
    """
    body = """
      %a = arith.constant 21 : i32
      %b = arith.constant 0.5 : f32
      %d = func.call @one(%a) : (i32) -> i32
      %x, %y, %z = func.call @both(%d, %b) : (i32, f32) -> (f32, i32, index)
      %s = arith.sitofp %y : i32 to f32
      %r = arith.addf %x, %s : f32
      memref.store %r, %out[] : memref<f32>
    """
    out = np.zeros((), np.float32)
    run(entry("%out: memref<f32>", 0, 1, body, others), [], [out])
    assert out == 42.5


PARALLEL = """
    func.func private @fill(%out: memref<4x{n}xi64>, %scale: i64, %lo: index, %hi: index, %t: index) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %one = arith.constant 1 : i64
      cf.br ^head(%lo : index)
    ^head(%i: index):
      %more = arith.cmpi slt, %i, %hi : index
      cf.cond_br %more, ^loop, ^done
    ^loop:
      %v = arith.index_cast %i : index to i64
      %w = arith.muli %v, %scale : i64
      memref.store %w, %out[%c0, %i] : memref<4x{n}xi64>
      %thread = arith.index_cast %t : index to i64
      memref.store %thread, %out[%c1, %i] : memref<4x{n}xi64>
      %number = xrt.thread_id : index
      %same = arith.index_cast %number : index to i64
      memref.store %same, %out[%c2, %i] : memref<4x{n}xi64>
      %count = memref.load %out[%c3, %i] : memref<4x{n}xi64>
      %more_count = arith.addi %count, %one : i64
      memref.store %more_count, %out[%c3, %i] : memref<4x{n}xi64>
      %next = arith.addi %i, %c1 : index
      cf.br ^head(%next : index)
    ^done:
      func.return
    }}
    func.func private @kernel(%out: memref<4x{n}xi64>) attributes {{xrt.kernel}} {{
      %scale = arith.constant 3 : i64
      xrt.parallel @fill(%out, %scale) range {n} : memref<4x{n}xi64>, i64
      func.return
    }}
"""


@pytest.mark.parametrize("length", [0, 1, 2, 3, 1000])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_parallel_ranges_partition_the_trip_count(threads: int, length: int):
    assert threads == 1 or openmp() is not None
    text = entry(
        f"%out: memref<4x{length}xi64>",
        0,
        1,
        f"func.call @kernel(%out) : (memref<4x{length}xi64>) -> ()",
        PARALLEL.format(n=length),
    )
    out = np.zeros((4, length), np.int64)
    run(text, [], [out], threads=threads)
    scaled, thread, number, visits = out
    np.testing.assert_array_equal(scaled, 3 * np.arange(length))
    np.testing.assert_array_equal(visits, np.ones(length))
    np.testing.assert_array_equal(number, thread)
    assert not length or (thread.min() >= 0 and thread.max() < threads)
    parts = PARTS_PER_THREAD * threads if threads > 1 else 1
    for part in range(parts):
        assert len(set(thread[part * length // parts : (part + 1) * length // parts])) <= 1


def test_parameters_that_share_a_buffer_are_not_noalias():
    others = """
    func.func private @kernel(%a: memref<4xf32>, %b: memref<2x2xf32>, %out: memref<4xf32>) {
      func.return
    }
    """
    body = """
      %b = memref.expand_shape %a [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
      func.call @kernel(%a, %b, %out) : (memref<4xf32>, memref<2x2xf32>, memref<4xf32>) -> ()
    """
    text = emit(lower(entry("%a: memref<4xf32>, %out: memref<4xf32>", 1, 1, body, others)))
    (signature,) = re.findall(r"@kernel\((ptr .*)\) nounwind", text)
    assert ["noalias" in parameter for parameter in signature.split(", ")] == [False, False, True]


def test_context_goes_only_where_it_is_needed():
    text = entry(
        "%out: memref<4x8xi64>",
        0,
        1,
        "func.call @kernel(%out) : (memref<4x8xi64>) -> ()\nfunc.call @leaf() : () -> ()",
        PARALLEL.format(n=8) + "func.func private @leaf() {\nfunc.return\n}",
    )
    functions = {
        op.sym_name.data: len(op.function_type.inputs)
        for op in lower(text).body.block.ops
        if isinstance(op, llvm.FuncOp)
    }
    assert functions["kernel"] == 2
    assert functions["leaf"] == 0
    assert functions["fill"] == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            entry("%x: memref<4xf32>", 0, 1, "%a = memref.alloc() : memref<4xf32>"),
            "memref.alloc .* in @main.body",
        ),
        (entry("%x: memref<4xf32>", 1, 1, ""), "expected 1 inputs, 1 outputs"),
        (
            entry("%x: memref<f32>", 0, 1, "%a = memref.load %x[] : memref<f32>\n%b = math.erf %a : f32"),
            "math.erf",
        ),
        (entry("%x: memref<?xf32>", 0, 1, ""), "static shape"),
    ],
)
def test_what_cannot_be_converted_is_named(text: str, message: str):
    with pytest.raises(UnsupportedError, match=message):
        lower(text)


def test_thread_number_does_not_reach_functions_called_by_a_loop():
    others = """
    func.func private @leaf() {
      %t = xrt.thread_id : index
      func.return
    }
    func.func private @loop(%lo: index, %hi: index, %thread: index) {
      func.call @leaf() : () -> ()
      func.return
    }
    """
    text = entry("", 0, 0, "xrt.parallel @loop() range 8", others)
    with pytest.raises(UnsupportedError, match=r"xrt.thread_id .* in @leaf: called by a parallel loop"):
        lower(text)


def test_captures_that_share_a_buffer_are_not_noalias():
    others = """
    func.func private @loop(
        %a: memref<4xf32>, %b: memref<2x2xf32>, %lo: index, %hi: index, %thread: index) {
      func.return
    }
    """
    body = """
      %b = memref.expand_shape %a [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
      xrt.parallel @loop(%a, %b) range 4 : memref<4xf32>, memref<2x2xf32>
    """
    text = emit(lower(entry("%a: memref<4xf32>", 0, 1, body, others)))
    (signature,) = re.findall(r"@loop\((ptr .*)\) nounwind", text)
    assert "noalias" not in signature
