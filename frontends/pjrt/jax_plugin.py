"""JAX on this compiler: `JAX_PLATFORMS=xdsl_xla python train.py`.

JAX calls `initialize` (entry point `jax_plugins`) before it makes its backends. Nothing is registered unless the
platform is asked for, so that installing this package changes nothing for others.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from .client import PLATFORM

PRIORITY = -100
"""Behind all other platforms: that of JAX's CPU is 0."""


def initialize() -> None:
    """Register the platform, if JAX is asked for it by `JAX_PLATFORMS` or its option `jax_platforms`."""
    jax: Any = import_module("jax")
    platforms = jax.config.jax_platforms or ""
    if PLATFORM in platforms.split(","):
        register()


@cache
def register(priority: int = PRIORITY) -> None:
    """Register the platform with JAX, before its backends are made; once."""
    from .jax_internals import adopt_rules_of_cpu, register_plugin
    from .plugin import capsule

    register_plugin(PLATFORM, capsule(), priority)
    adopt_rules_of_cpu(PLATFORM)
