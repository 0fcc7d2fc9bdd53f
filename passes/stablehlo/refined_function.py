"""A function rebuilt with the types of its arguments, op by op: the inner part of `stablehlo-refine-shapes`."""

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
from ...dialects.editing import append, new_op
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
    """A function being rebuilt: the new value of every old one, and what is known of the new ones."""

    def __init__(
        self, program: Program, source: func.FuncOp, types: Sequence[Attribute], constants: Sequence[Array | None]
    ) -> None:
        if source.body.first_block is None or source.body.first_block.next_block is not None:
            raise UnsupportedError(f"@{source.sym_name.data}: expected a body of one block", source)
        self._program = program
        self._source = source
        self._values: dict[SSAValue, SSAValue] = {}
        self._known: dict[SSAValue, Array] = {}
        self._op: Operation = source
        self._block = Block(arg_types=types)
        for argument, constant in zip(self._block.args, constants, strict=True):
            if constant is not None:
                self._known[argument] = constant
        self.results = self._fill(source.body.block, self._block)
        self.constants = [self._known.get(value) for value in self.results]
        eliminate_dead_ops(self._block)

    def finish(self, name: str) -> None:
        """Make a function of the body."""
        block = self._block
        outputs = [value.type for value in self.results]
        signature = FunctionType.from_lists([argument.type for argument in block.args], outputs)
        properties = {**self._source.properties, "function_type": signature, "sym_name": StringAttr(name)}
        self.function = new_op(
            func.FuncOp,
            properties=properties,
            attributes=refined_interface(self._source, signature),
            regions=(Region(block),),
            location=self._source.location,
        )

    # What `static_forms` needs

    def constant(self, value: SSAValue) -> Array | None:
        """The value of `value` where it is known."""
        return self._known.get(value)

    def emit_constant(self, type: Attribute, value: Array) -> SSAValue:
        """A new `stablehlo.constant`."""
        properties = {"value": dense_attribute(cast(TensorType[Attribute], type), value)}
        (result,) = self._append(stablehlo.ConstantOp, (), (type,), properties).results
        self._known[result] = value
        return result

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
        draft = new_op(op_type, operands=operands, result_types=types, properties=properties)
        try:
            shapes = result_shapes(draft)
        except VerifyException as error:
            raise InvalidProgramError(str(error), self._op) from error
        types = types if shapes is None else [with_shape(self._op, *pair) for pair in zip(types, shapes, strict=True)]
        draft.drop_all_references()
        for index, type in enumerate(types):
            if (dimension := dynamic_dimension(type)) is not None:
                raise UnsupportedError(
                    f"{self._op.name}: dimension {dimension} of result {index}, {type}, does not follow from its"
                    " operands",
                    self._op,
                )
        op = self._append(op_type, operands, types, properties, attributes, regions)
        try:
            op.verify_()
        except VerifyException as error:
            raise InvalidProgramError(str(error), self._op) from error
        return self._evaluated(op) or op.results

    def check_shapes(self, operands: Sequence[SSAValue]) -> None:
        """Append the checks of the shape operands of the op, whose operands are these now."""
        builder = TensorBuilder(self._op, self._block)
        kept, shapes = shape_operands(cast(IRDLOperation, self._op), operands)
        sizes = [[builder.splat(i64, (), size) for size in shape_of(value)] for value in kept[:1]]
        check_shapes(builder, self._op, sizes, builder.wrap(*shapes.values()))

    def _append(
        self,
        op_type: type[Operation],
        operands: Sequence[SSAValue],
        types: Sequence[Attribute],
        properties: Mapping[str, Attribute] = {},
        attributes: Mapping[str, Attribute] = {},
        regions: Sequence[Region] = (),
    ) -> Operation:
        op = new_op(op_type, operands, types, properties, attributes, regions=regions, location=self._op.location)
        append(self._block, op)
        return op

    def _as_it_is(
        self, op: Operation, operands: Sequence[SSAValue], types: Sequence[Attribute], regions: Sequence[Region] = ()
    ) -> Sequence[SSAValue]:
        """The results of the op with other operands, result types and regions."""
        return self._append(type(op), operands, types, op.properties, op.attributes, regions).results

    # Evaluation

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
        types = list(op.result_types)
        self._block.erase_op(op)
        return list(map(self.emit_constant, types, values))

    # The walk

    def _fill(self, source: Block, target: Block) -> Sequence[SSAValue]:
        """Rebuild the ops of `source` in `target`, argument for argument; the operands of the terminator."""
        outer, self._block, caller = self._block, target, self._op
        for old, new in zip(source.args, target.args, strict=True):
            new.name_hint = old.name_hint
            self._values[old] = new
        returned: Sequence[SSAValue] = ()
        for op in source.ops:
            self._op = op
            operands = [self._values[operand] for operand in op.operands]
            if isinstance(op, stablehlo.ReturnOp | func.ReturnOp):
                returned = operands
                self._as_it_is(op, operands, ())
                continue
            for old, new in zip(op.results, self._rebuild(op, operands), strict=True):
                if new.name_hint is None:
                    new.name_hint = old.name_hint
                self._values[old] = new
        self._block, self._op = outer, caller
        return returned

    def _rebuild(self, op: Operation, operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
        if (static_form := STATIC_FORMS.get(type(op))) is not None:
            return static_form(op, operands, self)
        if isinstance(op, stablehlo.CustomCallOp):
            static_call = STATIC_CALLS.get(op.call_target_name.data, custom_call)
            return static_call(op, operands, self)
        if (rebuild := _REBUILDS.get(type(op))) is not None:
            return rebuild(self, op, operands)
        regions = [self._region(op, region) for region in op.regions]
        return self.emit(type(op), operands, op.result_types, op.properties, op.attributes, regions)

    def _region(self, op: Operation, region: Region) -> Region:
        """A region whose arguments have the types they had."""
        for argument in region.block.args:
            if (dimension := dynamic_dimension(argument.type)) is not None:
                raise UnsupportedError(f"{op.name}: dimension {dimension} of an argument of its region is dynamic", op)
        block = Block(arg_types=[argument.type for argument in region.block.args])
        self._fill(region.block, block)
        return Region(block)

    def region_of(self, function: str) -> Region | None:
        """The body of a function of the module as a region that ends with `stablehlo.return`."""
        source = self._program.functions.get(function)
        if source is None:
            return None
        block = Block(arg_types=tuple(source.function_type.inputs))
        returned = self._fill(source.body.block, block)
        if (end := block.last_op) is not None:
            block.erase_op(end)
        append(block, new_op(stablehlo.ReturnOp, operands=returned, location=self._op.location))
        return Region(block)

    # Ops that are more than an inference of result types

    def call_op(self, op: Operation, operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
        callee = self._program.callee(op)
        types = tuple(operand.type for operand in operands)
        constants = [self._known.get(operand) for operand in operands]
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
            return self._as_it_is(op, operands, op.result_types)
        body = self._program.refined(callee, types, constants)
        properties = {**op.properties, CALLEE_PROPERTY[op.name]: symbol(body.function.sym_name.data)}
        result_types = tuple(body.function.function_type.outputs)
        results = self._append(type(op), operands, result_types, properties, op.attributes).results
        return [
            result if value is None else self.emit_constant(result.type, value)
            for result, value in zip(results, body.constants, strict=True)
        ]

    def while_op(self, op: stablehlo.WhileOp, operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
        types = [operand.type for operand in operands]
        last = op.body.block.last_op
        assert last is not None
        kept = [old is new for old, new in zip(op.body.block.args, last.operands, strict=True)]
        regions: list[Region] = []
        returned: Sequence[SSAValue] = ()
        for region in (op.cond, op.body):
            block = Block(arg_types=types)
            for argument, operand, is_kept in zip(block.args, operands, kept, strict=True):
                if is_kept and operand in self._known:
                    self._known[argument] = self._known[operand]
            returned = self._fill(region.block, block)
            regions.append(Region(block))
        for index, (type, value) in enumerate(zip(types, returned, strict=True)):
            if value.type != type:
                raise UnsupportedError(
                    f"{op.name}: the body makes value {index} a {value.type}, it begins as a {type}: its shape changes"
                    " while the loop runs",
                    op,
                )
        results = self._as_it_is(op, operands, types, regions)
        for result, operand, is_kept in zip(results, operands, kept, strict=True):
            if is_kept and operand in self._known:
                self._known[result] = self._known[operand]
        return results

    def branches_op(self, op: Operation, operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """`if` and `case`: all branches return the same types."""
        blocks = [Block() for _ in op.regions]
        returned = [self._fill(region.block, block) for region, block in zip(op.regions, blocks, strict=True)]
        types = [[value.type for value in values] for values in returned]
        for other in types:
            if other != types[0]:
                raise UnsupportedError(
                    f"{op.name}: the branches return {show(types[0])} and {show(other)}: shapes depend on data", op
                )
        return self._as_it_is(op, operands, types[0], list(map(Region, blocks)))


_REBUILDS: dict[type[Operation], Callable[[RefinedFunction, Any, Sequence[SSAValue]], Sequence[SSAValue]]] = {
    func.CallOp: RefinedFunction.call_op,
    stablehlo.CompositeOp: RefinedFunction.call_op,
    stablehlo.WhileOp: RefinedFunction.while_op,
    stablehlo.IfOp: RefinedFunction.branches_op,
    stablehlo.CaseOp: RefinedFunction.branches_op,
}
"""Ops that are more than an inference of result types."""
