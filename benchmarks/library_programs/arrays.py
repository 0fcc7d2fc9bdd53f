"""Transforms, scans, sorts and copies of arrays."""

from __future__ import annotations

from typing import Any

from ..more_programs.jax_program import f32, i32, jnp
from .pair import pair


def _fft2(x: Any) -> Any:
    return jnp.fft.fft2(x)


def _cumsum(x: Any) -> Any:
    return jnp.cumsum(x, axis=-1)


def _sort(x: Any) -> Any:
    return jnp.sort(x, axis=-1)


def _transpose(x: Any) -> Any:
    return jnp.transpose(x, (0, 2, 1)) + 0


def _take(table: Any, indices: Any) -> Any:
    return table[indices]


def _add_at(table: Any, indices: Any, rows: Any) -> Any:
    return table.at[indices].add(rows)


def _sum(x: Any) -> Any:
    return jnp.sum(x, axis=0)


pair("fft2", _fft2, f32(16, 256, 256), library=lambda torch, x: lambda: torch.fft.fft2(x))
pair("cumsum", _cumsum, f32(512, 4096), library=lambda torch, x: lambda: torch.cumsum(x, -1))
pair("sort_rows", _sort, f32(256, 4096), library=lambda torch, x: lambda: torch.sort(x, -1).values)
pair("transpose", _transpose, f32(8, 1024, 512), library=lambda torch, x: lambda: x.transpose(1, 2).contiguous())
pair("sum_of_columns", _sum, f32(4096, 1024), library=lambda torch, x: lambda: x.sum(0))


def _torch_take(torch: Any, table: Any, indices: Any) -> Any:
    return lambda: torch.nn.functional.embedding(indices, table)


def _torch_add_at(torch: Any, table: Any, indices: Any, rows: Any) -> Any:
    return lambda: table.index_add(0, indices, rows)


pair("embedding", _take, f32(30_000, 256), i32(4096, high=30_000), library=_torch_take)
pair("index_add", _add_at, f32(8192, 128), i32(16_384, high=8192), f32(16_384, 128), library=_torch_add_at)
