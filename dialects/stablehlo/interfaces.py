"""What xDSL's generic passes ask of the dialect: folding, and constants for what folding finds."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialect_interfaces.constant_materialization import ConstantMaterializationInterface
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, Operation, SSAValue

from ..editing import new_op
from .constant import ConstantOp

FOLDERS: list[Callable[[Operation], Sequence[SSAValue | Attribute] | None]] = []
"""What may know what an op is equal to. `folding`, which knows the ops of all families, is added where the dialect is
put together."""


class FoldableOp(HasFolderInterface, ABC):
    """An operation that `folding` has rules for."""

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """One value or dense constant per result, or None; the op stays as it is."""
        return next((found for folder in FOLDERS if (found := folder(cast(Operation, self))) is not None), None)


class ConstantMaterialization(ConstantMaterializationInterface):
    """Dense constants become `stablehlo.constant`."""

    def materialize_constant(self, value: Attribute, type: Attribute) -> Operation | None:
        if not isinstance(value, DenseIntOrFPElementsAttr) or cast(Any, value).type != type:
            return None
        return new_op(ConstantOp, result_types=(type,), properties={"value": cast(Attribute, value)})
