"""What can be left out of the compiler: optional steps, fast paths, tuned constants; and how each is turned off.

A candidate names the values that stand in for choices of the cost model, or for names of modules, while it is
off: a function is replaced by one that always answers the value, anything else by the value itself. A step of the
pipeline is left out of the pipeline.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

from ..decisions import model as models
from ..decisions.model import CostModel, host_model
from ..pipelines import PASSES, XLA_CPU, Step, expand, load_pass

ROOT = Path(__file__).parent.parent
PACKAGE = __name__.split(".")[0]

NEVER = 1 << 60
"""A limit that nothing reaches."""


@dataclass(frozen=True)
class Candidate:
    """Something that may be left out.

    `values`: what stands in for decisions, by module and name. `code`: files and folders, or definitions in a file
    (`path:name`), that nothing would need any more. `step`: its number in the pipeline, if it is a step.
    `is_of_calls`: whether it changes how programs are called, and not their code.
    """

    name: str
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    code: tuple[str, ...] = ()
    step: int | None = None
    is_of_calls: bool = False

    @property
    def pipeline(self) -> str:
        """The pipeline to compile with."""
        return expand([step for number, step in enumerate(XLA_CPU) if number != self.step])

    @property
    def lines(self) -> int:
        """How many lines of code it costs."""
        return sum(map(_lines, self.code))

    @contextmanager
    def turned_off(self) -> Generator[None]:
        """Inside, the decisions of the compiler are made without it."""
        with overridden(self.values):
            yield


def _lines(code: str) -> int:
    place, _, name = code.partition(":")
    path = ROOT / place
    if name:
        definitions = ast.parse(path.read_text(encoding="utf-8")).body
        found = [node for node in definitions if getattr(node, "name", None) == name]
        return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in found)
    files = path.rglob("*.py") if path.is_dir() else [path]
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


@contextmanager
def overridden(values: Mapping[str, Any]) -> Generator[None]:
    """Inside, choices of the cost model (`model.part.name`), and names of modules of this package (`module.name`)
    wherever they have been imported, stand for other values.
    """
    _load_passes()
    own_model, changed = models.host_model, host_model()
    replaced: list[tuple[Any, str, Any]] = []
    for place, value in values.items():
        module_name, _, name = place.rpartition(".")
        if module_name.startswith(f"{MODEL}."):
            part = module_name.removeprefix(f"{MODEL}.")
            changed = replace(changed, **{part: _changed(getattr(changed, part), name, value)})
            continue
        own = getattr(importlib.import_module(f"{PACKAGE}.{module_name}"), name)
        new = _answering(value) if callable(own) and not callable(value) else value
        for module in _modules():
            if cast("dict[str, Any]", vars(module)).get(name) is own:
                replaced.append((module, name, own))
                setattr(module, name, new)
    setattr(models, "host_model", lambda: changed)  # noqa: B010 (a cached function stands there)
    try:
        yield
    finally:
        setattr(models, "host_model", own_model)  # noqa: B010
        for module, name, own in replaced:
            setattr(module, name, own)


def _changed(part: Any, name: str, value: Any) -> Any:
    """The part of a cost model with another number, or with a method that answers `value`."""
    if name in {each.name for each in fields(part)}:
        return replace(part, **{name: value})
    answer = staticmethod(value if callable(value) else _answering(value))
    own = cast("type[Any]", type(part))
    subclass: Any = type(own.__name__, (own,), {name: answer})
    return subclass(**{each.name: getattr(part, each.name) for each in fields(part)})


def _answering(value: Any) -> Callable[..., Any]:
    return lambda *_, **__: value


def _modules() -> list[Any]:
    return [module for name, module in list(sys.modules.items()) if name.split(".")[0] == PACKAGE and module]


@cache
def _load_passes() -> None:
    """Import every pass and what it uses: what is imported later would import a decision that is turned off."""
    for name in PASSES:
        load_pass(name)
    for folder in ("passes", "lowering"):
        package = importlib.import_module(f"{PACKAGE}.{folder}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)


SHARED_CODE: dict[str, tuple[str, ...]] = {
    "linalg-outline-kernels": ("passes/linalg/kernels",),
    "linalg-block-row-chains": ("passes/linalg/row_chains",),
    "linalg-tile-contractions": ("lowering/contractions", "decisions/contractions.py"),
    "loops-vectorize": ("passes/loops/vectorization",),
}
"""What a step needs beside its own file, and nothing else does."""


def optional_steps(pipeline: Sequence[Step] = XLA_CPU) -> list[Candidate]:
    """A candidate for each step that is not required; of one that stands there twice, for each time."""
    candidates: list[Candidate] = []
    for number, step in enumerate(pipeline):
        if not step.required:
            name, earlier = step.spec, [other.spec for other in pipeline[:number]].count(step.spec)
            code = (f"{PASSES[name].replace('.', '/')}/{name.replace('-', '_')}.py", *SHARED_CODE.get(name, ()))
            repeated = [other.spec for other in pipeline].count(name) > 1
            candidates.append(
                Candidate(f"{name} #{earlier + 1}" if repeated else name, code=() if repeated else code, step=number)
            )
    return candidates


def _decision(name: str, *code: str, **values: Any) -> Candidate:
    """A candidate that replaces numbers and choices of the cost model, wherever in it they are; other names are those
    of the modules `OUTSIDE`.
    """
    places = {key: place_of(key) for key in values}
    return Candidate(name, {places[key]: value for key, value in values.items()}, code)


MODEL = "model"
"""How the places of the cost model begin: `model.kernels.worth_hoisting`."""

OUTSIDE = (
    "decisions.divisors",
    "decisions.parallelism",
)
"""Modules with choices that are not in the cost model."""


def place_of(name: str) -> str:
    """Where the choice `name` is made: a field or a method of a part of the cost model, or a name in a module."""
    for part in fields(CostModel):
        if hasattr(getattr(host_model(), part.name), name):
            return f"{MODEL}.{part.name}.{name}"
    (module,) = [module for module in OUTSIDE if hasattr(importlib.import_module(f"{PACKAGE}.{module}"), name)]
    return f"{module}.{name}"


AFFINE, KERNELS, CONTRACTIONS = "lowering/linalg_to_affine", "passes/linalg/kernels", "lowering/contractions"
SCHEDULE = "lowering.linalg_to_affine.schedule"
SPLITS = "lowering.linalg_to_affine.split_reduction"


def fast_paths() -> list[Candidate]:
    """Second ways to do what another part of the compiler does as well."""
    return [*_of_programs(), *_of_loops(), *_of_products()]


def _of_programs() -> list[Candidate]:
    return [
        Candidate(
            "calls made in machine code",
            {"runtime.executable.CALLS_IN_PYTHON": 0},
            ("runtime/native_call.py",),
            is_of_calls=True,
        ),
        _decision("functions that are not optimised", is_brief=False),
        _decision("parts of a module for threads", lines_per_part=NEVER),
        _decision("LLVM works while functions are lowered", "runtime/function_stream.py", lines_ahead=NEVER),
        _decision("kernels that differ in constants are one", f"{KERNELS}/sharing.py", passed_constants=0),
        _decision("results before loops", worth_hoisting=False),
        _decision("loops carry pointers", worth_changing_places=False),
        _decision("ops that read the same tensor", worth_reading_once=False),
        _decision("values computed in several readers", recomputed_operations=-1),
        _decision("readers select parts", worth_selecting_parts=False),
        _decision("sorts by digits", worth_sorting_by_digits=False),
        _decision("selections instead of sorts", worth_selecting=False),
        _decision("sorted lists", worth_a_sorted_list=False),
        _decision("sorted rows made contiguous", worth_contiguous_rows=False),
        _decision("small factorisations by LAPACK", generated_factor_rows=256),
        _decision("small systems by generated code", generated_system_rows=0),
    ]


def _of_loops() -> list[Candidate]:
    return [
        Candidate("transposes in registers", {f"{SCHEDULE}.in_blocks": None}, (f"{AFFINE}/transposed_copy.py",)),
        Candidate("reductions split for threads", {f"{SPLITS}._for_threads": None}),
        Candidate("reductions split for exactness", {f"{SPLITS}._for_digits": None}),
        Candidate("reductions split for lanes", {f"{SPLITS}._for_lanes": None}),
        Candidate("reductions split for short rows", {f"{SPLITS}._for_short_rows": None}),
        _decision("nests over shared rows", f"{AFFINE}/shared_rows.py", worth_sharing_rows=False),
        _decision("loops cut where bodies change", worth_cutting_outside=False),
        _decision("rows gathered by vectors", worth_inline_copies=False),
        _decision("borders of fills", worth_filling_borders=False),
        _decision("short loops unrolled by LLVM", worth_full_unrolling=False),
        _decision("reductions unrolled", unrolled_points=1),
        _decision("rows reduced side by side", worth_jamming=False),
    ]


def _of_products() -> list[Candidate]:
    return [
        Candidate(
            "operands packed in front of loops",
            {f"{CONTRACTIONS.replace('/', '.')}.hoisting._loops_around": []},
            (f"{CONTRACTIONS}/hoisting.py",),
        ),
        _decision("left operands packed", f"{CONTRACTIONS}/packing.py:Block", worth_packing_left=False),
        _decision("edges of padded products", worth_padding_edges=False),
        _decision("contractions prefetch", worth_prefetching=False),
        _decision("right operands streamed", streamed_steps=0),
        _decision("sums fetched", worth_fetching_sums=False),
        _decision("convolutions with features last", worth_features_last=False),
        _decision("convolutions by phases", worth_separate_phases=False),
    ]


def constants() -> list[Candidate]:
    """Tuned numbers, each with the value that makes no choice."""
    return [
        _decision("wide vectors joined", vector_groups=_single_vectors),
        _decision("registers a vector fills", interleaved_vectors=1),
        _decision("rows a trip of a reduction", reduction_rows_per_trip=1),
        _decision("vectors of partial results", partial_vectors=1),
        _decision("tiles of transposes", transpose_tile=32),
        _decision("kernels without size limits", kernel_operations=NEVER, kernel_members=NEVER),
        _decision("chains without a limit", fused_depth=NEVER),
        _decision("loads and stores weigh the same", store_weight=1, accumulator_weight=1),
        _decision("epilogues in registers only", register_epilogue=NEVER),
        _decision("parts a thread takes", PARTS_PER_THREAD=1),
    ]


def _single_vectors(vectors: int) -> list[tuple[int, int]]:
    return [(first, 1) for first in range(vectors)]


def candidates(names: Sequence[str] = ()) -> list[Candidate]:
    """All of them, or those of these names."""
    everything = [*optional_steps(), *fast_paths(), *constants()]
    return [candidate for candidate in everything if not names or candidate.name in names]
