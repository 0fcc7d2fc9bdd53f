"""Numbers of profiles: how much is kept of a run, and how the time is read."""

from __future__ import annotations

import platform

EVENTS = 1 << 15
"""How many calls of kernels, the last ones, are kept one by one: 768 KiB, less than a second-level cache. A power of
two: generated code finds the place of the next one by a mask."""

COUNTER = "llvm.readsteadycounter" if platform.machine().startswith(("aarch64", "arm64")) else "llvm.readcyclecounter"
"""LLVM's name of the counter that user code may read: on x86 the time stamp counter, of constant rate; ARM's counter of
cycles traps, its timer does not."""

RECORD_SECONDS = 12e-9
"""What measuring one call takes (on a Zen 5 server CPU: 10 to 14 ns). Tables of profiles say what that is of a run."""

SHORTEST_CALL = 1e-7
"""In seconds: of shorter calls the mean says more than the fastest one, as the counters of virtual machines may go by
steps of 10 ns."""

SHOWN_SHARE = 0.03
"""The share of a run from which on they say so."""
