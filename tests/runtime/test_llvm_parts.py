"""Modules as several texts of LLVM IR: the parts link and compute what the whole computes; large ones are split."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla.decisions.linking import LIBRARIES
from xdsl_xla.decisions.llvm import LlvmTiers
from xdsl_xla.dialects.llvm_parts import Part, Tier
from xdsl_xla.lowering.llvm_to_text import emit
from xdsl_xla.lowering.llvm_to_text.parts import emit_parts
from xdsl_xla.lowering.llvm_to_text.support_functions import PARALLEL_REGIONS
from xdsl_xla.lowering.to_llvm import context_layout as slots
from xdsl_xla.runtime.engine import CompiledPart, NativeCode, compile_objects, emit_object, optimize
from xdsl_xla.runtime.llvm_pipeline import Options, optimizer
from xdsl_xla.runtime.llvm_workers import workers
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.runtime.target_machines import target_machine

PROGRAM = """
llvm.mlir.global private constant @table(dense<[5, 7]> : tensor<2xi64>) {alignment = 64 : i64} : !llvm.array<2 x i64>
llvm.mlir.global internal constant @"odd name"(100 : i64) : i64
llvm.func internal @"first one"(%p: !llvm.ptr {llvm.noalias, llvm.dereferenceable = 8 : i64}, %x: i64) -> i64
    attributes {xrt.tier = "loops", no_unwind, no_inline} {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %table = llvm.mlir.addressof @table : !llvm.ptr
  %bound = llvm.load %table : !llvm.ptr -> i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %bound : i64
  llvm.cond_br %more, ^loop(%next : i64), ^end
^end:
  %sum = llvm.add %next, %x : i64
  llvm.return %sum : i64
}
llvm.func internal @second(%x: i64, %y: i64) -> i64 attributes {xrt.tier = "vectors", no_unwind, no_inline} {
  %one = llvm.mlir.constant(1) : i64
  %table = llvm.mlir.addressof @table : !llvm.ptr
  %at = llvm.getelementptr %table[%one] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %factor = llvm.load %at : !llvm.ptr -> i64
  %odd = llvm.mlir.addressof @"odd name" : !llvm.ptr
  %hundred = llvm.load %odd : !llvm.ptr -> i64
  %first = llvm.call @"first one"(%table, %hundred) : (!llvm.ptr, i64) -> i64
  %product = llvm.mul %factor, %first : i64
  %result = llvm.call_intrinsic "llvm.smax.i64"(%product, %x) : (i64, i64) -> i64
  llvm.return %result : i64
}
llvm.func @main(%x: i64) -> i64 attributes {xrt.tier = "program", no_unwind} {
  %zero = llvm.mlir.constant(0) : i64
  %result = llvm.call @second(%x, %zero) : (i64, i64) -> i64
  llvm.return %result : i64
}
"""


def read(text: str) -> ModuleOp:
    return parse_module(text, "<text>", new_context())


def parts_of(text: str, jobs: int = 1, lines_ahead: int = 1000) -> list[Part]:
    return list(emit_parts(read(text), jobs, LlvmTiers(lines_ahead=lines_ahead, first_lines_ahead=lines_ahead)))


def run(objects: list[bytes], argument: int) -> int:
    code = NativeCode(objects, ["main"])
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(code.address("main"))(argument)


def defined(part: Part) -> list[str]:
    return [line for line in part.text.splitlines() if line.startswith("define ")]


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_parts_compute_what_the_whole_computes(jobs: int) -> None:
    parts = parts_of(PROGRAM, jobs)
    assert len(parts) == 3
    objects = compile_objects(parts, jobs=jobs)
    assert len(objects) == 3
    whole, linked = (emit_object(optimize(each)) for each in ([Part(emit(read(PROGRAM)))], parts))
    for code in (objects, [whole], [linked], *(compile_objects(parts, Options(level), jobs) for level in (0, 1, 3))):
        assert run(code, 0) == 7 * 105
        assert run(code, 10_000) == 10_000


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_runs_meanwhile_runs_once(jobs: int) -> None:
    runs: list[int] = []
    made: list[Part] = []

    def parts() -> Iterator[Part]:
        for part in parts_of(PROGRAM):
            yield part
            made.append(part)

    assert len(compile_objects(parts(), jobs=jobs, meanwhile=lambda: runs.append(len(made)))) == 3
    assert runs == [3]  # when all parts are made: it may destroy the module


FORK = """
import os, signal, sys
from xdsl_xla.dialects.llvm_parts import Part, Tier
from xdsl_xla.runtime.engine import compile_objects
parts = eval(sys.argv[1])
expected = compile_objects(parts, jobs=2)
child = os.fork()
if child == 0:
    signal.alarm(60)
    os._exit(compile_objects(parts, jobs=2) != expected)
