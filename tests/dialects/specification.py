"""How many constraints each op has in the StableHLO specification (docs/spec.md, sections "Constraints"), and which of
them a verifier cannot check.
"""

from __future__ import annotations

SIMILAR: dict[int, str] = {
    0: "after_all custom_call outfeed partition_id replica_id",
    1: """and atan2 cbrt ceil constant convert cosine count_leading_zeros divide exponential exponential_minus_one floor
        get_dimension_size iota is_finite log log_plus_one logistic maximum minimum multiply negate not
        optimization_barrier or popcnt power remainder round_nearest_afz round_nearest_even rsqrt shift_left
        shift_right_arithmetic shift_right_logical sign sine sqrt subtract tan tanh tuple xor""",
    2: """abs bitcast_convert dynamic_iota get_tuple_element imag real rng_bit_generator select uniform_dequantize
        uniform_quantize""",
    3: """cholesky collective_broadcast compare complex if infeed reduce_precision reshape reverse rng while""",
    4: "case clamp composite dynamic_pad dynamic_reshape map pad transpose triangular_solve",
    5: "batch_norm_grad collective_permute dynamic_slice fft recv send slice sort",
    6: "all_gather broadcast_in_dim concatenate dynamic_update_slice",
    7: "add all_reduce batch_norm_inference batch_norm_training",
    8: "reduce",
    9: "all_to_all reduce_scatter",
    10: "dynamic_broadcast_in_dim",
    12: "select_and_scatter",
    14: "dynamic_gather",
    16: "reduce_window",
    23: "gather",
    24: "dot_general",
    25: "scatter",
    34: "convolution dynamic_conv",
}
"""Names of ops by the number of their constraints."""

COUNTS = {f"stablehlo.{name}": count for count, names in SIMILAR.items() for name in names.split()}

NOT_IN_IT = {
    f"stablehlo.{name}"
    for name in """async_done async_start broadcast collective_reduce create_token cross-replica-sum dot einsum
        real_dynamic_slice return set_dimension_size torch_index_select unary_einsum""".split()
}
"""Ops of the dialect that the specification has no section for; their verifiers name what is wrong by a word."""

PROCESSES = "how many processes take part is known when the program runs"

NOT_VERIFIED = {
    ("stablehlo.all_gather", "C3"): PROCESSES,
    ("stablehlo.all_reduce", "C2"): PROCESSES,
    ("stablehlo.all_to_all", "C6"): PROCESSES,
    ("stablehlo.reduce_scatter", "C4"): PROCESSES,
    ("stablehlo.compare", "C3"): "upstream takes any, as its own artifacts hold it; the element type decides",
    (
        "stablehlo.dot_general",
        "C13",
    ): "upstream takes operands of two element types, as JAX makes them",
}
"""Constraints without a check, and why; docs/semantics.md says so too."""


def constraints(op: str) -> set[str]:
    """The numbers of the constraints of `op` that a verifier must check."""
    numbers = {f"C{number}" for number in range(1, COUNTS.get(op, 0) + 1)}
    return numbers - {constraint for name, constraint in NOT_VERIFIED if name == op}
