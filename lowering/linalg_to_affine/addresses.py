"""Addresses as affine maps, or as index arithmetic where an affine map must not refer to a value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias, cast

from xdsl.dialects import affine, arith, func, memref, vector
from xdsl.dialects.builtin import AffineMapAttr, VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from ...dialects.editing import new_op
from ...dialects.shared_attributes import INDEX, index_attribute
from ...ir.affine import AffineSum, Division, Variable
from .function_state import FunctionState
from .nest import Access

Environment: TypeAlias = list[SSAValue | int]
"""The value of every loop dimension, by position."""


@dataclass
class MapBuilder:
    """Collects the operands of an affine map while its expressions are built."""

    env: Environment
    operands: list[SSAValue] = field(default_factory=list[SSAValue])

    def expr(self, value: AffineSum) -> AffineExpr:
        return value.expression(self._operand)

    def _operand(self, variable: Variable) -> AffineExpr | int:
        operand = self.env[variable] if isinstance(variable, int) else variable
        if isinstance(operand, int):
            return operand
        for position, known in enumerate(self.operands):
            if known is operand:
                return AffineDimExpr(position)
        self.operands.append(operand)
        return AffineDimExpr(len(self.operands) - 1)

    def map(self, exprs: tuple[AffineExpr, ...]) -> AffineMapAttr:
        return _map(len(self.operands), exprs)


@cache
def _map(dims: int, exprs: tuple[AffineExpr, ...]) -> AffineMapAttr:
    return AffineMapAttr(AffineMap(dims, 0, exprs))


def is_affine_operand(value: SSAValue) -> bool:
    """Whether an affine map may refer to `value`: induction variables of affine loops, and index values defined at the
    top level of the function or by a constant.
    """
    owner = value.owner
    if isinstance(owner, Block):
        return isinstance(owner.parent_op(), affine.ForOp | affine.ParallelOp | func.FuncOp)
    if isinstance(owner, arith.ConstantOp | affine.ApplyOp):
        return True
    return isinstance(owner.parent_op(), func.FuncOp)


def emit_index(value: AffineSum, env: Environment, add: Callable[[Operation], None]) -> SSAValue:
    """The SSA value of `value`."""
    foreign = [a for a in value.terms if isinstance(a, SSAValue) and not is_affine_operand(a)]
    builder = MapBuilder(env)
    expr = builder.expr(AffineSum({a: c for a, c in value.terms.items() if a not in foreign}, value.const))
    if isinstance(expr, AffineDimExpr):
        result = builder.operands[0]
    else:
        apply = new_op(affine.ApplyOp, builder.operands, [INDEX], {"map": builder.map((expr,))})
        add(apply)
        result = apply.results[0]
    for term in foreign:
        ops: list[Operation] = []
        if value.terms[term] != 1:
            factor = new_op(arith.ConstantOp, (), [INDEX], {"value": index_attribute(value.terms[term])})
            ops = [factor, arith.MuliOp(term, factor.results[0])]
            term = ops[1].results[0]
        ops.append(arith.AddiOp(result, term))
        for op in ops:
            add(op)
        result = ops[-1].results[0]
    return result


@dataclass
class Address:
    """Where an access goes: a memref and its indices, as an affine map or as index values."""

    memref: SSAValue
    operands: list[SSAValue]
    map: AffineMapAttr | None

    def load(self, type: Attribute) -> Operation:
        """The element here, or the elements from here on where `type` is a vector."""
        return self._access([self.memref, *self.operands], [type], _LOADS[isinstance(type, VectorType)])

    def store(self, value: SSAValue) -> Operation:
        """Stores an element here, or those of a vector from here on."""
        return self._access([value, self.memref, *self.operands], (), _STORES[isinstance(value.type, VectorType)])

    def _access(
        self, operands: list[SSAValue], types: Sequence[Attribute], ops: tuple[type[Operation], type[Operation]]
    ) -> Operation:
        by_index, by_map = ops
        if self.map is None:
            return new_op(by_index, operands, types)
        return new_op(by_map, operands, types, {"map": self.map})


_LOADS = ((memref.LoadOp, affine.LoadOp), (vector.LoadOp, affine.VectorLoadOp))
_STORES = ((memref.StoreOp, affine.StoreOp), (vector.StoreOp, affine.VectorStoreOp))


_NO_VALUES: frozenset[type] = frozenset({int, Division})
"""Atoms of an index that are no values."""


def address_of(state: FunctionState, access: Access, env: Environment, add: Callable[[Operation], None]) -> Address:
    """The address of `access`, index computations inserted by `add` where an affine map cannot express them."""
    target, indices = access.memref, access.indices
    if indices is None or (not access.flat.divisions() and any(index.divisions() for index in indices)):
        target, indices = state.flat_view(access.memref), (access.flat,)
    for index in indices:
        for atom in index.terms:
            if atom.__class__ not in _NO_VALUES and not is_affine_operand(cast(SSAValue, atom)):
                return Address(target, [emit_index(i, env, add) for i in indices], None)
    builder = MapBuilder(env)
    exprs = tuple(map(builder.expr, indices))
    return Address(target, builder.operands, builder.map(exprs))
