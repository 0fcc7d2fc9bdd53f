"""The walk of `stablehlo-refine-shapes` over a module: which functions are refined, and for which arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from numpy.typing import NDArray
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.ir import Attribute, Operation

from ...dialects import stablehlo
from ...dialects.call_graph import CALLEE_PROPERTY
from ...dialects.editing import insert_before, walk
from ...dialects.limits import checked_depth
from ...dialects.stablehlo.lapack_calls import SHAPE_OPERANDS
from ...dialects.stablehlo.shapes import compatible_types
from ...errors import InvalidProgramError, UnsupportedError
from .census import census
from .static_calls import STATIC_CALLS
from .static_forms import STATIC_FORMS, dynamic_dimension

if TYPE_CHECKING:
    from .refined_function import RefinedFunction

Array = NDArray[Any]

_Key = tuple[tuple[Attribute, ...], tuple[bytes | None, ...]]
"""Types of the arguments, and the elements of those that are constants."""


def refine(module: ModuleOp, entry: func.FuncOp | None = None, types: Sequence[Attribute] = ()) -> None:
    """Make all shapes of `module` static; the arguments of `entry`, if one is given, get these types."""
    program = Program(module)
    if entry is not None:
        _check_arguments(entry, types)
        if program.is_dynamic(entry):
            program.refined(entry, tuple(types), (None,) * len(types))
    program.finish()
    if program.is_refined:
        checked_depth(module)  # sizes that have become known may be too large


def _check_arguments(function: func.FuncOp, types: Sequence[Attribute]) -> None:
    declared = tuple(function.function_type.inputs)
    name = f"@{function.sym_name.data}"
    if len(types) != len(declared):
        raise InvalidProgramError(f"{name} takes {len(declared)} arguments, but {len(types)} types are given", function)
    for index, (type, given) in enumerate(zip(declared, types, strict=True)):
        if not compatible_types(type, given):
            raise InvalidProgramError(f"argument {index} of {name} is {type}, which {given} does not fit", function)
        if (dimension := dynamic_dimension(given)) is not None:
            raise UnsupportedError(
                f"dimension {dimension} of argument {index} of {name}, {given}, is dynamic: name its type by the option"
                " `types`",
                function,
            )


class Program:
    """The functions of a module, and what has become of them."""

    def __init__(self, module: ModuleOp) -> None:
        self.module = module
        self.functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
        self._names = set(self.functions)
        self._dynamic: dict[func.FuncOp, bool] = {}
        self._copies: dict[func.FuncOp, list[func.FuncOp]] = {}
        self._refined: dict[tuple[func.FuncOp, _Key], RefinedFunction | None] = {}

    @property
    def is_refined(self) -> bool:
        """Whether any function has been."""
        return bool(self._refined)

    def callee(self, op: Operation) -> func.FuncOp:
        """The function that a call names."""
        name = cast(SymbolRefAttr, op.properties[CALLEE_PROPERTY[op.name]]).string_value()
        if (function := self.functions.get(name)) is None:
            raise InvalidProgramError(f"'{op.name}' of @{name}: the module has no function of this name", op)
        return function

    def is_dynamic(self, function: func.FuncOp) -> bool:
        """Whether anything in `function` or the functions it calls is left to refine."""
        if function not in self._dynamic:
            self._dynamic[function] = False
            self._dynamic[function] = self._has_dynamic(function)
        return self._dynamic[function]

    def _has_dynamic(self, function: func.FuncOp) -> bool:
        found = census(function)
        if not STATIC_FORMS.keys().isdisjoint(found.ops.keys() - {stablehlo.RngOp}):
            return True
        if function.body.blocks and any(dynamic_dimension(type) is not None for type in found.types):
            return True
        if found.ops.keys().isdisjoint((stablehlo.CustomCallOp, stablehlo.CompositeOp, func.CallOp)):
            return False
        return any(map(self._calls_dynamic, walk(function)))

    def _calls_dynamic(self, op: Operation) -> bool:
        """Whether `op` is a call of a function with anything to refine, or of a target that speaks of shapes."""
        if isinstance(op, stablehlo.CustomCallOp):
            return op.call_target_name.data in STATIC_CALLS or SHAPE_OPERANDS in op.attributes
        return op.name in CALLEE_PROPERTY and self.is_dynamic(self.callee(op))

    def refined(
        self, function: func.FuncOp, types: tuple[Attribute, ...], constants: Sequence[Array | None]
    ) -> RefinedFunction:
        """`function` for arguments of these types, some of them constant; refined once for each such call."""
        key = types, tuple(None if value is None else value.tobytes() for value in constants)
        if (function, key) in self._refined:
            body = self._refined[function, key]
            if body is None:
                raise UnsupportedError(f"@{function.sym_name.data} calls itself", function)
            return body
        from .refined_function import RefinedFunction

        self._refined[function, key] = None
        body = RefinedFunction(self, function, types, constants)
        copies = self._copies.setdefault(function, [])
        name = function.sym_name.data
        if copies:
            number = len(copies)
            while (name := f"{function.sym_name.data}_{number}") in self._names:
                number += 1
        self._names.add(name)
        body.finish(name)
        copies.append(body.function)
        self._refined[function, key] = body
        return body

    def finish(self) -> None:
        """Put the refined functions in the place of those they come from."""
        for function in self.functions.values():
            visibility, types = function.sym_visibility, tuple(function.function_type.inputs)
            is_private = visibility is not None and visibility.data == "private"
            if not is_private and function not in self._copies and self.is_dynamic(function):
                _check_arguments(function, types)
                self.refined(function, types, (None,) * len(types))
        for function in self.functions.values():
            copies = self._copies.get(function, [])
            if copies or self.is_dynamic(function):
                for copy in copies:
                    insert_before(copy, function)
                function.detach()
                function.erase(safe_erase=False)
