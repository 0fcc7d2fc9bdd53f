"""Where functions of `xdsl_xla.jit` run: devices of this platform, in a process that may have another one by default.

Devices and meshes of another platform stand for ours, device for device in the order in which JAX lists them.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from ..errors import ArgumentError
from ..properties import cached_property
from .pjrt.client import DEVICE_KIND, DEVICES_VARIABLE, PLATFORM, platform_name, replaces_cpu, want_devices
from .pjrt.jax_internals import add_backend, concrete_mesh, has_trace
from .pjrt.jax_plugin import register, replace_cpu

jax = cast(Any, importlib.import_module("jax"))


@functools.cache
def our_devices() -> tuple[Any, ...]:
    """The devices of the platform `xdsl_xla`, which JAX gets now if it has not been asked for it before.

    Unless `XDSL_XLA_DEVICES` says how many, there are as many as JAX's default platform has.
    """
    if replaces_cpu():
        replace_cpu()
        return tuple(jax.devices(platform_name()))
    want_devices(jax.local_device_count())  # which makes the backends that JAX is asked for
    register()
    add_backend(PLATFORM)
    return tuple(jax.devices(PLATFORM))


def is_ours(device: Any) -> bool:
    """Whether a device of JAX is one of this platform."""
    return device.device_kind == DEVICE_KIND


def stand_in(device: Any) -> Any:
    """The device of ours that `device` stands for. Raises `ArgumentError` where there is none."""
    if is_ours(device):
        return device
    number, ours = jax.local_devices(backend=device.platform).index(device), our_devices()
    if number >= len(ours):
        raise ArgumentError(
            f"{device} stands for device {number} of xdsl_xla, which has {len(ours)}; set {DEVICES_VARIABLE}"
        )
    return ours[number]


@functools.lru_cache(256)
def mesh_of_ours(mesh: Any) -> Any:
    """The mesh of our devices that `mesh` stands for."""
    devices = [stand_in(device) for device in mesh.devices.flat]
    places = np.array(devices, object).reshape(mesh.devices.shape)
    return jax.sharding.Mesh(places, mesh.axis_names, axis_types=mesh.axis_types)


def sharding_of_ours(sharding: Any) -> Any:
    """The same sharding over our devices. What names no devices, such as a `PartitionSpec`, stays as it is.

    Raises `ArgumentError` for a sharding of another kind over devices that are not ours.
    """
    if not isinstance(sharding, jax.sharding.Sharding):
        return sharding
    if isinstance(sharding, jax.sharding.NamedSharding):
        if isinstance(sharding.mesh, jax.sharding.AbstractMesh):
            return sharding
        return jax.sharding.NamedSharding(mesh_of_ours(sharding.mesh), sharding.spec)
    if isinstance(sharding, jax.sharding.SingleDeviceSharding):
        (device,) = sharding.device_set
        return jax.sharding.SingleDeviceSharding(stand_in(device))
    if all(map(is_ours, sharding.device_set)):
        return sharding
    raise ArgumentError(f"a sharding over devices of another platform: {sharding}; NamedSharding can be had over ours")


def shardings_of_ours(tree: Any) -> Any:
    """`sharding_of_ours` of each sharding of a pytree."""
    return jax.tree.map(sharding_of_ours, tree)


def context_mesh() -> Any:
    """The mesh of `jax.set_mesh` over devices of another platform, as one of ours; None where there is none such."""
    mesh = concrete_mesh()
    if mesh is None or mesh.empty or all(map(is_ours, mesh.devices.flat)):
        return None
    return mesh_of_ours(mesh)


def _devices_of(value: Any) -> frozenset[Any]:
    """The devices on which an array has to stay; none of anything else, and of an array that may move."""
    return value.sharding.device_set if isinstance(value, jax.Array) and _is_committed(value) else frozenset()


def _devices_of_all(args: Any, kwargs: Any) -> frozenset[Any]:
    return frozenset[Any]().union(*map(_devices_of, jax.tree.leaves((args, kwargs))))


def _has_mesh() -> bool:
    """Whether a mesh says where programs run: that of `jax.set_mesh`, or of a `shard_map` that is being traced."""
    return not jax.sharding.get_abstract_mesh().empty


def _is_committed(array: Any) -> bool:
    return not isinstance(array, jax.core.Tracer) and array.committed


def _moved(value: Any) -> Any:
    """An array of another platform, on the devices of ours that stand for its own."""
    devices = _devices_of(value)
    return value if all(map(is_ours, devices)) else jax.device_put(value, sharding_of_ours(value.sharding))


INCOMPATIBLE = "incompatible devices"
"""In JAX's error for a program that says in two ways where it runs."""


