"""The ops of Shardy's dialect: text both ways, the generic form, and what is refused."""

from io import StringIO
from pathlib import Path

import pytest
from xdsl.printer import Printer
from xdsl_xla.errors import InvalidProgramError
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module

PROGRAM = (Path(__file__).parent / "ops.mlir").read_text()

MESH = 'sdy.mesh @mesh = <["x"=2, "y"=4]>'


def test_custom_and_generic_form_are_read_as_they_were_printed() -> None:
    module = parse_module(PROGRAM)
    verify_module(module)
    text = str(module)
    assert text == PROGRAM.rstrip()
    again = parse_module(text)
    verify_module(again)
    assert str(again) == text
    generic = StringIO()
    Printer(generic, print_generic_format=True).print_op(module)
    assert str(parse_module(generic.getvalue())) == text


NAMED = """
#short = #sdy.sharding<@mesh, [{"x"}]>
sdy.mesh @mesh = #sdy.mesh<["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<8xf32>
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[#sdy.sharding<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %2 = sdy.manual_computation(%1) in_shardings=#sdy.sharding_per_value<[#short]> out_shardings=[#short]
      manual_axes=#sdy<manual_axes{"x"}> (%b: tensor<4xf32>) {
    sdy.return %b : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %3 = sdy.all_gather #sdy<list_of_axis_ref_lists[{"x"}]> %2 out_sharding=#sdy.sharding<@mesh, [{}]> : tensor<8xf32>
  return %3 : tensor<8xf32>
}"""


def test_attributes_of_ops_may_have_their_names_or_be_aliases() -> None:
    text = str(parse_module(NAMED))
    assert 'sdy.mesh @mesh = <["x"=2, "y"=4]>' in text
    for line in (
        '%a <@mesh, [{"x"}]> : tensor<8xf32>',
        'sdy.sharding_per_value<[<@mesh, [{"x"}]>]>',
        'in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"}',
        'sdy.all_gather [{"x"}] %2 out_sharding=<@mesh, [{}]>',
    ):
        assert line in text


def test_an_attribute_of_another_class_is_refused() -> None:
    with pytest.raises(InvalidProgramError, match=r"expected #sdy\.mesh"):
        parse_module("sdy.mesh @mesh = #sdy.sharding<@mesh, []>")


def test_reductions_other_than_sums_are_read_and_printed() -> None:
    line = 'sdy.all_reduce max {"x"} %0 out_sharding=<@mesh, [{}]> : tensor<8xf32>'
    text = f"""
      {MESH}
      func.func @main(%a: tensor<8xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{}}], unreduced=max{{"x"}}>}}) {{
        %1 = {line.replace("%0", "%a")}
        return
      }}"""
    assert line.replace("%0", "%a") in str(parse_module(text))


def test_names_inside_a_region_may_be_those_outside() -> None:
    text = f"""
      {MESH}
      func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {{
        %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{{"x"}}]>] out_shardings=[<@mesh, [{{"x"}}]>]
            manual_axes={{"x"}} (%a: tensor<4xf32>) {{
          %0 = stablehlo.negate %a : tensor<4xf32>
          sdy.return %0 : tensor<4xf32>
        }} : (tensor<8xf32>) -> tensor<8xf32>
        return %0 : tensor<8xf32>
      }}"""
    module = parse_module(text)
    verify_module(module)
    assert str(parse_module(str(module))) == str(module)


def manual(shardings: str, types: str, axes: str = '"x"', before: str = "tensor<8x8xf32>") -> str:
    return f"""
      %0 = sdy.manual_computation(%a) in_shardings=[{shardings}] out_shardings=[{shardings}] manual_axes={{{axes}}}
          (%b: {types}) {{
        sdy.return %b : {types}
      }} : ({before}) -> {before}"""


