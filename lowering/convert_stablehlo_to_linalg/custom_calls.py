"""`custom_call` as `xrt.call_target` with destinations.

Which targets there are is asked of the registry, `reference/custom_calls.py`. Targets that only mark values vanish.
Operands and results of a C function lie in memory as the layouts of the call say: they are transposed where those
are not row-major. Functions in Python see arrays, whose layout does not matter. C functions with more parameters than
pointers to operands and results are called through Python, which also sees to their layouts, tokens and aliases.
Computations that a call names leave the module, as text; that of a reduction between devices stays, to be compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, FunctionType, ModuleOp, StringAttr, SymbolRefAttr, UnitAttr
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolTable

from ...dialects import stablehlo
from ...dialects.editing import walk
from ...dialects.stablehlo.attributes import TokenType
from ...dialects.stablehlo.layouts import layouts_of_values
from ...dialects.stablehlo.tuples import has_tokens, result_elements
from ...dialects.xrt import COMPUTATIONS, DIRECT
from ...dialects.xrt_names import PREFIX, REDUCED, SIGNATURE
from ...errors import UnknownTargetError
from .attributes import unsupported
from .builder import Lowered, Lowering
from .effects import Order, call_target, location_option, text_of_module, values_of

OPTIONS = ("api_version", "backend_config", "has_side_effect", "mhlo.backend_config")
"""The attributes of a call that its target may want to know."""

MEMORY = ("operand_layouts", "result_layouts", "output_operand_aliases")
"""What the runtime has to know to call a C function."""


def lower_custom_call(ctx: Lowering, op: stablehlo.CustomCallOp) -> Sequence[Lowered]:
    """The call; an error that lists the known targets if there is none of that name."""
    # Loads NumPy's part of the package, which few programs need.
    from ...reference import (
        c_targets,
        checks,
        collectives,
        custom_calls,
        dynamism,
        lapack_library,
        random,
        sparse,
        tridiagonal,
        xla_factorizations,
    )

    # These only register targets.
    del checks, collectives, dynamism, lapack_library, random, sparse, tridiagonal, xla_factorizations
    name = op.call_target_name.data
    target = custom_calls.TARGETS.get(name)
    if target is None:
        error = UnknownTargetError(
            unsupported(op, f"unknown target @{name}{custom_calls.like_target(name)}").message, op
        )
        error.target = name
        raise error
    if target is custom_calls.annotation:
        return _annotated(ctx, op)
    operands, orders = values_of(op.inputs), list[Order]()
    options = _options(op)
    signature = op.attributes.get(SIGNATURE, FunctionType.from_lists(op.operand_types, op.result_types))
    assert isinstance(signature, FunctionType)
    if isinstance(target, c_targets.NativeTarget):
        version = op.api_version.value.data
        if not c_targets.ORIGINAL <= version <= c_targets.STATUS_RETURNING_UNIFIED:
            raise unsupported(op, c_targets.not_callable(name, version))
        if op.called_computations.data:
            raise unsupported(op, f"target @{name} is a C function, which cannot take computations")
        if _is_direct(op, signature):
            options[DIRECT] = UnitAttr()
            orders += c_targets.physical_orders(op.operand_layouts, len(operands))
            orders += c_targets.physical_orders(op.result_layouts, len(values_of(op.results)))
        else:
            options.update(_memory(op, signature))
    if DIRECT not in options:
        options.update(location_option(op))
    callee = op.called_computations.data[0] if name == REDUCED else None
    return call_target(ctx, op, operands, options, name, signature, orders, callee)


def _annotated(ctx: Lowering, op: stablehlo.CustomCallOp) -> Sequence[Lowered]:
    """The operands, which are the results."""
    operands = values_of(op.inputs)[: len(values_of(op.results))]
    if [value.type for value in operands] != [value.type for value in values_of(op.results)]:
        raise unsupported(op, f"@{op.call_target_name.data} changes types, as it does on several devices")
    return [ctx.lowered(value) for value in operands]


def _is_direct(op: stablehlo.CustomCallOp, signature: FunctionType) -> bool:
    """Whether a C function is called with nothing but pointers to operands and results."""
    return (
        op.api_version.value.data == 1
        and not op.output_operand_aliases.data
        and not has_tokens((*signature.inputs, *signature.outputs))
    )


def _memory(op: stablehlo.CustomCallOp, signature: FunctionType) -> dict[str, Attribute]:
    """What the runtime has to know to call a C function, layouts being those of the values of `signature`."""
    options = {key: op.properties[key] for key in MEMORY if key in op.properties}
    if SIGNATURE in op.attributes and op.operand_layouts is not None and op.result_layouts is not None:
        operands = zip(op.operand_layouts, op.operand_types, strict=True)
        tensors = [layout for layout, type in operands if not isinstance(type, TokenType)]
        results = result_elements(signature.outputs.data)
        options["operand_layouts"] = ArrayAttr(layouts_of_values(tensors, signature.inputs))
        options["result_layouts"] = ArrayAttr(layouts_of_values(op.result_layouts, results))
    return options


def _options(op: stablehlo.CustomCallOp) -> dict[str, Attribute]:
    options: dict[str, Attribute] = {}
    for name in (*op.attributes, *OPTIONS) if op.call_target_name.data.startswith(PREFIX) else OPTIONS:
        value = op.properties.get(name, op.attributes.get(name))
        if value is not None:
            options[name] = value
    if op.called_computations.data and op.call_target_name.data != REDUCED:
        options["called_computations"] = op.called_computations
        options[COMPUTATIONS] = StringAttr(text_of_module(ModuleOp([function.clone() for function in _called(op)])))
    return options


def _called(op: stablehlo.CustomCallOp) -> list[func.FuncOp]:
    """The functions that the call names, and those that they name in turn."""
    found: dict[str, func.FuncOp] = {}
    pending: list[Operation] = [op]
    while pending:
        for inner in pending.pop().walk():
            for value in (*inner.properties.values(), *inner.attributes.values()):
                elements = cast("ArrayAttr[Attribute]", value).data if isinstance(value, ArrayAttr) else (value,)
                for element in elements:
                    if isinstance(element, SymbolRefAttr) and element.string_value() not in found:
                        function = SymbolTable.lookup_symbol(op, element)
                        if not isinstance(function, func.FuncOp):
                            raise unsupported(op, f"there is no function {element}")
                        found[element.string_value()] = function
                        pending.append(function)
    return list(found.values())


def named_by_custom_calls(module: ModuleOp) -> set[str]:
    """The private functions that custom calls name, and those that these name in turn, which are texts, not code."""
    visibilities = ((op, op.sym_visibility) for op in module.ops if isinstance(op, func.FuncOp))
    private = {op.sym_name.data for op, visibility in visibilities if visibility and visibility.data == "private"}
    calls = [op for op in walk(module) if isinstance(op, stablehlo.CustomCallOp)] if private else []
    texts = [op for op in calls if op.called_computations.data and op.call_target_name.data != REDUCED]
    return private & {function.sym_name.data for op in texts for function in _called(op)}
