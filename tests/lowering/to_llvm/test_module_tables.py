"""The tables of a module on the last level: what it calls, and the constants that are no part of its code."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FunctionType,
    IntegerType,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    f32,
    i1,
)
from xdsl_xla.dialects.xrt_names import CALL_TARGET_TABLE, SAFEPOINTS
from xdsl_xla.lowering.to_llvm.module_tables import (
    CallTarget,
    collect_call_targets,
    collect_large_constants,
    constant_bytes,
    has_safepoints,
)
from xdsl_xla.runtime.mlir_text import parse_module

TARGETS = [
    CallTarget("first", FunctionType.from_lists([f32], []), DictionaryAttr({})),
    CallTarget("second", FunctionType.from_lists([], [i1]), DictionaryAttr({"mode": StringAttr("fast")})),
]


def test_call_targets_come_back_in_order() -> None:
    module = ModuleOp([], {CALL_TARGET_TABLE: ArrayAttr([target.attribute() for target in TARGETS])})
    assert collect_call_targets(module) == TARGETS
    assert collect_call_targets(ModuleOp([])) == []


def test_safepoints_are_a_mark_of_the_module() -> None:
    assert has_safepoints(ModuleOp([], {SAFEPOINTS: UnitAttr()})) and not has_safepoints(ModuleOp([]))


@pytest.mark.parametrize(
    ("width", "values", "wanted"),
    [
        (1, [1, 0, 1, 1], bytes([1, 0, 1, 1])),
        (1, [1], bytes([1, 1, 1, 1])),
        (4, [-1, 2, 7, -8], bytes([15, 2, 7, 8])),
        (16, [1, -2, 300, 0], np.int16([1, -2, 300, 0]).tobytes()),
        (32, [5], np.int32([5, 5, 5, 5]).tobytes()),
    ],
)
def test_constants_as_they_lie_in_memory(width: int, values: list[int], wanted: bytes) -> None:
    """Numbers of less than a byte have no bits of a sign above theirs; one value fills the shape."""
    constant = DenseIntOrFPElementsAttr.from_list(TensorType(IntegerType(width), [4]), values)
    assert constant_bytes(constant) == wanted


def test_large_constants_are_ordered_by_their_place_in_the_table() -> None:
    module = parse_module("""
      "llvm.mlir.global"() <{global_type = !llvm.array<2 x i32>, sym_name = "b", linkage = #llvm.linkage<"internal">,
        value = dense<[3, 4]> : tensor<2xi32>, addr_space = 0 : i32}> ({}) {xrt.constant_index = 1 : i64} : () -> ()
      "llvm.mlir.global"() <{global_type = !llvm.array<2 x i32>, sym_name = "code", linkage = #llvm.linkage<"internal">,
        value = dense<[9, 9]> : tensor<2xi32>, addr_space = 0 : i32}> ({}) : () -> ()
      "llvm.mlir.global"() <{global_type = !llvm.array<2 x i32>, sym_name = "a", linkage = #llvm.linkage<"internal">,
        value = dense<[1, 2]> : tensor<2xi32>, addr_space = 0 : i32}> ({}) {xrt.constant_index = 0 : i64} : () -> ()
    """)
    assert collect_large_constants(module) == [np.int32([1, 2]).tobytes(), np.int32([3, 4]).tobytes()]
