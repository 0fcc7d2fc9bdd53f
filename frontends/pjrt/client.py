"""The client: its devices, which are threads of this process with their share of the cores, and their memories."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import metadata
from typing import Any, NamedTuple

from ...errors import ArgumentError
from .c_api import STRUCTS
from .calls import Code, PjrtError, implements
from .layouts import NO_DELETER
from .machine_code.layout import Worker
from .objects import Kept, for_ever, give, live, new

PLATFORM = "xdsl_xla"
CPU = "cpu"
REPLACES_CPU_VARIABLE = "XDSL_XLA_REPLACES_CPU"
DEVICES_VARIABLE = "XDSL_XLA_DEVICES"
DEVICE_KIND = "xdsl-xla CPU"
MOST_DEVICES = 1 << 16
"""Of a process: as many as a program is partitioned for."""

MEMORY_KINDS = ("device", "pinned_host", "unpinned_host")
"""Those that JAX's backend for CPUs has; the first is the usual one. All are memory of this process."""

STABLEHLO_VERSIONS = (1, 17, 0), (0, 9, 0)
"""The newest and the oldest version of StableHLO whose portable artifacts are read."""

XLA_VERSION = 2
"""Of the interface of XLA's extensions that clients see."""

_STRING, _INTEGER, _INTEGERS, _FLOAT = range(4)

Named = tuple[str, str | int | float | Sequence[int]]
"""An attribute."""


def named_values(items: Iterable[Named], kept: Kept = for_ever) -> tuple[int, int]:
    """The address and length of a list of attributes."""
    values: list[Any] = []
    for name, value in items:
        made: Any = STRUCTS["NamedValue"]()
        made.struct_size = ctypes.sizeof(made)
        made.name, made.name_size = kept.text(name)
        if isinstance(value, str):
            made.type, (made.value, made.value_size) = _STRING, kept.text(value)
        elif isinstance(value, int):
            made.type, made.value, made.value_size = _INTEGER, value, 1
        elif isinstance(value, float):
            (bits,) = struct.unpack("<I", struct.pack("<f", value))
            made.type, made.value, made.value_size = _FLOAT, bits, 1
        else:
            made.type, (made.value, made.value_size) = _INTEGERS, kept.vector(ctypes.c_int64, value)
        values.append(made)
    return kept.vector(STRUCTS["NamedValue"], values)


def _version() -> str:
    try:
        return f"xdsl-xla {metadata.version('xdsl-xla')}"
    except metadata.PackageNotFoundError:  # run from its sources
        return "xdsl-xla"


def replaces_cpu() -> bool:
    """Whether the platform is to stand in the place of JAX's backend for CPUs, under its name."""
    text = os.environ.get(REPLACES_CPU_VARIABLE) or "0"
    if text not in ("0", "1"):
        raise ArgumentError(f"{REPLACES_CPU_VARIABLE}={text}: neither 0 nor 1")
    return text == "1"


@cache
def platform_name() -> str:
    """The name that the platform has in this process."""
    return CPU if replaces_cpu() else PLATFORM


_wanted = ["1"]


def want_devices(count: int) -> None:
    """Have as many devices, unless the environment says how many. Nothing changes once the client has been made."""
    _wanted[:] = [str(count)]


def _count_of_devices() -> int:
    text = os.environ.get(DEVICES_VARIABLE) or _wanted[0]
    if not text.isdecimal() or not 1 <= int(text[:9]) <= MOST_DEVICES:
        raise PjrtError(Code.INVALID_ARGUMENT, f"{DEVICES_VARIABLE}={text:.40}: expected 1 to {MOST_DEVICES} devices")
    return int(text)


class Job(NamedTuple):
    """Processes whose clients know each other's devices (`jax.distributed`)."""

    process: int
    """The number of this one."""
    processes: int


_ALONE = Job(0, 1)
_jobs: list[Job] = []
"""That of the client, once it is known."""


