"""The parts of `convert-linalg-to-affine`.

`affine_sum` (index arithmetic) <- `nest` (loop nests as data, and their transformations) <- `from_linalg` (ops to
nests), `fusion` (nests of one row), `schedule` and `split_reduction` (loop order, tiles, threads), `addresses`,
`loop_builder` and `emit` (nests to ops) <- `row_groups` (several nests in one loop over rows).
"""
