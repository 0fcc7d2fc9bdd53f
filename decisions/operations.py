"""About how much one scalar op of a loop body costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


def _costs() -> Mapping[str, int]:
    return MappingProxyType(
        {
            "linalg.yield": 0,
            "linalg.index": 0,
            "arith.constant": 0,
            "affine.apply": 0,
            "arith.index_cast": 0,
            "arith.extui": 0,
            "arith.extsi": 0,
            "arith.trunci": 0,
            "arith.bitcast": 0,
            "arith.divf": 8,
            "arith.divsi": 20,
            "arith.divui": 20,
            "arith.remsi": 20,
            "arith.remui": 20,
            "tensor.extract": 4,
            "math.absf": 1,
            "math.fma": 1,
            "math.copysign": 1,
            "math.floor": 1,
            "math.ceil": 1,
            "math.roundeven": 1,
            "math.sqrt": 8,
            "math.rsqrt": 12,
            "complex.abs": 12,
            "complex.add": 2,
            "complex.conj": 1,
            "complex.constant": 0,
            "complex.create": 0,
            "complex.div": 20,
            "complex.eq": 2,
            "complex.im": 0,
            "complex.mul": 6,
            "complex.neg": 2,
            "complex.neq": 2,
            "complex.re": 0,
            "complex.sub": 2,
            "scf.if": 20,
            "scf.index_switch": 20,
            "scf.while": 200,
        }
    )


@dataclass(frozen=True)
class Operations:
    """Costs of scalar ops, in simple vector instructions for one element. Control flow counts for what it holds, and
    for not being vectorised."""

    costs: Mapping[str, int] = field(default_factory=_costs)
    """By the name of the op, from latencies and throughputs of AVX-512 CPUs. Higher: the op is computed again in fewer
    readers, joins fewer kernels, and is worth threads sooner."""

    function_cost: int = 20
    """That of other ops of `math`: a polynomial of some ten terms and its range reduction."""

    complex_function_cost: int = 60
    """That of other ops of `complex`, each of which is several functions of reals."""

    def scalar_cost(self, op_name: str) -> int:
        """About how many simple vector instructions one scalar op of a loop body costs."""
        cost = self.costs.get(op_name)
        if cost is not None:
            return cost
        if op_name.startswith("complex."):
            return self.complex_function_cost
        return self.function_cost if op_name.startswith("math.") else 1
