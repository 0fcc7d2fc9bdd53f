"""GNU MPFR and MPC by way of gmpy2, whose type stubs lack most of its functions."""

from __future__ import annotations

import importlib
from typing import Any

gmpy2: Any = importlib.import_module("gmpy2")
mpfr: Any = gmpy2.mpfr
mpc: Any = gmpy2.mpc
