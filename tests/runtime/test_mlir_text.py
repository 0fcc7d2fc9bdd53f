"""Parsing: the fast parser builds what xDSL's parser builds; errors and ops have positions."""

from __future__ import annotations

import re

import pytest
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp
from xdsl.utils.exceptions import ParseError
from xdsl_xla.dialects import dense
from xdsl_xla.dialects.dense_literals import DenseLiteralParser
from xdsl_xla.errors import InvalidProgramError, describe_location
from xdsl_xla.runtime.fast_parser import FastParser
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.runtime.verifying import verify_module

PROGRAM = """
// A comment before the module.
#map = affine_map<(d0, d1)[s0] -> (d0 + 3, d1 floordiv 2 + s0)>
!alias = tensor<2x3xf32>
module @m attributes {a = "str\\22ing", b = [1, -2, 0x1F], c = unit, d = 1.5e-3 : f64, e = @sym::@"nested"} {
  func.func private @f(%arg0: !alias, %x_1.y: tensor<?x0xi32>) -> (!alias, tensor<*xf32>) // trailing
  func.func @g(%arg0: tensor<2x3xf32>, %0: tensor<0x3xf32>, %i: tensor<complex<f32>>) -> tensor<2x3xf32> {
    %c:2 = "test.op"(%arg0, %0) {map = #map, neg = -1 : i64, t = i1} : (!alias, tensor<0x3xf32>) -> (i1, i1)
    cf.cond_br %c#0, ^bb1(%arg0 : tensor<2x3xf32>), ^exit
  ^bb1(%v: tensor<2x3xf32>):
    return %v : tensor<2x3xf32>
  ^exit:
    return %arg0 : tensor<2x3xf32> loc("file.py":3:4)
  }
}
"""

LINES = """
func.func @f(%x: tensor<2x3xf32>, %y: tensor<0x4xf32>, %i: tensor<i32>, %z: tensor<2xcomplex<f32>>) -> tensor<f32> {
  %c = stablehlo.constant dense<1.5> : tensor<f32>
  %d = stablehlo.constant dense<1.5> : tensor<f32>
  %e = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %n = stablehlo.iota dim = 0 : tensor<2x3xi64>
  %0 = stablehlo.add %x, %x : tensor<2x3xf32>
  %1 = stablehlo.add %0, %x : tensor<2x3xf32> loc("file.py":3:4)
  %2 = stablehlo.subtract %y, %y {note = 1 : i32} : tensor<0x4xf32>
  %3 = stablehlo.add %z, %z : tensor<2xcomplex<f32>>
  %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<5x2x3xf32>
  %5 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<5x2x3xf32>
  %6 = stablehlo.add %4, %5 : (tensor<5x2x3xf32>, tensor<5x2x3xf32>) -> tensor<5x2x3xf32>
  %7 = stablehlo.negate %6 : tensor<5x2x3xf32> // trailing
  %8 = stablehlo.reduce_precision %7, format = e5m10 : tensor<5x2x3xf32>
  %9 = stablehlo.reverse %8, dims = [0] : tensor<5x2x3xf32>
  %10 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %11 = stablehlo.multiply %i, %i : tensor<i32>
  return %d : tensor<f32>
}
"""

WRONG_LINES = [
    "%1 = stablehlo.add %x, %x : tensor<3xf32>",
    "%1 = stablehlo.add %x, %w : tensor<2xf32>",
    "%x = stablehlo.add %x, %x : tensor<2xf32>",
    "%1 = stablehlo.add %x, %x : tensor<2xf31>",
    "%1 = stablehlo.add %x, %x, : tensor<2xf32>",
    "%1 = stablehlo.reverse %x : tensor<2xf32>",
    "%1 = stablehlo.sub %x, %x : tensor<2xf32>",
    "%1 = stablehlo.negate %x : (tensor<2xf32>) -> tensor<2xx32>",
    "%1 = stablehlo.negate %x : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>",
    "%1 = stablehlo.constant dense<1> : tensor<2xf64x>",
]

