"""A function refined by the types of its arguments, op by op: the inner part of `stablehlo-refine-shapes`."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import prod
from typing import TYPE_CHECKING, Any, cast

from numpy.typing import NDArray
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FunctionType,
    IndexType,
    IntegerType,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.utils.exceptions import VerifyException

from ...decisions.search import KNOWN_ELEMENTS
from ...dialects import stablehlo
from ...dialects.call_graph import CALLEE_PROPERTY
from ...dialects.editing import (
    append,
    clone,
    clone_region,
    erase,
    insert_before,
    new_op,
    ops_of,
    replace_all_uses,
    replace_uses,
)
from ...dialects.shared_attributes import symbol
from ...dialects.stablehlo.shapes import compatible_types, is_tensor, shape_of, show
from ...dialects.stablehlo.traits import AcrossProcesses, ops_with
from ...errors import InvalidProgramError, UnsupportedError
from ...ir.interface import refined_interface
from ...ir.tensor_builder import TensorBuilder
from ...reference.arrays import dense_array
from ...reference.interpreter import Interpreter, evaluate_op
from .common_subexpressions import eliminate_dead_ops
from .result_shapes import result_shapes
from .run_time_checks import check_shapes
from .stablehlo_fold_constants import dense_attribute
from .static_calls import STATIC_CALLS, custom_call
from .static_forms import STATIC_FORMS, dynamic_dimension, shape_operands, with_shape

if TYPE_CHECKING:
    from .shape_refinement import Program

Array = NDArray[Any]

NOT_EVALUATED: frozenset[type[Operation]] = frozenset(
    (
        *ops_with(AcrossProcesses, stablehlo.OPS),
        stablehlo.OptimizationBarrierOp,
        stablehlo.CustomCallOp,
        stablehlo.RngOp,
    )
)
"""Ops that stay even where all they depend on is known."""


def may_be_known(value: SSAValue) -> bool:
    """Whether `value` is of the kind that shapes are computed with: a small tensor of integers or booleans."""
    type = value.type
    return (
        is_tensor(type)
        and isinstance(type.element_type, IntegerType | IndexType)
        and DYNAMIC_INDEX not in (shape := type.get_shape())
        and prod(shape) <= KNOWN_ELEMENTS
    )


class RefinedFunction:
    """A copy of a function whose types follow from those of its arguments, and what is known of its values."""

    def __init__(
        self, program: Program, source: func.FuncOp, types: Sequence[Attribute], constants: Sequence[Array | None]
    ) -> None:
        if source.body.first_block is None or source.body.first_block.next_block is not None:
            raise UnsupportedError(f"@{source.sym_name.data}: expected a body of one block", source)
        self._program = program
        self._source = source
        self._known: dict[SSAValue, Array] = {}
        self.function = clone(source)
        self._op: Operation = self.function
        block = self.function.body.block
        self.results = self._refine(block, types, constants)
        self.constants = [self._known.get(value) for value in self.results]
        eliminate_dead_ops(block)

    def finish(self, name: str) -> None:
        """Let the function be of this name."""
        types = [argument.type for argument in self.function.args], [value.type for value in self.results]
        signature = FunctionType.from_lists(*types)
        self.function.properties |= {"function_type": signature, "sym_name": StringAttr(name)}
        self.function.attributes = dict(refined_interface(self._source, signature))

    # What `static_forms` needs

    def constant(self, value: SSAValue) -> Array | None:
        """The value of `value` where it is known."""
        return self._known.get(value)

    def emit_constant(self, type: Attribute, value: Array, anchor: Operation | None = None) -> SSAValue:
        """A new `stablehlo.constant`, in front of the op that is refined or of `anchor`."""
        attribute = dense_attribute(cast(TensorType[Attribute], type), value)
        op = new_op(stablehlo.ConstantOp, (), (type,), {"value": attribute}, location=self._op.location)
        insert_before(op, self._op if anchor is None else anchor)
        self._known[op.output] = value
        return op.output

    def emit(
        self,
        op_type: type[Operation],
        operands: Sequence[SSAValue],
        types: Sequence[Attribute],
        properties: Mapping[str, Attribute] = {},
        attributes: Mapping[str, Attribute] = {},
        regions: Sequence[Region] = (),
    ) -> Sequence[SSAValue]:
        """The results of a new op, whose shapes are inferred where that is possible; those known are constants."""
        op = new_op(op_type, operands, types, properties, attributes, regions=regions, location=self._op.location)
        insert_before(op, self._op)
        values = self._inferred(op)
        if values is not op.results:
            erase(op)
        return values

    def check_shapes(self) -> None:
        """Insert the checks of the shape operands of the op."""
        builder = TensorBuilder(self._op)
        kept, shapes = shape_operands(cast(IRDLOperation, self._op))
        sizes = [[builder.splat(i64, (), size) for size in shape_of(value)] for value in kept[:1]]
        check_shapes(builder, self._op, sizes, builder.wrap(*shapes.values()))

    def region_of(self, function: str) -> Region | None:
        """The body of a function of the module as a region that ends with `stablehlo.return`."""
        source = self._program.functions.get(function)
        if source is None:
            return None
        region = clone_region(source.body, {})
        returned = self._refine(region.block, source.function_type.inputs.data)
        if (end := region.block.last_op) is not None:
            erase(end)
        append(region.block, new_op(stablehlo.ReturnOp, operands=returned, location=self._op.location))
        return region

    # The walk

    def _inferred(self, op: Operation) -> Sequence[SSAValue]:
        """The results of `op` with the shapes that follow from its operands, or the constants that they are."""
        try:
            shapes = result_shapes(op)
        except VerifyException as error:
            raise InvalidProgramError(str(error), self._op) from error
        if shapes is not None:
            for result, shape in zip(op.results, shapes, strict=True):
                result._type = with_shape(self._op, result.type, shape)
        for index, type in enumerate(op.result_types):
            if (dimension := dynamic_dimension(type)) is not None:
                raise UnsupportedError(
                    f"{self._op.name}: dimension {dimension} of result {index}, {type}, does not follow from its"
                    " operands",
                    self._op,
                )
        try:
            op.verify_()
        except VerifyException as error:
            raise InvalidProgramError(str(error), self._op) from error
        return self._evaluated(op) or op.results

    def _evaluated(self, op: Operation) -> Sequence[SSAValue] | None:
        """Constants in place of the results of `op`, where it only computes with known integers."""
        if isinstance(op, stablehlo.ConstantOp):
            if may_be_known(op.output):
                self._known[op.output] = dense_array(op.value)
            return None
        arrays = [self._known.get(operand) for operand in op.operands]
        if (
            not op.results
            or type(op) in NOT_EVALUATED
            or not all(map(may_be_known, op.results))
            or any(array is None for array in arrays)
            or (op.regions and not (isinstance(op, stablehlo.ReduceOp) and op.combiner() is not None))
        ):
            return None
        try:
            values = evaluate_op(op, cast(list[Array], arrays))
        except UnsupportedError:
            return None
        return list(map(self.emit_constant, op.result_types, values))

    def _refine(
        self, block: Block, types: Sequence[Attribute], constants: Sequence[Array | None] = ()
    ) -> Sequence[SSAValue]:
        """Refine the ops of a block whose arguments are of these types; the operands of its terminator."""
        outer = self._op
        for argument, type in zip(block.args, types, strict=True):
            argument._type = type
        self._known |= {value: known for value, known in zip(block.args, constants, strict=False) if known is not None}
        returned: Sequence[SSAValue] = ()
        for op in ops_of(block):
            if isinstance(op, stablehlo.ReturnOp | func.ReturnOp):
                returned = tuple(op.operands)
                continue
            self._op = op
            declared = tuple(op.result_types)
            values = self._refined(op)
            _check_types(op, declared, values)
            if values is not op.results:
                replace_all_uses(dict(zip(op.results, values, strict=True)))
                erase(op)
        self._op = outer
        return returned

    def _refined(self, op: Operation) -> Sequence[SSAValue]:
        """What takes the place of the results of `op`."""
        if (static_form := STATIC_FORMS.get(type(op))) is not None:
            return static_form(op, self)
        if isinstance(op, stablehlo.CustomCallOp):
            return STATIC_CALLS.get(op.call_target_name.data, custom_call)(op, self)
        if (refine := _WITH_FUNCTIONS.get(type(op))) is not None:
            return refine(self, op)
        for region in op.regions:
            types = [argument.type for argument in region.block.args]
            for type_ in types:
                if (dimension := dynamic_dimension(type_)) is not None:
                    message = f"{op.name}: dimension {dimension} of an argument of its region is dynamic"
                    raise UnsupportedError(message, op)
            self._refine(region.block, types)
        return self._inferred(op)

    # Ops that are more than an inference of result types

    def call_op(self, op: Operation) -> Sequence[SSAValue]:
        callee = self._program.callee(op)
        types = tuple(op.operand_types)
        constants = [self._known.get(operand) for operand in op.operands]
        if len(types) != len(callee.args) or not all(map(compatible_types, types, callee.function_type.inputs)):
            raise InvalidProgramError(
                f"'{op.name}' of @{callee.sym_name.data}: arguments of type {show(types)}, but the function has"
                f" {callee.function_type}",
                op,
            )
        if not self._program.is_dynamic(callee):
            if all(map(may_be_known, op.results)) and all(value is not None for value in constants):
                with suppress(UnsupportedError):
                    known = cast(list[Array], constants)
                    values = Interpreter(self._program.module).call(callee.sym_name.data, known)
                    return list(map(self.emit_constant, op.result_types, cast(tuple[Array, ...], values)))
            return op.results
        body = self._program.refined(callee, types, constants)
        op.properties[CALLEE_PROPERTY[op.name]] = symbol(body.function.sym_name.data)
        for result, type, value in zip(op.results, body.function.function_type.outputs, body.constants, strict=True):
            result._type = type
            if value is not None:
                replace_uses(result, self.emit_constant(type, value, op.next_op))
        return op.results

    def while_op(self, op: stablehlo.WhileOp) -> Sequence[SSAValue]:
        types, last = tuple(op.operand_types), op.body.block.last_op
        assert last is not None
        kept = [old is new for old, new in zip(op.body.block.args, last.operands, strict=True)]
        constants = [self._known.get(v) if is_kept else None for v, is_kept in zip(op.operands, kept, strict=True)]
        self._refine(op.cond.block, types, constants)
        returned = self._refine(op.body.block, types, constants)
        for index, (type, value) in enumerate(zip(types, returned, strict=True)):
            if value.type != type:
                raise UnsupportedError(
                    f"{op.name}: the body makes value {index} a {value.type}, it begins as a {type}: its shape changes"
                    " while the loop runs",
                    op,
                )
        for result, type, value in zip(op.results, types, constants, strict=True):
            result._type = type
            if value is not None:
                self._known[result] = value
        return op.results

    def branches_op(self, op: Operation) -> Sequence[SSAValue]:
        """`if` and `case`: all branches return the same types."""
        types = [[value.type for value in self._refine(region.block, ())] for region in op.regions]
        for other in types:
            if other != types[0]:
                raise UnsupportedError(
                    f"{op.name}: the branches return {show(types[0])} and {show(other)}: shapes depend on data", op
                )
        for result, type in zip(op.results, types[0], strict=True):
            result._type = type
        return op.results


_WITH_FUNCTIONS: dict[type[Operation], Callable[[RefinedFunction, Any], Sequence[SSAValue]]] = {
    func.CallOp: RefinedFunction.call_op,
    stablehlo.CompositeOp: RefinedFunction.call_op,
    stablehlo.WhileOp: RefinedFunction.while_op,
    stablehlo.IfOp: RefinedFunction.branches_op,
    stablehlo.CaseOp: RefinedFunction.branches_op,
}


def _check_types(op: Operation, declared: Sequence[Attribute], values: Sequence[SSAValue]) -> None:
    """Whether what stands in the place of the results of `op` has the types that the program gives them."""
    for type, value in zip(declared, values, strict=True):
        if not compatible_types(type, value.type):
            raise InvalidProgramError(f"{op.name}: the result has type {value.type}, not {type}", op)
