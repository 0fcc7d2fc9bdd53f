"""Programs of JAX on meshes, as `sdy-propagation-pipeline` of jaxlib splits them: by the same passes in a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from xdsl.context import Context
from xdsl_xla.lowering.chlo_legalize_to_stablehlo import ChloLegalizeToStablehloPass
from xdsl_xla.passes.func.func_inline_calls import FuncInlineCallsPass
from xdsl_xla.passes.sdy.sdy_apply_constraints import SdyApplyConstraintsPass
from xdsl_xla.passes.sdy.sdy_propagate import SdyPropagatePass
from xdsl_xla.passes.sdy.sdy_split_constants import SdySplitConstantsPass
from xdsl_xla.runtime.mlir_text import parse_module

from .shardy import run_shardy, shardings

jax: Any = pytest.importorskip("jax")
jnp: Any = jax.numpy
P: Any = jax.sharding.PartitionSpec
MESH: Any = jax.sharding.AbstractMesh((4, 2), ("data", "model"))


def lowered(function: Callable[..., Any], shapes: Sequence[tuple[int, ...]], specs: Sequence[Any]) -> str:
    """The program for arguments of these shapes, split so over `MESH`; None leaves it open."""
    arguments = [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes]
    given = tuple(None if spec is None else jax.sharding.NamedSharding(MESH, spec) for spec in specs)
    traced = jax.jit(function, in_shardings=given).trace(*arguments)
    return str(traced.lower(lowering_platforms=("cpu",)).as_text())


def constrained(x: Any, *spec: Any) -> Any:
    return jax.lax.with_sharding_constraint(x, jax.sharding.NamedSharding(MESH, P(*spec)))


def mlp(x: Any, w: Any, v: Any) -> Any:
    return jax.nn.relu(x @ w) @ v


def mlp_loss(x: Any, w: Any, v: Any) -> Any:
    return (mlp(x, w, v) ** 2).mean()


def attention(x: Any, w: Any, v: Any) -> Any:
    batch, steps, size = x.shape
    query, key, value = ((x @ w).reshape(batch, steps, 4, 3 * size // 4).transpose(0, 2, 1, 3) for _ in range(3))
    scores = query @ key.transpose(0, 1, 3, 2) / size
    scores = jnp.where(jnp.tril(jnp.ones((steps, steps), bool)), scores, -1e9)
    mixed = jax.nn.softmax(scores, -1) @ value
    return x + mixed.transpose(0, 2, 1, 3).reshape(batch, steps, 3 * size) @ v


def sequence_parallel(x: Any, w: Any, v: Any) -> Any:
    return constrained(attention(constrained(x, "data", "model"), w, v), "data", "model", None)


def convolutions(x: Any, w: Any) -> Any:
    layout = ("NHWC", "HWIO", "NHWC")
    x = jax.nn.relu(jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=layout))
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def recurrent(w: Any, x: Any) -> Any:
    def step(state: Any, row: Any) -> Any:
        state = jnp.tanh(state @ w + row)
        return state, state

    return jax.lax.scan(step, jnp.zeros(x.shape[1:]), x)


X, W, V = (32, 16), (16, 64), (64, 16)
SEQUENCE, WIDE, NARROW = (8, 16, 32), (32, 96), (96, 32)
PROGRAMS: dict[str, tuple[Callable[..., Any], Any, Any]] = {
    "data parallel": (mlp, (X, W, V), (P("data"), P(), P())),
    "tensor parallel": (mlp, (X, W, V), (P("data"), P(None, "model"), P("model"))),
    "sharded weights": (mlp, (X, W, V), (P("data"), P("data", "model"), P("model", "data"))),
    "nothing but the data": (mlp, (X, W, V), (P("data"), None, None)),
    "nothing but a weight": (mlp, (X, W, V), (None, P(None, ("data", "model")), None)),
    "gradient": (jax.grad(mlp_loss, (1, 2)), (X, W, V), (P("data"), P(None, "model"), P("model"))),
    "attention": (attention, (SEQUENCE, WIDE, NARROW), (P("data"), P(None, "model"), P("model"))),
    "sequence parallel": (sequence_parallel, (SEQUENCE, WIDE, NARROW), (P("data"), P(), P())),
    "convolution of a batch": (convolutions, ((8, 16, 16, 4), (3, 3, 4, 8)), (P("data"), P())),
    "convolution in space": (convolutions, ((8, 16, 16, 4), (3, 3, 4, 8)), (P("data", "model"), P())),
    "convolution by features": (
        convolutions,
        ((8, 16, 16, 4), (3, 3, 4, 8)),
        (P("data"), P(None, None, None, "model")),
    ),
    "recurrent": (recurrent, ((32, 32), (10, 8, 32)), (P(None, "model"), P(None, "data"))),
}

MERGED = ("constant", "iota", "broadcast_in_dim", "reshard", "sharding_constraint", "return", "call")
"""Ops that Shardy copies, merges or adds at the end."""


def compared(text: str) -> tuple[list[str], Counter[str]]:
    """The shardings of arguments and results, and how often each op has which."""
    lines = shardings(text)
    functions = [line for line in lines if line.startswith("func.func")]
    ops = Counter(line for line in lines if not line.split(" ")[0].endswith(MERGED))
    return functions, ops


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_jaxlib(name: str) -> None:
    module = parse_module(lowered(*PROGRAMS[name]))
    for before in (FuncInlineCallsPass(), ChloLegalizeToStablehloPass()):
        before.apply(Context(), module)
    wanted = compared(run_shardy(str(module), ("sdy-propagation-pipeline",)))
    for step in (SdySplitConstantsPass(), SdyApplyConstraintsPass(), SdyPropagatePass()):
        step.apply(Context(), module)
    module.verify()
    assert compared(str(module)) == wanted
    assert any('"' in op for op in wanted[1])
