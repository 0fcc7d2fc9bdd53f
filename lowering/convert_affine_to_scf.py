"""Affine loops and accesses become scf loops, memref and vector accesses and index arithmetic.

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

Arithmetic carries `nsw`: bounds and addresses of a valid program fit. Equal terms are computed
once for a block and the blocks nested in it. Every index value has a known interval, from constant
loop bounds upwards, so that `floordiv`, `ceildiv` and `mod` of what cannot be negative are one
unsigned division, and of what lies below the divisor nothing at all; the signed expansions are
those of MLIR's AffineToStandard.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import affine, arith, builtin, func, memref, scf, vector
from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, i1, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)
from xdsl.passes import ModulePass

from ..errors import UnsupportedError

Index: TypeAlias = "int | SSAValue"
"""An index known at compile time, or the value that holds it."""

Interval: TypeAlias = "tuple[int, int]"
"""Inclusive bounds."""

_ANY: Interval = (-(2**63), 2**63 - 1)
_INDEX = IndexType()
_NSW: dict[str, Attribute] = {"overflowFlags": arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])}
_PREDICATES = {"eq": 0, "slt": 2, "sle": 3, "sge": 5}
_COMPARE: dict[str, dict[str, Attribute]] = {
    name: {"predicate": IntegerAttr(number, 64)} for name, number in _PREDICATES.items()
}
_SET_PREDICATES = {
    AffineConstraintKind.ge: "sge",
    AffineConstraintKind.le: "sle",
    AffineConstraintKind.eq: "eq",
}


class _FunctionConverter:
    """Converts one function. `anchor` is the op that new ops go in front of."""

    def __init__(self, entry: Block) -> None:
        self.entry = entry
        self.constants: dict[int, SSAValue] = {}
        self.intervals: dict[SSAValue, Interval] = {}
        self.terms: dict[tuple[object, ...], SSAValue] = {}
        self.scope: list[tuple[object, ...]] = []
        self.anchor: Operation
        for op in entry.ops:
            if not isinstance(op, arith.ConstantOp):
                break
            if isinstance(op.result.type, IndexType) and isinstance(op.value, IntegerAttr):
                self.constants.setdefault(op.value.value.data, op.result)

    # Blocks

    def convert_block(self, block: Block) -> None:
        mark = len(self.scope)
        for op in tuple(block.ops):
            lower = _LOWERINGS.get(type(op))
            if lower is not None:
                self.anchor = op
                lower(self, op)
            else:
                for region in op.regions:
                    self.convert_region(region)
        for key in self.scope[mark:]:
            del self.terms[key]
        del self.scope[mark:]

    def convert_region(self, region: Region) -> None:
        for block in region.blocks:
            self.convert_block(block)

    # Index arithmetic

    def value(self, index: Index) -> SSAValue:
        """The value of `index`; constants stand at the top of the function."""
        if not isinstance(index, int):
            return index
        found = self.constants.get(index)
        if found is None:
            op = arith.ConstantOp.create(result_types=[_INDEX], properties={"value": IntegerAttr(index, _INDEX)})
            first = self.entry.first_op
            assert first is not None
            self.entry.insert_op_before(op, first)
            found = self.constants[index] = op.results[0]
        return found

    def interval(self, index: Index) -> Interval:
        if isinstance(index, int):
            return index, index
        return self.intervals.get(index, _ANY)

    def emit(
        self,
        op_type: type[Operation],
        operands: Sequence[Index],
        properties: dict[str, Attribute] | None = None,
        result_type: Attribute = _INDEX,
        interval: Interval = _ANY,
    ) -> SSAValue:
        """One op in front of the anchor, or the value of an equal one that dominates it."""
        key = (op_type, *operands, None if properties is None else id(properties))
        found = self.terms.get(key)
        if found is not None:
            return found
        values = [self.value(operand) for operand in operands]
        op = op_type.create(operands=values, result_types=[result_type], properties=properties or {})
        block = self.anchor.parent
        assert block is not None
        block.insert_op_before(op, self.anchor)
        result = op.results[0]
        self.terms[key] = result
        self.scope.append(key)
        if interval != _ANY:
            self.intervals[result] = interval
        return result

    def add(self, left: Index, right: Index) -> Index:
        if isinstance(left, int):
            left, right = right, left
        if isinstance(right, int):
            if isinstance(left, int):
                return left + right
            if right == 0:
                return left
        (low, high), (right_low, right_high) = self.interval(left), self.interval(right)
        interval = (low + right_low, high + right_high)
        return self.emit(arith.AddiOp, (left, right), _NSW, interval=interval)

    def multiply(self, left: Index, right: Index) -> Index:
        if isinstance(left, int):
            left, right = right, left
        if isinstance(right, int):
            if isinstance(left, int):
                return left * right
            if right == 0:
                return 0
            if right == 1:
                return left
        bounds = [a * b for a in self.interval(left) for b in self.interval(right)]
        return self.emit(arith.MuliOp, (left, right), _NSW, interval=(min(bounds), max(bounds)))

    def floor_divide(self, left: Index, right: Index) -> Index:
        if isinstance(left, int) and isinstance(right, int):
            return left // right
        if right == 1:
            return left
        low, high = self.interval(left)
        divisor_low, divisor_high = self.interval(right)
        if low >= 0 and high < divisor_low:
            return 0
        if low >= 0 and divisor_low > 0:
            interval = (low // divisor_high, high // divisor_low)
            return self.emit(arith.DivUIOp, (left, right), interval=interval)
        # left < 0 ? -1 - (-1 - left) / right : left / right
        negative = self.compare("slt", left, 0)
        magnitude = self.select(negative, self.subtract(-1, left), left)
        quotient = self.emit(arith.DivSIOp, (magnitude, right))
        return self.select(negative, self.subtract(-1, quotient), quotient)

    def ceil_divide(self, left: Index, right: Index) -> Index:
        if isinstance(left, int) and isinstance(right, int):
            return -(-left // right)
        if right == 1:
            return left
        if self.interval(left)[0] >= 0 and isinstance(right, int):
            return self.floor_divide(self.add(left, right - 1), right)
        # left <= 0 ? -(-left / right) : (left - 1) / right + 1
        negative = self.compare("sle", left, 0)
        magnitude = self.select(negative, self.subtract(0, left), self.add(left, -1))
        quotient = self.emit(arith.DivSIOp, (magnitude, right))
        return self.select(negative, self.subtract(0, quotient), self.add(quotient, 1))

    def modulo(self, left: Index, right: Index) -> Index:
        if isinstance(left, int) and isinstance(right, int):
            return left % right
        if right == 1:
            return 0
        low, high = self.interval(left)
        divisor_low, divisor_high = self.interval(right)
        if low >= 0 and high < divisor_low:
            return left
        if low >= 0 and divisor_low > 0:
            interval = (0, min(high, divisor_high - 1))
            return self.emit(arith.RemUIOp, (left, right), interval=interval)
        remainder = self.emit(arith.RemSIOp, (left, right))
        negative = self.compare("slt", remainder, 0)
        wrapped = self.add(remainder, right)
        interval = (0, divisor_high - 1) if divisor_low > 0 else _ANY
        return self.select(negative, wrapped, remainder, interval)

    def subtract(self, left: Index, right: Index) -> Index:
        if isinstance(left, int) and isinstance(right, int):
            return left - right
        (low, high), (right_low, right_high) = self.interval(left), self.interval(right)
        interval = (low - right_high, high - right_low)
        return self.emit(arith.SubiOp, (left, right), _NSW, interval=interval)

    def compare(self, predicate: str, left: Index, right: Index) -> SSAValue:
        return self.emit(arith.CmpiOp, (left, right), _COMPARE[predicate], i1)

    def select(self, condition: SSAValue, true: Index, false: Index, interval: Interval = _ANY) -> SSAValue:
        return self.emit(arith.SelectOp, (condition, true, false), interval=interval)

    def minimum(self, left: Index, right: Index) -> Index:
        (low, high), (right_low, right_high) = self.interval(left), self.interval(right)
        if high <= right_low:
            return left
        if right_high <= low:
            return right
        interval = (min(low, right_low), min(high, right_high))
        return self.emit(arith.MinSIOp, (left, right), interval=interval)

    def maximum(self, left: Index, right: Index) -> Index:
        (low, high), (right_low, right_high) = self.interval(left), self.interval(right)
        if low >= right_high:
            return left
        if right_low >= high:
            return right
        interval = (max(low, right_low), max(high, right_high))
        return self.emit(arith.MaxSIOp, (left, right), interval=interval)

    # Affine expressions

    def evaluate(self, expr: AffineExpr, dims: Sequence[Index], symbols: Sequence[Index]) -> Index:
        match expr:
            case AffineDimExpr():
                return dims[expr.position]
            case AffineConstantExpr():
                return expr.value
            case AffineSymExpr():
                return symbols[expr.position]
            case AffineBinaryOpExpr(
                AffineBinaryOpKind.Add,
                AffineBinaryOpExpr(AffineBinaryOpKind.Mul, negated, AffineConstantExpr(-1)),
                other,
            ):
                left = self.evaluate(other, dims, symbols)
                return self.subtract(left, self.evaluate(negated, dims, symbols))
            case AffineBinaryOpExpr():
                left = self.evaluate(expr.lhs, dims, symbols)
                right = self.evaluate(expr.rhs, dims, symbols)
                return _BINARY[expr.kind](self, left, right)
            case _:
                raise UnsupportedError(f"affine expression {expr} of unknown kind", self.anchor)

    def evaluate_map(self, affine_map: AffineMap, operands: Sequence[SSAValue]) -> list[Index]:
        known = [self.known(operand) for operand in operands]
        dims, symbols = known[: affine_map.num_dims], known[affine_map.num_dims :]
        return [self.evaluate(expr, dims, symbols) for expr in affine_map.results]

    def known(self, operand: SSAValue) -> Index:
        owner = operand.owner
        if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
            return owner.value.value.data
        return operand

    def reduce(self, combine: Callable[[_FunctionConverter, Index, Index], Index], terms: Sequence[Index]) -> Index:
        result = terms[0]
        for term in terms[1:]:
            result = combine(self, result, term)
        return result

    def lower_bound(self, affine_map: AffineMap, operands: Sequence[SSAValue]) -> Index:
        return self.reduce(_FunctionConverter.maximum, self.evaluate_map(affine_map, operands))

    def upper_bound(self, affine_map: AffineMap, operands: Sequence[SSAValue]) -> Index:
        return self.reduce(_FunctionConverter.minimum, self.evaluate_map(affine_map, operands))

    def set_induction_interval(self, induction: SSAValue, lower: Index, upper: Index) -> None:
        self.intervals[induction] = (self.interval(lower)[0], self.interval(upper)[1] - 1)

    # Replacing

    def replace(self, op: Operation, new: Operation) -> None:
        block = op.parent
        assert block is not None
        new.location = op.location
        block.insert_op_before(new, op)
        _erase(op, new.results)


_BINARY: dict[AffineBinaryOpKind, Callable[[_FunctionConverter, Index, Index], Index]] = {
    AffineBinaryOpKind.Add: _FunctionConverter.add,
    AffineBinaryOpKind.Mul: _FunctionConverter.multiply,
    AffineBinaryOpKind.FloorDiv: _FunctionConverter.floor_divide,
    AffineBinaryOpKind.CeilDiv: _FunctionConverter.ceil_divide,
    AffineBinaryOpKind.Mod: _FunctionConverter.modulo,
}


def _erase(op: Operation, results: Sequence[SSAValue]) -> None:
    op.detach()
    for old, new in zip(op.results, results, strict=True):
        if new.name_hint is None:
            new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    op.erase()


def _replace_terminator(block: Block, new_type: type[Operation]) -> None:
    terminator = block.last_op
    assert isinstance(terminator, affine.YieldOp)
    operands = tuple(terminator.operands)
    terminator.detach()
    terminator.erase()
    block.add_op(new_type.create(operands=operands))


def _lower_for(converter: _FunctionConverter, op: Operation) -> None:
    assert isinstance(op, affine.ForOp)
    lower = converter.lower_bound(op.lowerBoundMap.data, op.lowerBoundOperands)
    upper = converter.upper_bound(op.upperBoundMap.data, op.upperBoundOperands)
    bounds = (lower, upper, op.step.value.data)
    inits = op.inits
    region = op.detach_region(0)
    loop = scf.ForOp.create(
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
        _FunctionConverter.maximum,
        converter.evaluate_map(lower_map, operands[:split]),
        op.lowerBoundsGroups.get_values(),
    )
    uppers = _grouped(
        converter,
        _FunctionConverter.minimum,
        converter.evaluate_map(upper_map, operands[split:]),
        op.upperBoundsGroups.get_values(),
    )
    steps = [step.value.data for step in op.steps.data]
    region = op.detach_region(0)
    body = region.block
    if not lowers:
        # A parallel loop without dimensions runs its body once.
        lowers, uppers, steps = [0], [1], [1]
        body.insert_arg(_INDEX, 0)
    rank = len(lowers)
    loop = scf.ParallelOp.create(
        operands=[converter.value(bound) for bound in (*lowers, *uppers, *steps)],
        properties={"operandSegmentSizes": DenseArrayBase.from_list(i32, [rank, rank, rank, 0])},
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
    combine: Callable[[_FunctionConverter, Index, Index], Index],
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
    branch = scf.IfOp.create(
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
    assert isinstance(op, affine.LoadOp)
    new = memref.LoadOp.create(
        operands=[op.memref, *_indices(converter, op.map, op.indices)],
        result_types=op.result_types,
        attributes=op.attributes,
    )
    converter.replace(op, new)


def _lower_store(converter: _FunctionConverter, op: Operation) -> None:
    assert isinstance(op, affine.StoreOp)
    new = memref.StoreOp.create(
        operands=[op.value, op.memref, *_indices(converter, op.map, op.indices)],
        attributes=op.attributes,
    )
    converter.replace(op, new)


def _lower_vector_load(converter: _FunctionConverter, op: Operation) -> None:
    assert isinstance(op, affine.VectorLoadOp)
    new = vector.LoadOp.create(
        operands=[op.memref, *_indices(converter, op.map, op.indices)],
        result_types=op.result_types,
        attributes=op.attributes,
    )
    converter.replace(op, new)


def _lower_vector_store(converter: _FunctionConverter, op: Operation) -> None:
    assert isinstance(op, affine.VectorStoreOp)
    new = vector.StoreOp.create(
        operands=[op.value, op.memref, *_indices(converter, op.map, op.indices)],
        attributes=op.attributes,
    )
    converter.replace(op, new)


def _indices(
    converter: _FunctionConverter, map_attr: builtin.AffineMapAttr, operands: Sequence[SSAValue]
) -> list[SSAValue]:
    return [converter.value(index) for index in converter.evaluate_map(map_attr.data, operands)]


def _lower_apply(converter: _FunctionConverter, op: Operation) -> None:
    assert isinstance(op, affine.ApplyOp)
    (result,) = converter.evaluate_map(op.map.data, op.mapOperands)
    _erase(op, [converter.value(result)])


def _lower_min(converter: _FunctionConverter, op: Operation) -> None:
    assert isinstance(op, affine.MinOp)
    _erase(op, [converter.value(converter.upper_bound(op.map.data, op.arguments))])


_LOWERINGS: dict[type[Operation], Callable[[_FunctionConverter, Operation], None]] = {
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


class ConvertAffineToScfPass(ModulePass):
    """See the module docstring."""

    name = "convert-affine-to-scf"

    def apply(self, ctx: Context, op: builtin.ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, func.FuncOp) and function.body.first_block is not None:
                _FunctionConverter(function.body.first_block).convert_region(function.body)
