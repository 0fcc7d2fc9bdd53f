"""Calls, branches, loops and tuples."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import DictionaryAttr, StringAttr
from xdsl.ir import Block, Region, SSAValue

from ....dialects import stablehlo
from .computation import PRINTERS, Computation, Site, captured_values, frontend_attributes, tuple_text


def _tuple(site: Site) -> None:
    site.finish("tuple")


def _get_tuple_element(site: Site) -> None:
    assert isinstance(site.op, stablehlo.GetTupleElementOp)
    site.finish("get-tuple-element", None, [f"index={site.op.index.value.data}"])


def _call(site: Site) -> None:
    assert isinstance(site.op, func.CallOp)
    callee = site.program.function(site.op.callee.root_reference.data, site.op)
    site.finish("call", None, [f"to_apply=%{callee}"])


def _composite(site: Site) -> None:
    """A call of the decomposition that keeps the name."""
    op = site.op
    assert isinstance(op, stablehlo.CompositeOp)
    callee = site.program.function(op.decomposition.root_reference.data, op)
    entries = {
        "composite.attributes": StringAttr(str(op.composite_attributes or DictionaryAttr({}))),
        "composite.name": op.composite_name,
        "composite.version": StringAttr(str(op.version.value.data if op.version else 0)),
    }
    site.finish("call", None, [f"to_apply=%{callee}", "is_composite=true", frontend_attributes(entries)])


def _packed(site: Site, computation: Computation, block_values: Sequence[SSAValue], hint: str) -> None:
    """Give a computation one parameter, a tuple of these values."""
    shapes = [site.shape(value) for value in block_values]
    parameter = computation.parameter(tuple_text(shapes), hint)
    for index, (value, shape) in enumerate(zip(block_values, shapes, strict=True)):
        computation.names[value] = computation.element(parameter, index, shape, value.name_hint or "")


def _tuple_of(site: Site, computation: Computation, values: Sequence[SSAValue]) -> str:
    return computation.make_tuple(
        [computation.name_of(value) for value in values], [site.shape(value) for value in values]
    )


def _while(site: Site) -> None:
    """The tuple a loop carries ends with what its regions use from outside."""
    op = site.op
    assert isinstance(op, stablehlo.WhileOp)
    captured = captured_values([op.cond, op.body])
    condition = _loop_computation(site, op.cond.block, captured, "condition", carries=False)
    body = _loop_computation(site, op.body.block, captured, "body", carries=True)
    carried = [*op.operands, *captured]
    shapes = [site.shape(value) for value in carried]
    init = _tuple_of(site, site.computation, carried)
    attributes = [f"condition=%{condition}", f"body=%{body}", *site.notes()]
    loop = site.computation.instruction(tuple_text(shapes), "while", [init], attributes)
    site.take_apart(loop, op.results, shapes[: len(op.results)])


def _loop_computation(site: Site, block: Block, captured: Sequence[SSAValue], hint: str, *, carries: bool) -> str:
    computation = site.program.new_computation(hint)
    _packed(site, computation, [*block.args, *captured], "carried")
    results = site.program.body(computation, block)
    if carries:
        root = _tuple_of(site, computation, [*results, *captured])
    else:
        root = computation.name_of(results[0])
    return site.program.close(computation, root)


def _branches(site: Site, regions: Sequence[Region], hints: Sequence[str]) -> tuple[list[str], list[str]]:
    """The computations of branches, and the tuples of what each of them uses from outside."""
    names: list[str] = []
    arguments: list[str] = []
    for region, hint in zip(regions, hints, strict=True):
        captured = captured_values([region])
        computation = site.program.new_computation(hint)
        _packed(site, computation, captured, "captured")
        results = site.program.body(computation, region.block)
        names.append(site.program.close(computation, _tuple_of(site, computation, results)))
        arguments.append(_tuple_of(site, site.computation, captured))
    return names, arguments


def _conditional(site: Site, selector: SSAValue, arguments: Sequence[str], attributes: Sequence[str]) -> None:
    """The result is a tuple, whatever the number of results."""
    shapes = [site.shape(result) for result in site.op.results]
    operands = [site.computation.name_of(selector), *arguments]
    notes = [*attributes, *site.notes()]
    name = site.computation.instruction(tuple_text(shapes), "conditional", operands, notes)
    site.take_apart(name, site.op.results, shapes)


def _if(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.IfOp)
    regions = [op.true_branch, op.false_branch]
    (on_true, on_false), arguments = _branches(site, regions, ["on_true", "on_false"])
    computations = [f"true_computation=%{on_true}", f"false_computation=%{on_false}"]
    _conditional(site, op.pred, arguments, computations)


def _case(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.CaseOp)
    names, arguments = _branches(site, op.regions, ["branch"] * len(op.regions))
    branches = ", ".join(f"%{name}" for name in names)
    _conditional(site, op.index, arguments, [f"branch_computations={{{branches}}}"])


def _optimization_barrier(site: Site) -> None:
    op = site.op
    if not op.operands:
        return
    if len(op.operands) == 1:
        site.finish("opt-barrier")
    else:
        site.finish("opt-barrier", [_tuple_of(site, site.computation, op.operands)])


PRINTERS.update(
    {
        func.CallOp: _call,
        stablehlo.CaseOp: _case,
        stablehlo.CompositeOp: _composite,
        stablehlo.GetTupleElementOp: _get_tuple_element,
        stablehlo.IfOp: _if,
        stablehlo.OptimizationBarrierOp: _optimization_barrier,
        stablehlo.TupleOp: _tuple,
        stablehlo.WhileOp: _while,
    }
)
