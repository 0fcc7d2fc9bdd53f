"""The attributes of Shardy's dialect: text both ways, as plain data, and what is refused."""

import pytest
from xdsl_xla.dialects.sdy.axis_attributes import AxisRefAttr
from xdsl_xla.dialects.sdy.mesh_attributes import MeshAttr
from xdsl_xla.dialects.sdy.rule_attributes import OpShardingRuleAttr, factor_name, factors_named
from xdsl_xla.dialects.sdy.sharding_attributes import TensorShardingAttr, TensorShardingPerValueAttr
from xdsl_xla.dialects.sdy.sharding_rules import OpShardingRule
from xdsl_xla.dialects.sdy.shardings import AxisRef, DimensionSharding, Mesh, Sharding
from xdsl_xla.runtime.mlir_text import parse_fragment

TEXTS = """
#sdy<all_to_all_param{"x"}: 0->1>
#sdy<all_to_all_param_list[{"x"}: 0->1, {"y":(1)2, "z"}: 2->3]>
#sdy<axis_ref"x">
#sdy<axis_ref"x":(2)4>
#sdy<axis_ref_list{"x", "y":(1)2}>
#sdy<dim_mapping ijz_1>
#sdy<dimension_sharding{"x", ?}p1>
#sdy<list_of_axis_ref_lists[{"x"}, {}]>
#sdy<manual_axes{"x", "y"}>
#sdy<manual_axes{}>
#sdy<mesh_axis"x"=2>
#sdy<sub_axis_info(1)2>
#sdy<tensor_mapping[i, jk]>
#sdy.mesh<["x"=2, "y"=4]>
#sdy.mesh<["x"=2], device_ids=[1, 0]>
#sdy.mesh<[], device_ids=[3]>
#sdy.mesh<[]>
#sdy.op_sharding_rule<([])->([])>
#sdy.op_sharding_rule<([ij, l], [k])->([i, l]) {i=2, j=3, k=4, l=5} reduction={j} need_replication={k} permutation={l}>
#sdy.op_sharding_rule<([i])->([i]) {i=2} blocked_propagation={i}, custom>
#sdy.propagation_edges<[{step-0 = [{"x" = operand-0 -> [result-0, operand-1]}]}]>
#sdy.sharding<@"the mesh", [{"x", ?}, {}]>
#sdy.sharding<@m, [], unreduced=max{"x"}>
#sdy.sharding<@m, [{"x":(2)4, "y"}, {?}p0, {"z", ?}p12], replicated={"a"}, unreduced={"b"}>
#sdy.sharding<mesh<["x"=2], device_ids=[1, 0]>, [{"x"}]>
#sdy.sharding_per_value<[<@m, [{"x"}]>, <@n, []>]>
#sdy.sharding_per_value<[]>
"""


def parsed(text: str):
    return parse_fragment(text, "text", lambda parser: parser.parse_attribute())


@pytest.mark.parametrize("text", TEXTS.strip().splitlines())
def test_text_is_printed_as_it_was_read(text: str) -> None:
    assert str(parsed(text)) == text


@pytest.mark.parametrize(
    "text, printed",
    [
        ('#sdy.mesh<["x"=2, "y"=1], device_ids=[0, 1]>', '#sdy.mesh<["x"=2, "y"=1]>'),
        (
            '#sdy.sharding<@m, [], unreduced={"x"}, replicated={"y"}>',
            '#sdy.sharding<@m, [], replicated={"y"}, unreduced={"x"}>'),
        ('#sdy.sharding<@m, [], unreduced=sum{"x"}>', '#sdy.sharding<@m, [], unreduced={"x"}>'),
        ("#sdy<tensor_mapping[*, i]>", "#sdy<tensor_mapping[, i]>"),
    ],
)  # fmt: skip
def test_other_forms_are_read(text: str, printed: str) -> None:
    assert str(parsed(text)) == printed
    assert parsed(printed) == parsed(text)


