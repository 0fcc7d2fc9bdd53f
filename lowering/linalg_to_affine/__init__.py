"""The parts of `convert-linalg-to-affine`.

`affine_sum` (index arithmetic) <- `nest` (loop nests as data, and their transformations) <- `from_linalg` (ops to
nests), `schedule` (loop order, tiles, threads), `split_reduction` (partial results), `emit` (nests to ops) <-
`row_groups` (several nests in one loop over rows).
"""
