"""JAX functions compiled by this package instead of XLA: `jit` in place of `jax.jit` (extra `jax`).

    @xdsl_xla.jit
    def step(params, batch): ...

The function is one of `jax.jit`, bound to devices of the platform `xdsl_xla` (`frontends/pjrt/`), which JAX gets when
it is first needed: whatever platform is JAX's default, `step`, its gradients and `jax.vmap` of it run on this compiler.
`lower` gives the program of a function as a module of xDSL.
"""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, ParamSpec, TypeVar, cast, overload

from xdsl.dialects.builtin import ModuleOp

from ..decisions.model import CostModel
from ..runtime.compiler import compile, denormals_mode
from ..runtime.executable import Executable
from ..runtime.mlir_text import parse_module
from ..runtime.options import refuse, text, truth, whole, whole_or_none
from ..runtime.threads import MAX_THREADS
from ..runtime.verifying import verify_module
from ..tracebacks import short_tracebacks, without_internals

try:
    jax = cast(Any, importlib.import_module("jax"))
except ImportError as error:
    raise ImportError("xdsl_xla.frontends.jax needs JAX: pip install 'xdsl-xla[jax]'") from error

from .jax_places import Placement, our_devices
from .pjrt.calls import latest_error
from .pjrt.client import platform_name
from .pjrt.compile_options import IN_PROCESS, PREFIX, keep
from .pjrt.jax_internals import adopt_rules_of_cpu

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

Numbers = int | Sequence[int] | None
Names = str | Iterable[str] | None


@overload
def jit(function: Callable[Parameters, Result], /, **options: Any) -> JittedFunction[Parameters, Result]: ...
@overload
def jit(**options: Any) -> Callable[[Callable[Parameters, Result]], JittedFunction[Parameters, Result]]: ...
@short_tracebacks
def jit(function: Any = None, /, **options: Any) -> Any:
    """`function` compiled by this package, as `jax.jit` would compile it by XLA.

    Takes pytrees of arrays, and returns pytrees of arrays on devices of the platform `xdsl_xla`. `static_argnums`,
    `static_argnames`, `donate_argnums`, `donate_argnames`, `in_shardings`, `out_shardings`: as for `jax.jit`; devices
    of another platform stand for those of this one. `threads`, `pipeline`, `opt_level`, `cost_model`, `schedules`,
    `passes`, `debug_info`, `profile`, `denormals`: as for `xdsl_xla.compile`. Within another compiled function
    (`jax.jit`, a scan) it is a part of that one.

    >>> import jax.numpy as jnp
    >>> jit(lambda x: jnp.sum(x ** 2))(jnp.arange(4.0))
    Array(14., dtype=float32)
    """
    if function is None:
        return functools.partial(jit, **options)
    if isinstance(function, jax.export.Exported):
        function = _for_any_platform(function).call
    return JittedFunction(function, **options)


def _for_any_platform(exported: Any) -> Any:
    """A function that was exported for CPUs as one that this platform may run too, which knows all they do."""
    import dataclasses

    checks = (*exported.disabled_safety_checks, jax.export.DisabledSafetyCheck.platform())
    return dataclasses.replace(exported, disabled_safety_checks=checks) if "cpu" in exported.platforms else exported


