"""Every pass and lowering, and what they share, has a test: a file in its place, or one that is known to run it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"

COVERED_BY: dict[str, dict[str, str]] = {
    "lit/lowering/chlo_legalize_to_stablehlo.mlir": {
        "lowering/chlo_legalize": (
            "bessel_functions error_functions formulas gamma_functions inverse_functions ragged_dot "
            "scan structure zeta_functions"
        )
    },
    "lit/lowering/convert_affine_to_scf.mlir": {"ir": "index_arithmetic"},
    "lit/lowering/convert_linalg_to_affine.mlir": {
        "decisions": "operations",
        "lowering/linalg_to_affine": (
            "addresses fills from_linalg fusion normal_form scalar_body schedule scheduled transposed_copy"
        ),
    },
    "lit/lowering/convert_linalg_to_affine_jammed.mlir": {"decisions": "sums"},
    "lit/lowering/convert_linalg_to_affine_over_rows.mlir": {"lowering/linalg_to_affine": "shared_rows"},
    "lit/lowering/convert_linalg_to_affine_parallel.mlir": {
        "lowering/linalg_to_affine": "copies derived_ops function_state nest split_reduction",
    },
    "lit/lowering/convert_linalg_to_affine_pieces.mlir": {
        "lowering/linalg_to_affine": "emit fused_products pieces windows",
    },
    "lit/lowering/convert_stablehlo_to_linalg/convert.mlir": {
        "lowering/convert_stablehlo_to_linalg": "conversions convert_stablehlo_to_linalg"
    },
    "lit/lowering/convert_stablehlo_to_linalg/data_movement.mlir": {
        "lowering/convert_stablehlo_to_linalg": "attributes"
    },
    "lit/lowering/convert_stablehlo_to_linalg/factorizations.mlir": {
        "lowering/convert_stablehlo_to_linalg": "arithmetic loops"
    },
    "lit/lowering/convert_stablehlo_to_linalg/indexing.mlir": {
        "lowering/convert_stablehlo_to_linalg": "builder indices"
    },
    "lit/lowering/convert_stablehlo_to_linalg/windows.mlir": {"lowering/convert_stablehlo_to_linalg": "scans"},
    "lit/lowering/convert_tensor_to_memref.mlir": {"lowering/tensor_to_memref": "carried kernels program residence"},
    "lit/lowering/convert_tensor_to_memref_donate.mlir": {"lowering/tensor_to_memref": "donation types"},
    "lit/lowering/linalg_lower_scans.mlir": {"lowering/lines": "loops rewriting scan_loops scans"},
    "lit/lowering/linalg_lower_sorts.mlir": {
        "lowering/convert_stablehlo_to_linalg": "loops",
        "lowering/lines": "line_sort selection sort_keys sorting sorts",
    },
    "lit/lowering/linalg_tile_contractions.mlir": {
        "decisions": "divisors register_tiles",
        "ir": "epilogues",
        "lowering/contractions": "analysis fetching finish micro_kernel packing plan tiling",
    },
    "lit/lowering/linalg_tile_contractions_chunks.mlir": {
        "decisions": "sums",
        "ir": "affine_builder vector_arithmetic",
    },
    "lit/lowering/linalg_tile_contractions_loop.mlir": {"ir": "functions", "lowering/contractions": "hoisting"},
    "lit/lowering/linalg_tile_contractions_next_block.mlir": {"lowering/contractions": "emit"},
    "lit/lowering/linalg_tile_contractions_parallel.mlir": {"decisions": "blocks"},
    "lit/lowering/linalg_tile_contractions_shared.mlir": {"lowering/contractions": "shared_tiles"},
    "lit/lowering/linalg_tile_contractions_words.mlir": {
        "decisions": "dot_products",
        "lowering/contractions": "word_arithmetic word_packing words",
    },
    "lit/lowering/linalg_tile_fourier.mlir": {
        "ir": "vector_arithmetic",
        "lowering/fourier": "butterflies lines stages",
    },
    "lit/lowering/llvm_to_text/constants.mlir": {"lowering/llvm_to_text": "text_of_types"},
    "lit/lowering/to_llvm/profiling.mlir": {"decisions": "profiling"},
    "lit/lowering/to_llvm/vector.mlir": {"lowering/to_llvm": "types"},
    "lit/lowering/to_llvm/xrt.mlir": {"lowering/to_llvm": "builder context_layout convert_to_llvm"},
    "lit/passes/func/func_note_interface.mlir": {"ir": "interface"},
    "lit/passes/linalg/linalg_block_row_chains.mlir": {"passes/linalg/row_chains": "parts windows"},
    "lit/passes/linalg/linalg_fuse_elementwise.mlir": {"ir": "structured", "passes/linalg": "generic_builder"},
    "lit/passes/linalg/linalg_hoist_invariants.mlir": {"decisions": "kernels"},
    "lit/passes/linalg/linalg_outline_kernels.mlir": {"passes/linalg/kernels": "nodes outlining"},
    "lit/passes/linalg/linalg_outline_kernels_constants.mlir": {"passes/linalg/kernels": "sharing"},
    "lit/passes/linalg/linalg_outline_kernels_over_rows.mlir": {"passes/linalg/kernels": "group rows"},
    "lit/passes/linalg/linalg_outline_kernels_siblings.mlir": {"passes/linalg/kernels": "grouping"},
    "lit/passes/llvm/llvm_choose_tiers.mlir": {"decisions": "llvm", "ir": "function_passes llvm_loops"},
    "lit/passes/llvm/llvm_mark_short_loops.mlir": {"decisions": "llvm"},
    "lit/passes/loops/complex_expand_arithmetic.mlir": {"passes/loops": "element_expansion"},
    "lit/passes/loops/loops_insert_safepoints.mlir": {"decisions": "safepoints", "ir": "function_passes index_ops"},
    "lit/passes/loops/loops_vectorize.mlir": {
        "decisions": "target vectors",
        "ir": "function_passes",
        "passes/loops": "accesses emission",
        "passes/loops/vectorization": "analysis pieces reductions rewrite slopes",
    },
    "lit/passes/loops/loops_vectorize_copies.mlir": {"passes/loops/vectorization": "copies"},
    "lit/passes/loops/loops_vectorize_in_order.mlir": {"passes/loops/vectorization": "order"},
    "lit/passes/linalg/linalg_join_padding.mlir": {"ir": "functions"},
    "lit/passes/loops/math_expand_elementary.mlir": {"passes/loops/elementary": "ir_arithmetic"},
    "lit/passes/loops/math_expand_elementary_without_fma.mlir": {"passes/loops/elementary": "arithmetic sums"},
    "lit/passes/sdy/sdy_propagate.mlir": {"ir/sharding_propagation": "writing", "ir/sharding_rules": "data_flow"},
    "lit/passes/sdy/sdy_propagate_explain.mlir": {"ir/sharding_propagation": "explaining"},
    "lit/passes/stablehlo/stablehlo_expand_bounded_dynamism.mlir": {
        "passes/stablehlo/bounded_dimensions": "expansion values"
    },
    "lit/passes/stablehlo/stablehlo_expand_collectives_groups.mlir": {"passes/stablehlo": "reduced_pieces"},
    "lit/passes/stablehlo/stablehlo_expand_fft.mlir": {
        "decisions": "fourier fourier_tables",
        "ir": "expansion",
    },
    "lit/passes/stablehlo/stablehlo_fold_constants.mlir": {"decisions": "folding"},
    "lit/passes/stablehlo/stablehlo_import_shardings.mlir": {
        "passes/stablehlo/imported_shardings": "calls manual_regions"
    },
    "passes/stablehlo/imported_shardings/test_meshes.py": {"passes/stablehlo/imported_shardings": "text"},
    "lit/passes/stablehlo/stablehlo_legalize_quant_to_math.mlir": {"passes/stablehlo": "quantized_arithmetic"},
    "lit/passes/stablehlo/stablehlo_outline_layers.mlir": {
        "decisions": "layers",
        "passes/stablehlo/layers": "closed_values parts",
    },
    "lit/passes/stablehlo/stablehlo_partition_spmd.mlir": {"passes/stablehlo/partition": "sharding"},
    "lit/passes/stablehlo/stablehlo_partition_spmd_chosen.mlir": {"passes/stablehlo/partition": "chosen"},
    "lit/passes/stablehlo/stablehlo_partition_spmd_effects.mlir": {"passes/stablehlo/partition": "effects"},
    "lit/passes/stablehlo/stablehlo_partition_spmd_largest.mlir": {"passes/stablehlo/partition": "largest lines"},
    "lit/passes/stablehlo/stablehlo_partition_spmd_real_transforms.mlir": {
        "passes/stablehlo/partition": "real_transforms"
    },
    "lit/passes/stablehlo/stablehlo_partition_spmd_remarks.mlir": {"passes/stablehlo/partition": "whole"},
    "lit/passes/stablehlo/stablehlo_partition_spmd_sorts.mlir": {"passes/stablehlo/partition": "sorts sorted_parts"},
    "lit/passes/stablehlo/stablehlo_partition_spmd_transforms.mlir": {"passes/stablehlo/partition": "split_transforms"},
    "lit/passes/stablehlo/stablehlo_refine_shapes.mlir": {
        "ir": "interface",
        "passes/stablehlo": "census refined_function shape_refinement static_calls static_forms",
    },
    "lit/passes/stablehlo/stablehlo_simplify_control_flow.mlir": {
        "passes/stablehlo": "common_subexpressions simplify_control_flow"
    },
    "lit/passes/stablehlo/stablehlo_simplify_elementwise.mlir": {"passes/stablehlo": "simplify_elementwise"},
    "lit/passes/stablehlo/stablehlo_simplify_gathers.mlir": {"passes/stablehlo": "known_elements simplify_gathers"},
    "lit/passes/stablehlo/stablehlo_simplify_indexing.mlir": {"ir": "purity", "passes/stablehlo": "simplify_indexing"},
    "lit/passes/stablehlo/stablehlo_simplify_reductions.mlir": {"passes/stablehlo": "simplify_reductions"},
    "lit/passes/stablehlo/stablehlo_simplify_repetitions.mlir": {"passes/stablehlo": "simplify_repetitions"},
    "lit/passes/stablehlo/stablehlo_simplify_shapes.mlir": {"passes/stablehlo": "simplify_shapes"},
    "lit/passes/stablehlo/stablehlo_simplify_transposes.mlir": {"passes/stablehlo": "simplify_transposes"},
    "decisions/test_loop_numbers.py": {"decisions": "loops"},
    "frontends/test_pjrt_machine_code.py": {"decisions": "dispatch"},
    "ir/test_tensors.py": {"ir": "tensor_builder"},
    "ir/test_schedules.py": {"ir": "schedule_errors schedule_order schedule_points"},
    "ir/test_patterns.py": {"ir": "conversions pattern_log pattern_pass rewriter"},
    "ir/sharding_propagation/test_propagation.py": {"ir/sharding_propagation": "cells graph steps"},
    "ir/sharding_rules/test_rules.py": {
        "ir/sharding_rules": (
            "broadcasting builder collectives contraction convolution custom_calls data_movement elementwise indexing "
            "linear_algebra normalization random reduction reshapes rule slicing windows"
        )
    },
    "lowering/test_chlo_legalize.py": {"lowering/chlo_legalize": "complex_functions elementary"},
    "lowering/test_contraction_schedules.py": {
        "lowering": "schedulable",
        "lowering/contractions": "choice from_trees paths scheduled trees variants",
        "lowering/fourier": "scheduled",
    },
    "lowering/test_kernels_schedule.py": {
        "ir": "schedule_changes",
        "lowering/linalg_to_affine": "decide from_trees kernel_ops scheduled trees",
    },
    "lowering/test_stablehlo_elementwise.py": {"lowering/convert_stablehlo_to_linalg": "arithmetic scalars"},
    "lowering/test_tile_contractions.py": {"lowering/contractions": "nest"},
    "passes/test_bounded_dynamism.py": {
        "passes/stablehlo/bounded_dimensions": (
            "contractions dynamic_shapes elementwise indexing movement normalization reductions"
        ),
        "passes/stablehlo": "neutral_elements",
    },
    "passes/stablehlo/partition/test_programs.py": {
        "passes/stablehlo/partition": (
            "by_rule collectives constants contraction control_flow convolution dynamic_slices factors "
            "families indexed monoids movement partitioner reduction scans scattered_windows site transforms "
            "values windows"
        )
    },
    "runtime/test_llvm_parts.py": {"decisions": "linking llvm", "lowering/llvm_to_text": "parts"},
    "runtime/tuner/test_neighbours.py": {"decisions": "tuning", "lowering": "neighbours"},
    "tools/test_sums.py": {"lowering/contractions": "held_sums"},
}
"""A test, and the files, by folder, that it is the test of. Python tests are taken at their word."""

SHARE = 2 / 3
"""Of the functions of a file that the lit tests in `COVERED_BY` call."""


def sources() -> Iterator[str]:
    for room in ("passes", "lowering", "ir", "decisions"):
        for path in sorted((ROOT / room).rglob("*.py")):
            if path.name != "__init__.py":
                yield str(path.relative_to(ROOT))


def has_mirror(source: str) -> bool:
    """Whether there is `test_<name>.py`, or a lit test of this name or of more words, in the same place."""
    path = Path(source)
    lit = TESTS / "lit" / path.parent
    return (TESTS / path.parent / f"test_{path.name}").exists() or any(
        [(lit / f"{path.stem}.mlir").exists(), *lit.glob(f"{path.stem}_*.mlir")]
    )


def covered() -> dict[str, list[str]]:
    """The tests of each source in `COVERED_BY`."""
    found: dict[str, list[str]] = defaultdict(list)
    for test, folders in COVERED_BY.items():
        for folder, names in folders.items():
            for name in names.split():
                found[f"{folder}/{name}.py"].append(test)
    return found


def functions(source: str) -> set[int]:
    """The first lines of the functions in a file, decorators included; those of protocols and bases left out."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse((ROOT / source).read_text())):
        if isinstance(node, ast.FunctionDef) and not any("abstract" in ast.unparse(d) for d in node.decorator_list):
            lines.add(min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]))
    return lines


def test_every_source_has_a_test() -> None:
    tests = covered()
    assert [source for source in sources() if not has_mirror(source) and source not in tests] == []


def test_the_table_holds_what_it_has_to() -> None:
    assert all((TESTS / test).exists() for test in COVERED_BY)
    for source in covered():
        assert (ROOT / source).exists() and not has_mirror(source), source


@pytest.mark.slow
def test_lit_tests_call_what_they_cover() -> None:
    lit = [test.removeprefix("lit/") for test in COVERED_BY if test.startswith("lit/")]
    command = [sys.executable, str(Path(__file__).with_name("called_functions.py")), *lit]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    called = {f"lit/{test}": set(map(tuple, found)) for test, found in map(json.loads, done.stdout.splitlines())}
    assert len(called) == len(lit)
    missed: list[str] = []
    for source, tests in covered().items():
        if all(test in called for test in tests):
            own = functions(source)
            run = {line for test in tests for file, line in called[test] if file == source} & own
            if len(run) < SHARE * len(own):
                missed.append(f"{source}: {len(run)} of {len(own)} functions by {', '.join(tests)}")
    assert missed == [], "\n".join(missed)