@pytest.mark.parametrize(
    "text, error",
    [
        ('#sdy.mesh<["x"=2, "x"=4]>', 'duplicate axis name: "x"'),
        ('#sdy.mesh<["x"=0]>', 'axis "x" has size 0'),
        ('#sdy.mesh<["x"=2], device_ids=[0, 2]>', "device ids of a mesh of 2 devices"),
        ("#sdy.mesh<[], device_ids=[0, 1]>", "one device id at most"),
        ("#sdy.mesh<[], device_ids=[-1]>", "must be non-negative"),
        ('#sdy<axis_ref"x":(0)2>', "pre-size must be at least 1"),
        ('#sdy.sharding<@m, [{"x":(1)1}]>', "sizes must be greater than 1"),
        ("#sdy.sharding<@m, [{}p1]>", "empty and closed but has a priority"),
        ('#sdy.sharding<@m, [{"x"}q1]>', "expected a priority such as p1"),
        ('#sdy.sharding<@m, [{"x"}p01]>', "expected a priority such as p1"),
        ('#sdy.sharding<@m, [], replicated={"x"}, replicated={"y"}>', "unexpected replicated"),
        ("#sdy.op_sharding_rule<([i])->([j]) {i=2}>", "factor j has no size"),
        ("#sdy.op_sharding_rule<([i])->([i]) {i=2, j=2}>", "factor j is in no mapping"),
        ("#sdy.op_sharding_rule<([i])->([i]) {j=2}>", "a size for each factor from i on"),
        ("#sdy.op_sharding_rule<([i, i])->([i]) {i=2}>", "twice in one mapping"),
        ("#sdy.op_sharding_rule<([i])->([i]) {i=2} reduction={i}>", "reduction factor i is in a result"),
        ("#sdy.op_sharding_rule<([ij])->([i]) {i=2, j=1}>", "one of size 1"),
        ("#sdy.op_sharding_rule<([a])->([i]) {i=2}>", "expected factors named i to z"),
    ],
)
def test_what_is_wrong_is_refused(text: str, error: str) -> None:
    with pytest.raises(Exception, match=error):
        parsed(text)


def test_attributes_hold_plain_data() -> None:
    assert parsed('#sdy.mesh<["x"=2, "y"=4]>') == MeshAttr(Mesh((("x", 2), ("y", 4))))
    assert parsed('#sdy<axis_ref"x":(2)4>') == AxisRefAttr(AxisRef("x", 2, 4))
    rule = OpShardingRule((8, 4, 2), (((0,), (2,)), ((2,), (1,))), (((0,), (1,)),), reduction=(2,))
    assert parsed("#sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=2} reduction={k}>") == (
        OpShardingRuleAttr(rule)
    )


def test_a_sharding_is_made_of_plain_data_and_gives_it_back() -> None:
    mesh = Mesh((("x", 2), ("y", 4)))
    dimensions = DimensionSharding((AxisRef("x"),)), DimensionSharding((AxisRef("y", 1, 2),), False, 1)
    sharding = Sharding(mesh, dimensions, (AxisRef("y", 2, 2),), mesh_name="mesh")
    attribute = TensorShardingAttr.of(sharding)
    assert str(attribute) == '#sdy.sharding<@mesh, [{"x"}, {"y":(1)2, ?}p1], replicated={"y":(2)2}>'
    assert attribute.resolve(mesh) == sharding
    in_place = sharding._replace(mesh_name=None)
    assert TensorShardingAttr.of(in_place).resolve(Mesh(())) == in_place
    assert str(TensorShardingPerValueAttr.of([Sharding(mesh, ())])) == (
        '#sdy.sharding_per_value<[<mesh<["x"=2, "y"=4]>, []>]>'
    )


def test_factors_have_names() -> None:
    assert [factor_name(index) for index in (0, 1, 17, 18, 30)] == ["i", "j", "z", "z_1", "z_13"]
    assert factors_named("ijz_1z") == (0, 1, 18, 17)
    assert factors_named("z_0") is None
