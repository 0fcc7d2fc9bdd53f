"""Reductions of windows sliding over tensors."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    i1,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    SameVariadicOperandSize,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import RecursivelySpeculatable, RecursiveMemoryEffect

from .bounds import inferred_type
from .element_types import ScalarTensor, Tensor
from .property_types import I64ArrayProperty, I64ElementsProperty
from .reduction import element_types, same_shapes, verify_init_values
from .regions import ReducerConstraints, scalar, verify_reducer, verify_signature
from .shapes import (
    compatible_shapes,
    element_type_of,
    shape_of,
    show,
    show_shape,
    violation,
)
from .syntax import i64_array
from .windows import (
    Window,
    padding_attr,
    padding_pairs,
    values_or,
    verify_padding_shape,
    verify_window_values,
)

Value = SSAValue | Operation


@irdl_op_definition
class ReduceWindowOp(IRDLOperation):
    """Combines the elements in each window of the padded and spread inputs with `body`, starting from `init_values`.

    `inputs`: N of one shape, any elements; `init_values`: N of rank 0. `result`: N with as many elements in each
    dimension as the window has places. `body` as that of `reduce`. Specification: `reduce_window`.
    """

    name = "stablehlo.reduce_window"

    inputs = var_operand_def(Tensor)
    init_values = var_operand_def(ScalarTensor)
    result = var_result_def(Tensor)
    window_dimensions = prop_def(I64ArrayProperty)
    window_strides = opt_prop_def(I64ArrayProperty)
    base_dilations = opt_prop_def(I64ArrayProperty)
    window_dilations = opt_prop_def(I64ArrayProperty)
    padding = opt_prop_def(I64ElementsProperty)
    body = region_def()

    irdl_options = (SameVariadicOperandSize(),)
    traits = traits_def(RecursiveMemoryEffect(), RecursivelySpeculatable())

    def __init__(
        self,
        inputs: Sequence[Value],
        init_values: Sequence[Value],
        window: Window,
        body: Region,
        result_types: Sequence[Attribute] | None = None,
    ):
        inputs = [SSAValue.get(value) for value in inputs]
        inits = [SSAValue.get(value) for value in init_values]
        if result_types is None:
            result_types = [
                inferred_type(element_type_of(init), window.counts, value)
                for value, init in zip(inputs, inits, strict=True)
            ]
        super().__init__(
            operands=[inputs, inits],
            result_types=[result_types],
            properties={
                "window_dimensions": i64_array(window.sizes),
                "window_strides": i64_array(window.strides),
                "base_dilations": i64_array(window.base_dilations),
                "window_dilations": i64_array(window.window_dilations),
                "padding": padding_attr(window.padding),
            },
            regions=[body],
        )

    @property
    def window(self) -> Window:
        """The window, defaults filled in."""
        sizes = self.window_dimensions.get_values()
        rank = len(sizes)
        return Window(
            tuple(map(int, sizes)),
            values_or(self.window_strides, 1, rank),
            values_or(self.base_dilations, 1, rank),
            values_or(self.window_dilations, 1, rank),
            padding_pairs(self.padding, rank),
        )

    def verify_(self) -> None:
        inputs, inits = list(self.inputs), list(self.init_values)
        if not inputs or len(self.result) != len(inputs):
            violation(
                self,
                "C1",
                f"{len(inputs)} inputs, {len(inits)} init_values, {len(self.result)} results",
            )
        if not same_shapes(inputs):
            violation(self, "C2", f"inputs differ in shape: {show(v.type for v in inputs)}")
        verify_init_values(self, "C3", inputs, inits)
        rank = len(shape_of(inputs[0]))
        for name, attr, size, sign in (
            ("window_dimensions", self.window_dimensions, "C4", "C5"),
            ("window_strides", self.window_strides, "C6", "C7"),
            ("base_dilations", self.base_dilations, "C8", "C9"),
            ("window_dilations", self.window_dilations, "C10", "C11"),
        ):
            verify_window_values(self, name, attr, rank, size, sign)
        verify_padding_shape(self, "C12", self.padding, rank)
        elements = element_types(self.result)
        verify_reducer(self, ReducerConstraints("C13", "C16"), self.body, "body", element_types(inputs), elements)
        if not same_shapes(self.result):
            violation(self, "C14", f"results differ in shape: {show(self.result_types)}")
        expected = self.window.counts(shape_of(inputs[0]))
        for value in self.result:
            if not compatible_shapes(expected, shape_of(value)):
                violation(
                    self,
                    "C15",
                    f"expected result shape {show_shape(expected)}, got {show_shape(shape_of(value))}",
                )


@irdl_op_definition
class SelectAndScatterOp(IRDLOperation):
    """Selects one element in each window of `operand` with `select`, and combines into its place the value of the
    window in `source` with `scatter`; other places are `init_value`.

    `operand`, `result`: one shape, any elements. `source`: as many elements as the window has places. `init_value`:
    rank 0. `select`: two elements to i1; `scatter`: a reducer. Specification: `select_and_scatter`.
    """

    name = "stablehlo.select_and_scatter"

    operand = operand_def(Tensor)
    source = operand_def(Tensor)
    init_value = operand_def(ScalarTensor)
    result = result_def(Tensor)
    window_dimensions = opt_prop_def(I64ArrayProperty)
    window_strides = opt_prop_def(I64ArrayProperty)
    padding = opt_prop_def(I64ElementsProperty)
    select = region_def()
    scatter = region_def()

    traits = traits_def(RecursiveMemoryEffect(), RecursivelySpeculatable())

    def __init__(
        self,
        operand: Value,
        source: Value,
        init_value: Value,
        window: Window,
        select: Region,
        scatter: Region,
    ):
        operand = SSAValue.get(operand)
        super().__init__(
            operands=[operand, source, init_value],
            result_types=[operand.type],
            properties={
                "window_dimensions": i64_array(window.sizes),
                "window_strides": i64_array(window.strides),
                "padding": padding_attr(window.padding),
            },
            regions=[select, scatter],
        )

    @property
    def window(self) -> Window:
        """The window, defaults filled in; it has no dilations."""
        rank = len(shape_of(self.operand))
        ones = (1,) * rank
        return Window(
            values_or(self.window_dimensions, 1, rank),
            values_or(self.window_strides, 1, rank),
            ones,
            ones,
            padding_pairs(self.padding, rank),
        )

    def verify_(self) -> None:
        element = element_type_of(self.operand)
        if element_type_of(self.source) != element:
            violation(
                self,
                "C1",
                f"operand of type {self.operand.type}, source of type {self.source.type}",
            )
        rank = len(shape_of(self.operand))
        verify_window_values(self, "window_dimensions", self.window_dimensions, rank, "C4", "C5")
        verify_window_values(self, "window_strides", self.window_strides, rank, "C6", "C7")
        verify_padding_shape(self, "C8", self.padding, rank)
        expected = self.window.counts(shape_of(self.operand))
        if not compatible_shapes(expected, shape_of(self.source)):
            violation(
                self,
                "C2",
                f"expected source shape {show_shape(expected)}, got {show_shape(shape_of(self.source))}",
            )
        verify_init_values(self, "C3", (self.operand,), (self.init_value,))
        value = scalar(element)
        verify_signature(self, "C9", self.select, "select", (value, value), (scalar(i1),))
        results = (element_type_of(self.result),)
        verify_reducer(self, ReducerConstraints("C10", "C12"), self.scatter, "scatter", (element,), results)
        if not compatible_shapes(shape_of(self.operand), shape_of(self.result)):
            violation(
                self,
                "C11",
                f"operand of type {self.operand.type}, result of type {self.result.type}",
            )
