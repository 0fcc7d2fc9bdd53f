"""Devices that share cores: what a step of a collective takes them."""

from __future__ import annotations

from xdsl_xla.decisions.simulation import SharedCores


def test_every_device_takes_a_turn() -> None:
    assert SharedCores(turn_seconds=2.0).latency(3) == 6.0


def test_devices_copy_at_once_on_as_many_cores() -> None:
    numbers = SharedCores(copied_bytes=8.0)
    assert [numbers.bandwidth(devices, cores=2) for devices in (1, 2, 8)] == [8.0, 8.0, 2.0]
