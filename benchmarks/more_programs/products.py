"""Matrix products and linear systems."""

from __future__ import annotations

from typing import Any

from .jax_program import bf16, f16, f32, i8, jnp, lax, program


@program(f32(4096, 8, 8), f32(4096, 8, 8))
def batched_small_matmul(x: Any, y: Any) -> Any:
    return x @ y


@program(f32(512, 32, 32), f32(512, 32, 32))
def batched_matmul32(x: Any, y: Any) -> Any:
    return x @ y


@program(i8(512, 512), i8(512, 512))
def matmul_int8(x: Any, y: Any) -> Any:
    return lax.dot(x, y, preferred_element_type=jnp.int32)


@program(bf16(512, 512), bf16(512, 512))
def matmul_bf16(x: Any, y: Any) -> Any:
    return x @ y


@program(f16(512, 512), f16(512, 512))
def matmul_f16(x: Any, y: Any) -> Any:
    return x @ y


@program(f32(4, 256, 8, 64), f32(4, 256, 8, 64))
def einsum_bhqk(q: Any, k: Any) -> Any:
    return jnp.einsum("bqhd,bkhd->bhqk", q, k)


@program(f32(1024, 512), f32(1024, 512))
def gram(x: Any, y: Any) -> Any:
    return x.T @ y


@program(f32(256, 256))
def outer_chain(x: Any) -> Any:
    return jnp.linalg.multi_dot([x, x, x, x])


@program(f32(128, 128))
def solve(x: Any) -> Any:
    return jnp.linalg.solve(x + 20 * jnp.eye(128, dtype=x.dtype), x)


@program(f32(512, 512), f32(512, 64))
def triangular_solve(x: Any, b: Any) -> Any:
    return lax.linalg.triangular_solve(jnp.tril(x) / 512 + jnp.eye(512, dtype=x.dtype), b, left_side=True, lower=True)