class Memory:
    """A memory of a device."""

    def __init__(self, number: int, kind: int, device: int) -> None:
        """`device` is the address of the device with this number."""
        self.number, self.kind = number, kind
        self.struct = new("Memory")
        self.address = for_ever.hold(self.struct)
        self.struct.device = device
        text = f"xdsl-xla {MEMORY_KINDS[kind]} memory {number}"
        give(self.struct, "Memory_Id", number * len(MEMORY_KINDS) + kind)
        give(self.struct, "Memory_Kind", *for_ever.text(MEMORY_KINDS[kind]))
        give(self.struct, "Memory_Kind_Id", kind)
        give(self.struct, "Memory_DebugString", *for_ever.text(text))
        give(self.struct, "Memory_ToString", *for_ever.text(text))
        give(self.struct, "Memory_AddressableByDevices", *for_ever.vector(ctypes.c_void_p, [device]))
        live[self.address] = self


class Device:
    """A device, its description and its memories."""

    kind = 0
    """The number of the kind of memory that it uses by itself."""

    def __init__(self, number: int, local: int | None, process: int) -> None:
        """`local` is its number among those of this process; None of one of another process."""
        self.number, self.process = number, process
        self.struct, self.description = new("Device"), new("DeviceDescription")
        self.address = for_ever.hold(self.struct)
        self.worker = for_ever.hold(Worker())
        self.struct.worker = self.worker
        self.memories = [Memory(number, kind, self.address) for kind in range(len(MEMORY_KINDS))]
        self._describe()
        memories = [memory.address for memory in self.memories]
        give(self.struct, "Device_GetDescription", ctypes.addressof(self.description))
        give(self.struct, "Device_IsAddressable", local is not None)
        give(self.struct, "Device_LocalHardwareId", -1 if local is None else local)
        give(self.struct, "Device_AddressableMemories", *for_ever.vector(ctypes.c_void_p, memories))
        give(self.struct, "Device_DefaultMemory", memories[0])
        give(self.struct, "Device_GetAttributes", *named_values(()), None, NO_DELETER.address)
        live[self.address] = self

    def _describe(self) -> None:
        for_ever.hold(self.description)
        give(self.description, "DeviceDescription_Id", self.number)
        give(self.description, "DeviceDescription_ProcessIndex", self.process)
        count, attributes = reversed(named_values(()))
        give(self.description, "DeviceDescription_Attributes", count, attributes)
        give(self.description, "DeviceDescription_Kind", *for_ever.text(DEVICE_KIND))
        name = platform_name()
        shown = f"{name.title().replace('_', '')}Device(id={self.number})"
        give(self.description, "DeviceDescription_DebugString", *for_ever.text(f"{name}:{self.number}"))
        give(self.description, "DeviceDescription_ToString", *for_ever.text(shown))


