"""Compiled programs on disk, so that the second start of a program is immediate.

`key.py` says what compiled code depends on, `stored_program.py` how a program lies in a file, `folder.py` where the
files are and which of them stay. Nothing here imports xDSL or a pass, unless a program needs it.
"""