def lower(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> ModuleOp:
    """The StableHLO program of `function` for these arguments (arrays or `jax.ShapeDtypeStruct`s), verified.

    A function of `jax.jit` or `jit` is lowered with its own static and donated arguments.
    """
    if isinstance(function, JittedFunction):
        return function.lower(*args, **kwargs)
    return _parse(_lowered(function if hasattr(function, "lower") else jax.jit(function), args, kwargs))


def devices() -> list[Any]:
    """The devices of the platform, for meshes and `jax.device_put`; `jax.devices("xdsl_xla")` is the same later."""
    return list(our_devices())


def _lowered(jitted: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    adopt_rules_of_cpu(platform_name())
    return jitted.trace(*args, **kwargs).lower(lowering_platforms=(platform_name(),))


def _parse(lowered: Any, with_lines: bool = False) -> ModuleOp:
    module = parse_module(lowered.as_text(debug_info=with_lines), "<jax>")
    verify_module(module)
    return module


class JittedFunction(Generic[Parameters, Result]):
    """What `jit` returns: call it like the function it was made of."""

    def __init__(
        self,
        function: Callable[Parameters, Result],
        *,
        static_argnums: Numbers = None,
        static_argnames: Names = None,
        donate_argnums: Numbers = None,
        donate_argnames: Names = None,
        in_shardings: Any = None,
        out_shardings: Any = None,
        threads: int | None = None,
        pipeline: str = "xla-cpu",
        opt_level: int = 2,
        cost_model: CostModel | str | None = None,
        schedules: str | os.PathLike[str] | None = None,
        passes: Iterable[object] = (),
        debug_info: bool = False,
        profile: bool = False,
        denormals: str | None = None,
    ) -> None:
        if not callable(function):
            refuse("function", "a function; a program is what xdsl_xla.compile takes", function)
        functools.update_wrapper(self, function)
        self._options: dict[str, Any] = {
            "threads": whole_or_none("threads", threads, 1, MAX_THREADS),
            "pipeline": text("pipeline", pipeline),
            "opt_level": whole("opt_level", opt_level, 0, 3),
            "cost_model": cost_model,
            "schedules": schedules,
            "passes": passes,
            "debug_info": truth("debug_info", debug_info),
            "profile": truth("profile", profile),
            "denormals": denormals_mode(denormals),
        }
        given = {
            "static_argnums": static_argnums,
            "static_argnames": static_argnames,
            "donate_argnums": donate_argnums,
            "donate_argnames": donate_argnames,
            "compiler_options": _compiler_options(self._options) or None,
        }
        settings = {name: value for name, value in given.items() if value is not None}
        make = functools.partial(jax.jit, function, keep_unused=True, **settings)
        self._placement = Placement(make, in_shardings, out_shardings)

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        try:
            return self._placement(*args, **kwargs)
        except jax.errors.JaxRuntimeError as error:
            cause = latest_error.take(str(error))
            if cause is None:
                raise
        except Exception as error:
            raise without_internals(error)  # noqa: B904
        raise without_internals(cause.with_traceback(None))

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """As a method: `self` is the first argument."""
        return self if instance is None else functools.partial(self, instance)

    def lower(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> ModuleOp:
        """The StableHLO program for these arguments, verified."""
        return _parse(_lowered(self._placement.anywhere, args, kwargs))

    def executable(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Executable:
        """The program for these arguments, compiled, of one device; it takes the leaves of the arguments."""
        with_lines = bool(self._options["debug_info"] or self._options["profile"])
        lowered = _lowered(self._placement.anywhere, args, kwargs)
        count = _partitions(module := _parse(lowered, with_lines))
        spread = {"devices": count} if count > 1 else {}
        made: Any = cast(Any, compile)(module, filename="<jax>", **self._options, **spread)
        return made.local if count > 1 else made

    def clear_cache(self) -> None:
        """Forget the programs compiled so far."""
        self._placement.clear_cache()


def _partitions(module: ModuleOp) -> int:
    number: Any = module.attributes.get("mhlo.num_partitions")
    return 1 if number is None else number.value.data


PLAIN: dict[str, Any] = {"pipeline": "xla-cpu", "opt_level": 2, "debug_info": False, "profile": False, "passes": ()}
"""Options that need not be said. `profile` is for `executable` alone."""


def _compiler_options(options: dict[str, Any]) -> dict[str, Any]:
    """Options of `xdsl_xla.compile` as those of a compilation by JAX; objects stay in this process."""
    said = {
        name: value
        for name, value in options.items()
        if name != "profile" and value is not None and (name not in PLAIN or value != PLAIN[name])
    }
    texts = {name: value for name, value in said.items() if isinstance(value, str | int) and name != "schedules"}
    objects = {name: value for name, value in said.items() if name not in texts}
    found = {f"{PREFIX}{name}": value for name, value in texts.items()}
    return found | ({f"{PREFIX}{IN_PROCESS}": keep(objects)} if objects else {})
