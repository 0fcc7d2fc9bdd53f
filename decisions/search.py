"""How far passes search.

The numbers bound compile time. None changes what a program means; a higher one finds more and takes longer. They are
not part of a `CostModel`: the code that they bound is asked from places that have no model.
"""

from __future__ import annotations

RANGE_DEPTH = 8
"""Ops between a value and what its integer range is known from. Higher: narrower indices and fewer clamps."""

LISTED_ELEMENTS = 1024
"""Elements of the largest constant whose least and greatest element are looked for."""

KNOWN_ELEMENTS = 64
"""Elements up to which the value of an integer tensor is kept while shapes are refined: shapes and paddings have
fewer. Higher: larger constants to compute, of which no shape depends."""

KNOWN_PLACES = 1 << 12
"""Elements of the largest tensor of places of a gather that is computed to see whether they are steps. Higher: more
gathers become slices, and more time for those that do not."""

KNOWN_OPS = 32
"""Ops of a program that such places are computed by, at most."""

TRANSPOSE_DEPTH = 3
"""Elementwise ops between a transpose and what takes dimensions in any order. Higher: more transposes go there."""

SYMMETRY_DEPTH = 4
"""Elementwise ops between a symmetric value and the op that shows that it is. Higher: more transposes vanish."""

INSERTIONS_IN_A_ROW = 64
"""Insertions into one tensor, one after the other, that are looked through. Higher: longer concatenations are one
group."""

READING_GROUPS = 8
"""Groups that read a tensor, the last ones, that another op that reads it is compared with. Higher: more fusion of
siblings; the time of grouping grows with the product."""

CARRIED_BUFFERS = 8
"""Buffers of other carried values that are tried for one. A training step may carry hundreds of one shape."""

CACHED_TEXTS = 1 << 12
"""Names of functions and globals whose text is kept for the next module."""

LAYER_WINDOW = 16
"""Equal ops in a row whose distance is tried as the length of a layer (`stablehlo-outline-layers`)."""

LAYER_PERIODS = 8
"""Distances that are tried, the most frequent ones first. A seldom one is of few layers."""

LAYER_SEARCHES = 8
"""How often what is left is searched for other layers: a model has few kinds."""
