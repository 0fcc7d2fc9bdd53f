"""Numbers that weigh costs stand in `decisions/`: others in passes and lowerings are listed here, with a reason."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]

EFFORT = "how far a pass looks, for the time that it takes"
FORMAT = "a fact about a format, an algorithm, an interface, an instruction set or Python's stack"
SHAPE = "the shape of code that is written for this number"
LEFT = "a choice that still has to become a field of the cost model"
REASONS = {
    "LINES_PER_PART": LEFT,
    "MOST_LINES_OF_LOOPS": LEFT,
    "MOST_NESTED": LEFT,
    "SPLIT_LANES": FORMAT,
    "_SIGNED_LESS": FORMAT,
    "MOST_VALUES": EFFORT,
    "SYMMETRY_DEPTH": EFFORT,
    "DEPTH": EFFORT,
    "LISTED_ELEMENTS": EFFORT,
    "KNOWN_ELEMENTS": EFFORT,
    "MOST_INSERTIONS": EFFORT,
    "MOST_READERS": EFFORT,
    "OTHERS_TRIED": EFFORT,
    "_MOST": EFFORT,
    "ALIGNMENT": FORMAT,
    "PRIVATE_ALIGNMENT": FORMAT,
    "_SMALLEST_REGISTER": FORMAT,
    "_ANY_DIVISOR": FORMAT,
    "_NAN": FORMAT,
    "WIDEST_STORAGE": FORMAT,
    "CONSTANT_ALIGNMENT": FORMAT,
    "BUFFER_ALIGNMENT": FORMAT,
    "FRAME_ALIGNMENT": FORMAT,
    "_LINE": FORMAT,
    "_PLACE_BITS": FORMAT,
    "_ALL": FORMAT,
    "THREEFRY_PARITY": FORMAT,
    "_UP": FORMAT,
    "TURN_DIGITS_53": FORMAT,
    "THREEFRY_ROTATIONS": FORMAT,
    "PHILOX_MULTIPLIERS": FORMAT,
    "PHILOX_KEY_STEPS": FORMAT,
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
    "SHALLOW": FORMAT,
    "STACK_BYTES": FORMAT,
    "MESSAGE_LENGTH": FORMAT,
    "BLOCK": SHAPE,
    "SQUARE": SHAPE,
    "ROWS_AT_ONCE": SHAPE,
    "DIGIT_BITS": SHAPE,
    "SMALLEST_BLOCK": SHAPE,
    "LARGEST_BLOCK": SHAPE,
    "SIMPLE_BYTES": SHAPE,
    "WHOLE_VECTORS": LEFT,
    "ALWAYS_FOLDED": LEFT,
    "MOST_PASSED": LEFT,
    "COLLIDING_BYTES": LEFT,
    "PREFETCHED_STEPS": LEFT,
    "CHUNK_STEPS": LEFT,
    "INLINE_CONSTANT_BYTES": LEFT,
}
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


def test_numbers_are_decided_in_one_place() -> None:
    paths = [path for folder in ("passes", "lowering", "ir") for path in (ROOT / folder).rglob("*.py")]
    found = {
        name: path.relative_to(ROOT).as_posix()
        for path in [*paths, *ROOT.glob("*.py")]
        for name in _numbers(path)
        if name.isupper() and path.relative_to(ROOT).as_posix() != SLOTS
    }
    slots = set(_numbers(ROOT / SLOTS))
    assert {name: path for name, path in found.items() if name not in REASONS} == {}
    assert set(REASONS) - set(found) - slots == set()
