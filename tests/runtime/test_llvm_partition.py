"""Splitting LLVM IR: the parts link and compute what the whole computes."""

from __future__ import annotations

import ctypes

import pytest
from xdsl_xla.runtime.engine import NativeCode, Options, compile_objects, emit_object, optimize
from xdsl_xla.runtime.llvm_partition import Part, Tier, partition
from xdsl_xla.runtime.llvm_pipeline import optimizer

PROGRAM = """
@table = private unnamed_addr constant [2 x i64] [i64 5, i64 7], align 64
@"odd name" = internal constant i64 100
define internal i64 @"first one"(ptr noalias align 16 dereferenceable(8) %0, i64 %1) nounwind noinline {
b0:
  %2 = load i64, ptr @table
  %3 = add i64 %2, %1
  ret i64 %3
}

define internal i64 @second(i64 %x, i64 %1) nounwind noinline {
b0:
  %p = getelementptr i64, ptr @table, i64 1
  %3 = load i64, ptr %p
  %4 = load i64, ptr @"odd name"
  %5 = call i64 @"first one"(ptr @table, i64 %4)
  %6 = mul i64 %3, %5
  %7 = call i64 @llvm.smax.i64(i64 %6, i64 %x)
  ret i64 %7
}

define i64 @main(i64 %x) nounwind {
b0:
  %0 = call i64 @second(i64 %x, i64 0)
  ret i64 %0
}

declare i64 @llvm.smax.i64(i64, i64)
"""


def run(objects: list[bytes], argument: int) -> int:
    code = NativeCode(objects, ["main"])
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(code.address("main"))(argument)


@pytest.mark.parametrize("parts", [1, 2, 3, 9])
def test_parts_compute_what_the_whole_computes(parts: int) -> None:
    texts = partition(PROGRAM, parts)
    assert len(texts) == min(parts, 3)
    objects = [emit_object(optimize(text)) for text in texts]
    assert run(objects, 0) == 7 * 105
    assert run(objects, 10_000) == 10_000


def test_a_part_holds_only_what_it_uses() -> None:
    for text in partition(PROGRAM, 3):
        assert ("@table = private" in text) == ("define i64 @main" not in text)
        assert text.count("\ndefine ") == 1
        assert "define internal" not in text


@pytest.mark.parametrize(
    "text",
    [
        PROGRAM.replace("private unnamed_addr", ""),
        PROGRAM.replace("\ndefine internal i64 @second", "\n  define internal i64 @second"),
        "",
        "define void @only() {\n  ret void\n}\n",
    ],
    ids=["visible global", "indented", "empty", "one function"],
)
def test_what_cannot_be_split_stays_whole(text: str) -> None:
    assert partition(text, 4) == [text]


def large_program(functions: int, blocks: int) -> str:
    """`main` calls functions that each add a number in a chain of blocks with a conditional branch."""
    lines: list[str] = []
    for number in range(functions):
        lines += [f"define internal i64 @f{number}(i64 %x) noinline {{", "b0:", "  br label %b1"]
        for block in range(1, blocks):
            value = "%x" if block == 1 else f"%v{block - 1}"
            lines += [f"b{block}:", f"  %v{block} = add i64 {value}, {number}"]
            lines += [f"  %c{block} = icmp eq i64 %v{block}, -1", f"  br i1 %c{block}, label %end, label %b{block + 1}"]
        lines += [f"b{blocks}:", f"  ret i64 %v{blocks - 1}", "end:", "  ret i64 0", "}", ""]
    lines += ["define i64 @main(i64 %x) {", "b0:"]
    for number in range(functions):
        source = "%x" if number == 0 else f"%r{number - 1}"
        lines.append(f"  %r{number} = call i64 @f{number}(i64 {source})")
    return "\n".join([*lines, f"  ret i64 %r{functions - 1}", "}", ""])


def test_large_programs_are_compiled_by_several_threads() -> None:
    text = large_program(functions=8, blocks=40)
    assert count_blocks(text) == 8 * 42 + 1
    objects = compile_objects(text, jobs=3)
    assert len(objects) == 3
    assert objects == compile_objects(text, jobs=3)
    assert len(compile_objects(text, jobs=1)) == 1
    assert len(compile_objects(PROGRAM, jobs=3)) == 1
    expected = 2 + 39 * sum(range(8))
    assert run(objects, 2) == run(compile_objects(text, jobs=1), 2) == expected


def test_loops_are_unrolled_in_small_programs_only() -> None:
    large = large_program(functions=8, blocks=40)
    assert Options().for_text(PROGRAM).unroll
    assert not Options().for_text(large).unroll
    assert Options(opt_level=3).for_text(large).unroll
    assert not Options(opt_level=1).for_text(PROGRAM).unroll
