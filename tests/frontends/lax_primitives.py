"""JAX's own test cases of its primitives, run through `xdsl_xla.frontends.jax.jit` and through XLA.

    python tests/frontends/lax_primitives.py --per-group 12 [--group scatter_add] [--seed 0]

The cases are those of `jax._src.internal_test_util.test_harnesses` (needs absl-py): 7,500 calls in 132 groups, of
which every group gives up to `--per-group`, evenly spread. Results have to agree within the tolerances that JAX's tests
have for their type, or be as accurate as XLA's. Prints each call that differs or fails; exits with 1 if there is one.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from typing import Any, NamedTuple

import jax
import numpy as np
from jax._src import public_test_util
from xdsl_xla import XlaError
from xdsl_xla.frontends.jax import jit, lower
from xdsl_xla.reference import interpreter


class Outcome(NamedTuple):
    """What came of one call: `kind` is `ok`, `not run` (nor does JAX), `unsupported`, `error`, `wrong`."""

    kind: str
    detail: str = ""


def harnesses(per_group: int, group: str | None = None) -> list[Any]:
    """Up to `per_group` cases of each group, evenly spread over those JAX has."""
    from jax._src.internal_test_util import test_harnesses

    groups: dict[str, list[Any]] = defaultdict(list)
    for harness in test_harnesses.all_harnesses:
        if group in (None, harness.group_name) and harness.filter(device_under_test="cpu"):
            groups[harness.group_name].append(harness)
    chosen: list[Any] = []
    for members in groups.values():
        count = min(per_group, len(members))
        chosen += [members[index * len(members) // count] for index in range(count)]
    return chosen


def run(harness: Any, seed: int = 0) -> Outcome:
    """The outcome of one case."""
    try:
        args = harness.dyn_args_maker(np.random.RandomState(seed))
        wanted = jax.jit(harness.dyn_fun)(*args)
    except Exception as error:
        return Outcome("not run", f"{type(error).__name__}: {error}")
    try:
        got = jit(harness.dyn_fun)(*args)
    except XlaError as error:
        return Outcome("unsupported", str(error))
    except Exception as error:
        return Outcome("error", f"{type(error).__name__}: {error}")
    try:
        compare(got, wanted)
    except AssertionError as error:
        accurate = no_less_accurate(harness.dyn_fun, args, got, wanted)
        return Outcome("ok") if accurate else Outcome("wrong", str(error))
    return Outcome("ok")


def no_less_accurate(function: Any, args: Any, got: Any, wanted: Any) -> bool:
    """Whether results that differ from XLA's in some elements are as good as those.

    They are if they agree with the reference interpreter, if no element is further from XLA's than the tolerance times
    the greatest element (sums of products of mixed signs leave small elements no more digits than that), or if they are
    no more than twice as far as XLA's from what XLA gives in double precision.
    """
    mine, theirs = jax.tree.leaves(got), jax.tree.leaves(wanted)
    try:
        module = lower(jax.jit(function, keep_unused=True), *args)
        arrays = [np.asarray(leaf) for leaf in jax.tree.leaves(args)]
        compare(mine, jax.device_put(list(interpreter.run(module, "main", arrays))))
        return True
    except (AssertionError, XlaError):
        pass
    pairs = list(zip(mine, theirs, strict=True))
    if all(distance(a, b) <= tolerance_of(a) * np.max(np.abs(wide(b)), initial=0) for a, b in pairs):
        return True
    exact = jax.tree.leaves(jax.jit(function)(*jax.tree.map(wide, args)))
    return all(distance(a, c) <= 2 * max(distance(b, c), 1e-15) for (a, b), c in zip(pairs, exact, strict=True))


def wide(array: Any) -> Any:
    """Floats and complex numbers in double precision, other things as they are."""
    array = np.asarray(array)
    if jax.numpy.issubdtype(array.dtype, np.complexfloating):
        return array.astype(np.complex128)
    return array.astype(np.float64) if jax.numpy.issubdtype(array.dtype, np.floating) else array


def distance(one: Any, other: Any) -> float:
    """The greatest distance of two elements; infinite where only one is finite."""
    a, b = wide(one), wide(other)
    with np.errstate(all="ignore"):
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        apart = np.where(same, 0.0, np.abs(a - b))
    return float(np.max(np.where(np.isnan(apart), np.inf, apart), initial=0))


def tolerance_of(array: Any) -> float:
    return public_test_util.default_tolerance().get(np.dtype(array.dtype), 0)


def compare(got: Any, wanted: Any) -> None:
    """Raise AssertionError unless two pytrees of arrays have the same types and agree within JAX's tolerances."""
    assert jax.tree.structure(got) == jax.tree.structure(wanted)
    for mine, theirs in zip(jax.tree.leaves(got), jax.tree.leaves(wanted), strict=True):
        assert (mine.dtype, mine.shape, mine.weak_type) == (theirs.dtype, theirs.shape, theirs.weak_type)
        if jax.dtypes.issubdtype(mine.dtype, jax.dtypes.prng_key):
            mine, theirs = jax.random.key_data(mine), jax.random.key_data(theirs)
        tolerance = tolerance_of(mine)
        public_test_util._assert_numpy_allclose(np.asarray(mine), np.asarray(theirs), atol=tolerance, rtol=tolerance)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--per-group", type=int, default=12)
    parser.add_argument("--group")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    counts: dict[str, int] = defaultdict(int)
    for harness in harnesses(args.per_group, args.group):
        outcome = run(harness, args.seed)
        counts[outcome.kind] += 1
        if outcome.kind not in ("ok", "not run"):
            print(f"{outcome.kind.upper()} {harness.fullname}: {' '.join(outcome.detail.split())[:400]}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return int(set(counts) - {"ok", "not run"} != set())


if __name__ == "__main__":
    sys.exit(main())
