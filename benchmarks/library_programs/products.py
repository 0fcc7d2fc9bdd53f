"""Matrix products and systems of equations."""

from __future__ import annotations

from typing import Any

from ..more_programs.jax_program import bf16, f32, jnp
from .pair import pair

SHAPES = ((256, 256, 256), (1024, 1024, 1024), (2048, 2048, 2048), (127, 513, 1023), (1, 2048, 2048), (512, 768, 3072))


def _product(a: Any, b: Any) -> Any:
    return a @ b


for rows, depth, columns in SHAPES:
    name = f"product_{rows}" if rows == depth == columns else f"product_{rows}x{depth}x{columns}"
    pair(name, _product, f32(rows, depth), f32(depth, columns), library=lambda torch, a, b: lambda: a @ b)

pair("product_bf16_1024", _product, bf16(1024, 1024), bf16(1024, 1024), library=lambda torch, a, b: lambda: a @ b)
pair("batched_odd", _product, f32(24, 63, 65), f32(24, 65, 67), library=lambda torch, a, b: lambda: torch.bmm(a, b))


def _system(a: Any) -> Any:
    """A matrix that is far from singular."""
    return a + 10 * jnp.eye(a.shape[0], dtype=a.dtype)


def _solve(a: Any, b: Any) -> Any:
    return jnp.linalg.solve(_system(a), b)


def _cholesky(a: Any) -> Any:
    return jnp.linalg.cholesky(a @ a.T + 10 * jnp.eye(a.shape[0], dtype=a.dtype))


pair(
    "solve_200",
    _solve,
    f32(200, 200),
    f32(200, 16),
    library=lambda torch, a, b: lambda: torch.linalg.solve(a + 10 * torch.eye(200), b),
)
pair(
    "cholesky_256",
    _cholesky,
    f32(256, 256),
    library=lambda torch, a: lambda: torch.linalg.cholesky(a @ a.T + 10 * torch.eye(256)),
)
