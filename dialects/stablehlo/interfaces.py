"""What xDSL's generic passes ask of the dialect: folding, and constants for what folding finds."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialect_interfaces.constant_materialization import ConstantMaterializationInterface
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, Operation, SSAValue

from ..editing import new_op
from .constant import ConstantOp


class FoldableOp(HasFolderInterface, ABC):
    """An operation that `folding` has rules for."""

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """One value or dense constant per result, or None; the op stays as it is."""
        from .folding import fold  # which knows the operations of all families

        return fold(self)


class ConstantMaterialization(ConstantMaterializationInterface):
    """Dense constants become `stablehlo.constant`."""

    def materialize_constant(self, value: Attribute, type: Attribute) -> Operation | None:
        if not isinstance(value, DenseIntOrFPElementsAttr) or cast(Any, value).type != type:
            return None
        return new_op(ConstantOp, result_types=(type,), properties={"value": cast(Attribute, value)})
