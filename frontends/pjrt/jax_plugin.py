"""JAX on this compiler: `JAX_PLATFORMS=xdsl_xla python train.py`.

JAX calls `initialize` (entry point `jax_plugins`) before it makes its backends. Nothing is registered unless the
platform is asked for, so that installing this package changes nothing for others. `XDSL_XLA_REPLACES_CPU=1` asks for
it in the place of JAX's backend for CPUs, under the name `cpu`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from ...errors import ArgumentError
from .client import CPU, PLATFORM, REPLACES_CPU_VARIABLE, replaces_cpu, want_devices

PRIORITY = -100
"""Behind all other platforms: that of JAX's CPU is 0."""


def initialize() -> None:
    """Register the platform, if JAX is asked for it by `JAX_PLATFORMS` or its option `jax_platforms`.

    Raises `ArgumentError` if it is asked for by two names.
    """
    jax: Any = import_module("jax")
    is_named = PLATFORM in (jax.config.jax_platforms or "").split(",")
    if replaces_cpu():
        if is_named:
            raise ArgumentError(f"{REPLACES_CPU_VARIABLE}=1: the platform is named cpu, not {PLATFORM} (JAX_PLATFORMS)")
        replace_cpu()
    elif is_named:
        register()


@cache
def register(priority: int = PRIORITY) -> None:
    """Register the platform with JAX, before its backends are made; once."""
    from .jax_internals import adopt_rules_of_cpu, register_plugin
    from .plugin import capsule

    register_plugin(PLATFORM, capsule(), priority)
    adopt_rules_of_cpu(PLATFORM)


@cache
def replace_cpu() -> None:
    """Have JAX make this platform where it is asked for that of CPUs, with as many devices as that would have; once."""
    from .jax_internals import adopt_rules_of_cpu, count_of_cpu_devices, replace_backend
    from .plugin import capsule

    want_devices(count_of_cpu_devices())
    replace_backend(CPU, PLATFORM, capsule())
    adopt_rules_of_cpu(CPU)
