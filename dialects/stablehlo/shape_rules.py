"""What ops whose shapes are values require of these values when a program runs, as errors say it.

`{0}`, `{1}` and so on are lists of sizes, `{0:x}` is one written as in a type. The reference interpreter and native
code give the same text.
"""

from __future__ import annotations

from collections.abc import Sequence

BROADCAST_IN_DIM = "operand of shape {0} does not fit result shape {1} along {2}"
BROADCAST = "operand of shape {0} does not fit output_dimensions {1} along {2}"
GATHER = "slice_sizes {0} exceed the operand's shape {1}"
IOTA = "output_shape {0} is negative"
PADDING = ("edge_padding_low", "edge_padding_high", "interior_padding")
RANGES = ("start_indices", "limit_indices", "strides")
PAD = "interior_padding {0} is negative"
RESHAPE = "{0:x} elements do not fill output_shape {1}"
RNG = "shape {0} is negative"
SLICE = "slice from {0} to {1} in steps of {2} of an operand of shape {3}"


def result_rule(index: int, type: object) -> str:
    """That of the type of a result."""
    return f"result {index} has shape {{0:x}}, its type is {type}"


def largest_step(name: str) -> str:
    """That of padding, which is at most `LARGEST_STEP`."""
    return name + " must be at most 2^48, got {0}"


class _Sizes(tuple[int, ...]):
    def __format__(self, spec: str) -> str:
        return ("x".join(map(str, self)) or "()") if spec == "x" else str(tuple(self))


def broken(op_name: str, rule: str, *sizes: Sequence[int]) -> str:
    """The message of an error."""
    return f"'{op_name}' op: {rule.format(*(_Sizes(map(int, each)) for each in sizes))}"
