"""What a machine can do, from a TOML file.

    name = "two-level cluster"
    devices_per_host = 8
    flops = 100e12
    memory_bandwidth = 2e12

    [within_host]
    latency = 3e-6
    bandwidth = 200e9

    [between_hosts]
    latency = 10e-6
    bandwidth = 25e9

Times are in seconds, sizes in bytes, rates per second and device. `KEYS` and `LINK_KEYS` list all keys.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ...errors import ArgumentError, similar_names

ALGORITHMS = ("ring", "doubling", "direct")
"""Of collectives on a link, see `collectives.py`."""

KEYS: dict[str, str] = {
    "name": "what the report calls the machine",
    "devices_per_host": "how many devices reach each other through `within_host`",
    "flops": "operations on f32 a second and device; a multiply-add is two",
    "flops_f64": "the same on f64; half of `flops` where it is missing",
    "flops_f16": "the same of products of f16, bf16 and narrower types; `flops` where it is missing",
    "memory_bandwidth": "bytes a second and device, from and to its memory",
    "memory_bytes": "memory of a device; the report says whether the program fits",
    "op_seconds": "what an op that reaches memory costs besides its work; 0 where it is missing",
    "overlap": "true: all collectives run beside computation that does not depend on them; false: async pairs do",
    "within_host": "the link of the devices of a host",
    "between_hosts": "the link of devices of different hosts; not needed for one host",
}
LINK_KEYS: dict[str, str] = {
    "latency": "seconds of a step in which every device sends one message",
    "bandwidth": "bytes a second that a device sends, and receives, when all do at once",
    "algorithms": 'a list of "ring", "doubling" and "direct"; the first two where it is missing',
}
REQUIRED = ("devices_per_host", "flops", "memory_bandwidth", "within_host")


@dataclass(frozen=True)
class Link:
    """How devices reach each other."""

    latency: float
    bandwidth: float
    algorithms: tuple[str, ...] = ALGORITHMS[:2]


@dataclass(frozen=True)
class Machine:
    """See `KEYS`."""

    name: str
    devices_per_host: int
    flops: float
    flops_f64: float
    flops_f16: float
    memory_bandwidth: float
    within_host: Link
    between_hosts: Link | None = None
    memory_bytes: float | None = None
    op_seconds: float = 0.0
    overlap: bool = False

    def flops_of(self, bits: int, is_float: bool = True) -> float:
        """Operations a second on elements of so many bits."""
        if bits > 32:
            return self.flops_f64
        return self.flops_f16 if bits < 32 and is_float else self.flops


def read_machine(path: str) -> Machine:
    """The machine that a file describes. Raises `ArgumentError` for what is no such file."""
    try:
        table = tomllib.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise ArgumentError(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ArgumentError(f"{path}: not TOML: {error}") from error
    return machine_of(table, path)


def machine_of(table: dict[str, Any], path: str) -> Machine:
    """The machine of the keys and values of a file."""
    _check_keys(table, KEYS, path)
    for key in REQUIRED:
        if key not in table:
            raise ArgumentError(f"{path}: key '{key}' is missing: {KEYS[key]}")
    flops = _positive(table, "flops", path)
    between = table.get("between_hosts")
    hosted, overlap, name = table["devices_per_host"], table.get("overlap", False), table.get("name", Path(path).stem)
    if type(hosted) is not int or hosted < 1:
        raise ArgumentError(f"{path}: key 'devices_per_host': expected a whole number of at least 1, got {hosted!r}")
    if not isinstance(overlap, bool):
        raise ArgumentError(f"{path}: key 'overlap': expected true or false, got {overlap!r}")
    if not isinstance(name, str):
        raise ArgumentError(f"{path}: key 'name': expected a text, got {name!r}")
    return Machine(
        name,
        hosted,
        flops,
        _positive(table, "flops_f64", path) if "flops_f64" in table else flops / 2,
        _positive(table, "flops_f16", path) if "flops_f16" in table else flops,
        _positive(table, "memory_bandwidth", path),
        _link(table["within_host"], "within_host", path),
        None if between is None else _link(between, "between_hosts", path),
        _positive(table, "memory_bytes", path) if "memory_bytes" in table else None,
        _number(table, "op_seconds", path) if "op_seconds" in table else 0.0,
        overlap,
    )


def _link(table: object, name: str, path: str) -> Link:
    if not isinstance(table, dict):
        raise ArgumentError(f"{path}: key '{name}': expected a table with {', '.join(LINK_KEYS)}, got {table!r}")
    link = cast("dict[str, Any]", table)
    where = f"{path}: [{name}]"
    _check_keys(link, LINK_KEYS, where)
    for key in ("latency", "bandwidth"):
        if key not in link:
            raise ArgumentError(f"{where}: key '{key}' is missing: {LINK_KEYS[key]}")
    algorithms: Any = link.get("algorithms", list(ALGORITHMS[:2]))
    names = cast("list[Any]", algorithms) if isinstance(algorithms, list) else []
    if not names or any(each not in ALGORITHMS for each in names):
        raise ArgumentError(f"{where}: key 'algorithms': expected some of {', '.join(ALGORITHMS)}, got {algorithms!r}")
    return Link(_number(link, "latency", where), _positive(link, "bandwidth", where), tuple(names))


def _check_keys(table: dict[str, Any], known: dict[str, str], where: str) -> None:
    for key in table:
        if key not in known:
            raise ArgumentError(
                f"{where}: unknown key '{key}'{similar_names(key, known)}; there are {', '.join(known)}"
            )


def _number(table: dict[str, Any], key: str, where: str) -> float:
    value = table[key]
    if type(value) not in (int, float) or not 0 <= value < float("inf"):
        raise ArgumentError(f"{where}: key '{key}': expected a number of at least 0, got {value!r}")
    return float(value)


def _positive(table: dict[str, Any], key: str, where: str) -> float:
    value = _number(table, key, where)
    if value == 0:
        raise ArgumentError(f"{where}: key '{key}': expected a number above 0, got {table[key]!r}")
    return value
