"""All that is taken from JAX's private names, for JAX 0.10: how a platform is registered, and how it lowers.

JAX has rules for how its primitives become StableHLO, some for CPUs alone. This platform takes those of CPUs: their
custom calls (LAPACK, FFT) are known here. Calls back into Python become custom calls with a target each.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import os
import re
import uuid
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from . import jax_buffer_callback
from .jax_cache import use_cache
from .jax_dlpack import share_arrays
from .serialization import CALLBACK

WITHOUT_RULE = ("dot_general",)
"""Primitives whose rule for CPUs works around what CPUs of XLA cannot do."""

OF_KNOWN_PLATFORMS = {"mpmd_map": ("jax._src.pallas.mpmd", "_mpmd_map_fallback_lowering")}
"""Primitives whose rule for all platforms refuses those it does not know, and where its part for CPUs is."""

_process = uuid.uuid4().hex
_numbers = itertools.count()


def register_plugin(name: str, capsule: Any, priority: int) -> None:
    """Register a plugin by its table of functions.

    As on CPUs there is no compiling for devices of other processes: jaxlib waits for that with Python's lock held.
    """
    bridge: Any = import_module("jax._src.xla_bridge")
    bridge.register_plugin(name, priority=priority, c_api=capsule)
    import_module("jaxlib._profiler").register_plugin_profiler(capsule)  # JAX does it for shared libraries only
    bridge._topology_factories.pop(name, None)


def replace_backend(name: str, plugin: str, capsule: Any) -> None:
    """Have JAX make a plugin, of this name and table of functions, where it is asked for its backend `name`."""
    bridge: Any = import_module("jax._src.xla_bridge")
    replaced = bridge._backend_factories[name]
    register_plugin(plugin, capsule, replaced.priority)
    factory = bridge._backend_factories.pop(plugin)
    bridge._backend_factories[name] = dataclasses.replace(factory, experimental=False)


def count_of_cpu_devices() -> int:
    """How many devices JAX's backend for CPUs has: its option says it, or XLA's flag."""
    bridge: Any = import_module("jax._src.xla_bridge")
    flags = re.findall(r"--xla_force_host_platform_device_count=(\d+)", os.environ.get("XLA_FLAGS", ""))
    return max(bridge.num_cpu_devices.value, 0) or int(flags[-1] if flags else 1)


def add_backend(name: str) -> None:
    """Make the backend of a registered plugin, beside those that JAX has made already."""
    bridge: Any = import_module("jax._src.xla_bridge")
    bridge.backends()
    with bridge._backend_lock:
        if name not in bridge._backends:
            backend = bridge._init_backend(name)
            bridge._backends[name] = backend


def has_trace() -> bool:
    """Whether a function is being traced or transformed now."""
    return not import_module("jax._src.core").trace_state_clean()


def concrete_mesh() -> Any:
    """The mesh of `jax.set_mesh`; an empty one, or None, where there is none."""
    return import_module("jax._src.mesh").get_concrete_mesh()


@functools.cache
def adopt_rules_of_cpu(platform: str) -> None:
    """Have JAX lower for `platform` as it does for CPUs, and donate arguments as there. It may have the name `cpu`."""
    mlir: Any = import_module("jax._src.interpreters.mlir")
    rules = mlir._platform_specific_lowerings
    if platform == "cpu":
        for primitive in [each for each in rules["cpu"] if each.name in WITHOUT_RULE]:
            del rules["cpu"][primitive]
    else:
        _follow_cpu(platform, mlir)
    _replace_callbacks(platform)
    primitive = import_module("jax._src.buffer_callback").buffer_callback_p
    rules[platform][primitive] = mlir.LoweringRuleEntry(jax_buffer_callback.lowering_rule(_emit_call), inline=True)
    share_arrays(platform)
    _stand_in_for_cpu(platform)
    use_cache(platform)


def _follow_cpu(platform: str, mlir: Any) -> None:
    rules = mlir._platform_specific_lowerings
    rules[platform] = _Rules(rules[platform])
    for primitive, rule in list(rules["cpu"].items()):
        if primitive.name not in WITHOUT_RULE:
            rules[platform].setdefault(primitive, rule)
    rules["cpu"] = _SharedRules(rules["cpu"], rules[platform])
    _take_branches(platform)
    if platform not in mlir._platforms_with_donation:
        mlir._platforms_with_donation.append(platform)
    _call_exported(platform)


class _Rules(dict[Any, Any]):
    """Rules of a platform; those of `OF_KNOWN_PLATFORMS` are taken when they are first asked for."""

    def __contains__(self, primitive: Any) -> bool:
        if not super().__contains__(primitive) and (place := OF_KNOWN_PLATFORMS.get(primitive.name)):
            rule = getattr(import_module(place[0]), place[1])
            self[primitive] = import_module("jax._src.interpreters.mlir").LoweringRuleEntry(rule, inline=True)
        return super().__contains__(primitive)


class _SharedRules(dict[Any, Any]):
    """The rules for CPUs, of which those that are added later are rules of `others`, too."""

    def __init__(self, rules: dict[Any, Any], others: dict[Any, Any]) -> None:
        super().__init__(rules)
        self.others = others

    def __setitem__(self, primitive: Any, rule: Any) -> None:
        super().__setitem__(primitive, rule)
        if primitive.name not in WITHOUT_RULE:
            self.others.setdefault(primitive, rule)


def _take_branches(platform: str) -> None:
    """Have `jax.lax.platform_dependent` take the branch for CPUs."""
    names = ("jax.lax", "jax._src.lax.control_flow", "jax._src.lax.control_flow.conditionals")
    modules: list[Any] = [import_module(name) for name in names]
    choose = modules[0].platform_dependent

    @functools.wraps(choose)
    def choose_here(*arguments: Any, **branches: Any) -> Any:
        if "cpu" in branches:
            branches.setdefault(platform, branches["cpu"])
        return choose(*arguments, **branches)

    for module in modules:
        module.platform_dependent = choose_here


def _call_exported(platform: str) -> None:
    """Have functions that `jax.export` has exported for CPUs run on `platform`."""
    mlir: Any = import_module("jax._src.interpreters.mlir")
    export: Any = import_module("jax._src.export._export")

    def lower(ctx: Any, *arguments: Any, exported: Any) -> Any:
        if platform not in exported.platforms:
            names = tuple(platform if name == "cpu" else name for name in exported.platforms)
            exported = dataclasses.replace(exported, platforms=names)
        return export._call_exported_lowering(ctx, *arguments, exported=exported)

    mlir._platform_specific_lowerings[platform][export.call_exported_p] = mlir.LoweringRuleEntry(lower, inline=True)


class _Backends(dict[str, Any]):
    """The backends of JAX; that of `platform` is found as `cpu`, too, where there is none."""

    def __init__(self, backends: dict[str, Any], platform: str) -> None:
        super().__init__(backends)
        self.platform = platform

    def get(self, name: Any, default: Any = None) -> Any:
        return super().get(self.platform if name == "cpu" and name not in self else name, default)


def _stand_in_for_cpu(platform: str) -> None:
    """Have what wants a CPU (callbacks, loops, DLPack, `jax.devices("cpu")`) take `platform` where there is no other.

    JAX may have asked for its backends already, which is when it calls plugins: what it looks into is made new with
    the backend.
    """
    bridge: Any = import_module("jax._src.xla_bridge")
    registration = bridge._backend_factories.get(platform)
    if registration is None or platform == "cpu":
        return

    def make() -> Any:
        backend = registration.factory()
        bridge._backends = _Backends(bridge._backends, platform)
        return backend

    bridge._backend_factories[platform] = dataclasses.replace(registration, factory=make)


def _replace_callbacks(platform: str) -> None:
    callback: Any = import_module("jax._src.callback")
    if getattr(callback.emit_python_callback, "is_of_xdsl_xla", False):
        return
    original = callback.emit_python_callback

    def emit(
        ctx: Any, function: Any, token: Any, operands: Any, operand_avals: Any, result_avals: Any, **rest: Any
    ) -> Any:
        if tuple(ctx.module_context.platforms) != (platform,):
            return original(ctx, function, token, operands, operand_avals, result_avals, **rest)
        return _emit(ctx, function, token, operands, bool(rest.get("has_side_effect")), rest.get("sharding"))

    emit.is_of_xdsl_xla = True  # type: ignore[attr-defined]
    public: Any = import_module("jax.interpreters.mlir")
    callback.emit_python_callback = public.emit_python_callback = emit


def _emit(
    ctx: Any,
    function: Callable[..., Any],
    token: Any,
    operands: Sequence[Any],
    has_side_effect: bool,
    sharding: Any,
) -> Any:
    """A custom call of `function`: its results, the token behind it, and nothing to keep alive."""
    core: Any = import_module("jax._src.core")
    if token:
        count = len(ctx.avals_out)
        operands = [token, *operands]
        tokens = [core.abstract_token]
        ctx = dataclasses.replace(ctx, avals_in=[*tokens, *ctx.avals_in], avals_out=[*tokens, *ctx.avals_out])
        if sharding is not None:
            of_token = dataclasses.replace(sharding.shardings[0], mesh_shape=(), dim_shardings=())
            sharding = type(sharding)((of_token, *sharding.shardings[:count]))
    results = _emit_call(ctx, _with_arrays(function), operands, has_side_effect, sharding)
    if token:
        token = results.pop(0)
    return results, token, None


def _emit_call(
    ctx: Any, function: Callable[..., Any], operands: Sequence[Any], has_side_effect: bool, sharding: Any = None
) -> list[Any]:
    """A custom call of a function of arrays; its results."""
    from ...runtime.custom_calls import custom_call

    ffi: Any = import_module("jax._src.ffi")
    name = f"{CALLBACK}{_process}_{next(_numbers)}"
    custom_call(name)(function)
    call = ffi.build_ffi_lowering_function(name, has_side_effect=has_side_effect)(ctx, *operands)
    if sharding is not None:
        import_module("jax._src.interpreters.mlir").set_sharding(ctx.module_context, call, sharding)
    return list(call.results)


def _with_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arrays: Any) -> Any:
        results = tuple(np.asarray(result) for result in function(*(np.array(array) for array in arrays)))
        return results[0] if len(results) == 1 else results

    return call
