"""`convert-affine-to-scf`: affine loops and accesses become scf loops, plain accesses and index arithmetic.

What it does: `affine.for` -> `scf.for`, `affine.parallel` -> `scf.parallel`, `affine.if` ->
`scf.if`, `affine.load/store` -> `memref.load/store`, `affine.vector_load/store` ->
`vector.load/store`, `affine.apply/min` -> arith. It needs `affine.parallel` without reductions and
leaves no op of the affine dialect.

    affine.for %i = 0 to 8 {
      %x = affine.load %a[%i * 4 + 1] : memref<32xf32>

becomes, with the constants at the top of the function:

    scf.for %i = %c0 to %c8 step %c1 {
      %0 = arith.muli %i, %c4 overflow<nsw> : index
      %1 = arith.addi %0, %c1 overflow<nsw> : index
      %x = memref.load %a[%1] : memref<32xf32>

`index_arithmetic` says how: terms are folded, computed once, and divided unsigned where intervals of the
operands, from constant loop bounds upwards, allow.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import cast

from xdsl.context import Context
from xdsl.dialects import affine, arith, builtin, func, memref, scf, vector
from xdsl.dialects.builtin import AffineMapAttr, IndexType, i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstraintKind, AffineMap

from ..dialects import locating
from ..dialects.editing import become, erase, ops_of, replace_uses
from ..dialects.shared_attributes import i32_array
from ..errors import UnsupportedError
from ..ir.conversions import ConversionPass, Handlers
from ..ir.function_passes import Bodies
from ..ir.index_arithmetic import Index, IndexArithmetic

_SET_PREDICATES = {
    AffineConstraintKind.ge: "sge",
    AffineConstraintKind.le: "sle",
    AffineConstraintKind.eq: "eq",
}


class _FunctionConverter(IndexArithmetic):
    """Converts one function, each op as `handlers` say."""

    def __init__(self, entry: Block, handlers: Handlers) -> None:
        super().__init__(entry)
        self.handlers = handlers

    def convert_region(self, region: Region) -> None:
        for block in region.blocks:
            with self.nested():
                for op in ops_of(block):
                    lower = self.handlers.get(op.__class__)
                    if lower is not None:
                        self.anchor = op
                        if locating.is_on:
                            locating.at(op)
                        lower(self, op)
                    else:
                        for inner in op.regions:
                            self.convert_region(inner)

    def convert_body(self, op: Operation, terminator: type[Operation]) -> None:
        """Converts what is in an op that is converted itself."""
        for region in op.regions:
            for block in region.blocks:
                assert isinstance(block.last_op, affine.YieldOp)
                become(block.last_op, terminator)
            self.convert_region(region)

    def bounds(self, op: Operation, side: str, operands: Sequence[SSAValue]) -> tuple[list[Index], Sequence[SSAValue]]:
        """The values of the map with the bounds of a loop on one side, and the operands behind those of the map."""
        bounds = _map_of(op, side)
        count = bounds.num_dims + bounds.num_symbols
        return self.evaluate_map(bounds, operands[:count]), operands[count:]


def _map_of(op: Operation, name: str = "map") -> AffineMap:
    return cast(AffineMapAttr, op.properties[name]).data


def _lower_for(converter: _FunctionConverter, op: affine.ForOp) -> None:
    lowers, rest = converter.bounds(op, "lowerBoundMap", op._operands)
    uppers, inits = converter.bounds(op, "upperBoundMap", rest)
    lower, upper = reduce(converter.maximum, lowers), reduce(converter.minimum, uppers)
    operands = [converter.value(bound) for bound in (lower, upper, op.step.value.data)]
    become(op, scf.ForOp, {}, [*operands, *inits], op.attributes)
    converter.set_induction_interval(op.regions[0].block.args[0], lower, upper)
    converter.convert_body(op, scf.YieldOp)


def _lower_parallel(converter: _FunctionConverter, op: affine.ParallelOp) -> None:
    if op.results:
        raise UnsupportedError(
            f"{op.name} with results of types {', '.join(map(str, op.result_types))}: "
            "reductions of parallel loops are not lowered",
            op,
        )
    terms, rest = converter.bounds(op, "lowerBoundsMap", op._operands)
    lowers = _grouped(converter.maximum, terms, op.lowerBoundsGroups.get_values())
    terms, _ = converter.bounds(op, "upperBoundsMap", rest)
    uppers = _grouped(converter.minimum, terms, op.upperBoundsGroups.get_values())
    steps = [step.value.data for step in op.steps.data]
    body = op.regions[0].block
    if not lowers:
        # A parallel loop without dimensions runs its body once.
        lowers, uppers, steps = [0], [1], [1]
        body.insert_arg(IndexType(), 0)
    rank = len(lowers)
    operands = [converter.value(bound) for bound in (*lowers, *uppers, *steps)]
    become(op, scf.ParallelOp, {"operandSegmentSizes": i32_array(rank, rank, rank, 0)}, operands, op.attributes)
    for induction, lower, upper in zip(body.args, lowers, uppers, strict=True):
        converter.set_induction_interval(induction, lower, upper)
    converter.convert_body(op, scf.ReduceOp)


def _grouped(combine: Callable[[Index, Index], Index], terms: list[Index], groups: Sequence[int]) -> list[Index]:
    """One bound for each group of terms."""
    remaining = iter(terms)
    return [reduce(combine, [next(remaining) for _ in range(size)]) for size in groups]


def _lower_if(converter: _FunctionConverter, op: affine.IfOp) -> None:
    condition_set = op.condition.data
    operands = [converter.known(operand) for operand in op.args]
    dims, symbols = operands[: condition_set.num_dims], operands[condition_set.num_dims :]
    condition: SSAValue | None = None
    for constraint in condition_set.constraints:
        left = converter.evaluate(constraint.lhs, dims, symbols)
        right = converter.evaluate(constraint.rhs, dims, symbols)
        test = converter.compare(_SET_PREDICATES[constraint.kind], left, right)
        if condition is not None:
            test = converter.emit(arith.AndIOp, (condition, test), result_type=i1)
        condition = test
    if condition is None:
        condition = converter.compare("eq", 0, 0)
    become(op, scf.IfOp, {}, [condition], op.attributes)
    converter.convert_body(op, scf.YieldOp)


def _access(op_class: type[Operation], first: int) -> Callable[[_FunctionConverter, Operation], None]:
    """An access whose operands from `first` on are the dimensions and symbols of a map becomes one with indices."""

    def lower(converter: _FunctionConverter, op: Operation) -> None:
        operands = op._operands
        indices = converter.evaluate_map(_map_of(op), operands[first:])
        become(op, op_class, {}, [*operands[:first], *map(converter.value, indices)], op.attributes)

    return lower


def _lower_apply(converter: _FunctionConverter, op: affine.ApplyOp | affine.MinOp) -> None:
    """An op of one result; all of those of a map are for the smallest one."""
    smallest = reduce(converter.minimum, converter.evaluate_map(_map_of(op), op._operands))
    replace_uses(op.results[0], converter.value(smallest))
    erase(op)


_LOWERINGS: Handlers = {
    affine.ForOp: _lower_for,
    affine.ParallelOp: _lower_parallel,
    affine.IfOp: _lower_if,
    affine.LoadOp: _access(memref.LoadOp, 1),
    affine.StoreOp: _access(memref.StoreOp, 2),
    affine.VectorLoadOp: _access(vector.LoadOp, 1),
    affine.VectorStoreOp: _access(vector.StoreOp, 2),
    affine.ApplyOp: _lower_apply,
    affine.MinOp: _lower_apply,
}


class ConvertAffineToScfPass(Bodies, ConversionPass):
    """See the module docstring."""

    name = "convert-affine-to-scf"

    HANDLERS = _LOWERINGS

    def of_body(self, ctx: Context, module: builtin.ModuleOp) -> Callable[[func.FuncOp], None]:
        handlers = self.handlers()
        return lambda function: _FunctionConverter(function.body.blocks[0], handlers).convert_region(function.body)
