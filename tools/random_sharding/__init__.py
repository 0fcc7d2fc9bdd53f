"""Random programs whose values are spread over devices: meshes and shardings drawn at random for random programs.

`programs.generate_sharded(seed)` makes one; `checks.check_sharded(seed)` runs it on as many devices as its mesh has and
compares with one device. `python -m xdsl_xla.tools.fuzz --sharded` does so for many.
"""
