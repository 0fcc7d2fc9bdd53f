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

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from xdsl.context import Context
from xdsl.dialects import affine, arith, builtin, func, memref, scf, vector
from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstraintKind

from ..dialects.editing import append, erase, insert_before, new_op, ops_of, replace_all_uses
from ..dialects.shared_attributes import i32_array
from ..errors import UnsupportedError
from ..ir.conversions import ConversionPass, Handlers
from .index_arithmetic import Index, IndexArithmetic

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

    def convert_block(self, block: Block) -> None:
        with self.nested():
            for op in tuple(ops_of(block)):
                lower = self.handlers.get(type(op))
                if lower is not None:
                    self.anchor = op
                    lower(self, op)
                else:
                    for region in op.regions:
                        self.convert_region(region)

    def convert_region(self, region: Region) -> None:
        for block in region.blocks:
            self.convert_block(block)

    def replace(self, op: Operation, new: Operation) -> None:
        new.location = op.location
        insert_before(new, op)
        _erase(op, new.results)


def _erase(op: Operation, results: Sequence[SSAValue]) -> None:
    replace_all_uses(dict(zip(op.results, results, strict=True)))
    erase(op)


def _replace_terminator(block: Block, new_type: type[Operation]) -> None:
    terminator = block.last_op
    assert isinstance(terminator, affine.YieldOp)
    operands = tuple(terminator.operands)
    erase(terminator)
    append(block, new_op(new_type, operands=operands))


def _lower_for(converter: _FunctionConverter, op: Operation) -> None:
    assert isinstance(op, affine.ForOp)
    lower = converter.lower_bound(op.lowerBoundMap.data, op.lowerBoundOperands)
    upper = converter.upper_bound(op.upperBoundMap.data, op.upperBoundOperands)
    bounds = (lower, upper, op.step.value.data)
    inits = op.inits
    region = op.detach_region(0)
    loop = new_op(
        scf.ForOp,
        operands=[*(converter.value(bound) for bound in bounds), *inits],
        result_types=op.result_types,
        attributes=op.attributes,
        regions=[region],
    )
    converter.replace(op, loop)
    body = region.block
    _replace_terminator(body, scf.YieldOp)
    converter.set_induction_interval(body.args[0], lower, upper)
    converter.convert_block(body)


def _lower_parallel(converter: _FunctionConverter, op: Operation) -> None:
    assert isinstance(op, affine.ParallelOp)
    if op.results:
        raise UnsupportedError(
            f"{op.name} with results of types {', '.join(map(str, op.result_types))}: "
            "reductions of parallel loops are not lowered",
            op,
        )
    lower_map, upper_map = op.lowerBoundsMap.data, op.upperBoundsMap.data
    split = lower_map.num_dims + lower_map.num_symbols
    operands = tuple(op.operands)
    lowers = _grouped(
        converter,
        IndexArithmetic.maximum,
        converter.evaluate_map(lower_map, operands[:split]),
        op.lowerBoundsGroups.get_values(),
    )
    uppers = _grouped(
        converter,
        IndexArithmetic.minimum,
        converter.evaluate_map(upper_map, operands[split:]),
        op.upperBoundsGroups.get_values(),
    )
    steps = [step.value.data for step in op.steps.data]
    region = op.detach_region(0)
    body = region.block
    if not lowers:
        # A parallel loop without dimensions runs its body once.
        lowers, uppers, steps = [0], [1], [1]
        body.insert_arg(IndexType(), 0)
    rank = len(lowers)
    loop = new_op(
        scf.ParallelOp,
        operands=[converter.value(bound) for bound in (*lowers, *uppers, *steps)],
        properties={"operandSegmentSizes": i32_array(rank, rank, rank, 0)},
        attributes=op.attributes,
        regions=[region],
    )
    converter.replace(op, loop)
    _replace_terminator(body, scf.ReduceOp)
    for induction, lower, upper in zip(body.args, lowers, uppers, strict=True):
        converter.set_induction_interval(induction, lower, upper)
    converter.convert_block(body)


def _grouped(
    converter: _FunctionConverter,
    combine: Callable[[IndexArithmetic, Index, Index], Index],
    terms: Sequence[Index],
    groups: Sequence[int],
) -> list[Index]:
    """One bound for each group of terms."""
    bounds: list[Index] = []
    start = 0
    for size in groups:
        bounds.append(converter.reduce(combine, terms[start : start + size]))
        start += size
    return bounds


