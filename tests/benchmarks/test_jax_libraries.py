"""Steps of libraries written in JAX: their values here are those of JAX's own backend."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import numpy as np
import pytest
from xdsl_xla.benchmarks.agreement import difference
from xdsl_xla.benchmarks.sections.section import Settings

pytest.importorskip("jax")
jax: Any = importlib.import_module("jax")
libraries: Any = importlib.import_module("xdsl_xla.benchmarks.sections.libraries")
jax_libraries: Any = importlib.import_module("xdsl_xla.benchmarks.jax_libraries")
places: Any = importlib.import_module("xdsl_xla.frontends.jax")


def test_a_library_that_is_missing_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jax_libraries, "missing", lambda name: [name])
    result = libraries.measure(Settings(programs=("flax",)))
    assert not result.failures and not result.tables[0].rows
    assert "left out: pip install flax" in capsys.readouterr().out


def test_every_library_has_a_file() -> None:
    assert libraries.names() == ["flax", "equinox", "optax", "numpyro", "diffrax", "brax", "jax_md"]
    for file in jax_libraries.LIBRARIES.values():
        assert importlib.util.find_spec(f"{jax_libraries.__name__}.{file}")


@pytest.mark.slow
@pytest.mark.parametrize("library", list(jax_libraries.LIBRARIES))
def test_values(library: str) -> None:
    if missing := jax_libraries.missing(library):
        pytest.skip(f"needs {', '.join(missing)}")
    for step in jax_libraries.steps(library):
        function, arguments = step.make()
        sides: list[Any] = []
        for device in (places.devices()[0], jax.devices("cpu")[0]):
            leaves = jax.tree.leaves(function(*jax.device_put(arguments, device)))
            assert {place for leaf in leaves for place in leaf.devices()} == {device}
            sides.append([np.asarray(jax.random.key_data(leaf) if _is_key(leaf) else leaf) for leaf in leaves])
        assert difference(*sides) <= step.tolerance, step.name


def _is_key(leaf: Any) -> bool:
    return jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key)
