"""The parts of `convert-linalg-to-affine`.

`ir/affine` (index arithmetic) <- `scalar_body`, `nest` (loop nests as data, and their transformations) <- `from_linalg`
(ops to nests), `fusion` (nests of one row), `pieces`, `split_reduction` and `schedule` (loop order, tiles, threads) <-
`loop_builder`, `addresses` and `emit` (nests to ops) <- `shared_rows` (several nests in loops over rows), `borders` and
`row_groups` (what the ops of a function become).
"""
