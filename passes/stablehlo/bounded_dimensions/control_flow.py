"""Functions, calls, `while`, `if` and `case`: a bounded value is a padded tensor followed by one i32 per size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, TensorType, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....dialects import stablehlo
from ....dialects.editing import append, insert_before, replace_uses
from ....dialects.stablehlo.bounds import bounds_of
from ....dialects.stablehlo.shapes import Shape, is_tensor
from ....ir.tensor_builder import Tensor, TensorBuilder
from .values import Bounded, Site, padded_type

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
    """That of a value of this type; unchanged without bounds."""
    padded = padded_type(type)
    return Form(type) if padded is None else Form(padded, tuple(bounds_of(type)))


def form_of(values: Sequence[Bounded]) -> Form:
    """One that all `values` can be passed in."""
    shape: Shape = tuple(max(sizes) for sizes in zip(*(x.shape for x in values), strict=True))
    dims = sorted({dim for x in values for dim in x.sizes})
    return Form(TensorType(values[0].tensor.element_type, shape), tuple(dims))


class ControlFlow:
    """The rewrite of ops with regions of tensors; `process` is the walk of the pass over a block."""

    def __init__(
        self,
        process: Callable[[Block], None],
        site: Callable[[Operation], Site],
        bind: Callable[[SSAValue, Bounded], None],
        is_bounded: Callable[[SSAValue], bool],
        discard: Callable[[Operation], None],
    ) -> None:
        self._process = process
        self._site = site
        self._bind = bind
        self._is_bounded = is_bounded
        self._discard = discard

    def _passed(self, site: Site, value: SSAValue, form: Form) -> list[SSAValue]:
        """`value` in a form."""
        if not is_tensor(value.type):
            return [value]
        x = site.get(value)
        assert is_tensor(form.type)
        if not form.dims and not x.sizes:
            return [x.tensor.value]
        if set(x.sizes) - set(form.dims):
            raise site.unsupported(f"a value of type {value.type} has sizes that its type does not bound")
        tensor = site.fitted(x.tensor, form.type.get_shape())
        return [tensor.value, *(site.size(x, dim).value for dim in form.dims)]

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
            if not sizes:
                replace_uses(old, new)
            else:
                self._bind(old, _bounded(new, sizes))

    def _with_arguments(self, region: Region, forms: Sequence[Form]) -> Region:
        """The ops of a region, processed, in one whose arguments have these forms."""
        old = region.block
        block = Block(arg_types=[type for form in forms for type in form.types])
        for op in list(old.ops):
            op.detach()
            append(block, op)
        self._received(old.args, block.args, forms)
        self._process(block)
        return Region(block)

    def _return(self, region: Region, forms: Sequence[Form]) -> None:
        """Let a region return values in these forms."""
        last = region.block.last_op
        assert last is not None
        site = self._site(last)
        values = [v for value, form in zip(last.operands, forms, strict=True) for v in self._passed(site, value, form)]
        new = type(last).create(operands=values, attributes=last.attributes, location=last.location)
        insert_before(new, last)
        self._discard(last)

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
        inputs = [declared_form(value.type) for value in op.operands]
        results = [declared_form(value.type) for value in op.results]
        site = self._site(op)
        operands = [v for value, form in zip(op.operands, inputs, strict=True) for v in self._passed(site, value, form)]
        self._replace(op, operands, results, [])

    def branches(self, op: Operation) -> None:
        """`if` and `case`: each result in a form that fits all branches."""
        for region in op.regions:
            self._process(region.block)
        forms: list[Form] = []
        for index, result in enumerate(op.results):
            values = [_returned(region)[index] for region in op.regions]
            if any(map(self._is_bounded, values)):
                sites = [self._site(_last(region)) for region in op.regions]
                forms.append(form_of([site.get(value) for site, value in zip(sites, values, strict=True)]))
            else:
                forms.append(Form(values[0].type if is_tensor(result.type) else result.type))
        if not any(form.dims for form in forms):
            return
        for region in op.regions:
            self._return(region, forms)
        self._replace(op, list(op.operands), forms, [op.detach_region(region) for region in list(op.regions)])

    def loop(self, op: stablehlo.WhileOp) -> None:
        """What the types of the carried values bound, or what is bounded to begin with, is so in every iteration."""
        site = self._site(op)
        forms: list[Form] = []
        for argument, operand in zip(op.body.block.args, op.operands, strict=True):
            form = declared_form(argument.type)
            if not form.dims and self._is_bounded(operand):
                form = form_of([site.get(operand)])
            forms.append(form)
        if not any(form.dims for form in forms):
            for region in op.regions:
                self._process(region.block)
            return
        condition, body = (self._with_arguments(region, forms) for region in op.regions)
        self._return(body, forms)
        operands = [v for value, form in zip(op.operands, forms, strict=True) for v in self._passed(site, value, form)]
        self._replace(op, operands, forms, [condition, body])

    def _replace(
        self, op: Operation, operands: Sequence[SSAValue], forms: Sequence[Form], regions: Sequence[Region]
    ) -> None:
        new = type(op).create(
            operands=operands,
            result_types=[type for form in forms for type in form.types],
            properties=op.properties,
            attributes=op.attributes,
            regions=regions,
            location=op.location,
        )
        assert op.parent is not None
        insert_before(new, op)
        self._received(op.results, new.results, forms)
        self._discard(op)


def _bounded(value: SSAValue, sizes: dict[int, SSAValue]) -> Bounded:
    """A value and its sizes, which a rule wraps anew at the place where it builds."""
    owner = value.owner
    anchor = owner if isinstance(owner, Operation) else owner.first_op
    assert anchor is not None
    builder = TensorBuilder(anchor)
    return Bounded(Tensor(builder, value), {dim: Tensor(builder, size) for dim, size in sizes.items()})


def _last(region: Region) -> Operation:
    last = region.block.last_op
    assert last is not None
    return last


def _returned(region: Region) -> Sequence[SSAValue]:
    return _last(region).operands
