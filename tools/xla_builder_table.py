"""`python -m xdsl_xla.tools.xla_builder_table`: writes docs/xla_builder.md.

A table of the rows of XLA's Operation Semantics: the functions of `XlaBuilder` for each, what they are called in C++,
and the tests that use them, which are found by the name of the function in the source of the test.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

from ..frontends.xla_builder import OPERATORS

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/xla_builder.md"
OF_ERRORS = ("test_xla_builder_door", "test_xla_builder_conversions")
"""Tests of what is refused."""
TESTS = sorted(path for path in (ROOT / "tests/frontends").glob("test_xla_builder*.py") if path.stem not in OF_ERRORS)

COMPARISONS = "eq ne ge gt le lt"
ROWS: dict[str, str] = {
    "AfterAll": "after_all create_token",
    "AllGather": "all_gather",
    "AllReduce, CrossReplicaSum": "all_reduce cross_replica_sum",
    "AllToAll": "all_to_all",
    "BatchNormTraining / Inference / Grad": "batch_norm_training batch_norm_inference batch_norm_grad",
    "BitcastConvertType": "bitcast_convert_type",
    "Broadcast": "broadcast",
    "BroadcastInDim": "broadcast_in_dim",
    "Call": "call",
    "Cholesky": "cholesky",
    "Clamp": "clamp",
    "Collapse": "collapse",
    "CollectivePermute": "collective_permute",
    "ConcatInDim": "concat_in_dim concatenate",
    "Conditional": "conditional",
    "Conv, ConvWithGeneralPadding, ConvWithGeneralDimensions, ConvGeneral, ConvGeneralDilated": "conv "
    "conv_with_general_padding conv_with_general_dimensions conv_general conv_general_dilated",
    "ConvertElementType": "convert_element_type",
    "CustomCall": "custom_call",
    "Dot": "dot",
    "DotGeneral": "dot_general",
    "DynamicSlice, DynamicUpdateSlice": "dynamic_slice dynamic_update_slice",
    "element-wise binary arithmetic": "add sub mul div rem max min and_ or_ xor pow atan2 shift_left "
    "shift_right_arithmetic shift_right_logical complex next_after logical_and logical_or logical_not",
    "element-wise comparison": f"{COMPARISONS} compare {COMPARISONS.replace(' ', '_total_order ')}_total_order",
    "element-wise unary functions": "abs cbrt ceil clz cos erf exp expm1 floor imag is_finite log log1p logistic neg "
    "not_ population_count real round round_nearest_even rsqrt sign sin sqrt tan tanh conj sinh cosh asin acos atan "
    "asinh acosh atanh square erfc erf_inv lgamma digamma bessel_i1e is_inf is_neg_inf is_pos_inf",
    "Fft": "fft",
    "Gather, Scatter": "gather scatter",
    "GetDimensionSize, SetDimensionSize": "get_dimension_size set_dimension_size",
    "GetTupleElement, Tuple": "get_tuple_element tuple",
    "Infeed, Outfeed": "infeed infeed_with_token outfeed outfeed_with_token",
    "Iota": "iota",
    "Map": "map",
    "OptimizationBarrier": "optimization_barrier",
    "Pad": "pad pad_in_dim",
    "Recv, RecvDone, Send, SendDone": "recv recv_with_token recv_done send send_with_token send_done",
    "Reduce": "reduce reduce_all",
    "ReducePrecision": "reduce_precision",
    "ReduceScatter": "reduce_scatter",
    "ReduceWindow": "reduce_window reduce_window_with_general_padding",
    "ReplicaId, PartitionId": "replica_id partition_id",
    "Reshape": "reshape",
    "Rev": "rev",
    "RngBernoulli, RngNormal, RngUniform": "rng_bernoulli rng_normal rng_uniform",
    "RngBitGenerator": "rng_bit_generator",
    "Select": "select",
    "SelectAndScatter": "select_and_scatter select_and_scatter_with_general_padding",
    "Slice": "slice slice_in_dim",
    "Sort": "sort",
    "Transpose": "transpose",
    "TriangularSolve": "triangular_solve",
    "While": "while_",
    "constants of C++": "constant_r0 constant_r1 constant_r2 constant_r3 constant_r4 zero one min_value max_value "
    "zeros zeros_like ones_like full_like scalar_like",
    "of the newer page": "collective_broadcast composite_call dynamic_reshape ragged_dot ragged_all_to_all top_k scan "
    "scaled_dot",
}
"""The rows, and the functions of each."""

HEADER = """# XlaBuilder: operations and their tests

Written by `python -m xdsl_xla.tools.xla_builder_table`; do not edit.

`xdsl_xla.frontends.xla_builder` is XLA's client API in Python. Each row is one of XLA's Operation Semantics; each test
runs the program it builds on native code and on the reference interpreter, which have to agree, and compares with the
numbers of the document or with NumPy.

| row | function | in C++ | tests |
| --- | --- | --- | --- |
"""


def tests_by_function() -> dict[str, list[str]]:
    """For each operation the tests that name it."""
    found: dict[str, list[str]] = {name: [] for name in OPERATORS}
    for path in TESTS:
        source = path.read_text()
        tree = ast.parse(source)
        tables = {
            target.id: ast.unparse(node.value)
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in tree.body:
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
                continue
            text = ast.unparse(node)
            text += "".join(table for name, table in tables.items() if re.search(rf"\b{name}\b", text))
            used = set(re.findall(r"\b(?:xla|b|builder)\.(\w+)", text))
            for name in used & found.keys():
                found[name].append(f"{path.stem}.py::{node.name}")
    return found


def page() -> str:
    """The text of docs/xla_builder.md. Raises ValueError where a row, a function or a test is missing."""
    listed = [name for names in ROWS.values() for name in names.split()]
    if missing := set(OPERATORS) ^ set(listed):
        raise ValueError(f"functions without a row, or rows without a function: {sorted(missing)}")
    tests = tests_by_function()
    if untested := sorted(name for name, places in tests.items() if not places):
        raise ValueError(f"functions without a test: {untested}")
    lines: list[str] = []
    for row, names in ROWS.items():
        for name in names.split():
            places = ", ".join(f"`{place}`" for place in tests[name][:3])
            lines.append(f"| {row} | `{name}` | `{OPERATORS[name].cpp_name}` | {places} |")
            row = ""
    return HEADER + "\n".join(lines) + "\n"


def main() -> int:
    PAGE.write_text(page())
    print(f"{PAGE.relative_to(ROOT)}: {len(ROWS)} rows, {len(OPERATORS)} functions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
