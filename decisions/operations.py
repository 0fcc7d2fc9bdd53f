"""About how much one scalar op of a loop body costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

_BY_COST = {
    0: (
        "affine.apply arith.bitcast arith.constant arith.extsi arith.extui arith.index_cast arith.trunci "
        "complex.constant complex.create complex.im complex.re linalg.index linalg.yield"
    ),
    1: "complex.conj math.absf math.ceil math.copysign math.floor math.fma math.roundeven",
    2: "complex.add complex.eq complex.neg complex.neq complex.sub",
    4: "tensor.extract",
    6: "complex.mul",
    8: "arith.divf math.sqrt",
    12: "complex.abs math.rsqrt",
    20: "arith.divsi arith.divui arith.remsi arith.remui complex.div scf.if scf.index_switch",
    200: "scf.while",
}


def _costs() -> Mapping[str, int]:
    return MappingProxyType({name: cost for cost, names in _BY_COST.items() for name in names.split()})


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
