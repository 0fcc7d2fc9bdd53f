"""Programs as libraries: compiled once, run without this package, by C, C++ and Python.

`library.py` is the way there: a program goes down the levels as for this process, its code gets names of its own
(`code.py`), and around it come the functions of the C interface (`interface_code.py`), which stand for what
`runtime/executable.py` and `runtime/context.py` do in Python. `header.py` declares them, `linking.py` makes one file of
it all, `wheel.py` a package for Python. docs/ahead_of_time.md describes the interface.
"""
