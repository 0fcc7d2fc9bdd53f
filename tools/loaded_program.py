"""The program that a command line of `xla-run` names: read, refined to the shapes of its inputs, and compiled or
prepared for the reference.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..decisions.denormals import DEFAULT
from ..dialects.xrt_names import INTERFACE
from ..runtime.compiler import Request, compile, definitions_of
from ..runtime.devices.local import TIMEOUT
from ..runtime.executable import Executable
from ..runtime.formats import format_of
from ..runtime.input_files import read_file, read_stream
from ..runtime.schedule_texts import beside, schedule_texts
from ..runtime.signature import Signature, TensorSpec, tensors_of
from ..runtime.threads import effective_threads
from .compile_options import load_cost_model
from .reporting import standard_input
from .tensor_io import load_inputs

if TYPE_CHECKING:  # a program from the compile cache runs without xDSL
    from xdsl.dialects.builtin import ModuleOp


class Program(NamedTuple):
    """A program ready to run."""

    run: Callable[..., Sequence[np.ndarray]]
    signature: Signature
    executable: Executable | None


def schedules_file(args: argparse.Namespace) -> str | Path | None:
    """The file with schedules, if there is one."""
    return args.schedules or beside(args.file)


def read_program(path: str) -> bytes:
    """The text of the program; `-` is standard input."""
    if path == "-":
        return read_stream(standard_input())
    return read_file(path)


def refined_by_inputs(args: argparse.Namespace) -> bytes | ModuleOp:
    """The program; one whose entry has dynamic dimensions gets the shapes of `--input`, if that is given."""
    text = read_program(args.file)
    if args.fill_elided:
        from ..runtime.formats import read_program as read_module

        return read_module(text, args.file, fill_elided=True)
    if not args.input or (b"?" not in text and format_of(text, args.file) is None):
        return text
    from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType

    from ..dialects.stablehlo.shapes import is_tensor
    from ..passes.stablehlo.shape_refinement import refine
    from ..runtime.entry import bounded_shape, select_entry
    from ..runtime.formats import read_program as read_module
    from ..runtime.mlir_types import numpy_dtype
    from ..runtime.verifying import verify_module

    module = read_module(text, args.file)
    verify_module(module)
    if any(INTERFACE in op.attributes for op in module.ops):  # on a lower level, where shapes are static
        return module
    entry = select_entry(module, args.entry)
    types = [arg.type for arg in entry.args if is_tensor(arg.type)]
    if len(types) != len(entry.args) or all(DYNAMIC_INDEX not in bounded_shape(type) for type in types):
        return module
    specs = [TensorSpec(f"arg{i}", (), numpy_dtype(type.element_type)) for i, type in enumerate(types)]
    shapes = [array.shape for array in load_inputs(args.input, specs)]
    refine(module, entry, [TensorType(type.element_type, shape) for type, shape in zip(types, shapes, strict=True)])
    return module


def _options(args: argparse.Namespace) -> dict[str, Any]:
    """Those of `compile` that a command line asks for."""
    return {
        "filename": args.file,
        "threads": args.threads,
        "pipeline": args.pipeline,
        "entry": args.entry,
        "vector_bits": args.vector_bits,
        "opt_level": args.opt_level,
        "dump_dir": args.dump_dir,
        "verify": args.verify,
        "seed": args.seed,
        "donate": args.donate,
        "cost_model": load_cost_model(args.cost_model),
        "schedules": schedules_file(args),
        "passes": args.load_pass,
        "cache": False if args.no_cache else None,
        "debug_info": args.debug_info,
        "profile": args.profile is not None,
        "denormals": args.denormals,
    }


def load_program(args: argparse.Namespace) -> Program:
    """Compile the program, or prepare it for the reference interpreter."""
    if args.engine == "native":
        args.source = refined_by_inputs(args)
        options = _options(args)
        if args.devices is not None:
            compiled = compile(args.source, devices=args.devices, **options)
            sharded = compiled.with_collective_timeout(args.collective_timeout or TIMEOUT)
            return Program(sharded, sharded.signature, sharded.local)
        executable = compile(args.source, devices=None, **options)
        signature = executable.signature

        def run_native(*arrays: np.ndarray) -> Sequence[np.ndarray]:
            return list(tensors_of(executable(*signature.arguments(arrays))))

        return Program(executable if signature.is_plain else run_native, signature, executable)

    from xdsl.dialects.builtin import ModuleOp

    from ..passes.stablehlo.stablehlo_refuse_internals import refuse_internals
    from ..reference import interpreter
    from ..reference.environment import Environment
    from ..runtime.arguments import convert_argument
    from ..runtime.entry import read_signature
    from ..runtime.formats import read_program as read_module
    from ..runtime.verifying import verify_module
    from .entries import resolve_entry

    program = refined_by_inputs(args)
    module = program if isinstance(program, ModuleOp) else read_module(program, args.file)
    verify_module(module)
    refuse_internals(module)
    signature = read_signature(resolve_entry(module, args.entry))

    def run(*arrays: np.ndarray) -> Sequence[np.ndarray]:
        specs = zip(arrays, signature.inputs, strict=True)
        converted = [
            np.asarray(array) if spec.bounded else convert_argument(array, spec, i)
            for i, (array, spec) in enumerate(specs)
        ]
        arguments = signature.arguments(converted)
        environment = Environment(seed=args.seed, denormals=args.denormals or DEFAULT)
        return list(tensors_of(interpreter.run(module, signature.entry, arguments, environment)))

    return Program(run, signature, None)


def request_of(args: argparse.Namespace) -> Request:
    """The options of the compilation."""
    return Request(
        effective_threads(args.threads),
        args.pipeline,
        args.entry,
        args.vector_bits,
        args.opt_level,
        None,
        None,
        args.donate,
        load_cost_model(args.cost_model),
        schedule_texts(schedules_file(args)),
        debug_info=args.debug_info,
        definitions=definitions_of(args.load_pass),
        denormals=args.denormals,
    )
