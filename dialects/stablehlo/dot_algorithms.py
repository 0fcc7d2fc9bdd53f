"""Which algorithms a `dot_general` may ask for (specification, `dot_general` C21 to C24).

An algorithm says how operands are rounded before they are multiplied, of how many parts each one is then the sum, how
many products of parts are formed, and in which type the products are summed.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.builtin import (
    ArrayAttr,
    BFloat16Type,
    Float8E4M3FNType,
    Float8E8M0FNUType,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatTF32Type,
)
from xdsl.ir import Attribute, Operation

from .attributes import DotAlgorithmAttr, Precision, PrecisionAttr
from .shapes import violation


class Algorithm(NamedTuple):
    """The type operands are rounded to, that of the sum, and the numbers of products there may be."""

    operands: type[Attribute]
    accumulation: type[Attribute]
    products: tuple[int, ...] = (1,)


ALGORITHMS = (
    Algorithm(Float16Type, Float16Type),
    Algorithm(Float16Type, Float32Type),
    Algorithm(BFloat16Type, BFloat16Type),
    Algorithm(BFloat16Type, Float32Type, (1, 3, 6, 9)),
    Algorithm(FloatTF32Type, Float32Type, (1, 3)),
    Algorithm(Float32Type, Float32Type),
    Algorithm(Float64Type, Float64Type),
)
"""Those upstream knows hardware for, besides sums in f32 of products of any two 8-bit floats
with a mantissa."""


def verify_algorithm(op: Operation, algorithm: DotAlgorithmAttr, precisions: ArrayAttr[PrecisionAttr] | None) -> None:
    """Raise the error of the constraint that `algorithm` breaks."""
    if precisions is not None and any(precision.data is not Precision.DEFAULT for precision in precisions.data):
        violation(op, "C21", "an algorithm goes with the precision DEFAULT only")
    for name, count, constraint in (
        ("lhs_component_count", algorithm.lhs_component_count, "C22"),
        ("rhs_component_count", algorithm.rhs_component_count, "C23"),
        ("num_primitive_operations", algorithm.num_primitive_operations, "C24"),
    ):
        if count < 1:
            violation(op, constraint, f"{name} must be positive, got {count}")
    if not _is_known(algorithm):
        violation(op, "algorithm", f"no hardware is known to have {algorithm}")


def _is_known(algorithm: DotAlgorithmAttr) -> bool:
    lhs, rhs, accumulation = (
        algorithm.lhs_precision_type,
        algorithm.rhs_precision_type,
        algorithm.accumulation_type,
    )
    if algorithm.lhs_component_count != 1 or algorithm.rhs_component_count != 1:
        return False
    if _is_float8(lhs) and _is_float8(rhs):
        products = (1, 3, 4) if isinstance(lhs, Float8E4M3FNType) and lhs == rhs else (1,)
        return isinstance(accumulation, Float32Type) and algorithm.num_primitive_operations in products
    if algorithm.allow_imprecise_accumulation or lhs != rhs:
        return False
    return any(
        isinstance(lhs, known.operands)
        and isinstance(accumulation, known.accumulation)
        and algorithm.num_primitive_operations in known.products
        for known in ALGORITHMS
    )


def _is_float8(type: Attribute) -> bool:
    return type.name.startswith("f8") and not isinstance(type, Float8E8M0FNUType)
