"""Ops that compute each element from those at the same place: on local parts as they are."""

from __future__ import annotations

from .factors import elementwise_rule, partition
from .site import Site


def elementwise(site: Site) -> None:
    """The same op on parts that agree."""
    partition(site, elementwise_rule(site.op))