assert os.waitpid(child, 0)[1] == 0
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_a_forked_process_has_threads_of_its_own() -> None:
    parts = repr([Part(part.text) for part in parts_of(PROGRAM)]).replace("<Tier.LOOPS: 'loops'>", "Tier.LOOPS")
    subprocess.run([sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORK, parts], check=True)


def test_each_function_is_in_the_part_of_its_tier() -> None:
    tiers = {part.tier: defined(part) for part in parts_of(PROGRAM)}
    assert [len(definitions) for definitions in tiers.values()] == [1, 1, 1]
    assert "@main" in tiers[Tier.PROGRAM][0]
    assert "@second" in tiers[Tier.VECTORS][0]
    assert "first one" in tiers[Tier.LOOPS][0]


def test_a_part_holds_only_what_it_uses() -> None:
    for part in parts_of(PROGRAM, 3):
        assert ("@table = private" in part.text) == (part.tier is not Tier.PROGRAM)
        assert len(defined(part)) == 1
        assert "define internal" not in part.text


def test_a_function_of_no_tier_gets_all() -> None:
    (part,) = parts_of("llvm.func @main() { llvm.return }")
    assert part.tier is Tier.LOOPS


@pytest.mark.parametrize("linkage", ["", "external "])
def test_what_others_see_is_defined_once(linkage: str) -> None:
    (part,) = parts_of(PROGRAM.replace("private constant", f"{linkage}constant"))
    assert len(defined(part)) == 3
    assert part.tier is Tier.LOOPS


def test_an_empty_module_is_a_part() -> None:
    assert [defined(part) for part in parts_of("module {}")] == [[]]


def large_program(functions: int, length: int) -> str:
    """`main` calls functions that each add a number to their argument, `length` times."""
    lines: list[str] = []
    for number in range(functions):
        lines.append(
            f'llvm.func internal @f{number}(%v0: i64) -> i64 attributes {{xrt.tier = "vectors", no_inline}} {{'
        )
        lines.append(f"%number = llvm.mlir.constant({number}) : i64")
        lines += [f"%v{step + 1} = llvm.add %v{step}, %number : i64" for step in range(length)]
        lines += [f"llvm.return %v{length} : i64", "}"]
    lines.append('llvm.func @main(%r0: i64) -> i64 attributes {xrt.tier = "program"} {')
    lines += [f"%r{number + 1} = llvm.call @f{number}(%r{number}) : (i64) -> i64" for number in range(functions)]
    return "\n".join([*lines, f"llvm.return %r{functions} : i64", "}"])


def test_large_programs_are_compiled_by_several_threads() -> None:
    text = large_program(functions=8, length=100)
    objects = compile_objects(parts_of(text, 3), jobs=3)
    assert len(objects) == 4
    assert objects == compile_objects(parts_of(text, 3), jobs=3)
    alone = compile_objects(parts_of(text))
    assert len(alone) == 2
    assert len(parts_of(text, 3, lines_ahead=300)) == 5
    assert len(parts_of(text, 3, lines_ahead=100)) == 9
    assert len(parts_of(text, 1, lines_ahead=100)) == 2
    assert run(objects, 2) == run(alone, 2) == 2 + 100 * sum(range(8))


def test_the_first_part_goes_ahead_soon() -> None:
    model = LlvmTiers(lines_ahead=1000, first_lines_ahead=50)
    first, *others = emit_parts(read(large_program(functions=4, length=60)), 2, model)
    assert first.text.count("define ") == 1 and "@f3(" in first.text
    assert sorted(part.text.count("define ") for part in others) == [1, 1, 2]
    assert len(list(emit_parts(read(large_program(functions=4, length=60)), 1, model))) == 2


def test_what_no_thread_has_begun_the_caller_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    busy, by = threading.Event(), set[int]()

    def compiled(part: Part, options: Options) -> CompiledPart:
        by.add(threading.get_ident())
        return CompiledPart(part.text.encode(), (0, 0, 0))

    monkeypatch.setattr("xdsl_xla.runtime.engine.compile_part", compiled)
    parts = [Part(f"; {number}", Tier.TILES) for number in range(3)]
    blocker = workers(1).submit(busy.wait, 60)
    caller = threading.Thread(target=lambda: compile_objects(parts, jobs=2, meanwhile=lambda: None))
    try:
        caller.start()
        ident = caller.ident
        caller.join(60)
    finally:
        busy.set()
    assert blocker.result() and by == {ident}


