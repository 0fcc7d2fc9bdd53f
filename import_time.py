"""When this process began to read the sources of this package: among the first modules that the package imports."""

from __future__ import annotations

import time

IMPORTED_AT = time.time_ns()
"""In nanoseconds since the epoch. What has been changed later is not what runs."""
