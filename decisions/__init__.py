"""Every decision that weighs one cost against another, with its reason. Numbers in, choice out; no IR here.

`target.py` has the facts about a machine, one file for each area the choices, `model.py` all of them as one object.
"""