def test_turns_of_threads_are_as_long_as_before() -> None:
    usual, started = sys.getswitchinterval(), threading.Barrier(3)

    def compiling() -> None:
        started.wait()
        for number in range(3):
            assert compile_objects([Part(f"define i32 @f() {{ ret i32 {number} }}")], jobs=2)

    threads = [threading.Thread(target=compiling) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sys.getswitchinterval() == usual


SUPPORTED = """
llvm.func @main(%counter: !llvm.ptr, %context: !llvm.ptr) -> i64 attributes {xrt.tier = "program"} {
  %work = llvm.mlir.constant(70000) : i64
  %rows = llvm.mlir.constant(2) : i64
  llvm.call @xrt.fetch(%counter, %work, %rows, %work) : (!llvm.ptr, i64, i64, i64) -> ()
  %left = llvm.call @xrt.spend(%counter, %work, %context) : (!llvm.ptr, i64, !llvm.ptr) -> i64
  llvm.return %left : i64
}
llvm.func @xrt.fetch(!llvm.ptr, i64, i64, i64)
llvm.func @xrt.spend(!llvm.ptr, i64, !llvm.ptr) -> i64
"""


@pytest.mark.parametrize("in_parts", [False, True])
@pytest.mark.parametrize(("before", "expected"), [(100_000, 30_000), (70_000, 0), (69_999, 1 << 20), (0, 1 << 20)])
def test_work_is_spent_and_granted_anew(in_parts: bool, before: int, expected: int) -> None:
    grant = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(lambda _context: 1 << 20)
    process = (ctypes.c_void_p * 16)()
    process[slots.SAFEPOINT] = ctypes.cast(grant, ctypes.c_void_p).value
    context = (ctypes.c_void_p * 16)()
    context[slots.PROCESS] = ctypes.addressof(process)
    whole = [Part(emit(read(SUPPORTED)))]
    objects = compile_objects(parts_of(SUPPORTED, 2)) if in_parts else [emit_object(optimize(whole))]
    code = NativeCode(objects, ["main"])
    spend = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)(code.address("main"))
    counter = ctypes.c_int64(before)
    assert spend(ctypes.addressof(counter), ctypes.addressof(context)) == expected
    assert counter.value == expected


FORKING = """
llvm.func @main(%frame: !llvm.ptr, %task: !llvm.ptr) attributes {xrt.tier = "program"} {
  %no = llvm.mlir.constant(0) : i64
  llvm.call @xrt.fork(%frame, %task, %no) : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}
llvm.func @xrt.fork(!llvm.ptr, !llvm.ptr, i64)
"""


def test_what_runs_parallel_loops_is_compiled_once() -> None:
    *parts, shared = parts_of(FORKING, 2)
    assert shared == Part(PARALLEL_REGIONS, Tier.TILES, shared=True)
    assert not any(part.shared or "define hidden void @xrt" in part.text for part in parts)
    first, second = (compile_objects(parts_of(FORKING, jobs), jobs=jobs) for jobs in (1, 2))
    assert first[-1] is second[-1]
    NativeCode(first, ["main"])
    NativeCode([emit_object(optimize([Part(emit(read(FORKING)))]))], ["main"])


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the memory of this process")
def test_code_stays_when_other_linkers_have_taken_over_and_nothing_else_does() -> None:
    objects = compile_objects(parts_of(PROGRAM))
    first = NativeCode(objects, ["main"])
    main = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(first.address("main"))
    expected = main(1)
    for _ in range(3 * LIBRARIES):
        NativeCode(objects, ["main"])
    before = resident_bytes()
    for _ in range(20 * LIBRARIES):
        NativeCode(objects, ["main"])
    assert resident_bytes() - before < 20 * LIBRARIES * 2000
    assert main(1) == expected


def test_what_runs_once_is_not_optimised() -> None:
    with target_machine(2) as machine:
        assert optimizer(machine, Tier.PROGRAM) is None
        assert optimizer(machine, Tier.LOOPS, Options(0)) is None
        assert optimizer(machine, Tier.VECTORS) is not None
        assert optimizer(machine, Tier.TILES) is None
    assert [Options(2).codegen_level(tier) for tier in Tier] == [0, 2, 2, 2]
