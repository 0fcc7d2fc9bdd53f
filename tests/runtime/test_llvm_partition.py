"""Splitting LLVM IR: functions get what they need; the parts link and compute what the whole computes."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys

import pytest
from xdsl_xla.lowering.llvm_to_text.parallel_regions import PARALLEL_REGIONS
from xdsl_xla.runtime.engine import NativeCode, compile_objects, emit_object, optimize
from xdsl_xla.runtime.llvm_partition import Part, partition
from xdsl_xla.runtime.llvm_pipeline import Options, Tier, optimizer
from xdsl_xla.runtime.target_machines import target_machine

PROGRAM = """
@table = private unnamed_addr constant [2 x i64] [i64 5, i64 7], align 64
@"odd name" = internal constant i64 100
define internal i64 @"first one"(ptr noalias align 16 dereferenceable(8) %0, i64 %1) nounwind noinline {
b0:
  %2 = load i64, ptr @table
  br label %b1
b1:
  %3 = phi i64 [ 0, %b0 ], [ %4, %b1 ]
  %4 = add i64 %3, 1
  %5 = icmp slt i64 %4, %2
  br i1 %5, label %b1, label %b2
b2:
  %6 = add i64 %4, %1
  ret i64 %6
}

define internal i64 @second(i64 %x, i64 %1) nounwind noinline {
b0:
  %p = getelementptr i64, ptr @table, i64 1
  %3 = load i64, ptr %p
  %4 = load i64, ptr @"odd name"
  %5 = call i64 @"first one"(ptr @table, i64 %4)
  %6 = mul i64 %3, %5
  br label %b1
b1:
  %v = phi <2 x i64> [ zeroinitializer, %b0 ], [ %w, %b1 ]
  %w = add <2 x i64> %v, <i64 1, i64 1>
  %e = extractelement <2 x i64> %w, i64 0
  %c = icmp slt i64 %e, 8
  br i1 %c, label %b1, label %b2
b2:
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


def defined(part: Part) -> list[str]:
    return [line for line in part.text.splitlines() if line.startswith("define ")]


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_parts_compute_what_the_whole_computes(jobs: int) -> None:
    parts = partition(PROGRAM, jobs)
    assert len(parts) == 3
    objects = compile_objects(PROGRAM, jobs=jobs)
    assert len(objects) == 3
    whole = emit_object(optimize(PROGRAM))
    for code in (objects, [whole], *(compile_objects(PROGRAM, Options(level), jobs) for level in (0, 1, 3))):
        assert run(code, 0) == 7 * 105
        assert run(code, 10_000) == 10_000


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_runs_meanwhile_runs_once(jobs: int) -> None:
    runs: list[int] = []
    assert len(compile_objects(PROGRAM, jobs=jobs, meanwhile=lambda: runs.append(1))) == 3
    assert runs == [1]


FORK = f"""
import os, signal
from xdsl_xla.runtime.engine import compile_objects
program = {PROGRAM!r}
expected = compile_objects(program, jobs=2)
child = os.fork()
if child == 0:
    signal.alarm(60)
    os._exit(compile_objects(program, jobs=2) != expected)
assert os.waitpid(child, 0)[1] == 0
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_a_forked_process_has_threads_of_its_own() -> None:
    subprocess.run([sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORK], check=True)


def test_each_function_is_in_the_part_of_its_tier() -> None:
    tiers = {part.tier: defined(part) for part in partition(PROGRAM, 1)}
    assert [len(definitions) for definitions in tiers.values()] == [1, 1, 1]
    assert "@main" in tiers[Tier.PROGRAM][0]
    assert "@second" in tiers[Tier.VECTORS][0]
    assert "first one" in tiers[Tier.LOOPS][0]


LOOP = """
define internal void @loop(i64 %n) {
b0:
  br label %b1
b1:
  %i = phi i64 [ 0, %b0 ], [ %j, %b1 ]
  %j = add i64 %i, 1
  BODY
  %c = icmp slt i64 %j, %n
  br i1 %c, label %b1, label %b2HINT
b2:
  ret void
}
define internal void @inner(i64 %n) {
b0:
  ret void
}
define void @main(i64 %n) {
b0:
  call void @loop(i64 %n)
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
"""


@pytest.mark.parametrize(
    ("body", "hint", "loop", "inner"),
    [
        ("call void @inner(i64 %i)", "", Tier.LOOPS, Tier.VECTORS),
        ("call void @fork(ptr @inner, i64 %i)", "", Tier.LOOPS, Tier.PROGRAM),
        ("%v = add i64 %i, 7", "", Tier.LOOPS, Tier.PROGRAM),
        (
            "%v = add <2 x i64> splat (i64 1), splat (i64 7)\n%h = phi <1 x i64> [ %x, %b0 ]",
            "",
            Tier.TILES,
            Tier.PROGRAM,
        ),
        ("%v = add <2 x i64> splat (i64 1), splat (i64 7)", "", Tier.VECTORS, Tier.PROGRAM),
        ("%v = add <2 x i64> splat (i64 1), splat (i64 7)", ", !llvm.loop !0", Tier.LOOPS, Tier.PROGRAM),
    ],
)
def test_what_a_loop_holds_decides(body: str, hint: str, loop: Tier, inner: Tier) -> None:
    text = LOOP.replace("BODY", body).replace("HINT", hint)
    tiers = {line: part.tier for part in partition(text, 1) for line in defined(part)}
    assert [tier for line, tier in tiers.items() if "@loop(" in line] == [loop]
    assert [tier for line, tier in tiers.items() if "@inner(" in line] == [inner]
    assert [tier for line, tier in tiers.items() if "@main(" in line] == [Tier.PROGRAM]


@pytest.mark.parametrize(("brief", "tier"), [("@loop(i64 %n)", Tier.PROGRAM), ("@inner(i64 %n)", Tier.VECTORS)])
def test_what_is_soon_over_is_not_optimised_unless_a_loop_calls_it(brief: str, tier: Tier) -> None:
    text = LOOP.replace("BODY", "call void @inner(i64 %i)").replace("HINT", "")
    text = text.replace(f"define internal void {brief} {{", f"define internal void {brief} cold {{")
    assert [part.tier for part in partition(text, 1) if any(brief in line for line in defined(part))] == [tier]


def test_the_head_of_a_vector_loop_may_be_a_block_of_its_own() -> None:
    body = "br i1 true, label %body, label %b2\nbody:\n  %v = add <2 x i64> splat (i64 1), splat (i64 7)"
    text = LOOP.replace("BODY", body).replace("HINT", "").replace("[ %j, %b1 ]", "[ %j, %body ]")
    assert [part.tier for part in partition(text, 1) if "@loop(" in "".join(defined(part))] == [Tier.VECTORS]


def test_a_vector_loop_may_branch() -> None:
    vectors = "%v = add <2 x i64> splat (i64 1), splat (i64 7)"
    body = f"br i1 true, label %then, label %else\nthen:\n  {vectors}\n  br label %more\nelse:\n  br label %more\nmore:"
    text = LOOP.replace("BODY", body).replace("HINT", "").replace("[ %j, %b1 ]", "[ %j, %more ]")
    assert [part.tier for part in partition(text, 1) if "@loop(" in "".join(defined(part))] == [Tier.VECTORS]


def test_a_part_holds_only_what_it_uses() -> None:
    for part in partition(PROGRAM, 3):
        assert ("@table = private" in part.text) == (part.tier is not Tier.PROGRAM)
        assert len(defined(part)) == 1
        assert "define internal" not in part.text


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
    assert [part.text for part in partition(text, 4)] == [text]


def large_program(functions: int, blocks: int) -> str:
    """`main` calls functions that each add a number in a chain of blocks with a branch back."""
    lines: list[str] = []
    for number in range(functions):
        lines += [f"define internal i64 @f{number}(i64 %x) noinline {{", "b0:", "  br label %b1"]
        for block in range(1, blocks):
            value = "%x" if block == 1 else f"%v{block - 1}"
            lines += [f"b{block}:", f"  %v{block} = add i64 {value}, {number}"]
            lines += [f"  %c{block} = icmp eq i64 %v{block}, -1", f"  br i1 %c{block}, label %b1, label %b{block + 1}"]
        lines += [f"b{blocks}:", f"  ret i64 %v{blocks - 1}", "}", ""]
    lines += ["define i64 @main(i64 %x) {", "b0:"]
    for number in range(functions):
        source = "%x" if number == 0 else f"%r{number - 1}"
        lines.append(f"  %r{number} = call i64 @f{number}(i64 {source})")
    return "\n".join([*lines, f"  ret i64 %r{functions - 1}", "}", ""])


def test_large_programs_are_compiled_by_several_threads() -> None:
    text = large_program(functions=8, blocks=40)
    objects = compile_objects(text, jobs=3)
    assert len(objects) == 4
    assert objects == compile_objects(text, jobs=3)
    assert len(compile_objects(text, jobs=1)) == 2
    expected = 2 + 39 * sum(range(8))
    assert run(objects, 2) == run(compile_objects(text, jobs=1), 2) == expected


def test_what_runs_parallel_loops_is_compiled_once() -> None:
    program = """
define void @main(ptr %frame, ptr %task) {
b0:
  call void @xrt.fork(ptr %frame, ptr %task)
  ret void
}
"""
    *parts, shared = partition(program + PARALLEL_REGIONS, 2)
    assert shared.shared and "define hidden void @xrt.fork" in shared.text
    assert not any(part.shared or "define hidden void @xrt" in part.text for part in parts)
    assert partition(PROGRAM + PARALLEL_REGIONS, 1)[-1] == shared
    first, second = (compile_objects(program + PARALLEL_REGIONS, jobs=jobs) for jobs in (1, 2))
    assert first[-1] is second[-1]
    NativeCode(first, ["main"])


def test_what_runs_once_is_not_optimised() -> None:
    with target_machine(2) as machine:
        assert optimizer(machine, Tier.PROGRAM) is None
        assert optimizer(machine, Tier.LOOPS, Options(0)) is None
        assert optimizer(machine, Tier.VECTORS) is not None
        assert optimizer(machine, Tier.TILES) is None
    assert [Options(2).codegen_level(tier) for tier in Tier] == [0, 2, 2, 2]


@pytest.mark.parametrize(
    ("name", "steps", "tier"),
    [
        ("@main.body", 10, Tier.LOOPS),
        ("@main.body", 1100, Tier.VECTORS),
        ('@"odd name.body"', 1100, Tier.VECTORS),
        ("@kernel", 1100, Tier.LOOPS),
    ],
)
def test_a_long_program_is_spared_what_takes_the_square_of_its_length(name: str, steps: int, tier: Tier) -> None:
    step = """{after}:
  %x{n} = load float, ptr %p
  %y{n} = fadd float %x{n}, %x{n}
  store float %y{n}, ptr %p
  br i1 %c, label %{after}, label %{following}
"""
    text = f"define internal void {name}(ptr %p, i1 %c) {{\nb:\n  br label %b0\n"
    text += "".join(step.format(n=n, after=f"b{n}", following=f"b{n + 1}") for n in range(steps))
    (part,) = partition(text + f"b{steps}:\n  ret void\n}}\n", 1)
    assert part.tier is tier


@pytest.mark.parametrize(
    ("name", "loops", "tier"),
    [
        ("@main.body", 32, Tier.LOOPS),
        ("@main.body", 33, Tier.PROGRAM),
        ("@kernel", 32, Tier.LOOPS),
        ("@kernel", 33, Tier.TILES),
    ],
)
def test_many_loops_in_each_other_are_left_to_the_code_generator(name: str, loops: int, tier: Tier) -> None:
    text = f"define internal void {name}(ptr %p, i1 %c) {{\nb:\n  br label %b0\n"
    text += "".join(f"b{n}:\n  br label %b{n + 1}\n" for n in range(loops))
    text += f"b{loops}:\n  store float 1.0, ptr %p\n  br i1 %c, label %b{loops}, label %e{loops - 1}\n"
    ends = [f"e{n}:\n  br i1 %c, label %b{n}, label %{f'e{n - 1}' if n else 'b'}\n" for n in reversed(range(1, loops))]
    (part,) = partition(text + "".join(ends) + "e0:\n  ret void\n}\n", 1)
    assert part.tier is tier
