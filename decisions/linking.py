"""How long one linker places code in memory."""

from __future__ import annotations

LIBRARIES = 64
"""So many pieces of code are linked before a new linker takes over. LLVM's never forgets a library: each leaves 10 KB
until the linker ends, which is when none of its code is used any more. A linker costs 0.5 ms and 115 KB, a piece of
code 0.15 ms. Higher: one program that stays keeps the remains of more others."""