def _lower_if(converter: _FunctionConverter, op: Operation) -> None:
    assert isinstance(op, affine.IfOp)
    condition_set = op.condition.data
    operands = [converter.known(operand) for operand in op.args]
    dims, symbols = operands[: condition_set.num_dims], operands[condition_set.num_dims :]
    condition: SSAValue | None = None
    for constraint in condition_set.constraints:
        left = converter.evaluate(constraint.lhs, dims, symbols)
        right = converter.evaluate(constraint.rhs, dims, symbols)
        test = converter.compare(_SET_PREDICATES[constraint.kind], left, right)
        if condition is not None:
            test = converter.emit(arith.AndIOp, (condition, test), None, i1)
        condition = test
    if condition is None:
        condition = converter.compare("eq", 0, 0)
    regions = [op.detach_region(0), op.detach_region(0)]
    branch = new_op(
        scf.IfOp,
        operands=[condition],
        result_types=op.result_types,
        attributes=op.attributes,
        regions=regions,
    )
    converter.replace(op, branch)
    for region in regions:
        if region.first_block is not None:
            _replace_terminator(region.block, scf.YieldOp)
            converter.convert_block(region.block)


def _lower_load(converter: _FunctionConverter, op: Operation) -> None:
    source, *indices = op.operands
    new = new_op(
        memref.LoadOp,
        operands=[source, *_indices(converter, op, indices)],
        result_types=op.result_types,
        attributes=op.attributes,
    )
    converter.replace(op, new)


def _lower_store(converter: _FunctionConverter, op: Operation) -> None:
    value, target, *indices = op.operands
    new = new_op(
        memref.StoreOp,
        operands=[value, target, *_indices(converter, op, indices)],
        attributes=op.attributes,
    )
    converter.replace(op, new)


def _lower_vector_load(converter: _FunctionConverter, op: Operation) -> None:
    source, *indices = op.operands
    new = new_op(
        vector.LoadOp,
        operands=[source, *_indices(converter, op, indices)],
        result_types=op.result_types,
        attributes=op.attributes,
    )
    converter.replace(op, new)


def _lower_vector_store(converter: _FunctionConverter, op: Operation) -> None:
    value, target, *indices = op.operands
    new = new_op(
        vector.StoreOp,
        operands=[value, target, *_indices(converter, op, indices)],
        attributes=op.attributes,
    )
    converter.replace(op, new)


def _indices(converter: _FunctionConverter, access: Operation, operands: Sequence[SSAValue]) -> list[SSAValue]:
    """The indices of an access with a map, of which `operands` are the dimensions and symbols."""
    map = cast(builtin.AffineMapAttr, access.properties["map"])
    return [converter.value(index) for index in converter.evaluate_map(map.data, operands)]


def _lower_apply(converter: _FunctionConverter, op: Operation) -> None:
    assert isinstance(op, affine.ApplyOp)
    (result,) = converter.evaluate_map(op.map.data, op.mapOperands)
    _erase(op, [converter.value(result)])


def _lower_min(converter: _FunctionConverter, op: Operation) -> None:
    assert isinstance(op, affine.MinOp)
    _erase(op, [converter.value(converter.upper_bound(op.map.data, op.arguments))])


_LOWERINGS: Handlers = {
    affine.ForOp: _lower_for,
    affine.ParallelOp: _lower_parallel,
    affine.IfOp: _lower_if,
    affine.LoadOp: _lower_load,
    affine.StoreOp: _lower_store,
    affine.VectorLoadOp: _lower_vector_load,
    affine.VectorStoreOp: _lower_vector_store,
    affine.ApplyOp: _lower_apply,
    affine.MinOp: _lower_min,
}


class ConvertAffineToScfPass(ConversionPass):
    """See the module docstring."""

    name = "convert-affine-to-scf"

    HANDLERS = _LOWERINGS

    def rewrite(self, ctx: Context, op: builtin.ModuleOp) -> None:
        handlers = self.handlers()
        for function in op.ops:
            if isinstance(function, func.FuncOp) and function.body.first_block is not None:
                _FunctionConverter(function.body.first_block, handlers).convert_region(function.body)
