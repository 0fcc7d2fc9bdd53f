"""Passes, dialects, pipelines, targets, cost models and schedules that others have written (`docs/extending.md`).

`definitions.py` says what can be defined and reads it out of files and objects; `entry_points.py` finds what installed
packages name, and `installed.py` loads it, the first time that a name is asked for which nothing here has.
`cost_models.py` and `schedules.py` are those of packages by their names.
"""
