"""The last passes, function by function: the same code as pass by pass, and LLVM starts early."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pytest
from xdsl.context import Context
from xdsl.dialects import llvm
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl_xla.decisions.llvm import LlvmTiers
from xdsl_xla.decisions.model import CostModel
from xdsl_xla.errors import InternalError, InvalidProgramError
from xdsl_xla.ir.function_passes import Function, FunctionPass, functions_of, groups
from xdsl_xla.lowering.llvm_to_text.parts import emit_parts
from xdsl_xla.runtime.compilation import Preparation, compile_program, prepare
from xdsl_xla.runtime.compiler import Request
from xdsl_xla.runtime.function_stream import Division, FunctionStream
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes, run_passes
from xdsl_xla.runtime.program_context import new_context

LAYERS = 6
LAYER = """
  %p{n} = stablehlo.dot_general %x{n}, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %r{n} = stablehlo.reduce(%p{n} init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %b{n} = stablehlo.broadcast_in_dim %r{n}, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>
  %e{n} = stablehlo.exponential %b{n} : tensor<64x64xf32>
  %x{m} = stablehlo.divide %p{n}, %e{n} : tensor<64x64xf32>
"""  # noqa: E501
PROGRAM = "".join(
    [
        "func.func @main(%x0: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {\n",
        "%zero = stablehlo.constant dense<0.0> : tensor<f32>",
        *(LAYER.format(n=n, m=n + 1) for n in range(LAYERS)),
        f"return %x{LAYERS} : tensor<64x64xf32>\n}}",
    ]
)
NEGATE = (
    "func.func @main(%x: tensor<9xT>) -> tensor<9xT> { %y = stablehlo.negate %x : tensor<9xT> return %y : tensor<9xT> }"
)
SORT = """
func.func @main(%x: tensor<9xf32>) -> tensor<9xf32> {
  %y = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<9xf32>) -> tensor<9xf32>
  return %y : tensor<9xf32>
}"""
FUNCTIONS = """
llvm.func @first() { llvm.return }
llvm.func @second() { llvm.call @first() : () -> () llvm.return }
llvm.func @third() { llvm.return }
"""
SMALL_PARTS = replace(LlvmTiers(), lines_ahead=1)


def prepared(program: str = PROGRAM) -> Preparation:
    model = replace(CostModel(), llvm=replace(LlvmTiers(), lines_ahead=100))
    return prepare(program, "program", Request(2, "xla-cpu", None, None, 1, None, None, False, cost_model=model))


LOOP = """
func.func @main(%x: tensor<1000x1000xf32>, %n: tensor<i32>) -> tensor<1000x1000xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<1000x1000xf32> cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
    %e = stablehlo.tanh %t : tensor<1000x1000xf32>
    %p = stablehlo.dot_general %e, %a, contracting_dims = [1] x [0]
      : (tensor<1000x1000xf32>, tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
    stablehlo.return %j, %p : tensor<i32>, tensor<1000x1000xf32>
  }
  return %r#1 : tensor<1000x1000xf32>
}"""


def divided(program: Preparation) -> tuple[list[ModulePass], Sequence[ModulePass]]:
    """The passes that have run on the module as a whole, and those that are left."""
    division, whole = Division(program.passes, program.module), list[ModulePass]()

    def noted() -> Iterator[ModulePass]:
        for module_pass in division.whole():
            whole.append(module_pass)
            yield module_pass

    run_passes(program.context, program.module, noted())
    return whole, division.in_turn


@pytest.mark.parametrize("program", [PROGRAM.replace(f"return %x{LAYERS}", "return %x1"), PROGRAM, LOOP, SORT])
def test_the_code_is_that_of_pass_by_pass(program: str) -> None:
    request = Request(2, "xla-cpu", None, None, 1, None, None, False)
    streamed, whole = (compile_program(program, "program", request, {}, verify=verify) for verify in (False, True))
    assert streamed.objects == whole.objects
    assert streamed._replace(objects=(), call_targets=()) == whole._replace(objects=(), call_targets=())


def test_the_last_passes_of_the_pipeline_take_part() -> None:
    whole, in_turn = divided(prepared())
    names = [each.name for each in in_turn]
    assert names[0] == "kernels-schedule"
    assert names[-1] == "llvm-choose-tiers"
    assert [*whole, *in_turn] == list(prepared().passes)


@pytest.mark.parametrize(
    ("program", "first"),
    [
        (SORT, "convert-linalg-to-affine"),
        (LOOP, "linalg-tile-fourier"),
        (NEGATE.replace("xT", "xcomplex<f32>"), "arith-expand-narrow-floats"),
        (NEGATE.replace("xT", "xf8E4M3FN"), "func-inline-scalar-kernels"),
    ],
)
def test_passes_that_need_all_functions_see_the_module(program: str, first: str) -> None:
    assert divided(prepared(program))[1][0].name == first


def test_what_has_patterns_of_a_user_sees_the_module(tmp_path: object) -> None:
    passes = parse_passes(f'convert-scf-to-cf,convert-to-llvm{{add="{tmp_path}/mine.py"}},llvm-choose-tiers')
    assert [each.name for each in Division(passes, ModuleOp([])).in_turn] == ["llvm-choose-tiers"]


def test_parts_come_before_the_last_function_is_lowered() -> None:
    program = prepared()
    whole, in_turn = divided(program)
    stream = FunctionStream(program.context, program.module, in_turn, len(whole) + 1)
    lowered = list[str]()

    def noted() -> Iterator[llvm.FuncOp]:
        for function in stream:
            assert isinstance(function, llvm.FuncOp)
            lowered.append(function.sym_name.data)
            yield function

    parts = emit_parts(program.module, 2, SMALL_PARTS, noted())
    first = next(parts)
    assert lowered and f"@{lowered[-1]}(" in first.text
    early = len(lowered)
    rest = list(parts)
    assert early < len(lowered)
    assert sum(part.text.count("define ") for part in (first, *rest) if not part.shared) == len(lowered)
    assert [run.number for run in stream.runs()] == list(range(len(whole) + 1, len(program.passes) + 1))
    assert all(run.seconds >= 0 for run in stream.runs())
    assert sum(run.seconds for run in stream.runs()) == pytest.approx(stream.seconds)


class Refusing(FunctionPass):
    """Raises at the second function."""

    name = "refusing"
    error: Exception

    def through(self, ctx: Context, module: ModuleOp, functions: Iterable[Function]) -> Iterator[Function]:
        for number, function in enumerate(functions):
            if number == 1:
                raise self.error
            yield function


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (KeyError("lost"), (InternalError, r"^tests\S+:\d+: pass refusing: KeyError")),
        (InvalidProgramError("so not"), (InvalidProgramError, "so not")),
        (KeyboardInterrupt("stop"), (KeyboardInterrupt, "stop")),
    ],
)
def test_errors_are_those_of_the_pass(error: Exception, expected: tuple[type[Exception], str]) -> None:
    refusing = Refusing()
    object.__setattr__(refusing, "error", error)
    passes = [*parse_passes("llvm-hide-counters"), refusing, *parse_passes("llvm-choose-tiers")]
    context = new_context()
    stream = FunctionStream(context, parse_module(FUNCTIONS, "<text>", context), passes)
    assert stream.seconds == 0
    kind, message = expected
    with pytest.raises(kind, match=message):
        list(stream)


MODULE = """
func.func @main() attributes {xrt.entry} { func.call @k2() : () -> () return }
func.func private @k0() { func.call @k2() : () -> () return }
func.func private @k1() { return }
func.func private @k2() { return }
func.func private @k0.task.8() { return }
func.func private @declared()
"""


def test_functions_are_lowered_behind_those_that_they_call() -> None:
    module = parse_module(
        MODULE.replace("func.func private @k0.task.8", "llvm.func @k0.task.8"), "<text>", new_context()
    )
    names = [function.sym_name.data for function in functions_of(module)]
    assert names == ["declared", "k2", "k1", "k0", "main", "k0.task.8"]


def test_what_a_pass_makes_of_a_function_is_lowered_with_it() -> None:
    functions = functions_of(parse_module(MODULE, "<text>", new_context()))
    found = [[each.sym_name.data for each in group] for group in groups({"k0", "k1", "main"}, functions)]
    assert found == [["declared", "k0.task.8", "k2", "k1"], ["k0"], ["main"]]


def test_functions_of_other_parts_are_declared() -> None:
    context = new_context()
    parts = list(emit_parts(parse_module(FUNCTIONS, "<text>", context), 2, SMALL_PARTS))
    assert [part.text.count("define ") for part in parts] == [1, 1, 1]
    assert "declare void @first()" in parts[1].text
    assert not any("declare" in part.text for part in (parts[0], parts[2]))
