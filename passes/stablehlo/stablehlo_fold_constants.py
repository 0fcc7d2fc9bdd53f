"""`stablehlo-fold-constants`: ops on constants are evaluated now.

An op without effects whose operands are all constants is replaced by the constants that the
reference interpreter computes for it, so the meaning of folding is the meaning of the ops.

- Splat constants stay splats: an elementwise op on them is evaluated on one element, whatever the
  shape.
- Other results are limited to `limit` elements and may not be larger than the constants they are
  computed from: a mask that is cheap to recompute inside a fused loop is not worth the memory.
  Results of up to 64 elements are always folded, `iota` included.

Needs: static shapes. Leaves: StableHLO; dead constants are deleted. Control flow is not evaluated,
nor is what `optimization_barrier` protects or what the reference interpreter lacks.

    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.constant dense<32.0> : tensor<f32>
    %2 = stablehlo.negate %0 : tensor<f32>
    %3 = stablehlo.divide %2, %1 : tensor<f32>

becomes

    %0 = stablehlo.constant dense<-3.125e-02> : tensor<f32>
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...decisions.denormals import PRESERVE, Denormals
from ...dialects import stablehlo
from ...dialects.dense import attribute_of_bytes, splat_attribute, splat_bytes
from ...dialects.editing import new_op, walk
from ...dialects.shared_attributes import cached_by_identity
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...dialects.stablehlo.traits import AcrossProcesses, ops_with
from ...dialects.xrt_attributes import denormals_of
from ...errors import UnsupportedError
from ...ir.captures import are_closed
from ...ir.pattern_pass import WorklistPass
from ...ir.patterns import Pattern, name_of_op
from ...ir.purity import is_dead, is_pure
from ...ir.rewriter import Rewriter

NOT_FOLDED: frozenset[type[Operation]] = frozenset(
    (
        *ops_with(AcrossProcesses, stablehlo.OPS),
        stablehlo.ConstantOp,
        stablehlo.WhileOp,
        stablehlo.IfOp,
        stablehlo.CaseOp,
        stablehlo.OptimizationBarrierOp,
    )
)


@dataclass(frozen=True)
class StablehloFoldConstantsPass(WorklistPass):
    """Evaluate ops on constants in every function. See the module's documentation."""

    name = "stablehlo-fold-constants"

    def patterns(self) -> Sequence[Pattern]:
        ops = [op_type for op_type in stablehlo.OPS if op_type not in NOT_FOLDED]
        return [Pattern(fold, (op_type,), f"fold-{name_of_op(op_type)}") for op_type in ops]

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        """Ops that are not on constants are looked at once they are."""
        for function in op.ops:
            if isinstance(function, func.FuncOp):
                ops = [op for op in walk(function.body) if self.add or _is_on_constants(op) or is_dead(op)]
                Rewriter(self.rewrites(ctx)).run(ops)


def _is_on_constants(op: Operation) -> bool:
    for operand in op.operands:
        if type(operand.owner) is not stablehlo.ConstantOp:
            return False
    return True


def fold(op: Operation, rewriter: Rewriter) -> Sequence[SSAValue] | None:
    """Constants in place of the results of `op`; None if it is not worth it or not possible."""
    if (
        not _is_on_constants(op)
        or not op.results
        or not all(isinstance(result.type, TensorType) for result in op.results)
    ):
        return None
    if not is_pure(op) or not are_closed(op.regions):
        return None
    from ...reference.elementwise import ELEMENTWISE

    constants = [cast(Any, operand.owner).value for operand in op.operands]
    elements = [splat_bytes(constant) for constant in constants] if op.name in ELEMENTWISE else []
    are_splats = bool(elements) and None not in elements
    evaluated = op
    if not are_splats:
        size = sum(prod(shape_of(result)) for result in op.results)
        if not rewriter.model.folding.worth_folding(size, sum(map(len, constants))):
            return None
    elif any(map(shape_of, op.results)):
        evaluated = new_op(type(op), op.operands, [_scalar(result.type) for result in op.results], op.properties)
    from ...reference.arrays import dense_array
    from ...reference.interpreter import evaluate_op

    try:
        arrays = list(map(_element, op.operands, elements) if are_splats else map(dense_array, constants))
        values = evaluate_op(evaluated, arrays, _mode_of(op))
    except UnsupportedError:
        return None
    finally:
        if evaluated is not op:
            evaluated.drop_all_references()
    types = [cast("TensorType[Attribute]", result.type) for result in op.results]
    return [
        rewriter.emit(stablehlo.ConstantOp, (), type, {"value": dense_attribute(type, value)})
        for type, value in zip(types, values, strict=True)
    ]


def _mode_of(op: Operation) -> Denormals:
    """What becomes of subnormal numbers in the module of `op`: they are kept where it does not say."""
    return denormals_of(op.get_toplevel_object()) or PRESERVE


def _element(operand: SSAValue, data: bytes | None) -> NDArray[Any]:
    """The element, without dimensions, that all elements of `operand` equal."""
    from ...reference.arrays import elements_of_bytes

    assert data is not None
    return elements_of_bytes(element_type_of(operand), data).reshape(())


@cached_by_identity
def _scalar(type: Attribute) -> TensorType[Attribute]:
    return TensorType(cast("TensorType[Attribute]", type).element_type, ())


def dense_attribute(type: TensorType[Attribute], array: NDArray[Any]) -> DenseIntOrFPElementsAttr[Any]:
    """`array` as a constant of type `type`; one element stands for all of them if they are equal."""
    stored = np.negative(array.astype(np.int8)) if array.dtype == np.bool_ else array
    attribute = attribute_of_bytes(type, stored.tobytes())
    if array.size == 1 and 0 not in type.get_shape():
        return attribute
    element = splat_bytes(attribute)
    return attribute if element is None else splat_attribute(type, element)
