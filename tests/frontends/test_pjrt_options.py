"""What JAX's `compiler_options` and the variables `XDSL_XLA_...` say reaches the compiler, or is an error."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_pjrt import run


def test_options_reach_the_compiler(tmp_path: Path) -> None:
    run(
        f"""
    f = jax.jit(lambda x: x * 3, compiler_options={{"xdsl_xla_dump_dir": {str(tmp_path)!r}}})
    assert f(jnp.ones(2)).tolist() == [3, 3]
    try:
        jax.jit(lambda x: x, compiler_options={{"xdsl_xla_speed": 9}})(jnp.ones(2))
    except jax.errors.JaxRuntimeError as error:
        assert "there are xdsl_xla_threads" in str(error)
    else:
        raise AssertionError("no error")
    """
    )
    (folder,) = tmp_path.iterdir()
    assert any("stablehlo" in path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("DEBUG_INFO", "maybe", "option debug_info: 'maybe'"),
        ("DEVICES", "9" * 30, "expected 1 to 65536 devices"),
        ("THREADS", "two", "option threads: 'two'"),
        ("OPT_LEVEL", "9", "argument opt_level"),
    ],
)
def test_variables_that_say_nothing(name: str, value: str, message: str) -> None:
    start = "import jax, jax.numpy as jnp"
    program = f"""
    try:
        jax.jit(lambda x: x * 3)(jnp.ones(2))
    except Exception as error:
        assert {message!r} in str(error), error
    else:
        raise AssertionError("no error")
    """
    run(program, start=start, variables={"JAX_PLATFORMS": "xdsl_xla", f"XDSL_XLA_{name}": value})