WRONG = {
    "unknown mesh: @other": "%0 = sdy.sharding_constraint %a <@other, [{}, {}]> : tensor<8x8xf32>",
    "doesn't match tensor rank: 1 != 2": "%0 = sdy.sharding_constraint %a <@mesh, [{}]> : tensor<8x8xf32>",
    'unknown axis name: "z"': '%0 = sdy.reshard %a <@mesh, [{"z"}, {}]> : tensor<8x8xf32>',
    'duplicate axis ref: "x"': '%0 = sdy.reshard %a <@mesh, [{"x"}, {"x"}]> : tensor<8x8xf32>',
    "both sub-axis and full-axis": '%0 = sdy.reshard %a <@mesh, [{"y"}, {"y":(1)2}]> : tensor<8x8xf32>',
    "doesn't divide the size of the full axis": '%0 = sdy.reshard %a <@mesh, [{"y":(2)4}, {}]> : tensor<8x8xf32>',
    "equal to the full axis size": '%0 = sdy.reshard %a <@mesh, [{"x":(1)2}, {}]> : tensor<8x8xf32>',
    "consecutive sub-axes can be merged": (
        '%0 = sdy.reshard %a <mesh<["y"=8]>, [{"y":(1)2, "y":(2)2}, {}]> : tensor<8x8xf32>'
    ),
    "overlapping sub-axes": '%0 = sdy.reshard %a <mesh<["y"=8]>, [{"y":(1)4}, {"y":(2)2}]> : tensor<8x8xf32>',
    "replicated axes are not ordered": '%0 = sdy.reshard %a <@mesh, [{}, {}], replicated={"y", "x"}> : tensor<8x8xf32>',
    "a maximal sharding can only have rank 0": (
        "%0 = sdy.reshard %a <mesh<[], device_ids=[1]>, [{}, {}]> : tensor<8x8xf32>"
    ),
    "cannot specify `BOTH`": "%0 = sdy.propagation_barrier %a allowed_direction=BOTH : tensor<8x8xf32>",
    "1 shardings vs 2 values": (
        "%0:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} "
        "%a, %a : tensor<8x8xf32>, tensor<8x8xf32>"
    ),
    "mapping rank must match: 1 != 2": (
        "%0 = stablehlo.negate %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8x8xf32>"
    ),
    "Expected local shape tensor<4x8xf32>": manual('<@mesh, [{"x"}, {}]>', "tensor<8x8xf32>"),
    "manual axes come before free axes": manual('<@mesh, [{"y", "x"}, {}]>', "tensor<4x8xf32>"),
    'unknown manual axis: "z"': manual("<@mesh, [{}, {}]>", "tensor<8x8xf32>", '"z"'),
    "number of op operands and region operands": (
        "sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[] manual_axes={} () {} "
        ": (tensor<8x8xf32>) -> ()"
    ),
    "sdy.named_computation.*for a region of": (
        '%0 = sdy.named_computation<"f">(%a) (%b: tensor<4xf32>) { sdy.return %b : tensor<4xf32> } '
        ": (tensor<8x8xf32>) -> tensor<4xf32>"
    ),
    "on operand without sharding": (
        '%0 = sdy.all_gather [{"x"}, {}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>'
    ),
    "expected sharding on dimension 0": (
        '%0 = sdy.all_gather [{"y"}, {}] %s out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>'
    ),
    "expected sharding on dimension 1": (
        '%0 = sdy.all_slice [{}, {"y":(1)2}] %s out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>'
    ),
    "collective axes has rank 1": '%0 = sdy.all_slice [{}] %s out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>',
    "overlapping source/target": (
        '%0 = sdy.all_to_all [{"x"}: 0->0] %s out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>'
    ),
    "out of range": '%0 = sdy.all_to_all [{"x"}: 0->2] %s out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>',
    "on dimension 0: 4 != 2": '%0 = sdy.collective_permute %s out_sharding=<@mesh, [{"y"}, {}]> : tensor<8x8xf32>',
    "overlaps with those of the operand": (
        '%0 = sdy.all_reduce {"x"} %s out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>'
    ),
    "unreduced axes of the result": (
        '%0 = sdy.sharded_to_unreduced [{"x"}, {}] %s out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>'
    ),
}


@pytest.mark.parametrize("error", WRONG)
def test_what_is_wrong_is_refused(error: str) -> None:
    module = parse_module(f"""
      {MESH}
      func.func @main(%a: tensor<8x8xf32>,
                      %s: tensor<8x8xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}) {{
        {WRONG[error]}
        return
      }}""")
    with pytest.raises(InvalidProgramError, match=error):
        verify_module(module)


def test_an_axis_is_manual_once() -> None:
    inner = manual('<@mesh, [{"x"}, {}]>', "tensor<4x8xf32>").replace("%0", "%1")
    outer = manual("<@mesh, [{}, {}]>", "tensor<8x8xf32>").replace("sdy.return %b", f"{inner}\n sdy.return %1", 1)
    body = outer.replace("(%a)", "(%b)").replace("(%b)", "(%a)", 1)
    text = f"{MESH}\nfunc.func @main(%a: tensor<8x8xf32>) {{ {body} return }}"
    with pytest.raises(InvalidProgramError, match='operates on axis "x" which is already bound'):
        verify_module(parse_module(text))
