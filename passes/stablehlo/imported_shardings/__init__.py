"""Shardings as XLA writes them, read into those of the `sdy` dialect.

text.py             `{devices=[2,1,4]<=[8] last_tile_dim_replicate}` as an array of devices
meshes.py           one mesh for all of them
manual_regions.py   what stands between `@SPMDFullToShardShape` and `@SPMDShardToFullShape`
"""
