"""JAX functions compiled by this package instead of XLA: `jit` in place of `jax.jit` (extra `jax`).

    @xdsl_xla.jit
    def step(params, batch): ...

JAX traces and lowers the function, so everything JAX can trace works: `grad`, `vmap`, `scan`, `checkpoint`, custom
derivatives, random numbers. The StableHLO it lowers to is compiled and run here, once per combination of shapes, types
and static arguments. `lower` gives that program as a module of xDSL.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import itertools
import os
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar, cast, overload

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, StringAttr

from ..decisions.model import CostModel
from ..dialects.stablehlo import CustomCallOp, TokenType
from ..errors import UnsupportedError, XlaError
from ..reference.custom_calls import TARGETS
from ..runtime.compiler import compile, denormals_mode
from ..runtime.custom_calls import custom_call
from ..runtime.executable import Executable
from ..runtime.mlir_text import parse_module
from ..runtime.options import refuse, text, whole, whole_or_none
from ..runtime.sharding.executable import ShardedExecutable
from ..runtime.threads import MAX_THREADS
from ..runtime.verifying import verify_module
from ..tracebacks import short_tracebacks, without_internals

try:
    jax = cast(Any, importlib.import_module("jax"))
except ImportError as error:
    raise ImportError("xdsl_xla.frontends.jax needs JAX: pip install 'xdsl-xla[jax]'") from error

from .jax_sharding import ShardedProgram

# What `jax.jit` and `jax.device_put` use themselves: the public ways there take several times as long.
_Array: Any = jax._src.array.ArrayImpl
_put: Any = jax._src.lib.xla_client.batched_device_put
_OnOneDevice: Any = jax.sharding.SingleDeviceSharding
_enable_x64: Any = jax._src.config.enable_x64
_default_device: Any = jax._src.config.default_device
_flatten, _unflatten = jax.tree_util.tree_flatten, jax.tree_util.tree_unflatten

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

Numbers = int | Sequence[int] | None
Names = str | Iterable[str] | None

PYTHON_CALLBACK = "xla_ffi_python_cpu_callback"
"""The target of the custom calls that `jax.pure_callback` and its like become on CPUs."""

_callback_numbers = itertools.count()


class Leaf(NamedTuple):
    """What matters of an argument for the program that is compiled: JAX's abstract value, and how it is spread."""

    shape: tuple[int, ...]
    dtype: Any
    weak_type: bool
    sharding: Any = None
    """None for an array on the first device."""


class _DevicePlace(NamedTuple):
    """Where results of a program for one device are."""

    device: Any
    sharding: Any
    is_committed: bool
    """Whether they stay there, as results of what was put there do."""


def _place_on(device: Any) -> _DevicePlace:
    is_committed = device is not _first_device() and _default_device.value is None
    return _DevicePlace(device, jax.sharding.SingleDeviceSharding(device), is_committed)


class _Program(NamedTuple):
    """A compiled call: which leaves of the arguments the program takes, and what its results make up."""

    executable: Executable
    inputs: tuple[tuple[int, np.dtype[Any]], ...]
    """For each input of the program: the number of the leaf, and the data type it has."""
    tokens: int
    """How many tokens it takes, and gives, before anything else: one for each kind of ordered effect."""
    outputs: tuple[Any, ...]
    """The abstract value of each result."""
    has_keys: bool
    """Whether keys of random numbers are among the results."""
    tree: Any
    place: _DevicePlace
    sharded: ShardedProgram | None = None
    """The program for several devices, of which `executable` is that of one."""


@overload
def jit(function: Callable[Parameters, Result], /, **options: Any) -> JittedFunction[Parameters, Result]: ...
@overload
def jit(**options: Any) -> Callable[[Callable[Parameters, Result]], JittedFunction[Parameters, Result]]: ...
@short_tracebacks
def jit(function: Any = None, /, **options: Any) -> Any:
    """`function` compiled by this package, as `jax.jit` would compile it by XLA.

    Takes and returns pytrees of arrays. `static_argnums`, `static_argnames`: arguments that are hashable Python values
    and part of the program. `donate_argnums`, `donate_argnames`: arrays the caller gives away; they cannot be used
    after the call. `in_shardings`, `out_shardings`: as for `jax.jit`; a program for several devices of JAX runs on as
    many here, takes arrays that are split over them, and gives such. `threads`, `pipeline`, `opt_level`, `cost_model`,
    `schedules`, `passes`, `debug_info`, `profile`, `denormals`: as for `xdsl_xla.compile`. Within a trace of JAX
    (inside `grad`, `vmap`, another `jit`) the function is inlined, as a function of `jax.jit` is.

    >>> import jax.numpy as jnp
    >>> jit(lambda x: jnp.sum(x ** 2))(jnp.arange(4.0))
    Array(14., dtype=float32)
    """
    if function is None:
        return functools.partial(jit, **options)
    if isinstance(function, jax.export.Exported):
        function = function.call
    return JittedFunction(function, **options)


