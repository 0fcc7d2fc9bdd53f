"""Operations of the builder on arrays of bounded size: what they give, and which of them refuse such arrays."""

from __future__ import annotations

from collections.abc import Sequence

from .algebra import ALGEBRA
from .case import Case
from .elementwise import ELEMENTWISE
from .movement import MOVEMENT
from .reductions import REDUCTIONS

CASES: dict[str, Sequence[Case]] = {**ELEMENTWISE, **MOVEMENT, **REDUCTIONS, **ALGEBRA}