class Client:
    """The only client of the process. Each process of a job has as many devices, in blocks."""

    def __init__(self, job: Job) -> None:
        self.job, each = job, _count_of_devices()
        first = job.process * each
        self.devices = [
            Device(number, number - first if 0 <= number - first < each else None, number // each)
            for number in range(job.processes * each)
        ]
        self.local: list[Device] = self.devices[first : first + each]
        self.struct, self.topology = new("Client"), new("TopologyDescription")
        self.address, self.topology_address = for_ever.hold(self.struct), for_ever.hold(self.topology)
        for kind, described in (("Client", self.struct), ("TopologyDescription", self.topology)):
            give(described, f"{kind}_PlatformName", *for_ever.text(platform_name()))
            give(described, f"{kind}_PlatformVersion", *for_ever.text(_version()))
        devices = for_ever.vector(ctypes.c_void_p, [device.address for device in self.devices])
        local = for_ever.vector(ctypes.c_void_p, [device.address for device in self.local])
        memories = [memory.address for device in self.local for memory in device.memories]
        give(self.struct, "Client_ProcessIndex", job.process)
        give(self.struct, "Client_Devices", *devices)
        give(self.struct, "Client_AddressableDevices", *local)
        give(self.struct, "Client_AddressableMemories", *for_ever.vector(ctypes.c_void_p, memories))
        give(self.struct, "Client_TopologyDescription", self.topology_address)
        descriptions = [ctypes.addressof(device.description) for device in self.devices]
        vector = for_ever.vector(ctypes.c_void_p, descriptions)
        give(self.topology, "TopologyDescription_GetDeviceDescriptions", *vector)
        give(self.topology, "TopologyDescription_Attributes", *named_values(()))
        give(self.topology, "TopologyDescription_Fingerprint", len(self.devices))

    def device(self, number: int) -> Device:
        """A device by its number. Raises `PjrtError`."""
        if not 0 <= number < len(self.devices):
            raise PjrtError(Code.INVALID_ARGUMENT, f"there is no device {number}, of {len(self.devices)}")
        return self.devices[number]

    def here(self, numbers: Sequence[int]) -> list[int]:
        """Those of some devices that are of this process."""
        return [number for number in numbers if self.device(number).process == self.job.process]

    def ranks(self, numbers: Sequence[int]) -> tuple[int, ...] | None:
        """The processes of the devices of a program; None if this one has all. Raises `PjrtError` unless they are one
        process, which runs it alone, or all.
        """
        ranks = tuple(self.device(number).process for number in numbers)
        if set(ranks) <= {self.job.process}:
            return None
        if 1 < len(set(ranks)) < self.job.processes:
            some = ", ".join(map(str, sorted(set(ranks))))
            problem = f"a program on devices of processes {some} of a job of {self.job.processes}: of one or of all"
            raise PjrtError(Code.UNIMPLEMENTED, problem)
        return ranks


@cache
def client() -> Client:
    """The client, made when it is first asked for."""
    return Client(_jobs[0] if _jobs else _ALONE)


_NODE, _NODES = "node_id", "num_nodes"
"""Options of clients in a job."""


def _job_of(arguments: Any) -> Job:
    """The job that options of a client say it is part of."""
    type: Any = STRUCTS["NamedValue"]
    options = (type * arguments.num_options).from_address(arguments.create_options) if arguments.num_options else ()
    numbers = {
        ctypes.string_at(option.name, option.name_size).decode(): option.value
        for option in options
        if option.type == _INTEGER
    }
    return Job(numbers[_NODE], numbers[_NODES]) if {_NODE, _NODES} <= set(numbers) else _ALONE


@implements("Client_Create")
def create(arguments: Any) -> None:
    """The client. Raises `PjrtError` for one of another job than that of before."""
    job = _job_of(arguments)
    if not _jobs:
        _jobs.append(job)
    if client().job != job:
        raise PjrtError(Code.INVALID_ARGUMENT, f"a client of {job}; there is one of {client().job}")
    arguments.client = client().address


@implements("Plugin_Attributes")
def attributes(arguments: Any) -> None:
    """What programs are taken."""
    newest, oldest = STABLEHLO_VERSIONS
    arguments.attributes, arguments.num_attributes = named_values(
        [
            ("stablehlo_current_version", newest),
            ("stablehlo_minimum_version", oldest),
            ("xla_version", XLA_VERSION),
        ]
    )


@implements("Client_LookupDevice")
def look_up(arguments: Any) -> None:
    """A device by its number."""
    arguments.device = client().device(arguments.id).address


@implements("Client_LookupAddressableDevice")
def look_up_addressable(arguments: Any) -> None:
    """A device of this process by its number there."""
    number: int = arguments.local_hardware_id
    local = client().local
    if not 0 <= number < len(local):
        raise PjrtError(Code.INVALID_ARGUMENT, f"there is no device {number} in this process, of {len(local)}")
    arguments.addressable_device = local[number].address


def default_devices(count: int) -> list[int]:
    """The numbers of the devices of a program that does not say which."""
    devices = client().local if count <= len(client().local) else client().devices
    return [device.number for device in devices[:count]]


@implements("Client_DefaultDeviceAssignment")
def default_assignment(arguments: Any) -> None:
    """The first devices, in order, those of this process before others."""
    count = arguments.num_replicas * arguments.num_partitions
    if count > min(len(client().devices), arguments.default_assignment_size):
        raise PjrtError(Code.INVALID_ARGUMENT, f"{count} devices, of {len(client().devices)}")
    (ctypes.c_int32 * count).from_address(arguments.default_assignment)[:] = default_devices(count)


@implements("Device_MemoryStats")
def memory_statistics(arguments: Any) -> None:
    """Nothing is counted: memory is that of the process."""
    raise PjrtError(Code.UNIMPLEMENTED, "memory statistics: a device has the memory of the process")