def lower(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> ModuleOp:
    """The StableHLO program of `function` for these arguments (arrays or `jax.ShapeDtypeStruct`s), verified.

    A function of `jax.jit` or `jit` is lowered with its own static and donated arguments.
    """
    if isinstance(function, JittedFunction):
        return function.lower(*args, **kwargs)
    jitted = function if hasattr(function, "lower") else jax.jit(function)
    return _parse(cast(Any, jitted).lower(*args, **kwargs))


def _parse(lowered: Any, with_lines: bool = False) -> ModuleOp:
    module = parse_module(lowered.as_text(debug_info=with_lines), "<jax>")
    verify_module(module)
    return module


def _compiled(
    program: str | ModuleOp, lowered: Any, options: dict[str, Any], devices: int
) -> Executable | ShardedExecutable:
    """The program that JAX has `lowered`. Errors name lines of the user's program, which JAX writes down if asked to:
    that takes a third more time to read, so it is asked where there is an error.
    """
    if devices > 1:
        options = options | {"devices": devices}
    try:
        return compile(program, filename="<jax>", **options)
    except XlaError as error:
        if options["debug_info"] or options["profile"]:
            raise
        found = error
    try:
        compile(lowered.as_text(debug_info=True), filename="<jax>", **options)
    except XlaError as located:
        if type(located) is type(found) and located.message == found.message:
            found = located
    raise found


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
        self._static_numbers, self._static_names = _numbers_and_names(function, static_argnums, static_argnames)
        self._donated_numbers, self._donated_names = _numbers_and_names(function, donate_argnums, donate_argnames)
        self._options = {
            "threads": whole_or_none("threads", threads, 1, MAX_THREADS),
            "pipeline": text("pipeline", pipeline),
            "opt_level": whole("opt_level", opt_level, 0, 3),
            "cost_model": cost_model,
            "schedules": schedules,
            "passes": passes,
            "debug_info": debug_info,
            "profile": profile,
            "denormals": denormals_mode(denormals),
        }
        given = {"in_shardings": in_shardings, "out_shardings": out_shardings}
        self._jitted: Any = jax.jit(
            function,
            static_argnums=self._static_numbers,
            static_argnames=self._static_names,
            donate_argnums=self._donated_numbers,
            donate_argnames=self._donated_names,
            keep_unused=True,
            **{name: value for name, value in given.items() if value is not None},
        )
        self._programs: dict[Any, _Program] = {}
        self._familiar: dict[Any, _Program] = {}
        """`_programs` again, by what is quick to look at in arguments that are all dynamic and kept."""
        self._has_options = bool(
            self._static_numbers or self._static_names or self._donated_numbers or self._donated_names
        )

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        try:
            return self._call(args, kwargs) if self._has_options else self._call_familiar(args, kwargs)
        except Exception as error:
            raise without_internals(error)  # noqa: B904

    def _call_familiar(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        leaves, tree = _flatten((args, kwargs))
        look = (tree, *_surroundings(), *map(_look, leaves))
        program = self._familiar.get(look)
        if program is not None:
            return _run(program, leaves)
        result = self._call(args, kwargs)
        if not any(kind is _UNFAMILIAR for kind in look):
            self._familiar[look] = self._programs[self._key(leaves, tree, ())]
        return result

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        dynamic, static = self._split(args, kwargs)
        leaves, tree = _flatten(dynamic)
        if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
            return self._jitted(*args, **kwargs)
        key = self._key(leaves, tree, static)
        program = self._programs.get(key)
        if program is None:
            program = self._programs[key] = self._compile(leaves, args, kwargs)
        result = _run(program, leaves)
        self._delete_donated(args, kwargs)
        return result

    @staticmethod
    def _key(leaves: Sequence[Any], tree: Any, static: Any) -> Any:
        return tree, static, tuple(map(_leaf, leaves)), *_surroundings()

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """As a method: `self` is the first argument."""
        return self if instance is None else functools.partial(self, instance)

    def lower(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> ModuleOp:
        """The StableHLO program for these arguments, verified."""
        return _parse(self._jitted.lower(*args, **kwargs))

    def executable(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Executable:
        """The program for these arguments, compiled; it takes the leaves of the arguments."""
        leaves = jax.tree_util.tree_leaves(self._split(args, kwargs)[0])
        return self._compile(leaves, args, kwargs).executable

    def clear_cache(self) -> None:
        """Forget the programs compiled so far."""
        self._programs.clear()
        self._familiar.clear()

    def _split(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """The arguments the program takes, and those it depends on."""
        if not self._static_numbers and not self._static_names:
            return (args, kwargs), ()
        numbers = {number % len(args) if number < 0 else number for number in self._static_numbers if args}
        dynamic = tuple(arg for number, arg in enumerate(args) if number not in numbers)
        named = {name: arg for name, arg in kwargs.items() if name not in self._static_names}
        static: list[tuple[int | str, Any]] = [
            (number, args[number]) for number in sorted(numbers) if number < len(args)
        ]
        static += [(name, arg) for name, arg in sorted(kwargs.items()) if name in self._static_names]
        for name, value in static:
            try:
                hash(value)
            except TypeError:
                raise ValueError(f"static argument {name} of {self._jitted} is not hashable: {value!r}") from None
        return (dynamic, named), tuple((name, cast(object, type(value)), value) for name, value in static)

    def _compile(self, leaves: Sequence[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Program:
        traced = self._jitted.trace(*args, **kwargs)
        lowered = traced.lower()
        with_lines = bool(self._options["debug_info"] or self._options["profile"])
        program, release = lowered.as_text(debug_info=with_lines), None
        if PYTHON_CALLBACK in program:
            program = _parse(lowered, with_lines)
            callbacks = lowered._lowering.compile_args.get("host_callbacks", ())
            release = _register_callbacks(program, callbacks)
        devices = list(lowered._lowering._device_list)
        executable, sharded = _compiled(program, lowered, self._options, len(devices)), None
        if isinstance(executable, ShardedExecutable):
            executable, sharded = executable.local, ShardedProgram(executable, devices)
        if release:
            weakref.finalize(executable, release)
        inputs = tuple((number, spec.dtype) for number, spec in enumerate(executable.signature.inputs))
        tokens = len(executable.signature.argument_types or inputs) - len(inputs)
        outputs = tuple(traced.jaxpr.out_avals)
        are_keys = any(_is_key(aval.dtype) for aval in outputs)
        return _Program(executable, inputs, tokens, outputs, are_keys, lowered.out_tree, _place_on(devices[0]), sharded)

    def _delete_donated(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        donated = [args[number] for number in self._donated_numbers if number < len(args)]
        donated += [kwargs[name] for name in self._donated_names if name in kwargs]
        for leaf in jax.tree_util.tree_leaves(donated):
            if isinstance(leaf, jax.Array) and not leaf.is_deleted():
                leaf.delete()


def _numbers_and_names(
    function: Callable[..., Any], numbers: Numbers, names: Names
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Positions and names of arguments of which one or both are given, each completed by the other."""
    if numbers is None and names is None:
        return (), ()
    given = (numbers,) if isinstance(numbers, int) else tuple(numbers or ())
    called = (names,) if isinstance(names, str) else tuple(names or ())
    if numbers is not None and names is not None:
        return given, called
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return given, called
    both = [
        (number, parameter.name)
        for number, parameter in enumerate(parameters)
        if parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    ]
    count = len(parameters)
    if numbers is not None:
        wanted = {number % count if number < 0 and count else number for number in given}
        return given, tuple(name for number, name in both if number in wanted)
    return tuple(number for number, name in both if name in called), called


_SCALARS = frozenset({bool, int, float, complex})
_UNFAMILIAR = object()


def _look(value: Any) -> Any:
    """What tells `Leaf`s apart, found out in less time: JAX's abstract values are kept, equal ones once."""
    kind = cast(type[object], type(value))
    if kind is _Array:
        sharding = value.sharding
        is_usual = sharding.__class__ is _OnOneDevice and sharding._device is _first_device()
        return value.aval if is_usual else (value.aval, sharding)
    if kind is np.ndarray:
        return value.dtype, value.shape
    return cast(object, kind) if kind in _SCALARS or issubclass(kind, np.generic) else _UNFAMILIAR


def _leaf(value: Any) -> Leaf:
    if type(value) is np.ndarray:
        return Leaf(value.shape, _dtype_in_jax(value.dtype, _enable_x64.value), False)
    if isinstance(value, jax.Array):
        spread = None if value.sharding.device_set == {_first_device()} else value.sharding
        return Leaf(value.shape, value.dtype, value.aval.weak_type, spread)
    aval: Any = jax.api_util.shaped_abstractify(value)
    return Leaf(aval.shape, aval.dtype, aval.weak_type)


@functools.cache
def _dtype_in_jax(dtype: np.dtype[Any], x64: bool) -> Any:
    """What NumPy's arrays of `dtype` are in JAX, which makes f64 narrower unless `x64`, the present setting, is on."""
    return jax.api_util.shaped_abstractify(np.empty(0, dtype)).dtype


def _is_key(dtype: Any) -> bool:
    return jax.dtypes.issubdtype(dtype, jax.dtypes.prng_key)


def _array(value: Any, dtype: np.dtype[Any]) -> np.ndarray:
    """A leaf as the program takes it."""
    if type(value) is _Array:
        value = np.asarray(value)  # faster than with a data type
    elif isinstance(value, jax.Array) and _is_key(value.dtype):
        value = jax.random.key_data(value)
    if type(value) is np.ndarray and value.dtype == dtype:
        return value
    return np.asarray(value, dtype)


def _run_sharded(program: _Program, sharded: ShardedProgram, leaves: Sequence[Any]) -> Any:
    def array(number: int) -> np.ndarray:
        return _array(leaves[number], program.inputs[number][1])

    avals = [None if _is_key(aval.dtype) else aval for aval in program.outputs]
    results = sharded(leaves, array, avals)
    arrays = [
        _result(result, aval) if _is_key(aval.dtype) else result
        for result, aval in zip(results, program.outputs, strict=True)
    ]
    return _unflatten(program.tree, arrays)


def _run(program: _Program, leaves: Sequence[Any]) -> Any:
    if program.sharded is not None:
        return _run_sharded(program, program.sharded, leaves)
    arrays = [_array(leaves[number], dtype) for number, dtype in program.inputs]
    if program.tokens:
        outputs = program.executable(*([None] * program.tokens), *arrays)
        outputs = outputs[len(outputs) - len(program.outputs) :]
    else:
        outputs = program.executable(*arrays)
    return _unflatten(program.tree, _in_jax(outputs, program))


@functools.cache
def _first_device() -> Any:
    """Where JAX puts new arrays."""
    return jax.devices()[0]


def _surroundings() -> tuple[Any, ...]:
    """What a program depends on besides its arguments."""
    return _enable_x64.value, jax.sharding.get_abstract_mesh(), _default_device.value


def _in_jax(arrays: Sequence[np.ndarray], program: _Program) -> list[Any]:
    """Results as JAX has them: keys of random numbers are a type of their own, Python numbers give weak types.

    What `jax.device_put` finds out about every array is known here; so each is handed over by the function at its core.
    """
    place = program.place
    if program.has_keys:
        put = jax.device_put(list(arrays), place.device if place.is_committed else None)
        return [_result(array, aval) for array, aval in zip(put, program.outputs, strict=True)]
    sharding, devices, is_committed = place.sharding, [place.device], place.is_committed
    return [
        _put(aval, sharding, (array,), devices, is_committed)
        for array, aval in zip(arrays, program.outputs, strict=True)
    ]


def _result(result: Any, aval: Any) -> Any:
    if _is_key(aval.dtype):
        return jax.random.wrap_key_data(result, impl=str(aval.dtype._impl.name))
    if getattr(aval, "weak_type", False):
        return jax._src.lax.lax._convert_element_type(result, weak_type=True)
    return result


# Calls back into Python


def _register_callbacks(module: ModuleOp, callbacks: Sequence[Callable[..., Any]]) -> Callable[[], None] | None:
    """Give each call back into Python a target of its own; returns what takes the targets away again."""
    names: list[str] = []
    for op in module.walk():
        if not isinstance(op, CustomCallOp) or op.call_target_name.data != PYTHON_CALLBACK:
            continue
        options = op.attributes.pop("mhlo.backend_config", None) or op.properties.pop("backend_config", None)
        index = options.data.get("index") if isinstance(options, DictionaryAttr) else None
        if not isinstance(index, IntegerAttr) or not 0 <= index.value.data < len(callbacks):
            raise UnsupportedError("a call back into Python without the function to call", op)
        name = f"{PYTHON_CALLBACK}_{next(_callback_numbers)}"
        takes_token = any(isinstance(operand.type, TokenType) for operand in op.operands)
        custom_call(name)(_without_token(callbacks[index.value.data]) if takes_token else callbacks[index.value.data])
        op.call_target_name = StringAttr(name)
        names.append(name)
    return functools.partial(_release, names) if names else None


def _release(names: Sequence[str]) -> None:
    for name in names:
        TARGETS.pop(name, None)


def _without_token(callback: Callable[..., Any]) -> Callable[..., Any]:
    """A callback whose first argument and result are a token, as a function of arrays."""
    return lambda *arrays: callback(None, *arrays)[1:]
