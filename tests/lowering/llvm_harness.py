"""Runs small level-5 programs through `convert-to-llvm` and LLVM."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Sequence
from functools import cache
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl_xla.lowering.llvm_to_text import emit
from xdsl_xla.lowering.to_llvm.convert_to_llvm import ConvertToLlvmPass
from xdsl_xla.lowering.to_llvm.module_tables import collect_large_constants
from xdsl_xla.runtime.context import ContextTable
from xdsl_xla.runtime.program_context import new_context

Array = np.ndarray[Any, Any]


def lower(text: str) -> ModuleOp:
    """The module of `text` after `convert-to-llvm`, verified before and after."""
    context = new_context()
    module = Parser(context, text).parse_module()
    module.verify()
    ConvertToLlvmPass().apply(context, module)
    module.verify()
    return module


def run(
    text: str,
    inputs: Sequence[Array],
    outputs: Sequence[Array],
    *,
    threads: int = 1,
    arena_bytes: int = 1,
    opt_level: int = 2,
) -> None:
    """Executes `@main`, which writes `outputs`."""
    module = lower(text)
    native = _load(emit(module), opt_level)
    context = ContextTable(threads, collect_large_constants(module))
    arena = np.zeros(arena_bytes, np.uint8)
    main = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(native["main"])
    main(_table(inputs), _table(outputs), arena.ctypes.data, context.address)


def _load(text: str, opt_level: int) -> Any:
    """Native code of LLVM IR, optimised for the host; maps symbols to addresses."""
    machine, jit = _host()
    module = llvm.parse_assembly(text)
    module.verify()
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(opt_level))
    builder.getModulePassManager().run(module, builder)
    library = llvm.JITLibraryBuilder().add_current_process()
    library.add_object_img(machine.emit_object(module)).export_symbol("main")
    return library.link(jit, f"test.{next(_numbers)}")


@cache
def _host() -> tuple[Any, Any]:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        reloc="pic",
        codemodel="small",
        jit=True,
    )
    return machine, llvm.create_lljit_compiler(use_jit_link=True)


_numbers = itertools.count()


def _table(arrays: Sequence[Array]) -> Any:
    return (ctypes.c_void_p * max(1, len(arrays)))(*[array.ctypes.data for array in arrays])


def entry(arguments: str, inputs: int, outputs: int, body: str, others: str = "") -> str:
    """A module with an entry function."""
    return f"""
    {others}
    func.func @main({arguments}) attributes {{
        xrt.entry, xrt.num_inputs = {inputs} : i64, xrt.num_outputs = {outputs} : i64}} {{
      {body}
      func.return
    }}
    """


def elementwise(body: str, input_types: Sequence[str], output_type: str, length: int) -> str:
    """A loop over `length` elements: `body` computes `%r` from `%a`, `%b`, `%c`."""
    names = "abc"[: len(input_types)]
    arguments = [f"%{name}s: memref<{length}x{type}>" for name, type in zip(names, input_types, strict=True)]
    arguments.append(f"%out: memref<{length}x{output_type}>")
    loads = "\n".join(
        f"%{name} = memref.load %{name}s[%i] : memref<{length}x{type}>"
        for name, type in zip(names, input_types, strict=True)
    )
    loop = f"""
      %first = arith.constant 0 : index
      %step = arith.constant 1 : index
      %end = arith.constant {length} : index
      cf.br ^head(%first : index)
    ^head(%i: index):
      %more = arith.cmpi slt, %i, %end : index
      cf.cond_br %more, ^loop, ^done
    ^loop:
      {loads}
      {body}
      memref.store %r, %out[%i] : memref<{length}x{output_type}>
      %next = arith.addi %i, %step : index
      cf.br ^head(%next : index)
    ^done:
    """
    return entry(", ".join(arguments), len(names), 1, loop)


def run_elementwise(
    body: str,
    inputs: Sequence[Array],
    input_types: Sequence[str],
    output_type: str,
    output_dtype: Any,
) -> Array:
    """The array of `%r` for the elements of `inputs`."""
    length = len(inputs[0])
    out = np.zeros(length, output_dtype)
    run(elementwise(body, input_types, output_type, length), inputs, [out])
    return out