DENSE = [
    "dense<1.0> : tensor<f32>",
    "dense<1.0> : tensor<2x3xf32>",
    "dense<[1.0, -2.5e-1]> : tensor<2xf64>",
    "dense<[[1, 2, 3], [4, 5, -6]]> : tensor<2x3xi8>",
    "dense<[[[1], [2]]]> : tensor<1x2x1xui16>",
    "dense<[]> : tensor<0xf32>",
    "dense<[[], []]> : tensor<2x0xi32>",
    "dense<> : tensor<0x3xi64>",
    "dense<true> : tensor<i1>",
    "dense<[true, false]> : tensor<2xi1>",
    "dense<1> : tensor<4xi1>",
    "dense<255> : tensor<2xui8>",
    "dense<-128> : tensor<i8>",
    "dense<18446744073709551615> : tensor<1xui64>",
    "dense<0x7F800000> : tensor<f32>",
    "dense<[0xFF80, 1.0]> : tensor<2xbf16>",
    "dense<(1.0, -2.0)> : tensor<complex<f32>>",
    "dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>",
    'dense<"0x0000803F00000040"> : tensor<2xf32>',
    "dense<3.0> : tensor<2xf16>",
    "dense<2.0> : tensor<3xf8E4M3FN>",
    "dense<7> : tensor<2xindex>",
    "dense<-0.0> : tensor<f32>",
    "dense<1.> : tensor<f32>",
    "dense<0> : vector<4xi32>",
    "array<i64: 1, -2>",
]

WRONG_DENSE = [
    "dense<[1, 2]> : tensor<3xi32>",
    "dense<[[1, 2], [3]]> : tensor<2x2xi32>",
    "dense<[1, [2]]> : tensor<2xi32>",
    "dense<1.5> : tensor<2xi32>",
    "dense<300> : tensor<i8>",
    "dense<1> : tensor<?xi32>",
    "dense<1> : i32",
    "dense<1 2> : tensor<2xi32>",
]


def test_same_ir_as_the_plain_parser() -> None:
    plain = DenseLiteralParser(new_context(allow_unregistered=True), PROGRAM).parse_module()
    fast = FastParser(new_context(allow_unregistered=True), PROGRAM, "p").parse_module()
    assert isinstance(fast, ModuleOp)
    assert str(fast) == str(plain)
    assert fast.is_structurally_equivalent(plain)


def test_same_ops_of_lines() -> None:
    plain = DenseLiteralParser(new_context(), LINES).parse_module()
    fast = FastParser(new_context(), LINES, "p").parse_module()
    assert str(fast) == str(plain) and fast.is_structurally_equivalent(plain)
    fast.verify()


@pytest.mark.parametrize("line", WRONG_LINES)
def test_same_errors_in_lines(line: str) -> None:
    text = f"""func.func @f(%x: tensor<2xf32>, %y: tensor<4x2xf32>) -> tensor<2xf32> {{
      %0 = stablehlo.add %x, %x : tensor<2xf32>
      {line}
      return %0 : tensor<2xf32>
    }}"""
    errors: list[str] = []
    for parser in (DenseLiteralParser(new_context(), text, "p"), FastParser(new_context(), text, "p")):
        with pytest.raises(ParseError) as caught:
            parser.parse_module()
        errors.append(str(caught.value))
    assert errors[0] == errors[1]


@pytest.mark.parametrize("text", DENSE)
def test_same_dense_attributes(text: str) -> None:
    plain = DenseLiteralParser(new_context(), text).parse_attribute()
    fast = FastParser(new_context(), text, "p").parse_attribute()
    assert fast == plain
    if isinstance(plain, DenseIntOrFPElementsAttr):
        assert isinstance(fast, DenseIntOrFPElementsAttr)
        assert fast.data.data == plain.data.data


@pytest.mark.parametrize("text", WRONG_DENSE)
def test_same_errors(text: str) -> None:
    errors: list[str] = []
    for parser in (
        DenseLiteralParser(new_context(), text, "p"),
        FastParser(new_context(), text, "p"),
    ):
        with pytest.raises((ParseError, ValueError)) as caught:
            parser.parse_attribute()
        errors.append(str(caught.value).partition(" of\n")[0])
    assert errors[0].splitlines()[:2] == errors[1].splitlines()[:2]


def test_positions_of_ops() -> None:
    module = parse_module(PROGRAM, "p.mlir", new_context(allow_unregistered=True))
    places = {op.name: describe_location(op.location) for op in module.walk()}
    assert places["builtin.module"] == "p.mlir:5:1"
    assert places["cf.cond_br"] == "p.mlir:9:5"
    assert places["func.return"] == "file.py:3:4"


def test_line_offset_counts_lines_before_the_text() -> None:
    module = parse_module("\nfunc.func private @f()", "p.mlir", line_offset=10)
    assert describe_location(next(iter(module.body.ops)).location) == "p.mlir:12:1"
    with pytest.raises(InvalidProgramError, match=r"^p\.mlir:11:1: expected an operation") as caught:
        parse_module("?", "p.mlir", line_offset=10)
    assert caught.value.location == "p.mlir:11:1"


