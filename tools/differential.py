"""Native code against the reference: `xla-run --compare reference`.

`compare_engines` runs a program on both engines with several kinds of inputs and reports the worst element of every
output. Kinds of inputs and parts of programs are here for `pass_checks.py` and `fuzz.py`, too.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import ml_dtypes
import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation
from xdsl.traits import Pure

from ..decisions.denormals import DEFAULT, Denormals
from ..errors import UnsupportedError
from ..passes.stablehlo.stablehlo_refuse_internals import refuse_internals
from ..reference import interpreter
from ..reference.checks import ulp_difference
from ..reference.environment import Environment
from ..reference.processes import ProcessGrid
from ..runtime.compiler import compile
from ..runtime.entry import isolate_entry, read_signature
from ..runtime.executable import Executable
from ..runtime.formats import read_program
from ..runtime.pass_manager import parse_passes
from ..runtime.program_context import new_context
from ..runtime.signature import Signature, TensorSpec, tensors_of
from ..runtime.verifying import verify_module
from .comparison import NOT_ASKED, AskedTolerance, Mismatch, compare, default_tolerance
from .entries import resolve_entry
from .tensor_io import is_integer, random_inputs

Arrays = Sequence[np.ndarray]


# -- kinds of inputs ---------------------------------------------------------------------------------------------


SUMS = {
    "stablehlo.reduce",
    "stablehlo.reduce_window",
    "stablehlo.dot",
    "stablehlo.dot_general",
    "stablehlo.convolution",
    "stablehlo.scatter",
    "stablehlo.select_and_scatter",
    "chlo.ragged_dot",
}
"""Ops that may add in any order: whether a sum of the largest values overflows depends on it."""


def _edge_values(dtype: np.dtype[Any], sums: bool) -> np.ndarray:
    """Zeros, ones, the largest, the smallest: finite values at the edges of a type; no largest ones where they are
    summed."""
    if dtype == np.bool_:
        return np.array([False, True])
    if is_integer(dtype):
        info: Any = np.iinfo(dtype) if dtype.kind in "iu" else _extension_info(dtype, integer=True)
        values = [0, 1, 2, info.max, info.max - 1, info.min, info.min + 1]
        return np.array([v for v in values if info.min <= v <= info.max]).astype(dtype)
    if dtype.kind == "c":
        parts = _edge_values(np.dtype(np.float32 if dtype.itemsize == 8 else np.float64), sums)
        return (parts[:, None] + 1j * parts[None, :]).reshape(-1).astype(dtype)
    info = _extension_info(dtype, integer=False)
    tiny, largest = float(info.smallest_subnormal), 2.0 if sums else float(info.max)
    values = [0.0, -0.0, 1.0, -1.0, 0.5, -1.5, tiny, -tiny, float(info.smallest_normal), largest, -largest]
    return np.array(values).astype(dtype)


def _extension_info(dtype: np.dtype[Any], integer: bool) -> Any:
    extensions: Any = ml_dtypes
    return extensions.iinfo(dtype) if integer else extensions.finfo(dtype)


def _drawn(values: np.ndarray, spec: TensorSpec, generator: np.random.Generator) -> np.ndarray:
    return values[generator.integers(0, len(values), spec.shape)].reshape(spec.shape)


def _edges(spec: TensorSpec, generator: np.random.Generator, sums: bool) -> np.ndarray:
    return _drawn(_edge_values(spec.dtype, sums), spec, generator)


def _not_finite(spec: TensorSpec, generator: np.random.Generator, sums: bool) -> np.ndarray:
    """Ordinary values, one in eight of them NaN, infinite or zero; of a small tensor more, or less."""
    values = random_inputs([spec], int(generator.integers(1 << 30)))[0]
    if spec.dtype == np.bool_ or is_integer(spec.dtype):
        return values
    with np.errstate(all="ignore"):
        special = np.array([np.nan, np.inf, -np.inf, 0.0]).astype(spec.dtype)
    share = 0.125 if math.prod(spec.shape) >= SMALL_ELEMENTS else generator.choice([0.0625, 0.25, 0.5])
    return np.where(generator.random(spec.shape) < share, _drawn(special, spec, generator), values)


def _wide_range(spec: TensorSpec, generator: np.random.Generator, sums: bool) -> np.ndarray:
    """Every exponent of a float (those up to 1 where values are summed), every bit pattern of an integer."""
    if spec.dtype == np.bool_ or (is_integer(spec.dtype) and spec.dtype.kind not in "iu"):
        return _edges(spec, generator, sums)
    if spec.dtype.kind in "iu":
        return generator.integers(0, 256, (*spec.shape, spec.dtype.itemsize), np.uint8).view(spec.dtype)[..., 0]
    real = np.dtype(np.float32 if spec.dtype.itemsize == 8 else np.float64) if spec.dtype.kind == "c" else spec.dtype
    info: Any = _extension_info(real, integer=False)
    low, high = np.log2(float(info.smallest_normal)), 0.0 if sums else np.log2(float(info.max))

    def part() -> np.ndarray:
        return np.exp2(generator.uniform(low, high, spec.shape)) * generator.choice([-1.0, 1.0], spec.shape)

    return np.asarray(part() + 1j * part() if spec.dtype.kind == "c" else part()).astype(spec.dtype)


KINDS: dict[str, Callable[[TensorSpec, np.random.Generator, bool], np.ndarray]] = {
    "ordinary": lambda spec, generator, sums: random_inputs([spec], int(generator.integers(1 << 30)))[0],
    "edges": _edges,
    "not finite": _not_finite,
    "wide range": _wide_range,
}
"""Kinds of inputs by name."""

SMALL_ELEMENTS = 256
"""So many elements of each input are drawn at least: small inputs are drawn several times."""

MOST_ROUNDS = 32
"""How often inputs are drawn at most."""

ROUNDS_SECONDS = 0.5
"""What the rounds behind the first one may take together."""


def count_rounds(signature: Signature) -> int:
    """How often inputs of one kind are drawn: one small tensor does not show what NaN, a tie or an edge does."""
    sizes = [size for spec in signature.inputs if (size := math.prod(spec.shape))]
    return min(MOST_ROUNDS, -(-SMALL_ELEMENTS // min(sizes))) if sizes else 1


# -- two engines -------------------------------------------------------------------------------------------------


class Difference(NamedTuple):
    """How one output differs for one kind of inputs."""

    kind: str
    output: int
    spec: TensorSpec
    ulps: float
    """The largest distance of two finite elements in units in the last place."""
    mismatch: Mismatch | None
    """The worst element outside the tolerance, None if all are inside."""

    def __str__(self) -> str:
        verdict = f"WRONG {self.mismatch}" if self.mismatch else "agrees"
        return f"{self.kind:11} out{self.output} ({self.spec}) {verdict}, at most {self.ulps:g} ulp"


@dataclass
class Subject:
    """A verified program with its entry isolated."""

    module: ModuleOp
    signature: Signature
    context: Context
    denormals: Denormals = DEFAULT
    """What the reference does with subnormal numbers."""

    @staticmethod
    def parse(source: bytes | ModuleOp, filename: str, entry: str | None, denormals: Denormals = DEFAULT) -> Subject:
        context = new_context()
        module = source.clone() if isinstance(source, ModuleOp) else read_program(source, filename, context)
        verify_module(module)
        refuse_internals(module)
        function = resolve_entry(module, entry)
        signature = read_signature(function)
        isolate_entry(module, function)
        return Subject(module, signature, context, denormals)

    def reference(self, inputs: Arrays, grid: tuple[int, int] = (1, 1)) -> list[np.ndarray]:
        """The outputs the reference gives, chlo decomposed where it has no meaning of its own; those of all processes
        of a grid, which get the same inputs.
        """
        try:
            return self._interpreted(self.module, inputs, grid)
        except UnsupportedError:
            module = self.module.clone()
            for module_pass in parse_passes("chlo-legalize-to-stablehlo"):
                module_pass.apply(self.context, module)
            return self._interpreted(module, inputs, grid)

    def _interpreted(self, module: ModuleOp, inputs: Arrays, grid: tuple[int, int]) -> list[np.ndarray]:
        processes, surroundings = ProcessGrid(*grid), Environment(denormals=self.denormals)

        def run(environment: Environment) -> list[np.ndarray]:
            arguments = self.signature.arguments(inputs)
            return list(tensors_of(interpreter.run(module, self.signature.entry, arguments, environment)))

        if grid == (1, 1):
            return run(surroundings)
        results = processes.run(
            dict.fromkeys(
                [(i, j) for i in range(grid[0]) for j in range(grid[1])],
                lambda process: run(surroundings.of_process(process)),
            )
        )
        return [array for i in range(grid[0]) for j in range(grid[1]) for array in results[i, j]]

    def native(self, executable: Executable, inputs: Arrays) -> list[np.ndarray]:
        """The outputs of compiled code, in surroundings like those of the reference: the same random numbers."""
        program = executable.with_environment(Environment())
        return list(tensors_of(program(*self.signature.arguments(inputs))))

    def inputs(self, kind: str, seed: int, round: int = 0) -> list[np.ndarray]:
        """Inputs of one kind, the same for the same seed and round."""
        generator = np.random.default_rng((seed, round) if round else seed)
        sums = any(op.name in SUMS for op in self.module.walk())
        sizes: dict[int, int] = {}

        def shape_of(spec: TensorSpec) -> tuple[int, ...]:
            """Dimensions of one bound are of one size, as operands of elementwise ops have to be."""
            return tuple(
                sizes.setdefault(size, int(generator.integers(size, endpoint=True))) if dim in spec.bounded else size
                for dim, size in enumerate(spec.shape)
            )

        return [KINDS[kind](spec._replace(shape=shape_of(spec)), generator, sums) for spec in self.signature.inputs]


def differences(
    kind: str, signature: Signature, got: Arrays, wanted: Arrays, tolerance: AskedTolerance
) -> Iterator[Difference]:
    for index, (a, b) in enumerate(zip(got, wanted, strict=True)):
        whole = a.dtype == np.bool_ or is_integer(a.dtype)
        distance = np.asarray(a != b if whole else ulp_difference(a, b), np.float64)
        finite = np.isfinite(a) & np.isfinite(b) if a.dtype.kind in "fc" else np.ones(a.shape, bool)
        ulps = float(np.max(distance, where=finite, initial=0.0))
        mismatch = compare(a, b, tolerance.over(default_tolerance(a.dtype)))
        yield Difference(kind, index, signature.outputs[index], ulps, mismatch)


def compare_engines(
    subject: Subject,
    seed: int,
    threads: int | None,
    pipeline: str,
    tolerance: AskedTolerance = NOT_ASKED,
    kinds: Sequence[str] = tuple(KINDS),
    observe: Callable[[Executable], None] = lambda _: None,
    **options: Any,
) -> Iterator[Difference]:
    """The differences of native code from the reference, output by output, for each kind of inputs: of the rounds of
    one kind (`count_rounds`) the worst one.

    `options` are other ones of `compile`; `observe` gets what was compiled.
    """
    entry = subject.signature.entry
    compiled = compile(subject.module, threads=threads, pipeline=pipeline, entry=entry, cache=False, **options)
    executable = cast(Executable, compiled)
    observe(executable)
    spent = 0.0
    for kind in kinds:
        worst: dict[int, Difference] = {}
        for round in range(count_rounds(subject.signature)):
            start = time.monotonic()
            if round and spent > ROUNDS_SECONDS:
                break
            inputs = subject.inputs(kind, seed, round)
            wanted, got = subject.reference(inputs), subject.native(executable, inputs)
            for new in differences(kind, subject.signature, got, wanted, tolerance):
                worst[new.output] = max(worst.get(new.output, new), new, key=_badness)
            spent += time.monotonic() - start if round else 0.0
        yield from worst.values()


def _badness(difference: Difference) -> tuple[bool, float]:
    return difference.mismatch is not None, difference.ulps


# -- parts of programs ---------------------------------------------------------------------------------------------


def prefix(subject: Subject, last: int) -> Subject:
    """The program that returns the results of the op number `last` of the entry, without what that does not need."""
    module = subject.module.clone()
    entry = resolve_entry(module, subject.signature.entry)
    block = entry.body.block
    ops = list(block.ops)
    results = list(ops[last].results)
    terminator = ops[-1]
    block.insert_op_before(ReturnOp(*results), terminator)
    terminator.detach()
    terminator.erase()
    for op in reversed(ops[:-1]):
        if _is_dead(op):
            op.detach()
            op.erase()
    _set_results(entry, [result.type for result in results])
    return dataclasses.replace(subject, module=module, signature=read_signature(entry))


def _is_dead(op: Operation) -> bool:
    return all(result.first_use is None for result in op.results) and (op.has_trait(Pure) or bool(op.regions))


def _set_results(entry: FuncOp, types: Sequence[Any]) -> None:
    entry.properties["function_type"] = FunctionType.from_lists(list(entry.function_type.inputs), list(types))
    entry.properties.pop("res_attrs", None)
