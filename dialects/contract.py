"""The mark of additions and multiplications that formulas of this package allow to be rounded once.

StableHLO has no fast-math flags, so on level 1 it is the attribute `xrt.contract`; from level 2 on it is the flag
`fastmath<contract>` of `arith`, until `math-expand-elementary` makes `math.fma` of both. Programs never carry it.
"""

CONTRACT = "xrt.contract"
