"""Plans: which messages an exchange is for one device."""

from __future__ import annotations

import sys
import threading

from xdsl_xla.decisions.messages import Messages
from xdsl_xla.reference.processes import Terms
from xdsl_xla.runtime.devices.layout import FIRST_TAG, Plan
from xdsl_xla.runtime.devices.mpi.job import gathering
from xdsl_xla.runtime.devices.plan import Channels, Exchange, PlanMemory, Surroundings

TERMS = Terms("stablehlo.all_reduce", {"operands": "tensor<4xf32>"}, "file.mlir:3:4")
NUMBERS = Messages(small_bytes=16, largest_bytes=100)


def plan_of(exchange: Exchange, device: int, ranks: list[int]) -> PlanMemory:
    surroundings = Surroundings(ranks.__getitem__, ranks[device], 1 << 15, 8, Channels(), NUMBERS)
    return PlanMemory(exchange, device, surroundings)


def counts(plan: PlanMemory) -> list[int]:
    return [int(plan.words[word]) for word in (Plan.STAGED, Plan.REMOTE, Plan.LOCAL, Plan.COPIES)]


def test_small_parts_travel_with_their_header() -> None:
    plan = plan_of(gathering("key", (0, 1), 0, TERMS, [8, 8]), 0, [0, 1])
    assert counts(plan) == [2, 2, 0, 2]
    assert plan.remote == [(1, False), (1, True)]


def test_large_parts_follow_it_in_pieces() -> None:
    plan = plan_of(gathering("key", (0, 1), 0, TERMS, [250]), 0, [0, 1])
    assert counts(plan) == [2, 8, 0, 1]


def test_devices_of_one_process_do_without_mpi() -> None:
    plan = plan_of(gathering("key", (0, 1, 2), 1, TERMS, [4]), 1, [0, 0, 1])
    assert counts(plan) == [2, 2, 2, 1]
    assert plan.local == [(0, False), (0, True)]


def test_what_members_agree_on_makes_the_hash() -> None:
    here = gathering("key", (0, 1), 0, TERMS, [4])
    there = gathering("key", (0, 1), 1, TERMS._replace(place="other.mlir:1:1"), [4])
    other = gathering("key", (0, 1), 1, TERMS._replace(agreed={"operands": "tensor<5xf32>"}), [4])
    assert here.hash == there.hash != other.hash
    assert here.tag(0, 1, 1 << 15) == other.tag(0, 1, 1 << 15) != here.tag(1, 0, 1 << 15)
    assert all(FIRST_TAG <= here.tag(0, peer, 20) < 20 for peer in range(50))


def test_both_ends_of_a_channel_are_one() -> None:
    """Though they ask for it first, at once, on threads of their own."""
    channels, found = Channels(), list[tuple[int, int]]()
    barrier, interval = threading.Barrier(4), sys.getswitchinterval()

    def ask() -> None:
        barrier.wait()
        found.extend((key, channels.address(key)) for key in range(1000))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    sys.setswitchinterval(1e-6)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    assert len(found) == 4000 and len(set(found)) == 1000
