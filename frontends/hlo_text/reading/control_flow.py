"""Tuples, calls, branches, loops, and asynchronous instructions, which are done where they start."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import SSAValue

from ....dialects import stablehlo
from ..shapes import TupleShape, show
from ..syntax import Computation
from .functions import composite_properties, function_of
from .site import HANDLERS, Handler, HloValue, Site, asynchronous_parts, flatten


def _tuple(site: Site) -> HloValue:
    values = site.values()
    site.assume(TupleShape(tuple(map(site.operand_shape, range(len(values))))))
    if not isinstance(site.shape, TupleShape) or len(site.shape.elements) != len(values):
        site.error(f"a tuple of {len(values)} elements, not of shape {show(site.shape)}")
    for index, shape in enumerate(site.shape.elements):
        if site.types(shape) != site.types(site.operand_shape(index)):
            site.error(f"operand {index} and the element of the result differ in shape")
    return tuple(values)


def _element(value: HloValue, index: int, site: Site) -> HloValue:
    if not isinstance(value, tuple):
        site.error("the operand is not a tuple")
    if not 0 <= index < len(value):
        site.error(f"index {index} of a tuple of {len(value)} elements")
    return value[index]


def _get_tuple_element(site: Site) -> HloValue:
    (value,) = site.values(1)
    index = site.integer("index")
    element = _element(value, index, site)
    whole = site.operand_shape(0)
    if isinstance(whole, TupleShape):
        site.assume(whole.elements[index])
    if None not in (leaves := list(flatten(element))):
        types = [leaf.type for leaf in leaves if leaf is not None]
        if types != site.types():
            site.error("the element of the tuple has another shape")
    return element


def _call(site: Site) -> HloValue:
    """A call of the function made of the computation; composites keep their name."""
    computation = site.computation("to_apply")
    arguments = site.flat_values()
    function = function_of(site, computation, arguments)
    callee = SymbolRefAttr(function.sym_name)
    composite = composite_properties(site) if site.flag("is_composite") else None
    if composite is not None:
        return site.emit(stablehlo.CompositeOp, arguments, {**composite, "decomposition": callee})
    return site.emit(func.CallOp, arguments, {"callee": callee})


def _fusion(site: Site) -> HloValue:
    """The ops of a fusion become part of the caller, unless several instructions share the computation."""
    computation = site.computation("calls")
    if site.program.fusion_uses[computation.name] > 1:
        arguments = site.flat_values()
        function = function_of(site, computation, arguments)
        return site.emit(func.CallOp, arguments, {"callee": SymbolRefAttr(function.sym_name)})
    value = site.inline(computation, site.values(), site.scope.block)
    site.assume(computation.root.shape)
    return _checked(site, value)


def _checked(site: Site, value: HloValue) -> HloValue:
    """`value`, which must have the shape of the instruction."""
    types = site.types()
    got = [leaf.type if leaf is not None else None for leaf in flatten(value)]
    if len(got) != len(types) or any(a not in (b, None) for a, b in zip(got, types, strict=True)):
        site.error("the result of the computation has another shape")
    return value


def _while(site: Site) -> HloValue:
    """Loops carry the leaves of their tuple one by one."""
    (value,) = site.values(1)
    carried = site.leaves(value, site.operand_shape(0))
    site.assume(site.operand_shape(0))
    regions = [site.region(_unary(site, name, carried)) for name in ("condition", "body")]
    if [leaf.type for leaf in carried] != site.types():
        site.error("the initial value and the result differ in shape")
    return site.emit(stablehlo.WhileOp, carried, regions=regions)


def _unary(site: Site, name: str, argument: list[SSAValue]) -> Computation:
    """The computation of an attribute, which must have one parameter with these leaves."""
    computation = site.computation(name)
    if len(computation.parameters) != 1:
        site.error(f"the {name} has {len(computation.parameters)} parameters instead of one")
    if site.types(computation.parameters[0].shape) != [leaf.type for leaf in argument]:
        site.error(f"the operand does not have the shape of the parameter of the {name}")
    return computation


def _conditional(site: Site) -> HloValue:
    selector, *arguments = site.values(least=1)
    if not isinstance(selector, SSAValue):
        site.error("the first operand is a tuple")
    is_predicate = site.array_shape(0).element == "pred"
    if site.has("branch_computations"):
        branches = site.read("branch_computations", site.program.computations_at)
    else:
        branches = [site.computation(name) for name in ("true_computation", "false_computation")]
    if len(branches) != len(arguments) or not branches:
        site.error(f"{len(branches)} branches for {len(arguments)} arguments")
    if is_predicate and len(branches) != 2:
        site.error(f"{len(branches)} branches for a predicate")
    regions = [site.branch(branch, argument) for branch, argument in zip(branches, arguments, strict=True)]
    site.assume(branches[0].root.shape)
    return site.emit(stablehlo.IfOp if is_predicate else stablehlo.CaseOp, [selector], regions=regions)


def _optimization_barrier(site: Site) -> HloValue:
    (value,) = site.values(1)
    site.assume(site.operand_shape(0))
    return site.emit(stablehlo.OptimizationBarrierOp, site.leaves(value, site.operand_shape(0)))


def _async_start(site: Site) -> HloValue:
    """`((operands), results, context)`: the results are there at once."""
    values = site.values()
    context = [None] * (len(asynchronous_parts(site)) - 2)
    return (tuple(values), site.inline(site.computation("calls"), values, site.scope.block), *context)


def _async_update(site: Site) -> HloValue:
    (value,) = site.values(1)
    return value


def _done(index: int) -> Handler:
    """The result among what a start instruction gives."""

    def handler(site: Site) -> HloValue:
        (value,) = site.values(1)
        return _checked(site, _element(value, index, site))

    return handler


def _copy_start(site: Site) -> HloValue:
    """`(copy, original, context)`"""
    (value,) = site.values(1)
    return (value, value, None)


def _add_dependency(site: Site) -> HloValue:
    """The first operand; StableHLO orders by tokens only what has effects."""
    value, _ = site.values(2)
    site.assume(site.operand_shape(0))
    if site.types() != site.types(site.operand_shape(0)):
        site.error("operand and result differ in shape")
    return value


def _after_all(site: Site) -> HloValue:
    tokens = [value for value in site.flat_values() if isinstance(value.type, stablehlo.TokenType)]
    return site.emit(stablehlo.AfterAllOp, tokens)


HANDLERS.update(
    {
        "add-dependency": _add_dependency,
        "all-gather-done": _done(1),
        "after-all": _after_all,
        "async-done": _done(1),
        "async-start": _async_start,
        "async-update": _async_update,
        "call": _call,
        "collective-permute-done": _done(1),
        "conditional": _conditional,
        "copy-done": _done(0),
        "copy-start": _copy_start,
        "fusion": _fusion,
        "get-tuple-element": _get_tuple_element,
        "opt-barrier": _optimization_barrier,
        "tuple": _tuple,
        "while": _while,
    }
)
