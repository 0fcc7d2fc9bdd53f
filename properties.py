"""`functools.cached_property` without a lock, also before Python 3.12.

There all objects share one lock for each property. A process that is forked while another thread computes one of them
finds it held for good.
"""

from __future__ import annotations

import sys
from functools import cached_property as _of_functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    cached_property = _of_functools
else:

    class cached_property(_of_functools):
        """What several threads compute at once, the last of them keeps."""

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:
                return self
            known = instance.__dict__
            if self.attrname not in known:
                known[self.attrname] = self.func(instance)
            return known[self.attrname]
