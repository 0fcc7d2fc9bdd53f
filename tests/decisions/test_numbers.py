"""Numbers that weigh costs stand in `decisions/`: others in passes and lowerings are listed here, with a reason."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]

FORMAT = "a fact about a format, an algorithm, an interface, an instruction set or Python's stack"
SEMANTICS = "the order in which Shardy propagates"
SHAPE = "the shape of code that is written for this number"
REASONS = {
    "SPLIT_LANES": FORMAT,
    "_INTEGER_BITS": FORMAT,
    "_SIGNED_LESS": FORMAT,
    "ALIGNMENT": FORMAT,
    "PRIVATE_ALIGNMENT": FORMAT,
    "_SMALLEST_REGISTER": FORMAT,
    "_ANY_DIVISOR": FORMAT,
    "_NAN": FORMAT,
    "CONSTANT_ALIGNMENT": FORMAT,
    "BUFFER_ALIGNMENT": FORMAT,
    "FRAME_ALIGNMENT": FORMAT,
    "_LINE": FORMAT,
    "_PLACE_BITS": FORMAT,
    "_ALL": FORMAT,
    "MINIMUM": FORMAT,
    "MAXIMUM": FORMAT,
    "_CURRENT_ROUNDING": FORMAT,
    "_REGISTERS": FORMAT,
    "_UP": FORMAT,
    "I32_BITS": FORMAT,
    "INTEGERS_START": FORMAT,
    "INTEGERS_START_BITS": FORMAT,
    "_ANY": FORMAT,
    "STACK_ALIGNMENT": FORMAT,
    "SMALL_STACK_ALIGNMENT": FORMAT,
    "_KEEP_IN_ALL_CACHES": FORMAT,
    "_DATA": FORMAT,
    "_GREATEST": FORMAT,
    "_LEAST": FORMAT,
    "DEEP_CALLS": FORMAT,
    "DEVICE_TO_DEVICE": FORMAT,
    "SHALLOW": FORMAT,
    "STACK_BYTES": FORMAT,
    "MESSAGE_LENGTH": FORMAT,
    "_INTERLEAVED_BYTES": FORMAT,
    "_SQUARE": SHAPE,
    "LEVELS": SEMANTICS,
    "MOST_INTERVALS": "how much a check looks at before it refuses",
    "SHOWN": "how much of an explanation is printed",
}
OF_DIALECTS = {
    "dialects/call_graph.py": "MOST_OPS",
    "dialects/dense.py": "SPELLED_OUT_BYTES",
    "dialects/dense_resources.py": "ALIGNMENT_BYTES",
    "dialects/dense_syntax.py": "HEX_THRESHOLD",
    "dialects/element_sizes.py": "WORD_BITS",
    "dialects/fast_tokens.py": "MOST_DIGITS _INTEGER",
    "dialects/limits.py": (
        "DEEPEST_SCHEDULE LARGEST_SIZE LARGEST_STEP MOST_DIMENSIONS MOST_NESTED MOST_PARTS MOST_PROCESSES"
    ),
    "dialects/quant.py": "MOST_STORAGE_BITS",
    "dialects/shared_attributes.py": "_MOST _MOST_BETWEEN",
    "dialects/stablehlo/element_types.py": "STORAGE_WIDTHS",
    "dialects/stablehlo/replica_groups.py": "MAX_IDS",
    "dialects/tile_functions.py": "_MOST",
}
"""Facts about formats, and what is too large for any program, for its text or for a table of attributes."""

COMPARED = {
    "ir/epilogues.py: len(users) <= 3": FORMAT,
    "lowering/chlo_legalize/elementary.py: element_bits(x.element_type) > 8": FORMAT,
    "lowering/chlo_legalize/elementary.py: width < 64": FORMAT,
    "lowering/chlo_legalize/elementary.py: width > 16": FORMAT,
    "lowering/chlo_legalize/elementary.py: width > 8": FORMAT,
    "lowering/chlo_legalize/scan.py: element_bits(element_type) < 16": FORMAT,
    "lowering/convert_stablehlo_to_linalg/arg_reduction.py: element_bits(element) < 16": FORMAT,
    "lowering/convert_stablehlo_to_linalg/conversions.py: target_bits < 16": FORMAT,
    "lowering/convert_stablehlo_to_linalg/conversions.py: x.bits > 53": FORMAT,
    "lowering/convert_stablehlo_to_linalg/data_movement.py: type.get_shape()[dim] < 1 << 31": FORMAT,
    "lowering/convert_stablehlo_to_linalg/indices.py: number.bits < 64": FORMAT,
    "lowering/lines/selection.py: self.key.bits + _PLACE_BITS <= 64": FORMAT,
    "lowering/lines/sort_keys.py: self.bits < 64": FORMAT,
    "lowering/lines/sorts.py: size < 1 << 31": FORMAT,
    "lowering/lines/sorts.py: size >= 1 << 31": FORMAT,
    "lowering/llvm_to_text/text_of_types.py: 32 <= byte < 127": FORMAT,
    "lowering/to_llvm/floats.py: width <= 16": FORMAT,
    "lowering/to_llvm/floats.py: width > 32": FORMAT,
    "lowering/to_llvm/module_tables.py: (width := element.width.data) < 8": FORMAT,
    "lowering/to_llvm/types.py: width < 8": FORMAT,
    "passes/stablehlo/partition/transforms.py: parts * parts <= length // 2 < 1 << 30": FORMAT,
    "passes/linalg/kernels/outlining.py: rank > 4": FORMAT,
    "passes/loops/math_expand_elementary.py: element.bitwidth > 64": FORMAT,
    "passes/stablehlo/partition/indexed.py: bits <= 32": FORMAT,
    "passes/stablehlo/partition/site.py: element_bits(element_type) < 32": FORMAT,
    "passes/stablehlo/simplify_indexing.py: max(starts, default=0) < 2 ** 31": FORMAT,
    "passes/stablehlo/stablehlo_expand_rng_bit_generator.py: width > 64": FORMAT,
    "passes/stablehlo/stablehlo_unroll_loops.py: width < 8": FORMAT,
    "ir/sharding_propagation/steps.py: level >= 4": SEMANTICS,
    "ir/tensors.py: element_bits(element_type) < 32": FORMAT,
}
"""Comparisons with numbers that have no name: bits, bytes, operands and loops of ops of one form."""

SLOTS = "lowering/to_llvm/context_layout.py"
"""Numbers of slots."""


def _is_number(node: ast.expr | None) -> bool:
    """Whether `node` is an integer, or arithmetic on integers. Floats are coefficients of functions."""
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) and _is_number(node.right)
    if isinstance(node, ast.Tuple):
        return any(map(_is_number, node.elts))
    return isinstance(node, ast.Constant) and type(node.value) is int


def _numbers(path: Path) -> list[str]:
    found: list[str] = []
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and _is_number(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found += [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    return found


def _fields(path: Path) -> list[str]:
    """Fields of classes and parameters of functions that are a number above two where nothing else is said."""
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text())):
        values: list[ast.expr | None] = []
        if isinstance(node, ast.ClassDef):
            values = [inner.value for inner in node.body if isinstance(inner, ast.Assign | ast.AnnAssign)]
        elif isinstance(node, ast.FunctionDef):
            values = [*node.args.defaults, *node.args.kw_defaults]
        found += [f"{node.name}: {ast.unparse(value)}" for value in values if value and _is_large(value)]
    return found


def _is_large(node: ast.expr) -> bool:
    """Whether `node` is an integer above two; smaller ones count operands and sides."""
    return _is_number(node) and (not isinstance(node, ast.Constant) or int(str(node.value)) > 2)


def _compared(path: Path) -> list[str]:
    """Comparisons by size with integers above two."""
    return [
        f"{path.relative_to(ROOT).as_posix()}: {ast.unparse(node)}"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Compare)
        and any(isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for operator in node.ops)
        and any(map(_is_large, (node.left, *node.comparators)))
    ]


PATHS = [path for folder in ("passes", "lowering", "ir") for path in (ROOT / folder).rglob("*.py")]


def test_numbers_are_decided_in_one_place() -> None:
    found = {
        name: path.relative_to(ROOT).as_posix()
        for path in [*PATHS, *ROOT.glob("*.py")]
        for name in _numbers(path)
        if name.isupper() and path.relative_to(ROOT).as_posix() != SLOTS
    }
    slots = set(_numbers(ROOT / SLOTS))
    assert {name: path for name, path in found.items() if name not in REASONS} == {}
    assert set(REASONS) - set(found) - slots == set()


def test_dialects_weigh_nothing() -> None:
    found = {path.relative_to(ROOT).as_posix(): sorted(_numbers(path)) for path in (ROOT / "dialects").rglob("*.py")}
    named = {path: [name for name in names if name.isupper()] for path, names in found.items()}
    assert {path: " ".join(names) for path, names in named.items() if names} == OF_DIALECTS


def test_numbers_without_a_name_decide_nothing() -> None:
    assert {text for path in PATHS for text in _compared(path)} == set(COMPARED)
    assert [text for path in PATHS for text in _fields(path)] == []
