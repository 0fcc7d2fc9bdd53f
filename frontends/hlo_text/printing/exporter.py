"""A StableHLO module as HLO text.

What HLO has no opcode for is decomposed first, on a copy: chlo as far as it is not an opcode, deprecated ops,
quantised arithmetic, ops that take their sizes as operands where those are constants.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute

from ....dialects.quant import UniformQuantizedType
from ....dialects.stablehlo.shapes import is_tensor
from ....errors import UnsupportedError
from ....runtime.entry import select_entry
from ....runtime.pass_manager import parse_passes, run_passes
from ....runtime.program_context import new_context
from ....runtime.sharding.partitioned import PARTITIONED, PARTITIONED_SUFFIX
from ..shapes import from_type, show, with_layouts
from . import communication, contraction, control_flow, custom_calls, data_movement, elementwise, reduction
from .computation import PRINTERS, HloWriter, Names, shape_text, tuple_text

DYNAMIC_OPS = frozenset(
    f"stablehlo.{name}"
    for name in (
        "dynamic_broadcast_in_dim",
        "dynamic_conv",
        "dynamic_gather",
        "dynamic_iota",
        "dynamic_pad",
        "dynamic_reshape",
        "real_dynamic_slice",
    )
)
"""Ops with sizes as operands, which are ordinary ops where those are constants."""

FAMILIES = (communication, contraction, control_flow, custom_calls, data_movement, elementwise, reduction)
"""The modules that fill the table of printers."""


def _passes(module: ModuleOp) -> str:
    """What takes away the ops HLO has no form for; only what the module has a use for, as every pass is a walk."""
    kept = ",".join(sorted(f'"{op.name[5:]}"' for op in PRINTERS if op.name.startswith("chlo.")))
    passes = [f"chlo-legalize-to-stablehlo{{keep={kept}}}", "stablehlo-expand-deprecated"]
    ops = list(module.walk())
    if any(_is_quantized(result.type) for op in ops for result in op.results):
        passes.append("stablehlo-legalize-quant-to-math")
    if any(op.name in DYNAMIC_OPS for op in ops):
        passes = ["func-inline-calls", "stablehlo-refine-shapes", *passes]
    return ",".join(passes)


def _is_quantized(type: Attribute) -> bool:
    return is_tensor(type) and isinstance(type.element_type, UniformQuantizedType)


def export_module(module: ModuleOp, entry: str | None = None) -> str:
    """The text of a module, whose entry computation is the function `entry`, by default as `xla-run` selects it.

    Raises `UnsupportedError` for ops and types that HLO text has no form for.
    """
    module = module.clone()
    function = select_entry(module, entry)
    _without_others(module, function)
    run_passes(new_context(), module, parse_passes(_passes(module)))
    function = select_entry(module, function.sym_name.data)
    functions = {op.sym_name.data: op for op in module.body.ops if isinstance(op, func.FuncOp)}
    writer = HloWriter(functions)
    _write_entry(writer, function)
    name = Names().fresh((module.sym_name or function.sym_name).data)
    header = ", ".join([f"HloModule {name}", *_module_attributes(module, function)])
    return "\n".join([f"{header}\n", *writer.texts])


def _without_others(module: ModuleOp, entry: func.FuncOp) -> None:
    """Delete the functions that the entry does not reach."""
    functions = {op.sym_name.data: op for op in module.body.ops if isinstance(op, func.FuncOp)}
    reached = {entry.sym_name.data}
    pending = [entry]
    while pending:
        for op in pending.pop().walk():
            for attribute in (*op.properties.values(), *op.attributes.values()):
                symbols = (
                    cast(ArrayAttr[Attribute], attribute).data if isinstance(attribute, ArrayAttr) else (attribute,)
                )
                for symbol in symbols:
                    name = symbol.root_reference.data if isinstance(symbol, SymbolRefAttr) else ""
                    if name in functions and name not in reached:
                        reached.add(name)
                        pending.append(functions[name])
    for name in functions.keys() - reached:
        functions[name].detach()


def _attributes_of(attributes: ArrayAttr[DictionaryAttr] | None, count: int) -> list[dict[str, Attribute]]:
    """The attributes of each argument or result."""
    return [{} for _ in range(count)] if attributes is None else [dict(entry.data) for entry in attributes.data]


def _write_entry(writer: HloWriter, function: func.FuncOp) -> None:
    if len(function.body.blocks) != 1:
        raise UnsupportedError(f"'@{function.sym_name.data}' has several blocks", function)
    name = function.sym_name.data
    if PARTITIONED in cast("ModuleOp", function.get_toplevel_object()).attributes:
        name = name.removesuffix(PARTITIONED_SUFFIX) + PARTITIONED_SUFFIX
    computation = writer.new_computation(name)
    block = function.body.block
    for argument, attributes in zip(block.args, _attributes_of(function.arg_attrs, len(block.args)), strict=True):
        sharding = attributes.get("mhlo.sharding")
        suffix = ""
        if isinstance(sharding, StringAttr) and sharding.data.startswith("{"):
            suffix = f", sharding={sharding.data}"
        shape = shape_text(argument.type, function) + _explicit_layout(attributes)
        computation.names[argument] = computation.parameter(shape, argument.name_hint or "arg", suffix)
    writer.complete(computation, block, is_entry=True)


def _explicit_layout(attributes: dict[str, Attribute]) -> str:
    """The layout a frontend has asked for: `{0,1}`."""
    mode = attributes.get("mhlo.layout_mode")
    return mode.data if isinstance(mode, StringAttr) and mode.data.startswith("{") else ""


def _with_layout(type: Attribute, attributes: dict[str, Attribute]) -> str:
    layout = _explicit_layout(attributes)
    return show(from_type(type)) + layout if layout else show(with_layouts(from_type(type)))


def _module_attributes(module: ModuleOp, function: func.FuncOp) -> list[str]:
    inputs = function.function_type.inputs.data
    outputs = function.function_type.outputs.data
    argument_attributes = _attributes_of(function.arg_attrs, len(inputs))
    result_attributes = _attributes_of(function.res_attrs, len(outputs))
    entries: list[str] = []
    aliases: list[str] = []
    donors: list[str] = []
    for number, attributes in enumerate(argument_attributes):
        alias = attributes.get("tf.aliasing_output")
        if isinstance(alias, IntegerAttr):
            output = f"{{{alias.value.data}}}" if len(outputs) != 1 else "{}"
            aliases.append(f"{output}: ({number}, {{}}, may-alias)")
        elif "jax.buffer_donor" in attributes:
            donors.append(f"({number}, {{}})")
    if aliases:
        entries.append(f"input_output_alias={{ {', '.join(aliases)} }}")
    if donors:
        entries.append(f"buffer_donor={{ {', '.join(donors)} }}")
    arguments = [_with_layout(*pair) for pair in zip(inputs, argument_attributes, strict=True)]
    results = [_with_layout(*pair) for pair in zip(outputs, result_attributes, strict=True)]
    result = results[0] if len(results) == 1 else tuple_text(results)
    entries.append(f"entry_computation_layout={{{tuple_text(arguments)}->{result}}}")
    for name, attribute in (("replica_count", "mhlo.num_replicas"), ("num_partitions", "mhlo.num_partitions")):
        count = module.attributes.get(attribute)
        if isinstance(count, IntegerAttr) and count.value.data > 1:
            entries.append(f"{name}={count.value.data}")
    return entries
