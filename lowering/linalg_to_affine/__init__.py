"""The parts of `convert-linalg-to-affine`.

`ir/affine` (index arithmetic) <- `scalar_body`, `nest` (loop nests as data, and their transformations) <- `from_linalg`
(ops to nests), `derived_ops` (partial sums, copies of operands) and `kernel_ops` (the ops of a kernel by name).

Decided is a tree: `fusion` (nests of one row), `pieces`, `split_reduction` and `schedule` (loop order, tiles, threads),
`shared_rows` (several nests in loops over rows), `fills` and `borders` <- `trees` (nests to a tree) <- `decide`.

Obeyed is a tree: `from_trees` (a tree to nests) <- `function_state`, `addresses` and `emit` (nests to ops) <-
`scheduled`.
"""
