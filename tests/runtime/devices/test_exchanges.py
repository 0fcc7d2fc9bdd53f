"""What a collective means for a device."""

import time

import numpy as np
import xdsl_xla
from xdsl_xla.runtime.devices.exchanges import ROOT, broadcast, gather, scatter


def test_a_device_knows_the_parts_that_it_sends_or_receives() -> None:
    members, sizes = (4, 2, 7), (6, 3)
    for parts_of in (gather, scatter, broadcast):
        seen = [list(parts_of(members, place, sizes)) for place in range(3)]
        for member, parts in zip(members, seen, strict=True):
            assert all(member in (part.sender, part.receiver) for part in parts)
            assert len(parts) == len(set(parts))
        sent = {part for member, parts in zip(members, seen, strict=True) for part in parts if part.sender == member}
        received = {
            part for member, parts in zip(members, seen, strict=True) for part in parts if part.receiver == member
        }
        assert sent == received
        assert {part.sender for part in sent} == ({members[ROOT]} if parts_of is broadcast else set(members))
    assert list(gather((), -1, sizes)) == []


def test_a_hundred_devices_start_soon() -> None:
    """What each has to know grows with its own messages, not with those of all."""
    text = """
    sdy.mesh @mesh = <["x"=96]>
    func.func @main(%a: tensor<96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<96xf32> {
      %0 = stablehlo.add %a, %a : tensor<96xf32>
      return %0 : tensor<96xf32>
    }"""
    executable = xdsl_xla.compile(text, devices=96)
    values = np.arange(96, dtype=np.float32)
    before = time.process_time()
    np.testing.assert_array_equal(executable(values)[0], values * 2)
    assert time.process_time() - before < 5
