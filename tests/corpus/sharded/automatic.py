"""Families of operations on arrays that are split, partitioned by their annotations."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from cases import Case, Function, case, constrained, normal, spread
from jax import lax
from jax.sharding import Mesh

NHWC = ("NHWC", "HWIO", "NHWC")


@case(height=4)
def spatial_convolution(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Rows of images are split: windows reach into the rows of neighbours."""

    def forward(x: Any, kernel: Any) -> Any:
        y = lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=NHWC)
        return lax.conv_general_dilated(jax.nn.relu(y), kernel, (2, 2), "SAME", dimension_numbers=NHWC)

    rows = spread(mesh, None, "height")
    sharded = jax.jit(forward, in_shardings=(rows, spread(mesh)), out_shardings=rows)
    return Case(sharded, forward, (normal(rng, 1, 16, 8, 3), normal(rng, 3, 3, 3, 3)))


@case(height=2, width=2)
def spatial_convolution_step(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Images are split both ways; gradients of a dilated convolution, pooling by maxima."""

    def loss(x: Any, kernel: Any) -> Any:
        y = lax.conv_general_dilated(x, kernel, (1, 1), "SAME", rhs_dilation=(2, 2), dimension_numbers=NHWC)
        pooled = lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return jnp.sum(pooled**2)

    step = jax.value_and_grad(loss, (0, 1))
    tiles = spread(mesh, None, "height", "width")
    sharded = jax.jit(step, in_shardings=(tiles, spread(mesh)), out_shardings=(spread(mesh), (tiles, spread(mesh))))
    return Case(sharded, step, (normal(rng, 2, 8, 8, 2), normal(rng, 3, 3, 2, 4)))


@case(data=2, model=2)
def channel_convolution(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Batch and output channels are split, then input channels; a grouped convolution."""

    def forward(x: Any, first: Any, second: Any, grouped: Any) -> Any:
        y = lax.conv_general_dilated(x, first, (1, 1), "SAME", dimension_numbers=NHWC)
        z = lax.conv_general_dilated(y, second, (1, 1), "VALID", dimension_numbers=NHWC)
        return lax.conv_general_dilated(z, grouped, (1, 1), "SAME", dimension_numbers=NHWC, feature_group_count=4)

    shardings = (
        spread(mesh, "data"),
        spread(mesh, None, None, None, "model"),
        spread(mesh, None, None, "model", None),
        spread(mesh, None, None, None, "model"),
    )
    sharded = jax.jit(forward, in_shardings=shardings, out_shardings=spread(mesh, "data", None, None, "model"))
    arguments = (normal(rng, 4, 6, 6, 3), normal(rng, 3, 3, 3, 8), normal(rng, 3, 3, 8, 4), normal(rng, 3, 3, 1, 8))
    return Case(sharded, forward, arguments)


@case(x=4)
def sorts(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Sorts along the dimension that is split, and along another one."""

    def forward(x: Any) -> Any:
        values, places = lax.top_k(x, 3)
        return jnp.sort(x, 0), jnp.argsort(x, 0), jnp.sort(x, 1), values, places, jnp.median(x)

    rows = spread(mesh, "x")
    sharded = jax.jit(forward, in_shardings=(rows,), out_shardings=(rows, rows, rows, rows, rows, spread(mesh)))
    return Case(sharded, forward, (normal(rng, 16, 5),))


@case(x=8)
def running_sums(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Sums, products and maxima of all elements so far, forward and backward."""

    def forward(x: Any, n: Any) -> Any:
        return (
            jnp.cumsum(x, 0),
            lax.cummax(x, 0),
            lax.cumprod(x, 0, reverse=True),
            lax.cumlogsumexp(x, 1),
            jnp.cumsum(n[::-1]),
            lax.associative_scan(jnp.add, x, axis=0),
        )

    rows = spread(mesh, "x")
    sharded = jax.jit(forward, in_shardings=(rows, rows), out_shardings=(rows,) * 6)
    return Case(sharded, forward, (normal(rng, 16, 4), rng.integers(-9, 9, 24).astype(np.int32)))


@case(batch=4)
def batched_linear_algebra(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Factorisations of a batch that is split: custom calls with rules."""

    def forward(a: Any, b: Any) -> Any:
        spd = a @ a.mT + 4 * jnp.eye(4)
        factor = jnp.linalg.cholesky(spd)
        return factor, lax.linalg.triangular_solve(factor, b, left_side=True, lower=True), jnp.linalg.det(spd)

    batch = spread(mesh, "batch")
    sharded = jax.jit(forward, in_shardings=(batch, batch), out_shardings=(batch,) * 3)
    return Case(sharded, forward, (normal(rng, 8, 4, 4), normal(rng, 8, 4, 2)))


@case(x=2, y=2)
def matrix_linear_algebra(mesh: Mesh, rng: np.random.Generator) -> Case:
    """A system whose matrix is split both ways, solved by Cholesky's and by Householder's method."""

    def forward(a: Any, b: Any) -> Any:
        spd = a @ a.T + 8 * jnp.eye(8)
        q, r = jnp.linalg.qr(spd)
        by_cholesky = jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor(spd), b)
        return by_cholesky, jax.scipy.linalg.solve_triangular(r, q.T @ b)

    tiles = spread(mesh, "x", "y")
    sharded = jax.jit(forward, in_shardings=(tiles, tiles), out_shardings=(tiles, tiles))
    return Case(sharded, forward, (normal(rng, 8, 8), normal(rng, 8, 2)))


@case(x=2, y=4)
def matrix_products(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Products of matrices split in all ways, results as well (SUMMA where both are)."""

    def forward(a: Any, b: Any) -> Any:
        return a @ b, a @ b, a @ b, a.T @ a, jnp.einsum("ij,kj->ik", b, b)

    sharded = jax.jit(
        forward,
        in_shardings=(spread(mesh, "x", "y"), spread(mesh, "y", "x")),
        out_shardings=(
            spread(mesh, "x", "y"),
            spread(mesh, ("y", "x")),
            spread(mesh, None, ("x", "y")),
            spread(mesh, "y", "x"),
            spread(mesh),
        ),
    )
    return Case(sharded, forward, (normal(rng, 8, 16), normal(rng, 16, 8)))


@case(x=4)
def uneven_sizes(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Sizes that four does not divide: the last device has less, and padding must not be seen."""

    def forward(c: Function) -> Function:
        def apply(a: Any, b: Any) -> Any:
            left, right = c(a, "x", None), c(b, None, "x")
            product = c(left @ right, None, "x")
            return (
                jnp.mean(left, 0),
                jnp.max(product - 100, 1),
                c(a.T, None, "x") @ left,
                c(jnp.sort(left, 0), "x", None),
                jnp.concatenate([left, left[::-1]]),
                jnp.argmin(left, 0),
                jax.nn.softmax(c(product, "x", None), 0),
            )

        return apply

    whole = spread(mesh)
    sharded = jax.jit(forward(constrained(mesh)), in_shardings=(whole, whole), out_shardings=whole)
    return Case(sharded, forward(constrained(None)), (normal(rng, 10, 6), normal(rng, 6, 7)))


@case(data=4)
def gathers_and_scatters(mesh: Mesh, rng: np.random.Generator) -> Case:
    """By indices that are split, in arrays that are split."""

    def forward(x: Any, i: Any, j: Any) -> Any:
        return (
            jnp.take_along_axis(x, j, 1),
            x[i],
            x.at[i].add(2.0),
            x.at[i[:4], :3].set(1.0),
            jnp.zeros(6).at[j[:, 0]].add(x[:, 0]),
            jax.ops.segment_max(x, i % 4, 4),
            lax.dynamic_slice(x, (i[0], 1), (6, 3)),
            jnp.bincount(i, length=16),
        )

    rows, whole = spread(mesh, "data"), spread(mesh)
    outputs = (rows, rows, rows, rows, whole, rows, whole, rows)
    sharded = jax.jit(forward, in_shardings=(rows, rows, rows), out_shardings=outputs)
    i = rng.integers(0, 16, 16).astype(np.int32)
    j = rng.integers(0, 6, (16, 2)).astype(np.int32)
    return Case(sharded, forward, (normal(rng, 16, 6), i, j))


@case(x=4)
def fourier_transforms(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Along the dimension that is split, and along another one; complex numbers."""

    def forward(x: Any) -> Any:
        spectrum = jnp.fft.fft2(x)
        return spectrum, jnp.fft.ifft(spectrum, axis=0).real, jnp.fft.rfft(x, axis=1), jnp.abs(jnp.fft.fft(x, axis=0))

    rows = spread(mesh, "x")
    sharded = jax.jit(forward, in_shardings=(rows,), out_shardings=(rows,) * 4)
    return Case(sharded, forward, (normal(rng, 8, 12),))


@case(x=8)
def pooling(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Windows over a dimension that is split, by sums and by maxima, overlapping, with gradients."""

    def forward(x: Any) -> Any:
        means = lax.reduce_window(x, 0.0, lax.add, (3, 1), (1, 1), "SAME") / 3
        maxima = lax.reduce_window(x, -jnp.inf, lax.max, (4, 2), (2, 1), ((1, 1), (0, 1)))
        gradient = jax.grad(lambda x: jnp.sum(lax.reduce_window(x, -jnp.inf, lax.max, (2, 1), (2, 1), "VALID") ** 2))
        return means, maxima, gradient(x)

    rows = spread(mesh, "x")
    sharded = jax.jit(forward, in_shardings=(rows,), out_shardings=(rows,) * 3)
    return Case(sharded, forward, (normal(rng, 32, 4),))


@case(x=4)
def conjugate_gradients(mesh: Mesh, rng: np.random.Generator) -> Case:
    """A loop until convergence whose vectors and matrix are split."""

    def solve(a: Any, b: Any) -> Any:
        spd = a @ a.T / 16 + jnp.eye(16)

        def is_long(state: Any) -> Any:
            return (state[3] > 1e-8) & (state[4] < 40)

        def step(state: Any) -> Any:
            x, r, p, rr, count = state
            q = spd @ p
            alpha = rr / (p @ q)
            x, r = x + alpha * p, r - alpha * q
            new = r @ r
            return x, r, r + new / rr * p, new, count + 1

        return lax.while_loop(is_long, step, (jnp.zeros_like(b), b, b, b @ b, 0))[0]

    rows = spread(mesh, "x")
    sharded = jax.jit(solve, in_shardings=(rows, rows), out_shardings=rows)
    return Case(sharded, solve, (normal(rng, 16, 16), normal(rng, 16)))


@case(x=2, y=2)
def data_movement(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Reshapes, transposes, reversals, padding, rolls, tilings, slices with strides."""

    def forward(x: Any) -> Any:
        return (
            x.reshape(32),
            x.reshape(2, 4, 2, 2),
            x.T,
            x[::-1, ::2],
            jnp.pad(x, ((1, 3), (0, 2)), constant_values=7),
            jnp.roll(x, 3, 0),
            jnp.tile(x, (2, 1)),
            jnp.stack([x, x + 1], 1).reshape(8, 8),
            x[2:6, 1:3],
            lax.pad(x, jnp.float32(0), ((0, 1, 1), (0, 0, 0))),
        )

    tiles = spread(mesh, "x", "y")
    outputs = (
        spread(mesh, ("x", "y")),
        spread(mesh, "x", None, "y"),
        spread(mesh, "x", "y"),
        tiles,
        tiles,
        tiles,
        spread(mesh, ("y", "x")),
        spread(mesh, None, "x"),
        tiles,
        spread(mesh, "y"),
    )
    sharded = jax.jit(forward, in_shardings=(tiles,), out_shardings=outputs)
    return Case(sharded, forward, (normal(rng, 8, 4),))


@case(x=2, y=4)
def reductions(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Over dimensions that are split: sums, maxima, places of maxima, logical ones, integers, statistics."""

    def forward(x: Any, n: Any) -> Any:
        return (
            jnp.sum(x, 1),
            jnp.max(x, 0),
            jnp.argmax(x, 1),
            jnp.any(x > 2, 0),
            jnp.prod(n, 1),
            jnp.var(x, (0, 1)),
            jax.nn.log_softmax(x, 1),
            jnp.linalg.norm(x, axis=0),
            jnp.min(n, 0),
        )

    rows, columns, tiles, whole = spread(mesh, "x"), spread(mesh, "y"), spread(mesh, "x", "y"), spread(mesh)
    outputs = (rows, columns, whole, columns, rows, whole, tiles, whole, columns)
    sharded = jax.jit(forward, in_shardings=(tiles, tiles), out_shardings=outputs)
    return Case(sharded, forward, (normal(rng, 4, 8), rng.integers(-3, 4, (4, 8)).astype(np.int32)))


@case(x=2)
def branches(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Branches and a loop whose values are split."""

    def forward(x: Any, w: Any, choice: Any) -> Any:
        y = lax.switch(choice, [lambda x: x @ w, lambda x: jnp.sum(x, 0, keepdims=True) + x, jnp.sin], x)
        z = lax.cond(jnp.sum(y) > 0, lambda y: y[::-1], lambda y: -y, y)
        return lax.fori_loop(0, 3, lambda i, z: jnp.where(z > i, z @ w, z + i), z)

    rows, whole = spread(mesh, "x"), spread(mesh)
    sharded = jax.jit(forward, in_shardings=(rows, whole, whole), out_shardings=rows)
    return Case(sharded, forward, (normal(rng, 6, 4), normal(rng, 4, 4, scale=0.5), np.int32(1)))


@case(x=2, y=2, z=2)
def reshardings(mesh: Mesh, rng: np.random.Generator) -> Case:
    """From each sharding to the next: axes split, move, change places and go."""

    def forward(c: Function) -> Function:
        def apply(a: Any) -> Any:
            specs = [("x", "y"), ("y", "x"), (("x", "y"), None), (("y", "x"), "z"), (None, ("z", "x")), ("z", None)]
            for index, spec in enumerate(specs):
                a = c(jnp.sin(a) + index, *spec)
            return a

        return apply

    first, last = spread(mesh, ("z", "y", "x")), spread(mesh, None, ("x", "z", "y"))
    sharded = jax.jit(forward(constrained(mesh)), in_shardings=(first,), out_shardings=last)
    return Case(sharded, forward(constrained(None)), (normal(rng, 8, 8),))


@case(x=4)
def random_numbers(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Counters and permutations: the numbers of one device."""

    def forward(key: Any) -> Any:
        first, second = jax.random.split(jax.random.wrap_key_data(key))
        return jax.random.uniform(first, (16, 3)), jax.random.permutation(second, 12)

    rows = spread(mesh, "x")
    sharded = jax.jit(forward, in_shardings=(spread(mesh),), out_shardings=(rows, rows))
    return Case(sharded, forward, (np.array([3, 14], np.uint32),))


@case(x=4)
def generator_of_bits(mesh: Mesh, rng: np.random.Generator) -> Case:
    """XLA's own generator, whose bits are split."""

    def forward(key: Any) -> Any:
        state, bits = lax.rng_bit_generator(key, (8, 6), np.uint32, lax.RandomAlgorithm.RNG_THREE_FRY)
        return state, bits, bits.astype(np.float32).sum(1)

    rows, whole = spread(mesh, "x"), spread(mesh)
    sharded = jax.jit(forward, in_shardings=(whole,), out_shardings=(whole, rows, rows))
    return Case(sharded, forward, (np.array([3, 14, 15, 92], np.uint32),))