def test_verification_names_the_innermost_op() -> None:
    text = """func.func @f(%x: i32, %y: i64) {
      scf.execute_region {
        "arith.addi"(%x, %y) : (i32, i64) -> i32
        scf.yield
      }
      return
    }"""
    module = parse_module(text, "p.mlir")
    with pytest.raises(InvalidProgramError, match=r"^p\.mlir:3:9: 'arith.addi' op: "):
        verify_module(module)


def test_missing_terminator_is_located() -> None:
    module = parse_module("func.func @f(%x: i32) {\n  arith.addi %x, %x : i32\n}", "p.mlir")
    with pytest.raises(InvalidProgramError, match=r"^p\.mlir:2:3: 'arith.addi' op: .*terminator"):
        verify_module(module)


def test_attributes_of_unknown_dialects_are_kept() -> None:
    text = "func.func private @f() attributes {other.rule = #other.op_rule<([i, j])->([k]) {i=2}, custom>}"
    assert "#other.op_rule<([i, j])->([k]) {i=2}, custom>" in str(parse_module(text))
    with pytest.raises(InvalidProgramError, match=r"other\.mesh is not registered"):
        parse_module("other.mesh @m")
    with pytest.raises(InvalidProgramError, match="not registered"):
        parse_module("func.func private @f() attributes {x = #stablehlo.nonsense<1>}")


def test_long_source_lines_are_cut() -> None:
    text = f"func.func private @f() attributes {{a = [{'1, ' * 500}?], b = [{'1, ' * 500}]}}"
    with pytest.raises(InvalidProgramError) as caught:
        parse_module(text)
    message, excerpt, caret = str(caught.value).splitlines()
    assert len(excerpt) < 110
    assert excerpt[caret.index("^")] == "?"
    assert message.startswith("<text>:1:")


def test_lines_of_the_same_text() -> None:
    """Lines that differ in names only are read alike, also where an op goes on behind the line, or a value is of
    another type."""
    module = parse_module("""
      func.func @f(%a: tensor<2xf32>, %b: tensor<2xf32>, %m: tensor<2x2xf32>) -> tensor<2xf32> {
        %0 = stablehlo.add %a, %b : tensor<2xf32>
        %1 = stablehlo.add %0, %a : tensor<2xf32> // the same
        %2 = stablehlo.add %1, %0 : tensor<2xf32>
          loc("here")
        %sum_3 = stablehlo.add %2, %2 : tensor<2xf32>
        %4 = stablehlo.dot_general %m, %sum_3, contracting_dims = [1] x [0]
          : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
        %5 = stablehlo.dot_general %m, %4, contracting_dims = [1] x [0]
          : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
        return %5 : tensor<2xf32>
      }""")
    verify_module(module)
    function = next(iter(module.ops))
    *adds, first, second, _ = function.regions[0].block.ops
    assert [add.name for add in adds] == ["stablehlo.add"] * 4
    assert [str(add.location) for add in adds][2] == 'loc("here")'
    assert [list(add.operands) for add in adds[1:]] == [
        [adds[0].results[0], function.regions[0].block.args[0]],
        [adds[1].results[0], adds[0].results[0]],
        [adds[2].results[0]] * 2,
    ]
    assert adds[3].results[0].name_hint == "sum"
    assert first.properties == second.properties and second.operands[1] is first.results[0]
    with pytest.raises(InvalidProgramError, match="used with type"):
        parse_module("""
          func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) {
            %0 = stablehlo.add %a, %a : tensor<2xf32>
            %1 = stablehlo.add %b, %b : tensor<2xf32>
            return
          }""")
    with pytest.raises(InvalidProgramError, match="already defined"):
        parse_module("""
          func.func @f(%a: tensor<2xf32>) {
            %0 = stablehlo.add %a, %a : tensor<2xf32>
            %0 = stablehlo.add %a, %a : tensor<2xf32>
            return
          }""")


HUGE = '"test.op"() {value = dense<0> : tensor<4294967296x4194304xi64>} : () -> ()'


def test_large_constants_of_one_value_are_read() -> None:
    assert "dense<0> : tensor<4294967296x4194304xi64>" in str(parse_module(HUGE))


def test_what_does_not_fit_into_memory_is_an_error_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense, "SPELLED_OUT_BYTES", 1 << 60)
    with pytest.raises(InvalidProgramError, match="<text>:1:1: too large for the memory"):
        parse_module(HUGE)


@pytest.mark.parametrize("text", ["# Title", "% of", "! x", "^ y", "#!/bin/sh"])
def test_text_that_is_no_program(text: str) -> None:
    with pytest.raises(InvalidProgramError, match=f"expected a name after '{re.escape(text[0])}'") as error:
        parse_module(text)
    assert "{" not in str(error.value)
