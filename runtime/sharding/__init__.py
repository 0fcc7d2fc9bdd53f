"""Programs on whole arrays that run on several devices: arrays are split, the program of a device runs on each, and
results are joined.

    program.py      the program of a device, and how its arguments and results are split
    splitting.py    arrays into parts and back
    executable.py   what `compile(..., devices=N)` returns
"""
