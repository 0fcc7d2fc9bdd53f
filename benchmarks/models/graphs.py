"""Networks on graphs."""

from __future__ import annotations

from typing import Any

from .model import Tree, affine, dense, f32, i32, jax, jnp, layer_norm, model, norm

NODES, EDGES, WIDTH = 5000, 40_000, 64


def _round() -> Tree:
    return {
        "edge1": dense(3 * WIDTH, WIDTH),
        "edge2": dense(WIDTH, WIDTH),
        "node1": dense(2 * WIDTH, WIDTH),
        "node2": dense(WIDTH, WIDTH),
        "norm": norm(WIDTH),
    }


ENDS = i32(EDGES, high=NODES)


@model([_round() for _ in range(3)], f32(NODES, WIDTH), f32(EDGES, WIDTH), ENDS, ENDS)
def graph_network(rounds: list[Tree], nodes: Any, edges: Any, senders: Any, receivers: Any) -> Any:
    """Three rounds of messages (Battaglia et al., 2018)."""
    for layer in rounds:
        around = jnp.concatenate([edges, nodes[senders], nodes[receivers]], -1)
        edges = edges + affine(jax.nn.relu(affine(around, layer["edge1"])), layer["edge2"])
        received = jax.ops.segment_sum(edges, receivers, NODES)
        change = affine(jax.nn.relu(affine(jnp.concatenate([nodes, received], -1), layer["node1"])), layer["node2"])
        nodes = layer_norm(nodes + change, layer["norm"])
    return nodes