class Placement:
    """A function of `jax.jit` whose programs run on devices of ours.

    Where nothing else says where, it is bound to one device, by the shardings of its arguments and results: that is how
    JAX's transformations know about it. `make` makes the function, with shardings.
    """

    def __init__(self, make: Callable[..., Any], in_shardings: Any, out_shardings: Any) -> None:
        self._make, self._in, self._out = make, in_shardings, out_shardings
        self._bound: dict[Any, Any] = {}
        self._by_name: dict[Any, Any] = {}
        self._is_free = in_shardings is None and out_shardings is None
        self._is_spread = False
        """Whether a mesh within the function has several devices."""

    @cached_property
    def anywhere(self) -> Any:
        """The function with the shardings that were given for it, and no others."""
        given = {"in_shardings": self._in, "out_shardings": self._out}
        return self._make(**{name: shardings_of_ours(tree) for name, tree in given.items() if tree is not None})

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._is_free and len(our_devices()) == 1 and not kwargs and not has_trace():
            return self._on(our_devices()[0])(*args)
        return self._placed(args, kwargs)

    def _on(self, device: Any) -> Any:
        """The function bound to `device`."""
        function = self._bound.get(device)
        if function is None:
            place = jax.sharding.SingleDeviceSharding(device)
            function = self._bound[device] = self._make(in_shardings=place, out_shardings=place)
        return function

    def _placed(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        mesh = None if has_trace() else context_mesh()
        if mesh is not None:
            with jax.set_mesh(mesh):
                return self._placed(args, kwargs)
        found = _devices_of_all(args, kwargs)
        if not all(map(is_ours, found)):
            args, kwargs = jax.tree.map(_moved, (args, kwargs))
            found = _devices_of_all(args, kwargs)
        is_default = not found and jax.default_backend() == platform_name()
        if not self._is_free or self._is_spread or len(found) > 1 or _has_mesh() or is_default:
            return self._somewhere(args, kwargs)
        (device,) = found or (self._default(),)
        try:
            return self._on_one(device, args, kwargs)
        except ValueError as error:
            if INCOMPATIBLE not in str(error) or has_trace():
                raise
        result = self._somewhere(args, kwargs)
        self._is_spread = True
        return result

    def _somewhere(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the function where its arguments and meshes are. Raises `ArgumentError` if that is another platform."""
        result = self.anywhere(*args, **kwargs)
        found = _devices_of_all(result, None)
        if not all(map(is_ours, found)):
            raise ArgumentError(
                f"{self.anywhere} has a mesh over devices of another platform; make it of those of"
                " xdsl_xla.frontends.jax.devices()"
            )
        return result

    def _on_one(self, device: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if not kwargs:
            return self._on(device)(*args)
        with jax.default_device(device):
            return self._named_on(device)(*args, **kwargs)

    def _named_on(self, device: Any) -> Any:
        """As `_on`, for arguments by name, for which `jax.jit` takes no shardings."""
        function = self._by_name.get(device)
        if function is None:
            place = jax.sharding.SingleDeviceSharding(device)
            function = self._by_name[device] = self._make(out_shardings=place)
        return function

    @staticmethod
    def _default() -> Any:
        device = jax.config.jax_default_device
        return device if device in our_devices() else our_devices()[0]

    def clear_cache(self) -> None:
        """Forget all programs."""
        for function in (*self._bound.values(), *self._by_name.values(), self.anywhere):
            function.clear_cache()
