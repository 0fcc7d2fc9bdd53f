"""The walk of `stablehlo-expand-bounded-dynamism` over a function: what bounded values become, by which rule.

In functions, calls, `while`, `if` and `case` a bounded value is a padded tensor followed by one i32 per size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, TensorType, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from ....dialects import stablehlo
from ....dialects.editing import append, drain, insert_before, new_op, replace_uses
from ....dialects.stablehlo.bounds import bounds_of
from ....dialects.stablehlo.shapes import is_tensor
from .contractions import CONTRACTIONS
from .dynamic_shapes import DYNAMIC_SHAPES, TARGETS
from .elementwise import ELEMENTWISE
from .indexing import INDEXING
from .movement import MOVEMENT
from .normalization import NORMALIZATION
from .reductions import REDUCTIONS
from .values import Bounded, Carried, Rule, Site

RULES: dict[type[Operation], Rule] = {
    **ELEMENTWISE,
    **MOVEMENT,
    **REDUCTIONS,
    **CONTRACTIONS,
    **INDEXING,
    **DYNAMIC_SHAPES,
    **NORMALIZATION,
}
"""Op type to rule."""


CARRIERS: tuple[type[Operation], ...] = (
    func.CallOp,
    stablehlo.CaseOp,
    stablehlo.CompositeOp,
    stablehlo.GetTupleElementOp,
    stablehlo.IfOp,
    stablehlo.TupleOp,
    stablehlo.WhileOp,
)
"""Ops that carry values of bounded size without a rule of their own."""


def is_bounded_type(type: Attribute) -> bool:
    """Whether `type` has bounds of dynamic dimensions."""
    return bool(bounds_of(type))


def takes_bounds(op: Operation) -> bool:
    """Whether `op` may have operands and results of bounded size."""
    if isinstance(op, stablehlo.CustomCallOp):
        return op.call_target_name.data in TARGETS
    return isinstance(op, CARRIERS) or type(op) in RULES


SIZE = TensorType(i32, ())
"""The type of the size of a dimension."""


class Form(NamedTuple):
    """How a value is passed: as a tensor of this type, and the sizes of these dimensions."""

    type: Attribute
    dims: tuple[int, ...] = ()

    @property
    def types(self) -> tuple[Attribute, ...]:
        return (self.type, *(SIZE for _ in self.dims))


def declared_form(type: Attribute) -> Form:
    """That of a value of this type; unchanged without bounds, or where a dynamic dimension has none."""
    bounds = bounds_of(type)
    if not bounds or not is_tensor(type):
        return Form(type)
    shape = [bounds.get(dim, size) for dim, size in enumerate(type.get_shape())]
    return Form(type) if DYNAMIC_INDEX in shape else Form(TensorType(type.element_type, shape), tuple(bounds))


def form_of(values: Sequence[Bounded]) -> Form:
    """One that all `values` can be passed in."""
    shape = [max(sizes) for sizes in zip(*(x.shape for x in values), strict=True)]
    dims = sorted({dim for x in values for dim in x.sizes})
    return Form(TensorType(values[0].tensor.element_type, shape), tuple(dims))


class Expansion:
    """One function: what its bounded values have become, and the ops that are replaced."""

    def __init__(self) -> None:
        self.carried: dict[SSAValue, Carried] = {}
        self.replaced: list[Operation] = []

    def run(self, function: func.FuncOp) -> None:
        """Replace what is bounded in `function`."""
        self.function(function)
        for op in self.replaced:
            op.detach()
            op.drop_all_references()

    def process(self, block: Block) -> None:
        for op in list(block.ops):
            match op:
                case stablehlo.WhileOp():
                    self.loop(op)
                case stablehlo.IfOp() | stablehlo.CaseOp():
                    self.branches(op)
                case func.CallOp() if self._concerns(op):
                    self.call(op)
                case _ if not isinstance(op, func.CallOp) and not op.has_trait(IsTerminator):
                    for region in op.regions:
                        self.process(region.block)
                    if self._concerns(op):
                        self._expand(op)
                case _:
                    pass

    def _concerns(self, op: Operation) -> bool:
        return (
            isinstance(op, stablehlo.SetDimensionSizeOp)
            or any(operand in self.carried for operand in op.operands)
            or any(is_bounded_type(result.type) for result in op.results)
        )

    def _expand(self, op: Operation) -> None:
        site = Site(op, self.carried)
        rule = RULES.get(type(op))
        if rule is None:
            raise site.unsupported("no rule for dimensions of bounded size")
        if isinstance(op, stablehlo.SetDimensionSizeOp) and not self._padded(op.operand):
            return
        for index, (old, new) in enumerate(zip(op.results, rule(site, op), strict=True)):
            x = site.settled(index, new)
            value = x.tensor.value
            if value.name_hint is None:
                value.name_hint = old.name_hint
            if x.sizes:
                self.carried[old] = Carried(value, {dim: size.value for dim, size in x.sizes.items()})
            else:
                old.name_hint = None
                replace_uses(old, value)
        self.replaced.append(op)

    def _padded(self, value: SSAValue) -> bool:
        """Whether the padded shape of `value` is known."""
        return value in self.carried or (is_tensor(value.type) and value.type.has_static_shape())

    # What control flow carries

    def _passed(self, user: Operation, values: Sequence[SSAValue], forms: Sequence[Form]) -> list[SSAValue]:
        """`values` in these forms, in front of the op that passes them on."""
        site = Site(user, self.carried)
        passed: list[SSAValue] = []
        for value, form in zip(values, forms, strict=True):
            if not form.dims and value not in self.carried:
                passed.append(value)
                continue
            x = site.get(value)
            assert is_tensor(form.type)
            if set(x.sizes) - set(form.dims):
                raise site.unsupported(f"a value of type {value.type} has sizes that its type does not bound")
            passed.append(site.fitted(x.tensor, form.type.get_shape()).value)
            passed += [site.size(x, dim).value for dim in form.dims]
        return passed

    def _received(self, olds: Sequence[SSAValue], news: Sequence[SSAValue], forms: Sequence[Form]) -> None:
        """`news`, in `forms`, take the place of `olds`."""
        rest = iter(news)
        for old, form in zip(olds, forms, strict=True):
            new = next(rest)
            if new.name_hint is None:
                new.name_hint = old.name_hint
            sizes = {dim: next(rest) for dim in form.dims}
            for dim, size in sizes.items():
                if new.name_hint is not None:
                    size.name_hint = f"{new.name_hint}_size{dim}"
            if sizes:
                self.carried[old] = Carried(new, sizes)
            else:
                replace_uses(old, new)

    def _with_arguments(self, region: Region, forms: Sequence[Form]) -> Region:
        """The ops of a region, processed, in one whose arguments have these forms."""
        old = region.block
        block = Block(arg_types=[type for form in forms for type in form.types])
        for op in drain(old):
            append(block, op)
        self._received(old.args, block.args, forms)
        self.process(block)
        return Region(block)

    def _return(self, region: Region, forms: Sequence[Form]) -> None:
        """Let a region return values in these forms."""
        last = _last(region)
        self._replace(last, self._passed(last, last.operands, forms), (), ())

    def function(self, function: func.FuncOp) -> None:
        """Arguments and results in the forms that their types declare."""
        types = function.function_type
        inputs, outputs = (list(map(declared_form, side.data)) for side in (types.inputs, types.outputs))
        if function.body.blocks:
            body = self._with_arguments(function.body, inputs)
            self._return(body, outputs)
            function.detach_region(function.body)
            function.add_region(body)
        flat = [[type for form in forms for type in form.types] for forms in (inputs, outputs)]
        for name, forms in (("arg_attrs", inputs), ("res_attrs", outputs)):
            if any(form.dims for form in forms):
                function.properties.pop(name, None)
        function.function_type = FunctionType.from_lists(*flat)

    def call(self, op: func.CallOp) -> None:
        """Operands and results in the forms that their types declare."""
        operands = self._passed(op, op.operands, list(map(declared_form, op.operand_types)))
        self._replace(op, operands, list(map(declared_form, op.result_types)), ())

    def branches(self, op: Operation) -> None:
        """`if` and `case`: each result in a form that fits all branches."""
        for region in op.regions:
            self.process(region.block)
        forms: list[Form] = []
        for values in zip(*(_last(region).operands for region in op.regions), strict=True):
            is_bounded = any(value in self.carried for value in values)
            found = [Site(op, self.carried).get(value) for value in values] if is_bounded else ()
            forms.append(form_of(found) if is_bounded else Form(values[0].type))
        if not any(form.dims for form in forms):
            return
        for region in op.regions:
            self._return(region, forms)
        self._replace(op, op.operands, forms, [op.detach_region(region) for region in list(op.regions)])

    def loop(self, op: stablehlo.WhileOp) -> None:
        """What the types of the carried values bound, or what is bounded to begin with, is so in every iteration."""
        forms: list[Form] = []
        for argument, operand in zip(op.body.block.args, op.operands, strict=True):
            form = declared_form(argument.type)
            if not form.dims and operand in self.carried:
                form = form_of([Site(op, self.carried).get(operand)])
            forms.append(form)
        if not any(form.dims for form in forms):
            for region in op.regions:
                self.process(region.block)
            return
        condition, body = (self._with_arguments(region, forms) for region in op.regions)
        self._return(body, forms)
        self._replace(op, self._passed(op, op.operands, forms), forms, [condition, body])

    def _replace(
        self, op: Operation, operands: Sequence[SSAValue], forms: Sequence[Form], regions: Sequence[Region]
    ) -> None:
        """The op again, with other operands, results in these forms and other regions."""
        types = [type for form in forms for type in form.types]
        new = new_op(type(op), operands, types, op.properties, op.attributes, regions=regions, location=op.location)
        insert_before(new, op)
        self._received(op.results, new.results, forms)
        self.replaced.append(op)


def _last(region: Region) -> Operation:
    last = region.block.last_op
    assert last is not None
    return last
